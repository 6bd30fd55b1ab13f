#include "simulation/record/step_audit.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/tolerances/records.h"
#include "simulation/stepping/remember.h"

namespace pawl {

namespace {

// Limits of the checks. Names, which need memory, are given to what exceeds them only.
constexpr double max_velocity_change = 1e3, max_residual = tolerance::acceleration_audit;

// Gauss's rule of five nodes on [0, 1], exact for polynomials of degree 9, and the rule on the same
// nodes for the integral to the middle.
struct Rule {
    static constexpr int nodes = 5;
    std::array<double, nodes> at{}, weight{}, to_middle{};
    Rule() {
        const double inner = std::sqrt(5 - 2 * std::sqrt(10.0 / 7)) / 6,
                     outer = std::sqrt(5 + 2 * std::sqrt(10.0 / 7)) / 6;
        at = {0.5 - outer, 0.5 - inner, 0.5, 0.5 + inner, 0.5 + outer};
        const double w_inner = (322 + 13 * std::sqrt(70.0)) / 1800,
                     w_outer = (322 - 13 * std::sqrt(70.0)) / 1800;
        weight = {w_outer, w_inner, 64.0 / 225, w_inner, w_outer};
        // Lagrange's polynomials of degree 4, integrated exactly by the same rule on [0, 1/2].
        for (int i = 0; i < nodes; ++i)
            for (int k = 0; k < nodes; ++k) {
                double l = 1;
                for (int j = 0; j < nodes; ++j)
                    if (j != i) l *= (0.5 * at[k] - at[j]) / (at[i] - at[j]);
                to_middle[i] += 0.5 * weight[k] * l;
            }
    }
};
const Rule& rule() {
    static const Rule the_rule;
    return the_rule;
}

void add(std::vector<double>& sum, double factor, const std::vector<double>& x) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * x[i];
}

}  // namespace

void StepAudit::Integral::clear(const State& like) {
    v.assign(like.v.size(), 0.0);
    q.assign(like.q.size(), 0.0);
    z.assign(like.z.size(), 0.0);
}

double StepAudit::speed_of(const Equations& equations, const std::vector<double>& v) {
    double speed = 0;
    for (int c = 0; c < equations.size(); ++c)
        speed = std::max(speed, std::abs(v[c]) * equations.column_scale()[c]);
    return speed;
}

// |G v' - gamma| over the largest acceleration that enters, of each row.
void StepAudit::judge_rows(Dynamics& dynamics, double t, Worst& worst) {
    const Equations& equations = dynamics.equations();
    const RowPattern& p = equations.pattern();
    const auto& a = dynamics.acceleration();
    double largest = 0;
    for (int c = 0; c < equations.size(); ++c)
        largest = std::max(largest, std::abs(a[c]) * equations.column_scale()[c]);
    largest_acceleration_ = std::max(largest_acceleration_, largest);
    // Below the acceleration of a fall nothing is judged finer than that.
    const double least = std::max(largest, 9.81);
    for (int r = 0; r < p.rows(); ++r) {
        double sum = -equations.gamma()[r], parts = std::abs(sum);
        for (int i = p.start[r]; i < p.start[r + 1]; ++i) {
            const double part = equations.jacobian()[i] * a[p.column[i]];
            sum += part;
            parts = std::max(parts, std::abs(part));
        }
        const double off = std::abs(sum) / std::max(parts, least);
        if (off > worst.value)
            worst.see(off, t, off > max_residual ? equations.labels()[r].element : "");
    }
}

bool StepAudit::has_nothing_to_judge(Dynamics& dynamics, const Stepping& stepping) {
    return dynamics.equations().pattern().rows() == 0 && stepping.integrates_accelerations();
}

void StepAudit::begin(Dynamics& dynamics, const Stepping& stepping, const State& state,
                      bool is_solved) {
    largest_acceleration_ = 0;
    rows_at_begin_ = {};
    // Nothing is projected, and the integrator has the accelerations of the end of the last step.
    if (has_nothing_to_judge(dynamics, stepping)) return;
    // The rates may be remembered by another solver, as of one that crosses singular positions.
    if (!is_solved || !dynamics.remembers(state)) {
        if (dynamics.respond(state.t, state.q, state.v, state.z) != RateOutcome::solved) return;
        dynamics.remember_rates(state);
    }
    judge_rows(dynamics, state.t, rows_at_begin_);
    at_begin_ = dynamics.acceleration();
}

bool StepAudit::integrate(Dynamics& dynamics, Stepping& stepping, double begin, double end) {
    const double h = end - begin;
    for (int k = 0; k < Rule::nodes; ++k) {
        // On the rows: what the dense output misses them by asks for forces of its own.
        State& state = inside_;
        state = stepping.at(begin + rule().at[k] * h);
        if (dynamics.project(state) < 0) return false;
        if (k == 0) {
            whole_.clear(state);
            half_.clear(state);
            coarse_.clear(state);
        }
        if (k == Rule::nodes / 2) middle_ = state;
        if (dynamics.respond(state.t, state.q, state.v, state.z) != RateOutcome::solved)
            return false;
        judge_rows(dynamics, state.t);
        rates_.resize(state.z.size());
        dynamics.auxiliary_rates(rates_);
        for (auto [integral, weight] :
             {std::pair{&whole_, rule().weight[k]}, {&half_, rule().to_middle[k]}}) {
            add(integral->v, h * weight, dynamics.acceleration());
            add(integral->q, h * weight, state.v);
            add(integral->z, h * weight, rates_);
        }
        if (k == Rule::nodes / 2) add(coarse_.v, h * 2 / 3, dynamics.acceleration());
    }
    return true;
}

// From the end of the dense output to where the end of the step was moved: a part so small that the
// trapezium serves. Leaves the equations at the end.
bool StepAudit::complete(Dynamics& dynamics, Stepping& stepping, double from, const State& end) {
    const double rest = end.t - from;
    for (const State* state : {rest > 0 ? &stepping.at(from) : nullptr, &end}) {
        if (state == nullptr) continue;
        if (dynamics.respond(state->t, state->q, state->v, state->z) != RateOutcome::solved)
            return false;
        rates_.resize(state->z.size());
        dynamics.auxiliary_rates(rates_);
        add(whole_.v, rest / 2, dynamics.acceleration());
        add(whole_.q, rest / 2, state->v);
        add(whole_.z, rest / 2, rates_);
    }
    return true;
}

// What errors of velocity, position and the ledger are worth: v M dv, (M v') dq and dz; the forces
// in M v' that the rows add do no work on errors that keep the rows.
double StepAudit::energy_of(Dynamics& dynamics, const State& begin, const State& end,
                            const Integral& change) {
    const Equations& equations = dynamics.equations();
    momentum_.resize(end.v.size());
    force_.resize(end.v.size());
    equations.apply_inertia(end.v, momentum_);
    equations.apply_inertia(dynamics.acceleration(), force_);
    double sum = 0, work = 0;
    for (std::size_t c = 0; c < end.v.size(); ++c)
        sum += std::abs(momentum_[c] * (end.v[c] - begin.v[c] - change.v[c])) +
               std::abs(force_[c] * (end.q[c] - begin.q[c] - change.q[c]));
    for (std::size_t i = 0; i < end.z.size(); ++i) work += end.z[i] - begin.z[i] - change.z[i];
    return sum + std::abs(work);
}

void StepAudit::end(Dynamics& dynamics, Stepping& stepping, const State& begin, const State& end) {
    // Every so many steps are judged although their method makes a quadrature of them; not those
    // across a singular position, which would be at one of the nodes.
    constexpr long spot = 16;
    const Equations& equations = dynamics.equations();
    const bool exact = stepping.integrates_accelerations();
    tolerance_ = std::max({tolerance_, stepping.rtol(), stepping.atol()});
    rows_.see(rows_at_begin_.value, rows_at_begin_.t, rows_at_begin_.element);
    const double h = end.t - begin.t, time = std::sqrt(size_ / 9.81);
    const double speed = std::max(
        {speed_of(equations, begin.v), speed_of(equations, end.v), h * largest_acceleration_});
    // A crossing of a singular position may have been accepted with a larger error, which its event
    // explains by the misfit.
    const double accepted = std::max(1.0, stepping.error());
    const double allowance = accepted * (stepping.rtol() * speed + stepping.atol() * size_ / time);
    const auto off_of = [&](int c, const std::vector<double>& v, const std::vector<double>* slack) {
        const double scale = equations.column_scale()[c];
        const double allowed = allowance + (slack ? scale * std::abs((*slack)[c]) : 0);
        return std::abs(end.v[c] - v[c]) * scale / allowed;
    };
    const auto see = [&](const std::vector<double>& v, const std::vector<double>* slack,
                         double grown) {
        for (int c = 0; c < equations.size(); ++c)
            if (const double off = off_of(c, v, slack) / grown; off > velocity_.value)
                velocity_.see(off, end.t,
                              off > max_velocity_change ? equations.column_name(c) : "");
    };
    if (exact && (dynamics.near_singular() || steps_++ % spot != 0)) {
        if (has_nothing_to_judge(dynamics, stepping)) return;
        stepping.end_state(raw_);
        see(raw_.v, nullptr, 1);
        return;
    }
    const double dense_end = std::min(end.t, stepping.t());
    if (!integrate(dynamics, stepping, begin.t, dense_end) ||
        !complete(dynamics, stepping, dense_end, end))
        return;
    slack_ = whole_.v;  // less Simpson's rule
    if (!exact) {
        add(slack_, -(dense_end - begin.t) / 6, at_begin_);
        add(slack_, -(dense_end - begin.t) / 6, dynamics.acceleration());
        add(slack_, -1, coarse_.v);
        energy_error_ += energy_of(dynamics, begin, end, whole_);
        energy_error_inside_ =
            std::max(energy_error_inside_, energy_of(dynamics, begin, middle_, half_));
    }
    add(whole_.v, 1, begin.v);
    double grown = 1;
    if (!exact) {
        double off = 0;
        for (int c = 0; c < equations.size(); ++c)
            off = std::max(off, off_of(c, whole_.v, &slack_));
        if (off > max_velocity_change) grown += growth_of_errors(dynamics, h, end, speed);
    }
    see(whole_.v, exact ? nullptr : &slack_, grown);
}

// An error that an implicit step may have, e, comes out of the quadrature as h da/dx e, which is
// large where the model is stiff: by how much, along what it is off by.
double StepAudit::growth_of_errors(Dynamics& dynamics, double h, const State& end, double speed) {
    const Equations& equations = dynamics.equations();
    std::vector<double> off(end.v.size());
    for (std::size_t c = 0; c < off.size(); ++c) off[c] = end.v[c] - whole_.v[c];
    constexpr double part =
        tolerance::growth_difference;  // of the speed: a difference that rounding leaves 1e-8 of
    const double length = speed_of(equations, off), factor = part * speed / length;
    if (!(factor > 0) || middle_.q.size() != off.size() ||
        dynamics.respond(middle_.t, middle_.q, middle_.v, middle_.z) != RateOutcome::solved)
        return 0;
    std::vector<double> change = dynamics.acceleration();
    raw_ = middle_;
    add(raw_.v, factor, off);
    add(raw_.q, factor * h, off);
    if (dynamics.respond(raw_.t, raw_.q, raw_.v, raw_.z) != RateOutcome::solved) return 0;
    add(change, -1, dynamics.acceleration());
    return h * speed_of(equations, change) / (factor * length);
}

void StepAudit::remember(Memory& memory) {
    memory(velocity_, rows_, rows_at_begin_, energy_error_, energy_error_inside_, tolerance_,
           steps_, at_begin_, largest_acceleration_);
}

void StepAudit::add_checks(Audit& audit) const {
    audit.checks.push_back(
        {"change of velocity", "1", velocity_, max_velocity_change,
         "over each step |dv - quadrature of the accelerations| <= 1e3 (rtol |v| + atol size/s), "
         "projection included"});
    audit.checks.push_back(
        {"acceleration residual", "1", rows_, max_residual,
         "|G v' - gamma| <= 1e-7 of the largest acceleration, at each step and row"});
}

}  // namespace pawl
