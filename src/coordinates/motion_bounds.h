// How fast the bodies can move, by bounds on the derivatives of their coordinates over an interval:
// from ground outwards along the tree. Bounds, not values: no cancellation is counted on but that
// of angles, which simply add.
#pragma once

#include <vector>

#include "coordinates/coordinates.h"
#include "math/polynomial_path.h"

namespace pawl {

// Of a body, or of a frame on it. A point at the distance r from the origin has accelerations of
// at most acceleration + r turned_acceleration, and so its third derivative.
struct MotionBound {
    double turning = 0;  // rad/s
    double acceleration = 0, turned_acceleration = 0;
    double jerk = 0, turned_jerk = 0;

    // With a direction that turns by th: |u''| <= |th''| + th'^2,
    // |u'''| <= |th'''| + |th'|^3 + 3 |th' th''|.
    void set_turn(const DerivativeBounds& angle);
    // Moves the origin by a distance on the same body.
    void carry(double distance) {
        acceleration += distance * turned_acceleration;
        jerk += distance * turned_jerk;
    }
};

class MotionBounds {
public:
    // Over [low, high], a part of the interval of the path.
    void set(const Coordinates<PlanarSpace>& coordinates, const PolynomialPath& path, double low,
             double high);
    [[nodiscard]] const MotionBound& body(int i) const {
        return bodies_[static_cast<std::size_t>(i)];
    }
    [[nodiscard]] MotionBound frame(const Attachment<PlanarSpace>& at) const;
    // How fast one body turns against another, rad/s.
    [[nodiscard]] double turning(int a, int b) const;

private:
    double half_ = 0;
    std::vector<MotionBound> bodies_;
    std::vector<PolynomialPath::Coefficients> angles_;
};

}  // namespace pawl
