// Ratchet wheel with a pawl that holds a load.
#include <cmath>

#include <fmt/format.h>

#include "generators/numbers.h"

namespace pawl::generating {

namespace {

constexpr const char* ratchet_text =
    R"toml(# A ratchet wheel of @teeth teeth that winds up a load. A hand torque turns it counter-clockwise in the first half of every period; the
# pawl, pressed on by a spring, rides up the backs of the teeth and drops behind each of them. When the hand stops, the load drives the
# wheel back until a tooth face meets the pawl's nose; the pawl is drawn into the corner and holds there.
# Look at: wheel.angle, C#1.normal (back of a tooth) and C#2.normal (face), events.csv.
format = 1
name = "Ratchet and pawl"

[units]
length = "mm"
angle = "deg"

[parameters]
ro = "@radius"                      # outer radius of the wheel
rr = "ro - @height"                 # root radius
p = "360 deg/@teeth"                # from tooth to tooth
rn = "@nose"                        # radius of the pawl's nose
px = "@pivot_x"                     # pivot of the pawl, where the tooth face that it holds is upright
py = "@pivot_y"
k = "(ro*cos(p) - rr)/(ro*sin(p))"  # slope of a tooth's back where the pawl holds
yn = "rr + rn*k + rn*sqrt(1 + k^2)" # the nose then touches that back and the face x = 0
load = "@load"
hand = "@hand"
period = "@period"                  # of the hand
m = "@mass"                         # of the wheel
e = @restitution                    # restitution of the pawl's impacts

[body.ground]
points = { P = ["px", "py"] }

[body.wheel]
angle = "90 deg + p/6"
mass = "m"
inertia = "m*ro^2/2"

[body.pawl]                         # lifted above the teeth
position = ["px", "py"]
angle = "-1.5*(ro - rr)/px*(1 rad)"
mass = "m/25"
inertia = "m/25*px^2/6"
centre = ["-px/2", 0]

[profile.teeth]                     # one tooth: the radial face, then the back down to the next root
body = "wheel"
elements = [
    { type = "line", from = ["rr", 0], to = ["ro", 0] },
    { type = "line", to = ["rr*cos(p)", "rr*sin(p)"] },
]
pattern = { count = @teeth }

[profile.nose]                      # a hook with a round nose, all sides tangent to it
body = "pawl"
at = ["-px", "-py"]                 # so that these are ground coordinates where it holds
elements = [
    { type = "arc", centre = ["rn", "yn"], radius = "rn", from = "176 deg", to = "330 deg" },
    { type = "line", to = ["rn*(1 + cos(330 deg)) + (1.09*ro - yn)/tan(60 deg)", "1.09*ro + rn*sin(330 deg)"] },
    { type = "line", to = ["ro", "1.08*ro"] },
    { type = "line", to = ["ro", "1.24*ro"] },
    { type = "line", to = ["rn*(1 + cos(176 deg)) + (1.24*ro - yn)*tan(4 deg)", "rn*sin(176 deg) + 1.24*ro"] },
    { type = "line", to = ["rn*(1 + cos(176 deg))", "yn + rn*sin(176 deg)"] },
]

[contact.C]
a = "teeth"
b = "nose"
restitution = "e"

[joint.O]
type = "revolute"
a = "ground"
b = "wheel"

[joint.P]
type = "revolute"
a = "ground.P"
b = "pawl"

[force.load]
type = "torque"
body = "wheel"
value = "-load"

[force.hand]
type = "torque"
body = "wheel"
value = "max(0, hand*sin(2*pi*t/period))"

[force.drag]
type = "joint_spring"
joint = "O"
damping = "hand*period/(12 rad)"

[force.pawl_spring]                 # presses the nose on the wheel
type = "joint_spring"
joint = "P"
stiffness = "load/(10 rad)"
free_value = "1 rad"

[run]
analysis = "dynamics"
end = "3*period"
step = "period/200"
)toml";

// Forces where the pawl holds, from the moments about both pivots.
struct Hold {
    double face = 0, back = 0;
};

Hold hold(double yn, double touch_x, double touch_y, double nx, double ny, double px, double py,
          double load) {
    const double spring = load / 10;  // times 1 rad
    // Wheel: yn F - w N = load. Pawl: (py - yn) F + spring + u N = 0.
    const double w = touch_x * ny - touch_y * nx;
    const double u = (touch_x - px) * ny - (touch_y - py) * nx;
    const double determinant = yn * u + w * (py - yn);
    return {(load * u - w * spring) / determinant, (-yn * spring - (py - yn) * load) / determinant};
}

void make_ratchet(Numbers& n, Draft& draft) {
    const int teeth = n.count("teeth");
    const double ro = n["radius"], p = 2 * pi / teeth;
    draft.require(teeth >= 5, fmt::format("a wheel of {} teeth: their backs are too steep for the "
                                          "pawl to ride up; take 5 or more",
                                          teeth));
    draft.require(teeth <= 200, "more than 200 teeth are too fine for a pawl of this kind");
    if (draft.refused()) return;
    n.settle("height", std::min(0.12 * ro, 0.35 * p * ro));
    const double height = n["height"], rr = ro - height;
    n.settle("nose", height / 6);
    n.settle("mass", 7850 * 0.008 * pi * ro * ro);
    n.settle("load", 0.8 * n["mass"] * 9.81 * ro);
    n.settle("hand", 3 * n["load"]);
    n.settle("pivot_x", 0.9 * ro);
    n.settle("pivot_y", 1.16 * ro);
    const double nose = n["nose"], px = n["pivot_x"], py = n["pivot_y"];
    draft.require(height < 0.5 * ro, fmt::format("teeth of {} are too high for a wheel of {}",
                                                 shown(height, "mm"), shown(ro, "mm")));
    draft.require(
        height < 1.2 * p * ro,
        fmt::format("teeth of {} at a distance of {}: the backs are too steep for the pawl "
                    "to ride up; take lower teeth or fewer of them",
                    shown(height, "mm"), shown(p * ro, "mm")));
    draft.require(nose < 0.4 * height,
                  fmt::format("a nose of {} does not fit into teeth of {}: at most 0.4 of them",
                              shown(nose, "mm"), shown(height, "mm")));
    draft.require(n["hand"] > n["load"],
                  fmt::format("the hand, {}, cannot turn the wheel against the load, {}",
                              shown(n["hand"], "N m"), shown(n["load"], "N m")));
    draft.require(n["restitution"] < 1, "restitution must be less than 1");
    draft.require(px > 0.5 * ro, fmt::format("the pivot of the pawl must stand at x > {}, so that "
                                             "its hook reaches the wheel from the side",
                                             shown(0.5 * ro, "mm")));
    if (draft.refused()) return;
    const double k = (ro * std::cos(p) - rr) / (ro * std::sin(p)), root = std::hypot(1, k);
    const double yn = rr + nose * k + nose * root;
    const double nx = -k / root, ny = 1 / root;
    const Hold force = hold(yn, nose - nose * nx, yn - nose * ny, nx, ny, px, py, n["load"]);
    draft.require(
        py > yn && force.face > 0 && force.back > 0,
        fmt::format("the pawl would be pushed out of the teeth: the face presses along y = "
                    "{}, and the pivot must stand above that line; it is at y = {}",
                    shown(yn, "mm"), shown(py, "mm")));
    draft.require(py < 1.24 * ro,
                  fmt::format("the pivot of the pawl must stand inside its arm, y < {}",
                              shown(1.24 * ro, "mm")));
    if (draft.refused()) return;
    draft.facts.push_back(
        fmt::format("where the pawl holds, the tooth face presses with {} and the "
                    "back of the tooth before with {} (no friction)",
                    shown(force.face, "N"), shown(force.back, "N")));
    draft.text = filled(ratchet_text, n);
}

}  // namespace

Generator ratchet() {
    return {"ratchet",
            "ratchet wheel and pawl that hold a load",
            {{"teeth", "12", "number of teeth", "", Sort::count},
             {"radius", "50 mm", "outer radius of the wheel", "mm"},
             {"height", "", "height of the teeth", "mm"},
             {"nose", "", "radius of the pawl's nose", "mm"},
             {"pivot_x", "", "pivot of the pawl, from the wheel's centre", "mm", Sort::number},
             {"pivot_y", "", "the same, along the tooth face that is held", "mm", Sort::number},
             {"mass", "", "mass of the wheel", "kg"},
             {"load", "", "torque of the load on the wheel", "N m"},
             {"hand", "", "largest torque of the hand", "N m"},
             {"period", "1 s", "period of the hand", "s"},
             {"restitution", "0.3", "of the pawl's impacts, from 0 to 1", "", Sort::not_negative}},
            make_ratchet};
}

}  // namespace pawl::generating
