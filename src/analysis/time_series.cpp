#include "analysis/time_series.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include <unsupported/Eigen/FFT>

#include "math/tolerances/records.h"

namespace pawl {

std::vector<double> at_equal_steps(std::span<const double> times, std::span<const double> values,
                                   double step) {
    std::vector<double> out;
    if (times.empty()) return out;
    const auto count = static_cast<std::size_t>(std::floor((times.back() - times.front()) / step +
                                                           tolerance::sample_rounding)) +
                       1;
    std::size_t k = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double t = std::min(times.front() + static_cast<double>(i) * step, times.back());
        while (k + 2 < times.size() && times[k + 1] <= t) ++k;
        if (times.size() == 1 || !(times[k + 1] > times[k])) {
            out.push_back(values[std::min(k + 1, times.size() - 1)]);
            continue;
        }
        const double share = (t - times[k]) / (times[k + 1] - times[k]);
        out.push_back(values[k] + share * (values[k + 1] - values[k]));
    }
    return out;
}

namespace {

std::vector<double> without_trend(std::span<const double> values) {
    const double n = static_cast<double>(values.size()), middle = 0.5 * (n - 1);
    double mean = 0, moment = 0, square = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double x = static_cast<double>(i) - middle;
        mean += values[i] / n;
        moment += x * values[i];
        square += x * x;
    }
    std::vector<double> out(values.begin(), values.end());
    const double slope = square > 0 ? moment / square : 0;
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] -= mean + slope * (static_cast<double>(i) - middle);
    return out;
}

// The largest length up to n without prime factors above 5, for which the transform is fast.
std::size_t fast_length(std::size_t n) {
    for (; n > 1; --n) {
        std::size_t rest = n;
        for (const std::size_t p : {2, 3, 5})
            while (rest % p == 0) rest /= p;
        if (rest == 1) return n;
    }
    return n;
}

}  // namespace

// A sine wave between lines k and k + 1, at k + d, gives the two lines heights in the ratio
// (1 + d)/(2 - d) through a Hann window; its own height is that of the line k times
// pi d (1 - d^2)/sin(pi d).
Spectrum spectrum_of(std::span<const double> values, double step, int max_peaks) {
    Spectrum out;
    const std::size_t n = fast_length(values.size());
    if (n < 8) return out;
    std::vector<double> x = without_trend(values.first(n));
    for (std::size_t i = 0; i < n; ++i)
        x[i] *=
            1 - std::cos(2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n));
    std::vector<std::complex<double>> lines;
    Eigen::FFT<double> transform;
    transform.fwd(lines, x);
    out.step = 1 / (static_cast<double>(n) * step);
    for (std::size_t k = 0; k <= n / 2; ++k)
        out.amplitudes.push_back(2 * std::abs(lines[k]) / static_cast<double>(n));
    const auto& a = out.amplitudes;
    const double highest = *std::max_element(a.begin() + 1, a.end());
    for (std::size_t k = 1; k + 1 < a.size(); ++k) {
        if (!(a[k] > a[k - 1] && a[k] >= a[k + 1] && a[k] > tolerance::peak_height * highest))
            continue;
        const bool up = a[k + 1] > a[k - 1];
        const double ratio = (up ? a[k + 1] : a[k - 1]) / a[k];
        const double d = std::clamp((2 * ratio - 1) / (1 + ratio), 0.0, 0.5);
        const double turn = std::numbers::pi * d;
        const double height = d > tolerance::peak_centre ? turn * (1 - d * d) / std::sin(turn) : 1;
        out.peaks.push_back({(static_cast<double>(k) + (up ? d : -d)) * out.step, a[k] * height});
    }
    std::stable_sort(out.peaks.begin(), out.peaks.end(),
                     [](const auto& p, const auto& q) { return p.amplitude > q.amplitude; });
    if (out.peaks.size() > static_cast<std::size_t>(max_peaks))
        out.peaks.resize(static_cast<std::size_t>(max_peaks));
    return out;
}

std::vector<double> autocorrelation(std::span<const double> values, int max_lag) {
    const auto n = static_cast<int>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    std::vector<double> out;
    for (int lag = 0; lag <= max_lag && lag < n; ++lag) {
        double sum = 0;
        for (int i = 0; i + lag < n; ++i) sum += (values[i] - mean) * (values[i + lag] - mean);
        out.push_back(sum / n);
    }
    const double variance = out.empty() || out[0] == 0 ? 1 : out[0];
    for (double& r : out) r /= variance;
    return out;
}

double mutual_information(std::span<const double> values, int lag, int bins) {
    const auto n = static_cast<int>(values.size());
    if (n - lag < 2) return 0;
    std::vector<int> order(values.size()), bin(values.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int i, int j) { return values[i] < values[j]; });
    for (int k = 0; k < n; ++k) bin[order[k]] = static_cast<int>(static_cast<long>(k) * bins / n);
    std::vector<double> joint(static_cast<std::size_t>(bins * bins)), first(bins), second(bins);
    const double part = 1.0 / (n - lag);
    for (int i = 0; i + lag < n; ++i) {
        joint[static_cast<std::size_t>(bin[i] * bins + bin[i + lag])] += part;
        first[bin[i]] += part;
        second[bin[i + lag]] += part;
    }
    double sum = 0;
    for (int a = 0; a < bins; ++a)
        for (int b = 0; b < bins; ++b)
            if (const double p = joint[static_cast<std::size_t>(a * bins + b)]; p > 0)
                sum += p * std::log(p / (first[a] * second[b]));
    return sum;
}

int embedding_delay(std::span<const double> values, int max_lag) {
    max_lag = std::min(max_lag, static_cast<int>(values.size()) / 4);
    const double first = mutual_information(values, 1);
    double before = first, now = mutual_information(values, 2);
    for (int lag = 2; lag < max_lag; ++lag) {
        const double next = mutual_information(values, lag + 1);
        if (now < before && now <= next && now < 0.5 * first) return lag;
        before = now;
        now = next;
    }
    const auto r = autocorrelation(values, max_lag);
    for (std::size_t lag = 1; lag < r.size(); ++lag)
        if (r[lag] < 1 / std::numbers::e) return static_cast<int>(lag);
    return 1;
}

namespace {

// Samples per turn of the mean frequency, weighted by power.
int mean_period(std::span<const double> values) {
    const Spectrum s = spectrum_of(values, 1, 1);
    double power = 0, moment = 0;
    for (std::size_t k = 1; k < s.amplitudes.size(); ++k) {
        const double p = s.amplitudes[k] * s.amplitudes[k];
        power += p;
        moment += p * static_cast<double>(k) * s.step;
    }
    return power > 0 ? std::max(1, static_cast<int>(std::lround(power / moment))) : 1;
}

class DelaySpace {
public:
    DelaySpace(std::span<const double> values, int dimension, int delay)
        : values_(values), dimension_(dimension), delay_(delay) {}
    [[nodiscard]] int points() const {
        return static_cast<int>(values_.size()) - (dimension_ - 1) * delay_;
    }
    // Square of the distance; gives up above `limit`.
    [[nodiscard]] double square(int i, int j, double limit) const {
        double sum = 0;
        for (int k = 0; k < dimension_ && sum <= limit; ++k) {
            const double d = values_[i + k * delay_] - values_[j + k * delay_];
            sum += d * d;
        }
        return sum;
    }

private:
    std::span<const double> values_;
    int dimension_, delay_;
};

// Slope of y over 0, 1, 2, ... in [from, to].
double slope_of(const std::vector<double>& y, int from, int to) {
    double mean_x = 0, mean_y = 0, xy = 0, xx = 0;
    const double n = to - from + 1;
    for (int k = from; k <= to; ++k) {
        mean_x += k / n;
        mean_y += y[static_cast<std::size_t>(k)] / n;
    }
    for (int k = from; k <= to; ++k) {
        xy += (k - mean_x) * (y[static_cast<std::size_t>(k)] - mean_y);
        xx += (k - mean_x) * (k - mean_x);
    }
    return xx > 0 ? xy / xx : 0;
}

}  // namespace

SeriesExponent exponent_of_series(std::span<const double> values, double step,
                                  SeriesExponentOptions options) {
    SeriesExponent out;
    const int period = mean_period(values);
    out.delay = options.delay > 0 ? options.delay : embedding_delay(values, 2 * period + 20);
    out.apart = options.apart > 0 ? options.apart : period;
    const DelaySpace space(values, options.dimension, out.delay);
    const int steps = options.steps > 0 ? options.steps : std::max(20, 8 * period);
    // Both neighbours of a pair must be followed to the end, so that all steps use the same pairs.
    out.points = space.points() - steps;
    if (out.points < 2 * out.apart + 10) return out;
    std::vector<double> sum(static_cast<std::size_t>(steps) + 1);
    std::vector<int> count(sum.size());
    for (int i = 0; i < out.points; ++i) {
        double nearest = INFINITY;
        int with = -1;
        for (int j = 0; j < out.points; ++j) {
            if (std::abs(i - j) < out.apart) continue;
            const double d = space.square(i, j, nearest);
            if (d < nearest && d > 0) {
                nearest = d;
                with = j;
            }
        }
        for (int k = 0; k <= steps && with >= 0; ++k)
            if (const double d = space.square(i + k, with + k, INFINITY); d > 0) {
                sum[static_cast<std::size_t>(k)] += 0.5 * std::log(d);
                ++count[static_cast<std::size_t>(k)];
            }
    }
    for (std::size_t k = 0; k < sum.size(); ++k)
        out.divergence.push_back(count[k] > 0 ? sum[k] / count[k] : 0);
    // The straight part of the curve, between 20 % and 70 % of the rise: neighbours first turn into
    // the direction of growth, and finally reach a plateau.
    const auto& y = out.divergence;
    const double low = y.front(),
                 high = std::accumulate(y.end() - steps / 4, y.end(), 0.0) / (steps / 4);
    const auto reaches = [&](double share) {
        int k = 0;
        while (k < steps && y[static_cast<std::size_t>(k)] < low + share * (high - low)) ++k;
        return k;
    };
    out.from = reaches(0.2);
    out.to = std::max(reaches(0.7) - 1, out.from + 2);
    if (!(high - low >= 1) || out.to > steps) return out;
    const int middle = (out.from + out.to) / 2;
    out.exponent = slope_of(y, out.from, out.to) / step;
    out.error = 0.5 * std::abs(slope_of(y, out.from, middle) - slope_of(y, middle, out.to)) / step;
    out.found = true;
    return out;
}

}  // namespace pawl
