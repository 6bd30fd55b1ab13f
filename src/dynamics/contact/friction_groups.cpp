// Contacts and friction points that do not affect each other are problems by themselves.
#include <algorithm>
#include <cmath>

#include "dynamics/contact/friction_problem.h"
#include "math/tolerances/solving.h"

namespace pawl {

namespace {

// A coupling of rows below this part of their own responses is rounding.
constexpr double uncoupled = tolerance::uncoupled;

}  // namespace

// Rows that act on each other, directly or through others: each set is a problem by itself.
std::vector<std::vector<int>> FrictionProblem::groups() const {
    const int n = task_.contacts, all = static_cast<int>(task_.free.size());
    Eigen::MatrixXi felt = Eigen::MatrixXi::Zero(all, all);
    for (int i = 0; i < all; ++i)
        for (int j = 0; j < all; ++j)
            felt(i, j) = std::abs(task_.response(i, j)) >
                         uncoupled * std::sqrt(task_.response(i, i) * task_.response(j, j));
    for (int k = 0; k + n < all; ++k) {
        const auto& point = task_.points[static_cast<std::size_t>(k)];
        for (int i = 0; i < point.law.loads; ++i)
            for (int j = 0; j < all; ++j)
                if (task_.load_slope(point.law.first_load + i, j) != 0) felt(n + k, j) = 1;
        if (point.contact >= 0) felt(n + k, point.contact) = 1;
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
        auto point = task_.points[static_cast<std::size_t>(row - task_.contacts)];
        if (point.contact >= 0)
            point.contact = static_cast<int>(
                std::lower_bound(rows.begin(), rows.end(), point.contact) - rows.begin());
        part.points.push_back(point);
    }
    part.response = task_.response(rows, rows);
    part.free = task_.free(rows);
    part.load_slope = task_.load_slope(Eigen::all, rows);
    part.load_first = task_.load_first;
    return part;
}

void FrictionProblem::put(const FrictionAnswer& of_part, const std::vector<int>& rows,
                          FrictionAnswer& whole) const {
    for (std::size_t i = 0, contact = 0, point = 0; i < rows.size(); ++i) {
        const auto k = static_cast<std::size_t>(rows[i] - task_.contacts);
        if (rows[i] < task_.contacts) {
            whole.closed[static_cast<std::size_t>(rows[i])] = of_part.closed[contact++];
        } else {
            if (point < of_part.yields.size()) whole.yields[k] = of_part.yields[point];
            whole.direction[k] = of_part.direction[point++];
        }
        whole.force[rows[i]] = of_part.force[static_cast<int>(i)];
        whole.acceleration[rows[i]] = of_part.acceleration[static_cast<int>(i)];
    }
    whole.shared = whole.shared || of_part.shared;
    whole.loose = whole.loose || of_part.loose;
    whole.slack = std::min(whole.slack, of_part.slack);
}

FrictionAnswer FrictionProblem::nothing_yet() const {
    FrictionAnswer whole;
    whole.closed.assign(static_cast<std::size_t>(task_.contacts), 0);
    whole.direction.assign(task_.points.size(), 0);
    whole.yields = whole.direction;
    whole.force = whole.acceleration = task_.free;
    whole.slack = INFINITY;
    return whole;
}

// Where forces are determined: what is left of the friction of the point with the least friction
// left.
void FrictionProblem::find_slack(FrictionAnswer& mode) const {
    const Margins left = margins(mode, {}, false);
    mode.yields.assign(task_.points.size(), 0);
    for (std::size_t i = 0; i < left.rows.size(); ++i) {
        const auto [point, way] = left.slides[i];
        const double own = left.rows[i].dot(mode.force) + left.first[i];
        if (way == 0 || own >= mode.slack) continue;
        mode.slack = own;
        std::fill(mode.yields.begin(), mode.yields.end(), 0);
        mode.yields[static_cast<std::size_t>(point)] = way;
    }
}

bool FrictionProblem::find_forces(FrictionAnswer& mode) const {
    const auto all = groups();
    if (all.size() == 1) return find_forces_together(mode);
    FrictionAnswer whole = nothing_yet();
    for (const std::vector<int>& rows : all) {
        FrictionAnswer own;
        for (const int row : rows)
            if (row < task_.contacts)
                own.closed.push_back(mode.closed[static_cast<std::size_t>(row)]);
            else
                own.direction.push_back(
                    mode.direction[static_cast<std::size_t>(row - task_.contacts)]);
        const FrictionProblem problem(part(rows));
        if (!problem.find_forces_together(own)) return false;
        if (!own.shared) problem.find_slack(own);
        // Only the group with the least slack yields.
        if (own.slack < whole.slack) std::fill(whole.yields.begin(), whole.yields.end(), 0);
        if (own.slack > whole.slack) own.yields.clear();
        put(own, rows, whole);
    }
    mode = std::move(whole);
    return true;
}

FrictionOutcome FrictionProblem::solve() {
    const auto all = groups();
    if (all.size() == 1) return solve_together();
    FrictionAnswer whole = nothing_yet();
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
