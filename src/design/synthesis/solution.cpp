#include "design/synthesis/solution.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <Eigen/QR>

#include "math/tolerances/outside.h"

namespace pawl {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Rows of one position over unknowns of its own (a y + b d + r), ready to be eliminated.
struct Block {
    MatrixXd a, b;
    VectorXd r;
    // Of the exact way: the position moves by along * y - (offset + by_design * d).
    MatrixXd along, by_design;
    VectorXd offset;
};

// After the elimination: y = -R^-1 (top_r + top_b d).
struct Eliminated {
    MatrixXd triangle, top_b;
    VectorXd top_r;
};

// What changes in one step.
struct Step {
    VectorXd design;  // of the free numbers
    std::vector<VectorXd> positions;
    double predicted = 0;  // of the objective, by the linear rows
};

MatrixXd free_columns(const SynthesisProblem& problem, const MatrixXd& by_design) {
    const std::vector<int>& free = problem.free_numbers();
    MatrixXd out(by_design.rows(), static_cast<int>(free.size()));
    for (std::size_t k = 0; k < free.size(); ++k)
        out.col(static_cast<int>(k)) = by_design.col(free[k]);
    return out;
}

Block natural_block(const SynthesisProblem& problem, const PositionRows& rows) {
    return {rows.by_position, free_columns(problem, rows.by_design), rows.value, {}, {}, {}};
}

// Solves the hard rows for the part of the step that they fix: with G^T = [Y Z] [R; 0] the position
// moves by Z y - Y R^-T (G + G_b d).
std::optional<Block> exact_block(const SynthesisProblem& problem, const PositionRows& rows) {
    const int hard = problem.hard_rows();
    const auto n = rows.by_position.cols(), soft = rows.value.size() - hard;
    const MatrixXd transposed = rows.by_position.topRows(hard).transpose();
    Eigen::HouseholderQR<MatrixXd> qr(transposed);
    const MatrixXd q = qr.householderQ() * MatrixXd::Identity(n, n);
    const MatrixXd r = qr.matrixQR().topRows(hard).triangularView<Eigen::Upper>();
    const auto pivots = r.diagonal().cwiseAbs();
    if (pivots.minCoeff() <= tolerance::design_rank * pivots.maxCoeff()) return std::nullopt;
    const MatrixXd by_design = free_columns(problem, rows.by_design);
    const auto lower = r.transpose().triangularView<Eigen::Lower>();
    Block block;
    block.along = q.rightCols(n - hard);
    block.offset = q.leftCols(hard) * lower.solve(rows.value.head(hard));
    block.by_design = q.leftCols(hard) * lower.solve(by_design.topRows(hard));
    const MatrixXd soft_q = rows.by_position.bottomRows(soft);
    block.a = soft_q * block.along;
    block.b = by_design.bottomRows(soft) - soft_q * block.by_design;
    block.r = rows.value.tail(soft) - soft_q * block.offset;
    return block;
}

// Eliminates the unknowns of a position from its rows; the rows that remain contain the design
// only.
bool eliminate(const Block& block, double damping, Eliminated& out, MatrixXd& rest_b,
               VectorXd& rest_r) {
    const auto rows = block.a.rows(), own = block.a.cols(), design = block.b.cols();
    const auto added = damping > 0 ? own : 0;
    MatrixXd a = MatrixXd::Zero(rows + added, own), b = MatrixXd::Zero(rows + added, design + 1);
    a.topRows(rows) = block.a;
    if (added > 0) a.bottomRows(added).diagonal().setConstant(std::sqrt(damping));
    b.topLeftCorner(rows, design) = block.b;
    b.col(design).head(rows) = block.r;
    if (own > 0) {
        Eigen::HouseholderQR<MatrixXd> qr(a);
        b.applyOnTheLeft(qr.householderQ().adjoint());
        out.triangle = qr.matrixQR().topRows(own).triangularView<Eigen::Upper>();
        const auto pivots = out.triangle.diagonal().cwiseAbs();
        if (pivots.minCoeff() <= tolerance::damped_rank * pivots.maxCoeff()) return false;
    }
    out.top_b = b.topLeftCorner(own, design);
    out.top_r = b.col(design).head(own);
    rest_b = b.block(own, 0, b.rows() - own, design);
    rest_r = b.col(design).tail(b.rows() - own);
    return true;
}

std::optional<Step> linear_step(const std::vector<Block>& blocks, double damping) {
    const auto design = blocks.front().b.cols();
    std::vector<Eliminated> eliminated(blocks.size());
    std::vector<MatrixXd> parts(blocks.size());
    std::vector<VectorXd> right(blocks.size());
    Eigen::Index rows = damping > 0 ? design : 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (!eliminate(blocks[i], damping, eliminated[i], parts[i], right[i])) return std::nullopt;
        rows += parts[i].rows();
    }
    MatrixXd a = MatrixXd::Zero(rows, design);
    VectorXd r = VectorXd::Zero(rows);
    Eigen::Index at = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        a.middleRows(at, parts[i].rows()) = parts[i];
        r.segment(at, right[i].size()) = right[i];
        at += parts[i].rows();
    }
    if (damping > 0) a.bottomRows(design).diagonal().setConstant(std::sqrt(damping));
    Step step;
    step.design = design > 0 ? VectorXd(-a.completeOrthogonalDecomposition().solve(r))
                             : VectorXd(VectorXd::Zero(0));
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const Block& block = blocks[i];
        const VectorXd right_side = -(eliminated[i].top_r + eliminated[i].top_b * step.design);
        const VectorXd y = eliminated[i].triangle.triangularView<Eigen::Upper>().solve(right_side);
        const VectorXd left = block.r + block.a * y + block.b * step.design;
        step.predicted += 0.5 * left.squaredNorm();
        step.positions.push_back(
            block.along.size() > 0 || block.offset.size() > 0
                ? VectorXd(block.along * y - block.offset - block.by_design * step.design)
                : y);
    }
    return step;
}

void take(const SynthesisProblem& problem, const Step& step, SynthesisUnknowns& x) {
    const std::vector<int>& free = problem.free_numbers();
    for (std::size_t k = 0; k < free.size(); ++k)
        x.design[free[k]] += step.design[static_cast<int>(k)];
    for (std::size_t i = 0; i < x.positions.size(); ++i) x.positions[i] += step.positions[i];
}

double length(const Step& step) {
    double sum = step.design.squaredNorm();
    for (const VectorXd& p : step.positions) sum += p.squaredNorm();
    return std::sqrt(sum);
}

// One way of solving: its rows, its objective, and how a step is made good.
struct Way {
    const SynthesisProblem& problem;
    bool exact = false;

    // Nothing where the rows have no step.
    std::optional<std::vector<Block>> blocks(const SynthesisUnknowns& x) const {
        std::vector<Block> out;
        PositionRows rows;
        for (int i = 0; i < problem.positions(); ++i) {
            problem.evaluate(i, x.positions[static_cast<std::size_t>(i)], x.design, rows);
            if (!rows.value.allFinite()) return std::nullopt;
            if (!exact) {
                out.push_back(natural_block(problem, rows));
            } else if (auto block = exact_block(problem, rows)) {
                out.push_back(std::move(*block));
            } else {
                return std::nullopt;
            }
        }
        return out;
    }
    double objective(const SynthesisUnknowns& x) const {
        double sum = 0;
        PositionRows rows;
        for (int i = 0; i < problem.positions(); ++i) {
            problem.evaluate(i, x.positions[static_cast<std::size_t>(i)], x.design, rows);
            const auto first = exact ? problem.hard_rows() : 0;
            sum += 0.5 * rows.value.tail(rows.value.size() - first).squaredNorm();
        }
        return std::isfinite(sum) ? sum : INFINITY;
    }
    bool make_good(SynthesisUnknowns& x) const {
        for (int i = 0; exact && i < problem.positions(); ++i)
            if (!close_position(problem, i, x.design, x.positions[static_cast<std::size_t>(i)]))
                return false;
        return true;
    }
};

SolveRecord solve(const Way& way, SynthesisUnknowns& x, const SolveOptions& options) {
    constexpr int max_trials = 12;  // of damping in one iteration: a factor of 4^12
    const double size = way.problem.task().size(), small = options.small * size * size;
    double damping = options.damping;
    SolveRecord record;
    record.objectives.push_back(way.objective(x));
    for (int iteration = 0; iteration < options.iterations; ++iteration) {
        const double before = record.objective();
        if (before <= small) {
            record.converged = true;
            break;
        }
        const auto blocks = way.blocks(x);
        if (!blocks) break;
        bool taken = false;
        for (int trial = 0; trial < max_trials && !taken; ++trial) {
            const auto step = linear_step(*blocks, damping);
            SynthesisUnknowns next = x;
            double after = INFINITY;
            if (step) {
                take(way.problem, *step, next);
                if (length(*step) <= tolerance::finest_design_step * (size + x.design.norm())) {
                    record.converged = true;
                    return record;
                }
                if (way.make_good(next)) after = way.objective(next);
            }
            taken = after < before;
            if (!taken) {
                damping = damping > 0 ? 4 * damping : 1e-6;
                continue;
            }
            const double gain = (before - after) / (before - step->predicted);
            damping = gain > 0.75 ? (damping > 1e-9 ? damping / 5 : 0)
                                  : (gain < 0.25 ? std::max(2 * damping, 1e-6) : damping);
            x = std::move(next);
            record.objectives.push_back(after);
            if (before - after <= options.least_gain * before) {
                record.converged = true;
                return record;
            }
        }
        if (!taken) {  // no direction goes down any more
            record.converged = true;
            break;
        }
    }
    return record;
}

}  // namespace

SolveRecord solve_natural(const SynthesisProblem& problem, SynthesisUnknowns& x,
                          const SolveOptions& options) {
    return solve({problem, false}, x, options);
}

SolveRecord solve_exact(const SynthesisProblem& problem, SynthesisUnknowns& x,
                        const SolveOptions& options) {
    const Way way{problem, true};
    if (!way.make_good(x)) return {{INFINITY}, false};
    return solve(way, x, options);
}

void solve_position(const SynthesisProblem& problem, int position, const VectorXd& b, VectorXd& q,
                    int iterations) {
    PositionRows rows;
    const auto n = q.size();
    double damping = 1e-3;
    problem.evaluate(position, q, b, rows);
    for (int i = 0; i < iterations; ++i) {
        MatrixXd a = MatrixXd::Zero(rows.value.size() + n, n);
        VectorXd r = VectorXd::Zero(a.rows());
        a.topRows(rows.value.size()) = rows.by_position;
        a.bottomRows(n).diagonal().setConstant(std::sqrt(damping));
        r.head(rows.value.size()) = rows.value;
        const VectorXd next = q - a.householderQr().solve(r);
        const double before = rows.value.squaredNorm();
        PositionRows after;
        problem.evaluate(position, next, b, after);
        if (!(after.value.squaredNorm() < before)) {
            damping *= 10;
            continue;
        }
        damping /= 5;
        q = next;
        std::swap(rows, after);
        if (rows.value.squaredNorm() > 0.999 * before) break;
    }
}

bool close_position(const SynthesisProblem& problem, int position, const VectorXd& b, VectorXd& q) {
    constexpr int max_iterations = 20;
    const int hard = problem.hard_rows();
    PositionRows rows;
    double last = INFINITY;
    for (int i = 0; i < max_iterations; ++i) {
        problem.evaluate(position, q, b, rows);
        const double residual = rows.value.head(hard).norm();
        const double size = q.norm() + b.norm();
        // Squared lengths are rows too, so rounding grows with the square of the size.
        if (residual <= tolerance::closure * size * (1 + size)) return true;
        if (!std::isfinite(residual) || (i > 4 && residual > 0.5 * last))
            return residual < tolerance::closure_accepted;
        last = residual;
        const MatrixXd transposed = rows.by_position.topRows(hard).transpose();
        Eigen::HouseholderQR<MatrixXd> qr(transposed);
        const MatrixXd r = qr.matrixQR().topRows(hard).triangularView<Eigen::Upper>();
        VectorXd y = VectorXd::Zero(q.size());
        y.head(hard) = r.transpose().triangularView<Eigen::Lower>().solve(rows.value.head(hard));
        if (!y.allFinite()) return false;
        q -= qr.householderQ() * y;
    }
    return false;
}

}  // namespace pawl
