// Laws of every driver kind: the jet's rate and acceleration are the derivatives of its value.
#include <cmath>

#include <gtest/gtest.h>

#include "mechanism/driver.h"
#include "random_fields.h"

namespace pawl {
namespace PAWL_TEST_FILE {

template <class F, std::size_t... I>
void for_each_law(F&& f, std::index_sequence<I...>) {
    (f(std::variant_alternative_t<I, DriverLaw<double>>{}), ...);
}

TEST(DriverLaws, rate_and_acceleration_are_derivatives_of_the_value) {
    std::mt19937 engine(5);
    test::RandomFields random(engine);
    int kinds = 0;
    for_each_law(
        [&](auto law) {
            ++kinds;
            for (int trial = 0; trial < 10; ++trial) {
                law = {};
                law.fields(random);
                if constexpr (requires { law.ends; })
                    if (law.ends == Ends::periodic) law.values.back() = law.values.front();
                law.settle(0.4);
                const double t = random.uniform(0.05, 1.6), h = 1e-3;
                // Skip places within the stencil of a knot or a segment's end, where higher
                // derivatives jump.
                bool near_end = false;
                if constexpr (requires { law.segments; }) {
                    double end = 0;
                    for (const auto& s : law.segments) {
                        end += s.time;
                        for (int part = 0; part <= 8; ++part)  // inner borders of the modified laws
                            near_end |= std::abs(t - (end - s.time * part / 8)) < 5 * h;
                    }
                }
                if constexpr (requires { law.times; })
                    for (const double knot : law.times) near_end |= std::abs(t - knot) < 5 * h;
                if (near_end) continue;
                const auto d = [&](auto f) {
                    return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
                };
                const auto jet = law.at(t);
                // h^4/30 f5 with f5 up to (2 pi 1.2)^5 = 2e4 times the amplitude, plus rounding
                // 1e-16/h.
                const double error = 1e-8;
                EXPECT_NEAR(jet.rate, d([&](double s) { return law.at(t + s).value; }), error)
                    << law.name;
                EXPECT_NEAR(jet.acceleration, d([&](double s) { return law.at(t + s).rate; }),
                            20 * error)
                    << law.name;
            }
        },
        std::make_index_sequence<std::variant_size_v<DriverLaw<double>>>{});
    EXPECT_EQ(kinds, 6);
}

TEST(DriverLaws, cam_repeats_and_accumulates_its_lift) {
    CamLaw<double> law;
    law.segments = {{MotionLaw::cycloidal, 0.02, 0.5},
                    {MotionLaw::dwell, 0, 0.25},
                    {MotionLaw::poly345, -0.005, 0.25}};
    law.repeat = true;
    law.settle(1.0);
    EXPECT_NEAR(law.at(0.75).value, 1.02, 1e-15);
    EXPECT_NEAR(law.at(1.0).value, 1.015, 1e-15);
    EXPECT_NEAR(law.at(2.6).value, 1.03 + law.at(0.6).value - 1.0, 1e-15);
    law.repeat = false;
    EXPECT_NEAR(law.at(7).value, 1.015, 1e-15);
    EXPECT_EQ(law.at(7).rate, 0);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
