#include "model_file/exchange/acdmc_file.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "model_file/exchange/acdmc_curve.h"
#include "model_file/exchange/acdmc_frame.h"
#include "model_file/exchange/acdmc_text.h"

namespace pawl {

namespace {

// Matrices are printed with ten digits; more than this is not rounding.
constexpr double matrix_rounding = 1e-6;

using Matrix = std::vector<double>;  // three rows of four

struct Link {
    std::string name;
    Span span;
    int body = 0;
    Matrix pose;
    AcdmcMotion motion;
    bool placed = false, known = false;  // the pose; also the velocity
};

struct Surface {
    const AcdmcEntity* entity = nullptr;
    std::string name, profile;  // profile: its name in the model, empty for a frame
    std::size_t link = 0;
    Matrix frame;
};

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
        : options_(options), diagnostics_(diagnostics) {
        model_.units = options.units;
        if (model_.units.length.empty()) model_.units.length = "cm";
        if (model_.units.force.empty()) model_.units.force = "N";
        model_.bodies.push_back({"ground", {}, 0, {}, {}, 0, 0, {}});
    }

    std::optional<ExchangeModel> read(std::string_view text) {
        entities_ = read_acdmc_text(text, diagnostics_);
        if (diagnostics_.has_errors()) return std::nullopt;  // more would be consequences
        warn_of_doubles();
        each("MACH", [this](const AcdmcEntity& e) { read_machine(e); });
        read_links();
        if (model_.bodies.size() == 1 && !diagnostics_.has_errors())
            error({1, 1}, "the file has no moving link; is it truncated?");
        each("PAIR", [this](const AcdmcEntity& e) { read_pair(e); });
        each("OCPA", [this](const AcdmcEntity& e) { match_motion(e); });
        if (diagnostics_.has_errors()) return std::nullopt;
        for (Pair& pair : pairs_) read_motion(pair);
        if (diagnostics_.has_errors()) return std::nullopt;
        place_links();
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
    const AcdmcField* need(const AcdmcEntity& entity, const char* key) {
        const AcdmcField* field = entity.find(key);
        if (!field) {
            const auto name = entity.find("NAME");
            error(entity.span,
                  entity.kind +
                      (name && !name->words.empty() ? " '" + name->words.front().text + "'" : "") +
                      " needs " + key + "; is the file truncated?");
        }
        return field;
    }
    std::string name_of(const AcdmcEntity& entity, const char* key = "NAME") {
        const AcdmcField* field = need(entity, key);
        return field ? acdmc_name(*field, diagnostics_).value_or("") : "";
    }
    // The value of a field with one number; 0 where it is not given.
    double number(const AcdmcEntity& entity, const char* key) {
        const AcdmcField* field = entity.find(key);
        const auto n = field ? acdmc_numbers(*field, 1, diagnostics_) : std::nullopt;
        return n ? n->front() : 0;
    }
    bool truth(const AcdmcEntity& entity, const std::string& key) {
        const AcdmcField* field = entity.find(key);
        return field &&
               acdmc_choice(*field, {"FALSE|FAUX|NO|NON", "TRUE|VRAI|YES|OUI"}, diagnostics_) == 1;
    }

    // A keyword that stands twice: the last one counts. But a second position without a velocity
    // (appendix D.3) is the velocity.
    void warn_of_doubles() {
        for (AcdmcEntity& entity : entities_) {
            if (entity.kind == "SURF" || entity.kind == "LOOP") continue;
            for (std::size_t i = 0; i < entity.fields.size(); ++i)
                for (std::size_t k = i + 1; k < entity.fields.size(); ++k) {
                    if (entity.fields[k].key != entity.fields[i].key) continue;
                    AcdmcField& second = entity.fields[k];
                    if (second.key == "INITIAL POSITION" && !entity.find("INITIAL VELOCITY")) {
                        diagnostics_.warning(second.span,
                                             "a second INITIAL POSITION and no INITIAL VELOCITY: "
                                             "it is read as the velocity");
                        second.key = "INITIAL VELOCITY";
                        continue;
                    }
                    diagnostics_.warning(second.span,
                                         second.key + " is given twice; the last one counts");
                    std::swap(entity.fields[i].words, second.words);
                    entity.fields.erase(entity.fields.begin() + static_cast<std::ptrdiff_t>(k--));
                }
        }
    }

    void read_machine(const AcdmcEntity& e) {
        model_.name = name_of(e);
        model_.gravity = {0, -number(e, "GRAVITY")};
        for (const auto& [key, value] :
             {std::pair{"TIME", &model_.end}, std::pair{"STEP", &model_.step}}) {
            const AcdmcField* field = need(e, key);
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

    void read_links() {
        std::set<std::string> fixed;
        each("OCLI", [&](const AcdmcEntity& e) {
            if (truth(e, "FIXED")) fixed.insert(name_of(e));
        });
        for (const AcdmcEntity& e : entities_) {
            if (e.kind == "LINK") read_link(e, fixed);
            if (e.kind != "SURF") continue;
            if (links_.empty())
                error(e.span, "a SURF before the first LINK");
            else
                read_surface(e);
        }
        if (!links_.empty() && fixed.empty())
            error(links_.front().span,
                  "no link is fixed: an OCLI with FIXED : TRUE is needed; is the file truncated?");
        each("OCLI", [&](const AcdmcEntity& e) {
            if (!find_link(name_of(e)))
                error(e.span, "there is no LINK '" + name_of(e) + "'" +
                                  did_you_mean(name_of(e), link_names()));
        });
    }

    void read_link(const AcdmcEntity& e, const std::set<std::string>& fixed) {
        Link link;
        link.name = name_of(e);
        link.span = e.span;
        if (find_link(link.name)) error(e.span, "a second LINK '" + link.name + "'");
        link.pose = matrix(e, "AR0");
        const bool is_fixed = fixed.contains(link.name);
        if (is_fixed || !is_identity(link.pose)) {
            const auto frame = plane_frame(link.pose, e, false);
            link.motion.pose = {frame.at, frame.angle};
        }
        link.placed = link.known = is_fixed;
        if (!is_fixed) {
            ExchangeBody body;
            body.name = unique(exchange_name("L", link.name), body_names_);
            read_mass(e, body);
            link.body = static_cast<int>(model_.bodies.size());
            model_.bodies.push_back(body);
        }
        links_.push_back(std::move(link));
    }

    // MASS is the integral of (x, y, z, 1)^T (x, y, z, 1) over the mass (Wang 1996, eq. 3.3.2-11).
    void read_mass(const AcdmcEntity& e, ExchangeBody& body) {
        const AcdmcField* field = need(e, "MASS");
        const auto j = field ? acdmc_numbers(*field, 16, diagnostics_) : std::nullopt;
        if (!j) return;
        const Matrix& m = *j;
        body.mass = m[15];
        if (body.mass > 0) body.centre = {m[3] / body.mass, m[7] / body.mass};
        body.inertia = m[0] + m[5] - body.mass * Planar<double>::dot(body.centre, body.centre);
        if (std::abs(body.inertia) <= 1e-12 * (m[0] + m[5])) body.inertia = 0;
        if (body.mass < 0 || body.inertia < 0)
            error(field->span, "link '" + body.name +
                                   "': the mass and the moment of inertia must " +
                                   "not be negative");
        if (m[3] != m[12] || m[7] != m[13] || m[1] != m[4])
            diagnostics_.warning(
                field->span,
                "link '" + body.name + "': MASS is not symmetric; its upper half counts");
        if (body.mass == 0)
            diagnostics_.warning(field->span, "link '" + body.name + "' moves and has no mass");
    }

    void read_surface(const AcdmcEntity& e) {
        Surface surface;
        surface.entity = &e;
        surface.name = name_of(e);
        surface.link = links_.size() - 1;
        const AcdmcField* type = need(e, "TYPE");
        const int curve =
            type ? acdmc_choice(*type, {"REPERE|FRAME", "COURBE|CURVE"}, diagnostics_) : -1;
        if (curve == 0) surface.frame = matrix(e, "SHAPE");
        if (curve == 1) {
            const std::string own = exchange_name("S", surface.name),
                              long_name = exchange_name("L", links_.back().name) + "_" + own;
            surface.profile = unique(count_surfaces(surface.name) > 1 ? long_name : own, profiles_);
            ExchangeProfile profile{surface.profile, links_.back().body, {}};
            auto curves = read_acdmc_curve(e, "surface '" + surface.name + "'", model_.assumptions,
                                           diagnostics_);
            if (curves) profile.curves = std::move(*curves);
            if (links_.back().body == 0) {
                const auto& pose = links_.back().motion.pose;
                for (auto& c : profile.curves)
                    c = moved<Planar<double>>(c, {1, pose.angle, pose.at});
            }
            model_.profiles.push_back(std::move(profile));
        }
        surfaces_.push_back(std::move(surface));
    }
    int count_surfaces(const std::string& name) {
        int count = 0;
        each("SURF", [&](const AcdmcEntity& e) {
            const auto field = e.find("NAME");
            count += field && !field->words.empty() && field->words.front().text == name ? 1 : 0;
        });
        return count;
    }

    void read_pair(const AcdmcEntity& e) {
        Pair pair;
        pair.entity = &e;
        pair.name = name_of(e);
        const AcdmcField* type = need(e, "TYPEPAIR");
        const int kind =
            type ? acdmc_choice(*type, {"ROTOIDE|REVOLUTE", "PRISMATIQUE|PRISMATIC", "CONTACT"},
                                diagnostics_)
                 : -1;
        const auto a = side(e, "PINLINK", "PINSURF", kind == 2);
        const auto b = side(e, "POUTLINK", "POUTSURF", kind == 2);
        if (kind < 0 || !a || !b) return;
        pair.type = static_cast<Pair::Type>(kind);
        pair.a = *a;
        pair.b = *b;
        if (pair.type != Pair::contact && !set_frames(pair)) return;
        pairs_.push_back(pair);
    }

    std::optional<std::size_t> side(const AcdmcEntity& e, const char* link_key,
                                    const char* surface_key, bool contact) {
        const AcdmcField *at_link = need(e, link_key), *at_surface = need(e, surface_key);
        if (!at_link || !at_surface) return std::nullopt;
        const std::string link = name_of(e, link_key), name = name_of(e, surface_key);
        const Link* found = find_link(link);
        if (!found) {
            error(at_link->span,
                  "there is no LINK '" + link + "'" + did_you_mean(link, link_names()));
            return std::nullopt;
        }
        std::vector<std::string> names;
        for (std::size_t i = 0; i < surfaces_.size(); ++i) {
            if (&links_[surfaces_[i].link] != found) continue;
            names.push_back(surfaces_[i].name);
            if (surfaces_[i].name != name) continue;
            if (contact != surfaces_[i].profile.empty()) return i;
            error(at_surface->span, contact ? "a contact needs surfaces of type COURBE"
                                            : "a joint needs surfaces of type REPERE");
            return std::nullopt;
        }
        error(at_surface->span,
              "link '" + link + "' has no SURF '" + name + "'" + did_you_mean(name, names));
        return std::nullopt;
    }

    bool set_frames(Pair& pair) {
        const Surface &a = surfaces_[pair.a], &b = surfaces_[pair.b];
        if (a.frame.empty() || b.frame.empty()) return false;
        pair.joint.slides = pair.type == Pair::prismatic;
        pair.joint.a = plane_frame(a.frame, *a.entity, pair.joint.slides);
        pair.joint.b = plane_frame(b.frame, *b.entity, pair.joint.slides);
        // What stays of the z axis when b follows a without a motion.
        double upright = 0;
        for (std::size_t k = 0; k < 3; ++k) upright += a.frame[8 + k] * b.frame[8 + k];
        if (std::abs(upright - 1) > matrix_rounding)
            error(pair.entity->span, "pair '" + pair.name + "' turns a link out of the plane");
        return true;
    }

    void match_motion(const AcdmcEntity& e) {
        const std::string name = name_of(e, e.find("JOINT") ? "JOINT" : "NAME");
        std::vector<std::string> names;
        for (Pair& pair : pairs_) {
            names.push_back(pair.name);
            if (pair.name != name) continue;
            pair.motion = &e;
            const auto differs = [&](const char* key, std::size_t surface) {
                const AcdmcField* field = e.find(key);
                const std::string& link = links_[surfaces_[surface].link].name;
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
            if (!truth(*pair.motion, key)) continue;
            if (k == 1 && pair.type != Pair::contact)
                pair.independent = true;
            else
                diagnostics_.warning(pair.motion->find(key)->span,
                                     "pair '" + pair.name + "': " + key +
                                         " is left out: there is no such joint coordinate");
        }
    }

    // Along the joints from the fixed links. The velocities of dependent coordinates follow from
    // the others, so that only those of independent ones are given on.
    void place_links() {
        const bool any_independent =
            std::any_of(pairs_.begin(), pairs_.end(), [](const Pair& p) { return p.independent; });
        for (bool again = true; again;) {
            again = false;
            for (const Pair& pair : pairs_) {
                if (pair.type == Pair::contact) continue;
                Link &a = links_[surfaces_[pair.a].link], &b = links_[surfaces_[pair.b].link];
                if (a.placed == b.placed) continue;
                Link &from = a.placed ? a : b, &to = a.placed ? b : a;
                to.motion = pair.joint.follow(from.motion, a.placed);
                to.placed = again = true;
                to.known = from.known && (pair.independent || !any_independent);
            }
        }
        for (const Link& link : links_) {
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
                                                      "' is left out: it is not independent");
        }
    }

    void add_pair(const Pair& pair) {
        if (pair.type == Pair::contact) return add_contact(pair);
        ExchangeJoint joint;
        joint.name = unique(exchange_name("J", pair.name), joint_names_);
        joint.type = pair.joint.slides ? "prismatic" : "revolute";
        joint.a = place(pair.a, pair.joint.a, joint.name);
        joint.b = place(pair.b, pair.joint.b, joint.name);
        joint.axis = pair.joint.a.angle;
        const Link& a = links_[surfaces_[pair.a].link];
        if (a.body == 0) joint.axis += a.motion.pose.angle;
        const double force = number(*pair.motion, "FORCE"), stiff = number(*pair.motion, "STIFF"),
                     rest = number(*pair.motion, "LENGTH");
        const Link& b = links_[surfaces_[pair.b].link];
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

    ExchangePlace place(std::size_t surface, const AcdmcFrame& frame, const std::string& name) {
        const Link& link = links_[surfaces_[surface].link];
        return {link.body, link.body == 0 ? link.motion.place(frame.at) : frame.at, name};
    }

    void add_contact(const Pair& pair) {
        for (const char* key : {"FORCE", "STIFF"})
            if (number(*pair.motion, key) != 0)
                error(pair.motion->find(key)->span,
                      "pair '" + pair.name + "': a contact with " + key + " has no counterpart");
        const double restitution = number(*pair.motion, "RESTITUTION");
        if (restitution < 0 || restitution > 1)
            error(pair.motion->find("RESTITUTION")->span, "RESTITUTION must be between 0 and 1");
        model_.contacts.push_back({unique(exchange_name("C", pair.name), contact_names_),
                                   surfaces_[pair.a].profile, surfaces_[pair.b].profile,
                                   restitution, false});
    }

    // Values that are read as they are printed, but cannot be meant.
    void look_for_slips() {
        bool pressed = model_.gravity.y != 0 || !model_.joint_forces.empty();
        const AcdmcField* idle = nullptr;
        for (const Pair& pair : pairs_) {
            if (pair.type == Pair::contact) continue;
            const AcdmcField* field = pair.motion->find("STIFF");
            const double stiff = number(*pair.motion, "STIFF");
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

    Matrix matrix(const AcdmcEntity& e, const char* key) {
        const AcdmcField* field = need(e, key);
        const auto m = field ? acdmc_numbers(*field, 12, diagnostics_) : std::nullopt;
        if (!m) return {};
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t k = 0; k <= i; ++k) {
                double product = 0;
                for (std::size_t c = 0; c < 3; ++c) product += (*m)[4 * i + c] * (*m)[4 * k + c];
                if (std::abs(product - (i == k ? 1 : 0)) <= matrix_rounding) continue;
                error(field->span, std::string(key) + " is not a rotation and a place");
                return {};
            }
        return *m;
    }
    static bool is_identity(const Matrix& m) {
        for (std::size_t i = 0; i < m.size(); ++i)
            if (m[i] != (i % 5 == 0 ? 1 : 0)) return false;
        return true;
    }
    AcdmcFrame plane_frame(const Matrix& m, const AcdmcEntity& e, bool slides) {
        if (m.empty()) return {};
        const double upright = m[10];
        if (std::abs(std::abs(upright) - (slides ? 0 : 1)) > matrix_rounding)
            error(e.span, slides ? "the z axis of a prismatic frame must lie in the plane"
                                 : "the z axis of a frame must be normal to the plane");
        if (m[11] != 0)
            diagnostics_.warning(
                e.span, "z = " + exchange_number(m[11]) + " is left out: the mechanism is plane");
        const PlaneVector axis = slides ? PlaneVector{m[2], m[6]} : PlaneVector{m[0], m[4]};
        return {{m[3], m[7]}, exchange_angle(std::atan2(axis.y, axis.x)), upright < 0 ? -1.0 : 1.0};
    }

    const Link* find_link(const std::string& name) const {
        for (const Link& link : links_)
            if (link.name == name) return &link;
        return nullptr;
    }
    std::vector<std::string> link_names() const {
        std::vector<std::string> names;
        for (const Link& link : links_) names.push_back(link.name);
        return names;
    }
    static std::string unique(std::string name, std::set<std::string>& taken) {
        while (!taken.insert(name).second) name += "_";
        return name;
    }

    const ImportOptions& options_;
    Diagnostics& diagnostics_;
    std::vector<AcdmcEntity> entities_;
    std::vector<Link> links_;
    std::vector<Surface> surfaces_;
    std::vector<Pair> pairs_;
    std::set<std::string> body_names_{"ground"}, profiles_, joint_names_, contact_names_;
    ExchangeModel model_;
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
