// The dynamic run: motion under forces from t = 0, or from a given state, to the end, whatever the
// coordinates and the formulation, with reactions, energy ledger and audit.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/formulations/dynamics.h"
#include "results/audit.h"
#include "results/clearance_report.h"
#include "results/event.h"
#include "results/trajectory.h"
#include "simulation/placement/assembly.h"

namespace pawl {

struct RunCourse;

// Where a run begins or has ended: another one can continue from there. Its energies count anew.
struct DynamicStart {
    State state;
    std::vector<ContactPoint<PlanarSpace>> contacts;  // that are closed; permanent ones first
};

struct DynamicOptions {
    double end = 1, step = 0.01;  // s; step is the time between outputs
    CoordinateKind coordinates = CoordinateKind::relative;
    Formulation dynamics = Formulation::automatic;
    Integrator integrator = Integrator::automatic;
    double rtol = 1e-9;
    double atol = 1e-9;                            // part of the model's size
    double largest_step = 0, integrator_step = 0;  // s; 0: chosen
    bool reactions = true;
    bool sequential_impacts = false;    // several at one time: one after the other
    std::optional<DynamicStart> start;  // else t = 0 as the model says
    std::function<void(double share)> progress;
    RunCourse* course = nullptr;  // gets what the run does, where it is asked for
    SpoolLocation spool;          // for rows that outgrow memory; not given: all stay there
    // Other makes of the equations or the solver; tests seed faults through them.
    std::function<std::unique_ptr<MechanismEquations<PlanarSpace>>(
        const PlacedMechanism&, const MechanismEquations<PlanarSpace>::Choice&)>
        make_equations;
    std::function<std::unique_ptr<Dynamics>(Equations&)> make_solver;
    // For the equations of other modes (DynamicSystems): 200 modes of a small model, some 20 MB, or
    // a few of thousands of coordinates. The motion does not depend on it.
    std::size_t system_room = 20000;
};

enum class DynamicStatus {
    completed,
    refused,           // the choice of solver does not fit the model (size, missing inertia)
    indeterminate,     // friction in joints whose reactions the balance leaves open
    massless,          // a coordinate has no inertia: its acceleration is not defined
    not_finite,        // a force grew beyond all bounds
    step_too_small,    // the error asks for steps below rounding of t
    left_constraints,  // projection did not converge: |phi| > 1e-10 of the size
    jam,               // contacts and drivers allow no further motion
    overlap,           // profiles overlap at the start
    painleve,          // no forces fit the sliding of some friction points
    interrupted,       // by the user: the result holds the motion until then
    driver_jump,       // the velocity of a driver jumps: |rate(t+) - rate(t-)| > 1e-9 (1 + |rate|)
};

struct DynamicStatistics {
    std::size_t samples = 0;
    long steps = 0, rejected = 0, evaluations = 0;
    double smallest_pivot =
        1;  // of the rows' response: how near to a singular position the run came
};

// What the steps of a run by time stepping together have been like.
struct TimeSteppingStatistics {
    long steps = 0, unsolved = 0;       // unsolved: to more than 1e-6
    long contacts = 0;                  // summed over the steps
    long iterations = 0, interior = 0;  // matrices factored, of them in the interior of the cones
    int max_iterations = 0;             // of a step
    double worst_residual = 0, at = 0;  // of the conditions of contact, relative; at: s
};

// A stretch that time stepping carried an event-driven run over (event_cycle/window.h). The errors
// are the differences to the same with steps twice as long.
struct Window {
    double t = 0, length = 0, step = 0;             // s
    double position_error = 0, velocity_error = 0;  // m, m/s: of the coordinate with the largest
    double energy_error = 0;                        // J: what its steps did not account for
    Cause reason = Cause::too_many_events;
};

// Where a run that chooses its integrator itself has changed it.
struct IntegratorChange {
    double t = 0;
    bool to_implicit = false;
};

struct DynamicResult {
    DynamicStatus status = DynamicStatus::completed;
    Trajectory trajectory;
    std::vector<Event> events;
    Audit audit;
    DynamicStatistics statistics;
    std::optional<TimeSteppingStatistics> time_stepping;  // of integrator = "moreau"
    std::vector<Window> windows;
    std::vector<ClearanceReport> clearances;        // of the joints with play
    Formulation dynamics = Formulation::automatic;  // what was used
    Integrator integrator = Integrator::automatic;  // at first
    std::vector<IntegratorChange> integrator_changes;
    std::vector<std::string> warnings;
    std::string message;
    Span span;
    DynamicStart last;  // where it ended
};

// Joints with play are opened before.
DynamicResult run_dynamics(const PlacedMechanism& placed, const DynamicOptions& options);

}  // namespace pawl
