// The verification manual: runs the example models and compares with published and closed-form
// numbers.
#pragma once

#include <string>
#include <vector>

namespace pawl {

struct VerificationRow;

struct VerificationOutcome {
    std::string problem, quantity, at, unit;
    double published, reference, computed, error, tolerance;  // published is NaN when there is none
    bool pass = false;
    std::string source, note;
};

// Names of all problems, in order.
std::vector<std::string> verification_problems();

// Runs one problem, or all when the name is empty.
std::vector<VerificationOutcome> verify(const std::string& problem);

// Runs the model of one row and compares.
VerificationOutcome verify(const VerificationRow& row);

// The manual as a Markdown page.
std::string verification_manual(const std::vector<VerificationOutcome>& outcomes);

}  // namespace pawl
