// Group G3: path synthesis of a four-bar (García de Jalón and Bayo 1994, examples 10.3 and 10.4) by
// the source's iteration, with the exact closure beside it; and nine points of a known curve.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "design/synthesis/search.h"
#include "verification/verification_special.h"

namespace pawl {

namespace {

using Point = Linkage::Vector;

constexpr const char* source =
    "Garcia de Jalon and Bayo 1994, examples 10.3 and 10.4; data completed, recomputed";
constexpr std::array names{"crank", "coupler", "rocker", "C.x", "C.y"};
constexpr std::array first_guess{1.4, 4.2, 3.1, 1.9, 1.6};

class PathProblem {
public:
    // Pivots (0, 0) and (4, 0); the positions are assembled at these angles of the crank.
    PathProblem(const std::vector<Point>& points, double first_angle, double step)
        : problem_(task_of(points)) {
        const Linkage& l = problem_.linkage();
        x_.design = l.design();
        for (std::size_t k = 0; k < names.size(); ++k)
            x_.design[l.find_number(names[k])] = first_guess[k];
        for (std::size_t i = 0; i < points.size(); ++i)
            x_.positions.push_back(
                assembled((first_angle + step * static_cast<double>(i)) * M_PI / 180));
    }

    [[nodiscard]] const SynthesisProblem& problem() const { return problem_; }
    [[nodiscard]] const SynthesisUnknowns& start() const { return x_; }

private:
    static SynthesisTask task_of(const std::vector<Point>& points) {
        SynthesisTask task;
        for (const Point p : points) task.positions.emplace_back().point = p;
        task.fixed = {{"A.x", 0}, {"A.y", 0}, {"B.x", 4}, {"B.y", 0}};
        return task;
    }
    // The intersection of two circles on the left of the line from the crank's pin to B.
    static Eigen::VectorXd assembled(double angle) {
        const auto [crank, coupler, rocker, x, y] = first_guess;
        const Point pin{crank * std::cos(angle), crank * std::sin(angle)};
        const double d = std::hypot(4 - pin.x, pin.y);
        const double turn =
            std::atan2(-pin.y, 4 - pin.x) +
            std::acos((coupler * coupler + d * d - rocker * rocker) / (2 * coupler * d));
        const double c = std::cos(turn), s = std::sin(turn);
        Eigen::VectorXd q(6);
        q << pin.x, pin.y, pin.x + coupler * c, pin.y + coupler * s, pin.x + x * c - y * s,
            pin.y + x * s + y * c;
        return q;
    }

    SynthesisProblem problem_;
    SynthesisUnknowns x_;
};

class Outcomes {
public:
    void add(std::string quantity, const char* unit, double reference, double computed,
             double tolerance, const char* from = source) {
        const double error = std::abs(computed - reference);
        list.push_back({"G3", std::move(quantity), "", unit, NAN, reference, computed, error,
                        tolerance, error <= tolerance, from, ""});
    }
    void add_design(const std::string& of, const SynthesisProblem& problem,
                    const Eigen::VectorXd& b, const std::array<double, 5>& reference) {
        for (std::size_t k = 0; k < names.size(); ++k)
            add(of + ", " + names[k], "m", reference[k], b[problem.linkage().find_number(names[k])],
                1e-9);
    }
    std::vector<VerificationOutcome> list;
};

constexpr SolveOptions to_the_end{.iterations = 100, .damping = 0, .small = 0, .least_gain = 0};

void verify_five_points(Outcomes& out) {
    const PathProblem five(
        {{2.0878, 2.9193}, {1.7551, 3.5792}, {0.5344, 3.4439}, {-0.4794, 2.5527}, {-0.81, 1.5127}},
        20, 50);
    SynthesisUnknowns x = five.start();
    const SolveRecord record = solve_natural(five.problem(), x, to_the_end);
    const double objectives[] = {9.587405e-2, 1.520850e-2, 2.547e-6, 4.696e-13, 0};
    const double last_digits[] = {1e-8, 1e-8, 1e-9, 1e-16, 1e-27};
    for (std::size_t i = 0; i < 5; ++i)
        out.add(fmt::format("five points, objective of iteration {}", i), "m^2", objectives[i],
                i < record.objectives.size() ? record.objectives[i] : NAN, last_digits[i]);
    const std::array design{1.4999756550, 4.0001872846, 3.0003320415, 2.0001760947, 1.4998793320};
    out.add_design("five points", five.problem(), x.design, design);
    x = five.start();
    const SolveRecord exact = solve_exact(five.problem(), x, to_the_end);
    out.add("five points at exact closure, objective", "m^2", 0, exact.objective(), 1e-27,
            "five numbers for five points: no error remains");
    out.add_design("five points at exact closure", five.problem(), x.design, design);
}

void verify_eight_points(Outcomes& out) {
    const PathProblem eight({{1.7, 2.49},
                             {2.12, 3.32},
                             {1.3, 3.64},
                             {.17, 3.23},
                             {-.61, 2.33},
                             {-.8, 1.43},
                             {-.43, .96},
                             {.43, 1.36}},
                            0, 45);
    SynthesisUnknowns x = eight.start();
    const SolveRecord record = solve_natural(eight.problem(), x, to_the_end);
    out.add("eight points, objective", "m^2", 9.8526688e-6, record.objective(), 1e-13);
    out.add_design("eight points", eight.problem(), x.design,
                   {1.5006566275, 3.9830975595, 2.9650693766, 1.9853190290, 1.5184865993});
    const SolveRecord exact = solve_exact(eight.problem(), x, to_the_end);
    out.add("eight points at exact closure, objective", "m^2", 2.033061261e-5, exact.objective(),
            1e-13,
            "half the sum of the squared distances from the curve; by a search over the "
            "crank's angles in another program");
}

}  // namespace

std::vector<VerificationOutcome> verify_synthesis() {
    Outcomes out;
    verify_five_points(out);
    verify_eight_points(out);
    return std::move(out.list);
}

}  // namespace pawl
