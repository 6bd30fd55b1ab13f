// Clocks and medians that the benchmarks share, and dynamic runs as a user who wants speed asks for
// them.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "simulation/stepping/dynamic_run.h"

namespace pawl::bench {

inline double thread_seconds() {
    std::timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
inline double wall_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}
double seconds_of(const auto& run, double (*clock)()) {
    const double begin = clock();
    run();
    return clock() - begin;
}

inline double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

// Seconds of two programs that take turns, so that both see the same load of the machine.
std::pair<double, double> median_seconds(const auto& first, const auto& second,
                                         double (*clock)() = thread_seconds) {
    std::vector<double> a, b;
    for (double total = 0; a.size() < 5 || (total < 0.05 && a.size() < 101);
         total += a.back() + b.back()) {
        a.push_back(seconds_of(first, clock));
        b.push_back(seconds_of(second, clock));
    }
    return {median(a), median(b)};
}

// Without reactions.
inline DynamicOptions options_for(double duration, double output_step, double tolerance) {
    DynamicOptions options;
    options.end = duration;
    options.step = output_step;
    options.rtol = options.atol = tolerance;
    options.reactions = false;
    return options;
}

inline DynamicResult run(const PlacedMechanism& placed, const DynamicOptions& options) {
    DynamicResult result = run_dynamics(placed, options);
    if (result.status != DynamicStatus::completed) throw std::runtime_error(result.message);
    return result;
}

inline std::span<const double> last_row(const DynamicResult& result) {
    return result.trajectory.row(result.trajectory.rows() - 1);
}

}  // namespace pawl::bench
