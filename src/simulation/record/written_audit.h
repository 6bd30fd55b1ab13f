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

#include "results/audit.h"
#include "results/event.h"
#include "results/trajectory.h"
#include "simulation/placement/assembly.h"
#include "simulation/record/written_balance.h"
#include "simulation/record/written_columns.h"

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
    using BodyMotion = WrittenColumns::BodyMotion;
    using PointColumns = WrittenColumns::PointColumns;
    using Touching = WrittenColumns::Touching;
    void take_values(std::size_t row);

    [[nodiscard]] bool shows_motion(std::size_t row) const;
    [[nodiscard]] bool is_at_switch(double t) const;
    void judge_motion(std::size_t row);
    void judge_column(std::size_t row, int x, int v, int a, double unit, const std::string& name);
    void judge_contacts(std::size_t row);
    void judge_friction(std::span<const double> row, const PointColumns& c);
    void judge_impacts();
    void judge_impact(const Event& event, std::size_t before, std::size_t after);
    using Rows = std::array<std::span<const double>, 2>;  // before and after an impact
    struct Struck {
        int pair = -1;
        Touching touching;
    };
    [[nodiscard]] bool is_on_elements(std::span<const double> row, const PointColumns& c,
                                      const std::string& elements) const;
    [[nodiscard]] Struck struck_by(const Event& event, const Rows& rows) const;
    void judge_impulse(const Rows& rows, int body, double mu, Vector n, double side,
                       const std::string& name);

    ValuesAt values_;
    std::unique_ptr<PlacedMechanism> changing_;  // where values change
    const PlacedMechanism& placed_;
    const PlanarMechanism& mechanism_;
    const Trajectory& trajectory_;
    std::span<const long> step_of_row_;
    const std::vector<Event>& events_;
    double tolerance_, size_;
    WrittenColumns columns_;
    WrittenBalance balance_;
    bool shows_motion_ = false;
    Worst motion_, touching_, restitution_, friction_, impulse_;
    double largest_friction_ = 0;
};

}  // namespace pawl
