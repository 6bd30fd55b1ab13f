// The event cycle of the contacts in a dynamic run: what ends the flow (two profiles meet, a
// contact passes the end of an element, a contact lets go), and what happens then (impact, which
// contacts hold, on which elements).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/contact_problem.h"
#include "dynamics/friction_problem.h"
#include "dynamics/impact_system.h"
#include "events/contact_guards.h"
#include "events/gap_watch.h"
#include "simulation/contact_states.h"
#include "simulation/dynamic_systems.h"
#include "simulation/trajectory.h"

namespace pawl {

struct ContactOccurrence {
    enum class Kind {
        meets,        // an open place closes: gap = 0
        passes_end,   // the fraction of a closed contact on an element reaches 0 or 1
        lets_go,      // the normal force of a closed contact vanishes
        slip_ends,    // the slip of a place of friction comes to rest
        slip_begins,  // the friction of a place reaches its limit
    };
    Kind kind = Kind::meets;
    double t = 0;
    ContactPoint<PlanarSpace> point;  // meets: the place
    std::size_t index = 0;            // lets_go: which closed contact; friction: which place
    EndPassed passed;                 // passes_end
    [[nodiscard]] bool of_friction() const {
        return kind == Kind::slip_ends || kind == Kind::slip_begins;
    }
    double rate = 0;  // of the guard, where it is a force or a slip; 0: it jumps

    void remember(Memory& memory);
};

class ContactCycle {
public:
    using Space = PlanarSpace;
    using Point = ContactPoint<Space>;
    // State at a time inside the last step.
    using StateAt = std::function<const State&(double t)>;
    // The coordinates over the step.
    using PathOf = std::function<const PolynomialPath&()>;

    ContactCycle(const PlacedMechanism& placed, DynamicSystems& systems,
                 ContactProblem::Impacts impacts, std::vector<Event>& events);

    [[nodiscard]] bool empty() const {
        return watch_.empty() && permanent_.empty() && !layout_.has_friction();
    }
    [[nodiscard]] const std::vector<Point>& closed() const { return closed_; }
    [[nodiscard]] bool presses() const {  // a compliant contact is closed
        return std::any_of(closed_.begin(), closed_.end(),
                           [](const Point& point) { return point.compliant; });
    }
    // Normal forces of the closed contacts at a state; then where they are and how they slip.
    [[nodiscard]] const std::vector<double>& normal_forces(const State& state) {
        find_normal_forces(state, normal_forces_, false);
        return normal_forces_;
    }
    [[nodiscard]] const Point& point(std::size_t closed) {
        return system_->equations->contacts()[permanent_.size() + closed];
    }
    [[nodiscard]] bool found_solver() const { return system_ != nullptr; }
    // The system of the contacts that are closed now.
    [[nodiscard]] DynamicSystem& system() { return *system_; }
    [[nodiscard]] GapWatch& watch() { return watch_; }
    // Multipliers of all rows and the friction of each place of the system at a state, distributed
    // within the cones where rows depend on each other. Empty where there is no solution.
    struct Forces {
        bool solved = false;
        std::vector<double> lambda, friction, loads;
        double slack = 0;    // of forces that are shared, N
        bool loose = false;  // and the accelerations depend on how they are
        std::vector<int>
            yields;  // and the way each place would slide without slack; 0: it would not
    };
    const Forces& forces_at(const State& state);
    // The same, with the accelerations of the solver in force, which are those of this
    // distribution.
    const Forces& forces_with_motion(const State& state);
    // Whether the motion depends on how forces are shared: as at the begin of each step.
    [[nodiscard]] bool is_loose() const { return !system_->dynamics->response().start().empty(); }

    enum class Outcome {
        unchanged,  // the same contacts on the same elements: nothing to start again
        changed,
        jam,       // contacts and drivers leave no way: the impact problem has no solution
        overlap,   // profiles overlap at the start
        painleve,  // no forces fit the sliding
        chatter,   // more than 1000 events within 1e-3 of the time of a fall through the size
    };
    // The contacts that are closed at the start.
    Outcome begin(State& state);
    // The contacts of another run, permanent ones first, to go on with: review comes next.
    void take(std::span<const Point> contacts);
    [[nodiscard]] const std::vector<Point>& contacts() { return system_->equations->contacts(); }
    // What has come and gone until now, between two steps. When it is read, the system in force
    // follows.
    void remember(Memory& memory);
    // A step begins at this state: its forces are looked at once, for the step and for what may end
    // it. Returns whether the solver in force has its accelerations of this state.
    bool begin_step(const State& state);
    // The first occurrence in (t_low, t_high].
    std::optional<ContactOccurrence> first(double t_low, double t_high, const StateAt& state_at,
                                           const PathOf& path);
    // The switching function that fired, at a projected state, and its rate (NaN where it is not
    // known).
    std::pair<double, double> guard(const ContactOccurrence& occurrence, const State& state);
    // What follows: changes velocities, closed contacts and system, and records events.
    // `driver_work` is added to.
    Outcome resolve(const ContactOccurrence& occurrence, State& state,
                    std::span<double> driver_work);
    // Contacts may be struck or let go by what else has changed (an impulse, a switch).
    Outcome review(State& state, std::span<double> driver_work);

    // Contacts that cannot be kept closed together: those that carry nothing open. False when there
    // are none.
    bool simplify(State& state, std::span<double> driver_work);

    [[nodiscard]] const std::string& message() const { return message_; }
    [[nodiscard]] Span span() const { return span_; }
    [[nodiscard]] double touching() const { return touching_; }

private:
    static constexpr const char* thrown_off = "the impact throws it off";
    struct Touching {
        Point point;
        int was = -1;          // index in closed_; -1: was open
        bool passed = false;   // has just passed on to the next element
        bool pressed = false;  // comes after a compliant contact, pressed in as that was
    };
    Outcome solve(State& state, std::span<double> driver_work, std::vector<Touching> touching);
    // The problem of rigid contacts and all places of friction, beside compliant contacts.
    struct TouchingProblem {
        DynamicSystem *base, *all;
        ContactProblem problem;
    };
    [[nodiscard]] TouchingProblem problem_of(const std::vector<Point>& compliant,
                                             const std::vector<Point>& rigid);
    // ---- friction, in contact_friction.cpp ----
    Outcome solve_friction(ContactProblem& problem, DynamicSystem& all, State& state,
                           const std::vector<Touching>& touching, std::vector<Point> closed,
                           const std::vector<int>& at_rest, double forming,
                           std::span<double> driver_work);
    [[nodiscard]] FrictionTask task_of(ContactProblem& problem, DynamicSystem& all,
                                       const State& state, const std::vector<int>& contacts,
                                       const std::vector<int>& places);
    void note_friction(const State& state, const std::vector<Point>& contacts,
                       const std::vector<FrictionMode>& modes, const std::vector<double>& slips);
    void share(const State& state, Forces& forces);
    void take_sticking(Forces& forces) const;
    // Adds the guards of the places of friction to those of the contacts; after find_normal_forces.
    void add_friction_guards(const State& state, std::vector<double>& guards) const;
    // The slip rate of a place that counts as rest.
    [[nodiscard]] double slowest(std::size_t place) const;
    void arm_friction(const State& state);
    Outcome resolve_friction(const ContactOccurrence& occurrence, State& state,
                             std::span<double> driver_work);
    // A name that a place keeps while contacts come and go.
    struct PlaceKey {
        int joint, pair, number;
        bool rolling;
        bool operator==(const PlaceKey&) const = default;
    };
    [[nodiscard]] PlaceKey key_of(const FrictionMode& mode,
                                  const std::vector<Point>& contacts) const;
    [[nodiscard]] std::vector<Point> with_permanent(const std::vector<Point>& closed) const;

    bool strike(ContactProblem& problem, DynamicSystem& all, State& state,
                std::span<double> driver_work, const std::vector<Touching>& touching,
                double& forming);
    // Impulses of the touching contacts by their laws; false when they cannot give way.
    bool find_impulses(ContactProblem& problem, DynamicSystem& all,
                       const std::vector<Touching>& touching, const Eigen::VectorXd& restitution);
    bool tangential_impact_of(ContactProblem& problem, DynamicSystem& all, State& state,
                              std::span<double> driver_work, const std::vector<Touching>& touching);
    // Of each touching contact the rows of the problem along its normal, its slip and its rolling,
    // and their scales; -1: it has none.
    struct ImpactRows {
        std::vector<int> row;
        std::vector<double> scale;
    };
    [[nodiscard]] static ImpactRows impact_rows(DynamicSystem& all, std::size_t touching);
    [[nodiscard]] ImpactSystem impact_system(const ContactProblem& problem, DynamicSystem& all,
                                             const std::vector<Touching>& touching,
                                             const Eigen::VectorXd& restitution) const;
    [[nodiscard]] bool is_short(double time, double acceleration) const;
    [[nodiscard]] bool ends_with_the_others(double leaving, double pace) const;
    // Whether there are any.
    bool stop_hops(ContactProblem& problem, DynamicSystem& all, int touching, double pace) const;
    // Work of friction and rolling in the impact of a touching contact.
    [[nodiscard]] static double friction_work_of(const ContactProblem& problem,
                                                 const ImpactRows& rows, int touching);
    static void set_impulses(ContactProblem& problem, const ImpactRows& rows,
                             const Eigen::VectorXd& impulse, const Eigen::VectorXd& work);
    void number_points(std::vector<Touching>& touching) const;
    bool take_compliant(const State& state, std::vector<Touching>& touching,
                        std::vector<Point>& compliant);
    Outcome jam(const State& state, const std::vector<Point>& points, const std::string& what);
    void stop_creeping(ContactProblem& problem, const std::vector<Touching>& touching,
                       Eigen::VectorXd& leaving, State& state, std::span<double> driver_work);
    // Why contacts cannot give way, as far as the model tells.
    [[nodiscard]] std::string what_holds() const;
    [[nodiscard]] std::vector<Touching> collect(const State& state, double within);
    // Whether a place was closed and has let go at this very time: without an approach it does not
    // form again, whatever the rounding of forces that vanish together says, or forces that jump.
    [[nodiscard]] bool has_just_let_go(const Point& place, double t) const;
    Outcome pass_end(const ContactOccurrence& occurrence, State& state,
                     std::span<double> driver_work);
    void activate(std::vector<Point> closed, std::vector<FrictionMode> friction);
    [[nodiscard]] bool accumulates(const ContactOccurrence& meets, const State& state);
    void start_sharing(const State& state);
    void note(EventKind kind, double t, const Point& point, Event event = {});
    void note_formed(double t, const Point& point, double force);
    void note_lost(double t, const Point& point, std::string why);
    // A compliant contact begins to press.
    void note_pressed(double t, const Point& point, const std::string& why);
    // The force of a closed contact has come to zero: it opens, or is followed while pressed in.
    void let_go(std::size_t index, double t, std::vector<Touching>& touching);
    // Forces below this are rounding beside these: what touches without pressing stays open.
    [[nodiscard]] static double no_force(const Eigen::VectorXd& forces) {
        return forces.size() > 0 ? 1e-13 * forces.maxCoeff() : 0;
    }
    // Normal forces of all closed contacts; NaN where the equations have no solution. With `holds`
    // what vanishes with them.
    void find_normal_forces(const State& state, std::vector<double>& forces, bool holds);
    [[nodiscard]] double force_of(std::size_t closed, const State& state);
    // Positive while it goes on: each closed contact holds, then each place of friction sticks or
    // slides.
    const std::vector<double>& guards_at(const State& state);
    void sample_guards(std::size_t k, const State& state);
    [[nodiscard]] bool is_guarded() const {
        return !shared_ && closed_.size() + friction_.size() > 0;
    }
    [[nodiscard]] std::optional<ContactOccurrence> first_to_give_way(double t_low, double t_high,
                                                                     const StateAt& state_at);
    [[nodiscard]] const ContactPair<Space>& pair_of(const Point& point) const {
        return mechanism_.contacts[static_cast<std::size_t>(point.pair)];
    }
    [[nodiscard]] const Profile<Space>& chain_of(const Point& point, int side) const {
        const auto& pair = pair_of(point);
        return mechanism_
            .profiles[static_cast<std::size_t>(side == 0 ? pair.profile_a : pair.profile_b)]
            .chain;
    }

    const PlanarMechanism& mechanism_;
    AuxiliaryLayout layout_;
    DynamicSystems& systems_;
    ContactProblem::Impacts impacts_;
    std::vector<Event>& events_;
    double size_, touching_, still_;
    GapWatch watch_;
    EndWatch ends_;
    ContactStates contact_states_;
    std::vector<Point> permanent_, closed_;
    std::vector<double> normal_forces_, guards_;
    std::array<std::vector<double>, 3> samples_;  // of the guards: low end, middle, high end
    std::array<bool, 3> sampled_{};
    std::vector<std::pair<double, double>> seen_;  // times and values of a guard
    double begun_at_ = NAN;                        // the low end was sampled by begin_step
    double step_end_ = NAN;                        // the high end
    Forces forces_;                                // of the last state asked for
    std::vector<FrictionMode> friction_;           // of the system in force
    std::vector<char> armed_;                      // per place: it has slid faster than rounding
    bool shared_ = false;                          // its forces are one of many distributions
    // Places that begin to slide now, and the way; or that the mode in force ends now.
    std::vector<std::pair<PlaceKey, int>> begins_;
    bool mode_ends_ = false;
    bool began_ = false;  // the run is past its first mode
    bool warned_ = false;
    DynamicSystem* system_ = nullptr;
    std::vector<Point> let_go_;  // since
    double let_go_from_ = -INFINITY;
    std::deque<double> strikes_;  // times of the last impacts, for those that accumulate
    bool share_ = true;           // contacts may share a force that one of them could carry
    bool ending_ = false;         // the impact at hand is one of those and ends them
    std::vector<std::string>
        impact_texts_;   // per touching contact: what friction did in the impact
    std::string order_;  // several impacts at once: in which order
    double limit_ = 0;
    int skipped_ = 0;
    double crowd_from_ = -1;
    int crowd_ = 0;
    std::string message_;
    Span span_;
};

}  // namespace pawl
