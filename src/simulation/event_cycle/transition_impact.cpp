// Impacts in a transition: the laws of the contacts that touch, with friction and rolling.
#include <algorithm>
#include <cmath>
#include <utility>

#include "math/seeded_fault.h"
#include "math/tolerances/motion.h"
#include "results/text.h"
#include "simulation/event_cycle/transition_work.h"
#include "simulation/placement/contact_mode.h"

namespace pawl {

namespace {

fact::FrictionImpulse friction_impulse(const ImpactResult& result,
                                       const ContactFriction<double>& friction) {
    using Slip = fact::FrictionImpulse::Slip;
    const bool stops = !result.phases.empty() && result.phases.back().slip == 0;
    return {result.impulse[tangent_row], friction.rolling > 0 ? result.impulse[rolling_row] : 0,
            result.reversal(tangent_row) ? Slip::reverses
            : stops                      ? Slip::stops
                                         : Slip::goes_on,
            result.outcome == ImpactOutcome::wedged};
}

// Impulses of three per touching contact back to the rows of the problem.
void set_impulses(ContactProblem& problem, const ImpactRows& rows, const Eigen::VectorXd& impulse,
                  const Eigen::VectorXd& work) {
    Eigen::VectorXd along = Eigen::VectorXd::Zero(problem.velocity().size()), done = along;
    for (std::size_t i = 0; i < rows.row.size(); ++i) {
        if (rows.row[i] < 0) continue;
        along[rows.row[i]] = impulse[static_cast<int>(i)] / rows.scale[i];
        done[rows.row[i]] = work[static_cast<int>(i)];
    }
    problem.set_impulses(along, done);
}

// Work of friction and rolling in the impact of a touching contact.
double friction_work_of(const ContactProblem& problem, const ImpactRows& rows, int touching) {
    double work = 0;
    for (const int k : {3 * touching + 1, 3 * touching + 2})
        if (const int row = rows.row[static_cast<std::size_t>(k)]; row >= 0)
            work += problem.impulse_work()[row];
    return work;
}

}  // namespace

// Rows of three per touching contact, from those of the problem; missing ones do not yield.
ImpactSystem TransitionWork::impact_system(const TouchingProblem& together,
                                           const std::vector<Touching>& touching,
                                           const Eigen::VectorXd& restitution) const {
    const ContactProblem& problem = together.problem;
    const int n = static_cast<int>(touching.size());
    const auto [row, scale] = impact_rows(*together.all, touching.size());
    ImpactSystem system;
    system.still = still_;
    system.response = Eigen::MatrixXd::Zero(3 * n, 3 * n);
    system.velocity = Eigen::VectorXd::Zero(3 * n);
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i] < 0) continue;
        system.velocity[static_cast<int>(i)] = problem.velocity()[row[i]] / scale[i];
        for (std::size_t j = 0; j < row.size(); ++j)
            if (row[j] >= 0)
                system.response(static_cast<int>(i), static_cast<int>(j)) =
                    problem.response()(row[i], row[j]) / (scale[i] * scale[j]);
    }
    for (int i = 0; i < n; ++i) {
        const auto& pair = pair_of(touching[static_cast<std::size_t>(i)]);
        ImpactLaw& law = system.laws.emplace_back();
        law.restitution_law = pair.impact;
        law.friction_rule = pair.friction_rule;
        law.rolling_rule = pair.rolling_rule;
        law.restitution = restitution[i];
        law.tangential_restitution = pair.tangential_restitution;
        if (!pair.friction) continue;
        // During the impact the coefficient stays that of the slip before it.
        law.friction = pair.friction->kinetic_law
                           ? pair.friction->sliding(std::abs(system.velocity[3 * i + 1]))
                           : pair.friction->kinetic;
        law.static_friction = std::max(law.friction, pair.friction->holding());
        law.rolling = pair.friction->rolling;
        if (seeded(Fault::impact_friction_coefficient)) law.friction = law.static_friction *= 1.1;
    }
    return system;
}

// Contacts whose restitution depends on the speed of approach get a new value at each blow, except
// those that are taken as plastic.
void TransitionWork::follow_speeds(ImpactSystem& system, const std::vector<Touching>& touching,
                                   const Eigen::VectorXd& restitution) const {
    for (std::size_t i = 0; i < touching.size(); ++i) {
        const auto& pair = pair_of(touching[i]);
        if (!pair.restitution_depends_on_speed()) continue;
        const double approach = std::max(0.0, -system.velocity[3 * static_cast<int>(i)]);
        if (restitution[static_cast<int>(i)] == 0 && pair.restitution_at(approach) > 0) continue;
        system.laws[i].restitution_at = [&pair](double v) { return pair.restitution_at(v); };
    }
}

// Newton's law without friction; the restitutions are reduced where they would add energy.
void TransitionWork::find_plain_impulses(ContactProblem& problem,
                                         const Eigen::VectorXd& restitution, Struck& struck) const {
    double part = 1;
    const auto strikes = [&](double with) {
        return problem.find_impulses(with * restitution, world_.impacts, still_) ==
               ComplementarityOutcome::solved;
    };
    struck.solved = strikes(part);
    if (struck.solved && restitution.size() > 1 && restitution.maxCoeff() <= 1 &&
        adds_energy(problem.impulse_work())) {
        part = largest_part(
            [&](double with) { return strikes(with) && !adds_energy(problem.impulse_work()); });
        struck.solved = strikes(part);
    }
    struck.order.part_of_restitution = part;
    if (world_.impacts == ContactProblem::Impacts::sequential) struck.order.blows = problem.blows();
}

// All at once or one after the other, as the user chose or the laws need.
ImpactSystemResult TransitionWork::solve_impacts(const ImpactSystem& system,
                                                 fact::ImpactOrder& order) const {
    using Order = fact::ImpactOrder::Order;
    bool sequential = world_.impacts == ContactProblem::Impacts::sequential;
    order.order = sequential ? Order::sequential : Order::simultaneous;
    ImpactSystemResult result;
    if (system.laws.size() > 1 && !sequential) {
        result = solve_simultaneous(system);
        sequential = result.outcome != ImpactOutcome::solved;
        order.part_of_restitution = result.part_of_restitution;
        if (result.outcome == ImpactOutcome::refused)
            order = {Order::sequential_by_law, 1};
        else if (sequential)
            order = {Order::sequential_by_need, 1};
    }
    if (system.laws.size() == 1 || sequential) {
        result = solve_sequential(system);
        order.blows = result.blows;
    }
    return result;
}

TransitionWork::Struck TransitionWork::find_impulses(TouchingProblem& together,
                                                     const std::vector<Touching>& touching,
                                                     const Eigen::VectorXd& restitution) {
    ContactProblem& problem = together.problem;
    Struck struck;
    struck.friction.resize(touching.size());
    const bool sequential = world_.impacts == ContactProblem::Impacts::sequential;
    // In a sequence each blow may have a restitution of its own.
    const auto is_plain = [&](const Touching& x) {
        return !pair_of(x).friction && pair_of(x).impact == RestitutionLaw::newton &&
               !(sequential && pair_of(x).restitution_depends_on_speed());
    };
    if (std::all_of(touching.begin(), touching.end(), is_plain)) {
        using Order = fact::ImpactOrder::Order;
        struck.order.order = sequential ? Order::sequential : Order::simultaneous;
        find_plain_impulses(problem, restitution, struck);
        return struck;
    }
    ImpactSystem system = impact_system(together, touching, restitution);
    follow_speeds(system, touching, restitution);
    const ImpactSystemResult result = solve_impacts(system, struck.order);
    if (result.outcome != ImpactOutcome::solved && result.outcome != ImpactOutcome::wedged)
        return struck;
    struck.solved = true;
    set_impulses(problem, impact_rows(*together.all, touching.size()), result.impulse, result.work);
    for (std::size_t i = 0; i < touching.size(); ++i) {
        const auto& friction = pair_of(touching[i]).friction;
        if (!friction) continue;
        if (result.sequence.size() == 1 && result.sequence[0].contact == static_cast<int>(i))
            struck.friction[i] = friction_impulse(result.sequence[0].result, *friction);
        else
            struck.friction[i] =
                fact::FrictionImpulse{.impulse = result.impulse[static_cast<int>(3 * i + 1)]};
    }
    return struck;
}

// The impulses of a very short time, all at once with e = 0: so short that no slip changes by more
// than a part of it, and no shorter, since rounding of the largest would hide what happens. What
// leaves takes no part.
TransitionWork::ShortTime TransitionWork::short_time(const TouchingProblem& together,
                                                     const std::vector<Touching>& touching,
                                                     const std::vector<int>& at_rest,
                                                     double part) const {
    const ImpactSystem whole =
        impact_system(together, touching, Eigen::VectorXd::Zero(static_cast<int>(touching.size())));
    const auto [row, scale] = impact_rows(*together.all, touching.size());
    ImpactSystem system;
    std::vector<int> rows;
    for (const int i : at_rest) {
        rows.insert(rows.end(), {3 * i, 3 * i + 1, 3 * i + 2});
        system.laws.push_back(whole.laws[static_cast<std::size_t>(i)]);
        system.laws.back().restitution_law = RestitutionLaw::newton;
    }
    system.response = whole.response(rows, rows);
    system.velocity = whole.velocity(rows);
    Eigen::VectorXd acceleration = Eigen::VectorXd::Zero(system.velocity.size());
    for (std::size_t k = 0; k < rows.size(); ++k)
        if (const auto own = static_cast<std::size_t>(rows[k]); row[own] >= 0)
            acceleration[static_cast<int>(k)] =
                together.problem.acceleration()[row[own]] / scale[own];
    double slip = 0, slowest = INFINITY, fastest = tolerance::no_division;
    for (int k = 0; k < static_cast<int>(rows.size()); k += 3) {
        const double own = std::abs(system.velocity[k + 1]);
        slip = std::max(slip, own);
        if (own > still_) slowest = std::min(slowest, own);
        fastest = std::max(fastest, acceleration.segment<2>(k).lpNorm<Eigen::Infinity>());
    }
    const double change = std::isfinite(slowest) ? part * slowest : tolerance::slip_change * slip;
    for (int k = 0; k < static_cast<int>(rows.size()); k += 3) {
        system.velocity[k] = 0;
        system.velocity.segment<2>(k) += change / fastest * acceleration.segment<2>(k);
    }
    const ImpactSystemResult found = solve_simultaneous(system);
    ShortTime result;
    result.outcome = found.outcome;
    result.impulse = Eigen::VectorXd::Zero(whole.velocity.size());
    result.impulse(rows) = found.impulse;
    result.velocity = whole.velocity + whole.response * result.impulse;
    // For the actual velocities, without the contribution of the short time.
    result.work = 0.5 * result.impulse.cwiseProduct(whole.velocity + result.velocity);
    result.velocity(rows) = found.velocity;
    result.jumps = (found.velocity - system.velocity).lpNorm<Eigen::Infinity>() > 1e2 * change;
    result.rest = tolerance::slip_change_rest * change;
    return result;
}

// Sliding on has no solution: an impact without collision ends it.
bool TransitionWork::impact_without_collision(TouchingProblem& together,
                                              const std::vector<Touching>& touching,
                                              const std::vector<int>& at_rest) {
    for (const Touching& x : touching)
        if (!pair_of(x).tangential_impact) return false;
    ImpactSystemResult result;
    std::optional<fact::FrictionImpulse> friction;
    if (touching.size() == 1 && pair_of(touching[0]).friction) {
        const ImpactSystem system =
            impact_system(together, touching,
                          Eigen::VectorXd::Constant(1, pair_of(touching[0]).restitution_at(0)));
        const ImpactResult alone =
            tangential_impact(system.response, system.velocity, system.laws[0]);
        result.outcome = alone.outcome;
        result.impulse = alone.impulse;
        result.velocity = alone.velocity;
        result.work = alone.work;
        friction = friction_impulse(alone, *pair_of(touching[0]).friction);
    } else {
        constexpr double shorter = tolerance::shorter_change;
        const ShortTime all = short_time(together, touching, at_rest);
        if (!all.jumps) return false;
        // A jump does not decrease with the time step, whereas a shorter step reduces everything
        // else.
        const ShortTime sharp = short_time(together, touching, at_rest, shorter);
        result = sharp.jumps && sharp.outcome == ImpactOutcome::solved ? sharp : all;
    }
    if (result.outcome != ImpactOutcome::solved && result.outcome != ImpactOutcome::wedged)
        return false;
    set_impulses(together.problem, impact_rows(*together.all, touching.size()), result.impulse,
                 result.work);
    const std::vector<double> before = result_.state.v;
    const std::size_t first = result_.events.size();
    together.problem.apply(result_.state, driver_work());
    auto& z = result_.state.z;
    for (std::size_t i = 0; i < touching.size(); ++i) {
        const auto row = static_cast<int>(3 * i);
        const auto pair = static_cast<std::size_t>(touching[i].point.pair);
        if (!(result.impulse[row] > 0)) continue;
        const double normal = result.work[row],
                     rubbed = result.work[row + 1] + result.work[row + 2];
        z[world_.layout.contacts + pair] += normal;
        if (const int ledger = world_.layout.friction_of_contact[pair]; ledger >= 0)
            z[static_cast<std::size_t>(ledger)] += rubbed;
        Event e;
        e.from = "closed";
        e.to = elements_text(world_.mechanism, touching[i].point);
        e.normal_velocity_after = result.velocity[row];
        e.impulse = result.impulse[row];
        e.energy_change = normal + rubbed;
        e.facts = {Cause::sliding_has_no_solution};
        if (friction) e.facts.push_back(*friction);
        note(EventKind::impact, touching[i].point, e);
    }
    note_joint_impulses(together, touching.size(), before, first);
    return true;
}

// The impulses of the problem are known; what the joints gave goes with the first event of it.
void TransitionWork::note_joint_impulses(TouchingProblem& together, std::size_t touching,
                                         const std::vector<double>& before, std::size_t first) {
    if (!world_.impulses || result_.events.size() == first) return;
    auto& equations = *together.all->equations;
    const Eigen::VectorXd& impulse = together.problem.impulse();
    std::vector<PlanarSpace::Wrench> on_bodies(world_.mechanism.bodies.size());
    const std::size_t others = equations.contacts().size() - touching;
    for (std::size_t i = 0; i < touching; ++i)
        add_contact_force(world_.mechanism, equations.coordinates(),
                          equations.contacts()[others + i], impulse[static_cast<int>(i)],
                          on_bodies);
    std::vector<double> friction;
    for (const FrictionPoint& point : equations.friction())
        friction.push_back(impulse[static_cast<int>(touching + friction.size())] *
                           equations.row_scale(point.row));
    equations.add_friction_wrenches(friction, on_bodies);
    std::vector<double> jump = result_.state.v;
    for (std::size_t c = 0; c < jump.size(); ++c) jump[c] -= before[c];
    if (auto found = world_.impulses->find(equations, result_.state, jump, on_bodies,
                                           result_.mode.permanent))
        result_.events[first].facts.emplace_back(std::move(*found));
}

bool TransitionWork::strike(TouchingProblem& together, const std::vector<Touching>& touching,
                            const std::optional<Accumulation>& ending,
                            std::vector<double>& forming) {
    ContactProblem& problem = together.problem;
    const int n = static_cast<int>(touching.size());
    const Eigen::VectorXd arriving = problem.velocity();
    Eigen::VectorXd restitution(n);
    for (int i = 0; i < n; ++i)
        restitution[i] = pair_of(touching[static_cast<std::size_t>(i)])
                             .restitution_at(std::max(0.0, -arriving[i]));
    if (seeded(Fault::restitution)) restitution *= 0.99;
    const bool some_open = ending && any_open(touching);
    Struck struck = some_open ? strike_now(together, touching, restitution)
                              : find_impulses(together, touching, restitution);
    if (!struck.solved) return false;
    const Eigen::VectorXd rebound = problem.velocity_after();
    Captured captured = capture(together, touching, ending, restitution, forming);
    auto& stays = captured.stays;
    bool captures = false, leaves = false;
    for (int i = 0; i < n; ++i) {
        const bool closes = stays[static_cast<std::size_t>(i)].has_value();
        captures = captures || closes;
        leaves = leaves || (!closes && rebound[i] > still_ && problem.impulse()[i] > 0);
    }
    if (!captures && some_open) return !(ends_apart_ = true);
    if (captures && !(leaves && close_beside_others(problem, stays))) {
        struck = find_impulses(together, touching, restitution);
        if (!struck.solved) return false;
    }
    const bool ends =
        ending && (captures || (ending->settled && !some_open && !captured.awaits_others));
    const std::vector<int> hopping = stop_hops(together, n, captured.acceleration, ends);
    if (ends || (ending && !hopping.empty())) {
        result_.mode.impacts.clear();
        for (const int i : hopping)
            if (double& t = forming[static_cast<std::size_t>(i)]; t == result_.state.t)
                t = ending->t;
    }
    for (const int i : hopping)
        if (auto& why = stays[static_cast<std::size_t>(i)]; !why) why = Cause::hop_brought_to_rest;
    const std::vector<double> before = result_.state.v;
    const std::size_t first = result_.events.size();
    problem.apply(result_.state, driver_work());
    record_impact(together, touching, arriving, rebound, stays, struck);
    note_joint_impulses(together, touching.size(), before, first);
    return true;
}

// The work of an impact in the ledger, and its event.
void TransitionWork::record_impact(TouchingProblem& together, const std::vector<Touching>& touching,
                                   const Eigen::VectorXd& arriving, const Eigen::VectorXd& rebound,
                                   const std::vector<std::optional<EventFact>>& ending,
                                   const Struck& struck) {
    const ContactProblem& problem = together.problem;
    const double largest = problem.impulse().head(static_cast<int>(touching.size())).maxCoeff();
    const ImpactRows rows = impact_rows(*together.all, touching.size());
    for (std::size_t k = 0; k < touching.size(); ++k) {
        const int i = static_cast<int>(k);
        const double p = problem.impulse()[i], work = problem.impulse_work()[i];
        const Point& point = touching[k].point;
        const auto pair = static_cast<std::size_t>(point.pair);
        if (!seeded(Fault::impact_work_dropped))
            result_.state.z[world_.layout.contacts + pair] += work;
        // The work of the friction is booked with the friction, but belongs to the impact.
        const double rubbed = friction_work_of(problem, rows, i);
        if (rubbed != 0)
            result_.state.z[static_cast<std::size_t>(world_.layout.friction_of_contact[pair])] +=
                rubbed;
        if (!(p > tolerance::struck * largest) && !ending[k]) continue;
        Event e;
        e.from = touching[k].was < 0 ? "open" : "closed";
        e.to = elements_text(world_.mechanism, point);
        e.normal_velocity_before = arriving[i];
        e.normal_velocity_after = rebound[i];
        e.impulse = p;
        e.energy_change = work + rubbed;
        e.facts = {touching[k].was < 0 ? Cause::gap_closes : Cause::struck_through_others};
        if (ending[k]) e.facts.push_back(*ending[k]);
        if (struck.friction[k]) e.facts.push_back(*struck.friction[k]);
        if (touching.size() > 1) e.facts.push_back(struck.order);
        note(EventKind::impact, point, e);
    }
}

}  // namespace pawl
