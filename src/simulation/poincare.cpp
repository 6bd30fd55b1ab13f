#include "simulation/poincare.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pawl {

namespace {

// The rows of a motion as smooth pieces between events.
class Pieces {
public:
    explicit Pieces(const Trajectory& motion) : motion_(motion) {
        for (std::size_t r = 0; r < motion.rows(); ++r) {
            if (r == 0 || motion.row(r)[0] <= motion.row(r - 1)[0]) first_.push_back(r);
        }
        first_.push_back(motion.rows());
    }
    [[nodiscard]] std::size_t count() const { return first_.size() - 1; }
    [[nodiscard]] std::size_t begin(std::size_t piece) const { return first_[piece]; }
    [[nodiscard]] std::size_t end(std::size_t piece) const { return first_[piece + 1]; }
    [[nodiscard]] double t(std::size_t row) const { return motion_.row(row)[0]; }

    // A column between rows r and r + 1 of a piece: Lagrange's polynomial through up to four rows.
    [[nodiscard]] double at(std::size_t piece, std::size_t r, double time, std::size_t column) const {
        const auto [low, high] = around(piece, r);
        double sum = 0;
        for (std::size_t i = low; i < high; ++i) {
            double weight = 1;
            for (std::size_t j = low; j < high; ++j)
                if (j != i) weight *= (time - t(j)) / (t(i) - t(j));
            sum += weight * motion_.row(i)[column];
        }
        return sum;
    }
    [[nodiscard]] std::vector<double> row_at(std::size_t piece, std::size_t r, double time) const {
        std::vector<double> row(motion_.columns.size());
        row[0] = time;
        for (std::size_t c = 1; c < row.size(); ++c) row[c] = at(piece, r, time, c);
        return row;
    }

private:
    [[nodiscard]] std::pair<std::size_t, std::size_t> around(std::size_t piece,
                                                             std::size_t r) const {
        const std::size_t low = r > begin(piece) ? r - 1 : r;
        const std::size_t high = std::min(low + 4, end(piece));
        return {high - begin(piece) >= 4 ? high - 4 : begin(piece), high};
    }

    const Trajectory& motion_;
    std::vector<std::size_t> first_;
};

Trajectory empty_like(const Trajectory& motion) {
    Trajectory out;
    out.columns = motion.columns;
    return out;
}

}  // namespace

Trajectory section_at(const Trajectory& motion, const Crossing& crossing, double after) {
    Trajectory out = empty_like(motion);
    const auto c = static_cast<std::size_t>(motion.find(crossing.column));
    const Pieces pieces(motion);
    const auto level_below = [&](double x) {
        return crossing.modulus > 0 ? std::floor((x - crossing.value) / crossing.modulus)
                                    : (x >= crossing.value ? 0.0 : -1.0);
    };
    const auto add_crossing = [&](std::size_t piece, std::size_t r, double level, bool rising) {
        double low = pieces.t(r), high = pieces.t(r + 1);
        for (int i = 0; i < 60 && high - low > 1e-15 * (1 + std::abs(high)); ++i) {
            const double middle = 0.5 * (low + high);
            ((pieces.at(piece, r, middle, c) < level) == rising ? low : high) = middle;
        }
        if (high >= after) out.add(pieces.row_at(piece, r, high));
    };
    for (std::size_t p = 0; p < pieces.count(); ++p)
        for (std::size_t r = pieces.begin(p); r + 1 < pieces.end(p); ++r) {
            const double a = level_below(motion.row(r)[c]), b = level_below(motion.row(r + 1)[c]);
            if (b > a && crossing.direction >= 0)
                for (double k = a + 1; k <= b; ++k)
                    add_crossing(p, r, crossing.value + k * crossing.modulus, true);
            if (b < a && crossing.direction <= 0)
                for (double k = a; k > b; --k)
                    add_crossing(p, r, crossing.value + k * crossing.modulus, false);
        }
    return out;
}

Trajectory section_every(const Trajectory& motion, double period, double after) {
    Trajectory out = empty_like(motion);
    const Pieces pieces(motion);
    std::size_t n = 0;
    const auto time = [&] { return after + static_cast<double>(n) * period; };
    const double rounding = 1e-9 * period;
    for (std::size_t p = 0; p < pieces.count(); ++p)
        for (std::size_t r = pieces.begin(p); r + 1 < pieces.end(p); ++r) {
            while (time() < pieces.t(r) - rounding) ++n;
            for (; time() <= pieces.t(r + 1) + rounding; ++n) out.add(pieces.row_at(p, r, time()));
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
            if (std::abs(apart) > tolerance * ranges[k] + 1e-12) return false;
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
