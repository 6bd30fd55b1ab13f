// One step of Moreau's time stepping (Moreau 1988, Jean 1999): impacts, contacts and friction of a
// whole step are one problem for the velocities at its end, whatever happens inside it.
//   q_m = q + h/2 v,   M (v+ - v) = h f + G^T s + N^T p + T^T c   at q_m,   q+ = q_m + h/2 v+,
// with the impulses p and c of the contacts within reach (ConeProblem), N v+ >= b:
//   b = -e N v    of a contact with restitution e that comes nearer faster than the bound below,
//   b = -gap/h    else: what is open may close, what has sunk comes back, but no faster than forces
//                 change velocities in a step, so that it adds next to no energy.
// Since q+ - q = h (v + v+)/2, an impulse does the work p (N v + N v+)/2 exactly where M and the
// forces are constant. Rows of joints and drivers are then made to hold exactly by the projection.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/contact/cone_problem.h"
#include "math/tolerances/solving.h"
#include "simulation/stepping/dynamic_run.h"
#include "simulation/stepping/dynamic_systems.h"
#include "simulation/time_stepping/near_contacts.h"

namespace pawl {

// What of a mechanism time stepping does not know, in words; empty: nothing.
std::string unknown_to_time_stepping(const PlanarMechanism& mechanism, Span& where);

class MoreauStep {
public:
    static constexpr double tolerance = tolerance::cone_residual;  // of the cone problem, relative

    MoreauStep(const PlanarMechanism& mechanism, DynamicSystem& system);

    // What a contact has done in the last step.
    struct Contact {
        int pair = -1, a = 0, b = 0;     // elements
        Touch<PlanarSpace> touch;        // in the middle of the step
        double normal = 0, tangent = 0;  // impulses, N s
        double closing[2]{}, slip[2]{};  // before and after
    };
    enum class Outcome { stepped, massless, not_finite, lost };
    // From the state to that at t + h; `impulse` acts besides (generalized; may be empty). On
    // anything but `stepped` the state is that of before.
    Outcome advance(State& state, double h, std::span<const double> impulse);
    [[nodiscard]] const std::vector<Contact>& contacts() const { return contacts_; }
    // The mean acceleration of the last step.
    [[nodiscard]] const std::vector<double>& acceleration() const { return acceleration_; }
    [[nodiscard]] const TimeSteppingStatistics& statistics() const { return statistics_; }
    // What forces have added to velocities in it at most, m/s.
    [[nodiscard]] double gain() const { return still_; }
    // Deepest point in it, m; and its pair.
    [[nodiscard]] double deepest() const { return deepest_; }
    [[nodiscard]] int deepest_pair() const { return deepest_pair_; }
    void remember(Memory& memory);

private:
    struct Key {  // of a contact, from step to step
        int pair, a, b, number;
        auto operator<=>(const Key&) const = default;
    };
    void set_blocks();
    Outcome set_middle(const State& state, double h, std::span<const double> impulse);
    void note(const ConeProblem::Outcome& outcome, double t);
    void put_inertia();
    void put_rows();
    void put_contacts(double h);
    ConeProblem::Outcome solve();
    [[nodiscard]] double bound_of(const NearContact& contact, double h, double recovery) const;
    [[nodiscard]] double friction_of(const NearContact& contact) const;
    void take_work(const State& before, State& after, double h);
    void take_contacts();

    const PlanarMechanism& mechanism_;
    AuxiliaryLayout layout_;
    DynamicSystem& system_;
    NearContacts near_;
    ConeProblem cone_;
    struct Blocks {
        std::vector<int> sizes;
        std::vector<int> of, slot;   // per column: its block, its position there
        std::vector<int> candidate;  // per column: in the vectors of the cone problem
    } blocks_;
    std::vector<int> driver_rows_;
    std::vector<double> momentum_, coefficients_;
    std::map<Key, std::pair<double, double>> last_;  // impulses over h
    std::vector<double> last_rows_;
    std::vector<Key> keys_;
    std::vector<Contact> contacts_;
    std::vector<double> acceleration_;
    TimeSteppingStatistics statistics_;
    double deepest_ = 0, still_ = 0;
    int deepest_pair_ = -1;
};

}  // namespace pawl
