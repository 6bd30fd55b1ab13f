#include "equations/particle_system.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances/solving.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Vector = Space::Vector;

double length(Vector a) { return std::hypot(a.x, a.y); }

}  // namespace

std::optional<ParticleSystem::Refusal> ParticleSystem::refusal(const PlanarMechanism& m) {
    if (m.moving_bodies() > max_bodies)
        return Refusal{"equivalent particles work up to " + std::to_string(max_bodies) +
                           " moving bodies; this model has " + std::to_string(m.moving_bodies()),
                       {}};
    for (const auto& joint : m.joints) {
        if (joint.kind_name() != "revolute" || joint.clearance() || joint.friction())
            return Refusal{"joint '" + joint.name + "' is " +
                               (joint.kind_name() == "revolute"
                                    ? std::string("a pin with play or friction")
                                    : "of type " + std::string(joint.kind_name())) +
                               ": bodies share particles at plain pins (revolute) only",
                           joint.span};
    }
    for (const auto& pair : m.contacts)
        if (pair.profile_a >= 0)
            return Refusal{"contact '" + pair.name + "': particles have no profiles", pair.span};
    for (const auto& driver : m.drivers)
        return Refusal{"driver '" + driver.name + "': particles move under forces only",
                       driver.span};
    if (!m.states.empty()) return Refusal{"particles have no states of [state]", {}};
    for (std::size_t b = 1; b < m.bodies.size(); ++b)
        if (!(m.bodies[b].mass.value_or(0) > 0) || !(m.bodies[b].inertia.value_or(0) > 0))
            return Refusal{"body '" + m.bodies[b].name +
                               "': three particles need a mass and a moment of inertia above zero",
                           m.bodies[b].span};
    return std::nullopt;
}

Topology ParticleSystem::cut_at(const PlanarMechanism& mechanism,
                                const std::vector<std::string>& cuts) {
    std::vector<std::string> links;
    for (const auto& body : mechanism.bodies) links.push_back(body.name);
    std::vector<Edge> edges;
    for (std::size_t i = 0; i < mechanism.joints.size(); ++i) {
        const auto& j = mechanism.joints[i];
        const bool cut = std::find(cuts.begin(), cuts.end(), j.name) != cuts.end();
        edges.push_back({j.name, std::string(j.kind_name()), j.a(), j.b(), j.carries_tree() && !cut,
                         false, static_cast<int>(i)});
    }
    return analyse_topology(std::move(links), std::move(edges));
}

ParticleSystem::ParticleSystem(const PlanarMechanism& mechanism, const Topology& topology)
    : pins_(mechanism.bodies.size()), local_(mechanism.bodies.size()) {
    add_pins(mechanism, topology);
    for (std::size_t b = 1; b < mechanism.bodies.size(); ++b)
        add_body(mechanism, static_cast<int>(b));
    for (Particle& p : particles_)
        if (p.at.body > 0) {
            p.column = size_;
            size_ += 2;
        }
    assemble_mass();
}

Vector ParticleSystem::local(int body, int particle) const {
    for (const auto& [p, at] : local_[static_cast<std::size_t>(body)])
        if (p == particle) return at;
    return {};
}

int ParticleSystem::add_particle(const std::string& name, int body, Vector local) {
    Particle p;
    p.name = name;
    p.at.body = body;
    p.at.local.at = local;
    p.at.settle();
    particles_.push_back(p);
    local_[static_cast<std::size_t>(body)].emplace_back(static_cast<int>(particles_.size()) - 1,
                                                        local);
    return static_cast<int>(particles_.size()) - 1;
}

// The particles at the pins. Pins of a body at one point are one particle, also over several bodies
// unless a joint there is cut.
void ParticleSystem::add_pins(const PlanarMechanism& mechanism, const Topology& topology) {
    std::vector<char> cut(mechanism.joints.size(), 0);
    for (const int chord : topology.chords)
        if (const int j = topology.edges[static_cast<std::size_t>(chord)].joint; j >= 0)
            cut[static_cast<std::size_t>(j)] = 1;
    const auto known = [&](int body, Vector local) {
        for (const auto& [particle, at] : local_[static_cast<std::size_t>(body)])
            if (length(at - local) == 0) return particle;
        return -1;
    };
    const auto take = [&](int body, int particle, Vector local) {
        auto& pins = pins_[static_cast<std::size_t>(body)];
        if (std::find(pins.begin(), pins.end(), particle) == pins.end()) pins.push_back(particle);
        if (known(body, local) < 0)
            local_[static_cast<std::size_t>(body)].emplace_back(particle, local);
    };
    // First the joints of the tree, from ground outwards, so that what is fixed is on ground.
    const auto share = [&](std::size_t j) {
        const auto& joint = mechanism.joints[j];
        const auto &a = joint.frames[0], &b = joint.frames[1];
        int at_a = known(a.body, a.local.at), at_b = known(b.body, b.local.at);
        if (cut[j]) {
            const bool a_is_known = at_a >= 0;
            if (at_a < 0) at_a = add_particle(joint.name, a.body, a.local.at);
            if (at_b < 0)
                at_b = add_particle(a_is_known || a.body == 0 ? joint.name : joint.name + "'",
                                    b.body, b.local.at);
            cuts_.push_back({static_cast<int>(j), at_a, at_b});
        } else {
            const bool on_b = at_a < 0 && (at_b >= 0 || b.body == 0);
            if (on_b && at_b < 0) at_b = add_particle(joint.name, b.body, b.local.at);
            if (!on_b && at_a < 0) at_a = add_particle(joint.name, a.body, a.local.at);
            at_a = at_b = on_b ? at_b : at_a;
        }
        take(a.body, at_a, a.local.at);
        take(b.body, at_b, b.local.at);
    };
    for (const int branch : topology.branches)
        if (const int j = topology.edges[static_cast<std::size_t>(branch)].joint; j >= 0)
            share(static_cast<std::size_t>(j));
    for (std::size_t j = 0; j < mechanism.joints.size(); ++j)
        if (cut[j]) share(j);
}

// Puts two pins first that leave all three masses positive; among them those that only this body
// has, which get their mass from it alone. The first two where there are none.
void ParticleSystem::choose_corners(const Body<Space>& b, int body) {
    auto& pins = pins_[static_cast<std::size_t>(body)];
    const auto is_shared = [&](int particle) {
        return std::any_of(pins_.begin(), pins_.end(), [&](const std::vector<int>& other) {
            return &other != &pins &&
                   std::find(other.begin(), other.end(), particle) != other.end();
        });
    };
    for (std::size_t far = 1; far < pins.size(); ++far)
        for (std::size_t near = 0; near < far; ++near)
            for (const auto& [first, second] :
                 {std::pair{pins[near], pins[far]}, {pins[far], pins[near]}}) {
                const std::vector<Vector> points{local(body, first), local(body, second)};
                const auto found = equivalent_particles<Space>(b, points).particles;
                const bool fits =
                    found.size() == 3 &&
                    std::all_of(found.begin(), found.end(),
                                [](const auto& p) { return p.mass > 0; }) &&
                    std::all_of(pins.begin(), pins.end(), [&, f = first, s = second](int p) {
                        return p == f || p == s || is_shared(p);
                    });
                if (!fits) continue;
                std::vector<int> ordered{first, second};
                for (const int p : pins)
                    if (p != first && p != second) ordered.push_back(p);
                pins = std::move(ordered);
                return;
            }
}

// The two points of the source are pins; a body with fewer gets them on the line through its centre
// of mass, at its radius of gyration on the other side.
void ParticleSystem::add_body(const PlanarMechanism& mechanism, int body) {
    const auto& b = mechanism.bodies[static_cast<std::size_t>(body)];
    auto& pins = pins_[static_cast<std::size_t>(body)];
    const auto point_of = [&](int particle) { return local(body, particle); };
    const double gyration = std::sqrt(*b.inertia / *b.mass);
    while (pins.size() < 2) {
        Vector arm = pins.empty() ? Vector{-1, 0} : point_of(pins[0]) - b.centre;
        const double l = length(arm);
        arm = l > tolerance::at_centre * gyration ? (1 / l) * arm : Vector{-1, 0};
        pins.push_back(add_particle(b.name + (pins.empty() ? " 1" : " 2"), body,
                                    b.centre - (pins.empty() ? -1 : 1) * gyration * arm));
    }
    choose_corners(b, body);
    const std::vector<Vector> points{point_of(pins[0]), point_of(pins[1])};
    const auto found = equivalent_particles<Space>(b, points).particles;
    BodyParticles out;
    out.body = body;
    out.corners = {pins[0], pins[1]};
    out.others.assign(pins.begin() + 2, pins.end());
    const Vector line = points[1] - points[0];
    const double off =
        std::abs(Space::cross(found.back().at - points[0], line)) / Space::dot(line, line);
    out.rod = off <= tolerance::at_centre;
    for (std::size_t i = 0; i < 2; ++i) out.shares.push_back({found[i].mass, {{pins[i], 1.0}}});
    if (out.rod) {
        const double s = Space::dot(found.back().at - points[0], line) / Space::dot(line, line);
        out.shares.push_back({found.back().mass, {{pins[0], 1 - s}, {pins[1], s}}});
    } else {
        out.corners.push_back(add_particle(b.name + " 3", body, found.back().at));
        out.shares.push_back({found.back().mass, {{out.corners[2], 1.0}}});
    }
    bodies_.push_back(std::move(out));
}

void ParticleSystem::assemble_mass() {
    mass_ = Eigen::MatrixXd::Zero(size_, size_);
    for (const BodyParticles& body : bodies_)
        for (const Share& share : body.shares) {
            if (share.of.size() == 1)
                particles_[static_cast<std::size_t>(share.of[0].first)].mass += share.mass;
            for (const auto& [p, part] : share.of)
                for (const auto& [r, other] : share.of) {
                    const int c = particles_[static_cast<std::size_t>(p)].column,
                              d = particles_[static_cast<std::size_t>(r)].column;
                    if (c < 0 || d < 0) continue;
                    for (int k = 0; k < 2; ++k) mass_(c + k, d + k) += share.mass * part * other;
                }
        }
}

// alpha_i from sum alpha_i = 1 and sum alpha_i r_i = r_P. Of a rod the foot of P on its line
// counts, and the way from there adds to the couple.
void ParticleSystem::distribute(const std::vector<Space::Wrench>& on_bodies,
                                const std::vector<Space::Position>& where,
                                Eigen::VectorXd& force) const {
    force = Eigen::VectorXd::Zero(size_);
    const auto add = [&](int particle, Vector f) {
        const int c = particles_[static_cast<std::size_t>(particle)].column;
        if (c < 0) return;
        force[c] += f.x;
        force[c + 1] += f.y;
    };
    for (const BodyParticles& body : bodies_) {
        const auto& w = on_bodies[static_cast<std::size_t>(body.body)];
        const auto& pose = where[static_cast<std::size_t>(body.body)];
        std::vector<Vector> at;  // corners from the body's origin P, in ground axes
        for (const int corner : body.corners)
            at.push_back(pose.to_ground(local(body.body, corner)));
        const Vector line = at[1] - at[0];
        double couple = w.m;
        if (body.rod) {
            const double alpha = -Space::dot(at[0], line) / Space::dot(line, line);
            add(body.corners[0], (1 - alpha) * w.f);
            add(body.corners[1], alpha * w.f);
            couple -= Space::cross(at[0] + alpha * line, w.f);
        } else {
            const Vector side = at[2] - at[0];
            const double area = Space::cross(line, side);
            const double alpha2 = Space::cross(-at[0], side) / area,
                         alpha3 = Space::cross(line, -at[0]) / area;
            add(body.corners[0], (1 - alpha2 - alpha3) * w.f);
            add(body.corners[1], alpha2 * w.f);
            add(body.corners[2], alpha3 * w.f);
        }
        const Vector pair = (couple / Space::dot(line, line)) * Space::turned(line);
        add(body.corners[0], -pair);
        add(body.corners[1], pair);
    }
}

}  // namespace pawl
