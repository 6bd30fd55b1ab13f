// Tree coordinates against differences of positions, for every kind that can carry the tree,
// written either way round, and for absolute coordinates.
#include "coordinates/coordinates.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "coordinates/measures.h"
#include "mechanism/joint_kind.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Space = PlanarSpace;

// A chain ground - one - two - three of one kind of joint on generic points; `reversed` writes the
// outer body first.
std::string chain(const std::string& kind, bool reversed) {
    std::string text = R"(
format = 1
[body.ground]
points = { out = [0.3, -0.2] }
[body.one]
angle = 0.5
points = { in = [0.1, 0.4], out = [0.7, 0.2] }
[body.two]
angle = -0.8
points = { in = [-0.2, 0.3], out = [0.6, -0.5] }
[body.three]
angle = 1.9
points = { in = [0.15, -0.25], out = [0.4, 0.9] }
)";
    const char* bodies[] = {"ground", "one", "two", "three"};
    for (int i = 1; i <= 3; ++i) {
        const std::string inner = std::string(bodies[i - 1]) + ".out",
                          outer = std::string(bodies[i]) + ".in";
        text += "[joint.J" + std::to_string(i) + "]\ntype = \"" + kind + "\"\na = \"" +
                (reversed ? outer : inner) + "\"\nb = \"" + (reversed ? inner : outer) + "\"\n";
        if (kind == "prismatic") text += "axis = 0.6\n";
        if (kind == "weld" || kind == "prismatic")
            text += "angle = " + std::to_string(0.3 * i) + "\n";
    }
    return text;
}

struct Tree {
    std::string name;
    PlanarMechanism mechanism;
    Coordinates<Space> coordinates;
};

std::vector<Tree> every_tree() {
    std::vector<Tree> trees;
    for (const char* kind : {"revolute", "prismatic", "weld", "free"})
        for (const bool reversed : {false, true}) {
            PlanarMechanism m = test::model_of(chain(kind, reversed)).mechanism;
            const Topology g = analyse_topology(m);
            trees.push_back({std::string(kind) + (reversed ? " reversed" : ""), m,
                             Coordinates<Space>::relative(m, g)});
        }
    PlanarMechanism m = test::model_of(chain("revolute", false)).mechanism;
    trees.push_back({"absolute", m, Coordinates<Space>::absolute(m)});
    // Frames that are turned on their bodies.
    for (Joint<Space>& joint : m.joints)
        for (const int k : {0, 1}) {
            const double angle = joint.frames[k].local.angle = 0.4 - 0.7 * k;
            joint.frames[k].axis = {std::cos(angle), std::sin(angle)};
        }
    trees.push_back({"turned", m, Coordinates<Space>::relative(m, analyse_topology(m))});
    return trees;
}

// q = c0 + c1 t + c2 t^2 with random coefficients.
struct Motion {
    std::vector<double> c[3];
    Motion(int size, std::mt19937& random) {
        for (auto& power : c)
            for (int i = 0; i < size; ++i)
                power.push_back(static_cast<double>(random()) / 4294967296.0 * 2 - 1);
    }
    [[nodiscard]] std::vector<double> q(double t) const { return combined(1, t, t * t); }
    [[nodiscard]] std::vector<double> v(double t) const { return combined(0, 1, 2 * t); }
    [[nodiscard]] std::vector<double> a() const { return combined(0, 0, 2); }

private:
    [[nodiscard]] std::vector<double> combined(double f0, double f1, double f2) const {
        std::vector<double> sum(c[0].size());
        for (std::size_t i = 0; i < sum.size(); ++i)
            sum[i] = f0 * c[0][i] + f1 * c[1][i] + f2 * c[2][i];
        return sum;
    }
};

// Fourth-order central difference with its Richardson partner: h^6 f7 and 1e-16/h both below 1e-11
// for numbers of order 1; the chains multiply three such motions.
template <class F>
double difference(F&& f) {
    constexpr double h = 4e-3;
    const auto d = [&](double s) {
        return (8 * (f(s) - f(-s)) - (f(2 * s) - f(-2 * s))) / (12 * s);
    };
    return (16 * d(h / 2) - d(h)) / 15;
}
constexpr double error = 1e-9;

TEST(Coordinates, velocities_and_accelerations_of_bodies_are_differences_of_their_positions) {
    std::mt19937 random(4);
    for (Tree& tree : every_tree()) {
        Coordinates<Space>& c = tree.coordinates;
        const Motion motion(c.size(), random);
        const auto position = [&](int body, int i, double t) {
            c.set_position(motion.q(t));
            const auto& p = c.position(body);
            return i == 0 ? p.p.x : i == 1 ? p.p.y : p.angle;
        };
        const auto velocity = [&](int body, int i, double t) {
            c.set_position(motion.q(t));
            c.set_velocity(motion.v(t));
            const auto& v = c.velocity(body);
            return i == 0 ? v.v.x : i == 1 ? v.v.y : v.omega;
        };
        for (const double t : {-0.4, 0.0, 0.7})
            for (int body = 1; body <= 3; ++body)
                for (int i = 0; i < 3; ++i) {
                    EXPECT_NEAR(velocity(body, i, t),
                                difference([&](double s) { return position(body, i, t + s); }),
                                error)
                        << tree.name << " body " << body << " component " << i;
                    const double acceleration_difference =
                        difference([&](double s) { return velocity(body, i, t + s); });
                    c.set_position(motion.q(t));
                    c.set_velocity(motion.v(t));
                    c.set_acceleration(motion.a());
                    const auto& a = c.acceleration(body);
                    EXPECT_NEAR(i == 0   ? a.v.x
                                : i == 1 ? a.v.y
                                         : a.omega,
                                acceleration_difference, 10 * error)
                        << tree.name << " body " << body << " component " << i;
                }
    }
}

// Ten roundings of numbers of order 1 along a chain of three.
TEST(Coordinates, set_at_once_are_those_set_one_after_the_other) {
    constexpr double rounding = 1e-14;
    std::mt19937 random(6);
    for (Tree& tree : every_tree()) {
        Coordinates<Space>& c = tree.coordinates;
        Coordinates<Space> other = c;
        const Motion motion(c.size(), random);
        other.set_motion(motion.q(1), motion.v(1));  // elsewhere, so that nothing stays as it was
        other.set_motion(motion.q(0.3), motion.v(0.3));
        c.set_position(motion.q(0.3));
        c.set_velocity(motion.v(0.3));
        c.set_acceleration({});
        for (int body = 1; body <= 3; ++body) {
            const auto &p = c.position(body), &q = other.position(body);
            const auto &v = c.velocity(body), &w = other.velocity(body);
            const auto &a = c.acceleration(body), &b = other.acceleration(body);
            for (const double apart :
                 {p.p.x - q.p.x, p.p.y - q.p.y, p.angle - q.angle, p.u.x - q.u.x, p.u.y - q.u.y,
                  v.v.x - w.v.x, v.v.y - w.v.y, v.omega - w.omega, a.v.x - b.v.x, a.v.y - b.v.y,
                  a.omega - b.omega})
                EXPECT_NEAR(apart, 0, rounding) << tree.name << " body " << body;
        }
        for (std::size_t k = 0; k < c.branches().size(); ++k) {
            EXPECT_NEAR(c.centre(k).x, other.centre(k).x, rounding) << tree.name;
            EXPECT_NEAR(c.offset(k).y, other.offset(k).y, rounding) << tree.name;
        }
    }
}

TEST(Coordinates, of_a_branch_are_its_motion) {
    constexpr double rounding = 1e-14;
    std::mt19937 random(8);
    for (Tree& tree : every_tree()) {
        Coordinates<Space>& c = tree.coordinates;
        const Motion motion(c.size(), random);
        const auto q = motion.q(0.6), v = motion.v(0.6);
        c.set_motion(q, v);
        for (int column = 0; column < c.size(); ++column) {
            const auto found = c.motion(c.branch_of_column(column), c.column_component(column));
            EXPECT_NEAR(found.value, q[column], rounding) << tree.name << " " << column;
            EXPECT_NEAR(found.rate, v[column], rounding) << tree.name << " " << column;
        }
    }
}

TEST(Coordinates, axes_of_bodies_are_the_unit_vectors_of_their_angles) {
    std::mt19937 random(5);
    for (Tree& tree : every_tree()) {
        tree.coordinates.set_position(Motion(tree.coordinates.size(), random).q(0.3));
        for (int body = 1; body <= 3; ++body) {
            const auto& p = tree.coordinates.position(body);
            EXPECT_NEAR(p.u.x, std::cos(p.angle), 1e-15 * 5)
                << tree.name;  // a handful of roundings
            EXPECT_NEAR(p.u.y, std::sin(p.angle), 1e-15 * 5) << tree.name;
        }
    }
}

TEST(Coordinates, joints_of_the_tree_are_closed_in_every_position) {
    std::mt19937 random(6);
    for (Tree& tree : every_tree()) {
        if (tree.name == "absolute") continue;
        tree.coordinates.set_position(Motion(tree.coordinates.size(), random).q(0.2));
        for (const auto& joint : tree.mechanism.joints) {
            std::array<Space::Frame, 3> frames;
            for (int k = 0; k < 2; ++k) frames[k] = tree.coordinates.frame(joint.frames[k]);
            Space::Row rows[3];
            std::visit([&](const auto& kind) { kind.rows(frames, rows); }, *joint.kind);
            for (int r = 0; r < joint.row_count(); ++r)
                EXPECT_NEAR(rows[r].phi, 0, 1e-14) << tree.name;
        }
    }
}

TEST(Coordinates, come_back_from_the_positions_they_give) {
    std::mt19937 random(7);
    for (Tree& tree : every_tree()) {
        const auto q = Motion(tree.coordinates.size(), random).q(0.6);
        tree.coordinates.set_position(q);
        std::vector<Space::Position> positions;
        for (int body = 0; body <= 3; ++body) positions.push_back(tree.coordinates.position(body));
        const auto back = tree.coordinates.from_positions(positions);
        ASSERT_EQ(back.size(), q.size());
        for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(back[i], q[i], 1e-14) << tree.name;
    }
}

TEST(Coordinates, row_pulled_back_on_coordinates_times_their_rates_is_the_rate_of_the_row) {
    std::mt19937 random(8);
    for (Tree& tree : every_tree()) {
        Coordinates<Space>& c = tree.coordinates;
        const Motion motion(c.size(), random);
        c.set_position(motion.q(0.1));
        c.set_velocity(motion.v(0.1));
        for (int a = 0; a <= 3; ++a)
            for (int b = 0; b <= 3; ++b)
                for (const Component component : {Component::x, Component::y, Component::angle}) {
                    std::array<Attachment<Space>, 2> at;
                    at[0].body = a;
                    at[0].local = {{0.3, -0.4}, 0.9};
                    at[1].body = b;
                    at[1].local = {{-0.1, 0.2}, -0.3};
                    for (auto& f : at) f.settle();
                    const std::array<Space::Frame, 3> frames{c.frame(at[0]), c.frame(at[1]), {}};
                    const auto row = component_row<Space>(component, frames[0], frames[1]);
                    const auto reach = c.reach(at);
                    std::vector<double> values(reach.columns.size() + 1);
                    c.pull_back(reach, row, frames, values.data());
                    double sum = 0;
                    for (std::size_t i = 0; i < reach.columns.size(); ++i)
                        sum +=
                            values[i] * motion.v(0.1)[static_cast<std::size_t>(reach.columns[i])];
                    EXPECT_NEAR(sum, evaluate_row<Space>(c, at, row).rate, 1e-13)
                        << tree.name << " between bodies " << a << " and " << b;
                }
    }
}

TEST(Coordinates, columns_carry_the_names_of_their_joints) {
    const auto trees = every_tree();
    EXPECT_EQ(trees[0].coordinates.column_name(1), "J2.angle");
    EXPECT_EQ(trees[6].coordinates.column_name(4), "J2.y");  // free
    EXPECT_EQ(trees[4].coordinates.size(), 0);               // weld
    EXPECT_EQ(trees[8].coordinates.column_name(8), "three.angle");
}

TEST(Coordinates, first_guess_puts_a_body_without_position_where_its_joint_is) {
    PlanarMechanism m = test::model_of(chain("prismatic", true)).mechanism;
    Coordinates<Space> c = Coordinates<Space>::relative(m, analyse_topology(m));
    for (const double q : c.from_guess(m)) EXPECT_EQ(q, 0);
    m.bodies[1].position_given = true;
    m.bodies[1].guess.at = {2, 1};
    EXPECT_NE(c.from_guess(m)[0], 0);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
