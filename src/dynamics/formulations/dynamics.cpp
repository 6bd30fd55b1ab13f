#include "dynamics/formulations/dynamics.h"

#include <algorithm>
#include <cmath>

#include "math/finite.h"
#include "math/seeded_fault.h"
#include "math/tolerances/solving.h"

namespace pawl {

namespace {

double largest_of(const std::vector<double>& values) {
    double largest = 0;
    for (const double value : values) largest = std::max(largest, std::abs(value));
    return largest;
}

}  // namespace

Dynamics::Dynamics(Equations& equations)
    : equations_(equations),
      response_(equations),
      acceleration_(equations.size(), 0.0),
      multipliers_(equations.pattern().rows(), 0.0),
      row_work_(equations.pattern().rows(), 0.0),
      column_work_(equations.size(), 0.0),
      sliding_(equations) {
    for (int r = 0; r < equations.pattern().rows(); ++r)
        if (equations.labels()[r].role == RowRole::driver)
            driver_rows_.push_back(r);
        else if (equations.labels()[r].role == RowRole::contact)
            has_contacts_ = true;
}

int Dynamics::size() const { return 2 * equations_.size() + auxiliary_size(); }

// The constraint forces of a row do work where the row moves: lambda (G v) = lambda nu.
void Dynamics::auxiliary_rates(std::span<double> dz) const {
    auto out =
        std::copy(equations_.state_rates().begin(), equations_.state_rates().end(), dz.begin());
    const double sign = seeded(Fault::driver_power_sign) ? -1 : 1;
    for (const int r : driver_rows_) *out++ = sign * multipliers_[r] * equations_.nu()[r];
}

void Dynamics::pack(const State& state, std::span<double> y) {
    auto out = std::copy(state.q.begin(), state.q.end(), y.begin());
    out = std::copy(state.v.begin(), state.v.end(), out);
    std::copy(state.z.begin(), state.z.end(), out);
}

void Dynamics::unpack(std::span<const double> y, State& state) {
    const std::size_t n = equations_.size();
    state.q.assign(y.begin(), y.begin() + n);
    state.v.assign(y.begin() + n, y.begin() + 2 * n);
    state.z.assign(y.begin() + 2 * n, y.end());
}

RateOutcome Dynamics::rates(double t, std::span<const double> y, std::span<double> dy) {
    if (t == remembered_at_ && std::equal(y.begin(), y.end(), remembered_.begin())) {
        std::copy(remembered_rates_.begin(), remembered_rates_.end(), dy.begin());
        return RateOutcome::solved;
    }
    const std::size_t n = equations_.size();
    const RateOutcome outcome = respond(t, y.first(n), y.subspan(n, n), y.subspan(2 * n));
    if (outcome == RateOutcome::solved) take_rates(y.subspan(n, n), dy);
    return outcome;
}

void Dynamics::take_rates(std::span<const double> v, std::span<double> dy) const {
    const std::size_t n = v.size();
    std::copy_n(v.begin(), n, dy.begin());
    std::copy_n(acceleration_.begin(), n, dy.begin() + n);
    auxiliary_rates(dy.subspan(2 * n));
}

void Dynamics::remember_rates(const State& state) {
    if (has_momenta()) return;
    remembered_at_ = state.t;
    remembered_.resize(size());
    remembered_rates_.resize(remembered_.size());
    pack(state, remembered_);
    take_rates(state.v, remembered_rates_);
}

RateOutcome Dynamics::set_motion(double t, std::span<const double> q, std::span<const double> v) {
    if (!all_finite(q)) return RateOutcome::not_finite;
    equations_.set_motion(q, v, t);
    return equations_.set_inertia() ? RateOutcome::solved : RateOutcome::massless;
}

RateOutcome Dynamics::set_state(double t, std::span<const double> q, std::span<const double> v,
                                std::span<const double> z) {
    if (const RateOutcome outcome = set_motion(t, q, v); outcome != RateOutcome::solved)
        return outcome;
    equations_.set_forces(z);
    if (!all_finite(equations_.force())) return RateOutcome::not_finite;
    factored_ = false;
    if (!equations_.slides()) return RateOutcome::solved;
    if (equations_.pattern().rows() > 0) response_.factor();
    factored_ = true;
    return sliding_.solve(response_, v) ? RateOutcome::solved : RateOutcome::painleve;
}

bool Dynamics::set_position(const State& state) {
    equations_.set_position(state.q, state.t);
    return equations_.pattern().rows() > 0 ? factor_inertia() : equations_.set_inertia();
}

void Dynamics::answer_impulse(std::span<double> x, std::vector<double>& work) {
    const RowPattern& p = equations_.pattern();
    work.clear();
    equations_.solve_inertia(x);
    if (p.rows() == 0) return;
    for (int r = 0; r < p.rows(); ++r) {
        double rate = 0;
        for (int i = p.start[r]; i < p.start[r + 1]; ++i)
            rate -= equations_.jacobian()[i] * x[p.column[i]];
        row_work_[r] = rate;
    }
    response_.solve(row_work_);
    response_.add_response(row_work_, x);
    for (const int r : driver_rows_) work.push_back(row_work_[r] * equations_.nu()[r]);
}

void Dynamics::stop_rows(std::span<double> v, std::vector<double>& asked,
                         std::vector<double>& work) {
    const RowPattern& p = equations_.pattern();
    asked = equations_.nu();
    for (int r = 0; r < p.rows(); ++r)
        for (int i = p.start[r]; i < p.start[r + 1]; ++i)
            asked[r] -= equations_.jacobian()[i] * v[p.column[i]];
    row_work_ = asked;
    response_.solve(row_work_);
    response_.add_response(row_work_, v);
    equations_.take_row_inertia(row_work_, asked);
    work.clear();
    for (const int r : driver_rows_) work.push_back(row_work_[r] * equations_.nu()[r]);
}

double Dynamics::find_missing(std::span<double> missing) const {
    const RowPattern& p = equations_.pattern();
    double worst = 0, size = 0;
    for (int r = 0; r < p.rows(); ++r) {
        double sum = equations_.gamma()[r];
        size = std::max(size, std::abs(sum));
        for (int i = p.start[r]; i < p.start[r + 1]; ++i) {
            const double part = equations_.jacobian()[i] * acceleration_[p.column[i]];
            sum -= part;
            size = std::max(size, std::abs(part));
        }
        missing[r] = sum;
        worst = std::max(worst, std::abs(sum));
    }
    return size > 0 ? worst / size : 0;
}

// The response of a light part is a difference of large numbers: what the rows still miss is
// answered again, until their accelerations hold.
void Dynamics::hold_rows() {
    constexpr int max_passes = 6;
    constexpr double rounding = tolerance::residual_rounding;
    // Of parts at rest the terms fade with what is missing: that itself must become less.
    double before = INFINITY;
    for (int pass = 0; pass < max_passes; ++pass) {
        if (!(find_missing(row_work_) > rounding)) return;
        const double left = largest_of(row_work_);
        if (!(left < 0.5 * before)) return;
        before = left;
        missing_ = row_work_;
        response_.solve(row_work_);
        response_.add_response(row_work_, acceleration_);
        equations_.take_row_inertia(row_work_, missing_);
        for (std::size_t r = 0; r < row_work_.size(); ++r) multipliers_[r] += row_work_[r];
    }
}

// Newton in the mass metric: dq = -M^-1 G^T W^-1 phi, then dv = -M^-1 G^T W^-1 (G v - nu). W and
// M^-1 G^T of an earlier position serve as long as the residual falls fast with them and the rows
// are far from dependence on each other.
double Dynamics::project(State& state) {
    constexpr double fast = 1e-2;
    // Near a singular position errors of the position count many times, up to 0.3 rad from it.
    const double regular = near_singular_ ? 0.1 : tolerance::near_singular;
    const RowPattern& p = equations_.pattern();
    equations_.set_position(state.q, state.t);
    if (p.rows() == 0) return 0;
    const double size = equations_.model_size();
    double moved = 0, previous = INFINITY;
    bool polished = false, serves = false;
    for (int i = 0;; ++i) {
        const double residual = equations_.residual();
        if (!std::isfinite(residual)) return -1;
        if (residual <= tolerance::projection * size) {
            if (!near_singular_ || polished || serves || !(residual > 0)) break;
            polished = true;
        }
        // Rows that nearly depend on each other converge slowly.
        if (i == 40 || (i > 2 && !polished && residual > 0.95 * previous)) {
            if (residual <= tolerance::projection_accepted * size) break;
            return -1;
        }
        serves = serves && residual < fast * previous;
        previous = residual;
        if (!serves) {
            if (!factor_inertia()) return -1;
            serves = response_.smallest_pivot() >= regular;
        }
        for (int r = 0; r < p.rows(); ++r) row_work_[r] = -equations_.phi()[r];
        response_.solve(row_work_);
        std::fill(column_work_.begin(), column_work_.end(), 0.0);
        response_.add_response(row_work_, column_work_);
        for (int c = 0; c < equations_.size(); ++c) {
            state.q[c] += column_work_[c];
            moved = std::max(moved, std::abs(column_work_[c]) * equations_.column_scale()[c]);
        }
        equations_.set_position(state.q, state.t);
    }
    if (!serves && !factor_inertia()) return -1;
    if (seeded(Fault::velocity_not_projected)) return moved;
    project_velocity(state.v, serves);
    if (seeded(Fault::projection_kick))
        for (double& rate : state.v) rate *= 1 + 1e-4;
    return moved;
}

bool Dynamics::factor_inertia() {
    if (!equations_.set_inertia()) return false;
    response_.factor();
    return true;
}

// Once is enough, but for contacts that nearly depend on each other and for a response of a
// position close by. (Joints in a singular position must not be forced: there the error of a step
// has no velocity that corrects it.)
void Dynamics::project_velocity(std::vector<double>& v, bool is_close_by) {
    const RowPattern& p = equations_.pattern();
    double left = INFINITY;
    for (int i = 0; i < (has_contacts_ || is_close_by ? 5 : 1); ++i) {
        double largest = 0, speed = 0;
        for (int r = 0; r < p.rows(); ++r) {
            double rate = equations_.nu()[r];
            for (int k = p.start[r]; k < p.start[r + 1]; ++k) {
                const double part = equations_.jacobian()[k] * v[p.column[k]];
                rate -= part;
                speed = std::max(speed, std::abs(part));
            }
            row_work_[r] = rate;
            largest = std::max(largest, std::abs(rate));
        }
        if (largest <=
                (i > 0 ? tolerance::projected_velocity : tolerance::projected_velocity_at_once) *
                    speed ||
            (i > 0 && largest > 0.5 * left))
            break;
        left = largest;
        response_.solve(row_work_);
        response_.add_response(row_work_, v);
    }
}

}  // namespace pawl
