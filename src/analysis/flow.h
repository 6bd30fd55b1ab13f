// The motion as a map from the state at one time to that at another, through all events, and states
// near each other as vectors. Knows the dynamic run, not what the map is used for.
#pragma once

#include <Eigen/Dense>

#include "results/event.h"
#include "simulation/sensitivity/neighbours.h"
#include "simulation/sensitivity/tangent_run.h"
#include "simulation/stepping/dynamic_run.h"

namespace pawl {

// A run from a state, with the derivatives of its end by that state.
struct FlowTangent {
    DynamicResult run;
    Eigen::MatrixXd at_start, at_end;  // for each direction
    Eigen::VectorXd rates;             // of the vector of the state, as it goes on from the start
    double error = 0;                  // of at_end, relative: an estimate
    // Where there is no derivative, and why.
    std::optional<MissingDerivative> missing;
};

class Flow {
public:
    // Of the options, `end` and `start` are not used.
    Flow(const PlacedMechanism& placed, DynamicOptions options);

    // A run from the start of the model, or from where another one ended, to a time. At its own
    // time a start is only brought onto its constraints.
    [[nodiscard]] DynamicResult to(double t) const { return run({}, t); }
    [[nodiscard]] DynamicResult from(const DynamicStart& start, double t) const {
        return run(start, t);
    }

    // With its derivatives along directions, which are brought onto the constraints at the start.
    [[nodiscard]] FlowTangent tangent(const DynamicStart& start, double t,
                                      const Eigen::MatrixXd& directions);

    // A state as one vector of lengths: an angle counts as one along the model's size, a velocity
    // as the way it makes in the time of a fall through the size; the user's states as they are.
    [[nodiscard]] Eigen::VectorXd vector_of(const State& state) const;
    // Of a component of such a vector, as "crank" or "crank, rate"; angles as lengths too.
    [[nodiscard]] std::string name_of(Eigen::Index component) const;
    // Moved by such a vector. Where constraints curve, only from() brings it onto
    // them again.
    [[nodiscard]] DynamicStart moved(const DynamicStart& start, const Eigen::VectorXd& by) const;
    // Orthonormal directions in which a state can move: z along those that the rows of joints,
    // drivers and closed rigid contacts leave free, for positions and velocities alike. On states
    // that satisfy the constraints z^T (x - x0) is one to one near x0, though the directions of
    // velocities turn with the position.
    [[nodiscard]] Eigen::MatrixXd directions(const DynamicStart& start) const;
    // Whole turns between two states, as a vector of lengths: angles that differ by them are one.
    [[nodiscard]] Eigen::VectorXd whole_turns(const Eigen::VectorXd& difference) const;

    // A coordinate by its name ("wheel.x" of a free body), -1 where there is none; how long a
    // change of a component is.
    [[nodiscard]] Eigen::Index find(std::string_view coordinate) const;
    [[nodiscard]] double length_of(Eigen::Index component, double change) const {
        return scale_[component] * change;
    }
    [[nodiscard]] bool is_angle(Eigen::Index coordinate) const {
        return is_angle_[static_cast<std::size_t>(coordinate)] != 0;
    }
    [[nodiscard]] const std::vector<std::string>& coordinates() const { return names_; }

    [[nodiscard]] double size() const { return placed_.assembly.model_size; }

private:
    [[nodiscard]] DynamicResult run(std::optional<DynamicStart> start, double t,
                                    RunCourse* course = nullptr) const;
    [[nodiscard]] State shift_of(const Eigen::VectorXd& vector, const State& state) const;

    PlacedMechanism placed_;  // with every play opened, as the runs have it
    DynamicOptions options_;
    std::unique_ptr<Neighbours> neighbours_;
    Eigen::VectorXd scale_;       // of each component, in lengths
    std::vector<char> is_angle_;  // per coordinate
    std::vector<std::string> names_;
};

// A run that continues from another determines what slides and what sticks at its start, though
// nothing has changed.
bool is_repeated_at_start(const Event& event, double start);
// Whether two runs passed the same events in the same order.
bool same_events(const std::vector<Event>& a, const std::vector<Event>& b);

}  // namespace pawl
