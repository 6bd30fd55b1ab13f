// Golden section: the least value of a function with one valley, where derivatives are of no use.
#pragma once

#include <algorithm>

namespace pawl {

struct Valley {
    double low, high;  // the least value lies between them
    double least;      // seen so far
    [[nodiscard]] double middle() const { return 0.5 * (low + high); }
};

// At most so many steps, and until the valley is as narrow as wanted.
template <class F>
Valley golden_section(double low, double high, const F& f, int most, double narrow = 0) {
    constexpr double golden = 0.3819660112501051;
    double x1 = low + golden * (high - low), x2 = high - golden * (high - low);
    double f1 = f(x1), f2 = f(x2);
    for (int i = 0; i < most && high - low > narrow; ++i) {
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
