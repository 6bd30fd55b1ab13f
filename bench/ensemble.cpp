// Ensembles of double pendulums (B7): how many runs a second on one core and on two, next to a
// hand-derived program, at the tolerance that brings all tips near enough.
#include <cstdio>
#include <thread>
#include <vector>

#include "timing.h"
#include "workloads.h"
#include "yardsticks.h"

namespace {

using namespace pawl;
using bench::last_row;
using bench::median_seconds;
using bench::run;
using bench::wall_seconds;
using workload::RodMotion;
using yardstick::Vector2;

struct Swing {
    double first, second;  // starting angles
};

Vector2 pawl_tip(const PlanarMechanism& model, Swing start, const DynamicOptions& options) {
    PlanarMechanism mechanism = model;
    mechanism.bodies[1].guess.angle = start.first;
    mechanism.bodies[2].guess.angle = start.second;
    const DynamicResult result = run(assemble(std::move(mechanism)), options);
    return RodMotion(last_row(result), 2).end();
}

Vector2 yardstick_tip(Swing start, double duration, double tolerance) {
    yardstick::DoublePendulum pendulum;
    Dop853 stepper(pendulum, 4, yardstick::with_tolerance(tolerance));
    stepper.start(0, std::array{start.first, start.second, 0.0, 0.0});
    yardstick::integrate(
        stepper, duration, duration, [](auto&&) {}, [] {});
    return yardstick::chain_tip(stepper.y());
}

// A part of the grid of starting angles; each thread takes every so many-th of them. Assembly
// counts: every start is assembled anew. Only the end is written.
void measure_ensemble() {
    constexpr int side = 20;
    constexpr double duration = 5, goal_error = 1e-6, goal_runs = 10000;
    const PlanarMechanism model = workload::mechanism(workload::chain(2));
    std::vector<Swing> starts;
    for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j) {
            const auto angle = [](int k) { return -std::numbers::pi / 4 - 0.5 + k / (side - 1.0); };
            starts.push_back({angle(i), angle(j)});
        }
    std::vector<Vector2> exact, tips(starts.size());
    for (const Swing& s : starts) exact.push_back(yardstick_tip(s, duration, 1e-13));
    const auto all = [&](int threads, const auto& tip) {
        std::vector<std::thread> pool;
        for (int k = 0; k < threads; ++k)
            pool.emplace_back([&, k] {
                for (std::size_t i = k; i < starts.size(); i += threads) tips[i] = tip(starts[i]);
            });
        for (auto& thread : pool) thread.join();
    };
    const auto worst = [&] {
        double error = 0;
        for (std::size_t i = 0; i < tips.size(); ++i)
            error = std::max(error, distance(tips[i], exact[i]));
        return error;
    };
    // The loosest tolerance that brings all tips near enough.
    const auto tolerance_for = [&](const auto& tip) {
        for (double tolerance = 1e-6;; tolerance /= 2) {
            all(1, [&](Swing s) { return tip(s, tolerance); });
            if (worst() <= goal_error || tolerance < 1e-13) return tolerance;
        }
    };
    const auto pawl_at = [&](Swing s, double tolerance) {
        return pawl_tip(model, s, bench::options_for(duration, duration, tolerance));
    };
    const auto yard_at = [&](Swing s, double tolerance) {
        return yardstick_tip(s, duration, tolerance);
    };
    const double ours = tolerance_for(pawl_at), error = worst(), theirs = tolerance_for(yard_at);
    const auto pawl = [&](Swing s) { return pawl_at(s, ours); };
    const auto yard = [&](Swing s) { return yard_at(s, theirs); };
    for (const int threads : {1, 2}) {
        const auto [a, b] =
            median_seconds([&] { all(threads, pawl); }, [&] { all(threads, yard); }, wall_seconds);
        const double runs = starts.size() / a;
        std::string line = fmt::format(
            "B7 {} core{} {:.1e} m at tolerance {:.1e}: {:.0f} runs/s, yardstick {:.0f}", threads,
            threads == 1 ? " " : "s", error, ours, runs, starts.size() / b);
        if (threads == 2)
            line += fmt::format(", goal {} {}", goal_runs, runs >= goal_runs ? "met" : "missed");
        fmt::print("{}\n", line);
    }
}

}  // namespace

int main() { measure_ensemble(); }
