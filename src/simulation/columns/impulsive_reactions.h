// Impulsive reactions of joints and drivers where velocities jump, from the balance of every body:
// the change of its momentum minus the impulses that are known is what the joints have given. The
// same whatever the coordinates of the run.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "results/event.h"
#include "results/state.h"
#include "simulation/columns/reactions.h"

namespace pawl {

class ImpulsiveReactions {
public:
    using Space = PlanarSpace;
    explicit ImpulsiveReactions(const PlacedMechanism& placed);

    // The velocities of `state` have just jumped by `jump` in the coordinates of `equations`;
    // `known` are the impulses of contacts and of the user on the bodies, at their origins. None
    // where there is nothing that could answer.
    std::optional<fact::JointImpulses> find(MechanismEquations<Space>& equations,
                                            const State& state, std::span<const double> jump,
                                            const std::vector<Space::Wrench>& known,
                                            std::span<const ContactPoint<Space>> permanent);

private:
    const PlanarMechanism& mechanism_;
    double size_;  // of the model
    Reactions reactions_;
};

}  // namespace pawl
