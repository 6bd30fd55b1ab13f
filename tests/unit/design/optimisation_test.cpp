// Optimisation of the example models against closed forms, and what is said of designs that cannot
// be improved.
#include "design/optimisation.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "model_file/reference/embedded_models.h"

namespace pawl {
namespace PAWL_TEST_FILE {

std::string embedded(std::string_view name) {
    for (const EmbeddedModel& m : embedded_models())
        if (m.name == name) return std::string(m.text);
    return "";
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const auto at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

std::optional<DesignProblem> problem_of(const std::string& text, Diagnostics& problems) {
    const auto model = Model::read(text, problems);
    if (!model) return std::nullopt;
    return DesignProblem::read(*model, problems);
}

struct Outcome {
    DesignProblem problem;
    OptimisationResult result;
    [[nodiscard]] double value(std::string_view name) const {
        for (std::size_t i = 0; i < problem.variables().size(); ++i)
            if (problem.variables()[i].name == name) return result.values[i];
        return NAN;
    }
};

Outcome optimised(const std::string& text, const OptimisationOptions& options = {}) {
    Diagnostics problems;
    auto problem = problem_of(text, problems);
    if (!problem) throw std::runtime_error(problems.text());
    auto result = optimise(*problem, options, problems);
    if (!result) throw std::runtime_error(problems.text());
    return {std::move(*problem), std::move(*result)};
}

std::string error_of(const std::string& text) {
    Diagnostics problems;
    const auto problem = problem_of(text, problems);
    if (problem) optimise(*problem, {}, problems);
    return problems.text();
}

// k = (m e w^2 - m g - preload + least) / (2 e), with the preload at its greatest.
TEST(Optimisation, softest_cam_spring_is_that_of_the_formula) {
    const Outcome o = optimised(embedded("cam_spring"));
    const double w = 100 * std::numbers::pi;
    const double k = (0.3 * 0.005 * w * w - 0.3 * 9.81 - 100 + 20) / 0.01;
    EXPECT_TRUE(o.result.feasible);
    EXPECT_NEAR(1000 * o.value("stiffness"), k, 1e-3);  // from N/mm
    EXPECT_NEAR(o.value("preload"), 100, 1e-6);
    ASSERT_EQ(o.result.active.size(), 2u);
    EXPECT_EQ(o.result.active[0].name, "min:C#1.normal >= least");
    EXPECT_EQ(o.result.active[1].name, "preload at its maximum");
    EXPECT_GT(o.result.active[0].multiplier, 0);
    EXPECT_GT(o.result.active[1].multiplier, 0);
    EXPECT_LT(o.result.residual.value(), 1e-6);
    EXPECT_NEAR(o.result.objective, o.value("stiffness"), 1e-9);  // N/mm
}

// The pull at the edge of the notch is (preload + k lift) tan(flank).
TEST(Optimisation, latch_is_brought_to_its_release_force) {
    const Outcome o = optimised(embedded("latch_release"));
    ASSERT_TRUE(o.result.feasible);
    EXPECT_NEAR(o.result.constraints[0], 25, 25e-3);
    // In the units of the model's text: deg and N/mm.
    const double a = o.value("flank") * std::numbers::pi / 180, k = 1000 * o.value("stiffness");
    EXPECT_NEAR((20 + k * (6e-3 - 4e-3 * (1 - std::cos(a)))) * std::tan(a), 25, 1e-4);
    EXPECT_LT(o.result.residual.value(), 1e-4);
}

TEST(Optimisation, improved_model_keeps_its_comments_and_has_the_values) {
    const Outcome o = optimised(embedded("cam_spring"));
    Diagnostics problems;
    const std::string text = o.problem.model_text(o.result.x, problems);
    EXPECT_NE(text.find("# the cam has to press with at least this"), std::string::npos);
    const auto again = problem_of(text, problems);
    ASSERT_TRUE(again) << problems.text();
    EXPECT_NEAR(again->variables()[0].start, o.value("stiffness"), 1e-12);
    EXPECT_EQ(again->variables()[0].unit, "N/mm");
    EXPECT_EQ(again->variables()[0].min, o.problem.variables()[0].min);
    const std::string table = history_table(o.problem, o.result);
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'),
              static_cast<long>(o.result.history.size()) + 1);
}

TEST(Optimisation, variables_have_the_units_that_the_model_writes) {
    Diagnostics problems;
    const auto problem = problem_of(embedded("latch_release"), problems);
    ASSERT_TRUE(problem) << problems.text();
    const auto& flank = problem->variables()[1];
    EXPECT_EQ(flank.unit, "deg");
    EXPECT_EQ(flank.start, 40);
    EXPECT_EQ(flank.min, 25);
    EXPECT_EQ(problem->values(problem->start())[1].second, "40 deg");
}

TEST(Optimisation, methods_and_starts_agree_whatever_the_number_of_threads) {
    const std::string text = embedded("cam_spring");
    OptimisationOptions options;
    const double slsqp = optimised(text, options).result.objective;
    options.method = OptimisationMethod::mma;
    EXPECT_NEAR(optimised(text, options).result.objective, slsqp, 1e-4 * slsqp);
    options.method = OptimisationMethod::crs;
    EXPECT_NEAR(optimised(text, options).result.objective, slsqp, 1e-4 * slsqp);
    options.method = OptimisationMethod::slsqp;
    options.starts = 4;
    options.threads = 1;
    const Outcome one = optimised(text, options);
    options.threads = 3;
    const Outcome three = optimised(text, options);
    EXPECT_EQ(history_table(one.problem, one.result), history_table(three.problem, three.result));
    EXPECT_NEAR(one.result.objective, slsqp, 1e-6 * slsqp);
}

TEST(Optimisation, a_stop_keeps_the_best_so_far) {
    OptimisationOptions options;
    options.progress = [](long run, std::optional<double>) { return run < 4; };
    const Outcome o = optimised(embedded("cam_spring"), options);
    EXPECT_EQ(o.result.status, "stopped");
    EXPECT_TRUE(o.result.feasible);
    EXPECT_LE(o.result.objective, o.result.first_objective);
}

// Central differences of a quadratic are exact; here the rms of a reaction, against a fourth-order
// difference with another step.
TEST(Optimisation, gradients_agree_with_differences_of_another_step) {
    Diagnostics problems;
    const auto problem = problem_of(embedded("crank_balance"), problems);
    ASSERT_TRUE(problem) << problems.text();
    const std::vector<double> x{0.3, 0.4};
    const DesignGradient g = problem->gradient(x, 2);
    ASSERT_TRUE(g.valid) << g.message;
    const auto at = [&](std::size_t i, double h) {
        std::vector<double> moved = x;
        moved[i] += h;
        return problem->run(moved).objective;
    };
    for (std::size_t i = 0; i < 2; ++i) {
        const double h = 4e-3;
        const double d = (8 * (at(i, h) - at(i, -h)) - (at(i, 2 * h) - at(i, -2 * h))) / (12 * h);
        EXPECT_NEAR(g.objective[i], d, 1e-6 * std::abs(d) + 1e-9);
    }
}

// t3 = sqrt(2 h / g) (1 + 2 e + 2 e^2); the fastest way up is e sqrt(2 g h), after the first
// impact.
TEST(Optimisation, gradients_of_dynamic_runs_are_taken_along_them) {
    const std::string text = R"(
format = 1
[parameters]
h = { value = "0.8 m", min = "0.5 m", max = "2.5 m" }
rate = "3 m/s"
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
restitution = 0.8
[force.weight]
type = "gravity"
[design]
variables = ["h"]
constraints = ["t@impact:C#1:3 == 1.7 s", "max:ball.vy <= 2/(1 m)*rate*h"]
[run]
analysis = "dynamics"
end = "3 s"
step = "10 ms"
)";
    Diagnostics problems;
    const auto problem = problem_of(text, problems);
    ASSERT_TRUE(problem) << problems.text();
    const DesignGradient g = problem->gradient({0.15}, 1);  // h = 0.8 m
    ASSERT_TRUE(g.valid) << g.message;
    EXPECT_EQ(g.source, GradientSource::exact);
    const double e = 0.8, h = 0.8, flights = 1 + 2 * e + 2 * e * e, range = 2;
    const auto& c = problem->constraints();
    const double third = flights * std::sqrt(2 / 9.81) / 2 / std::sqrt(h);
    const double fastest = e * std::sqrt(2 * 9.81) / 2 / std::sqrt(h);
    EXPECT_NEAR(g.constraints[0][0], third * range / c[0].scale, 1e-8);
    EXPECT_NEAR(g.constraints[1][0], (fastest - 6) * range / c[1].scale, 1e-7);
    const auto result = optimise(*problem, {}, problems);
    ASSERT_TRUE(result) << problems.text();
    EXPECT_EQ(result->gradient, GradientSource::exact);
    EXPECT_NEAR(result->values[0], 9.81 / 2 * std::pow(1.7 / flights, 2), 1e-7);
}

TEST(Optimisation, four_bar_and_crank_end_at_points_that_satisfy_the_optimality_conditions) {
    for (const char* name : {"fourbar_torque", "crank_balance"}) {
        const Outcome o = optimised(embedded(name));
        EXPECT_TRUE(o.result.feasible) << name;
        EXPECT_LT(o.result.objective, 0.8 * o.result.first_objective) << name;
        ASSERT_TRUE(o.result.residual) << name;
        EXPECT_LT(*o.result.residual, 1e-3) << name;
    }
}

// A ball thrown at 9 m/s; from the height of its radius it flies u^2 sin(2 a)/g.
std::string thrown(const std::string& angle, const std::string& design) {
    return "format = 1\n[parameters]\nu = \"9 m/s\"\na = " + angle + R"toml(
[body.b]
position = [0, 0.1]
velocity = ["u*cos(a)", "u*sin(a)"]
mass = 1
inertia = 1
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [50, 0], to = [-50, 0] }]
[profile.ball]
body = "b"
elements = [{ type = "circle", radius = 0.1 }]
[contact.C]
a = "floor"
b = "ball"
[force.weight]
type = "gravity"
[response.range]
value = "b.x+@impact:C#1:1"
[response.h]
value = "max:b.y"
[run]
analysis = "dynamics"
end = "2.2 s"
[design]
variables = ["a"]
maximise = "range"
)toml" + design;
}

TEST(Optimisation, gradients_along_a_run_hold_in_the_unit_of_the_variable) {
    const std::string degrees = R"({ value = "20 deg", min = "5 deg", max = "85 deg" })",
                      radians = R"({ value = "0.35 rad", min = "0.09 rad", max = "1.48 rad" })";
    for (const bool in_degrees : {true, false}) {
        const double unit = in_degrees ? std::numbers::pi / 180 : 1;
        const Outcome free = optimised(thrown(in_degrees ? degrees : radians, ""));
        EXPECT_EQ(free.result.gradient, GradientSource::exact);
        EXPECT_EQ(free.result.status, "converged");
        EXPECT_NEAR(free.value("a") * unit, std::numbers::pi / 4, 1e-5);
        EXPECT_NEAR(free.result.objective, 81 / 9.81, 1e-8);
        // At most 1 m above the start: sin a = sqrt(2 g 1 m)/u.
        const Outcome low =
            optimised(thrown(in_degrees ? degrees : radians, "constraints = [\"h <= 1.1 m\"]\n"));
        EXPECT_NEAR(std::sin(low.value("a") * unit), std::sqrt(2 * 9.81) / 9, 1e-6);
        ASSERT_EQ(low.result.active.size(), 1U);
        // The gain of the range where the height may be larger, dR/dh = 4/tan 2a, both scaled.
        EXPECT_NEAR(low.result.active[0].multiplier,
                    4 / std::tan(2 * low.value("a") * unit) * 1.1 / low.result.first_objective,
                    1e-5);
    }
}

TEST(Optimisation, residual_of_an_optimum_inside_the_bounds_is_near_zero) {
    const Outcome o =
        optimised(thrown(R"({ value = "20 deg", min = "5 deg", max = "85 deg" })", ""));
    EXPECT_TRUE(o.result.active.empty());
    EXPECT_LT(o.result.residual.value(), 1e-5);
    // Far from it, it is the slope over the steepest one on the way: here that of the start.
    OptimisationOptions options;
    options.evaluations = 1;
    const Outcome early =
        optimised(thrown(R"({ value = "20 deg", min = "5 deg", max = "85 deg" })", ""), options);
    EXPECT_EQ(early.result.status, "run limit");
    EXPECT_GT(early.result.residual.value(), 0.9);
}

// A function of two parameters alone.
std::string function_of(const std::string& text, const std::string& start,
                        const std::string& design) {
    return "format = 1\n[parameters]\n" + start + R"([body.b]
mass = 1
inertia = 1
[joint.g]
type = "revolute"
a = "ground"
b = "b"
[driver.d]
joint = "g"
type = "speed"
speed = 1
[measure.f]
type = "expression"
value = ")" +
           text + R"("
[measure.c]
type = "expression"
value = "x + 2*y"
[run]
analysis = "kinematics"
end = "0.1 s"
step = "0.1 s"
[design]
variables = ["x", "y"]
)" + design;
}

TEST(Optimisation, no_method_stops_away_from_the_optimum_of_a_steep_objective) {
    const std::string text = function_of("x*y",
                                         "x = { value = 0.1, min = 0, max = 10 }\n"
                                         "y = { value = 0.1, min = 0, max = 10 }\n",
                                         "maximise = \"f\"\nconstraints = [\"c <= 4\"]\n");
    for (const auto method : {OptimisationMethod::slsqp, OptimisationMethod::crs}) {
        OptimisationOptions options;
        options.method = method;
        const Outcome o = optimised(text, options);
        EXPECT_TRUE(o.result.feasible);
        EXPECT_NEAR(o.result.objective, 2, 5e-6) << value_name(method);
        EXPECT_NEAR(o.value("x"), 2, 1e-3) << value_name(method);
    }
}

// Rastrigin's function has a local minimum in every square; the search of the bounds has to go on
// until its points have gathered.
TEST(Optimisation, random_search_uses_its_runs) {
    OptimisationOptions options;
    options.method = OptimisationMethod::crs;
    options.evaluations = 5000;
    const Outcome o =
        optimised(function_of("20 + (x-1)^2 - 10*cos(2*pi*(x-1)) + (y+2)^2 - 10*cos(2*pi*(y+2))",
                              "x = { value = 3.7, min = -5, max = 5 }\n"
                              "y = { value = -4.2, min = -5, max = 5 }\n",
                              "minimise = \"f\"\n"),
                  options);
    EXPECT_NEAR(o.result.objective, 0, 1e-9);
    EXPECT_NEAR(o.value("x"), 1, 1e-5);
    EXPECT_LT(o.result.history.size(), 5000U);
    EXPECT_LT(o.result.residual.value(), 1e-5);
}

TEST(Optimisation, a_stop_between_several_starts_is_a_stop) {
    OptimisationOptions options;
    options.starts = 3;
    options.threads = 1;
    const auto first = optimised(embedded("cam_spring")).result.history.size();
    options.progress = [&](long run, std::optional<double>) {
        return run <= static_cast<long>(first);
    };
    const Outcome o = optimised(embedded("cam_spring"), options);
    EXPECT_EQ(o.result.status, "stopped");
    EXPECT_TRUE(o.result.feasible);
}

TEST(Optimisation, bad_designs_are_reported_with_their_place) {
    const std::string text = embedded("cam_spring");
    EXPECT_NE(error_of(replaced(text, "minimise = \"softness\"", "minimise = \"softnes\""))
                  .find("did you mean 'softness'"),
              std::string::npos);
    EXPECT_NE(error_of(replaced(text, "[\"stiffness\", \"preload\"]", "[\"stifness\"]"))
                  .find("there is no parameter 'stifness'; did you mean 'stiffness'"),
              std::string::npos);
    EXPECT_NE(error_of(replaced(text, "[\"stiffness\", \"preload\"]", "[\"radius\"]"))
                  .find("parameter 'radius' needs bounds"),
              std::string::npos);
    EXPECT_NE(error_of(replaced(text, ">= least", "least")).find("expected RESPONSE <= VALUE"),
              std::string::npos);
    EXPECT_NE(error_of(replaced(text, ">= least", ">= 3 mm")).find("the bound is a length"),
              std::string::npos);
    EXPECT_NE(error_of(replaced(text, "minimise = \"softness\"", "minimise = \"max:cam.omega\""))
                  .find("does not depend on any variable"),
              std::string::npos);
    EXPECT_NE(error_of(embedded("pendulum")).find("has no table [design]"), std::string::npos);
}

TEST(Optimisation, a_variable_that_changes_nothing_is_named) {
    std::string text = embedded("cam_spring");
    text = replaced(text, "radius = \"25 mm\"",
                    "radius = \"25 mm\"\nidle = { value = 1, min = 0, max = 2 }");
    text = replaced(text, "\"preload\"]", "\"preload\", \"idle\"]");
    const Outcome o = optimised(text);
    ASSERT_EQ(o.result.warnings.size(), 1u);
    EXPECT_NE(o.result.warnings[0].find("variable 'idle' changes neither"), std::string::npos);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
