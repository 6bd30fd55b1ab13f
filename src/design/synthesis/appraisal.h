// What a linkage that was found is worth: errors, defects of branch, circuit and order, how its
// crank moves, transmission angle and size. Knows one solution, not the search.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "design/synthesis/circuit.h"
#include "design/synthesis/solution.h"

namespace pawl {

struct Appraisal {
    double worst_error = 0;       // of a position, over its tolerance
    double objective = 0;         // half the sum of squared errors at exact closure
    bool circuit_defect = false;  // positions on circuits that do not meet
    bool branch_defect = false;   // a dead point of the crank between positions
    bool order_defect = false;    // the positions are reached in another order
    std::string type;             // "crank-rocker", "double rocker", ...
    bool crank_turns = false;
    double transmission = 0;  // the least angle over the motion used, rad; 90 degrees is best
    double size = 0;          // diagonal of the box of all joints over the motion used, m
    double from = 0, to = 0;  // angles of the crank in the first and last position, rad
    int direction = 1;        // in which the crank turns from position to position

    [[nodiscard]] bool meets_tolerances() const { return worst_error <= 1; }
    [[nodiscard]] bool has_defect() const {
        return circuit_defect || branch_defect || order_defect;
    }
    [[nodiscard]] std::string defects() const;  // "branch, order"; "none"
};

// A linkage that was found.
struct Solution {
    SynthesisUnknowns natural, exact;  // by the two ways
    double natural_objective = 0;
    int start = 0;       // which start of the search led here
    std::string origin;  // "search", "cognate of 3"
    Appraisal appraisal;
    std::vector<Eigen::VectorXd>
        motion;  // positions of the points from the first position to the last
};

// Fills the appraisal and the motion of a solution whose `exact` closes.
void appraise(const SynthesisProblem& problem, Solution& solution);

// By Grashof's rule: "crank-rocker", "double crank", "rocker-crank", "double rocker (Grashof)",
// "triple rocker", "change point".
std::string grashof_type(double ground, double crank, double coupler, double rocker);

}  // namespace pawl
