// Proofs that two parts of profiles do not meet during an interval. The motion of each frame is
// known at one time of it to second order, and its third derivative is bounded over all of it. A
// proof is a direction in which one part stays above the other, or a circle that one of them does
// not leave; no proof says nothing.
#pragma once

#include <array>
#include <optional>

#include "contact/search.h"
#include "coordinates/motion_bounds.h"

namespace pawl {

// A frame at one time, with the acceleration of its origin and angle.
struct MovingFrame : PlanarSpace::Frame {
    PlanarSpace::Twist acceleration;
};

class Separation {
public:
    using Vector = PlanarSpace::Vector;

    // `bounds` hold from `before` ahead of the time of the frames to `after` it. Gaps within
    // `touching` of zero count as zero; points deeper than `behind` are on the far side of a body.
    // No two points approach by more than `reach`.
    struct Interval {
        double before, after, touching, behind, reach;
    };
    Separation(const ContactSearch& search, const MovingFrame& a, const MovingFrame& b,
               const MotionBound& bound_a, const MotionBound& bound_b, Interval interval)
        : search_(search), frames_{&a, &b}, bounds_{&bound_a, &bound_b}, interval_(interval) {}

    // Whether the parts keep apart: their gap stays above -`sunk`.
    [[nodiscard]] bool holds(const PartPair& pair, double sunk) const;

private:
    using Part = BoundingTree::Part;
    // A point fixed on a body, with what bounds its third derivative.
    struct Point {
        Vector x, v, a;
        double jerk = 0;
    };
    // A circle fixed on a body; one with a negative radius is hollow. `exact` when it is the part
    // itself, not one that holds the part (or, hollow, is left free by it).
    struct Round {
        Vector centre;
        double radius = 0;
        bool exact = true;
    };
    struct Hull {
        Vector points[4];
        int count = 0;
    };
    // In ground axes, or seen from the frame of a side, in its axes: that of a line does not turn
    // against it.
    static constexpr int ground = -1;
    [[nodiscard]] Point point(int side, Vector local) const;
    [[nodiscard]] Point point(int side, Vector local, int seen_from) const;
    [[nodiscard]] static Point between(const Point& from, const Point& to);

    // Whether n.w >= sum - sunk all the time; whether |w| <= radius.
    [[nodiscard]] bool stays_above(Vector n, const Point& w, double sum, double sunk) const;
    [[nodiscard]] bool stays_within(const Point& w, double radius) const;

    // A direction in which a point that stands at another one leaves it, or has come to it.
    [[nodiscard]] std::optional<Vector> leaving(const Point& w) const;
    [[nodiscard]] bool rounds(const Part* const parts[2], const Round& a, const Round& b,
                              double sunk) const;
    [[nodiscard]] bool off_an_end(const Part* const parts[2], double sign) const;
    // The centre of a circle stays beyond the normal at an end of a piece of a curve.
    [[nodiscard]] bool off_a_piece(int side, const Part& piece, Vector centre) const;
    [[nodiscard]] bool line_and_round(int line_side, const Part& line, const Round& round,
                                      double sunk) const;
    [[nodiscard]] bool line_and_round(int line_side, const Part& line, const Round& round,
                                      double sunk, int seen_from) const;
    [[nodiscard]] bool hulls(const Hull& a, const Hull& b, double sum, double sunk,
                             int seen_from) const;
    [[nodiscard]] bool in_hollow(int side, const Hull& hull, const Round& round, double sunk) const;
    // At a re-entrant corner points count beyond the end of a part; elsewhere by rounding only.
    [[nodiscard]] static bool counts_beyond(const Part& part);
    [[nodiscard]] bool pieces(const Part* const parts[2], double sunk) const;
    // Of pieces of curves: as they are, or cut in halves up to `cuts` times.
    [[nodiscard]] bool general(const Part* const parts[2], double sunk, int cuts) const;
    [[nodiscard]] bool general(const Part* const parts[2], double sunk) const;
    // With what counts beyond its ends.
    [[nodiscard]] Part as_far_as_it_counts(int side, Part part) const;
    [[nodiscard]] std::array<Part, 2> halves(int side, const Part& part) const;

    // A circle around a piece of a curve that is hardly larger near one of its points.
    [[nodiscard]] static std::optional<Round> round_of(const Part& part,
                                                       const CurvePoint<PlanarSpace>& at);
    [[nodiscard]] static Hull hull_of(const Part& part, const CurvePoint<PlanarSpace>& at);
    // The point of a part that is nearest to a point, in its own axes, or farthest from it;
    // roughly.
    struct On {
        double u = 0;
        CurvePoint<PlanarSpace> point{};
    };
    [[nodiscard]] On nearest(int side, const Part& part, Vector to, bool farthest = false) const;
    // The one with a normal.
    [[nodiscard]] On with_normal(int side, const Part& part, Vector n) const;
    void facing(const Part* const parts[2], On on[2]) const;
    [[nodiscard]] bool may_face(const Part* const parts[2]) const;
    [[nodiscard]] Vector to_other(int side, Vector local) const;

    const ContactSearch& search_;
    const MovingFrame* frames_[2];
    const MotionBound* bounds_[2];
    Interval interval_;
};

}  // namespace pawl
