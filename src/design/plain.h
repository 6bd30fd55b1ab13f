// Synthesis and optimisation for other languages: texts and numbers in, texts out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "face/model.h"

namespace pawl {

struct PlainSearch {
    int starts = 1, keep = 12, threads = 0;
    std::uint64_t seed = 1;
};

// What `pawl synthesise` writes as synthesis.json, each solution with the text of its model under
// "model". `kind` is path, function or motion, `mechanism` may be empty; the task is TOML or, where
// `is_table` says so, CSV. Empty where there are errors.
std::string synthesise(std::string_view kind, std::string_view task, bool is_table,
                       std::string_view mechanism, const PlainSearch& search,
                       Diagnostics& problems);

// What `pawl optimise --json` prints, with the improved model under "model" and the table of all
// runs under "history". `method` may be empty. Empty where there are errors.
std::string optimise(const Model& model, std::string_view method, const PlainSearch& search,
                     Diagnostics& problems);

}  // namespace pawl
