// Balls in a column bounce on the floor and on each other. Their impacts accumulate together, or
// those of the lower ones end again and again before an upper one falls on them; a copy that knows
// only flights and pairwise blows, in long double, says when.
#include <algorithm>
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

std::string text_of(const std::vector<Column>& columns, const std::string& friction = "") {
    constexpr double radius = 0.1;
    std::string text = R"(
format = 1
profile.floor = { body = "ground", elements = [{ type = "line", from = [2, 0], to = [-1, 0] }] }
force.weight = { type = "gravity" }
)";
    for (std::size_t c = 0; c < columns.size(); ++c)
        for (std::size_t i = 0; i < columns[c].mass.size(); ++i) {
            const std::string name = fmt::format("{}{}", c, i);
            text += fmt::format(
                "body.b{0} = {{ position = [{7}, {1:.17g}], mass = {2}, inertia = 1 }}\n"
                "joint.g{0} = {{ type = \"prismatic\", bodies = [\"ground\", \"b{0}\"], axis = \"90 "
                "deg\", at = [{7}, 0] }}\n"
                "profile.p{0} = {{ body = \"b{0}\", elements = [{{ type = \"circle\", radius = {3} "
                "}}] }}\n"
                "contact.C{0} = {{ a = \"{4}\", b = \"p{0}\", restitution = {5}{6} }}\n",
                name, columns[c].height[i] + radius * static_cast<double>(2 * i + 1),
                columns[c].mass[i], radius, i == 0 ? "floor" : fmt::format("p{}{}", c, i - 1),
                columns[c].restitution[i], friction, c);
        }
    return text;
}

// Gaps and their rates, in flight and blow after blow. A contact is closed when nothing is left of
// its rebound; upon those that rest on the floor the next ball falls, all others fly together.
class LongColumn {
public:
    using Real = long double;
    explicit LongColumn(const Column& column)
        : mass_(column.mass.begin(), column.mass.end()),
          e_(column.restitution.begin(), column.restitution.end()),
          gap_(column.height.begin(), column.height.end()),
          rate_(mass_.size(), 0),
          closed_(mass_.size(), 0) {
        for (std::size_t i = mass_.size(); i-- > 1;) gap_[i] -= gap_[i - 1];
    }

    double end() {
        while (std::count(closed_.begin(), closed_.end(), 0) > 0) strike(fly());
        return static_cast<double>(t_);
    }

private:
    static constexpr Real g = 9.81L, rest = 1e-14L;

    std::size_t fly() {
        const auto falls = static_cast<std::size_t>(std::find(closed_.begin(), closed_.end(), 0) -
                                                    closed_.begin());
        Real next = INFINITY;
        std::size_t at = 0;
        for (std::size_t i = 0; i < gap_.size(); ++i) {
            if (closed_[i]) continue;
            const Real v = rate_[i], time = i == falls
                                                ? (v + std::sqrt(v * v + 2 * g * gap_[i])) / g
                                            : v < 0 ? -gap_[i] / v
                                                    : INFINITY;
            if (time < next) {
                next = time;
                at = i;
            }
        }
        t_ += next;
        for (std::size_t i = 0; i < gap_.size(); ++i) {
            if (closed_[i]) continue;
            const Real b = i == falls ? -g : 0;
            gap_[i] += (rate_[i] + b * next / 2) * next;
            rate_[i] += b * next;
        }
        return at;
    }

    [[nodiscard]] Real inverse(std::size_t ball) const { return 1 / mass_[ball]; }

    // The blow travels through what is closed.
    void strike(std::size_t at) {
        closed_[at] = 1;
        gap_[at] = 0;
        for (;;) {
            std::size_t k = at;
            for (std::size_t i = 0; i < rate_.size(); ++i)
                if (closed_[i] && rate_[i] < rate_[k]) k = i;
            if (!(rate_[k] < -rest / 100)) break;
            const Real p = -(1 + e_[k]) * rate_[k] / (inverse(k) + (k > 0 ? inverse(k - 1) : 0));
            rate_[k] *= -e_[k];
            if (k + 1 < rate_.size()) rate_[k + 1] -= p * inverse(k);
            if (k > 0) rate_[k - 1] -= p * inverse(k - 1);
        }
        for (std::size_t i = 0; i < rate_.size(); ++i) {
            if (!closed_[i]) continue;
            closed_[i] = rate_[i] < rest;
            if (closed_[i]) rate_[i] = 0;
        }
    }

    std::vector<Real> mass_, e_, gap_, rate_;
    std::vector<char> closed_;
    Real t_ = 0;
};

DynamicResult run(const std::vector<Column>& columns, const char* friction) {
    DynamicOptions options;
    options.end = 0.6;
    options.step = 0.1;
    options.sequential_impacts = true;
    return run_dynamics(placed_of(text_of(columns, friction)), options);
}

// When the last impacts of a column end, which a row shows.
double end_of(const DynamicResult& result, std::size_t column) {
    double end = 0;
    for (const Event& event : result.events) {
        if (!event.element.starts_with(fmt::format("C{}", column))) continue;
        if (event.kind == EventKind::contact_formed) end = std::max(end, event.t);
        if (const auto* left = event.find<fact::Accumulation>()) end = std::max(end, left->until);
    }
    bool has_row = false;
    for (std::size_t i = 0; i < result.trajectory.rows(); ++i)
        has_row = has_row || result.trajectory.row(i)[0] == end;
    EXPECT_TRUE(has_row) << end;
    return end;
}

// Friction, which the guides leave nothing to do, changes nothing.
constexpr const char* frictions[] = {"", ", friction = { kinetic = 0.3 }"};

TEST(NestedImpacts, of_a_column_of_balls_end_together) {
    for (const Column& column : {Column{{1, 3}, {0.2, 0.35}, {0.7, 0.4}},
                                 Column{{1.16, 4.38}, {0.225, 0.359}, {0.37, 0.63}},
                                 Column{{0.9, 0.31}, {0.059, 0.252}, {0.71, 0.25}},
                                 Column{{3.05, 3.1}, {0.113, 0.362}, {0.6, 0.15}},
                                 Column{{0.82, 2.82}, {0.12, 0.14}, {0.53, 0.177}},
                                 Column{{1.83, 3.05, 1}, {0.063, 0.084, 0.166}, {0.63, 0.5, 0.14}}})
        for (const char* friction : frictions) {
            const DynamicResult result = run({column}, friction);
            ASSERT_EQ(result.status, DynamicStatus::completed) << result.message;
            EXPECT_NEAR(end_of(result, 0), LongColumn(column).end(), 1e-10)
                << column.mass[0] << friction;
        }
}

// Those of the lower balls are over in each flight of the upper one, which throws them up again.
TEST(NestedImpacts, end_again_and_again_inside_others) {
    for (const Column& column :
         {Column{{1.1, 0.64}, {0.105, 0.193}, {0.35, 0.41}},
          Column{{1.5, 0.9}, {0.111, 0.187}, {0.35, 0.36}},
          Column{{3.08, 0.38}, {0.1, 0.19}, {0.29, 0.41}},
          Column{{1.1, 0.64, 0.49}, {0.105, 0.193, 0.257}, {0.35, 0.41, 0.63}},
          Column{{1, 2, 0.5}, {0.1, 0.15, 0.3}, {0.5, 0.4, 0.3}}})
        for (const char* friction : frictions) {
            const DynamicResult result = run({column}, friction);
            ASSERT_EQ(result.status, DynamicStatus::completed) << result.message;
            const auto formed =
                std::count_if(result.events.begin(), result.events.end(), [](const Event& event) {
                    return event.kind == EventKind::contact_formed && event.element == "C00#1";
                });
            EXPECT_GT(formed, 1);
            EXPECT_NEAR(end_of(result, 0), LongColumn(column).end(), 1e-10)
                << column.mass[0] << friction;
        }
}

// At several places at a time.
TEST(NestedImpacts, of_two_columns_end_each_at_its_own_time) {
    const std::vector<Column> columns = {{{1.5, 0.9}, {0.111, 0.187}, {0.35, 0.36}},
                                         {{0.82, 2.82}, {0.12, 0.14}, {0.53, 0.177}}};
    for (const char* friction : frictions) {
        const DynamicResult result = run(columns, friction);
        ASSERT_EQ(result.status, DynamicStatus::completed) << result.message;
        for (const std::size_t c : {0U, 1U})
            EXPECT_NEAR(end_of(result, c), LongColumn(columns[c]).end(), 1e-10) << c << friction;
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
