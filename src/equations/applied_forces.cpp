#include "equations/applied_forces.h"

#include <algorithm>
#include <cmath>

#include "math/seeded_fault.h"
#include "mechanism/force_row.h"

namespace pawl {

namespace {

// Kinds of force along a coordinate: a component of a relative pose, or a distance.
template <class Kind>
constexpr bool is_along_coordinate = requires(const Kind& kind, const ForceInputs& inputs) {
    kind.at(0.0, 0.0, inputs);
};
// Kinds that act elsewhere: weights with the inertia, given impulses at their time, by the run.
template <class S, class Kind>
constexpr bool acts_elsewhere =
    std::is_same_v<Kind, Gravity<S>> || std::is_same_v<Kind, GivenImpulse<S>>;

}  // namespace

template <class S>
AppliedForces<S>::AppliedForces(const Mechanism<S>& mechanism, const Coordinates<S>& coordinates,
                                const std::vector<signed char>* sides)
    : mechanism_(mechanism),
      sides_(sides),
      on_bodies_(mechanism.bodies.size()),
      energies_(mechanism.forces.size()),
      state_rates_(mechanism.states.size()),
      scalars_(mechanism.forces.size()) {
    // Channels are evaluated only when an expression looks at them.
    for (const auto& state : mechanism.states) needs_channels_ |= state.rate.uses_measures();
    for (const auto& force : mechanism.forces) {
        branch_of_.push_back(-1);
        std::visit(
            [&](const auto& k) {
                using Kind = std::decay_t<decltype(k)>;
                if constexpr (std::is_same_v<Kind, Gravity<S>>)
                    gravity_ += {k.x, k.y};
                else
                    acting_.push_back(branch_of_.size() - 1);
                if (is_along_coordinate<Kind> && !acts_along_distance<Kind>()) {
                    const int column =
                        coordinates.column_of(force.frames[0], force.frames[1], force.component);
                    if (column >= 0) branch_of_.back() = coordinates.branch_of_column(column);
                }
                for_each_expression(
                    k, [&](const ForceExpression& e) { needs_channels_ |= e.uses_measures(); });
            },
            force.kind);
    }
}

// A wrench at a frame, moved to the origin of its body.
template <class S>
void AppliedForces<S>::add(const Coordinates<S>& coordinates, const Attachment<S>& at,
                           const typename S::Wrench& wrench) {
    const auto arm = coordinates.position(at.body).to_ground(at.local.at);
    on_bodies_[at.body].f += wrench.f;
    on_bodies_[at.body].m +=
        wrench.m + (seeded(Fault::force_arm_dropped) ? 0.0 : S::cross(arm, wrench.f));
}

template <class S>
void AppliedForces<S>::add_along(const Coordinates<S>& coordinates, int branch, Component freedom,
                                 double force) {
    const auto& b = coordinates.branches()[branch];
    const double on_child = b.reversed ? -force : force;
    if (freedom == Component::angle) {
        on_bodies_[b.child].m += on_child;
        on_bodies_[b.parent].m -= on_child;
        return;
    }
    const auto f = on_child * coordinates.direction(branch, freedom);
    const auto at = coordinates.centre(branch);
    press(b.child, coordinates.position(b.child), at, f);
    press(b.parent, coordinates.position(b.parent), at, -f);
}

template <class S>
void AppliedForces<S>::evaluate(const Coordinates<S>& coordinates, const TreeInertia<S>& inertia,
                                double t, std::span<const double> states) {
    evaluate_weightless(coordinates, t, states);
    for (std::size_t i = 0; i < mechanism_.forces.size(); ++i)
        if (const auto* weight = std::get_if<Gravity<S>>(&mechanism_.forces[i].kind))
            energies_[i].potential = inertia.add_weights({weight->x, weight->y}, on_bodies_);
}

template <class S>
void AppliedForces<S>::evaluate_weightless(const Coordinates<S>& coordinates, double t,
                                           std::span<const double> states) {
    std::fill(on_bodies_.begin(), on_bodies_.end(), typename S::Wrench{});
    const signed char* sides = sides_ && !sides_->empty() ? sides_->data() : nullptr;
    if (needs_channels_) evaluate_measures(mechanism_, coordinates, t, channels_, sides);
    const ForceInputs inputs{t, channels_, states, 0, 0, sides};
    for (const std::size_t i : acting_) {
        const Force<S>& force = mechanism_.forces[i];
        ForceEnergy& energy = energies_[i];
        energy = {};
        std::visit(
            [&](const auto& kind) {
                using Kind = std::decay_t<decltype(kind)>;
                if constexpr (is_along_coordinate<Kind>) {
                    ScalarForce scalar;
                    if (branch_of_[i] >= 0) {
                        const auto motion = coordinates.motion(branch_of_[i], force.component);
                        scalar = kind.at(motion.value, motion.rate, inputs);
                        add_along(coordinates, branch_of_[i], force.component, scalar.force);
                    } else {
                        const auto a = coordinates.frame(force.frames[0]),
                                   b = coordinates.frame(force.frames[1]);
                        const auto row = row_along<Kind>(force, a, b);
                        const double rate =
                            S::dot(row.w[0], a.velocity) + S::dot(row.w[1], b.velocity);
                        scalar = kind.at(row.phi, rate, inputs);
                        if (seeded(Fault::spring_sign)) scalar.force = -scalar.force;
                        for (int k = 0; k < 2; ++k)
                            add(coordinates, force.frames[k],
                                {scalar.force * row.w[k].f, scalar.force * row.w[k].m});
                    }
                    energy = {scalar.potential,
                              seeded(Fault::force_power_dropped) ? 0.0 : scalar.power};
                    scalars_[i] = scalar.force;
                } else if constexpr (std::is_same_v<Kind, PointForce<S>>) {
                    const auto frame = coordinates.frame(force.frames[1]);
                    typename S::Vector f{kind.x.at(inputs), kind.y.at(inputs)};
                    if (kind.in_body) f = coordinates.position(force.frames[1].body).to_ground(f);
                    add(coordinates, force.frames[1], {f, 0});
                    energy.power = S::dot(f, frame.velocity.v);
                    scalars_[i] = std::sqrt(S::dot(f, f));
                } else if constexpr (std::is_same_v<Kind, BodyTorque<S>>) {
                    const double m = kind.value.at(inputs);
                    add(coordinates, force.frames[1], {{}, m});
                    energy.power = (seeded(Fault::torque_power_sign) ? -m : m) *
                                   coordinates.velocity(force.frames[1].body).omega;
                    scalars_[i] = m;
                } else {
                    static_assert(acts_elsewhere<S, Kind>, "a kind of force needs its branch here");
                }
            },
            force.kind);
    }
    for (std::size_t i = 0; i < state_rates_.size(); ++i)
        state_rates_[i] = mechanism_.states[i].rate.at(inputs);
}

template <class S>
double AppliedForces<S>::potential() const {
    double sum = 0;
    for (const ForceEnergy& e : energies_) sum += e.potential;
    return sum;
}

template class AppliedForces<PlanarSpace>;

}  // namespace pawl
