#include "math/linear/dense.h"

#include <Eigen/Dense>

namespace pawl {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

template <class Indices>
std::vector<int> listed(const Indices& indices) {
    return std::vector<int>(indices.data(), indices.data() + indices.size());
}

}  // namespace

VectorXd solve_least_squares(const MatrixXd& a, const VectorXd& b, double threshold) {
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> cod;
    cod.setThreshold(threshold);
    return cod.compute(a).solve(b);
}

VectorXd solve_least_squares(const MatrixXd& a, const VectorXd& b) {
    return a.completeOrthogonalDecomposition().solve(b);
}

VectorXd solve_independent(const MatrixXd& a, const VectorXd& b) {
    return a.colPivHouseholderQr().solve(b);
}

MatrixXd solve_regular(const MatrixXd& a, const MatrixXd& b) { return a.partialPivLu().solve(b); }

std::optional<MatrixXd> solve_conditioned(const MatrixXd& a, const MatrixXd& b,
                                          double least_condition) {
    const Eigen::PartialPivLU<MatrixXd> lu(a);
    if (!(lu.rcond() > least_condition)) return std::nullopt;
    return lu.solve(b);
}

std::optional<MatrixXd> solve_pivoted(const MatrixXd& a, const MatrixXd& b) {
    const Eigen::FullPivLU<MatrixXd> lu(a);
    if (!lu.isInvertible()) return std::nullopt;
    return lu.solve(b);
}

MatrixXd inverse(const MatrixXd& a) { return a.inverse(); }

ColumnRank rank_columns(const MatrixXd& a, double threshold) {
    Eigen::ColPivHouseholderQR<MatrixXd> qr;
    qr.setThreshold(threshold);
    qr.compute(a);
    return {static_cast<int>(qr.rank()), listed(qr.colsPermutation().indices())};
}

std::vector<int> pivot_order(const MatrixXd& a) {
    return listed(Eigen::ColPivHouseholderQR<MatrixXd>(a).colsPermutation().indices());
}

void PivotedQr::solve_upper(VectorXd& x) const {
    packed.topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solveInPlace(x);
}

void PivotedQr::solve_upper_transposed(VectorXd& x) const {
    packed.topLeftCorner(rank, rank).triangularView<Eigen::Upper>().transpose().solveInPlace(x);
}

PivotedQr pivoted_qr(const MatrixXd& a, double threshold) {
    Eigen::ColPivHouseholderQR<MatrixXd> qr;
    qr.setThreshold(threshold);
    qr.compute(a);
    return {static_cast<int>(qr.rank()), listed(qr.colsPermutation().indices()), qr.householderQ(),
            qr.matrixQR()};
}

FullPivots full_pivots(const MatrixXd& a, double threshold) {
    Eigen::FullPivLU<MatrixXd> lu(a);
    lu.setThreshold(threshold);
    return {static_cast<int>(lu.rank()), listed(lu.permutationP().indices()),
            listed(lu.permutationQ().indices())};
}

MatrixXd null_space(const MatrixXd& a, double threshold) {
    Eigen::ColPivHouseholderQR<MatrixXd> qr;
    qr.setThreshold(threshold);
    qr.compute(a.transpose());
    const MatrixXd q = qr.householderQ();
    return q.rightCols(a.cols() - qr.rank());
}

MatrixXd kernel(const MatrixXd& a, double threshold) {
    Eigen::FullPivLU<MatrixXd> lu(a);
    lu.setThreshold(threshold);
    return lu.kernel();
}

MatrixXd orthogonal_factor(const MatrixXd& a) {
    return Eigen::ColPivHouseholderQR<MatrixXd>(a).householderQ();
}

MatrixXd orthonormal_columns(const MatrixXd& a) {
    return Eigen::HouseholderQR<MatrixXd>(a).householderQ() *
           MatrixXd::Identity(a.rows(), a.cols());
}

SymmetricEigen symmetric_eigen(const MatrixXd& a) {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(a);
    return {solver.eigenvalues(), solver.eigenvectors()};
}

std::optional<GeneralEigen> general_eigen(const MatrixXd& a) {
    const Eigen::EigenSolver<MatrixXd> solver(a);
    if (solver.info() != Eigen::Success) return std::nullopt;
    return GeneralEigen{solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::VectorXcd eigenvalues(const MatrixXd& a) { return a.eigenvalues(); }

LeastSingular least_singular(const MatrixXd& a) {
    const Eigen::JacobiSVD<MatrixXd> svd(a, Eigen::ComputeFullV);
    return {svd.singularValues().tail(1)[0], svd.matrixV().col(svd.matrixV().cols() - 1)};
}

}  // namespace pawl
