#include "simulation/stepping/dynamic_systems.h"

namespace pawl {

void DynamicSystems::make(Kept& kept, const std::vector<ContactPoint<PlanarSpace>>& closed,
                          const std::vector<FrictionMode>& friction,
                          const std::vector<EngagedCoupling>& couplings) {
    DynamicSystem& system = kept.system;
    Equations_::Choice choice = choice_;
    choice.contacts = closed;
    choice.friction = friction;
    choice.couplings = couplings;
    choice.sides = &sides_;
    system.equations =
        make_equations_ ? make_equations_(placed_, choice)
                        : std::make_unique<Equations_>(placed_.mechanism, placed_.topology, choice);
    system.equations->set_model_size(placed_.assembly.model_size);
    system.dynamics = make_solver_ ? make_solver_(*system.equations)
                                   : make_dynamics(dynamics_, *system.equations);
    kept.size = static_cast<std::size_t>(100 + system.equations->size() +
                                         system.equations->pattern().rows());
    taken_ += kept.size;
}

void DynamicSystems::tidy(const DynamicSystem& in_force) {
    while (taken_ > room_ && made_.size() > 1) {
        auto oldest = made_.end();
        for (auto i = made_.begin(); i != made_.end(); ++i)
            if (&i->second.system != &in_force &&
                (oldest == made_.end() || i->second.used < oldest->second.used))
                oldest = i;
        taken_ -= oldest->second.size;
        made_.erase(oldest);
    }
}

DynamicSystem* DynamicSystems::with(const std::vector<ContactPoint<PlanarSpace>>& permanent,
                                    const std::vector<ContactPoint<PlanarSpace>>& closed,
                                    const std::vector<FrictionMode>& friction,
                                    const std::vector<EngagedCoupling>& couplings) {
    std::vector<int> key;
    // Rows and friction points have the names of their points.
    for (const auto& point : closed) key.insert(key.end(), {point.pair, point.number});
    for (const auto& mode : friction)
        key.insert(key.end(),
                   {-1, mode.joint, mode.contact, static_cast<int>(mode.rolling), mode.direction});
    for (const auto& engaged : couplings) key.insert(key.end(), {-2, engaged.coupling});
    auto [known, is_new] = made_.try_emplace(key);
    if (is_new) make(known->second, closed, friction, couplings);
    known->second.used = ++uses_;
    DynamicSystem& system = known->second.system;
    auto& contacts = system.equations->contacts();
    std::size_t i = 0;
    for (const auto& point : permanent) contacts[i++] = point;
    for (const auto& point : closed) contacts[i++] = point;
    for (std::size_t k = 0; k < friction.size(); ++k)
        system.equations->friction_modes()[k].held = friction[k].held;
    for (std::size_t k = 0; k < couplings.size(); ++k)
        system.equations->couplings()[k].held = couplings[k].held;
    system.equations->settle_contacts();
    return system.dynamics ? &system : nullptr;
}

}  // namespace pawl
