// The reference of a four-bar that nearly folds flat. Its angles x = (crank, coupler, rocker) move
// on a smooth curve, however sharply it turns: along the unit vector u of
//   w = (sin(coupler - rocker)/a, sin(rocker - crank)/b, sin(coupler - crank)/c),
// the cross product of the two rows of the loop, divided by the lengths a, b, c. With x' = u s',
// virtual work along u gives s''. Written apart from the program.
#pragma once

#include <array>
#include <complex>

#include "families/family.h"

namespace pawl::test {

using Triple = std::array<double, 3>;

struct Bar {
    double length = 1, mass = 1, inertia = 1;
    std::complex<double> centre;
};

struct Fourbar {
    double ground = 1;
    std::array<Bar, 3> bars;             // crank, coupler, rocker
    double gravity = 9.81, damping = 0;  // of the crank's pivot
    Triple start{};
    double speed = 0;  // s' at t = 0
    double end = 1;

    [[nodiscard]] Triple across(const Triple& x) const;     // w
    [[nodiscard]] Triple direction(const Triple& x) const;  // u
    // x'' at x, with x' = u rate; and s''.
    Triple acceleration(const Triple& x, double rate, double& along) const;
    // Brings the angles on the loop, by least change.
    void close(Triple& x) const;
    [[nodiscard]] std::string text() const;
};

// Goes forward in time only.
class CircuitMotion {
public:
    CircuitMotion(const Fourbar& fourbar, Triple start, double speed, double tolerance);
    void advance(double t);
    [[nodiscard]] Triple angles() const { return {y_[0], y_[1], y_[2]}; }
    [[nodiscard]] double rate() const { return y_[3]; }
    // The least size of w since the last call of advance.
    [[nodiscard]] double nearest() const { return nearest_; }

private:
    const Fourbar& fourbar_;
    double t_ = 0, h_ = 1e-5, tolerance_, nearest_ = 1;
    std::array<double, 4> y_;
};

struct CircuitCourse {
    int turns = 0;              // sharp ones
    double slowest_turn = 1e9;  // |s'| there
    double last_turn = 0;       // s
    double fastest = 0, sensitivity = 1;
};
CircuitCourse course(const Fourbar& fourbar);

}  // namespace pawl::test
