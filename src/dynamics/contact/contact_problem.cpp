#include "dynamics/contact/contact_problem.h"

#include <algorithm>
#include <cmath>

#include "dynamics/response/sliding.h"
#include "math/seeded_fault.h"
#include "math/tolerances/solving.h"

namespace pawl {

namespace {

// The contacts that approach as fast as one of them, but for rounding: in a sequence of impacts
// they are struck together, so that mirror images stay so and no order of the file decides.
std::vector<int> equally_fast(const Eigen::VectorXd& velocity, int fastest) {
    constexpr double equal = tolerance::equal_response;
    std::vector<int> struck;
    for (int i = 0; i < velocity.size(); ++i)
        if (velocity[i] <= (1 - equal) * velocity[fastest]) struck.push_back(i);
    return struck;
}

}  // namespace

ContactProblem::ContactProblem(Dynamics& base, Equations& touching, std::vector<int> rows,
                               int contacts)
    : base_(base), touching_(touching), rows_(std::move(rows)), contacts_(contacts) {}

bool ContactProblem::set_state(const State& state) {
    const int n = static_cast<int>(rows_.size());
    const RowPattern& p = touching_.pattern();
    touching_.set_position(state.q, state.t);
    if (!base_.set_position(state)) return false;
    answers_.assign(n, std::vector<double>(touching_.size(), 0.0));
    driver_answers_.resize(n);
    row_answers_.resize(n);
    response_ = Eigen::MatrixXd::Zero(n, n);
    std::vector<double> free;
    const auto along = [&](int contact, std::span<const double> v) {
        double sum = 0;
        for (int i = p.start[rows_[contact]]; i < p.start[rows_[contact] + 1]; ++i)
            sum += touching_.jacobian()[i] * v[p.column[i]];
        return sum;
    };
    for (int k = 0; k < n; ++k) {
        double largest = 0;  // how far the row moves with a coordinate; it is of order one
        for (int i = p.start[rows_[k]]; i < p.start[rows_[k] + 1]; ++i) {
            answers_[k][p.column[i]] = touching_.jacobian()[i];
            largest = std::max(
                largest, std::abs(touching_.jacobian()[i]) / touching_.column_scale()[p.column[i]]);
        }
        free = answers_[k];
        base_.equations().solve_inertia(free);
        const double alone = along(k, free);
        base_.answer_impulse(answers_[k], driver_answers_[k]);
        row_answers_[k] = base_.answering_rows();
        // Held by the coordinates, or by joints and drivers from all sides: what is left is
        // rounding.
        if (!(largest > tolerance::rank) || !(along(k, answers_[k]) > tolerance::rank * alone))
            std::fill(answers_[k].begin(), answers_[k].end(), 0.0);
    }
    set_velocity(state);
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j) response_(j, k) = along(j, answers_[k]);
    response_ = 0.5 * (response_ + response_.transpose()).eval();
    return true;
}

void ContactProblem::set_velocity(const State& state) {
    const RowPattern& p = touching_.pattern();
    rate_ = Eigen::VectorXd::Zero(static_cast<int>(rows_.size()));
    for (std::size_t k = 0; k < rows_.size(); ++k) {
        double sum = -touching_.nu()[rows_[k]];
        for (int i = p.start[rows_[k]]; i < p.start[rows_[k] + 1]; ++i)
            sum += touching_.jacobian()[i] * state.v[p.column[i]];
        rate_[static_cast<int>(k)] = sum;
    }
    impulse_ = work_ = Eigen::VectorXd::Zero(rate_.size());
    after_ = rate_;
}

ComplementarityOutcome ContactProblem::find_impulses(const Eigen::VectorXd& restitution,
                                                     Impacts impacts, double still) {
    const int n = contacts_, all = static_cast<int>(rows_.size());
    impulse_ = Eigen::VectorXd::Zero(all);
    after_ = rate_;
    work_ = Eigen::VectorXd::Zero(all);
    blows_ = 0;
    if (impacts == Impacts::sequential) {
        for (; blows_ < 10000; ++blows_) {
            int worst = 0;
            if (after_.head(n).minCoeff(&worst) >= -still) return ComplementarityOutcome::solved;
            const std::vector<int> struck = equally_fast(after_.head(n), worst);
            Eigen::VectorXd own(static_cast<int>(struck.size())), p;
            for (std::size_t k = 0; k < struck.size(); ++k) {
                if (!(response_(struck[k], struck[k]) > 0)) return ComplementarityOutcome::ray;
                own[static_cast<int>(k)] = (1 + restitution[struck[k]]) * after_[struck[k]];
            }
            if (const auto outcome = solve_complementarity(response_(struck, struck), own, p);
                outcome != ComplementarityOutcome::solved)
                return outcome;
            const Eigen::VectorXd before = after_;
            for (std::size_t k = 0; k < struck.size(); ++k) {
                impulse_[struck[k]] += p[static_cast<int>(k)];
                after_ += p[static_cast<int>(k)] * response_.col(struck[k]);
            }
            for (std::size_t k = 0; k < struck.size(); ++k)
                work_[struck[k]] +=
                    0.5 * p[static_cast<int>(k)] * (before[struck[k]] + after_[struck[k]]);
        }
        return ComplementarityOutcome::unended;
    }
    Eigen::VectorXd b = rate_.head(n), p;
    for (int i = 0; i < n; ++i) {
        if (std::abs(rate_[i]) <= still) b[i] = std::max(0.0, rate_[i]);
        b[i] -= restitution[i] * std::max(0.0, -b[i]);
    }
    const auto outcome = solve_complementarity(response_.topLeftCorner(n, n), b, p);
    impulse_.head(n) = p;
    finish_impulses();
    if (outcome == ComplementarityOutcome::solved &&
        !(impulse_.allFinite() &&
          (after_.head(n).array() >
           -still - tolerance::rate_after_impact * rate_.head(n).cwiseAbs().maxCoeff())
              .all()))
        return ComplementarityOutcome::ray;
    return outcome;
}

void ContactProblem::finish_impulses() {
    after_ = rate_ + response_ * impulse_;
    work_ = 0.5 * impulse_.cwiseProduct(rate_ + after_);
}

void ContactProblem::set_impulses(const Eigen::VectorXd& impulse, const Eigen::VectorXd& work) {
    impulse_ = impulse;
    finish_impulses();
    work_ = work;
}

void ContactProblem::stop(const std::vector<int>& rows) {
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> cod;
    cod.setThreshold(tolerance::rank);
    const Eigen::MatrixXd among = response_(rows, rows);
    const Eigen::VectorXd before = after_, rate = after_(rows),
                          found = cod.compute(among).solve(-rate);
    Eigen::VectorXd more = Eigen::VectorXd::Zero(after_.size());
    more(rows) = found;
    impulse_ += more;
    after_ += response_ * more;
    work_ += 0.5 * more.cwiseProduct(before + after_);
}

void ContactProblem::apply(State& state, std::span<double> work) const {
    const double part = seeded(Fault::impulse_scaled) ? 0.99 : 1;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
        for (std::size_t c = 0; c < state.v.size(); ++c)
            state.v[c] += part * impulse_[k] * answers_[k][c];
        for (std::size_t d = 0; d < work.size(); ++d)
            work[d] += impulse_[k] * driver_answers_[k][d];
    }
}

bool ContactProblem::find_free(const State& state) {
    const int n = static_cast<int>(rows_.size());
    gap_acceleration_ = force_ = keeping_ = Eigen::VectorXd::Zero(n);
    holding_.clear();
    touching_.set_motion(state.q, state.v, state.t);
    if (base_.respond(state.t, state.q, state.v, state.z) != RateOutcome::solved) return false;
    const RowPattern& p = touching_.pattern();
    for (int k = 0; k < n; ++k) {
        double sum = -touching_.gamma()[rows_[k]];
        for (int i = p.start[rows_[k]]; i < p.start[rows_[k] + 1]; ++i)
            sum += touching_.jacobian()[i] * base_.acceleration()[p.column[i]];
        gap_acceleration_[k] = sum;
    }
    return true;
}

void ContactProblem::find_loads(const State& state, Eigen::VectorXd& first,
                                Eigen::MatrixXd& slope) {
    const int n = static_cast<int>(rows_.size()), m = touching_.load_count();
    touching_.set_inertia();
    touching_.set_forces(state.z);
    std::vector<double> x = base_.acceleration(), none(touching_.friction().size(), 0.0);
    std::vector<double> lambda(touching_.pattern().rows(), 0.0), loads(m), moved;
    std::copy(base_.multipliers().begin(), base_.multipliers().end(), lambda.begin());
    touching_.find_loads(x, lambda, none, loads);
    first = Eigen::Map<Eigen::VectorXd>(loads.data(), m);
    slope = Eigen::MatrixXd::Zero(m, n);
    const double probe = probing_force(loads, lambda);
    for (int k = 0; k < n; ++k) {
        moved = x;
        std::vector<double> pushed = lambda;
        for (std::size_t c = 0; c < moved.size(); ++c) moved[c] += probe * answers_[k][c];
        for (std::size_t r = 0; r < base_.multipliers().size(); ++r)
            pushed[r] += probe * row_answers_[k][r];
        pushed[rows_[k]] += probe;
        touching_.find_loads(moved, pushed, none, loads);
        slope.col(k) = (Eigen::Map<Eigen::VectorXd>(loads.data(), m) - first) / probe;
    }
}

std::vector<double> ContactProblem::base_multipliers(const Eigen::VectorXd& force) const {
    std::vector<double> lambda = base_.multipliers();
    for (std::size_t k = 0; k < row_answers_.size(); ++k)
        for (std::size_t r = 0; r < lambda.size(); ++r)
            lambda[r] += force[static_cast<int>(k)] * row_answers_[k][r];
    return lambda;
}

ComplementarityOutcome ContactProblem::find_forces(const State& state,
                                                   std::span<const int> candidates, bool share) {
    return find_free(state) ? press(candidates, share) : ComplementarityOutcome::ray;
}

ComplementarityOutcome ContactProblem::press_one(int contact, bool share) {
    const double a = response_(contact, contact), b = gap_acceleration_[contact];
    if (a > 0) keeping_[contact] = -b / a;
    if (!(b >= 0 || a > 0)) return ComplementarityOutcome::ray;
    if (b < 0 || (b == 0 && share)) holding_.push_back(contact);
    force_[contact] = std::max(0.0, keeping_[contact]);
    gap_acceleration_ += force_[contact] * response_.col(contact);
    return ComplementarityOutcome::solved;
}

ComplementarityOutcome ContactProblem::press(std::span<const int> candidates, bool share) {
    const int m = static_cast<int>(candidates.size());
    if (m == 0) return ComplementarityOutcome::solved;
    if (m == 1) return press_one(candidates[0], share);
    Eigen::MatrixXd a(m, m);
    Eigen::VectorXd b(m), z;
    for (int i = 0; i < m; ++i) {
        b[i] = gap_acceleration_[candidates[i]];
        for (int j = 0; j < m; ++j) a(i, j) = response_(candidates[i], candidates[j]);
    }
    const auto outcome = solve_complementarity(a, b, z);
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> cod;
    cod.setThreshold(tolerance::rank);
    const Eigen::VectorXd keeping = cod.compute(a).solve(-b);
    for (int i = 0; i < m; ++i) keeping_[candidates[i]] = keeping[i];
    if (outcome != ComplementarityOutcome::solved) return outcome;
    const Eigen::VectorXd w = a * z + b;
    // Contacts that stay closed without being pressed share the force when they can: the smallest
    // forces, if all press.
    const double still =
        tolerance::contact_still * std::max(b.cwiseAbs().maxCoeff(), w.cwiseAbs().maxCoeff());
    std::vector<int> closed;
    for (int i = 0; i < m; ++i)
        if (z[i] > 0 || std::abs(w[i]) <= still) closed.push_back(i);
    if (!closed.empty()) {
        Eigen::MatrixXd ac(closed.size(), closed.size());
        Eigen::VectorXd bc(closed.size());
        for (std::size_t i = 0; i < closed.size(); ++i) {
            bc[i] = b[closed[i]];
            for (std::size_t j = 0; j < closed.size(); ++j) ac(i, j) = a(closed[i], closed[j]);
        }
        const Eigen::VectorXd shared = cod.compute(ac).solve(-bc);
        const bool all_press =
            share &&
            shared.minCoeff() >= -tolerance::shared_impulse * shared.cwiseAbs().maxCoeff() &&
            (ac * shared + bc).cwiseAbs().maxCoeff() <= still;
        for (std::size_t i = 0; i < closed.size(); ++i)
            if (all_press)
                z[closed[i]] = std::max(0.0, shared[i]);
            else if (!(z[closed[i]] > 0))
                closed[i] = -1;
        for (const int i : closed)
            if (i >= 0) holding_.push_back(candidates[i]);
    }
    for (int i = 0; i < m; ++i) force_[candidates[i]] = z[i];
    gap_acceleration_ += response_ * force_;
    return outcome;
}

}  // namespace pawl
