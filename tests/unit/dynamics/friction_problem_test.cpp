// Which places stick and which contacts hold, by closed forms.
#include "dynamics/contact/friction_problem.h"

#include <cmath>

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

using Eigen::MatrixXd;
using Eigen::RowVector3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double g = 9.81;
// Numbers of order ten with some hundred roundings each.
constexpr double rounding = 1e-11;

FrictionTask::Point on_contact(int contact, double mu, double mu_rest = 0) {
    FrictionTask::Point point;
    point.contact = contact;
    point.law.first_load = contact;
    point.law.kinetic = mu;
    point.law.holding = mu_rest > 0 ? mu_rest : mu;
    return point;
}

FrictionTask::Point of_guide(int load, double mu) {
    FrictionTask::Point point;
    point.law.kind = FrictionPoint::Load::each;
    point.law.first_load = load;
    point.law.kinetic = point.law.holding = mu;
    return point;
}

// A point of 2 kg on a slope: its normal and, down the slope, its tangent.
FrictionTask block(double slope, double mu, double mu_rest = 0) {
    FrictionTask task;
    task.contacts = 1;
    task.points = {on_contact(0, mu, mu_rest)};
    task.response = MatrixXd::Identity(2, 2) / 2;
    task.free = Eigen::Vector2d(-g * std::cos(slope), g * std::sin(slope));
    task.load_slope = Eigen::RowVector2d(1, 0);
    task.load_first = VectorXd::Zero(1);
    return task;
}

TEST(FrictionProblem, block_on_a_slope_holds_up_to_the_angle_of_friction) {
    for (const double part : {0.1, 0.999999}) {
        const double slope = part * std::atan(0.3);
        FrictionProblem problem(block(slope, 0.3));
        ASSERT_EQ(problem.solve(), FrictionOutcome::unique);
        EXPECT_TRUE(problem.answer().closed[0]);
        EXPECT_EQ(problem.answer().direction[0], 0);
        EXPECT_NEAR(problem.answer().force[0], 2 * g * std::cos(slope), rounding);
        EXPECT_NEAR(problem.answer().force[1], -2 * g * std::sin(slope), rounding);
        EXPECT_FALSE(problem.answer().shared);
    }
}

TEST(FrictionProblem, block_on_a_steep_slope_slides_down) {
    const double slope = 1.000001 * std::atan(0.3);
    FrictionProblem problem(block(slope, 0.3));
    ASSERT_EQ(problem.solve(), FrictionOutcome::unique);
    EXPECT_EQ(problem.answer().direction[0], 1);
    EXPECT_NEAR(problem.answer().acceleration[1], g * (std::sin(slope) - 0.3 * std::cos(slope)),
                rounding);
}

TEST(FrictionProblem, start_from_rest_asks_for_the_coefficient_at_rest_and_sliding_for_the_other) {
    const double slope = std::atan(0.35);
    FrictionProblem rests(block(slope, 0.3, 0.4));
    ASSERT_EQ(rests.solve(), FrictionOutcome::unique);
    EXPECT_EQ(rests.answer().direction[0], 0);
    FrictionTask task = block(slope, 0.3, 0.4);
    task.points[0].slip = 1;
    task.points[0].direction = 1;
    FrictionProblem slides(task);
    ASSERT_EQ(slides.solve(), FrictionOutcome::unique);
    EXPECT_NEAR(slides.answer().acceleration[1], g * (std::sin(slope) - 0.3 * std::cos(slope)),
                rounding);
}

TEST(FrictionProblem, what_is_pulled_off_leaves_and_has_no_friction) {
    FrictionTask task = block(0.1, 0.3);
    task.free[0] = 1;
    FrictionProblem problem(task);
    ASSERT_EQ(problem.solve(), FrictionOutcome::unique);
    EXPECT_FALSE(problem.answer().closed[0]);
    EXPECT_EQ(problem.answer().force, VectorXd::Zero(2));
}

TEST(FrictionProblem, of_nothing_is_solved_by_nothing) {
    FrictionTask task;
    task.response = task.load_slope = MatrixXd::Zero(0, 0);
    task.free = task.load_first = VectorXd::Zero(0);
    FrictionProblem problem(task);
    EXPECT_EQ(problem.solve(), FrictionOutcome::unique);
}

// A block of 1 kg on two corners at -+b, its centre h above them, pulled with F through its centre.
// Rows: normals (0, 1, x), tangents (1, 0, h), which are the same for both corners.
FrictionTask two_corners(double pull, double mu, double b, double h) {
    const double inertia = (b * b + h * h) / 3;
    MatrixXd rows(4, 3);
    rows << RowVector3d(0, 1, -b), RowVector3d(0, 1, b), RowVector3d(1, 0, h), RowVector3d(1, 0, h);
    const Vector3d answer(1, 1, 1 / inertia);
    FrictionTask task;
    task.contacts = 2;
    task.points = {on_contact(0, mu), on_contact(1, mu)};
    task.response = rows * answer.asDiagonal() * rows.transpose();
    task.free = rows * Vector3d(pull, -g, 0);
    task.load_slope = MatrixXd::Identity(2, 4);
    task.load_first = VectorXd::Zero(2);
    return task;
}

// It neither slides (F <= mu m g) nor tips (F h <= m g b). The normal forces are determined, the
// friction of the corners only in sum: the slack is shared evenly.
TEST(FrictionProblem, block_on_two_corners_sticks_as_a_group) {
    FrictionProblem problem(two_corners(2, 0.3, 0.5, 0.2));
    ASSERT_EQ(problem.solve(), FrictionOutcome::unique);
    const FrictionAnswer& answer = problem.answer();
    EXPECT_EQ(answer.direction, (std::vector<int>{0, 0}));
    EXPECT_TRUE(answer.shared);
    EXPECT_NEAR(answer.force[0] + answer.force[1], g, rounding);
    EXPECT_NEAR(answer.force[1] - answer.force[0], 2 * 0.2 / 0.5, rounding);
    EXPECT_NEAR(answer.force[2] + answer.force[3], -2, rounding);
    EXPECT_NEAR(answer.slack, (0.3 * g - 2) / 2, rounding);
    for (int i = 0; i < 2; ++i)
        EXPECT_NEAR(0.3 * answer.force[i] - std::abs(answer.force[2 + i]), answer.slack, rounding);
}

TEST(FrictionProblem, block_on_two_corners_slides_on_both_beyond_the_sum_of_their_limits) {
    for (const double pull : {0.3 * g * 1.000001, -0.3 * g * 1.000001}) {
        FrictionProblem problem(two_corners(pull, 0.3, 0.5, 0.2));
        ASSERT_EQ(problem.solve(), FrictionOutcome::unique);
        const int way = pull > 0 ? 1 : -1;
        EXPECT_EQ(problem.answer().direction, (std::vector<int>{way, way}));
        EXPECT_NEAR(problem.answer().acceleration[2], pull - way * 0.3 * g, rounding);
    }
}

TEST(FrictionProblem, block_on_two_corners_tips_about_one_that_sticks) {
    FrictionProblem problem(two_corners(6, 0.9, 0.1, 0.5));
    ASSERT_EQ(problem.solve(), FrictionOutcome::unique);
    EXPECT_EQ(problem.answer().closed, (std::vector<char>{0, 1}));
    EXPECT_EQ(problem.answer().direction[1], 0);
    // About the corner: I' w' = m g b - F h, clockwise.
    const double inertia = (0.01 + 0.25) * 4 / 3;
    EXPECT_NEAR(problem.answer().acceleration[0], 2 * 0.1 * (6 * 0.5 - g * 0.1) / inertia,
                rounding);
}

// One slider in two guides, pressed with 10 and 2 N: mu = 0.5 holds 5 + 1 N, but no more than 1 N
// of it in the second guide.
TEST(FrictionProblem, slider_in_two_guides_holds_up_to_the_sum_of_their_limits) {
    FrictionTask task;
    task.points = {of_guide(0, 0.5), of_guide(1, 0.5)};
    task.response = MatrixXd::Ones(2, 2);
    task.load_slope = MatrixXd::Zero(2, 2);
    task.load_first = Eigen::Vector2d(10, -2);
    for (const double pull : {5.0, -5.9}) {
        task.free = Eigen::Vector2d(pull, pull);
        FrictionProblem problem(task);
        ASSERT_EQ(problem.solve(), FrictionOutcome::unique);
        const FrictionAnswer& answer = problem.answer();
        EXPECT_EQ(answer.direction, (std::vector<int>{0, 0}));
        EXPECT_NEAR(answer.force[0] + answer.force[1], -pull, rounding);
        EXPECT_NEAR(answer.slack, (6 - std::abs(pull)) / 2, rounding);
        EXPECT_NEAR(std::abs(answer.force[1]), 1 - answer.slack, rounding);
    }
    task.free = Eigen::Vector2d(6.1, 6.1);
    FrictionProblem slides(task);
    ASSERT_EQ(slides.solve(), FrictionOutcome::unique);
    EXPECT_EQ(slides.answer().direction, (std::vector<int>{1, 1}));
    EXPECT_NEAR(slides.answer().acceleration[0], 0.1, rounding);
}

// Painleve's rod of 1 m and 1 kg at tan = 2, sliding forward: a_n = (1.6 - 1.2 mu) N + b.
FrictionTask rod(double mu, double b) {
    FrictionTask task;
    task.contacts = 1;
    task.points = {on_contact(0, mu)};
    task.points[0].slip = 1;
    task.points[0].direction = 1;
    task.response = MatrixXd(2, 2);
    task.response << 1.6, 1.2, 1.2, 3.4;
    task.free = Eigen::Vector2d(b, 0);
    task.load_slope = Eigen::RowVector2d(1, 0);
    task.load_first = VectorXd::Zero(1);
    return task;
}

TEST(FrictionProblem, rod_short_of_the_paradox_has_one_solution) {
    FrictionProblem slides(rod(1.2, -g));
    ASSERT_EQ(slides.solve(), FrictionOutcome::unique);
    EXPECT_NEAR(slides.answer().force[0], 61.3125, rounding);
    EXPECT_NEAR(slides.answer().acceleration[1], -176.58, 10 * rounding);
    FrictionProblem leaves(rod(1.2, 6));
    ASSERT_EQ(leaves.solve(), FrictionOutcome::unique);
    EXPECT_FALSE(leaves.answer().closed[0]);
}

TEST(FrictionProblem, rod_in_the_paradox_has_no_solution_or_two) {
    FrictionProblem none(rod(1.5, -g));
    EXPECT_EQ(none.solve(), FrictionOutcome::none);
    FrictionProblem two(rod(1.5, 6));
    ASSERT_EQ(two.solve(), FrictionOutcome::several);
    ASSERT_EQ(two.answers().size(), 2u);
    const int slides = two.answers()[0].closed[0] ? 0 : 1;
    EXPECT_NEAR(two.answers()[slides].force[0], 30, rounding);  // 6/0.2
    EXPECT_FALSE(two.answers()[1 - slides].closed[0]);
}

TEST(FrictionProblem, place_that_gives_way_does_not_stick_again) {
    FrictionTask task = block(std::atan(0.3), 0.3);  // at its limit
    task.points[0].gives_way = true;
    FrictionProblem problem(task);
    ASSERT_EQ(problem.solve(), FrictionOutcome::unique);
    EXPECT_EQ(problem.answer().direction[0], 1);
}

TEST(FrictionProblem, uniqueness_is_not_claimed_for_many_joints) {
    FrictionTask task;
    task.response = MatrixXd::Identity(9, 9) + 0.01 * MatrixXd::Ones(9, 9);
    task.load_slope = MatrixXd::Zero(9, 9);
    task.load_first = VectorXd::Constant(9, 2);
    task.free = VectorXd::Constant(9, 1.5);
    for (int k = 0; k < 9; ++k) task.points.push_back(of_guide(k, 0.5));
    FrictionProblem problem(task);
    ASSERT_EQ(problem.solve(), FrictionOutcome::not_shown);
    // Each is held back by 1 N: 1.5 - 1 - 9 0.01.
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(problem.answer().acceleration[k], 0.41, rounding);
}

// Several tasks side by side, their rows in turn.
FrictionTask side_by_side(const std::vector<FrictionTask>& tasks) {
    FrictionTask all;
    for (const FrictionTask& task : tasks) all.contacts += task.contacts;
    int rows = all.contacts, loads = 0;
    for (const FrictionTask& task : tasks) {
        rows += static_cast<int>(task.points.size());
        loads += static_cast<int>(task.load_first.size());
    }
    all.response = MatrixXd::Zero(rows, rows);
    all.load_slope = MatrixXd::Zero(loads, rows);
    all.free = VectorXd::Zero(rows);
    all.load_first = VectorXd::Zero(loads);
    int contact = 0, point = all.contacts, load = 0;
    for (const FrictionTask& task : tasks) {
        std::vector<int> at;
        for (int i = 0; i < task.contacts; ++i) at.push_back(contact + i);
        for (FrictionTask::Point p : task.points) {
            at.push_back(point++);
            p.law.first_load += load;
            if (p.contact >= 0) p.contact += contact;
            all.points.push_back(p);
        }
        const int n = static_cast<int>(task.load_first.size());
        all.response(at, at) = task.response;
        all.free(at) = task.free;
        all.load_slope(Eigen::seqN(load, n), at) = task.load_slope;
        all.load_first.segment(load, n) = task.load_first;
        contact += task.contacts;
        load += n;
    }
    return all;
}

// Twelve contacts: too many modes to try together, but the blocks do not feel each other.
TEST(FrictionProblem, blocks_apart_are_solved_apart) {
    std::vector<FrictionTask> tasks;
    for (int i = 0; i < 6; ++i) tasks.push_back(two_corners(i % 2 == 0 ? 2 : -4, 0.3, 0.5, 0.2));
    FrictionProblem problem(side_by_side(tasks));
    ASSERT_EQ(problem.solve(), FrictionOutcome::unique);
    const FrictionAnswer& answer = problem.answer();
    EXPECT_EQ(answer.closed, std::vector<char>(12, 1));
    EXPECT_TRUE(answer.shared);
    EXPECT_NEAR(answer.slack, (0.3 * g - 2) / 2, rounding);
    for (int i = 0; i < 6; ++i)
        for (int k = 2 * i; k < 2 * i + 2; ++k) {
            EXPECT_EQ(answer.direction[static_cast<std::size_t>(k)], i % 2 == 0 ? 0 : -1);
            EXPECT_NEAR(answer.acceleration[12 + k], i % 2 == 0 ? 0 : -4 + 0.3 * g, rounding);
        }
}

// A block of 1 kg on `corners` corners in a row from -b to b, its centre h above them, pulled with
// F through its centre and turned by the moment T.
FrictionTask many_corners(int corners, double pull, double moment, double mu) {
    constexpr double b = 0.5, h = 0.2, inertia = (b * b + h * h) / 3;
    MatrixXd rows(2 * corners, 3);
    FrictionTask task;
    task.contacts = corners;
    for (int i = 0; i < corners; ++i) {
        rows.row(i) = RowVector3d(0, 1, b * (2.0 * i / (corners - 1) - 1));
        rows.row(corners + i) = RowVector3d(1, 0, h);
        task.points.push_back(on_contact(i, mu));
    }
    task.response = rows * Vector3d(1, 1, 1 / inertia).asDiagonal() * rows.transpose();
    task.free = rows * Vector3d(pull, -g, moment / inertia);
    task.load_slope = MatrixXd::Identity(corners, 2 * corners);
    task.load_first = VectorXd::Zero(corners);
    return task;
}

// Of more corners than two the normal forces are not determined, but the sum of what slides is: the
// motion is. None of them is left out.
TEST(FrictionProblem, block_that_slides_on_three_corners_shares_its_weight_and_its_friction) {
    FrictionProblem problem(many_corners(3, 5, 0, 0.3));
    ASSERT_EQ(problem.solve(), FrictionOutcome::unique);
    const FrictionAnswer& answer = problem.answer();
    EXPECT_EQ(answer.closed, std::vector<char>(3, 1));
    EXPECT_FALSE(answer.loose);
    EXPECT_NEAR(answer.force.head(3).sum(), g, rounding);
    for (int i = 0; i < 3; ++i) {
        EXPECT_GT(answer.force[i], 0);
        EXPECT_NEAR(answer.force[3 + i], -0.3 * answer.force[i], rounding);
        EXPECT_NEAR(answer.acceleration[3 + i], 5 - 0.3 * g, rounding);
    }
}

// A block that is about to slide says nothing of how another one shares its forces.
TEST(FrictionProblem, forces_of_a_mode_are_shared_in_each_block_by_itself) {
    const auto sticking = [](std::size_t corners) {
        FrictionAnswer mode;
        mode.closed.assign(corners, 1);
        mode.direction.assign(corners, 0);
        return mode;
    };
    const FrictionTask tight = two_corners(0.3 * g, 0.3, 0.5, 0.2),
                       easy = many_corners(4, 1.5, 1.0, 0.3);
    FrictionAnswer alone = sticking(4), all = sticking(6);
    ASSERT_TRUE(FrictionProblem(easy).find_forces(alone));
    ASSERT_TRUE(FrictionProblem(side_by_side({tight, easy})).find_forces(all));
    EXPECT_TRUE(all.shared);
    EXPECT_NEAR(all.slack, 0, rounding);
    EXPECT_GT(alone.slack, 0.1);
    for (int i = 0; i < 4; ++i) {
        EXPECT_NEAR(all.force[2 + i], alone.force[i], rounding) << i;
        EXPECT_NEAR(all.force[8 + i], alone.force[4 + i], rounding) << i;
    }
    EXPECT_EQ(all.yields, (std::vector<int>{1, 1, 0, 0, 0, 0}));
}

// The slack of shared forces ends a mode, whichever block gives way.
TEST(FrictionProblem, slack_counts_blocks_whose_forces_are_determined) {
    const double slope = std::atan(0.29);
    FrictionAnswer all;
    all.closed.assign(5, 1);
    all.direction.assign(5, 0);
    ASSERT_TRUE(FrictionProblem(side_by_side({many_corners(4, 0.5, 0, 0.3), block(slope, 0.3)}))
                    .find_forces(all));
    EXPECT_TRUE(all.shared);
    EXPECT_NEAR(all.slack, 2 * g * (0.3 * std::cos(slope) - std::sin(slope)), rounding);
    EXPECT_EQ(all.yields, (std::vector<int>{0, 0, 0, 0, 1}));
}

// The largest slack is a concave function of the load; it must be found at every load, also where
// many inequalities are tight, for its zero ends the mode.
TEST(FrictionProblem, slack_of_a_block_on_four_corners_is_found_at_every_load) {
    constexpr int steps = 2000;
    const auto slack_at = [](int i) {
        const double part = static_cast<double>(i) / steps;
        FrictionProblem problem(many_corners(4, 0.3 * g * part, 2 * part - 1, 0.3));
        FrictionAnswer mode;
        mode.closed.assign(4, 1);
        mode.direction.assign(4, 0);
        EXPECT_TRUE(problem.find_forces(mode));
        EXPECT_TRUE(std::isfinite(mode.slack)) << part;
        return mode.slack;
    };
    double before = slack_at(0), now = slack_at(1);
    for (int i = 2; i <= steps; ++i) {
        const double next = slack_at(i);
        EXPECT_LE(next - 2 * now + before, rounding) << i;
        before = now;
        now = next;
    }
    // All the friction there is, whatever the shares: 4 s = mu m g - F.
    EXPECT_NEAR(now, 0, rounding);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
