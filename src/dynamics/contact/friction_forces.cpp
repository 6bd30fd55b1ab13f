// The forces of one mode of friction: how dependent rows share them, and whether they are
// admissible.
#include <algorithm>
#include <cmath>

#include "dynamics/contact/friction_problem.h"
#include "dynamics/contact/linear_programme.h"
#include "math/tolerances/solving.h"

namespace pawl {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

}  // namespace

double FrictionProblem::force_scale(const FrictionAnswer& mode) const {
    return largest(mode.force) + tolerance::no_division;
}

// A row that holds has no acceleration; a point that slides has f + d m N + c s = 0.
void FrictionProblem::set_balance(const FrictionAnswer& mode, const std::vector<int>& act,
                                  MatrixXd& jacobian, VectorXd& residual) const {
    const int n = task_.contacts, m = static_cast<int>(act.size());
    const VectorXd a = task_.response * mode.force + task_.free;
    const VectorXd l = task_.load_slope * mode.force + task_.load_first;
    const std::span<const double> loads(l.data(), static_cast<std::size_t>(l.size()));
    for (int i = 0; i < m; ++i) {
        const int row = act[i], k = row - n;
        if (k < 0 || mode.direction[k] == 0) {
            const double own = std::max(task_.response(row, row), tolerance::no_division);
            residual[i] = a[row] / own;
            for (int j = 0; j < m; ++j) jacobian(i, j) = task_.response(row, act[j]) / own;
            continue;
        }
        const auto& point = task_.points[k];
        // What starts from rest must overcome the limit at rest.
        const double way = point.way(mode.direction[k]);
        const double limit =
            way * (point.direction == 0 ? point.law.limit_at_rest()
                                        : point.law.limit_sliding(std::abs(point.slip)));
        residual[i] = mode.force[row] + limit * point.law.load(loads) + way * point.law.constant +
                      point.law.viscous * point.slip;
        for (int j = 0; j < m; ++j) {
            double sum = i == j ? 1.0 : 0.0;
            for (int c = 0; c < point.law.loads; ++c)
                sum += limit * point.law.load_slope(loads, c) *
                       task_.load_slope(point.law.first_load + c, act[j]);
            jacobian(i, j) = sum;
        }
    }
}

std::vector<int> FrictionProblem::acting_rows(const FrictionAnswer& mode) const {
    std::vector<int> act;
    for (int i = 0; i < task_.contacts; ++i)
        if (mode.closed[i]) act.push_back(i);
    for (int k = 0; k < static_cast<int>(task_.points.size()); ++k)
        if (exists(mode, k)) act.push_back(task_.contacts + k);
    return act;
}

// From the forces at hand. Newton's method (one step but for pins, whose slopes follow the forces),
// the smallest change where rows depend on each other.
bool FrictionProblem::bring_into_balance(FrictionAnswer& mode, const std::vector<int>& act,
                                         MatrixXd& jacobian, int& rank) const {
    const int m = static_cast<int>(act.size());
    jacobian.resize(m, m);
    VectorXd residual(m);
    MatrixXd decomposed;
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> cod;
    cod.setThreshold(tolerance::rank);
    for (int pass = 0; pass < 30; ++pass) {
        set_balance(mode, act, jacobian, residual);
        if (pass == 0 || jacobian != decomposed) cod.compute(decomposed = jacobian);
        const VectorXd step = cod.solve(-residual);
        if (!step.allFinite()) return false;
        for (int i = 0; i < m; ++i) mode.force[act[i]] += step[i];
        if (largest(step) <= tolerance::friction_step * force_scale(mode)) break;
    }
    rank = static_cast<int>(cod.rank());
    set_balance(mode, act, jacobian, residual);
    return largest(residual) <= tolerance::friction_residual * force_scale(mode) +
                                    tolerance::friction_residual * largest(task_.free);
}

// Unknown: the forces of all rows that act.
bool FrictionProblem::find_forces(FrictionAnswer& mode, MatrixXd& null) const {
    null.resize(0, 0);
    const int n = task_.contacts, points = static_cast<int>(task_.points.size());
    const std::vector<int> act = acting_rows(mode);
    const int m = static_cast<int>(act.size());
    mode.force = VectorXd::Zero(n + points);
    mode.shared = mode.loose = false;
    mode.slack = INFINITY;
    if (m == 0) {
        mode.acceleration = task_.free;
        return true;
    }
    MatrixXd jacobian;
    int rank = 0;
    if (!bring_into_balance(mode, act, jacobian, rank)) return false;
    if (rank < m) {
        Eigen::FullPivLU<MatrixXd> lu(jacobian);
        lu.setThreshold(tolerance::rank);
        const MatrixXd kernel = lu.kernel();
        null = MatrixXd::Zero(n + points, kernel.cols());
        for (int i = 0; i < m; ++i) null.row(act[i]) = kernel.row(i);
        mode.shared = true;
        mode.loose = moves_something(mode, null, act);
    }
    mode.acceleration = task_.response * mode.force + task_.free;
    return true;
}

// Forces in balance by themselves move nothing where all that carry them hold: their responses are
// symmetric. Those that load what slides may move what they do not hold.
bool FrictionProblem::moves_something(const FrictionAnswer& mode, const MatrixXd& null,
                                      const std::vector<int>& act) const {
    constexpr double part =
        tolerance::balance_rounding;  // of the largest: less is rounding of the balance
    bool slides = false;
    for (std::size_t k = 0; k < task_.points.size(); ++k) {
        if (mode.direction[k] == 0 || !exists(mode, static_cast<int>(k))) continue;
        slides = slides || largest(null.row(task_.contacts + static_cast<int>(k)).transpose()) >
                               part * null.cwiseAbs().maxCoeff();
    }
    if (!slides) return false;
    return std::any_of(act.begin(), act.end(), [&](int row) { return is_moved(row, null); });
}

bool FrictionProblem::is_moved(int row, const MatrixXd& forces) const {
    return largest((task_.response.row(row) * forces).transpose()) >
           tolerance::felt_force * task_.response.row(row).cwiseAbs() *
               forces.cwiseAbs().rowwise().sum();
}

bool FrictionProblem::find_forces_together(FrictionAnswer& mode) const {
    MatrixXd null;
    if (!find_forces(mode, null)) return false;
    if (mode.shared) share(mode, null);
    return true;
}

// How dependent rows share their force changes no acceleration unless the mode is loose: what moves
// the wrong way is known before.
bool FrictionProblem::is_solution(FrictionAnswer& mode) const {
    MatrixXd null;
    if (!find_forces(mode, null) || (!mode.loose && !has_admissible_motion(mode))) return false;
    if (mode.shared) share(mode, null);
    return fits(mode);
}

// The loads of joints grow with sizes of forces, which are convex: a load is never below what its
// slope at some forces gives, so the limit by the slope is on the safe side. Done again with the
// slopes of the result until that stands.
void FrictionProblem::share(FrictionAnswer& mode, const MatrixXd& null) const {
    const FrictionAnswer given = mode;
    share(mode, null, mode.loose);
    // Forces must be admissible in the first place.
    if (mode.loose && mode.slack < 0) {
        mode = given;
        share(mode, null, false);
    }
}

void FrictionProblem::share(FrictionAnswer& mode, const MatrixXd& null, bool with_motion) const {
    const double size = force_scale(mode);
    const std::vector<int> act = acting_rows(mode);
    const bool rubs_in_joint = std::any_of(task_.points.begin(), task_.points.end(),
                                           [](const auto& point) { return point.contact < 0; });
    MatrixXd jacobian;
    int rank = 0;
    double max_slack = NAN;
    for (int pass = 0; pass < 10; ++pass) {
        const VectorXd before = mode.force;
        if (!share_by_slopes(mode, null, with_motion, size, max_slack) || !rubs_in_joint) break;
        bring_into_balance(mode, act, jacobian, rank);
        if (largest(mode.force - before) <= tolerance::shared_force * force_scale(mode)) break;
    }
    mode.acceleration = task_.response * mode.force + task_.free;
}

// Each: row . x + first is what is left of a condition, N.
FrictionProblem::Margins FrictionProblem::margins(const FrictionAnswer& mode, const MatrixXd& null,
                                                  bool with_motion) const {
    const int n = task_.contacts, points = static_cast<int>(task_.points.size());
    Margins out;
    const auto unit = [&](int i) -> VectorXd { return VectorXd::Unit(n + points, i); };
    const auto add = [&](VectorXd row, double constant, std::pair<int, int> slide) {
        out.rows.push_back(std::move(row));
        out.first.push_back(constant);
        out.slides.push_back(slide);
    };
    const VectorXd l = task_.load_slope * mode.force + task_.load_first;
    const std::span<const double> loads(l.data(), static_cast<std::size_t>(l.size()));
    for (int i = 0; i < n; ++i)
        if (mode.closed[i]) add(unit(i), 0, {0, 0});
    for (int k = 0; k < points; ++k) {
        const FrictionPoint& law = task_.points[k].law;
        if (mode.direction[k] != 0 || !exists(mode, k)) continue;
        VectorXd limit = VectorXd::Zero(n + points);
        double constant = law.constant;
        for (int i = 0; i < law.loads; ++i) {
            const double slope = law.limit_at_rest() * law.load_slope(loads, i);
            limit += slope * task_.load_slope.row(law.first_load + i).transpose();
            constant += slope * task_.load_first[law.first_load + i];
        }
        // In newtons: moments over their lever.
        const double part = law.lever > 0 ? 1 / law.lever : 1.0;
        add(part * (limit - unit(n + k)), part * constant, {k, -1});
        add(part * (limit + unit(n + k)), part * constant, {k, 1});
    }
    if (!with_motion) return out;
    // Where the motion depends on how forces are shared, it has to begin the right way. A row that
    // they do not move has nothing to choose, and where it stands at zero would leave no slack.
    const auto add_motion = [&](int row, double way) {
        const double own = task_.response(row, row);
        if (own > 0 && is_moved(row, null))
            add(way / own * task_.response.row(row).transpose(), way / own * task_.free[row],
                {0, 0});
    };
    for (int i = 0; i < n; ++i)
        if (!mode.closed[i]) add_motion(i, 1);
    for (int k = 0; k < points; ++k)
        if (mode.direction[k] != 0 && task_.points[k].begins() && exists(mode, k))
            add_motion(n + k, mode.direction[k]);
    return out;
}

// Largest s with normal forces >= s and limits - |friction| >= s over x + Z y: a linear programme.
bool FrictionProblem::share_by_slopes(FrictionAnswer& mode, const MatrixXd& null, bool with_motion,
                                      double size, double& max_slack) const {
    const Margins left = margins(mode, null, with_motion);
    if (left.rows.empty()) return false;
    // The least of the slacks as they are is reached; what it becomes is bounded, since bodies that
    // wedge each other could press without bound.
    const int m = static_cast<int>(left.rows.size()), d = static_cast<int>(null.cols());
    MatrixXd a = MatrixXd::Zero(m + 1, 2 * d + 1);  // y+, y-, what is added
    VectorXd c(m + 1), u, price;
    for (int i = 0; i < m; ++i) {
        const Eigen::RowVectorXd along = left.rows[i].transpose() * null;
        a.block(i, 0, 1, d) = -along;
        a.block(i, d, 1, d) = along;
        a(i, 2 * d) = 1;
        c[i] = (left.rows[i].dot(mode.force) + left.first[static_cast<std::size_t>(i)]) / size;
    }
    const double least = c.head(m).minCoeff();
    c.head(m).array() -= least;
    if (std::isnan(max_slack)) max_slack = 1 + least + std::abs(least);
    a(m, 2 * d) = 1;
    c[m] = std::max(0.0, max_slack - least);
    if (!maximise(a, c, VectorXd::Unit(2 * d + 1, 2 * d), u, price)) return false;
    mode.force += size * null * (u.segment(0, d) - u.segment(d, d));
    mode.slack = size * (least + u[2 * d]);
    // The constraints with a nonzero multiplier keep the slack from growing.
    mode.yields.assign(task_.points.size(), 0);
    for (int i = 0; i < m; ++i)
        if (const auto [k, way] = left.slides[static_cast<std::size_t>(i)];
            way != 0 && price[i] > tolerance::binding_price)
            mode.yields[static_cast<std::size_t>(k)] = way;
    return true;
}

bool FrictionProblem::has_admissible_motion(const FrictionAnswer& mode) const {
    const int n = task_.contacts;
    const double negligible =
        admissible * (largest(task_.free) + largest(mode.acceleration - task_.free));
    for (int i = 0; i < n; ++i)
        if (!mode.closed[i] && mode.acceleration[i] < -negligible) return false;
    for (std::size_t k = 0; k < task_.points.size(); ++k)
        if (exists(mode, static_cast<int>(k)) && task_.points[k].begins() &&
            mode.direction[k] * mode.acceleration[n + static_cast<int>(k)] < -negligible)
            return false;
    return true;
}

bool FrictionProblem::fits(const FrictionAnswer& mode) const {
    if (!has_admissible_motion(mode)) return false;
    const int n = task_.contacts;
    const double force = admissible * force_scale(mode);
    for (int i = 0; i < n; ++i)
        if (mode.closed[i] && mode.force[i] < -force) return false;
    const VectorXd l = task_.load_slope * mode.force + task_.load_first;
    const std::span<const double> loads(l.data(), static_cast<std::size_t>(l.size()));
    for (std::size_t k = 0; k < task_.points.size(); ++k) {
        const auto& law = task_.points[k].law;
        if (exists(mode, static_cast<int>(k)) && mode.direction[k] == 0 &&
            std::abs(mode.force[n + static_cast<int>(k)]) > law.holds(loads) + force)
            return false;
    }
    return true;
}

}  // namespace pawl
