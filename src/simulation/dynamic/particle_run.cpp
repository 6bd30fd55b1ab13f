#include "simulation/dynamic/particle_run.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "dynamics/formulations/dynamics.h"
#include "equations/particle_equations.h"
#include "integration/stepper.h"
#include "math/tolerances.h"
#include "results/text.h"
#include "simulation/columns/sampler.h"
#include "simulation/placement/initial_velocities.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Mechanics = MechanismEquations<Space>;

// One form of the equations, and what it says of the bodies.
struct Form {
    std::unique_ptr<Equations> equations;
    State start;
    std::function<BodyMotion(const State& state, std::span<const double> a)> bodies;
};

Mechanics::Choice absolute() {
    Mechanics::Choice choice;
    choice.coordinates = CoordinateKind::absolute;
    return choice;
}

// The positions and velocities that any other dynamic run of the model begins with.
void set_to_start(const PlacedMechanism& placed, Mechanics& bodies) {
    bodies.set_model_size(placed.assembly.model_size);
    const auto q = bodies.coordinates().from_positions(placed.assembly.positions);
    bodies.set_motion(q, initial_velocities(placed, bodies, q, nullptr), 0);
}

Form in_particles(const PlacedMechanism& placed, const Topology& topology) {
    auto equations = std::make_unique<ParticleEquations>(
        placed.mechanism, topology, placed.assembly.positions, placed.assembly.model_size);
    Mechanics bodies(placed.mechanism, placed.topology, {});
    set_to_start(placed, bodies);
    Form form;
    form.start.q = equations->start();
    form.start.v.assign(form.start.q.size(), 0.0);
    for (const auto& p : equations->system().particles()) {
        if (p.column < 0) continue;
        const auto speed = bodies.coordinates().frame(p.at).velocity.v;
        form.start.v[static_cast<std::size_t>(p.column)] = speed.x;
        form.start.v[static_cast<std::size_t>(p.column) + 1] = speed.y;
    }
    form.bodies = [e = equations.get()](const State& s, std::span<const double> a) {
        return e->bodies_at(s.q, s.v, a);
    };
    form.equations = std::move(equations);
    return form;
}

Form in_joints(const PlacedMechanism& placed, const Topology& topology) {
    const double size = placed.assembly.model_size;
    auto equations = std::make_unique<JointParticleEquations>(placed.mechanism, topology, size);
    Mechanics bodies(placed.mechanism, placed.topology, {});
    set_to_start(placed, bodies);
    Form form;
    form.start.q = equations->coordinates().from_positions(placed.assembly.positions);
    for (const auto& branch : equations->coordinates().branches())
        for (const Component freedom : branch.freedoms)
            form.start.v.push_back(
                evaluate_coordinate(bodies.coordinates(), {branch.frames, freedom}).rate);
    const int count = static_cast<int>(placed.mechanism.bodies.size());
    form.bodies = [e = equations.get(), count](const State& s, std::span<const double> a) {
        auto& c = e->coordinates();
        c.set_position(s.q);
        c.set_velocity(s.v);
        c.set_acceleration(a);
        BodyMotion out;
        for (int b = 1; b < count; ++b) {
            const auto& p = c.position(b);
            const auto &v = c.velocity(b), &w = c.acceleration(b);
            out.x.insert(out.x.end(), {p.p.x, p.p.y, p.angle});
            out.v.insert(out.v.end(), {v.v.x, v.v.y, v.omega});
            out.a.insert(out.a.end(), {w.v.x, w.v.y, w.omega});
        }
        return out;
    };
    form.equations = std::move(equations);
    return form;
}

class ParticleRun : public RightHandSide {
public:
    ParticleRun(const PlacedMechanism& placed, const ParticleOptions& options, Form form,
                ParticleResult& result)
        : options_(options),
          form_(std::move(form)),
          result_(result),
          dynamics_(make_dynamics(options.dynamics, *form_.equations)),
          bodies_(placed.mechanism, placed.topology, absolute()),
          sampler_(placed.mechanism, result.trajectory) {
        bodies_.set_model_size(placed.assembly.model_size);
        result.coordinates = form_.equations->size();
        result.rows = form_.equations->pattern().rows();
    }

    bool rates(double t, std::span<const double> y, std::span<double> dy) override {
        return dynamics_->rates(t, y, dy) == RateOutcome::solved;
    }

    void run() {
        State state = form_.start;
        state.z.assign(static_cast<std::size_t>(dynamics_->auxiliary_size()), 0.0);
        dynamics_->refresh(state);
        if (!sample(state)) return;
        std::vector<double> y(static_cast<std::size_t>(dynamics_->size()));
        dynamics_->pack(state, y);
        StepperOptions steps;
        steps.rtol = options_.rtol;
        steps.atol.assign(y.size(), options_.atol);
        const auto stepper =
            make_stepper(Integrator::dop853, *this, static_cast<int>(y.size()), std::move(steps));
        stepper->start(0, y);
        const auto samples = static_cast<std::size_t>(
            std::ceil(options_.end / options_.step - tolerance::output_rounding));
        const auto output = [&](std::size_t k) {
            return k == samples ? options_.end : static_cast<double>(k) * options_.step;
        };
        for (std::size_t k = 1; k <= samples;) {
            if (stepper->step(options_.end) != StepOutcome::stepped)
                return fail("the motion of the particles cannot be continued beyond", stepper->t());
            // Outputs inside the step are read off its dense output.
            for (; k <= samples && output(k) <= stepper->t(); ++k) {
                std::vector<double> inside(y.size());
                stepper->interpolate(output(k), inside);
                if (!close(inside, output(k), state) || !sample(state)) return;
            }
            y.assign(stepper->y().begin(), stepper->y().end());
            if (!close(y, stepper->t(), state)) return;
            dynamics_->pack(state, y);
            stepper->replace(y);
        }
        result_.evaluations = stepper->statistics().evaluations;
    }

private:
    void fail(const std::string& what, double t) {
        result_.problem = what + " t = " + number_text(t, 9) + " s";
    }

    // The state at y, on the constraints.
    bool close(std::span<const double> y, double t, State& state) {
        state.t = t;
        dynamics_->unpack(y, state);
        if (dynamics_->project(state) >= 0) return true;
        fail("the particles violate their constraints at", t);
        return false;
    }

    bool sample(const State& state) {
        if (dynamics_->respond(state.t, state.q, state.v, state.z) != RateOutcome::solved) {
            fail("the equations of the particles have no solution at", state.t);
            return false;
        }
        const BodyMotion motion = form_.bodies(state, dynamics_->acceleration());
        bodies_.set_motion(motion.x, motion.v, state.t);
        bodies_.set_inertia();
        bodies_.set_forces(
            std::vector<double>(static_cast<std::size_t>(bodies_.state_size()), 0.0));
        std::vector<double> momentum(motion.v.size());
        bodies_.apply_inertia(motion.v, momentum);
        double energy = bodies_.forces().potential();
        for (std::size_t i = 0; i < momentum.size(); ++i) energy += 0.5 * momentum[i] * motion.v[i];
        if (result_.trajectory.rows() == 0) first_energy_ = energy;
        result_.energy_error = std::max(result_.energy_error, std::abs(energy - first_energy_));
        sampler_.take(bodies_.coordinates(), state.t, motion.v, motion.a);
        return true;
    }

    const ParticleOptions& options_;
    Form form_;
    ParticleResult& result_;
    std::unique_ptr<Dynamics> dynamics_;
    Mechanics bodies_;
    Sampler sampler_;
    double first_energy_ = 0;
};

}  // namespace

ParticleResult run_particles(const PlacedMechanism& placed, const ParticleOptions& options) {
    ParticleResult result;
    if (const auto refusal = ParticleSystem::refusal(placed.mechanism)) {
        result.problem = refusal->message;
        result.span = refusal->span;
        return result;
    }
    const Topology topology = ParticleSystem::cut_at(placed.mechanism, options.cuts);
    Form form = options.form == ParticleForm::particles ? in_particles(placed, topology)
                                                        : in_joints(placed, topology);
    if (options.form == ParticleForm::particles && !form.equations->set_inertia()) {
        result.problem =
            "the particles do not all have a positive mass; cut other joints, or use joint "
            "coordinates";
        return result;
    }
    ParticleRun(placed, options, std::move(form), result).run();
    return result;
}

}  // namespace pawl
