// Bounds of a quantity and of its rate over a piece of time, by interval arithmetic (Moore 1966,
// natural extension), with samples beside them. Bounds are as good as rounding: they show where
// something may happen, they do not prove a last digit.
#pragma once

#include <array>
#include <span>

#include "math/expression/expression_program.h"

namespace pawl {

struct Enclosure {
    double low = 0, high = 0;            // of the value
    double rate_low = 0, rate_high = 0;  // of its rate
    std::array<double, 5> at{};          // values at the ends and the quarters
    bool known = true;                   // false: made with something that depends on the motion

    static Enclosure constant(double value);
    static Enclosure time(double begin, double end);
    // Of a smooth quantity that five samples, the ends and the quarters of a piece of this length,
    // show: bounds from their differences.
    static Enclosure samples(const std::array<double, 5>& at, double length);

    friend Enclosure operator+(const Enclosure& a, const Enclosure& b);
    friend Enclosure operator-(const Enclosure& a, const Enclosure& b);
    friend Enclosure operator*(const Enclosure& a, const Enclosure& b);
    friend Enclosure operator/(const Enclosure& a, const Enclosure& b);
};

// An operation of an expression on its operands; all but numbers, slots and scales.
Enclosure enclose(expression_detail::Operation operation, std::span<const Enclosure> operands);

}  // namespace pawl
