#include "simulation/stepping/step_limits.h"

#include <algorithm>
#include <cmath>

#include "mechanism/force_expressions.h"
#include "simulation/stepping/dynamic_run.h"

namespace pawl {

namespace {

// The stages of a step lie no farther apart than 0.27 of it. The narrowest pulse that a scale
// leaves room for, the difference of two steps of tanh, is 0.11 of the scale wide: some stage falls
// into it, and the error control does the rest.
constexpr double part_of_scale = 0.25;
// Where nothing controls the error: for one part in 1e4 with a method of order four.
constexpr double part_of_scale_fixed = 0.05;
constexpr double order_of_quadrature = 8;  // the error of dop853 goes with the step to this power
constexpr double max_turns = 1e6;  // of a driver: a run of more is refused or meant to skip them

}  // namespace

StepLimits::StepLimits(const PlanarMechanism& mechanism, double begin, double end,
                       double fixed_step, double rtol)
    : fixed_step_(fixed_step) {
    const double part_of_turn =
        std::min(1.0, std::pow(rtol / DynamicOptions().rtol, 1 / order_of_quadrature));
    const auto add = [&](const Expression& expression, const std::vector<double>& parameters) {
        auto parts = time_scales(expression, parameters, begin, end);
        if (!parts.empty()) sources_.push_back({std::move(parts), 0});
    };
    for (const auto& driver : mechanism.drivers) {
        if (const auto* law = std::get_if<ExpressionLaw<double>>(&driver.law))
            add(law->value.expression, law->value.parameters);
        // No coordinate has an error that would show constant turns, and the work of the motor
        // is a quadrature over them: its scale is one turn, or less for more digits.
        if (const auto* law = std::get_if<SpeedLaw<double>>(&driver.law);
            law && law->speed != 0 && driver.coordinate.component == Component::angle) {
            const double turn = 2 * M_PI / std::abs(law->speed);
            if (end - begin < max_turns * turn)
                sources_.push_back({{{begin, end, part_of_turn * turn}}, 0});
        }
    }
    for (const auto& force : mechanism.forces)
        for_each_expression(force,
                            [&](const ForceExpression& e) { add(e.expression, e.parameters); });
    for (const auto& state : mechanism.states) add(state.rate.expression, state.rate.parameters);
    for (const auto& measure : mechanism.measures)
        if (const auto* m = std::get_if<ExpressionMeasure<PlanarSpace>>(&measure.kind))
            add(m->value.expression, m->value.parameters);
    for (const auto& event : mechanism.events) add(event.when.expression, event.when.parameters);
    for (const auto& coupling : mechanism.couplings)
        add(coupling.engaged.expression, coupling.engaged.parameters);
}

double StepLimits::latest_end(double t, double stop) {
    for (Source& source : sources_) {
        const auto& parts = source.parts;
        while (source.next < parts.size() && parts[source.next].end <= t) ++source.next;
        for (std::size_t i = source.next; i < parts.size() && parts[i].begin < stop; ++i) {
            // A fixed step that a pulse is wide for stays as it is.
            if (fixed_step_ > 0 && part_of_scale * parts[i].scale >= fixed_step_) continue;
            const double longest =
                (fixed_step_ > 0 ? part_of_scale_fixed : part_of_scale) * parts[i].scale;
            stop = std::min(stop, std::max(parts[i].begin, t + longest));
        }
    }
    return stop;
}

}  // namespace pawl
