// Touching points of curves without a closed form, by iteration from a first guess: on one curve
// the root of a function of its fraction, on two curves both fractions. The point nearest to the
// guess is wanted, where the distance is a minimum. Knows points of curves, not kinds of elements.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

#include "curves/curve_point.h"
#include "math/tolerances/geometry.h"

namespace pawl::touch_search {

// How far from the first guess a point is searched for where Newton's method has left it: between
// two looks at a contact it does not move farther along its element.
constexpr double same_point_part = 0.05;

// Newton's method for a root of f on a curve's fraction, kept between fractions where f has had
// either sign, from a first guess: `f(u)` gives {value, slope}. Only roots where the slope has the
// sign `rising` are taken. `straight`: it has had this sign all the way, so no other root lies
// between.
template <class T, class F>
bool settle(T& u, double rising, double low, double high, bool& straight, F&& f) {
    constexpr double longest_step = 0.1;
    double last = 1;
    straight = true;
    for (int i = 0; i < 60; ++i) {
        const auto [value, slope] = f(u);
        const double v = rising * value_of(value), s = rising * value_of(slope);
        if (!std::isfinite(v) || !std::isfinite(s)) return false;
        (v > 0 ? high : low) = value_of(u);
        T next = u - value / slope;
        double step = value_of(next - u);
        if (!(s > 0) || std::abs(step) > longest_step) {
            step = v > 0 ? -longest_step : longest_step;
            next = u + T(step);
            straight = straight && s > 0;
        }
        if (!(value_of(next) > low && value_of(next) < high) &&
            std::abs(step) > tolerance::finest_fraction) {
            // No room is left: at a root of rounding, or at a jump.
            if (high - low < tolerance::finest_fraction)
                return s > 0 && std::abs(v) < tolerance::touch_residual * s;
            next = T(0.5 * (low + high));
            step = value_of(next - u);
        }
        u = next;
        // Converged: the step is rounding, or no longer shrinks and is near it.
        const double size = std::abs(step);
        if (s > 0 && (size <= tolerance::touch_converged ||
                      (size < tolerance::touch_slow && size >= 0.5 * last)))
            return true;
        last = size;
    }
    return last < tolerance::touch_accepted;
}

// The root nearest to the first guess, if one is near: beside a point where the distance is largest
// Newton's method may leave it, or go the other way. Bounded to a little beyond [0, 1] unless the
// curve is periodic.
template <class T, class F>
bool settle_near(T& u, double rising, bool periodic, F&& f) {
    constexpr double beyond = 0.25;
    constexpr int looks = 10, finer = 8;
    const double guess = value_of(u), low = periodic ? guess - 0.5 : -beyond,
                 high = periodic ? guess + 0.5 : 1 + beyond;
    bool straight = false;
    const bool found = settle(u, rising, low, high, straight, f);
    if (straight) return found;
    struct Look {
        double u, value, slope;
    };
    const auto look = [&](double x) {
        const auto [value, slope] = f(T(x));
        return Look{x, rising * value_of(value), rising * value_of(slope)};
    };
    // A rising root between two looks; f may turn once between them.
    const auto take = [&](const Look& low, const Look& high) {
        const int parts = (low.slope > 0) == (high.slope > 0) ? 1 : finer;
        Look before = low;
        for (int k = 1; k <= parts; ++k) {
            const Look after = k == parts ? high : look(low.u + (high.u - low.u) * k / parts);
            T near(0.5 * (before.u + after.u));
            if (before.value < 0 && after.value > 0 &&
                settle(near, rising, before.u, after.u, straight, f)) {
                u = near;
                return true;
            }
            before = after;
        }
        return false;
    };
    Look left = look(guess), right = left;
    for (int k = 1; k <= looks; ++k) {
        const double way = same_point_part * k / looks;
        const Look before = look(std::max(guess - way, low)),
                   after = look(std::min(guess + way, high));
        if (take(before, left) || take(right, after)) return true;
        left = before;
        right = after;
    }
    return found;
}

// Two curves at fractions u and w, ground axes. With d = p_b - p_a and e the angle from n_a to -n_b
// they touch where f = d.t_a = 0 and e = 0:
//   df = -(speed_a + turn_a d.n_a) du + speed_b t_b.t_a dw,  de = turn_b dw - turn_a du.
// The determinant is negative where the distance is least.
template <class S>
struct CurvePair {
    using T = typename S::Scalar;
    CurvePoint<S> pa, pb;
    typename S::Vector na, nb, at_a, at_b;
    T f, e, f_u, f_w, det;

    template <class A, class B>
    CurvePair(const A& a, const typename S::Position& frame_a, const B& b,
              const typename S::Position& frame_b, const T& u, const T& w)
        : pa(a.point(u)), pb(b.point(w)) {
        using std::atan2;
        na = frame_a.to_ground(pa.n);
        nb = frame_b.to_ground(pb.n);
        at_a = frame_a.p + frame_a.to_ground(pa.p);
        at_b = frame_b.p + frame_b.to_ground(pb.p);
        const auto d = at_b - at_a, ta = S::turned(na);
        f = S::dot(d, ta);
        e = atan2(-S::cross(na, nb), -S::dot(na, nb));
        f_u = -pa.speed - pa.turn * S::dot(d, na);
        f_w = pb.speed * S::dot(S::turned(nb), ta);
        det = f_u * pb.turn + f_w * pa.turn;
    }
};

// Newton's method from the fractions in `u`. True where it ends in a common normal, least or not;
// `straight` where all looks were of one that is least.
template <class S, class Look>
bool settle_both(typename S::Scalar (&u)[2], const bool (&periodic)[2], bool& straight,
                 Look&& look) {
    using T = typename S::Scalar;
    constexpr double longest_step = 0.1, beyond = 0.25;
    double last = 1;
    straight = true;
    for (int i = 0; i < 60; ++i) {
        const CurvePair<S> at = look(u[0], u[1]);
        straight = straight && value_of(at.det) < 0;
        // The last step was rounding; where firmness is small that is less sharp.
        if (last < tolerance::touch_slow || (last < tolerance::touch_accepted && i > 20))
            return value_of(S::dot(at.na, at.nb)) < 0;
        const T du = -(at.f * at.pb.turn - at.f_w * at.e) / at.det,
                dw = -(at.f_u * at.e + at.pa.turn * at.f) / at.det;
        const double size = std::max(std::abs(value_of(du)), std::abs(value_of(dw)));
        if (!std::isfinite(size)) return false;
        const T part(size > longest_step ? longest_step / size : 1);
        u[0] = u[0] + part * du;
        u[1] = u[1] + part * dw;
        for (int k = 0; k < 2; ++k)
            if (!periodic[k] && std::abs(value_of(u[k]) - 0.5) > 0.5 + beyond) return false;
        last = size;
    }
    return false;
}

// The line of opposite normals of two curves (e = 0) in the plane of their fractions; its direction
// is (turn_b, turn_a). Where the distance is least, f changes its sign along it.
template <class S, class Look>
class OppositeNormals {
public:
    using T = typename S::Scalar;
    using Fractions = std::array<double, 2>;
    struct Sample {
        Fractions x;
        double f, det;
    };
    static constexpr int steps = 10;  // each way, over the part that counts as the same point

    OppositeNormals(const bool (&periodic)[2], Look& look) : periodic_(periodic), look_(look) {}

    // Moves x to the line beside it; false where there is none.
    bool drop(Fractions& x) const {
        for (int i = 0; i < 8; ++i) {
            const CurvePair<S> at = look_(T(x[0]), T(x[1]));
            const double a = value_of(at.pa.turn), b = value_of(at.pb.turn), e = value_of(at.e);
            if (!(a * a + b * b > 0) || !(std::abs(e) < 1)) return false;
            x[0] += e * a / (a * a + b * b);
            x[1] -= e * b / (a * a + b * b);
            if (std::abs(e) < tolerance::opposite_normals) return true;
        }
        return false;
    }
    [[nodiscard]] Sample sample(const Fractions& x) const {
        const CurvePair<S> at = look_(T(x[0]), T(x[1]));
        return Sample{x, value_of(at.f), value_of(at.det)};
    }
    // Goes a step along the line, backwards for way 0; false where the line ends.
    bool follow(int way, const Sample& from, Fractions& x) const {
        const CurvePair<S> at = look_(T(from.x[0]), T(from.x[1]));
        const double a = value_of(at.pa.turn), b = value_of(at.pb.turn),
                     length = (way == 0 ? -1 : 1) * same_point_part / steps / std::hypot(a, b);
        x = {from.x[0] + length * b, from.x[1] + length * a};
        return std::isfinite(length) && drop(x);
    }
    // A least distance between two points of the line; f may turn once between them.
    bool find_least(const Sample& low, const Sample& high, T (&u)[2]) const {
        constexpr int finer = 8;
        const int parts = (low.det < 0) == (high.det < 0) ? 1 : finer;
        Sample before = low;
        for (int k = 1; k <= parts; ++k) {
            Fractions x = between(low.x, high.x, double(k) / parts);
            if (k < parts && !drop(x)) return false;
            const Sample after = k == parts ? high : sample(x);
            if ((before.f > 0) != (after.f > 0) && settle_between(before, after, u)) return true;
            before = after;
        }
        return false;
    }

private:
    static Fractions between(const Fractions& x, const Fractions& y, double part) {
        return {x[0] + part * (y[0] - x[0]), x[1] + part * (y[1] - x[1])};
    }
    bool settle_between(Sample low, Sample high, T (&u)[2]) const {
        constexpr int halvings = 12;
        for (int i = 0; i < halvings; ++i) {
            Fractions x = between(low.x, high.x, 0.5);
            if (!drop(x)) return false;
            const Sample middle = sample(x);
            ((middle.f > 0) == (low.f > 0) ? low : high) = middle;
        }
        T near[2] = {T(low.x[0]), T(low.x[1])};
        bool straight = false;
        if (!settle_both<S>(near, periodic_, straight, look_) || !straight) return false;
        for (int k = 0; k < 2; ++k)
            if (std::abs(value_of(near[k]) - low.x[k]) > same_point_part / steps) return false;
        u[0] = near[0];
        u[1] = near[1];
        return true;
    }

    const bool (&periodic_)[2];
    Look& look_;
};

// The least distance nearest to the first guess, if one is near: the line of opposite normals is
// followed both ways in small steps.
template <class S, class Look>
bool find_least_near(typename S::Scalar (&u)[2], const bool (&periodic)[2], Look&& look) {
    using Line = OppositeNormals<S, std::remove_reference_t<Look>>;
    const Line line(periodic, look);
    typename Line::Fractions start{value_of(u[0]), value_of(u[1])};
    if (!line.drop(start)) return false;
    typename Line::Sample ends[2] = {line.sample(start), line.sample(start)};
    bool goes_on[2] = {true, true};
    for (int k = 0; k < Line::steps; ++k)
        for (const int way : {0, 1}) {
            if (!goes_on[way]) continue;
            typename Line::Fractions x;
            goes_on[way] = line.follow(way, ends[way], x);
            if (!goes_on[way]) continue;
            const typename Line::Sample next = line.sample(x);
            if (line.find_least(ends[way], next, u)) return true;
            ends[way] = next;
        }
    return false;
}

}  // namespace pawl::touch_search
