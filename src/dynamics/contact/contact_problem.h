// Which of the touching contacts hold, and with what forces or impulses: complementarity problems
// on the responses of the mechanism to forces along the contacts, with joints and drivers
// eliminated. Serves every formulation.
#pragma once

#include <span>
#include <vector>

#include "dynamics/contact/complementarity.h"
#include "dynamics/formulations/dynamics.h"

namespace pawl {

class ContactProblem {
public:
    // Rows `rows` of `touching` are the contacts' normals, then those of friction points; `base`
    // has the same coordinates and all the other rows, which come first in `touching`.
    ContactProblem(Dynamics& base, Equations& touching, std::vector<int> rows, int contacts);

    // Response matrix and velocities of the rows at the state. False when it has no inertia.
    bool set_state(const State& state);
    // The velocities only.
    void set_velocity(const State& state);
    [[nodiscard]] const Eigen::MatrixXd& response() const { return response_; }
    [[nodiscard]] const Eigen::VectorXd& velocity() const { return rate_; }  // of all rows

    enum class Impacts { simultaneous, sequential };
    // Impulses that end every approach: v+ >= e max(0, -v-), impulse >= 0, one of the two tight.
    // Approaches slower than `still` count as none. `ray`: rows that cannot yield, as two
    // drivers that fight.
    ComplementarityOutcome find_impulses(const Eigen::VectorXd& restitution, Impacts impacts,
                                         double still);
    [[nodiscard]] const Eigen::VectorXd& impulse() const { return impulse_; }
    [[nodiscard]] const Eigen::VectorXd& velocity_after() const { return after_; }
    [[nodiscard]] int blows() const { return blows_; }  // of the last impulses found in sequence
    // Instead: given impulses along all rows, with the work of each.
    void set_impulses(const Eigen::VectorXd& impulse, const Eigen::VectorXd& work);
    // Besides: the smallest impulses of either sign that then bring these rows to rest.
    void stop(const std::vector<int>& rows);
    // Work of each impulse: half of it times the velocities before and after; summed over the
    // impacts of a sequence.
    [[nodiscard]] const Eigen::VectorXd& impulse_work() const { return work_; }
    // Adds the impulses to the state's velocities; `work` gets the work of each driver.
    void apply(State& state, std::span<double> work) const;

    // Accelerations of the rows without forces along them; false when there is no solution. Then
    // the loads of the friction points, without and per unit of such forces.
    bool find_free(const State& state);
    void find_loads(const State& state, Eigen::VectorXd& first, Eigen::MatrixXd& slope);
    // The multipliers of the rows of the base with such forces, one of each row.
    [[nodiscard]] std::vector<double> base_multipliers(const Eigen::VectorXd& force) const;

    // Forces at rest contacts: those of `candidates` with gap'' >= 0, force >= 0, one of the two
    // zero.
    // With `share` contacts that stay closed without being pressed take part in the force where
    // they can; their rows depend on each other, so that they stay closed together only at rest.
    ComplementarityOutcome find_forces(const State& state, std::span<const int> candidates,
                                       bool share);
    // The same, after find_free at the state.
    ComplementarityOutcome press(std::span<const int> candidates, bool share);
    [[nodiscard]] const Eigen::VectorXd& force() const { return force_; }  // of each contact
    [[nodiscard]] const Eigen::VectorXd& acceleration() const {
        return gap_acceleration_;
    }  // gap'' with these forces
    // Forces that would keep all the candidates closed, whatever their sign; the smallest where
    // they are not determined.
    [[nodiscard]] const Eigen::VectorXd& keeping_force() const { return keeping_; }
    // The contacts that hold.
    [[nodiscard]] const std::vector<int>& holding() const { return holding_; }

private:
    void finish_impulses();
    ComplementarityOutcome press_one(int contact, bool share);

    Dynamics& base_;
    Equations& touching_;
    std::vector<int> rows_;
    int contacts_;
    Eigen::MatrixXd response_;
    std::vector<std::vector<double>> answers_;  // velocities per unit impulse, per contact
    std::vector<std::vector<double>>
        driver_answers_;                            // impulses of the drivers, times their speeds
    std::vector<std::vector<double>> row_answers_;  // impulses of the rows of the base
    Eigen::VectorXd rate_, impulse_, after_, work_, force_, gap_acceleration_, keeping_;
    std::vector<int> holding_;
    int blows_ = 0;
};

}  // namespace pawl
