// Laws of impact in a line, and numbers drawn between bounds, for the tests of impacts.
#pragma once

#include <random>

#include "dynamics/impact/impact_law.h"

namespace pawl::test {

inline ImpactLaw law_of(RestitutionLaw kind, double e, double mu, double s = 0) {
    ImpactLaw law;
    law.restitution_law = kind;
    law.restitution = e;
    law.friction = mu;
    law.rolling = s;
    return law;
}

// The same on every machine: the distributions of the standard library are not.
class Numbers {
public:
    explicit Numbers(unsigned seed) : engine_(seed) {}
    double operator()(double from, double to) {
        return from + (to - from) * (static_cast<double>(engine_()) / 4294967296.0);
    }

private:
    std::mt19937 engine_;
};

}  // namespace pawl::test
