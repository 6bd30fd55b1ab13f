// The work of one transition: what it has found so far. Lives as long as the call; in the files
// transition*.cpp.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/impact/impact_limit.h"
#include "dynamics/impact/impact_system.h"
#include "math/tolerances/motion.h"
#include "results/event.h"
#include "simulation/event_cycle/contact_forces.h"
#include "simulation/event_cycle/touching_problem.h"
#include "simulation/event_cycle/transition.h"

namespace pawl {

class TransitionWork {
public:
    using Point = Mode::Point;
    using Outcome = Transition::Outcome;

    TransitionWork(ContactWorld& world, const Mode& mode, const State& state);
    void pass(const ContactOccurrence& occurrence) { result_.outcome = resolve(occurrence); }
    [[nodiscard]] Transition take() { return std::move(result_); }

private:
    struct Touching {
        Point point;
        int was = -1;          // index in the closed contacts before; -1: was open
        bool passed = false;   // has just passed on to the next element
        bool pressed = false;  // comes after a compliant contact, pressed in as that was
    };
    // Impacts that accumulate end at a time, after so many more.
    struct Accumulation {
        double t = 0;
        int skipped = 0;
        bool settled = true;  // by the times of impacts; else only by the limit of all that hop
    };
    // What is known of what follows, besides the state.
    struct Given {
        // Places that begin to slide, and the way.
        std::vector<std::pair<FrictionPointName, int>> begins;
        bool rest_ends = false;  // of some friction point that sticks, whichever
        std::optional<FrictionPointName>
            stops;          // the friction point whose slip has come to its end
        bool share = true;  // contacts may share a force that one of them could carry
        std::optional<Accumulation> ending;  // the impact at hand ends those that accumulate
    };

    // ---- transition.cpp ----
    [[nodiscard]] double own_acceleration();
    Outcome resolve(const ContactOccurrence& occurrence);
    Outcome start();
    Outcome disturb();
    Outcome simplify();
    Outcome leave_paradox();
    Outcome meet(const ContactOccurrence& occurrence);
    void add_meeting(const ContactOccurrence& occurrence, std::vector<Touching>& touching);
    Outcome pass_end(const ContactOccurrence& occurrence);
    Outcome pass_on(const ContactOccurrence& occurrence, std::vector<Touching> touching);
    Outcome lose_at_end(const ContactOccurrence& occurrence, std::vector<Touching> touching);
    Outcome turn_friction(const ContactOccurrence& occurrence);
    [[nodiscard]] std::vector<Touching> collect(double within);
    [[nodiscard]] std::vector<Touching> closed_ones();
    // Whether a contact was closed and was released at this very time: without an approach it does
    // not form again, whatever the rounding of forces that vanish together says, or forces that
    // jump.
    [[nodiscard]] bool was_just_released(const Point& point) const;
    // The force of a closed contact has come to zero: it opens, or is followed while pressed in.
    void release_contact(std::size_t index, std::vector<Touching>& touching);
    [[nodiscard]] std::optional<Accumulation> accumulation(const ContactOccurrence& meets);
    Outcome fail(Outcome outcome, std::string message, Span span);

    // ---- transition_solution.cpp ----
    Outcome solve(std::vector<Touching> touching, const Given& given);
    [[nodiscard]] bool is_infirm(const Point& point) const;
    void drop_corners_on_corners(std::vector<Touching>& touching) const;
    void number_points(std::vector<Touching>& touching) const;
    bool take_compliant(std::vector<Touching>& touching, std::vector<Point>& compliant);
    [[nodiscard]] std::vector<EventFact> why_passed(const Point& before,
                                                    const EndPassed& passed) const;
    [[nodiscard]] std::optional<Point> pressed_beyond(const Point& before, const EndPassed& passed);
    [[nodiscard]] std::optional<Point> pressed_beside(const Point& before);
    // A compliant contact begins to press; false where its law has no force.
    bool begin_to_press(Touching& touching);
    void stop_creeping(ContactProblem& problem, const std::vector<Touching>& touching,
                       Eigen::VectorXd& leaving);
    Outcome solve_forces(ContactProblem& problem, const std::vector<Touching>& touching,
                         std::vector<Point> closed, const std::vector<int>& at_rest,
                         const Eigen::VectorXd& leaving, const std::vector<double>& forming,
                         bool share);
    Outcome jam(const std::vector<Touching>& touching, const EventFact& what);
    // Why contacts cannot yield, as far as the model shows.
    [[nodiscard]] fact::Held held(fact::Held::Manner manner) const;
    [[nodiscard]] double speed() const;
    void activate(std::vector<Point> closed, std::vector<FrictionMode> friction);
    // Forces below this are rounding beside these: what touches without pressing stays open.
    [[nodiscard]] static double no_force(const Eigen::VectorXd& forces) {
        return forces.size() > 0 ? tolerance::load_rounding * forces.maxCoeff() : 0;
    }

    // ---- transition_impact.cpp; what accumulates and what is captured: transition_limit.cpp ----
    // What the laws of impact say of the contacts, beside the impulses in the problem.
    struct Struck {
        bool solved = false;
        // Per touching contact: what friction did.
        std::vector<std::optional<fact::FrictionImpulse>> friction;
        fact::ImpactOrder order;  // of several at once
    };
    // Impulses of the touching contacts; sets when each has come to rest where impacts accumulate.
    // False when they cannot yield.
    bool strike(TouchingProblem& problem, const std::vector<Touching>& touching,
                const std::optional<Accumulation>& ending, std::vector<double>& forming);
    ImpactSystemResult solve_impacts(const ImpactSystem& system, fact::ImpactOrder& order) const;
    Struck find_impulses(TouchingProblem& problem, const std::vector<Touching>& touching,
                         const Eigen::VectorXd& restitution);
    void find_plain_impulses(ContactProblem& problem, const Eigen::VectorXd& restitution,
                             Struck& struck) const;
    // An impact without collision, where the contacts at rest have no forces; false where there is
    // none, or a contact must not have it.
    bool impact_without_collision(TouchingProblem& problem, const std::vector<Touching>& touching,
                                  const std::vector<int>& at_rest);
    // What a very short time does to the contacts at rest: changes of velocity that vanish with it,
    // or that do not (`jumps`). Slips below `rest` have come to rest.
    struct ShortTime : ImpactSystemResult {
        bool jumps = false;
        double rest = 0;
    };
    [[nodiscard]] ShortTime short_time(const TouchingProblem& problem,
                                       const std::vector<Touching>& touching,
                                       const std::vector<int>& at_rest,
                                       double part = tolerance::slip_part) const;
    [[nodiscard]] ImpactSystem impact_system(const TouchingProblem& problem,
                                             const std::vector<Touching>& touching,
                                             const Eigen::VectorXd& restitution) const;
    void follow_speeds(ImpactSystem& system, const std::vector<Touching>& touching,
                       const Eigen::VectorXd& restitution) const;
    // Rebounds that are taken as plastic, each with the words of its event; sets their restitution.
    struct Captured {
        std::vector<std::optional<EventFact>> stays;  // per touching contact
        double acceleration = 0;                      // the largest of a contact
        bool awaits_others = false;  // some hop on, since other hops strike them before they end
    };
    Captured capture(TouchingProblem& problem, const std::vector<Touching>& touching,
                     const std::optional<Accumulation>& ending, Eigen::VectorXd& restitution,
                     std::vector<double>& forming);
    // What the contacts do after a blow.
    struct Hops {
        Eigen::VectorXd free;     // accelerations of all rows where nothing holds
        Eigen::VectorXd falls;    // accelerations with which the contacts close again
        double acceleration = 0;  // the largest
        std::vector<char> low;    // hops that cannot be distinguished from rest
        std::vector<char> ends;   // contacts that come to rest with the impacts that accumulate
        std::optional<ImpactLimit> limit;
        double left = 0;  // until what ends together has ended
    };
    Hops hops_after(TouchingProblem& problem, const State& after,
                    const std::vector<Touching>& touching, const Eigen::VectorXd& restitution,
                    const std::optional<Accumulation>& ending) const;
    bool find_low_hops(ContactProblem& problem, const State& after,
                       const std::vector<Touching>& touching, const Eigen::VectorXd& restitution,
                       Hops& hops) const;
    [[nodiscard]] std::optional<ImpactLimit> limit_of(const Hops& hops,
                                                      const std::vector<char>& accumulates,
                                                      const TouchingProblem& problem,
                                                      const std::vector<Touching>& touching,
                                                      const Eigen::VectorXd& restitution) const;
    [[nodiscard]] double largest_acceleration(const std::vector<Touching>& touching,
                                              const Eigen::VectorXd& free,
                                              const Eigen::VectorXd& falls) const;
    [[nodiscard]] std::optional<ImpactLimit> limit_after(const TouchingProblem& problem,
                                                         const std::vector<Touching>& touching,
                                                         const std::vector<int>& concerned,
                                                         const Eigen::VectorXd& restitution,
                                                         const Eigen::VectorXd& free) const;

    [[nodiscard]] Accumulation end_of(const std::optional<ImpactLimit>& limit, int i,
                                      double rebound, double falls, double restitution) const;
    void record_impact(TouchingProblem& problem, const std::vector<Touching>& touching,
                       const Eigen::VectorXd& arriving, const Eigen::VectorXd& rebound,
                       const std::vector<std::optional<EventFact>>& ending, const Struck& struck);
    void note_joint_impulses(TouchingProblem& problem, std::size_t touching,
                             const std::vector<double>& before, std::size_t first);
    // Lower ones are rest: those near what counts as touching could not be seen to end.
    [[nodiscard]] double lowest_hop() const { return tolerance::hop * world_.size; }
    // Slower ones stay within what counts as touching, where things fall with `acceleration`.
    [[nodiscard]] double lowest_rebound(double acceleration) const {
        return std::sqrt(2 * acceleration * world_.touching);
    }
    [[nodiscard]] bool is_short(double time, double acceleration) const;
    [[nodiscard]] bool ends_with_the_others(double leaving, double acceleration) const;
    std::vector<int> stop_hops(TouchingProblem& problem, int touching, double acceleration,
                               bool ending) const;
    bool close_beside_others(ContactProblem& problem,
                             const std::vector<std::optional<EventFact>>& stays) const;

    // ---- transition_together.cpp ----
    [[nodiscard]] std::vector<int> connected_bodies() const;
    [[nodiscard]] bool feels(const std::vector<int>& group, const Point& a, const Point& b) const;
    bool is_struck_in(double time, const std::vector<Touching>& touching, const State& after);
    std::optional<Outcome> end_together(const ContactOccurrence& meets);
    std::optional<Accumulation> hop_together(const ContactOccurrence& meets,
                                             std::vector<Touching>& touching);
    [[nodiscard]] bool is_open(const Touching& x) const {
        return x.was < 0 && x.point.touch.gap > world_.touching;
    }
    // By a hop: those end with the others.
    [[nodiscard]] bool any_open(const std::vector<Touching>& touching) const;
    Struck strike_now(TouchingProblem& together, const std::vector<Touching>& touching,
                      const Eigen::VectorXd& restitution);

    // ---- transition_friction.cpp ----
    Outcome solve_friction(TouchingProblem& problem, const std::vector<Touching>& touching,
                           std::vector<Point> closed, const std::vector<int>& at_rest,
                           const std::vector<double>& forming, const Given& given);
    [[nodiscard]] std::vector<int> rubbing_points(const TouchingProblem& problem, int touching,
                                                  const std::vector<int>& at_rest) const;
    // Directions that are known; per friction point the way it goes on that has just begun, else 0.
    std::vector<int> give_directions(const TouchingProblem& problem, int touching,
                                     const std::vector<int>& friction_points, const Given& given,
                                     FrictionTask& task) const;
    // Slips that count as rest may be too fast for it: takes the directions of a very short time.
    // False where that has none.
    [[nodiscard]] bool take_slow_slips(const TouchingProblem& problem,
                                       const std::vector<Touching>& touching,
                                       const std::vector<int>& at_rest,
                                       const std::vector<int>& friction_points,
                                       FrictionTask& task) const;
    Outcome no_friction_fits(TouchingProblem& problem, const std::vector<Touching>& touching,
                             const std::vector<Point>& closed, const std::vector<int>& at_rest,
                             const std::vector<int>& friction_points);
    void note_choice(const TouchingProblem& problem, const FrictionProblem& friction,
                     FrictionOutcome outcome, const FrictionTask& task,
                     const std::vector<int>& friction_points);
    void take_answer(TouchingProblem& problem, const std::vector<Touching>& touching,
                     std::vector<Point> closed, const std::vector<int>& at_rest,
                     const std::vector<int>& friction_points, const FrictionAnswer& answer,
                     const std::vector<double>& forming);
    // What changes between the mode before and the next one.
    void note_friction(const Mode& next, const std::vector<double>& slips);

    // ---- records ----
    void note(EventKind kind, const Point& point, Event event = {});
    void note_formed(double t, const Point& point, double force);
    void note_lost(const Point& point, std::vector<EventFact> why);
    void note_pressed(const Point& point, const fact::Compression& how);

    [[nodiscard]] const ContactPair<PlanarSpace>& pair_of(const Touching& x) const {
        return world_.pair_of(x.point);
    }
    [[nodiscard]] std::span<double> driver_work() {
        return std::span(result_.state.z)
            .subspan(world_.layout.drivers, world_.mechanism.drivers.size());
    }

    ContactWorld& world_;
    Mode before_;
    DynamicSystem* system_;  // of the mode before
    ContactForces forces_;   // of the same
    double still_ = 0;       // velocities below this are rest
    Transition result_;
    int impacts_without_collision_ = 0;  // impacts without collision in it
    bool ends_apart_ = false;  // hops of several contacts have no common end: nothing was struck
};

}  // namespace pawl
