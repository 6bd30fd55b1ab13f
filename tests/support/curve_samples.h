// One or more elements of every kind of curve, for laws that run over the list of kinds: sizes
// between 0.4 and 3, convex ones smaller than hollow ones so that they fit into them.
#pragma once

#include <vector>

#include "curves/cam.h"

namespace pawl::test {

using Space = Planar<double>;
using Element = CurveElement<Space>;

inline std::vector<Element> samples(Corner<Space>*) {
    return {Corner<Space>{{0.2, -0.4}, 0.5, 1.3}, Corner<Space>{{-0.3, 0.1}, 2.8, 0.9}};
}
inline std::vector<Element> samples(LineCurve<Space>*) {
    return {LineCurve<Space>{{-1, 0.3}, {1.5, -0.2}}};
}
inline std::vector<Element> samples(ArcCurve<Space>*) {
    return {ArcCurve<Space>{{0.4, 0.1}, 0.6, 2.5, 1.7}, ArcCurve<Space>{{0.2, 0.3}, 4, -0.4, -1.1}};
}
inline std::vector<Element> samples(CircleCurve<Space>*) {
    return {CircleCurve<Space>{{0.4, 0.1}, 0.5, 0.3, false},
            CircleCurve<Space>{{0.1, 0.2}, 4, 1, true}};
}
inline std::vector<Element> samples(PolarPolynomial<Space>*) {
    PolarPolynomial<Space> rising, hollow;
    rising.origin = {0.1, -0.2};
    rising.from = 0.4;
    rising.to = 1.5;
    rising.start = 0.3;
    rising.scale = 0.8;
    rising.coefficients = {0.7, 0.05, -0.02};
    rising.exponents = {0, 2.5, 3};
    hollow = rising;
    hollow.from = 1.2;
    hollow.to = 0.5;
    hollow.coefficients = {4, 0.1, 0.05};
    hollow.exponents = {0, 1, 2};
    PolarPolynomial<Space> parallel = rising;
    parallel.offset = 0.15;
    return {rising, hollow, parallel};
}
inline std::vector<Element> samples(SplineCurve<Space>*) {
    std::vector<Space::Vector> arch, ring;
    for (int i = 0; i < 7; ++i) {
        const double angle = 0.3 + 0.25 * i, r = 0.8 + 0.03 * std::sin(2.0 * i);
        arch.push_back({r * std::cos(angle), r * std::sin(angle)});
    }
    for (int i = 0; i < 12; ++i) {
        const double angle = std::numbers::pi / 6 * i;
        ring.push_back({0.7 * std::cos(angle), 0.5 * std::sin(angle)});
    }
    return {SplineCurve<Space>(arch, Ends::natural), SplineCurve<Space>(ring, Ends::periodic)};
}
inline std::vector<Element> samples(PolarSpline<Space>*) {
    PolarSpline<Space> open({0.2, 0.6, 1.1, 1.5}, {0.6, 0.64, 0.66, 0.7}, Ends::clamped);
    open.origin = {0.2, 0.1};
    PolarSpline<Space> ring({0, 1, 2, 3, 4, 5}, {0.6, 0.63, 0.66, 0.7, 0.66, 0.6}, Ends::periodic);
    PolarSpline<Space> hollow({1.5, 1.1, 0.6, 0.2}, {4, 4.1, 4.05, 4}, Ends::natural);
    hollow.turned = 0.3;
    return {open, ring, hollow};
}
inline Formula<double> formula(const char* text, const char* variable) {
    SymbolTable symbols;
    symbols.add(variable, Quality::unknown());
    ExpressionError error;
    return {*Expression::parse(text, symbols, {}, error), {}};
}
inline std::vector<Element> samples(FormulaCurve<Space>*) {
    // An arch that has no values beyond its start, a hollow bowl, a trefoil.
    FormulaCurve<Space> arch({std::nullopt, formula("0.4 - 0.2*x*sqrt(x) - 0.3*x^2", "x")}, 1.1,
                             0.1);
    FormulaCurve<Space> bowl({std::nullopt, formula("4 - sqrt(16 - x^2)", "x")}, -0.5, 1.5);
    FormulaCurve<Space> trefoil({formula("(0.6 + 0.03*cos(3*u))*cos(u)", "u"),
                                 formula("(0.6 + 0.03*cos(3*u))*sin(u)", "u")},
                                0, 2 * std::numbers::pi);
    FormulaCurve<Space> parallel = arch;
    parallel.offset = 0.1;
    return {arch, bowl, trefoil, parallel};
}
inline std::vector<Element> samples(EllipseCurve<Space>*) {
    EllipseCurve<Space> part({0.6, 0.4}, 0.3, 2.1);
    part.similarity = {1, 0.7, {0.1, -0.2}};
    EllipseCurve<Space> hollow({4, 5}, 1.4, 0.2);
    return {part, EllipseCurve<Space>({0.7, 0.5}, 0, 2 * std::numbers::pi), hollow};
}
inline std::vector<Element> samples(CamCurve<Space>*) {
    CamCurve<Space> curve;
    curve.drive.base = 0.6;
    curve.drive.roller = 0.15;
    curve.drive.offset = 0.1;
    curve.segment = {MotionLaw::cycloidal, 0.12, 1.9};
    curve.start = 0.4;
    curve.lifted = 0.05;
    std::vector<Element> all{curve};
    curve.drive.turns = -1;
    curve.drive.follower = Follower::flat;
    curve.drive.roller = 0;
    curve.segment = {MotionLaw::harmonic, 0.2, 1.9};
    all.push_back(curve);
    curve.drive.oscillating = true;
    curve.drive.pivot = {1.3, 0.4};
    curve.drive.arm = 0.1;
    all.push_back(curve);
    curve.drive.turns = 1;
    curve.drive.follower = Follower::roller;
    curve.drive.roller = 0.2;
    curve.drive.arm = 1.1;
    curve.segment.law = MotionLaw::poly345;
    all.push_back(curve);
    curve.drive.follower = Follower::knife;
    curve.drive.roller = 0;
    curve.drive.oscillating = false;
    curve.segment = {MotionLaw::poly4567, -0.04, 1.5};
    all.push_back(curve);
    return all;
}

template <std::size_t... I>
std::vector<Element> all_samples(std::index_sequence<I...>) {
    std::vector<Element> all;
    const auto add = [&](std::vector<Element> more) {
        for (Element& e : more) all.push_back(std::move(e));
    };
    (add(samples(static_cast<std::variant_alternative_t<I, Element>*>(nullptr))), ...);
    return all;
}
// Every kind has samples: a kind without them does not compile.
inline std::vector<Element> all_samples() {
    return all_samples(std::make_index_sequence<std::variant_size_v<Element>>{});
}

inline std::string_view kind_of(const Element& e) {
    return std::visit([](const auto& kind) { return kind.name; }, e);
}

// A fraction near u, away from the seams of the element, where third derivatives jump.
inline double off_seams(const Element& e, double u) {
    constexpr double near = 0.02;
    return std::visit(
        [&](const auto& kind) {
            if constexpr (GeneralCurve<std::decay_t<decltype(kind)>>)
                for (const double seam : kind.breaks())
                    if (std::abs(u - seam) < near) return seam + (u < seam ? -near : near);
            return u;
        },
        e);
}

}  // namespace pawl::test
