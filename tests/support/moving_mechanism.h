// A mechanism in motion for tests of dynamics: assembled, with gravity, a damped torsion spring at
// its first joint, masses where the model gives none, and velocities that satisfy the rows.
#pragma once

#include <random>

#include "dynamics/formulations/formulations.h"
#include "support/runs.h"

namespace pawl::test {

class MovingMechanism {
public:
    using Space = PlanarSpace;

    MovingMechanism(std::string_view text, CoordinateKind kind, bool drivers,
                    const Overrides& overrides = {})
        : placed_(placed_of(text, overrides)) {
        auto& m = placed_.mechanism;
        for (std::size_t b = 1; b < m.bodies.size(); ++b)
            if (!m.bodies[b].mass) {
                m.bodies[b].mass = 1 + 0.3 * static_cast<double>(b);
                m.bodies[b].inertia = 0.02 * static_cast<double>(b);
                m.bodies[b].centre = {0.07, 0.02 * static_cast<double>(b)};
            }
        Force<Space> gravity, spring;
        gravity.kind = Gravity<Space>{};
        JointSpring<Space> law;
        law.stiffness = 3;
        law.damping = 0.2;
        law.rest = 0.5;
        spring.kind = law;
        spring.frames = {m.joints[0].frames[0], m.joints[0].frames[1]};
        spring.component = Component::angle;
        m.forces = {gravity, spring};
        MechanismEquations<Space>::Choice choice;
        choice.coordinates = kind;
        choice.drivers = drivers;
        equations_ = std::make_unique<MechanismEquations<Space>>(m, placed_.topology, choice);
        equations_->set_model_size(placed_.assembly.model_size);
        MultiplierDynamics multipliers(*equations_);
        state_.q = equations_->coordinates().from_positions(placed_.assembly.positions);
        state_.z.assign(static_cast<std::size_t>(multipliers.auxiliary_size()), 0.0);
        std::mt19937 random(7);
        for (int c = 0; c < equations_->size(); ++c)
            state_.v.push_back(placed_.assembly.model_size / equations_->column_scale()[c] *
                               (static_cast<double>(random()) / 4294967296.0 - 0.5));
        if (multipliers.project(state_) < 0)
            throw std::runtime_error("the first state cannot be projected");
    }

    [[nodiscard]] MechanismEquations<Space>& equations() { return *equations_; }
    [[nodiscard]] const State& state() const { return state_; }

private:
    PlacedMechanism placed_;
    std::unique_ptr<MechanismEquations<Space>> equations_;
    State state_;
};

}  // namespace pawl::test
