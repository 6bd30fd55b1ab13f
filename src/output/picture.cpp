// A picture of a scene: the bodies in their places, earlier positions, traces, names, scale bar,
// title.
#include <algorithm>
#include <cmath>

#include "output/profile_shape.h"
#include "output/svg_text.h"

namespace pawl {

namespace {

using S = PlanarSpace;
using Vector = S::Vector;
using namespace drawing;

constexpr double margin = 46, line_height = 16;  // drawing units
constexpr double letter = 0.56;                  // mean width of a letter, in font sizes
constexpr const char* ink = "#222222";

struct Box {
    Vector centre, half;
    [[nodiscard]] bool holds(Vector p, double more) const {
        return std::abs(p.x - centre.x) < half.x + more && std::abs(p.y - centre.y) < half.y + more;
    }
    [[nodiscard]] bool meets(const Box& b) const {
        return std::abs(b.centre.x - centre.x) < half.x + b.half.x &&
               std::abs(b.centre.y - centre.y) < half.y + b.half.y;
    }
};

// Lines on the page, as points, that names should keep clear of.
struct Ink {
    std::vector<Vector> points;
    double width;   // to be kept clear on both sides
    double weight;  // how bad it is to cover a point
};

struct Name {
    std::string text;
    std::size_t own;   // which ink is its own
    int body;          // that carries it; -1: a path, which stays
    std::string look;  // attributes
};

std::string text_element(Vector at, double size, const std::string& text,
                         const std::string& more = "") {
    return fmt::format("<text x='{}' y='{}' font-size='{}'{}>{}</text>\n", number(at.x),
                       number(at.y), number(size), more, escaped(text));
}

std::string length_text(double length) {
    return length > 0.999      ? fmt::format("{:.4g} m", length)
           : length > 0.999e-3 ? fmt::format("{:.4g} mm", 1e3 * length)
                               : fmt::format("{:.4g} µm", 1e6 * length);
}

class Page {
public:
    // A sheet has a title above and words below the mechanism; a stage has neither.
    Page(const Scene& scene, const Picture& picture, bool sheet)
        : scene_(scene), picture_(picture), head_(sheet ? 60 : 0), foot_(sheet ? 40 : 0) {
        const Vector inner = scene.scale * (scene.high - scene.low);
        font_ = std::clamp(2.6 * scene.bar, 8.0, 14.0);
        page_.x = std::max({inner.x + 2 * margin,
                            sheet ? letter * 18 * static_cast<double>(scene.title.size()) + 40 : 0,
                            340.0});
        std::vector<std::string> touching;
        for (const ContactMark& c : picture.contacts)
            touching.push_back(c.closed ? c.name + " closed"
                                        : c.name + " " + length_text(c.gap) + " apart");
        if (sheet) add_legend("may touch: ", scene.contacts);
        if (sheet) add_legend("contacts: ", touching);
        page_.y = head_ + margin + inner.y + margin + foot_ +
                  line_height * static_cast<double>(legend_.size());
        origin_ = {(page_.x - inner.x) / 2 - scene.scale * scene.low.x,
                   head_ + margin + scene.scale * scene.high.y};
    }

    [[nodiscard]] std::string text() const {
        std::string out = begin();
        out += fmt::format("<rect width='{}' height='{}' fill='#ffffff'/>\n", number(page_.x),
                           number(page_.y));
        out += text_element({20, 32}, 18, scene_.title, " font-weight='bold'");
        out += text_element({20, 52}, 13, picture_.caption, " fill='#555555'");
        out += mechanism();
        out += numbers() + names() + scale_bar();
        for (std::size_t i = 0; i < legend_.size(); ++i)
            out += text_element(
                {20, page_.y - 14 - line_height * static_cast<double>(legend_.size() - 1 - i)}, 12,
                legend_[i], " class='contacts'");
        return out + "</svg>\n";
    }
    [[nodiscard]] std::string stage() const {
        return begin() + mechanism() + names() + scale_bar() + "</svg>\n";
    }

private:
    [[nodiscard]] std::string begin() const {
        return fmt::format(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0}' width='{1}' height='{2}' "
            "role='img' "
            "aria-label='{3}' data-scale='{4}' font-family='Helvetica, Arial, Liberation Sans, "
            "sans-serif' "
            "fill='{5}'>\n"
            "<title>{3}</title>\n<desc>{6}</desc>\n",
            number(page_), number(page_.x), number(page_.y),
            escaped(scene_.title.empty() ? "a mechanism" : scene_.title), scene_.scale, ink,
            escaped(description()));
    }
    [[nodiscard]] std::string mechanism() const {
        return fmt::format("<g class='mechanism' transform='translate({}) scale(1 -1)'>\n",
                           number(origin_)) +
               bodies() + "</g>\n";
    }
    // A list in words, in lines that fit on the page.
    void add_legend(const std::string& head, const std::vector<std::string>& words) {
        for (std::size_t i = 0; i < words.size(); ++i) {
            const bool fits =
                i > 0 &&
                letter * 12 * static_cast<double>(legend_.back().size() + words[i].size()) <
                    page_.x - 40;
            if (fits)
                legend_.back() += ", " + words[i];
            else
                legend_.push_back(i == 0 ? head + words[i] : words[i]);
        }
    }
    [[nodiscard]] std::string description() const {
        std::string out = picture_.caption + ". Bodies:";
        for (std::size_t b = 1; b < scene_.bodies.size(); ++b)
            out += (b == 1 ? " " : ", ") + scene_.bodies[b].name;
        return out + ".";
    }
    [[nodiscard]] Vector on_page(Vector metres) const {
        return origin_ + scene_.scale * Vector{metres.x, -metres.y};
    }

    [[nodiscard]] std::string group(std::size_t b, const BodyPoses& poses, const char* kind) const {
        const SceneBody& body = scene_.bodies[b];
        return fmt::format(
            "<g class='{}' data-body='{}' transform='{}' fill='{}' "
            "stroke='{}'><title>{}</title>{}</g>\n",
            kind, escaped(body.name), transform(scene_.scale * poses[b].p, poses[b].angle),
            body.fill, body.line, escaped(body.name), body.shape);
    }
    [[nodiscard]] std::string moving(const BodyPoses& poses, const char* kind) const {
        std::string out;
        for (const SceneRod& rod : scene_.rods)
            out += fmt::format(
                "<path class='rod' d='M{}L{}' stroke='#444444' "
                "stroke-width='{}'><title>{}</title></path>\n",
                number(scene_.scale * rod.a.on(poses[rod.a.body]).p),
                number(scene_.scale * rod.b.on(poses[rod.b.body]).p), number(0.5 * scene_.bar),
                escaped(rod.name));
        for (std::size_t b = 1; b < scene_.bodies.size(); ++b) out += group(b, poses, kind);
        return out;
    }

    [[nodiscard]] std::string bodies() const {
        std::string out =
            fmt::format("<g fill-opacity='0.32' stroke-width='{}' stroke-linejoin='round'>\n",
                        number(scene_.stroke()));
        out += group(0, picture_.now, "body");
        for (std::size_t i = 0; i < picture_.earlier.size(); ++i)
            out += fmt::format(
                "<g opacity='{:.2f}'>\n{}</g>\n",
                0.12 + 0.3 * static_cast<double>(i) / static_cast<double>(picture_.earlier.size()),
                moving(picture_.earlier[i], "earlier"));
        out += moving(picture_.now, "body") + "</g>\n";
        for (const Trace& trace : picture_.traces) {
            std::string points;
            for (const Vector p : trace.path) points += number(scene_.scale * p) + " ";
            out += fmt::format(
                "<polyline class='trace' points='{}' fill='none' stroke='{}' "
                "stroke-width='{}'><title>path of "
                "{}</title></polyline>\n",
                points, scene_.bodies[trace.body].line, number(1.1 * scene_.stroke()),
                escaped(trace.name));
        }
        return out + contact_marks(picture_.contacts, scene_.scale, scene_.bar);
    }

    // The numbers of elements, upright, on their side of the outline.
    [[nodiscard]] std::string numbers() const {
        constexpr double size = 8;
        std::string out =
            "<g class='elements' stroke='#ffffff' stroke-width='2' paint-order='stroke' "
            "text-anchor='middle'>\n";
        for (std::size_t b = 0; b < scene_.bodies.size(); ++b)
            for (const SceneNumber& n : scene_.bodies[b].numbers) {
                const auto& pose = picture_.now[b];
                const Vector towards = pose.to_ground(n.towards);
                const Vector at =
                    on_page(pose.p + pose.to_ground(n.at)) + size * Vector{towards.x, -towards.y};
                out += text_element(at + Vector{0, 0.35 * size}, size, std::to_string(n.number),
                                    " fill='" + scene_.bodies[b].line + "'");
            }
        return out + "</g>\n";
    }

    // Each name stands beside its body or path, where it covers the least ink.
    [[nodiscard]] std::string names() const {
        std::vector<Name> wanted;
        const std::vector<Ink> inks = all_ink(wanted);
        std::string out =
            "<g class='names' stroke='#ffffff' stroke-width='3' stroke-linejoin='round' "
            "paint-order='stroke' "
            "text-anchor='middle'>\n";
        std::vector<Box> taken;
        for (const Name& name : wanted) {
            taken.push_back(place(name, inks, taken));
            const Vector at = taken.back().centre + Vector{0, 0.35 * font_};
            out += text_element(
                at, font_, name.text,
                name.look +
                    (name.body < 0 ? " class='path'" : fmt::format(" data-name='{}'", name.body)));
        }
        return out + "</g>\n";
    }

    [[nodiscard]] std::vector<Ink> all_ink(std::vector<Name>& names) const {
        std::vector<Ink> out;
        const auto add_body = [&](std::size_t b, const BodyPoses& poses, double weight) {
            out.push_back({{}, scene_.bodies[b].half_width + 3, weight});
            for (const Vector p : scene_.bodies[b].outline)
                out.back().points.push_back(on_page(poses[b].p + poses[b].to_ground(p)));
        };
        for (const Trace& trace : picture_.traces) {
            const std::string& colour = scene_.bodies[trace.body].line;
            names.push_back(
                {trace.name, out.size(), -1, " fill='" + colour + "' font-style='italic'"});
            out.push_back({{}, 3, 3});
            for (const Vector p : trace.path) out.back().points.push_back(on_page(p));
        }
        for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
            const SceneBody& body = scene_.bodies[b];
            if (b > 0 && !body.outline.empty())
                names.push_back(
                    {body.name, out.size(), static_cast<int>(b), " fill='" + body.line + "'"});
            add_body(b, picture_.now, 4);
            for (const BodyPoses& poses : picture_.earlier)
                if (b > 0) add_body(b, poses, 0.3);
        }
        for (const SceneRod& rod : scene_.rods) {
            const Vector a = on_page(rod.a.on(picture_.now[rod.a.body]).p);
            const Vector d = on_page(rod.b.on(picture_.now[rod.b.body]).p) - a;
            out.push_back({{}, scene_.bar, 4});
            for (int i = 0; i <= 40; ++i) out.back().points.push_back(a + i / 40.0 * d);
        }
        return out;
    }

    [[nodiscard]] Box place(const Name& name, const std::vector<Ink>& inks,
                            const std::vector<Box>& taken) const {
        const std::vector<Vector>& anchors = inks[name.own].points;
        const Vector half{letter * font_ * static_cast<double>(name.text.size()) / 2, 0.55 * font_};
        Vector middle{0, 0};
        for (const Vector p : anchors) middle += 1.0 / static_cast<double>(anchors.size()) * p;
        Box best{};
        double least = INFINITY;
        for (std::size_t i = 0; i < anchors.size(); i += 1 + anchors.size() / 32)
            for (int k = 0; k < 48; ++k) {  // sixteen directions at three distances
                const int ring = k / 16;
                const double angle = k % 16 * M_PI / 8, away = inks[name.own].width + 1 + 7 * ring;
                const Vector u{std::cos(angle), std::sin(angle)};
                // So far along u that the box just clears the anchor.
                const double reach = std::min((half.x + away) / std::max(std::abs(u.x), 1e-9),
                                              (half.y + away) / std::max(std::abs(u.y), 1e-9));
                const Box box{anchors[i] + reach * u, half};
                const Vector off = box.centre - middle;
                double cost = std::hypot(off.x, off.y) / 40 + away / 6;
                const Vector inside{std::min(box.centre.x, page_.x - box.centre.x) - half.x,
                                    box.centre.y - head_ - half.y};
                if (inside.x < 4 || inside.y < 0 || box.centre.y > page_.y - foot_) cost += 100;
                for (const Ink& ink : inks)
                    for (const Vector p : ink.points)
                        cost += box.holds(p, ink.width) ? ink.weight : 0;
                for (const Box& other : taken) cost += box.meets(other) ? 100 : 0;
                if (cost < least) {
                    least = cost;
                    best = box;
                }
            }
        return best;
    }

    // The longest of 1, 2, 5 times a power of ten metres that takes at most 160 drawing units.
    [[nodiscard]] std::string scale_bar() const {
        const double room = 160 / scene_.scale, power = std::pow(10, std::floor(std::log10(room)));
        const double length = (room >= 5 * power ? 5 : room >= 2 * power ? 2 : 1) * power;
        const std::string text = length_text(length);
        const double y = page_.y - 18 - line_height * static_cast<double>(legend_.size());
        return fmt::format(
                   "<path class='scale' data-length='{:g}' d='M20 {}v8m0 -4h{}m0 -4v8' fill='none' "
                   "stroke='{}'/>\n",
                   length, number(y - 4), number(scene_.scale * length), ink) +
               text_element({28 + scene_.scale * length, y + 4}, 12, text);
    }

    const Scene& scene_;
    const Picture& picture_;
    double head_, foot_, font_;
    Vector page_, origin_;
    std::vector<std::string> legend_;
};

}  // namespace

std::vector<BodyPoses> poses_of(const Trajectory& trajectory, const PlanarMechanism& mechanism,
                                std::span<const std::size_t> rows) {
    std::vector<BodyPoses> out(rows.size(), BodyPoses(1));
    for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) {
        const auto column = [&](const char* tail) {
            return static_cast<std::size_t>(trajectory.find(mechanism.bodies[b].name + tail));
        };
        const std::size_t x = column(".x"), y = column(".y"), angle = column(".angle");
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto row = trajectory.row(rows[i]);
            out[i].push_back(S::position_of({{row[x], row[y]}, row[angle]}));
        }
    }
    return out;
}

std::vector<Trace> traces_of(const PlanarMechanism& mechanism, std::span<const BodyPoses> motion) {
    std::vector<Trace> out;
    for (const auto& measure : mechanism.measures) {
        const auto* m = std::get_if<CoordinateMeasure<S>>(&measure.kind);
        if (!m || m->coordinate.component != Component::x || !measure.name.ends_with(".x"))
            continue;
        const Attachment<S>& place = m->coordinate.frames[1];
        Trace trace{measure.name.substr(0, measure.name.size() - 2), place.body, {}};
        for (const BodyPoses& poses : motion) trace.path.push_back(place.on(poses[place.body]).p);
        out.push_back(std::move(trace));
    }
    return out;
}

std::string svg(const Scene& scene, const Picture& picture) {
    return Page(scene, picture, true).text();
}
std::string stage(const Scene& scene, const Picture& picture) {
    return Page(scene, picture, false).stage();
}

}  // namespace pawl
