// Names chosen by patterns, with messages for those that fit nothing. Knows words only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pawl {

// Whether a name fits a pattern; `*` stands for any text, `?` for one letter.
bool fits(std::string_view name, std::string_view pattern);

// The valid names that fit the patterns, in the order of the patterns, each once. The first pattern
// that fits nothing is reported in `problem`, with names that begin with it or are spelt alike;
// `what` says what the names are.
std::vector<std::string> names_fitting(const std::vector<std::string>& patterns,
                                       const std::vector<std::string>& valid, const char* what,
                                       std::string& problem);

}  // namespace pawl
