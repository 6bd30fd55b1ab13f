// Writes a model as an ACDMC data file, or says which of its elements the format does not know.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "math/units.h"
#include "mechanism/joint_kind.h"
#include "model_file/exchange/acdmc_file.h"
#include "model_file/exchange/acdmc_output.h"

namespace pawl {

namespace {

using Space = PlanarSpace;

// What the format says of a joint besides its frames, in SI.
struct JointRecord {
    double q = 0, rate = 0, force = 0, stiff = 0, rest = 0;
    bool has_force = false, has_spring = false, independent = false;
};

class AcdmcWriter {
public:
    AcdmcWriter(const ModelData& model, std::span<const Space::Pose> poses,
                const ExchangeUnits& units, Diagnostics& diagnostics)
        : model_(model), mechanism_(model.mechanism), poses_(poses), diagnostics_(diagnostics) {
        length_ = parse_unit(units.length)->factor;
        force_ = parse_unit(units.force)->factor;
        mass_ = parse_unit(units.mass_or_consistent())->factor;
        joints_.resize(mechanism_.joints.size());
        reached_.assign(mechanism_.bodies.size(), false);
    }

    std::optional<std::string> write() {
        check_kinds();
        if (!diagnostics_.has_errors()) fill_joints();
        if (diagnostics_.has_errors()) return std::nullopt;
        machine();
        for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b) link(b);
        pairs();
        for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b) {
            output_.entity("OCLI");
            output_.field("NAME", mechanism_.bodies[b].name);
            output_.field("SOLID", mechanism_.bodies[b].name);
            output_.field("FIXED", b == 0 ? "TRUE" : "FALSE");
        }
        for (std::size_t j = 0; j < joints_.size(); ++j) joint_motion(j);
        for (const auto& contact : mechanism_.contacts) contact_motion(contact);
        if (diagnostics_.has_errors()) return std::nullopt;
        return output_.text();
    }

private:
    void refuse(Span span, const std::string& what, const std::string& reason) {
        diagnostics_.error(span, what + " cannot be written: " + reason);
    }

    // ---- what the format knows --------------------------------------------------------------
    void check_kinds() {
        for (const auto& joint : mechanism_.joints) check_joint(joint);
        for (const auto& contact : mechanism_.contacts) check_contact(contact);
        std::set<std::string> measures;  // one has up to two channels, NAME.x and NAME.y
        for (const auto& measure : mechanism_.measures)
            if (const std::string name = measure.name.substr(0, measure.name.find('.'));
                measures.insert(name).second)
                refuse(measure.span, "measure '" + name + "'", "the format has none");
        for (const auto& state : mechanism_.states)
            refuse(state.span, "state '" + state.name + "'", "the format has none");
        for (const auto& coupling : mechanism_.couplings)
            refuse(coupling.joint.span, "coupling '" + coupling.joint.name + "'",
                   "the format has none");
        const RunSettings& run = model_.run;
        const RunSettings usual;
        kinematic_ = run.analysis == Analysis::kinematics;
        if (!kinematic_ && run.analysis != Analysis::dynamics)
            refuse(run.span, "run, analysis \"" + std::string(value_name(run.analysis)) + "\"",
                   "the format has kinematics and dynamics");
        if (run.impacts != usual.impacts)
            refuse(run.span, "run, impacts \"" + std::string(value_name(run.impacts)) + "\"",
                   "the format has one law of several impacts at one time");
        if (run.coordinates != usual.coordinates || run.dynamics != usual.dynamics ||
            run.integrator != usual.integrator || run.rtol != usual.rtol ||
            run.atol != usual.atol || run.largest_step)
            diagnostics_.warning(run.span,
                                 "run: the choice of the numerical method and its tolerances is "
                                 "left out: the format has none");
    }

    // All that an element has and the format lacks, in one message.
    void refuse_all(Span span, const std::string& what, const std::vector<std::string>& lacks) {
        if (!lacks.empty())
            refuse(span, what, fmt::format("the format has no {}", fmt::join(lacks, ", no ")));
    }

    void check_joint(const Joint<Space>& joint) {
        const std::string what = "joint '" + joint.name + "'";
        if (!slides(joint) && !std::holds_alternative<Revolute<Space>>(*joint.kind))
            return refuse(joint.span, what,
                          "the format has revolute and prismatic joints, not " +
                              std::string(joint.kind_name()));
        std::vector<std::string> lacks;
        if (joint.friction()) lacks.emplace_back("friction");
        if (joint.clearance()) lacks.emplace_back("clearance");
        refuse_all(joint.span, what, lacks);
    }

    // Rules of friction mean nothing without it and are not named beside it.
    void check_contact(const ContactPair<Space>& contact) {
        const std::string what = "contact '" + contact.name + "'";
        if (contact.profile_a < 0) return refuse(contact.span, what, "it has no profiles");
        std::vector<std::string> lacks;
        std::visit(
            [&](const auto& law) {
                if (!law.is_rigid) lacks.push_back("law \"" + std::string(law.name) + "\"");
            },
            contact.law);
        if (contact.permanent) lacks.emplace_back("permanent contacts");
        if (contact.capture) lacks.emplace_back("capture speed");
        if (contact.friction) lacks.emplace_back("friction");
        if (contact.restitution_depends_on_speed())
            lacks.emplace_back("restitution over the speed");
        if (contact.impact != RestitutionLaw::newton)
            lacks.emplace_back(contact.impact == RestitutionLaw::poisson ? "impact \"poisson\""
                                                                         : "impact \"stronge\"");
        if (contact.tangential_restitution != 0) lacks.emplace_back("tangential restitution");
        refuse_all(contact.span, what, lacks);
    }

    static bool slides(const Joint<Space>& joint) {
        return std::holds_alternative<Prismatic<Space>>(*joint.kind);
    }
    static bool same(const Attachment<Space>& a, const Attachment<Space>& b) {
        return a.body == b.body && a.local.at.x == b.local.at.x && a.local.at.y == b.local.at.y &&
               a.local.angle == b.local.angle;
    }
    JointRecord* joint_of(const Attachment<Space>& a, const Attachment<Space>& b,
                          Component component) {
        for (std::size_t j = 0; j < joints_.size(); ++j) {
            const auto& joint = mechanism_.joints[j];
            if (same(joint.frames[0], a) && same(joint.frames[1], b) &&
                joint.coordinates().front() == component)
                return &joints_[j];
        }
        return nullptr;
    }

    void fill_joints() {
        for (std::size_t j = 0; j < joints_.size(); ++j) set_position(j);
        for (const std::string& name : mechanism_.independent)
            for (std::size_t j = 0; j < joints_.size() && !kinematic_; ++j)
                joints_[j].independent |=
                    name.substr(0, name.find('.')) == mechanism_.joints[j].name;
        reach();
        for (const auto& driver : mechanism_.drivers) add_driver(driver);
        for (const auto& force : mechanism_.forces)
            std::visit([&](const auto& kind) { add_force(force, kind); }, force.kind);
    }

    Space::Position frame(const Attachment<Space>& at) const {
        return at.on(Space::position_of(poses_[static_cast<std::size_t>(at.body)]));
    }
    Space::Vector velocity(const Attachment<Space>& on, Space::Vector point) const {
        const auto& body = mechanism_.bodies[static_cast<std::size_t>(on.body)];
        const auto arm = point - poses_[static_cast<std::size_t>(on.body)].at;
        return body.velocity.value_or(Space::Vector{}) +
               body.omega.value_or(0) * Space::turned(arm);
    }
    void set_position(std::size_t j) {
        const auto& joint = mechanism_.joints[j];
        const auto a = frame(joint.frames[0]), b = frame(joint.frames[1]);
        const auto spin = [&](int body) {
            return mechanism_.bodies[static_cast<std::size_t>(body)].omega.value_or(0);
        };
        if (slides(joint)) {
            joints_[j].q = Space::dot(b.p - a.p, a.u);
            joints_[j].rate =
                Space::dot(velocity(joint.frames[1], b.p) - velocity(joint.frames[0], b.p), a.u);
        } else {
            joints_[j].q = poses_[static_cast<std::size_t>(joint.b())].angle -
                           poses_[static_cast<std::size_t>(joint.a())].angle;
            joints_[j].rate = spin(joint.b()) - spin(joint.a());
        }
    }

    // Which bodies the joints place, and whether their velocities can be determined: only along
    // independent coordinates, where there are any.
    void reach() {
        std::vector<bool> known(mechanism_.bodies.size(), false);
        reached_[0] = known[0] = true;
        const bool any = std::any_of(joints_.begin(), joints_.end(),
                                     [](const JointRecord& r) { return r.independent; });
        for (bool again = true; again;) {
            again = false;
            for (std::size_t j = 0; j < joints_.size(); ++j) {
                const auto a = static_cast<std::size_t>(mechanism_.joints[j].a()),
                           b = static_cast<std::size_t>(mechanism_.joints[j].b());
                if (reached_[a] == reached_[b]) continue;
                const std::size_t from = reached_[a] ? a : b, to = reached_[a] ? b : a;
                reached_[to] = again = true;
                known[to] = known[from] && (joints_[j].independent || !any);
            }
        }
        for (std::size_t b = 1; b < known.size(); ++b) {
            const auto& body = mechanism_.bodies[b];
            if (!known[b] && !kinematic_ && (body.omega || body.velocity))
                diagnostics_.warning(body.span,
                                     "body '" + body.name +
                                         "': its velocity is left out: the format has velocities "
                                         "of independent joints only");
        }
        for (JointRecord& joint : joints_)
            if (kinematic_ || (any && !joint.independent)) joint.rate = 0;
    }

    void add_driver(const Driver<Space>& driver) {
        const std::string what = "driver '" + driver.name + "'";
        const auto& c = driver.coordinate;
        JointRecord* joint = joint_of(c.frames[0], c.frames[1], c.component);
        const auto* law = std::get_if<SpeedLaw<double>>(&driver.law);
        if (!kinematic_)
            return refuse(driver.span, what,
                          "in dynamics the format has independent coordinates, but no drivers; "
                          "use `independent` of [run]");
        if (!joint || !law)
            return refuse(driver.span, what, "the format drives joints at constant speed only");
        if (law->start && std::abs(*law->start - joint->q) > acdmc_noise)
            return refuse(driver.span, what, "it does not start at the initial position");
        joint->independent = true;
        joint->rate = law->speed;
    }

    template <class Kind>
    void add_force(const Force<Space>& force, const Kind&) {
        refuse(force.span, "force '" + force.name + "'",
               "the format has gravity along -y and, at joints, linear springs and constant "
               "forces");
    }
    void add_force(const Force<Space>& force, const Gravity<Space>& gravity) {
        if (gravity.x != 0) return add_force<Gravity<Space>>(force, gravity);
        gravity_ -= gravity.y;
    }
    void add_force(const Force<Space>& force, const JointSpring<Space>& spring) {
        JointRecord* joint = joint_of(force.frames[0], force.frames[1], force.component);
        if (!joint || spring.damping != 0 || spring.preload != 0 || spring.law ||
            !spring.elongations.empty())
            return add_force<JointSpring<Space>>(force, spring);
        if (joint->has_spring)
            return refuse(force.span, "force '" + force.name + "'",
                          "its joint has another spring already");
        joint->has_spring = true;
        joint->stiff = -spring.stiffness;
        joint->rest = spring.rest.value_or(joint->q);
    }
    void add_force(const Force<Space>& force, const JointForce<Space>& given) {
        JointRecord* joint = joint_of(force.frames[0], force.frames[1], force.component);
        const auto& slots = given.value.expression.slots_used();
        const bool constant = std::all_of(slots.begin(), slots.end(), [&](int slot) {
            return slot > 0 && static_cast<std::size_t>(slot) <= given.value.parameters.size();
        });
        if (!joint || !constant) return add_force<JointForce<Space>>(force, given);
        if (joint->has_force)
            return refuse(force.span, "force '" + force.name + "'",
                          "its joint has another force already");
        joint->has_force = true;
        joint->force = given.value.at({});
    }

    void machine() {
        output_.entity("MACH");
        output_.field("NAME", mechanism_.name.empty() ? "model" : mechanism_.name);
        output_.field("GRAVITY", exchange_number(gravity_ / length_));
        output_.field("TIME", exchange_number(model_.run.end));
        output_.field("STEP", exchange_number(model_.run.step));
        output_.field("STADE", kinematic_ ? "KINEMATIC" : "DYNAMIC");
    }

    void link(std::size_t b) {
        const auto& body = mechanism_.bodies[b];
        output_.entity("LINK");
        output_.field("NAME", body.name);
        const Space::Pose pose = reached_[b] ? Space::Pose{} : poses_[b];
        const double c = std::cos(pose.angle), s = std::sin(pose.angle);
        output_.matrix("AR0",
                       {c, -s, 0, pose.at.x / length_, s, c, 0, pose.at.y / length_, 0, 0, 1, 0});
        const double m = body.mass.value_or(0) / mass_,
                     j = body.inertia.value_or(0) / (mass_ * length_ * length_),
                     x = body.centre.x / length_, y = body.centre.y / length_;
        output_.matrix("MASS", {j + m * x * x, m * x * y, 0, m * x, m * x * y, m * y * y, 0, m * y,
                                0, 0, 0, 0, m * x, m * y, 0, m});
        for (const auto& joint : mechanism_.joints)
            for (const int side : {0, 1})
                if (joint.frames[static_cast<std::size_t>(side)].body == static_cast<int>(b))
                    frame_surface(joint, side);
        for (const auto& profile : mechanism_.profiles)
            if (profile.frame.body == static_cast<int>(b))
                write_acdmc_curve(output_, profile, length_, diagnostics_);
    }

    static std::string surface_name(const Joint<Space>& joint, int side) {
        return joint.name + (side == 0 ? "_in" : "_out");
    }
    // The joint acts about or along the z axis of its frame.
    void frame_surface(const Joint<Space>& joint, int side) {
        const auto& local = joint.frames[static_cast<std::size_t>(side)].local;
        const double x = local.at.x / length_, y = local.at.y / length_;
        output_.entity("SURF");
        output_.field("NAME", surface_name(joint, side));
        output_.field("TYPE", "REPERE");
        const double c = std::cos(local.angle), s = std::sin(local.angle);
        if (slides(joint))
            output_.matrix("SHAPE", {-s, 0, c, x, c, 0, s, y, 0, 1, 0, 0});
        else
            output_.matrix("SHAPE", {1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, 0});
    }

    void pairs() {
        const auto pair = [&](const std::string& name, int a, const std::string& surface_a, int b,
                              const std::string& surface_b, const char* type) {
            output_.entity("PAIR");
            output_.field("NAME", name);
            output_.field("PINLINK", mechanism_.bodies[static_cast<std::size_t>(a)].name);
            output_.field("PINSURF", surface_a);
            output_.field("POUTLINK", mechanism_.bodies[static_cast<std::size_t>(b)].name);
            output_.field("POUTSURF", surface_b);
            output_.field("TYPEPAIR", type);
        };
        for (const auto& joint : mechanism_.joints)
            pair(joint.name, joint.a(), surface_name(joint, 0), joint.b(), surface_name(joint, 1),
                 slides(joint) ? "PRISMATIQUE" : "ROTOIDE");
        std::set<std::string> names;
        for (const auto& joint : mechanism_.joints) names.insert(joint.name);
        for (const auto& contact : mechanism_.contacts) {
            if (names.contains(contact.name))
                refuse(contact.span, "contact '" + contact.name + "'",
                       "a joint has the same name, and in the format both are pairs");
            const auto profile = [&](int i) {
                return mechanism_.profiles[static_cast<std::size_t>(i)].name;
            };
            pair(contact.name, contact.a, profile(contact.profile_a), contact.b,
                 profile(contact.profile_b), "CONTACT");
        }
    }

    void motion(const std::string& name, int a, int b, const JointRecord& joint, bool turns) {
        const double unit = turns ? 1 : length_, torque = turns ? length_ : 1;
        output_.entity("OCPA");
        output_.field("NAME", name);
        output_.field("JOINT", name);
        output_.field("FORCE", exchange_number(joint.force / (force_ * torque)));
        output_.field("STIFF", exchange_number(joint.stiff / (force_ * torque) * unit));
        output_.field("LENGTH", exchange_number(joint.rest / unit));
        output_.field("LINK OF INPUT PAIR", mechanism_.bodies[static_cast<std::size_t>(a)].name);
        output_.field("LINK OF OUTPUT PAIR", mechanism_.bodies[static_cast<std::size_t>(b)].name);
        output_.line("INITIAL POSITION :\n " + exchange_number(joint.q / unit) + " 0 0 0 0 0");
        output_.line("INITIAL VELOCITY :\n " + exchange_number(joint.rate / unit) + " 0 0 0 0 0");
        for (int k = 1; k <= 6; ++k)
            output_.field(fmt::format("ARMOTOR[{}]", k).c_str(),
                          k == 1 && joint.independent ? "TRUE" : "FALSE");
    }
    void joint_motion(std::size_t j) {
        const auto& joint = mechanism_.joints[j];
        motion(joint.name, joint.a(), joint.b(), joints_[j], !slides(joint));
    }
    // Whether it is closed, and where, is not in a model: it follows from the geometry.
    void contact_motion(const ContactPair<Space>& contact) {
        motion(contact.name, contact.a, contact.b, {}, true);
        output_.field("CONTACT ACTIF", "FALSE");
        output_.field("RESTITUTION", exchange_number(contact.restitution));
    }

    const ModelData& model_;
    const PlanarMechanism& mechanism_;
    std::span<const Space::Pose> poses_;
    Diagnostics& diagnostics_;
    double length_ = 1, force_ = 1, mass_ = 1;  // units of the file, in SI
    double gravity_ = 0;
    bool kinematic_ = false;
    std::vector<JointRecord> joints_;
    std::vector<bool> reached_;  // bodies placed by joints
    AcdmcOutput output_;
};

}  // namespace

std::optional<std::string> write_acdmc(const ModelData& model,
                                       std::span<const PlanarSpace::Pose> poses,
                                       const ExchangeUnits& units, Diagnostics& diagnostics) {
    return AcdmcWriter(model, poses, units, diagnostics).write();
}

}  // namespace pawl
