// Decompositions of dense matrices as functions with a name for what they find. The one place where
// they are compiled; whoever calls them needs matrices only.
#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

namespace pawl {

// The smallest x that makes |A x - b| least (complete orthogonal decomposition). Pivots below
// `threshold` times the largest count as zero; without one, what is rounding.
Eigen::VectorXd solve_least_squares(const Eigen::MatrixXd& a, const Eigen::VectorXd& b,
                                    double threshold);
Eigen::VectorXd solve_least_squares(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);
// An x that makes |A x - b| least, of independent columns (QR with pivots).
Eigen::VectorXd solve_independent(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);
// A^-1 B of a regular A (LU with partial pivots).
Eigen::MatrixXd solve_regular(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);
// The same; nothing where the reciprocal condition number of A is not above the least.
std::optional<Eigen::MatrixXd> solve_conditioned(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b,
                                                 double least_condition);
// The same by full pivots; nothing where A is singular to rounding.
std::optional<Eigen::MatrixXd> solve_pivoted(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);
Eigen::MatrixXd inverse(const Eigen::MatrixXd& a);

// The columns in the order of their pivots (QR): the first `rank` of them are independent.
struct ColumnRank {
    int rank = 0;
    std::vector<int> order;
};
ColumnRank rank_columns(const Eigen::MatrixXd& a, double threshold);
std::vector<int> pivot_order(const Eigen::MatrixXd& a);

// A P = Q R with pivots, kept to solve with its independent columns: R1 is their upper triangle.
struct PivotedQr {
    int rank = 0;
    std::vector<int> order;  // of the columns: P
    Eigen::MatrixXd q;
    Eigen::MatrixXd packed;  // R in its upper triangle

    void solve_upper(Eigen::VectorXd& x) const;             // x <- R1^-1 x
    void solve_upper_transposed(Eigen::VectorXd& x) const;  // x <- R1^-T x
};
PivotedQr pivoted_qr(const Eigen::MatrixXd& a, double threshold);

// Full pivots (LU): the rank, the position of each row in the order of the pivots, and the columns
// in that order.
struct FullPivots {
    int rank = 0;
    std::vector<int> row_positions, columns;
};
FullPivots full_pivots(const Eigen::MatrixXd& a, double threshold);

// Columns that span all x with A x = 0: orthonormal (QR of A^T), or as they come (LU).
Eigen::MatrixXd null_space(const Eigen::MatrixXd& a, double threshold);
Eigen::MatrixXd kernel(const Eigen::MatrixXd& a, double threshold);
// The whole orthogonal factor of a QR with pivots.
Eigen::MatrixXd orthogonal_factor(const Eigen::MatrixXd& a);
// The columns made orthonormal, in their order.
Eigen::MatrixXd orthonormal_columns(const Eigen::MatrixXd& a);

// Eigenvalues, ascending, and orthonormal eigenvectors of a symmetric matrix.
struct SymmetricEigen {
    Eigen::VectorXd values;
    Eigen::MatrixXd vectors;
};
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& a);
// Of any square matrix; nothing where the iteration does not converge.
struct GeneralEigen {
    Eigen::VectorXcd values;
    Eigen::MatrixXcd vectors;
};
std::optional<GeneralEigen> general_eigen(const Eigen::MatrixXd& a);
Eigen::VectorXcd eigenvalues(const Eigen::MatrixXd& a);

// The least singular value and its direction in the space of the columns.
struct LeastSingular {
    double value = 0;
    Eigen::VectorXd direction;
};
LeastSingular least_singular(const Eigen::MatrixXd& a);

}  // namespace pawl
