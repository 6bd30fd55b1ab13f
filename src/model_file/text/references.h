// Where the values of a document refer to an element by its name. Knows how names are written:
// "crank", "crank.P", "A.angle", also inside expressions; not which kind of element a field wants.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model_file/text/document.h"

namespace pawl {

struct NameUse {
    std::string path;                // of the value that refers
    std::size_t begin = 0, end = 0;  // of the name in the text, bytes
};

// The uses of "body.crank", "parameters.L1" or "body.crank.points.P" in the values of others.
std::vector<NameUse> uses_of(const Node& root, std::string_view text, std::string_view path);

// The other sections that have an element of the same name: uses cannot be distinguished then.
std::vector<std::string> sections_with(const Node& root, std::string_view name);

}  // namespace pawl
