// Synthesis and optimisation for other languages: texts and numbers in, texts out.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "face/model.h"

namespace pawl {

struct PlainSearch {
    int starts = 1, threads = 0;
    std::uint64_t seed = 1;
    std::function<bool()> goes_on;  // false ends the search, which keeps what it has

    int keep = 12;           // linkages of a synthesis
    int evaluations = 200;   // of each start of an optimisation
    double accuracy = 1e-8;  // of an optimisation
};

// What is asked of a synthesis.
struct PlainTask {
    std::string kind;  // path, function or motion
    std::string text;  // TOML or, where `is_table` says so, CSV
    bool is_table = false;
    std::string mechanism;            // empty: as the text says
    std::optional<double> tolerance;  // of a point, m, in place of that of the text
    bool any_order = false;
    // A linkage to start from, in place of one by name: the point that has to move, as
    // "coupler.P", or the body that is the output of a function.
    const Model* model = nullptr;
    std::string point = {}, output = {};
    bool moves_pivots = true;   // points of ground may change
    std::string file = "task";  // for messages
};

// What `pawl synthesise` writes as synthesis.json, each solution with the text of its model under
// "model", and the page of all under "atlas". Empty where there are errors.
std::string synthesise(const PlainTask& task, const PlainSearch& search, Diagnostics& problems);

// What `pawl optimise --json` prints, with the improved model under "model" and the table of all
// runs under "history". `method` may be empty. Empty where there are errors.
std::string optimise(const Model& model, std::string_view method, const PlainSearch& search,
                     Diagnostics& problems);

}  // namespace pawl
