// Dry friction: how large it may be at a load, at rest and at a speed. Plain values with their
// fields; knows no bodies and no loads.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "math/dual.h"
#include "math/units.h"

namespace pawl {

// Coulomb's law with a coefficient at rest and one in motion; with a Stribeck speed v_s the
// coefficient falls from the one to the other, mu(v) = mu_k + (mu_s - mu_k) exp(-(v/v_s)^2); and a
// part that grows with the speed, whatever the load.
template <class T>
struct DryFriction {
    T kinetic{};
    std::optional<T> at_rest, stribeck;
    T viscous{};

    template <class V>
    void dry_fields(V& v, const Dimension& viscous_dimension) {
        v.number("kinetic", kinetic, dimension::none, "coefficient of friction in motion");
        v.require(value_of(kinetic) >= 0, "kinetic", "must not be negative");
        v.number("static", at_rest, dimension::none,
                 "coefficient of friction at rest; default: that in motion");
        v.require(!at_rest || value_of(*at_rest) >= value_of(kinetic), "static",
                  "must not be below the coefficient in motion");
        v.number("stribeck", stribeck, dimension::velocity,
                 "speed with which the coefficient falls from the one at rest to the one in "
                 "motion: mu_k + (mu_s - mu_k) exp(-(v/v_s)^2); default: it jumps");
        v.positive("stribeck", stribeck);
        v.number("viscous", viscous, viscous_dimension,
                 "part of the friction per speed, whatever the load", "0");
        v.require(value_of(viscous) >= 0, "viscous", "must not be negative");
    }
    [[nodiscard]] T holding() const { return at_rest.value_or(kinetic); }
    [[nodiscard]] T sliding(const T& speed) const {
        using std::exp;
        if (!stribeck) return kinetic;
        const T part = speed / *stribeck;
        return kinetic + (holding() - kinetic) * exp(-part * part);
    }
};

// Of a pin: the moment of the friction circle, mu R F / sqrt(1 + mu^2), or plainly mu R F.
template <class T>
struct PinFriction : DryFriction<T> {
    enum class Rule { friction_circle, plain };
    Rule rule = Rule::friction_circle;
    template <class V>
    void fields(V& v) {
        this->dry_fields(v, dimension::torsional_damping);
        v.choice("rule", rule, {"friction_circle", "plain"},
                 "the moment at a force F: mu R F / sqrt(1 + mu^2), or mu R F");
    }
};

// Of a guide or a slot.
template <class T>
struct GuideFriction : DryFriction<T> {
    template <class V>
    void fields(V& v) {
        this->dry_fields(v, dimension::damping);
    }
};

// Of a contact; with a moment against rolling.
template <class T>
struct ContactFriction : DryFriction<T> {
    T rolling{};
    T smooth{};
    template <class V>
    void fields(V& v) {
        this->dry_fields(v, dimension::damping);
        v.number("rolling", rolling, dimension::length,
                 "coefficient of rolling friction: largest moment against rolling per normal force",
                 "0");
        v.require(value_of(rolling) >= 0, "rolling", "must not be negative");
        v.number("smooth", smooth, dimension::velocity,
                 "of compliant contacts: speed over which the friction grows from zero, as "
                 "tanh(v/smooth)",
                 "1 mm/s");
        v.positive("smooth", smooth);
    }
};

// What the coefficient of restitution e is a ratio of.
enum class RestitutionLaw {
    newton,   // v+ = -e v- of the gap
    poisson,  // impulse of restitution = e times impulse of compression
    stronge,  // work of restitution = -e^2 times work of compression
};

enum class FrictionRule {
    routh,       // friction opposes the slip at every instant of the impact
    separation,  // friction of the whole impact opposes the slip after it (Whittaker); always with
                 // Newton's restitution
};

enum class RollingRule {
    follows,  // as friction does
    before,   // the moment opposes the spin before the impact all through, also when the spin has
              // turned and the moment drives it (Stoenescu 2005, section 2.3.2)
};

}  // namespace pawl
