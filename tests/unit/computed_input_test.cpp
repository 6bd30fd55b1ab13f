// Inputs that a program computes: forces as functions, beside the same force as an expression.
#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "pawl.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// A mass on a nonlinear spring with a damper, pushed in time; it strikes a wall at 0.32 m.
std::string model_text(const std::string& push, const std::string& integrator = "dop853") {
    return R"toml(format = 1
inputs.push = "0 N"
parameters.k = "40 N/m"
body.m = { mass = "k/(40 N/m)*(1 kg)", inertia = 1, position = [0.3, 0] }
joint.G = { type = "prismatic", a = "ground", b = "m" }
measure.x = { type = "joint", joint = "G", unit = "mm" }
profile.wall = { body = "ground", elements = [{ type = "line", from = [0.32, 1], to = [0.32, -1] }] }
profile.nose = { body = "m", elements = [{ type = "circle", radius = 0.01 }] }
contact.C = { a = "wall", b = "nose", restitution = 0.6 }
force.F = { type = "joint_force", joint = "G", value = ")toml" +
           push + R"toml(" }
run = { analysis = "dynamics", end = 4, step = 0.01, rtol = 1e-11, atol = 1e-11, integrator = ")toml" +
           integrator + "\" }\n";
}

const std::string expression = "-40*x*(1 + 3*x^2) - 0.3*x.rate + 8*sin(5*t)";
double force(std::span<const double> a) {
    const double t = a[0], x = a[1], rate = a[2];
    return -40 * x * (1 + 3 * x * x) - 0.3 * rate + 8 * std::sin(5 * t);
}

Model read(const std::string& text) {
    Diagnostics problems;
    const auto model = Model::read(text, problems);
    EXPECT_TRUE(model) << problems.text();
    return *model;
}

Model with_force(const Model& model, InputFunction function = force) {
    Diagnostics problems;
    const auto made =
        model.with_function("push", {"t", "x", "x.rate"}, std::move(function), problems);
    EXPECT_TRUE(made) << problems.text();
    return *made;
}

class ComputedInput : public testing::TestWithParam<const char*> {};

TEST_P(ComputedInput, moves_as_the_expression_does) {
    const Result by_text = read(model_text(expression, GetParam())).dynamics(),
                 by_function = with_force(read(model_text("push", GetParam()))).dynamics();
    ASSERT_TRUE(by_text.is_complete()) << by_text.message();
    ASSERT_TRUE(by_function.is_complete()) << by_function.message();
    EXPECT_TRUE(by_function.audit().passed());
    EXPECT_GE(by_text.events().size(), 2u);
    ASSERT_EQ(by_text.events().size(), by_function.events().size());
    for (std::size_t i = 0; i < by_text.events().size(); ++i)
        EXPECT_NEAR(by_text.events()[i].t, by_function.events()[i].t, 1e-9);
    ASSERT_EQ(by_text.rows(), by_function.rows());
    const auto a = by_text.column("m.x"), b = by_function.column("m.x");
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-9) << i;
}

TEST_P(ComputedInput, what_is_thrown_ends_the_run) {
    const Model model = with_force(read(model_text("push", GetParam())), [](auto a) {
        if (a[0] > 1) throw std::runtime_error("out of fuel");
        return force(a);
    });
    EXPECT_THROW(model.dynamics(), std::runtime_error);
    Simulation simulation(model);
    EXPECT_THROW(simulation.advance_to(2), std::runtime_error);
    EXPECT_NEAR(simulation.time(), 1, 0.3);
    simulation.reset();  // and can begin again
    EXPECT_TRUE(simulation.advance_to(0.5));
}

INSTANTIATE_TEST_SUITE_P(Integrators, ComputedInput, testing::Values("dop853", "stiff"),
                         [](const auto& info) { return std::string(info.param); });

TEST(ComputedInputs, the_audit_says_what_it_cannot_see) {
    const Model model = read(model_text("push"));
    EXPECT_TRUE(model.dynamics().audit().remarks.empty());
    const Result result = with_force(model).dynamics();
    ASSERT_EQ(result.audit().remarks.size(), 1u);
    EXPECT_NE(result.audit().remarks[0].find("'push'"), std::string::npos);
    EXPECT_NE(result.summary().find("are not located"), std::string::npos);
}

TEST(ComputedInputs, stay_when_other_values_change) {
    Diagnostics problems;
    const auto changed = with_force(read(model_text("push"))).with({{"k", "80 N/m"}}, problems);
    ASSERT_TRUE(changed) << problems.text();
    const auto by_text = read(model_text(expression)).with({{"k", "80 N/m"}}, problems);
    EXPECT_NEAR(changed->dynamics().column("m.x").back(), by_text->dynamics().column("m.x").back(),
                1e-9);
}

TEST(ComputedInputs, stay_when_a_parameter_changes_on_the_way) {
    std::string text = model_text("push + 0*k*(1 m)");
    text.replace(text.find("\"k/(40 N/m)*(1 kg)\""), 19, "1");
    Diagnostics problems;
    Simulation simulation(with_force(read(text)));
    ASSERT_TRUE(simulation.advance_to(1));
    ASSERT_TRUE(simulation.set("k", "50 N/m", problems)) << problems.text();
    EXPECT_FALSE(simulation.set("push", 3, problems));
    EXPECT_NE(problems.text().find("cannot be set"), std::string::npos);
    while (simulation.step()) {
    }
    EXPECT_NEAR(simulation.finish().column("m.x").back(),
                read(model_text(expression)).dynamics().column("m.x").back(), 1e-7);
}

TEST(ComputedInputs, a_value_that_is_not_finite_ends_the_run_with_its_reason) {
    const Result result = with_force(read(model_text("push")), [](auto a) {
                              return a[0] > 1 ? std::nan("") : force(a);
                          }).dynamics();
    EXPECT_FALSE(result.is_complete());
    EXPECT_FALSE(result.message().empty());
    EXPECT_NEAR(result.column("t").back(), 1, 0.02);
}

TEST(ComputedInputs, a_function_with_a_memory_is_refused) {
    double sum = 0;
    const Model model = with_force(read(model_text("push")), [&sum](auto a) {
        sum += 1e-3 * a[1];
        return force(a) - sum;
    });
    try {
        (void)model.dynamics();
        FAIL() << "it was not seen";
    } catch (const std::runtime_error& e) {
        EXPECT_NE(std::string(e.what()).find("for the same arguments"), std::string::npos);
    }
}

TEST(ComputedInputs, names_that_are_none_are_reported) {
    Diagnostics problems;
    const Model model = read(model_text("push"));
    EXPECT_FALSE(model.with_function("pus", {}, force, problems));
    EXPECT_NE(problems.text().find("did you mean 'push'"), std::string::npos) << problems.text();
    EXPECT_FALSE(model.with_function("push", {"x.rat"}, force, problems));
    EXPECT_NE(problems.text().find("did you mean 'x.rate'"), std::string::npos) << problems.text();
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
