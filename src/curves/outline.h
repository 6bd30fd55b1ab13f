// The outline of a profile as a polygon, for checks that share no code with the search for
// contacts: overlap of two outlines, distance, thickness. Works on plain numbers; knows no bodies.
#pragma once

#include <vector>

#include "curves/profile.h"

namespace pawl {

// Twice the area over the length of the way round: the radius of a disk, half the side of a square,
// the thickness of a rod. Infinite for a hole and for an open profile, zero for a point.
double thickness(const Profile<Planar<double>>& profile);

class Outline {
public:
    using Vector = Planar<double>::Vector;
    Outline() = default;
    // Chords miss the profile by at most `sagitta`. The points lie within the material by `depth`:
    // two outlines that cross belong to bodies that overlap by more than that.
    Outline(const Profile<Planar<double>>& profile, double sagitta, double depth);

    [[nodiscard]] const std::vector<Vector>& points() const { return points_; }
    [[nodiscard]] bool closed() const { return closed_; }
    // Whether a point lies in the material; never of an open outline.
    [[nodiscard]] bool holds(Vector point) const;
    // Distances of a point from the polygon and from the box around it.
    [[nodiscard]] double distance(Vector point) const;
    [[nodiscard]] double distance_from_box(Vector point) const;
    // A circle around all points.
    [[nodiscard]] Vector centre() const { return 0.5 * (low_ + high_); }
    [[nodiscard]] double radius() const { return radius_; }
    // Whether a chord of it is cut by the chord from p to q.
    [[nodiscard]] bool is_cut_by(Vector p, Vector q) const;

private:
    [[nodiscard]] std::size_t chords() const {
        return points_.size() - (closed_ || points_.empty() ? 0 : 1);
    }
    [[nodiscard]] Vector next(std::size_t i) const {
        return points_[i + 1 < points_.size() ? i + 1 : 0];
    }

    std::vector<Vector> points_;
    bool closed_ = false, solid_ = true;
    Vector low_, high_;
    double radius_ = 0;
};

}  // namespace pawl
