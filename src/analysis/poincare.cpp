#include "analysis/poincare.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/roots.h"
#include "math/tolerances/records.h"
#include "results/interpolant.h"

namespace pawl {

namespace {

// All columns at a time between a row and the next.
std::vector<double> row_at(const Trajectory& motion, std::size_t r, double t) {
    std::vector<double> row(motion.columns.size());
    row[0] = t;
    for (std::size_t c = 1; c < row.size(); ++c)
        row[c] = Interpolant(motion, static_cast<int>(c), r)(t).y;
    return row;
}

// Whether the motion is smooth from a row to the next: an event has two rows at one time.
bool goes_on(const Trajectory& motion, std::size_t r) {
    return motion.row(r + 1)[0] > motion.row(r)[0];
}

Trajectory empty_like(const Trajectory& motion) {
    Trajectory out;
    out.columns = motion.columns;
    return out;
}

}  // namespace

Trajectory section_at(const Trajectory& motion, const Crossing& crossing, double after) {
    Trajectory out = empty_like(motion);
    const int column = motion.find(crossing.column);
    const auto c = static_cast<std::size_t>(column);
    const auto level_below = [&](double x) {
        return crossing.modulus > 0 ? std::floor((x - crossing.value) / crossing.modulus)
                                    : (x >= crossing.value ? 0.0 : -1.0);
    };
    const auto add_crossing = [&](std::size_t r, double level, bool rising) {
        const Interpolant curve(motion, column, r);
        const auto is_before = [&](double t) { return (curve(t).y < level) == rising; };
        const auto is_narrow = [](double a, double b) {
            return b - a <= tolerance::finest_time * (1 + std::abs(b));
        };
        const double high =
            bisect(motion.row(r)[0], motion.row(r + 1)[0], 60, is_before, is_narrow).high;
        if (high >= after) out.add(row_at(motion, r, high));
    };
    for (std::size_t r = 0; r + 1 < motion.rows(); ++r) {
        if (!goes_on(motion, r)) continue;
        const double a = level_below(motion.row(r)[c]), b = level_below(motion.row(r + 1)[c]);
        if (b > a && crossing.direction >= 0)
            for (double k = a + 1; k <= b; ++k)
                add_crossing(r, crossing.value + k * crossing.modulus, true);
        if (b < a && crossing.direction <= 0)
            for (double k = a; k > b; --k)
                add_crossing(r, crossing.value + k * crossing.modulus, false);
    }
    return out;
}

Trajectory section_every(const Trajectory& motion, double period, double after) {
    Trajectory out = empty_like(motion);
    std::size_t n = 0;
    const auto time = [&] { return after + static_cast<double>(n) * period; };
    const double rounding = tolerance::section_time * period;
    for (std::size_t r = 0; r + 1 < motion.rows(); ++r) {
        if (!goes_on(motion, r)) continue;
        while (time() < motion.row(r)[0] - rounding) ++n;
        for (; time() <= motion.row(r + 1)[0] + rounding; ++n) out.add(row_at(motion, r, time()));
    }
    return out;
}

Trajectory section_at_events(const Trajectory& motion, const std::vector<Event>& events,
                             EventKind kind, const std::string& element, double after) {
    Trajectory out = empty_like(motion);
    std::size_t r = 0;
    for (const Event& e : events) {
        if (e.kind != kind || e.t < after || (!element.empty() && e.element != element)) continue;
        while (r + 1 < motion.rows() && motion.row(r + 1)[0] <= e.t) ++r;
        if (motion.rows() > 0) out.add(motion.row(r));
    }
    return out;
}

bool moves_on(const Trajectory& section, int column, double least) {
    constexpr std::size_t fewest = 4;
    const std::size_t rows = section.rows();
    if (rows < fewest) return false;
    const auto at = [&](std::size_t row) {
        return section.row(row)[static_cast<std::size_t>(column)];
    };
    const double ahead = std::abs(at(rows - 1) - at(0));
    double all = 0;
    for (std::size_t r = 1; r < rows; ++r) all += std::abs(at(r) - at(r - 1));
    const double mean = ahead / static_cast<double>(rows - 1);
    return ahead > least && ahead >= 0.5 * all &&
           std::abs(at(rows - 1) - at(rows - 2)) >= 0.5 * mean;
}

std::optional<int> points_per_period(const Trajectory& section, const Trajectory& motion,
                                     const std::vector<int>& columns, double tolerance) {
    const std::size_t rows = section.rows();
    std::vector<double> ranges;
    for (const int c : columns) {
        double low = INFINITY, high = -INFINITY;
        for (std::size_t r = 0; r < motion.rows(); ++r) {
            low = std::min(low, motion.row(r)[static_cast<std::size_t>(c)]);
            high = std::max(high, motion.row(r)[static_cast<std::size_t>(c)]);
        }
        const bool turns = section.columns[static_cast<std::size_t>(c)].unit == "rad";
        ranges.push_back(turns ? std::min(high - low, 2 * std::numbers::pi) : high - low);
    }
    const auto same = [&](std::size_t i, std::size_t j) {
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const auto c = static_cast<std::size_t>(columns[k]);
            double apart = section.row(i)[c] - section.row(j)[c];
            if (section.columns[c].unit == "rad")
                apart = std::remainder(apart, 2 * std::numbers::pi);
            if (std::abs(apart) > tolerance * ranges[k] + tolerance::section_rounding) return false;
        }
        return true;
    };
    for (std::size_t n = 1; 2 * n <= rows; ++n) {
        bool repeats = true;
        for (std::size_t i = 0; repeats && i + n < rows; ++i) repeats = same(i, i + n);
        if (repeats) return static_cast<int>(n);
    }
    return std::nullopt;
}

}  // namespace pawl
