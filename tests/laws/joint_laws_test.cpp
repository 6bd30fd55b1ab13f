// Laws that every joint kind obeys, run over the list of kinds: rates against differences, action =
// reaction, rows that vanish on the joint's own motion, and exact design derivatives on dual
// numbers.
#include <cmath>

#include <gtest/gtest.h>

#include "math/dual.h"
#include "mechanism/joint_kind.h"
#include "random_fields.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Space = Planar<double>;
using Frames = std::array<Space::Frame, 3>;

// A smooth random motion of three frames: quadratic in time, so velocity and acceleration are
// known.
struct Motion {
    double c[3][3][3];  // frame, component, power
    explicit Motion(test::RandomFields& random) {
        for (auto& frame : c)
            for (auto& component : frame)
                for (double& power : component) power = random.uniform(-1, 1);
        c[1][0][0] += 4;  // keep the frames apart
    }
    [[nodiscard]] double value(int k, int i, double t) const {
        return c[k][i][0] + t * (c[k][i][1] + t * c[k][i][2]);
    }
    [[nodiscard]] double rate(int k, int i, double t) const {
        return c[k][i][1] + 2 * t * c[k][i][2];
    }
    [[nodiscard]] Frames at(double t) const {
        Frames frames;
        for (int k = 0; k < 3; ++k)
            frames[k] = {Space::position_of({{value(k, 0, t), value(k, 1, t)}, value(k, 2, t)}),
                         {{rate(k, 0, t), rate(k, 1, t)}, rate(k, 2, t)}};
        return frames;
    }
    [[nodiscard]] Space::Twist acceleration(int k) const {
        return {{2 * c[k][0][2], 2 * c[k][1][2]}, 2 * c[k][2][2]};
    }
};

template <class F, std::size_t... I>
void for_each_kind(F&& f, std::index_sequence<I...>) {
    (f(std::variant_alternative_t<I, JointKinds<Space>>{}), ...);
}
template <class F>
void for_each_kind(F&& f) {
    for_each_kind(f, std::make_index_sequence<std::variant_size_v<JointKinds<Space>>>{});
}

template <class Kind>
Kind random_kind(test::RandomFields& random) {
    Kind kind;
    kind.fields(random);
    JointPlacement<Space> placement;
    placement.body[1].at = {3, 1};
    kind.settle(placement);
    return kind;
}

// Fourth-order central difference with its Richardson partner; error about h^6 f7 + 1e-16/h =
// 1e-12.
template <class F>
double difference(F&& f, double h = 2e-3) {
    const auto d = [&](double s) {
        return (8 * (f(s) - f(-s)) - (f(2 * s) - f(-2 * s))) / (12 * s);
    };
    return (16 * d(h / 2) - d(h)) / 15;
}
// Differences of numbers of size 1..10 with step 2e-3 lose four digits to rounding.
constexpr double difference_error = 2e-10;

TEST(JointLaws, velocity_and_acceleration_of_rows_agree_with_differences) {
    std::mt19937 engine(11);
    test::RandomFields random(engine);
    for_each_kind([&](auto prototype) {
        using Kind = decltype(prototype);
        for (int trial = 0; trial < 20; ++trial) {
            const Kind kind = random_kind<Kind>(random);
            const Motion motion(random);
            const double t0 = random.uniform(-0.3, 0.3);
            const auto row = [&](int r, double t) {
                Space::Row rows[3];
                kind.rows(motion.at(t), rows);
                return rows[r];
            };
            const auto rate = [&](int r, double t) {
                const Frames f = motion.at(t);
                double sum = 0;
                for (int k = 0; k < Kind::frames; ++k)
                    sum += Space::dot(row(r, t).w[k], f[k].velocity);
                return sum;
            };
            for (std::size_t r = 0; r < Kind::row_components.size(); ++r) {
                const int i = static_cast<int>(r);
                // roll_circle is defined modulo a turn; take the difference without the jump.
                const double phi0 = row(i, t0).phi;
                double turn = 0;
                if constexpr (requires { kind.centre_distance(); })
                    turn = 2 * M_PI * std::abs(kind.radius_a + kind.signed_b());
                const auto phi = [&](double s) {
                    const double d = row(i, t0 + s).phi - phi0;
                    return r == 1 && turn > 0 ? std::remainder(d, turn) : d;
                };
                EXPECT_NEAR(rate(i, t0), difference(phi),
                            difference_error * (1 + std::abs(rate(i, t0))))
                    << Kind::name << " row " << r;
                double acceleration = row(i, t0).bias;
                for (int k = 0; k < Kind::frames; ++k)
                    acceleration += Space::dot(row(i, t0).w[k], motion.acceleration(k));
                EXPECT_NEAR(acceleration, difference([&](double s) { return rate(i, t0 + s); }),
                            difference_error * (1 + std::abs(acceleration)))
                    << Kind::name << " row " << r;
            }
        }
    });
}

TEST(JointLaws, wrenches_of_a_row_balance_so_that_rigid_motion_does_no_work) {
    std::mt19937 engine(12);
    test::RandomFields random(engine);
    for_each_kind([&](auto prototype) {
        using Kind = decltype(prototype);
        const Kind kind = random_kind<Kind>(random);
        const Frames f = Motion(random).at(0);
        Space::Row rows[3];
        kind.rows(f, rows);
        for (std::size_t r = 0; r < Kind::row_components.size(); ++r) {
            Space::Wrench sum;
            for (int k = 0; k < Kind::frames; ++k) {
                sum.f += rows[r].w[k].f;
                sum.m += rows[r].w[k].m + Space::cross(f[k].position.p, rows[r].w[k].f);
            }
            const double rounding = 1e-14 * 10;
            EXPECT_NEAR(sum.f.x, 0, rounding) << Kind::name;
            EXPECT_NEAR(sum.f.y, 0, rounding) << Kind::name;
            EXPECT_NEAR(sum.m, 0, rounding) << Kind::name;
        }
    });
}

TEST(JointLaws, rows_vanish_on_the_joints_own_motion) {
    std::mt19937 engine(13);
    test::RandomFields random(engine);
    int kinds = 0;
    for_each_kind([&](auto prototype) {
        using Kind = decltype(prototype);
        if constexpr (Kind::carries_tree) {
            ++kinds;
            const Kind kind = random_kind<Kind>(random);
            Frames f = Motion(random).at(0);
            double pose[3] = {0, 0, 0};
            for (const Component c : Kind::coordinates)
                pose[static_cast<int>(c)] = random.uniform(-1, 1);
            const auto& a = f[0].position;
            f[1].position =
                Space::position_of({a.p + a.to_ground({pose[0], pose[1]}), a.angle + pose[2]});
            Space::Row rows[3];
            kind.rows(f, rows);
            for (std::size_t r = 0; r < Kind::row_components.size(); ++r)
                EXPECT_NEAR(rows[r].phi, 0, 1e-15 * 10) << Kind::name << " row " << r;
            // Rows and coordinates together are all components of the relative pose.
            EXPECT_EQ(Kind::row_components.size() + Kind::coordinates.size(), 3U) << Kind::name;
        }
    });
    EXPECT_EQ(kinds, 4);  // revolute, prismatic, weld, free
}

TEST(JointLaws, rows_on_dual_numbers_carry_the_derivative_by_a_design_parameter) {
    using DualSpace = Planar<Dual>;
    // Distance rod: d phi / d length = -1; d phi / d x_b = e_x.
    Rod<DualSpace> rod;
    rod.length = Dual{2, 1};
    std::array<DualSpace::Frame, 3> f;
    f[1].position = DualSpace::position_of({{Dual{3, 0}, Dual{4, 0}}, Dual{0}});
    DualSpace::Row row;
    rod.rows(f, &row);
    EXPECT_DOUBLE_EQ(row.phi.value, 3);
    EXPECT_DOUBLE_EQ(row.phi.derivative, -1);
    f[1].position.p.x.derivative = 1;
    rod.length->derivative = 0;
    rod.rows(f, &row);
    EXPECT_DOUBLE_EQ(row.phi.derivative, 0.6);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
