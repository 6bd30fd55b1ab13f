// Equations -> rates: the interface of the equation solvers, and the projection on the constraints
// that they share. Below the waist: coordinates, inertia, forces and rows; no bodies.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dynamics/response/row_response.h"
#include "dynamics/response/sliding.h"
#include "equations/equations.h"
#include "math/memory.h"
#include "mechanism/run_settings.h"
#include "results/state.h"

namespace pawl {

enum class RateOutcome {
    solved,
    massless,    // a coordinate has no inertia
    not_finite,  // a force or row is not finite
    painleve,    // no friction force fits the sliding: its equations have no solution
};

class Dynamics {
public:
    explicit Dynamics(Equations& equations);
    virtual ~Dynamics() = default;
    Dynamics(const Dynamics&) = delete;
    Dynamics& operator=(const Dynamics&) = delete;

    [[nodiscard]] Equations& equations() { return equations_; }
    [[nodiscard]] RowResponse& response() { return response_; }

    // Accelerations v' and multipliers lambda of all rows at (q, v, z, t); leaves the equations set
    // there.
    virtual RateOutcome respond(double t, std::span<const double> q, std::span<const double> v,
                                std::span<const double> z) = 0;
    [[nodiscard]] const std::vector<double>& acceleration() const { return acceleration_; }
    [[nodiscard]] const std::vector<double>& multipliers() const { return multipliers_; }
    // Friction of the points that slide, as of the last respond.
    [[nodiscard]] const SlidingFriction& sliding() const { return sliding_; }

    // Rates of the auxiliary states after respond: the equations' own, then the power of each
    // driver.
    void auxiliary_rates(std::span<double> dz) const;

    // The integrated vector: (q, v, z) unless the formulation has momenta instead of velocities.
    [[nodiscard]] virtual int size() const;
    // Whether the integrated vector holds momenta in the place of velocities.
    [[nodiscard]] virtual bool has_momenta() const { return false; }
    [[nodiscard]] int auxiliary_size() const {
        return equations_.state_size() + static_cast<int>(driver_rows_.size());
    }
    virtual void pack(const State& state, std::span<double> y);
    virtual void unpack(std::span<const double> y, State& state);  // at state.t
    virtual RateOutcome rates(double t, std::span<const double> y, std::span<double> dy);
    // Keeps the rates at the state of the last respond, which was solved: they will be asked for
    // again.
    void remember_rates(const State& state);
    [[nodiscard]] bool remembers(const State& state) const {
        return state.t == remembered_at_ &&
               std::equal(state.q.begin(), state.q.end(), remembered_.begin());
    }
    // The equations have become others.
    void forget_rates() { remembered_at_ = NAN; }
    // Which coordinates are independent may be chosen anew between steps. True when it was: y must
    // be packed again, and size() may differ. To be called before the first size().
    virtual bool refresh(const State&) { return false; }

    // What the choice of the integrated vector has settled on, and the other way: nothing yet.
    virtual void remember(Memory&) {}
    virtual void forget() {}

    // Near a singular position an error e of the position is answered with accelerations of e over
    // the angle to dependence. The rates are then those of the nearest state on the constraints,
    // which is found to rounding. Part of the mode: set between steps.
    void set_near_singular(bool near) { near_singular_ = near; }
    [[nodiscard]] bool near_singular() const { return near_singular_; }

    // Nearest position and velocity on the constraints, in the metric of the masses. Returns the
    // largest correction of position that was made (m); negative when it did not converge.
    virtual double project(State& state);
    // Position, inertia and the response of the rows at a state; false when there is no inertia.
    bool set_position(const State& state);
    // x: a generalized impulse -> the velocities it adds, with the rows' own answer to it; after
    // set_position. `work` gets the work of each driver: its impulse times its speed.
    void answer_impulse(std::span<double> x, std::vector<double>& work);
    // v: velocities -> those that impulses along the rows bring onto them, as in an inelastic
    // impact; after set_position. `asked` gets the change of each row's velocity, `work` as above.
    void stop_rows(std::span<double> v, std::vector<double>& asked, std::vector<double>& work);
    // The impulses of the rows in the last answer.
    [[nodiscard]] const std::vector<double>& answering_rows() const { return row_work_; }

protected:
    // Sets position, inertia and velocity; and forces, too. The first thing every respond does.
    RateOutcome set_motion(double t, std::span<const double> q, std::span<const double> v);
    RateOutcome set_state(double t, std::span<const double> q, std::span<const double> v,
                          std::span<const double> z);

    // missing = gamma - G v'; returns its largest entry beside the largest term of all rows: those
    // of rows in which nothing happens are rounding.
    double find_missing(std::span<double> missing) const;
    // Answers what the rows still miss until their accelerations hold; with the response factored.
    void hold_rows();

    Equations& equations_;
    RowResponse response_;
    std::vector<int> driver_rows_;
    bool has_contacts_ = false;
    std::vector<double> acceleration_, multipliers_;
    std::vector<double> row_work_, column_work_, missing_;
    SlidingFriction sliding_;
    bool near_singular_ = false;
    bool factored_ = false;  // set_state has factored the response of the rows
    double remembered_at_ = NAN;
    std::vector<double> remembered_, remembered_rates_;

private:
    // Inertia and the response of the rows at the position that is set; false without inertia.
    bool factor_inertia();
    void project_velocity(std::vector<double>& v, bool is_close_by);
    void take_rates(std::span<const double> v, std::span<double> dy) const;
};

std::unique_ptr<Dynamics> make_dynamics(Formulation formulation, Equations& equations);
// Coordinates above which a formulation refuses (dense matrices); 0 for no limit.
int largest_size(Formulation formulation);

}  // namespace pawl
