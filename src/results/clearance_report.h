// Contact modes and indicators of wear of one joint with play, over a run.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>

namespace pawl {

struct ClearanceReport {
    static constexpr std::array<std::string_view, 5> mode_names{"none", "one point", "two opposed",
                                                                "two on one side", "more"};
    struct Mode {
        double share = 0;  // of the time of the run
        long count = 0;    // how many times it was entered
    };
    std::string joint;
    std::array<Mode, 5> modes;
    // Impulses by decades: 10^n to 10^(n+1) N s. Of rigid contacts each impact; of compliant ones
    // each time they were closed.
    std::map<int, long> impulses;
    double largest_impulse = 0;            // N s
    double mean_power = 0, max_power = 0;  // normal force x slip speed, over the run, W

    [[nodiscard]] double duty() const { return 1 - modes[0].share; }
    [[nodiscard]] long impacts() const {
        long sum = 0;
        for (const auto& [decade, count] : impulses) sum += count;
        return sum;
    }
    void add_impulse(double impulse);
};

}  // namespace pawl
