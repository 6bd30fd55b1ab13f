// The columns that a dynamic run has written, found by their names and read as motions of bodies
// and points of contact. Knows the model and the table, nothing of the run.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "mechanism/mechanism.h"
#include "results/trajectory.h"

namespace pawl {

struct WrittenColumns {
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

    WrittenColumns(const PlanarMechanism& mechanism, const Trajectory& trajectory);

    [[nodiscard]] BodyMotion motion_of(std::span<const double> row, int body) const;
    [[nodiscard]] Vector velocity_at(std::span<const double> row, int body, Vector p) const;
    [[nodiscard]] Touching touching_at(std::span<const double> row, const PointColumns& c) const;

    // Where the columns of each begin; -1 where there are none.
    std::vector<int> bodies, joints, couplings, joint_friction, drivers, states;
    std::vector<PointColumns> points;
    std::vector<char> judged;  // per body: all forces on it are written
    std::vector<char> free;    // per body: no joint holds it
    bool has_reactions = false;

private:
    void find_points(const std::vector<Column>& columns);
    [[nodiscard]] Touching touching_on(std::span<const double> row, const PointColumns& c,
                                       std::array<int, 2> elements) const;

    const PlanarMechanism& mechanism_;
};

}  // namespace pawl
