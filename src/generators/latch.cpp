// Spring latch: a sprung bolt with a ramp that a door's pin pushes back and that then holds it.
#include <cmath>

#include <fmt/format.h>

#include "generators/numbers.h"

namespace pawl::generating {

namespace {

constexpr const char* latch_text =
    R"toml(# Spring latch. The door comes from the left; its pin pushes the bolt up by the ramp, passes below its nose, meets the stop, and the
# bolt drops behind it. Then the door is pulled back, and the upright back of the bolt holds it.
# Look at: door.x, bolt.y, latch#1.normal at the end, events.csv.
format = 1
name = "Spring latch"

[units]
length = "mm"
angle = "deg"

[parameters]
r = "@pin"                          # radius of the pin
d = "@depth"                        # depth of the nose below the pin's centre
ramp = "@ramp"                      # angle between the ramp and the path of the door
flat = "r/5"                        # width of the nose
H = "1.3*(r + d)"                   # height of the ramp
W = "flat + H/tan(ramp)"            # width of the bolt
over = "@over"                      # distance from the bolt's back to the stop
speed = "@speed"                    # speed of the door
mass = "@door_mass"                 # mass of the door
bolt_mass = "@bolt_mass"
stiffness = "@stiffness"            # of the bolt's spring
preload = "@preload"                # of the bolt's spring
mu = @friction                      # friction between pin and bolt
e = @restitution
way = "2*r + W"                     # distance of the door from the bolt at the start
t1 = "4*(way + over)/speed + 0.2 s" # time at which the door is pulled back
pull = "@pull"                      # force of the pull

[body.door]
position = ["-way - r", 0]
velocity = ["speed", 0]
mass = "mass"
inertia = "mass*r^2"

[body.bolt]                         # its origin is the lower end of its back
position = [0, "-d"]
mass = "bolt_mass"
inertia = "bolt_mass*r^2"

[profile.pin]
body = "door"
elements = [{ type = "circle", radius = "r" }]

[profile.bolt]                      # back, top, side, ramp, nose
body = "bolt"
elements = [
    { type = "line", from = [0, 0], to = [0, "2*H"] },
    { type = "line", to = ["-W", "2*H"] },
    { type = "line", to = ["-W", "H"] },
    { type = "line", to = ["-flat", 0] },
    { type = "line", to = [0, 0] },
]

[profile.shoulder]                  # rests on the housing while the bolt is out
body = "bolt"
elements = [{ type = "circle", centre = ["-W - r/2", "2*H - r/4"], radius = "r/4" }]

[profile.housing]
body = "ground"
elements = [{ type = "line", from = ["-W", "2*H - d - r/2"], to = ["-W - 2*r", "2*H - d - r/2"] }]

[profile.stop]
body = "ground"
elements = [{ type = "line", from = ["2*r + over", "2*r"], to = ["2*r + over", "-2*r"] }]

[contact.latch]
a = "bolt"
b = "pin"
restitution = "e"
friction = { kinetic = "mu" }

[contact.shoulder]
a = "housing"
b = "shoulder"
restitution = "e"

[contact.stop]
a = "stop"
b = "pin"
restitution = "e"

[joint.guide]
type = "prismatic"
a = "ground"
b = "door"

[joint.slide]
type = "prismatic"
a = "ground"
b = "bolt"
axis = "90 deg"

[force.spring]                      # presses the bolt out
type = "joint_spring"
joint = "slide"
stiffness = "stiffness"
preload = "preload"

[force.drag]                        # of the hinges
type = "joint_spring"
joint = "guide"
damping = "mass*speed/(2 m)"

[force.pull]
type = "joint_force"
joint = "guide"
value = "-pull*min(max((t - t1)/(0.1 s), 0), 1)"

[run]
analysis = "dynamics"
end = "t1 + 0.4 s"
step = "(t1 + 0.4 s)/500"
)toml";

void make_latch(Numbers& n, Draft& draft) {
    const double r = n["pin"], d = n["depth"], ramp = n["ramp"], mu = n["friction"];
    const double cone = std::atan(mu), v = n["speed"], mass = n["door_mass"];
    n.settle("over", r);
    draft.require(ramp >= 5 * pi / 180 && ramp < 80 * pi / 180,
                  fmt::format("a ramp of {}: take 5 to 80 deg", shown(ramp, "deg")));
    draft.require(
        ramp + cone < 85 * pi / 180,
        fmt::format("the door cannot push the bolt back: ramp {} and angle of friction {} "
                    "together must stay below 85 deg (at 90 deg it jams)",
                    shown(ramp, "deg"), shown(cone, "deg")));
    draft.require(d < 3 * r, "the nose may reach at most three radii below the pin's centre");
    draft.require(n["restitution"] < 1, "restitution must be less than 1");
    if (draft.refused()) return;
    // Work of the spring up to the pin's top, through a ramp with the efficiency tan(ramp)/tan(ramp
    // + cone); the first impact shares the door's energy with the bolt, and with restitution leaves
    // it in flight.
    const double travel = r + d,
                 work = n["preload"] * travel + n["stiffness"] * travel * travel / 2;
    const double needed = 1.5 * work * std::tan(ramp + cone) / std::tan(ramp);
    const double share = 3 * n["bolt_mass"] * std::pow(std::tan(ramp), 2) / mass;
    const double energy = mass * v * v / 2;
    draft.require(share < 0.5,
                  "the bolt is too heavy for the door: the first impact on the ramp "
                  "throws the door back; take a lighter bolt or a flatter ramp");
    if (draft.refused()) return;
    draft.require(
        energy * (1 - share) > needed,
        fmt::format("the door is too slow: pushing the bolt back takes {}, with losses; it "
                    "needs at least {}",
                    shown(needed, "mJ"),
                    shown(std::sqrt(2 * needed / (mass * (1 - share))), "m/s")));
    // The bolt falls by itself while the door goes to the stop and back.
    const double fall = std::sqrt(2 * travel * n["bolt_mass"] / n["preload"]);
    const double back = n["over"] / v * (1 + 1 / std::max(n["restitution"], 1e-3)) + r / v;
    draft.require(
        fall < 0.7 * back,
        fmt::format("the bolt is too slow: it drops in {}, and the door is back after {}; "
                    "take a stronger preload, a lighter bolt or more way to the stop",
                    shown(fall, "ms"), shown(back, "ms")));
    if (draft.refused()) return;
    draft.facts.push_back(
        fmt::format("the pin lifts the bolt by {}, which takes {}; efficiency of the ramp "
                    "{:.3g}; when closed, the back carries the pull of {}",
                    shown(travel, "mm"), shown(work, "mJ"), std::tan(ramp) / std::tan(ramp + cone),
                    shown(n["pull"], "N")));
    draft.text = filled(latch_text, n);
}

}  // namespace

Generator latch() {
    return {"latch",
            "spring latch: a bolt with a ramp that catches a door",
            {{"pin", "5 mm", "radius of the door's pin", "mm"},
             {"depth", "3 mm", "how far the nose reaches below the pin's centre", "mm"},
             {"ramp", "35 deg", "angle between the ramp and the door's way", "deg"},
             {"over", "", "way from the bolt's back to the stop", "mm"},
             {"speed", "0.5 m/s", "speed of the door", "m/s"},
             {"door_mass", "2 kg", "mass of the door", "kg"},
             {"bolt_mass", "0.05 kg", "mass of the bolt", "kg"},
             {"stiffness", "1 N/mm", "of the bolt's spring", "N/mm"},
             {"preload", "5 N", "of the bolt's spring", "N"},
             {"friction", "0.15", "coefficient between pin and bolt", "", Sort::not_negative},
             {"restitution", "0.2", "of all impacts, from 0 to 1", "", Sort::not_negative},
             {"pull", "30 N", "force that pulls the closed door back", "N"}},
            make_latch};
}

}  // namespace pawl::generating
