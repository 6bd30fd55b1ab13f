// The interior-point method of the cone problem (cone_problem.h): a primal-dual method with the
// centring of Mehrotra (1992). Friction does not follow from a convex problem, so that nothing shows
// that it converges; it comes near the solution in about ten steps from anywhere in the problems of
// heaps.
#include <algorithm>
#include <cmath>

#include "dynamics/cone_problem.h"

namespace pawl {

namespace {

constexpr double row_firmness = 1e8;  // of rows, against their weights
constexpr double first_part = 1.0;    // of the scale of velocities, where the interior is entered
constexpr double least_friction = 1e-6;

}  // namespace

void ConeProblem::enter_interior() {
    const double push = first_part * find_scale();
    inside_.assign(contacts_.size(), {});
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        Inside& x = inside_[i];
        x.friction = std::max(contacts_[i].friction, least_friction);
        x.normal = std::max(contacts_[i].normal, push / normals_[i].weight);
        const double most = 0.9 * x.friction * x.normal;
        x.tangent = std::clamp(contacts_[i].tangent, -most, most);
    }
    move_inside();
    for (Inside& x : inside_) {
        x.rise = std::max(x.normal_rate, push);
        x.down = std::max(-x.tangent_rate, push);
        x.up = std::max(x.tangent_rate, push);
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
        inside_[i].normal_rate = rate_of(normals_[i], v_) - contacts_[i].bound;
        inside_[i].tangent_rate = rate_of(tangents_[i], v_);
    }
}

// M dv = N^T dp + T^T df with
//   dp = sigma / rise - p/rise (N dv + N v - b),
//   df = -(T dv + T v - sigma/d + sigma/c) / kappa - mu tau dp.
bool ConeProblem::factor_inside() {
    put_inertia();
    for (std::size_t i = 0; i < rows_.size(); ++i)
        add_product(rows_[i], rows_[i], row_firmness / rows_[i].weight, row_offsets_[i]);
    for (std::size_t i = 0; i < inside_.size(); ++i) {
        const Inside& x = inside_[i];
        const double firm = x.normal / x.rise;
        add_product(normals_[i], normals_[i], firm, contact_offsets_[i]);
        add_product(tangents_[i], tangents_[i], 1 / x.kappa(), contact_offsets_[i]);
        add_product(tangents_[i], normals_[i], -x.friction * x.tau() * firm, contact_offsets_[i]);
    }
    return lu_.factor();
}

double ConeProblem::step_inside(double sigma) {
    step_.assign(momentum_.size(), 0.0);
    for (std::size_t i = 0; i < rows_.size(); ++i)
        add_to(rows_[i],
               row_firmness / rows_[i].weight * (row_rate_[i] - rate_of(rows_[i], v_)), step_);
    for (std::size_t i = 0; i < inside_.size(); ++i) {
        Inside& x = inside_[i];
        x.d_normal = (sigma - x.normal * x.normal_rate) / x.rise;
        x.d_tangent = -(x.tangent_rate - sigma / x.d() + sigma / x.c()) / x.kappa() -
                      x.friction * x.tau() * x.d_normal;
        add_to(normals_[i], x.d_normal, step_);
        add_to(tangents_[i], x.d_tangent, step_);
    }
    lu_.solve(step_);
    double part = 1;
    const auto limit = [&](double value, double change) {
        if (change < 0) part = std::min(part, -value / change);
    };
    for (std::size_t i = 0; i < inside_.size(); ++i) {
        Inside& x = inside_[i];
        const double normal = rate_of(normals_[i], step_), tangent = rate_of(tangents_[i], step_);
        const double firm = x.normal / x.rise;
        x.d_normal -= firm * normal;
        x.d_tangent += x.friction * x.tau() * firm * normal - tangent / x.kappa();
        const double dc = x.friction * x.d_normal - x.d_tangent,
                     dd = x.friction * x.d_normal + x.d_tangent;
        x.d_rise = normal + x.normal_rate - x.rise;
        x.d_down = (sigma - x.down * dc) / x.c() - x.down;
        x.d_up = (sigma - x.up * dd) / x.d() - x.up;
        limit(x.normal, x.d_normal);
        limit(x.rise, x.d_rise);
        limit(x.down, x.d_down);
        limit(x.up, x.d_up);
        limit(x.c(), dc);
        limit(x.d(), dd);
    }
    return part;
}

void ConeProblem::follow_interior(Outcome& outcome, double goal) {
    constexpr int max_steps = 30;
    constexpr double least_centring = 1e-2, kept = 0.995, stalled = 0.1, uneven = 1e-1;
    enter_interior();
    for (int k = 0; k < max_steps && violation() > goal; ++k) {
        if (!factor_inside()) break;
        ++outcome.iterations;
        ++outcome.interior;
        double mean = 0;
        for (const Inside& x : inside_) mean += x.normal * x.rise + x.c() * x.down + x.d() * x.up;
        mean /= 3.0 * static_cast<double>(std::max<std::size_t>(inside_.size(), 1));
        const double rest = 1 - step_inside(0);
        const double centring = std::max(rest * rest * rest, least_centring);
        double part = std::min(1.0, kept * step_inside(centring * mean));
        if (part < stalled) part = std::min(1.0, kept * step_inside(mean));
        if (part < 0.01 * stalled) break;
        for (Inside& x : inside_) {
            x.normal += part * x.d_normal;
            x.tangent += part * x.d_tangent;
            x.rise += part * x.d_rise;
            x.down += part * x.d_down;
            x.up += part * x.d_up;
            // None runs ahead of the others to its limit.
            const double least = uneven * (1 - part * (1 - centring)) * mean;
            x.rise = std::max(x.rise, least / x.normal);
            x.down = std::max(x.down, least / x.c());
            x.up = std::max(x.up, least / x.d());
        }
        for (std::size_t i = 0; i < rows_.size(); ++i)
            row_impulse_[i] += part * row_firmness / rows_[i].weight *
                               (row_rate_[i] - rate_of(rows_[i], v_) - rate_of(rows_[i], step_));
        move_inside();
    }
    for (Contact& contact : contacts_)
        if (!(contact.friction > 0)) contact.tangent = 0;
    find_velocity();
}

}  // namespace pawl
