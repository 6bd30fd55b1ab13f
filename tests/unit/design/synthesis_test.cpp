// Rows of a synthesis against differences, circuits and defects of linkages whose motion is known
// in closed form, and searches that have to find a linkage that is known.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "design/atlas.h"
#include "design/synthesis/linkage_model.h"
#include "design/synthesis/random_start.h"
#include "design/synthesis/search.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Eigen::VectorXd;
using Point = Linkage::Vector;

constexpr double degree = std::numbers::pi / 180;

// A four-bar in closed form: the pin of the rocker on one side of the line from crank to pivot.
struct FourBar {
    double crank, coupler, rocker, ground, x, y;
    Point pivot{0, 0};
    [[nodiscard]] VectorXd at(double angle, int side = 1) const {
        const Point pin{crank * std::cos(angle), crank * std::sin(angle)};
        const double d = std::hypot(ground - pin.x, pin.y);
        const double turn =
            std::atan2(-pin.y, ground - pin.x) +
            side * std::acos((coupler * coupler + d * d - rocker * rocker) / (2 * coupler * d));
        const double c = std::cos(turn), s = std::sin(turn);
        VectorXd q(6);
        q << pin.x, pin.y, pin.x + coupler * c, pin.y + coupler * s, pin.x + x * c - y * s,
            pin.y + x * s + y * c;
        for (int k = 0; k < 6; k += 2) {
            q[k] += pivot.x;
            q[k + 1] += pivot.y;
        }
        return q;
    }
    [[nodiscard]] VectorXd design(const Linkage& l) const {
        VectorXd b = VectorXd::Zero(l.design_size());
        const auto set = [&](const char* name, double v) {
            if (const int i = l.find_number(name); i >= 0) b[i] = v;
        };
        set("A.x", pivot.x);
        set("A.y", pivot.y);
        set("B.x", pivot.x + ground);
        set("B.y", pivot.y);
        set("crank", crank);
        set("coupler", coupler);
        set("rocker", rocker);
        set("C.x", x);
        set("C.y", y);
        return b;
    }
};

const FourBar crank_rocker{1.0, 2.5, 2.2, 2.8, 1.4, 1.1};

SynthesisTask path_of(const FourBar& f, const std::vector<double>& angles, bool timed = false) {
    SynthesisTask task;
    for (const double angle : angles) {
        const VectorXd q = f.at(angle * degree);
        Requirement& r = task.positions.emplace_back();
        r.point = {q[4], q[5]};
        if (timed) r.input = (angle - angles.front()) * degree;
    }
    return task;
}

Solution solution_of(const FourBar& f, const SynthesisProblem& problem,
                     const std::vector<VectorXd>& positions) {
    Solution s;
    s.exact = {f.design(problem.linkage()), positions};
    return s;
}

std::vector<VectorXd> positions_of(const FourBar& f, const std::vector<double>& angles) {
    std::vector<VectorXd> out;
    for (const double angle : angles) out.push_back(f.at(angle * degree));
    return out;
}

SynthesisTask any_task(SynthesisKind kind, LinkageKind linkage, bool timed) {
    SynthesisTask task;
    task.kind = kind;
    task.linkage = linkage;
    task.tolerance = 0.01;
    for (int i = 0; i < 3; ++i) {
        Requirement& r = task.positions.emplace_back();
        r.point = {0.3 * i, 0.2 - 0.1 * i * i};
        r.angle = 0.4 * i;
        r.output = 0.3 * i;
        if (timed || kind == SynthesisKind::function) r.input = 0.5 * i;
        r.tolerance = 0.01 * (1 + i);
    }
    return task;
}

TEST(Synthesis, rows_have_the_derivatives_that_differences_show) {
    for (const auto kind : all_values<SynthesisKind>())
        for (const auto linkage : all_values<LinkageKind>())
            for (const bool timed : {false, true}) {
                const SynthesisProblem problem(any_task(kind, linkage, timed));
                RandomNumbers random(3, 1);
                const auto x = random_start(problem, 1.2, random);
                PositionRows rows, up, down;
                problem.evaluate(1, x.positions[1], x.design, rows);
                ASSERT_EQ(rows.used, problem.rows());
                const double h = 1e-6;
                const auto check = [&](int k, bool design) {
                    VectorXd q = x.positions[1], b = x.design;
                    double& moved = design ? b[k] : q[k];
                    const double middle = moved;
                    moved = middle + h;
                    problem.evaluate(1, q, b, up);
                    moved = middle - h;
                    problem.evaluate(1, q, b, down);
                    const VectorXd difference = (up.value - down.value) / (2 * h);
                    const VectorXd given = design ? rows.by_design.col(k) : rows.by_position.col(k);
                    // Rows of size 1 are rounded to 1e-16 / h, and bent by h^2.
                    EXPECT_LT((difference - given).norm(), 1e-8 * (1 + given.norm()))
                        << value_name(kind) << " " << value_name(linkage) << " " << k;
                };
                for (int k = 0; k < x.positions[1].size(); ++k) check(k, false);
                for (int k = 0; k < x.design.size(); ++k) check(k, true);
            }
}

TEST(Synthesis, the_circuit_of_a_crank_rocker_closes_after_one_turn) {
    const Linkage l = make_linkage(LinkageKind::four_bar);
    const VectorXd b = crank_rocker.design(l);
    const auto circuit = follow_circuit(l, b, crank_rocker.at(0.3));
    ASSERT_TRUE(circuit);
    EXPECT_TRUE(circuit->closed);
    EXPECT_TRUE(circuit->crank_turns());
    EXPECT_NEAR(circuit->input_range, 2 * std::numbers::pi, 0.1);  // up to the last step
    EXPECT_TRUE(circuit->find(l, b, crank_rocker.at(4)));
    EXPECT_FALSE(circuit->find(l, b, crank_rocker.at(4, -1)));  // assembled the other way
}

// Lengths 2, 3, 2.4, 4: shortest and longest are longer than the other two together. The crank's
// range follows from the triangle of the stretched coupler and rocker.
TEST(Synthesis, a_triple_rocker_has_two_dead_points_of_the_crank) {
    const FourBar rocker{2.0, 3.0, 2.4, 6.5, 1, 1};
    const Linkage l = make_linkage(LinkageKind::four_bar);
    const auto circuit = follow_circuit(l, rocker.design(l), rocker.at(0.2));
    ASSERT_TRUE(circuit);
    EXPECT_TRUE(circuit->closed);
    EXPECT_EQ(circuit->dead_points, 2);
    const double half_range = std::acos((2.0 * 2.0 + 6.5 * 6.5 - 5.4 * 5.4) / (2 * 2.0 * 6.5));
    // The range is read off samples 3 % of the longest bar apart; at a dead point its error is of
    // second order.
    EXPECT_NEAR(circuit->input_range, 2 * half_range, 1e-3);
    EXPECT_EQ(grashof_type(6.5, 2.0, 3.0, 2.4), "triple rocker");
}

TEST(Synthesis, types_follow_grashofs_rule) {
    EXPECT_EQ(grashof_type(2.8, 1.0, 2.5, 2.2), "crank-rocker");
    EXPECT_EQ(grashof_type(1.0, 2.8, 2.5, 2.2), "double crank");
    EXPECT_EQ(grashof_type(2.8, 2.5, 1.0, 2.2), "double rocker (Grashof)");
    EXPECT_EQ(grashof_type(2.8, 2.2, 2.5, 1.0), "rocker-crank");
    EXPECT_EQ(grashof_type(2, 1, 2, 1), "change point");
}

TEST(Synthesis, defects_are_named) {
    const std::vector<double> angles{10, 60, 110, 200, 300};
    const SynthesisProblem problem(path_of(crank_rocker, angles));
    Solution good = solution_of(crank_rocker, problem, positions_of(crank_rocker, angles));
    appraise(problem, good);
    EXPECT_EQ(good.appraisal.defects(), "none");
    EXPECT_EQ(good.appraisal.direction, 1);
    EXPECT_LT(good.appraisal.worst_error, 1e-9);

    const std::vector<double> mixed{10, 200, 60, 300, 110};
    const SynthesisProblem other(path_of(crank_rocker, mixed));
    Solution order = solution_of(crank_rocker, other, positions_of(crank_rocker, mixed));
    appraise(other, order);
    EXPECT_EQ(order.appraisal.defects(), "order");

    Solution circuit = good;
    circuit.exact.positions[2] = crank_rocker.at(110 * degree, -1);
    appraise(problem, circuit);
    EXPECT_TRUE(circuit.appraisal.circuit_defect);

    // Both sides of a triple rocker are one circuit, parted by the dead points of the crank.
    const FourBar rocker{2.0, 3.0, 2.4, 6.5, 1, 1};
    const std::vector<double> few{-20, 5, 25};
    const SynthesisProblem third(path_of(rocker, few));
    Solution branch = solution_of(rocker, third, positions_of(rocker, few));
    appraise(third, branch);
    EXPECT_EQ(branch.appraisal.defects(), "none");
    EXPECT_NEAR(branch.appraisal.to - branch.appraisal.from, 45 * degree, 1e-9);
    branch.exact.positions[1] = rocker.at(5 * degree, -1);
    appraise(third, branch);
    EXPECT_TRUE(branch.appraisal.branch_defect);
    EXPECT_FALSE(branch.appraisal.circuit_defect);
}

// The least transmission angle of a crank-rocker is where the crank is along the ground.
TEST(Synthesis, transmission_angle_is_that_of_the_extreme_positions) {
    const std::vector<double> angles{10, 60, 110, 200, 300};
    const SynthesisProblem problem(path_of(crank_rocker, angles));
    Solution s = solution_of(crank_rocker, problem, positions_of(crank_rocker, angles));
    appraise(problem, s);
    const FourBar& f = crank_rocker;
    const auto angle = [&](double d) {
        return std::acos((f.coupler * f.coupler + f.rocker * f.rocker - d * d) /
                         (2 * f.coupler * f.rocker));
    };
    const double least =
        std::min(angle(f.ground - f.crank), std::numbers::pi - angle(f.ground + f.crank));
    EXPECT_NEAR(s.appraisal.transmission, least, 1e-3);  // read off samples
}

bool holds(const SearchResult& result, const VectorXd& design, double tolerance) {
    return std::any_of(result.solutions.begin(), result.solutions.end(), [&](const Solution& s) {
        return (s.exact.design - design).cwiseAbs().maxCoeff() < tolerance;
    });
}

// Roberts: with z the coupler point over the coupler, the third pivot is A + z (B - A) = (1.568,
// 1.232), and the links of the cognates are those of the four-bar times |z| and |1 - z|.
TEST(Synthesis, nine_points_of_a_coupler_curve_give_the_four_bar_and_its_cognates) {
    std::vector<double> angles;
    for (int i = 0; i < 9; ++i) angles.push_back(11 + 40 * i);
    const SynthesisProblem problem(path_of(crank_rocker, angles));
    SearchOptions options;
    options.starts = 160;
    const SearchResult result = search_linkages(problem, options);
    const Linkage& l = problem.linkage();
    EXPECT_TRUE(holds(result, crank_rocker.design(l), 1e-6));
    int at_a = 0, at_b = 0;
    const double z = std::hypot(1.4, 1.1) / 2.5, rest = std::hypot(1.1, 1.1) / 2.5;
    for (const Solution& s : result.solutions) {
        const auto number = [&](const char* name) { return s.exact.design[l.find_number(name)]; };
        const auto near = [&](const char* name, double v) {
            return std::abs(number(name) - v) < 1e-6;
        };
        const bool to_third = near("B.x", 1.568) && near("B.y", 1.232);
        at_a += to_third && near("A.x", 0) && near("A.y", 0) && near("crank", 2.5 * z) &&
                near("coupler", 1.0 * z) && near("rocker", 2.2 * z);
        at_b += to_third && near("A.x", 2.8) && near("A.y", 0) && near("crank", 2.5 * rest) &&
                near("coupler", 2.2 * rest) && near("rocker", 1.0 * rest);
    }
    EXPECT_EQ(at_a, 1);
    EXPECT_EQ(at_b, 1);
}

TEST(Synthesis, the_number_of_threads_changes_nothing) {
    const SynthesisProblem problem(path_of(crank_rocker, {10, 60, 110, 200, 300, 330}));
    SearchOptions options;
    options.starts = 24;
    options.threads = 1;
    const std::string one = solutions_table(problem, search_linkages(problem, options));
    options.threads = 3;
    EXPECT_EQ(solutions_table(problem, search_linkages(problem, options)), one);
    options.seed = 2;
    EXPECT_NE(solutions_table(problem, search_linkages(problem, options)), one);
}

// What a linkage of each kind does can be asked for again.
TEST(Synthesis, each_kind_of_linkage_finds_what_one_of_its_kind_does) {
    for (const auto kind : all_values<SynthesisKind>())
        for (const auto linkage : all_values<LinkageKind>()) {
            SynthesisTask task = any_task(kind, linkage, false);
            for (Requirement& r : task.positions) r.tolerance.reset();
            if (kind == SynthesisKind::function) {
                task.fixed = {{"A.x", 0}, {"A.y", 0}};
                if (linkage == LinkageKind::slider_crank)
                    task.fixed.emplace_back("guide.angle", 0);
                else
                    task.fixed.insert(task.fixed.end(), {{"B.x", 1}, {"B.y", 0}});
            }
            const SynthesisProblem problem(task);
            SearchOptions options;
            options.starts = 12;
            options.keep = 1;
            const SearchResult result = search_linkages(problem, options);
            ASSERT_FALSE(result.solutions.empty()) << value_name(kind) << value_name(linkage);
            const Solution& best = result.solutions.front();
            EXPECT_LT(best.appraisal.worst_error, 1)
                << value_name(kind) << " " << value_name(linkage);
            const LinkageSheet sheet = make_sheet(problem, model_text(problem, best), 1);
            EXPECT_EQ(sheet.problem, "") << value_name(kind) << " " << value_name(linkage) << "\n"
                                         << sheet.model;
        }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
