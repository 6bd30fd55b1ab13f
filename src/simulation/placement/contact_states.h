// The degrees of freedom and the loops of a mechanism with a given set of closed contacts: what an
// event that changes the set leaves. A rigid contact counts as a joint; drivers and compliant
// contacts, which are forces, do not count.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "contact/contact_point.h"
#include "math/memory.h"
#include "results/event.h"
#include "results/trajectory.h"
#include "simulation/placement/assembly.h"

namespace pawl {

class ContactStates {
public:
    using Point = ContactPoint<PlanarSpace>;
    explicit ContactStates(const PlacedMechanism& placed) : placed_(placed) {}

    // Adds what is left to the last event that has closed or opened a contact at the present time,
    // if the set is not that of the call before. The bodies are where `coordinates` has them.
    void note(std::vector<Event>& events, const Coordinates<PlanarSpace>& coordinates,
              const std::vector<Point>& permanent, const std::vector<Point>& closed);

    void remember(Memory& memory) { memory(last_); }

private:
    using Key = std::vector<std::pair<int, int>>;  // pair and number of each closed contact
    [[nodiscard]] fact::ContactState state(const Coordinates<PlanarSpace>& coordinates,
                                           const std::vector<Point>& permanent,
                                           const std::vector<Point>& closed) const;

    const PlacedMechanism& placed_;
    Key last_;
    std::map<Key, fact::ContactState> states_;  // each is worked out once, where it is first met
};

}  // namespace pawl
