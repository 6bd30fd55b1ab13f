// How two profiles that touch behave: law of contact, restitution, friction, rules of impact. What
// a contact of the model file and a joint with play have in common. Knows no bodies.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "mechanism/contact/contact_law.h"
#include "mechanism/contact/friction.h"

namespace pawl {

template <class T>
struct ContactRules {
    T restitution{};  // Newton's coefficient, or as `impact` says; of an expression: at no speed
    std::optional<SpeedExpression<T>> restitution_law;
    std::optional<T>
        capture;  // m/s: a rebound slower than this stays in contact; none: at the limit
    ContactLaw<T> law;
    std::optional<ContactFriction<T>> friction;
    RestitutionLaw impact = RestitutionLaw::newton;
    FrictionRule friction_rule = FrictionRule::routh;
    RollingRule rolling_rule = RollingRule::follows;
    T tangential_restitution{};
    bool tangential_impact = true;  // resolves sliding without a solution by an impact
    bool separates = false;         // where friction fits this and staying closed as well

    // All but the law, which is one of several kinds.
    template <class V>
    void rule_fields(V& v) {
        v.number_of_speed("restitution", restitution, restitution_law, dimension::none,
                          "coefficient of restitution, from 0 to 1: rebound speed over speed of "
                          "approach; a number, or an expression of the speed of approach v (m/s)",
                          "0");
        v.require(value_of(restitution) >= 0 && value_of(restitution) <= 1, "restitution",
                  "must be between 0 and 1");
        v.require(!restitution_law || restitution_law->first_outside(0, 1) < 0, "restitution",
                  "must be between 0 and 1 at every speed of approach; min(1, ...) and max(0, ...) "
                  "keep it there");
        v.number_or("capture", capture, dimension::velocity, "limit",
                    "a rebound slower than this stays in contact; \"limit\": impacts that "
                    "accumulate are completed at the time they tend to. Of rigid contacts");
        v.positive("capture", capture);
        v.table("friction", friction, "dry friction between the profiles");
        v.choice("impact", impact, {"newton", "poisson", "stronge"},
                 "the coefficient of restitution as a ratio of velocities (newton), of impulses "
                 "(poisson), or as the square root of a ratio of the work of the normal impulse "
                 "(stronge). For rigid contacts");
        v.choice("friction_rule", friction_rule, {"routh", "separation"},
                 "friction in an impact: follows the slip through it, or opposes the slip at its "
                 "end. For rigid contacts");
        v.choice("rolling_rule", rolling_rule, {"follows", "before"},
                 "rolling moment in an impact: follows the spin through it, or opposes the spin "
                 "before it. For rigid contacts");
        v.number("tangential_restitution", tangential_restitution, dimension::none,
                 "fraction of the tangential velocity that an impact reverses where friction would "
                 "stop the slip",
                 "0");
        v.require(value_of(tangential_restitution) >= 0 && value_of(tangential_restitution) <= 1,
                  "tangential_restitution", "must be between 0 and 1");
        v.flag("tangential_impact", tangential_impact,
               "true: where continued sliding has no solution (Painleve), an impact without "
               "collision ends it; false: the run ends. For rigid contacts");
        v.flag("separates", separates,
               "true: where the equations allow the contact both to stay closed and to separate "
               "(Painleve), it separates; false: it stays closed. For rigid contacts");
    }
    // Of an impact at a speed of approach, not negative.
    [[nodiscard]] T restitution_at(const T& approach) const {
        if (const auto* rigid = std::get_if<RigidContact<T>>(&law))
            if (const auto e = rigid->restitution(approach)) return *e;
        if (!restitution_law) return restitution;
        const T e = restitution_law->at(approach);
        return value_of(e) > 1 ? T(1) : value_of(e) > 0 ? e : T(0);
    }
    [[nodiscard]] bool restitution_depends_on_speed() const {
        const auto* rigid = std::get_if<RigidContact<T>>(&law);
        return restitution_law.has_value() || (rigid && rigid->hysteresis);
    }
    // Keys that the law leaves without a meaning; `reader` knows which keys are given.
    template <class R>
    void check(R& reader) const {
        std::visit(
            [&](const auto& kind) {
                const std::string unused =
                    "is not valid with law = \"" + std::string(kind.name) + "\"";
                reader.require(kind.uses_restitution || !reader.has("restitution"), "restitution",
                               unused);
                for (const char* key : {"capture", "impact", "friction_rule", "rolling_rule",
                                        "tangential_restitution", "tangential_impact", "separates"})
                    reader.require(kind.is_rigid || !reader.has(key), key, unused);
                reader.require(!kind.is_rigid || !reader.has("friction.smooth"), "friction.smooth",
                               unused);
                if constexpr (requires { kind.hysteresis; })
                    reader.require(
                        !kind.hysteresis || !reader.has("restitution"), "restitution",
                        "follows from `hysteresis` and `stiffness`; do not give it as well");
            },
            law);
    }
};

// The same as one table, with the law and its fields.
template <class T>
struct PlayContact : ContactRules<T> {
    template <class V>
    void fields(V& v) {
        this->rule_fields(v);
        v.kind("law", this->law, "rigid, or a normal force as a function of the depth");
    }
};

}  // namespace pawl
