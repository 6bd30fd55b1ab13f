// A column of a run read as a response: its value at an instant, its extrema, crossings and
// integrals, each with its weights. Between rows the column is a polynomial through the samples
// around (Interpolant): p(x) = sum L_i(x) c_i. A sample moves it by L_i(x) dc_i and, where its time
// moves too, by -L_i(x) p'(t_i) dt_i. From these follow the weights of all quantities: of an
// extremum those at its time (its slope is zero), of a crossing those divided by -p', of an
// integral those at the points of Gauss, with the values at moving ends.
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "results/interpolant.h"
#include "results/response.h"

namespace pawl {

// Collects a linearisation, where one is asked for.
class Weights {
public:
    explicit Weights(Linearisation* out) : out_(out) {}
    [[nodiscard]] bool wanted() const { return out_ != nullptr; }

    void cell(std::size_t row, int column, double weight) {
        if (out_ != nullptr && weight != 0) cells_[{row, column}] += weight;
    }
    void of_event(std::size_t event, std::string number, double weight) {
        if (out_ != nullptr) out_->events.push_back({event, std::move(number), weight});
    }
    // Of the value of the interpolant at a given time.
    void value(const Interpolant& p, int column, double x, double weight) {
        if (out_ == nullptr) return;
        for (std::size_t i = 0; i < p.count(); ++i) {
            const double w = weight * p.weight(i, x);
            cell(p.first_row() + i, column, w);
            cell(p.first_row() + i, 0, -w * p(p.time(i)).slope);
        }
    }
    void finish(double factor) {
        if (out_ == nullptr) return;
        for (const auto& [cell, weight] : cells_)
            out_->cells.push_back({cell.first, cell.second, weight * factor});
        for (auto& term : out_->events) term.weight *= factor;
    }

private:
    Linearisation* out_;
    std::map<std::pair<std::size_t, int>, double> cells_;
};

// A time, and the row that has this time.
struct Bound {
    double t = 0;
    std::optional<std::size_t> row;
};

class ColumnReading {
public:
    ColumnReading(const ResponseSource& source, int column, Weights& weights, ResponseValue& value)
        : t_(source.trajectory),
          events_(source.events),
          column_(column),
          weights_(weights),
          out_(value) {}

    void read(const Response& r);
    void set_level(double level) { level_ = level; }

private:
    [[nodiscard]] double time(std::size_t row) const { return t_.row(row)[0]; }
    [[nodiscard]] double cell(std::size_t row) const {
        return t_.row(row)[static_cast<std::size_t>(column_)];
    }
    void fail(std::string why);
    // With several rows at its time, the last one where `after`, else the first.
    Bound bound(const Instant& instant, bool after);
    Bound bound_at_event(const EventPattern& pattern, bool after);
    [[nodiscard]] std::size_t first_row_from(double at) const;
    // The row before a time that is none of the rows'.
    [[nodiscard]] std::size_t row_before(double at) const { return first_row_from(at) - 1; }

    void take(const Bound& at);

    // Calls f(row, low, high) for the parts of the window between a row and the next, jumps
    // included, where the column has values at both. False from f ends it.
    template <class F>
    void each_interval(const Bound& from, const Bound& to, const F& f) const {
        const std::size_t first = from.row ? *from.row : row_before(from.t);
        const std::size_t last = to.row ? *to.row : row_before(to.t) + 1;
        for (std::size_t r = first; r < last; ++r) {
            if (!std::isfinite(cell(r)) || !std::isfinite(cell(r + 1))) continue;
            const double low = r == first ? from.t : time(r),
                         high = r + 1 == last ? to.t : time(r + 1);
            if (!f(r, low, high)) return;
        }
    }

    // ---- extrema ----------------------------------------------------------------------------
    struct Candidate {
        double t = NAN, value = NAN, error = 0;
        std::size_t row = 0;
        bool is_sample = true, is_given = false;  // else between rows; its time is given
    };

    void extremum(const Bound& from, const Bound& to, int sign, bool time_asked);

    // The slope of the polynomial is zero there: its time moves by -dp'/p''.
    void time_of_extremum(const Candidate& at);

    // A sample that is not below its neighbours hides a higher value next to it.
    Candidate refined(std::size_t r, double from, double to, int sign) const;

    // ---- crossings --------------------------------------------------------------------------
    void crossing(const Bound& from, const Bound& to, const Response& r, int which, double weight);
    struct Side {
        double low, high;
    };
    [[nodiscard]] Interpolant curve(std::size_t row) const { return {t_, column_, row}; }
    [[nodiscard]] int sign_of(double y) const { return (y > level_) - (y < level_); }
    [[nodiscard]] double root(std::size_t row, double low, double high) const;
    // Where the curve turns around beyond the level although both ends are on the same side. The
    // samples around must show that it turns. NaN: nowhere.
    [[nodiscard]] double dip(std::size_t row, double low, double high) const;
    void crossed(std::size_t row, double at, double weight);
    void jumped(std::size_t row, double weight);

    // ---- integrals --------------------------------------------------------------------------
    void integral(const Bound& from, const Bound& to, Response::Of of);

    const Trajectory& t_;
    std::span<const Event> events_;
    int column_;
    Weights& weights_;
    ResponseValue& out_;
    double level_ = 0;
};

}  // namespace pawl
