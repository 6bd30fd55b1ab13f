#include "dynamics/contact/complementarity.h"

#include <cmath>
#include <vector>

#include "math/tolerances/solving.h"

namespace pawl {

namespace {

// A part of the numbers of the problem that is rounding after some hundred pivots on numbers of
// order one. Values at zero are distinguished by the tail only if rounding is not.
constexpr double rounding = tolerance::complementarity;

// The tableau [I, -A, -1 | b] of w - A z - z0 = b. The columns of I serve as the lexicographic tail
// of b.
class Tableau {
public:
    Tableau(const Eigen::MatrixXd& a, const Eigen::VectorXd& b)
        : n_(static_cast<int>(b.size())),
          size_(b.cwiseAbs().maxCoeff()),
          t_(n_, 2 * n_ + 2),
          basis_(n_) {
        t_.leftCols(n_).setIdentity();
        t_.middleCols(n_, n_) = -a;
        t_.col(2 * n_).setConstant(-1);
        t_.col(2 * n_ + 1) = b;
        for (int i = 0; i < n_; ++i) basis_[i] = i;
    }
    [[nodiscard]] int artificial() const { return 2 * n_; }
    [[nodiscard]] int basis(int row) const { return basis_[row]; }
    [[nodiscard]] double value(int row) const { return t_(row, 2 * n_ + 1); }
    [[nodiscard]] int partner(int variable) const {
        return variable < n_ ? variable + n_ : variable - n_;
    }

    // The artificial variable is rounding.
    [[nodiscard]] bool is_solved() const {
        for (int r = 0; r < n_; ++r)
            if (basis_[r] == artificial()) return value(r) <= rounding * size_;
        return true;
    }

    // The row of the least value, ties by the tail.
    [[nodiscard]] int most_negative_row() const {
        int best = 0;
        for (int r = 1; r < n_; ++r)
            if (less(r, 1, best, 1)) best = r;
        return best;
    }
    // The row that leaves when `column` grows; -1 when none does.
    [[nodiscard]] int leaving(int column) const {
        // A pivot on rounding would spoil all that follows.
        const double least = 1e3 * rounding * t_.col(column).cwiseAbs().maxCoeff();
        int best = -1;
        for (int r = 0; r < n_; ++r) {
            if (!(t_(r, column) > least)) continue;
            if (best < 0 || less(r, t_(r, column), best, t_(best, column))) best = r;
        }
        // If rows tie, the artificial variable leaves first: the solution is then found.
        if (best >= 0)
            for (int r = 0; r < n_; ++r)
                if (basis_[r] == artificial() && t_(r, column) > least &&
                    value(r) / t_(r, column) <=
                        value(best) / t_(best, column) * (1 + tolerance::complementarity_tie))
                    return r;
        return best;
    }
    void pivot(int row, int column) {
        t_.row(row) /= t_(row, column);
        for (int r = 0; r < n_; ++r)
            if (r != row && t_(r, column) != 0) t_.row(r) -= t_(r, column) * t_.row(row);
        basis_[row] = column;
    }

private:
    // Whether row a over `by_a` is less than row b over `by_b`, lexicographically (b, then I).
    [[nodiscard]] bool less(int a, double by_a, int b, double by_b) const {
        for (int k = -1; k < n_; ++k) {
            const int column = k < 0 ? 2 * n_ + 1 : k;
            const double left = t_(a, column) / by_a, right = t_(b, column) / by_b;
            const double one = k < 0 ? size_ : 1.0;
            const double scale = one / by_a + one / by_b + std::abs(left) + std::abs(right);
            if (std::abs(left - right) > rounding * scale) return left < right;
        }
        return false;
    }

    int n_;
    double size_;
    Eigen::MatrixXd t_;
    std::vector<int> basis_;
};

}  // namespace

ComplementarityOutcome solve_complementarity(const Eigen::MatrixXd& a, const Eigen::VectorXd& b,
                                             Eigen::VectorXd& z) {
    const int n = static_cast<int>(b.size());
    z = Eigen::VectorXd::Zero(n);
    if (n == 0 || b.minCoeff() >= 0) return ComplementarityOutcome::solved;
    // Every row in its own unit, so that rows of light and heavy bodies compare.
    const double largest = a.diagonal().cwiseAbs().maxCoeff();
    Eigen::VectorXd unit(n);
    for (int i = 0; i < n; ++i) {
        const double own = a(i, i) > 0 ? a(i, i) : largest;
        unit[i] = own > 0 ? 1 / std::sqrt(own) : 1;
    }
    Tableau tableau(unit.asDiagonal() * a * unit.asDiagonal(), unit.cwiseProduct(b));
    int row = tableau.most_negative_row(), entering = tableau.artificial();
    for (int i = 0; i < 50 * n + 100; ++i) {
        const int left = tableau.basis(row);
        tableau.pivot(row, entering);
        if (left == tableau.artificial() || tableau.is_solved()) {
            for (int r = 0; r < n; ++r)
                if (const int k = tableau.basis(r); k >= n && k < 2 * n)
                    z[k - n] = unit[k - n] * std::max(0.0, tableau.value(r));
            return ComplementarityOutcome::solved;
        }
        entering = tableau.partner(left);
        row = tableau.leaving(entering);
        if (row < 0) return ComplementarityOutcome::ray;
    }
    return ComplementarityOutcome::unended;
}

}  // namespace pawl
