#include "output/drawing/scene.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/tolerances/outside.h"
#include "mechanism/joint_kind.h"
#include "output/drawing/look.h"
#include "output/drawing/profile_shape.h"
#include "output/svg/svg_text.h"

namespace pawl {

namespace {

using namespace drawing;

// Okabe and Ito's colours, which people with any colour vision distinguish, and darker ones for
// lines. Yellow, weak on white, comes last.
constexpr std::array fills{"#0072b2", "#d55e00", "#009e73", "#e69f00",
                           "#56b4e9", "#cc79a7", "#f0e442"};
constexpr std::array lines{"#004f7d", "#953f00", "#006a4d", "#9a6a00",
                           "#2f78a3", "#94486f", "#6f6900"};
constexpr const char* solid = "fill='#222222' fill-opacity='1' stroke='none'";
constexpr double thick =
    1.8;  // half height of a slider's block, depth of a rack, in half widths of a bar

// The outline at distance r around a convex hull: a circle around one point, a rounded bar around
// two.
std::string rounded(const std::vector<Vector>& hull, double r) {
    const std::size_t n = hull.size();
    if (n == 1 || (n == 2 && distance(hull[0], hull[1]) < 0.01))
        return fmt::format("M{0}a{1} {1} 0 0 1 {2} 0a{1} {1} 0 0 1 -{2} 0z",
                           number(hull[0] - Vector{r, 0}), number(r), number(2 * r));
    const auto outward = [&](std::size_t i) {
        const Vector d = hull[(i + 1) % n] - hull[i % n];
        return r / std::hypot(d.x, d.y) * Vector{d.y, -d.x};
    };
    std::string path;
    for (std::size_t i = 0; i < n; ++i) {
        const Vector end = hull[(i + 1) % n];
        path += fmt::format("{}{}L{}A{} {} 0 0 1 {}", i == 0 ? "M" : "L",
                            number(hull[i] + outward(i)), number(end + outward(i)), number(r),
                            number(r), number(end + outward(i + 1)));
    }
    return path + "z";
}

// Turns looks into shapes at the scale of the picture.
class SceneMaker {
public:
    SceneMaker(const PlacedMechanism& placed, const SceneOptions& options)
        : mechanism_(placed.mechanism),
          size_(placed.assembly.diameter),
          options_(options),
          looks_(looks_of(mechanism_, options.motion, size_)) {}

    Scene make() {
        scene_.title = mechanism_.name;
        for (const auto& j : mechanism_.joints)
            if (std::holds_alternative<Rod<S>>(*j.kind))
                scene_.rods.push_back({j.name, j.frames[0], j.frames[1]});
        add_springs();
        for (const auto& c : mechanism_.contacts)
            if (c.profile_a < 0)
                scene_.contacts.push_back(fmt::format("{}–{} ({})", mechanism_.bodies[c.a].name,
                                                      mechanism_.bodies[c.b].name, c.name));
        fit();
        wind_springs();
        for (std::size_t b = 0; b < looks_.size(); ++b) {
            const std::size_t colour = (b + fills.size() - 1) % fills.size();
            scene_.bodies.push_back({mechanism_.bodies[b].name,
                                     b == 0 ? "#999999" : fills[colour],
                                     b == 0 ? "#555555" : lines[colour],
                                     half_width(looks_[b]),
                                     shape(b),
                                     outline(b, 8 / scene_.scale),
                                     {}});
        }
        for (const auto& profile : mechanism_.profiles)
            if (options_.elements) {
                auto& numbers = scene_.bodies[profile.frame.body].numbers;
                const auto added = element_numbers(profile);
                numbers.insert(numbers.end(), added.begin(), added.end());
            }
        return std::move(scene_);
    }

private:
    void add_springs() {
        for (const auto& f : mechanism_.forces) {
            if (std::holds_alternative<Spring<S>>(f.kind))
                scene_.springs.push_back({f.name, f.frames[0], f.frames[1], 7});
            if (std::holds_alternative<JointSpring<S>>(f.kind) && f.component == Component::x)
                scene_.springs.push_back(along_guide(f));
            else if (std::holds_alternative<JointSpring<S>>(f.kind) &&
                     f.component != Component::angle)
                scene_.joint_springs.push_back(f.name);
        }
    }
    // A spring along a sliding joint, from a place of the guide that the slider does not reach.
    [[nodiscard]] SceneSpring along_guide(const Force<S>& f) const {
        double low = INFINITY, high = -INFINITY;
        for (const BodyPoses& poses : options_.motion) {
            const S::Position guide = f.frames[0].on(poses[f.frames[0].body]);
            const double s = S::dot(guide.u, f.frames[1].on(poses[f.frames[1].body]).p - guide.p);
            low = std::min(low, s);
            high = std::max(high, s);
        }
        if (!(low <= high)) low = high = 0;
        Attachment<S> end = f.frames[0];
        end.local.at = end.local.at + (low - std::max(0.5 * (high - low), 0.15 * size_)) *
                                          S::position_of(end.local).u;
        return {f.name, end, f.frames[1], 7};
    }
    // As many teeth as look right at the first position shown.
    void wind_springs() {
        for (SceneSpring& s : scene_.springs) {
            if (options_.shown.empty()) continue;
            const BodyPoses& poses = options_.shown.front();
            const double length =
                scene_.scale * distance(s.a.on(poses[s.a.body]).p, s.b.on(poses[s.b.body]).p);
            s.teeth = std::clamp(static_cast<int>(length / (2.4 * scene_.bar)), 5, 16);
        }
    }
    [[nodiscard]] Vector drawn(Vector metres) const { return scene_.scale * metres; }

    // Bodies with a slot are wide enough for it, single points large enough to be seen.
    [[nodiscard]] double half_width(const Look& look) const {
        return (look.find({Track::slot}) || look.hull.size() == 1 ? 1.7 : 1) * scene_.bar;
    }

    // How far the solid edge of a track lies from its axis, drawing units.
    [[nodiscard]] double depth(const Track& t, bool fixed) const {
        return t.kind == Track::guide || t.kind == Track::rack || (t.kind == Track::line && !fixed)
                   ? thick * scene_.bar
                   : 0;
    }

    // Points along everything that a body shows, m.
    [[nodiscard]] std::vector<Vector> outline(std::size_t b, double spacing) const {
        const Look& look = looks_[b];
        const double r = scene_.bar / scene_.scale;
        std::vector<Vector> out;
        const auto line = [&](Vector a, Vector c) {
            const int parts = 1 + static_cast<int>(distance(a, c) / spacing);
            for (int i = 0; i <= parts; ++i) out.push_back(a + double(i) / parts * (c - a));
        };
        for (std::size_t i = 0; i < look.hull.size(); ++i)
            line(look.hull[i], look.hull[(i + 1) % look.hull.size()]);
        for (const Track& t : look.tracks) {
            const double height = (t.above ? 1 : -1) * depth(t, b == 0) / scene_.scale;
            const double end = t.kind == Track::guide ? 4 * r : 0;
            for (const double h : {0.0, height}) line(t.at(t.from - end, h), t.at(t.to + end, h));
        }
        for (const S::Pose& block : look.blocks) {
            const Track t{Track::path, block};
            for (const double h : {-thick * r, thick * r})
                line(t.at(-2.6 * r, h), t.at(2.6 * r, h));
        }
        for (const Round& c : look.rounds)
            for (int i = 0; i < 64; ++i)
                out.push_back(c.at +
                              c.radius * Vector{std::cos(i * M_PI / 32), std::sin(i * M_PI / 32)});
        for (const auto& profile : mechanism_.profiles)
            if (profile.frame.body == static_cast<int>(b)) {
                const S::Position frame = S::position_of(profile.frame.local);
                const auto points = points_along(profile.chain, tolerance::drawn_sagitta * size_);
                const auto at = [&](std::size_t i) {
                    return frame.p + frame.to_ground(points[i].p);
                };
                for (std::size_t i = 0; i < points.size(); ++i)
                    line(at(i), at(i + 1 < points.size() ? i + 1 : i));
            }
        for (const Support& s : look.supports)
            for (const double x : {-2.0, -1.0, 0.0, 1.0, 2.0})
                out.push_back(s.at + Vector{x * r, (s.above ? 1 : -1) * (x == 0 ? 0 : 2.6 * r)});
        return out;
    }

    // The scale that lets everything shown fit. The width of bars is a share of the usual length of
    // a body, so that small parts of a large mechanism do not drown in ink.
    void fit() {
        Vector low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};
        const auto hold = [&](Vector p) {
            low = {std::min(low.x, p.x), std::min(low.y, p.y)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        };
        std::vector<double> lengths;
        for (std::size_t b = 0; b < looks_.size(); ++b) {
            const std::vector<Vector> edge = outline(b, size_);
            double length = 0;
            for (const Vector p : edge) {
                length = std::max(length, distance(p, edge[0]));
                for (const BodyPoses& poses : options_.shown)
                    hold(poses[b].p + poses[b].to_ground(p));
            }
            if (b > 0 && length > tolerance::visible_gap * size_) lengths.push_back(length);
        }
        for (const SceneSpring& spring : scene_.springs)
            for (const BodyPoses& poses : options_.shown) hold(spring.a.on(poses[spring.a.body]).p);
        for (const Trace& trace : options_.traces)
            std::for_each(trace.path.begin(), trace.path.end(), hold);
        if (!(low.x <= high.x)) low = high = {0, 0};
        scene_.low = low;
        scene_.high = high;
        scene_.scale =
            1 / std::max({(high.x - low.x) / options_.room.x, (high.y - low.y) / options_.room.y,
                          0.1 * size_ / options_.room.x});
        std::sort(lengths.begin(), lengths.end());
        const double usual = lengths.empty() ? size_ : lengths[lengths.size() / 2];
        scene_.bar = std::clamp(0.06 * usual * scene_.scale, 2.0, 7.0);
    }

    [[nodiscard]] std::string shape(std::size_t b) const {
        const Look& look = looks_[b];
        const double r = scene_.bar;
        const bool fixed = b == 0;
        std::string out, slots, profiles;
        for (const auto& profile : mechanism_.profiles)
            if (profile.frame.body == static_cast<int>(b))
                profiles += profile_shape(profile, scene_.scale, r, scene_.stroke());
        for (const Round& round : look.rounds) out += circle(round, fixed);
        for (const Track& t : look.tracks)
            if (t.kind == Track::slot)
                slots += rounded({drawn(t.at(t.from)), drawn(t.at(t.to))}, 0.8 * r);
        std::vector<Vector> hull;
        for (const Vector p : look.hull) hull.push_back(drawn(p));
        const bool alone =
            look.rounds.empty() && look.blocks.empty() && look.tracks.empty() && profiles.empty();
        if (hull.size() > 1 || (hull.size() == 1 && alone))  // slots are holes
            out += fmt::format("<path d='{}{}' fill-rule='evenodd'/>",
                               rounded(hull, half_width(look)), slots);
        else if (!slots.empty())  // on ground: where two cross, neither has an edge
            out += fmt::format(
                "<path d='{0}' fill='none' stroke-width='{1}'/><path d='{0}' fill='#ffffff' "
                "fill-opacity='1' "
                "stroke='none'/>",
                slots, number(2 * scene_.stroke()));
        for (const Track& t : look.tracks)
            if (t.kind != Track::slot) out += track(t, fixed);
        for (const S::Pose& block : look.blocks)
            if (!look.rack())
                out += in_frame(block, fmt::format("<rect x='{}' y='{}' width='{}' height='{}'/>",
                                                   number(-2.6 * r), number(-thick * r),
                                                   number(5.2 * r), number(2 * thick * r)));
        for (const Support& s : look.supports)
            out += in_frame({s.at, 0},
                            fmt::format("<path d='M0 0L{0} {1}H{2}z'/>", number(-1.6 * r),
                                        number(-2.6 * r), number(1.6 * r)) +
                                edge(-2.6 * r, 2.6 * r, 2.6 * r),
                            s.above);
        return stems(b) + out + profiles + spirals(look) + marks(b);
    }

    // A profile away from the pins and bars of its body is joined to them by a bar.
    [[nodiscard]] std::string stems(std::size_t b) const {
        std::string out;
        for (const auto& profile : mechanism_.profiles) {
            if (profile.frame.body != static_cast<int>(b) || b == 0) continue;
            const auto [from, to] =
                nearest_points(looks_[b].hull, profile, tolerance::drawn_sagitta * size_);
            if (scene_.scale * distance(from, to) > 2.5 * scene_.bar)
                out += fmt::format("<path class='stem' d='{}'/>",
                                   rounded({drawn(from), drawn(to)}, 0.7 * scene_.bar));
        }
        return out;
    }

    // A group in the axes of a frame of the body.
    [[nodiscard]] std::string in_frame(const S::Pose& frame, const std::string& content,
                                       bool mirrored = false) const {
        return fmt::format("<g transform='{}{}'>{}</g>", transform(drawn(frame.at), frame.angle),
                           mirrored ? " scale(1 -1)" : "", content);
    }

    // The hatched edge of something fixed, along y = -depth.
    [[nodiscard]] std::string edge(double from, double to, double depth) const {
        const double d = 1.1 * scene_.bar;
        const int n = std::max(1, static_cast<int>((to - from) / d));
        std::string path;
        for (int i = 1; i <= n; ++i)
            path += fmt::format("M{}l{}", number({from + i * (to - from) / n, -depth}),
                                number({-d, -d}));
        return fmt::format("<path d='M{}H{}'/><path d='{}' stroke-width='{}'/>",
                           number({from, -depth}), number(to), path, number(0.6 * scene_.stroke()));
    }

    [[nodiscard]] std::string track(const Track& t, bool fixed) const {
        const double r = scene_.bar, bottom = depth(t, fixed);
        const double end = t.kind == Track::guide || t.kind == Track::path ? 4 * r : 0;
        const double from = scene_.scale * t.from - end, to = scene_.scale * t.to + end;
        std::string out;
        if (t.kind == Track::path)
            out = fmt::format("<path d='M{} 0H{}' stroke-dasharray='{} {} {} {}'/>", number(from),
                              number(to), number(2 * r), number(0.6 * r), number(0.4 * r),
                              number(0.6 * r));
        if (t.kind == Track::rack || (t.kind == Track::line && !fixed)) {
            const int teeth = std::max(2, static_cast<int>((to - from) / (1.8 * r)));
            const double pitch = (to - from) / teeth, tip = 0.45 * r;
            std::string top = "V0";
            if (t.kind == Track::rack) top = "V" + number(-tip);
            for (int i = 0; i < teeth && t.kind == Track::rack; ++i)
                top += fmt::format("L{}h{}L{}", number({from + (i + 0.25) * pitch, tip}),
                                   number(0.25 * pitch), number({from + (i + 0.75) * pitch, -tip}));
            out = fmt::format("<path d='M{}{}H{}V{}z'/>", number({from, -bottom}), top, number(to),
                              number(-bottom));
        }
        if (fixed && t.kind != Track::path) out += edge(from, to, bottom);
        return in_frame(t.frame, out, t.above);
    }

    // A pitch circle or wheel with a wedge that shows how it turns; a fixed one with ticks on its
    // solid side.
    [[nodiscard]] std::string circle(const Round& round, bool fixed) const {
        const double r = scene_.bar, radius = scene_.scale * round.radius,
                     inward = round.hollow ? -1.1 * r : 1.1 * r;
        std::string out = fmt::format("<circle r='{}' {}/>", number(radius),
                                      round.hollow || fixed ? "fill='none'" : "fill-opacity='0.1'");
        if (!fixed)
            out += fmt::format("<path d='M{} 0l{}v{}z' fill-opacity='1' stroke='none'/>",
                               number(radius), number({-1.6 * inward, 0.6 * r}), number(-1.2 * r));
        std::string ticks;
        const int n = std::max(12, static_cast<int>(2 * M_PI * radius / (1.6 * r)));
        for (int i = 0; i < n && fixed; ++i) {
            const double a = 2 * M_PI * i / n, c = a + 0.8 * r / radius;
            ticks += fmt::format("M{}L{}", number(radius * Vector{std::cos(a), std::sin(a)}),
                                 number((radius - inward) * Vector{std::cos(c), std::sin(c)}));
        }
        if (fixed)
            out += fmt::format("<path d='{}' stroke-width='{}'/>", ticks,
                               number(0.6 * scene_.stroke()));
        return in_frame({round.at, 0}, out);
    }

    // Torsional springs: two turns about the pin.
    [[nodiscard]] std::string spirals(const Look& look) const {
        constexpr int steps = 50;
        std::string out;
        for (const Vector at : look.spirals) {
            std::string path;
            for (int i = 0; i <= steps; ++i) {
                const double angle = 4 * M_PI * i / steps,
                             radius = (1.1 + 1.1 * i / steps) * scene_.bar;
                path += (i == 0 ? "M" : "L") +
                        number(drawn(at) + radius * Vector{std::cos(angle), std::sin(angle)});
            }
            out += fmt::format(
                "<path class='spiral' d='{}' fill='none' stroke='#444444' stroke-width='{}'/>",
                path, number(0.5 * scene_.stroke()));
        }
        return out;
    }

    // Pins, welds, other named points, the centre of mass.
    [[nodiscard]] std::string marks(std::size_t b) const {
        const auto& body = mechanism_.bodies[b];
        const double r = scene_.bar;
        std::string out;
        const auto disc = [&](Vector at, double radius, const char* look,
                              const std::string& title) {
            out += fmt::format("<circle cx='{}' cy='{}' r='{}' {}><title>{}</title></circle>",
                               number(drawn(at).x), number(drawn(at).y), number(radius), look,
                               escaped(title));
        };
        for (const auto& p : body.points)
            if (b > 0) disc(p.at, 0.35 * r, solid, body.name + "." + p.name);
        for (const Mark& m : looks_[b].marks)
            if (m.pin)
                disc(m.at, 0.55 * r, "fill='#ffffff' fill-opacity='1' stroke='#222222'", m.title);
            else
                out += fmt::format("<path d='M{}h{}v{}h{}z' {}><title>{}</title></path>",
                                   number(drawn(m.at) - Vector{0.5 * r, 0.5 * r}), number(r),
                                   number(r), number(-r), solid, escaped(m.title));
        if (options_.centres && b > 0 && body.mass) {
            disc(body.centre, 0.7 * r, "fill='#ffffff' fill-opacity='1' stroke='#222222'",
                 "centre of mass of " + body.name);
            out += fmt::format(
                "<path d='M{0}h{1}a{1} {1} 0 0 1 -{1} {1}zM{0}h-{1}a{1} {1} 0 0 1 {1} -{1}z' {2}/>",
                number(drawn(body.centre)), number(0.7 * r), solid);
        }
        return out;
    }

    const PlanarMechanism& mechanism_;
    double size_;
    const SceneOptions& options_;
    std::vector<Look> looks_;
    Scene scene_;
};

}  // namespace

Scene make_scene(const PlacedMechanism& placed, const SceneOptions& options) {
    return SceneMaker(placed, options).make();
}

}  // namespace pawl
