// Derivatives of runs against closed forms. g = 9.81 m/s^2 where nothing else is said.
#include "face/sensitivity.h"

#include <gtest/gtest.h>

#include "support/sensitivities.h"

namespace pawl {
namespace PAWL_TEST_FILE {

Sensitivity of(const std::string& text, std::vector<std::string> responses,
               std::vector<std::string> parameters = {}) {
    return test::sensitivity_of(test::model_from(text), std::move(responses),
                                std::move(parameters));
}

double derivative(const Sensitivity& s, std::size_t response, const std::string& parameter) {
    return test::derivative(s, response, parameter).value;
}

constexpr const char* pendulum = R"(
format = 1
[parameters]
length = "0.8 m"
g = "9.81 m/s^2"
start = "-30 deg"
spare = "2 m"
[body.bob]
angle = "start"
points = { O = [0, 0], B = ["length", 0] }
mass = "2 kg"
centre = ["length", 0]
inertia = "0 kg m^2"
[joint.O]
type = "revolute"
a = "ground"
b = "bob.O"
[force.weight]
type = "gravity"
acceleration = [0, "-g"]
[run]
analysis = "dynamics"
rtol = 1e-12
atol = 1e-12
end = "4 s"
step = "5 ms"
)";

// T = 2 pi sqrt(L/g) / agm(1, cos(phi0/2)), phi0 from the lowest position. The rows are 5 ms apart:
// the interpolant's error is 1e-11 of the period, and 1e-9 of what two runs differ by.
TEST(Sensitivity, period_of_a_pendulum_moves_with_length_gravity_and_start_as_its_closed_form) {
    const Sensitivity s = of(pendulum, {"period:bob.omega"});
    const auto period = [](double phi0) {
        double a = 1, b = std::cos(phi0 / 2);
        for (int i = 0; i < 6; ++i) {
            const double mean = 0.5 * (a + b);
            b = std::sqrt(a * b);
            a = mean;
        }
        return 2 * M_PI * std::sqrt(0.8 / 9.81) / a;
    };
    const double phi0 = 60 * M_PI / 180, here = period(phi0), h = 1e-3;
    EXPECT_NEAR(s.responses[0].value.value, here, 1e-9);
    EXPECT_NEAR(derivative(s, 0, "length"), here / 1.6, 1e-8);
    EXPECT_NEAR(derivative(s, 0, "g"), -here / 19.62, 1e-9);
    // Higher than -30 deg is nearer to the level: a smaller swing.
    const double by_angle =
        (8 * (period(phi0 + h) - period(phi0 - h)) - period(phi0 + 2 * h) + period(phi0 - 2 * h)) /
        (12 * h);
    EXPECT_NEAR(derivative(s, 0, "start"), by_angle, 1e-8);
    EXPECT_EQ(derivative(s, 0, "spare"), 0);
    ASSERT_EQ(s.notes.size(), 1u);
    EXPECT_NE(s.notes[0].find("'spare' changes nothing"), std::string::npos);
    EXPECT_EQ(s.method, SensitivityMethod::along_the_run);
}

constexpr const char* ball = R"(
format = 1
[parameters]
h = "1 m"
e = 0.8
g = "9.81 m/s^2"
R = "0.1 m"
[body.ball]
position = [0, "h + R"]
mass = "1 kg"
inertia = "4e-3 kg m^2"
[profile.floor]
body = "ground"
elements = [{ type = "line", from = ["1 m", 0], to = ["-1 m", 0] }]
[profile.ball]
body = "ball"
elements = [{ type = "circle", radius = "R" }]
[contact.C]
a = "floor"
b = "ball"
restitution = "e"
[force.weight]
type = "gravity"
acceleration = [0, "-g"]
[run]
analysis = "dynamics"
end = "5 s"
step = "20 ms"
)";

// t_n = sqrt(2h/g) (1 + 2 (e + ... + e^(n-1))); at rest from sqrt(2h/g) (1 + e) / (1 - e).
TEST(Sensitivity, impacts_of_a_bouncing_ball_and_its_rest_move_as_their_closed_forms) {
    const Sensitivity s = of(ball, {"t@impact:C#1:1", "t@impact:C#1:6", "t@impact:C#1:20",
                                    "t@contact_formed:C#1", "impulse@impact:C#1:3", "ball.y@1 s"});
    const double e = 0.8, t1 = std::sqrt(2 / 9.81);
    const int n[] = {1, 6, 20};
    for (std::size_t r = 0; r < 3; ++r) {
        double sum = 1, slope = 0;
        for (int i = 1; i < n[r]; ++i) {
            sum += 2 * std::pow(e, i);
            slope += 2 * i * std::pow(e, i - 1);
        }
        EXPECT_NEAR(derivative(s, r, "h"), t1 * sum / 2, 1e-9);
        EXPECT_NEAR(derivative(s, r, "g"), -t1 * sum / 19.62, 1e-10);
        EXPECT_NEAR(derivative(s, r, "e"), t1 * slope, 1e-8);
        EXPECT_NEAR(derivative(s, r, "R"), 0, 1e-9);
    }
    const double rest = t1 * (1 + e) / (1 - e);
    // By the intervals of the last impacts, 1e-5 s: known to 1e-10 of them.
    EXPECT_NEAR(derivative(s, 3, "h"), rest / 2, 1e-8);
    EXPECT_NEAR(derivative(s, 3, "g"), -rest / 19.62, 1e-9);
    EXPECT_NEAR(derivative(s, 3, "e"), t1 * 2 / ((1 - e) * (1 - e)), 1e-8);
    // m (1 + e) e^2 sqrt(2 g h)
    const double arrival = std::sqrt(2 * 9.81);
    EXPECT_NEAR(derivative(s, 4, "e"), (2 * e + 3 * e * e) * arrival, 1e-8);
    // In the first flight: R + v s - g s^2/2, v = e sqrt(2 g h), s = t - t1.
    const double since = 1 - t1, v = e * arrival;
    EXPECT_NEAR(derivative(s, 5, "R"), 1, 1e-9);
    EXPECT_NEAR(derivative(s, 5, "e"), arrival * since, 1e-8);
    EXPECT_NEAR(derivative(s, 5, "h"), v / 2 * since - (v - 9.81 * since) * t1 / 2, 1e-8);
}

// The errors that are told are no smaller than those that are made, nor a million times as large.
TEST(Sensitivity, its_error_estimate_holds_for_a_bouncing_ball) {
    const Sensitivity s = of(ball, {"t@impact:C#1:6"}, {"h", "g"});
    double sum = 1;
    for (int i = 1; i < 6; ++i) sum += 2 * std::pow(0.8, i);
    const double t = std::sqrt(2 / 9.81) * sum;
    const double exact[] = {t / 2, -t / 19.62};
    for (std::size_t p = 0; p < 2; ++p) {
        const Derivative& d = s.derivatives[0][p];
        EXPECT_LE(std::abs(d.value - exact[p]), 10 * d.error);
        EXPECT_LT(d.error, 1e-8 * std::abs(exact[p]));
    }
}

// N = m g + k x + m x'' with x = r sin(w t) vanishes where sin(w t) = m g / (r (m w^2 - k)).
TEST(Sensitivity, lift_off_from_a_cam_moves_with_speed_stiffness_and_mass_as_its_closed_form) {
    const Sensitivity s = of(R"(
format = 1
[parameters]
w = "40 rad/s"
k = "500 N/m"
m = "0.5 kg"
r = "20 mm"
[body.cam]
mass = "1 kg"
inertia = "1e-3 kg m^2"
[body.follower]
position = [0, "50 mm"]
mass = "m"
[profile.disk]
body = "cam"
elements = [{ type = "circle", centre = ["r", 0], radius = "50 mm" }]
[profile.face]
body = "follower"
elements = [{ type = "line", from = ["-60 mm", 0], to = ["60 mm", 0] }]
[contact.C]
a = "disk"
b = "face"
[joint.O]
type = "revolute"
a = "ground"
b = "cam"
[joint.guide]
type = "prismatic"
a = "ground"
b = "follower"
axis = "90 deg"
[driver.motor]
type = "speed"
joint = "O"
speed = "w"
[force.weight]
type = "gravity"
[force.spring]
type = "joint_spring"
joint = "guide"
stiffness = "k"
free_value = "50 mm"
[run]
analysis = "dynamics"
end = "0.2 s"
step = "2 ms"
rtol = 1e-12
atol = 1e-12
)",
                             {"t@contact_lost:C#1:1", "t@impact:C#1:2", "follower.vy@60 ms"});
    const auto lift_off = [](double w, double k, double m, double r) {
        return std::asin(m * 9.81 / (r * (m * w * w - k))) / w;
    };
    // After it the follower swings freely about its spring; it meets the disk again where both
    // heights are equal: by Newton's method.
    const auto flight = [&](double w, double k, double m, double r, double t, bool wants_speed) {
        const double t0 = lift_off(w, k, m, r), n = std::sqrt(k / m), rest = -m * 9.81 / k;
        const double x = r * std::sin(w * t0) - rest, v = r * w * std::cos(w * t0);
        const double c = std::cos(n * (t - t0)), si = std::sin(n * (t - t0));
        return wants_speed ? v * c - n * x * si : rest + x * c + v / n * si;
    };
    const auto landing = [&](double w, double k, double m, double r) {
        double t = 0.0830539360322636;
        for (int i = 0; i < 8; ++i)
            t -= (flight(w, k, m, r, t, false) - r * std::sin(w * t)) /
                 (flight(w, k, m, r, t, true) - r * w * std::cos(w * t));
        return t;
    };
    const std::array<double, 4> at{40, 500, 0.5, 0.02};
    const char* names[] = {"w", "k", "m", "r"};
    EXPECT_NEAR(s.responses[1].value.value, landing(40, 500, 0.5, 0.02), 1e-10);
    for (std::size_t p = 0; p < 4; ++p) {
        const double off = test::slope_of(lift_off, at, p), down = test::slope_of(landing, at, p);
        const auto speed_at_60_ms = [&](double w, double k, double m, double r) {
            return flight(w, k, m, r, 0.06, true);
        };
        const double speed = test::slope_of(speed_at_60_ms, at, p);
        EXPECT_NEAR(derivative(s, 0, names[p]), off, 1e-9 * std::abs(off)) << names[p];
        EXPECT_NEAR(derivative(s, 1, names[p]), down, 1e-8 * std::abs(down)) << names[p];
        EXPECT_NEAR(derivative(s, 2, names[p]), speed, 1e-8 * std::abs(speed)) << names[p];
    }
}

// F sin(2 pi t) = mu g cos a - g sin a where it slips (m = 1 kg); it turns where the impulse since
// then is used up.
TEST(Sensitivity, slip_and_reversal_on_an_incline_move_with_friction_as_their_closed_forms) {
    const Sensitivity s = of(R"(
format = 1
[parameters]
slope = "10 deg"
mu = 0.3
F = "5 N"
[body.block]
angle = "-slope"
mass = "1 kg"
[joint.plane]
type = "prismatic"
a = "ground"
b = "block"
axis = "-slope"
friction = { kinetic = "mu" }
[force.weight]
type = "gravity"
[force.push]
type = "joint_force"
joint = "plane"
value = 'F*sin(2*pi*t)'
[run]
analysis = "dynamics"
rtol = 1e-12
atol = 1e-12
end = "2 s"
step = "10 ms"
)",
                             {"t@slip:plane", "t@slip_reversal:plane", "t@slip:plane:2"});
    const auto slip = [](double a, double mu, double f) {
        return std::asin(9.81 * (mu * std::cos(a) - std::sin(a)) / f) / (2 * M_PI);
    };
    const auto reversal = [&](double a, double mu, double f) {
        const double t0 = slip(a, mu, f), w = 2 * M_PI;
        const double hold = 9.81 * (mu * std::cos(a) - std::sin(a));
        double t = 0.737479803;
        for (int i = 0; i < 8; ++i)
            t -= (f / w * (std::cos(w * t0) - std::cos(w * t)) - hold * (t - t0)) /
                 (f * std::sin(w * t) - hold);
        return t;
    };
    const std::array<double, 3> at{M_PI / 18, 0.3, 5};
    const char* names[] = {"slope", "mu", "F"};
    for (std::size_t p = 0; p < 3; ++p) {
        const double first = test::slope_of(slip, at, p), turn = test::slope_of(reversal, at, p);
        EXPECT_NEAR(derivative(s, 0, names[p]), first, 1e-9) << names[p];
        EXPECT_NEAR(derivative(s, 1, names[p]), turn, 1e-8) << names[p];
        EXPECT_NEAR(derivative(s, 2, names[p]), first, 1e-8) << names[p];  // a period later
    }
}

// The angle of the rocker by the cosine theorem, at a crank angle of 60 deg + w t; d is the base.
TEST(Sensitivity, four_bar_in_kinematics_moves_with_its_lengths_as_its_closed_form) {
    const Sensitivity s = of(R"(
format = 1
[parameters]
a = "100 mm"
b = "400 mm"
c = "300 mm"
d = "400 mm"
w = "6 rad/s"
[body.ground.points]
D = ["d", 0]
[body.crank]
angle = "60 deg"
points = { A = ["a", 0] }
[body.coupler]
angle = "15 deg"
points = { B = ["b", 0] }
[body.rocker]
angle = "80 deg"
points = { B = ["c", 0] }
[joint.O]
type = "revolute"
a = "ground"
b = "crank"
[joint.A]
type = "revolute"
a = "crank.A"
b = "coupler"
[joint.B]
type = "revolute"
a = "coupler.B"
b = "rocker.B"
[joint.D]
type = "revolute"
a = "ground.D"
b = "rocker"
[driver.motor]
joint = "O"
type = "speed"
speed = "w"
[run]
analysis = "kinematics"
end = "1 s"
step = "10 ms"
)",
                             {"rocker.angle@0.5 s", "rocker.omega@0.5 s"});
    EXPECT_EQ(s.method, SensitivityMethod::differences_of_runs);
    const auto angle_at = [](double t) {
        return [t](double a, double b, double c, double d, double w) {
            const double crank = M_PI / 3 + w * t;
            const double x = a * std::cos(crank) - d, y = a * std::sin(crank);
            const double f = std::hypot(x, y);
            return std::atan2(y, x) - std::acos((f * f + c * c - b * b) / (2 * f * c));
        };
    };
    // By the time, of order 4 over 1 ms: good to 1e-11.
    const auto speed = [&](double a, double b, double c, double d, double w) {
        const double h = 1e-3;
        const auto at = [&](double t) { return angle_at(0.5 + t)(a, b, c, d, w); };
        return (8 * (at(h) - at(-h)) - at(2 * h) + at(-2 * h)) / (12 * h);
    };
    const std::array<double, 5> at{0.1, 0.4, 0.3, 0.4, 6};
    const char* names[] = {"a", "b", "c", "d", "w"};
    for (std::size_t p = 0; p < 5; ++p) {
        const double angle = test::slope_of(angle_at(0.5), at, p);
        EXPECT_NEAR(derivative(s, 0, names[p]), angle, 1e-9 * (1 + std::abs(angle))) << names[p];
        EXPECT_LT(test::derivative(s, 0, names[p]).error, 1e-9 * (1 + std::abs(angle)));
        EXPECT_NEAR(derivative(s, 1, names[p]), test::slope_of(speed, at, p), 1e-7) << names[p];
    }
}

// y = -L - m g / k.
TEST(Sensitivity, a_hanging_mass_in_statics_moves_with_stiffness_and_mass_as_its_closed_form) {
    const Sensitivity s = of(R"(
format = 1
[parameters]
k = "200 N/m"
m = "3 kg"
L = "0.4 m"
[body.mass]
position = [0, "-L - 0.1 m"]
mass = "m"
inertia = "0.01 kg m^2"
[joint.guide]
type = "prismatic"
a = "ground"
b = "mass"
axis = "90 deg"
[force.spring]
type = "spring"
a = "ground"
b = "mass"
stiffness = "k"
free_length = "L"
[force.weight]
type = "gravity"
[run]
analysis = "statics"
)",
                             {"mass.y"});
    const double k = derivative(s, 0, "k"), expected = 3 * 9.81 / 200 / 200;
    EXPECT_NEAR(k, expected, 1e-9 * expected);
    EXPECT_NEAR(derivative(s, 0, "m"), -9.81 / 200, 1e-9);
    EXPECT_NEAR(derivative(s, 0, "L"), -1, 1e-9);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
