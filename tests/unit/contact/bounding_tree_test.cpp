#include "contact/bounding_tree.h"

#include <numbers>

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

using S = PlanarSpace;
using Vector = S::Vector;

Profile<S> made(std::vector<CurveElement<S>> elements) {
    Profile<S> profile;
    const auto problem = make_profile<S>(std::move(elements), true, profile);
    EXPECT_FALSE(problem) << problem->message;
    return profile;
}

// Points on two circles in turn: a polygon where they are one, else a star with re-entrant corners.
Profile<S> star(int points, double inner) {
    std::vector<Vector> corners;
    for (int i = 0; i < points; ++i) {
        const double angle = 2 * std::numbers::pi * (i + 0.3) / points, r = i % 2 == 0 ? 1 : inner;
        corners.push_back({r * std::cos(angle), r * std::sin(angle)});
    }
    std::vector<CurveElement<S>> sides;
    for (std::size_t i = 0; i < corners.size(); ++i)
        sides.emplace_back(LineCurve<S>{corners[i], corners[(i + 1) % corners.size()]});
    return made(std::move(sides));
}

// A stadium: half circles and lines.
Profile<S> stadium() {
    const double half = std::numbers::pi;
    return made({LineCurve<S>{{-1, -0.5}, {1, -0.5}}, ArcCurve<S>{{1, 0}, 0.5, -half / 2, half},
                 LineCurve<S>{{1, 0.5}, {-1, 0.5}}, ArcCurve<S>{{-1, 0}, 0.5, half / 2, half}});
}

// The parts below a node lie in its circle, and their normals in its cone.
void expect_bounds(const Profile<S>& profile, const BoundingTree& tree, std::size_t node,
                   std::size_t above) {
    const auto& nodes = tree.nodes();
    if (nodes[node].right >= 0) {
        expect_bounds(profile, tree, node + 1, above);
        expect_bounds(profile, tree, static_cast<std::size_t>(nodes[node].right), above);
        return;
    }
    const BoundingTree::Part& part = tree.part(nodes[node].part);
    for (int i = 0; i <= 8; ++i) {
        const double u = part.low + (part.high - part.low) * i / 8;
        const auto p = point_of<S>(profile.elements[static_cast<std::size_t>(part.element)], u);
        const Vector d = p.p - nodes[above].centre;
        EXPECT_LE(std::hypot(d.x, d.y), nodes[above].radius * (1 + 1e-12));
        EXPECT_GE(S::dot(p.n, nodes[above].middle), nodes[above].cosine - 1e-9);
    }
}

TEST(BoundingTree, nodes_hold_the_points_and_the_normals_below_them) {
    for (const Profile<S>& profile : {star(7, 1), star(40, 0.6), star(101, 1), stadium()}) {
        const BoundingTree tree(profile, 4, false);
        for (std::size_t i = 0; i < tree.nodes().size(); ++i) expect_bounds(profile, tree, i, i);
    }
}

// Else they would rule nothing out: the first half of a round polygon has half of the normals.
TEST(BoundingTree, cones_of_a_convex_outline_are_as_narrow_as_their_part_of_it) {
    const BoundingTree tree(star(1000, 1), 4, false);
    const auto& half = tree.nodes()[1];
    EXPECT_NEAR(half.half, std::numbers::pi / 2, 0.02);
    const auto& quarter = tree.nodes()[2];
    EXPECT_NEAR(quarter.half, std::numbers::pi / 4, 0.02);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
