// Plate cam with a knife, roller or flat follower that moves straight or swings.
#include "curves/cam.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "generators/numbers.h"
#include "math/planar.h"
#include "math/tolerances/geometry.h"

namespace pawl::generating {

namespace {

using Space = Planar<double>;

constexpr const char* cam_text =
    R"toml(# Cam with a @kind follower that @moves. The spring keeps the follower on the cam.
# Look at: @look, C#1.normal; where that becomes zero the follower lifts off.
format = 1
name = "Cam with @kind follower"

[units]
length = "mm"
angle = "deg"

[parameters]
base = "@base"                      # radius of the base circle
speed = "@speed"                    # of the cam
inertia = "@mass"                   # @mass_is
stiffness = "@stiffness"            # of the spring
preload = "@preload"                # of the spring, at the lowest place
@own
[body.ground]
points = { G = @ground }

[body.cam]
mass = "1 kg"
inertia = "1 kg*base^2/2"

[body.follower]
position = @ground_or_start
angle = "@angle"@motion
@inertia

[profile.cam]                       # along its x axis, which points up at cam angle zero, is the follower
body = "cam"
angle = "90 deg"
elements = [{ type = "cam", follower = "@follower", base = "base", @drive, @lifts }]

[profile.follower]
body = "follower"
elements = [@shape]

[contact.C]
a = "cam"
b = "follower"

[joint.O]
type = "revolute"
a = "ground"
b = "cam"

[joint.guide]
@joint
a = "ground.G"
b = "follower"

[driver.motor]
type = "speed"
joint = "O"
speed = "speed"

[force.spring]
type = "joint_spring"
joint = "guide"
stiffness = "stiffness"
preload = "@sign*preload"

[measure.place]
type = "joint"
joint = "guide"

[measure.follower_lift]
type = "expression"
value = "@measured"
unit = "@lift_unit"

[run]
analysis = "dynamics"
end = "360 deg*2/speed"             # two turns
step = "2 deg/speed"
largest_step = "5 deg/speed"        # a law that is a polynomial would allow steps that are too long for the energy ledger
)toml";

// Law or table, in SI, with what the follower has to do for it.
struct Course {
    CamDrive<Space> drive;
    std::vector<CamSegment<double>> segments;
    double start = 0;                      // lift at cam angle zero
    double pressure = 0, pressure_at = 0;  // largest angle between force and way
    double speed = 0, acceleration = 0;    // largest by size, over the cam angle
    double needed_preload = 0;             // per speed^2 and stiffness: see look_along
    double face_low = 0, face_high = 0;    // of a flat face: where it is touched
    double radius = 1e9;                   // smallest of the convex parts of the cam
};

// The angle between the common normal and the way of the follower's point, and where on a flat face
// the cam touches; in the cam's axes at psi = -phi.
void look_at(Course& c, const CamCurve<Space>& curve, double u, double inertia_speed_2,
             double stiffness) {
    const auto p = curve.point(u);
    const double phi = curve.cam_angle(u), cosine = std::cos(phi), sine = std::sin(phi);
    const auto ground = [&](const Space::Vector& v) {
        return Space::Vector{cosine * v.x - sine * v.y, sine * v.x + cosine * v.y};
    };
    const Space::Vector at = ground(p.p), n = ground(p.n);
    const bool is_flat = c.drive.follower == Follower::flat;
    Space::Vector way{1, 0};
    if (c.drive.oscillating) {
        const double r = is_flat ? 0 : c.drive.roller;
        const Space::Vector arm{at.x + r * n.x - c.drive.pivot.x, at.y + r * n.y - c.drive.pivot.y};
        const double length = std::hypot(arm.x, arm.y);
        way = {-arm.y / length, arm.x / length};
    }
    const double angle = std::acos(std::min(1.0, std::abs(way.x * n.x + way.y * n.y)));
    if (angle > c.pressure) {
        c.pressure = angle;
        c.pressure_at = phi;
    }
    // Along the face: from the follower's guide, or from its pivot.
    const double along = c.drive.oscillating
                             ? (at.x - c.drive.pivot.x) * -n.y + (at.y - c.drive.pivot.y) * n.x
                             : at.y;
    c.face_low = std::min(c.face_low, along);
    c.face_high = std::max(c.face_high, along);
    if (p.turn > 0) c.radius = std::min(c.radius, p.speed / p.turn);
    const auto s = curve.lift(TimeJet<double>(phi, 1.0));
    c.speed = std::max(c.speed, std::abs(s.rate));
    c.acceleration = std::max(c.acceleration, std::abs(s.acceleration));
    c.needed_preload = std::max(
        c.needed_preload, -inertia_speed_2 * s.acceleration - stiffness * (s.value - c.start));
}

void look_along(Course& c, double inertia_speed_2, double stiffness) {
    CamCurve<Space> curve;
    curve.drive = c.drive;
    curve.lifted = c.start;
    for (const CamSegment<double>& segment : c.segments) {
        curve.segment = segment;
        const int steps = std::max(8, static_cast<int>(segment.angle * 180 / pi));
        for (int i = 0; i <= steps; ++i)
            look_at(c, curve, static_cast<double>(i) / steps, inertia_speed_2, stiffness);
        curve.start += segment.angle;
        curve.lifted += segment.lift;
    }
}

// The drive with its pivot beside the cam; settles what is left open.
CamDrive<Space> drive_of(Numbers& n, Draft& draft) {
    CamDrive<Space> d;
    d.base = n["base"];
    d.follower = n.text("follower") == "flat"    ? Follower::flat
                 : n.text("follower") == "knife" ? Follower::knife
                                                 : Follower::roller;
    d.roller = d.follower == Follower::roller ? n["roller"] : 0;
    d.oscillating = n.text("motion") == "swinging";
    d.offset = d.follower == Follower::flat || d.oscillating ? 0 : n["offset"];
    const bool is_flat = d.follower == Follower::flat;
    draft.require(n["offset"] == d.offset,
                  "only a translating knife or roller follower has an offset");
    if (!d.oscillating) return d;
    n.settle("pivot", 3 * (d.base + d.roller));
    n.settle("arm",
             is_flat ? 0 : std::sqrt(std::pow(n["pivot"], 2) - std::pow(d.base + d.roller, 2)));
    d.pivot = {0, -n["pivot"]};
    d.arm = n["arm"];
    d.swing = -1;
    draft.require(n["pivot"] > d.base + d.roller,
                  "the pivot of the follower must lie outside of the base circle");
    draft.require(is_flat || d.arm > 0, "the arm of a knife or a roller must be positive");
    if (draft.refused()) return d;
    draft.require(CamCurve<Space>::rest_angle(d).has_value(),
                  "the follower does not reach the base circle from its pivot");
    return d;
}

// The segments, as numbers and as they stand in the file.
std::string course_of(Numbers& n, Draft& draft, Course& c) {
    const std::string unit = c.drive.oscillating ? "deg" : "mm";
    if (n.has("table")) {
        std::vector<double> lifts;
        std::string list;
        for (const double x : n.list("table")) {
            lifts.push_back(x * parse_unit(unit)->factor);
            list += fmt::format("{}{:.10g}", list.empty() ? "" : ", ", x);
        }
        draft.require(lifts.size() >= 8,
                      "a table of lifts needs at least 8 of them, at equal steps "
                      "of the cam angle over a whole turn");
        draft.require(*std::min_element(lifts.begin(), lifts.end()) >= 0,
                      "the lifts of a table count from the base circle and must not be negative");
        if (draft.refused()) return "";
        c.start = lifts.front();
        c.segments = table_segments(lifts);
        return "lifts = [" + list + "]";
    }
    const double rise = n["rise"], high = n["high"], fall = n["return"],
                 low = 2 * pi - rise - high - fall;
    draft.require(low > -tolerance::typed_angle,
                  fmt::format("rise, dwell and return take {}: a turn has 360 deg",
                              shown(2 * pi - low, "deg")));
    if (draft.refused()) return "";
    std::string text;
    const auto add = [&](const std::string& law, double lift, double angle,
                         const std::string& lift_text) {
        if (angle < tolerance::typed_angle) return;
        c.segments.push_back({*find_motion_law(law), lift, angle, {}});
        text += fmt::format("    {{ law = \"{}\"{}, angle = \"{}\" }},\n", law,
                            lift_text.empty() ? "" : fmt::format(", lift = \"{}\"", lift_text),
                            exact(angle, "deg"));
    };
    const std::string name = c.drive.oscillating ? "swing" : "lift";
    add(n.text("rise_law"), n[name], rise, name);
    add("dwell", 0, high, "");
    add(n.text("return_law"), -n[name], fall, "-" + name);
    add("dwell", 0, low, "");
    return "segments = [\n" + text + "]";
}

// The parts of the text that differ between straight and swinging followers.
std::map<std::string, std::string> parts_of(const Course& c, const Numbers& n) {
    const CamDrive<Space>& d = c.drive;
    const bool is_flat = d.follower == Follower::flat;
    const double margin = 0.2 * (c.face_high - c.face_low) + 0.1 * d.base;
    const std::string low = exact(c.face_low - margin, "mm"),
                      high = exact(c.face_high + margin, "mm");
    const std::string roller = d.roller > 0 ? "roller = \"roller\"" : "roller = 0";
    std::map<std::string, std::string> parts;
    std::string own = d.roller > 0 ? fmt::format("roller = \"{}\"\n", n.text("roller")) : "";
    if (!n.has("table"))
        own += fmt::format("{0} = \"{1}\"\n", d.oscillating ? "swing" : "lift",
                           n.text(d.oscillating ? "swing" : "lift"));
    const double reach = d.base + d.roller;
    if (d.oscillating) {
        own += fmt::format(
            "D = \"{}\"                         # distance of the pivot\narm = \"{}\"\n",
            n.text("pivot"), n.text("arm"));
        const double angle = *CamCurve<Space>::rest_angle(d) + pi / 2 - c.start;
        parts = {
            {"ground", "[\"D\", 0]"},
            {"ground_or_start", "[\"D\", 0]"},
            {"angle", exact(angle, "deg")},
            {"inertia", "mass = \"0.1 kg\"\ninertia = \"inertia\""},
            {"drive", roller + ", pivot = [0, \"-D\"], arm = \"arm\", swings = \"cw\""},
            {"shape", is_flat ? fmt::format("{{ type = \"line\", from = [\"arm\", \"{}\"], to = "
                                            "[\"arm\", \"{}\"] }}",
                                            high, low)
                      : d.roller > 0
                          ? "{ type = \"circle\", centre = [\"arm\", 0], radius = \"roller\" }"
                          : "{ type = \"point\", at = [\"arm\", 0] }"},
            {"joint", "type = \"revolute\""},
            {"sign", "-1"},
            {"measured", fmt::format("{} - place", exact(angle + c.start, "rad"))}};
    } else {
        own += "offset = \"" + n.text("offset") + "\"\n";
        const double height = std::sqrt(reach * reach - d.offset * d.offset);
        parts = {
            {"ground", "[\"-offset\", 0]"},
            {"ground_or_start",
             fmt::format("[\"-offset\", \"{}\"]", exact(height + c.start, "mm"))},
            {"angle", "0 deg"},
            {"inertia", "mass = \"inertia\""},
            {"drive", roller + ", offset = \"offset\""},
            {"shape", is_flat ? fmt::format("{{ type = \"line\", from = [\"{}\", 0], to = [\"{}\", "
                                            "0] }}",
                                            exact(-c.face_high - margin, "mm"),
                                            exact(-c.face_low + margin, "mm"))
                      : d.roller > 0 ? "{ type = \"circle\", radius = \"roller\" }"
                                     : "{ type = \"point\", at = [0, 0] }"},
            {"joint", "type = \"prismatic\"\naxis = \"90 deg\""},
            {"sign", "1"},
            {"measured", fmt::format("place - {}", exact(height, "m"))}};
    }
    parts["own"] = own;
    return parts;
}

void make_cam(Numbers& n, Draft& draft) {
    Course c;
    c.drive = drive_of(n, draft);
    if (draft.refused()) return;
    const std::string lifts = course_of(n, draft, c);
    if (draft.refused()) return;
    const bool swings = c.drive.oscillating;
    const double w = n["speed"], reach = c.drive.base + c.drive.roller;
    const double inertia = swings ? n["mass"] * reach * reach : n["mass"];
    draft.require(
        std::abs(c.drive.offset) < 0.9 * reach,
        "the offset of the follower must be less than 0.9 of the base circle (with roller)");
    if (draft.refused()) return;
    const double stiffness = swings ? n["stiffness"] * reach * reach : n["stiffness"];
    look_along(c, inertia * w * w, stiffness);
    const auto made = cam_elements<Space>(c.drive, c.segments, c.start);
    if (const auto* problem = std::get_if<ProfileProblem>(&made))
        draft.problems.push_back(problem->message);
    const double limit =
        n.has("pressure_limit") ? n["pressure_limit"] : (swings ? 45 : 30) * pi / 180;
    draft.require(
        c.pressure <= limit,
        fmt::format("the pressure angle reaches {} at cam angle {}, more than {}: take a "
                    "larger base circle, a longer rise or return, or pressure_limit = "
                    "\"{}\"",
                    shown(c.pressure, "deg"), shown(c.pressure_at, "deg"), shown(limit, "deg"),
                    shown(std::ceil(c.pressure * 180 / pi) * pi / 180, "deg")));
    if (draft.refused()) return;
    const std::string force = swings ? "N m" : "N", unit = swings ? "deg" : "mm";
    const double enough =
        1.3 * c.needed_preload + 0.05 * (inertia * w * w * c.acceleration) + 1e-3 * inertia;
    const double preload = n.has("preload") ? n["preload"] * (swings ? reach : 1) : enough;
    draft.facts.push_back(
        fmt::format("largest pressure angle {} at cam angle {}; smallest radius of the "
                    "cam's outline {}",
                    shown(c.pressure, "deg"), shown(c.pressure_at, "deg"), shown(c.radius, "mm")));
    draft.facts.push_back(fmt::format(
        "largest speed of the follower {}/s, largest acceleration {}/s^2; the "
        "spring needs a preload of {} to keep it on the cam{}",
        shown(c.speed * w, unit), shown(c.acceleration * w * w, unit),
        shown(c.needed_preload, force), preload < c.needed_preload ? ": it lifts off" : ""));
    auto parts = parts_of(c, n);
    const double rate =
        n.has("table") ? c.segments.front().cubic->at(0) / c.segments.front().angle * w : 0;
    parts["motion"] = rate == 0 ? ""
                      : swings  ? fmt::format("\nomega = \"{}/s\"", exact(-rate, "rad"))
                                : fmt::format("\nvelocity = [0, \"{}/s\"]", exact(rate, "m"));
    parts["kind"] = n.text("follower");
    parts["moves"] = swings ? "swings about a pivot" : "moves along a straight guide";
    parts["look"] = "the measure `follower_lift`";
    parts["lifts"] = lifts;
    parts["lift_unit"] = unit;
    parts["mass_is"] = swings ? "moment of inertia of the follower" : "mass of the follower";
    parts["mass"] = swings ? exact(inertia, "kg m^2") : n.text("mass");
    parts["stiffness"] = swings ? exact(stiffness, "N m") : n.text("stiffness");
    parts["preload"] = shown(preload, force);
    draft.text = filled(cam_text, n, parts);
}

}  // namespace

Generator cam() {
    const std::vector<std::string> laws{"cycloidal", "harmonic",      "poly345",
                                        "poly4567",  "modified_sine", "modified_trapezoid"};
    return {
        "cam",
        "plate cam and follower, from a motion law or a table of lifts",
        {{"follower", "roller", "kind of follower", "", Sort::choice, {"roller", "flat", "knife"}},
         {"motion", "translating", "how it moves", "", Sort::choice, {"translating", "swinging"}},
         {"base", "40 mm", "radius of the base circle", "mm"},
         {"roller", "10 mm", "radius of the roller", "mm"},
         {"offset", "0 mm", "for a translating knife or roller follower", "mm", Sort::number},
         {"pivot", "", "for a swinging follower: distance of its pivot from the cam's centre",
          "mm"},
         {"arm", "",
          "for a swinging follower: its length; for a flat one: distance of the face from the "
          "pivot",
          "mm", Sort::number},
         {"lift", "15 mm", "lift of a translating follower", "mm"},
         {"swing", "12 deg", "lift of a swinging follower", "deg"},
         {"rise_law", "cycloidal", "law of the rise", "", Sort::choice, laws},
         {"return_law", "cycloidal", "law of the return", "", Sort::choice, laws},
         {"rise", "120 deg", "cam angle of the rise", "deg"},
         {"high", "40 deg", "cam angle of the dwell at the top", "deg", Sort::not_negative},
         {"return", "120 deg",
          "cam angle of the return; for the rest of the turn it dwells at the bottom", "deg"},
         {"table", "", "instead of the laws: lifts in mm (swinging: deg) at equal steps of a turn",
          "", Sort::list},
         {"speed", "120 rpm", "speed of the cam", "rpm"},
         {"mass", "0.5 kg", "mass of the follower, for a swinging one reduced to the cam's radius",
          "kg"},
         {"stiffness", "1 N/mm",
          "stiffness of the spring, for a swinging follower at the cam's radius", "N/mm",
          Sort::not_negative},
         {"preload", "", "preload of the spring, likewise", "N", Sort::not_negative},
         {"pressure_limit", "", "largest pressure angle; 30 deg, or 45 deg if it swings", "deg"}},
        make_cam};
}

}  // namespace pawl::generating
