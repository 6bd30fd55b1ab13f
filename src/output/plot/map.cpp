#include "output/plot/map.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "output/drawing/stage.h"
#include "output/plot/plot.h"
#include "output/svg/svg_text.h"

namespace pawl {

namespace {

using Vector = PlanarSpace::Vector;
using namespace drawing;

// Dark to bright, evenly to the eye, and so in grey (after viridis, Smith and van der Walt 2015).
constexpr std::array<std::array<int, 3>, 5> ramp{
    {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};
constexpr int levels = 64;
constexpr std::array kinds{"#0072b2", "#d55e00", "#009e73", "#f0e442",
                           "#cc79a7", "#e69f00", "#56b4e9", "#000000"};

std::string colour_of(int level) {
    const double position = level * (ramp.size() - 1.0) / (levels - 1);
    const auto i = std::min(static_cast<std::size_t>(position), ramp.size() - 2);
    const double part = position - static_cast<double>(i);
    std::array<int, 3> c{};
    for (std::size_t k = 0; k < 3; ++k)
        c[k] = static_cast<int>(std::lround(ramp[i][k] + part * (ramp[i + 1][k] - ramp[i][k])));
    return fmt::format("#{:02x}{:02x}{:02x}", c[0], c[1], c[2]);
}

// The edges of cells with these middles.
std::vector<double> edges_of(const std::vector<double>& middles) {
    std::vector<double> out;
    const std::size_t n = middles.size();
    for (std::size_t i = 0; i + 1 < n; ++i) out.push_back(0.5 * (middles[i] + middles[i + 1]));
    out.insert(out.begin(), n > 1 ? 2 * middles[0] - out.front() : middles[0] - 0.5);
    out.push_back(n > 1 ? 2 * middles[n - 1] - out.back() : middles[0] + 0.5);
    return out;
}

class MapPage {
    // Drawing units.
    static constexpr double left = 84, head = 66, width = 520, height = 420, page_width = 860;
    static constexpr double scale_left = left + width + 40, scale_width = 18;

public:
    explicit MapPage(const PlotMap& map)
        : map_(map), x_edges_(edges_of(map.x)), y_edges_(edges_of(map.y)) {
        for (const double value : map.values)
            if (std::isfinite(value)) {
                low_ = std::min(low_, value);
                high_ = std::max(high_, value);
            }
        if (!(low_ <= high_)) low_ = high_ = 0;
    }

    [[nodiscard]] std::string text() const {
        constexpr double page_height = head + height + 64;
        std::string out = fmt::format(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' "
            "height='{1}' role='img' aria-label='{2}' font-family='Helvetica, Arial, Liberation "
            "Sans, sans-serif' fill='#222222'>\n<title>{2}</title>\n<rect width='{0}' height='{1}' "
            "fill='#ffffff'/>\n",
            number(page_width), number(page_height),
            escaped(map_.title.empty() ? "a map" : map_.title));
        out += text_element({20, 30}, 17, map_.title, " font-weight='bold'");
        out += text_element({20, 49}, 12, map_.caption, " fill='#555555'");
        out += cells() + axes();
        return out + (map_.categories.empty() ? scale() : legend()) + "</svg>\n";
    }

private:
    [[nodiscard]] double across(double x) const {
        return left + (x - x_edges_.front()) / (x_edges_.back() - x_edges_.front()) * width;
    }
    [[nodiscard]] double down(double y) const {
        return head + height -
               (y - y_edges_.front()) / (y_edges_.back() - y_edges_.front()) * height;
    }
    // Empty: there is no value.
    [[nodiscard]] std::string colour(double value) const {
        if (!std::isfinite(value)) return {};
        if (!map_.categories.empty()) return kinds[static_cast<std::size_t>(value) % kinds.size()];
        const double part = high_ > low_ ? (value - low_) / (high_ - low_) : 0.5;
        return colour_of(static_cast<int>(std::lround(part * (levels - 1))));
    }
    // Cells of one colour beside each other are one rectangle.
    [[nodiscard]] std::string cells() const {
        std::string out = "<g shape-rendering='crispEdges'>\n";
        const std::size_t n = map_.x.size();
        for (std::size_t j = 0; j < map_.y.size(); ++j)
            for (std::size_t i = 0; i < n;) {
                const std::string fill = colour(map_.values[j * n + i]);
                std::size_t end = i + 1;
                while (end < n && colour(map_.values[j * n + end]) == fill) ++end;
                const double top = down(y_edges_[j + 1]);
                if (!fill.empty())
                    out += fmt::format("<rect x='{}' y='{}' width='{}' height='{}' fill='{}'/>\n",
                                       number(across(x_edges_[i])), number(top),
                                       number(across(x_edges_[end]) - across(x_edges_[i])),
                                       number(down(y_edges_[j]) - top), fill);
                i = end;
            }
        return out + "</g>\n";
    }
    [[nodiscard]] static std::string unit_of(const Ticks& ticks) {
        return ticks.exponent == 0 ? std::string() : fmt::format(" · 10^{}", ticks.exponent);
    }
    [[nodiscard]] std::string axes() const {
        std::string out = fmt::format(
            "<rect x='{}' y='{}' width='{}' height='{}' fill='none' stroke='#444444'/>\n",
            number(left), number(head), number(width), number(height));
        const Ticks x = ticks_between(x_edges_.front(), x_edges_.back(), 8);
        for (const double value : x.values)
            out += text_element({across(value), head + height + 18}, 12, x.text(value),
                                " text-anchor='middle'");
        const Ticks y = ticks_between(y_edges_.front(), y_edges_.back(), 8);
        for (const double value : y.values)
            out +=
                text_element({left - 8, down(value) + 4}, 12, y.text(value), " text-anchor='end'");
        out += text_element({left + width / 2, head + height + 42}, 13, map_.x_label + unit_of(x),
                            " text-anchor='middle'");
        return out + text_element({left, head - 4}, 13, map_.y_label + unit_of(y), "");
    }
    [[nodiscard]] std::string scale() const {
        std::string out;
        for (int level = 0; level < levels; ++level)
            out += fmt::format(
                "<rect x='{}' y='{}' width='{}' height='{}' fill='{}'/>\n", number(scale_left),
                number(head + height * (levels - 1 - level) / levels), number(scale_width),
                number(height / levels + 0.5), colour_of(level));
        const double from = high_ > low_ ? low_ : low_ - 0.5,
                     to = high_ > low_ ? high_ : low_ + 0.5;
        const Ticks ticks = ticks_between(from, to, 8);
        for (const double value : ticks.values)
            out += text_element({scale_left + scale_width + 6,
                                 head + height - (value - from) / (to - from) * height + 4},
                                12, ticks.text(value), "");
        return out +
               text_element({scale_left, head - 4}, 13, map_.value_label + unit_of(ticks), "");
    }
    [[nodiscard]] std::string legend() const {
        std::string out = text_element({scale_left, head - 4}, 13, map_.value_label, "");
        constexpr std::size_t max_categories = 20, longest = 30;  // letters
        for (std::size_t i = 0; i < map_.categories.size() && i < max_categories; ++i) {
            const double y = head + 22.0 * static_cast<double>(i);
            std::string name = map_.categories[i];
            if (name.size() > longest) name = name.substr(0, longest - 3) + "...";
            out += fmt::format("<rect x='{}' y='{}' width='14' height='14' fill='{}'/>\n",
                               number(scale_left), number(y), kinds[i % kinds.size()]);
            out +=
                text_element({scale_left + 20, y + 12}, 12, name.empty() ? "no events" : name, "");
        }
        return out;
    }

    const PlotMap& map_;
    std::vector<double> x_edges_, y_edges_;
    double low_ = INFINITY, high_ = -INFINITY;
};

}  // namespace

std::string svg(const PlotMap& map) { return MapPage(map).text(); }

}  // namespace pawl
