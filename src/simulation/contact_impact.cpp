// Impacts in the event cycle: the laws of the contacts that touch, with friction and rolling.
#include <algorithm>
#include <cmath>

#include "simulation/contact_cycle.h"
#include "simulation/text.h"

namespace pawl {

namespace {

using Space = PlanarSpace;

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

// Rows of three per touching contact, from those of the problem; missing ones do not give way.
ImpactSystem ContactCycle::impact_system(const ContactProblem& problem, DynamicSystem& all,
                                         const std::vector<Touching>& touching,
                                         const Eigen::VectorXd& restitution) const {
    const int n = static_cast<int>(touching.size());
    const std::size_t first = all.equations->contacts().size() - touching.size();
    std::vector<int> row(static_cast<std::size_t>(3 * n), -1);
    std::vector<double> scale(row.size(), 1.0);
    for (int i = 0; i < n; ++i) row[static_cast<std::size_t>(3 * i)] = i;
    for (std::size_t k = 0; k < all.equations->friction().size(); ++k) {
        const FrictionMode& mode = all.equations->friction_modes()[k];
        const int contact = mode.contact - static_cast<int>(first);
        if (mode.contact < 0 || contact < 0) continue;
        const std::size_t place = static_cast<std::size_t>(3 * contact + (mode.rolling ? 2 : 1));
        row[place] = n + static_cast<int>(k);
        scale[place] = all.equations->row_scale(all.equations->friction()[k].row);
    }
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
    }
    return system;
}

// Impulses of three per touching contact back to the rows of the problem.
void ContactCycle::set_impulses(ContactProblem& problem, DynamicSystem& all,
                                const Eigen::VectorXd& impulse, const Eigen::VectorXd& work) const {
    const int n = static_cast<int>(impulse.size()) / 3;
    const std::size_t first = all.equations->contacts().size() - static_cast<std::size_t>(n);
    const int rows = n + static_cast<int>(all.equations->friction().size());
    Eigen::VectorXd along = Eigen::VectorXd::Zero(rows), done = along;
    for (int i = 0; i < n; ++i) {
        along[i] = impulse[3 * i];
        done[i] = work[3 * i];
    }
    for (std::size_t k = 0; k < all.equations->friction().size(); ++k) {
        const FrictionMode& mode = all.equations->friction_modes()[k];
        const int contact = mode.contact - static_cast<int>(first);
        if (mode.contact < 0 || contact < 0) continue;
        const int from = 3 * contact + (mode.rolling ? 2 : 1);
        along[n + static_cast<int>(k)] =
            impulse[from] / all.equations->row_scale(all.equations->friction()[k].row);
        done[n + static_cast<int>(k)] = work[from];
    }
    problem.set_impulses(along, done);
}

void ContactCycle::stop_all(ContactProblem& problem, DynamicSystem& all,
                            const std::vector<Touching>& touching) const {
    const int n = static_cast<int>(touching.size());
    std::vector<int> normals, rows;
    for (int i = 0; i < n; ++i) normals.push_back(i);
    rows = normals;
    const auto& modes = all.equations->friction_modes();
    const int first = static_cast<int>(all.equations->contacts().size()) - n;
    for (std::size_t k = 0; k < modes.size(); ++k)
        if (modes[k].contact >= first && !modes[k].rolling) rows.push_back(n + static_cast<int>(k));
    problem.stop(rows);
    double pressed = 0, limit = 0, rubbed = 0;
    for (int i = 0; i < n; ++i) {
        const auto& friction = pair_of(touching[static_cast<std::size_t>(i)].point).friction;
        pressed += problem.impulse()[i];
        if (friction) limit += friction->holding() * std::max(0.0, problem.impulse()[i]);
    }
    for (std::size_t i = static_cast<std::size_t>(n); i < rows.size(); ++i)
        rubbed += std::abs(problem.impulse()[rows[i]]);
    if (!(pressed > 0) || rubbed > limit) problem.stop(normals);
}

double ContactCycle::friction_work_of(const ContactProblem& problem, DynamicSystem& all,
                                      int touching) const {
    const auto& modes = all.equations->friction_modes();
    const int n = static_cast<int>(problem.velocity().size() - static_cast<long>(modes.size()));
    const int contact = static_cast<int>(all.equations->contacts().size()) - n + touching;
    double work = 0;
    for (std::size_t k = 0; k < modes.size(); ++k)
        if (modes[k].contact == contact) work += problem.impulse_work()[n + static_cast<int>(k)];
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
        if (result.outcome == ImpactOutcome::refused) {
            sequential = true;
            order_ = "sequential, for these laws have no other order";
        }
    }
    if (touching.size() == 1 || sequential) result = solve_sequential(system);
    if (result.outcome != ImpactOutcome::solved && result.outcome != ImpactOutcome::wedged)
        return false;
    set_impulses(problem, all, result.impulse, result.work);
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
        set_impulses(problem, all, impulse, work);
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

}  // namespace pawl
