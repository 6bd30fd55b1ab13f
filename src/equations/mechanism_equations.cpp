#include "equations/mechanism_equations.h"

#include <algorithm>
#include <cmath>

#include "math/seeded_fault.h"
#include "math/tolerances.h"
#include "mechanism/joint_kind.h"

namespace pawl {

template <class S>
MechanismEquations<S>::MechanismEquations(const Mechanism<S>& mechanism, const Topology& topology,
                                          Choice choice)
    : mechanism_(mechanism),
      layout_(mechanism),
      choice_(std::move(choice)),
      coordinates_(choice_.coordinates == CoordinateKind::relative
                       ? Coordinates<S>::relative(mechanism, topology)
                       : Coordinates<S>::absolute(mechanism)),
      inertia_(mechanism, coordinates_),
      forces_(mechanism, coordinates_, choice_.sides) {
    force_.assign(coordinates_.size(), 0.0);
    state_rates_.assign(layout_.drivers, 0.0);
    pattern_.columns = coordinates_.size();
    std::vector<char> carried(mechanism.joints.size(), 0);
    if (choice_.coordinates == CoordinateKind::relative)
        for (const int e : topology.branches)
            if (topology.edges[e].joint >= 0) carried[topology.edges[e].joint] = 1;
    add_joints(carried);
    add_couplings();
    add_driven_coordinates();
    add_contacts();
    settle_contacts();
    add_friction_points(carried);
    phi_.assign(pattern_.rows(), 0.0);
    nu_ = gamma_ = phi_;
    jacobian_.assign(pattern_.column.size(), 0.0);
    set_model_size(1);
    if (!inertia_.is_regular()) hold_massless();
}

template <class S>
void MechanismEquations<S>::add_joints(const std::vector<char>& carried) {
    for (std::size_t i = 0; i < mechanism_.joints.size(); ++i) {
        const Joint<S>& joint = mechanism_.joints[i];
        if (carried[i] || joint.row_count() == 0) continue;
        Element e;
        e.joint = static_cast<int>(i);
        add_joint(std::move(e), joint);
    }
}

template <class S>
void MechanismEquations<S>::add_joint(Element e, const Joint<S>& joint) {
    e.rows = joint.row_count();
    e.frames = joint.frame_count();
    e.attachments = joint.frames;
    std::vector<RowLabel> labels;
    for (int r = 0; r < e.rows; ++r) {
        e.is_angle[r] = joint.row_is_angle(r);
        labels.push_back({joint.row_name(r), joint.name, joint.span, RowRole::joint});
    }
    add(std::move(e), std::move(labels));
}

template <class S>
void MechanismEquations<S>::add_driven_coordinates() {
    const auto add_coordinate = [&](int driver, int rest, const Coordinate<S>& c, RowLabel label) {
        Element e;
        e.driver = driver;
        e.rest = rest;
        e.attachments = {c.frames[0], c.frames[1], {}};
        e.is_angle[0] = c.component == Component::angle;
        e.column = coordinates_.column_of(c.frames[0], c.frames[1], c.component);
        add(std::move(e), {std::move(label)});
    };
    for (std::size_t i = 0; choice_.drivers && i < mechanism_.drivers.size(); ++i) {
        const Driver<S>& d = mechanism_.drivers[i];
        add_coordinate(static_cast<int>(i), -1, d.coordinate,
                       {d.name, d.name, d.span, RowRole::driver});
    }
    for (std::size_t i = 0; i < choice_.rests.size(); ++i) {
        const RestCoordinate<S>& r = choice_.rests[i];
        add_coordinate(-1, static_cast<int>(i), r.coordinate,
                       {r.name, r.name, r.span, RowRole::rest});
    }
}

template <class S>
void MechanismEquations<S>::add_contacts() {
    std::vector<ContactPoint<S>> permanent;
    for (std::size_t i = 0; i < mechanism_.contacts.size(); ++i)
        if (choice_.permanent && mechanism_.contacts[i].permanent) {
            ContactPoint<S> point;
            point.pair = static_cast<int>(i);
            point.a = mechanism_.contacts[i].first_a;
            point.b = mechanism_.contacts[i].first_b;
            for (int side = 0; side < 2; ++side)
                point.touch.u[side] = mechanism_.contacts[i].first_u[side];
            permanent.push_back(point);
        }
    choice_.contacts.insert(choice_.contacts.begin(), permanent.begin(), permanent.end());
    for (std::size_t i = 0; i < choice_.contacts.size(); ++i) {
        const ContactPair<S>& pair = mechanism_.contacts[choice_.contacts[i].pair];
        Element e;
        e.contact = static_cast<int>(i);
        const bool compliant = choice_.contacts[i].compliant;
        e.rows = compliant ? 0 : 1;
        contact_rows_.push_back(compliant ? -1 : pattern_.rows());
        e.attachments = {mechanism_.profiles[pair.profile_a].frame,
                         mechanism_.profiles[pair.profile_b].frame,
                         {}};
        std::vector<RowLabel> labels;
        if (!compliant)
            labels.push_back(
                {name_of(mechanism_, choice_.contacts[i]), pair.name, pair.span, RowRole::contact});
        add(std::move(e), std::move(labels));
    }
}

template <class S>
void MechanismEquations<S>::add(Element element, std::vector<RowLabel> labels) {
    element.reach = coordinates_.reach(std::span(element.attachments).first(element.frames));
    element.first_row = pattern_.rows();
    const auto& columns = element.reach.columns;
    element.slot = static_cast<int>(std::find(columns.begin(), columns.end(), element.column) -
                                    columns.begin());
    for (int r = 0; r < element.rows; ++r) {
        pattern_.column.insert(pattern_.column.end(), element.reach.columns.begin(),
                               element.reach.columns.end());
        pattern_.start.push_back(static_cast<int>(pattern_.column.size()));
        row_is_angle_.push_back(element.is_angle[r]);
    }
    labels_.insert(labels_.end(), labels.begin(), labels.end());
    elements_.push_back(std::move(element));
}

template <class S>
void MechanismEquations<S>::set_model_size(double size) {
    model_size_ = size;
    column_scale_.clear();
    for (int c = 0; c < coordinates_.size(); ++c)
        column_scale_.push_back(coordinates_.column_component(c) == Component::angle ? size : 1.0);
}

template <class S>
void MechanismEquations<S>::evaluate(const Element& e, bool moved, typename S::Row* rows,
                                     std::array<typename S::Frame, 3>& frames) {
    for (int k = 0; k < e.frames; ++k) frames[k] = coordinates_.frame(e.attachments[k]);
    if (e.joint >= 0 || e.coupling >= 0)
        std::visit(
            [&](const auto& kind) {
                kind.rows(frames, rows);
                if (seeded(Fault::gear_ratio) && kind.name == "gear") rows[0].w[1].m *= 1.001;
            },
            *joint_of(e).kind);
    else if (e.driver >= 0)
        rows[0] = component_row<S>(mechanism_.drivers[e.driver].coordinate.component, frames[0],
                                   frames[1]);
    else if (e.rest >= 0)
        rows[0] =
            component_row<S>(choice_.rests[e.rest].coordinate.component, frames[0], frames[1]);
    else if (e.friction >= 0)
        rows[0] = slip_row_of(choice_.friction[e.friction], frames);
    else {
        ContactPoint<S>& c = choice_.contacts[e.contact];
        const ContactPair<S>& pair = mechanism_.contacts[c.pair];
        if (moved) {
            c.touch.u[0] = c.near[0];
            c.touch.u[1] = c.near[1];
            if (!find_touch<S>(mechanism_.profiles[pair.profile_a].chain.elements[c.a],
                               frames[0].position,
                               mechanism_.profiles[pair.profile_b].chain.elements[c.b],
                               frames[1].position, c.touch))
                c.touch.gap = NAN;
        }
        rows[0] = gap_row<S>(c.touch, frames[0], frames[1], &c.rates);
        if (seeded(Fault::gap_offset)) rows[0].phi += 1e-5;
        if (seeded(Fault::contact_normal_turned))
            rows[0].w[1].f += 1e-3 * S::turned(rows[0].w[1].f);
        if (seeded(Fault::curve_derivative)) rows[0].bias *= 1.01;
    }
}

template <class S>
TimeJet<double> MechanismEquations<S>::target(const Element& e) const {
    TimeJet<double> target{};
    if (e.driver >= 0) {
        const auto* sides = choice_.sides;
        target = mechanism_.drivers[e.driver].at(t_, sides && !sides->empty() ? sides->data()
                                                                              : nullptr);
    }
    if (seeded(Fault::driver_rate_scaled)) target.rate *= 1.001;
    if (seeded(Fault::driver_acceleration_sign)) target.acceleration = -target.acceleration;
    if (e.rest >= 0) target.value = choice_.rests[e.rest].value;
    if (e.friction >= 0) target.value = choice_.friction[e.friction].held;
    if (drivers_held_) target.rate = target.acceleration = 0;
    return target;
}

template <class S>
void MechanismEquations<S>::take_position(const Element& e, const typename S::Row* rows,
                                          const std::array<typename S::Frame, 3>& frames,
                                          const TimeJet<double>& target) {
    for (int r = 0; r < e.rows; ++r) {
        const int row = e.first_row + r;
        const double s = scale(e, r);
        double* values = jacobian_.data() + pattern_.start[row];
        coordinates_.pull_back(e.reach, rows[r], frames, values);
        if (s != 1.0)
            for (std::size_t i = 0; i < e.reach.columns.size(); ++i) values[i] *= s;
        phi_[row] = s * (rows[r].phi - target.value);
        nu_[row] = s * target.rate;
        if (e.coupling >= 0) phi_[row] -= s * choice_.couplings[e.coupling].held[r];
        if (tree_loads_) row_parts_[row] = on_bodies(e, rows[r], frames, s);
    }
}

// gamma = target'' - bias - sum w_k . A_k with v' = 0.
template <class S>
void MechanismEquations<S>::take_velocity(const Element& e, const typename S::Row* rows,
                                          const TimeJet<double>& target) {
    if (e.rows == 0) return;
    std::array<typename S::Twist, 3> acceleration;
    for (int k = 0; k < e.frames; ++k)
        acceleration[k] = coordinates_.frame_acceleration(e.attachments[k]);
    for (int r = 0; r < e.rows; ++r) {
        double rest = rows[r].bias;
        for (int k = 0; k < e.frames; ++k) rest += S::dot(rows[r].w[k], acceleration[k]);
        if (seeded(Fault::row_bias_dropped)) rest = 0;
        gamma_[e.first_row + r] = scale(e, r) * (target.acceleration - rest);
    }
}

template <class S>
void MechanismEquations<S>::take_coordinate(const Element& e, double q,
                                            const TimeJet<double>& target) {
    const double s = scale(e, 0);
    jacobian_[pattern_.start[e.first_row] + e.slot] = s;  // the others stay zero
    phi_[e.first_row] = s * (q - target.value);
    nu_[e.first_row] = s * target.rate;
    gamma_[e.first_row] = s * target.acceleration;
}

template <class S>
void MechanismEquations<S>::set_position(std::span<const double> q, double t) {
    t_ = t;
    coordinates_.set_position(q);
    typename S::Row rows[3];
    std::array<typename S::Frame, 3> frames;
    for (const Element& e : elements_) {
        if (is_coordinate(e)) {
            take_coordinate(e, q[e.column], target(e));
            continue;
        }
        evaluate(e, true, rows, frames);
        take_position(e, rows, frames, target(e));
    }
    set_slips();
}

template <class S>
void MechanismEquations<S>::set_slips() {
    if (slips_.empty()) return;
    typename S::Row row;
    std::array<typename S::Frame, 3> frames;
    for (std::size_t i = 0; i < slips_.size(); ++i) {
        evaluate(slips_[i], true, &row, frames);
        coordinates_.pull_back(slips_[i].reach, row, frames,
                               slip_rows_.data() + slip_pattern_.start[i]);
        slip_parts_[i] = on_bodies(slips_[i], row, frames, 1.0);
        slip_values_[i] = row.phi;
    }
}

template <class S>
void MechanismEquations<S>::set_velocity(std::span<const double> v) {
    coordinates_.set_velocity(v);
    coordinates_.set_acceleration({});
    typename S::Row rows[3];
    std::array<typename S::Frame, 3> frames;
    for (const Element& e : elements_) {
        if (is_coordinate(e)) continue;  // has its gamma already
        evaluate(e, false, rows, frames);
        take_velocity(e, rows, target(e));
    }
}

template <class S>
void MechanismEquations<S>::set_motion(std::span<const double> q, std::span<const double> v,
                                       double t) {
    t_ = t;
    coordinates_.set_motion(q, v);
    if (elements_.empty()) return set_slips();  // a tree
    typename S::Row rows[3];
    std::array<typename S::Frame, 3> frames;
    for (const Element& e : elements_) {
        TimeJet<double> target{};
        if (e.has_target()) target = this->target(e);
        if (is_coordinate(e)) {
            take_coordinate(e, q[e.column], target);
            continue;
        }
        evaluate(e, true, rows, frames);
        take_position(e, rows, frames, target);
        take_velocity(e, rows, target);
    }
    set_slips();
}

template <class S>
void MechanismEquations<S>::set_forces(std::span<const double> z) {
    forces_.evaluate(coordinates_, inertia_, t_, z.first(mechanism_.states.size()));
    add_wrenches();
    inertia_.generalized_force(coordinates_, forces_.on_bodies(), force_);
}

template <class S>
void MechanismEquations<S>::set_free_acceleration(std::span<const double> z,
                                                  std::span<double> v_rate) {
    // Loads of joints of the tree are found from all forces on the bodies.
    if (tree_loads_ || !held_.empty()) return Equations::set_free_acceleration(z, v_rate);
    forces_.evaluate_weightless(coordinates_, t_, z.first(mechanism_.states.size()));
    add_wrenches();
    inertia_.accelerate(coordinates_, forces_.on_bodies(), forces_.gravity(), v_rate);
}

template <class S>
void MechanismEquations<S>::add_wrenches() {
    const std::size_t own = mechanism_.states.size();
    for (const ContactPoint<S>& c : choice_.contacts) {
        if (!c.compliant) continue;
        const ContactPair<S>& pair = mechanism_.contacts[c.pair];
        auto force = std::max(0.0, c.compliant_force()) * c.touch.n;
        if (pair.friction)
            force += friction_of_compliant(&c - choice_.contacts.data()) * S::turned(c.touch.n);
        if (!seeded(Fault::compliant_on_one_body))
            forces_.press(pair.a, coordinates_.position(pair.a), c.touch.p[0], -force);
        forces_.press(pair.b, coordinates_.position(pair.b), c.touch.p[1], force);
    }
    for (std::size_t i = 0; i < own; ++i) state_rates_[i] = forces_.state_rates()[i];
    for (std::size_t i = 0; i < mechanism_.forces.size(); ++i)
        state_rates_[own + i] = forces_.energies()[i].power;
    for (std::size_t i = layout_.contacts; i < layout_.drivers; ++i) state_rates_[i] = 0;
    for (const ContactPoint<S>& c : choice_.contacts) {
        if (!c.compliant) continue;
        state_rates_[layout_.contacts + c.pair] +=
            std::max(0.0, c.compliant_force()) * c.rates.closing;
        if (mechanism_.contacts[c.pair].friction)
            state_rates_[layout_.friction_of_contact[c.pair]] +=
                friction_of_compliant(&c - choice_.contacts.data()) * c.rates.slip;
    }
}

template class MechanismEquations<PlanarSpace>;

}  // namespace pawl
