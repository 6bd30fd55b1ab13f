// Copies of random mechanisms with contacts, friction and impacts: turned, mirrored, moved, in
// other units, with other output steps, coordinates, formulations and tolerances. The motion is the
// same, and so are the events.
#include "families/copies.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "families/family.h"
#include "families/subjects.h"

namespace pawl::test {
namespace PAWL_TEST_FILE {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;

Similarity similarity(Random& random) {
    Similarity s;
    const int kind = random.below(6);  // 5: only other ways to compute it
    const bool all = kind == 4;
    if (kind == 0 || all) s.turn = random.between(-pi, pi);
    if (kind == 1 || all) s.mirror = -1;
    if (kind == 2 || all) s.move = {random.between(-3, 3), random.between(-3, 3)};
    if (kind == 3 || all) {
        s.length = std::array{1e-3, 1.0, 1e3}[static_cast<std::size_t>(random.below(3))];
        s.mass = std::array{1e-3, 1.0, 1e3}[static_cast<std::size_t>(random.below(3))];
        s.time = std::array{1e-2, 1.0, 1e2}[static_cast<std::size_t>(random.below(3))];
        s.move *= s.length;
    }
    return s;
}

// Bounces that die away end in countless small ones, which a run may cut off where it likes: of
// such a series the first half of its time counts, and the end of it.
std::vector<Event> telling(const DynamicResult& r) {
    std::vector<Event> list;
    for (const Event& e : r.events) {
        if (e.kind == EventKind::contact_formed) {
            const auto is_bounce = [&](const Event& other) {
                return other.kind == EventKind::impact && other.element == e.element;
            };
            const auto first = std::find_if(list.begin(), list.end(), is_bounce);
            if (first != list.end()) {
                const double half = 0.5 * (first->t + e.t);
                std::erase_if(list, [&](const Event& b) { return is_bounce(b) && b.t > half; });
            }
        }
        list.push_back(e);
    }
    return list;
}

std::string events_error(const std::vector<Event>& a, const std::vector<Event>& b, double time,
                         double room) {
    const auto name = [](const Event& e) {
        return fmt::format("{} {} at {:.9g} s", event_name(e.kind), e.element, e.t);
    };
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        if (i >= a.size()) return "one more: " + name(b[i]);
        if (i >= b.size()) return "one less: " + name(a[i]);
        if (a[i].kind != b[i].kind || a[i].element != b[i].element ||
            !(std::abs(b[i].t / time - a[i].t) <= room))
            return fmt::format("{} for {}", name(b[i]), name(a[i]));
    }
    return {};
}

// Positions and velocities at the times both runs write, but for those next to an event.
std::string motion_error(const Subject& m, const DynamicResult& a, const DynamicResult& b,
                         const Similarity& s, double room) {
    double size = 0.1, fastest = 0, spin = 1;
    const auto read = [&](const DynamicResult& r, std::size_t row, const std::string& name) {
        return value(r.trajectory, row, name);
    };
    for (std::size_t row = 0; row < a.trajectory.rows(); ++row)
        for (const std::string& body : m.bodies) {
            size = std::max(size, std::hypot(read(a, row, body + ".x"), read(a, row, body + ".y")));
            fastest = std::max(fastest,
                               std::hypot(read(a, row, body + ".vx"), read(a, row, body + ".vy")));
            spin = std::max(spin, std::abs(read(a, row, body + ".omega")));
        }
    std::size_t other = 0;
    for (std::size_t row = 0; row < a.trajectory.rows(); ++row) {
        const double t = a.trajectory.row(row)[0];
        while (other < b.trajectory.rows() &&
               b.trajectory.row(other)[0] / s.time < t - 1e-9 * m.end)
            ++other;
        if (other == b.trajectory.rows()) return fmt::format("no row at t = {:.6g}", t);
        if (b.trajectory.row(other)[0] / s.time > t + 1e-9 * m.end) continue;
        if (std::any_of(a.events.begin(), a.events.end(),
                        [&](const Event& e) { return std::abs(e.t - t) < 2 * room * m.end; }))
            continue;
        for (const std::string& body : m.bodies) {
            const Complex p = s.moved({read(a, row, body + ".x"), read(a, row, body + ".y")}),
                          q(read(b, other, body + ".x"), read(b, other, body + ".y")),
                          v = s.length / s.time *
                              s.vector({read(a, row, body + ".vx"), read(a, row, body + ".vy")}),
                          w(read(b, other, body + ".vx"), read(b, other, body + ".vy"));
            const double omega = s.mirror * read(a, row, body + ".omega") / s.time,
                         found = read(b, other, body + ".omega");
            if (!(std::abs(p - q) < room * s.length * size))
                return fmt::format("t = {:.6g}: {} at ({:.9g}, {:.9g}) for ({:.9g}, {:.9g})", t,
                                   body, q.real(), q.imag(), p.real(), p.imag());
            if (!(std::abs(v - w) < room * s.length / s.time * (fastest + size)) ||
                !(std::abs(omega - found) < room * spin / s.time))
                return fmt::format("t = {:.6g}: {}.omega {:.9g} for {:.9g}, |v| {:.9g} for {:.9g}",
                                   t, body, found, omega, std::abs(w), std::abs(v));
        }
    }
    return {};
}

Combination base_way() { return {"relative", "multipliers", "dop853", 1e-11, 0}; }

DynamicResult run(const std::string& text, const Combination& c, double end, double step) {
    return run_dynamics(placed_of(text), c.options(end, step));
}

// A mechanism whose events and motion change little with its first speed, and its run.
Subject draw_subject(Random& random, DynamicResult& base, double& sensitivity) {
    for (;;) {
        Subject m = random_subject(random);
        base = run(m.text({}), base_way(), m.end, m.end / 20);
        if (base.status != DynamicStatus::completed || base.events.empty()) continue;
        constexpr double small = 1e-7;
        const DynamicResult nearby = run(m.text({}, 1 + small), base_way(), m.end, m.end / 20);
        if (nearby.status != DynamicStatus::completed) continue;
        for (sensitivity = 1; sensitivity < 1e4; sensitivity *= 3)
            if (events_error(telling(base), telling(nearby), 1, sensitivity * small).empty() &&
                motion_error(m, base, nearby, {}, sensitivity * small).empty())
                return m;
    }
}

TEST(Copies, of_mechanisms_with_contacts_move_alike_and_have_the_same_events) {
    Family family("copies", 120);
    family.run([](std::uint64_t seed, Random& random) {
        Combination c = combination(seed % 15, random);
        c.rtol = std::pow(10.0, -7 - random.below(5));
        auto base = std::make_shared<DynamicResult>();
        double sensitivity = 1;
        const Subject m = draw_subject(random, *base, sensitivity);
        const Similarity s = similarity(random);
        const int finer = std::array{1, 2, 7}[static_cast<std::size_t>(random.below(3))];
        const double room = sensitivity * (1e3 * c.rtol + 1e-7);
        const std::string text = m.text(s);
        return Trial{
            m.kind + " " + c.label(), text, [=] {
                const DynamicResult r = run(text, c, m.end * s.time, m.end * s.time / (20 * finer));
                if (r.status != DynamicStatus::completed) return judged(r, {});
                std::string error = events_error(telling(*base), telling(r), s.time, room * m.end);
                if (error.empty()) error = motion_error(m, *base, r, s, room);
                return judged(r, error);
            }};
    });
}

// Where a run ends and when its events happen, to the bit, whatever is written on the way.
TEST(Outputs, never_influence_the_motion) {
    Family family("output steps", 60);
    family.run([](std::uint64_t seed, Random& random) {
        Combination c = combination(seed % 15, random);
        c.rtol = 1e-8;
        DynamicResult base;
        double sensitivity = 1;
        const Subject m = draw_subject(random, base, sensitivity);
        const double other = random.between(3, 300);
        const std::string text = m.text({});
        const bool rubs = text.find("friction") != std::string::npos;
        const std::string label =
            fmt::format("{} {} {}", m.kind, rubs ? "rough" : "smooth", c.label());
        return Trial{label, text, [=] {
                         const DynamicResult a = run(text, c, m.end, m.end / 20),
                                             b = run(text, c, m.end, m.end / other);
                         if (b.status != DynamicStatus::completed) return judged(b, {});
                         if (a.last.state.q != b.last.state.q || a.last.state.v != b.last.state.v)
                             return judged(b, "ends elsewhere");
                         return judged(b, events_error(a.events, b.events, 1, 0));
                     }};
    });
}

// A block on a slope that a harmonic force drives: each period it slips, turns round and sticks,
// and no slip turns round again where it ends.
TEST(Tolerances, leave_the_events_of_stick_slip_as_they_are) {
    const PlacedMechanism placed = placed_of(R"model(format = 1
body.b = { mass = 1 }
joint.g = { type = "prismatic", a = "ground", b = "b", axis = "-10 deg", friction = { kinetic = 0.3 } }
force.w = { type = "gravity" }
force.f = { type = "joint_force", joint = "g", value = "5*sin(2*pi*t)" }
)model");
    const EventKind kinds[] = {EventKind::slip, EventKind::slip_reversal, EventKind::stick};
    const double times[] = {0.0384032607541, 0.737479803038, 0.867254411379};
    for (int digits = 4; digits <= 12; ++digits) {
        DynamicOptions options;
        options.end = 5;
        options.rtol = options.atol = std::pow(10.0, -digits);
        const DynamicResult r = run_dynamics(placed, options);
        ASSERT_EQ(r.events.size(), 15) << digits;
        for (std::size_t i = 0; i < 15; ++i) {
            EXPECT_EQ(r.events[i].kind, kinds[i % 3]) << digits;
            // A velocity known to rtol of 1 m/s vanishes at some 1 m/s^2.
            EXPECT_NEAR(r.events[i].t, times[i % 3] + static_cast<double>(i / 3),
                        options.rtol + 1e-11)
                << digits;
        }
    }
}

// At the end the pendulum hangs nearly as it began, so that its two rows alone show little of the
// energy that was exchanged.
TEST(Outputs, never_influence_the_verdict) {
    const PlacedMechanism placed = placed_of(R"(format = 1
body.a = { angle = 2.7422820159484074, mass = 0.6695690163556648, inertia = 0.00747155430306549, centre = [0.3593988879915533, 0], points = { E = [0.7187977759831066, 0] } }
body.b = { angle = 1.9455445799036504, mass = 1.0658932896960298, inertia = 0.03786509724394255, centre = [0.38054781638746993, 0], points = { E = [0.7610956327749399, 0] } }
joint.O = { type = "revolute", a = "ground", b = "a" }
joint.P = { type = "revolute", a = "a.E", b = "b" }
force.w = { type = "gravity" }
)");
    for (const double step : {30.0, 1.0, 0.1}) {
        DynamicOptions options;
        options.end = 30;
        options.step = step;
        options.rtol = options.atol = 1e-6;
        const Judgement judgement = judged(run_dynamics(placed, options), {});
        EXPECT_EQ(judgement.verdict, Verdict::agrees) << step << ": " << judgement.what;
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl::test
