// Two corners meet head-on: no normal is known there, and restitution acts all the same.
#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// A rhombus of half the width `w` and half the height `h`, its corners on its own axes.
std::string rhombus(const std::string& name, double w, double h) {
    return fmt::format(
        "profile.{0} = {{ body = \"{0}\", elements = [{{ type = \"line\", from = [{1}, 0], to = "
        "[0, {3}] }}, {{ type = \"line\", to = [{2}, 0] }}, {{ type = \"line\", to = [0, {4}] }}, "
        "{{ type = \"line\", to = [{1}, 0] }}] }}\n",
        name, -w, w, -h, h);
}

struct Pair {
    double scale, direction, speed, mass[2], width[2], height[2], restitution;
};

std::string text_of(const Pair& p) {
    const double x = std::cos(p.direction), y = std::sin(p.direction);
    std::string text = "format = 1\n";
    for (const int i : {0, 1}) {
        const double way = i == 0 ? -1 : 1, from = way * 5 * p.scale, v = -way * p.speed;
        const std::string name = i == 0 ? "a" : "b";
        text += fmt::format(
            "body.{} = {{ position = [{}, {}], angle = {}, velocity = [{}, {}], mass = {}, inertia "
            "= {} }}\n",
            name, from * x, from * y, p.direction, v * x, v * y, p.mass[i],
            p.mass[i] * p.scale * p.scale);
        text += rhombus(name, p.scale * p.width[i], p.scale * p.height[i]);
    }
    return text +
           fmt::format("contact.C = {{ a = \"a\", b = \"b\", restitution = {} }}\n", p.restitution);
}

// Along the axis (1 + e) 2 v is the change of the relative velocity, shared by the masses.
TEST(CornerOnCorner, rebounds_by_the_restitution_at_any_size_place_and_opening) {
    for (unsigned seed = 0; seed < 40; ++seed) {
        std::mt19937 random(seed);
        const auto between = [&](double low, double high) {
            return std::uniform_real_distribution<double>(low, high)(random);
        };
        Pair p{std::pow(10, between(-4, 3)),
               seed % 2 == 0 ? 0 : between(-std::numbers::pi, std::numbers::pi),
               1,
               {between(0.2, 5), between(0.2, 5)},
               {between(0.3, 1.5), between(0.3, 1.5)},
               {},
               between(0.1, 0.9)};
        p.speed = p.scale * std::pow(10, between(-1, 1));
        for (const int i : {0, 1})
            p.height[i] = seed % 4 < 2 ? p.width[i] : p.width[i] * between(0.1, 1);
        DynamicOptions options;
        options.end = 6 * p.scale / p.speed;
        const DynamicResult r = run_dynamics(test::placed_of(text_of(p)), options);
        ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
        EXPECT_TRUE(r.audit.passed()) << seed;
        const double change = (1 + p.restitution) * 2 * p.speed, both = p.mass[0] + p.mass[1];
        const double after[2] = {p.speed - change * p.mass[1] / both,
                                 change * p.mass[0] / both - p.speed};
        for (const int i : {0, 1}) {
            const std::string name = i == 0 ? "a" : "b";
            const auto last = [&](const std::string& column) {
                return test::value(r.trajectory, r.trajectory.rows() - 1, name + column);
            };
            const double x = std::cos(p.direction), y = std::sin(p.direction);
            // The corners meet to 1e-13 of the size; their sides then turn the bodies as little.
            EXPECT_NEAR(last(".vx") * x + last(".vy") * y, after[i], 1e-9 * p.speed) << seed;
            EXPECT_NEAR(last(".vy") * x - last(".vx") * y, 0, 1e-9 * p.speed) << seed;
        }
        for (const Event& e : r.events) EXPECT_EQ(e.to.find("point 1 on point"), e.to.npos) << e.to;
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
