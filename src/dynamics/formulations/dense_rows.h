// Dense views of what the waist gives as vectors and sparse rows.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Dense>

#include "math/linear/row_system.h"

namespace pawl {

inline Eigen::Map<const Eigen::VectorXd> as_vector(std::span<const double> x) {
    return {x.data(), static_cast<Eigen::Index>(x.size())};
}
inline Eigen::Map<Eigen::VectorXd> as_vector(std::span<double> x) {
    return {x.data(), static_cast<Eigen::Index>(x.size())};
}
inline Eigen::Map<const Eigen::VectorXd> as_vector(const std::vector<double>& x) {
    return as_vector(std::span(x));
}
inline Eigen::Map<Eigen::VectorXd> as_vector(std::vector<double>& x) {
    return as_vector(std::span(x));
}

// The matrix must have the pattern's size.
inline void fill_rows(const RowPattern& pattern, std::span<const double> values,
                      Eigen::MatrixXd& matrix) {
    matrix.setZero();
    for (int r = 0; r < pattern.rows(); ++r)
        for (int i = pattern.start[r]; i < pattern.start[r + 1]; ++i)
            matrix(r, pattern.column[i]) = values[i];
}

}  // namespace pawl
