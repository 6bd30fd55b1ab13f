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
};

template <class S>
std::string name_of(const Mechanism<S>& mechanism, const ContactPoint<S>& point) {
    return mechanism.contacts[static_cast<std::size_t>(point.pair)].name + "#" +
           std::to_string(point.number);
}

}  // namespace pawl
