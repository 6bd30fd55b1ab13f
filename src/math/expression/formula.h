// An expression of one variable (the time, the parameter of a curve) and the parameters, with the
// parameters' values beside it, evaluated as a jet.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "math/expression/expression.h"
#include "math/time_jet.h"

namespace pawl {

template <class T>
struct Formula {
    Expression expression;
    std::vector<T>
        parameters;  // slot 0 of the expression is the variable, slot i + 1 is parameters[i]
    int first_switch = -1;  // among those of the mechanism that it belongs to; none: -1

    void note_switches(double t, std::vector<double>& switches) const {
        const std::pair bound{this, t};
        expression.note_switches(
            {&bound,
             [](const void* owner, int slot) {
                 const auto& [self, time] =
                     *static_cast<const std::pair<const Formula*, double>*>(owner);
                 return slot == 0 ? time
                                  : value_of(self->parameters[static_cast<std::size_t>(slot - 1)]);
             }},
            switches);
    }

    [[nodiscard]] T value(const T& variable) const {
        return expression.evaluate_with<T>([&](int slot) {
            return slot == 0 ? variable : parameters[static_cast<std::size_t>(slot - 1)];
        });
    }
    [[nodiscard]] TimeJet<T> of(const TimeJet<T>& variable) const {
        return expression.evaluate_with<TimeJet<T>>([&](int slot) {
            if (slot == 0) return variable;
            return TimeJet<T>{parameters[static_cast<std::size_t>(slot - 1)], T(0), T(0)};
        });
    }
    [[nodiscard]] TimeJet<T> at(double t) const { return of(TimeJet<T>{T(t), T(1), T(0)}); }
    // On the branches that the sides of the mechanism's switches say.
    [[nodiscard]] TimeJet<T> at(double t, const signed char* sides) const {
        if (!sides || first_switch < 0) return at(t);
        const std::pair bound{this, t};
        const TimeJet<T> found = expression.evaluate_on(
            SlotLookup<TimeJet<T>>{&bound,
                                   [](const void* owner, int slot) {
                                       const auto& [self, time] =
                                           *static_cast<const std::pair<const Formula*, double>*>(
                                               owner);
                                       if (slot == 0) return TimeJet<T>{T(time), T(1), T(0)};
                                       return TimeJet<T>{
                                           self->parameters[static_cast<std::size_t>(slot - 1)],
                                           T(0), T(0)};
                                   }},
            sides + first_switch);
        return std::isfinite(found.value) ? found : at(t);
    }
};

}  // namespace pawl
