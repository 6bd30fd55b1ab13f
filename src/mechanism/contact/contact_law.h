// Laws of contact: rigid, or a normal force as a function of the depth of penetration and its rate.
// Each kind turns what is known when a contact begins into one formula. Knows no bodies and no
// profiles.
#pragma once

#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "math/dual.h"
#include "math/units.h"

namespace pawl {

// The force of a contact that has begun, positive where it drives the bodies apart. With the depth
// d and its rate d':
//   F = K d^n (1 + chi d') + C d', but never below zero: the contact ends where F vanishes.
template <class T>
struct CompliantForce {
    T stiffness{}, exponent{};  // K, n
    T hysteresis{};             // chi, s/m
    T damping{};                // C

    [[nodiscard]] T elastic(const T& depth) const {
        using std::pow;
        return value_of(depth) > 0 ? stiffness * pow(depth, exponent) : T(0);
    }
    [[nodiscard]] T force(const T& depth, const T& rate) const {
        if (!(value_of(depth) > 0)) return T(0);
        const T f = elastic(depth) * (T(1) + hysteresis * rate) + damping * rate;
        return value_of(f) > 0 ? f : T(0);
    }
    // The energy stored in the depth, of which F d' - K d^n d' is no part.
    [[nodiscard]] T potential(const T& depth) const {
        return elastic(depth) * depth / (exponent + T(1));
    }
};

// What a law receives when a contact begins.
template <class T>
struct ContactStart {
    T approach{};     // speed at which the gap closes, v0 > 0
    T restitution{};  // of the contact, e
    T radius{};       // R*, 1/R* = k_a + k_b of the curvatures that meet
};

// K and n given, or from the materials after Hertz (1882), with
//   1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b:
// round bodies K = 4/3 E* sqrt(R*), n = 3/2; with a width L, parallel cylinders K = pi/4 E* L, n =
// 1 (Popov 2010, chapter 5), which does not depend on the radii.
template <class T>
struct ElasticContact {
    std::optional<T> stiffness, exponent, young_a, poisson_a, young_b, poisson_b, width;

    template <class V>
    void elastic_fields(V& v) {
        v.number("exponent", exponent, dimension::none,
                 "n: power of the depth, with `stiffness`; default: 1.5");
        v.require(value_of(power()) >= 1, "exponent", "must not be below 1");
        v.number("stiffness", stiffness,
                 dimension::force / pow(dimension::length, value_of(power())),
                 "K: force per depth to the power n; or give the materials");
        v.positive("stiffness", stiffness);
        v.number("young_a", young_a, dimension::pressure, "modulus of elasticity of a");
        v.positive("young_a", young_a);
        v.number("poisson_a", poisson_a, dimension::none, "Poisson's ratio of a; default: 0.3");
        v.number("young_b", young_b, dimension::pressure, "modulus of elasticity of b");
        v.positive("young_b", young_b);
        v.number("poisson_b", poisson_b, dimension::none, "Poisson's ratio of b; default: 0.3");
        v.number("width", width, dimension::length,
                 "with materials: length of the line of contact between parallel cylinders; "
                 "default: round bodies that touch in a point");
        v.positive("width", width);
        for (const auto& [key, ratio] :
             {std::pair{"poisson_a", poisson_a}, {"poisson_b", poisson_b}})
            v.require(!ratio || (value_of(*ratio) > -1 && value_of(*ratio) <= 0.5), key,
                      "must be above -1 and not above 0.5");
        v.require(!stiffness || !(young_a || poisson_a || young_b || poisson_b || width),
                  "stiffness", "give either the stiffness or the materials");
        v.require(stiffness || (young_a && young_b), "law",
                  "needs the stiffness, or young_a and young_b");
        v.require(stiffness || !exponent, "exponent", "follows from the materials");
    }

    [[nodiscard]] T power() const { return exponent.value_or(T(1.5)); }
    [[nodiscard]] T modulus() const {
        const auto compliance = [](const T& young, const std::optional<T>& poisson) {
            const T ratio = poisson.value_or(T(0.3));
            return (T(1) - ratio * ratio) / young;
        };
        return T(1) / (compliance(*young_a, poisson_a) + compliance(*young_b, poisson_b));
    }
    // The elastic part. None where the radius makes no sense of Hertz's formula: at a corner,
    // between flat sides, in a hollow of the same radius.
    [[nodiscard]] std::optional<CompliantForce<T>> elastic_force(const T& radius) const {
        using std::sqrt;
        if (stiffness) return CompliantForce<T>{*stiffness, power(), T(0), T(0)};
        if (width)
            return CompliantForce<T>{T(std::numbers::pi / 4) * modulus() * *width, T(1), T(0),
                                     T(0)};
        if (!(value_of(radius) > 0) || !std::isfinite(value_of(radius))) return std::nullopt;
        return CompliantForce<T>{T(4.0 / 3) * modulus() * sqrt(radius), T(1.5), T(0), T(0)};
    }
};

// Each kind has begin(start): the force of the contact; nothing where the contact is rigid, or
// where the law has no force for these curvatures.
template <class T>
struct RigidContact {
    static constexpr std::string_view name = "rigid";
    static constexpr std::string_view summary =
        "No penetration: impacts take no time and follow the law of `impact`. With `hysteresis` "
        "and `stiffness` of the contact force that the impact replaces, the coefficient of "
        "restitution follows from the speed of approach v: e = sqrt(1 - 4 v mu/(3 K)), and 0 for v "
        "of 3 K/(4 mu) or more.";
    static constexpr bool is_rigid = true, uses_restitution = true;
    std::optional<T> stiffness, hysteresis;
    template <class V>
    void fields(V& v) {
        v.number("hysteresis", hysteresis,
                 dimension::force * dimension::time / pow(dimension::length, 2.5),
                 "mu of the force K d^1.5 + mu d^1.5 d' that the impact replaces; with "
                 "`stiffness`, instead of `restitution`");
        v.positive("hysteresis", hysteresis);
        v.number("stiffness", stiffness, dimension::force / pow(dimension::length, 1.5),
                 "K of the same force");
        v.positive("stiffness", stiffness);
        v.require(stiffness.has_value() == hysteresis.has_value(),
                  hysteresis ? "hysteresis" : "stiffness",
                  hysteresis
                      ? "of a rigid contact goes with `stiffness`, from which restitution follows"
                      : "a rigid contact has no stiffness; for a compliant one choose a law such "
                        "as law = \"kelvin_voigt\" or \"hertz\" (with `hysteresis` restitution "
                        "follows from both)");
    }
    // Of an impact at a speed of approach v: mu = 3 K (1 - e^2)/(4 v) of Lankarani and Nikravesh,
    // solved for e (Wang 1996, eq. 3.5.3-1). Nothing where the hysteresis is not given.
    [[nodiscard]] std::optional<T> restitution(const T& approach) const {
        using std::sqrt;
        if (!hysteresis || !stiffness) return std::nullopt;
        const T left = T(1) - T(4.0 / 3) * approach * *hysteresis / *stiffness;
        return value_of(left) > 0 ? sqrt(left) : T(0);
    }
    [[nodiscard]] std::optional<CompliantForce<T>> begin(const ContactStart<T>&) const {
        return std::nullopt;
    }
};

template <class T>
struct KelvinVoigtContact {
    static constexpr std::string_view name = "kelvin_voigt";
    static constexpr std::string_view summary =
        "A linear spring and a damper in parallel, F = K d + C d', never negative.";
    static constexpr bool is_rigid = false, uses_restitution = false;
    T stiffness{}, damping{};
    template <class V>
    void fields(V& v) {
        v.number("stiffness", stiffness, dimension::stiffness, "K: force per depth");
        v.positive("stiffness", stiffness);
        v.number("damping", damping, dimension::damping, "C: force per speed", "0");
        v.require(value_of(damping) >= 0, "damping", "must not be negative");
    }
    [[nodiscard]] std::optional<CompliantForce<T>> begin(const ContactStart<T>&) const {
        return CompliantForce<T>{stiffness, T(1), T(0), damping};
    }
};

template <class T>
struct HertzContact : ElasticContact<T> {
    static constexpr std::string_view name = "hertz";
    static constexpr std::string_view summary =
        "Elastic contact without dissipation, F = K d^n (Hertz 1882).";
    static constexpr bool is_rigid = false, uses_restitution = false;
    template <class V>
    void fields(V& v) {
        this->elastic_fields(v);
    }
    [[nodiscard]] std::optional<CompliantForce<T>> begin(const ContactStart<T>& start) const {
        return this->elastic_force(start.radius);
    }
};

template <class T>
struct HuntCrossleyContact : ElasticContact<T> {
    static constexpr std::string_view name = "hunt_crossley";
    static constexpr std::string_view summary =
        "Elastic contact with dissipation that vanishes at zero depth, F = K d^n (1 + 1.5 c d') "
        "(Hunt and Crossley 1975). At low speed the restitution is 1 - c v.";
    static constexpr bool is_rigid = false, uses_restitution = false;
    T damping{};
    template <class V>
    void fields(V& v) {
        this->elastic_fields(v);
        v.number("damping", damping, dimension::none / dimension::velocity,
                 "c: loss of restitution per speed of approach");
        v.require(value_of(damping) >= 0, "damping", "must not be negative");
    }
    [[nodiscard]] std::optional<CompliantForce<T>> begin(const ContactStart<T>& start) const {
        auto force = this->elastic_force(start.radius);
        if (force) force->hysteresis = T(1.5) * damping;
        return force;
    }
};

// With the speed of approach v0 the loss over the contact is that of the restitution e, to first
// order in 1 - e: chi = 3 (1 - e^2)/(4 v0). A contact that begins at rest loses nothing.
template <class T>
struct LankaraniNikraveshContact : ElasticContact<T> {
    static constexpr std::string_view name = "lankarani_nikravesh";
    static constexpr std::string_view summary =
        "Elastic contact whose dissipation follows from the restitution e and the speed of "
        "approach v0, F = K d^n (1 + 3 (1 - e^2) d'/(4 v0)) (Lankarani and Nikravesh 1990). Valid "
        "for e near 1.";
    static constexpr bool is_rigid = false, uses_restitution = true;
    template <class V>
    void fields(V& v) {
        this->elastic_fields(v);
    }
    [[nodiscard]] std::optional<CompliantForce<T>> begin(const ContactStart<T>& start) const {
        auto force = this->elastic_force(start.radius);
        const T& e = start.restitution;
        if (force && value_of(start.approach) > 0)
            force->hysteresis = T(0.75) * (T(1) - e * e) / start.approach;
        return force;
    }
};

template <class T>
using ContactLaw = std::variant<RigidContact<T>, KelvinVoigtContact<T>, HertzContact<T>,
                                HuntCrossleyContact<T>, LankaraniNikraveshContact<T>>;

template <class T>
bool is_rigid(const ContactLaw<T>& law) {
    return std::visit([](const auto& kind) { return kind.is_rigid; }, law);
}

}  // namespace pawl
