#include "output/report/html_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "output/svg/svg_text.h"

namespace pawl::html {

namespace {

using drawing::escaped;

std::string row_of(const std::vector<Cell>& cells, const char* element, const char* more) {
    std::string out = "<tr>";
    for (const Cell& c : cells)
        out += fmt::format("<{0}{1}{2}>{3}</{0}>", element, more, c.number ? " class='number'" : "",
                           escaped(c.text));
    return out + "</tr>\n";
}

}  // namespace

std::string words(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

std::string joined(const std::vector<std::string>& parts, const char* between) {
    std::string out;
    for (const auto& p : parts) out += (out.empty() ? "" : between) + p;
    return out;
}

std::string row(const std::vector<Cell>& cells) { return row_of(cells, "td", ""); }

std::string table(const char* kind, const char* caption, const std::vector<Cell>& head,
                  const std::string& rows) {
    return fmt::format(
        "<div class='scroll {}'><table><caption>{}</caption><thead>{}</thead><tbody>\n{}</tbody>"
        "</table></div>\n",
        kind, caption, row_of(head, "th", " scope='col'"), rows);
}

std::string pairs(const std::vector<std::pair<std::string, std::string>>& list) {
    std::string out = "<dl class='pairs'>";
    for (const auto& [name, value] : list)
        out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", escaped(name), escaped(value));
    return out + "</dl>";
}

std::string badge(const std::string& text, bool good) {
    return fmt::format("<span class='badge{}'>{}</span>", good ? "" : " bad", escaped(text));
}

}  // namespace pawl::html
