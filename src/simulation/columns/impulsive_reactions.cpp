#include "simulation/columns/impulsive_reactions.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances/records.h"

namespace pawl {

ImpulsiveReactions::ImpulsiveReactions(const PlacedMechanism& placed)
    : mechanism_(placed.mechanism), size_(placed.assembly.model_size), reactions_(placed, {}) {}

// Newton and Euler over an infinitely short time: m dv = impulses. With the velocities at zero and
// the jump in place of the accelerations the balance of forces is that of impulses.
std::optional<fact::JointImpulses> ImpulsiveReactions::find(
    MechanismEquations<Space>& equations, const State& state, std::span<const double> jump,
    const std::vector<Space::Wrench>& known, std::span<const ContactPoint<Space>> permanent) {
    if (reactions_.joints().empty() && reactions_.drivers().empty()) return std::nullopt;
    Coordinates<Space>& motion = equations.coordinates();
    const std::vector<double> still(jump.size(), 0.0);
    motion.set_position(state.q);
    motion.set_velocity(still);
    motion.set_acceleration(jump);
    std::copy(permanent.begin(), permanent.end(), reactions_.contacts().begin());
    double largest = 0;
    for (const Space::Wrench& w : known)
        largest = std::max({largest, std::abs(w.f.x), std::abs(w.f.y), std::abs(w.m) / size_});
    reactions_.solve(motion, equations.inertia(), known, state.t, largest);
    motion.set_velocity(state.v);
    motion.set_acceleration({});
    // What is less is rounding of the known ones.
    const auto cleaned = [&](double x, double scale) {
        return std::abs(x) <= tolerance::impulse_noise * largest * scale ? 0.0 : x;
    };
    fact::JointImpulses out;
    const auto add = [&](const std::string& name, const Space::Wrench& on_b) {
        out.joints.push_back(name);
        out.x.push_back(cleaned(on_b.f.x, 1));
        out.y.push_back(cleaned(on_b.f.y, 1));
        out.moment.push_back(cleaned(on_b.m, size_));
    };
    for (std::size_t j = 0; j < mechanism_.joints.size(); ++j)
        if (mechanism_.joints[j].row_count() > 0)
            add(mechanism_.joints[j].name, reactions_.joints()[j].on_b);
    for (std::size_t i = 0; i < permanent.size(); ++i)
        add(mechanism_.contacts[static_cast<std::size_t>(permanent[i].pair)].name,
            {reactions_.contact_force(i) * reactions_.contacts()[i].touch.n, 0});
    for (std::size_t i = 0; i < mechanism_.drivers.size(); ++i) {
        const bool turns = mechanism_.drivers[i].coordinate.component == Component::angle;
        out.drivers.push_back(mechanism_.drivers[i].name);
        out.driver_impulses.push_back(cleaned(reactions_.drivers()[i], turns ? size_ : 1));
        out.driver_units.emplace_back(turns ? "N m s" : "N s");
    }
    if (out.joints.empty() && out.drivers.empty()) return std::nullopt;
    return out;
}

}  // namespace pawl
