#include "coordinates/coordinates.h"

#include <algorithm>

namespace pawl {

namespace {

double& component_of(double (&pose)[3], Component c) { return pose[static_cast<int>(c)]; }

}  // namespace

template <class S>
Coordinates<S> Coordinates<S>::relative(const Mechanism<S>& mechanism, const Topology& topology) {
    Coordinates coordinates;
    for (std::size_t i = 1; i < topology.order.size(); ++i) {
        const int child = topology.order[i];
        const Edge& edge = topology.edges[topology.parent_edge[child]];
        Branch branch;
        branch.child = child;
        branch.parent = topology.parent(child);
        branch.name = edge.name;
        branch.reversed = edge.a == child;
        if (edge.joint >= 0) {
            const Joint<S>& joint = mechanism.joints[edge.joint];
            branch.frames = {joint.frames[0], joint.frames[1]};
            branch.freedoms = joint.coordinates();
        } else {
            branch.frames[1].body = child;
            branch.freedoms = {Component::x, Component::y, Component::angle};
        }
        coordinates.branches_.push_back(std::move(branch));
    }
    coordinates.finish(static_cast<int>(mechanism.bodies.size()));
    return coordinates;
}

template <class S>
Coordinates<S> Coordinates<S>::absolute(const Mechanism<S>& mechanism) {
    Coordinates coordinates;
    for (int body = 1; body < static_cast<int>(mechanism.bodies.size()); ++body) {
        Branch branch;
        branch.child = body;
        branch.frames[1].body = body;
        branch.freedoms = {Component::x, Component::y, Component::angle};
        branch.name = mechanism.bodies[body].name;
        coordinates.branches_.push_back(std::move(branch));
    }
    coordinates.finish(static_cast<int>(mechanism.bodies.size()));
    return coordinates;
}

template <class S>
void Coordinates<S>::finish(int bodies) {
    branch_of_.assign(bodies, -1);
    for (std::size_t k = 0; k < branches_.size(); ++k) {
        Branch& b = branches_[k];
        branch_of_[b.child] = static_cast<int>(k);
        b.first = size_;
        size_ += static_cast<int>(b.freedoms.size());
        components_.insert(components_.end(), b.freedoms.begin(), b.freedoms.end());
        b.turns_only = b.freedoms.size() == 1 && b.freedoms[0] == Component::angle;
        b.slides_on_ground = b.parent == 0 && b.freedoms.size() == 1 && !b.turns_only;
        const auto& own = b.frames[b.reversed ? 0 : 1].local;
        const auto& on_parent = b.frames[b.reversed ? 1 : 0].local;
        const auto has_offset = [](const auto& pose) { return pose.at.x != 0 || pose.at.y != 0; };
        b.parent_offset = has_offset(on_parent);
        b.parent_angle = on_parent.angle != 0;
        b.own_offset = has_offset(own);
        b.own_angle = own.angle != 0;
    }
    position_.resize(bodies);
    velocity_.resize(bodies);
    acceleration_.resize(bodies);
    for (auto* v : {&axis_, &centre_, &offset_, &gap_, &slide_, &parent_arm_, &child_arm_})
        v->resize(branches_.size());
    const std::vector<double> start(size_, 0.0);
    for (std::size_t k = 0; k < branches_.size(); ++k) set_branch(k, start);
}

template <class S>
std::string Coordinates<S>::column_name(int column) const {
    if (column < 0 || column >= size_) return {};
    return branches_[branch_of_column(column)].name + "." +
           std::string(component_name(components_[column]));
}

template <class S>
int Coordinates<S>::column_of(const Attachment<S>& a, const Attachment<S>& b,
                              Component component) const {
    const auto same = [](const Attachment<S>& x, const Attachment<S>& y) {
        return x.body == y.body && x.local.at.x == y.local.at.x && x.local.at.y == y.local.at.y &&
               x.local.angle == y.local.angle;
    };
    for (const Branch& branch : branches_)
        if (same(branch.frames[0], a) && same(branch.frames[1], b))
            for (std::size_t i = 0; i < branch.freedoms.size(); ++i)
                if (branch.freedoms[i] == component) return branch.first + static_cast<int>(i);
    return -1;
}

template <class S>
int Coordinates<S>::branch_of_column(int column) const {
    const auto after =
        std::upper_bound(branches_.begin(), branches_.end(), column,
                         [](int c, const Branch& branch) { return c < branch.first; });
    return static_cast<int>(after - branches_.begin()) - 1;
}

// Child from parent, with d = x u_a + y n_a the displacement of frame b in frame a:
//   child carries b:  p_b = p_a + d, th_b = th_a + angle;   child carries a:  th_a = th_b - angle,
//   p_a = p_b - d.
template <class S>
inline void Coordinates<S>::set_branch(std::size_t k, std::span<const double> q) {
    const Branch& br = branches_[k];
    const Attachment<S>& own = br.frames[br.reversed ? 0 : 1];
    const Attachment<S>& on_parent = br.frames[br.reversed ? 1 : 0];
    const auto& parent = position_[br.parent];
    auto& body = position_[br.child];
    typename S::Position base = parent;
    if (br.parent_offset) {
        parent_arm_[k] = parent.to_ground(on_parent.local.at);
        base.p += parent_arm_[k];
    }
    if (br.parent_angle) {
        base.angle += on_parent.local.angle;
        base.u = parent.to_ground(on_parent.axis);
    }
    double pose[3] = {0, 0, 0};
    if (br.turns_only)
        pose[2] = q[br.first];
    else
        for (std::size_t i = 0; i < br.freedoms.size(); ++i)
            component_of(pose, br.freedoms[i]) = q[br.first + i];
    const double turn = br.reversed ? -pose[2] : pose[2];
    typename S::Position frame = base;
    if (turn != 0) {
        frame.angle += turn;
        frame.u = base.to_ground({std::cos(turn), std::sin(turn)});
    }
    auto centre = base.p;
    if (!br.turns_only) {
        const auto& a = br.reversed ? frame : base;
        axis_[k] = a.u;
        gap_[k] = a.to_ground({pose[0], pose[1]});
        frame.p = br.reversed ? base.p - gap_[k] : base.p + gap_[k];
        if (!br.reversed) centre = frame.p;
    }
    centre_[k] = centre;
    offset_[k] = br.parent == 0 ? centre : centre - centre_[branch_of_[br.parent]];
    // The body from its frame: turn back by the frame's angle on the body.
    if (br.own_angle) {
        frame.angle -= own.local.angle;
        frame.u = {S::dot(frame.u, own.axis), S::cross(own.axis, frame.u)};
    }
    if (br.own_offset) {
        child_arm_[k] = frame.to_ground(own.local.at);
        frame.p = frame.p - child_arm_[k];
    }
    body = frame;
}

// The same of a branch that only slides on ground, once it was placed.
template <class S>
inline void Coordinates<S>::slide_on_ground(std::size_t k, double q) {
    const Branch& br = branches_[k];
    const auto& base = parent_arm_[k];
    gap_[k] = q * direction(k, br.freedoms[0]);
    const auto end = br.reversed ? base - gap_[k] : base + gap_[k];
    if (!br.reversed) centre_[k] = offset_[k] = end;
    position_[br.child].p = end - child_arm_[k];
}

template <class S>
void Coordinates<S>::set_position(std::span<const double> q) {
    at_zero_rates_ = false;
    for (std::size_t k = 0; k < branches_.size(); ++k)
        if (branches_[k].slides_on_ground)
            slide_on_ground(k, q[branches_[k].first]);
        else
            set_branch(k, q);
}

// v_b = v_a + s + w_a x d with s = x' u_a + y' n_a; the same equation gives v_a when the child
// carries a.
template <class S>
inline void Coordinates<S>::move(std::size_t k, std::span<const double> v) {
    const Branch& br = branches_[k];
    const auto& parent = velocity_[br.parent];
    auto& child = velocity_[br.child];
    auto frame_v = S::carried(parent, parent_arm_[k]).v;
    if (br.turns_only) {
        child.omega = parent.omega + (br.reversed ? -v[br.first] : v[br.first]);
    } else {
        double rate[3] = {0, 0, 0};
        for (std::size_t i = 0; i < br.freedoms.size(); ++i)
            component_of(rate, br.freedoms[i]) = v[br.first + i];
        slide_[k] = rate[0] * axis_[k] + rate[1] * S::turned(axis_[k]);
        child.omega = parent.omega + (br.reversed ? -rate[2] : rate[2]);
        const double omega_a = br.reversed ? child.omega : parent.omega;
        const auto relative = slide_[k] + omega_a * S::turned(gap_[k]);
        frame_v = br.reversed ? frame_v - relative : frame_v + relative;
    }
    child.v = frame_v - child.omega * S::turned(child_arm_[k]);
}

template <class S>
void Coordinates<S>::set_velocity(std::span<const double> v) {
    at_zero_rates_ = false;
    for (std::size_t k = 0; k < branches_.size(); ++k) move(k, v);
}

// a_b = a_a + s' + 2 w_a x s + alpha_a x d - w_a^2 d, and a point at arm r of a body: a + alpha x r
// - w^2 r.
template <class S>
inline void Coordinates<S>::accelerate(std::size_t k, const double* v_rate) {
    const Branch& br = branches_[k];
    const auto& parent = acceleration_[br.parent];
    auto& child = acceleration_[br.child];
    const double parent_omega = velocity_[br.parent].omega, child_omega = velocity_[br.child].omega;
    auto frame_a = parent.v + parent.omega * S::turned(parent_arm_[k]) -
                   parent_omega * parent_omega * parent_arm_[k];
    if (br.turns_only) {
        const double rate = v_rate ? v_rate[br.first] : 0;
        child.omega = parent.omega + (br.reversed ? -rate : rate);
    } else {
        double rate[3] = {0, 0, 0};
        if (v_rate)
            for (std::size_t i = 0; i < br.freedoms.size(); ++i)
                component_of(rate, br.freedoms[i]) = v_rate[br.first + i];
        child.omega = parent.omega + (br.reversed ? -rate[2] : rate[2]);
        const double omega_a = br.reversed ? child_omega : parent_omega;
        const double alpha_a = br.reversed ? child.omega : parent.omega;
        const auto relative = rate[0] * axis_[k] + rate[1] * S::turned(axis_[k]) +
                              2 * omega_a * S::turned(slide_[k]) + alpha_a * S::turned(gap_[k]) -
                              omega_a * omega_a * gap_[k];
        frame_a = br.reversed ? frame_a - relative : frame_a + relative;
    }
    child.v = frame_a - child.omega * S::turned(child_arm_[k]) +
              child_omega * child_omega * child_arm_[k];
}

template <class S>
void Coordinates<S>::set_acceleration(std::span<const double> v_rate) {
    if (v_rate.empty() && at_zero_rates_) return;
    at_zero_rates_ = v_rate.empty();
    for (std::size_t k = 0; k < branches_.size(); ++k)
        accelerate(k, v_rate.empty() ? nullptr : v_rate.data());
}

// The same of a branch that only turns, in one go.
template <class S>
inline void Coordinates<S>::turn(std::size_t k, double q, double v) {
    const Branch& br = branches_[k];
    const Attachment<S>& own = br.frames[br.reversed ? 0 : 1];
    const Attachment<S>& on_parent = br.frames[br.reversed ? 1 : 0];
    typename S::Position frame = position_[br.parent];
    typename S::Twist rate = velocity_[br.parent], second = acceleration_[br.parent];
    if (br.parent_offset) {
        const auto arm = parent_arm_[k] = frame.to_ground(on_parent.local.at);
        frame.p += arm;
        rate.v += rate.omega * S::turned(arm);
        second.v += second.omega * S::turned(arm) - rate.omega * rate.omega * arm;
    }
    centre_[k] = frame.p;
    offset_[k] = br.parent == 0 ? frame.p : frame.p - centre_[branch_of_[br.parent]];
    const double turn = br.reversed ? -q : q;
    double angle = turn;
    if (br.parent_angle) {
        angle += on_parent.local.angle;
        frame.u = frame.to_ground(on_parent.axis);
    }
    if (turn != 0) frame.u = frame.to_ground({std::cos(turn), std::sin(turn)});
    if (br.own_angle) {
        angle -= own.local.angle;
        frame.u = {S::dot(frame.u, own.axis), S::cross(own.axis, frame.u)};
    }
    frame.angle += angle;
    rate.omega += br.reversed ? -v : v;
    if (br.own_offset) {
        const auto arm = child_arm_[k] = frame.to_ground(own.local.at);
        frame.p = frame.p - arm;
        rate.v = rate.v - rate.omega * S::turned(arm);
        second.v = second.v - second.omega * S::turned(arm) + rate.omega * rate.omega * arm;
    }
    position_[br.child] = frame;
    velocity_[br.child] = rate;
    acceleration_[br.child] = second;
}

template <class S>
void Coordinates<S>::set_motion(std::span<const double> q, std::span<const double> v) {
    at_zero_rates_ = true;
    for (std::size_t k = 0; k < branches_.size(); ++k) {
        if (branches_[k].turns_only) {
            turn(k, q[branches_[k].first], v[branches_[k].first]);
            continue;
        }
        if (branches_[k].slides_on_ground) {
            const Branch& br = branches_[k];
            slide_on_ground(k, q[br.first]);
            slide_[k] = v[br.first] * direction(k, br.freedoms[0]);
            velocity_[br.child] = {br.reversed ? -slide_[k] : slide_[k], 0};
            acceleration_[br.child] = {};
            continue;
        }
        set_branch(k, q);
        move(k, v);
        accelerate(k, nullptr);
    }
}

template <class S>
typename Coordinates<S>::Motion Coordinates<S>::motion(std::size_t k, Component freedom) const {
    if (freedom == Component::angle) {
        const auto& [a, b] = branches_[k].frames;
        return {position_[b.body].angle + b.local.angle - position_[a.body].angle - a.local.angle,
                velocity_[b.body].omega - velocity_[a.body].omega};
    }
    const auto along = direction(k, freedom);
    return {S::dot(along, gap_[k]), S::dot(along, slide_[k])};
}

template <class S>
typename S::Frame Coordinates<S>::frame(const Attachment<S>& at) const {
    const auto& body = position_[at.body];
    const auto position = at.on(body);
    return {position, S::carried(velocity_[at.body], position.p - body.p)};
}

template <class S>
typename S::Twist Coordinates<S>::frame_acceleration(const Attachment<S>& at) const {
    const auto arm = position_[at.body].to_ground(at.local.at);
    const double omega = velocity_[at.body].omega;
    const auto& a = acceleration_[at.body];
    return {a.v + a.omega * S::turned(arm) - omega * omega * arm, a.omega};
}

// Outwards, so that each child is measured from where its parent was really put. A body whose
// position was not given starts with no displacement along its branch.
template <class S>
std::vector<double> Coordinates<S>::from_guess(const Mechanism<S>& mechanism) {
    // One more, so that a branch without degrees of freedom has an address.
    std::vector<double> q(size_ + 1, 0.0);
    for (std::size_t k = 0; k < branches_.size(); ++k) {
        const Branch& br = branches_[k];
        const Body<S>& body = mechanism.bodies[br.child];
        measure(br, position_[br.parent], S::position_of(body.guess), q.data() + br.first);
        for (std::size_t i = 0; i < br.freedoms.size(); ++i)
            if (br.freedoms[i] != Component::angle && !body.position_given) q[br.first + i] = 0;
        set_branch(k, q);
    }
    q.pop_back();
    return q;
}

template class Coordinates<PlanarSpace>;

}  // namespace pawl
