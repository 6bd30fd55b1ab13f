// Guards of closed contacts: when a contact passes the end of an element, which element comes next,
// and the search for the first zero of any guard. Knows equations with contacts, nothing of forces
// or of what follows.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "equations/mechanism_equations.h"
#include "math/tolerances/geometry.h"
#include "results/event.h"

namespace pawl {

// The first time in [t_low, t_high] after which f is negative, known at equally spaced times from
// t_low to t_high by `samples`; the parabola through neighbouring ones shows where it dips and
// comes back in between.
// The time is a little before, within `fine` of the time between two samples.
std::optional<double> first_zero(double t_low, double t_high, std::span<const double> samples,
                                 const std::function<double(double)>& f,
                                 double fine = tolerance::guard_time);

// The rate of a function where it was last seen before it falls below zero, at `end`, from the last
// place before that was not nearer than `apart`; 0 where there is none, or it is not near zero
// there, or does not fall: it jumps.
double falling_rate(std::span<const std::pair<double, double>> seen, double end, double apart);

struct EndPassed {
    double t = 0;
    std::size_t contact = 0;  // in the contacts of the equations
    int side = 0;             // profile a (0) or b (1)
    int direction = 0;        // +1 beyond the end, -1 before the beginning
    double beyond = 0;        // by which fraction: of a corner that is one end of a side pressed in
};

// Finds the first end of an element that a contact passes.
class EndWatch {
public:
    // The equations are at the begin of the next interval: what is seen there need not be looked at
    // again.
    void begin(MechanismEquations<PlanarSpace>& equations);
    // Of the contacts of the equations; `set_position` puts the equations at a time. `begun`: at
    // the low end it was done by begin.
    std::optional<EndPassed> first(MechanismEquations<PlanarSpace>& equations, double t_low,
                                   double t_high, const std::function<void(double t)>& set_position,
                                   bool begun = false);

private:
    struct Guard {
        std::size_t contact;
        int side, direction;
        double beyond;
    };
    struct Seen {
        int pair, a, b;
        bool compliant;
    };
    void collect(MechanismEquations<PlanarSpace>& equations);
    [[nodiscard]] static double room(const Guard& guard,
                                     MechanismEquations<PlanarSpace>& equations);
    void look(std::size_t k, MechanismEquations<PlanarSpace>& equations);
    // How far the bodies have turned since.
    void remember_angles(const Coordinates<PlanarSpace>& coordinates);
    [[nodiscard]] double largest_turn(const Coordinates<PlanarSpace>& coordinates) const;
    [[nodiscard]] bool stays() const;

    std::vector<Seen> seen_;  // the contacts that the guards belong to
    std::vector<Guard> guards_;
    std::size_t parts_ = 0;
    std::vector<double> samples_;  // guard by guard, at equally spaced times
    std::vector<double> first_;    // sample 0 of each guard
    std::vector<double> angles_;   // of the bodies at the low end
};

// Neighbours that meet inward at less than this angle, rad, count as tangent: rounding of the data
// of curves. A contact passes on over such a junction with its normal turned by no more.
inline constexpr double tangent_angle = tolerance::tangent_angle;

// Moves a contact on to the element beyond the end that it has reached, at the position that is
// set. False, and unchanged, when nothing beyond touches at the same point with the same normal.
bool move_on(MechanismEquations<PlanarSpace>& equations, const EndPassed& passed, double touching);

// Where the end that a pressed contact has reached is itself pressed in beside it: into what comes
// before or after the other element, along the same normal. At the position that is set.
std::optional<ContactPoint<PlanarSpace>> point_at_end(MechanismEquations<PlanarSpace>& equations,
                                                      const EndPassed& passed);

// "arc 2" and "arc 2 on circle 0".
std::string element_text(const PlanarMechanism& mechanism, const ContactPoint<PlanarSpace>& point,
                         int side);
std::string elements_text(const PlanarMechanism& mechanism, const ContactPoint<PlanarSpace>& point);
// "curvilinear coordinate of profile 'cam' reaches 3": the contact is the one before moving on.
fact::EndReached end_reached(const PlanarMechanism& mechanism,
                             const ContactPoint<PlanarSpace>& before, const EndPassed& passed);

}  // namespace pawl
