#include "simulation/kinematic/driver_jumps.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "math/expression/time_scale.h"
#include "math/roots.h"
#include "math/tolerances/motion.h"
#include "results/text.h"

namespace pawl {

namespace {

using Law = ExpressionLaw<double>;

// Times between which no branch of the expression changes twice: a quarter of its time scale.
std::vector<double> looks(const Law& law, double end) {
    constexpr double part = 0.25;
    constexpr int fewest = 100;
    std::vector<double> times;
    for (int i = 0; i <= fewest; ++i) times.push_back(end * i / fewest);
    for (const TimeScale& s : time_scales(law.value.expression, law.value.parameters, 0, end))
        for (double t = s.begin; t < s.end; t += part * s.scale) times.push_back(t);
    std::sort(times.begin(), times.end());
    return times;
}

}  // namespace

std::optional<DriverJump> driver_jump_at(const Driver<PlanarSpace>& driver, double t) {
    const double near = tolerance::near_time * (1 + t);
    const auto before = driver.at(t - near), after = driver.at(t + near);
    const auto differ = [](double a, double b, double moved) {
        return std::abs(b - a) > tolerance::driver_jump * (1 + std::abs(a)) + moved;
    };
    const auto told = [&](const std::string& what, double from, double to, const char* advice) {
        return DriverJump{t,
                          what + "driver '" + driver.name + "' jumps from " + number_text(from) +
                              " to " + number_text(to) + " at t = " + number_text(t) +
                              " s; make its law " + advice,
                          driver.span};
    };
    if (differ(before.value, after.value,
               2 * near * std::max(std::abs(before.rate), std::abs(after.rate))))
        return told("", before.value, after.value, "continuous");
    if (differ(before.rate, after.rate, 0))
        return told("the velocity of ", before.rate, after.rate, "smooth");
    return std::nullopt;
}

std::optional<DriverJump> first_driver_jump(const Mechanism<PlanarSpace>& mechanism, double end) {
    std::optional<DriverJump> first;
    for (const auto& driver : mechanism.drivers) {
        const auto* law = std::get_if<Law>(&driver.law);
        if (!law) continue;
        std::vector<double> now;
        const auto at = [&](double t) -> const std::vector<double>& {
            now.clear();
            law->value.note_switches(t, now);
            return now;
        };
        std::vector<double> sides = at(0);
        if (sides.empty()) continue;
        double low = 0;
        for (const double high : looks(*law, end)) {
            const std::vector<double> values = at(high);
            for (std::size_t i = 0; i < values.size(); ++i) {
                if (values[i] == 0) continue;
                const double side = std::exchange(sides[i], values[i]);
                if (!(side * values[i] < 0)) continue;
                const double t =
                    bisect(low, high, 60, [&](double x) { return !(at(x)[i] * side < 0); }).high;
                const auto jump = t < end ? driver_jump_at(driver, t) : std::nullopt;
                if (jump && (!first || t < first->t)) first = jump;
            }
            low = high;
        }
    }
    return first;
}

}  // namespace pawl
