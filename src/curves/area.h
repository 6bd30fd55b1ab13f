// Area, centroid and second moment of what closed profiles enclose; holes count as negative. Knows
// no bodies and no masses.
#pragma once

#include "curves/profile.h"

namespace pawl {

// Moments about the origin of the profile's axes; they add up.
template <class S>
struct AreaMoments {
    using T = typename S::Scalar;
    T area{};
    typename S::Vector first;  // integral of the position
    T second{};                // integral of the square of the distance

    AreaMoments& operator+=(const AreaMoments& other) {
        area = area + other.area;
        first = first + other.first;
        second = second + other.second;
        return *this;
    }
    [[nodiscard]] typename S::Vector centroid() const { return T(1) / area * first; }
    // Second moment about the centroid, over the area: the square of the radius of gyration.
    [[nodiscard]] T gyration() const {
        const auto c = centroid();
        return second / area - S::dot(c, c);
    }
};

// Of a closed profile; `moved` into the axes in which it is wanted.
template <class S>
AreaMoments<S> area_moments(const Profile<S>& profile, const Similarity<S>& moved);

extern template AreaMoments<Planar<double>> area_moments(const Profile<Planar<double>>&,
                                                         const Similarity<Planar<double>>&);

}  // namespace pawl
