#include "results/column_reading.h"

#include <algorithm>
#include <cmath>

#include "math/roots.h"
#include "math/tolerances/records.h"
#include "results/text.h"

namespace pawl {

namespace {

constexpr double same_time =
    tolerance::sample_time;  // s; a row this near to a given time is taken as it is

// Gauss-Legendre with 7 points: exact for the square of a polynomial through 7 samples.
constexpr double gauss_x[] = {0, 0.4058451513773972, 0.7415311855993945, 0.9491079123427585};
constexpr double gauss_w[] = {0.4179591836734694, 0.3818300505051189, 0.2797053914892767,
                              0.1294849661688697};

template <class Function>
double zero_of(const Function& f, double low, double high) {
    const bool positive = f(low) > 0;
    constexpr int max_halvings = 100;  // until the interval has no inner number
    return bisect(low, high, max_halvings, [&](double x) { return (f(x) > 0) == positive; }).low;
}

}  // namespace

void ColumnReading::read(const Response& r) {
    using Of = Response::Of;
    if (r.of == Of::value) return take(bound(r.from, r.side == Response::Side::after));
    const Bound from = bound(r.from, true), to = bound(r.to, false);
    if (!out_.problem.empty()) return;
    if (!(from.t <= to.t)) return fail("the window ends before it begins");
    switch (r.of) {
        case Of::min:
        case Of::max:
        case Of::min_at:
        case Of::max_at:
            return extremum(from, to, r.of == Of::max || r.of == Of::max_at ? 1 : -1,
                            r.of == Of::min_at || r.of == Of::max_at);
        case Of::mean:
        case Of::rms:
        case Of::integral:
            return integral(from, to, r.of);
        case Of::period: {
            crossing(from, to, r, r.which, -1);
            const double first = out_.value;
            if (out_.problem.empty()) crossing(from, to, r, r.which + 2, 1);
            out_.value -= first;
            return;
        }
        default:
            crossing(from, to, r, r.which, 1);
    }
}

void ColumnReading::fail(std::string why) {
    if (out_.problem.empty()) out_.problem = std::move(why);
}

Bound ColumnReading::bound(const Instant& instant, bool after) {
    const std::size_t last = t_.rows() - 1;
    switch (instant.kind) {
        case Instant::Kind::start:
            return {time(0), 0};
        case Instant::Kind::end:
            return {time(last), last};
        case Instant::Kind::event:
            return bound_at_event(instant.event, after);
        case Instant::Kind::time:
            break;
    }
    if (instant.t < time(0) - same_time || instant.t > time(last) + same_time) {
        fail("no sample at t = " + number_text(instant.t) + " s; the run is from t = " +
             number_text(time(0)) + " s to " + number_text(time(last)) + " s");
        return {};
    }
    const std::size_t row = first_row_from(instant.t - same_time);
    if (row <= last && std::abs(time(row) - instant.t) < same_time) return {time(row), row};
    return {instant.t, {}};
}

Bound ColumnReading::bound_at_event(const EventPattern& pattern, bool after) {
    int left = pattern.which;
    for (const Event& e : events_) {
        if (!pattern.matches(e) || --left > 0) continue;
        std::size_t row = first_row_from(e.t);
        if (row == t_.rows() || time(row) != e.t) {
            fail("no sample at this event");
            return {};
        }
        while (after && row + 1 < t_.rows() && time(row + 1) == e.t) ++row;
        return {e.t, row};
    }
    fail(not_met(pattern, events_));
    return {};
}

std::size_t ColumnReading::first_row_from(double at) const {
    std::size_t low = 0, high = t_.rows();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (time(middle) < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void ColumnReading::take(const Bound& at) {
    if (!out_.problem.empty()) return;
    if (at.row) {
        out_.value = cell(*at.row);
        weights_.cell(*at.row, column_, 1);
    } else {
        const Interpolant p = curve(row_before(at.t));
        out_.value = p(at.t).y;
        out_.error = p.last_term(at.t);
        weights_.value(p, column_, at.t, 1);
    }
    if (std::isnan(out_.value)) fail("the column has no value there");
}

void ColumnReading::extremum(const Bound& from, const Bound& to, int sign, bool time_asked) {
    std::optional<Candidate> best;
    const auto see = [&](const Candidate& c) {
        if (std::isfinite(c.value) && (!best || sign * (c.value - best->value) > 0)) best = c;
    };
    for (const Bound& end : {from, to})
        if (!end.row) {
            const std::size_t row = row_before(end.t);
            const Interpolant p(t_, column_, row);
            see({end.t, p(end.t).y, p.last_term(end.t), row, false, true});
        }
    const std::size_t first = from.row ? *from.row : row_before(from.t) + 1,
                      last = to.row ? *to.row : row_before(to.t);
    for (std::size_t r = first; r <= last && r < t_.rows(); ++r)
        see(refined(r, from.t, to.t, sign));
    if (!best) return fail("the column has no value in the window");
    out_.value = time_asked ? best->t : best->value;
    if (best->is_sample) return weights_.cell(best->row, time_asked ? 0 : column_, 1);
    if (!time_asked) {
        out_.error = best->error;
        const Interpolant p(t_, column_, best->row);
        weights_.value(p, column_, best->t, 1);
    } else if (weights_.wanted() && !best->is_given) {
        time_of_extremum(*best);
    }
}

void ColumnReading::time_of_extremum(const Candidate& at) {
    const Interpolant p(t_, column_, at.row);
    const double h = tolerance::crossing_slope * (p.end() - p.start());
    const auto slope = [&](double x) { return p(x).slope; };
    const double curvature = (slope(at.t + h) - slope(at.t - h)) / (2 * h);
    weights_.value(p, column_, at.t + h, -0.5 / h / curvature);
    weights_.value(p, column_, at.t - h, 0.5 / h / curvature);
}

ColumnReading::Candidate ColumnReading::refined(std::size_t r, double from, double to,
                                                int sign) const {
    const Candidate sample{time(r), cell(r), 0, r, true};
    const auto equal = [&](std::size_t other) {
        return time(other) != time(r) && cell(other) == cell(r);
    };
    const auto higher = [&](std::size_t other) {
        return time(other) != time(r) && sign * (cell(other) - cell(r)) > 0;
    };
    if (!std::isfinite(cell(r)) || (r > 0 && (higher(r - 1) || equal(r - 1))) ||
        (r + 1 < t_.rows() && higher(r + 1)))
        return sample;
    const Interpolant p(t_, column_, r);
    const double low = std::max({p.start(), time(r - (r > 0)), from});
    const double high = std::min({p.end(), time(r + (r + 1 < t_.rows())), to});
    const auto slope = [&](double x) { return sign * p(x).slope; };
    // At an end of the piece, or where the column is constant, the sample is the extremum.
    if (!(low < high && slope(low) > 0 && slope(high) < 0)) return sample;
    const double top = zero_of(slope, low, high);
    return {top, p(top).y, p.last_term(top), r, false};
}

void ColumnReading::crossing(const Bound& from, const Bound& to, const Response& r, int which,
                             double weight) {
    int side = 0;  // of the last value that was not at the level
    bool found = false;
    const auto pass = [&](int now) {
        const bool counts = r.of == Response::Of::rising    ? now > 0
                            : r.of == Response::Of::falling ? now < 0
                                                            : true;
        const bool passes = side != 0 && now != 0 && now != side && counts && --which == 0;
        if (now != 0) side = now;
        return passes;
    };
    each_interval(from, to, [&](std::size_t row, double low, double high) {
        const bool jump = !(time(row) < time(row + 1));
        const Side at{low == time(row) ? cell(row) : curve(row)(low).y,
                      high == time(row + 1) ? cell(row + 1) : curve(row)(high).y};
        const double turn = jump ? NAN : dip(row, low, high);
        const bool turns = std::isfinite(turn);
        if (pass(sign_of(at.low))) {  // it was at the level before
            found = true;
            crossed(row, low, weight);
        } else if (turns && pass(sign_of(curve(row)(turn).y))) {
            found = true;
            crossed(row, root(row, low, turn), weight);
        } else if (const bool was_there = sign_of(at.low) == 0; pass(sign_of(at.high))) {
            found = true;
            if (jump)
                jumped(row, weight);
            else
                crossed(row, was_there ? low : root(row, turns ? turn : low, high), weight);
        }
        return !found;
    });
    if (!found) fail("the column does not pass the level so often");
}

double ColumnReading::root(std::size_t row, double low, double high) const {
    return zero_of([&, p = curve(row)](double x) { return p(x).y - level_; }, low, high);
}

double ColumnReading::dip(std::size_t row, double low, double high) const {
    const int side = sign_of(cell(row));
    if (side == 0 || side != sign_of(cell(row + 1))) return NAN;
    const auto nearer = [&](std::size_t a, std::size_t b) {
        return side * (cell(a) - cell(b)) < 0;
    };
    if ((row > 0 && nearer(row - 1, row)) || (row + 2 < t_.rows() && nearer(row + 2, row + 1)))
        return NAN;
    const Interpolant p = curve(row);
    const auto slope = [&](double x) { return -side * p(x).slope; };
    if (!(slope(low) > 0 && slope(high) < 0)) return NAN;
    const double turn = zero_of(slope, low, high);
    return sign_of(p(turn).y) == -side ? turn : NAN;
}

void ColumnReading::crossed(std::size_t row, double at, double weight) {
    const Interpolant p = curve(row);
    const double rate = p(at).slope;
    out_.value = at;
    out_.error += std::abs(p.last_term(at) / rate);
    weights_.value(p, column_, at, -weight / rate);
}

void ColumnReading::jumped(std::size_t row, double weight) {
    out_.value = time(row);
    weights_.cell(row, 0, weight);
}

void ColumnReading::integral(const Bound& from, const Bound& to, Response::Of of) {
    const bool squared = of == Response::Of::rms;
    double sum = 0, length = 0, error = 0;
    const auto each = [&](const auto& at_point, const auto& at_end) {
        each_interval(from, to, [&](std::size_t row, double low, double high) {
            if (!(low < high)) return true;
            const Interpolant p(t_, column_, row);
            const double half = 0.5 * (high - low), middle = 0.5 * (high + low);
            for (int k = -3; k <= 3; ++k)
                at_point(p, middle + half * (k < 0 ? -1 : 1) * gauss_x[std::abs(k)],
                         half * gauss_w[std::abs(k)]);
            if (low == time(row)) at_end(p, row, -1.0);
            if (high == time(row + 1)) at_end(p, row + 1, 1.0);
            length += high - low;
            return true;
        });
    };
    each(
        [&](const Interpolant& p, double x, double w) {
            const double y = p(x).y;
            sum += w * (squared ? y * y : y);
            error += w * p.last_term(x) * (squared ? 2 * std::abs(y) : 1);
        },
        [](const Interpolant&, std::size_t, double) {});
    if (!(length > 0)) return fail("the column has no value in the window");
    const double mean = sum / length;
    out_.value = of == Response::Of::integral ? sum : squared ? std::sqrt(mean) : mean;
    // d(value) = of_sum d(sum) + of_length d(length)
    double of_sum = 1, of_length = 0;
    if (of != Response::Of::integral) {
        const double outer = !squared ? 1 : out_.value > 0 ? 0.5 / out_.value : 0;
        of_sum = outer / length;
        of_length = -outer * mean / length;
    }
    out_.error = error * of_sum;
    if (!weights_.wanted()) return;
    each([&](const Interpolant& p, double x,
             double w) { weights_.value(p, column_, x, of_sum * w * (squared ? 2 * p(x).y : 1)); },
         [&](const Interpolant& p, std::size_t row, double sign) {
             const double y = p(time(row)).y;
             weights_.cell(row, 0, sign * (of_sum * (squared ? y * y : y) + of_length));
         });
}

}  // namespace pawl
