// Where a derivative does not exist, and what is asked for in vain.
#include <gtest/gtest.h>

#include "support/sensitivities.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// Two balls over one floor; they know nothing of each other.
constexpr const char* two_balls = R"(
format = 1
[parameters]
first = "0.5 m"
second = "0.5 m"
g = "9.81 m/s^2"
[body.one]
position = [-1, "first + 0.1 m"]
mass = "1 kg"
inertia = "4e-3 kg m^2"
[body.two]
position = [1, "second + 0.1 m"]
mass = "2 kg"
inertia = "8e-3 kg m^2"
[profile.floor]
body = "ground"
elements = [{ type = "line", from = ["3 m", 0], to = ["-3 m", 0] }]
[profile.one]
body = "one"
elements = [{ type = "circle", radius = "0.1 m" }]
[profile.two]
body = "two"
elements = [{ type = "circle", radius = "0.1 m" }]
[contact.A]
a = "floor"
b = "one"
restitution = 0.5
[contact.B]
a = "floor"
b = "two"
restitution = 0.5
[force.weight]
type = "gravity"
acceleration = [0, "-g"]
[run]
analysis = "dynamics"
end = "0.5 s"
step = "10 ms"
)";

TEST(MissingDerivative, impacts_at_one_time_that_do_not_meet_have_derivatives_of_their_own) {
    const Sensitivity s =
        test::sensitivity_of(test::model_from(two_balls),
                             {"t@impact:A#1", "t@impact:B#1", "one.y@0.45 s", "two.y@0.45 s"});
    EXPECT_TRUE(s.missing.empty()) << s.missing.front().reason;
    const double t = std::sqrt(2 * 0.5 / 9.81), v = std::sqrt(9.81), since = 0.45 - t;
    EXPECT_NEAR(test::derivative(s, 0, "first").value, t, 1e-8);
    EXPECT_NEAR(test::derivative(s, 0, "second").value, 0, 1e-8);
    EXPECT_NEAR(test::derivative(s, 1, "second").value, t, 1e-8);
    EXPECT_NEAR(test::derivative(s, 1, "g").value, -t / 2 / 9.81, 1e-8);
    // y = R + e v s - g s^2 / 2, v = sqrt(2 g h).
    const double height = 0.5 * (v / 2 / 0.5) * since - (0.5 * v - 9.81 * since) * t;
    EXPECT_NEAR(test::derivative(s, 2, "first").value, height, 1e-7);
    EXPECT_NEAR(test::derivative(s, 2, "second").value, 0, 1e-7);
    EXPECT_NEAR(test::derivative(s, 3, "second").value, height, 1e-7);
}

// A bar that comes down flat on two posts: tilted a little, it strikes one of them first.
TEST(MissingDerivative, a_bar_that_lands_on_two_posts_at_once_has_none_by_its_tilt) {
    const Model model = test::model_from(R"(
format = 1
[parameters]
tilt = "0 deg"
drop = "0.3 m"
[body.bar]
position = [0, "drop"]
angle = "tilt"
mass = "1 kg"
inertia = "0.02 kg m^2"
[profile.post1]
body = "ground"
elements = [{ type = "circle", centre = ["-0.5 m", "-0.1 m"], radius = "0.1 m" }]
[profile.post2]
body = "ground"
elements = [{ type = "circle", centre = ["0.5 m", "-0.1 m"], radius = "0.1 m" }]
[profile.bar]
body = "bar"
elements = [{ type = "line", from = ["-1 m", 0], to = ["1 m", 0] }]
[contact.L]
a = "post1"
b = "bar"
restitution = 0.5
[contact.R]
a = "post2"
b = "bar"
restitution = 0.5
[force.weight]
type = "gravity"
[run]
analysis = "dynamics"
end = "0.4 s"
step = "10 ms"
)");
    const Sensitivity s =
        test::sensitivity_of(model, {"bar.omega@0.2 s", "bar.y@end", "bar.omega@end"});
    // Before it everything has its derivative.
    EXPECT_NEAR(test::derivative(s, 0, "tilt").value, 0, 1e-9);
    const Derivative& after = test::derivative(s, 2, "tilt");
    EXPECT_TRUE(std::isnan(after.value));
    EXPECT_NE(after.problem.find("does not exist: impact "), std::string::npos) << after.problem;
    ASSERT_EQ(s.missing.size(), 1u);
    EXPECT_EQ(s.missing[0].parameter, "tilt");
    EXPECT_NEAR(s.missing[0].t, std::sqrt(0.6 / 9.81), 1e-9);
    EXPECT_FALSE(s.missing[0].reason.empty());
    // By the height of the fall both are struck at once: y = e v s - g s^2/2.
    const double v = std::sqrt(2 * 9.81 * 0.3), t = v / 9.81, since = 0.4 - t;
    EXPECT_NEAR(test::derivative(s, 1, "drop").value,
                0.5 * 9.81 / v * since - (0.5 * v - 9.81 * since) / v, 1e-7);
}

// Thrown up against a ceiling that it just reaches: faster it strikes, slower it does not.
TEST(MissingDerivative, a_ball_that_grazes_the_ceiling_has_none_by_its_speed) {
    const Model model = test::model_from(R"(
format = 1
[parameters]
speed = "4 m/s"
[body.ball]
position = [0, 0]
velocity = [0, "speed"]
mass = "1 kg"
inertia = "4e-3 kg m^2"
[profile.ceiling]
body = "ground"
elements = [{ type = "line", from = ["-1 m", "0.1 m + 16/19.62*1 m"], to = ["1 m", "0.1 m + 16/19.62*1 m"] }]
[profile.ball]
body = "ball"
elements = [{ type = "circle", radius = "0.1 m" }]
[contact.C]
a = "ceiling"
b = "ball"
restitution = 0.5
[force.weight]
type = "gravity"
[run]
analysis = "dynamics"
end = "0.6 s"
step = "10 ms"
)");
    const Sensitivity s = test::sensitivity_of(model, {"ball.vy@0.2 s", "ball.vy@end"});
    EXPECT_NEAR(test::derivative(s, 0, "speed").value, 1, 1e-9);
    EXPECT_TRUE(std::isnan(test::derivative(s, 1, "speed").value));
    ASSERT_EQ(s.missing.size(), 1u);
    EXPECT_NEAR(s.missing[0].t, 4 / 9.81, 1e-6);
    EXPECT_NE(s.missing[0].event.find("C"), std::string::npos);
}

TEST(MissingDerivative, unknown_names_are_errors_that_tell_the_nearest_ones) {
    const Model model = test::model_from(two_balls);
    const auto message = [&](std::vector<std::string> responses,
                             std::vector<std::string> parameters) {
        SensitivityOptions options;
        options.responses = std::move(responses);
        options.parameters = std::move(parameters);
        Diagnostics problems;
        EXPECT_FALSE(model.sensitivity(options, problems));
        return problems.text();
    };
    EXPECT_NE(message({"one.y"}, {"frist"}).find("'first'"), std::string::npos);
    EXPECT_NE(message({"max:one.z"}, {}).find("no column 'one.z'"), std::string::npos);
    EXPECT_NE(message({}, {}).find("no [response]"), std::string::npos);
    EXPECT_NE(message({"t@impact:A#1:9"}, {}).find("number 9 is asked for"), std::string::npos);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
