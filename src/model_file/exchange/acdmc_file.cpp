#include "model_file/exchange/acdmc_file.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "model_file/exchange/acdmc_links.h"

namespace pawl {

namespace {

struct Pair {
    const AcdmcEntity* entity = nullptr;
    const AcdmcEntity* motion = nullptr;  // its OCPA
    std::string name;
    enum Type { revolute, prismatic, contact } type = revolute;
    std::size_t a = 0, b = 0;  // surfaces
    AcdmcJoint joint;
    bool independent = false;
};

class AcdmcReader {
public:
    AcdmcReader(const ImportOptions& options, Diagnostics& diagnostics)
        : options_(options),
          diagnostics_(diagnostics),
          fields_(diagnostics),
          links_(model_, diagnostics) {
        model_.units = options.units;
        if (model_.units.length.empty()) model_.units.length = "cm";
        if (model_.units.force.empty()) model_.units.force = "N";
        model_.bodies.push_back({"ground", {}, 0, {}, {}, 0, 0, {}});
    }

    std::optional<ExchangeModel> read(std::string_view text) {
        entities_ = read_acdmc_text(text, diagnostics_);
        if (diagnostics_.has_errors()) return std::nullopt;  // more would be consequences
        join_doubled_fields(entities_, diagnostics_);
        each("MACH", [this](const AcdmcEntity& e) { read_machine(e); });
        links_.read(entities_);
        if (model_.bodies.size() == 1 && !diagnostics_.has_errors())
            error({1, 1}, "the file has no moving link; is it truncated?");
        each("PAIR", [this](const AcdmcEntity& e) { read_pair(e); });
        each("OCPA", [this](const AcdmcEntity& e) { match_motion(e); });
        if (diagnostics_.has_errors()) return std::nullopt;
        for (Pair& pair : pairs_) read_motion(pair);
        if (diagnostics_.has_errors()) return std::nullopt;
        set_links();
        for (const Pair& pair : pairs_) add_pair(pair);
        std::stable_sort(model_.profiles.begin(), model_.profiles.end(),
                         [](const auto& a, const auto& b) { return a.body < b.body; });
        look_for_slips();
        assume();
        if (diagnostics_.has_errors()) return std::nullopt;
        return std::move(model_);
    }

private:
    void error(Span span, std::string message) { diagnostics_.error(span, std::move(message)); }
    template <class F>
    void each(std::string_view kind, F f) {
        for (const AcdmcEntity& entity : entities_)
            if (entity.kind == kind) f(entity);
    }
    void read_machine(const AcdmcEntity& e) {
        model_.name = fields_.name_of(e);
        model_.gravity = {0, -fields_.number(e, "GRAVITY")};
        for (const auto& [key, value] :
             {std::pair{"TIME", &model_.end}, std::pair{"STEP", &model_.step}}) {
            const AcdmcField* field = fields_.need(e, key);
            if (!field) continue;
            const auto given = acdmc_numbers(*field, 1, diagnostics_);
            if (given) *value = given->front();
            if (given && !(*value > 0)) error(field->span, std::string(key) + " must be positive");
        }
        if (const AcdmcField* stage = e.find("STADE"); stage && !stage->words.empty()) {
            std::string word = stage->words.front().text;
            for (char& c : word) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
            if (word.starts_with("KINEMATIC") || word.starts_with("CINEMATIQUE"))
                model_.analysis = "kinematics";
        }
    }

    void read_pair(const AcdmcEntity& e) {
        Pair pair;
        pair.entity = &e;
        pair.name = fields_.name_of(e);
        const AcdmcField* type = fields_.need(e, "TYPEPAIR");
        const int kind =
            type ? acdmc_choice(*type, {"ROTOIDE|REVOLUTE", "PRISMATIQUE|PRISMATIC", "CONTACT"},
                                diagnostics_)
                 : -1;
        const auto a = links_.surface(e, "PINLINK", "PINSURF", kind == 2);
        const auto b = links_.surface(e, "POUTLINK", "POUTSURF", kind == 2);
        if (kind < 0 || !a || !b) return;
        pair.type = static_cast<Pair::Type>(kind);
        pair.a = *a;
        pair.b = *b;
        if (pair.type != Pair::contact && !set_frames(pair)) return;
        pairs_.push_back(pair);
    }

    bool set_frames(Pair& pair) {
        const AcdmcSurface &a = links_.surface(pair.a), &b = links_.surface(pair.b);
        if (a.frame.empty() || b.frame.empty()) return false;
        pair.joint.slides = pair.type == Pair::prismatic;
        pair.joint.a = fields_.plane_frame(a.frame, *a.entity, pair.joint.slides);
        pair.joint.b = fields_.plane_frame(b.frame, *b.entity, pair.joint.slides);
        // What stays of the z axis when b follows a without a motion.
        double upright = 0;
        for (std::size_t k = 0; k < 3; ++k) upright += a.frame[8 + k] * b.frame[8 + k];
        if (std::abs(upright - 1) > acdmc_rounding)
            error(pair.entity->span, "pair '" + pair.name + "' turns a link out of the plane");
        return true;
    }

    void match_motion(const AcdmcEntity& e) {
        const std::string name = fields_.name_of(e, e.find("JOINT") ? "JOINT" : "NAME");
        std::vector<std::string> names;
        for (Pair& pair : pairs_) {
            names.push_back(pair.name);
            if (pair.name != name) continue;
            pair.motion = &e;
            const auto differs = [&](const char* key, std::size_t surface) {
                const AcdmcField* field = e.find(key);
                const std::string& link = links_.link_of(surface).name;
                if (field && !field->words.empty() && field->words.front().text != link)
                    diagnostics_.warning(field->span, std::string(key) + " says '" +
                                                          field->words.front().text +
                                                          "', but PAIR '" + name + "' has '" +
                                                          link + "', which counts");
            };
            differs("LINK OF INPUT PAIR", pair.a);
            differs("LINK OF OUTPUT PAIR", pair.b);
            return;
        }
        if (!diagnostics_.has_errors())
            error(e.span, "there is no PAIR '" + name + "'" + did_you_mean(name, names));
    }

    void read_motion(Pair& pair) {
        if (!pair.motion)
            return error(pair.entity->span, "pair '" + pair.name +
                                                "' has no OCPA with its initial position; is the "
                                                "file truncated?");
        for (const auto& [key, value] : {std::pair{"INITIAL POSITION", &pair.joint.q},
                                         std::pair{"INITIAL VELOCITY", &pair.joint.rate}}) {
            const AcdmcField* field = pair.motion->find(key);
            const auto n = field ? acdmc_numbers(*field, 6, diagnostics_) : std::nullopt;
            if (n) *value = n->front();
        }
        for (int k = 1; k <= 6; ++k) {
            const std::string key = fmt::format("ARMOTOR[{}]", k);
            if (!fields_.flag(*pair.motion, key)) continue;
            if (k == 1 && pair.type != Pair::contact)
                pair.independent = true;
            else
                diagnostics_.warning(pair.motion->find(key)->span,
                                     "pair '" + pair.name + "': " + key +
                                         " is ignored: there is no such joint coordinate");
        }
    }

    // Along the joints from the fixed links. The velocities of dependent coordinates follow from
    // the others, so that only those of independent ones are given on.
    void set_links() {
        const bool any_independent =
            std::any_of(pairs_.begin(), pairs_.end(), [](const Pair& p) { return p.independent; });
        for (bool again = true; again;) {
            again = false;
            for (const Pair& pair : pairs_) {
                if (pair.type == Pair::contact) continue;
                AcdmcLink &a = links_.link_of(pair.a), &b = links_.link_of(pair.b);
                if (a.placed == b.placed) continue;
                AcdmcLink &from = a.placed ? a : b, &to = a.placed ? b : a;
                to.motion = pair.joint.follow(from.motion, a.placed);
                to.placed = again = true;
                to.known = from.known && (pair.independent || !any_independent);
            }
        }
        for (const AcdmcLink& link : links_.all()) {
            if (link.body == 0) continue;
            ExchangeBody& body = model_.bodies[static_cast<std::size_t>(link.body)];
            body.at = link.motion.pose.at;
            body.angle = link.motion.pose.angle;
            if (!link.known) continue;
            const auto& twist = link.motion.twist;
            if (std::hypot(twist.v.x, twist.v.y) > 0) body.velocity = twist.v;
            if (twist.omega != 0) body.omega = twist.omega;
        }
        for (const Pair& pair : pairs_) {
            const AcdmcField* field = pair.motion->find("INITIAL VELOCITY");
            if (pair.joint.rate != 0 && !pair.independent && any_independent)
                diagnostics_.warning(field->span, "the velocity of pair '" + pair.name +
                                                      "' is ignored: it is not independent");
        }
    }

    void add_pair(const Pair& pair) {
        if (pair.type == Pair::contact) return add_contact(pair);
        ExchangeJoint joint;
        joint.name = unique_name(exchange_name("J", pair.name), joint_names_);
        joint.type = pair.joint.slides ? "prismatic" : "revolute";
        joint.a = exchange_point(pair.a, pair.joint.a, joint.name);
        joint.b = exchange_point(pair.b, pair.joint.b, joint.name);
        joint.axis = pair.joint.a.angle;
        const AcdmcLink& a = links_.link_of(pair.a);
        if (a.body == 0) joint.axis += a.motion.pose.angle;
        const double force = fields_.number(*pair.motion, "FORCE"),
                     stiff = fields_.number(*pair.motion, "STIFF"),
                     rest = fields_.number(*pair.motion, "LENGTH");
        const AcdmcLink& b = links_.link_of(pair.b);
        const double offset =  // of Pawl's coordinate; a fixed link has turned axes of its own
            pair.joint.offset() + (a.body == 0 ? a.motion.pose.angle : 0) -
            (b.body == 0 ? b.motion.pose.angle : 0);
        const double side = pair.joint.side();
        if (stiff != 0)
            model_.springs.push_back({"spring_" + joint.name,
                                      joint.name,
                                      {},
                                      {},
                                      -stiff,
                                      0,
                                      0,
                                      pair.joint.slides ? rest : offset + side * rest});
        if (force != 0)
            model_.joint_forces.push_back(
                {"force_" + joint.name, joint.name, side * force, !pair.joint.slides});
        if (pair.independent && (options_.drive || model_.analysis == "kinematics"))
            model_.drivers.push_back(
                {"drive_" + joint.name, joint.name, side * pair.joint.rate, ""});
        else if (pair.independent)
            model_.independent.push_back(joint.name);
        model_.joints.push_back(std::move(joint));
    }

    ExchangePoint exchange_point(std::size_t surface, const AcdmcFrame& frame,
                                 const std::string& name) {
        const AcdmcLink& link = links_.link_of(surface);
        return {link.body, link.body == 0 ? link.motion.at_start(frame.at) : frame.at, name};
    }

    void add_contact(const Pair& pair) {
        for (const char* key : {"FORCE", "STIFF"})
            if (fields_.number(*pair.motion, key) != 0)
                error(pair.motion->find(key)->span,
                      "pair '" + pair.name + "': a contact with " + key + " has no counterpart");
        const double restitution = fields_.number(*pair.motion, "RESTITUTION");
        if (restitution < 0 || restitution > 1)
            error(pair.motion->find("RESTITUTION")->span, "RESTITUTION must be between 0 and 1");
        model_.contacts.push_back({unique_name(exchange_name("C", pair.name), contact_names_),
                                   links_.surface(pair.a).profile, links_.surface(pair.b).profile,
                                   restitution, false});
    }

    // Values that are read as they are printed, but cannot be meant.
    void look_for_slips() {
        bool pressed = model_.gravity.y != 0 || !model_.joint_forces.empty();
        const AcdmcField* idle = nullptr;
        for (const Pair& pair : pairs_) {
            if (pair.type == Pair::contact) continue;
            const AcdmcField* field = pair.motion->find("STIFF");
            const double stiff = fields_.number(*pair.motion, "STIFF");
            pressed |= stiff != 0;
            if (stiff == 0 && !pair.independent && field) idle = field;
            if (stiff > 0)
                diagnostics_.warning(field->span,
                                     "STIFF is positive: a spring that drives pair '" + pair.name +
                                         "' away from its free length; is the sign meant?");
        }
        if (!pressed && idle && !model_.contacts.empty())
            diagnostics_.warning(idle->span,
                                 "STIFF is 0 and nothing else presses the bodies of contact '" +
                                     model_.contacts.front().name + "' together");
    }

    void assume() {
        std::vector<std::string> all{
            fmt::format("the file names no units: lengths are in {}, forces in {}, times in s, "
                        "angles in rad, masses in {}",
                        model_.units.length, model_.units.force, model_.units.mass_or_consistent()),
            "the moment of inertia of a link is the sum of the first two diagonal numbers of MASS, "
            "about its origin"};
        if (!model_.springs.empty())
            all.emplace_back(
                "the force of a spring on its joint is STIFF (q - LENGTH), so that a "
                "negative STIFF pulls back");
        if (model_.gravity.y != 0) all.emplace_back("gravity acts along -y");
        for (const std::string& joint : model_.independent)
            all.push_back("joint '" + joint +
                          "' (ARMOTOR) is an independent coordinate that starts at its initial "
                          "velocity and is not driven");
        for (const ExchangeDriver& driver : model_.drivers)
            all.push_back("joint '" + driver.joint +
                          "' (ARMOTOR) is driven at its constant initial velocity");
        if (!model_.contacts.empty())
            all.emplace_back(
                "whether a contact is closed, and where, follows from the geometry; "
                "CONTACT ACTIF and the initial positions of contacts are left out");
        all.insert(all.end(), model_.assumptions.begin(), model_.assumptions.end());
        model_.assumptions = std::move(all);
    }

    const ImportOptions& options_;
    Diagnostics& diagnostics_;
    ExchangeModel model_;
    std::vector<AcdmcEntity> entities_;
    AcdmcFields fields_;
    AcdmcLinks links_;
    std::vector<Pair> pairs_;
    std::set<std::string> joint_names_, contact_names_;
};

}  // namespace

bool is_acdmc(std::string_view text) {
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string word;
        for (const char c : text.substr(begin, end - begin)) {
            if (c == ':') break;
            if (std::isspace(static_cast<unsigned char>(c)) == 0)
                word += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        }
        if (word == "ENTITY" || word == "ENTITE") return true;
        begin = end + 1;
    }
    return false;
}

std::optional<ExchangeModel> read_acdmc(std::string_view text, const ImportOptions& options,
                                        Diagnostics& diagnostics) {
    return AcdmcReader(options, diagnostics).read(text);
}

}  // namespace pawl
