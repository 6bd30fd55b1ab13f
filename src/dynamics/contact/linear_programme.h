// Linear programmes whose origin is admissible, by the simplex method. Knows nothing of mechanics.
#pragma once

#include <Eigen/Dense>

namespace pawl {

// The largest c.x with A x <= b, x >= 0, where b >= 0; `price`: by how much it grows per unit of
// each b, zero where the inequality is not tight. False where it is not bounded.
bool maximise(const Eigen::MatrixXd& a, const Eigen::VectorXd& b, const Eigen::VectorXd& c,
              Eigen::VectorXd& x, Eigen::VectorXd& price);

}  // namespace pawl
