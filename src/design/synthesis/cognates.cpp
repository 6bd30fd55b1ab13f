// Cognate four-bars (Roberts 1875).
#include <complex>

#include "design/synthesis/search.h"
#include "math/tolerances/outside.h"

namespace pawl {

namespace {

using Complex = std::complex<double>;
using Eigen::VectorXd;

// The vectors of a four-bar in one position: crank a, coupler c, rocker f, with
// A + a + c = B + f, and the coupler point at A + a + z c.
struct Chain {
    Complex ground_a, ground_b, a, c, f, point;
};

// Of the linkage that make_linkage(four_bar) makes.
struct FourBar {
    const Linkage& l;

    Chain chain(const VectorXd& b, const VectorXd& q) const {
        const auto at = [&](int node) {
            const Linkage::Vector p = l.at(node, q, b);
            return Complex(p.x, p.y);
        };
        const Complex A = at(l.bars[0].a), B = at(l.bars[2].a), p1 = at(l.bars[0].b),
                      p2 = at(l.bars[1].b);
        return {A, B, p1 - A, p2 - p1, p2 - B, at(l.traced)};
    }
    void set(const Chain& from, VectorXd& b, VectorXd& q) const {
        const auto put = [&](int node, Complex p) {
            const Linkage::Node& n = l.nodes[static_cast<std::size_t>(node)];
            (n.on_ground() ? b[n.x] : q[l.index(node)]) = p.real();
            (n.on_ground() ? b[n.y] : q[l.index(node) + 1]) = p.imag();
        };
        put(l.bars[0].a, from.ground_a);
        put(l.bars[2].a, from.ground_b);
        put(l.bars[0].b, from.ground_a + from.a);
        put(l.bars[1].b, from.ground_b + from.f);
        put(l.traced, from.point);
    }
};

// With z the position of the coupler point in units of the coupler, the third pivot is
// O = A + z (B - A). From A the chain z c, z a, z f closes there, and the coupler point is
// A + z c + a; from B the chain (z - 1) c, (1 - z) f, (1 - z) a.
Chain cognate(const Chain& k, Complex z, bool at_b) {
    const Complex third = k.ground_a + z * (k.ground_b - k.ground_a);
    if (!at_b) return {k.ground_a, third, z * k.c, z * k.a, z * k.f, k.point};
    return {k.ground_b, third, (z - 1.0) * k.c, (1.0 - z) * k.f, (1.0 - z) * k.a, k.point};
}

}  // namespace

std::vector<SynthesisUnknowns> cognates(const SynthesisProblem& problem,
                                        const SynthesisUnknowns& of) {
    const Linkage& l = problem.linkage();
    const SynthesisTask& task = problem.task();
    const bool is_four_bar =
        l.bars.size() == 3 && l.plates.size() == 1 && l.guides.empty() && l.plates[0].bar == 1;
    if (!is_four_bar || task.kind != SynthesisKind::path || task.is_timed()) return {};
    for (const DesignNumber& number : l.numbers)
        if (number.fixed) return {};
    const FourBar four_bar{l};
    const Linkage::PlatePoint& plate = l.plates[0];
    const Complex z = Complex(of.design[plate.x], of.design[plate.y]) / of.design[l.bars[1].length];
    if (std::abs(z) < tolerance::coupler_joint || std::abs(z - 1.0) < tolerance::coupler_joint)
        return {};  // the point is a joint
    std::vector<SynthesisUnknowns> out;
    for (const bool at_b : {false, true}) {
        SynthesisUnknowns x = of;
        for (VectorXd& q : x.positions)
            four_bar.set(cognate(four_bar.chain(of.design, q), z, at_b), x.design, q);
        l.take_dimensions(x.positions.front(), x.design);
        out.push_back(std::move(x));
    }
    return out;
}

}  // namespace pawl
