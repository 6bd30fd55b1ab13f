// A path of equilibria through position and time: each point with its stability and tangent, the
// next point at a given distance along it, also where time turns back (a limit point), and the one
// at a given time. Knows the balance only; no run, no output.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include <Eigen/Dense>

#include "math/tolerances/motion.h"
#include "simulation/equilibrium/equilibrium_system.h"

namespace pawl {

// An equilibrium on the path. Lengths of the path are measured in w = (y/size, t/end).
struct PathPoint {
    double t = 0;
    Eigen::VectorXd y;
    Eigen::VectorXd dy;  // unit tangent: of y/size
    double dt = 1;       // and of t/end; positive
    double lowest = 1;   // eigenvalue of the stiffness, N/m; 1 when no degree of freedom is left
    double force_scale = 0;                         // N, largest force or stiffness x size
    int unstable = 0, neutral = 0;                  // directions
    Eigen::VectorXd weakest;                        // direction of the lowest stiffness, of y
    EquilibriumSystem::ContactFractions fractions;  // of the contacts
};

// The cosine between the tangents of two points.
inline double along(const PathPoint& a, const PathPoint& b) { return a.dy.dot(b.dy) + a.dt * b.dt; }

// A walk along the path: the point it has come to, and the distance it tries next.
struct PathWalk {
    static constexpr double first_step = 0.02, longest_step = 0.1,
                            shortest_step = tolerance::shortest_path_step;
    PathPoint node;
    double step = first_step;
};

class EquilibriumPath {
public:
    // `end` scales time on the path; loads change little in `step`.
    EquilibriumPath(EquilibriumSystem& balance, double end, double step)
        : balance_(balance), end_(end), step_(step) {}

    // The point where the balance is set.
    [[nodiscard]] PathPoint here();
    // The equilibrium in the plane across the tangent at distance s from a point; nothing when
    // Newton's method does not converge there or ends farther than s/2 from the tangent.
    [[nodiscard]] std::optional<PathPoint> at(const PathPoint& from, double s);

    // The equilibrium at a time, near y: Newton's method with time fixed.
    [[nodiscard]] std::optional<PathPoint> near(Eigen::VectorXd y, double t);
    // The equilibrium at exactly `target`, which the path passes within s of a point.
    [[nodiscard]] std::optional<PathPoint> at_time(const PathPoint& from, double s, double target);

    using Measure = std::function<double(const PathPoint&)>;
    // The distance in (0, s] from a point at which a measure, positive there and not at `end`,
    // passes zero: |measure| <= tolerance.
    [[nodiscard]] std::optional<std::pair<double, PathPoint>> root(const PathPoint& from, double s,
                                                                   const PathPoint& end,
                                                                   double tolerance,
                                                                   const Measure& measure);
    // Whether the step of length s between two stable points is too long to trust: the tangent
    // turns, or a pair of limit points may hide in it.
    [[nodiscard]] bool bends(const PathPoint& a, const PathPoint& b, double s) const;

private:
    EquilibriumSystem& balance_;
    double end_, step_;
};

}  // namespace pawl
