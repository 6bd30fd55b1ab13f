// How wrong the derivative of a run is: by extrapolation, by rounding, by what a limit leaves open.
#include <algorithm>
#include <cmath>

#include "simulation/sensitivity/tangent_run.h"

namespace pawl {

namespace {

// Intervals d of impacts that go on with the ratio r of d[3] to d[1], every second one: the rest of
// the time, d[3] r/(1 - r), and its derivative.
double rest_moves(const double* d, const double* moves, std::size_t last) {
    const double r = std::sqrt(d[last] / d[last - 2]),
                 r_moves = r / 2 * (moves[last] / d[last] - moves[last - 2] / d[last - 2]);
    return moves[3] * r / (1 - r) + d[3] * r_moves / ((1 - r) * (1 - r));
}

}  // namespace

// Of a smooth map the difference D(h) - D(h/2) is of the third order and the second difference of
// the second: the one is about the square of the other. A kink within the distance has both of one
// size; so has a map that is odd about its point.
bool TangentRun::hides_kink(const Derived& derived) const {
    constexpr double more = 100;
    const double size = std::max(norm(derived.numbers), largest_),
                 noise = 100 * tolerance::tangent_rounding / Neighbours::distance(derived.level);
    return derived.spread > noise * std::max(1.0, size) &&
           derived.spread > more * derived.kink * derived.kink / size;
}

// What is left after extrapolation is about the square of what it removes, where the map is smooth.
double TangentRun::error_of_extrapolation(const Derived& derived) const {
    if (!derived.apart.empty()) return norm(derived.apart);
    return std::min(derived.spread, derived.spread * derived.spread / largest_);
}

// The time of an event is known to a few roundings, that of an impact to those of the gap over the
// speed at which it closes.
double TangentRun::error_of_time(const Entry& to, int level) const {
    const double time = 1 / weights_[0], size = 9.81 * time * time;
    double speed = 0, noise = tolerance::tangent_rounding * (1 + std::abs(to.after.t));
    for (std::size_t e = to.first_event; e < to.end_event; ++e)
        speed = std::max(speed, std::abs(course_.events[e].normal_velocity_before));
    if (to.occurrence.kind == ContactOccurrence::Kind::meets && speed > 0)
        noise += 0.1 * tolerance::tangent_rounding * size / speed;
    return 4 * noise / Neighbours::distance(level);
}

// The time to which impacts accumulate is as good as the ratio of their intervals has settled: what
// the ratio before would say is another derivative.
double TangentRun::error_of_limit(const Entry& to, const Event& event, double moves) const {
    if (event.kind != EventKind::contact_formed || !(event.t > to.after.t)) return 0;
    constexpr double least = tolerance::least_tangent;
    const double rest = std::abs(moves - along_[0]);
    const auto& times = to.mode->impacts;
    if (times.size() < 5) return tolerance::open_limit * rest;
    const std::size_t first = 2 + to.after.q.size() + to.after.v.size() + to.after.z.size();
    double d[4], moving[4];
    for (std::size_t i = 0; i < 4; ++i) {
        d[i] = times[i + 1] - times[i];
        moving[i] = along_[first + i + 1] - along_[first + i];
    }
    const double apart = std::abs(rest_moves(d, moving, 3) - rest_moves(d, moving, 2));
    return std::isfinite(apart) ? std::max(least * rest, apart) : rest;
}

}  // namespace pawl
