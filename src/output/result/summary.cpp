#include "output/result/summary.h"

#include <cmath>

#include <fmt/format.h>

#include "output/result/matrices_text.h"
#include "results/event_text.h"
#include "simulation/placement/start_contacts.h"
#include "simulation/placement/start_values.h"
#include "version.h"

namespace pawl {

namespace {

// The head that every analysis has.
Json head_of(std::string_view analysis, const ModelData& model) {
    return {{"format", result_format},
            {"pawl", version()},
            {"analysis", analysis},
            {"model",
             {{"file", model.file},
              {"name", model.mechanism.name},
              {"hash", fingerprint(model.text)}}}};
}

std::vector<std::string> changes_of(const ModelData& model) {
    std::vector<std::string> changes;
    for (const auto& [name, value] : model.overrides) changes.push_back(name + "=" + value);
    return changes;
}

std::string_view verdict_of(const Audit& audit) { return audit.passed() ? "passed" : "failed"; }

template <class Result>
void add_outcome(Json& summary, const Result& result) {
    summary["status"] = status_name(result.status);
    summary["message"] = result.message;
}

// Of the tables [response.NAME]; null, with the reason, where the run has no such value.
template <class Result>
void add_responses(Json& summary, const ModelData& model, const Result& result) {
    for (const Response& response : model.responses) {
        const ResponseValue value = evaluate(response, {result.trajectory, result.events});
        Json& out = summary["responses"][response.name];
        out["value"] = value.problem.empty() ? Json(value.value) : Json(nullptr);
        out["unit"] = value.problem.empty() ? value.unit : response.unit;
        if (value.error > 0) out["interpolation_error"] = value.error;
        if (!value.problem.empty()) out["problem"] = value.problem;
    }
}

Json audit_json(const Audit& audit) {
    Json checks = Json::array(), ledger = Json::array();
    for (const AuditCheck& c : audit.checks)
        checks.push_back({{"name", c.name},
                          {"value", c.value()},
                          {"limit", c.limit},
                          {"unit", c.unit},
                          {"inequality", c.inequality},
                          {"worst_at_s", c.worst.t},
                          {"worst_element", c.worst.element},
                          {"passed", c.passed()}});
    for (const LedgerLine& l : audit.ledger)
        ledger.push_back({{"element", l.element}, {"stored_J", l.stored}, {"work_J", l.work}});
    return {{"verdict", verdict_of(audit)},
            {"checks", checks},
            {"kinetic_change_J", audit.kinetic_change},
            {"ledger", ledger}};
}

Json clearances_json(const std::vector<ClearanceReport>& clearances) {
    Json list = Json::array();
    for (const ClearanceReport& c : clearances) {
        Json modes = Json::array(), impulses = Json::array();
        for (std::size_t i = 0; i < c.modes.size(); ++i)
            modes.push_back({{"mode", ClearanceReport::mode_names[i]},
                             {"share", c.modes[i].share},
                             {"count", c.modes[i].count}});
        for (const auto& [decade, count] : c.impulses)
            impulses.push_back({{"from_Ns", std::pow(10.0, decade)},
                                {"to_Ns", std::pow(10.0, decade + 1)},
                                {"count", count}});
        list.push_back({{"joint", c.joint},
                        {"duty", c.duty()},
                        {"modes", modes},
                        {"impacts", c.impacts()},
                        {"impulses", impulses},
                        {"largest_impulse_Ns", c.largest_impulse},
                        {"mean_normal_force_x_slip_W", c.mean_power},
                        {"largest_normal_force_x_slip_W", c.max_power}});
    }
    return list;
}

Json changes_json(const std::vector<IntegratorChange>& changes) {
    Json list = Json::array();
    for (const IntegratorChange& change : changes)
        list.push_back({{"t_s", change.t}, {"to", change.to_implicit ? "stiff" : "dop853"}});
    return list;
}

Json windows_json(const std::vector<Window>& windows) {
    Json list = Json::array();
    double length = 0;
    for (const Window& window : windows) {
        length += window.length;
        list.push_back({{"t_s", window.t},
                        {"length_s", window.length},
                        {"step_s", window.step},
                        {"reason", cause_name(window.reason)},
                        {"position_error_m", window.position_error},
                        {"velocity_error_m_s", window.velocity_error},
                        {"energy_error_J", window.energy_error}});
    }
    return {{"count", windows.size()}, {"length_s", length}, {"list", list}};
}

Json complex_json(std::complex<double> z) { return {z.real() + 0.0, z.imag() + 0.0}; }

Json modes_json(const Vibration& vibration, const PlanarMechanism& mechanism) {
    Json out = Json::array();
    for (const VibrationMode& mode : vibration.modes) {
        Json shape = Json::object();
        for (std::size_t b = 1; b < mode.shape.size(); ++b)
            shape[mechanism.bodies[b].name] = {{"x", complex_json(mode.shape[b].x)},
                                               {"y", complex_json(mode.shape[b].y)},
                                               {"angle", complex_json(mode.shape[b].angle)}};
        out.push_back({{"kind", mode_kind_name(mode.kind)},
                       {"frequency_Hz", mode.frequency},
                       {"damping_ratio", mode.damping_ratio},
                       {"eigenvalue_per_s", complex_json(mode.eigenvalue)},
                       {"shape", std::move(shape)}});
    }
    return out;
}

Json equilibrium_json(const EquilibriumResult& r, const PlanarMechanism& mechanism) {
    Json positions = Json::object(), forces = Json::object(), stiffness = Json::array();
    for (std::size_t b = 1; b < r.positions.size(); ++b)
        positions[mechanism.bodies[b].name] = {{"x_m", r.positions[b].p.x},
                                               {"y_m", r.positions[b].p.y},
                                               {"angle_rad", r.positions[b].angle}};
    for (std::size_t i = 0; i < r.forces.size(); ++i)
        forces[r.columns[i].name + " [" + r.columns[i].unit + "]"] = r.forces[i] + 0.0;
    for (std::size_t i = 0; i < r.stiffness.size(); ++i)
        stiffness.push_back(
            {{"eigenvalue_N_per_m", r.stiffness[i]}, {"coordinate", r.directions[i]}});
    return {{"stability", stability_name(r.stability)}, {"unstable_directions", r.unstable},
            {"neutral_directions", r.neutral},          {"conservative", r.conservative},
            {"positions", std::move(positions)},        {"potential_J", r.potential},
            {"stiffness", std::move(stiffness)},        {"forces", std::move(forces)}};
}

// Bounds that are infinite are null: however large.
Json friction_json(const EquilibriumFriction& friction) {
    Json points = Json::object(), loads = Json::object();
    for (const HeldFriction& point : friction.points)
        points[point.name] = {{"force [" + point.unit + "]", point.force + 0.0},
                              {"limit [" + point.unit + "]", point.limit}};
    const auto bound = [](double x) { return std::isfinite(x) ? Json(x) : Json(); };
    for (const HeldLoad& load : friction.loads)
        loads[load.name] = {{"from [" + load.unit + "]", bound(load.low)},
                            {"to [" + load.unit + "]", bound(load.high)}};
    return {{"holds", friction.holds},
            {"problem", friction.problem},
            {"places", std::move(points)},
            {"loads_held", std::move(loads)}};
}

}  // namespace

std::string json_text(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string_view status_name(KinematicStatus status) {
    switch (status) {
        case KinematicStatus::completed:
            return "completed";
        case KinematicStatus::dead_point:
            return "dead_point";
        case KinematicStatus::stuck:
            return "stuck";
        case KinematicStatus::drivers_fight:
            return "drivers_fight";
        case KinematicStatus::indeterminate:
            return "indeterminate";
        case KinematicStatus::overlap:
            return "overlap";
    }
    return "";
}

std::string_view status_name(DynamicStatus status) {
    switch (status) {
        case DynamicStatus::completed:
            return "completed";
        case DynamicStatus::refused:
            return "refused";
        case DynamicStatus::indeterminate:
            return "indeterminate";
        case DynamicStatus::massless:
            return "massless";
        case DynamicStatus::not_finite:
            return "not_finite";
        case DynamicStatus::step_too_small:
            return "step_too_small";
        case DynamicStatus::left_constraints:
            return "left_constraints";
        case DynamicStatus::interrupted:
            return "interrupted";
        case DynamicStatus::driver_jump:
            return "driver_jump";
        case DynamicStatus::painleve:
            return "painleve";
        case DynamicStatus::jam:
            return "jam";
        case DynamicStatus::overlap:
            return "overlap";
    }
    return "";
}

std::vector<std::string> start_notes(const ModelData& model, const PlacedMechanism& placed) {
    std::vector<std::string> notes;
    for (const MovedValue& moved : placed.assembly.moved)
        notes.push_back(fmt::format("{}:{}:{}: {}", model.file, moved.span.line, moved.span.column,
                                    moved_text(placed.mechanism, moved)));
    for (const StartGap& gap : gaps_closed_at_start(placed))
        notes.push_back(
            fmt::format("{}:{}:{}: {}", model.file, gap.span.line, gap.span.column, gap.text));
    return notes;
}

std::vector<std::string> notes_of(const ModelData& model, const PlacedMechanism& placed,
                                  const DynamicResult& result) {
    constexpr std::size_t max_shown = 4;
    const auto& changes = result.integrator_changes;
    std::vector<std::string> notes = start_notes(model, placed);
    for (std::size_t i = 0; i < std::min(changes.size(), 2 * max_shown); ++i)
        if (changes[i].to_implicit)
            notes.push_back(fmt::format(
                "stiff from t = {:.6g} s on: the implicit integrator takes over{}", changes[i].t,
                i + 1 < changes.size() ? fmt::format(" until t = {:.6g} s", changes[i + 1].t)
                                       : ""));
    if (changes.size() > 2 * max_shown)
        notes.push_back(fmt::format("{} changes of the integrator in all; result.json has them",
                                    changes.size()));
    return notes;
}

std::string integrators_of(const DynamicResult& result) {
    if (!result.integrator_changes.empty()) return "dop853, stiff";
    return std::string(value_name(result.integrator));
}

Json summary_of(const ModelData& model, const PlacedMechanism& placed,
                const KinematicOptions& options, const KinematicResult& result) {
    const bool with_forces = options.reactions;
    const auto& s = result.statistics;
    const Audit audit = audit_of(result, placed, with_forces);
    Json summary = head_of(with_forces ? "inverse" : "kinematics", model);
    summary["options"] = {{"end_s", options.end},
                          {"step_s", options.step},
                          {"coordinates", value_name(model.run.coordinates)},
                          {"parameters", changes_of(model)}};
    add_outcome(summary, result);
    add_responses(summary, model, result);
    summary["at_rest"] = result.at_rest;
    summary["warnings"] = result.warnings;
    summary["notes"] = start_notes(model, placed);
    summary["audit"] = {{"verdict", verdict_of(audit)},
                        {"constraint_residual_m", s.largest_residual},
                        {"constraint_residual_limit_m", audit.checks.front().limit},
                        {"largest_condition", s.largest_condition}};
    if (with_forces) summary["audit"]["balance_of_forces"] = s.largest_imbalance;
    if (!placed.mechanism.contacts.empty()) {
        summary["audit"]["penetration_m"] = s.penetration.value;
        if (with_forces) summary["audit"]["pulling_contact_N"] = s.pull.value;
        if (with_forces) summary["audit"]["friction_cone_N"] = s.cone.value;
    }
    if (result.matrices) summary["matrices"] = matrices_json(*result.matrices);
    summary["events"] = events_json(result.events);
    summary["statistics"] = {{"samples", s.samples},
                             {"steps", s.steps},
                             {"halved", s.halved},
                             {"newton_iterations", s.newton_iterations}};
    return summary;
}

Json summary_of(const ModelData& model, const PlacedMechanism& placed,
                const DynamicOptions& options, const DynamicResult& result) {
    const auto& s = result.statistics;
    Json summary = head_of("dynamics", model);
    summary["options"] = {{"end_s", options.end},
                          {"step_s", options.step},
                          {"coordinates", value_name(model.run.coordinates)},
                          {"dynamics", value_name(result.dynamics)},
                          {"integrator", integrators_of(result)},
                          {"rtol", options.rtol},
                          {"atol", options.atol},
                          {"impacts", value_name(model.run.impacts)},
                          {"parameters", changes_of(model)}};
    add_outcome(summary, result);
    add_responses(summary, model, result);
    summary["warnings"] = result.warnings;
    summary["notes"] = notes_of(model, placed, result);
    if (!result.integrator_changes.empty())
        summary["integrator_changes"] = changes_json(result.integrator_changes);
    summary["audit"] = audit_json(result.audit);
    summary["events"] = events_json(result.events);
    summary["statistics"] = {{"samples", s.samples},
                             {"steps", s.steps},
                             {"rejected", s.rejected},
                             {"evaluations", s.evaluations}};
    summary["windows"] = windows_json(result.windows);
    if (const auto& steps = result.time_stepping)
        summary["statistics"]["time_stepping"] = {{"contacts", steps->contacts},
                                                  {"iterations", steps->iterations},
                                                  {"interior_iterations", steps->interior},
                                                  {"most_iterations", steps->max_iterations},
                                                  {"unsolved", steps->unsolved},
                                                  {"worst_residual", steps->worst_residual},
                                                  {"worst_residual_t", steps->at}};
    if (!result.clearances.empty()) summary["clearance"] = clearances_json(result.clearances);
    return summary;
}

Json summary_of(const ModelData& model, const PlacedMechanism& placed,
                const EquilibriumOptions& options, const EquilibriumResult& result) {
    const Audit audit = audit_of(result, placed);
    Json summary = head_of("statics", model);
    summary["options"] = {
        {"at_s", options.at}, {"modes", options.modes}, {"parameters", changes_of(model)}};
    add_outcome(summary, result);
    summary["warnings"] = result.warnings;
    summary["notes"] = start_notes(model, placed);
    if (result.friction) summary["friction"] = friction_json(*result.friction);
    if (result.status == EquilibriumStatus::balanced) {
        summary["equilibrium"] = equilibrium_json(result, placed.mechanism);
        if (options.modes) {
            summary["modes"] = modes_json(result.vibration, placed.mechanism);
            summary["modes_problem"] = result.vibration.problem;
        }
        summary["audit"] = {{"verdict", verdict_of(audit)},
                            {"constraint_residual_m", result.residual},
                            {"constraint_residual_limit_m", audit.checks.front().limit},
                            {"unbalance_N", result.unbalance},
                            {"unbalance_limit_N", result.unbalance_limit},
                            {"balance_of_forces", result.imbalance}};
    }
    summary["statistics"] = {{"iterations", result.iterations}};
    return summary;
}

Json summary_of(const ModelData& model, const PlacedMechanism& placed,
                const QuasiStaticOptions& options, const QuasiStaticResult& result) {
    const auto& s = result.statistics;
    const Audit audit = audit_of(result, placed);
    Json summary = head_of("statics", model);
    summary["options"] = {{"along", true},
                          {"end_s", options.end},
                          {"step_s", options.step},
                          {"parameters", changes_of(model)}};
    add_outcome(summary, result);
    add_responses(summary, model, result);
    summary["warnings"] = result.warnings;
    summary["notes"] = start_notes(model, placed);
    summary["audit"] = {{"verdict", verdict_of(audit)},
                        {"constraint_residual_m", s.largest_residual},
                        {"constraint_residual_limit_m", audit.checks.front().limit},
                        {"balance_of_forces", s.largest_imbalance},
                        {"penetration_m", s.penetration.value},
                        {"pulling_contact_N", s.pull.value}};
    if (result.vibration) {
        summary["modes"] = modes_json(*result.vibration, placed.mechanism);
        summary["modes_problem"] = result.vibration->problem;
    }
    summary["events"] = events_json(result.events);
    summary["statistics"] = {{"samples", s.samples}, {"steps", s.steps}, {"halved", s.halved}};
    return summary;
}

}  // namespace pawl
