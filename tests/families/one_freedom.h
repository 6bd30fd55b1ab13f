// The reference of a linkage with one degree of freedom, written apart from the program: positions
// of all bodies as functions of one parameter s that runs smoothly through singular positions, and
// Lagrange's equation
//   A s'' + B s'^2 = Q,   A = sum m p'.p' + I a'^2,   B = sum m p'.p'' + I a' a'',
// with p(s) the centre and a(s) the angle of a body.
#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <string>
#include <vector>

namespace pawl::test {

// A value with its first two derivatives in s.
struct Jet {
    double v = 0, d = 0, dd = 0;
    friend Jet operator+(Jet a, Jet b) { return {a.v + b.v, a.d + b.d, a.dd + b.dd}; }
    friend Jet operator-(Jet a, Jet b) { return {a.v - b.v, a.d - b.d, a.dd - b.dd}; }
    friend Jet operator*(Jet a, Jet b) {
        return {a.v * b.v, a.d * b.v + a.v * b.d, a.dd * b.v + 2 * a.d * b.d + a.v * b.dd};
    }
    // f(a) with the derivatives of f at a.v.
    static Jet of(Jet a, double f, double df, double ddf) {
        return {f, df * a.d, ddf * a.d * a.d + df * a.dd};
    }
};
inline Jet sin(Jet a) { return Jet::of(a, std::sin(a.v), std::cos(a.v), -std::sin(a.v)); }
inline Jet cos(Jet a) { return Jet::of(a, std::cos(a.v), -std::sin(a.v), -std::cos(a.v)); }
inline Jet asin(Jet a) {
    const double c = 1 / std::sqrt(1 - a.v * a.v);
    return Jet::of(a, std::asin(a.v), c, a.v * c * c * c);
}
inline Jet atan(Jet a) {
    const double c = 1 / (1 + a.v * a.v);
    return Jet::of(a, std::atan(a.v), c, -2 * a.v * c * c);
}
inline Jet inverse(Jet a) { return Jet::of(a, 1 / a.v, -1 / (a.v * a.v), 2 / (a.v * a.v * a.v)); }

struct JetPose {
    Jet x, y, angle;
};

struct Part {
    std::string name;
    double mass = 1, inertia = 1;
    std::complex<double> centre;
    double stiffness = 0, damping = 0, free = 0;  // of a spring between its angle and ground
};

struct OneFreedom {
    std::vector<Part> parts;
    std::function<void(Jet s, std::vector<JetPose>&)> poses;
    double gravity = 9.81;
    double start = 0, rate = 0;       // s and s' at t = 0
    double singular = 0, period = 0;  // singular positions: s = singular + k period

    // s'' at s and s'.
    [[nodiscard]] double acceleration(double s, double rate) const;
    [[nodiscard]] std::vector<JetPose> at(double s) const;
};

// Goes forward in time only.
class ReferenceMotion {
public:
    ReferenceMotion(const OneFreedom& linkage, double start, double rate, double tolerance);
    void advance(double t);
    [[nodiscard]] double t() const { return t_; }
    [[nodiscard]] double s() const { return y_[0]; }
    [[nodiscard]] double rate() const { return y_[1]; }

private:
    using Pair = std::array<double, 2>;
    const OneFreedom* linkage_;
    double t_ = 0, h_ = 1e-4, tolerance_;
    Pair y_;
};

struct Pass {
    double t = 0, rate = 0;
};
// What the judge and the generator know of a motion from 0 to end.
struct Course {
    std::vector<Pass> passes;   // singular positions
    double nearest_turn = 1e9;  // the motion reverses so far (in s) from a singular position
    double fastest = 0;         // largest |s'|
    double sensitivity = 1;     // change of s per relative change of speed or per radian of start
};
Course course(const OneFreedom& linkage, double end);

}  // namespace pawl::test
