// Couplings that engage and disengage: the inelastic impact and what is reported of it.
#include <algorithm>
#include <cmath>

#include "simulation/event_cycle/contact_cycle.h"

namespace pawl {

bool ContactCycle::is_coupled_otherwise(const std::vector<char>& engaged) const {
    std::vector<char> now(world_.mechanism.couplings.size(), 0);
    for (const EngagedCoupling& c : mode_.engaged) now[static_cast<std::size_t>(c.coupling)] = 1;
    return now != engaged;
}

// Over an infinitely short time M (v+ - v-) = G^T p with G v+ = nu: the rows that were there
// before have that velocity already, and the new ones, from where they find the bodies, come to it.
// The work of row r is p_r (g_r v- + g_r v+)/2, of a coupling thus -p_r asked_r/2.
bool ContactCycle::engage(const std::vector<char>& engaged, State& state) {
    follow_points();
    const auto& couplings = world_.mechanism.couplings;
    auto& now = *system_->equations;
    now.set_position(state.q, state.t);
    std::vector<EngagedCoupling> next;
    std::vector<std::size_t> newly;
    for (std::size_t i = 0; i < couplings.size(); ++i) {
        const auto held = std::find_if(
            mode_.engaged.begin(), mode_.engaged.end(),
            [&](const EngagedCoupling& c) { return c.coupling == static_cast<int>(i); });
        const bool was = held != mode_.engaged.end();
        if (engaged[i] && !was) newly.push_back(next.size());
        if (engaged[i] && was) next.push_back(*held);
        if (engaged[i] && !was)
            next.push_back({static_cast<int>(i), now.coupling_values(static_cast<int>(i))});
        if (!engaged[i] && was) {
            Event e;
            e.t = state.t;
            e.kind = EventKind::disengage;
            e.element = couplings[i].joint.name;
            e.facts = {Cause::condition_fails};
            events_.push_back(std::move(e));
        }
    }
    mode_.engaged = std::move(next);
    if (!newly.empty()) {
        std::vector<Point> compliant;
        std::copy_if(mode_.closed.begin(), mode_.closed.end(), std::back_inserter(compliant),
                     [](const Point& point) { return point.compliant; });
        DynamicSystem* base = world_.systems.with(mode_.permanent, compliant, {}, mode_.engaged);
        base->dynamics->forget();
        if (!base->dynamics->set_position(state)) return false;
        const std::vector<double> before = state.v;
        std::vector<double> asked, work, jump(state.v.size());
        base->dynamics->stop_rows(state.v, asked, work);
        for (std::size_t c = 0; c < jump.size(); ++c) jump[c] = state.v[c] - before[c];
        for (std::size_t d = 0; d < work.size(); ++d) state.z[world_.layout.drivers + d] += work[d];
        const std::vector<double> impulses = base->dynamics->answering_rows();
        note_engaged(newly, *base->equations, state, jump, asked, impulses);
    }
    enforce();
    return true;
}

void ContactCycle::note_engaged(const std::vector<std::size_t>& engaged,
                                MechanismEquations<Space>& equations, State& state,
                                std::span<const double> jump, const std::vector<double>& asked,
                                const std::vector<double>& impulses) {
    std::vector<Space::Wrench> on_bodies(world_.mechanism.bodies.size());
    const auto on_second = equations.add_coupling_wrenches(impulses, on_bodies);
    std::optional<fact::JointImpulses> of_joints;
    if (world_.impulses)
        of_joints = world_.impulses->find(equations, state, jump, on_bodies, mode_.permanent);
    if (!of_joints) of_joints.emplace();
    for (std::size_t i = 0; i < mode_.engaged.size(); ++i) {
        const auto coupling = static_cast<std::size_t>(mode_.engaged[i].coupling);
        of_joints->joints.push_back(world_.mechanism.couplings[coupling].joint.name);
        of_joints->x.push_back(on_second[i].f.x);
        of_joints->y.push_back(on_second[i].f.y);
        of_joints->moment.push_back(on_second[i].m);
    }
    for (const std::size_t index : engaged) {
        const auto coupling = static_cast<std::size_t>(mode_.engaged[index].coupling);
        Event e;
        e.t = state.t;
        e.kind = EventKind::engage;
        e.element = world_.mechanism.couplings[coupling].joint.name;
        e.impulse = std::hypot(on_second[index].f.x, on_second[index].f.y);
        const auto [first, count] = equations.coupling_rows(index);
        for (int r = first; r < first + count; ++r)
            e.energy_change -=
                0.5 * impulses[static_cast<std::size_t>(r)] * asked[static_cast<std::size_t>(r)];
        state.z[world_.layout.couplings + coupling] += e.energy_change;
        e.facts = {Cause::condition_holds};
        if (index == engaged.front()) e.facts.emplace_back(*of_joints);
        events_.push_back(std::move(e));
    }
}

}  // namespace pawl
