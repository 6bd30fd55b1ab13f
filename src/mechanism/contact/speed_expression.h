// A formula over a speed v: laws of restitution over the speed of approach, coefficients of
// friction over that of the slip.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "math/dual.h"
#include "math/expression/formula.h"

namespace pawl {

template <class T>
struct SpeedExpression : Formula<T> {
    [[nodiscard]] T at(const T& speed) const { return this->value(speed); }
    // The first of some speeds, m/s, from rest to beyond what machines have, at which the value is
    // not within these bounds (NaN never is); negative where there is none.
    [[nodiscard]] double first_outside(double low, double high) const {
        for (const double v : std::array{0.0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 0.3, 1.0, 3.0,
                                         10.0, 30.0, 100.0, 1000.0})
            if (const double x = value_of(at(T(v))); !(x >= low && x <= high)) return v;
        return -1;
    }
};

}  // namespace pawl
