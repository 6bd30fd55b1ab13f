#include "dynamics/contact/friction_problem.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "dynamics/contact/complementarity.h"
#include "math/tolerances/solving.h"

namespace pawl {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Tried one by one up to this number: four touching contacts with friction, some ten milliseconds.
constexpr int max_modes = 2000;

// All principal minors are positive: the problem has one solution whatever the right side.
bool is_p_matrix(const MatrixXd& a) {
    const int n = static_cast<int>(a.rows());
    if (n > 12) return false;
    for (unsigned set = 1; set < 1u << n; ++set) {
        std::vector<int> rows;
        for (int i = 0; i < n; ++i)
            if (set >> i & 1u) rows.push_back(i);
        const MatrixXd minor = a(rows, rows);
        if (!(minor.determinant() > tolerance::p_matrix * minor.diagonal().cwiseAbs().prod()))
            return false;
    }
    return true;
}

}  // namespace

// x = X z + x0 with z = (N, f_R, a-): forces of the rows, the limits of joints held fixed.
FrictionProblem::ForceMap FrictionProblem::force_map(const std::vector<int>& open,
                                                     std::span<const double> loads,
                                                     const VectorXd& limit) const {
    const int n = task_.contacts, points = static_cast<int>(task_.points.size()),
              u = static_cast<int>(open.size());
    ForceMap x{MatrixXd::Zero(n + points, n + 2 * u), VectorXd::Zero(n + points)};
    for (int i = 0; i < n; ++i) x.map(i, i) = 1;
    for (int k = 0; k < points; ++k) {
        const auto& point = task_.points[k];
        if (point.direction == 0) continue;
        const double way = point.way(point.direction);
        const double m = way * point.law.limit_sliding(std::abs(point.slip));
        x.first[n + k] = -point.law.viscous * point.slip - way * point.law.constant;
        if (point.contact >= 0)
            x.map(n + k, point.contact) = -m;
        else
            x.first[n + k] -= m * point.law.load(loads);
    }
    for (int i = 0; i < u; ++i) {
        const auto& point = task_.points[open[i]];
        x.map(n + open[i], n + i) = 1;
        if (point.contact >= 0)
            x.map(n + open[i], point.contact) = -point.law.limit_at_rest();
        else
            x.first[n + open[i]] = -limit[open[i]];
    }
    return x;
}

// The problem w = A z + b >= 0, z >= 0, w z = 0 with w = (a_N, a+, f_L).
void FrictionProblem::set_complementarity(const ForceMap& x, const std::vector<int>& open,
                                          const VectorXd& limit, MatrixXd& matrix,
                                          VectorXd& right) const {
    const int n = task_.contacts, u = static_cast<int>(open.size()), size = n + 2 * u;
    matrix = MatrixXd::Zero(size, size);
    right = VectorXd::Zero(size);
    const MatrixXd reaction = task_.response * x.map;
    const VectorXd free_acceleration = task_.response * x.first + task_.free;
    matrix.topRows(n) = reaction.topRows(n);
    right.head(n) = free_acceleration.head(n);
    for (int i = 0; i < u; ++i) {
        const auto& point = task_.points[open[i]];
        matrix.row(n + i) = reaction.row(n + open[i]);
        matrix(n + i, n + u + i) = 1;
        right[n + i] = free_acceleration[n + open[i]];
        matrix(n + u + i, n + i) = -1;
        if (point.contact >= 0)
            matrix(n + u + i, point.contact) = 2 * point.law.limit_at_rest();
        else
            right[n + u + i] = 2 * limit[open[i]];
    }
}

// The mode that the forces of a solution and their accelerations show.
void FrictionProblem::name_mode(const std::vector<int>& open, FrictionAnswer& answer) const {
    const int n = task_.contacts;
    answer.closed.assign(static_cast<std::size_t>(n), 0);
    answer.direction.clear();
    for (const auto& point : task_.points) answer.direction.push_back(point.direction);
    answer.acceleration = task_.response * answer.force + task_.free;
    const VectorXd& a = answer.acceleration;
    const double small = admissible * (largest(answer.force) + tolerance::no_division),
                 slow = admissible * (largest(a) + largest(task_.free) + tolerance::no_division);
    for (int i = 0; i < n; ++i) answer.closed[i] = answer.force[i] > small;
    for (const int k : open)
        if (std::abs(a[n + k]) > slow) answer.direction[k] = a[n + k] > 0 ? 1 : -1;
}

// With the friction points whose direction is open (R: rows of their tangents) and what slides
// eliminated,
//   f = f_R - m N,  a = a+ - a-,  a+ _|_ f_R,  a- _|_ f_L = 2 m N - f_R,
// and N _|_ a_N for the contacts. The limits of joints, which depend on the forces by a norm, are
// held fixed and found again until they stand.
std::optional<FrictionAnswer> FrictionProblem::by_complementarity(bool& p_matrix) const {
    const int n = task_.contacts, points = static_cast<int>(task_.points.size());
    std::vector<int> open;
    bool joints = false;
    for (int k = 0; k < points; ++k) {
        if (task_.points[k].direction == 0) open.push_back(k);
        joints = joints || task_.points[k].contact < 0;
    }
    FrictionAnswer answer;
    answer.force = VectorXd::Zero(n + points);
    VectorXd limit = VectorXd::Zero(points), right, z;
    MatrixXd matrix;
    for (int pass = 0; pass < 30; ++pass) {
        const VectorXd l = task_.load_slope * answer.force + task_.load_first;
        const std::span<const double> loads(l.data(), static_cast<std::size_t>(l.size()));
        double change = 0;
        for (int k = 0; k < points; ++k) {
            const auto& point = task_.points[k];
            if (point.contact >= 0) continue;
            const double now = point.law.holds(loads);
            change = std::max(change, std::abs(now - limit[k]));
            limit[k] = now;
        }
        const ForceMap x = force_map(open, loads, limit);
        set_complementarity(x, open, limit, matrix, right);
        if (pass == 0) p_matrix = is_p_matrix(matrix);
        z.resize(0);
        if (right.size() > 0 &&
            solve_complementarity(matrix, right, z) != ComplementarityOutcome::solved)
            return std::nullopt;
        answer.force = x.map * z + x.first;
        name_mode(open, answer);
        if (!joints || (pass > 0 && change <= tolerance::joint_friction * largest(answer.force)))
            break;
    }
    if (joints) p_matrix = false;
    return answer;
}

bool FrictionProblem::same_motion(const FrictionAnswer& a, const FrictionAnswer& b) const {
    const double size =
        largest(task_.free) + largest(a.acceleration - task_.free) + tolerance::no_division;
    return largest(a.acceleration - b.acceleration) <= tolerance::same_motion * size;
}

int FrictionProblem::modes() const {
    double count = std::pow(2.0, task_.contacts);
    for (const auto& point : task_.points)
        if (point.direction == 0) count *= 3;
    return static_cast<int>(std::min(count, 1e9));
}

bool FrictionProblem::allowed(const FrictionAnswer& mode, bool strictly) const {
    bool any = false, moves = false;
    for (std::size_t k = 0; k < task_.points.size(); ++k) {
        if (!task_.points[k].gives_way) continue;
        any = true;
        const bool sticks = exists(mode, static_cast<int>(k)) && mode.direction[k] == 0;
        if (sticks && strictly) return false;
        moves = moves || !sticks;
    }
    return !any || moves;
}

void FrictionProblem::try_all(bool strictly) {
    const int n = task_.contacts, points = static_cast<int>(task_.points.size());
    for (int code = 0; code < modes(); ++code) {
        FrictionAnswer mode;
        int rest = code;
        bool new_mode = true;
        for (int i = 0; i < n; ++i, rest /= 2) mode.closed.push_back(rest % 2 == 0);
        for (int k = 0; k < points; ++k) {
            int direction = task_.points[k].direction;
            if (direction == 0) {
                const int digit = rest % 3;
                rest /= 3;
                direction = digit == 2 ? -1 : digit;
                // For friction points on open contacts one mode represents all.
                if (digit != 0 && task_.points[k].contact >= 0 &&
                    !mode.closed[task_.points[k].contact])
                    new_mode = false;
            }
            mode.direction.push_back(direction);
        }
        if (!new_mode || !allowed(mode, strictly)) continue;
        if (!is_solution(mode)) continue;
        if (mode.loose) {
            loose_.push_back(std::move(mode));
            continue;
        }
        const bool known = std::any_of(answers_.begin(), answers_.end(),
                                       [&](const auto& other) { return same_motion(other, mode); });
        if (!known) answers_.push_back(std::move(mode));
    }
}

// Contacts that stay closed without being pressed take part where they share the force with others.
// Of many modes this is the only one that is tried: it is then enough that some of what yields
// moves.
bool FrictionProblem::take(FrictionAnswer found) {
    const bool strictly = modes() <= max_modes;
    if (!allowed(found, strictly)) return false;
    const double negligible =
        admissible * (largest(task_.free) + largest(found.acceleration - task_.free));
    FrictionAnswer full = found;
    for (int i = 0; i < task_.contacts; ++i)
        if (std::abs(found.acceleration[i]) <= negligible) full.closed[i] = 1;
    if (full.closed != found.closed && allowed(full, strictly) && is_solution(full) &&
        full.shared && !full.loose && full.slack > admissible * force_scale(full))
        answers_.push_back(std::move(full));
    else if (is_solution(found))
        (found.loose ? loose_ : answers_).push_back(std::move(found));
    return !answers_.empty();
}

void FrictionProblem::put_preferred_first() {
    const auto rank = [&](const FrictionAnswer& answer) {
        int closed = 0, as_before = 0, sticking = 0, kept = 0;
        for (std::size_t i = 0; i < answer.closed.size(); ++i) {
            const bool separates = !task_.separates.empty() && task_.separates[i];
            (separates ? kept : closed) += answer.closed[i] != 0;
        }
        for (std::size_t k = 0; k < task_.points.size(); ++k) {
            if (!exists(answer, static_cast<int>(k))) continue;
            as_before += task_.points[k].before == answer.direction[k];
            sticking += answer.direction[k] == 0;
        }
        return std::tuple(kept, -closed, -as_before, -sticking);
    };
    std::stable_sort(answers_.begin(), answers_.end(),
                     [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
}

FrictionOutcome FrictionProblem::solve_together() {
    answers_.clear();
    loose_.clear();
    bool is_p = false;
    if (auto found = by_complementarity(is_p)) take(std::move(*found));
    if (!answers_.empty() && is_p) return FrictionOutcome::unique;
    const bool few = modes() <= max_modes;
    if (few) {
        try_all(true);
        if (answers_.empty()) try_all(false);
    }
    if (!few && answers_.empty() && loose_.empty()) {
        // Perhaps nothing begins to move.
        FrictionAnswer rest;
        rest.closed.assign(static_cast<std::size_t>(task_.contacts), 1);
        for (const auto& point : task_.points) rest.direction.push_back(point.direction);
        if (allowed(rest, true) && is_solution(rest)) answers_.push_back(std::move(rest));
    }
    put_preferred_first();
    if (answers_.empty() && !loose_.empty()) answers_.push_back(loose_.front());
    if (answers_.empty()) return FrictionOutcome::none;
    if (!few) return FrictionOutcome::not_shown;
    return answers_.size() == 1 ? FrictionOutcome::unique : FrictionOutcome::several;
}

}  // namespace pawl
