#include "dynamics/friction_problem.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "dynamics/complementarity.h"
#include "dynamics/linear_programme.h"
#include "math/tolerances.h"

namespace pawl {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Parts of the largest force or acceleration below which a violated sign is rounding.
constexpr double admissible = 1e-9;
// Tried one by one up to this number: four touching contacts with friction, some ten milliseconds.
constexpr int most_modes = 2000;

// A coupling of rows below this part of their own responses is rounding.
constexpr double uncoupled = 1e-13;

// 0 where there is nothing, as when no contact is closed.
double largest(const VectorXd& x) { return x.lpNorm<Eigen::Infinity>(); }

// All principal minors are positive: the problem has one solution whatever the right side.
bool is_p_matrix(const MatrixXd& a) {
    const int n = static_cast<int>(a.rows());
    if (n > 12) return false;
    for (unsigned set = 1; set < 1u << n; ++set) {
        std::vector<int> rows;
        for (int i = 0; i < n; ++i)
            if (set >> i & 1u) rows.push_back(i);
        const MatrixXd minor = a(rows, rows);
        if (!(minor.determinant() > 1e-12 * minor.diagonal().cwiseAbs().prod())) return false;
    }
    return true;
}

}  // namespace

double FrictionProblem::force_scale(const FrictionAnswer& mode) const {
    return largest(mode.force) + 1e-300;
}

// Unknown: the forces of all rows that act. A row that holds has no acceleration; a place that
// slides has f + d m N + c s = 0. Newton's method (one step but for pins), the smallest change
// where rows depend on each other.
bool FrictionProblem::find_forces(FrictionAnswer& mode, MatrixXd& null) const {
    null.resize(0, 0);
    const int n = task_.contacts, places = static_cast<int>(task_.places.size());
    std::vector<int> act;
    for (int i = 0; i < n; ++i)
        if (mode.closed[i]) act.push_back(i);
    for (int k = 0; k < places; ++k)
        if (exists(mode, k)) act.push_back(n + k);
    const int m = static_cast<int>(act.size());
    mode.force = VectorXd::Zero(n + places);
    mode.shared = mode.loose = false;
    mode.slack = INFINITY;
    if (m == 0) {
        mode.acceleration = task_.free;
        return true;
    }
    MatrixXd jacobian(m, m);
    VectorXd residual(m);
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> cod;
    cod.setThreshold(tolerance::rank);
    const auto evaluate = [&] {
        const VectorXd a = task_.response * mode.force + task_.free;
        const VectorXd l = task_.load_slope * mode.force + task_.load_first;
        const std::span<const double> loads(l.data(), static_cast<std::size_t>(l.size()));
        for (int i = 0; i < m; ++i) {
            const int row = act[i], k = row - n;
            if (k < 0 || mode.direction[k] == 0) {
                const double own = std::max(task_.response(row, row), 1e-300);
                residual[i] = a[row] / own;
                for (int j = 0; j < m; ++j) jacobian(i, j) = task_.response(row, act[j]) / own;
                continue;
            }
            const auto& place = task_.places[k];
            // What starts from rest must overcome the limit at rest.
            const double limit =
                mode.direction[k] * (place.direction == 0
                                         ? place.law.limit_at_rest()
                                         : place.law.limit_sliding(std::abs(place.slip)));
            residual[i] =
                mode.force[row] + limit * place.law.load(loads) + place.law.viscous * place.slip;
            for (int j = 0; j < m; ++j) {
                double sum = i == j ? 1.0 : 0.0;
                for (int c = 0; c < place.law.loads; ++c)
                    sum += limit * place.law.load_slope(loads, c) *
                           task_.load_slope(place.law.first_load + c, act[j]);
                jacobian(i, j) = sum;
            }
        }
    };
    for (int pass = 0; pass < 30; ++pass) {
        evaluate();
        cod.compute(jacobian);
        const VectorXd step = cod.solve(-residual);
        if (!step.allFinite()) return false;
        for (int i = 0; i < m; ++i) mode.force[act[i]] += step[i];
        if (largest(step) <= 1e-14 * force_scale(mode)) break;
    }
    evaluate();
    if (largest(residual) > 1e-7 * force_scale(mode) + 1e-7 * largest(task_.free)) return false;
    if (cod.rank() < m) {
        Eigen::FullPivLU<MatrixXd> lu(jacobian);
        lu.setThreshold(tolerance::rank);
        const MatrixXd kernel = lu.kernel();
        null = MatrixXd::Zero(n + places, kernel.cols());
        for (int i = 0; i < m; ++i) null.row(act[i]) = kernel.row(i);
        mode.shared = true;
        // In balance by itself it moves nothing, else it moves what it holds not.
        const MatrixXd moved = task_.response * null;
        for (int i = 0; i < m; ++i)
            if (largest(moved.row(act[i]).transpose()) >
                1e-9 * task_.response.row(act[i]).cwiseAbs() * null.cwiseAbs().rowwise().sum())
                mode.loose = true;
    }
    mode.acceleration = task_.response * mode.force + task_.free;
    return true;
}

bool FrictionProblem::find_forces(FrictionAnswer& mode) const {
    MatrixXd null;
    if (!find_forces(mode, null)) return false;
    if (mode.shared) share(mode, null);
    return true;
}

// How dependent rows share their force changes no acceleration unless the mode is loose: what moves
// the wrong way is known before.
bool FrictionProblem::is_solution(FrictionAnswer& mode) const {
    MatrixXd null;
    if (!find_forces(mode, null) || (!mode.loose && !moves_rightly(mode))) return false;
    if (mode.shared) share(mode, null);
    return fits(mode);
}

// The loads of joints grow with sizes of forces, which are convex: a load is never below what its
// slope at some forces gives, so the limit by the slope is on the safe side. Done again with the
// slopes of the result until that stands.
void FrictionProblem::share(FrictionAnswer& mode, const MatrixXd& null) const {
    for (int pass = 0; pass < 10; ++pass) {
        const VectorXd before = mode.force;
        if (!share_by_slopes(mode, null) || task_.load_slope.rows() == 0 ||
            largest(mode.force - before) <= 1e-12 * force_scale(mode))
            break;
    }
    mode.acceleration = task_.response * mode.force + task_.free;
}

// Largest s with normal forces >= s and limits - |friction| >= s over x + Z y: a linear programme.
bool FrictionProblem::share_by_slopes(FrictionAnswer& mode, const MatrixXd& null) const {
    const int n = task_.contacts, d = static_cast<int>(null.cols());
    std::vector<VectorXd> rows;  // each: row . x + first >= s
    std::vector<double> first;
    std::vector<std::pair<std::size_t, int>> slides;  // per row: the place and the way it slides
    const auto unit = [&](int i) -> VectorXd {
        return VectorXd::Unit(n + static_cast<int>(task_.places.size()), i);
    };
    const auto add = [&](VectorXd row, double constant, std::pair<std::size_t, int> slide) {
        rows.push_back(std::move(row));
        first.push_back(constant);
        slides.push_back(slide);
    };
    const VectorXd l = task_.load_slope * mode.force + task_.load_first;
    const std::span<const double> loads(l.data(), static_cast<std::size_t>(l.size()));
    for (int i = 0; i < n; ++i)
        if (mode.closed[i]) add(unit(i), 0, {0, 0});
    for (std::size_t k = 0; k < task_.places.size(); ++k) {
        const FrictionPlace& law = task_.places[k].law;
        if (mode.direction[k] != 0 || !exists(mode, static_cast<int>(k))) continue;
        VectorXd limit = VectorXd::Zero(null.rows());
        double constant = 0;
        for (int i = 0; i < law.loads; ++i) {
            const double slope = law.limit_at_rest() * law.load_slope(loads, i);
            limit += slope * task_.load_slope.row(law.first_load + i).transpose();
            constant += slope * task_.load_first[law.first_load + i];
        }
        // In newtons: moments over their lever.
        const double part = law.lever > 0 ? 1 / law.lever : 1.0;
        const VectorXd own = unit(n + static_cast<int>(k));
        add(part * (limit - own), part * constant, {k, -1});
        add(part * (limit + own), part * constant, {k, 1});
    }
    if (rows.empty()) return false;
    // The least of the slacks as they are is reached; what is added to it is bounded where the
    // bodies wedge each other.
    const int m = static_cast<int>(rows.size());
    const double size = force_scale(mode);
    MatrixXd a = MatrixXd::Zero(m + 1, 2 * d + 1);  // y+, y-, what is added
    VectorXd c(m + 1), u, price;
    for (int i = 0; i < m; ++i) {
        const Eigen::RowVectorXd along = rows[i].transpose() * null;
        a.block(i, 0, 1, d) = -along;
        a.block(i, d, 1, d) = along;
        a(i, 2 * d) = 1;
        c[i] = (rows[i].dot(mode.force) + first[static_cast<std::size_t>(i)]) / size;
    }
    const double least = c.head(m).minCoeff();
    c.head(m).array() -= least;
    a(m, 2 * d) = 1;
    c[m] = 1 + std::abs(least);
    if (!maximise(a, c, VectorXd::Unit(2 * d + 1, 2 * d), u, price)) return false;
    mode.force += size * null * (u.segment(0, d) - u.segment(d, d));
    mode.slack = size * (least + u[2 * d]);
    // What the prices of the programme mark keeps the slack from growing.
    mode.yields.assign(task_.places.size(), 0);
    for (int i = 0; i < m; ++i)
        if (const auto [k, way] = slides[static_cast<std::size_t>(i)]; way != 0 && price[i] > 1e-9)
            mode.yields[k] = way;
    return true;
}

bool FrictionProblem::moves_rightly(const FrictionAnswer& mode) const {
    const int n = task_.contacts;
    const double pace =
        admissible * (largest(task_.free) + largest(mode.acceleration - task_.free));
    for (int i = 0; i < n; ++i)
        if (!mode.closed[i] && mode.acceleration[i] < -pace) return false;
    for (std::size_t k = 0; k < task_.places.size(); ++k)
        if (exists(mode, static_cast<int>(k)) && task_.places[k].slip == 0 &&
            mode.direction[k] * mode.acceleration[n + static_cast<int>(k)] < -pace)
            return false;
    return true;
}

bool FrictionProblem::fits(const FrictionAnswer& mode) const {
    if (!moves_rightly(mode)) return false;
    const int n = task_.contacts;
    const double force = admissible * force_scale(mode);
    for (int i = 0; i < n; ++i)
        if (mode.closed[i] && mode.force[i] < -force) return false;
    const VectorXd l = task_.load_slope * mode.force + task_.load_first;
    const std::span<const double> loads(l.data(), static_cast<std::size_t>(l.size()));
    for (std::size_t k = 0; k < task_.places.size(); ++k) {
        const auto& law = task_.places[k].law;
        if (exists(mode, static_cast<int>(k)) && mode.direction[k] == 0 &&
            std::abs(mode.force[n + static_cast<int>(k)]) >
                law.limit_at_rest() * law.load(loads) + force)
            return false;
    }
    return true;
}

// With the places whose direction is open (R: rows of their tangents) and what slides eliminated,
//   f = f_R - m N,  a = a+ - a-,  a+ _|_ f_R,  a- _|_ f_L = 2 m N - f_R,
// and N _|_ a_N for the contacts. The limits of joints, which depend on the forces by a norm, are
// held fixed and found again until they stand.
std::optional<FrictionAnswer> FrictionProblem::by_complementarity(bool& p_matrix) const {
    const int n = task_.contacts, places = static_cast<int>(task_.places.size());
    std::vector<int> open;
    for (int k = 0; k < places; ++k)
        if (task_.places[k].direction == 0) open.push_back(k);
    const int u = static_cast<int>(open.size()), size = n + 2 * u;
    FrictionAnswer answer;
    answer.force = VectorXd::Zero(n + places);
    VectorXd limit = VectorXd::Zero(places), z;
    bool joints = false;
    for (int pass = 0; pass < 30; ++pass) {
        const VectorXd l = task_.load_slope * answer.force + task_.load_first;
        const std::span<const double> loads(l.data(), static_cast<std::size_t>(l.size()));
        // x = X z + x0 with z = (N, f_R, a-).
        MatrixXd map = MatrixXd::Zero(n + places, size);
        VectorXd first = VectorXd::Zero(n + places), bound = VectorXd::Zero(u);
        for (int i = 0; i < n; ++i) map(i, i) = 1;
        double change = 0;
        for (int k = 0; k < places; ++k) {
            const auto& place = task_.places[k];
            const int row = n + k;
            if (place.direction != 0) {
                const double m = place.direction * place.law.limit_sliding(std::abs(place.slip));
                first[row] = -place.law.viscous * place.slip;
                if (place.contact >= 0)
                    map(row, place.contact) = -m;
                else
                    first[row] -= m * place.law.load(loads);
            }
            if (place.contact < 0) {
                joints = true;
                const double now = place.law.limit_at_rest() * place.law.load(loads);
                change = std::max(change, std::abs(now - limit[k]));
                limit[k] = now;
            }
        }
        MatrixXd matrix = MatrixXd::Zero(size, size);
        VectorXd right = VectorXd::Zero(size);
        for (int i = 0; i < u; ++i) {
            const auto& place = task_.places[open[i]];
            const int row = n + open[i];
            map(row, n + i) = 1;
            if (place.contact >= 0)
                map(row, place.contact) = -place.law.limit_at_rest();
            else
                first[row] = -limit[open[i]];
        }
        const MatrixXd reaction = task_.response * map;
        const VectorXd pace = task_.response * first + task_.free;
        matrix.topRows(n) = reaction.topRows(n);
        right.head(n) = pace.head(n);
        for (int i = 0; i < u; ++i) {
            const auto& place = task_.places[open[i]];
            matrix.row(n + i) = reaction.row(n + open[i]);
            matrix(n + i, n + u + i) = 1;
            right[n + i] = pace[n + open[i]];
            matrix(n + u + i, n + i) = -1;
            if (place.contact >= 0)
                matrix(n + u + i, place.contact) = 2 * place.law.limit_at_rest();
            else
                right[n + u + i] = 2 * limit[open[i]];
        }
        if (pass == 0) p_matrix = is_p_matrix(matrix);
        if (size > 0 && solve_complementarity(matrix, right, z) != ComplementarityOutcome::solved)
            return std::nullopt;
        if (size == 0) z.resize(0);
        answer.force = map * z + first;
        answer.closed.assign(n, 0);
        answer.direction.assign(places, 0);
        const double small = admissible * (largest(answer.force) + 1e-300);
        for (int i = 0; i < n; ++i) answer.closed[i] = z[i] > small;
        for (int k = 0; k < places; ++k) answer.direction[k] = task_.places[k].direction;
        answer.acceleration = task_.response * answer.force + task_.free;
        const VectorXd& a = answer.acceleration;
        const double slow = admissible * (largest(a) + largest(task_.free) + 1e-300);
        for (int i = 0; i < u; ++i)
            if (std::abs(a[n + open[i]]) > slow)
                answer.direction[open[i]] = a[n + open[i]] > 0 ? 1 : -1;
        if (!joints || (pass > 0 && change <= 1e-9 * largest(answer.force))) break;
    }
    if (joints) p_matrix = false;
    return answer;
}

bool FrictionProblem::same_motion(const FrictionAnswer& a, const FrictionAnswer& b) const {
    const double size = largest(task_.free) + largest(a.acceleration - task_.free) + 1e-300;
    return largest(a.acceleration - b.acceleration) <= 1e-7 * size;
}

int FrictionProblem::modes() const {
    double count = std::pow(2.0, task_.contacts);
    for (const auto& place : task_.places)
        if (place.direction == 0) count *= 3;
    return static_cast<int>(std::min(count, 1e9));
}

bool FrictionProblem::allowed(const FrictionAnswer& mode, bool strictly) const {
    bool any = false, moves = false;
    for (std::size_t k = 0; k < task_.places.size(); ++k) {
        if (!task_.places[k].gives_way) continue;
        any = true;
        const bool sticks = exists(mode, static_cast<int>(k)) && mode.direction[k] == 0;
        if (sticks && strictly) return false;
        moves = moves || !sticks;
    }
    return !any || moves;
}

void FrictionProblem::try_all(bool strictly) {
    const int n = task_.contacts, places = static_cast<int>(task_.places.size());
    for (int code = 0; code < modes(); ++code) {
        FrictionAnswer mode;
        int rest = code;
        bool new_mode = true;
        for (int i = 0; i < n; ++i, rest /= 2) mode.closed.push_back(rest % 2 == 0);
        for (int k = 0; k < places; ++k) {
            int direction = task_.places[k].direction;
            if (direction == 0) {
                const int digit = rest % 3;
                rest /= 3;
                direction = digit == 2 ? -1 : digit;
                // Of places on open contacts one mode stands for all.
                if (digit != 0 && task_.places[k].contact >= 0 &&
                    !mode.closed[task_.places[k].contact])
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
bool FrictionProblem::take(FrictionAnswer found) {
    if (!allowed(found, true)) return false;
    const double pace =
        admissible * (largest(task_.free) + largest(found.acceleration - task_.free));
    FrictionAnswer full = found;
    for (int i = 0; i < task_.contacts; ++i)
        if (std::abs(found.acceleration[i]) <= pace) full.closed[i] = 1;
    if (full.closed != found.closed && allowed(full, true) && is_solution(full) && full.shared &&
        !full.loose && full.slack > admissible * force_scale(full))
        answers_.push_back(std::move(full));
    else if (is_solution(found))
        (found.loose ? loose_ : answers_).push_back(std::move(found));
    return !answers_.empty();
}

FrictionOutcome FrictionProblem::solve_together() {
    answers_.clear();
    loose_.clear();
    bool is_p = false;
    if (auto found = by_complementarity(is_p)) take(std::move(*found));
    if (!answers_.empty() && is_p) return FrictionOutcome::unique;
    const bool few = modes() <= most_modes;
    if (few) {
        try_all(true);
        if (answers_.empty()) try_all(false);
    }
    if (answers_.empty() && !loose_.empty()) answers_.push_back(loose_.front());
    if (answers_.empty()) return FrictionOutcome::none;
    if (!few) return FrictionOutcome::not_shown;
    return answers_.size() == 1 ? FrictionOutcome::unique : FrictionOutcome::several;
}

// Rows that feel each other's forces, directly or through others: each set is a problem by itself.
std::vector<std::vector<int>> FrictionProblem::groups() const {
    const int n = task_.contacts, all = static_cast<int>(task_.free.size());
    Eigen::MatrixXi felt = Eigen::MatrixXi::Zero(all, all);
    for (int i = 0; i < all; ++i)
        for (int j = 0; j < all; ++j)
            felt(i, j) = std::abs(task_.response(i, j)) >
                         uncoupled * std::sqrt(task_.response(i, i) * task_.response(j, j));
    for (int k = 0; k + n < all; ++k) {
        const auto& place = task_.places[static_cast<std::size_t>(k)];
        for (int i = 0; i < place.law.loads; ++i)
            for (int j = 0; j < all; ++j)
                if (task_.load_slope(place.law.first_load + i, j) != 0) felt(n + k, j) = 1;
        if (place.contact >= 0) felt(n + k, place.contact) = 1;
    }
    std::vector<std::vector<int>> groups;
    std::vector<char> taken(static_cast<std::size_t>(all), 0);
    for (int first = 0; first < all; ++first) {
        if (taken[static_cast<std::size_t>(first)]) continue;
        taken[static_cast<std::size_t>(first)] = 1;
        std::vector<int> group{first};
        for (std::size_t next = 0; next < group.size(); ++next)
            for (int j = 0; j < all; ++j)
                if (!taken[static_cast<std::size_t>(j)] &&
                    (felt(group[next], j) || felt(j, group[next]))) {
                    taken[static_cast<std::size_t>(j)] = 1;
                    group.push_back(j);
                }
        std::sort(group.begin(), group.end());
        groups.push_back(std::move(group));
    }
    return groups;
}

FrictionTask FrictionProblem::part(const std::vector<int>& rows) const {
    FrictionTask part;
    for (const int row : rows) {
        if (row < task_.contacts) {
            ++part.contacts;
            continue;
        }
        auto place = task_.places[static_cast<std::size_t>(row - task_.contacts)];
        if (place.contact >= 0)
            place.contact = static_cast<int>(
                std::lower_bound(rows.begin(), rows.end(), place.contact) - rows.begin());
        part.places.push_back(place);
    }
    part.response = task_.response(rows, rows);
    part.free = task_.free(rows);
    part.load_slope = task_.load_slope(Eigen::all, rows);
    part.load_first = task_.load_first;
    return part;
}

void FrictionProblem::put(const FrictionAnswer& of_part, const std::vector<int>& rows,
                          FrictionAnswer& whole) const {
    for (std::size_t i = 0, contact = 0, place = 0; i < rows.size(); ++i) {
        const auto k = static_cast<std::size_t>(rows[i] - task_.contacts);
        if (rows[i] < task_.contacts) {
            whole.closed[static_cast<std::size_t>(rows[i])] = of_part.closed[contact++];
        } else {
            if (place < of_part.yields.size()) whole.yields[k] = of_part.yields[place];
            whole.direction[k] = of_part.direction[place++];
        }
        whole.force[rows[i]] = of_part.force[static_cast<int>(i)];
        whole.acceleration[rows[i]] = of_part.acceleration[static_cast<int>(i)];
    }
    whole.shared = whole.shared || of_part.shared;
    whole.loose = whole.loose || of_part.loose;
    whole.slack = std::min(whole.slack, of_part.slack);
}

FrictionOutcome FrictionProblem::solve() {
    const auto all = groups();
    if (all.size() == 1) return solve_together();
    FrictionAnswer whole;
    whole.closed.assign(static_cast<std::size_t>(task_.contacts), 0);
    whole.direction.assign(task_.places.size(), 0);
    whole.yields = whole.direction;
    whole.force = whole.acceleration = task_.free;
    whole.slack = INFINITY;
    std::vector<std::pair<std::size_t, FrictionAnswer>> others;  // of which group
    auto outcome = FrictionOutcome::unique;
    for (std::size_t i = 0; i < all.size(); ++i) {
        FrictionProblem part(this->part(all[i]));
        outcome = std::max(outcome, part.solve_together());
        if (outcome == FrictionOutcome::none) return outcome;
        put(part.answer(), all[i], whole);
        for (std::size_t k = 1; k < part.answers().size(); ++k)
            others.emplace_back(i, part.answers()[k]);
    }
    answers_ = {whole};
    for (const auto& [group, other] : others) {
        answers_.push_back(whole);
        put(other, all[group], answers_.back());
    }
    return outcome;
}

}  // namespace pawl
