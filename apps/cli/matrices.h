// `pawl kinematics --matrices`: the matrices of a motion at one time.
#pragma once

#include <optional>
#include <string>

#include "results/motion_matrices.h"

namespace CLI {
class App;
}

namespace pawl::cli {

struct MatricesOption {
    bool wanted = false;
    std::string at;
    void add_to(CLI::App& sub);
    // The time that is asked for, in a run that ends at `end`. Throws Failure{wrong_usage}, also
    // for models whose matrices nobody can read.
    [[nodiscard]] std::optional<double> time(double end, int bodies) const;
};

void print_matrices(const MotionMatrices& matrices);

}  // namespace pawl::cli
