// Impacts in the event cycle: the laws of the contacts that touch, with friction and rolling.
#include <algorithm>
#include <cmath>

#include "math/seeded_fault.h"
#include "math/tolerances.h"
#include "simulation/contact_cycle.h"
#include "simulation/contact_mode.h"
#include "simulation/text.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Point = ContactPoint<Space>;

std::string phases_text(const ImpactResult& result, const ContactFriction<double>& friction) {
    std::string text = "; friction impulse " + number_text(result.impulse[tangent_row], 7) + " N s";
    if (result.reversal(tangent_row))
        text += ", the slip reverses";
    else if (!result.phases.empty() && result.phases.back().slip == 0)
        text += ", the slip stops";
    if (friction.rolling > 0)
        text += "; rolling impulse " + number_text(result.impulse[rolling_row], 7) + " N m s";
    if (result.outcome == ImpactOutcome::wedged) text += "; wedged";
    return text;
}

}  // namespace

ContactCycle::ImpactRows ContactCycle::impact_rows(DynamicSystem& all, std::size_t touching) {
    const int n = static_cast<int>(touching);
    const int first = static_cast<int>(all.equations->contacts().size()) - n;
    ImpactRows rows{std::vector<int>(3 * touching, -1), std::vector<double>(3 * touching, 1.0)};
    for (std::size_t i = 0; i < touching; ++i) rows.row[3 * i] = static_cast<int>(i);
    for (std::size_t k = 0; k < all.equations->friction().size(); ++k) {
        const FrictionMode& mode = all.equations->friction_modes()[k];
        const int contact = mode.contact - first;
        if (mode.contact < 0 || contact < 0) continue;
        const auto place = 3 * static_cast<std::size_t>(contact) + (mode.rolling ? 2 : 1);
        rows.row[place] = n + static_cast<int>(k);
        rows.scale[place] = all.equations->row_scale(all.equations->friction()[k].row);
    }
    return rows;
}

// Rows of three per touching contact, from those of the problem; missing ones do not give way.
ImpactSystem ContactCycle::impact_system(const ContactProblem& problem, DynamicSystem& all,
                                         const std::vector<Touching>& touching,
                                         const Eigen::VectorXd& restitution) const {
    const int n = static_cast<int>(touching.size());
    const auto [row, scale] = impact_rows(all, touching.size());
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
        const auto& pair = pair_of(touching[static_cast<std::size_t>(i)].point);
        ImpactLaw& law = system.laws.emplace_back();
        law.restitution_law = pair.impact;
        law.friction_rule = pair.friction_rule;
        law.rolling_rule = pair.rolling_rule;
        law.restitution = restitution[i];
        law.tangential_restitution = pair.tangential_restitution;
        if (!pair.friction) continue;
        law.friction = pair.friction->kinetic;
        law.static_friction = pair.friction->holding();
        law.rolling = pair.friction->rolling;
        if (seeded(Fault::impact_friction_coefficient)) law.friction = law.static_friction *= 1.1;
    }
    return system;
}

// Impulses of three per touching contact back to the rows of the problem.
void ContactCycle::set_impulses(ContactProblem& problem, const ImpactRows& rows,
                                const Eigen::VectorXd& impulse, const Eigen::VectorXd& work) {
    Eigen::VectorXd along = Eigen::VectorXd::Zero(problem.velocity().size()), done = along;
    for (std::size_t i = 0; i < rows.row.size(); ++i) {
        if (rows.row[i] < 0) continue;
        along[rows.row[i]] = impulse[static_cast<int>(i)] / rows.scale[i];
        done[rows.row[i]] = work[static_cast<int>(i)];
    }
    problem.set_impulses(along, done);
}

double ContactCycle::friction_work_of(const ContactProblem& problem, const ImpactRows& rows,
                                      int touching) {
    double work = 0;
    for (const int k : {3 * touching + 1, 3 * touching + 2})
        if (const int row = rows.row[static_cast<std::size_t>(k)]; row >= 0)
            work += problem.impulse_work()[row];
    return work;
}

bool ContactCycle::find_impulses(ContactProblem& problem, DynamicSystem& all,
                                 const std::vector<Touching>& touching,
                                 const Eigen::VectorXd& restitution) {
    impact_texts_.assign(touching.size(), "");
    bool sequential = impacts_ == ContactProblem::Impacts::sequential;
    order_ = sequential ? "sequential" : "simultaneous";
    const auto is_plain = [&](const Touching& x) {
        const auto& pair = pair_of(x.point);
        return !pair.friction && pair.impact == RestitutionLaw::newton;
    };
    if (std::all_of(touching.begin(), touching.end(), is_plain))
        return problem.find_impulses(restitution, impacts_, still_) ==
               ComplementarityOutcome::solved;
    const ImpactSystem system = impact_system(problem, all, touching, restitution);
    ImpactSystemResult result;
    if (touching.size() > 1 && !sequential) {
        result = solve_simultaneous(system);
        sequential = result.outcome != ImpactOutcome::solved;
        if (result.outcome == ImpactOutcome::refused)
            order_ = "sequential, for these laws have no other order";
        else if (sequential)
            order_ = "sequential, for all at once cannot rebound by their laws";
    }
    if (touching.size() == 1 || sequential) result = solve_sequential(system);
    if (result.outcome != ImpactOutcome::solved && result.outcome != ImpactOutcome::wedged)
        return false;
    set_impulses(problem, impact_rows(all, touching.size()), result.impulse, result.work);
    for (std::size_t i = 0; i < touching.size(); ++i) {
        const auto& friction = pair_of(touching[i].point).friction;
        if (!friction) continue;
        if (result.sequence.size() == 1 && result.sequence[0].contact == static_cast<int>(i))
            impact_texts_[i] = phases_text(result.sequence[0].result, *friction);
        else
            impact_texts_[i] = "; friction impulse " +
                               number_text(result.impulse[static_cast<int>(3 * i + 1)], 7) + " N s";
    }
    return true;
}

// Sliding on has no solution: where a contact may, an impact without collision ends its sliding.
bool ContactCycle::tangential_impact_of(ContactProblem& problem, DynamicSystem& all, State& state,
                                        std::span<double> driver_work,
                                        const std::vector<Touching>& touching) {
    Eigen::VectorXd restitution(static_cast<int>(touching.size()));
    for (std::size_t i = 0; i < touching.size(); ++i)
        restitution[static_cast<int>(i)] = pair_of(touching[i].point).restitution;
    const ImpactSystem system = impact_system(problem, all, touching, restitution);
    for (std::size_t i = 0; i < touching.size(); ++i) {
        const auto& pair = pair_of(touching[i].point);
        const int at = static_cast<int>(3 * i);
        if (!pair.tangential_impact || !pair.friction) continue;
        const ImpactResult result = tangential_impact(
            system.response.block<3, 3>(at, at), system.velocity.segment<3>(at), system.laws[i]);
        if (result.outcome != ImpactOutcome::solved && result.outcome != ImpactOutcome::wedged)
            continue;
        Eigen::VectorXd impulse = Eigen::VectorXd::Zero(system.velocity.size()), work = impulse;
        impulse.segment<3>(at) = result.impulse;
        work.segment<3>(at) = result.work;
        set_impulses(problem, impact_rows(all, touching.size()), impulse, work);
        problem.apply(state, driver_work);
        Event e;
        e.to = elements_text(mechanism_, touching[i].point);
        e.from = "closed";
        e.normal_velocity_after = result.velocity[normal_row];
        e.impulse = result.impulse[normal_row];
        e.energy_change = result.energy_change();
        e.detail = "without collision: sliding on has no solution (Painleve)" +
                   phases_text(result, *pair.friction);
        state.z[layout_.contacts + static_cast<std::size_t>(touching[i].point.pair)] +=
            result.work[normal_row];
        state.z[static_cast<std::size_t>(layout_.friction_of_contact[touching[i].point.pair])] +=
            result.work[tangent_row] + result.work[rolling_row];
        note(EventKind::impact, state.t, touching[i].point, e);
        return true;
    }
    return false;
}

// Intervals between the last impacts that shrink by a settled ratio r end after d r / (1 - r) more:
// the sum of what is left. They are completed at once when that is so short that nothing else moves
// in it: when the acceleration a = 2 v / d, which brings the place back with the speed v, moves it
// by less than a small part of the size. The ratio may alternate between two places; then it
// repeats every second time.
bool ContactCycle::accumulates(const ContactOccurrence& meets, const State& state) {
    strikes_.push_back(state.t);
    if (strikes_.size() > 5) strikes_.pop_front();
    if (strikes_.size() < 5) return false;
    double d[4];
    for (int i = 0; i < 4; ++i) d[i] = strikes_[i + 1] - strikes_[i];
    const double pace = std::sqrt(d[3] / d[1]), pace_before = std::sqrt(d[2] / d[0]);
    if (!(d[3] > 0) || !(pace < 0.9999) || std::abs(pace - pace_before) > 0.02 * pace) return false;
    auto& equations = *system_->equations;
    equations.set_position(state.q, state.t);
    const double speed =
        std::abs(watch_.place(equations.coordinates(), meets.point, state.v).rates.closing);
    const double left = d[3] * pace / (1 - pace);
    if (!is_short(left, 2 * speed / d[3])) return false;
    limit_ = state.t + left;
    skipped_ = static_cast<int>(std::ceil(std::log(1e-16 * (1 + state.t) / d[3]) / std::log(pace)));
    return true;
}

// Whether a time is a small part of that of a fall through the size with this acceleration.
bool ContactCycle::is_short(double time, double acceleration) const {
    return acceleration * time * time <= tolerance::accumulation * tolerance::accumulation * size_;
}

// Whether impacts that accumulate end also where a place is left with this velocity: bodies that
// fall with `pace` would close it again within as short a time.
bool ContactCycle::ends_with_the_others(double leaving, double pace) const {
    return is_short(2 * leaving / pace, pace);
}

// Bodies that rock on several contacts throw them off again and again, without any restitution.
// Hops that end with impacts that accumulate, or that stay within what counts as touching, are
// rest: those contacts stop, with what is at rest already. Whether they hold is for the forces to
// say.
bool ContactCycle::stop_hops(ContactProblem& problem, DynamicSystem& all, int touching,
                             double pace) const {
    const ImpactRows rows = impact_rows(all, static_cast<std::size_t>(touching));
    const Eigen::VectorXd& leaving = problem.velocity_after();
    std::vector<int> stopped;
    bool any = false;
    for (int i = 0; i < touching; ++i) {
        const double v = leaving[i];
        const bool rests = v <= still_,
                   hops = !rests && (v * v < 2 * pace * touching_ ||
                                     (ending_ && ends_with_the_others(v, pace)));
        any = any || hops;
        if (!rests && !hops) continue;
        stopped.push_back(i);
        // Where hops and slips keep each other going, a slip that would end within what counts as
        // touching is rest, too.
        const double slow = crowd_ > 100 ? std::sqrt(2 * pace * touching_) : still_;
        if (const int slip = rows.row[3 * static_cast<std::size_t>(i) + 1];
            slip >= 0 && std::abs(leaving[slip]) <= slow) {
            stopped.push_back(slip);
            any = any || std::abs(leaving[slip]) > still_;
        }
    }
    if (any) problem.stop(stopped);
    return any;
}

// The impact of the touching contacts. Rebounds below the capture speed, hops so low that they
// cannot be told from rest (with ratio e they end after 2 v / (a (1 - e))) and impacts that
// accumulate are taken as plastic; `forming` is then the time at which they end.
bool ContactCycle::strike(ContactProblem& problem, DynamicSystem& all, State& state,
                          std::span<double> driver_work, const std::vector<Touching>& touching,
                          double& forming) {
    const int n = static_cast<int>(touching.size());
    const Eigen::VectorXd arriving = problem.velocity();
    Eigen::VectorXd restitution(n);
    for (int i = 0; i < n; ++i) restitution[i] = pair_of(touching[i].point).restitution;
    if (seeded(Fault::restitution)) restitution *= 0.99;
    if (!find_impulses(problem, all, touching, restitution)) return false;
    const Eigen::VectorXd rebound = problem.velocity_after();
    State after = state;
    problem.apply(after, {});
    // What a rebound falls back with: those that do not rebound hold meanwhile.
    std::vector<int> staying;
    for (int i = 0; i < n; ++i)
        if (!(rebound[i] > still_)) staying.push_back(i);
    const bool falls_freely = problem.find_free(after);
    double pace = problem.acceleration().head(n).cwiseAbs().maxCoeff();
    if (falls_freely) problem.press(staying, false);
    const Eigen::VectorXd falls = -problem.acceleration().head(n);
    pace = std::max(pace, falls.cwiseAbs().maxCoeff());
    std::vector<std::string> ending(n);
    bool captured = false;
    for (int i = 0; i < n; ++i) {
        const auto& pair = pair_of(touching[i].point);
        const bool low = restitution[i] < 1 && falls[i] > 0 &&
                         rebound[i] * rebound[i] < 2 * falls[i] * tolerance::hop * size_;
        if (!(rebound[i] > still_)) continue;
        const bool ends = ending_ && ends_with_the_others(rebound[i], pace);
        if (restitution[i] > 0 && pair.capture && rebound[i] < *pair.capture)
            ending[i] = "; rebound below the capture speed: contact stays";
        else if (!pair.capture && (ends || (low && restitution[i] > 0))) {
            double limit = limit_;
            int skipped = skipped_;
            if (!ends) {
                limit = state.t + 2 * rebound[i] / (falls[i] * (1 - restitution[i]));
                skipped = static_cast<int>(
                    std::ceil(std::log(1e-16 * falls[i] / rebound[i]) / std::log(restitution[i])));
            }
            ending[i] = "; impacts accumulate: " + std::to_string(std::max(1, skipped)) +
                        " more until t = " + number_text(limit, 15) + " s";
            forming = limit;
        }
        if (ending[i].empty()) continue;
        restitution[i] = 0;
        captured = true;
    }
    if (captured && !find_impulses(problem, all, touching, restitution)) return false;
    const bool stopped = stop_hops(problem, all, n, pace);
    if (ending_) {
        strikes_.clear();
        if (stopped) forming = limit_;
    }
    problem.apply(state, driver_work);
    const double largest = problem.impulse().head(n).maxCoeff();
    const ImpactRows rows = impact_rows(all, touching.size());
    for (int i = 0; i < n; ++i) {
        const double p = problem.impulse()[i], work = problem.impulse_work()[i];
        const Point& point = touching[i].point;
        if (!seeded(Fault::impact_work_dropped))
            state.z[layout_.contacts + static_cast<std::size_t>(point.pair)] += work;
        // The work of the friction is booked with the friction, but belongs to the impact.
        const double rubbed = friction_work_of(problem, rows, i);
        if (rubbed != 0)
            state.z[static_cast<std::size_t>(layout_.friction_of_contact[point.pair])] += rubbed;
        if (!(p > 1e-9 * largest)) continue;
        Event e;
        e.from = touching[i].was < 0 ? "open" : "closed";
        e.to = elements_text(mechanism_, point);
        e.normal_velocity_before = arriving[i];
        e.normal_velocity_after = rebound[i];
        e.impulse = p;
        e.energy_change = work + rubbed;
        e.detail = (touching[i].was < 0 ? "gap = 0" : "struck through the other contacts") +
                   ending[i] + impact_texts_[static_cast<std::size_t>(i)];
        if (n > 1) e.detail += "; " + order_;
        note(EventKind::impact, state.t, point, e);
    }
    return true;
}

}  // namespace pawl
