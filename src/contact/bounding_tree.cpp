#include "contact/bounding_tree.h"

#include <numbers>
#include <type_traits>

#include "curves/pieces.h"
#include "math/tolerances/geometry.h"

namespace pawl {

namespace {

using S = PlanarSpace;
using Vector = S::Vector;
using Part = BoundingTree::Part;

// Bounds are widened by this part: rounding, and touching points a little beyond an end.
constexpr double widened = 1 + tolerance::widened_circle;
// Normals at a junction that differ by less are the same: rounding of their computation.
constexpr double same_normal = tolerance::same_normal;

constexpr double angle_rounding = tolerance::angle_rounding;  // rad

struct Circle {
    Vector centre;
    double radius;
};

// A circle around a part of an element; an arc of up to half a turn lies in the circle over its
// chord.
Circle circle_around(const CurveElement<S>& element, const BoundingTree::Part& part) {
    const Vector p = part.start.p, q = part.end.p;
    const Circle chord{0.5 * (p + q), 0.5 * S::length(q - p)};
    if (const auto* arc = std::get_if<ArcCurve<S>>(&element);
        arc && std::abs(arc->sweep) > std::numbers::pi)
        return {arc->centre, arc->radius};
    if (const auto* circle = std::get_if<CircleCurve<S>>(&element))
        return {circle->centre, circle->radius};
    return chord;
}

Circle circle_around(const Circle& a, const Circle& b) {
    const Vector d = b.centre - a.centre;
    const double l = S::length(d);
    if (a.radius >= l + b.radius) return a;
    if (b.radius >= l + a.radius) return b;
    const double radius = 0.5 * (l + a.radius + b.radius);
    return {a.centre + (radius - a.radius) / l * d, radius};
}

// The same at a re-entrant corner, a fraction of the element.
constexpr double reentrant_slack = 0.01;

// How far beyond its end (1) or start (0) an element of a chain still counts, as a fraction: the
// angle by which the normals of tangent neighbours differ, at the lever `reach`.
double slack_at(const Profile<S>& profile, int i, int end, double reach) {
    const auto& element = profile.elements[static_cast<std::size_t>(i)];
    if (is_whole<S>(element)) return 1;
    double angle = same_normal;
    if (const int k = profile.neighbour(i, end == 1 ? 1 : -1); k >= 0) {
        const Vector n = point_of<S>(element, end).n,
                     m = point_of<S>(profile.elements[static_cast<std::size_t>(k)], 1 - end).n;
        // Beyond the end at a re-entrant corner lies the material of the neighbour. Counting this
        // part leaves no gap in the corner between the two elements, where a point that penetrates
        // both would be missed.
        const double turn = (end == 1 ? 1 : -1) * S::angle_between(n, m);
        if (turn < -tolerance::tangent_corner) return reentrant_slack;
        const double off = std::abs(S::cross(n, m));
        // Neighbours that meet in an angle without a corner are re-entrant: both may touch at once.
        if (S::dot(n, m) > 0 && off < tolerance::smooth_junction) angle += 2 * off;
    }
    const auto p = point_of<S>(element, end);
    const double turned = angle / std::max(std::abs(p.turn), tolerance::no_division),
                 moved = angle * reach / std::max(p.speed, tolerance::no_division);
    return std::min({turned, moved, 0.05});
}

// The cone around those of two nodes.
void join_normals(const BoundingTree::Node& a, const BoundingTree::Node& b,
                  BoundingTree::Node& out) {
    const double between = S::angle_between(a.middle, b.middle);
    const double low = std::min(-a.half, between - b.half),
                 high = std::max(a.half, between + b.half), middle = 0.5 * (low + high);
    out.middle = std::cos(middle) * a.middle + std::sin(middle) * S::turned(a.middle);
    out.half = std::min(0.5 * (high - low) + angle_rounding, std::numbers::pi);
    out.cosine = std::cos(out.half);
    out.sine = out.half < std::numbers::pi ? std::sin(out.half) : 0;
}

}  // namespace

bool is_flat_or_hollow(const CurveElement<S>& element) {
    if (const auto* arc = std::get_if<ArcCurve<S>>(&element)) return arc->sweep < 0;
    if (const auto* circle = std::get_if<CircleCurve<S>>(&element)) return circle->hollow;
    return std::holds_alternative<LineCurve<S>>(element);
}

double flat_slack(const Profile<S>& profile, int element, int end) {
    const auto* corner =
        std::get_if<Corner<S>>(&profile.elements[static_cast<std::size_t>(element)]);
    const int k = profile.neighbour(element, end == 1 ? 1 : -1);
    if (!corner || k < 0 ||
        !std::holds_alternative<LineCurve<S>>(profile.elements[static_cast<std::size_t>(k)]))
        return 0;
    return flat_tilt / std::abs(corner->turn);
}

BoundingTree::BoundingTree(const Profile<S>& profile, double reach, bool compliant) {
    std::vector<Node> leaves;
    for (std::size_t i = 0; i < profile.elements.size(); ++i) {
        const CurveElement<S>& element = profile.elements[i];
        first_.push_back(static_cast<int>(parts_.size()));
        const std::vector<double> ends =
            std::visit([](const auto& e) { return pieces_of(e); }, element);
        for (std::size_t k = 1; k < ends.size(); ++k) {
            Part part;
            part.element = static_cast<int>(i);
            part.low = ends[k - 1];
            part.high = ends[k];
            part.general = is_general<S>(element);
            part.periodic = is_whole<S>(element);
            const bool seamless = part.general && part.periodic;
            const bool first = k == 1 && !seamless, last = k + 1 == ends.size() && !seamless;
            part.slack_low = first ? slack_at(profile, part.element, 0, reach) : inner_slack;
            part.slack_high = last ? slack_at(profile, part.element, 1, reach) : inner_slack;
            part.start = point_of<S>(element, part.low);
            part.end = point_of<S>(element, part.high);
            part.turn = S::angle_between(part.start.n, part.end.n);
            if (k > 1)
                part.run =
                    parts_.back().run + ((part.turn > 0) == (parts_.back().turn > 0) ? 0 : 1);
            if (compliant) {
                part.flat_low = flat_slack(profile, part.element, 0);
                part.flat_high = flat_slack(profile, part.element, 1);
            }
            const double slack =
                std::max({part.slack_low, part.slack_high, part.flat_low, part.flat_high});
            const double sweep = part.periodic && !part.general ? 2 * std::numbers::pi
                                 : part.general                 ? part.turn
                                                                : part.start.turn;
            const double half =
                std::min(std::abs(sweep) * (0.5 + slack) + facing_slack, std::numbers::pi);
            // A piece turns by far less than half a turn, but not evenly: its middle is between the
            // ends.
            const Vector between = part.start.n + part.end.n;
            part.middle = part.general ? 1 / std::sqrt(S::dot(between, between)) * between
                                       : point_of<S>(element, 0.5 * (part.low + part.high)).n;
            part.cosine = std::cos(half);
            part.sine = std::sin(half);
            std::visit(
                [&](const auto& e) {
                    if constexpr (requires { e.round(); }) part.round = e.round();
                    if constexpr (requires { e.straight(); }) part.straight = e.straight();
                },
                element);
            const Circle c = circle_around(element, part);
            leaves.push_back({c.centre, widened * c.radius, -1, static_cast<int>(parts_.size()),
                              part.middle, half, part.cosine, part.sine});
            parts_.push_back(part);
        }
    }
    nodes_.reserve(2 * leaves.size());
    if (!leaves.empty()) build(0, leaves.size(), leaves);
}

int BoundingTree::build(std::size_t first, std::size_t last, const std::vector<Node>& leaves) {
    const int me = static_cast<int>(nodes_.size());
    if (last - first == 1) {
        nodes_.push_back(leaves[first]);
        return me;
    }
    nodes_.emplace_back();
    const std::size_t middle = (first + last) / 2;
    const int left = build(first, middle, leaves), right = build(middle, last, leaves);
    const auto circle = [&](int k) {
        const Node& node = nodes_[static_cast<std::size_t>(k)];
        return Circle{node.centre, node.radius};
    };
    const Circle c = circle_around(circle(left), circle(right));
    Node node;
    node.centre = c.centre;
    node.radius = widened * c.radius;
    node.right = right;
    join_normals(nodes_[static_cast<std::size_t>(left)], nodes_[static_cast<std::size_t>(right)],
                 node);
    nodes_[static_cast<std::size_t>(me)] = node;
    return me;
}

}  // namespace pawl
