#include "simulation/stepping/switch_search.h"

#include <algorithm>
#include <cmath>

#include "math/roots.h"
#include "math/tolerances.h"

namespace pawl {

namespace {

constexpr int max_depth = 24, max_switch_looks = 300;

}  // namespace

SwitchSearch::Look SwitchSearch::look(double t) {
    ++looks_;
    return {t, values_(t)};
}

// What has just come to its side may begin a little before it.
double SwitchSearch::rounding(std::size_t which) {
    double& known = roundings_[which];
    if (std::isnan(known)) {
        known = find_rounding_(which, false);
        if (just_passed_[which]) known = std::max(known, 2 * std::abs(begin_.values[which]));
    }
    return known;
}

bool SwitchSearch::has_passed(std::size_t which, double value) {
    const double beyond = sides_[which] == 0 ? std::abs(value) : -sides_[which] * value;
    return beyond > 0 && beyond > rounding(which);
}

// The parabola through both ends and the middle misses the looks between by as much as it misses
// the values anywhere, nearly: twice that is left as a margin.
bool SwitchSearch::is_clear(std::size_t which, const Looks& looks) {
    const int side = sides_[which];
    std::array<double, 5> f{};
    for (std::size_t k = 0; k < 5; ++k) {
        f[k] = looks[k]->values[which];
        if (!std::isfinite(f[k])) return true;
    }
    if (side == 0)
        return std::none_of(f.begin(), f.end(), [&](double v) { return has_passed(which, v); });
    for (double& value : f) value *= side;
    const double miss = std::max(std::abs(f[1] - (3 * f[0] + 6 * f[2] - f[4]) / 8),
                                 std::abs(f[3] - (3 * f[4] + 6 * f[2] - f[0]) / 8));
    double least = *std::min_element(f.begin(), f.end());
    const double slope = 4 * f[2] - 3 * f[0] - f[4], bend = 2 * (f[0] - 2 * f[2] + f[4]);
    if (slope < 0 && -slope < 2 * bend)
        least = std::min(least, f[0] - slope * slope / (4 * bend));
    const double lower = least - 2 * miss;
    return lower > 0 || lower > -rounding(which);
}

// Between a look where none has passed and one where some have.
std::optional<SwitchSearch::Found> SwitchSearch::between(const Look& low, const Look& high) {
    std::optional<Found> found;
    for (std::size_t i = 0; i < sides_.size(); ++i) {
        if (!has_passed(i, high.values[i])) continue;
        const auto is_before = [&](double t) {
            const double value = values_(t)[i];
            return sides_[i] == 0 ? !has_passed(i, value) : !(value * sides_[i] < 0);
        };
        const auto is_narrow = [](double a, double b) {
            return b - a <= tolerance::time_rounding * (1 + b);
        };
        const double t = bisect(low.t, high.t, 60, is_before, is_narrow).high;
        const auto side = static_cast<signed char>(high.values[i] < 0 ? -1 : 1);
        if (!found || t < found->t) found = Found{i, t, side};
    }
    return found;
}

bool SwitchSearch::all_clear(const Looks& looks) {
    for (std::size_t i = 0; i < sides_.size(); ++i)
        if (!is_clear(i, looks)) return false;
    return true;
}

// One that a constraint holds at zero departs from it inside the step by what no projection has
// taken away: it does not pass.
void SwitchSearch::note_rest(const Looks& looks) {
    for (std::size_t i = 0; i < sides_.size(); ++i) {
        if (is_clear(i, looks)) continue;
        double largest = 0;
        for (const Look* look : looks) largest = std::max(largest, std::abs(look->values[i]));
        if (largest <= find_rounding_(i, true)) roundings_[i] = INFINITY;
    }
}

std::optional<SwitchSearch::Found> SwitchSearch::inside(const Look& a, const Look& m,
                                                        const Look& b, int depth) {
    const Look p = look(0.5 * (a.t + m.t)), q = look(0.5 * (m.t + b.t));
    const Looks looks{&a, &p, &m, &q, &b};
    if (all_clear(looks)) return std::nullopt;
    if (depth == 0) note_rest(looks);
    for (std::size_t i = 0; depth == 0 && i < sides_.size(); ++i)
        if (has_passed(i, a.values[i]))
            return Found{i, a.t, static_cast<signed char>(a.values[i] < 0 ? -1 : 1)};
    if (depth < max_depth && looks_ < max_switch_looks) {
        if (auto found = inside(a, p, m, depth + 1)) return found;
        return inside(m, q, b, depth + 1);
    }
    for (std::size_t k = 1; k < 5; ++k)
        if (auto found = between(*looks[k - 1], *looks[k])) return found;
    return std::nullopt;
}

std::optional<SwitchSearch::Found> SwitchSearch::first(double begin, double end) {
    roundings_.assign(sides_.size(), NAN);
    looks_ = 0;
    begin_ = look(begin);
    return inside(begin_, look(0.5 * (begin + end)), look(end), 0);
}

}  // namespace pawl
