#include "design/study.h"

#include <cmath>

namespace pawl::cli {

Model read_face(const ModelOptions& options) {
    const ModelData data = options.read();
    Diagnostics ignored;  // was read without errors, and its warnings are printed
    return *Model::read(data.text, ignored, data.file, data.overrides);
}

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json to_json(const Spread& spread, const Response& response) {
    return {{"unit", response.unit},
            {"runs", spread.count},
            {"least", json_number(spread.least)},
            {"mean", json_number(spread.mean())},
            {"greatest", json_number(spread.greatest)},
            {"standard_deviation", json_number(spread.deviation())}};
}

}  // namespace pawl::cli
