// The cone problem: one contact in closed form, redundant contacts, joints, and random problems
// whose solution must satisfy the conditions themselves.
#include "dynamics/contact/cone_problem.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

constexpr double tolerance = 1e-6;
constexpr double up[3] = {0, 1, 0}, along[3] = {1, 0, 0};

// A point mass of 2 kg on a floor, with a momentum towards it.
ConeProblem point_on_floor(double mx, double my, double mu) {
    ConeProblem problem;
    problem.start({3});
    for (int i = 0; i < 3; ++i) problem.inertia(0)[4 * i] = 2;
    problem.momentum()[0] = mx;
    problem.momentum()[1] = my;
    ConeProblem::Contact contact;
    contact.friction = mu;
    problem.add_contact({ConeProblem::Part{0, up, along}, ConeProblem::Part{}}, contact);
    return problem;
}

TEST(ConeProblem, a_point_sticks_within_its_cone_and_slides_beyond_it) {
    ConeProblem sticks = point_on_floor(1, -4, 0.3);
    ASSERT_TRUE(sticks.solve(tolerance).solved);
    EXPECT_NEAR(sticks.contacts()[0].normal, 4, 1e-5);
    EXPECT_NEAR(sticks.contacts()[0].tangent, -1, 1e-5);
    EXPECT_NEAR(sticks.velocity()[0], 0, 1e-5);
    ConeProblem slides = point_on_floor(3, -4, 0.3);
    ASSERT_TRUE(slides.solve(tolerance).solved);
    EXPECT_NEAR(slides.contacts()[0].tangent, -1.2, 1e-5);
    EXPECT_NEAR(slides.velocity()[0], 0.9, 1e-5);
    ConeProblem leaves = point_on_floor(3, 4, 0.3);
    ASSERT_TRUE(leaves.solve(tolerance).solved);
    EXPECT_EQ(leaves.contacts()[0].normal, 0);
    EXPECT_NEAR(leaves.velocity()[1], 2, 1e-15);
}

// A bound below zero lets it come nearer, one above makes it leave.
TEST(ConeProblem, bounds_are_velocities_that_are_kept) {
    for (const double bound : {-0.5, 0.0, 0.25}) {
        ConeProblem problem;
        problem.start({3});
        for (int i = 0; i < 3; ++i) problem.inertia(0)[4 * i] = 2;
        problem.momentum()[1] = -4;
        ConeProblem::Contact contact;
        contact.bound = bound;
        problem.add_contact({ConeProblem::Part{0, up, along}, ConeProblem::Part{}}, contact);
        ASSERT_TRUE(problem.solve(tolerance).solved);
        EXPECT_NEAR(problem.velocity()[1], bound, 1e-5) << bound;
    }
}

// Two bodies on a rod that keeps them level: the row answers for the one that has no floor.
TEST(ConeProblem, rows_hold_exactly_beside_contacts) {
    ConeProblem problem;
    problem.start({3, 3});
    for (int b = 0; b < 2; ++b)
        for (int i = 0; i < 3; ++i) problem.inertia(b)[4 * i] = 1;
    problem.momentum()[1] = problem.momentum()[4] = -1;
    const double down[3] = {0, -1, 0};
    const ConeProblem::Part parts[2] = {{0, up, nullptr}, {1, down, nullptr}};
    problem.add_row(parts, 0, 0);
    problem.add_contact({ConeProblem::Part{0, up, along}, ConeProblem::Part{}}, {});
    ASSERT_TRUE(problem.solve(tolerance).solved);
    EXPECT_NEAR(problem.velocity()[1], 0, 3e-6);
    EXPECT_NEAR(problem.velocity()[4], 0, 3e-6);
    EXPECT_NEAR(problem.contacts()[0].normal, 2, 1e-5);
    EXPECT_NEAR(std::abs(problem.row_impulses()[0]), 1, 1e-5);
}

// Chains of bodies with random contacts between neighbours, of which many depend on each other.
TEST(ConeProblem, random_solutions_satisfy_the_conditions) {
    std::mt19937 engine(5);
    const auto number = [&] { return 2 * (static_cast<double>(engine()) / 4294967296.0) - 1; };
    for (int trial = 0; trial < 40; ++trial) {
        const int bodies = 3 + trial;
        ConeProblem problem;
        problem.start(std::vector<int>(bodies, 3));
        for (int b = 0; b < bodies; ++b) {
            for (int i = 0; i < 3; ++i) problem.inertia(b)[4 * i] = 2 + number();
            problem.momentum()[3 * b + 1] = -1;
            problem.momentum()[3 * b] = 0.3 * number();
        }
        struct Rows {
            double n[2][3], t[2][3];
        };
        std::vector<Rows> rows;
        std::vector<std::array<int, 2>> on;
        for (int b = 0; b < bodies; ++b)
            for (int k = 0; k < 3; ++k) {
                const double turn = 0.8 * number(), x = std::sin(turn), y = std::cos(turn);
                Rows r{{{-x, -y, number()}, {x, y, number()}},
                       {{-y, x, number()}, {y, -x, number()}}};
                const int below = b == 0 ? -1 : b - 1;
                rows.push_back(r);
                on.push_back({below, b});
            }
        std::vector<ConeProblem::Contact> given;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            ConeProblem::Contact c;
            c.friction = i % 4 == 0 ? 0 : 0.3;
            given.push_back(c);
            problem.add_contact({ConeProblem::Part{on[i][0], rows[i].n[0], rows[i].t[0]},
                                 ConeProblem::Part{on[i][1], rows[i].n[1], rows[i].t[1]}},
                                c);
        }
        const auto outcome = problem.solve(tolerance);
        EXPECT_TRUE(outcome.solved) << trial;
        // The momenta of all bodies follow from the impulses, and the conditions hold to the
        // tolerance times the velocities, of order one, and a weight of the rows of order ten.
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto [un, ut] = problem.rates(i);
            const auto& c = problem.contacts()[i];
            EXPECT_GE(un, -1e-4) << trial << " " << i;
            EXPECT_GE(c.normal, 0);
            EXPECT_LE(c.normal * un, 1e-3);
            EXPECT_LE(std::abs(c.tangent), given[i].friction * c.normal + 1e-12);
            if (std::abs(ut) > 1e-3) {
                EXPECT_NEAR(c.tangent, -std::copysign(given[i].friction * c.normal, ut), 1e-3)
                    << trial << " " << i;
            }
        }
    }
}

// The second time the first solution is the first guess: nothing is left to do.
TEST(ConeProblem, a_solution_as_first_guess_needs_no_matrix) {
    ConeProblem problem = point_on_floor(1, -4, 0.3);
    ASSERT_TRUE(problem.solve(tolerance).solved);
    const ConeProblem::Contact solved = problem.contacts()[0];
    problem.start({3});
    for (int i = 0; i < 3; ++i) problem.inertia(0)[4 * i] = 2;
    problem.momentum()[0] = 1;
    problem.momentum()[1] = -4;
    problem.add_contact({ConeProblem::Part{0, up, along}, ConeProblem::Part{}}, solved);
    const auto again = problem.solve(tolerance);
    EXPECT_TRUE(again.solved);
    EXPECT_EQ(again.iterations, 0);
}

// Boxes beside each other on a floor that lean against each other a little: from the solution
// before, a slightly other load needs no matrix, and one from nothing the same impulses.
TEST(ConeProblem, a_small_change_is_mended_by_sweeps) {
    const auto row_of_points = [](double load) {
        ConeProblem problem;
        problem.start(std::vector<int>(6, 3));
        for (int b = 0; b < 6; ++b) {
            for (int i = 0; i < 3; ++i) problem.inertia(b)[4 * i] = 2;
            problem.momentum()[3 * b] = 0.2 * load;
            problem.momentum()[3 * b + 1] = -load * (1 + 0.1 * b);
        }
        return problem;
    };
    const double left[3] = {-1, 0, 0}, right[3] = {1, 0, 0}, rise[3] = {0, 1, 0},
                 fall[3] = {0, -1, 0};
    const auto touch = [&](ConeProblem& problem, const std::vector<ConeProblem::Contact>& guess) {
        std::size_t next = 0;
        const auto contact = [&] {
            ConeProblem::Contact c;
            if (!guess.empty()) c = guess[next++];
            c.friction = 0.3;
            return c;
        };
        for (int b = 0; b < 6; ++b)
            problem.add_contact({ConeProblem::Part{b, up, along}, ConeProblem::Part{}}, contact());
        for (int b = 0; b < 5; ++b)
            problem.add_contact(
                {ConeProblem::Part{b, left, fall}, ConeProblem::Part{b + 1, right, rise}},
                contact());
    };
    ConeProblem first = row_of_points(1);
    touch(first, {});
    ASSERT_TRUE(first.solve(tolerance).solved);
    ConeProblem second = row_of_points(1.01);
    touch(second, first.contacts());
    const auto outcome = second.solve(tolerance);
    EXPECT_TRUE(outcome.solved);
    EXPECT_EQ(outcome.iterations, 0);
    ConeProblem third = row_of_points(1.01);
    touch(third, {});
    ASSERT_TRUE(third.solve(tolerance).solved);
    for (int c = 0; c < 18; ++c) EXPECT_NEAR(second.velocity()[c], third.velocity()[c], 1e-5) << c;
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
