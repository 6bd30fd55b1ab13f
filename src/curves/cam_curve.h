// Cam profiles generated from the motion law of their follower: the drive (cam and follower) and
// the curve of one rise. Derivatives are exact. Knows the follower as geometry, not as a body.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "curves/curve_point.h"
#include "math/motion_law.h"
#include "math/spline.h"
#include "math/tolerances/geometry.h"

namespace pawl {

enum class Follower { roller, flat, knife };

// A cam that turns about the origin of its axes, with one follower. At cam angle zero a translating
// follower moves along +x (its roller on the line y = offset, its flat face across); an oscillating
// one turns about `pivot`: its roller or edge sits at the distance `arm`, its flat face passes the
// pivot at the distance `arm` (positive away from the cam). A positive lift moves the follower away
// from the cam, an oscillating one by turning counter-clockwise (swing = -1: clockwise).
template <class S>
struct CamDrive {
    using T = typename S::Scalar;
    Follower follower = Follower::roller;
    T base{}, roller{};  // radii of the base circle and of the roller
    T offset{};          // of a translating roller or edge
    double turns = 1;    // of the cam: 1 counter-clockwise, -1 clockwise
    bool oscillating = false;
    typename S::Vector pivot;
    T arm{};
    double swing = 1;
};

template <class T>
struct CamSegment {
    MotionLaw law = MotionLaw::dwell;
    T lift{};   // length; an angle for an oscillating follower
    T angle{};  // of the cam
    // Instead of a law, from a table of lifts: lift c0 x + c1 x^2 + c2 x^3, x from 0 to 1.
    std::optional<std::array<T, 3>> cubic{};
};

// The segments of a smooth curve through lifts at equal steps of the cam angle over a whole turn.
template <class T>
std::vector<CamSegment<T>> table_segments(const std::vector<T>& lifts) {
    std::vector<T> y = lifts;
    y.push_back(lifts.front());
    const T step(2 * std::numbers::pi / static_cast<double>(lifts.size()));
    std::vector<double> x;
    for (std::size_t i = 0; i < y.size(); ++i) x.push_back(value_of(step) * static_cast<double>(i));
    const CubicSpline<T> spline(x, y, Ends::periodic);
    std::vector<CamSegment<T>> segments;
    for (std::size_t i = 0; i < lifts.size(); ++i) {
        // A little inside, so that rounding does not take the piece before.
        const auto jet =
            spline.evaluate(TimeJet<T>(T(x[i] + tolerance::inside_of_knot * value_of(step)), T(1)));
        const T rise = y[i + 1] - y[i], c0 = jet.rate * step,
                c1 = 0.5 * jet.acceleration * step * step;
        segments.push_back(
            {MotionLaw::dwell, rise, step, std::array<T, 3>{c0, c1, rise - c0 - c1}});
    }
    return segments;
}

// The curve of one segment. In the cam's axes the follower runs round by psi = -turns * phi (phi is
// the cam angle); the element travels with growing psi.
// Roller: parallel to the path of its centre c(phi) turned by psi, at the distance of its radius.
// Flat: the envelope of lines with normal angle th and distance h from the origin:
//   p = h n + h' t,  radius of curvature h + h'',  ' = d/dth,  t = n turned by 90 degrees.
template <class S>
struct CamCurve {
    using T = typename S::Scalar;
    using Jet = TimeJet<T>;
    using Vector = typename S::Vector;
    static constexpr std::string_view name = "cam";
    CamDrive<S> drive;
    CamSegment<T> segment;
    T start{}, lifted{};  // cam angle and lift at the begin of the segment
    Similarity<S> similarity{};
    T parallel{};  // distance of the parallel curve, outward (before the change of scale)

    [[nodiscard]] T cam_angle(const T& u) const {
        return start + segment.angle * (drive.turns > 0 ? T(1) - u : u);
    }
    // Follower motion over the cam angle.
    [[nodiscard]] Jet lift(const Jet& phi) const {
        const Jet along = (phi - Jet(start)) / Jet(segment.angle);
        if (segment.cubic) {
            const auto& c = *segment.cubic;
            return Jet(lifted) + along * (Jet(c[0]) + along * (Jet(c[1]) + along * Jet(c[2])));
        }
        const auto law = [&](const Jet& x) { return Jet(rise(segment.law, x)); };
        return Jet(lifted) + Jet(segment.lift) * extended<T>(law, along, 0, 1);
    }
    [[nodiscard]] CurvePoint<S> point(const T& u) const {
        CurvePoint<S> p = drive.follower == Follower::flat ? flat_point(u) : roller_point(u);
        p = shifted<S>(p, parallel);
        using std::cos;
        using std::sin;
        const T c = cos(similarity.angle), s = sin(similarity.angle);
        p.p = similarity.of(p.p);
        p.n = {c * p.n.x - s * p.n.y, s * p.n.x + c * p.n.y};
        p.speed = similarity.scale * p.speed;
        p.curvature_numerator = p.turn / p.speed;
        return p;
    }
    [[nodiscard]] std::vector<double> breaks() const {
        return {0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1};
    }
    [[nodiscard]] CamCurve moved(const Similarity<S>& map) const {
        CamCurve m = *this;
        m.similarity.shift = map.of(similarity.shift);
        m.similarity.angle = similarity.angle + map.angle;
        m.similarity.scale = similarity.scale * map.scale;
        return m;
    }
    [[nodiscard]] CamCurve mirrored() const {
        CamCurve m = *this;
        m.drive.turns = -drive.turns;
        m.drive.offset = -drive.offset;
        m.drive.pivot.y = -drive.pivot.y;
        m.drive.swing = -drive.swing;
        m.similarity.angle = -similarity.angle;
        m.similarity.shift.y = -similarity.shift.y;
        return m;
    }
    // Undercut: the way or the turn of the profile changes its sense. Told where it is worst.
    [[nodiscard]] std::optional<std::string> problem() const {
        constexpr int samples = 720;
        const bool flat = drive.follower == Follower::flat;
        double smallest = 0, at = -1;
        for (int i = 0; i <= samples; ++i) {
            const T u(double(i) / samples);
            const CurvePoint<S> p = point(u);
            const double way =
                flat ? std::min(value_of(p.speed), value_of(p.turn)) : value_of(p.speed);
            if (way > smallest) continue;
            smallest = way;
            at = value_of(cam_angle(u)) * 180 / std::numbers::pi;
        }
        if (at < 0) return std::nullopt;
        return "the cam is undercut: its radius of curvature passes through zero near the cam "
               "angle " +
               std::to_string(at) + " deg; take a larger base circle" +
               (flat ? "" : " or a smaller roller");
    }

    // Angle at which the follower rests on the base circle: see CamDrive for the sides.
    [[nodiscard]] static std::optional<T> rest_angle(const CamDrive<S>& d) {
        using std::acos;
        using std::atan2;
        using std::sqrt;
        const T far = sqrt(S::dot(d.pivot, d.pivot)), reach = d.base + d.roller;
        const T cosine = d.follower == Follower::flat
                             ? (d.base - d.arm) / far
                             : (reach * reach - far * far - d.arm * d.arm) / (2.0 * far * d.arm);
        if (!(std::abs(value_of(cosine)) < 1)) return std::nullopt;
        return atan2(d.pivot.y, d.pivot.x) - T(d.swing) * acos(cosine);
    }

private:
    [[nodiscard]] T phi_rate() const { return T(-drive.turns) * segment.angle; }

    // The path of the roller's centre is a plain curve; speed and turn do not depend on the sign of
    // the parallel distance.
    [[nodiscard]] CurvePoint<S> roller_point(const T& u) const {
        using std::sqrt;
        const Jet phi(cam_angle(u), phi_rate()), s = lift_by(phi), psi = Jet(T(-drive.turns)) * phi;
        Jet x, y;
        if (drive.oscillating) {
            const Jet beta = Jet(*rest_angle(drive)) + Jet(T(drive.swing)) * s;
            x = Jet(drive.pivot.x) + Jet(drive.arm) * cos(beta);
            y = Jet(drive.pivot.y) + Jet(drive.arm) * sin(beta);
        } else {
            const T reach = drive.base + drive.roller;
            x = Jet(sqrt(reach * reach - drive.offset * drive.offset)) + s;
            y = Jet(drive.offset);
        }
        const Jet c = cos(psi), w = sin(psi);
        return shifted<S>(point_from<S>(c * x - w * y, w * x + c * y), -drive.roller);
    }
    [[nodiscard]] CurvePoint<S> flat_point(const T& u) const {
        using std::cos;
        using std::sin;
        const Jet phi(cam_angle(u), phi_rate()), s = lift_by(phi), psi = Jet(T(-drive.turns)) * phi;
        Jet h = Jet(drive.base) + s, angle = psi;
        if (drive.oscillating) {
            const Jet beta = Jet(*rest_angle(drive)) + Jet(T(drive.swing)) * s;
            h = Jet(drive.arm) + Jet(drive.pivot.x) * pawl::cos(beta) +
                Jet(drive.pivot.y) * pawl::sin(beta);
            angle = psi + beta;
        }
        const T turn = angle.rate;
        const T h1 = h.rate / turn, h2 = (h.acceleration - h1 * angle.acceleration) / (turn * turn);
        const Vector n{cos(angle.value), sin(angle.value)};
        const T radius = h.value + h2;
        return {h.value * n + h1 * S::turned(n), n, T(1) / radius, T(1), radius * turn, turn};
    }
    // The lift as a function of u, from its derivatives by the cam angle.
    [[nodiscard]] Jet lift_by(const Jet& phi) const {
        const Jet by_angle = lift(Jet(phi.value, T(1)));
        return {by_angle.value, by_angle.rate * phi.rate,
                by_angle.acceleration * phi.rate * phi.rate};
    }
};

}  // namespace pawl
