#include "model_file/exchange/adams_file.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "math/units.h"
#include "model_file/exchange/adams_curve.h"
#include "model_file/exchange/adams_text.h"

namespace pawl {

namespace {

using Space = Planar<double>;

struct AdamsJoint {
    std::string name;
    int i = 0, j = 0;  // markers
    bool slides = false;
    double offset = 0, side = 1;  // Pawl's angle is offset + side * the rotation of ADAMS
};

class AdamsReader {
public:
    AdamsReader(const ImportOptions& options, Diagnostics& diagnostics)
        : diagnostics_(diagnostics), values_(diagnostics), curves_(model_, diagnostics) {
        model_.units = options.units;
        model_.bodies.push_back({"ground", {}, 0, {}, {}, 0, 0, {}});
    }

    std::optional<ExchangeModel> read(std::string_view text) {
        statements_ = read_adams_text(text, diagnostics_);
        check_names();
        read_units();
        read_parts();
        each("MATRIX", [this](const AdamsStatement& s) { curves_.read_matrix(s); });
        if (diagnostics_.has_errors()) return std::nullopt;
        each("PART", [this](const AdamsStatement& s) { read_mass(s); });
        each("JOINT", [this](const AdamsStatement& s) { read_joint(s); });
        each("MOTION", [this](const AdamsStatement& s) { read_motion(s); });
        each("CVCV", [this](const AdamsStatement& s) { read_contact(s); });
        each("SPRINGDAMPER", [this](const AdamsStatement& s) { read_spring(s); });
        each("ACCGRAV", [this](const AdamsStatement& s) {
            model_.gravity = {values_.number(s, "IGRAV").value_or(0),
                              values_.number(s, "JGRAV").value_or(0)};
        });
        each("REQUEST", [this](const AdamsStatement& s) { read_request(s); });
        model_.assumptions.emplace_back(
            "the data set has no time: the run ends at 1 s, with a row every 10 ms");
        if (diagnostics_.has_errors()) return std::nullopt;
        return std::move(model_);
    }

private:
    void error(Span span, std::string message) { diagnostics_.error(span, std::move(message)); }
    template <class F>
    void each(std::string_view name, F f) {
        for (const AdamsStatement& s : statements_)
            if (s.name == name) f(s);
    }

    void check_names() {
        static const std::vector<std::string> read{"PART",    "MARKER",  "JOINT",  "MOTION",
                                                   "CVCV",    "CURVE",   "MATRIX", "SPRINGDAMPER",
                                                   "REQUEST", "ACCGRAV", "UNITS"};
        static const std::vector<std::string> left_out{"GRAPHICS", "OUTPUT", "RESULTS"};
        for (const AdamsStatement& s : statements_) {
            if (std::find(left_out.begin(), left_out.end(), s.name) != left_out.end()) continue;
            if (std::find(read.begin(), read.end(), s.name) != read.end()) continue;
            error(s.span, "unknown statement '" + s.name + "'" + did_you_mean(s.name, read));
        }
    }

    const AdamsMarker* marker(const AdamsStatement& s, const char* key) {
        const auto id = values_.reference(s, key);
        if (!id) return nullptr;
        const auto found = markers_.find(*id);
        if (found != markers_.end()) return &found->second;
        error(s.find(key)->span, fmt::format("{}: there is no MARKER/{}", s.title(), *id));
        return nullptr;
    }
    // The markers I and J, on two parts.
    std::pair<const AdamsMarker*, const AdamsMarker*> markers(const AdamsStatement& s) {
        const AdamsMarker *i = marker(s, "I"), *j = marker(s, "J");
        if (!i || !j) return {};
        if (i->body != j->body) return {i, j};
        error(s.span, s.title() + ": both markers are on the same part");
        return {};
    }
    ExchangePoint exchange_point(const AdamsMarker& m, const AdamsStatement& s, const char* key) {
        return {m.body, m.at, fmt::format("M{}", *values_.reference(s, key))};
    }
    static std::string name(const char* what, const AdamsStatement& s) {
        return what + std::to_string(s.id);
    }

    // ---- statements -------------------------------------------------------------------------
    void read_units() {
        static const std::map<std::string, std::string> names{
            {"METER", "m"},     {"MILLIMETER", "mm"}, {"MM", "mm"},      {"CENTIMETER", "cm"},
            {"CM", "cm"},       {"M", "m"},           {"INCH", "in"},    {"FOOT", "ft"},
            {"KILOGRAM", "kg"}, {"KG", "kg"},         {"GRAM", "g"},     {"POUND_MASS", "lb"},
            {"NEWTON", "N"},    {"N", "N"},           {"KNEWTON", "kN"}, {"POUND_FORCE", "lbf"},
            {"SECOND", "s"},    {"S", "s"},           {"SEC", "s"}};
        bool given = false;
        each("UNITS", [&](const AdamsStatement& s) {
            given = true;
            for (const AdamsArgument& argument : s.arguments) {
                const std::string word =
                    argument.values.empty() ? "" : argument.values.front().text;
                std::string key;
                for (const char c : word)
                    key += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
                const auto found = names.find(key);
                std::string* unit = argument.key == "LENGTH"  ? &model_.units.length
                                    : argument.key == "MASS"  ? &model_.units.mass
                                    : argument.key == "FORCE" ? &model_.units.force
                                                              : nullptr;
                if (found == names.end() || (argument.key == "TIME" && found->second != "s"))
                    error(argument.span, "UNITS: unknown unit '" + word + "'");
                else if (unit && unit->empty())
                    *unit = found->second;
            }
        });
        if (model_.units.length.empty()) model_.units.length = "mm";
        if (model_.units.force.empty()) model_.units.force = "N";
        if (model_.units.mass.empty()) model_.units.mass = "kg";
        if (!given)
            model_.assumptions.push_back(
                fmt::format("the data set has no UNITS: lengths are in {}, forces in {}, masses in "
                            "{}, times in s",
                            model_.units.length, model_.units.force, model_.units.mass));
    }

    // Columns x and z of Rz(a) Rx(b) Rz(c), the turn about body axes by 3-1-3 Euler angles.
    void set_axes(const AdamsStatement& s, AdamsMarker& m) {
        if (!s.find("REULER")) return;
        const auto e = values_.triple(s, "REULER");
        const double ca = std::cos(e[0]), sa = std::sin(e[0]), cb = std::cos(e[1]),
                     sb = std::sin(e[1]), cc = std::cos(e[2]), sc = std::sin(e[2]);
        const double x[3] = {ca * cc - sa * cb * sc, sa * cc + ca * cb * sc, sb * sc};
        const double z[3] = {sa * sb, -ca * sb, cb};
        std::copy(x, x + 3, m.x);
        std::copy(z, z + 3, m.z);
    }

    void read_parts() {
        std::optional<int> last;  // a marker without PART belongs to the part before it
        for (const AdamsStatement& s : statements_) {
            if (s.name != "PART") continue;
            const bool ground = s.find("GROUND") != nullptr;
            if (!parts_.emplace(s.id, ground ? 0 : static_cast<int>(model_.bodies.size())).second)
                error(s.span, "a second " + s.title());
            if (ground) continue;
            ExchangeBody body;
            body.name = name("part_", s);
            const auto at = values_.triple(s, "QG");
            body.at = {at[0], at[1]};
            AdamsMarker axes;
            set_axes(s, axes);
            if (!axes.upright() || axes.side() < 0)
                error(s.span, s.title() + " is turned out of the plane");
            body.angle = axes.turn();
            const PlaneVector v{values_.number(s, "VX").value_or(0),
                                values_.number(s, "VY").value_or(0)};
            if (v.x != 0 || v.y != 0) body.velocity = v;
            if (const double w = values_.number(s, "WZ").value_or(0); w != 0) body.omega = w;
            model_.bodies.push_back(body);
        }
        for (const AdamsStatement& s : statements_) {
            if (s.name == "PART") last = s.id;
            if (s.name != "MARKER") continue;
            AdamsMarker m;
            m.span = s.span;
            const auto part = s.find("PART") ? values_.reference(s, "PART") : last;
            const auto found = part ? parts_.find(*part) : parts_.end();
            if (found == parts_.end()) {
                error(s.span, s.title() + " is on no part");
                continue;
            }
            m.body = found->second;
            const auto at = s.find("QP") ? values_.triple(s, "QP") : std::vector<double>(3, 0.0);
            m.at = {at[0], at[1]};
            set_axes(s, m);
            if (!markers_.emplace(s.id, m).second) error(s.span, "a second " + s.title());
        }
    }

    void read_mass(const AdamsStatement& s) {
        const int index = parts_.at(s.id);
        if (index == 0) return;
        ExchangeBody& body = model_.bodies[static_cast<std::size_t>(index)];
        body.mass = values_.number(s, "MASS").value_or(0);
        if (body.mass == 0) diagnostics_.warning(s.span, s.title() + " moves and has no mass");
        if (s.find("IP")) body.inertia = values_.triple(s, "IP")[2];
        if (body.mass < 0 || body.inertia < 0)
            error(s.span, s.title() + ": MASS and IP must not be negative");
        if (s.find("CM"))
            if (const AdamsMarker* m = marker(s, "CM")) body.centre = m->at;
    }

    void read_joint(const AdamsStatement& s) {
        const auto [i, j] = markers(s);
        if (!i || !j) return;
        ExchangeJoint joint;
        AdamsJoint record{name("joint_", s), *values_.reference(s, "I"),
                          *values_.reference(s, "J")};
        const std::vector<std::string> kinds{"REVOLUTE", "TRANSLATIONAL", "FIXED"};
        joint.type = s.find(kinds[0])   ? "revolute"
                     : s.find(kinds[1]) ? "prismatic"
                     : s.find(kinds[2]) ? "weld"
                                        : "";
        if (joint.type.empty())
            return error(s.span, s.title() +
                                     " needs a type that Pawl has in the plane: REVOLUTE, "
                                     "TRANSLATIONAL or FIXED");
        record.slides = joint.type == "prismatic";
        for (const AdamsMarker* m : {i, j})
            if (record.slides ? std::abs(m->z[2]) > AdamsMarker::rounding : !m->upright())
                error(m->span, s.title() + ": the z axis of its marker must " +
                                   (record.slides ? "lie in" : "be normal to") + " the plane");
        joint.name = record.name;
        joint.a = exchange_point(*j, s, "J");
        joint.b = exchange_point(*i, s, "I");
        joint.axis = j->direction();
        record.side = j->side();
        record.offset = j->turn() - i->turn();
        joints_[s.id] = record;
        model_.joints.push_back(std::move(joint));
    }

    void read_motion(const AdamsStatement& s) {
        const auto id = values_.reference(s, "JOINT");
        const AdamsArgument* function = s.find("FUNCTION");
        if (!id) return;
        if (!joints_.contains(*id))
            return error(s.find("JOINT")->span,
                         fmt::format("{}: there is no JOINT/{}", s.title(), *id));
        if (!function || function->values.front().text.empty())
            return error(s.end, s.title() + " needs FUNCTION");
        const AdamsJoint& joint = joints_.at(*id);
        ExchangeDriver driver{name("motion_", s), joint.name, 0, ""};
        if (s.find("VELOCITY")) {
            const auto speed = adams_number(function->values.front(), diagnostics_);
            if (!speed) return;
            driver.speed = joint.slides ? *speed : joint.side * *speed;
        } else {
            const auto text = values_.formula(function->values.front(), s.title());
            if (!text) return;
            driver.expression =
                joint.slides
                    ? fmt::format("{}*({})", parse_unit(model_.units.length)->factor, *text)
                    : fmt::format("{}{}({})",
                                  joint.offset != 0 ? exchange_number(joint.offset) + " + " : "",
                                  joint.side < 0 ? "-1*" : "", *text);
        }
        model_.drivers.push_back(std::move(driver));
    }

    void read_contact(const AdamsStatement& s) {
        const std::string a = profile(s, "ICURVE", "IRM"), b = profile(s, "JCURVE", "JRM");
        if (a.empty() || b.empty()) return;
        model_.contacts.push_back({name("cvcv_", s), a, b, 0, true});
        model_.assumptions.push_back(s.title() +
                                     " holds its curves together, pushing and pulling: the contact "
                                     "is permanent; IDISP and JDISP are left out");
    }

    // The profile of a curve on the body of its reference marker; its name, empty with an error.
    std::string profile(const AdamsStatement& s, const char* curve_key, const char* marker_key) {
        const auto id = values_.reference(s, curve_key);
        const AdamsMarker* m = marker(s, marker_key);
        if (!id || !m) return "";
        const auto curve =
            std::find_if(statements_.begin(), statements_.end(),
                         [&](const AdamsStatement& c) { return c.name == "CURVE" && c.id == *id; });
        if (curve != statements_.end()) return curves_.add_profile(*curve, *m);
        error(s.find(curve_key)->span, fmt::format("{}: there is no CURVE/{}", s.title(), *id));
        return "";
    }

    // ADAMS: force = -K (s - L) - C s' + FORCE, positive where it drives the ends apart.
    void read_spring(const AdamsStatement& s) {
        const auto [i, j] = markers(s);
        if (!i || !j) return;
        ExchangeSpring spring;
        spring.name = name("springdamper_", s);
        if (!s.find("ROTATION")) {
            spring.a = exchange_point(*j, s, "J");
            spring.b = exchange_point(*i, s, "I");
            spring.stiffness = values_.number(s, "K").value_or(0);
            spring.damping = values_.number(s, "C").value_or(0);
            spring.free = values_.number(s, "L").value_or(0);
            spring.preload = -values_.number(s, "FORCE").value_or(0);
            model_.springs.push_back(std::move(spring));
            return;
        }
        for (const auto& [id, joint] : joints_) {
            const AdamsMarker &joint_i = markers_.at(joint.i), &joint_j = markers_.at(joint.j);
            const bool same = joint_i.body == i->body && joint_j.body == j->body,
                       swapped = joint_i.body == j->body && joint_j.body == i->body;
            if (joint.slides || (!same && !swapped)) continue;
            const double sign = same ? 1 : -1;
            spring.joint = joint.name;
            spring.stiffness = values_.number(s, "KT").value_or(0);
            spring.damping = values_.number(s, "CT").value_or(0);
            spring.free =
                sign * (j->turn() - i->turn() + j->side() * values_.number(s, "ANGLE").value_or(0));
            spring.preload = -sign * j->side() * values_.number(s, "TORQUE").value_or(0);
            model_.springs.push_back(std::move(spring));
            return;
        }
        error(s.span, s.title() +
                          ": a rotational spring-damper needs a revolute joint between the "
                          "parts of its markers");
    }

    void read_request(const AdamsStatement& s) {
        if (!s.find("DISPLACEMENT")) {
            model_.assumptions.push_back(
                s.title() +
                " is left out: velocities, accelerations and forces are in every "
                "result");
            return;
        }
        const AdamsMarker *i = marker(s, "I"), *j = marker(s, "J");
        if (!i || !j) return;
        if (j->body == 0 && j->at.x == 0 && j->at.y == 0 && j->upright() && j->turn() == 0)
            model_.measures.push_back({name("request_", s), exchange_point(*i, s, "I")});
        else
            diagnostics_.warning(s.span, s.title() +
                                             " is left out: only displacements against the "
                                             "origin of the ground are read");
    }

    Diagnostics& diagnostics_;
    ExchangeModel model_;
    AdamsValues values_;
    AdamsCurves curves_;
    std::vector<AdamsStatement> statements_;
    std::map<int, int> parts_;  // id to body
    std::map<int, AdamsMarker> markers_;
    std::map<int, AdamsJoint> joints_;
};

}  // namespace

bool is_adams(std::string_view text) {
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string word;
        for (const char c : text.substr(begin, std::min<std::size_t>(end - begin, 40)))
            if (std::isspace(static_cast<unsigned char>(c)) == 0)
                word += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        if (word.starts_with("PART/") || word.starts_with("MARKER/")) return true;
        begin = end + 1;
    }
    return false;
}

std::optional<ExchangeModel> read_adams(std::string_view text, const ImportOptions& options,
                                        Diagnostics& diagnostics) {
    return AdamsReader(options, diagnostics).read(text);
}

}  // namespace pawl
