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

// Contacts whose hops are left out close while others, which have been struck with them, leave. The
// hops are a matter of these contacts alone: what they take back brings them to rest, and what
// leaves feels it through its bodies only. False where friction acts, which has to fit the
// impulses: it is struck with them.
bool TransitionWork::close_beside_others(ContactProblem& problem,
                                         const std::vector<std::optional<EventFact>>& stays) const {
    const int n = static_cast<int>(stays.size()),
              rubbing = static_cast<int>(problem.velocity().size()) - n;
    if (rubbing > 0 && problem.response().diagonal().tail(rubbing).maxCoeff() > 0) return false;
    std::vector<int> closing;
    for (std::size_t k = 0; k < stays.size(); ++k)
        if (const int i = static_cast<int>(k); stays[k] || !(problem.velocity_after()[i] > still_))
            closing.push_back(i);
    bring_to_rest(problem, closing, {});
    return true;
}

// The impacts of some contacts that follow this one, where they come to an end. Not of many
// contacts, which is long work, nor of one alone without friction and its restitution is a number:
// its end has a formula.
std::optional<ImpactLimit> TransitionWork::limit_after(const TouchingProblem& together,
                                                       const std::vector<Touching>& touching,
                                                       const std::vector<int>& concerned,
                                                       const Eigen::VectorXd& restitution,
                                                       const Eigen::VectorXd& free) const {
    constexpr std::size_t max_contacts = 6;
    const auto& first = pair_of(touching[0]);
    if (concerned.size() > max_contacts ||
        (touching.size() == 1 && !first.friction && !first.restitution_depends_on_speed()))
        return std::nullopt;
    ImpactSystem system = impact_system(together, touching, restitution);
    follow_speeds(system, touching, restitution);
    const auto [row, scale] = impact_rows(*together.all, touching.size());
    Eigen::VectorXd acceleration = Eigen::VectorXd::Zero(system.velocity.size());
    for (std::size_t k = 0; k < row.size(); ++k) {
        if (row[k] < 0) continue;
        system.velocity[static_cast<int>(k)] = together.problem.velocity_after()[row[k]] / scale[k];
        acceleration[static_cast<int>(k)] = free[row[k]] / scale[k];
    }
    Eigen::VectorXd gap(static_cast<int>(concerned.size()));
    std::vector<int> rows;
    for (std::size_t k = 0; k < concerned.size(); ++k) {
        const int i = concerned[k];
        const double open = touching[static_cast<std::size_t>(i)].point.touch.gap;
        gap[static_cast<int>(k)] = open > world_.touching ? open : 0;
        rows.insert(rows.end(), {3 * i, 3 * i + 1, 3 * i + 2});
    }
    const auto found = impact_limit(part_of(system, system.velocity, concerned), acceleration(rows),
                                    gap, world_.impacts == ContactProblem::Impacts::sequential);
    if (!found) return std::nullopt;
    ImpactLimit limit;
    limit.rest.assign(touching.size(), 0);
    limit.impacts.assign(touching.size(), 0);
    for (std::size_t k = 0; k < concerned.size(); ++k) {
        limit.rest[static_cast<std::size_t>(concerned[k])] = found->rest[k];
        limit.impacts[static_cast<std::size_t>(concerned[k])] = found->impacts[k];
    }
    return limit;
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

// Which hops are so low that they cannot be distinguished from rest. What does not rebound holds
// meanwhile, and so does what hops so low: others may fall on it.
bool TransitionWork::find_low_hops(ContactProblem& problem, const State& after,
                                   const std::vector<Touching>& touching,
                                   const Eigen::VectorXd& restitution, Hops& hops) const {
    const int n = static_cast<int>(restitution.size());
    const Eigen::VectorXd rebound = problem.velocity_after();
    hops.low.assign(static_cast<std::size_t>(n), 0);
    hops.falls = Eigen::VectorXd::Zero(n);
    for (;;) {
        std::vector<int> staying;
        for (int i = 0; i < n; ++i)
            if (!(rebound[i] > still_) || hops.low[static_cast<std::size_t>(i)])
                staying.push_back(i);
        const bool known = problem.find_free(after);
        hops.free = problem.acceleration();
        if (known) problem.press(staying, false);
        bool more = false;
        for (int i = 0; i < n; ++i) {
            char& low = hops.low[static_cast<std::size_t>(i)];
            if (low) continue;
            const double falls = hops.falls[i] = -problem.acceleration()[i];
            low = !is_infirm(touching[static_cast<std::size_t>(i)].point) && rebound[i] > still_ &&
                  restitution[i] > 0 && restitution[i] < 1 && falls > 0 &&
                  rebound[i] * rebound[i] < 2 * falls * lowest_hop();
            more = more || low;
        }
        if (!known || !more) return known;
    }
}

// The limit of what hops no higher than is left out, with what stays closed.
std::optional<ImpactLimit> TransitionWork::limit_of(const Hops& hops,
                                                    const std::vector<char>& accumulates,
                                                    const TouchingProblem& together,
                                                    const std::vector<Touching>& touching,
                                                    const Eigen::VectorXd& restitution) const {
    std::vector<int> concerned;
    for (std::size_t k = 0; k < touching.size(); ++k)
        if (const int i = static_cast<int>(k); !(together.problem.velocity_after()[i] > still_) ||
                                               hops.low[k] || hops.ends[k] || accumulates[k] ||
                                               is_open(touching[k]))
            concerned.push_back(i);
    return limit_after(together, touching, concerned, restitution, hops.free);
}

TransitionWork::Hops TransitionWork::hops_after(TouchingProblem& together, const State& after,
                                                const std::vector<Touching>& touching,
                                                const Eigen::VectorXd& restitution,
                                                const std::optional<Accumulation>& ending) const {
    const int n = static_cast<int>(touching.size());
    const Eigen::VectorXd rebound = together.problem.velocity_after();
    Hops hops;
    const bool known = find_low_hops(together.problem, after, touching, restitution, hops);
    hops.acceleration = largest_acceleration(touching, hops.free, hops.falls);
    std::vector<char> accumulates;  // has a part in the impacts that end
    bool any = ending.has_value();
    for (int i = 0; i < n; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const bool struck = is_open(touching[k]) || together.problem.velocity()[i] < -still_;
        hops.ends.push_back(ending &&
                            ends_with_the_others(std::abs(rebound[i]), hops.acceleration));
        accumulates.push_back(ending && ending->settled && struck);
        any = any || hops.low[k];
    }
    if (known && any) hops.limit = limit_of(hops, accumulates, together, touching, restitution);
    const auto& limit = hops.limit;
    // The times of impacts and their limit are two estimates of the same end.
    const double left = ending ? ending->t - after.t : 0;
    for (std::size_t k = 0; k < touching.size(); ++k)
        if (accumulates[k] && limit && limit->rest[k] > 0 && limit->rest[k] < 2 * left)
            hops.ends[k] = 1;
    if (ending && ending->settled)
        hops.left = left;
    else if (ending && limit)
        hops.left = *std::max_element(limit->rest.begin(), limit->rest.end());
    return hops;
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
// impacts that accumulate are taken as plastic; `forming` is then the time at which they end.
TransitionWork::Captured TransitionWork::capture(TouchingProblem& together,
                                                 const std::vector<Touching>& touching,
                                                 const std::optional<Accumulation>& ending,
                                                 Eigen::VectorXd& restitution,
                                                 std::vector<double>& forming) {
    const Eigen::VectorXd rebound = together.problem.velocity_after(), given = restitution;
    State after = result_.state;
    together.problem.apply(after, {});
    const Hops hops = hops_after(together, after, touching, given, ending);
    const auto& limit = hops.limit;
    const auto is_struck = [&](double speed, double left) {
        return left > 0 && speed >= lowest_rebound(hops.acceleration) &&
               is_struck_in(left, touching, after);
    };
    const bool others_first =
        is_struck(rebound.head(static_cast<int>(touching.size())).maxCoeff(), hops.left);
    Captured captured{std::vector<std::optional<EventFact>>(touching.size()), hops.acceleration};
    for (int i = 0; i < static_cast<int>(touching.size()); ++i) {
        const auto k = static_cast<std::size_t>(i);
        const auto& pair = pair_of(touching[k]);
        std::optional<EventFact>& why = captured.stays[k];
        const bool low = hops.low[k], open = ending && is_open(touching[k]);
        if (is_infirm(touching[k].point) || (!(rebound[i] > still_) && !open)) continue;
        const bool ends = hops.ends[k];
        if (!pair.capture && (low || ends) &&
            (ending ? others_first
                    : is_struck(rebound[i], 2 * rebound[i] / (hops.falls[i] * (1 - given[i]))))) {
            captured.awaits_others = true;
            continue;
        }
        if (restitution[i] > 0 && pair.capture && rebound[i] < *pair.capture)
            why = Cause::below_capture_speed;
        else if (!pair.capture && (ends || low)) {
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
                                         : end_of(limit, i, rebound[i], hops.falls[i], given[i]);
            why = fact::Accumulation{std::max(1, end.skipped), end.t};
            forming[k] = end.t;
        } else if (restitution[i] > 0 && (ends || rebound[i] < lowest_rebound(hops.acceleration))) {
            // Struck once more without a rebound, so that friction fits the impulse.
            why = Cause::hop_brought_to_rest;
            if (ending) forming[k] = ending->t;
        }
        if (why) restitution[i] = 0;
    }
    return captured;
}

}  // namespace pawl
