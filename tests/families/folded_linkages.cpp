#include "families/folded_linkages.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace pawl::test {

namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;

// Lengths and places of one linkage, before its masses and its motion are drawn.
struct Frame {
    Complex base;     // of the first pivot
    double turn = 0;  // of the line of pivots
    [[nodiscard]] JetPose pose(Jet x, Jet y, Jet angle) const {
        const Jet c{std::cos(turn)}, s{std::sin(turn)};
        return {Jet{base.real()} + c * x - s * y, Jet{base.imag()} + s * x + c * y,
                angle + Jet{turn}};
    }
    [[nodiscard]] Complex point(double along) const { return base + std::polar(along, turn); }
};

std::string pin(const std::string& name, const std::string& a, const std::string& b) {
    return fmt::format("[joint.{}]\ntype = \"revolute\"\na = \"{}\"\nb = \"{}\"\n", name, a, b);
}
std::string point(const std::string& name, Complex p) {
    return fmt::format("{} = [{:.17g}, {:.17g}]", name, p.real(), p.imag());
}

// Body names, the point B at the end of each, and the joints.
struct Drawing {
    FoldedLinkage linkage;
    std::string ground, joints;
    std::vector<double> lengths;  // of the bodies, along x
    void part(const std::string& name, double length) {
        linkage.motion.parts.push_back({name, 1, 1, {}});
        lengths.push_back(length);
    }
};

Drawing ladder(Random& random, const Frame& frame) {
    Drawing d;
    const int windows = random.chance(0.6) ? 1 : 2 + random.below(2);
    d.linkage.kind = windows == 1 ? "parallelogram" : "ladder";
    const double crank = random.log_between(0.05, 2);
    std::vector<double> pivots{0};
    for (int i = 0; i < windows; ++i)
        pivots.push_back(pivots.back() + crank * random.log_between(0.3, 3));
    for (int i = 0; i <= windows; ++i) {
        d.part(fmt::format("crank{}", i), crank);
        d.ground += (i ? ", " : "") + point(fmt::format("A{}", i), frame.point(pivots[i]));
        d.joints +=
            pin(fmt::format("A{}", i), fmt::format("ground.A{}", i), fmt::format("crank{}", i));
    }
    for (int i = 0; i < windows; ++i) {
        d.part(fmt::format("coupler{}", i), pivots[i + 1] - pivots[i]);
        d.joints +=
            pin(fmt::format("B{}", i), fmt::format("crank{}.B", i), fmt::format("coupler{}", i)) +
            pin(fmt::format("C{}", i), fmt::format("coupler{}.B", i),
                fmt::format("crank{}.B", i + 1));
    }
    d.linkage.motion.poses = [=](Jet s, std::vector<JetPose>& out) {
        for (int i = 0; i <= windows; ++i) out[i] = frame.pose({pivots[i]}, {}, s);
        for (int i = 0; i < windows; ++i)
            out[windows + 1 + i] =
                frame.pose(Jet{pivots[i]} + Jet{crank} * cos(s), Jet{crank} * sin(s), {});
    };
    d.linkage.motion.period = pi;
    d.linkage.parameter = [](std::span<const double> a) { return a[0]; };
    return d;
}

// Four bars: pivots on ground at 0 and `ground`; three bodies.
void add_fourbar(Drawing& d, const Frame& frame, double ground, double crank, double coupler,
                 double rocker) {
    d.part("crank", crank);
    d.part("coupler", coupler);
    d.part("rocker", rocker);
    d.ground = point("O", frame.point(0)) + ", " + point("D", frame.point(ground));
    d.joints = pin("O", "ground.O", "crank") + pin("D", "ground.D", "rocker") +
               pin("B", "crank.B", "coupler") + pin("C", "coupler.B", "rocker.B");
}

// tan(rocker/2) = -(g + a)/(g - a) tan(crank/2), coupler = crank + rocker.
Drawing antiparallelogram(Random& random, const Frame& frame) {
    Drawing d;
    d.linkage.kind = "antiparallelogram";
    const double a = random.log_between(0.05, 2);
    const double g = a * (random.chance(0.5) ? random.between(1.3, 3) : random.between(0.3, 0.8));
    add_fourbar(d, frame, g, a, g, a);
    const double k = std::abs((g + a) / (g - a)), sign = a < g ? -1 : 1;
    d.linkage.motion.poses = [=](Jet s, std::vector<JetPose>& out) {
        // atan(k tan x) = x + atan((k - 1) sin x cos x / (cos^2 x + k sin^2 x))
        const Jet x = Jet{0.5} * s, cs = cos(x), sn = sin(x);
        const Jet rocker =
            Jet{2 * sign} * (x + atan(Jet{k - 1} * sn * cs * inverse(cs * cs + Jet{k} * sn * sn)));
        out[0] = frame.pose({}, {}, s);
        out[1] = frame.pose(Jet{a} * cos(s), Jet{a} * sin(s), s + rocker);
        out[2] = frame.pose({g}, {}, rocker);
    };
    d.linkage.motion.period = pi;
    d.linkage.parameter = [](std::span<const double> angles) { return angles[0]; };
    return d;
}

// A kite A B C D with AD = AB = a, CB = CD = b, symmetric about AC: with the half angles h at A and
// k at C, a sin h = b sin k; the crank turns by 2h, the coupler by h - k, the rocker by h + k. The
// half angle at the end of the longer sides swings, the other one turns.
Drawing kite(Random& random, const Frame& frame) {
    Drawing d;
    d.linkage.kind = "kite";
    const double a = random.log_between(0.05, 2);
    const bool long_arms = random.chance(0.5);
    const double b = a * (long_arms ? random.between(1.2, 3) : random.between(0.3, 0.85));
    add_fourbar(d, frame, a, a, b, b);
    d.linkage.motion.poses = [=](Jet s, std::vector<JetPose>& out) {
        const Jet h = long_arms ? s : asin(Jet{b / a} * sin(s)),
                  k = long_arms ? asin(Jet{a / b} * sin(s)) : s, crank = h + h;
        out[0] = frame.pose({}, {}, crank);
        out[1] = frame.pose(Jet{a} * cos(crank), Jet{a} * sin(crank), h - k);
        out[2] = frame.pose({a}, {}, h + k);
    };
    d.linkage.motion.period = pi;
    d.linkage.parameter = [=](std::span<const double> angles) {
        return long_arms ? 0.5 * angles[0] : angles[2] - 0.5 * angles[0];
    };
    return d;
}

Drawing slider_crank(Random& random, const Frame& frame) {
    Drawing d;
    d.linkage.kind = "slider_crank";
    const double a = random.log_between(0.05, 2);
    d.part("crank", a);
    d.part("rod", a);
    d.ground = point("O", frame.point(0));
    d.joints = pin("O", "ground.O", "crank") + pin("A", "crank.B", "rod") +
               fmt::format(
                   "[joint.guide]\ntype = \"slot\"\na = \"ground.O\"\nb = \"rod.B\"\n"
                   "axis = {:.17g}\n",
                   frame.turn);
    d.linkage.motion.poses = [=](Jet s, std::vector<JetPose>& out) {
        out[0] = frame.pose({}, {}, s);
        out[1] = frame.pose(Jet{a} * cos(s), Jet{a} * sin(s), Jet{} - s);
    };
    d.linkage.motion.singular = pi / 2;
    d.linkage.motion.period = pi;
    d.linkage.parameter = [](std::span<const double> angles) { return angles[0]; };
    return d;
}

void draw_masses(Random& random, Drawing& d) {
    OneFreedom& m = d.linkage.motion;
    for (std::size_t i = 0; i < m.parts.size(); ++i) {
        Part& p = m.parts[i];
        const double l = d.lengths[i];
        p.mass = random.log_between(0.2, 5);
        p.centre = {l * random.between(0, 1),
                    random.chance(0.5) ? 0 : l * random.between(-0.3, 0.3)};
        p.inertia = p.mass * l * l * random.log_between(0.02, 0.3);
    }
    if (random.chance(0.2)) m.gravity = 0;
    const double torque = m.parts[0].mass * 9.81 * d.lengths[0];
    m.start = random.between(-pi, pi);
    m.rate = random.sign() * random.log_between(0.3, 12);
    if (random.chance(0.4)) m.parts[0].damping = 0.1 * torque * random.between(0, 0.5);
    if (random.chance(0.2)) m.parts[0].stiffness = torque * random.between(0, 0.5);
    m.parts[0].free = m.at(m.start)[0].angle.v;
}

void write(Drawing& d) {
    const OneFreedom& m = d.linkage.motion;
    std::string& t = d.linkage.text;
    t = fmt::format("format = 1\n[body.ground]\npoints = {{ {} }}\n", d.ground);
    const std::vector<JetPose> poses = m.at(m.start);
    for (std::size_t i = 0; i < m.parts.size(); ++i) {
        const Part& p = m.parts[i];
        const JetPose& q = poses[i];
        t += fmt::format(
            "[body.{}]\nposition = [{:.17g}, {:.17g}]\nangle = {:.17g}\nvelocity = [{:.17g}, "
            "{:.17g}]\nomega = {:.17g}\npoints = {{ B = [{:.17g}, 0] }}\nmass = {:.17g}\n"
            "centre = [{:.17g}, {:.17g}]\ninertia = {:.17g}\n",
            p.name, q.x.v, q.y.v, q.angle.v, q.x.d * m.rate, q.y.d * m.rate, q.angle.d * m.rate,
            d.lengths[i], p.mass, p.centre.real(), p.centre.imag(), p.inertia);
    }
    t += d.joints;
    if (m.gravity != 0) t += "[force.weight]\ntype = \"gravity\"\n";
    if (m.parts[0].damping != 0 || m.parts[0].stiffness != 0)
        t += fmt::format(
            "[force.drag]\ntype = \"joint_spring\"\njoint = \"{}\"\ndamping = {:.17g}\n"
            "stiffness = {:.17g}\n",
            d.joints.substr(7, d.joints.find(']') - 7), m.parts[0].damping, m.parts[0].stiffness);
}

}  // namespace

FoldedLinkage folded_linkage(Random& random) {
    using Draw = Drawing (*)(Random&, const Frame&);
    static constexpr Draw kinds[] = {ladder, ladder, antiparallelogram, kite, slider_crank};
    for (;;) {
        Frame frame;
        if (random.chance(0.5))
            frame = {{random.between(-2, 2), random.between(-2, 2)}, random.between(-pi, pi)};
        Drawing d = kinds[random.below(5)](random, frame);
        draw_masses(random, d);
        // Below 1e-12 of the size a linkage counts as exact.
        if (random.chance(0.3)) {
            const double misfit = random.log_between(1e-15, 2e-13);
            for (double& length : d.lengths) length *= 1 + random.between(-misfit, misfit);
        }
        FoldedLinkage& l = d.linkage;
        l.end = random.between(0.5, 5);
        l.course = course(l.motion, l.end);
        const auto& passes = l.course.passes;
        if (passes.empty() || passes.size() > 12 || l.course.nearest_turn < 0.1 ||
            l.course.sensitivity > 300 || passes.front().t < 0.01 * l.end ||
            passes.back().t > 0.99 * l.end)
            continue;
        write(d);
        return std::move(l);
    }
}

}  // namespace pawl::test
