#include "simulation/singularity_watch.h"

#include <algorithm>
#include <cmath>

#include "math/golden_section.h"
#include "math/tolerances.h"
#include "simulation/remember.h"
#include "simulation/text.h"

namespace pawl {

namespace {

// The independence is a sine of angles between links: it changes no faster than they turn.
// Singular positions are seen in looks this far apart (rad, for all turns together).
constexpr double look_apart = 0.3;
constexpr int max_looks = 200;  // in a step
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

void SingularityWatch::adopt(DynamicSystem& system, bool always_crosses) {
    always_crosses_ = always_crosses;
    if (&system == system_) return;
    system_ = &system;
    at_least_ = 0;
    falling_ = near_ = turns_ = straight_ = false;
    end_at_ = 0;
    passed_.clear();
    looks_.reserve(max_looks + 1);  // the step in which they are needed first allocates nothing
    if (!system.independence && system.equations->pattern().rows() > 0)
        system.independence = std::make_unique<RowIndependence>(*system.equations);
}

double SingularityWatch::independence(Stepping& stepping, double t) {
    const double least = system_->independence->at(stepping.at(t).q, t);
    result_.statistics.smallest_pivot = std::min(result_.statistics.smallest_pivot, least * least);
    return least;
}

// The way to the foot, in time, and whether the motion approaches it: from the independence a
// little farther on the tangent.
SingularityWatch::Ahead SingularityWatch::look_ahead(const State& state) {
    RowIndependence& rows = *system_->independence;
    const double now = rows.at(state.q, state.t);
    const auto& scale = system_->equations->column_scale();
    double speed = 0;
    for (std::size_t c = 0; c < state.v.size(); ++c)
        speed = std::max(speed, std::abs(state.v[c]) * scale[c]);
    speed /= system_->equations->model_size();
    if (!(speed > 0 && now > 0)) return {now, 0};
    const double ahead = 0.05 * now / speed;
    ahead_.resize(state.q.size());
    for (std::size_t c = 0; c < state.q.size(); ++c) ahead_[c] = state.q[c] + ahead * state.v[c];
    return {now, (rows.at(ahead_, state.t + ahead) - now) / ahead};
}

// A crossing has its foot where no stage of dop853 is near: between those at 1/3 and 3/5 of the
// step. Around a turn steps are a part of the way to the foot, so that it is seen whatever its
// sharpness: geometrically smaller, then larger again. At the foot of a position that closes within
// what can be told the way is straight.
double SingularityWatch::stop(const State& state, double stop) {
    constexpr double part = 0.5, closed = 1e-5, between_stages = 0.4667;
    if (end_at_ > state.t) return std::min(stop, end_at_);
    if (!near_) return stop;
    const Ahead ahead = look_ahead(state);
    double way = ahead.independence / -ahead.rate;
    straight_ = turns_ && ahead.rate < 0 && ahead.independence < closed;
    if (turns_ && !straight_) {
        fastest_ = std::max(fastest_, std::abs(ahead.rate));
        way = part * fineness_ * ahead.independence / fastest_;
        return way > 0 ? std::min(stop, state.t + way) : stop;
    }
    return way > 0 ? std::min(stop, state.t + way / between_stages) : stop;
}

// Golden section brings the foot of a valley near; at a singular position its sides are straight
// there, each with a slope of its own, and Newton's method finds where they end.
SingularityWatch::Dip SingularityWatch::foot_of(Stepping& stepping, double low, double high) {
    constexpr int near = 8, max_passes = 12;
    constexpr double probe = 1e-2, rounding = 1e-8;  // of the root of a pivot
    const auto at = [&](double t) { return independence(stepping, t); };
    const Valley valley = golden_section(low, high, at, near);
    Dip lowest{valley.middle(), at(valley.middle())};
    if (valley.least > 5 * foot) return lowest;
    low = valley.low, high = valley.high;
    double t = lowest.t, least = lowest.least, reach = 0.1 * (high - low);
    for (int i = 0; i < max_passes && least > rounding; ++i) {
        const double ahead = t + probe * reach, rise = at(ahead) - least;
        if (rise < 0)
            low = t;
        else
            high = ahead;
        double next = t - least * probe * reach / rise;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        reach = std::abs(next - t);
        if (!(t + probe * reach > t)) break;
        t = next;
        least = at(t);
        if (least < lowest.least) lowest = {t, least};
    }
    return lowest;
}

// The looks of a step, and the dips between them: at a look that is no higher than its neighbours,
// between the first or last two, or at the begin where the step before was falling to it.
void SingularityWatch::find_dips(Stepping& stepping, double travel) {
    constexpr int min_looks = 4;
    const double begin = stepping.begin(), h = stepping.t() - begin;
    const int n = static_cast<int>(
        std::clamp(std::ceil(travel / look_apart), double{min_looks}, double{max_looks}));
    looks_.resize(static_cast<std::size_t>(n) + 1);
    for (int k = 0; k <= n; ++k)
        looks_[k] = independence(stepping, k == n ? stepping.t() : begin + k * h / n);
    // At the ends the slopes tell on which side of a foot they are.
    constexpr double probe = 1e-3;
    const bool falls_at_begin = independence(stepping, begin + probe * h) < looks_.front();
    const bool rises_at_end = independence(stepping, stepping.t() - probe * h) < looks_.back();
    dips_.clear();
    const auto search = [&](int from, int to) {
        const Dip dip = foot_of(stepping, begin + from * h / n, begin + to * h / n);
        if (dip.least < foot) dips_.push_back(dip);
    };
    if (falls_at_begin ? looks_[1] >= looks_[0] : falling_ && looks_[0] < foot) {
        if (falls_at_begin)
            search(0, 1);
        else
            dips_.push_back({begin, looks_[0]});
    }
    for (int k = 1; k < n; ++k)
        if (looks_[k - 1] >= looks_[k] && looks_[k + 1] >= looks_[k]) search(k - 1, k + 1);
    if (rises_at_end && looks_[n - 1] >= looks_[n]) search(n - 1, n);
    falling_ = !rises_at_end;
}

bool SingularityWatch::accepts(Stepping& stepping) {
    passed_.clear();
    const double begin = stepping.begin(), end = stepping.t();
    const bool retried = end_at_ > 0;
    end_at_ = 0;
    const bool was_falling = falling_;
    const double travel = travel_of(*system_->equations, stepping.q_begin(), stepping.q_end());
    if (at_least_ <= 2 * travel) at_least_ = independence(stepping, begin);
    if (at_least_ > 2 * travel && at_least_ > passed) {
        at_least_ -= travel;
        near_ = turns_ = straight_ = false;
        return true;
    }
    find_dips(stepping, travel);
    const auto again = [&] {
        falling_ = was_falling;
        return false;
    };
    // What passes a singular position stays near the constraints at every stage.
    if (!near_ && (!dips_.empty() || (!always_crosses_ && looks_.back() < close))) {
        near_ = true;
        return again();
    }
    // An end at the foot itself would be projected on either branch, and another step from there
    // has no room: the step ends half way.
    constexpr double too_close = 0.3, half = 0.5;
    if (near_ && !turns_ && !retried && looks_.back() < too_close * looks_.front()) {
        const double foot_at =
            dips_.empty() ? end + (end - begin) * looks_.back() / (looks_.front() - looks_.back())
                          : dips_.back().t;
        end_at_ = begin + half * (foot_at - begin);
        if (end_at_ > begin) return again();
        end_at_ = 0;
    }
    for (const Dip& dip : dips_)
        if (!passes(stepping, dip)) return again();
    at_least_ = looks_.back();
    if (straight_ && !dips_.empty()) turns_ = straight_ = false;
    if (at_least_ > passed && !falling_) near_ = turns_ = false;
    if (at_least_ < close && falling_) near_ = true;
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
        // Where the independence does not vanish the motion is on a circuit of its own. What the
        // loops miss there, also by the error of the position, keeps it from vanishing: bars of
        // length l that are out of line by the sine p miss by l p^2 / 2.
        constexpr double vanishes = 2e-5, shortest = 2e-3;  // bar, of the size
        if (dip.least < vanishes || 0.5 * shortest * size * dip.least * dip.least < misfit)
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

void SingularityWatch::remember(Memory& memory) {
    memory(near_, at_least_, falling_, passed_, end_at_, turns_, straight_, fastest_, fineness_);
}

void SingularityWatch::finish(double t) {
    for (Event& e : passed_)
        if (e.t <= t) result_.events.push_back(std::move(e));
    passed_.clear();
}

}  // namespace pawl
