// Reads a model that is right; the test stops if it is not.
#pragma once

#include <stdexcept>
#include <string_view>

#include "model_file/reading/model_file.h"

namespace pawl {

inline ModelData read_text(std::string_view text, const Overrides& overrides = {}) {
    Diagnostics diagnostics;
    auto model = read_model(text, "test.toml", overrides, diagnostics);
    if (!model) throw std::runtime_error(diagnostics.text());
    return std::move(*model);
}

}  // namespace pawl
