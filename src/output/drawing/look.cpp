#include "output/drawing/look.h"

#include <fmt/format.h>

#include "math/tolerances/outside.h"
#include "mechanism/joint_kind.h"

namespace pawl::drawing {

namespace {

// Corners of the convex hull, counter-clockwise, without those nearer than `tolerance` to their
// neighbours' line: the lower chain from left to right, then the upper one back (Andrew 1979).
std::vector<Vector> convex_hull(std::vector<Vector> points, double tolerance) {
    std::vector<Vector> hull;
    if (points.empty()) return hull;
    std::sort(points.begin(), points.end(),
              [](Vector a, Vector b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    for (const bool lower : {true, false}) {
        const std::size_t start = hull.size();
        for (const Vector p : points) {
            while (hull.size() > start + 1) {
                const Vector a = hull[hull.size() - 2];
                if (S::cross(hull.back() - a, p - a) > tolerance * distance(a, p)) break;
                hull.pop_back();
            }
            if (hull.size() == start || distance(hull.back(), p) > tolerance) hull.push_back(p);
        }
        if (hull.size() > start + 1 || !lower) hull.pop_back();
        std::reverse(points.begin(), points.end());
    }
    return hull;
}

// What each joint adds to the looks of its bodies.
class Looks {
public:
    Looks(const PlanarMechanism& mechanism, std::span<const BodyPoses> motion, double size)
        : mechanism_(mechanism),
          motion_(motion),
          size_(size),
          tolerance_(tolerance::visible_gap * size),
          looks_(mechanism.bodies.size()) {}

    std::vector<Look> make() {
        for (std::size_t b = 1; b < looks_.size(); ++b)
            for (const auto& p : mechanism_.bodies[b].points) looks_[b].points.push_back(p.at);
        for (const auto& joint : mechanism_.joints)
            std::visit([&](const auto& kind) { add(kind, joint); }, *joint.kind);
        for (const auto& force : mechanism_.forces) add_spring(force);
        for (Look& look : looks_) look.hull = convex_hull(look.points, tolerance_);
        for (Support& s : looks_[0].supports) s.above = hangs(s);
        for (Track& t : looks_[0].tracks)
            if (const Track* rack = looks_[t.slider].rack(); t.kind == Track::guide && rack)
                t.above = rack->above;
        return std::move(looks_);
    }

private:
    using Attached = Attachment<S>;
    // A spring to ground stands on a support; one that turns a joint is wound about it.
    void add_spring(const Force<S>& f) {
        if (std::holds_alternative<JointSpring<S>>(f.kind) && f.component == Component::angle)
            of(f.frames[f.frames[1].body == 0 ? 0 : 1])
                .spirals.push_back(f.frames[f.frames[1].body == 0 ? 0 : 1].local.at);
        if (!std::holds_alternative<Spring<S>>(f.kind)) return;
        for (const int k : {0, 1})
            if (f.frames[k].body == 0)
                support(f.frames[k].local.at, f.frames[1 - k].body);
            else
                point(f.frames[k]);
    }
    // What a support carries hangs below it, most of the time.
    [[nodiscard]] bool hangs(const Support& s) const {
        double lean = 0, reach = 0;
        for (const int b : s.bodies)
            for (const BodyPoses& poses : motion_)
                for (const Vector p : looks_[b].hull) {
                    const Vector d = poses[b].p + poses[b].to_ground(p) - s.at;
                    lean += d.y;
                    reach += std::hypot(d.x, d.y);
                }
        return lean < -0.5 * reach;
    }

    Look& of(const Attached& attached) { return looks_[static_cast<std::size_t>(attached.body)]; }

    // Where frame `other` of a joint goes along the x axis of frame `base`, turned, over the
    // motion.
    Track track(Track::Kind kind, const Joint<S>& j, int base, int other, double turn = 0) const {
        Attached frame = j.frames[base];
        frame.local.angle += turn;
        frame.settle();
        Track t{kind, frame.local};
        for (const BodyPoses& poses : motion_) {
            const S::Position f = frame.on(poses[frame.body]);
            const double x = f.to_local(j.frames[other].on(poses[j.frames[other].body]).p - f.p).x;
            t.from = std::min(t.from, x);
            t.to = std::max(t.to, x);
        }
        return t;
    }
    void point(const Attached& attached) {
        if (attached.body != 0) of(attached).points.push_back(attached.local.at);
    }
    void mark(const Attached& attached, const Joint<S>& j, bool pin = true) {
        point(attached);
        of(attached).marks.push_back(
            {attached.local.at,
             fmt::format("{} {}: {} – {}", j.kind_name(), j.name, mechanism_.bodies[j.a()].name,
                         mechanism_.bodies[j.b()].name),
             pin});
    }
    void support(Vector at, int body) {
        for (Support& s : looks_[0].supports)
            if (distance(s.at, at) < tolerance_) return s.bodies.push_back(body);
        looks_[0].supports.push_back({at, {body}});
    }
    // Through both points; the body that is drawn later shows it.
    void pin(const Joint<S>& j, bool is_pin) {
        const int upper = j.a() > j.b() ? 0 : 1;
        mark(j.frames[upper], j, is_pin);
        point(j.frames[1 - upper]);
        if (j.frames[1 - upper].body == 0)
            support(j.frames[1 - upper].local.at, j.frames[upper].body);
    }
    void round(const Attached& attached, double radius, bool hollow) {
        point(attached);
        for (const Round& r : of(attached).rounds)
            if (distance(r.at, attached.local.at) + std::abs(r.radius - radius) < tolerance_)
                return;
        of(attached).rounds.push_back({attached.local.at, radius, hollow});
    }
    void rack(Track::Kind kind, const Joint<S>& j, double radius, bool on_right) {
        round(j.frames[0], radius, false);
        Track t = track(kind, j, 1, 0);
        t.from -= 0.8 * radius;
        t.to += 0.8 * radius;
        t.above = on_right;
        of(j.frames[1]).tracks.push_back(t);
    }
    // A point that keeps its ground x or y: a support where it rests, else the line that it moves
    // on.
    void keeps(const Joint<S>& j, double turn) {
        const Track t = track(Track::path, j, 0, 1, turn);
        mark(j.frames[1], j);
        if (t.to - t.from > tolerance_)
            looks_[0].tracks.push_back(t);
        else
            support(t.at(t.from), j.b());
    }

    void add(const Revolute<S>&, const Joint<S>& j) { pin(j, true); }
    void add(const Weld<S>&, const Joint<S>& j) { pin(j, false); }
    void add(const Prismatic<S>&, const Joint<S>& j) {
        Track t = track(Track::guide, j, 0, 1);
        t.slider = j.b();
        t.above = std::cos(t.frame.angle) < -tolerance::upside_down;
        of(j.frames[1]).blocks.push_back(j.frames[1].local);
        point(j.frames[1]);
        if (j.a() == 0) return looks_[0].tracks.push_back(t);
        for (const Vector at : {t.frame.at, t.at(t.from), t.at(t.to)})
            looks_[j.a()].points.push_back(at);
    }
    // At rest it reaches from its origin to the pin and a little beyond, so that it can be seen.
    void add(const Slot<S>&, const Joint<S>& j) {
        Track t = track(Track::slot, j, 0, 1);
        if (t.to - t.from <= tolerance_) {
            t.from = std::min(t.from, 0.0) - 0.04 * size_;
            t.to = std::max(t.to, 0.0) + 0.04 * size_;
        }
        of(j.frames[0]).tracks.push_back(t);
        if (j.a() != 0)
            for (const double s : {t.from, t.to}) looks_[j.a()].points.push_back(t.at(s));
        mark(j.frames[1], j);
    }
    void add(const Rod<S>&, const Joint<S>& j) {
        for (const int k : {0, 1}) {
            mark(j.frames[k], j);
            if (j.frames[k].body == 0) support(j.frames[k].local.at, j.frames[1 - k].body);
        }
    }
    void add(const Gear<S>& g, const Joint<S>& j) {
        round(j.frames[0], g.radius_a, g.internal && g.radius_a > g.radius_b);
        round(j.frames[1], g.radius_b, g.internal && g.radius_b > g.radius_a);
    }
    void add(const RollCircle<S>& r, const Joint<S>& j) {
        round(j.frames[0], r.radius_a, false);
        round(j.frames[1], r.radius_b, r.internal);
    }
    void add(const Rack<S>& r, const Joint<S>& j) { rack(Track::rack, j, r.radius, r.on_right); }
    void add(const RollLine<S>& r, const Joint<S>& j) {
        rack(Track::line, j, r.radius, r.on_right);
    }
    void add(const Simplified<S, Component::x>&, const Joint<S>& j) { keeps(j, M_PI / 2); }
    void add(const Simplified<S, Component::y>&, const Joint<S>& j) { keeps(j, 0); }
    template <class Kind>
    void add(const Kind&, const Joint<S>&) {}  // nothing to see: free, angle

    const PlanarMechanism& mechanism_;
    std::span<const BodyPoses> motion_;
    double size_;       // of the mechanism, m
    double tolerance_;  // m
    std::vector<Look> looks_;
};

}  // namespace

std::vector<Look> looks_of(const PlanarMechanism& mechanism, std::span<const BodyPoses> motion,
                           double size) {
    return Looks(mechanism, motion, size).make();
}

}  // namespace pawl::drawing
