#include "simulation/stepping/singularity_watch.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances/motion.h"
#include "results/text.h"
#include "simulation/stepping/remember.h"

namespace pawl {

namespace {

// Singular positions are seen in looks this far apart (rad, of a bound on the turns).
constexpr double look_apart = 0.3;
constexpr int max_looks = 200;  // in a step
// What falls below the first may be a singular position; what is above the second is past it, or
// not there yet.
constexpr double foot = tolerance::near_foot, close = 0.1;
// From here on another step before the foot leaves too little room for one across.
constexpr double no_room = 0.05;
// Loops that miss by less of the size are passed straight on: between what is rounding and what is
// a misfit.
constexpr double closes = tolerance::closes_at_foot;

}  // namespace

void SingularityWatch::adopt(DynamicSystem& system, bool always_crosses) {
    always_crosses_ = always_crosses;
    if (&system == system_) return;
    system_ = &system;
    at_least_ = 0;
    is_measured_ = false;
    falling_ = near_ = turns_ = straight_ = false;
    end_at_ = 0;
    passed_.clear();
    looks_.reserve(max_looks + 1);  // the step in which they are needed first allocates nothing
    if (!system.independence && system.equations->pattern().rows() > 0)
        system.independence = std::make_unique<RowIndependence>(*system.equations);
}

double SingularityWatch::see(std::span<const double> q, double t) {
    const double least = system_->independence->at(q, t);
    result_.statistics.smallest_pivot = std::min(result_.statistics.smallest_pivot, least * least);
    return least;
}

double SingularityWatch::independence(Stepping& stepping, double t) {
    return see(stepping.at(t).q, t);
}

double SingularityWatch::look_coarsely(Stepping& stepping, double t) {
    q_.resize(stepping.q_end().size());
    stepping.interpolate_coarsely(t, q_);
    return see(q_, t);
}

// The independence is a sine of angles between links, whose rate is taken to be at most that of two
// of them, or of two thirds of those of a row together. The fastest of some parts of the step.
double SingularityWatch::turn_in_step(Stepping& stepping) {
    constexpr int parts = 4;
    const Equations& equations = *system_->equations;
    const RowPattern& p = equations.pattern();
    const auto& scale = equations.column_scale();
    const double begin = stepping.begin(), h = stepping.t() - begin;
    turn_.resize(stepping.q_begin().size());
    before_.assign(stepping.q_begin().begin(), stepping.q_begin().end());
    double largest = 0;
    for (int k = 1; k <= parts; ++k) {
        q_.assign(stepping.q_end().begin(), stepping.q_end().end());
        if (k < parts) stepping.interpolate_coarsely(begin + k * h / parts, q_);
        for (std::size_t c = 0; c < q_.size(); ++c) {
            turn_[c] = std::abs(q_[c] - before_[c]) * scale[c];
            largest = std::max(largest, 2 * turn_[c]);
        }
        for (int r = 0; r < p.rows(); ++r) {
            double sum = 0;
            for (int i = p.start[r]; i < p.start[r + 1]; ++i) sum += turn_[p.column[i]];
            largest = std::max(largest, sum * 2 / 3);
        }
        before_.swap(q_);
    }
    return parts * largest / equations.model_size();
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
    q_.resize(state.q.size());
    for (std::size_t c = 0; c < state.q.size(); ++c) q_[c] = state.q[c] + ahead * state.v[c];
    return {now, (rows.at(q_, state.t + ahead) - now) / ahead};
}

// A crossing has its foot where no stage of dop853 is near: between those at 1/3 and 3/5 of the
// step. Around a turn steps are a part of the way to the foot, so that it is seen whatever its
// sharpness: geometrically smaller, then larger again. At the foot of a position that closes within
// what can be resolved the way is straight.
double SingularityWatch::stop(const State& state, double stop) {
    constexpr double part = 0.5, closed = tolerance::closed_at_foot, between_stages = 0.4667;
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

// At a singular position the sides of the valley are straight, each with a slope of its own, and
// Newton's method finds where they end, from where they would meet if they were equally steep.
// `rate`: a bound on that of the independence, by which the foot may be out of reach.
SingularityWatch::Dip SingularityWatch::foot_of(Stepping& stepping, const Look& a, const Look& b,
                                                double rate) {
    constexpr int max_passes = 16;
    constexpr double probe = tolerance::foot_probe,
                     rounding = tolerance::foot_rounding;  // of the root of a pivot
    const auto at = [&](double t) { return independence(stepping, t); };
    double low = a.t, high = b.t;
    double t = low + (high - low) *
                         std::clamp(a.independence / (a.independence + b.independence), 0.1, 0.9);
    double least = at(t), reach = 0.1 * (high - low);
    Dip lowest{t, least};
    for (int i = 0; i < max_passes && least > rounding; ++i) {
        if (least - rate * std::max(t - low, high - t) > foot) break;
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

// Looks at both ends of a step, and between two of them until a bound or a short way shows that
// nothing is hidden there.
void SingularityWatch::look(Stepping& stepping, double turn) {
    constexpr double margin = 2 * foot;  // with the error of a coarse look
    const double begin = stepping.begin(), h = stepping.t() - begin;
    looks_.clear();
    looks_.push_back({begin, at_least_, false});
    looks_.push_back({stepping.t(), see(stepping.q_end(), stepping.t()), true});
    for (std::size_t k = 0; k + 1 < looks_.size();) {
        const Look &a = looks_[k], &b = looks_[k + 1];
        const double part = turn * (b.t - a.t) / h, middle = 0.5 * (a.t + b.t);
        const bool clear = a.independence + b.independence - part > 2 * margin;
        if (clear || part < look_apart || looks_.size() > max_looks) {
            looks_[k++].clear_after = clear;
            continue;
        }
        const Look between{middle, look_coarsely(stepping, middle), false};
        looks_.insert(looks_.begin() + static_cast<std::ptrdiff_t>(k) + 1, between);
    }
}

// The dips between the looks of a step: at a look that is no higher than its neighbours, between
// the first or last two, or at the begin where the step before was falling to it.
void SingularityWatch::find_dips(Stepping& stepping, double turn) {
    look(stepping, turn);
    const double begin = stepping.begin(), end = stepping.t(), h = end - begin;
    const std::size_t n = looks_.size() - 1;
    const auto at = [&](std::size_t k) { return looks_[k].independence; };
    const auto is_clear = [&](std::size_t k) { return looks_[k].clear_after; };
    dips_.clear();
    const auto search = [&](std::size_t from, std::size_t to) {
        const Dip dip = foot_of(stepping, looks_[from], looks_[to], turn / h);
        if (dip.least < foot) dips_.push_back(dip);
    };
    // At the ends the slopes show on which side of a foot they are.
    constexpr double probe = tolerance::foot_end_probe;
    if (!is_clear(0)) {
        const bool falls = look_coarsely(stepping, begin + probe * h) < at(0);
        if (falls && at(1) >= at(0)) search(0, 1);
        if (!falls && falling_ && at(0) < foot) dips_.push_back({begin, at(0)});
    }
    for (std::size_t k = 1; k < n; ++k)
        if (at(k - 1) >= at(k) && at(k + 1) >= at(k) && !(is_clear(k - 1) && is_clear(k)))
            search(k - 1, k + 1);
    rate_ = (at(n) - at(n - 1)) / (end - looks_[n - 1].t);
    if (near_ || !is_clear(n - 1) || at(n) < std::max(close, turn))
        rate_ = (at(n) - look_coarsely(stepping, end - probe * h)) / (probe * h);
    falling_ = !(rate_ > 0);
    if (!falling_ && !is_clear(n - 1) && at(n - 1) > at(n)) search(n - 1, n);
}

// What the error of a crossing can be at best, in units of the tolerance: accelerations at an angle
// to dependence lose its cube of what the loops miss, or of rounding; the nearest stage is at some
// part of the angle at which the step begins.
double SingularityWatch::best_error(const Stepping& stepping, double independence,
                                    double misfit) const {
    constexpr double nearest = 0.28, rounding = tolerance::foot_digits;
    const double missed = std::max(rounding, misfit / system_->equations->model_size());
    return missed / (std::pow(nearest * independence, 3) * stepping.rtol());
}

// Close to the foot a step is tried with as much leniency as a crossing may need, or the steps
// would shrink towards the foot for ever. One that errs by more than it must is taken again
// without.
bool SingularityWatch::accepts(Stepping& stepping) {
    constexpr double max_leniency = 1e4, in_a_turn = 0.5 * foot;
    const bool accepted = judge(stepping);
    leniency_ = 1;
    if (accepted && near_ && !turns_ && falling_ && at_least_ > in_a_turn) {
        const double misfit = always_crosses_ ? 0 : closes * system_->equations->model_size();
        leniency_ = std::clamp(best_error(stepping, at_least_, misfit), 1.0, max_leniency);
    }
    stepping.set_leniency(leniency_);
    return accepted;
}

bool SingularityWatch::judge(Stepping& stepping) {
    passed_.clear();
    const double begin = stepping.begin(), end = stepping.t();
    const bool retried = end_at_ > 0;
    end_at_ = 0;
    const bool was_falling = falling_;
    const double turn = turn_in_step(stepping);
    for (const bool again : {false, true}) {
        if (at_least_ - turn > close) {
            at_least_ -= turn;
            is_measured_ = near_ = turns_ = straight_ = false;
            return true;
        }
        if (again || is_measured_) break;
        at_least_ = see(stepping.q_begin(), begin);
        is_measured_ = true;
    }
    find_dips(stepping, turn);
    const auto again = [&] {
        falling_ = was_falling;
        return false;
    };
    if (leniency_ > 1 && dips_.empty()) return again();
    // What passes a singular position stays near the constraints at every stage.
    const double first = looks_.front().independence, last = looks_.back().independence;
    if (!near_ && (!dips_.empty() || (!always_crosses_ && last < close))) {
        near_ = true;
        return again();
    }
    // An end at the foot itself would be projected on either branch, and another step from there
    // has no room: the step ends half way.
    constexpr double too_close = 0.3, half = 0.5;
    if (near_ && !turns_ && !retried && last < std::min(too_close * first, no_room)) {
        const double foot_at =
            dips_.empty() ? end + (end - begin) * last / (first - last) : dips_.back().t;
        end_at_ = begin + half * (foot_at - begin);
        if (end_at_ > begin) return again();
        end_at_ = 0;
    }
    for (const Dip& dip : dips_)
        if (!passes(stepping, dip)) return again();
    at_least_ = last;
    if (straight_ && !dips_.empty()) turns_ = straight_ = false;
    if (at_least_ > close && !falling_) near_ = turns_ = false;
    if (at_least_ < close && falling_) near_ = true;
    // A foot that the next step would meet.
    if (always_crosses_ && at_least_ + rate_ * (end - begin) < 0) near_ = true;
    return true;
}

// Whether the step may pass a dip: straight on where the loops close there, and around it in steps
// that have seen the turn.
bool SingularityWatch::passes(Stepping& stepping, const Dip& dip) {
    const double size = system_->equations->model_size();
    if (turns_ && !straight_) {
        // Of the independence where the step begins: a turn that is seen dips less.
        constexpr double seen = 0.2, finest = tolerance::finest_look;
        if (dip.least > seen * looks_.front().independence || fineness_ < finest) return true;
        fineness_ *= 0.5;
        return false;
    }
    const double misfit = system_->independence->misfit(stepping.at(dip.t).q, dip.t);
    if (straight_ || misfit <= closes * size) {
        // Where the independence does not vanish the motion is on a circuit of its own. What the
        // loops miss there, also by the error of the position, keeps it from vanishing: bars of
        // length l that are out of line by the sine p miss by l p^2 / 2.
        constexpr double vanishes = tolerance::vanishing_bar,
                         shortest = tolerance::shortest_bar;  // bar, of the size
        const bool crosses =
            dip.least < vanishes || 0.5 * shortest * size * dip.least * dip.least < misfit;
        if (crosses) note(dip.t, misfit);
        const double best = crosses ? best_error(stepping, looks_.front().independence, misfit) : 1;
        return leniency_ == 1 || stepping.error() <= std::max(1.0, best);
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
    e.facts = {fact::Misfit{misfit}};
    passed_.push_back(std::move(e));
}

void SingularityWatch::remember(Memory& memory) {
    memory(near_, at_least_, is_measured_, falling_, rate_, passed_, end_at_, turns_, straight_,
           fastest_, fineness_, leniency_);
}

void SingularityWatch::finish(double t) {
    for (Event& e : passed_)
        if (e.t <= t) result_.events.push_back(std::move(e));
    passed_.clear();
}

}  // namespace pawl
