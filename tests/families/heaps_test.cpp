// Random heaps: up to eight disks and boxes that fall into a bin, with and without friction and
// restitution. What goes to its end has its audit passed; what stops on the way is counted.
#include <cmath>
#include <complex>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "families/copies.h"
#include "families/family.h"

namespace pawl::test {
namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi, density = 1000;

struct Heap {
    int bodies;
    double friction, restitution;
    std::string text;
};

// One body to each cell of a grid of 0.3 m.
Heap heap(Random& random) {
    constexpr double cell = 0.3, frictions[] = {0, 0.1, 0.3, 0.6, 1},
                     restitutions[] = {0, 0, 0.3, 0.5, 0.8};
    Heap h{1 + random.below(8), frictions[random.below(5)], restitutions[random.below(5)], ""};
    const int columns = static_cast<int>(std::ceil(std::sqrt(h.bodies)));
    const double width = cell * columns;
    CopyWriter out({});
    const auto contact = [&](const std::string& a, const std::string& b) {
        out.contact(a + "_" + b, a, b, h.restitution, h.friction);
    };
    out.sides("bin", "ground", {{width, 9}, {width, 0}, {0, 0}, {0, 9}});
    for (int i = 0; i < h.bodies; ++i) {
        const std::string name = "b" + std::to_string(i);
        CopiedBody body{
            name,
            {cell * (i % columns + 0.5) + random.between(-0.02, 0.02),
             cell * (static_cast<double>(i / columns) + 0.5) + random.between(-0.02, 0.02)},
            random.between(-pi, pi),
            {random.between(-0.5, 0.5), random.between(-0.5, 0.2)},
            random.between(-2, 2)};
        if (random.chance(0.5)) {
            const double radius = random.between(0.05, 0.1);
            body.mass = density * pi * radius * radius;
            body.inertia = 0.5 * body.mass * radius * radius;
            out.body(body);
            out.circle(name, name, {}, radius);
        } else {
            const double a = random.between(0.05, 0.09), b = random.between(0.05, 0.09);
            body.mass = 4 * density * a * b;
            body.inertia = body.mass * (a * a + b * b) / 3;
            out.body(body);
            out.sides(name, name, {{-a, -b}, {a, -b}, {a, b}, {-a, b}, {-a, -b}});
        }
        contact("bin", name);
        for (int k = 0; k < i; ++k) contact("b" + std::to_string(k), name);
    }
    out.gravity();
    h.text = out.text();
    return h;
}

TEST(Heaps, that_come_to_their_end_have_their_audit_passed) {
    // Hops brought to rest beside a rebound (72, 254, 337), sliding of some contacts without forces
    // while others leave (306, 533), part of what may give way does (658).
    Family("heaps", 40).also({72, 254, 306, 337, 533, 658}).run([](std::uint64_t, Random& random) {
        const Heap h = heap(random);
        Trial trial{
            fmt::format("{} bodies mu {} e {}", h.bodies, h.friction, h.restitution), h.text, {}};
        trial.judge = [text = h.text] {
            DynamicOptions options;
            options.end = 1;
            options.step = 0.02;
            const DynamicResult r = run_dynamics(placed_of(text), options);
            Judgement judgement = judged(r, "");
            // Known gap: about one heap in a hundred stops with its reason, chatter or a paradox of
            // Painleve, where dependent contacts share a force of friction. Those are counted.
            if (judgement.verdict == Verdict::audit_failed) judgement.verdict = Verdict::wrong;
            return judgement;
        };
        return trial;
    });
}

}  // namespace
}  // namespace pawl::test
