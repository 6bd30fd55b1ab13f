// Profiles by formula, ellipses, and what the closed outlines of a body say of its mass.
#include <numbers>

#include <gtest/gtest.h>

#include "read_text.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using S = PlanarSpace;
constexpr double pi = std::numbers::pi;
constexpr double rounding = 1e-14;
constexpr double summed = 1e-13;  // of some hundred terms

std::string read_errors(std::string_view text) {
    Diagnostics diagnostics;
    EXPECT_FALSE(read_model(text, "test.toml", {}, diagnostics)) << text;
    return diagnostics.text();
}

CurvePoint<S> point(const ModelData& model, std::size_t element, double u) {
    return point_of<S>(model.mechanism.profiles.at(0).chain.elements.at(element), u);
}

TEST(ParametricProfile, y_over_x_is_in_si_units_and_knows_parameters) {
    const ModelData model = read_text(R"x(format = 1
[units]
length = "mm"
[parameters]
k = 2
[profile.p]
body = "ground"
elements = [{ type = "formula", y = "k*x^2", from = 100, to = -50 }]
)x");
    // Corners at the ends of an open profile stand before and after the curve.
    const auto middle = point(model, 1, 2.0 / 3);
    EXPECT_NEAR(middle.p.x, 0, rounding);
    EXPECT_NEAR(middle.p.y, 0, rounding);
    EXPECT_NEAR(middle.n.y, 1, rounding);  // the material is below
    EXPECT_NEAR(middle.curvature_numerator / middle.reach, -4, 1e-12);
    EXPECT_NEAR(point(model, 1, 0).p.y, 0.02, rounding);
    EXPECT_NEAR(point(model, 1, 1).p.x, -0.05, rounding);
}

TEST(ParametricProfile, closed_formula_and_whole_ellipse_are_periodic) {
    const ModelData model = read_text(R"x(format = 1
[profile.p]
body = "ground"
elements = [{ type = "formula", x = "0.2*cos(u)", y = "0.1*sin(u)", from = 0, to = "2*pi" }]
[profile.q]
body = "ground"
elements = [{ type = "ellipse", semi_axes = [0.2, 0.1] }]
)x");
    for (const auto& profile : model.mechanism.profiles) {
        ASSERT_EQ(profile.chain.elements.size(), 1u) << profile.name;
        EXPECT_TRUE(profile.chain.closed) << profile.name;
        EXPECT_TRUE(is_whole<S>(profile.chain.elements[0])) << profile.name;
        const auto behind = point_of<S>(profile.chain.elements[0], 1.25);
        EXPECT_NEAR(behind.p.x, 0, rounding);
        EXPECT_NEAR(behind.p.y, 0.1, rounding);
        EXPECT_NEAR(behind.curvature_numerator / behind.reach, 0.1 / 0.04, 1e-12);
    }
}

TEST(ParametricProfile, ellipse_is_turned_about_its_centre) {
    const ModelData model = read_text(R"x(format = 1
[profile.p]
body = "ground"
elements = [{ type = "ellipse", centre = [1, 2], semi_axes = [0.2, 0.1], angle = "90 deg", to = "90 deg" }]
)x");
    EXPECT_NEAR(point(model, 1, 0).p.x, 1, rounding);
    EXPECT_NEAR(point(model, 1, 0).p.y, 2.2, rounding);
    EXPECT_NEAR(point(model, 1, 1).p.x, 0.9, rounding);
    EXPECT_NEAR(point(model, 1, 1).n.x, -1, rounding);
}

// What is wrong with the only element of a profile.
std::string refusal(const std::string& element) {
    return read_errors("format = 1\n[profile.p]\nbody = \"ground\"\nelements = [" + element +
                       "]\n");
}

TEST(ParametricProfile, curve_that_is_no_curve_is_refused_with_its_place) {
    const auto contains = [](const std::string& text, const std::string& part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    contains(refusal(R"x({ type = "formula", y = "abs(x)", from = -1, to = 1 })x"), "has kinks");
    contains(refusal(R"x({ type = "formula", y = "sqrt(x)", from = -1, to = 1 })x"),
             "not finite, or has zero speed, at -1");
    contains(refusal(R"x({ type = "formula", x = "u^2", y = "u^3", from = -1, to = 1 })x"),
             "has zero speed, at 0");
    contains(refusal(R"x({ type = "formula", y = "x^2", from = 1, to = 1 })x"), "no length");
    contains(refusal(R"x({ type = "formula", y = "u^2", from = 1, to = 2 })x"), "'u'");
    contains(refusal(R"x({ type = "ellipse", semi_axes = [1, -1] })x"), "must be positive");
    contains(refusal(R"x({ type = "ellipse", semi_axes = [1, 1], to = "400 deg" })x"),
             "whole turn");
}

const Body<S>& first_body(const ModelData& model) { return model.mechanism.bodies.at(1); }

TEST(ParametricProfile, plate_with_a_hole_gives_mass_centre_and_inertia) {
    // A square of 2 m with a round hole of 0.5 m at (0.4, 0), 1 mm of 1000 kg/m^3: 1 kg/m^2.
    const ModelData model = read_text(R"x(format = 1
[body.b]
points = { P = [1, 0] }
[profile.plate]
body = "b"
at = "b.P"
thickness = "1 mm"
density = "1000 kg/m^3"
elements = [
    { type = "line", from = [-1, -1], to = [1, -1] },
    { type = "line", to = [1, 1] },
    { type = "line", to = [-1, 1] },
    { type = "line", to = [-1, -1] },
]
[profile.hole]
body = "b"
at = "b.P"
thickness = "1 mm"
density = "1000 kg/m^3"
elements = [{ type = "circle", centre = [0.4, 0], radius = 0.5, hollow = true }]
)x");
    const double hole = pi * 0.25, mass = 4 - hole, x = -0.4 * hole / mass;
    const double about_p = 4 * (4 + 4) / 12.0 - hole * (0.125 + 0.16);
    EXPECT_NEAR(*first_body(model).mass, mass, rounding);
    EXPECT_NEAR(first_body(model).centre.x, 1 + x, rounding);
    EXPECT_NEAR(first_body(model).centre.y, 0, rounding);
    EXPECT_NEAR(*first_body(model).inertia, about_p - mass * x * x, summed);
}

// A curve is summed up between its knots, where it is smooth.
TEST(ParametricProfile, plate_with_a_spline_for_an_outline_gives_its_mass) {
    const ModelData model = read_text(R"x(format = 1
[body.b]
[profile.plate]
body = "b"
thickness = 1
density = 1
elements = [{ type = "spline", ends = "periodic", angles = [0, 0.9, 2.1, 3, 4.2, 5.5, 6.283185307179586], radii = [0.1, 0.12, 0.09, 0.11, 0.1, 0.13, 0.1] }]
)x");
    // Half the integral of r^2 over the angle by Simpson's rule between the knots.
    const std::vector<double> knots{0, 0.9, 2.1, 3, 4.2, 5.5, 2 * pi};
    const CubicSpline<double> r(knots, {0.1, 0.12, 0.09, 0.11, 0.1, 0.13, 0.1}, Ends::periodic);
    double area = 0;
    constexpr int steps = 2000;
    for (std::size_t i = 1; i < knots.size(); ++i)
        for (int k = 0; k <= steps; ++k) {
            const double h = (knots[i] - knots[i - 1]) / steps, weight = k % 2 ? 4 : 2,
                         radius = r.evaluate(knots[i - 1] + k * h);
            area += 0.5 * h / 3 * (k == 0 || k == steps ? 1 : weight) * radius * radius;
        }
    EXPECT_NEAR(*first_body(model).mass / area, 1, 1e-12);
}

TEST(ParametricProfile, values_of_the_body_stand_before_those_of_its_plate) {
    const ModelData model = read_text(R"x(format = 1
[body.b]
mass = 5
[profile.plate]
body = "b"
angle = 0.3
thickness = 0.01
density = 7850
elements = [{ type = "ellipse", centre = [1, 0], semi_axes = [0.2, 0.1] }]
)x");
    EXPECT_EQ(*first_body(model).mass, 5);
    EXPECT_NEAR(*first_body(model).inertia, 5 * (0.04 + 0.01) / 4, rounding);
    EXPECT_NEAR(first_body(model).centre.x, std::cos(0.3), rounding);
    EXPECT_NEAR(first_body(model).centre.y, std::sin(0.3), rounding);
}

TEST(ParametricProfile, plate_that_encloses_nothing_is_refused) {
    const auto plate = [](const char* body, const char* keys, const char* element) {
        return read_errors(std::string("format = 1\n[body.b]\n[profile.p]\nbody = \"") + body +
                           "\"\n" + keys + "\nelements = [" + element + "]\n");
    };
    const char *both = "thickness = 1\ndensity = 1", *disk = R"x({ type = "circle", radius = 1 })x";
    const auto contains = [](const std::string& text, const char* part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    contains(plate("b", both, R"x({ type = "line", from = [0, 0], to = [1, 0] })x"),
             "open outline");
    contains(plate("b", both, R"x({ type = "circle", radius = 1, hollow = true })x"), "is a hole");
    contains(plate("b", "density = 1", disk), "needs thickness and density");
    contains(plate("ground", both, disk), "ground is fixed");
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
