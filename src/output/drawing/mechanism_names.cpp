#include "output/drawing/mechanism_names.h"

#include <algorithm>
#include <array>
#include <utility>

#include "output/drawing/stage.h"
#include "output/svg/svg_text.h"

namespace pawl::drawing {

namespace {

using Vector = PlanarSpace::Vector;

std::vector<Ink> all_ink(const Scene& scene, const Picture& picture, const OnPage& on_page,
                         std::vector<Name>& names) {
    std::vector<Ink> out;
    const auto add_body = [&](std::size_t b, const BodyPoses& poses, double weight) {
        out.push_back({{}, scene.bodies[b].half_width + 3, weight});
        for (const Vector p : scene.bodies[b].outline)
            out.back().points.push_back(on_page(poses[b].p + poses[b].to_ground(p)));
    };
    for (const Trace& trace : picture.traces) {
        const std::string& colour = scene.bodies[trace.body].line;
        names.push_back(
            {trace.name, out.size(), " class='path' fill='" + colour + "' font-style='italic'"});
        out.push_back({{}, 3, 3});
        for (const Vector p : trace.path) out.back().points.push_back(on_page(p));
    }
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
        const SceneBody& body = scene.bodies[b];
        if (b > 0 && !body.outline.empty())
            names.push_back(
                {body.name, out.size(), fmt::format(" data-name='{}' fill='{}'", b, body.line)});
        add_body(b, picture.now, 4);
        for (const BodyPoses& poses : picture.earlier)
            if (b > 0) add_body(b, poses, 0.3);
    }
    const auto add_line = [&](const auto& link) {
        const Vector a = on_page(link.a.on(picture.now[link.a.body]).p);
        const Vector d = on_page(link.b.on(picture.now[link.b.body]).p) - a;
        out.push_back({{}, scene.bar, 4});
        for (int i = 0; i <= 40; ++i) out.back().points.push_back(a + i / 40.0 * d);
    };
    for (const ContactMark& c : picture.contacts) {
        out.push_back({{}, 3, 2});
        for (int i = 0; i <= 40; ++i)
            out.back().points.push_back(on_page(c.p[0] + i / 40.0 * (c.p[1] - c.p[0])));
    }
    for (const SceneRod& rod : scene.rods) add_line(rod);
    for (const SceneSpring& spring : scene.springs) add_line(spring);
    return out;
}

}  // namespace

double name_font(const Scene& scene) { return std::clamp(2.6 * scene.bar, smallest_font, 14.0); }

std::string names_group(const Scene& scene, const Picture& picture, const OnPage& on_page,
                        const NameRoom& room, std::vector<LabelBox> taken) {
    std::vector<Name> wanted;
    const std::vector<Ink> inks = all_ink(scene, picture, on_page, wanted);
    const std::vector<Vector> positions = lay_out_names(wanted, inks, room, std::move(taken));
    std::string out =
        "<g class='names' stroke='#ffffff' stroke-width='3' stroke-linejoin='round' "
        "paint-order='stroke' text-anchor='middle'>\n";
    for (std::size_t i = 0; i < wanted.size(); ++i)
        out += text_element(positions[i] + Vector{0, 0.35 * room.font}, room.font, wanted[i].text,
                            wanted[i].look);
    return out + "</g>\n";
}

PlacedNumbers lay_out_numbers(const Scene& scene, const Picture& picture, const OnPage& on_page) {
    constexpr double size = smallest_font;
    // How far out on its side and along the outline, in font sizes: the best first.
    constexpr std::array<Vector, 7> positions{
        {{0.9, 0}, {1.6, 0}, {-0.9, 0}, {0.9, 1}, {0.9, -1}, {-0.9, 1}, {-0.9, -1}}};
    PlacedNumbers out;
    out.group =
        "<g class='elements' stroke='#ffffff' stroke-width='2' paint-order='stroke' "
        "text-anchor='middle'>\n";
    for (std::size_t b = 0; b < scene.bodies.size(); ++b)
        for (const SceneNumber& n : scene.bodies[b].numbers) {
            const auto& pose = picture.now[b];
            const std::string text = std::to_string(n.number);
            const Vector at = on_page(pose.p + pose.to_ground(n.at)),
                         side = pose.to_ground(n.towards), outward{side.x, -side.y};
            LabelBox box{
                {},
                {mean_letter * size * static_cast<double>(text.size()) / 2 + 2, 0.4 * size + 1}};
            const bool placed = std::any_of(positions.begin(), positions.end(), [&](Vector p) {
                box.centre = at + size * (p.x * outward + p.y * PlanarSpace::turned(outward));
                return std::none_of(out.boxes.begin(), out.boxes.end(),
                                    [&](const LabelBox& other) { return box.meets(other); });
            });
            if (!placed) {
                ++out.left_out;
                continue;
            }
            out.boxes.push_back(box);
            out.group += text_element(box.centre + Vector{0, 0.35 * size}, size, text,
                                      " fill='" + scene.bodies[b].line + "'");
        }
    out.group += "</g>\n";
    return out;
}

}  // namespace pawl::drawing
