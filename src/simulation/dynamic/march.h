// The march of a dynamic run: the system of the contacts in force, its integration step by step,
// and where a step must end: at the first change of contact or switch inside it, on the
// constraints, on its own branch of a singular position. Knows what ended a step, not what follows.
#pragma once

#include <cmath>
#include <optional>

#include "simulation/record/run_record.h"
#include "simulation/sensitivity/run_course.h"
#include "simulation/stepping/dynamic_failure.h"
#include "simulation/stepping/feature_watch.h"
#include "simulation/stepping/singularity_watch.h"
#include "simulation/stepping/step_limits.h"
#include "simulation/stepping/stiffness_watch.h"
#include "simulation/stepping/switch_watch.h"

namespace pawl {

class March {
public:
    using Mechanics = MechanismEquations<PlanarSpace>;

    March(const PlacedMechanism& placed, const DynamicOptions& options, DynamicResult& result,
          RunRecord& record);

    // The equations and the solver of the model before anything touches; false when they do not
    // fit it.
    bool choose_solver();
    [[nodiscard]] DynamicSystems make_systems() const;
    [[nodiscard]] ContactProblem::Impacts impacts() const;
    // Those of the contacts that are closed now.
    void adopt_system();
    // The mechanism has changed, not its coordinates.
    void renew_systems();
    // Stored by each force at the state.
    [[nodiscard]] std::vector<double> potentials();
    // Times that steps must not be longer than, from t on.
    void limit_steps(double t);

    // What follows from an event for the contacts, and on with the system of what is closed then;
    // false when the run ends. A window in it ends by `until`; the state is that of its end.
    bool resolve(ContactOccurrence occurrence, double until);
    bool resolve(ContactOccurrence::Kind kind, double until);
    // The integration begins anew at the state.
    void restart();
    [[nodiscard]] double kinetic_energy();

    // The branches of the user's expressions at the state.
    void begin_switches();

    // One step, not beyond `stop`, which ends where something happens. It can be looked at and
    // taken back until it is finished.
    bool take_step(double stop);
    // The end of the last step becomes the state, and what the step holds is recorded.
    bool finish_step();
    void take_step_back();
    // The integration continues from the state, which is on the constraints.
    void go_on();
    // Inside the last step, on the constraints. Where it is not finished, `t` is at most its end.
    [[nodiscard]] State look_at(double t);

    [[nodiscard]] State& state() { return state_; }
    [[nodiscard]] const State& state() const { return state_; }
    [[nodiscard]] const State& begin_of_finished_step() const { return finished_.begin; }
    // That led from the step that was finished last to the state.
    [[nodiscard]] const std::optional<PassedWindow>& window() const { return finished_.window; }
    [[nodiscard]] ContactCycle& contacts() { return *contacts_; }
    [[nodiscard]] Mechanics& equations() { return *equations_; }
    [[nodiscard]] Dynamics& dynamics() { return *dynamics_; }
    [[nodiscard]] Stepping& stepping() { return stepping_; }
    [[nodiscard]] const Stepping& stepping() const { return stepping_; }
    [[nodiscard]] const SwitchWatch& switches() const { return switches_; }
    [[nodiscard]] DynamicFailure& failure() { return failure_; }
    // No step could be taken, since continued sliding has no solution from here: the contacts are
    // asked what follows. The how manieth time from the same state, up to two; 0: there is none.
    [[nodiscard]] int paradox() const { return ended_.paradox; }
    // At which the last step ends.
    [[nodiscard]] const std::optional<ContactOccurrence>& occurrence() const {
        return ended_.occurrence;
    }
    [[nodiscard]] const std::optional<SwitchWatch::Crossing>& switched() const {
        return ended_.switched;
    }

    // Couplings engage and disengage as their conditions say, with a row before and after.
    bool engage(double until);
    // The run continues with the other branch of the switch at which the last step ends.
    bool pass_switch(double until);

    // What happens from here on becomes an entry of the course of the run, where that is asked for.
    struct CourseMark {
        State before;
        std::size_t first_row = 0, first_event = 0;
    };
    [[nodiscard]] CourseMark mark() const;
    void note(RunCourse::Kind kind, CourseMark from, std::size_t which = 0);

    // After choose_solver. When it is read, records are begun with the contacts in force.
    bool remember(Memory& memory);

private:
    void adopt_dynamics(bool near);
    [[nodiscard]] bool options_cross() const;
    void choose_dynamics();
    void choose_integrator();
    void note_transition(CourseMark from, const ContactOccurrence& occurrence);
    bool lost(double t) { return failure_.lost(t, contacts_->system()); }
    bool stuck(StepOutcome outcome);
    [[nodiscard]] double fixed_step() const;

    bool step(double stop);
    bool step_to(double t);
    [[nodiscard]] double latest_seen_end();
    bool makes_progress();
    bool keeps_pace();
    void begin_step();
    void find_switch();
    [[nodiscard]] bool begins_at_switch() const;
    bool go_on_after_switch(double until);
    bool cut_at_switch();
    bool correct_switch();
    void follow_switches();
    [[nodiscard]] bool comes_with_contact(double t);
    bool cut_at_contact();
    bool correct_end();
    bool shorten_until_projected();
    bool release_overload(double t);
    [[nodiscard]] std::optional<ContactOccurrence> first_occurrence();
    [[nodiscard]] bool is_unseen(const ContactOccurrence& o) const;

    const PlacedMechanism& placed_;
    const DynamicOptions& options_;
    DynamicResult& result_;
    RunRecord& record_;
    DynamicFailure failure_;
    Stepping stepping_;
    SwitchWatch switches_;
    SingularityWatch singularities_;
    std::optional<DynamicSystems> systems_;
    std::optional<ContactCycle> contacts_;
    struct Limits {
        StepLimits over_time;
        FeatureWatch over_motion;
    };
    std::optional<Limits> limits_;
    Mechanics* equations_ = nullptr;  // of the system in force
    Dynamics* dynamics_ = nullptr;
    State state_;
    struct Finished {
        State begin;                         // of the step that was finished last
        std::optional<PassedWindow> window;  // that was passed since its end
    } finished_;
    State between_;                  // inside the step
    bool end_is_projected_ = false;  // between_ is the end of the step, and the equations are there
    struct Ended {
        std::optional<ContactOccurrence> occurrence;
        std::optional<SwitchWatch::Crossing> switched;
        int paradox = 0;
    } ended_;  // at which the last step ends
    StiffnessWatch stiffness_;
    struct Progress {
        double from = -INFINITY;       // s
        long steps = 0;                // since then
        long cut_steps = 0;            // the last ones, whose bodies would have turned too far
        double pace_from = -INFINITY;  // s
        long pace_steps = 0;           // since then
        double paradox = -INFINITY;    // s: when sliding on had no solution last
        int paradoxes = 0;             // and how often from there
    } progress_;
};

}  // namespace pawl
