// Tables, lists of pairs and badges as HTML text. Knows nothing of what they say.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace pawl::html {

// "dead_point" as "dead point".
std::string words(std::string name);
std::string joined(const std::vector<std::string>& parts, const char* between = ", ");

struct Cell {
    std::string text;
    bool number = false;
};
std::string row(const std::vector<Cell>& cells);
// `kind` is a class; `rows` are texts made by row().
std::string table(const char* kind, const char* caption, const std::vector<Cell>& head,
                  const std::string& rows);

// Names and values.
std::string pairs(const std::vector<std::pair<std::string, std::string>>& list);

std::string badge(const std::string& text, bool good);

}  // namespace pawl::html
