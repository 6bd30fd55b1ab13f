#include "simulation/singularity_watch.h"

#include <algorithm>
#include <cmath>

#include "math/golden_section.h"
#include "math/tolerances.h"
#include "simulation/text.h"

namespace pawl {

namespace {

// The independence is a sine of angles between links: it changes no faster than they turn.
// Singular positions are seen in looks this far apart (rad, for all turns together).
constexpr double look_apart = 0.3;
// What falls below this may be a singular position, and what is above it has been passed.
constexpr double foot = 1e-2, passed = 0.15, close = 0.1;

// How far the coordinates turn over a step: of the fastest, both of its ends.
double travel_of(const Equations& equations, std::span<const double> a, std::span<const double> b) {
    double most = 0;
    for (std::size_t c = 0; c < static_cast<std::size_t>(equations.size()); ++c)
        most = std::max(most, std::abs(b[c] - a[c]) * equations.column_scale()[c]);
    return 2 * most / equations.model_size();
}

}  // namespace

void SingularityWatch::adopt(DynamicSystem& system, bool crosses) {
    crosses_ = crosses;
    if (&system == system_) return;
    system_ = &system;
    at_least_ = 0;
    falling_ = near_ = turns_ = straight_ = false;
    end_at_ = 0;
    passed_.clear();
    if (!system.independence && system.equations->pattern().rows() > 0)
        system.independence = std::make_unique<RowIndependence>(*system.equations);
}

double SingularityWatch::independence(Stepping& stepping, double t) {
    const double least = system_->independence->at(stepping.at(t).q, t);
    result_.statistics.smallest_pivot = std::min(result_.statistics.smallest_pivot, least * least);
    return least;
}

// Around a turn steps are a part of the way to the foot, so that it is seen whatever its sharpness:
// geometrically smaller, then larger again. At the foot of a position that closes within what can
// be told the way is straight.
double SingularityWatch::stop(const State& state, double stop) {
    constexpr double part = 0.5, closed = 1e-5, before = 0.45;
    if (end_at_ > state.t) stop = std::min(stop, end_at_);
    if (!turns_) return stop;
    RowIndependence& rows = *system_->independence;
    const double now = rows.at(state.q, state.t);
    const auto& scale = system_->equations->column_scale();
    double speed = 0;
    for (std::size_t c = 0; c < state.v.size(); ++c)
        speed = std::max(speed, std::abs(state.v[c]) * scale[c]);
    speed /= system_->equations->model_size();
    if (!(speed > 0)) return stop;
    const double ahead = 0.05 * now / speed;
    ahead_.resize(state.q.size());
    for (std::size_t c = 0; c < state.q.size(); ++c) ahead_[c] = state.q[c] + ahead * state.v[c];
    const double rate = (rows.at(ahead_, state.t + ahead) - now) / ahead;
    fastest_ = std::max(fastest_, std::abs(rate));
    if (!(fastest_ > 0)) return stop;
    straight_ = now < closed && rate < 0;
    const double way = now / fastest_;
    return std::min(stop, state.t + (straight_ ? way / before : part * fineness_ * way));
}

// The looks of a step, and the dips between them: a look that is no higher than its neighbours. A
// dip at the begin was falling at the end of the step before.
void SingularityWatch::find_dips(Stepping& stepping, double travel) {
    constexpr int min_looks = 4, max_looks = 200;
    const double begin = stepping.begin(), h = stepping.t() - begin;
    const int n = static_cast<int>(
        std::clamp(std::ceil(travel / look_apart), double{min_looks}, double{max_looks}));
    const auto at = [&](double t) { return independence(stepping, t); };
    looks_.resize(static_cast<std::size_t>(n) + 1);
    for (int k = 0; k <= n; ++k) looks_[k] = at(k == n ? stepping.t() : begin + k * h / n);
    dips_.clear();
    for (int k = 0; k < n; ++k) {
        const bool falls = k == 0 ? falling_ : looks_[k - 1] >= looks_[k];
        if (!falls || looks_[k + 1] < looks_[k]) continue;
        if (k == 0) {
            if (looks_[0] < foot) dips_.push_back({begin, looks_[0]});
            continue;
        }
        const Valley valley = golden_section(begin + (k - 1) * h / n, begin + (k + 1) * h / n, at,
                                             40, 2e-5 * h);
        if (valley.least < foot) dips_.push_back({valley.middle(), valley.least});
    }
    falling_ = looks_[n] < looks_[n - 1];
}

bool SingularityWatch::accepts(Stepping& stepping) {
    passed_.clear();
    const double begin = stepping.begin(), end = stepping.t();
    const bool retried = end_at_ > 0;
    end_at_ = 0;
    const bool was_falling = falling_;
    ahead_ = stepping.at(begin).q;
    const double travel = travel_of(*system_->equations, ahead_, stepping.at(end).q);
    if (at_least_ <= 2 * travel) at_least_ = independence(stepping, begin);
    if (at_least_ > 2 * travel && at_least_ > passed) {
        at_least_ -= travel;
        near_ = turns_ = false;
        return true;
    }
    find_dips(stepping, travel);
    const double low = dips_.empty() ? looks_.back() : 0;
    const auto again = [&] {
        falling_ = was_falling;
        return false;
    };
    if (!crosses_ && !near_ && low < close) {
        near_ = true;
        return again();
    }
    // An end at the foot itself would be projected on either branch.
    constexpr double too_close = 0.05, shorter = 0.8;
    if (!turns_ && !retried && falling_ && looks_.back() < too_close * travel) {
        end_at_ = begin + shorter * (end - begin);
        return again();
    }
    for (const Dip& dip : dips_)
        if (!passes(stepping, dip)) return again();
    at_least_ = looks_.back();
    if (straight_ && !dips_.empty()) turns_ = straight_ = false;
    if (at_least_ > passed && !falling_) near_ = turns_ = false;
    return true;
}

// Whether the step may pass a dip: straight on where the loops close there, and around it in steps
// that have seen the turn.
bool SingularityWatch::passes(Stepping& stepping, const Dip& dip) {
    constexpr double closes = 5e-10;  // of the size: between what is rounding and what is a misfit
    const double size = system_->equations->model_size();
    if (turns_ && !straight_) {
        // Of the independence where the step begins: a turn that is seen dips less.
        constexpr double seen = 0.2, finest = 1e-3;
        if (dip.least > seen * looks_.front() || fineness_ < finest) return true;
        fineness_ *= 0.5;
        return false;
    }
    const double misfit = system_->independence->misfit(stepping.at(dip.t).q, dip.t);
    if (straight_ || misfit <= closes * size) {
        note(dip.t, misfit);
        return true;
    }
    turns_ = true;
    fastest_ = 0;
    fineness_ = 1;
    return false;
}

void SingularityWatch::note(double t, double misfit) {
    Event e;
    e.t = t;
    e.kind = EventKind::bifurcation;
    e.to = "passed on its branch";
    e.detail =
        "singular position: the constraints become dependent and another branch opens; the loops "
        "close there to " +
        number_text(misfit, 2) + " m";
    passed_.push_back(std::move(e));
}

void SingularityWatch::finish(double t) {
    for (Event& e : passed_)
        if (e.t <= t) result_.events.push_back(std::move(e));
    passed_.clear();
}

}  // namespace pawl
