#include "output/drawing/stage.h"

#include <cmath>

#include "output/drawing/profile_shape.h"
#include "output/svg/svg_text.h"

namespace pawl::drawing {

namespace {

using S = PlanarSpace;
using Vector = S::Vector;

constexpr const char *ink = "#222222", *link_ink = "#444444";

std::string moving(const Scene& scene, const BodyPoses& poses, const char* kind) {
    std::string out = links_group(scene, poses);
    for (std::size_t b = 1; b < scene.bodies.size(); ++b) out += body_group(scene, b, poses, kind);
    return out;
}

}  // namespace

std::string body_group(const Scene& scene, std::size_t b, const BodyPoses& poses, const char* kind,
                       const std::string& inside) {
    const SceneBody& body = scene.bodies[b];
    return fmt::format(
        "<g class='{}' data-body='{}' transform='{}' fill='{}' "
        "stroke='{}'><title>{}</title>{}{}</g>\n",
        kind, escaped(body.name), transform(scene.scale * poses[b].p, poses[b].angle), body.fill,
        body.line, escaped(body.name), body.shape, inside);
}

std::string rod_path(const Scene& scene, const SceneRod& rod, const BodyPoses& poses) {
    return fmt::format("M{}L{}", number(scene.scale * rod.a.on(poses[rod.a.body]).p),
                       number(scene.scale * rod.b.on(poses[rod.b.body]).p));
}

// A zigzag of equal teeth between two straight ends.
std::string spring_path(const Scene& scene, const SceneSpring& spring, const BodyPoses& poses) {
    const Vector a = scene.scale * spring.a.on(poses[spring.a.body]).p,
                 b = scene.scale * spring.b.on(poses[spring.b.body]).p, way = b - a;
    const double length = std::hypot(way.x, way.y), end = std::min(3.2 * scene.bar, 0.25 * length);
    const Vector along = length > 0 ? 1 / length * way : Vector{1, 0},
                 across = 1.3 * scene.bar * S::turned(along);
    const double pitch = (length - 2 * end) / spring.teeth;
    std::string out = "M" + number(a) + "L" + number(a + end * along);
    for (int i = 0; i < spring.teeth; ++i)
        out += "L" + number(a + (end + (i + 0.25) * pitch) * along + across) + "L" +
               number(a + (end + (i + 0.75) * pitch) * along - across);
    return out + "L" + number(b - end * along) + "L" + number(b);
}

std::string links_group(const Scene& scene, const BodyPoses& poses) {
    std::string out;
    for (const SceneRod& rod : scene.rods)
        out += fmt::format(
            "<path class='rod' d='{}' stroke='{}' stroke-width='{}'><title>{}</title></path>\n",
            rod_path(scene, rod, poses), link_ink, number(0.5 * scene.bar), escaped(rod.name));
    for (const SceneSpring& spring : scene.springs)
        out += fmt::format(
            "<path class='spring' d='{}' fill='none' stroke='{}' stroke-width='{}'><title>spring "
            "{}</title></path>\n",
            spring_path(scene, spring, poses), link_ink, number(0.8 * scene.stroke()),
            escaped(spring.name));
    return out;
}

std::string mechanism_group(const Scene& scene, const Picture& picture) {
    std::string out =
        fmt::format("<g fill-opacity='0.32' stroke-width='{}' stroke-linejoin='round'>\n",
                    number(scene.stroke()));
    out += body_group(scene, 0, picture.now, "body");
    for (std::size_t i = 0; i < picture.earlier.size(); ++i)
        out += fmt::format(
            "<g opacity='{:.2f}'>\n{}</g>\n",
            0.12 + 0.3 * static_cast<double>(i) / static_cast<double>(picture.earlier.size()),
            moving(scene, picture.earlier[i], "earlier"));
    out += moving(scene, picture.now, "body") + "</g>\n";
    for (const Trace& trace : picture.traces) {
        std::string points;
        for (const Vector p : trace.path) points += number(scene.scale * p) + " ";
        out += fmt::format(
            "<polyline class='trace' points='{}' fill='none' stroke='{}' "
            "stroke-width='{}'><title>path of "
            "{}</title></polyline>\n",
            points, scene.bodies[trace.body].line, number(1.1 * scene.stroke()),
            escaped(trace.name));
    }
    return out + contact_marks(picture.contacts, scene.scale, scene.bar);
}

std::string text_element(Vector at, double size, const std::string& text, const std::string& more) {
    return fmt::format("<text x='{}' y='{}' font-size='{}'{}>{}</text>\n", number(at.x),
                       number(at.y), number(size), more, escaped(text));
}

std::string length_text(double length) {
    return length > 0.999      ? fmt::format("{:.4g} m", length)
           : length > 0.999e-3 ? fmt::format("{:.4g} mm", 1e3 * length)
                               : fmt::format("{:.4g} µm", 1e6 * length);
}

std::string scale_bar(double scale, Vector at) {
    const double room = 160 / scale, power = std::pow(10, std::floor(std::log10(room)));
    const double length = (room >= 5 * power ? 5 : room >= 2 * power ? 2 : 1) * power;
    return fmt::format(
               "<path class='scale' data-length='{:g}' d='M{}v8m0 -4h{}m0 -4v8' fill='none' "
               "stroke='{}'/>\n",
               length, number(at - Vector{0, 4}), number(scale * length), ink) +
           text_element({at.x + 8 + scale * length, at.y + 4}, 12, length_text(length));
}

std::string page_head(Vector size, const std::string& title, const std::string& description,
                      double scale) {
    return fmt::format(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0}' width='{1}' height='{2}' "
        "role='img' aria-label='{3}' data-scale='{4}' font-family='Helvetica, Arial, Liberation "
        "Sans, sans-serif' fill='{5}'>\n"
        "<title>{3}</title>\n<desc>{6}</desc>\n<rect width='{1}' height='{2}' fill='#ffffff'/>\n",
        number(size), number(size.x), number(size.y),
        escaped(title.empty() ? "a mechanism" : title), scale, ink, escaped(description));
}

}  // namespace pawl::drawing
