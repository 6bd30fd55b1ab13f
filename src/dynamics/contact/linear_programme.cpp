#include "dynamics/contact/linear_programme.h"

#include <vector>

#include "math/tolerances/solving.h"

namespace pawl {

// The tableau [A, I | b] over the prices [-c, 0 | 0]. Of the columns that gain and of the rows that
// tie the ones of least index are taken (Bland 1977), so that no basis comes twice.
bool maximise(const Eigen::MatrixXd& a, const Eigen::VectorXd& b, const Eigen::VectorXd& c,
              Eigen::VectorXd& x, Eigen::VectorXd& price) {
    const int m = static_cast<int>(a.rows()), n = static_cast<int>(a.cols());
    // Some hundred pivots on numbers of order one leave this much rounding.
    constexpr double rounding = tolerance::programme_rounding;
    Eigen::MatrixXd t = Eigen::MatrixXd::Zero(m + 1, n + m + 1);
    t.topLeftCorner(m, n) = a;
    t.block(0, n, m, m).setIdentity();
    t.topRightCorner(m, 1) = b.cwiseMax(0.0);
    t.bottomLeftCorner(1, n) = -c.transpose();
    std::vector<int> basis(static_cast<std::size_t>(m));
    for (int i = 0; i < m; ++i) basis[static_cast<std::size_t>(i)] = n + i;
    const int max_pivots = 50 * (n + m);
    for (int pivots = 0; pivots < max_pivots; ++pivots) {
        int column = 0;
        while (column < n + m && !(t(m, column) < -rounding)) ++column;
        if (column == n + m) break;
        int row = -1;
        double least = 0;
        for (int i = 0; i < m; ++i) {
            if (!(t(i, column) > rounding)) continue;
            const double ratio = t(i, n + m) / t(i, column);
            const double tie = tolerance::programme_tie * (least + ratio);
            if (row < 0 || ratio < least - tie ||
                (ratio <= least + tie &&
                 basis[static_cast<std::size_t>(i)] < basis[static_cast<std::size_t>(row)])) {
                row = i;
                least = ratio;
            }
        }
        if (row < 0) return false;
        t.row(row) /= t(row, column);
        for (int i = 0; i <= m; ++i)
            if (i != row && t(i, column) != 0) t.row(i) -= t(i, column) * t.row(row);
        basis[static_cast<std::size_t>(row)] = column;
    }
    x = Eigen::VectorXd::Zero(n);
    for (int i = 0; i < m; ++i)
        if (const int k = basis[static_cast<std::size_t>(i)]; k < n)
            x[k] = std::max(0.0, t(i, n + m));
    price = t.block(m, n, 1, m).transpose();
    return true;
}

}  // namespace pawl
