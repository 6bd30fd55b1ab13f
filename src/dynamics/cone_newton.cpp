// Newton's method on the contacts that give way (cone_problem.h).
#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamics/cone_problem.h"

namespace pawl {

void ConeProblem::find_impulses(Iterate& at) const {
    at.normal.resize(contacts_.size());
    at.tangent.resize(contacts_.size());
    at.set.resize(contacts_.size());
    at.row.resize(rows_.size());
    at.missing = momentum_;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        const Contact& c = contacts_[i];
        const double w = c.normal - firmness_ / normals_[i].weight * at.normal_rate[i];
        const double normal = std::max(0.0, w), most = c.friction * normal;
        const double t = c.tangent - firmness_ / tangents_[i].weight * at.tangent_rate[i];
        at.normal[i] = normal;
        at.tangent[i] = std::clamp(t, -most, most);
        at.set[i] = !(w > 0)   ? Set::open
                    : t > most ? Set::slides_up
                    : t < -most ? Set::slides_down
                                : Set::sticks;
        add_to(normals_[i], at.normal[i], at.missing);
        add_to(tangents_[i], at.tangent[i], at.missing);
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        at.row[i] = row_impulse_[i] - firmness_ / rows_[i].weight * at.row_rate[i];
        add_to(rows_[i], at.row[i], at.missing);
    }
    // In the metric of M^-1.
    at.error = 0;
    for (std::size_t b = 0; b < sizes_.size(); ++b) {
        const int n = sizes_[b];
        double* miss = at.missing.data() + starts_[b];
        const double *v = at.v.data() + starts_[b], *m = inertia_.data() + square_[b],
                     *inverse = inverse_.data() + square_[b];
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < n; ++k) miss[i] -= m[i * n + k] * v[k];
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < n; ++k) at.error += miss[i] * inverse[i * n + k] * miss[k];
    }
}

bool ConeProblem::factor(const Iterate& at) {
    if (is_factored_ && at.set == factored_) return true;
    put_inertia();
    for (std::size_t i = 0; i < rows_.size(); ++i)
        add_product(rows_[i], rows_[i], firmness_ / rows_[i].weight, row_offsets_[i]);
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        if (at.set[i] == Set::open) continue;
        const double normal = firmness_ / normals_[i].weight;
        add_product(normals_[i], normals_[i], normal, contact_offsets_[i]);
        if (at.set[i] == Set::sticks)
            add_product(tangents_[i], tangents_[i], firmness_ / tangents_[i].weight,
                        contact_offsets_[i]);
        else if (contacts_[i].friction > 0)
            add_product(tangents_[i], normals_[i],
                        (at.set[i] == Set::slides_up ? 1 : -1) * contacts_[i].friction * normal,
                        contact_offsets_[i]);
    }
    factored_ = at.set;
    is_factored_ = lu_.factor();
    return is_factored_;
}

// One step of Newton's method, halved until the momenta miss less. False where none of them does.
bool ConeProblem::newton_step(Outcome& outcome) {
    const bool was = is_factored_ && now_.set == factored_;
    if (!factor(now_)) return false;
    if (!was) ++outcome.iterations;
    step_ = now_.missing;
    lu_.solve(step_);
    next_.v = step_;
    find_rates(next_);
    // Rates of the step itself: without the bounds.
    for (std::size_t i = 0; i < contacts_.size(); ++i) next_.normal_rate[i] += contacts_[i].bound;
    for (std::size_t i = 0; i < rows_.size(); ++i) next_.row_rate[i] += row_rate_[i];
    std::vector<double> normal = next_.normal_rate, tangent = next_.tangent_rate,
                        row = next_.row_rate;
    for (double part = 1; part > 1e-2; part *= 0.5) {
        for (std::size_t c = 0; c < step_.size(); ++c) next_.v[c] = now_.v[c] + part * step_[c];
        for (std::size_t i = 0; i < normal.size(); ++i) {
            next_.normal_rate[i] = now_.normal_rate[i] + part * normal[i];
            next_.tangent_rate[i] = now_.tangent_rate[i] + part * tangent[i];
        }
        for (std::size_t i = 0; i < row.size(); ++i)
            next_.row_rate[i] = now_.row_rate[i] + part * row[i];
        find_impulses(next_);
        if (next_.error < (1 - 0.2 * part) * now_.error) {
            std::swap(now_, next_);
            return true;
        }
    }
    return false;
}

bool ConeProblem::solve_iterate(Outcome& outcome, int most) {
    // Where the velocities are wrong by a tenth of the goal in the heaviest block.
    double mass = 0;
    for (std::size_t b = 0; b < sizes_.size(); ++b) mass = std::max(mass, inertia_[square_[b]]);
    const double goal = 1e-2 * goal_ * goal_ * mass;
    now_.v = v_;
    find_rates(now_);
    find_impulses(now_);
    while (now_.error > goal)
        if (outcome.iterations >= most || !newton_step(outcome)) return now_.error <= goal;
    return true;
}

// Iterates that give way less and less, up to so many matrices; where Newton's method does not
// converge more must give way.
bool ConeProblem::solve_firmly(Outcome& outcome, int most) {
    constexpr int max_iterates = 60, quick = 4, max_stays = 6;
    constexpr double softer = 0.1, firmer = 4, softest = 1, firmest = 1e8, firm = 1e6;
    const int last = outcome.iterations + most;
    double worst = violation();
    int stays = 0;
    for (int k = 0; k < max_iterates && worst > goal_ && outcome.iterations < last; ++k) {
        is_factored_ = false;
        const int before = outcome.iterations;
        if (!solve_iterate(outcome, last)) {
            if (!(firmness_ > softest)) return false;
            firmness_ = std::max(softest, softer * firmness_);
            continue;
        }
        for (std::size_t i = 0; i < contacts_.size(); ++i) {
            contacts_[i].normal = now_.normal[i];
            contacts_[i].tangent = now_.tangent[i];
        }
        row_impulse_ = now_.row;
        find_velocity();
        const double last_worst = std::exchange(worst, violation());
        // Bounds that contradict each other: impulses would grow without end.
        stays = worst > 0.99 * last_worst && firmness_ >= firm ? stays + 1 : 0;
        if (stays >= max_stays) return worst <= goal_;
        if (outcome.iterations - before <= quick) firmness_ = std::min(firmest, firmer * firmness_);
    }
    return worst <= goal_;
}

}  // namespace pawl
