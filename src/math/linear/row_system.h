// Linear systems on chosen rows of a sparse matrix with fixed pattern: dense elimination for small
// ones, sparse LU for large ones, and the choice of independent rows. Knows nothing of mechanisms.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <Eigen/Sparse>

namespace pawl {

// Compressed rows of a sparse matrix with a fixed pattern.
struct RowPattern {
    std::vector<int> start{0};  // per row, and the end
    std::vector<int> column;    // ascending within a row
    int columns = 0;
    [[nodiscard]] int rows() const { return static_cast<int>(start.size()) - 1; }
};

// Two entries in one column, of a row and of itself or a later one: G D G^T with a diagonal D is a
// sum of such products.
struct RowProduct {
    int row, other;
    int entry, other_entry;
    int column;
};
std::vector<RowProduct> row_products(const RowPattern& pattern);

// A square system A x = b made of some rows of a pattern, factored again for each set of values.
// Small systems allocate nothing after construction.
class RowSystem {
public:
    static constexpr int largest_dense =
        40;  // elimination of n = 40 costs what sparse LU costs in overhead

    RowSystem(const RowPattern& pattern, std::vector<int> rows);

    [[nodiscard]] int size() const { return static_cast<int>(rows_.size()); }
    [[nodiscard]] const std::vector<int>& rows() const { return rows_; }

    // False when a pivot is exactly zero or a value is not finite.
    bool factor(std::span<const double> values);
    // x = A^-1 b; b has one entry per row of the pattern, of which the chosen ones are used.
    void solve(std::span<const double> b, std::span<double> x);
    // Sign and natural logarithm of the size of the determinant; 0 and -infinity after a factor()
    // that failed.
    [[nodiscard]] double determinant_sign() const { return sign_; }
    [[nodiscard]] double log_determinant() const { return log_determinant_; }
    // Condition number of D_r A D_c^-1 in the 1-norm with column scales D_c, estimated (Hager
    // 1984).
    double condition(std::span<const double> column_scale);

private:
    void solve_chosen(std::span<double> x);             // in place
    void solve_transposed_chosen(std::span<double> x);  // in place
    bool factor_dense(std::span<const double> values);
    bool factor_sparse(std::span<const double> values);

    RowPattern chosen_;
    std::vector<int> rows_;
    std::vector<int> source_;     // value index in the pattern, per value of chosen_
    std::vector<double> values_;  // of chosen_
    double sign_ = 0, log_determinant_ = 0;
    // dense
    std::vector<double> lu_;  // row major
    std::vector<int> pivot_;
    std::vector<double> work_;
    // sparse
    struct Sparse;
    std::shared_ptr<Sparse> sparse_;
};

struct RowRank {
    int rank = 0;
    std::vector<int> independent;  // rows, ascending
    std::vector<int> dependent;    // rows, ascending
};

// Whether a dense decomposition of a matrix would cost seconds.
bool is_large(int rows, int columns);

// Rank and a well-conditioned choice of rows of D_r A D_c^-1, by column-pivoted QR of the transpose
// (of large matrices by RowRotations). Rows of zero are dependent.
RowRank rank_of_rows(const RowPattern& pattern, std::span<const double> values,
                     std::span<const double> column_scale);

// Orthonormal basis of the null space of A D_c^-1, one column per degree of freedom (dense; meant
// for small systems).
Eigen::MatrixXd null_space(const RowPattern& pattern, std::span<const double> values,
                           std::span<const double> column_scale);

// Dense copy of A D_c^-1.
Eigen::MatrixXd scaled_dense(const RowPattern& pattern, std::span<const double> values,
                             std::span<const double> column_scale);

}  // namespace pawl
