// Newton's method on the contacts that yield (cone_problem.h).
#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamics/contact/cone_problem.h"
#include "math/tolerances/solving.h"

namespace pawl {

void ConeProblem::find_impulses(Iterate& at) const {
    at.normal.resize(contacts_.size());
    at.tangent.resize(contacts_.size());
    at.set.resize(contacts_.size());
    at.row.resize(rows_.size());
    at.missing = momentum_;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        const Contact& c = contacts_[i];
        const double w = c.normal - newton_.firmness / normals_[i].weight * at.normal_rate[i];
        const double normal = std::max(0.0, w), cone_limit = c.friction * normal;
        const double t = c.tangent - newton_.firmness / tangents_[i].weight * at.tangent_rate[i];
        at.normal[i] = normal;
        at.tangent[i] = std::clamp(t, -cone_limit, cone_limit);
        at.set[i] = !(w > 0)          ? Set::open
                    : t > cone_limit  ? Set::slides_up
                    : t < -cone_limit ? Set::slides_down
                                      : Set::sticks;
        add_to(normals_[i], at.normal[i], at.missing);
        add_to(tangents_[i], at.tangent[i], at.missing);
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        at.row[i] = row_impulse_[i] - newton_.firmness / rows_[i].weight * at.row_rate[i];
        add_to(rows_[i], at.row[i], at.missing);
    }
    // In the metric of M^-1.
    at.error = 0;
    for (std::size_t b = 0; b < blocks_.sizes.size(); ++b) {
        const int n = blocks_.sizes[b];
        double* miss = at.missing.data() + blocks_.starts[b];
        const double *v = at.v.data() + blocks_.starts[b],
                     *m = blocks_.inertia.data() + blocks_.square[b],
                     *inverse = blocks_.inverse.data() + blocks_.square[b];
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < n; ++k) miss[i] -= m[i * n + k] * v[k];
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < n; ++k) at.error += miss[i] * inverse[i * n + k] * miss[k];
    }
}

bool ConeProblem::factor(const Iterate& at) {
    if (newton_.is_factored && at.set == newton_.factored) return true;
    put_inertia();
    for (std::size_t i = 0; i < rows_.size(); ++i)
        add_product(rows_[i], rows_[i], newton_.firmness / rows_[i].weight, pattern_.rows[i]);
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        if (at.set[i] == Set::open) continue;
        const double normal = newton_.firmness / normals_[i].weight;
        add_product(normals_[i], normals_[i], normal, pattern_.contacts[i]);
        if (at.set[i] == Set::sticks)
            add_product(tangents_[i], tangents_[i], newton_.firmness / tangents_[i].weight,
                        pattern_.contacts[i]);
        else if (contacts_[i].friction > 0)
            add_product(tangents_[i], normals_[i],
                        (at.set[i] == Set::slides_up ? 1 : -1) * contacts_[i].friction * normal,
                        pattern_.contacts[i]);
    }
    newton_.factored = at.set;
    newton_.is_factored = lu_.factor();
    return newton_.is_factored;
}

// One step of Newton's method, halved until the residual of the momenta decreases. False if it
// never does.
bool ConeProblem::newton_step(Outcome& outcome) {
    const bool was = newton_.is_factored && newton_.now.set == newton_.factored;
    if (!factor(newton_.now)) return false;
    if (!was) ++outcome.iterations;
    step_ = newton_.now.missing;
    lu_.solve(step_);
    newton_.next.v = step_;
    find_rates(newton_.next);
    // Rates of the step itself: without the bounds.
    for (std::size_t i = 0; i < contacts_.size(); ++i)
        newton_.next.normal_rate[i] += contacts_[i].bound;
    for (std::size_t i = 0; i < rows_.size(); ++i) newton_.next.row_rate[i] += row_rate_[i];
    std::vector<double> normal = newton_.next.normal_rate, tangent = newton_.next.tangent_rate,
                        row = newton_.next.row_rate;
    for (double part = 1; part > tolerance::shortest_cone_step; part *= 0.5) {
        for (std::size_t c = 0; c < step_.size(); ++c)
            newton_.next.v[c] = newton_.now.v[c] + part * step_[c];
        for (std::size_t i = 0; i < normal.size(); ++i) {
            newton_.next.normal_rate[i] = newton_.now.normal_rate[i] + part * normal[i];
            newton_.next.tangent_rate[i] = newton_.now.tangent_rate[i] + part * tangent[i];
        }
        for (std::size_t i = 0; i < row.size(); ++i)
            newton_.next.row_rate[i] = newton_.now.row_rate[i] + part * row[i];
        find_impulses(newton_.next);
        if (newton_.next.error < (1 - 0.2 * part) * newton_.now.error) {
            std::swap(newton_.now, newton_.next);
            return true;
        }
    }
    return false;
}

bool ConeProblem::solve_iterate(Outcome& outcome, int max_iterations) {
    // Where the velocities are wrong by a tenth of the goal in the heaviest block.
    double mass = 0;
    for (std::size_t b = 0; b < blocks_.sizes.size(); ++b)
        mass = std::max(mass, blocks_.inertia[blocks_.square[b]]);
    const double goal = tolerance::cone_iterate * goal_ * goal_ * mass;
    newton_.now.v = v_;
    find_rates(newton_.now);
    find_impulses(newton_.now);
    while (newton_.now.error > goal)
        if (outcome.iterations >= max_iterations || !newton_step(outcome))
            return newton_.now.error <= goal;
    return true;
}

// Iterates with growing stiffness, up to the given number of factorisations; the stiffness is
// reduced where Newton's method does not converge.
bool ConeProblem::solve_firmly(Outcome& outcome, int max_iterations) {
    constexpr int max_iterates = 100, quick = 4, max_stays = 6;
    constexpr double softer = 0.25, firmer = 3, softest = 1, firmest = 1e8, firm = 1e6;
    const int last = outcome.iterations + max_iterations;
    double worst = violation();
    int stays = 0;
    for (int k = 0; k < max_iterates && worst > goal_ && outcome.iterations < last; ++k) {
        newton_.is_factored = false;
        const int before = outcome.iterations;
        if (!solve_iterate(outcome, last)) {
            if (!(newton_.firmness > softest)) return false;
            newton_.firmness = std::max(softest, softer * newton_.firmness);
            continue;
        }
        for (std::size_t i = 0; i < contacts_.size(); ++i) {
            contacts_[i].normal = newton_.now.normal[i];
            contacts_[i].tangent = newton_.now.tangent[i];
        }
        row_impulse_ = newton_.now.row;
        find_velocity();
        const double last_worst = std::exchange(worst, violation());
        // Bounds that contradict each other: impulses would grow without bound.
        stays = worst > 0.99 * last_worst && newton_.firmness >= firm ? stays + 1 : 0;
        if (stays >= max_stays) return worst <= goal_;
        if (outcome.iterations - before <= quick)
            newton_.firmness = std::min(firmest, firmer * newton_.firmness);
    }
    return worst <= goal_;
}

}  // namespace pawl
