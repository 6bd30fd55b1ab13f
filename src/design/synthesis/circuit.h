// The circuit of a linkage: all positions that it can reach from one without being taken apart,
// followed along its curve. Knows closure, nothing of what is asked of the linkage.
#pragma once

#include <optional>
#include <vector>

#include "design/synthesis/linkage.h"

namespace pawl {

struct Circuit {
    struct Sample {
        Eigen::VectorXd q, tangent;  // the tangent has unit length
        double along = 0;            // length of the curve from the first sample
        double input = 0;            // angle of the crank, continuous along the curve
        double rate = 0;             // of that angle along the curve
        int branch = 0;              // which stretch between dead points of the crank it is on
    };
    std::vector<Sample> samples;
    bool closed = false;     // the last sample leads back to the first
    double length = 0;       // of the whole curve
    int dead_points = 0;     // of the crank: where its angle turns back
    double input_range = 0;  // of the crank's angle; one turn where it goes round

    // The crank goes round: it moves the linkage through the whole circuit.
    [[nodiscard]] bool crank_turns() const;
    struct Location {
        double along = 0, input = 0;
        int branch = 0;
    };
    // Where a position stands on the curve; nothing where it is on another circuit.
    [[nodiscard]] std::optional<Location> find(const Linkage& linkage, const Eigen::VectorXd& b,
                                               const Eigen::VectorXd& q) const;
};

// Nothing where the first position has no single direction to go (a change point).
std::optional<Circuit> follow_circuit(const Linkage& linkage, const Eigen::VectorXd& b,
                                      const Eigen::VectorXd& q);

}  // namespace pawl
