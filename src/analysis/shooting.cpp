#include "analysis/shooting.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/linear/dense.h"
#include "math/tolerances/records.h"
#include "results/text.h"

namespace pawl {

namespace {

// Where the map has no tangent: differences of runs to either side: their error is the square of
// this part, and what is left of the runs' own errors (1e-12, mostly equal on both sides) divided
// by it.
constexpr double difference_part = tolerance::shooting_difference;
constexpr double multiplier_error = tolerance::multiplier_error;
constexpr double closed = tolerance::periodic_orbit;

// x -> F(x, T) is the map over T. With y = z^T (x - x0) and the map's derivative M in y, Newton's
// step solves (M - 1) dy + f dT = -z^T (F(x0) - x0), without the coordinates that may end anywhere,
// with dT = 0 where the period is given, or else
// f^T dy = 0: the new state lies across the motion.
class Shooting {
public:
    Shooting(const PlacedMechanism& placed, const DynamicOptions& run,
             const ShootingOptions& options, ShootingResult& result)
        : placed_(placed), flow_(placed, run), options_(options), result_(result) {}

    void run() {
        result_.period = options_.period;
        if (!find_shifts() || !drivers_come_back()) return;
        DynamicResult first = flow_.to(options_.from);
        if (!accept(first)) return;
        result_.start = std::move(first.last);
        for (result_.iterations = 1; result_.iterations <= options_.max_iterations;
             ++result_.iterations) {
            if (!linearise()) return;
            result_.residual = miss_.norm();
            if (result_.residual <= closed * flow_.size()) {
                find_multipliers();
                return;
            }
            if (!improve()) return;
        }
        not_found();
    }

private:
    bool find_shifts() {
        for (const auto& shift : options_.shifts) {
            shifted_.push_back(flow_.find(shift.coordinate));
            if (shifted_.back() >= 0) continue;
            result_.status = ShootingStatus::unknown_shift;
            result_.message = "there is no coordinate '" + shift.coordinate + "'; coordinates are";
            for (const std::string& name : flow_.coordinates())
                result_.message += (name == flow_.coordinates().front() ? " " : ", ") +
                                   (name.starts_with("free:") ? name.substr(5) : name);
            return false;
        }
        return true;
    }

    // The change of the state over a period that leaves the motion the same.
    void allow_for(const Eigen::VectorXd& gain) {
        allowed_ = flow_.whole_turns(gain);
        result_.shifts.clear();
        for (std::size_t k = 0; k < shifted_.size(); ++k) {
            const Eigen::Index i = shifted_[k];
            const auto& by = options_.shifts[k].by;
            allowed_[i] = by ? flow_.length_of(i, *by) : gain[i];
            result_.shifts.push_back(gain[i] / flow_.length_of(i, 1));
        }
    }

    // Directions of the coordinates that may end anywhere.
    [[nodiscard]] Eigen::Index free_shifts() const {
        return options_.shifts.empty()
                   ? 0
                   : z_.cols() -
                         rank_columns(without_free_shifts(z_), tolerance::shooting_rank).rank;
    }
    [[nodiscard]] Eigen::MatrixXd without_free_shifts(Eigen::MatrixXd x) const {
        for (std::size_t k = 0; k < shifted_.size(); ++k)
            if (!options_.shifts[k].by) x.row(shifted_[k]).setZero();
        return x;
    }

    // Newton's method changes the free coordinates only; a driver that has not returned after a
    // period cannot be corrected.
    bool drivers_come_back() {
        constexpr double near = tolerance::shooting_near;
        for (const auto& driver : placed_.mechanism.drivers) {
            const bool turns = driver.coordinate.component == Component::angle;
            double away =
                driver.at(options_.from + options_.period).value - driver.at(options_.from).value;
            if (turns) away = std::remainder(away, 2 * std::numbers::pi);
            if (std::abs(away) <= near * (turns ? 1.0 : flow_.size())) continue;
            result_.status = ShootingStatus::not_driven_back;
            result_.span = driver.span;
            result_.message =
                "driver '" + driver.name + "' does not return to its start: after " +
                number_text(options_.period) + " s it is " +
                (turns ? number_text(away * 180 / std::numbers::pi) + " deg" : length_text(away)) +
                " farther; " +
                (options_.free_period ? "give the --period of the drivers"
                                      : "give a period in which it repeats") +
                (turns ? ""
                       : "; a body that advances for ever, such as a belt, must turn instead: "
                         "model it as a wheel");
            return false;
        }
        return true;
    }

    // Names the coordinate with the largest difference.
    bool not_found() {
        result_.status = ShootingStatus::diverged;
        result_.message = "no periodic motion found near the motion at " +
                          number_text(options_.from) + " s; start later, or with another period";
        Eigen::Index worst = 0;
        if (miss_.size() == 0) return false;
        const double away = miss_.cwiseAbs().maxCoeff(&worst);
        result_.message += "; after " + number_text(result_.period) + " s '" +
                           flow_.name_of(worst) + "' is " + length_text(away) + " off";
        return false;
    }

    bool accept(const DynamicResult& run) {
        if (run.status == DynamicStatus::completed) return true;
        result_.status = ShootingStatus::run_failed;
        result_.run = run.status;
        result_.message = run.message;
        result_.span = run.span;
        return false;
    }

    // The states after a period for a start displaced by z y, and the actual state at that start.
    bool shoot(const Eigen::VectorXd& y, Eigen::VectorXd& at_start, Eigen::VectorXd& at_end) {
        const double t = result_.start.state.t;
        const DynamicResult settled = flow_.from(flow_.moved(result_.start, z_ * y), t);
        if (!accept(settled)) return false;
        const DynamicResult run = flow_.from(settled.last, t + result_.period);
        if (!accept(run)) return false;
        at_start = flow_.vector_of(settled.last.state);
        at_end = flow_.vector_of(run.last.state);
        return true;
    }

    bool linearise() {
        z_ = flow_.directions(result_.start);
        if (z_.cols() == 0) {
            result_.status = ShootingStatus::no_freedom;
            result_.message = "the motion is fully driven";
            return false;
        }
        const double t = result_.start.state.t;
        FlowTangent tangent = flow_.tangent(result_.start, t + result_.period, z_);
        if (!accept(tangent.run)) return false;
        result_.missing = std::move(tangent.missing);
        result_.map_error = tangent.error;
        result_.events.clear();
        for (Event& e : tangent.run.events)
            if (!is_repeated_at_start(e, t)) result_.events.push_back(std::move(e));
        const Eigen::VectorXd x0 = flow_.vector_of(result_.start.state);
        const Eigen::VectorXd gain = flow_.vector_of(tangent.run.last.state) - x0;
        allow_for(gain);
        miss_ = gain - allowed_;
        if (result_.missing) return linearise_by_differences(x0);
        take_map(tangent.at_start, tangent.at_end);
        if (options_.free_period) along_ = z_.transpose() * without_free_shifts(tangent.rates);
        return true;
    }

    // How states at the start and after a period move together.
    void take_map(const Eigen::MatrixXd& start, const Eigen::MatrixXd& end) {
        const Eigen::MatrixXd per_start = inverse(z_.transpose() * start);
        result_.map = z_.transpose() * end * per_start;
        gain_ = z_.transpose() * without_free_shifts(end - start) * per_start;
    }

    bool linearise_by_differences(const Eigen::VectorXd& x0) {
        const Eigen::Index n = z_.cols();
        Eigen::VectorXd start_plus, start_minus, end_plus, end_minus;
        Eigen::MatrixXd start(x0.size(), n), end(x0.size(), n);
        result_.map_error = tolerance::differenced_map;
        for (Eigen::Index i = 0; i < n; ++i) {
            const Eigen::VectorXd y = difference_part * flow_.size() * Eigen::VectorXd::Unit(n, i);
            if (!shoot(y, start_plus, end_plus) || !shoot(-y, start_minus, end_minus)) return false;
            start.col(i) = start_plus - start_minus;
            end.col(i) = end_plus - end_minus;
        }
        take_map(start, end);
        if (!options_.free_period) return true;
        // The velocity of the state: second order at its start.
        const double t = result_.start.state.t, h = tolerance::phase_step * result_.period;
        const DynamicResult one = flow_.from(result_.start, t + h),
                            two = flow_.from(result_.start, t + 2 * h);
        if (!accept(one) || !accept(two)) return false;
        along_ = z_.transpose() *
                 without_free_shifts(4 * flow_.vector_of(one.last.state) - 3 * x0 -
                                     flow_.vector_of(two.last.state)) /
                 (2 * h);
        return true;
    }

    bool improve() {
        const Eigen::Index n = z_.cols(), more = options_.free_period ? 1 : 0;
        Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n + more, n + more);
        Eigen::VectorXd b = Eigen::VectorXd::Zero(n + more);
        a.topLeftCorner(n, n) = gain_;
        b.head(n) = -(z_.transpose() * miss_);
        if (more > 0) {
            // Columns of the same size.
            a.col(n).head(n) = along_ * result_.period;
            a.row(n).head(n) = along_.transpose() * result_.period;
        }
        const Eigen::VectorXd step = solve_least_squares(a, b);
        // Far outside the model no state is near the motion.
        constexpr double far = 1e3;
        if (!(step.head(n).norm() < far * placed_.assembly.model_size)) return not_found();
        DynamicResult settled =
            flow_.from(flow_.moved(result_.start, z_ * step.head(n)), result_.start.state.t);
        if (settled.status == DynamicStatus::left_constraints) return not_found();
        if (!accept(settled)) return false;
        result_.start = std::move(settled.last);
        if (more > 0) result_.period += step[n] * result_.period;
        if (result_.period > 0) return true;
        result_.status = ShootingStatus::diverged;
        result_.message = "the period shrinks to zero; start from another one";
        return false;
    }

    void find_multipliers() {
        const Eigen::VectorXcd values = eigenvalues(result_.map);
        result_.multipliers.assign(values.begin(), values.end());
        auto& m = result_.multipliers;
        const Eigen::Index along_itself = (options_.free_period ? 1 : 0) + free_shifts();
        for (Eigen::Index k = 0; k < along_itself && !m.empty(); ++k)
            m.erase(std::min_element(m.begin(), m.end(), [](const auto& p, const auto& q) {
                return std::abs(p - 1.0) < std::abs(q - 1.0);
            }));
        std::sort(m.begin(), m.end(), [](const auto& p, const auto& q) {
            return std::abs(p) != std::abs(q) ? std::abs(p) > std::abs(q) : p.imag() > q.imag();
        });
    }

    const PlacedMechanism& placed_;
    Flow flow_;
    const ShootingOptions& options_;
    ShootingResult& result_;
    Eigen::MatrixXd z_, gain_;
    Eigen::VectorXd miss_, allowed_, along_;
    std::vector<Eigen::Index> shifted_;  // the coordinates of options_.shifts
};

}  // namespace

bool ShootingResult::is_stable() const {
    return std::all_of(multipliers.begin(), multipliers.end(),
                       [](const auto& m) { return std::abs(m) < 1 - multiplier_error; });
}

bool ShootingResult::is_unstable() const {
    return std::any_of(multipliers.begin(), multipliers.end(),
                       [](const auto& m) { return std::abs(m) > 1 + multiplier_error; });
}

ShootingResult find_periodic(const PlacedMechanism& placed, const DynamicOptions& run,
                             const ShootingOptions& options) {
    ShootingResult result;
    Shooting(placed, run, options, result).run();
    return result;
}

}  // namespace pawl
