// The checks of a dynamic run, of what was seen at its rows, and what to say of those that failed.
#include <algorithm>
#include <cmath>
#include <map>

#include "math/tolerances/records.h"
#include "results/text.h"
#include "simulation/record/dynamic_record.h"
#include "simulation/stepping/remember.h"

namespace pawl {

// The impacts of one time may add no energy: a pair of bodies that meets without friction never
// does with e <= 1, but several contacts coupled through the bodies can, and so can Newton's law
// where friction changes the slip.
void DynamicRecord::check_impacts(double limit) {
    Worst worst;
    const auto& events = result_.events;
    for (std::size_t i = 0, next = 0; i < events.size(); i = next) {
        double sum = 0;
        std::string names;
        for (; next < events.size() && events[next].t == events[i].t; ++next) {
            if (events[next].kind != EventKind::impact) continue;
            sum += events[next].energy_change;
            names += (names.empty() ? "" : " ") + events[next].element;
        }
        worst.see(sum, events[i].t, names);
    }
    result_.audit.checks.push_back(
        {"energy of impacts", "J", worst, limit,
         "what the impacts of one time add <= 1e-9 (max T + max |dV| + max |work|)"});
    if (!(worst.value > limit)) return;
    const bool several = worst.element.find(' ') != std::string::npos;
    result_.warnings.push_back(
        "the impact of " + worst.element + " at t = " + number_text(worst.t, 9) + " s adds " +
        number_text(worst.value, 4) +
        (several
             ? " J: Newton's law can gain energy when several contacts are coupled; impacts = "
               "\"sequential\" does not"
             : " J: Newton's law can gain energy with friction; impact = \"stronge\" does not"));
}

// A contact that forms where impacts accumulate is recorded when they begin to, with the time they
// tend to. What its friction does before is reported then; where it strikes or is lost, that cuts
// them short.
void DynamicRecord::put_events_in_order() {
    const auto of_friction = [](const Event& e) {
        return e.kind == EventKind::stick || e.kind == EventKind::slip ||
               e.kind == EventKind::slip_reversal;
    };
    std::map<std::string, double> next, formed;  // of each contact
    for (auto e = result_.events.rbegin(); e != result_.events.rend(); ++e) {
        if (of_friction(*e)) continue;
        const auto known = next.find(e->element);
        if (e->kind == EventKind::contact_formed && known != next.end())
            e->t = std::min(e->t, known->second);
        next[e->element] = e->t;
    }
    for (Event& e : result_.events) {
        if (e.kind == EventKind::contact_formed) formed[e.element] = e.t;
        if (const auto known = formed.find(e.element); of_friction(e) && known != formed.end())
            e.t = std::max(e.t, known->second);
    }
    std::stable_sort(result_.events.begin(), result_.events.end(),
                     [](const Event& a, const Event& b) { return a.t < b.t; });
}

// Errors of integrators without control of them add up to what each step is wrong by; above one
// part in a thousand of the energies the motion is not called right whatever its steps say.
void DynamicRecord::check_energy(double scale, const StepAudit& steps) {
    constexpr double max_share = tolerance::largest_energy_error;
    const double asked = 1e3 * std::max({options_.rtol, options_.atol, steps.tolerance()}) * scale;
    const double error = steps.energy_error();
    // At rest, what the residual of the rows that is allowed lets a force do.
    const double limit =
        std::max(asked, std::min(asked + 2 * error, max_share * scale)) +
        tolerance::potential_rounding * energies_.largest_potential() +
        tolerance::residual_audit * placed_.assembly.model_size * touching_.largest_force() +
        tolerance::smallest_amount;
    result_.audit.checks.push_back(
        {"energy residual", "J", energies_.residual(), limit,
         "|T + V - work - initial| <= 1e3 max(rtol, atol of any step) (max T + max |dV| + max "
         "|work|) + 1e-12 "
         "sum |V| + 1e-10 size x the largest contact force" +
             std::string(error > 0 ? " + 2 x the energy of the errors of the steps, together at "
                                     "most 1e-3 (max T + max |dV| + max |work|)"
                                   : "")});
}

void DynamicRecord::remember(Memory& memory) {
    memory(columns_, steps_, step_of_row_, energies_, constraints_, touching_, imbalance_);
    if (reactions_) memory(*reactions_);
}

void DynamicRecord::close(const State& last, const StepAudit& steps, const PassageAudit& passage,
                          const WrittenAudit::ValuesAt& values) {
    put_events_in_order();
    columns_.widen(result_.trajectory);
    const double size = placed_.assembly.model_size;
    Audit& a = result_.audit;
    check_energy(energies_.scale(), steps);
    constraints_.add_checks(a, size);
    steps.add_checks(a);
    if (reactions_)
        a.checks.push_back({"balance of forces", "1", imbalance_, tolerance::force_audit,
                            "what the joints cannot supply <= "
                            "1e-6 of the largest force"});
    if (!contacts_.watch().empty()) {
        touching_.check_penetration(a, size);
        check_impacts(tolerance::impact_energy_audit * energies_.scale() +
                      tolerance::smallest_amount);
        touching_.check_forces(a, size);
    }
    if (layout_.has_friction()) touching_.check_friction(a, constraints_.largest_speed(), size);
    passage.add_checks(a);
    if (const long steps = passage.unjudged_steps(); steps > 0)
        result_.warnings.push_back(
            "in " + std::to_string(steps) +
            " steps the audit could not check for bodies that pass through each other: they are "
            "too thin for the distance they move in a step; a smaller `run.largest_step` may help");
    WrittenAudit(placed_, result_.trajectory, step_of_row_.all(), result_.events,
                 std::max(options_.rtol, options_.atol), values)
        .add_checks(a);
    for (std::string& warning : touching_.warnings(contacts_.watch()))
        result_.warnings.push_back(std::move(warning));
    a.kinetic_change = energies_.kinetic_change();
    a.ledger = energies_.lines(last.z);
    if (reactions_ && !reactions_->indeterminate().empty())
        result_.warnings.push_back(indeterminate_warning(*reactions_));
    for (const AuditCheck& check : a.checks)
        if (!check.passed()) explain(check);
}

// What in the model is likely to be behind a check that failed, and a way out.
void DynamicRecord::explain(const AuditCheck& check) {
    const auto pair =
        std::find_if(mechanism_.contacts.begin(), mechanism_.contacts.end(), [&](const auto& p) {
            return check.worst.element == p.name || check.worst.element.starts_with(p.name + "#");
        });
    if (pair == mechanism_.contacts.end()) return;
    const std::string contact = "contact '" + pair->name + "'";
    if (check.name == "penetration")
        for (const int i : {pair->profile_a, pair->profile_b})
            if (const auto& profile = mechanism_.profiles[static_cast<std::size_t>(i)];
                !profile.chain.closed)
                result_.warnings.push_back(contact + ": profile '" + profile.name +
                                           "' is open, and the other body can get behind it round "
                                           "its ends; close its outline");
    if (check.name == "velocity residual" &&
        result_.statistics.smallest_pivot < tolerance::near_singular)
        result_.warnings.push_back(
            contact + " is almost perpendicular to every free motion at t = " +
            number_text(check.worst.t, 9) +
            " s, where forces grow without bound; move the bodies out of this alignment");
}

}  // namespace pawl
