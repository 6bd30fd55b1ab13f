// Known linkages that pass singular positions: all passes are found at any tolerance in every
// formulation; rows near them, and long ladders, balance.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "families/folded_linkages.h"

namespace pawl::test {
namespace PAWL_TEST_FILE {

// A ladder of parallelograms of unit bars, upright, with the speed of its cranks; its motion is
// that of one body of one degree of freedom.
std::string unit_ladder(int windows, double speed) {
    std::string t = "format = 1\n[body.ground]\npoints = { A0 = [0, 0]";
    for (int i = 1; i <= windows; ++i) t += fmt::format(", A{0} = [{0}, 0]", i);
    t += " }\n";
    const char* rod =
        "points = { B = [1, 0] }\nmass = 1\ncentre = [0.5, 0]\ninertia = "
        "0.083333333333333333\n";
    for (int i = 0; i <= windows; ++i)
        t += fmt::format(
            "[body.crank{0}]\nposition = [{0}, 0]\nangle = 1.5707963267948966\nomega = "
            "{1}\n{2}[joint.A{0}]\ntype = \"revolute\"\na = \"ground.A{0}\"\nb = "
            "\"crank{0}\"\n",
            i, speed, rod);
    for (int i = 0; i < windows; ++i)
        t += fmt::format(
            "[body.coupler{0}]\nposition = [{0}, 1]\nvelocity = [{1}, 0]\n{2}"
            "[joint.B{0}]\ntype = \"revolute\"\na = \"crank{0}.B\"\nb = \"coupler{0}\"\n"
            "[joint.C{0}]\ntype = \"revolute\"\na = \"coupler{0}.B\"\nb = "
            "\"crank{3}.B\"\n",
            i, -speed, rod, i + 1);
    return t + "[force.weight]\ntype = \"gravity\"\n";
}

OneFreedom reduced_ladder(int windows, double speed) {
    OneFreedom m;
    for (int i = 0; i <= 2 * windows; ++i) m.parts.push_back({"", 1, 1.0 / 12, {0.5, 0}});
    m.poses = [=](Jet s, std::vector<JetPose>& out) {
        for (int i = 0; i <= windows; ++i) out[static_cast<std::size_t>(i)] = {{}, {}, s};
        for (int i = 0; i < windows; ++i)
            out[static_cast<std::size_t>(windows + 1 + i)] = {cos(s), sin(s), {}};
    };
    m.start = std::acos(-1.0) / 2;
    m.rate = speed;
    m.period = std::acos(-1.0);
    return m;
}

// The passes of a run against those of a reference.
std::string passes_error(const DynamicResult& r, const std::vector<Pass>& passes, double room) {
    std::vector<double> found;
    for (const Event& e : r.events)
        if (e.kind == EventKind::bifurcation) found.push_back(e.t);
    if (found.size() != passes.size())
        return fmt::format("{} of {} singular positions reported", found.size(), passes.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        if (!(std::abs(found[i] - passes[i].t) < room))
            return fmt::format("singular position at {:.9g} s for {:.9g} s", found[i], passes[i].t);
    return {};
}

// The parallelogram of unit bars passes ten singular positions in 10 s, the first at 0.7085 s; the
// slider-crank of Garcia de Jalon and Bayo (1994, 10.6) eleven, every 0.8852836594 s.
TEST(SingularPositions, are_all_found_at_every_tolerance_in_every_formulation) {
    const OneFreedom parallelogram = reduced_ladder(1, -1);
    const std::vector<Pass> ten = course(parallelogram, 10).passes;
    ASSERT_EQ(ten.size(), 10U);
    // The integral of ds/sqrt(1 + 2.4 g (1 - sin s)) over a quarter of a turn, by Simpson's rule.
    EXPECT_NEAR(ten.front().t, 0.708450008836, 1e-11);
    std::vector<Pass> eleven;
    for (int i = 0; i < 11; ++i) eleven.push_back({0.391732135 + 0.8852836594 * i, 1});
    Family family("known singular positions", 180);
    family.run([=](std::uint64_t seed, Random& random) {
        Combination c = combination(seed % 15, random);
        c.rtol = std::array{1e-4, 1e-5, 1e-6, 1e-8, 1e-10, 1e-12}[(seed - 1) / 30 % 6];
        const bool slider = (seed - 1) % 30 >= 15;
        const std::string text(slider ? embedded_text("slider_crank_singular")
                                      : unit_ladder(1, -1));
        return Trial{c.label(), text, [=] {
                         const DynamicResult r = run_dynamics(placed_of(text), c.options(10, 0.05));
                         // The positions drift by some hundred times the tolerance in 10 s.
                         return judged(r, passes_error(r, slider ? eleven : ten,
                                                       std::min(0.1, 3e3 * c.rtol + 1e-5)));
                     }};
    });
}

// Newton and Euler of every bar from the columns, and the motion of the reduced ladder.
std::string ladder_error(const DynamicResult& r, int windows, const OneFreedom& reduced) {
    const Trajectory& t = r.trajectory;
    ReferenceMotion reference(reduced, reduced.start, reduced.rate, 1e-12);
    for (std::size_t row = 0; row < t.rows(); ++row) {
        reference.advance(t.row(row)[0]);
        const double angle = value(t, row, "crank0.angle");
        if (!(std::abs(angle - reference.s()) < 1e-4))
            return fmt::format("t = {:.6g}: crank0.angle {:.9g} for {:.9g}", t.row(row)[0], angle,
                               reference.s());
        const double omega = value(t, row, "crank0.omega"),
                     alpha = reduced.acceleration(angle, omega);
        for (int i = 0; i <= windows; ++i) {
            const double found = value(t, row, fmt::format("crank{}.alpha", i));
            const double distance = std::abs(std::remainder(angle, reduced.period));
            if (!(std::abs(found - alpha) < 1e-5 * (20 + omega * omega) / (0.01 + distance)))
                return fmt::format("t = {:.6g}: crank{}.alpha {:.9g} for {:.9g}", t.row(row)[0], i,
                                   found, alpha);
        }
    }
    return {};
}

TEST(SingularPositions, ladders_of_any_length_pass_them_and_balance) {
    Family family("unit ladders", 12);
    family.run([](std::uint64_t seed, Random& random) {
        Combination c;
        c.coordinates = seed % 2 ? "relative" : "absolute";
        c.dynamics = "multipliers";
        c.integrator = "dop853";
        c.rtol = std::pow(10.0, -6 - random.below(5));
        const int windows = std::array{1, 2, 5, 15, 40, 3}[seed % 6];
        const double speed = random.sign() * random.between(0.4, 1.5);
        const std::string text = unit_ladder(windows, speed);
        return Trial{c.label(), text, [=] {
                         const DynamicResult r = run_dynamics(placed_of(text), c.options(3, 0.01));
                         return judged(r, ladder_error(r, windows, reduced_ladder(windows, speed)));
                     }};
    });
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl::test
