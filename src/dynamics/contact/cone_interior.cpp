// The interior-point method of the cone problem (cone_problem.h): primal-dual, with the centring of
// Mehrotra (1992). With the bounds b - mu |T v| of de Saxce and Feng (1998) in the place of b, of
// which the slips are those of the last iterate, the problem is that of a convex function on the
// cones, for which it converges; the steps know how the bounds follow the slips. About a dozen of
// them lead near the solution from anywhere.
#include <algorithm>
#include <cmath>

#include "dynamics/contact/cone_problem.h"
#include "math/tolerances/solving.h"

namespace pawl {

namespace {

constexpr double row_firmness = 1e8;  // of rows, against their weights
constexpr double first_part = 1;      // of the scale of velocities, where the interior is entered

}  // namespace

// (dp, df) = first - slope (N dv, T dv): by  mu d(up + down) = N dv + what N v misses,
// d(up - down) = T dv + what T v misses,  d up = sigma/d - up - up/d dd, and so on.
ConeProblem::Inside::Answer ConeProblem::Inside::answer(double sigma) const {
    if (!(friction > 0)) {
        const double firm = normal / up;
        return {sigma / up - firm * normal_rate, 0, firm, 0, 0};
    }
    const double u = d() / up, w = c() / down, mu = friction;  // 1 / k
    const double sum = 0.25 * (u + w), difference = 0.25 * (w - u);
    const double rise = sigma / d() - up, fall = sigma / c() - down;
    const double n = mu * (rise + fall) - (normal_rate + dilation - mu * (up + down)),
                 t = rise - fall - (tangent_rate - (up - down));
    return {sum / (mu * mu) * n - difference / mu * t, sum * t - difference / mu * n,
            sum / (mu * mu), sum, -difference / mu};
}

void ConeProblem::enter_interior() {
    const double push = first_part * find_scale();
    inside_.assign(contacts_.size(), {});
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        Inside& x = inside_[i];
        x.friction = contacts_[i].friction;
        x.normal = std::max(contacts_[i].normal, push / normals_[i].weight);
        const double cone_limit = 0.9 * x.friction * x.normal;
        x.tangent = std::clamp(contacts_[i].tangent, -cone_limit, cone_limit);
    }
    move_inside();
    for (Inside& x : inside_) {
        x.down = std::max(-x.tangent_rate, push);
        x.up = std::max(x.friction > 0 ? x.tangent_rate : x.normal_rate, push);
    }
}

// The velocities follow the impulses.
void ConeProblem::move_inside() {
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        contacts_[i].normal = inside_[i].normal;
        contacts_[i].tangent = inside_[i].tangent;
    }
    find_velocity();
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        Inside& x = inside_[i];
        x.normal_rate = rate_of(normals_[i], v_) - contacts_[i].bound;
        x.tangent_rate = rate_of(tangents_[i], v_);
        x.dilation = x.friction * std::abs(x.tangent_rate);
        x.lean = x.up + x.down > 0 ? x.friction * (x.up - x.down) / (x.up + x.down) : 0;
    }
}

bool ConeProblem::factor_inside() {
    put_inertia();
    for (std::size_t i = 0; i < rows_.size(); ++i)
        add_product(rows_[i], rows_[i], row_firmness / rows_[i].weight, pattern_.rows[i]);
    for (std::size_t i = 0; i < inside_.size(); ++i) {
        const auto slope = inside_[i].answer(0);
        add_product(normals_[i], normals_[i], slope.nn, pattern_.contacts[i]);
        if (!(inside_[i].friction > 0)) continue;
        const double lean = inside_[i].lean;
        add_product(tangents_[i], tangents_[i], slope.tt + lean * slope.nt, pattern_.contacts[i]);
        add_product(tangents_[i], normals_[i], slope.nt, pattern_.contacts[i]);
        add_product(normals_[i], tangents_[i], slope.nt + lean * slope.nn, pattern_.contacts[i]);
    }
    return lu_.factor();
}

double ConeProblem::step_inside(double sigma) {
    step_.assign(momentum_.size(), 0.0);
    for (std::size_t i = 0; i < rows_.size(); ++i)
        add_to(rows_[i], row_firmness / rows_[i].weight * (row_rate_[i] - rate_of(rows_[i], v_)),
               step_);
    for (std::size_t i = 0; i < inside_.size(); ++i) {
        const auto answer = inside_[i].answer(sigma);
        add_to(normals_[i], answer.normal, step_);
        add_to(tangents_[i], answer.tangent, step_);
    }
    lu_.solve(step_);
    double part = 1;
    const auto limit = [&](double value, double change) {
        if (change < 0) part = std::min(part, -value / change);
    };
    for (std::size_t i = 0; i < inside_.size(); ++i) {
        Inside& x = inside_[i];
        const double t = rate_of(tangents_[i], step_), n = rate_of(normals_[i], step_) + x.lean * t;
        const auto answer = x.answer(sigma);
        x.d_normal = answer.normal - answer.nn * n - answer.nt * t;
        x.d_tangent = answer.tangent - answer.nt * n - answer.tt * t;
        limit(x.normal, x.d_normal);
        if (x.friction > 0) {
            const double dc = x.friction * x.d_normal - x.d_tangent,
                         dd = x.friction * x.d_normal + x.d_tangent;
            x.d_down = (sigma - x.down * dc) / x.c() - x.down;
            x.d_up = (sigma - x.up * dd) / x.d() - x.up;
            limit(x.down, x.d_down);
            limit(x.c(), dc);
            limit(x.d(), dd);
        } else {
            x.d_down = 0;
            x.d_up = n + x.normal_rate - x.up;
        }
        limit(x.up, x.d_up);
    }
    return part;
}

void ConeProblem::follow_interior(Outcome& outcome, double goal) {
    constexpr int max_steps = 30;
    constexpr double least_centring = 1e-2, kept = 0.995, stalled = tolerance::interior_stalled,
                     worse = 1.5;
    enter_interior();
    // Near the end the slips in the bounds lag behind, so the best of the iterates is kept.
    std::vector<Contact> best = contacts_;
    std::vector<double> best_rows = row_impulse_;
    double least = INFINITY;
    for (int k = 0; k < max_steps; ++k) {
        const double now = violation();
        if (!(now < worse * least)) break;
        if (now < least) {
            least = now;
            best = contacts_;
            best_rows = row_impulse_;
        }
        if (now <= goal || !factor_inside()) break;
        ++outcome.iterations;
        ++outcome.interior;
        double mean = 0, pairs = 0;
        for (const Inside& x : inside_) {
            mean += x.friction > 0 ? x.c() * x.down + x.d() * x.up : x.normal * x.up;
            pairs += x.friction > 0 ? 2 : 1;
        }
        mean /= std::max(1.0, pairs);
        const double rest = 1 - step_inside(0);
        const double centring = std::max(rest * rest * rest, least_centring);
        const double part = std::min(1.0, kept * step_inside(centring * mean));
        if (part < stalled) break;
        for (Inside& x : inside_) {
            x.normal += part * x.d_normal;
            x.tangent += part * x.d_tangent;
            x.down += part * x.d_down;
            x.up += part * x.d_up;
        }
        for (std::size_t i = 0; i < rows_.size(); ++i)
            row_impulse_[i] += part * row_firmness / rows_[i].weight *
                               (row_rate_[i] - rate_of(rows_[i], v_) - rate_of(rows_[i], step_));
        move_inside();
    }
    contacts_ = best;
    row_impulse_ = best_rows;
    find_velocity();
}

}  // namespace pawl
