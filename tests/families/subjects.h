// Random mechanisms with contacts, impacts and friction that can be written after any similarity.
#pragma once

#include "families/copies.h"
#include "families/family.h"

namespace pawl::test {

// A mechanism with numbers of its own; `speed` multiplies its first velocities.
struct Subject {
    std::string kind;
    double end = 1;
    std::vector<std::string> bodies;
    std::function<void(CopyWriter&, double speed)> write;
    [[nodiscard]] std::string text(const Similarity& s, double speed = 1) const {
        CopyWriter writer(s);
        write(writer, speed);
        return writer.text();
    }
};

// A pendulum against a wall, a disk or a block on a slope, a four-bar against a stop.
Subject random_subject(Random& random);

}  // namespace pawl::test
