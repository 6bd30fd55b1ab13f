#include "design/optimality.h"

#include <algorithm>
#include <cmath>

#include "math/linear/dense.h"
#include "math/tolerances/outside.h"

namespace pawl {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct ActiveRow {
    std::string name;
    VectorXd gradient;
    bool signed_any = false;  // an equality: its multiplier may have either sign
};

// min |g + sum lambda_i a_i| with lambda >= 0 where asked: those that come out negative are left
// out, the worst first, and come in again where that helps (Lawson and Hanson).
VectorXd multipliers(const VectorXd& g, const std::vector<ActiveRow>& columns) {
    const auto n = static_cast<int>(columns.size());
    VectorXd lambda = VectorXd::Zero(n);
    std::vector<bool> in(columns.size(), true);
    for (int iteration = 0; iteration < 3 * n + 3; ++iteration) {
        std::vector<int> chosen;
        for (int i = 0; i < n; ++i)
            if (in[static_cast<std::size_t>(i)]) chosen.push_back(i);
        lambda.setZero();
        if (!chosen.empty()) {
            MatrixXd a(g.size(), static_cast<int>(chosen.size()));
            for (std::size_t k = 0; k < chosen.size(); ++k)
                a.col(static_cast<int>(k)) = columns[static_cast<std::size_t>(chosen[k])].gradient;
            const VectorXd found = solve_least_squares(a, -g);
            for (std::size_t k = 0; k < chosen.size(); ++k)
                lambda[chosen[k]] = found[static_cast<int>(k)];
        }
        int worst = -1;
        for (const int i : chosen)
            if (!columns[static_cast<std::size_t>(i)].signed_any && lambda[i] < 0 &&
                (worst < 0 || lambda[i] < lambda[worst]))
                worst = i;
        if (worst < 0) break;
        in[static_cast<std::size_t>(worst)] = false;
    }
    return lambda;
}

}  // namespace

Optimality optimality(const DesignProblem& problem, const std::vector<double>& x,
                      const std::vector<double>& constraints, const DesignGradient& gradient,
                      double steepest, double tolerance) {
    const auto n = static_cast<int>(x.size());
    const VectorXd g = Eigen::Map<const VectorXd>(gradient.objective.data(), n);
    std::vector<ActiveRow> columns;
    for (std::size_t c = 0; c < constraints.size(); ++c) {
        const DesignProblem::Constraint& constraint = problem.constraints()[c];
        if (constraint.is_equality || constraints[c] >= -10 * tolerance)
            columns.push_back({constraint.text,
                               Eigen::Map<const VectorXd>(gradient.constraints[c].data(), n),
                               constraint.is_equality});
    }
    for (int i = 0; i < n; ++i) {
        const std::string& name = problem.variables()[static_cast<std::size_t>(i)].name;
        const double at = x[static_cast<std::size_t>(i)];
        if (at <= tolerance::at_bound)
            columns.push_back({name + " at its minimum", -VectorXd::Unit(n, i), false});
        if (at >= 1 - tolerance::at_bound)
            columns.push_back({name + " at its maximum", VectorXd::Unit(n, i), false});
    }
    const VectorXd lambda = multipliers(g, columns);
    Optimality out;
    VectorXd rest = g;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const double multiplier = lambda[static_cast<int>(i)];
        rest += multiplier * columns[i].gradient;
        out.active.push_back({columns[i].name, multiplier});
    }
    out.residual = rest.norm() / std::max({g.norm(), steepest, tolerance::flat_objective});
    return out;
}

}  // namespace pawl
