#include "simulation/kinematic/kinematic_record.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances.h"
#include "simulation/columns/condition_watch.h"
#include "simulation/kinematic/matrices_of.h"

namespace pawl {

std::vector<double> output_times(const KinematicOptions& options) {
    const auto samples = static_cast<std::size_t>(
        std::ceil(options.end / options.step - tolerance::output_rounding));
    std::vector<double> times;
    for (std::size_t k = 1; k < samples; ++k)
        times.push_back(static_cast<double>(k) * options.step);
    times.push_back(options.end);
    const double extra = options.matrices_at.value_or(0);
    const auto next = std::lower_bound(times.begin(), times.end(), extra);
    if (extra > 0 && next != times.end() && *next != extra) times.insert(next, extra);
    return times;
}

KinematicRecord::KinematicRecord(const PlacedMechanism& placed, const KinematicOptions& options,
                                 ContactMode& mode, KinematicResult& result)
    : placed_(placed),
      options_(options),
      mode_(mode),
      result_(result),
      columns_(placed.mechanism),
      sampler_(placed.mechanism, result.trajectory) {
    if (const auto left_out = unwatched(placed.mechanism, true))
        result.warnings.push_back(*left_out);
    if (!options.reactions) return;
    add_reaction_columns(placed.mechanism, result.trajectory.columns);
    add_force_columns(placed.mechanism, result.trajectory.columns);
    add_friction_columns(placed.mechanism, result.trajectory.columns);
    for (const auto& s : placed.mechanism.states) states_.push_back(s.start);
    const AuxiliaryLayout layout(placed.mechanism);
    states_.resize(layout.drivers, 0.0);
    has_friction_ = layout.has_friction();
}

void KinematicRecord::adopt(Mechanics& equations, DrivenMotion& motion,
                            const std::vector<RestCoordinate<PlanarSpace>>& kept) {
    equations_ = &equations;
    motion_ = &motion;
    if (options_.influence && !influence_)
        influence_.emplace(placed_.mechanism, equations, result_.influence);
    if (influence_) influence_->adopt(equations, motion.system());
    if (!options_.reactions) return;
    Reactions::Choice choice;
    choice.rests = kept;
    choice.contacts = mode_.closed();
    choice.friction = friction_points(placed_.mechanism, equations.contacts());
    for (FrictionMode& mode : choice.friction) mode.direction = 1;
    friction_points_ = choice.friction;
    reactions_.emplace(placed_, std::move(choice));
}

void KinematicRecord::sample_start(Mechanics& equations) {
    ++result_.statistics.samples;
    sampler_.take_start(equations.coordinates(), 0, {});
}

void KinematicRecord::close() {
    columns_.widen(result_.trajectory);
    if (reactions_ && !reactions_->indeterminate().empty())
        result_.warnings.push_back(indeterminate_warning(*reactions_));
}

// Friction of the joints, its power, and which part of the driving power is not lost by it.
void KinematicRecord::append_friction(double t, std::vector<double>& row) {
    if (!has_friction_) return;
    std::size_t k = 0;
    for (const auto& joint : placed_.mechanism.joints)
        if (joint.friction()) row.push_back(reactions_->friction()[k++]);
    double driven = 0;
    for (std::size_t i = 0; i < placed_.mechanism.drivers.size(); ++i)
        driven += reactions_->drivers()[i] * placed_.mechanism.drivers[i].at(t).rate;
    const double lost = reactions_->friction_power();
    row.insert(row.end(), {lost, driven > 0 ? (driven + lost) / driven : driven / (driven + lost)});
    if (!reactions_->locked() || locked_) return;
    locked_ = true;
    Event e;
    e.t = t;
    e.kind = EventKind::jam;
    e.facts = {Cause::self_locking};
    for (const auto& point : reactions_->friction_points())
        e.element += (e.element.empty() ? "" : " ") + point.name;
    result_.events.push_back(std::move(e));
}

ContactColumns::PointForces KinematicRecord::forces_of(std::size_t contact) const {
    if (!reactions_)
        return {.normal = NAN, .at_rest = NAN, .friction = NAN, .rolling = NAN, .mode = NAN};
    ContactColumns::PointForces forces{.normal = reactions_->contact_force(contact)};
    for (std::size_t k = 0; k < friction_points_.size(); ++k) {
        if (friction_points_[k].contact != static_cast<int>(contact)) continue;
        (friction_points_[k].rolling ? forces.rolling : forces.friction) =
            reactions_->friction()[k];
        if (!friction_points_[k].rolling) forces.mode = reactions_->friction_points()[k].direction;
    }
    return forces;
}

// The balance once more in the same position, with all velocities and accelerations zero.
void KinematicRecord::add_static_parts(const MotionNode& node,
                                       std::vector<ContactColumns::PointForces>& forces) {
    auto& c = equations_->coordinates();
    const auto balance = [&](const std::vector<double>& v, const std::vector<double>& a) {
        equations_->set_velocity(v);
        c.set_velocity(v);
        equations_->set_forces(states_);
        c.set_acceleration(a);
    };
    const std::vector<double> none(node.v.size(), 0.0);
    balance(none, none);
    reactions_->solve_held(c, equations_->inertia(), equations_->forces().on_bodies(), node.t);
    for (std::size_t i = 0; i < forces.size(); ++i)
        forces[i].at_rest = reactions_->contact_force(i);
    balance(node.v, node.a);
}

// As in a dynamic run: bodies stay out of each other, contacts that may open press, friction keeps
// within the coefficient of the model.
void KinematicRecord::judge_contacts(double t) {
    auto& s = result_.statistics;
    const auto& mechanism = placed_.mechanism;
    for (const int i : mode_.watch().pairs_together(equations_->coordinates())) {
        const auto& pair = mechanism.contacts[static_cast<std::size_t>(i)];
        if (is_rigid(pair.law))
            s.penetration.see(mode_.watch().penetration(equations_->coordinates(), i), t,
                              pair.name);
    }
    if (!reactions_ || reactions_->locked()) return;
    const auto& contacts = equations_->contacts();
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        if (contacts[i].compliant) continue;
        const double force = reactions_->contact_force(i);
        s.largest_contact_force = std::max(s.largest_contact_force, std::abs(force));
        const auto& pair = mechanism.contacts[static_cast<std::size_t>(contacts[i].pair)];
        if (!pair.permanent) s.pull.see(-force, t, name_of(mechanism, contacts[i]));
    }
    for (std::size_t k = 0; k < friction_points_.size(); ++k) {
        if (friction_points_[k].contact < 0 || friction_points_[k].rolling) continue;
        const auto& point = contacts[static_cast<std::size_t>(friction_points_[k].contact)];
        const auto& law = *mechanism.contacts[static_cast<std::size_t>(point.pair)].friction;
        const double limit = std::max(law.holding(), law.sliding(std::abs(point.rates.slip))) *
                                 std::abs(reactions_->contact_force(
                                     static_cast<std::size_t>(friction_points_[k].contact))) +
                             law.viscous * std::abs(point.rates.slip);
        s.cone.see(std::abs(reactions_->friction()[k]) - limit, t, name_of(mechanism, point));
    }
}

void KinematicRecord::sample(const MotionNode& node, double condition) {
    auto& s = result_.statistics;
    ++s.samples;
    s.largest_residual = std::max(s.largest_residual, equations_->residual());
    s.largest_condition = std::max(s.largest_condition, condition);
    extra_.clear();
    if (!mode_.empty()) equations_->set_velocity(node.v);
    if (reactions_) {
        auto& c = equations_->coordinates();
        reactions_->contacts() = equations_->contacts();
        c.set_velocity(node.v);
        equations_->set_forces(states_);
        c.set_acceleration(node.a);
        reactions_->solve(c, equations_->inertia(), equations_->forces().on_bodies(), node.t);
        s.largest_imbalance = std::max(s.largest_imbalance, reactions_->imbalance());
        append_reactions(placed_.mechanism, c, *reactions_, extra_);
        append_forces(placed_.mechanism, equations_->forces(), extra_);
        append_friction(node.t, extra_);
    }
    if (!mode_.empty()) {
        const std::size_t row = result_.trajectory.rows();
        std::vector<ContactColumns::PointForces> forces;
        for (std::size_t i = 0; i < equations_->contacts().size(); ++i)
            forces.push_back(forces_of(i));
        judge_contacts(node.t);
        if (reactions_ && !forces.empty()) add_static_parts(node, forces);
        for (std::size_t i = 0; i < forces.size(); ++i)
            columns_.add_closed(row, equations_->contacts()[i], forces[i]);
        columns_.add_open(row, equations_->coordinates(), mode_.watch());
    }
    sampler_.take(equations_->coordinates(), node.t, node.v, node.a, extra_);
    if (options_.influence) {
        motion_->factor_at(node.q, node.t);
        influence_->take(node.t);
    }
    // Where contacts change there, the last row counts.
    if (options_.matrices_at == node.t)
        result_.matrices =
            matrices_of({placed_, *equations_, motion_->system(), mode_.watch()}, node);
}

}  // namespace pawl
