// A neighbour of a model that takes the course of the model's run: the same mode in the same
// places, the same occurrences, at times of its own. Everything is a function of the point that is
// given; nothing is remembered of the motion.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulation/record/dynamic_record.h"
#include "simulation/sensitivity/frozen_step.h"
#include "simulation/sensitivity/run_course.h"
#include "simulation/stepping/switches.h"

namespace pawl {

// Where a neighbour is: its time, state, and the numbers that its mode carries.
struct ShadowPoint {
    State state;
    Mode mode;
    std::vector<double> error5, error3;  // of the last step, see FrozenStep
    std::vector<Event> events;           // of the last transition
};

// The numbers in a mode that follow continuously from what happened before.
std::vector<double*> continuous_numbers(Mode& mode);
// Whether two modes differ in such numbers and in points alone; where not, `why` says how.
bool is_same_mode(const Mode& a, const Mode& b, std::string& why);

class Shadow {
public:
    Shadow(PlacedMechanism placed, const DynamicOptions& options);
    Shadow(const Shadow&) = delete;  // parts refer to each other
    Shadow& operator=(const Shadow&) = delete;

    // Why the last function gave false.
    [[nodiscard]] const std::string& problem() const { return problem_; }

    // The state at the start, before contacts answer.
    bool begin(ShadowPoint& point);
    // Looks at the point from now on; `near` as in the course.
    void look(const ShadowPoint& point, const RunCourse::Entry& from);
    // Onto the constraints of its mode; what sticks or is engaged holds the point where it is.
    // After look().
    bool settle(ShadowPoint& point, const RunCourse::Entry& from);
    // How fast the state moves on. After look().
    bool rates(const State& state, State& rates);
    // On by h, with the mode of the point, and onto the constraints.
    bool flow(ShadowPoint& point, double h);
    // On by about h, to where the occurrence comes or the switch changes.
    bool flow_to(ShadowPoint& point, double h, const ContactOccurrence& occurrence);
    bool flow_to_switch(ShadowPoint& point, double h, std::size_t which);
    // What follows from an event of the course.
    bool pass(ShadowPoint& point, const RunCourse::Entry& entry);
    // From before a step, the contacts that meet at its end one after the other, as they come: up
    // to a given time. `together` are the events of the course.
    bool pass_each(ShadowPoint& point, double end, const RunCourse::Entry& entry,
                   std::span<const Event> together);
    // The time of a break.
    [[nodiscard]] double break_time(std::size_t which) const;
    // A row at the point: its number in rows(); none where its forces have no solution.
    std::optional<std::size_t> sample(ShadowPoint point);
    // All that were sampled, with the columns of the contacts: the last thing to ask for.
    const Trajectory& rows();

    [[nodiscard]] const MechanismEquations<PlanarSpace>& equations() {
        return *cycle_.system().equations;
    }

private:
    template <class Guard>
    bool flow_to_zero(ShadowPoint& point, double h, const Guard& guard);
    bool project(State& state);
    [[nodiscard]] std::vector<ContactOccurrence> each_of(const ContactOccurrence& first,
                                                         std::span<const Event> together);
    bool transit(ShadowPoint& point, const ContactOccurrence& occurrence);
    bool give_impulses(ShadowPoint& point);
    bool fail(std::string why) {
        problem_ = std::move(why);
        return false;
    }

    PlacedMechanism placed_;
    DynamicOptions options_;
    DynamicResult aside_;
    DynamicSystems systems_;
    ContactCycle cycle_;
    Switches switches_;
    std::unique_ptr<DynamicRecord> record_;
    std::vector<double> breaks_, y_;
    FrozenStep step_;
    std::string problem_;
    bool widened_ = false;
};

}  // namespace pawl
