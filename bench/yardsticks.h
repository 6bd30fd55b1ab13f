// Hand-derived programs for the shared workloads: what Pawl's time is divided by. They use the
// library's integrator, so that the ratio shows the price of modelling alone, and nothing else of
// it.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numbers>
#include <span>
#include <stdexcept>
#include <vector>

#include "integration/dop853.h"
#include "yardstick_chain.h"
#include "yardstick_ladder.h"

namespace pawl::yardstick {

// Inverse dynamics of a slider-crank with its crank at a constant speed; the slider moves along x
// through the origin.
struct SliderCrankState {
    double x, v, a, torque;
};
// sin b = -(r/l) sin a gives the angle b of the rod; the torque is the power of inertia and weight
// over the speed.
class SliderCrank {
public:
    double crank = 0.1, rod = 0.3, speed = 10 * std::numbers::pi;

    SliderCrankState at(double t) const {
        const double angle = speed * t, r = crank, l = rod, c = std::cos(angle),
                     s = std::sin(angle);
        const double sb = -r / l * s, cb = std::sqrt(1 - sb * sb);
        const double b1 = -r / l * c * speed / cb,
                     b2 = (r / l * s * speed * speed + sb * b1 * b1) / cb;
        const double x = r * c + l * cb;
        const double v = -r * s * speed - l * sb * b1;
        const double a = -r * c * speed * speed - l * (cb * b1 * b1 + sb * b2);
        // The centre of the rod: half of the crank's pin plus half of the slider; y is half of the
        // pin's.
        const double gx1 = 0.5 * (v - r * s * speed), gx2 = 0.5 * (a - r * c * speed * speed);
        const double gy1 = 0.5 * r * c * speed, gy2 = -0.5 * r * s * speed * speed;
        const double power = a * v + gx1 * gx2 + gy1 * gy2 + l * l / 12 * b1 * b2 +
                             gravity * (0.5 * r * c * speed + gy1);
        return {x, v, a, power / speed};
    }
};

struct Measure {
    double error = 0;         // m, of the tip or first top point at the end
    double energy_error = 0;  // J, the largest at the output times
    double seconds = 0;       // wall seconds for one simulated second, median
    long steps = 0, evaluations = 0;
};

template <class Run>
double median_seconds(Run&& run) {
    using Clock = std::chrono::steady_clock;
    std::vector<double> seconds;
    double total = 0;
    while (seconds.size() < 5 || (total < 0.3 && seconds.size() < 1000)) {
        const auto begin = Clock::now();
        run();
        seconds.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
        total += seconds.back();
    }
    std::nth_element(seconds.begin(), seconds.begin() + seconds.size() / 2, seconds.end());
    return seconds[seconds.size() / 2];
}

// Runs a problem to t_end with dense output at every multiple of `output`; `after_step` may change
// the state.
template <class Output, class AfterStep>
StepperStatistics integrate(Stepper& stepper, double t_end, double output, Output&& show,
                            AfterStep&& after_step) {
    std::vector<double> y(stepper.y().size());
    const auto outputs = static_cast<long>(std::round(t_end / output));
    long next = 1;
    while (stepper.t() < t_end) {
        if (stepper.step(t_end) != StepOutcome::stepped)
            throw std::runtime_error("the yardstick has failed");
        for (; next <= outputs && next * output <= stepper.t() + 1e-12; ++next) {
            stepper.interpolate(std::min(next * output, stepper.t()), y);
            show(y);
        }
        after_step();
    }
    return stepper.statistics();
}

inline StepperOptions with_tolerance(double tolerance) {
    StepperOptions options;
    options.rtol = tolerance;
    return options;
}

inline constexpr double output_step = 0.05;

// One run of a chain; returns the tip at the end, and fills in `measure` where it is given.
inline Vector2 run_chain(int rods, double duration, double tolerance, Measure* measure = nullptr) {
    Chain chain(rods);
    DoublePendulum pendulum;
    RightHandSide& equations = rods == 2 ? static_cast<RightHandSide&>(pendulum) : chain;
    Dop853 stepper(equations, 2 * rods, with_tolerance(tolerance));
    stepper.start(0, std::vector<double>(2 * rods));
    Vector2 tip;
    const auto show = [&](std::span<const double> y) {
        tip = chain_tip(y);
        if (measure)
            measure->energy_error = std::max(measure->energy_error, std::abs(chain_energy(y)));
    };
    const StepperStatistics statistics = integrate(stepper, duration, output_step, show, [] {});
    if (measure)
        measure->steps = statistics.accepted, measure->evaluations = statistics.evaluations;
    return chain_tip(stepper.y());
}

// B1. The reference is the tip of a run at the tightest tolerance.
inline Vector2 chain_reference(int rods, double duration) {
    return run_chain(rods, duration, 1e-13);
}
inline Measure measure_chain(int rods, double duration, double tolerance, Vector2 reference) {
    Measure measure;
    measure.error = distance(run_chain(rods, duration, tolerance, &measure), reference);
    measure.seconds = median_seconds([&] { run_chain(rods, duration, tolerance); }) / duration;
    return measure;
}

inline Vector2 run_ladder(int windows, double duration, double tolerance,
                          Measure* measure = nullptr) {
    Ladder ladder(windows);
    const int angles = ladder.angles();
    Dop853 stepper(ladder, 2 * angles, with_tolerance(tolerance));
    std::vector<double> y(2 * angles);
    std::fill_n(y.begin(), windows + 1, std::numbers::pi / 2);
    std::fill_n(y.begin() + angles, windows + 1, -1.0);
    stepper.start(0, y);
    const double energy = ladder.energy(y);
    Vector2 top;
    const auto show = [&](std::span<const double> state) {
        top = {std::cos(state[0]), std::sin(state[0])};
        if (measure)
            measure->energy_error =
                std::max(measure->energy_error, std::abs(ladder.energy(state) - energy));
    };
    const auto project = [&] {
        std::copy(stepper.y().begin(), stepper.y().end(), y.begin());
        ladder.project(y);
        stepper.replace(y);
    };
    const StepperStatistics statistics = integrate(stepper, duration, output_step, show, project);
    if (measure)
        measure->steps = statistics.accepted, measure->evaluations = statistics.evaluations;
    return {std::cos(stepper.y()[0]), std::sin(stepper.y()[0])};
}

// B2. The reference is the first top point of the equal pendulum.
inline Vector2 ladder_reference(int windows, double duration) {
    LadderPendulum pendulum(windows);
    Dop853 stepper(pendulum, 2, with_tolerance(1e-13));
    stepper.start(0, std::array{std::numbers::pi / 2, -1.0});
    integrate(
        stepper, duration, duration, [](auto&&) {}, [] {});
    return {std::cos(stepper.y()[0]), std::sin(stepper.y()[0])};
}
inline Measure measure_ladder(int windows, double duration, double tolerance) {
    Measure measure;
    measure.error = distance(run_ladder(windows, duration, tolerance, &measure),
                             ladder_reference(windows, duration));
    measure.seconds = median_seconds([&] { run_ladder(windows, duration, tolerance); }) / duration;
    return measure;
}

// B3, at 1 kHz. There is nothing to be in error against: this is the closed form.
inline Measure measure_slider_crank(double duration) {
    const SliderCrank mechanism;
    Measure measure;
    measure.steps = std::lround(duration * 1000);
    std::vector<SliderCrankState> states(measure.steps + 1);
    measure.seconds = median_seconds([&] {
                          for (long i = 0; i <= measure.steps; ++i)
                              states[i] = mechanism.at(i * 1e-3);
                      }) /
                      duration;
    return measure;
}

}  // namespace pawl::yardstick
