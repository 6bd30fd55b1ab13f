// The columns of the contacts in a trajectory: per point gap, both curvilinear coordinates, normal
// force with its static and dynamic part, slip speed, whether it is closed, the point (on a) and
// the direction of the normal (outward from a), the pressure angle; with friction its force, mode
// and moment against rolling. Which points there are is known only at the end of a run.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "events/gap_watch.h"
#include "math/memory.h"
#include "math/spool.h"
#include "results/trajectory.h"

namespace pawl {

class ContactColumns {
public:
    explicit ContactColumns(const PlanarMechanism& mechanism, const SpoolLocation& location = {});

    struct PointForces {
        double normal = 0, at_rest = NAN, friction = 0, rolling = 0;
        double mode = 0;  // direction of sliding; 0: sticks
    };
    // A closed contact in a row; forces that are not known are NaN.
    void add_closed(std::size_t row, const ContactPoint<PlanarSpace>& point,
                    const PointForces& forces);
    // The nearest point of each pair of which no point is closed in the row; returns the deepest
    // penetration among them.
    double add_open(std::size_t row, const Coordinates<PlanarSpace>& coordinates, GapWatch& watch);
    void remember(Memory& memory) { memory(entries_, points_); }
    // Adds the columns to the trajectory; cells without a value are NaN.
    void widen(Trajectory& trajectory) const;

private:
    struct Entry {
        std::size_t row;
        int pair, number;
        double values[15];
        void remember(Memory& memory) { memory(row, pair, number, values); }
    };
    // How a joint to the ground lets the body move that a contact moves: turn about a pivot, or
    // slide along an axis.
    struct Guide {
        PlanarSpace::Vector pivot, axis;
        bool turns = false;
        std::size_t side = 0;  // of the pair: 0 a, 1 b
    };
    [[nodiscard]] std::optional<Guide> guide_of(int body) const;
    [[nodiscard]] bool is_driven(int body) const;
    // Between the normal and the way of the touching point, of a roller (circle or arc) of its
    // centre: 0 to 90 degrees; NaN without a guide.
    [[nodiscard]] double pressure_angle(const ContactPoint<PlanarSpace>& point) const;
    void add(const Entry& entry);

    const PlanarMechanism& mechanism_;
    std::vector<std::optional<Guide>> guides_;  // of the pairs

    Spool<Entry> entries_;                     // by rows
    std::vector<std::pair<int, int>> points_;  // pairs and numbers so far, sorted
    std::vector<int> closed_;                  // pairs with a closed point in the row at hand
    std::size_t row_ = 0;                      // at hand
};

}  // namespace pawl
