// Drivers: a coordinate that follows a given law of time, and the kinds of law.
// A law is evaluated on second-order time jets, so velocity and acceleration of the drive are
// exact.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "math/expression/formula.h"
#include "math/motion_law.h"
#include "math/spline.h"
#include "math/time_jet.h"
#include "math/tolerances/geometry.h"
#include "mechanism/joint.h"

namespace pawl {

// start + speed t
template <class T>
struct SpeedLaw {
    static constexpr std::string_view name = "speed";
    static constexpr std::string_view summary = "Constant speed: start + speed t.";
    T speed{};
    std::optional<T> start;
    template <class V>
    void fields(V& v) {
        v.number("speed", speed, v.coordinate() / dimension::time, "the speed");
        v.number("start", start, v.coordinate(), "value at t = 0; default: the initial value");
    }
    void settle(const T& initial) {
        if (!start) start = initial;
    }
    TimeJet<T> at(double t) const { return {*start + speed * T(t), speed, T(0)}; }
};

// sum c_i t^i, by Horner on value and both derivatives
template <class T>
struct PolynomialLaw {
    static constexpr std::string_view name = "polynomial";
    static constexpr std::string_view summary = "Polynomial in time: c0 + c1 t + c2 t^2 + ...";
    std::vector<T> coefficients;
    template <class V>
    void fields(V& v) {
        v.numbers("coefficients", coefficients, v.coordinate(), dimension::time,
                  "c0, c1, c2, ...: ck in the unit of the coordinate per second to the power k", 1);
    }
    void settle(const T&) {}
    TimeJet<T> at(double t) const {
        T f(0), d(0), dd(0);
        for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) {
            dd = dd * T(t) + T(2) * d;
            d = d * T(t) + f;
            f = f * T(t) + *c;
        }
        return {f, d, dd};
    }
};

template <class T>
struct HarmonicLaw {
    static constexpr std::string_view name = "harmonic";
    static constexpr std::string_view summary = "mean + amplitude sin(2 pi frequency t + phase).";
    T mean{}, amplitude{}, frequency{}, phase{};
    template <class V>
    void fields(V& v) {
        v.number("mean", mean, v.coordinate(), "mean value", "0");
        v.number("amplitude", amplitude, v.coordinate(), "amplitude");
        v.number("frequency", frequency, dimension::frequency, "cycles per second");
        v.number("phase", phase, dimension::angle, "phase at t = 0", "0");
    }
    void settle(const T&) {}
    TimeJet<T> at(double t) const {
        using std::cos;
        using std::sin;
        const T w = T(2 * M_PI) * frequency;
        const T s = amplitude * sin(w * T(t) + phase), c = amplitude * cos(w * T(t) + phase);
        return {mean + s, w * c, -(w * w) * s};
    }
};

template <class T>
struct TableLaw {
    static constexpr std::string_view name = "table";
    static constexpr std::string_view summary = "Cubic spline through a table of times and values.";
    std::vector<T> times, values;
    Ends ends = Ends::natural;
    std::optional<CubicSpline<T>> spline;
    template <class V>
    void fields(V& v) {
        v.numbers("times", times, dimension::time, dimension::none,
                  "times of the table, increasing", 2);
        v.numbers("values", values, v.coordinate(), dimension::none, "values of the table", 2);
        v.choice("ends", ends, {"natural", "clamped", "periodic"}, "end conditions of the spline");
        v.require(times.size() == values.size(), "values",
                  "times and values must have the same length");
        for (std::size_t i = 1; i < times.size(); ++i)
            v.require(value_of(times[i]) > value_of(times[i - 1]), "times", "times must increase");
        v.require(ends != Ends::periodic || values.empty() ||
                      std::abs(value_of(values.front()) - value_of(values.back())) <=
                          tolerance::periodic_table * (1 + std::abs(value_of(values.front()))),
                  "values", "a periodic table must end with the value it starts with");
    }
    void settle(const T&) {
        std::vector<double> x;
        for (const T& t : times) x.push_back(value_of(t));
        if (ends == Ends::periodic)
            values.back() = values.front();  // equal up to rounding as written
        spline.emplace(std::move(x), values, ends);
    }
    TimeJet<T> at(double t) const { return spline->evaluate(TimeJet<T>{T(t), T(1), T(0)}); }
    // Knots, where the third derivative jumps.
    void breaks(double end, std::vector<double>& out) const {
        const double period = value_of(times.back()) - value_of(times.front());
        for (double shift = 0; shift == 0 || (ends == Ends::periodic && shift <= end);
             shift += period)
            for (const T& t : times)
                if (value_of(t) + shift <= end) out.push_back(value_of(t) + shift);
    }
};

// A cam's sequence of rises, dwells and returns.
template <class T>
struct CamLaw {
    static constexpr std::string_view name = "cam";
    static constexpr std::string_view summary = "A sequence of rises, dwells and returns.";
    struct Segment {
        MotionLaw law = MotionLaw::dwell;
        T lift{}, time{};
        template <class V>
        void fields(V& v) {
            v.choice("law", law, motion_law_names(), "the law of the segment");
            v.number("lift", lift, v.coordinate(), "how far it rises (negative: returns)", "0");
            v.number("time", time, dimension::time, "duration");
            v.positive("time", time);
            v.require(law != MotionLaw::dwell || value_of(lift) == 0, "lift",
                      "a dwell has no lift; choose a rise law, e.g. law = \"cycloidal\"");
        }
    };
    std::vector<Segment> segments;
    std::optional<T> start;
    bool repeat = false;
    T total_time{}, total_lift{};
    template <class V>
    void fields(V& v) {
        v.tables("segments", segments, "the segments, in order");
        v.number("start", start, v.coordinate(), "value at t = 0; default: the initial value");
        v.flag("repeat", repeat, "start again after the last segment (otherwise stay there)");
    }
    void settle(const T& initial) {
        if (!start) start = initial;
        total_time = total_lift = T(0);
        for (const Segment& s : segments) {
            total_time = total_time + s.time;
            total_lift = total_lift + s.lift;
        }
    }
    // Ends of the segments, where the acceleration may jump, and seams of their laws.
    void breaks(double end, std::vector<double>& out) const {
        double t = 0;
        const auto add = [&](double at) {
            if (at <= end) out.push_back(at);
        };
        do
            for (const Segment& s : segments) {
                for (const double u : seams(s.law)) add(t + u * value_of(s.time));
                add(t += value_of(s.time));
            }
        while (repeat && !segments.empty() && t < end);
    }
    TimeJet<T> at(double t) const {
        T base = *start;
        double local = t;
        if (repeat && t >= value_of(total_time)) {
            const double turns = std::floor(t / value_of(total_time));
            local -= turns * value_of(total_time);
            base = base + T(turns) * total_lift;
        }
        if (local < 0) return {base, T(0), T(0)};
        T begin(0);
        for (const Segment& s : segments) {
            if (local < value_of(begin + s.time)) {
                const T u = (T(local) - begin) / s.time;
                const auto rise_jet = rise(s.law, TimeJet<T>{u, T(1) / s.time, T(0)});
                return {base + s.lift * rise_jet.value, s.lift * rise_jet.rate,
                        s.lift * rise_jet.acceleration};
            }
            begin = begin + s.time;
            base = base + s.lift;
        }
        return {base, T(0), T(0)};
    }
};

template <class T>
struct ExpressionLaw {
    static constexpr std::string_view name = "expression";
    static constexpr std::string_view summary = "Any expression over t and the parameters.";
    Formula<T> value;
    template <class V>
    void fields(V& v) {
        v.expression("value", value, v.coordinate(), "the value as a function of t, in SI units");
    }
    void settle(const T&) {}
    TimeJet<T> at(double t) const { return value.at(t); }
    TimeJet<T> at(double t, const signed char* sides) const { return value.at(t, sides); }
};

template <class T>
using DriverLaw = std::variant<SpeedLaw<T>, PolynomialLaw<T>, HarmonicLaw<T>, TableLaw<T>,
                               CamLaw<T>, ExpressionLaw<T>>;

template <class S>
struct Driver {
    std::string name;
    Span span;
    Coordinate<S> coordinate;
    DriverLaw<typename S::Scalar> law;
    [[nodiscard]] TimeJet<typename S::Scalar> at(double t) const {
        return std::visit([t](const auto& l) { return l.at(t); }, law);
    }
    // On the branches that the sides of the mechanism's switches say; null: those at t.
    [[nodiscard]] TimeJet<typename S::Scalar> at(double t, const signed char* sides) const {
        return std::visit(
            [&](const auto& l) {
                if constexpr (requires { l.at(t, sides); })
                    return l.at(t, sides);
                else
                    return l.at(t);
            },
            law);
    }
};

}  // namespace pawl
