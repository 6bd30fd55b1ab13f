// The errors that derivatives are said to have, where they are not those of smooth steps: kinks of
// friction, limits of impacts.
#include <array>

#include <gtest/gtest.h>

#include "support/runs.h"
#include "support/sensitivities.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// A block slides in a guide that a turning force presses to either side:
//   v = v0 - mu F/m I(t),  I = int |cos(2 pi t + p)| dt,
// with kinks of the friction where the cosine vanishes, twice in a second.
constexpr const char* pressed = R"--(
format = 1
[parameters]
mu = 0.3
F = "10 N"
p = "0.4 rad"
[body.block]
mass = "1 kg"
velocity = ["5 m/s", 0]
[joint.way]
type = "prismatic"
a = "ground"
b = "block"
axis = 0
friction = { kinetic = "mu" }
[force.across]
type = "force"
point = "block"
y = "F*cos(2*pi*t + p)"
[measure.way]
type = "joint"
joint = "way"
[run]
analysis = "dynamics"
end = "0.9 s"
step = "0.1 s"
rtol = 1e-8
atol = 1e-8
)--";

// Of |cos|: sin, with 2 more for each zero that has been passed.
double integral(double from, double to) {
    const auto whole = [](double x) {
        const double turns = std::floor((x + M_PI / 2) / M_PI);
        return 2 * turns + (std::fmod(turns, 2) == 0 ? 1 : -1) * std::sin(x);
    };
    return whole(to) - whole(from);
}

TEST(ErrorEstimate, friction_of_a_load_that_turns_round_has_its_kinks_at_ends_of_steps) {
    const Model model = test::model_from(pressed);
    const double from = 0.4, to = 0.4 + 2 * M_PI * 0.9, w = 2 * M_PI;
    const double way = integral(from, to) / w;
    const Result run = model.dynamics();
    ASSERT_TRUE(run.is_complete()) << run.message();
    // Nothing happens that the result would show.
    EXPECT_TRUE(run.events().empty());
    EXPECT_EQ(run.rows(), 10U);
    const Sensitivity s = test::sensitivity_of(model, {"way.rate"});
    EXPECT_NEAR(s.responses[0].value.value, 5 - 3 * way, 1e-8);
    const std::array<double, 3> exact{-10 * way, -0.3 * way,
                                      -3 * (std::abs(std::cos(to)) - std::abs(std::cos(from))) / w};
    const char* names[] = {"mu", "F", "p"};
    for (std::size_t k = 0; k < 3; ++k) {
        const Derivative& d = test::derivative(s, 0, names[k]);
        EXPECT_NEAR(d.value, exact[k], 1e-8) << names[k];
        EXPECT_LE(std::abs(d.value - exact[k]), d.error + 1e-9) << names[k];
    }
}

// Each impact of a ball whose restitution grows as it slows down has another ratio than the one
// before; the end is an extrapolation with the last of them.
TEST(ErrorEstimate, of_the_end_of_impacts_whose_ratio_has_not_settled_holds) {
    const auto end_of = [](const char* e, bool differences) {
        const Model model = test::model_from(std::string(R"(
format = 1
[parameters]
h = "1 m"
scale = "1 m/s"
[body.ball]
position = [0, "h + 0.1 m"]
mass = "1 kg"
inertia = "4e-3 kg m^2"
[profile.floor]
body = "ground"
elements = [{ type = "line", from = ["1 m", 0], to = ["-1 m", 0] }]
[profile.ball]
body = "ball"
elements = [{ type = "circle", radius = "0.1 m" }]
[contact.C]
a = "floor"
b = "ball"
restitution = )") + e + R"(
[force.weight]
type = "gravity"
[run]
analysis = "dynamics"
end = "9 s"
step = "20 ms"
rtol = 1e-12
atol = 1e-12
)");
        SensitivityOptions options;
        options.responses = {"t@contact_formed:C#1"};
        options.threads = 1;
        options.differences = differences;
        Diagnostics problems;
        const auto found = model.sensitivity(options, problems);
        if (!found) throw std::runtime_error(problems.text());
        return *found;
    };
    const char* slowly = "\"0.7 + 0.2*exp(-v/scale)\"";
    const Sensitivity along = end_of(slowly, false), whole = end_of(slowly, true);
    for (std::size_t p = 0; p < 2; ++p) {
        const Derivative &a = along.derivatives[0][p], &b = whole.derivatives[0][p];
        EXPECT_LE(std::abs(a.value - b.value), a.error + 3 * b.error) << p;
        EXPECT_LT(a.error, 1e-3 * std::abs(a.value)) << p;
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
