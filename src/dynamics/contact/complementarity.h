// Linear complementarity problems: w = A z + b, w >= 0, z >= 0, w.z = 0. Small and dense; knows no
// contacts.
#pragma once

#include <Eigen/Dense>

namespace pawl {

enum class ComplementarityOutcome {
    solved,
    ray,      // the pivots end on a ray: no solution when A is positive semidefinite
    unended,  // more than 50 n + 100 pivots
};

// Lemke's method with the lexicographic rule, which cannot cycle. Where A is symmetric and positive
// semidefinite but singular z is one of several solutions; A z and w are the same for all of them.
ComplementarityOutcome solve_complementarity(const Eigen::MatrixXd& a, const Eigen::VectorXd& b,
                                             Eigen::VectorXd& z);

}  // namespace pawl
