// Dry friction: how large it may be at a load, at rest and at a speed. Plain values with their
// fields; knows no bodies and no loads.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "math/dual.h"
#include "math/units.h"
#include "mechanism/contact/speed_expression.h"

namespace pawl {

// Coulomb's law with a coefficient at rest and one in motion; with a Stribeck speed v_s the
// coefficient falls from the one to the other, mu(v) = mu_k + (mu_s - mu_k) exp(-(v/v_s)^2); and a
// part that grows with the speed, whatever the load. Or the coefficient is any expression of the
// slip speed.
template <class T>
struct DryFriction {
    T kinetic{};  // of an expression: at no speed
    std::optional<SpeedExpression<T>> kinetic_law;
    std::optional<T> at_rest, stribeck;
    T viscous{};

    template <class V>
    void dry_fields(V& v, const Dimension& viscous_dimension) {
        v.number_of_speed("kinetic", kinetic, kinetic_law, dimension::none,
                          "coefficient of kinetic friction; a number, or an expression of the slip "
                          "speed v (m/s)");
        v.require(
            value_of(kinetic) >= 0 && (!kinetic_law || kinetic_law->first_outside(0, infinite) < 0),
            "kinetic", "must not be negative");
        v.number("static", at_rest, dimension::none,
                 "coefficient of static friction; default: the kinetic one");
        v.require(!at_rest || value_of(*at_rest) >= value_of(kinetic), "static",
                  "must not be below the kinetic coefficient");
        v.number("stribeck", stribeck, dimension::velocity,
                 "speed v_s over which the coefficient falls from its static to its kinetic value: "
                 "mu_k + (mu_s - mu_k) exp(-(v/v_s)^2); default: it jumps");
        v.positive("stribeck", stribeck);
        v.require(!stribeck || !kinetic_law, "stribeck",
                  "is not valid with a coefficient that is an expression of v");
        v.number("viscous", viscous, viscous_dimension,
                 "viscous friction per speed, independent of the load; in a contact at each "
                 "of its points",
                 "0");
        v.require(value_of(viscous) >= 0, "viscous", "must not be negative");
    }
    [[nodiscard]] T holding() const { return at_rest.value_or(kinetic); }
    [[nodiscard]] T sliding(const T& speed) const {
        using std::exp;
        if (kinetic_law) return kinetic_law->at(speed);
        if (!stribeck) return kinetic;
        const T part = speed / *stribeck;
        return kinetic + (holding() - kinetic) * exp(-part * part);
    }
    // Whether it depends on the load, or on the slip as a speed.
    [[nodiscard]] bool has_coefficient() const {
        return kinetic_law || stribeck || value_of(holding()) > 0;
    }

private:
    static constexpr double infinite = std::numeric_limits<double>::infinity();
};

// Of a joint: besides, a part of constant size, as of a seal or a tightened bolt, and a law without
// a jump at rest (Garcia de Jalon and Bayo 1994, figure 10.1b), which never sticks.
template <class T>
struct JointFriction : DryFriction<T> {
    T constant{};             // N, or N m of a pin
    std::optional<T> smooth;  // m/s

    template <class V>
    void joint_fields(V& v, const Dimension& viscous_dimension, const Dimension& force) {
        this->dry_fields(v, viscous_dimension);
        v.number("constant", constant, force,
                 "constant part of the friction, independent of the load, at rest and in motion, "
                 "as from a seal or a tightened bolt",
                 "0");
        v.require(value_of(constant) >= 0, "constant", "must not be negative");
        v.number("smooth", smooth, dimension::velocity,
                 "speed over which the friction grows from zero, as tanh(v/smooth); nothing "
                 "sticks, so a joint at rest creeps; default: Coulomb's law, which sticks");
        v.positive("smooth", smooth);
        v.require(!smooth || !this->at_rest, "static",
                  "is not valid with `smooth`: nothing sticks");
    }
};

// Of a pin: the moment of the friction circle, mu R F / sqrt(1 + mu^2), or plainly mu R F.
template <class T>
struct PinFriction : JointFriction<T> {
    enum class Rule { friction_circle, plain };
    Rule rule = Rule::friction_circle;
    template <class V>
    void fields(V& v) {
        this->joint_fields(v, dimension::torsional_damping, dimension::torque);
        v.choice("rule", rule, {"friction_circle", "plain"},
                 "the friction moment under a force F: mu R F / sqrt(1 + mu^2), or mu R F");
    }
};

// Of a guide or a slot.
template <class T>
struct GuideFriction : JointFriction<T> {
    template <class V>
    void fields(V& v) {
        this->joint_fields(v, dimension::damping, dimension::force);
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
                 "coefficient of rolling friction: largest rolling moment per normal force", "0");
        v.require(value_of(rolling) >= 0, "rolling", "must not be negative");
        v.number("smooth", smooth, dimension::velocity,
                 "for compliant contacts: speed over which the friction grows from zero, as "
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
