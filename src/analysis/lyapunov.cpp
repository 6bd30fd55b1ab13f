#include "analysis/lyapunov.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances.h"

namespace pawl {

namespace {

// The tangent of the motion goes through events by their jump matrices (TangentRun). Where there is
// none two runs are taken: those that start next to each other find their own events. Let the
// reference meet the surface h(x, t) = 0 at x- and go on at x+ = g(x-), and the neighbour x- + w
// meet it later by dt, where h_x w + (h_x f- + h_t) dt = 0. Back at one time they differ by
//   w+ = g_x (w + f- dt) + g_t dt - f+ dt = S w,  S = g_x + (f+ - g_x f- - g_t) h_x / (h_x f- +
//   h_t)
// up to squares of w: the jump matrix of the event is in the difference of the two runs, wherever
// both have passed the event. Between the two times of the event they differ by the whole jump.
class LyapunovRun {
public:
    LyapunovRun(const PlacedMechanism& placed, const DynamicOptions& run,
                const LyapunovOptions& options, LyapunovResult& result)
        : flow_(placed, run), options_(options), result_(result) {}

    void run() {
        DynamicResult first = flow_.to(options_.after);
        if (!accept(first)) return;
        reference_ = std::move(first.last);
        const Eigen::MatrixXd z = flow_.directions(reference_);
        if (z.cols() == 0) {
            fail(DynamicStatus::refused,
                 "the motion is fully driven: it has no neighbouring motion", {});
            return;
        }
        direction_ = (z * Eigen::VectorXd::Ones(z.cols())).normalized();
        while (reference_.state.t < options_.end - tolerance::output_rounding * options_.window)
            if (!(result_.differences_because.empty() ? pass_window() : pass_window_in_two_runs()))
                return;
        std::tie(result_.exponent, result_.error) =
            rate_of_growth(result_.growth, result_.lengths, 20);
    }

private:
    void fail(DynamicStatus status, std::string message, Span span) {
        result_.status = status;
        result_.message = std::move(message);
        result_.span = span;
    }
    bool accept(const DynamicResult& run) {
        if (run.status != DynamicStatus::completed) fail(run.status, run.message, run.span);
        return run.status == DynamicStatus::completed;
    }

    // The neighbour on its constraints, in the direction that has been stretched before.
    bool set_neighbour() {
        const double wanted = options_.distance * flow_.size();
        const DynamicResult settled =
            flow_.from(flow_.moved(reference_, wanted * direction_), reference_.state.t);
        if (!accept(settled)) return false;
        neighbour_ = settled.last;
        distance_ = difference().norm();
        from_ = reference_.state.t;
        events_.clear();
        neighbour_events_.clear();
        tries_ = 0;
        return true;
    }

    [[nodiscard]] Eigen::VectorXd difference() const {
        return flow_.vector_of(neighbour_.state) - flow_.vector_of(reference_.state);
    }

    // To the end of a run.
    bool advance(DynamicStart& which, DynamicResult run, std::vector<Event>& events, bool keeps) {
        if (!accept(run)) return false;
        for (Event& e : run.events)
            if (!is_repeated_at_start(e, which.state.t)) events.push_back(std::move(e));
        which = std::move(run.last);
        if (keeps && !options_.column.empty()) keep(run.trajectory);
        return true;
    }

    void keep(const Trajectory& trajectory) {
        const int c = trajectory.find(options_.column);
        if (c < 0) return;
        result_.column = trajectory.columns[static_cast<std::size_t>(c)];
        for (std::size_t r = result_.times.empty() ? 0 : 1; r < trajectory.rows(); ++r) {
            result_.times.push_back(trajectory.row(r)[0]);
            result_.values.push_back(trajectory.row(r)[static_cast<std::size_t>(c)]);
        }
    }

    bool pass_window() {
        const double from = reference_.state.t, t = std::min(from + options_.window, options_.end);
        FlowTangent tangent = flow_.tangent(reference_, t, direction_);
        if (tangent.missing && tangent.missing->event == "the run") {
            result_.differences_because = tangent.missing->reason;
            return set_neighbour();
        }
        events_.clear();
        if (!advance(reference_, std::move(tangent.run), events_, true)) return false;
        result_.events += static_cast<int>(events_.size());
        if (options_.progress) options_.progress(t / options_.end);
        if (tangent.missing) {
            if (++result_.left_out == 1) result_.missing = std::move(tangent.missing);
            return true;
        }
        return count_window(tangent.at_end.col(0), tangent.at_start.col(0).norm(), t - from);
    }

    bool count_window(const Eigen::VectorXd& apart, double before, double length) {
        const double now = apart.norm();
        if (!(now > 0)) {
            fail(DynamicStatus::refused,
                 "neighbouring states coincide with the motion within " +
                     std::to_string(options_.window) +
                     " s, so that no exponent remains; take a shorter window",
                 {});
            return false;
        }
        result_.growth.push_back(std::log(now / before));
        result_.lengths.push_back(length);
        ++result_.windows;
        direction_ = apart / now;
        return true;
    }

    bool pass_window_in_two_runs() {
        constexpr int max_tries = 4;
        // An extended window ends at another phase of a motion that may be periodic.
        const double length = tries_ > 0 ? 0.382 * options_.window : options_.window;
        const double t = std::min(reference_.state.t + length, options_.end);
        const std::size_t before = events_.size();
        if (!advance(reference_, flow_.from(reference_, t), events_, true) ||
            !advance(neighbour_, flow_.from(neighbour_, t), neighbour_events_, false))
            return false;
        result_.events += static_cast<int>(events_.size() - before);
        if (options_.progress) options_.progress(t / options_.end);
        if (same_events(events_, neighbour_events_)) {
            if (!count_window(difference(), distance_, t - from_)) return false;
            // The constraints hold to the square of the distance, so no projection is needed.
            distance_ = options_.distance * flow_.size();
            neighbour_ = flow_.moved(reference_, distance_ * direction_);
            from_ = t;
            events_.clear();
            neighbour_events_.clear();
            tries_ = 0;
            return true;
        }
        if (++tries_ < max_tries) {
            ++result_.prolonged;
            return true;
        }
        ++result_.left_out;
        return set_neighbour();
    }

    Flow flow_;
    const LyapunovOptions& options_;
    LyapunovResult& result_;
    DynamicStart reference_, neighbour_;
    Eigen::VectorXd direction_;
    std::vector<Event> events_, neighbour_events_;  // since they were last set apart
    double distance_ = 0, from_ = 0;                // then
    int tries_ = 0;
};

}  // namespace

LyapunovResult largest_exponent(const PlacedMechanism& placed, const DynamicOptions& run,
                                const LyapunovOptions& options) {
    LyapunovResult result;
    LyapunovRun(placed, run, options, result).run();
    return result;
}

std::pair<double, double> rate_of_growth(const std::vector<double>& growth,
                                         const std::vector<double>& lengths, int batches) {
    const std::size_t n = growth.size();
    if (n < 2) return {NAN, NAN};
    const std::size_t parts = std::min<std::size_t>(static_cast<std::size_t>(batches), n);
    double total = 0, time = 0, squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
        total += growth[i];
        time += lengths[i];
    }
    const double mean = total / time;
    for (std::size_t k = 0; k < parts; ++k) {
        double part = 0, part_time = 0;
        for (std::size_t i = k * n / parts; i < (k + 1) * n / parts; ++i) {
            part += growth[i];
            part_time += lengths[i];
        }
        squares += std::pow(part / part_time - mean, 2);
    }
    double sum = 0, lowest = 0, highest = 0, late = 0, late_time = 0, until = 0;
    for (std::size_t i = 0; i < n; ++i) {
        until += lengths[i];
        if (until > 0.5 * time) {
            late += growth[i];
            late_time += lengths[i];
        }
        sum += growth[i] - mean * lengths[i];
        lowest = std::min(lowest, sum);
        highest = std::max(highest, sum);
    }
    const double count = static_cast<double>(parts), range = (highest - lowest) / time,
                 drift = std::abs(mean - late / late_time);
    return {mean, std::max(std::hypot(2 * std::sqrt(squares / (count * (count - 1))), range),
                           range + drift)};
}

}  // namespace pawl
