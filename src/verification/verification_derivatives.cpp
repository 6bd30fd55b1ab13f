#include <cmath>

#include "face/model.h"
#include "model_file/reference/embedded_models.h"
#include "verification/verification_special.h"

namespace pawl {

namespace {

// "speed=20 rad/s; run.end=1"
Values values_of(std::string_view set) {
    Values out;
    while (!set.empty()) {
        const std::string_view one = set.substr(0, set.find(';'));
        const auto equals = one.find('='), first = one.find_first_not_of(' ');
        out.emplace_back(one.substr(first, equals - first), one.substr(equals + 1));
        set.remove_prefix(std::min(set.size(), one.size() + 1));
    }
    return out;
}

}  // namespace

bool is_derivative(std::string_view column) {
    return column.starts_with("d(") && column.ends_with(")") &&
           column.find(")/d(") != std::string_view::npos;
}

double derivative_value(const VerificationRow& row, std::string& note) {
    const auto middle = row.column.find(")/d(");
    SensitivityOptions options;
    options.threads = 1;
    options.responses = {std::string(row.column.substr(2, middle - 2))};
    options.parameters = {std::string(row.column.substr(middle + 4))};
    options.parameters[0].pop_back();
    std::string_view text;
    for (const EmbeddedModel& model : embedded_models())
        if (model.name == row.model) text = model.text;
    Diagnostics problems;
    const auto model =
        Model::read(text, problems, std::string(row.model) + ".toml", values_of(row.set));
    const auto found = model ? model->sensitivity(options, problems) : std::nullopt;
    note = found ? found->derivatives[0][0].problem : problems.text();
    return found ? found->derivatives[0][0].value : NAN;
}

}  // namespace pawl
