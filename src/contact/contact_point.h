// A point of contact of a pair: the elements it is on, and where on them. A plain value; a contact
// Mode is a list of them.
#pragma once

#include <string>

#include "contact/touch.h"
#include "mechanism/mechanism.h"

namespace pawl {

template <class S>
struct ContactPoint {
    int pair = -1;     // in Mechanism::contacts
    int number = 1;    // of the pair's points; its name is PAIR#number
    int a = 0, b = 0;  // elements of the profiles
    Touch<S> touch;
    TouchRates<typename S::Scalar> rates;
    typename S::Scalar near[2]{};  // where curves without a closed form look for the touching
                                   // points: as last accepted
    // Compliant: a force over the depth instead of a constraint.
    bool compliant = false;
    CompliantForce<typename S::Scalar> law;
    typename S::Scalar began{}, approach{};  // when, and how fast
    // Its force has come to zero before its depth, since the bodies part faster than it recovers:
    // nothing acts until the force would press again, or the gap opens.
    bool released = false;
    bool was_released = false;  // is released, or was since the gap closed

    // The force of a compliant contact without its end at zero.
    [[nodiscard]] typename S::Scalar compliant_force() const {
        using T = typename S::Scalar;
        const T depth = -touch.gap, rate = -rates.closing;
        return law.elastic(depth) * (T(1) + law.hysteresis * rate) + law.damping * rate;
    }
    // Has the sign of that force, but passes zero with a slope where the depth vanishes: the force
    // divided by K d^(n-1) (a damping beside the elastic part has n = 1). Of one that is released:
    // positive while it stays so.
    [[nodiscard]] typename S::Scalar compliant_hold() const {
        using T = typename S::Scalar;
        const T depth = -touch.gap, rate = -rates.closing;
        const T presses =
            depth * (T(1) + law.hysteresis * rate) + law.damping / law.stiffness * rate;
        if (released) return -depth * presses;
        return value_of(depth) > 0 ? presses : depth;
    }
};

template <class S>
std::string name_of(const Mechanism<S>& mechanism, const ContactPoint<S>& point) {
    return mechanism.contacts[static_cast<std::size_t>(point.pair)].name + "#" +
           std::to_string(point.number);
}

}  // namespace pawl
