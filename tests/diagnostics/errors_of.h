// Reads a model that is wrong and returns what the user is told.
#pragma once

#include <string>
#include <string_view>

#include "model_file/reading/model_file.h"

namespace pawl {

// The messages about a text, without the name of the file: "3:5: error: ...", one per line.
inline std::string errors_of(std::string_view text, const Overrides& overrides = {}) {
    Diagnostics diagnostics;
    const auto model = read_model(text, "", overrides, diagnostics);
    if (model) return "no error\n" + diagnostics.text();
    std::string messages;
    const std::string all = diagnostics.text();
    for (std::size_t begin = 0; begin < all.size();) {
        const std::size_t end = all.find('\n', begin) + 1;
        std::string_view line = std::string_view(all).substr(begin, end - begin);
        if (line.front() == ':') line.remove_prefix(1);
        messages += line;
        begin = end;
    }
    return messages;
}

}  // namespace pawl
