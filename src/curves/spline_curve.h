// Splines as curve elements: through points with the length along the chords as parameter, and
// polar, r over the angle. Beyond their ends they go on as parabolas; periodic ones are closed.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "curves/polar_polynomial.h"
#include "math/spline.h"
#include "math/tolerances/geometry.h"

namespace pawl {

// A spline at a fraction of its range, with derivatives by the fraction.
template <class T>
TimeJet<T> spline_at(const CubicSpline<T>& spline, const T& u) {
    using Jet = TimeJet<T>;
    const double low = spline.knots().front(), high = spline.knots().back();
    const Jet x(T(low) + u * T(high - low), T(high - low));
    const auto f = [&](const Jet& x) { return Jet(spline.evaluate(x)); };
    return spline.ends() == Ends::periodic ? f(x) : extended<T>(f, x, low, high);
}

// The knots of a spline as fractions.
template <class T>
std::vector<double> spline_breaks(const CubicSpline<T>& spline) {
    std::vector<double> u = spline.knots();
    const double low = u.front(), length = u.back() - low;
    for (double& x : u) x = (x - low) / length;
    return u;
}

template <class S>
class SplineCurve {
public:
    using T = typename S::Scalar;
    using Vector = typename S::Vector;
    static constexpr std::string_view name = "spline";
    T offset{};  // distance of the parallel curve, outward

    // A periodic spline repeats its first point at the end; it is added when it is missing.
    SplineCurve(std::vector<Vector> points, Ends ends) : points_(std::move(points)), ends_(ends) {
        if (ends_ == Ends::periodic && points_.size() > 2) {
            const Vector d = points_.back() - points_.front();
            const Vector e = points_[1] - points_.front();
            if (value_of(S::dot(d, d)) > tolerance::cusp * value_of(S::dot(e, e)))
                points_.push_back(points_.front());
            else
                points_.back() = points_.front();
        }
        if (problem()) return;
        std::vector<double> along{0};
        std::vector<T> x, y;
        for (std::size_t i = 0; i < points_.size(); ++i) {
            if (i > 0) along.push_back(along.back() + chord(i));
            x.push_back(points_[i].x);
            y.push_back(points_[i].y);
        }
        x_ = std::make_shared<CubicSpline<T>>(along, std::move(x), ends_);
        y_ = std::make_shared<CubicSpline<T>>(std::move(along), std::move(y), ends_);
    }

    [[nodiscard]] const std::vector<Vector>& points() const { return points_; }
    [[nodiscard]] Ends ends() const { return ends_; }
    [[nodiscard]] bool whole() const { return ends_ == Ends::periodic; }
    [[nodiscard]] CurvePoint<S> point(const T& u) const {
        return shifted<S>(point_from<S>(spline_at<T>(*x_, u), spline_at<T>(*y_, u)), offset);
    }
    [[nodiscard]] std::vector<double> breaks() const { return spline_breaks(*x_); }
    [[nodiscard]] std::optional<std::string> problem() const {
        if (points_.size() < (whole() ? 4u : 2u))
            return whole() ? "a periodic spline needs at least three points"
                           : "a spline needs at least two points";
        if (ends_ == Ends::clamped)
            return "a spline through points can be natural or periodic; clamped is for polar ones";
        double along = 0;
        for (std::size_t i = 1; i < points_.size(); ++i) {
            const double next = along + chord(i);
            if (!(chord(i) > 0)) return "two neighbouring points of a spline are the same";
            if (!(next > along && std::isfinite(next)))
                return "a point of a spline is so far away that the other points coincide in "
                       "comparison";
            along = next;
        }
        return std::nullopt;
    }
    [[nodiscard]] SplineCurve moved(const Similarity<S>& map) const {
        std::vector<Vector> points = points_;
        for (Vector& p : points) p = map.of(p);
        SplineCurve m(std::move(points), ends_);
        m.offset = map.scale * offset;
        return m;
    }
    [[nodiscard]] SplineCurve mirrored() const {
        std::vector<Vector> points(points_.rbegin(), points_.rend());
        for (Vector& p : points) p.y = -p.y;
        SplineCurve m(std::move(points), ends_);
        m.offset = offset;
        return m;
    }

private:
    [[nodiscard]] double chord(std::size_t i) const {
        const Vector d = points_[i] - points_[i - 1];
        return std::sqrt(value_of(S::dot(d, d)));
    }

    std::vector<Vector> points_;
    Ends ends_;
    std::shared_ptr<const CubicSpline<T>> x_, y_;  // shared by copies: it never changes
};

template <class S>
class PolarSpline {
public:
    using T = typename S::Scalar;
    using Vector = typename S::Vector;
    using Jet = TimeJet<T>;
    static constexpr std::string_view name = "polar_spline";
    Vector origin;
    T turned{};  // added to all angles
    T offset{};  // distance of the parallel curve, outward

    // Angles all growing, or all falling (the material is then outside). A periodic spline runs
    // over a whole turn.
    PolarSpline(std::vector<double> angles, std::vector<T> radii, Ends ends)
        : angles_(std::move(angles)), radii_(std::move(radii)), ends_(ends) {
        constexpr double round = 2 * std::numbers::pi;
        if (ends_ == Ends::periodic && angles_.size() > 1 && angles_.size() == radii_.size()) {
            const double sweep = angles_.back() - angles_.front();
            if (std::abs(sweep) < round * (1 - tolerance::whole_turn)) {
                angles_.push_back(angles_.front() + std::copysign(round, sweep));
                radii_.push_back(radii_.front());
            } else
                radii_.back() = radii_.front();
        }
        if (problem()) return;
        std::vector<double> along;
        for (const double a : angles_) along.push_back(side() * (a - angles_.front()));
        r_ = std::make_shared<CubicSpline<T>>(std::move(along), radii_, ends_);
    }

    [[nodiscard]] const std::vector<double>& angles() const { return angles_; }
    [[nodiscard]] const std::vector<T>& radii() const { return radii_; }
    [[nodiscard]] Ends ends() const { return ends_; }
    [[nodiscard]] bool whole() const { return ends_ == Ends::periodic; }
    [[nodiscard]] CurvePoint<S> point(const T& u) const {
        const double sweep = angles_.back() - angles_.front();
        const Jet angle(T(angles_.front()) + turned + u * T(sweep), T(sweep));
        return shifted<S>(polar_point<S>(origin, spline_at<T>(*r_, u), angle), offset);
    }
    [[nodiscard]] std::vector<double> breaks() const { return spline_breaks(*r_); }
    [[nodiscard]] std::optional<std::string> problem() const {
        if (angles_.size() != radii_.size()) return "a polar spline needs as many radii as angles";
        if (angles_.size() < 2) return "a polar spline needs at least two angles";
        for (const T& r : radii_)
            if (!(value_of(r) > 0)) return "the radii of a polar spline must be positive";
        for (std::size_t i = 1; i < angles_.size(); ++i)
            if (!(side() * (angles_[i] - angles_[i - 1]) > 0))
                return "the angles of a polar spline must increase or decrease throughout";
        const double sweep = std::abs(angles_.back() - angles_.front());
        if (sweep > 2 * std::numbers::pi * (1 + tolerance::whole_turn))
            return "a polar spline covers more than a whole turn";
        return std::nullopt;
    }
    [[nodiscard]] PolarSpline moved(const Similarity<S>& map) const {
        std::vector<T> radii = radii_;
        for (T& r : radii) r = map.scale * r;
        PolarSpline m(angles_, std::move(radii), ends_);
        m.origin = map.of(origin);
        m.turned = turned + map.angle;
        m.offset = map.scale * offset;
        return m;
    }
    [[nodiscard]] PolarSpline mirrored() const {
        std::vector<double> angles(angles_.rbegin(), angles_.rend());
        for (double& a : angles) a = -a;
        PolarSpline m(std::move(angles), {radii_.rbegin(), radii_.rend()}, ends_);
        m.origin = {origin.x, -origin.y};
        m.turned = -turned;
        m.offset = offset;
        return m;
    }

private:
    [[nodiscard]] double side() const { return angles_.back() < angles_.front() ? -1 : 1; }

    std::vector<double> angles_;
    std::vector<T> radii_;
    Ends ends_;
    std::shared_ptr<const CubicSpline<T>> r_;  // shared by copies: it never changes
};

}  // namespace pawl
