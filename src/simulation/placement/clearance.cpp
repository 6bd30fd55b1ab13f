#include "simulation/placement/clearance.h"

#include <algorithm>
#include <cmath>

#include "coordinates/measures.h"
#include "math/tolerances/motion.h"
#include "mechanism/joint_kind.h"
#include "simulation/placement/initial_velocities.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Mechanics = MechanismEquations<Space>;

class ClearanceExpansion {
public:
    explicit ClearanceExpansion(PlanarMechanism& mechanism) : mechanism_(mechanism) {}

    void open(int index) {
        joint_ = index;
        const JointKind<Space> kind = *joint().kind;
        std::visit([this](const auto& k) { add(k); }, kind);
        *joint().kind = Free<Space>{};
    }

private:
    [[nodiscard]] Joint<Space>& joint() {
        return mechanism_.joints[static_cast<std::size_t>(joint_)];
    }
    int profile(const char* tail, int side, std::vector<CurveElement<Space>> elements,
                bool closed) {
        auto& profile = mechanism_.profiles.emplace_back();
        profile.name = joint().name + "." + tail;
        profile.span = joint().span;
        profile.frame = joint().frames[static_cast<std::size_t>(side)];
        make_profile<Space>(std::move(elements), closed, profile.chain);
        return static_cast<int>(mechanism_.profiles.size()) - 1;
    }
    void contact(const std::string& name, int on_a, int on_b, const ContactRules<double>& rules) {
        auto& pair = mechanism_.contacts.emplace_back();
        static_cast<ContactRules<double>&>(pair) = rules;
        pair.name = name;
        pair.span = joint().span;
        pair.a = joint().a();
        pair.b = joint().b();
        pair.profile_a = on_a;
        pair.profile_b = on_b;
        pair.play_of = joint_;
    }

    // A pin on b in a bearing on a that is wider by the play.
    void add(const Revolute<Space>& k) {
        const int bearing = profile(
            "bearing", 0, {CircleCurve<Space>{{}, *k.radius + *k.clearance, 0, true}}, true);
        const int pin = profile("pin", 1, {CircleCurve<Space>{{}, *k.radius, 0, false}}, true);
        contact(joint().name, bearing, pin, k.rules(k.friction));
    }
    // A block on b between two rails on a.
    void add(const Prismatic<Space>& k) {
        const double x = 0.5 * *k.guide, y = 0.5 * k.width.value_or(*k.guide / 5),
                     end = k.travel.value_or(10 * *k.guide), rail = y + 0.5 * *k.clearance;
        using Line = LineCurve<Space>;
        const int block = profile("block", 1,
                                  {Line{{-x, -y}, {x, -y}}, Line{{x, -y}, {x, y}},
                                   Line{{x, y}, {-x, y}}, Line{{-x, y}, {-x, -y}}},
                                  true);
        const int up = profile("rail_up", 0, {Line{{-end, rail}, {end, rail}}}, false);
        const int low = profile("rail_low", 0, {Line{{end, -rail}, {-end, -rail}}}, false);
        const ContactRules<double> rules = k.rules(k.friction);
        contact(joint().name + ".up", up, block, rules);
        contact(joint().name + ".low", low, block, rules);
    }
    template <class Kind>
    void add(const Kind&) {}

    PlanarMechanism& mechanism_;
    int joint_ = 0;
};

// Whether a pin may stand at x, y, or a block at y, angle; up to rounding, so that they may touch.
constexpr double just_touching = 1 + tolerance::just_touching;
bool within(const Revolute<Space>& k, const double* at) {
    return std::hypot(at[0], at[1]) <= just_touching * *k.clearance;
}
bool within(const Prismatic<Space>& k, const double* at) {
    const double width = k.width.value_or(*k.guide / 5);
    const double reach = 0.5 * (*k.guide * std::abs(std::sin(at[1])) + width * std::cos(at[1]));
    return std::abs(at[1]) < 1 &&
           std::abs(at[0]) + reach <= 0.5 * (width + just_touching * *k.clearance);
}
template <class Kind>
bool within(const Kind&, const double*) {
    return false;
}

// The components that the ideal joint would hold, kept where the first guess has them.
void keep_guess(const PlanarMechanism& ideal, const Joint<Space>& joint,
                std::vector<RestCoordinate<Space>>& rests) {
    double at[2] = {0, 0};
    const auto given = [&](int body) {
        return body == 0 || ideal.bodies[static_cast<std::size_t>(body)].position_given;
    };
    std::visit(
        [&](const auto& k) {
            const auto frame_of = [&](int side) {
                const auto& frame = joint.frames[static_cast<std::size_t>(side)];
                return frame.on(
                    Space::position_of(ideal.bodies[static_cast<std::size_t>(frame.body)].guess));
            };
            const auto a = frame_of(0), b = frame_of(1);
            const auto apart = a.to_local(b.p - a.p);
            for (std::size_t i = 0; i < k.row_components.size() && i < 2; ++i)
                at[i] = k.row_components[i] == Component::x ? apart.x
                        : k.row_components[i] == Component::y
                            ? apart.y
                            : std::atan2(Space::cross(a.u, b.u), Space::dot(a.u, b.u));
            if (!given(joint.a()) || !given(joint.b()) || !within(k, at)) at[0] = at[1] = 0;
            for (std::size_t i = 0; i < k.row_components.size() && i < 2; ++i)
                rests.push_back({joint.name,
                                 joint.span,
                                 {{joint.frames[0], joint.frames[1]}, k.row_components[i]},
                                 at[i]});
        },
        *joint.kind);
}

// Positions with each play where it starts. Kept as they are where nothing closes the other joints.
void put(PlacedMechanism& open, const std::vector<RestCoordinate<Space>>& starts) {
    const auto is_off = [](const auto& s) { return s.value != 0; };
    if (std::none_of(starts.begin(), starts.end(), is_off)) return;
    Mechanics equations(open.mechanism, open.topology, {.rests = starts});
    equations.set_model_size(open.assembly.model_size);
    std::vector<double> q = equations.coordinates().from_positions(open.assembly.positions);
    solve_least_squares(equations, q, 0);
    if (equations.residual() > tolerance::position_accepted * open.assembly.model_size) return;
    for (std::size_t b = 0; b < open.assembly.positions.size(); ++b)
        open.assembly.positions[b] = equations.coordinates().position(static_cast<int>(b));
}

// Velocities of the ideal mechanism, for the bodies of the open one.
void set_velocities(const PlacedMechanism& ideal, PlanarMechanism& open) {
    Mechanics equations(ideal.mechanism, ideal.topology, {});
    equations.set_model_size(ideal.assembly.model_size);
    const auto q = equations.coordinates().from_positions(ideal.assembly.positions);
    const auto v = initial_velocities(ideal, equations, q, nullptr);
    equations.set_position(q, 0);
    equations.coordinates().set_velocity(v);
    for (std::size_t b = 1; b < open.bodies.size(); ++b) {
        const auto& twist = equations.coordinates().velocity(static_cast<int>(b));
        open.bodies[b].velocity = twist.v;
        open.bodies[b].omega = twist.omega;
    }
}

}  // namespace

bool has_clearance(const PlanarMechanism& mechanism) {
    return std::any_of(mechanism.joints.begin(), mechanism.joints.end(),
                       [](const auto& joint) { return joint.clearance().has_value(); });
}

PlacedMechanism open_clearances(const PlacedMechanism& placed) {
    PlacedMechanism open = placed;
    if (!has_clearance(placed.mechanism)) return open;
    std::vector<RestCoordinate<Space>> starts;
    for (std::size_t j = 0; j < placed.mechanism.joints.size(); ++j) {
        const auto& joint = placed.mechanism.joints[j];
        if (!joint.clearance()) continue;
        keep_guess(placed.mechanism, joint, starts);
        // A name that was enough for the ideal joint.
        for (std::string& name : open.mechanism.independent)
            if (name == joint.name)
                name += "." + std::string(component_name(joint.coordinates().front()));
        ClearanceExpansion(open.mechanism).open(static_cast<int>(j));
    }
    open.topology = analyse_topology(open.mechanism);
    put(open, starts);
    set_velocities(placed, open.mechanism);
    return open;
}

}  // namespace pawl
