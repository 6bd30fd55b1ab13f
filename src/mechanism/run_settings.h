// What a model asks of a run, and the choices that it has.
#pragma once

#include <optional>

#include "math/named.h"
#include "math/span.h"

namespace pawl {

enum class Analysis { kinematics, dynamics, statics, inverse, check };
constexpr auto value_names(Analysis) {
    return std::array<std::string_view, 5>{"kinematics", "dynamics", "statics", "inverse", "check"};
}

enum class CoordinateChoice { relative, absolute };
constexpr auto value_names(CoordinateChoice) {
    return std::array<std::string_view, 2>{"relative", "absolute"};
}

enum class Formulation {
    automatic,  // multipliers
    multipliers,
    augmented,
    augmented_canonical,
    independent,
    canonical
};
constexpr auto value_names(Formulation) {
    return std::array<std::string_view, 6>{
        "auto", "multipliers", "augmented", "augmented_canonical", "independent", "canonical"};
}

enum class Integrator {
    automatic,  // dop853, and stiff while that is faster
    dop853,
    rk4,
    stiff,
    moreau
};
constexpr auto value_names(Integrator) {
    return std::array<std::string_view, 5>{"auto", "dop853", "rk4", "stiff", "moreau"};
}

// Of impacts at one time.
enum class ImpactOrder { simultaneous, sequential };
constexpr auto value_names(ImpactOrder) {
    return std::array<std::string_view, 2>{"simultaneous", "sequential"};
}

struct RunSettings {
    Span span;
    Analysis analysis = Analysis::kinematics;
    CoordinateChoice coordinates = CoordinateChoice::relative;
    Formulation dynamics = Formulation::automatic;
    Integrator integrator = Integrator::automatic;
    ImpactOrder impacts = ImpactOrder::simultaneous;
    double end = 1, step = 0.01;            // s
    double rtol = 1e-9, atol = 1e-9;        // atol: of the model's size, and of a radian
    std::optional<double> largest_step;     // s
    std::optional<double> integrator_step;  // s, for rk4 and moreau; none: the output step
    // Of the augmented Lagrangian: alpha; none: each row's own. Omega (1/s) and mu of what draws
    // back to the constraints.
    std::optional<double> penalty, penalty_frequency, penalty_damping;
};

}  // namespace pawl
