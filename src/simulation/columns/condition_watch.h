// When the conditions of the user's events become true along a motion that can be asked for at any
// time of an interval: of kinematic and quasi-static runs. Knows measures and conditions, no
// equations.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "coordinates/measures.h"
#include "results/event.h"

namespace pawl {

class ConditionWatch {
public:
    // The motion at a time; null where it is not known.
    using Motion = std::function<const Coordinates<PlanarSpace>*(double t)>;

    ConditionWatch(const PlanarMechanism& mechanism, std::vector<Event>& events);
    [[nodiscard]] bool empty() const { return mechanism_.events.empty(); }

    // Conditions that hold at the start are no events.
    void begin(const Coordinates<PlanarSpace>& start, double t) { hold_ = at(start, t); }
    // Tells what becomes true in (low, high]; `sample` is called with the motion at each time
    // before `high`. True where one of them ends the run. Four looks in the interval; what becomes
    // true and false again between two of them is seen where the looks show a curve towards it.
    bool pass(double low, double high, const Motion& motion, const std::function<void()>& sample);
    // After a jump of the motion: finds what is true now and was not.
    bool jump(const Coordinates<PlanarSpace>& now, double t);

private:
    // The first time in (low, high] at which one becomes true.
    std::optional<double> first(double low, double high, const Motion& motion);
    // The time, between the last three looks, at which one is true that was not; of the motion.
    std::optional<double> excursion_of(const std::array<double, 3>& times,
                                       const std::array<std::vector<double>, 3>& switches,
                                       const Motion& motion);
    bool report(double t);
    const std::vector<char>& at(const Coordinates<PlanarSpace>& motion, double t);
    [[nodiscard]] bool is_new(const std::vector<char>& now) const;

    const PlanarMechanism& mechanism_;
    std::vector<Event>& events_;
    std::vector<double> states_;  // of the user: as at the start
    std::vector<TimeJet<double>> channels_;
    std::vector<char> now_, hold_, next_;
    std::vector<double> switches_;  // of the conditions, where they were looked at last
};

// Records an event for each condition that holds now and did not before. True where one of them
// ends the run.
bool record_conditions(const PlanarMechanism& mechanism, const std::vector<char>& before,
                       const std::vector<char>& now, double t, std::vector<Event>& events);

// What a run that leaves them out says of couplings and of the conditions of events.
std::optional<std::string> unwatched(const PlanarMechanism& mechanism, bool watches_events);

}  // namespace pawl
