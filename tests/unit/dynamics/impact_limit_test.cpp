// Ends of accumulating impacts against closed forms.
#include "dynamics/impact/impact_limit.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/impact_laws.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::law_of;

constexpr double g = 9.81;
// Impacts are followed to 1e-10 of the first speed.
constexpr double part = 1e-9;

// A disk of radius 1 and inertia m/2 on a floor: slip v_x + omega, spin omega.
ImpactSystem disk(double up, double slip, double e, double mu) {
    MatrixXd j(3, 3);
    j << 0, 1, 0, 1, 0, 1, 0, 0, 1;
    ImpactSystem system;
    system.response = j * VectorXd{{1, 1, 2}}.asDiagonal() * j.transpose();
    system.velocity = VectorXd{{up, slip, 0}};
    system.laws = {law_of(RestitutionLaw::newton, e, mu)};
    return system;
}

TEST(ImpactLimit, of_one_contact_is_a_geometric_series) {
    for (const double e : {0.1, 0.5, 0.9}) {
        const auto limit =
            impact_limit(disk(2e-3, 0, e, 0), VectorXd{{-g, 0, 0}}, VectorXd::Zero(1), false);
        ASSERT_TRUE(limit) << e;
        const double expected = 2 * 2e-3 / (g * (1 - e));
        EXPECT_NEAR(limit->rest[0], expected, part * expected) << e;
        EXPECT_NEAR(limit->impacts[0], std::log(1e-10) / std::log(e), 2) << e;
    }
}

// On an incline the slip gains slope a T in each flight, and at an impact with the speed v friction
// takes at most 3 mu (1 + e) v of it (the slip answers with 3/m). It ends at rest where 2 slope <=
// 3 mu (1 + e), which is less than a contact at rest bears; else it slides all the way, and the
// sums over all flights and impacts are left: 2 slope v/(1 - e) - 3 mu (1 + e) v/(1 - e).
TEST(ImpactLimit, of_a_contact_with_friction_ends_without_slip_where_friction_holds) {
    const double e = 0.5, mu = 0.2, v = 1e-3;
    for (const double slope : {0.3, 0.44, 0.55, 0.9}) {
        const double a = g / std::hypot(1, slope);
        const auto limit =
            impact_limit(disk(v, 0, e, mu), VectorXd{{-a, slope * a, 0}}, VectorXd::Zero(1), false);
        ASSERT_TRUE(limit) << slope;
        const double time = 2 * v / (a * (1 - e));
        EXPECT_NEAR(limit->rest[0], time, part * time);
        const double left = (2 * slope - 3 * mu * (1 + e)) * v / (1 - e);
        EXPECT_NEAR(limit->velocity[1], std::max(0.0, left), part * v) << slope;
    }
}

// Two contacts that know nothing of each other end each at its own time, whatever their order.
TEST(ImpactLimit, of_two_contacts_has_a_time_for_each) {
    for (const bool swapped : {false, true}) {
        ImpactSystem system;
        system.response = MatrixXd::Zero(6, 6);
        system.response(0, 0) = 1;
        system.response(3, 3) = 2;
        system.velocity = VectorXd::Zero(6);
        const int slow = swapped ? 3 : 0, fast = 3 - slow;
        system.velocity[slow] = 1e-3;
        system.velocity[fast] = 4e-3;
        system.laws.assign(2, law_of(RestitutionLaw::newton, 0.2, 0));
        system.laws[static_cast<std::size_t>(fast) / 3].restitution = 0.7;
        VectorXd b = VectorXd::Zero(6);
        b[0] = b[3] = -g;
        const auto limit = impact_limit(system, b, VectorXd::Zero(2), false);
        ASSERT_TRUE(limit);
        const double first = 2e-3 / (g * 0.8), last = 8e-3 / (g * 0.3);
        EXPECT_NEAR(limit->rest[static_cast<std::size_t>(slow) / 3], first, 10 * part * last);
        EXPECT_NEAR(limit->rest[static_cast<std::size_t>(fast) / 3], last, part * last);
    }
}

// A block of the width 2 b and the height 2 h that rocks without restitution: each impact leaves
// 1 - 2 b^2/k^2 of its spin, k^2 = 4 (b^2 + h^2)/3 (Housner 1963), and a flight with the spin w
// lasts 2 w k^2/(g b).
TEST(ImpactLimit, of_a_block_that_rocks_is_that_of_its_return_map) {
    const double b = 0.2, h = 1, k2 = 4 * (b * b + h * h) / 3, spin = 1e-3;
    MatrixXd j(6, 3);
    // Corners at -b and b, below the centre by h; mass 1.
    j << 0, 1, -b, 1, 0, h, 0, 0, 0, 0, 1, b, 1, 0, h, 0, 0, 0;
    ImpactSystem system;
    system.response = j * VectorXd{{1, 1, 3 / (b * b + h * h)}}.asDiagonal() * j.transpose();
    system.laws.assign(2, law_of(RestitutionLaw::newton, 0, 1e3));
    // About the left corner.
    system.velocity = j * VectorXd{{-h * spin, b * spin, spin}};
    const auto limit = impact_limit(system, j * VectorXd{{0, -g, 0}}, VectorXd::Zero(2), false);
    ASSERT_TRUE(limit);
    const double r = 1 - 2 * b * b / k2, time = 2 * spin * k2 / (g * b) / (1 - r);
    EXPECT_NEAR(*std::max_element(limit->rest.begin(), limit->rest.end()), time, 1e-8 * time);
}

// A ball that rebounds from another one while that hops on the floor: in the air the two do not
// approach each other, but when the lower one rests, the upper one falls on it.
TEST(ImpactLimit, knows_what_falls_on_a_contact_that_has_come_to_rest) {
    const double mass[] = {2, 0.7}, hop = 1e-3, apart = 4e-3;
    ImpactSystem system;
    system.response = MatrixXd::Zero(6, 6);
    system.response(0, 0) = 1 / mass[0];
    system.response(0, 3) = system.response(3, 0) = -1 / mass[0];
    system.response(3, 3) = 1 / mass[0] + 1 / mass[1];
    system.velocity = VectorXd::Zero(6);
    system.velocity[0] = hop;
    system.velocity[3] = apart;
    system.laws.assign(2, law_of(RestitutionLaw::newton, 0, 0));
    VectorXd b = VectorXd::Zero(6);
    b[0] = -g;
    const auto limit = impact_limit(system, b, VectorXd::Zero(2), false);
    ASSERT_TRUE(limit);
    const double last = 2 * (hop + apart) / g;
    EXPECT_NEAR(limit->rest[0], 2 * hop / g, part * last);
    EXPECT_NEAR(limit->rest[1], last, part * last);
}

TEST(ImpactLimit, of_impacts_without_end_is_none) {
    EXPECT_FALSE(impact_limit(disk(1e-3, 0, 1, 0), VectorXd{{-g, 0, 0}}, VectorXd::Zero(1), false));
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
