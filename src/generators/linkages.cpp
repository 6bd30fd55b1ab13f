// Four-bar linkage and slider-crank.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "generators/numbers.h"

namespace pawl::generating {

namespace {

constexpr const char* fourbar_text =
    R"toml(# Four-bar linkage O-A-B-C. The crank turns at constant speed; the rocker swings, or turns as well where the frame is the shortest bar.
# Look at: rocker.angle, the path of the measure `coupler_point`; `pawl inverse` gives the torque of the motor and all reactions.
# Change the numbers under [parameters]; the crank can turn where shortest + longest bar < the other two (Grashof).
format = 1
name = "Four-bar linkage"

[units]
length = "mm"
angle = "deg"

[parameters]
frame = "@frame"                    # distance of the two fixed pivots
crank = "@crank"
coupler = "@coupler"
rocker = "@rocker"
speed = "@speed"                    # of the crank
line_mass = "1 kg/m"                # of the bars

[body.ground]
points = { O = [0, 0], C = ["frame", 0] }

[body.crank]                        # its start angle, and those of the others, are written where the linkage closes
angle = "@crank_angle"
points = { O = [0, 0], A = ["crank", 0] }
mass = "line_mass*crank"
inertia = "line_mass*crank^3/12"
centre = ["crank/2", 0]

[body.coupler]
angle = "@coupler_angle"
points = { A = [0, 0], B = ["coupler", 0], P = ["coupler/2", "coupler/3"] }
mass = "line_mass*coupler"
inertia = "line_mass*coupler^3/12"
centre = ["coupler/2", 0]

[body.rocker]
angle = "@rocker_angle"
points = { C = [0, 0], B = ["rocker", 0] }
mass = "line_mass*rocker"
inertia = "line_mass*rocker^3/12"
centre = ["rocker/2", 0]

[joint.O]
type = "revolute"
a = "ground.O"
b = "crank.O"

[joint.A]
type = "revolute"
a = "crank.A"
b = "coupler.A"

[joint.B]
type = "revolute"
a = "coupler.B"
b = "rocker.B"

[joint.C]
type = "revolute"
a = "ground.C"
b = "rocker.C"

[driver.motor]
joint = "O"
type = "speed"
speed = "speed"

[measure.coupler_point]
type = "point"
point = "coupler.P"
unit = "mm"

[measure.output]                    # angle of the rocker
type = "joint"
joint = "C"
unit = "deg"

[run]
analysis = "kinematics"
end = "120 deg*6/speed"             # two turns
step = "2 deg/speed"
)toml";

// Angle of a triangle between the sides a and b, opposite of c.
double triangle_angle(double a, double b, double c) {
    return std::acos(std::clamp((a * a + b * b - c * c) / (2 * a * b), -1.0, 1.0));
}

void make_fourbar(Numbers& n, Draft& draft) {
    const double g = n["frame"], a = n["crank"], b = n["coupler"], c = n["rocker"];
    std::array<double, 4> bars{g, a, b, c};
    std::sort(bars.begin(), bars.end());
    const auto mm = [](double x) { return shown(x, "mm"); };
    draft.require(bars[3] < bars[0] + bars[1] + bars[2],
                  fmt::format("the linkage cannot close: its longest bar, {}, is not shorter than "
                              "the other three together, {}",
                              mm(bars[3]), mm(bars[0] + bars[1] + bars[2])));
    if (draft.refused()) return;
    // Grashof: the crank makes whole turns if the sum of the shortest and the longest bar is less
    // than that of the others, and the shortest is the crank or the frame. Nearer than 1e-3 to
    // equality the bars come to lie on one line: a change point.
    const double margin = bars[1] + bars[2] - bars[0] - bars[3];
    draft.require(margin > 1e-3 * bars[3],
                  fmt::format("the crank cannot turn round: shortest + longest bar = {} must be "
                              "less than the other two, {} (Grashof)",
                              mm(bars[0] + bars[3]), mm(bars[1] + bars[2])));
    draft.require(std::min(a, g) == bars[0],
                  fmt::format("the crank cannot turn round: the shortest bar must be the crank or "
                              "the frame, here it is the {} of {}",
                              b == bars[0] ? "coupler" : "rocker", mm(bars[0])));
    if (draft.refused()) return;
    // At crank angle th the diagonal from A to C is f; open: the coupler lies above it.
    const double side = n.text("assembly") == "open" ? 1 : -1, th = pi / 3;
    const double ax = a * std::cos(th), ay = a * std::sin(th), f = std::hypot(g - ax, ay);
    const double coupler_angle = std::atan2(-ay, g - ax) + side * triangle_angle(b, f, c);
    const double bx = ax + b * std::cos(coupler_angle), by = ay + b * std::sin(coupler_angle);
    // The angle between coupler and rocker; smallest or largest where crank and frame are in line.
    const double least =
        std::min(triangle_angle(b, c, std::abs(g - a)), pi - triangle_angle(b, c, g + a));
    draft.facts.push_back(fmt::format(
        "a {}; smallest transmission angle {}{}", a == bars[0] ? "crank-rocker" : "double crank",
        shown(least, "deg"), least < 40 * pi / 180 ? " (below 40 deg it runs roughly)" : ""));
    draft.text = filled(fourbar_text, n,
                        {{"crank_angle", exact(th, "deg")},
                         {"coupler_angle", exact(coupler_angle, "deg")},
                         {"rocker_angle", exact(std::atan2(by, bx - g), "deg")}});
}

constexpr const char* slider_text =
    R"toml(# Slider-crank: a crank at constant speed, a connecting rod and a slider in a straight guide that may be offset.
# Look at: the measure `stroke`, slider.ax; `pawl inverse` gives the torque of the motor and the force on the guide.
format = 1
name = "Slider-crank"

[units]
length = "mm"
angle = "deg"

[parameters]
crank = "@crank"
rod = "@rod"
offset = "@offset"                  # of the guide from the crank's pivot
speed = "@speed"
line_mass = "1 kg/m"                # of crank and rod
slider_mass = "@slider_mass"

[body.ground]
points = { O = [0, 0], G = [0, "offset"] }

[body.crank]
angle = "@crank_angle"
points = { B = ["crank", 0] }
mass = "line_mass*crank"
inertia = "line_mass*crank^3/12"
centre = ["crank/2", 0]

[body.rod]
angle = "@rod_angle"
points = { A = ["rod", 0] }
mass = "line_mass*rod"
inertia = "line_mass*rod^3/12"
centre = ["rod/2", 0]

[body.slider]
position = ["crank*cos(@crank_angle) + rod*cos(@rod_angle)", "offset"]
mass = "slider_mass"
inertia = "slider_mass*(rod/10)^2"

[joint.O]
type = "revolute"
a = "ground.O"
b = "crank"

[joint.B]
type = "revolute"
a = "crank.B"
b = "rod"

[joint.A]
type = "revolute"
a = "rod.A"
b = "slider"

[joint.guide]
type = "prismatic"
a = "ground.G"
b = "slider"

[driver.motor]
joint = "O"
type = "speed"
speed = "speed"

[measure.stroke]                    # place of the slider
type = "joint"
joint = "guide"
unit = "mm"

[run]
analysis = "kinematics"
end = "120 deg*6/speed"             # two turns
step = "2 deg/speed"
)toml";

void make_slider_crank(Numbers& n, Draft& draft) {
    const double r = n["crank"], l = n["rod"], e = n["offset"];
    draft.require(l > r + std::abs(e),
                  fmt::format("the crank cannot turn round: the rod, {}, must be longer than crank "
                              "and offset together, {}",
                              shown(l, "mm"), shown(r + std::abs(e), "mm")));
    if (draft.refused()) return;
    draft.require(l - r - std::abs(e) > 1e-3 * l,
                  "the rod stands across the guide at a dead point of the slider: make the rod "
                  "longer or the offset smaller");
    if (draft.refused()) return;
    const double far = std::sqrt((l + r) * (l + r) - e * e),
                 near = std::sqrt((l - r) * (l - r) - e * e);
    // Crank angle between the dead points: of the way out it is 180 deg + the difference.
    const double advance = std::asin(e / (l + r)) - std::asin(e / (l - r));
    draft.facts.push_back(
        fmt::format("stroke {}, from x = {} to {}; time ratio of the two strokes {:.4g}",
                    shown(far - near, "mm"), shown(near, "mm"), shown(far, "mm"),
                    (pi + std::abs(advance)) / (pi - std::abs(advance))));
    const double th = pi / 6;
    draft.text = filled(slider_text, n,
                        {{"crank_angle", exact(th, "deg")},
                         {"rod_angle", exact(std::asin((e - r * std::sin(th)) / l), "deg")}});
}

}  // namespace

Generator fourbar() {
    return {"fourbar",
            "four-bar linkage with a crank that turns round",
            {{"frame", "100 mm", "distance of the fixed pivots", "mm"},
             {"crank", "30 mm", "length of the crank", "mm"},
             {"coupler", "90 mm", "length of the coupler", "mm"},
             {"rocker", "70 mm", "length of the rocker", "mm"},
             {"speed", "60 rpm", "speed of the crank", "rpm"},
             {"assembly",
              "open",
              "on which side of the diagonal it closes",
              "",
              Sort::choice,
              {"open", "crossed"}}},
            make_fourbar};
}

Generator slider_crank() {
    return {"slider_crank",
            "slider-crank, central or offset",
            {{"crank", "50 mm", "length of the crank", "mm"},
             {"rod", "150 mm", "length of the connecting rod", "mm"},
             {"offset", "0 mm", "distance of the guide from the crank's pivot", "mm", Sort::number},
             {"speed", "300 rpm", "speed of the crank", "rpm"},
             {"slider_mass", "0.5 kg", "mass of the slider", "kg"}},
            make_slider_crank};
}

}  // namespace pawl::generating
