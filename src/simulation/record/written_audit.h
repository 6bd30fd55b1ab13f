// What a dynamic run has written, judged after it from the columns, the events and the model alone:
// positions, velocities and accelerations against each other, Newton and Euler of each body, points
// of contact on their curves, restitution, friction. Knows neither solvers nor modes.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "equations/mechanism_equations.h"
#include "results/audit.h"
#include "results/event.h"
#include "results/trajectory.h"
#include "simulation/placement/assembly.h"

namespace pawl {

class WrittenAudit {
public:
    // Puts the values that the model had at a row into a mechanism; true where more than inputs
    // have changed since it was asked last. Empty where they never change.
    using ValuesAt = std::function<bool(std::size_t row, PlanarMechanism& mechanism)>;

    // `step_of_row`: in how many steps the integrator came to each row.
    WrittenAudit(const PlacedMechanism& placed, const Trajectory& trajectory,
                 std::span<const long> step_of_row, const std::vector<Event>& events,
                 double tolerance, ValuesAt values);
    void add_checks(Audit& audit);

private:
    using Space = PlanarSpace;
    using Vector = Space::Vector;
    struct BodyMotion {
        Space::Position position;
        Space::Twist velocity, acceleration;
    };
    // The columns of a point of contact.
    struct PointColumns {
        int pair = 0, number = 1;
        int gap = -1, a = -1, b = -1, normal = -1, slip = -1, closed = -1, friction = -1, mode = -1,
            rolling = -1;
    };
    // A point of contact in a row, from the curves and the written poses.
    struct Touching {
        Vector p[2], n;      // ground axes; the normal is that of a
        bool known = false;  // the elements are: not at a junction of two of them
        double apart = 0;    // along the normal, of p[1] from p[0]
        double beside = 0;   // across it
    };
    void make_equations();
    void take_values(std::size_t row);
    void find_columns();
    [[nodiscard]] BodyMotion motion_of(std::span<const double> row, int body) const;
    [[nodiscard]] Touching touching_on(std::span<const double> row, const PointColumns& c,
                                       std::array<int, 2> elements) const;
    [[nodiscard]] Touching touching_at(std::span<const double> row, const PointColumns& c) const;
    [[nodiscard]] Vector velocity_at(std::span<const double> row, int body, Vector p) const;

    [[nodiscard]] bool shows_motion(std::size_t row) const;
    void judge_motion(std::size_t row);
    void judge_column(std::size_t row, int x, int v, int a, double unit, const std::string& name);
    void judge_balance(std::size_t row);
    void add_joint_forces(std::span<const double> row, std::vector<Space::Wrench>& sum);
    void add_contact_forces(std::span<const double> row, std::vector<Space::Wrench>& sum);
    void judge_contacts(std::size_t row);
    void judge_friction(std::span<const double> row, const PointColumns& c);
    void judge_impacts();
    void judge_impact(const Event& event, std::size_t before, std::size_t after);
    using Rows = std::array<std::span<const double>, 2>;  // before and after an impact
    void judge_impulse(const Rows& rows, int body, const ContactPair<Space>& pair, Vector n,
                       double side, const std::string& name);

    ValuesAt values_;
    std::unique_ptr<PlacedMechanism> changing_;  // where values change
    const PlacedMechanism& placed_;
    const PlanarMechanism& mechanism_;
    const Trajectory& trajectory_;
    std::span<const long> step_of_row_;
    const std::vector<Event>& events_;
    double tolerance_, size_;
    std::unique_ptr<MechanismEquations<Space>> equations_;
    std::vector<int> body_column_, joint_column_, joint_friction_, driver_column_, state_column_;
    std::vector<PointColumns> points_;
    std::vector<char> judged_, judged_now_;  // per body: its balance, always and in a row
    std::vector<char> free_;                 // per body: no joint holds it
    bool has_reactions_ = false, shows_motion_ = false;
    Worst motion_, balance_, touching_, restitution_, friction_, impulse_;
    double largest_force_ = 0, largest_friction_ = 0;
    std::vector<double> q_, v_, z_;
};

}  // namespace pawl
