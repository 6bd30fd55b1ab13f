#include "math/motion_law.h"

#include <algorithm>
#include <numbers>

#include <gtest/gtest.h>

#include "finite_differences.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Jet = TimeJet<double>;
constexpr double pi = std::numbers::pi;

std::vector<MotionLaw> rising_laws() {
    std::vector<MotionLaw> laws;
    for (const auto& [law, name] : motion_laws)
        if (law != MotionLaw::dwell) laws.push_back(law);
    return laws;
}

Jet at(MotionLaw law, double u) { return rise(law, Jet(u, 1.0)); }

// Sums of a few terms below 20 in double precision.
constexpr double rounding = 1e-14;

TEST(MotionLaw, rises_from_zero_to_one_and_rests_outside) {
    for (const MotionLaw law : rising_laws()) {
        EXPECT_NEAR(rise(law, 0.0), 0, rounding) << name_of(law);
        EXPECT_NEAR(rise(law, 0.5), 0.5, rounding) << name_of(law);
        EXPECT_NEAR(rise(law, 1.0), 1, rounding) << name_of(law);
        EXPECT_EQ(rise(law, -0.1), 0) << name_of(law);
        EXPECT_EQ(at(law, 1.1).value, 1) << name_of(law);
        EXPECT_EQ(at(law, 1.1).rate, 0) << name_of(law);
    }
    EXPECT_EQ(at(MotionLaw::dwell, 0.7).value, 0);
    EXPECT_EQ(at(MotionLaw::dwell, 0.7).rate, 0);
}

TEST(MotionLaw, starts_and_ends_at_rest) {
    for (const MotionLaw law : rising_laws())
        for (const double end : {0.0, 1.0}) {
            EXPECT_NEAR(at(law, end).rate, 0, rounding) << name_of(law);
            if (law == MotionLaw::harmonic) continue;
            EXPECT_NEAR(at(law, end).acceleration, 0, 10 * rounding) << name_of(law);
        }
    EXPECT_NEAR(at(MotionLaw::harmonic, 0).acceleration, pi * pi / 2, rounding);
    EXPECT_NEAR(at(MotionLaw::harmonic, 1).acceleration, -pi * pi / 2, rounding);
}

TEST(MotionLaw, is_twice_continuous_at_the_borders_of_its_pieces) {
    const double beside = 1e-14;  // the third derivative, below 100, changes the second by 1e-12
    for (const MotionLaw law : rising_laws())
        for (const double border : {0.125, 0.375, 0.5, 0.625, 0.875}) {
            const Jet left = at(law, border - beside), right = at(law, border + beside);
            EXPECT_NEAR(left.value, right.value, 10 * rounding) << name_of(law) << border;
            EXPECT_NEAR(left.rate, right.rate, 50 * rounding) << name_of(law) << border;
            EXPECT_NEAR(left.acceleration, right.acceleration, 200 * rounding)
                << name_of(law) << border;
        }
}

TEST(MotionLaw, derivatives_are_those_of_the_curve) {
    for (const MotionLaw law : rising_laws())
        for (const double u : {0.06, 0.25, 0.44, 0.56, 0.75, 0.94}) {
            const auto curve = [&](double x) { return rise(law, x); };
            EXPECT_NEAR(at(law, u).rate, first_difference(curve, u, difference_step),
                        first_difference_error)
                << name_of(law) << u;
            EXPECT_NEAR(at(law, u).acceleration, second_difference(curve, u, difference_step),
                        second_difference_error)
                << name_of(law) << u;
        }
}

struct Peaks {
    MotionLaw law;
    double velocity, acceleration;
};

TEST(MotionLaw, peaks_agree_with_the_literature) {
    // Coefficients as tabled in the cam literature (Norton, Cam Design and Manufacturing Handbook).
    // For the accelerations of the polynomials, tabled as 5.777 and 7.526, the exact maxima stand
    // here: s″ = 60 u(1 − u)(1 − 2u) of 3-4-5 peaks at 10/√3 where u(1 − u) = 1/6, and s″ = 420
    // u²(1 − u)²(1 − 2u) of 4-5-6-7 at 84/(5√5) where u(1 − u) = 1/5.
    const Peaks expected[] = {
        {MotionLaw::cycloidal, 2.000, 6.283},     {MotionLaw::harmonic, 1.571, 4.935},
        {MotionLaw::poly345, 1.875, 5.7735},      {MotionLaw::poly4567, 2.1875, 7.5132},
        {MotionLaw::modified_sine, 1.760, 5.528}, {MotionLaw::modified_trapezoid, 2.000, 4.888},
    };
    const int n = 4000;  // a peak is missed by at most 40 (1/8000)² < 1e-6
    const double printed =
        5.1e-4;  // half of the last of four digits, and the missed part of a peak
    for (const Peaks& e : expected) {
        double velocity = 0, acceleration = 0;
        for (int i = 0; i <= n; ++i) {
            const Jet s = at(e.law, static_cast<double>(i) / n);
            velocity = std::max(velocity, s.rate);
            acceleration = std::max(acceleration, s.acceleration);
        }
        EXPECT_NEAR(velocity, e.velocity, printed) << name_of(e.law);
        EXPECT_NEAR(acceleration, e.acceleration, printed) << name_of(e.law);
    }
}

TEST(MotionLaw, second_half_is_the_first_turned) {
    for (const MotionLaw law : rising_laws())
        for (const double u : {0.05, 0.2, 0.3, 0.45})
            EXPECT_NEAR(rise(law, 1 - u), 1 - rise(law, u), rounding) << name_of(law) << u;
}

// The fourth derivative on either side, from differences of the acceleration.
TEST(MotionLaw, derivatives_jump_at_the_seams_only) {
    const auto third = [](MotionLaw law, double u, double h) {
        return (at(law, u + h).acceleration - at(law, u - h).acceleration) / (2 * h);
    };
    const auto jump_of_fourth = [&](MotionLaw law, double u) {
        constexpr double h = 1e-4;
        const auto fourth = [&](double v) {
            return (third(law, v + h, h) - third(law, v - h, h)) / (2 * h);
        };
        return std::abs(fourth(u + 3 * h) - fourth(u - 3 * h));
    };
    // A fifth derivative of at most 10080 (4-5-6-7) changes the fourth by 6 over 6 h; a seam by
    // 680.
    constexpr double smooth = 15;
    for (const MotionLaw law : rising_laws())
        for (int i = 1; i < 16; ++i) {
            const double u = i / 16.0;
            const auto all = seams(law);
            const bool seam = std::find(all.begin(), all.end(), u) != all.end();
            EXPECT_EQ(jump_of_fourth(law, u) > smooth, seam) << name_of(law) << ' ' << u;
        }
}

TEST(MotionLaw, names_lead_back_to_the_law) {
    for (const auto& [law, name] : motion_laws) {
        EXPECT_EQ(name_of(law), name);
        EXPECT_EQ(find_motion_law(name), law);
    }
    EXPECT_FALSE(find_motion_law("sine"));
    EXPECT_EQ(motion_law_names().front(), "dwell");
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
