// The friction points in the equations: their rows, their slip, and the loads that limit them.
#include <algorithm>
#include <cmath>

#include "equations/mechanism_equations.h"
#include "math/seeded_fault.h"
#include "mechanism/joint_kind.h"

namespace pawl {

// A friction point slides along a coordinate of its joint, along the tangent of its contact, or by
// rolling.
template <class S>
typename S::Row MechanismEquations<S>::slip_row_of(
    const FrictionMode& mode, const std::array<typename S::Frame, 3>& frames) const {
    if (mode.joint >= 0) return component_row<S>(mode.component, frames[0], frames[1]);
    if (!mode.rolling)
        return slip_row<S>(choice_.contacts[mode.contact].touch, frames[0], frames[1]);
    auto row = component_row<S>(Component::angle, frames[0], frames[1]);
    row.phi = 0;
    return row;
}

template <class S>
void MechanismEquations<S>::add_friction_points(const std::vector<char>& carried) {
    slip_pattern_.columns = pattern_.columns;
    for (std::size_t i = 0; i < choice_.friction.size(); ++i) {
        FrictionMode& mode = choice_.friction[i];
        FrictionPoint friction_point;
        Element e;
        e.friction = static_cast<int>(i);
        Span span;
        if (mode.joint >= 0) {
            const Joint<S>& joint = mechanism_.joints[mode.joint];
            e.attachments = joint.frames;
            mode.component = joint.coordinates()[0];
            e.is_angle[0] = mode.component == Component::angle;
            friction_point.name = joint.name;
            friction_point.ledger = layout_.friction_of_joint[mode.joint];
            span = joint.span;
            set_law(friction_point, *joint.friction());
            friction_point.constant = joint.friction()->constant;
            friction_point.smooth = joint.friction()->smooth.value_or(0);
        } else {
            const ContactPoint<S>& point = choice_.contacts[mode.contact];
            const ContactPair<S>& pair = mechanism_.contacts[point.pair];
            e.attachments = {mechanism_.profiles[pair.profile_a].frame,
                             mechanism_.profiles[pair.profile_b].frame,
                             {}};
            e.is_angle[0] = mode.rolling;
            friction_point.name = name_of(mechanism_, point) + (mode.rolling ? ".rolling" : "");
            friction_point.ledger = layout_.friction_of_contact[point.pair];
            span = pair.span;
            set_law(friction_point, *pair.friction);
            if (mode.rolling) {
                friction_point.lever = pair.friction->rolling;
                friction_point.holding = friction_point.kinetic = 1;
                friction_point.stribeck = friction_point.viscous = 0;
                friction_point.law.reset();
            }
        }
        friction_point.direction = mode.direction;
        friction_point.first_load = load_count_;
        friction_.push_back(friction_point);
        set_load_source(static_cast<int>(i), mode, carried);
        load_count_ += friction_.back().loads;
        slides_ = slides_ || mode.direction != 0;
        if (mode.direction == 0) {
            friction_.back().row = pattern_.rows();
            add(e, {{friction_point.name, friction_point.name, span, RowRole::friction}});
        }
        e.reach = coordinates_.reach(std::span(e.attachments).first(2));
        slip_pattern_.column.insert(slip_pattern_.column.end(), e.reach.columns.begin(),
                                    e.reach.columns.end());
        slip_pattern_.start.push_back(static_cast<int>(slip_pattern_.column.size()));
        slips_.push_back(std::move(e));
    }
    slip_rows_.assign(slip_pattern_.column.size(), 0.0);
    slip_parts_.resize(slips_.size());
    slip_values_.assign(slips_.size(), 0.0);
    if (tree_loads_) row_parts_.resize(pattern_.rows());
    through_.resize(mechanism_.bodies.size());
}

template <class S>
void MechanismEquations<S>::set_law(FrictionPoint& friction_point, const DryFriction<T>& law) {
    friction_point.holding = law.holding();
    friction_point.kinetic = law.kinetic;
    if (seeded(Fault::friction_coefficient))
        friction_point.holding = friction_point.kinetic *= 1.01;
    friction_point.stribeck = law.stribeck.value_or(0);
    friction_point.viscous = law.viscous;
    friction_point.law = law.kinetic_law;
}

// A pin is loaded by the force through it; a guide by the force across it, or with a length by the
// forces at its ends; a slot by the force across it; a contact by its normal force.
template <class S>
void MechanismEquations<S>::set_load_source(int friction_point, const FrictionMode& mode,
                                            const std::vector<char>& carried) {
    FrictionPoint& friction = friction_[friction_point];
    LoadSource source;
    if (mode.contact >= 0) {
        source.first_row = contact_rows_[mode.contact];
        if (mechanism_.contacts[choice_.contacts[mode.contact].pair].permanent)
            friction.kind = FrictionPoint::Load::each;  // a slot presses from either side
        load_sources_.push_back(source);
        return;
    }
    const Joint<S>& joint = mechanism_.joints[mode.joint];
    source.joint = mode.joint;
    friction.kind = FrictionPoint::Load::each;
    if (const auto* pin = std::get_if<Revolute<S>>(&*joint.kind)) {
        friction.kind = FrictionPoint::Load::vector;
        friction.loads = 2;
        friction.lever = pin->radius.value_or(1);  // none: all its friction is constant
        friction.circle = pin->friction->rule == PinFriction<T>::Rule::friction_circle;
    } else if (const auto* slide = std::get_if<Prismatic<S>>(&*joint.kind); slide && slide->guide) {
        friction.loads = 2;
    }
    if (carried[mode.joint]) {
        tree_loads_ = true;
        const auto& branches = coordinates_.branches();
        for (std::size_t k = 0; k < branches.size(); ++k)
            if (branches[k].name == joint.name) source.branch = static_cast<int>(k);
    } else {
        for (const Element& e : elements_)
            if (e.joint == mode.joint) source.first_row = e.first_row;
    }
    load_sources_.push_back(source);
}

// The forces at the ends of a guide of length L from the force N across it and the moment about its
// middle: N/2 +- M/L.
template <class S>
void MechanismEquations<S>::set_guide_loads(const LoadSource& source, double across, double moment,
                                            double* loads) const {
    const auto* slide = std::get_if<Prismatic<S>>(&*mechanism_.joints[source.joint].kind);
    loads[0] = across;
    if (!slide || !slide->guide) return;
    loads[0] = 0.5 * across + moment / *slide->guide;
    loads[1] = 0.5 * across - moment / *slide->guide;
}

template <class S>
void MechanismEquations<S>::find_loads(std::span<const double> v_rate,
                                       std::span<const double> lambda,
                                       std::span<const double> friction, std::span<double> loads) {
    if (tree_loads_) pass_through_tree(v_rate, lambda, friction);
    for (std::size_t i = 0; i < load_sources_.size(); ++i) {
        const LoadSource& source = load_sources_[i];
        const FrictionPoint& friction_point = friction_[i];
        double* out = loads.data() + friction_point.first_load;
        if (source.joint < 0) {
            out[0] = (seeded(Fault::friction_load) ? 0.99 : 1) * lambda[source.first_row];
        } else if (source.branch >= 0) {
            const Joint<S>& joint = mechanism_.joints[source.joint];
            const auto& through = through_[coordinates_.branches()[source.branch].child];
            if (friction_point.kind == FrictionPoint::Load::vector) {
                out[0] = through.f.x;
                out[1] = through.f.y;
            } else {
                const auto a = joint.frames[0].on(coordinates_.position(joint.a()));
                const auto b = joint.frames[1].on(coordinates_.position(joint.b()));
                set_guide_loads(source, S::dot(S::turned(a.u), through.f),
                                through.m - S::cross(b.p, through.f), out);
            }
        } else if (friction_point.kind == FrictionPoint::Load::vector) {
            out[0] = lambda[source.first_row];
            out[1] = lambda[source.first_row + 1];
        } else {
            const bool turns = mechanism_.joints[source.joint].row_count() > 1;
            set_guide_loads(source, lambda[source.first_row],
                            turns ? model_size_ * lambda[source.first_row + 1] : 0.0, out);
        }
    }
}

// The wrenches that the motion of each body requires beyond those that act on it, summed from the
// tips inwards: the wrench, at ground's origin, that the branch of the body transmits.
template <class S>
void MechanismEquations<S>::pass_through_tree(std::span<const double> v_rate,
                                              std::span<const double> lambda,
                                              std::span<const double> friction) {
    coordinates_.set_acceleration(v_rate);
    const auto& applied = forces_.on_bodies();
    for (std::size_t b = 1; b < through_.size(); ++b) {
        const auto needs = inertia_.inertia_wrench(static_cast<int>(b));
        const auto f = needs.f - applied[b].f;
        through_[b] = {
            f, needs.m - applied[b].m + S::cross(coordinates_.position(static_cast<int>(b)).p, f)};
    }
    const auto take = [&](const OnBodies& parts, double size) {
        for (const OnBody& part : parts) {
            if (part.body == 0) continue;
            through_[part.body].f += -size * part.wrench.f;
            through_[part.body].m += -size * part.wrench.m;
        }
    };
    for (std::size_t r = 0; r < row_parts_.size(); ++r) take(row_parts_[r], lambda[r]);
    for (std::size_t i = 0; i < slip_parts_.size(); ++i)
        if (friction_[i].direction != 0) take(slip_parts_[i], friction[i]);
    const auto& branches = coordinates_.branches();
    for (std::size_t k = branches.size(); k-- > 0;) {
        if (branches[k].parent == 0) continue;
        through_[branches[k].parent].f += through_[branches[k].child].f;
        through_[branches[k].parent].m += through_[branches[k].child].m;
    }
}

template <class S>
typename MechanismEquations<S>::OnBodies MechanismEquations<S>::on_bodies(
    const Element& e, const typename S::Row& row, const std::array<typename S::Frame, 3>& frames,
    double scale) const {
    OnBodies parts;
    for (int k = 0; k < e.frames; ++k) {
        parts[k].body = e.attachments[k].body;
        parts[k].wrench.f = scale * row.w[k].f;
        parts[k].wrench.m = scale * (row.w[k].m + S::cross(frames[k].position.p, row.w[k].f));
    }
    return parts;
}

template <class S>
void MechanismEquations<S>::add_friction_wrenches(
    std::span<const double> friction, std::vector<typename S::Wrench>& on_bodies) const {
    for (std::size_t i = 0; i < slip_parts_.size(); ++i)
        for (const OnBody& part : slip_parts_[i]) {
            if (part.body == 0) continue;
            auto& wrench = on_bodies[part.body];
            const auto f = friction[i] * part.wrench.f;
            wrench.f += f;
            wrench.m +=
                friction[i] * part.wrench.m - S::cross(coordinates_.position(part.body).p, f);
        }
}

// No jump at zero slip: the coefficient grows with tanh.
template <class S>
double MechanismEquations<S>::friction_of_compliant(std::size_t contact) const {
    const ContactPoint<S>& c = choice_.contacts[contact];
    const auto& friction = mechanism_.contacts[c.pair].friction;
    if (!friction || !c.compliant) return 0;
    const double slip = c.rates.slip;
    return -friction->sliding(std::abs(slip)) * std::max(0.0, c.compliant_force()) *
               std::tanh(slip / friction->smooth) -
           friction->viscous * slip;
}

template class MechanismEquations<PlanarSpace>;

}  // namespace pawl
