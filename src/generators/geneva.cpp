// Geneva drive with external slots, from its textbook numbers.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "generators/numbers.h"

namespace pawl::generating {

namespace {

constexpr const char* geneva_text =
    R"toml(# Geneva drive with @slots slots. The crank's pin enters a slot along its line, turns the wheel by @index and leaves; in between
# the locking disc holds the wheel by one of its hollows, with some play. A small load keeps the wheel leaning on the lock.
# Look at: wheel.angle, wheel.alpha, pin#1.normal, lock#1.normal, events.csv.
format = 1
name = "Geneva drive with @slots slots"

[units]
length = "mm"
angle = "deg"

[parameters]
speed = "@speed"                    # of the crank
load = "@load"                      # torque on the wheel, against its motion
C = "@centres"                      # distance of the centres
h = "180 deg/@slots"                # half the angle between two slots
a = "C*sin(h)"                      # crank; so the pin enters along the slot
b = "C*cos(h)"                      # distance of the slots' mouths from the wheel's centre
rp = "@pin"                         # radius of the pin
hw = "rp + @clearance"              # half width of the slots
rl = "@lock"                        # radius of the locking disc
play = "@play"                      # between the disc and the hollows
rb = "C - a - rp - @bottom"         # bottom of the slots, below the deepest place of the pin
g = "90 deg - h"                    # the crank turns the wheel from -g to g
xc = "@crescent"                    # centre of the crescent that lets the wheel pass; it ends at -g and g on the disc
rc = "hypot(xc - rl*cos(g), rl*sin(g))"
beta = "atan2(rl*sin(g), xc - rl*cos(g))"

[body.ground]
points = { W = ["C", 0] }

[body.crank]
angle = "180 deg"
mass = "@crank_mass"
inertia = "@crank_mass*rl^2/2"

[body.wheel]                        # a hollow faces the crank
position = ["C", 0]
angle = "180 deg"
mass = "@wheel_mass"
inertia = "@wheel_mass*b^2/3"

[profile.pin]
body = "crank"
elements = [{ type = "circle", centre = ["a", 0], radius = "rp" }]

[profile.disk]                      # the locking disc with its crescent
body = "crank"
elements = [
    { type = "arc", centre = [0, 0], radius = "rl", from = "g", to = "360 deg - g" },
    { type = "arc", centre = ["xc", 0], radius = "rc", from = "180 deg + beta", to = "180 deg - beta" },
]

[profile.wheel]                     # one part: flank, land, hollow for the disc, land, flank, bottom of the next slot
body = "wheel"
elements = [
    { type = "line", from = ["rb*cos(h) + hw*sin(h)", "-rb*sin(h) + hw*cos(h)"], to = ["b*cos(h) + hw*sin(h)", "-b*sin(h) + hw*cos(h)"] },
    { type = "line", to = ["C - (rl + play)*cos(g)", "-(rl + play)*sin(g)"] },
    { type = "arc", centre = ["C", 0], radius = "rl + play", from = "180 deg + g", to = "180 deg - g" },
    { type = "line", to = ["b*cos(h) + hw*sin(h)", "b*sin(h) - hw*cos(h)"] },
    { type = "line", to = ["rb*cos(h) + hw*sin(h)", "rb*sin(h) - hw*cos(h)"] },
    { type = "line", to = ["rb*cos(h) - hw*sin(h)", "rb*sin(h) + hw*cos(h)"] },
]
pattern = { count = @slots }

[contact.pin]
a = "wheel"
b = "pin"

[contact.lock]
a = "wheel"
b = "disk"

[joint.O]
type = "revolute"
a = "ground"
b = "crank"

[joint.W]
type = "revolute"
a = "ground.W"
b = "wheel"

[driver.motor]
type = "speed"
joint = "O"
speed = "speed"

[force.drag]
type = "joint_spring"
joint = "W"
damping = "load/(10*speed)"

[force.load]                        # turns against the motion and holds the wheel against the lock
type = "torque"
body = "wheel"
value = "load"

[run]
analysis = "dynamics"
end = "360 deg*2/speed"             # two turns
step = "2 deg/speed"
)toml";

struct Shape {
    int slots = 0;
    double c = 0, h = 0, a = 0, b = 0, pin = 0, half_width = 0, lock = 0, play = 0, bottom = 0;
    [[nodiscard]] double half_index() const { return pi / 2 - h; }
};

// The smallest distance between the disc (with a crescent about xc) and the wheel's outline while
// the pin is in its slot. In crank axes; points of the wheel that lie on the crescent's side of the
// disc's ends must be inside the crescent's circle.
double crescent_clearance(const Shape& s, double xc) {
    const double g = s.half_index(), ex = s.lock * std::cos(g), ey = s.lock * std::sin(g);
    const double rc = std::hypot(xc - ex, ey);
    double least = s.c;
    constexpr int steps = 90, along = 24;
    for (int i = 1; i < steps; ++i) {
        const double phi = g * (2.0 * i / steps - 1);
        // The slot points at the pin: the wheel has turned by delta.
        const double delta = std::atan2(s.a * std::sin(phi), s.c - s.a * std::cos(phi));
        const auto look_at = [&](double x, double y) {  // in axes along the driven slot
            const double wx = s.c - (x * std::cos(delta) + y * std::sin(delta)),
                         wy = -(-x * std::sin(delta) + y * std::cos(delta));
            const double px = std::cos(phi) * wx + std::sin(phi) * wy,
                         py = -std::sin(phi) * wx + std::cos(phi) * wy;
            const double outside_disc = std::hypot(px, py) - s.lock;
            least = std::min(least, std::max(outside_disc, rc - std::hypot(px - xc, py)));
        };
        // The two lobes beside the driven slot: its flanks' mouths and their hollows.
        for (const double side : {-1.0, 1.0}) {
            look_at(s.b, side * s.half_width);
            for (int k = 0; k <= along; ++k) {
                const double w = pi - g + 2 * g * k / along, lobe = side * s.h;
                const double x = s.c + (s.lock + s.play) * std::cos(w),
                             y = (s.lock + s.play) * std::sin(w);
                look_at(x * std::cos(lobe) - y * std::sin(lobe),
                        x * std::sin(lobe) + y * std::cos(lobe));
            }
        }
    }
    return least;
}

// The centre of the crescent that leaves the most room, and this room.
std::pair<double, double> best_crescent(const Shape& s) {
    std::pair<double, double> best{s.c, -s.c};
    constexpr int steps = 200;
    for (int i = 1; i <= steps; ++i) {
        const double xc = s.lock * std::cos(s.half_index()) + 1.2 * s.c * i / steps;
        const double room = crescent_clearance(s, xc);
        if (room > best.second) best = {xc, room};
    }
    return best;
}

void check(const Shape& s, Draft& draft) {
    const auto mm = [](double x) { return shown(x, "mm"); };
    draft.require(s.bottom > s.half_width / std::tan(s.h),
                  fmt::format("the slots run into each other at the wheel's centre: the pin comes "
                              "as near as {} to it, and the slots are {} wide; take a smaller pin "
                              "or more distance between the centres",
                              mm(s.c - s.a - s.pin), mm(2 * s.half_width)));
    draft.require(s.lock + s.play < s.a - s.half_width,
                  fmt::format("the locking disc, {}, leaves no land between hollow and slot: it "
                              "must be smaller than the crank minus the slot, {}",
                              mm(s.lock), mm(s.a - s.half_width - s.play)));
    draft.require(s.lock > 0.2 * s.a, fmt::format("a locking disc of {} is too small: at least a "
                                                  "fifth of the crank, {}",
                                                  mm(s.lock), mm(0.2 * s.a)));
}

void make_geneva(Numbers& n, Draft& draft) {
    Shape s;
    s.slots = n.count("slots");
    draft.require(s.slots >= 3,
                  fmt::format("a Geneva wheel needs at least 3 slots: with {} the crank, C sin(180 "
                              "deg/slots), would be as long as the distance of the centres and the "
                              "pin could not leave its slot",
                              s.slots));
    draft.require(s.slots <= 30, "more than 30 slots leave no room for the lands between them");
    if (draft.refused()) return;
    s.c = n["centres"];
    s.h = pi / s.slots;
    s.a = s.c * std::sin(s.h);
    s.b = s.c * std::cos(s.h);
    // A pin that leaves room at the wheel's centre and between the slots' mouths.
    const double room = (s.c - s.a) / (1.4 + 1 / std::tan(s.h));
    n.settle("pin", std::min({0.08 * s.c, 0.8 * room, 0.25 * s.a}));
    s.pin = n["pin"];
    s.half_width = s.pin + n["clearance"];
    s.play = n["play"];
    n.settle("lock", 0.9 * (s.a - s.half_width - s.play));
    s.lock = n["lock"];
    n.settle("bottom", std::min(0.2 * s.pin, 0.1 * (s.c - s.a)));
    s.bottom = s.c - s.a - s.pin - n["bottom"];
    check(s, draft);
    if (draft.refused()) return;
    const auto [crescent, clearance] = best_crescent(s);
    draft.require(
        clearance > 0.5 * s.play,
        "no crescent in the locking disc lets the wheel pass: take a smaller locking disc");
    if (draft.refused()) return;
    // Largest acceleration of the wheel: with m = a/C, at cos(phi) = -k + sqrt(k^2 + 2), k = (1 +
    // m^2)/(4 m): m (1 - m^2) sin(phi)/(1 + m^2 - 2 m cos(phi))^2 times speed^2.
    const double m = s.a / s.c, k = (1 + m * m) / (4 * m), cosine = -k + std::sqrt(k * k + 2);
    const double largest =
        m * (1 - m * m) * std::sqrt(1 - cosine * cosine) / std::pow(1 + m * m - 2 * m * cosine, 2);
    draft.facts.push_back(
        fmt::format("the wheel moves during {:.4g} of each turn; largest speed "
                    "{:.4g} of the crank's, largest acceleration {:.4g} speed^2 at crank "
                    "angles -+{}",
                    0.5 - 1.0 / s.slots, m / (1 - m), largest, shown(std::acos(cosine), "deg")));
    draft.text = filled(geneva_text, n,
                        {{"index", shown(2 * s.h, "deg")}, {"crescent", exact(crescent, "mm")}});
}

}  // namespace

Generator geneva() {
    return {"geneva",
            "Geneva drive: slotted wheel, pin and locking disc",
            {{"slots", "4", "number of slots, from 3 on", "", Sort::count},
             {"centres", "100 mm", "distance of crank and wheel", "mm"},
             {"pin", "", "radius of the pin", "mm"},
             {"clearance", "0.02 mm", "of the pin in its slot, at each side", "mm"},
             {"lock", "", "radius of the locking disc", "mm"},
             {"play", "0.05 mm", "between the locking disc and the hollows", "mm"},
             {"bottom", "", "room between the pin and the bottom of its slot", "mm"},
             {"speed", "60 rpm", "speed of the crank", "rpm"},
             {"load", "0.02 N m", "torque against the motion of the wheel", "N m"},
             {"crank_mass", "1 kg", "mass of the crank with its disc", "kg"},
             {"wheel_mass", "0.8 kg", "mass of the wheel", "kg"}},
            make_geneva};
}

}  // namespace pawl::generating
