// A map as SVG: a value or a category over two quantities, as coloured cells with a scale. Knows
// numbers and names, not where they come from.
#pragma once

#include <string>
#include <vector>

namespace pawl {

struct PlotMap {
    std::string title, caption;
    std::string x_label, y_label, value_label;  // with units
    std::vector<double> x, y;                   // increasing; the middles of the cells
    std::vector<double> values;           // of the cells, x after x, then the next y; NaN: none
    std::vector<std::string> categories;  // given: the values are their numbers
};

std::string svg(const PlotMap& map);

}  // namespace pawl
