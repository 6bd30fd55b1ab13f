#include "impact_laws.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"

namespace pawl::cli {

namespace {

// What is reported of a run with one law.
struct LawRun {
    const char* law;
    bool completed = false;
    std::size_t impacts = 0, events = 0;
    double first_time = NAN, first_after = NAN, first_impulse = NAN, first_energy = 0;
    double lost = 0, largest_gain = 0, end_time = 0, kinetic_change = 0;
};

LawRun run_with(PlacedMechanism placed, const DynamicOptions& options, RestitutionLaw law,
                const char* name) {
    for (auto& pair : placed.mechanism.contacts) pair.impact = law;
    const DynamicResult result = run_dynamics(placed, options);
    LawRun run{name};
    run.completed = result.status == DynamicStatus::completed;
    run.events = result.events.size();
    run.end_time = result.last.state.t;
    run.kinetic_change = result.audit.kinetic_change;
    for (const Event& e : result.events) {
        if (e.kind != EventKind::impact) continue;
        if (run.impacts++ == 0) {
            run.first_time = e.t;
            run.first_after = e.normal_velocity_after;
            run.first_impulse = e.impulse;
            run.first_energy = e.energy_change;
        }
        run.lost -= e.energy_change;
        run.largest_gain = std::max(run.largest_gain, e.energy_change);
    }
    return run;
}

}  // namespace

int compare_impact_laws(const PlacedMechanism& placed, const DynamicOptions& options, bool json) {
    std::vector<LawRun> runs;
    for (const auto& [law, name] : {std::pair{RestitutionLaw::newton, "newton"},
                                    {RestitutionLaw::poisson, "poisson"},
                                    {RestitutionLaw::stronge, "stronge"}})
        runs.push_back(run_with(placed, options, law, name));
    if (json) {
        auto list = nlohmann::ordered_json::array();
        for (const LawRun& r : runs)
            list.push_back({{"law", r.law},
                            {"completed", r.completed},
                            {"impacts", r.impacts},
                            {"first_impact_t_s", r.first_time},
                            {"first_velocity_after_m_per_s", r.first_after},
                            {"first_impulse_Ns", r.first_impulse},
                            {"first_energy_change_J", r.first_energy},
                            {"lost_in_impacts_J", r.lost},
                            {"largest_gain_J", r.largest_gain},
                            {"kinetic_change_J", r.kinetic_change},
                            {"end_s", r.end_time}});
        fmt::print("{}\n", list.dump(2));
    } else {
        fmt::print("{:<8} {:>8} {:>13} {:>13} {:>14} {:>15} {:>15} {:>14}\n", "law", "impacts",
                   "first at [s]", "v after [m/s]", "impulse [N s]", "its energy [J]",
                   "lost in all [J]", "dT of run [J]");
        for (const LawRun& r : runs)
            fmt::print(
                "{:<8} {:>8} {:>13.9g} {:>13.7g} {:>14.7g} {:>15.7g} {:>15.7g} {:>14.7g}{}\n",
                r.law, r.impacts, r.first_time, r.first_after, r.first_impulse, r.first_energy,
                r.lost, r.kinetic_change,
                r.completed ? "" : fmt::format("  ended at t = {:.6g} s", r.end_time));
        for (const LawRun& r : runs)
            // Above the rounding of what an impact exchanges.
            if (r.largest_gain > 1e-12 * (std::abs(r.lost) + std::abs(r.kinetic_change)))
                fmt::print("{}: an impact gains up to {:.4g} J, which is not physical\n", r.law,
                           r.largest_gain);
        if (runs[0].impacts == 0)
            fmt::print("no impacts in {:.6g} s: the laws do not differ\n", runs[0].end_time);
        else if (std::abs(runs[0].first_after - runs[2].first_after) <=
                     1e-9 * std::abs(runs[0].first_after) &&
                 runs[0].impacts == runs[2].impacts)
            fmt::print("the laws agree: no impact reverses the slip, or there is no friction\n");
    }
    for (const LawRun& r : runs)
        if (!r.completed) return numerical_failure;
    return done;
}

}  // namespace pawl::cli
