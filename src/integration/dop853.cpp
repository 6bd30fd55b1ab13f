#include "integration/dop853.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include <Eigen/Core>

#include "math/finite.h"
#include "math/seeded_fault.h"

namespace pawl {
namespace {

using namespace dop853;
using Vector = Eigen::Map<Eigen::ArrayXd>;
using ConstVector = Eigen::Map<const Eigen::ArrayXd>;

// Step control: h_new = h safety err^(-exponent) last_err^beta, within these factors. Safety and
// beta (0.9 and 0 in the book's code) are those with which swinging chains need the fewest
// evaluations for the same error: 15 % fewer, since one step in twenty is rejected instead of one
// in three.
constexpr double safety = 0.8;
constexpr double beta = 0.06;
constexpr double exponent = 1.0 / 8 - 0.2 * beta;
constexpr double largest_growth = 6;
constexpr double largest_cut = 3;
// Rates that cannot be evaluated say nothing about a better step.
constexpr double cut_when_not_finite = 4;
// A first step that had to be cut is taken once more, so much shorter: what follows an event may be
// singular at it (a force with the power 3/2 of a depth that begins), and the estimate of one trial
// may then vanish by chance.
constexpr double confirmation = 0.1;
// A step is cut so often for its quadratures alone: by three to the eighth power each time, unless
// their error is rounding.
constexpr int max_quadrature_cuts = 3;
// Of their tolerance: errors of quadratures are not carried on, those of the rest are.
constexpr double quadrature_error = 10;
// A step that would leave less than this part of itself before t_end goes to t_end.
constexpr double stretch = 1.01;
// Stiff when h |lambda| exceeds the stability bound this often, without so many exceptions in a
// row.
constexpr double stability_bound = 6.1;
constexpr int hits_to_be_stiff = 15;
constexpr int misses_to_forget = 6;

consteval int count_nonzero(int row) {
    int count = 0;
    for (double weight : weights(row)) count += weight != 0;
    return count;
}

template <int row>
consteval auto nonzero_stages() {
    std::array<int, count_nonzero(row)> stages{};
    int count = 0;
    for (int i = 0; i < all_stages; ++i)
        if (weights(row)[i] != 0) stages[count++] = i;
    return stages;
}

// The sum of the stages with the weights of a row: one expression without its zeros, one pass over
// memory.
template <int row, std::size_t... i>
auto weighted(const std::array<double*, all_stages>& k, int n, std::index_sequence<i...>) {
    constexpr auto at = nonzero_stages<row>();
    return ((weights(row)[at[i]] * ConstVector(k[at[i]], n)) + ...);
}

template <int row>
auto weighted(const std::array<double*, all_stages>& k, int n) {
    return weighted<row>(k, n, std::make_index_sequence<count_nonzero(row)>{});
}

}  // namespace

Dop853::Dop853(RightHandSide& f, int size, StepperOptions options)
    : Stepper(f, size),
      options_(std::move(options)),
      controlled_(options_.controlled < 0 ? size : options_.controlled) {
    assert(controlled_ <= size);
    if (options_.atol.empty()) options_.atol.assign(controlled_, options_.rtol);
    assert(static_cast<int>(options_.atol.size()) >= controlled_);
    quadratures_ = static_cast<int>(options_.atol.size()) - controlled_;

    memory_.resize((k_.size() + dense_.terms.size() + 5) * size);
    double* next = memory_.data();
    const auto take = [&] { return std::exchange(next, next + size); };
    for (double*& stage : k_) stage = take();
    for (double*& term : dense_.terms) term = take();
    for (double** vector : {&y_end_, &y_trial_, &y_stage_, &y_stage12_, &inverse_scale_})
        *vector = take();
}

void Dop853::start(double t, std::span<const double> y) {
    t_old_ = t_ = t;
    std::copy(y.begin(), y.end(), y_.begin());
    std::copy(y.begin(), y.end(), y_old_.begin());
    first_is_ready_ = last_is_ready_ = dense_.is_ready = replaced_ = has_step_ = false;
    first_after_start_ = true;
    time_scale_ = 0;
    error_.before = 1e-4;  // the book's value: no history
    stiffness_.hits = stiffness_.misses = 0;
}

void Dop853::replace(std::span<const double> y) {
    if (!replaced_) std::copy(y_.begin(), y_.end(), y_end_);
    std::copy(y.begin(), y.end(), y_.begin());
    replaced_ = true;
    first_is_ready_ = false;
}

void Dop853::rewind() {
    assert(has_step_ && !first_is_ready_);
    t_ = t_old_;
    y_ = y_old_;
    first_is_ready_ = true;
    replaced_ = has_step_ = false;
    if (leniency_ > 1) h_.next = h_.before;
}

void Dop853::remember(Memory& memory) {
    Stepper::remember(memory);
    memory(h_.next, h_.done, time_scale_, error_.before, error_.of_step, h_.before, stiffness_.hits,
           stiffness_.misses, first_is_ready_, last_is_ready_, dense_.is_ready, dense_.is_complete,
           replaced_, has_step_, first_after_start_);
    const auto vector = [&](double* values) {
        for (std::size_t i = 0; i < y_.size(); ++i) memory(values[i]);
    };
    for (double* stage : k_) vector(stage);
    for (double* values : {y_end_, y_trial_, y_stage12_, inverse_scale_}) vector(values);
    for (double* values : dense_.terms) vector(values);
}

bool Dop853::is_bound_by_stability() const { return stiffness_.hits >= hits_to_be_stiff; }

StepOutcome Dop853::step(double t_end) {
    if (!(t_end > t_)) return StepOutcome::failed;
    if (!prepare_first_stage()) return StepOutcome::not_finite;
    if (h_.next == 0) h_.next = chosen_first_step(t_end - t_);
    // A larger error allows a longer step: this one only.
    const double longer = leniency_ > 1 ? std::pow(leniency_, 1.0 / 8) : 1;
    h_.before = h_.next;
    double h = std::min(longer * h_.next, options_.largest_step);
    if (time_scale_ == 0) time_scale_ = std::min(h, t_end - t_);
    // Never zero: at t = 0 a first step that has underflown, or is not a number, would be tried
    // for ever.
    using Limits = std::numeric_limits<double>;
    const double smallest =
        std::max(10 * Limits::epsilon() * std::max(std::abs(t_), time_scale_), Limits::min());

    bool was_rejected = false, was_finite = true;
    bool confirmed = !first_after_start_;
    int quadrature_cuts = 0;
    for (;;) {
        const bool lands = t_ + stretch * h >= t_end;
        if (!(h >= smallest) && !lands) break;
        const double trial = lands ? t_end - t_ : h;
        const double t_new = lands ? t_end : t_ + h;
        double error = compute_stages(trial, t_new) ? error_of_step(trial) / leniency_ : NAN;
        if (error <= 1 && quadratures_ > 0 && quadrature_cuts < max_quadrature_cuts) {
            const double of_quadratures =
                error_of(controlled_, quadratures_, trial) / (quadrature_error * leniency_);
            quadrature_cuts += of_quadratures > 1;
            error = std::max(error, of_quadratures);
        }

        was_finite =
            std::isfinite(error) && all_finite({y_trial_ + controlled_, y_trial_ + y_.size()});
        const double factor = std::pow(error, exponent) / safety;
        const bool good = was_finite && error <= 1;
        if (good && was_rejected && !confirmed) {
            confirmed = true;
            h = confirmation * trial;
            continue;
        }
        if (good) {
            double next = trial / std::clamp(factor / std::pow(error_.before, beta),
                                             1 / largest_growth, largest_cut);
            if (was_rejected) next = std::min(next, trial);
            // t_end says nothing about the error
            h_.next = (lands ? std::max(next, h) : next) / longer;
            error_.before = std::max(error, 1e-4);
            error_.of_step = error * leniency_;
            accept(trial, t_new);
            return StepOutcome::stepped;
        }
        h = trial / (was_finite ? std::min(factor, largest_cut) : cut_when_not_finite);
        was_rejected = true;
        ++statistics_.rejected;
    }
    h_.next = 0;
    return was_finite ? StepOutcome::step_too_small : StepOutcome::not_finite;
}

bool Dop853::prepare_first_stage() {
    if (first_is_ready_) return true;
    if (last_is_ready_ && !replaced_) {
        std::swap(k_[0], k_[stages]);
    } else if (!rates(t_, y_, {k_[0], y_.size()})) {
        return false;
    }
    last_is_ready_ = dense_.is_ready = false;
    if (has_step_) watch_stiffness();
    has_step_ = false;
    first_is_ready_ = all_finite({k_[0], y_.size()});
    return first_is_ready_;
}

// From the sizes of y, y' and a difference for y'', all in units of the tolerance: section II.4.
double Dop853::chosen_first_step(double largest) {
    if (options_.first_step > 0) return options_.first_step;
    largest = std::min(largest, options_.largest_step);
    const auto y = ConstVector(y_.data(), controlled_);
    const auto k = ConstVector(k_[0], controlled_);
    auto inverse_scale = Vector(inverse_scale_, controlled_);
    inverse_scale = 1 / (ConstVector(options_.atol.data(), controlled_) + options_.rtol * y.abs());
    const double size = (y * inverse_scale).square().sum();
    const double rate = (k * inverse_scale).square().sum();
    const double small = 1e-10, h_small = 1e-6;
    double h = size <= small || rate <= small ? h_small : 0.01 * std::sqrt(size / rate);
    h = std::min(h, largest);

    const int n = static_cast<int>(y_.size());
    Vector(y_stage_, n) = ConstVector(y_.data(), n) + h * ConstVector(k_[0], n);
    if (!rates(t_ + h, {y_stage_, y_.size()}, {k_[1], y_.size()})) return h;
    const double curvature =
        std::sqrt(((ConstVector(k_[1], controlled_) - k) * inverse_scale).square().sum()) / h;
    const double strongest = std::max(curvature, std::sqrt(rate));
    const double from_error =
        strongest <= 1e-15 ? std::max(h_small, 1e-3 * h) : std::pow(0.01 / strongest, 1.0 / 8);
    if (!std::isfinite(curvature)) return h;
    return std::min({100 * h, from_error, largest});
}

template <int stage>
bool Dop853::compute_stage(const double* y_first, double h, double t, double* argument) const {
    const int n = static_cast<int>(y_.size());
    Vector(argument, n) = ConstVector(y_first, n) + h * weighted<stage>(k_, n);
    return rates(t, {argument, y_.size()}, {k_[stage], y_.size()});
}

template <int... before>
bool Dop853::compute_ordinary_stages(double h, std::integer_sequence<int, before...>) {
    return (compute_stage<before + 1>(y_.data(), h, t_ + c[before + 1] * h, y_stage_) && ...);
}

bool Dop853::compute_stages(double h, double t_new) {
    return compute_ordinary_stages(h, std::make_integer_sequence<int, stages - 2>{}) &&
           compute_stage<stages - 1>(y_.data(), h, t_new, y_stage12_);
}

// The new state and its error in units of the tolerance, err = h e5^2 / sqrt(e5^2 + 0.01 e3^2):
// section II.10.
double Dop853::error_of_step(double h) {
    const int n = static_cast<int>(y_.size());
    auto slope = Vector(y_stage_, n);
    slope = weighted<stages>(k_, n);
    if (seeded(Fault::stage_weight)) slope *= 1 + 1e-4;
    Vector(y_trial_, n) = ConstVector(y_.data(), n) + h * slope;

    return error_of(0, controlled_, h);
}

double Dop853::error_of(int first, int m, double h) {
    const int n = first + m;
    const auto size =
        ConstVector(y_.data() + first, m).abs().max(ConstVector(y_trial_ + first, m).abs());
    auto inverse_scale = Vector(inverse_scale_ + first, m);
    inverse_scale = 1 / (ConstVector(options_.atol.data() + first, m) + options_.rtol * size);
    const double e5 = (weighted<row_error5>(k_, n).tail(m) * inverse_scale).square().sum();
    const double e3 =
        ((ConstVector(y_stage_ + first, m) - weighted<row_b3>(k_, n).tail(m)) * inverse_scale)
            .square()
            .sum();
    const double denominator = e5 + 0.01 * e3;
    return denominator > 0 ? h * e5 / std::sqrt(denominator * m) : denominator;
}

void Dop853::accept(double h, double t_new) {
    t_old_ = t_;
    t_ = t_new;
    h_.done = h;
    y_old_ = y_;
    std::copy_n(y_trial_, y_.size(), y_.begin());
    first_is_ready_ = last_is_ready_ = dense_.is_ready = replaced_ = false;
    has_step_ = true;
    first_after_start_ = false;
    ++statistics_.accepted;
}

// The stages at the end of the step have nearly the same t: their difference estimates |lambda|:
// section IV.2 of the second volume.
void Dop853::watch_stiffness() {
    const auto difference = [&](const double* u, const double* v) {
        return (ConstVector(u, controlled_) - ConstVector(v, controlled_)).square().sum();
    };
    const double rates_apart = difference(k_[0], k_[stages - 1]);
    const double states_apart = difference(y_.data(), y_stage12_);
    if (h_.done * h_.done * rates_apart > stability_bound * stability_bound * states_apart) {
        stiffness_.misses = 0;
        if (++stiffness_.hits == hits_to_be_stiff && !statistics_.stiff) {
            statistics_.stiff = true;
            statistics_.stiff_at = t_;
        }
    } else if (++stiffness_.misses == misses_to_forget) {
        stiffness_.hits = 0;
    }
}

// Where the further stages cannot be evaluated the highest terms are left out: order 3.
void Dop853::prepare_dense_output() const {
    const int n = static_cast<int>(y_.size());
    const double h = h_.done;
    if (!last_is_ready_) last_is_ready_ = rates(t_, {end(), y_.size()}, {k_[stages], y_.size()});
    const bool complete = last_is_ready_ &&
                          compute_stage<13>(y_old_.data(), h, t_old_ + c[13] * h, y_stage_) &&
                          compute_stage<14>(y_old_.data(), h, t_old_ + c[14] * h, y_stage_) &&
                          compute_stage<15>(y_old_.data(), h, t_old_ + c[15] * h, y_stage_);

    const auto first = ConstVector(k_[0], n);
    const auto last = ConstVector(k_[last_is_ready_ ? stages : stages - 1], n);
    auto change = Vector(dense_.terms[0], n), curvature_numerator = Vector(dense_.terms[1], n);
    change = ConstVector(end(), n) - ConstVector(y_old_.data(), n);
    curvature_numerator = h * first - change;
    Vector(dense_.terms[2], n) = change - h * last - curvature_numerator;
    if (complete) {
        Vector(dense_.terms[3], n) = h * weighted<row_d>(k_, n);
        Vector(dense_.terms[4], n) = h * weighted<row_d + 1>(k_, n);
        Vector(dense_.terms[5], n) = h * weighted<row_d + 2>(k_, n);
        Vector(dense_.terms[6], n) = h * weighted<row_d + 3>(k_, n);
    } else {
        for (int i = 3; i < 7; ++i) Vector(dense_.terms[i], n).setZero();
    }
    dense_.is_ready = true;
    dense_.is_complete = complete;
}

// What is left out is less than the highest term where the terms fall off; the scale is that of the
// step's own error.
double Dop853::interpolation_error(double t) const {
    assert(has_step_);
    if (!dense_.is_ready) prepare_dense_output();
    if (!dense_.is_complete) return std::numeric_limits<double>::infinity();
    const double s = (t - t_old_) / h_.done, r = 1 - s, part = s * s * s * s * r * r * r;
    const int m = controlled_;
    return part *
           std::sqrt(
               (ConstVector(dense_.terms[6], m) * ConstVector(inverse_scale_, m)).square().sum() /
               m);
}

void Dop853::interpolate(double t, std::span<double> y) const {
    assert(has_step_);
    if (!dense_.is_ready) prepare_dense_output();
    const double s = (t - t_old_) / h_.done, r = 1 - s;
    const auto& d = dense_.terms;
    for (std::size_t i = 0; i < y.size(); ++i)
        y[i] =
            y_old_[i] +
            s * ((seeded(Fault::dense_output) ? 1 + 1e-3 : 1) * d[0][i] +
                 r * (d[1][i] +
                      s * (d[2][i] + r * (d[3][i] + s * (d[4][i] + r * (d[5][i] + s * d[6][i]))))));
}

// Hermite's cubic; the last stage is nearly that of the end.
void Dop853::interpolate_coarsely(double t, std::span<double> y) const {
    assert(has_step_);
    const double s = (t - t_old_) / h_.done, r = 1 - s, h = h_.done;
    const double *first = k_[0], *last = k_[stages - 1], *to = end();
    for (std::size_t i = 0; i < y.size(); ++i) {
        const double change = to[i] - y_old_[i];
        y[i] = y_old_[i] +
               s * (change + r * (r * (h * first[i] - change) - s * (h * last[i] - change)));
    }
}

// The same nested form, multiplied out from the inside: by s and 1 - s in turn.
void Dop853::polynomials(std::size_t size, PolynomialPath& path) const {
    assert(has_step_);
    if (!dense_.is_ready) prepare_dense_output();
    path.start(t_old_, t_, size);
    for (std::size_t i = 0; i < size; ++i) {
        auto& c = path[i];
        for (int k = 6; k >= -1; --k) {
            // times s; of every second one also times 1 - s instead
            const bool by_rest = k == 4 || k == 2 || k == 0;
            for (int j = PolynomialPath::degree; j >= 0; --j) {
                const double lower = j > 0 ? c[j - 1] : 0;
                c[j] = by_rest ? c[j] - lower : lower;
            }
            c[0] += k < 0 ? y_old_[i] : dense_.terms[k][i];
        }
    }
}

}  // namespace pawl
