// Four-bars that nearly fold flat: with lengths that miss by more than 1e-9 of the size the linkage
// never is singular and follows its own circuit, however sharp the turn; with less than 1e-12 it
// passes straight on.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "families/circuit.h"
#include "families/one_freedom.h"

namespace pawl::test {
namespace PAWL_TEST_FILE {

constexpr double pi = std::numbers::pi;

// The lengths of a parallelogram or a kite; both pass flat positions.
Fourbar flat_fourbar(Random& random) {
    Fourbar f;
    const double a = random.log_between(0.1, 2), b = a * random.between(1.3, 2.5);
    const bool kite = random.chance(0.3);
    f.ground = kite ? a : b;
    const double lengths[] = {a, b, kite ? b : a};
    for (std::size_t i = 0; i < 3; ++i) {
        Bar& bar = f.bars[i];
        bar.length = lengths[i];
        bar.mass = random.log_between(0.3, 3);
        bar.centre = {bar.length * random.between(0, 1), bar.length * random.between(-0.2, 0.2)};
        bar.inertia = bar.mass * bar.length * bar.length * random.log_between(0.03, 0.3);
    }
    if (random.chance(0.3)) f.gravity = 0;
    if (random.chance(0.3)) f.damping = 0.2 * f.bars[0].mass * a * a * random.between(0, 1);
    const double crank = random.sign() * random.between(0.4, 2.7);
    // Of the parallelogram; of the kite h - k and h + k with a sin h = b sin k.
    const double h = crank / 2, k = std::asin(a / b * std::sin(h));
    f.start = kite ? Triple{crank, h - k, h + k} : Triple{crank, 0, crank};
    return f;
}

// Lengthens one or two bars by up to `misfit`, and puts the linkage in motion.
void set_misfit(Random& random, Fourbar& f, double misfit) {
    const int which = random.below(4);
    double& length = which == 3 ? f.ground : f.bars[static_cast<std::size_t>(which)].length;
    length += random.sign() * misfit;
    f.close(f.start);
    f.speed = random.sign() * random.log_between(1, 10);
    f.end = random.between(0.3, 3);
}

Fourbar misfit_fourbar(Random& random, double low, double high, CircuitCourse& c) {
    for (;;) {
        Fourbar f = flat_fourbar(random);
        set_misfit(random, f, f.ground * random.log_between(low, high));
        c = course(f);
        if (c.turns > 0 && c.turns < 6 && c.slowest_turn > 0.2 * c.fastest &&
            c.last_turn < 0.9 * f.end && c.sensitivity < 300)
            return f;
    }
}

std::string circuit_error(const Fourbar& f, const DynamicResult& result, double allowed) {
    const Trajectory& trajectory = result.trajectory;
    const char* names[] = {"crank.angle", "coupler.angle", "rocker.angle"};
    CircuitMotion reference(f, f.start, f.speed, 1e-12);
    for (std::size_t r = 0; r < trajectory.rows(); ++r) {
        const double t = trajectory.row(r)[0];
        reference.advance(t);
        // In the turn itself the smallest delay changes the angles.
        const double room = reference.nearest() < 0.2 ? std::max(0.1, allowed) : allowed;
        for (std::size_t i = 0; i < 3; ++i) {
            const double angle = value(trajectory, r, names[i]);
            if (!(std::abs(angle - reference.angles()[i]) < room))
                return fmt::format("t = {:.6g}: {} {:.9g} for {:.9g}, allowed {:.2g}", t, names[i],
                                   angle, reference.angles()[i], room);
        }
    }
    return {};
}

TEST(Misfits, reference_gives_the_published_positions) {
    for (const auto& [misfit, expected] : {std::pair{1e-6, 5.833403}, {1e-8, 5.834191}}) {
        Fourbar f;
        f.ground = 2;
        for (Bar& bar : f.bars) bar = {1, 1, 1.0 / 12, {0.5, 0}};
        f.bars[1] = {2 + misfit, 1, 1.0 / 3, {1, 0}};
        f.start = {pi / 2, 0, pi / 2};
        f.close(f.start);
        f.speed = -1 / f.direction(f.start)[0];
        CircuitMotion motion(f, f.start, f.speed, 1e-13);
        motion.advance(2);
        EXPECT_NEAR(std::abs(motion.angles()[0]), expected, 1e-6) << misfit;
    }
}

TEST(Misfits, linkages_follow_their_own_circuit_however_sharp_the_turn) {
    Family family("misfits", 45);
    family.run([](std::uint64_t seed, Random& random) {
        Combination c = combination(seed, random);
        CircuitCourse course;
        const bool fixed = c.integrator == "rk4";
        const double low = fixed ? 1e-3 : 5e-9;
        const Fourbar f = misfit_fourbar(random, low, fixed ? 1e-2 : 1e-4, course);
        // A fixed step must be short beside the turn, which is sqrt(misfit) wide.
        if (fixed) c.integrator_step = std::sqrt(low) / 30 / course.fastest;
        const double allowed = fixed ? 1e-4 * course.sensitivity
                                     : std::min(0.3, (1e3 * c.rtol + 1e-6) * course.sensitivity);
        const double step = f.end / random.between(20, 60);
        const std::string text = f.text();
        return Trial{c.label(), text, [=] {
                         const DynamicResult r =
                             run_dynamics(placed_of(text), c.options(f.end, step));
                         if (r.status != DynamicStatus::completed) return judged(r, {});
                         return judged(r, circuit_error(f, r, allowed));
                     }};
    });
}

// The parallelogram that a four-bar misses by a little, which passes straight on.
OneFreedom straight(const Fourbar& f) {
    OneFreedom m;
    const char* names[] = {"crank", "coupler", "rocker"};
    for (std::size_t i = 0; i < 3; ++i)
        m.parts.push_back({names[i], f.bars[i].mass, f.bars[i].inertia, f.bars[i].centre, 0, 0, 0});
    m.parts[0].damping = f.damping;
    m.gravity = f.gravity;
    m.poses = [a = f.bars[0].length, g = f.ground](Jet s, std::vector<JetPose>& out) {
        out[0] = {{}, {}, s};
        out[1] = {Jet{a} * cos(s), Jet{a} * sin(s), {}};
        out[2] = {{g}, {}, s};
    };
    m.start = f.start[0];
    m.rate = f.direction(f.start)[0] * f.speed;
    m.period = pi;
    return m;
}

std::string straight_error(const Fourbar& f, const DynamicResult& result, double allowed) {
    const OneFreedom m = straight(f);
    ReferenceMotion reference(m, m.start, m.rate, 1e-12);
    for (std::size_t r = 0; r < result.trajectory.rows(); ++r) {
        reference.advance(result.trajectory.row(r)[0]);
        for (const Part& p : m.parts) {
            const double expected = p.name == "coupler" ? 0 : reference.s(),
                         angle = value(result.trajectory, r, p.name + ".angle");
            if (!(std::abs(angle - expected) < allowed))
                return fmt::format("t = {:.6g}: {}.angle {:.9g} for {:.9g}",
                                   result.trajectory.row(r)[0], p.name, angle, expected);
        }
    }
    return {};
}

TEST(Misfits, between_exact_and_open_take_one_way_or_the_other) {
    Family family("misfits between 1e-12 and 1e-9", 45);
    family.run([](std::uint64_t seed, Random& random) {
        Combination c = combination(seed, random);
        if (c.integrator == "rk4") c.integrator_step = 1e-3;
        CircuitCourse course;
        Fourbar f;
        do f = misfit_fourbar(random, 2e-12, 5e-10, course);
        while (course.turns != 1 || std::abs(f.start[1]) > 1e-3);
        const double allowed = std::min(0.3, (1e3 * c.rtol + 1e-4) * course.sensitivity);
        const std::string text = f.text();
        return Trial{c.label(), text, [=] {
                         const DynamicResult r =
                             run_dynamics(placed_of(text), c.options(f.end, f.end / 30));
                         if (r.status != DynamicStatus::completed) return judged(r, {});
                         const std::string turned = circuit_error(f, r, allowed);
                         if (turned.empty()) return judged(r, {});
                         const std::string passed = straight_error(f, r, allowed);
                         return judged(r, passed.empty() ? passed : turned + "; or " + passed);
                     }};
    });
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl::test
