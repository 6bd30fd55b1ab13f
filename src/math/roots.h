// Points where a function of one number passes a level or is least, where derivatives are of no
// use: halving, and golden section. Knows functions only.
#pragma once

#include <algorithm>

namespace pawl {

struct Bracket {
    double low, high;  // the point lies between them
    [[nodiscard]] double middle() const { return 0.5 * (low + high); }
};

// Halves an interval that has `is_before` at its low end and not at its high end, at most so many
// times, and until `is_narrow(low, high)`.
template <class Before, class Narrow>
Bracket bisect(double low, double high, int max_steps, const Before& is_before,
               const Narrow& is_narrow) {
    for (int i = 0; i < max_steps && !is_narrow(low, high); ++i) {
        const double middle = 0.5 * (low + high);
        (is_before(middle) ? low : high) = middle;
    }
    return {low, high};
}
template <class Before>
Bracket bisect(double low, double high, int max_steps, const Before& is_before) {
    return bisect(low, high, max_steps, is_before, [](double, double) { return false; });
}

struct Valley {
    double low, high;  // the least value lies between them
    double least;      // seen so far
    [[nodiscard]] double middle() const { return 0.5 * (low + high); }
};

// At most so many steps, and until the valley is as narrow as wanted.
template <class F>
Valley golden_section(double low, double high, const F& f, int max_steps, double narrow = 0) {
    constexpr double golden = 0.3819660112501051;
    double x1 = low + golden * (high - low), x2 = high - golden * (high - low);
    double f1 = f(x1), f2 = f(x2);
    for (int i = 0; i < max_steps && high - low > narrow; ++i) {
        if (f1 < f2) {
            high = x2;
            x2 = x1;
            f2 = f1;
            f1 = f(x1 = low + golden * (high - low));
        } else {
            low = x1;
            x1 = x2;
            f1 = f2;
            f2 = f(x2 = high - golden * (high - low));
        }
    }
    return {low, high, std::min(f1, f2)};
}

}  // namespace pawl
