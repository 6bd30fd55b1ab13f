#include "simulation/stepping/switches.h"

#include "mechanism/force_row.h"

namespace pawl {

namespace {
using Space = PlanarSpace;
}

void look_along(const Force<Space>& force, const Coordinates<Space>& coordinates,
                ForceInputs& inputs) {
    std::visit(
        [&](const auto& kind) {
            using Kind = std::decay_t<decltype(kind)>;
            if constexpr (requires { kind.at(0.0, 0.0, inputs); }) {
                const auto a = coordinates.frame(force.frames[0]),
                           b = coordinates.frame(force.frames[1]);
                const auto row = row_along<Kind>(force, a, b);
                inputs.s = row.phi;
                inputs.v = Space::dot(row.w[0], a.velocity) + Space::dot(row.w[1], b.velocity);
            }
            if constexpr (std::is_base_of_v<SpringLaw, Kind>) inputs.s -= kind.rest.value_or(0);
        },
        force.kind);
}

Switches::Switches(const PlanarMechanism& mechanism) : mechanism_(mechanism) {
    // One evaluation anywhere shows how many there are and whose they are.
    auto coordinates = Coordinates<Space>::absolute(mechanism);
    const std::vector<double> zero(coordinates.size(), 0.0), states(mechanism.states.size(), 0.0);
    coordinates.set_position(zero);
    coordinates.set_velocity(zero);
    note(coordinates, 0, states, nullptr, true);
}

const std::vector<double>& Switches::evaluate(const Coordinates<Space>& coordinates, double t,
                                              std::span<const double> states,
                                              const signed char* sides) {
    note(coordinates, t, states, sides, false);
    return values_;
}

void Switches::note(const Coordinates<Space>& coordinates, double t, std::span<const double> states,
                    const signed char* sides, bool names) {
    values_.clear();
    const auto book = [&](const std::string& name, int driver) {
        while (names && names_.size() < values_.size()) {
            names_.push_back(name);
            drivers_.push_back(driver);
        }
    };
    for (std::size_t i = 0; i < mechanism_.drivers.size(); ++i) {
        const auto& d = mechanism_.drivers[i];
        if (const auto* law = std::get_if<ExpressionLaw<double>>(&d.law))
            law->value.note_switches(t, values_);
        book(d.name, static_cast<int>(i));
    }
    evaluate_measures(mechanism_, coordinates, t, channels_);
    for (const auto& measure : mechanism_.measures)
        if (const auto* e = std::get_if<ExpressionMeasure<Space>>(&measure.kind);
            e != nullptr && e->value.first_switch >= 0) {
            note_switches_of_measure(*e, t, std::span<const TimeJet<double>>(channels_), values_);
            book(measure.name, -1);
        }
    ForceInputs inputs{t, channels_, states, 0, 0};
    for (const auto& state : mechanism_.states) {
        state.rate.note_switches(inputs, values_);
        book(state.name, -1);
    }
    for (const auto& force : mechanism_.forces) {
        std::visit(
            [&](const auto& kind) {
                using Kind = std::decay_t<decltype(kind)>;
                bool any = false;
                for_each_expression(kind, [&](const ForceExpression&) { any = true; });
                if constexpr (std::is_base_of_v<SpringLaw, Kind>) any |= !kind.elongations.empty();
                if (!any) return;
                look_along(force, coordinates, inputs);
                if constexpr (std::is_base_of_v<SpringLaw, Kind>)
                    for (const double knot : kind.elongations) values_.push_back(inputs.s - knot);
                for_each_expression(
                    kind, [&](const ForceExpression& e) { e.note_switches(inputs, values_); });
            },
            force.kind);
        book(force.name, -1);
    }
    if (names) first_of_events_ = values_.size();
    inputs.s = inputs.v = 0;
    note_conditions(inputs, sides, book);
}

template <class Book>
void Switches::note_conditions(const ForceInputs& inputs, const signed char* sides,
                               const Book& book) {
    ForceInputs on_sides = inputs;
    on_sides.sides = sides;
    conditions_.clear();
    for (const UserEvent& event : mechanism_.events) {
        event.when.note_switches(inputs, values_);
        conditions_.push_back(event.when.at(on_sides) != 0);
        book(event.name, -1);
    }
    engaged_.clear();
    for (const auto& coupling : mechanism_.couplings) {
        coupling.engaged.note_switches(inputs, values_);
        engaged_.push_back(coupling.engaged.at(on_sides) != 0);
        book(coupling.joint.name, -1);
    }
}

}  // namespace pawl
