#include "contact/overlap.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "curves/crossing.h"
#include "curves/inside.h"
#include "curves/pieces.h"
#include "math/tolerances/geometry.h"

namespace pawl {

namespace {

using S = PlanarSpace;

// Depths below this part of the size of the profiles are rounding of their placement.
constexpr double smallest_depth = tolerance::smallest_depth;

double distance(S::Vector a, S::Vector b) { return std::hypot(a.x - b.x, a.y - b.y); }

// A rectangle in ground axes.
struct Box {
    S::Vector low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};
    // A circle.
    void take(S::Vector c, double r) {
        low = {std::min(low.x, c.x - r), std::min(low.y, c.y - r)};
        high = {std::max(high.x, c.x + r), std::max(high.y, c.y + r)};
    }
    [[nodiscard]] bool meets(const Box& b) const {
        return b.high.x >= low.x && b.low.x <= high.x && b.high.y >= low.y && b.low.y <= high.y;
    }
};

// A part of an element between two fractions, in ground axes: a line or an arc, else a chord.
struct Side {
    Stretch shape;
    int element = 0;
    double low = 0, high = 1;
    bool is_line = false;
    [[nodiscard]] bool may_meet(const Side& other) const {
        const auto [c, r] = circle();
        const auto [d, s] = other.circle();
        return distance(c, d) <= r + s;
    }
    // The fraction at a point of the shape.
    [[nodiscard]] double fraction(S::Vector p) const {
        double part = 0;
        if (shape.is_arc()) {
            const S::Vector d = p - shape.centre;
            const double middle = shape.start + 0.5 * shape.sweep;
            part = 0.5 + std::remainder(std::atan2(d.y, d.x) - middle, 2 * std::numbers::pi) /
                             shape.sweep;
        } else {
            const S::Vector way = shape.to - shape.from;
            part = S::dot(p - shape.from, way) / S::dot(way, way);
        }
        return low + part * (high - low);
    }

    void put_into(Box& box) const {
        if (is_line) {
            box.take(shape.from, 0);
            box.take(shape.to, 0);
        } else {
            const auto [c, r] = circle();
            box.take(c, r);
        }
    }

private:
    [[nodiscard]] std::pair<S::Vector, double> circle() const {
        if (shape.is_arc()) return {shape.centre, shape.radius};
        return {0.5 * (shape.from + shape.to), 0.5 * distance(shape.from, shape.to)};
    }
};

// A profile in its place.
class Outline {
public:
    Outline(const Profile<S>& profile, const S::Position& frame)
        : profile_(profile), frame_(frame), solid_(profile.closed && is_solid(profile)) {}

    [[nodiscard]] bool closed() const { return profile_.closed; }
    // Whether its material is bounded, that is, whether it is not a hole in unbounded material.
    [[nodiscard]] bool bounded() const { return !profile_.closed || solid_; }
    [[nodiscard]] S::Vector at(int element, double u) const {
        return frame_.p +
               frame_.to_ground(
                   point_of<S>(profile_.elements[static_cast<std::size_t>(element)], u).p);
    }

    // In the material together with its surroundings within the margin, so not on the boundary.
    [[nodiscard]] bool holds(S::Vector point, double margin) const {
        if (!profile_.closed) return false;
        const S::Vector local = frame_.to_local(point - frame_.p);
        for (const S::Vector d : {S::Vector{1, 0.1}, {-0.1, 1}, {-1, -0.1}, {0.1, -1}})
            if (!inside(profile_, local + margin * d, solid_)) return false;
        return true;
    }

    // The distance from a point to the boundary.
    [[nodiscard]] double boundary_distance(S::Vector point) {
        if (!tip_) {
            Profile<S> tip;
            tip.elements = {Corner<S>{{}, 0, 2 * std::numbers::pi}};
            tip_.emplace(profile_, tip);
        }
        S::Position there;
        there.p = point;
        tip_->find(frame_, there, INFINITY, found_);
        double least = INFINITY;
        for (const Candidate& c : found_) least = std::min(least, std::abs(c.touch.gap));
        for (std::size_t e = 0; e < profile_.elements.size(); ++e)
            for (const double u : {0.0, 1.0})
                least = std::min(least, distance(point, at(static_cast<int>(e), u)));
        return least;
    }

    [[nodiscard]] std::vector<Side> sides() const {
        std::vector<Side> sides;
        for (std::size_t i = 0; i < profile_.elements.size(); ++i) {
            const auto& element = profile_.elements[i];
            if (std::holds_alternative<Corner<S>>(element)) continue;
            const auto ends = std::visit([](const auto& e) { return pieces_of(e); }, element);
            for (std::size_t k = 1; k < ends.size(); ++k) {
                const int index = static_cast<int>(i);
                Side side{
                    {at(index, ends[k - 1]), at(index, ends[k])}, index, ends[k - 1], ends[k]};
                side.is_line = std::holds_alternative<LineCurve<S>>(element);
                if (const auto* arc = std::get_if<ArcCurve<S>>(&element))
                    set_arc(side.shape, arc->centre, arc->radius, arc->from, arc->sweep);
                else if (const auto* c = std::get_if<CircleCurve<S>>(&element))
                    set_arc(side.shape, c->centre, c->radius, c->from,
                            (c->hollow ? -2 : 2) * std::numbers::pi);
                sides.push_back(side);
            }
        }
        return sides;
    }

    // Around its sides and its corners.
    [[nodiscard]] Box box(const std::vector<Side>& sides) const {
        Box box;
        for (const Side& side : sides) side.put_into(box);
        for (std::size_t i = 0; i < profile_.elements.size(); ++i)
            if (std::holds_alternative<Corner<S>>(profile_.elements[i]))
                box.take(at(static_cast<int>(i), 0), 0);
        return box;
    }

private:
    void set_arc(Stretch& shape, S::Vector centre, double radius, double from, double sweep) const {
        shape.centre = frame_.p + frame_.to_ground(centre);
        shape.radius = radius;
        shape.start = from + frame_.angle;
        shape.sweep = sweep;
    }

    const Profile<S>& profile_;
    const S::Position& frame_;
    bool solid_;
    std::optional<ContactSearch> tip_;
    std::vector<Candidate> found_;
};

// The deepest of the parts of a that the boundary of b cuts off and that lie in b, measured in
// their middle: it is in the material whatever the corners do, as where two bars cross.
void find_cut_off(const Outline& a, const std::vector<Side>& sides_a, Outline& b,
                  const std::vector<Side>& sides_b, double margin, bool swapped,
                  std::optional<Overlap>& deepest) {
    if (!b.closed()) return;
    for (const Side& side : sides_a) {
        std::vector<double> cuts;
        int other = 0;
        for (const Side& of_b : sides_b) {
            if (!side.may_meet(of_b)) continue;
            find_crossings(side.shape, of_b.shape, [&](S::Vector p) {
                cuts.push_back(std::clamp(side.fraction(p), side.low, side.high));
                other = of_b.element;
            });
        }
        if (cuts.empty()) continue;
        cuts.insert(cuts.end(), {side.low, side.high});
        std::sort(cuts.begin(), cuts.end());
        for (std::size_t i = 1; i < cuts.size(); ++i) {
            const S::Vector middle = a.at(side.element, 0.5 * (cuts[i - 1] + cuts[i]));
            if (!b.holds(middle, 0.3 * margin)) continue;
            const double depth = b.boundary_distance(middle);
            if (depth > margin && (!deepest || depth > deepest->depth))
                deepest = Overlap{depth, middle, swapped ? other : side.element,
                                  swapped ? side.element : other};
        }
    }
}

void keep_those_in(const Box& box, std::vector<Side>& sides) {
    std::erase_if(sides, [&](const Side& side) {
        Box own;
        side.put_into(own);
        return !box.meets(own);
    });
}

}  // namespace

bool lies_in_material(const Profile<S>& profile, const S::Position& frame, S::Vector point,
                      double margin) {
    return Outline(profile, frame).holds(point, margin);
}

std::optional<Overlap> overlap(const Profile<S>& a, const S::Position& frame_a, const Profile<S>& b,
                               const S::Position& frame_b) {
    if (!a.closed && !b.closed) return std::nullopt;
    Outline outline_a(a, frame_a), outline_b(b, frame_b);
    std::vector<Side> sides_a = outline_a.sides(), sides_b = outline_b.sides();
    const Box box_a = outline_a.box(sides_a), box_b = outline_b.box(sides_b);
    if (outline_a.bounded() && outline_b.bounded() && !box_a.meets(box_b)) return std::nullopt;
    const ContactSearch search(a, b);
    const double reach = search.radius_a() + search.radius_b();
    const double margin = smallest_depth * reach;
    const double apart = distance(frame_a.p, frame_b.p);
    std::vector<Candidate> candidates;
    search.find(frame_a, frame_b, 2 * (reach + apart), candidates);
    std::optional<Overlap> deepest, nearest;
    for (const Candidate& c : candidates) {
        double depth = -c.touch.gap;
        if (!(depth > margin)) continue;
        Overlap found{depth, 0.5 * (c.touch.p[0] + c.touch.p[1]), c.a, c.b};
        // The points may lie on a side of the other body that runs along the normal: then they are
        // in it a little to the left or to the right.
        bool both = false;
        for (const double beside : {0.0, -margin, margin}) {
            const S::Vector shift = beside * S::turned(c.touch.n);
            const bool b_in_a = outline_a.holds(c.touch.p[1] + shift, 0.3 * margin),
                       a_in_b = outline_b.holds(c.touch.p[0] + shift, 0.3 * margin);
            both = both || ((b_in_a || !a.closed) && (a_in_b || !b.closed));
            if (beside == 0 && (b_in_a || a_in_b) && (!nearest || depth < nearest->depth))
                nearest = found;
        }
        if (!both || (deepest && depth <= deepest->depth)) continue;
        // Another side may be nearer: a corner is no deeper in a body than its nearest boundary.
        found.depth = std::min(depth, std::max(outline_a.boundary_distance(c.touch.p[1]),
                                               outline_b.boundary_distance(c.touch.p[0])));
        if (!deepest || found.depth > deepest->depth) deepest = found;
    }
    auto& result = deepest ? deepest : nearest;
    keep_those_in(box_b, sides_a);
    keep_those_in(box_a, sides_b);
    find_cut_off(outline_a, sides_a, outline_b, sides_b, margin, false, result);
    find_cut_off(outline_b, sides_b, outline_a, sides_a, margin, true, result);
    return result;
}

}  // namespace pawl
