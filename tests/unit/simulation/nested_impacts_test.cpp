// Balls in a column bounce on the floor and on each other. Their impacts accumulate together; a
// copy that knows only flights and pairwise blows, in long double, says when.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "simulation/dynamic/dynamic_simulation.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using namespace test;

struct Column {
    std::vector<double> mass, height, restitution;  // heights of the gaps' sum below each ball
};

std::string text_of(const Column& column, const std::string& friction = "") {
    constexpr double radius = 0.1;
    std::string text = R"(
format = 1
profile.floor = { body = "ground", elements = [{ type = "line", from = [1, 0], to = [-1, 0] }] }
force.weight = { type = "gravity" }
)";
    for (std::size_t i = 0; i < column.mass.size(); ++i) {
        const std::string n = std::to_string(i);
        text += fmt::format(
            "body.b{0} = {{ position = [0, {1:.17g}], mass = {2}, inertia = 1 }}\n"
            "joint.g{0} = {{ type = \"prismatic\", a = \"ground\", b = \"b{0}\", axis = \"90 deg\" "
            "}}\n"
            "profile.p{0} = {{ body = \"b{0}\", elements = [{{ type = \"circle\", radius = {3} }}] "
            "}}\n"
            "contact.C{0} = {{ a = \"{4}\", b = \"p{0}\", restitution = {5}{6} }}\n",
            n, column.height[i] + radius * static_cast<double>(2 * i + 1), column.mass[i], radius,
            i == 0 ? "floor" : "p" + std::to_string(i - 1), column.restitution[i], friction);
    }
    return text;
}

// When the speeds have fallen to 1e-15 m/s.
double end_of(const Column& column) {
    using Real = long double;
    constexpr Real g = 9.81L;
    const std::size_t n = column.mass.size();
    std::vector<Real> y(column.height.begin(), column.height.end()), v(n, 0);
    Real t = 0;
    for (int blow = 0; blow < 100000; ++blow) {
        Real next = INFINITY;
        std::size_t at = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const Real gap = i == 0 ? y[0] : y[i] - y[i - 1],
                       rate = i == 0 ? v[0] : v[i] - v[i - 1];
            const Real time = i == 0     ? (rate + std::sqrt(rate * rate + 2 * g * gap)) / g
                              : rate < 0 ? -gap / rate
                                         : INFINITY;
            if (time < next) {
                next = time;
                at = i;
            }
        }
        t += next;
        for (std::size_t i = 0; i < n; ++i) {
            y[i] += v[i] * next - g * next * next / 2;
            v[i] -= g * next;
        }
        y[at] = at == 0 ? 0 : y[at - 1];
        const Real rate = at == 0 ? v[0] : v[at] - v[at - 1];
        const Real below = at == 0 ? 0 : 1 / static_cast<Real>(column.mass[at - 1]);
        const Real impulse = -(1 + static_cast<Real>(column.restitution[at])) * rate /
                             (1 / static_cast<Real>(column.mass[at]) + below);
        v[at] += impulse / static_cast<Real>(column.mass[at]);
        if (at > 0) v[at - 1] -= impulse * below;
        Real fastest = 0;
        for (std::size_t i = 0; i < n; ++i) fastest = std::max(fastest, std::abs(v[i]));
        if (fastest < 1e-15L) break;
    }
    return static_cast<double>(t);
}

TEST(NestedImpacts, of_a_column_of_balls_end_together) {
    for (const Column& column : {Column{{1, 3}, {0.2, 0.35}, {0.7, 0.4}},
                                 Column{{1.16, 4.38}, {0.225, 0.359}, {0.37, 0.63}},
                                 Column{{0.9, 0.31}, {0.059, 0.252}, {0.71, 0.25}},
                                 Column{{3.05, 3.1}, {0.113, 0.362}, {0.6, 0.15}}}) {
        DynamicOptions options;
        options.end = 0.6;
        options.step = 0.1;
        options.sequential_impacts = true;
        // Friction, which the guides leave nothing to do, changes nothing.
        for (const char* friction : {"", ", friction = { kinetic = 0.3 }"}) {
            const DynamicResult result =
                run_dynamics(placed_of(text_of(column, friction)), options);
            ASSERT_EQ(result.status, DynamicStatus::completed) << result.message;
            double end = 0;
            for (const Event& event : result.events)
                if (event.kind == EventKind::contact_formed) end = std::max(end, event.t);
            EXPECT_NEAR(end, end_of(column), 1e-8) << column.mass[0] << friction;
        }
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
