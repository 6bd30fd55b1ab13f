// Impacts that accumulate in a transition: when they end, and which rebounds are taken as rest.
#include <algorithm>
#include <cmath>
#include <utility>

#include "math/tolerances/motion.h"
#include "results/text.h"
#include "simulation/event_cycle/transition_work.h"

namespace pawl {

namespace {

// Besides the impulses found: the smallest ones of either sign with which some rows come to rest
// and others keep their velocity.
void bring_to_rest(ContactProblem& problem, std::vector<int> rows, const std::vector<int>& kept) {
    const Eigen::VectorXd before = problem.velocity_after();
    Eigen::VectorXd change = Eigen::VectorXd::Zero(static_cast<int>(rows.size() + kept.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) change[static_cast<int>(i)] = -before[rows[i]];
    rows.insert(rows.end(), kept.begin(), kept.end());
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> cod;
    cod.setThreshold(tolerance::rank);
    const Eigen::MatrixXd among = problem.response()(rows, rows);
    const Eigen::VectorXd found = cod.compute(among).solve(change);
    Eigen::VectorXd more = Eigen::VectorXd::Zero(before.size());
    more(rows) = found;
    const Eigen::VectorXd after = before + problem.response() * more;
    problem.set_impulses(problem.impulse() + more,
                         problem.impulse_work() + 0.5 * more.cwiseProduct(before + after));
}

}  // namespace

// Intervals between the last impacts that shrink by a settled ratio r end after d r / (1 - r) more:
// the sum of what is left. They are completed at once when that is so short that nothing else moves
// in it: when the acceleration a = 2 v / d, which brings the contact back with the speed v, moves
// it by less than a small part of the size. The ratio may alternate between two contacts; then it
// repeats every second time.
std::optional<TransitionWork::Accumulation> TransitionWork::accumulation(
    const ContactOccurrence& meets) {
    const State& state = result_.state;
    auto& times = result_.mode.impacts;
    times.push_back(state.t);
    if (times.size() > 5) times.erase(times.begin());
    if (times.size() < 5) return std::nullopt;
    double d[4];
    for (std::size_t i = 0; i < 4; ++i) d[i] = times[i + 1] - times[i];
    const double interval_ratio = std::sqrt(d[3] / d[1]), ratio_before = std::sqrt(d[2] / d[0]);
    if (!(d[3] > 0) || !(interval_ratio < 0.9999) ||
        std::abs(interval_ratio - ratio_before) > 0.02 * interval_ratio)
        return std::nullopt;
    auto& equations = *system_->equations;
    equations.set_position(state.q, state.t);
    const double speed =
        std::abs(world_.watch.locate(equations.coordinates(), meets.point, state.v).rates.closing);
    const double left = d[3] * interval_ratio / (1 - interval_ratio);
    if (!is_short(left, 2 * speed / d[3])) return std::nullopt;
    return Accumulation{
        state.t + left,
        static_cast<int>(std::ceil(std::log(tolerance::last_impact * (1 + state.t) / d[3]) /
                                   std::log(interval_ratio)))};
}

// Whether a time is a small part of that of a fall through the size with this acceleration.
bool TransitionWork::is_short(double time, double acceleration) const {
    return acceleration * time * time <= 100 * lowest_hop();
}

// Whether impacts that accumulate end also where a contact is left with this velocity: bodies that
// fall with `acceleration` would close it again within as short a time.
bool TransitionWork::ends_with_the_others(double leaving, double acceleration) const {
    return is_short(2 * leaving / acceleration, acceleration);
}

// Bodies that rock on several contacts throw them off again and again, without any restitution.
// Hops that end with impacts that accumulate, or that stay within what counts as touching, are
// rest: those contacts stop, with what is at rest already, while what rebounds higher keeps the
// velocity that its law gives it. Whether they hold is for the forces to say. Returns the contacts
// that hopped.
std::vector<int> TransitionWork::stop_hops(TouchingProblem& together, int touching,
                                           double acceleration, bool ending) const {
    ContactProblem& problem = together.problem;
    const ImpactRows rows = impact_rows(*together.all, static_cast<std::size_t>(touching));
    const Eigen::VectorXd leaving = problem.velocity_after(), impulse = problem.impulse();
    const double still = still_, hop = lowest_rebound(acceleration);
    std::vector<int> stopped, kept, hopping;
    bool any = false;
    for (int i = 0; i < touching; ++i) {
        const double v = leaving[i];
        const bool rests = v <= still,
                   hops = !rests && (v < hop || (ending && ends_with_the_others(v, acceleration)));
        if (hops) hopping.push_back(i);
        if (!rests && !hops) {
            if (impulse[i] > 0) kept.push_back(i);
            continue;
        }
        stopped.push_back(i);
        // If hops and slips sustain each other, a slip that would end within the tolerance of
        // touching counts as rest, too.
        const double slow = result_.mode.burst.count > 100 ? hop : still;
        if (const int slip = rows.row[3 * static_cast<std::size_t>(i) + 1];
            slip >= 0 && std::abs(leaving[slip]) <= slow) {
            stopped.push_back(slip);
            any = any || std::abs(leaving[slip]) > still;
        }
    }
    if (any || !hopping.empty()) bring_to_rest(problem, stopped, kept);
    return hopping;
}

// The impacts that follow this one, where they come to an end. Not of many contacts, which is long
// work, nor of one alone without friction and its restitution is a number: its end has a formula.
std::optional<ImpactLimit> TransitionWork::limit_after(const TouchingProblem& together,
                                                       const std::vector<Touching>& touching,
                                                       const Eigen::VectorXd& restitution,
                                                       const Eigen::VectorXd& free) const {
    constexpr std::size_t max_contacts = 6;
    const auto& first = pair_of(touching[0]);
    if (touching.size() > max_contacts ||
        (touching.size() == 1 && !first.friction && !first.restitution_depends_on_speed()))
        return std::nullopt;
    ImpactSystem system = impact_system(together, touching, restitution);
    follow_speeds(system, touching, restitution);
    const auto [row, scale] = impact_rows(*together.all, touching.size());
    Eigen::VectorXd acceleration = Eigen::VectorXd::Zero(system.velocity.size()),
                    gap(static_cast<int>(touching.size()));
    for (std::size_t k = 0; k < row.size(); ++k) {
        if (row[k] < 0) continue;
        system.velocity[static_cast<int>(k)] = together.problem.velocity_after()[row[k]] / scale[k];
        acceleration[static_cast<int>(k)] = free[row[k]] / scale[k];
    }
    for (std::size_t i = 0; i < touching.size(); ++i) {
        const double open = touching[i].point.touch.gap;
        gap[static_cast<int>(i)] = open > world_.touching ? open : 0;
    }
    return impact_limit(system, acceleration, gap,
                        world_.impacts == ContactProblem::Impacts::sequential);
}

// When the impacts of a contact that rebounds end, and how many there are. Without a limit those of
// a single contact: with ratio e they end after 2 v / (a (1 - e)).
TransitionWork::Accumulation TransitionWork::end_of(const std::optional<ImpactLimit>& limit, int i,
                                                    double rebound, double falls,
                                                    double restitution) const {
    if (const auto k = static_cast<std::size_t>(i); limit && limit->rest[k] > 0)
        return {result_.state.t + limit->rest[k], limit->impacts[k]};
    return {result_.state.t + 2 * rebound / (falls * (1 - restitution)),
            static_cast<int>(std::ceil(std::log(tolerance::last_impact * falls / rebound) /
                                       std::log(restitution)))};
}

// What n contacts fall back with after the blow: those that do not rebound hold meanwhile. `free`:
// the accelerations of all rows where nothing holds. False where the forces are not known.
bool TransitionWork::fall_back(ContactProblem& problem, const State& after, int n,
                               Eigen::VectorXd& free, Eigen::VectorXd& falls) const {
    const Eigen::VectorXd rebound = problem.velocity_after();
    std::vector<int> staying;
    for (int i = 0; i < n; ++i)
        if (!(rebound[i] > still_)) staying.push_back(i);
    const bool known = problem.find_free(after);
    free = problem.acceleration();
    if (known) problem.press(staying, false);
    falls = -problem.acceleration().head(n);
    return known;
}

// Of a contact; where no normal is, there is none along it.
double TransitionWork::largest_acceleration(const std::vector<Touching>& touching,
                                            const Eigen::VectorXd& free,
                                            const Eigen::VectorXd& falls) const {
    double largest = 0;
    for (std::size_t k = 0; k < touching.size(); ++k)
        if (const int i = static_cast<int>(k); !is_infirm(touching[k].point))
            largest = std::max({largest, std::abs(free[i]), std::abs(falls[i])});
    return largest;
}

// Rebounds below the capture speed, hops so low that they cannot be distinguished from rest and
// impacts that accumulate are taken as plastic; `forming` is then the time at which they end,
// `acceleration` the largest acceleration of a contact.
std::vector<std::optional<EventFact>> TransitionWork::capture(
    TouchingProblem& together, const std::vector<Touching>& touching,
    const std::optional<Accumulation>& ending, Eigen::VectorXd& restitution, double& acceleration,
    std::vector<double>& forming) {
    ContactProblem& problem = together.problem;
    const int n = static_cast<int>(touching.size());
    const Eigen::VectorXd rebound = problem.velocity_after();
    State after = result_.state;
    problem.apply(after, {});
    Eigen::VectorXd free, falls;
    const bool falls_freely = fall_back(problem, after, n, free, falls);
    const Eigen::VectorXd given = restitution;
    acceleration = largest_acceleration(touching, free, falls);
    std::optional<ImpactLimit> limit;
    bool is_known = false;
    std::vector<std::optional<EventFact>> stays(touching.size());
    for (int i = 0; i < n; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const auto& pair = pair_of(touching[k]);
        std::optional<EventFact>& why = stays[k];
        const bool low = restitution[i] > 0 && restitution[i] < 1 && falls[i] > 0 &&
                         rebound[i] * rebound[i] < 2 * falls[i] * lowest_hop();
        const bool open = ending && is_open(touching[k]);
        if (is_infirm(touching[k].point) || (!(rebound[i] > still_) && !open)) continue;
        const bool ends = ending && ends_with_the_others(std::abs(rebound[i]), acceleration);
        const double left =
            ends ? ending->t - after.t : 2 * rebound[i] / (falls[i] * (1 - given[i]));
        if (!open && !pair.capture && (low || ends) && rebound[i] >= lowest_rebound(acceleration) &&
            is_struck_in(left, touching, k, after))
            continue;
        if (restitution[i] > 0 && pair.capture && rebound[i] < *pair.capture)
            why = Cause::below_capture_speed;
        else if (!pair.capture && (ends || low)) {
            if (!std::exchange(is_known, true) && falls_freely)
                limit = limit_after(together, touching, given, free);
            const bool has_limit = limit && limit->rest[k] > 0;
            if (!has_limit && ending && (!ending->settled || (open && limit))) continue;
            // If the restitution is 1 at zero speed, the hops never end; here they can no longer be
            // distinguished from rest.
            if (!ends && !has_limit && pair.restitution_depends_on_speed()) {
                why = Cause::hop_brought_to_rest;
                restitution[i] = 0;
                continue;
            }
            const Accumulation end = ends && !has_limit
                                         ? *ending
                                         : end_of(limit, i, rebound[i], falls[i], restitution[i]);
            why = fact::Accumulation{std::max(1, end.skipped), end.t};
            forming[k] = end.t;
        } else if (restitution[i] > 0 && (ends || rebound[i] < lowest_rebound(acceleration))) {
            // The impact is solved once more without a rebound, so that friction is consistent with
            // the impulse.
            why = Cause::hop_brought_to_rest;
            if (ending) forming[k] = ending->t;
        }
        if (why) restitution[i] = 0;
    }
    return stays;
}

}  // namespace pawl
