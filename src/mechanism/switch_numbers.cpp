#include "mechanism/switch_numbers.h"

#include "mechanism/force_expressions.h"

namespace pawl {

namespace {

using Space = PlanarSpace;

// Marks the measures that an expression looks at; `first` is the slot of the first one.
void mark(const Expression& expression, std::size_t first, std::vector<char>& used) {
    for (int slot : expression.slots_used()) {
        if (slot >= rate_slots) slot -= rate_slots;
        const auto i = static_cast<std::size_t>(slot);
        if (i >= first && i < first + used.size()) used[i - first] = 1;
    }
}

// Values and rates of measures stand one after the other.
void mark(const ForceExpression& e, std::vector<char>& used) {
    for (const int slot : e.expression.slots_used()) {
        const auto i = static_cast<std::size_t>(slot), first = e.parameters.size() + 1;
        if (i >= first && i < first + 2 * used.size()) used[(i - first) % used.size()] = 1;
    }
    if (e.computed) std::fill(used.begin(), used.end(), 1);
}

// Those that drivers, states and forces depend on; an expression uses only measures above it.
std::vector<char> measures_in_motion(const PlanarMechanism& mechanism) {
    std::vector<char> used(mechanism.measures.size(), 0);
    if (used.empty()) return used;
    for (const auto& state : mechanism.states) mark(state.rate, used);
    for (const auto& force : mechanism.forces)
        for_each_expression(force, [&](const ForceExpression& e) { mark(e, used); });
    for (std::size_t i = used.size(); i-- > 0;)
        if (const auto* e = std::get_if<ExpressionMeasure<Space>>(&mechanism.measures[i].kind))
            if (used[i]) mark(e->value.expression, e->value.parameters.size() + 1, used);
    return used;
}

}  // namespace

void number_switches(PlanarMechanism& mechanism) {
    int next = 0;
    const auto number = [&](auto& owner) {
        const int count = owner.expression.switch_count();
        owner.first_switch = count > 0 ? next : -1;
        next += count;
    };
    for (auto& driver : mechanism.drivers)
        if (auto* law = std::get_if<ExpressionLaw<double>>(&driver.law)) number(law->value);
    const std::vector<char> in_motion = measures_in_motion(mechanism);
    for (std::size_t i = 0; i < in_motion.size(); ++i)
        if (auto* e = std::get_if<ExpressionMeasure<Space>>(&mechanism.measures[i].kind)) {
            e->value.first_switch = -1;
            if (in_motion[i]) number(e->value);
        }
    for (UserState& state : mechanism.states) number(state.rate);
    for (auto& force : mechanism.forces) {
        std::visit(
            [&](const auto& kind) {
                if constexpr (std::is_base_of_v<SpringLaw, std::decay_t<decltype(kind)>>)
                    next += static_cast<int>(kind.elongations.size());
            },
            force.kind);
        change_expressions(force, number);
    }
    for (UserEvent& event : mechanism.events) number(event.when);
    for (auto& coupling : mechanism.couplings) number(coupling.engaged);
}

}  // namespace pawl
