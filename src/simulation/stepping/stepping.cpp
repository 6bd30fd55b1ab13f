#include "simulation/stepping/stepping.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "math/tolerances/motion.h"
#include "results/text.h"

namespace pawl {

void Stepping::adopt(DynamicSystem& system, bool crosses) {
    if (crosses != crosses_ && stepper_) {
        add_statistics();
        stepper_.reset();
    }
    crosses_ = crosses;
    if (crosses && !system.crossing)
        system.crossing = make_dynamics(Formulation::multipliers, *system.equations);
    equations_ = system.equations.get();
    dynamics_ = crosses ? system.crossing.get() : system.dynamics.get();
    rates_.dynamics = dynamics_;
}

// A fixed step is chosen without regard to these tolerances.
double Stepping::crossing(double error) const {
    const bool fixed = options_.integrator == Integrator::rk4;
    return fixed ? tolerance::crossing_error : std::max(error, tolerance::crossing_error);
}

// Of all bodies, from the size of the model: with it a tolerance of works belongs to those of
// positions and velocities. Where bodies only turn, that of their inertia at the same speed.
double Stepping::energy_of_fall() const {
    const double size = equations_->model_size();
    double mass = 0, inertia = 0;
    for (const auto& body : mechanism_.bodies) {
        mass += body.mass.value_or(0);
        inertia += body.inertia.value_or(0);
    }
    return 9.81 * (mass > 0 ? mass * size : inertia / size);
}

StepperOptions Stepping::stepper_options(const State& state) const {
    StepperOptions o;
    o.rtol = rtol();
    const int n = equations_->size();
    // Positions: a part of the size; velocities: the same per characteristic time of a body
    // falling the size.
    const double time = std::sqrt(equations_->model_size() / 9.81);
    for (int c = 0; c < n; ++c)
        o.atol.push_back(atol() * equations_->model_size() / equations_->column_scale()[c]);
    // Momenta: that of the lightest coordinate at that velocity.
    double momentum = INFINITY;
    if (dynamics_->has_momenta()) {
        equations_->set_position(state.q, state.t);
        equations_->set_inertia();
        const Eigen::VectorXd mass = equations_->mass_matrix().diagonal();
        for (int c = 0; c < n; ++c)
            if (mass[c] > 0) momentum = std::min(momentum, mass[c] * o.atol[c] / time);
    }
    for (int i = n; i < dynamics_->size() - dynamics_->auxiliary_size(); ++i)
        o.atol.push_back(dynamics_->has_momenta() ? momentum : o.atol[i - n] / time);
    const int own = static_cast<int>(mechanism_.states.size());
    for (int i = 0; i < own; ++i) o.atol.push_back(options_.atol);
    o.controlled = static_cast<int>(o.atol.size());
    if (const double energy = energy_of_fall(); energy > 0)
        o.atol.resize(static_cast<std::size_t>(dynamics_->size()), atol() * energy);
    if (options_.largest_step > 0) o.largest_step = options_.largest_step;
    o.checked = checked_;
    o.first_step = first_step_;
    o.fixed_step = options_.integrator_step > 0 ? options_.integrator_step : options_.step;
    return o;
}

void Stepping::make_integrator() {
    stepper_ = make_stepper(crosses_ ? Integrator::dop853 : integrator(), rates_, dynamics_->size(),
                            stepper_options_);
    stiffness_.cost = 0;
}

void Stepping::choose(bool implicit, double first_step) {
    if (implicit == stiffness_.implicit) return;
    add_statistics();
    stepper_.reset();
    stiffness_.implicit = implicit;
    first_step_ = first_step;
}

// Of a step that is tried the explicit integrator needs twelve stages.
double Stepping::take_cost() {
    constexpr double stages = 12;
    const auto& s = stepper_->statistics();
    const double all = stiffness_.implicit && !crosses_
                           ? static_cast<double>(s.evaluations)
                           : stages * static_cast<double>(s.accepted + s.rejected);
    return all - std::exchange(stiffness_.cost, all);
}

bool Stepping::remember(Memory& memory) {
    memory(stepper_options_, first_step_, stiffness_.reported, checked_, stiffness_.implicit);
    if (!memory.writes()) {
        y_.resize(static_cast<std::size_t>(dynamics_->size()));
        if (!memory.fits()) return false;
        make_integrator();
    }
    stepper_->remember(memory);
    memory(moved_to_, y_moved_, stiffness_.cost);
    return memory.fits();
}

void Stepping::restart(const State& state, bool pressed) {
    // A fixed step may be far too long for a compliant contact, whatever it is for the rest.
    const bool checked = pressed && !crosses_ && options_.integrator == Integrator::rk4;
    if (!stepper_ || checked != checked_ ||
        y_.size() != static_cast<std::size_t>(dynamics_->size())) {
        checked_ = checked;
        add_statistics();
        stepper_options_ = stepper_options(state);
        make_integrator();
        if (is_open()) first_step_ = 0;
    }
    y_.resize(dynamics_->size());
    dynamics_->pack(state, y_);
    dynamics_->forget_rates();
    stepper_->start(state.t, y_);
}

void Stepping::replace(const State& state) {
    dynamics_->pack(state, y_);
    if (!std::equal(y_.begin(), y_.end(), stepper_->y().begin())) stepper_->replace(y_);
}

void Stepping::renew_rates(const State& state) {
    dynamics_->pack(state, y_);
    dynamics_->forget_rates();
    stepper_->replace(y_);
}

const State& Stepping::at(double t) {
    between_.t = t;
    if (t == stepper_->t() || t == stepper_->t_old()) {
        dynamics_->unpack(t == stepper_->t() ? stepper_->y() : stepper_->y_old(), between_);
    } else {
        stepper_->interpolate(t, y_);
        dynamics_->unpack(y_, between_);
    }
    return between_;
}

const PolynomialPath& Stepping::path() {
    if (!path_is_known_) stepper_->polynomials(static_cast<std::size_t>(equations_->size()), path_);
    path_is_known_ = true;
    return path_;
}

void Stepping::end_state(State& state) const {
    state.t = end();
    dynamics_->unpack(moved_to_ > 0 ? y_moved_ : stepper_->y(), state);
}

bool Stepping::cut(double t) {
    constexpr double max_error = tolerance::interpolation_error;  // of the tolerance
    if (!(t > begin() && t < stepper_->t() && stepper_->interpolation_error(t) <= max_error))
        return false;
    y_moved_.resize(stepper_->y().size());
    stepper_->interpolate(t, y_moved_);
    moved_to_ = t;
    return true;
}

// One step of a Runge-Kutta method, forwards or backwards: Euler's, of the midpoint, or the
// classical one, of the orders 1, 2 and 4. Its error is of the power order + 1 of the part of the
// step: below rounding.
bool Stepping::move_end(double t) {
    struct Stage {
        double at, weight;
    };
    constexpr Stage euler[] = {{0, 1}}, midpoint[] = {{0, 0}, {0.5, 1}},
                    classical[] = {{0, 1.0 / 6}, {0.5, 1.0 / 3}, {0.5, 1.0 / 3}, {1, 1.0 / 6}};
    const std::size_t n = stepper_->y().size();
    const double from = end(), h = t - from, part = std::abs(h) / (stepper_->t() - begin());
    const auto stages = part < tolerance::euler_part      ? std::span<const Stage>(euler)
                        : part < tolerance::midpoint_part ? std::span<const Stage>(midpoint)
                                                          : std::span<const Stage>(classical);
    if (!(moved_to_ > 0)) y_moved_.assign(stepper_->y().begin(), stepper_->y().end());
    moved_to_ = t;
    y_ = move_start_ = y_moved_;
    move_rate_.resize(n);
    for (const Stage& stage : stages) {
        if (stage.at > 0)
            for (std::size_t i = 0; i < n; ++i)
                y_[i] = move_start_[i] + stage.at * h * move_rate_[i];
        if (!rates_.rates(from + stage.at * h, y_, move_rate_)) return false;
        for (std::size_t i = 0; i < n; ++i) y_moved_[i] += stage.weight * h * move_rate_[i];
    }
    result_.statistics.evaluations += static_cast<long>(stages.size());
    return true;
}

void Stepping::add_statistics() {
    if (!stepper_) return;  // of a run that did not begin
    const auto& s = stepper_->statistics();
    result_.statistics.steps += s.accepted;
    result_.statistics.rejected += s.rejected;
    result_.statistics.evaluations += s.evaluations;
    if (s.stiff && !stiffness_.reported && !is_open()) {
        stiffness_.reported = true;
        result_.warnings.push_back("the model is stiff from t = " + number_text(s.stiff_at) +
                                   " s on: small steps are taken for stability only; "
                                   "integrator = \"stiff\" may be faster");
    }
}

}  // namespace pawl
