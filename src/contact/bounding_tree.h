// A hierarchy over the elements of a profile: circles around them and cones of their normals. Knows
// one profile in its own axes.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "math/tolerances/geometry.h"
#include "mechanism/mechanism.h"

namespace pawl {

// A side that is pressed into a straight one touches it all along: it is held at both its corners,
// each at its own depth. So between compliant profiles a corner between sides counts against a
// straight one also where its normal is this far beyond its cone, rad; a side that is tilted by
// more is not pressed in as a whole.
inline constexpr double flat_tilt = 0.5;

// The parts of a profile in the order of travel, each with a circle around it and the cone of its
// normals, under a binary tree.
class BoundingTree {
public:
    using Vector = PlanarSpace::Vector;
    // Touching points at the seam of two pieces belong to both; one is dropped again.
    static constexpr double inner_slack = tolerance::inner_slack;
    // Normals count as opposite within this angle, rad: above rounding and the slack of junctions.
    static constexpr double facing_slack = tolerance::facing_slack;
    struct Node {
        Vector centre;
        double radius = 0;
        int right = -1;  // the second child (the first is the next node); -1: a leaf
        int part = -1;
        // All normals below it lie within an angle on both sides of the middle one.
        Vector middle;
        double half = 0, cosine = -1, sine = 0;  // that angle, at most 180 degrees
    };
    // An element, or a piece of one without closed-form normals.
    struct Part {
        int element = 0;
        double low = 0, high = 1;              // fractions
        double slack_low = 0, slack_high = 0;  // how far beyond them a touching point counts
        double flat_low = 0, flat_high = 0;  // the same of a corner against what is flat or hollow
        bool general = false, periodic = false;
        CurvePoint<PlanarSpace> start{}, end{};
        double turn = 0;  // of the normal, for a piece
        int run = 0;      // pieces of one element that turn the same way one after the other
        // The normals of the part lie within an angle on both sides of the middle one.
        Vector middle;
        double cosine = -1, sine = 0;  // of that angle, at most 180 degrees
        // What stands for the element in a first look.
        std::optional<RoundShape<PlanarSpace>> round;
        std::optional<StraightShape<PlanarSpace>> straight;

        [[nodiscard]] bool holds(double u, bool against_flat) const {
            const double middle = 0.5 * (low + high);
            if (periodic) u -= std::round(u - middle);
            return u >= low - (against_flat ? std::max(slack_low, flat_low) : slack_low) &&
                   u <= high + (against_flat ? std::max(slack_high, flat_high) : slack_high);
        }
    };

    BoundingTree() = default;
    // `reach` is the length of the longest normal that matters.
    BoundingTree(const Profile<PlanarSpace>& profile, double reach, bool compliant);

    [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
    [[nodiscard]] std::size_t parts() const { return parts_.size(); }
    [[nodiscard]] const Part& part(int i) const { return parts_[static_cast<std::size_t>(i)]; }
    // The parts of an element follow each other from this one on.
    [[nodiscard]] int first_part(int element) const {
        return first_[static_cast<std::size_t>(element)];
    }

private:
    int build(std::size_t first, std::size_t last, const std::vector<Node>& leaves);

    std::vector<Part> parts_;
    std::vector<int> first_;  // per element
    std::vector<Node> nodes_;
};

// A line, or an arc or circle that is hollow: a side of another body lies on it with its corners.
bool is_flat_or_hollow(const CurveElement<PlanarSpace>& element);
// How far beyond its start (0) or end (1) a corner counts against such an element, as a fraction.
double flat_slack(const Profile<PlanarSpace>& profile, int element, int end);

}  // namespace pawl
