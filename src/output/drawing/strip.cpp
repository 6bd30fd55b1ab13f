#include "output/drawing/strip.h"

#include <algorithm>
#include <cmath>

#include "output/drawing/mechanism_names.h"
#include "output/drawing/stage.h"
#include "output/svg/svg_text.h"

namespace pawl {

namespace {

using Vector = PlanarSpace::Vector;
using namespace drawing;

constexpr double page_height = 620;  // to be filled, drawing units
constexpr double strip_head = 66, strip_foot = 40, least_padding = 14,
                 label = 20;  // label: room for the time

}  // namespace

StripLayout strip_layout(int count, double width_over_height, double page_width) {
    StripLayout best;
    double largest = 0;
    for (int columns = 1; columns <= count; ++columns) {
        const int rows = (count + columns - 1) / columns;
        const Vector room{(page_width - 20) / columns - 2 * least_padding,
                          (page_height - strip_head - strip_foot) / rows - label - least_padding};
        const double width = std::min(room.x, room.y * width_over_height);
        if (width > largest) {
            largest = width;
            best = {columns, room};
        }
    }
    return best;
}

std::string svg_strip(const Scene& scene, const std::string& caption,
                      const std::vector<Moment>& moments, int columns) {
    const Vector inner = scene.scale * (scene.high - scene.low);
    // Guides are drawn this much longer than the ways along them.
    const double padding = std::max(least_padding, 4 * scene.bar + 4);
    const Vector cell = inner + Vector{2 * padding, padding + label + 8};
    const int count = static_cast<int>(moments.size()), rows = (count + columns - 1) / columns;
    const Vector page{std::max({20 + cell.x * columns, 340.0,
                                mean_letter * 18 * static_cast<double>(scene.title.size()) + 40}),
                      strip_head + cell.y * rows + strip_foot};
    std::string out = page_head(page, scene.title, caption, scene.scale);
    out += text_element({20, 32}, 18, scene.title, " font-weight='bold'");
    out += text_element({20, 52}, 13, caption, " fill='#555555'");
    for (int i = 0; i < count; ++i) {
        const Moment& moment = moments[static_cast<std::size_t>(i)];
        const int column = i % columns, row = i / columns;
        const Vector corner{10 + cell.x * column, strip_head + cell.y * row};
        const OnPage on_page{corner + Vector{padding - scene.scale * scene.low.x,
                                             padding + scene.scale * scene.high.y},
                             scene.scale};
        const Picture picture{"", moment.poses, {}, {}, moment.contacts};
        out += fmt::format(
            "<rect x='{}' y='{}' width='{}' height='{}' fill='none' stroke='#dddddd'/>\n",
            number(corner.x), number(corner.y), number(cell.x), number(cell.y));
        out += fmt::format(
            "<g class='mechanism' data-t='{}' transform='translate({}) scale(1 -1)'>\n{}</g>\n",
            moment.t, number(on_page.origin), mechanism_group(scene, picture));
        if (i == 0)
            out += names_group(scene, picture, on_page, {corner, corner + cell, smallest_font});
        out += text_element({corner.x + cell.x / 2, corner.y + cell.y - 8}, 12,
                            fmt::format("{}. t = {:.5g} s", i + 1, moment.t),
                            " class='time' text-anchor='middle'");
    }
    return out + scale_bar(scene.scale, {20, page.y - 18}) + "</svg>\n";
}

}  // namespace pawl
