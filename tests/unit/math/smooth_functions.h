// A list of functions of one variable, each smooth around its place, that together use every
// function of dual numbers and time jets.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "math/dual.h"
#include "math/time_jet.h"

namespace pawl {

using JetDual = TimeJet<Dual>;

struct SmoothFunction {
    std::string name;
    double argument;
    double (*plain)(double);
    Dual (*dual)(Dual);
    TimeJet<double> (*jet)(TimeJet<double>);
    JetDual (*jet_dual)(JetDual);
};

template <class F>
SmoothFunction smooth(std::string name, double argument, F) {
    return {std::move(name),
            argument,
            [](double x) { return F{}(x); },
            [](Dual x) { return F{}(x); },
            [](TimeJet<double> x) { return F{}(x); },
            [](JetDual x) { return F{}(x); }};
}

#define PAWL_SMOOTH(argument, formula)                                                            \
    smooth(#formula, argument, []<class X>(const X& x) -> X {                                     \
        using std::sin, std::cos, std::tan, std::asin, std::acos, std::atan, std::atan2,          \
            std::sinh, std::cosh, std::tanh, std::exp, std::log, std::log10, std::sqrt, std::pow, \
            std::abs, std::hypot, std::floor, std::fmod;                                          \
        return formula;                                                                           \
    })

inline std::vector<SmoothFunction> smooth_functions() {
    return {
        PAWL_SMOOTH(0.7, x + 2.0 * x - x / 3.0),
        PAWL_SMOOTH(0.7, x * x * x),
        PAWL_SMOOTH(0.7, (1.0 + x) / (2.0 - x * x)),
        PAWL_SMOOTH(0.7, -x * (+x)),
        PAWL_SMOOTH(0.7, sin(3.0 * x)),
        PAWL_SMOOTH(0.7, cos(3.0 * x)),
        PAWL_SMOOTH(0.4, tan(x)),
        PAWL_SMOOTH(0.3, asin(x)),
        PAWL_SMOOTH(-0.3, acos(x)),
        PAWL_SMOOTH(-0.8, atan(x)),
        PAWL_SMOOTH(2.5, atan2(sin(x), X(0.5) - x)),
        PAWL_SMOOTH(-2.5, atan2(x, x * x)),
        PAWL_SMOOTH(0.6, sinh(x)),
        PAWL_SMOOTH(0.6, cosh(x)),
        PAWL_SMOOTH(0.6, tanh(x)),
        PAWL_SMOOTH(0.9, exp(-x * x)),
        PAWL_SMOOTH(1.7, log(x)),
        PAWL_SMOOTH(1.7, log10(x)),
        PAWL_SMOOTH(1.7, sqrt(x)),
        PAWL_SMOOTH(1.7, pow(x, X(2.5))),
        PAWL_SMOOTH(-1.2, pow(x, X(3.0))),
        PAWL_SMOOTH(1.2, pow(X(2.0), x)),
        PAWL_SMOOTH(1.2, pow(x, x)),
        PAWL_SMOOTH(-1.2, abs(x) * x),
        PAWL_SMOOTH(1.2, hypot(x, sin(x))),
        PAWL_SMOOTH(1.3, floor(x) * x),
        PAWL_SMOOTH(5.3, fmod(x * x, X(3.0))),
        PAWL_SMOOTH(5.3, fmod(X(7.0), x - 2.0)),
        PAWL_SMOOTH(-5.3, fmod(x, X(3.0))),
    };
}

#undef PAWL_SMOOTH

}  // namespace pawl
