// What a dynamic run reports of its joints with play: how long and how often they touch at no
// point, at one, at two; the impulses of their impacts, and normal force times slip speed, on which
// wear depends.
#pragma once

#include <functional>
#include <map>

#include "results/clearance_report.h"
#include "results/event.h"
#include "simulation/event_cycle/contact_cycle.h"

namespace pawl {

class ClearanceRecord {
public:
    using StateAt = ContactCycle::StateAt;

    ClearanceRecord(const PlanarMechanism& mechanism, ContactCycle& contacts);

    [[nodiscard]] bool empty() const { return joints_.empty(); }
    // A step in one mode of contact, before anything else is done with it.
    void step(double t_old, double t_new, const StateAt& state_at);
    void remember(Memory& memory);
    [[nodiscard]] std::vector<ClearanceReport> close(const std::vector<Event>& events);

private:
    // Of one joint, or of one point, at a time.
    struct Loads {
        std::vector<double> power;    // per joint: normal force x slip speed, W
        std::vector<double> normals;  // per closed contact, N
    };
    [[nodiscard]] Loads loads_at(const State& state);
    void count_mode(std::size_t i, double duration);
    void end_contacts();

    const PlanarMechanism& mechanism_;
    ContactCycle& contacts_;
    std::vector<int> joints_, joint_of_pair_;  // -1: a contact of its own
    std::vector<ClearanceReport> reports_;
    std::vector<int> mode_;
    std::map<std::pair<int, int>, double> impulses_;  // of the compliant points that are closed
    double time_ = 0;
};

}  // namespace pawl
