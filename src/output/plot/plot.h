// A plot as SVG: panels with axes, curves, marks of events. Knows numbers and names, not where they
// come from.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace pawl {

struct PlotCurve {
    std::string name;
    std::vector<double> x, y;  // a NaN breaks the line
    bool dots = false;         // the points alone, without a line
};

struct PlotPanel {
    std::string x_label, y_label;  // with units
    std::vector<PlotCurve> curves;
    std::vector<std::pair<double, double>> bands;  // shaded spans of x
    std::string band_name;                         // what the shading means
    bool equal_scales = false;                     // one unit is as long in x as in y
    bool ends = false;  // a ring where a curve begins, a dot where it ends
};

// A vertical line through all panels of a time history.
struct PlotMark {
    double x = 0;
    std::string label;
};

struct Plot {
    std::string title, caption;
    std::vector<PlotPanel> panels;
    bool shared_x = true;         // the panels have one x axis: the lowest carries its numbers
    std::vector<PlotMark> marks;  // increasing in x; only with a shared axis
};

std::string svg(const Plot& plot);

// Round numbers between low and high, at most `max_ticks` of them, and how to write them: with so
// many decimals after division by 10^exponent.
struct Ticks {
    std::vector<double> values;
    int exponent = 0, decimals = 0;
    [[nodiscard]] std::string text(double value) const;
};
Ticks ticks_between(double low, double high, int max_ticks);

}  // namespace pawl
