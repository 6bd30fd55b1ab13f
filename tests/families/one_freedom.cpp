#include "families/one_freedom.h"

#include <algorithm>

#include "families/dormand_prince.h"

namespace pawl::test {

double OneFreedom::acceleration(double s, double rate) const {
    std::vector<JetPose> poses = at(s);
    double a = 0, b = 0, force = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Part& part = parts[i];
        const JetPose& p = poses[i];
        const Jet c = cos(p.angle), n = sin(p.angle), cx{part.centre.real()},
                  cy{part.centre.imag()};
        const Jet x = p.x + c * cx - n * cy, y = p.y + n * cx + c * cy;
        a += part.mass * (x.d * x.d + y.d * y.d) + part.inertia * p.angle.d * p.angle.d;
        b += part.mass * (x.d * x.dd + y.d * y.dd) + part.inertia * p.angle.d * p.angle.dd;
        force -= part.mass * gravity * y.d + part.damping * p.angle.d * p.angle.d * rate +
                 part.stiffness * (p.angle.v - part.free) * p.angle.d;
    }
    return (force - b * rate * rate) / a;
}

std::vector<JetPose> OneFreedom::at(double s) const {
    std::vector<JetPose> list(parts.size());
    poses({s, 1, 0}, list);
    return list;
}

ReferenceMotion::ReferenceMotion(const OneFreedom& linkage, double start, double rate,
                                 double tolerance)
    : linkage_(&linkage), tolerance_(tolerance), y_{start, rate} {}

void ReferenceMotion::advance(double t) {
    const auto rates = [this](const Pair& y) {
        return Pair{y[1], linkage_->acceleration(y[0], y[1])};
    };
    integrate(rates, t_, y_, t, h_, tolerance_, [] {});
}

namespace {

double to_singular(const OneFreedom& linkage, double s) {
    return std::remainder(s - linkage.singular, linkage.period);
}

// The pass inside the interval that `before` begins and in which s crosses a singular position.
Pass pass_between(const OneFreedom& linkage, ReferenceMotion before, double end) {
    double low = before.t(), high = end;
    const double sign = to_singular(linkage, before.s()) > 0 ? 1 : -1;
    for (int i = 0; i < 60 && high - low > 1e-14 * end; ++i) {
        ReferenceMotion probe = before;
        // Newton's steps inside the bracket.
        const double guess = before.t() - to_singular(linkage, before.s()) / before.rate();
        const double t = guess > low && guess < high && i < 8 ? guess : 0.5 * (low + high);
        probe.advance(t);
        const bool is_before = to_singular(linkage, probe.s()) * sign > 0;
        (is_before ? low : high) = t;
        if (std::abs(to_singular(linkage, probe.s())) < 1e-13) return {t, probe.rate()};
        if (is_before) before = probe;
    }
    before.advance(high);
    return {high, before.rate()};
}

}  // namespace

Course course(const OneFreedom& linkage, double end) {
    Course c;
    ReferenceMotion motion(linkage, linkage.start, linkage.rate, 1e-13);
    constexpr double small = 1e-5;
    ReferenceMotion faster(linkage, linkage.start, linkage.rate * (1 + small), 1e-12),
        ahead(linkage, linkage.start + small, linkage.rate, 1e-12);
    constexpr int intervals = 500;
    for (int i = 1; i <= intervals; ++i) {
        const ReferenceMotion before = motion;
        const double t = end * i / intervals;
        motion.advance(t);
        faster.advance(t);
        ahead.advance(t);
        c.fastest = std::max(c.fastest, std::abs(motion.rate()));
        c.sensitivity = std::max({c.sensitivity, std::abs(faster.s() - motion.s()) / small,
                                  std::abs(ahead.s() - motion.s()) / small});
        const double from = to_singular(linkage, before.s()), to = to_singular(linkage, motion.s());
        if (before.rate() * motion.rate() <= 0)
            c.nearest_turn = std::min({c.nearest_turn, std::abs(from), std::abs(to)});
        if (from * to <= 0 && std::abs(from - to) < 0.5 * linkage.period && from != 0)
            c.passes.push_back(pass_between(linkage, before, t));
    }
    return c;
}

}  // namespace pawl::test
