#include "output/drawing/player_stage.h"

#include <algorithm>

#include "output/drawing/mechanism_names.h"
#include "output/drawing/stage.h"
#include "output/svg/svg_text.h"

namespace pawl {

std::string player_stage(const Scene& scene, const Picture& picture) {
    using namespace drawing;
    using Vector = PlanarSpace::Vector;
    constexpr double margin = 40, foot = 18;  // drawing units
    const Vector inner = scene.scale * (scene.high - scene.low);
    const Vector page{std::max(inner.x + 2 * margin, 340.0), inner.y + 2 * margin + foot};
    const OnPage on_page{
        {(page.x - inner.x) / 2 - scene.scale * scene.low.x, margin + scene.scale * scene.high.y},
        scene.scale};
    std::string out = page_head(page, scene.title, picture.caption, scene.scale);
    out += fmt::format("<g class='mechanism' transform='translate({}) scale(1 -1)'>\n{}</g>\n",
                       number(on_page.origin), mechanism_group(scene, picture));
    out += names_group(scene, picture, on_page, {{0, 0}, page - Vector{0, foot}, name_font(scene)});
    return out + scale_bar(scene.scale, {20, page.y - 18}) + "</svg>\n";
}

}  // namespace pawl
