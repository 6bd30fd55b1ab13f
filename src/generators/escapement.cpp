// Graham's deadbeat escapement with a pendulum.
#include <cmath>

#include <fmt/format.h>

#include "generators/numbers.h"

namespace pawl::generating {

namespace {

constexpr const char* escapement_text =
    R"toml(# Deadbeat (Graham) escapement: an escape wheel of @teeth teeth, driven by a constant torque, and an anchor with a pendulum. The tips of
# the teeth rest on the pallets' circles about the anchor's centre (deadbeat: no torque on the pendulum), then slide down the sloping
# ends and push the pendulum; then the wheel drops onto the other pallet.
# Look at: anchor.angle, wheel.angle, entry#1.normal, exit#1.normal.
format = 1
name = "Deadbeat escapement"

[units]
length = "mm"
angle = "deg"

[parameters]
drive = "@drive"                    # torque on the escape wheel, clockwise
R = "@radius"                       # tips of the teeth
p = "360 deg/@teeth"                # from tooth to tooth
half = "p*(@span + 0.5)/2"          # the pallets embrace @span teeth and a half
C = "R/cos(half)"                   # from the wheel's centre to the anchor's: the lines from there to the pallets touch the wheel's circle
thick = "R*(p/2 - @drop)/(1 rad)"   # thickness of the pallets: half a tooth less the drop
r1 = "R*tan(half) - thick/2"        # they lie between two circles about the anchor's centre
r2 = "R*tan(half) + thick/2"
before = "(@lift - @lock)/2"        # the push begins so far before the middle
behind = "(@lift + @lock)/2"        # and ends so far behind it
A = "@amplitude"                    # of the pendulum, with which it starts
T = "@period"
L = "9.81 m/s^2*(T/(2*pi))^2"       # length of the pendulum
bob = "@bob"
e = @restitution

[body.ground]
points = { A = [0, "C"] }

[body.wheel]                        # a tooth is half of the drop before the entry pallet
angle = "180 deg - asin((R^2 + C^2 - r2^2)/(2*R*C)) + @drop/2"
mass = "@wheel_mass"
inertia = "@wheel_mass*R^2/12"

[body.anchor]                       # with the pendulum
position = [0, "C"]
angle = "A"
mass = "bob"
inertia = "bob*(L/100)^2"
centre = [0, "-L"]

[profile.wheel]                     # one tooth: front, back, bottom
body = "wheel"
elements = [
    { type = "line", from = ["0.84*R*cos(0.158*p)", "0.84*R*sin(0.158*p)"], to = ["R", 0] },
    { type = "line", to = ["0.84*R*cos(0.54*p)", "0.84*R*sin(0.54*p)"] },
    { type = "line", to = ["0.84*R*cos(1.158*p)", "0.84*R*sin(1.158*p)"] },
]
pattern = { count = @teeth }

[profile.entry]                     # left pallet: locks on its outer circle
body = "anchor"
elements = [
    { type = "arc", centre = [0, 0], radius = "r2", from = "160 deg + half", to = "180 deg + half - before" },
    { type = "line", to = ["r1*cos(180 deg + half + behind)", "r1*sin(180 deg + half + behind)"] },
    { type = "arc", centre = [0, 0], radius = "r1", from = "180 deg + half + behind", to = "160 deg + half" },
    { type = "line", to = ["r2*cos(160 deg + half)", "r2*sin(160 deg + half)"] },
]

[profile.exit]                      # right pallet: locks on its inner circle
body = "anchor"
elements = [
    { type = "arc", centre = [0, 0], radius = "r2", from = "360 deg - half - behind", to = "380 deg - half" },
    { type = "line", to = ["r1*cos(380 deg - half)", "r1*sin(380 deg - half)"] },
    { type = "arc", centre = [0, 0], radius = "r1", from = "380 deg - half", to = "360 deg - half + before" },
    { type = "line", to = ["r2*cos(360 deg - half - behind)", "r2*sin(360 deg - half - behind)"] },
]

[contact.entry]
a = "wheel"
b = "entry"
restitution = "e"

[contact.exit]
a = "wheel"
b = "exit"
restitution = "e"

[joint.O]
type = "revolute"
a = "ground"
b = "wheel"

[joint.A]
type = "revolute"
a = "ground.A"
b = "anchor"

[force.weight]
type = "gravity"

[force.drive]
type = "torque"
body = "wheel"
value = "-drive"

[force.air]                         # takes in a period what two pushes give: drive*(p - 2 drop) = pi*damping*(2 pi/T)*A^2
type = "joint_spring"
joint = "A"
damping = "drive*(p - 2*@drop)*T/(2*(pi*A)^2)*(1 rad)"

[run]
analysis = "dynamics"
end = "10*T"
step = "T/50"
)toml";

std::string deg(double x) { return shown(x, "deg"); }

// The angles of anchor and wheel, in rad.
struct Angles {
    double p = 0, half = 0, lock = 0, lift = 0, drop = 0, amplitude = 0;
    [[nodiscard]] double before() const { return (lift - lock) / 2; }
    [[nodiscard]] double behind() const { return (lift + lock) / 2; }
};

void check_action(const Angles& g, Draft& draft) {
    draft.require(
        g.lock > 0.05 * pi / 180,
        fmt::format("the escapement cannot lock: with a lock of {} the tooth falls on the "
                    "sloping end of the pallet instead of its circle; take 0.05 deg or "
                    "more",
                    deg(g.lock)));
    draft.require(g.lift > g.lock, fmt::format("the lift, {}, must be more than the lock, {}: the "
                                               "push has to begin before the middle",
                                               deg(g.lift), deg(g.lock)));
    draft.require(g.drop > 0.02 * g.p && g.drop < 0.3 * g.p,
                  fmt::format("a drop of {} at {} from tooth to tooth: take {} to {}, so that the "
                              "tooth clears the pallet and enough remains for the push",
                              deg(g.drop), deg(g.p), deg(0.02 * g.p), deg(0.3 * g.p)));
    draft.require(
        g.half > 20 * pi / 180 && g.half < 60 * pi / 180,
        fmt::format("the pallets stand at {} from the line of centres; they need 20 to 60 "
                    "deg: take another span",
                    deg(g.half)));
    draft.require(g.amplitude > g.behind() + 0.1 * pi / 180,
                  fmt::format("the pendulum swings by {} but releases a tooth only beyond {}: the "
                              "clock would stop; take a larger amplitude",
                              deg(g.amplitude), deg(g.behind())));
}

void check_room(const Angles& g, double radius, Draft& draft) {
    // How deep the pallets dip into the wheel, and whether they fit between two teeth there: the
    // back of the tooth before, the pallet seen from the wheel's centre, and the bend of its
    // circle.
    const double arm = std::tan(g.half), depth = arm * (g.amplitude + g.behind());  // of the radius
    const std::string dip = shown(depth * radius, "mm");
    draft.require(depth < 0.14,
                  fmt::format("the pallets dip {} into the wheel, whose teeth are {} high: take a "
                              "smaller amplitude or pallets over fewer teeth",
                              dip, shown(0.16 * radius, "mm")));
    const double taken =
        0.54 * g.p * depth / 0.16 + (g.p / 2 - g.drop) / (1 - depth) + depth * depth / (2 * arm);
    draft.require(taken < 0.93 * g.p,
                  fmt::format("the pallets do not fit between the teeth where they dip {} into the "
                              "wheel: take a smaller amplitude, more drop or fewer teeth",
                              dip));
    // While one tooth is locked, the other pallet dips by the lock into the gap behind the tooth
    // that has left it, along the slope of that tooth's back.
    const double room = 1.1 * 0.54 * g.p / 0.16 * arm * g.lock;
    draft.require(g.drop > room,
                  fmt::format("the pallet runs into the back of the tooth that has just left it: a "
                              "lock of {} needs a drop of at least {}",
                              deg(g.lock), deg(room)));
}

void add_facts(const Angles& g, const Numbers& n, Draft& draft) {
    const double t = n["period"], a = g.amplitude, length = 9.81 * std::pow(t / (2 * pi), 2);
    const double weight = n["bob"] * 9.81 * length, work = n["drive"] * (g.p - 2 * g.drop);
    // Airy: a push from before the middle to behind it changes the period.
    const double airy =
        work / (2 * g.lift) *
        (std::sqrt(1 - std::pow(g.before() / a, 2)) - std::sqrt(1 - std::pow(g.behind() / a, 2))) /
        (pi * weight * a);
    draft.facts.push_back(
        fmt::format("lock {}, push over {} of the anchor and {} of the wheel, drop {}", deg(g.lock),
                    deg(g.lift), deg(g.p / 2 - g.drop), deg(g.drop)));
    draft.facts.push_back(
        fmt::format("period {:.7g} s: T (1 + A^2/16) and {:.3g} of it due to the late push (Airy); "
                    "quality of the pendulum {:.4g}",
                    t * (1 + a * a / 16) * (1 + airy), airy, pi * weight * a * a / work));
}

void make_escapement(Numbers& n, Draft& draft) {
    const int teeth = n.count("teeth");
    draft.require(teeth >= 8 && teeth <= 120,
                  fmt::format("an escape wheel of {} teeth: take 8 to 120", teeth));
    draft.require(n["restitution"] < 1, "restitution must be less than 1");
    if (draft.refused()) return;
    Angles g;
    g.p = 2 * pi / teeth;
    g.half = g.p * (n.count("span") + 0.5) / 2;
    g.lock = n["lock"];
    g.lift = n["lift"];
    g.drop = n["drop"];
    g.amplitude = n["amplitude"];
    check_action(g, draft);
    if (draft.refused()) return;
    check_room(g, n["radius"], draft);
    // The wheel has to follow the anchor: half a tooth from rest within the time of a push.
    const double inertia = n["wheel_mass"] * std::pow(n["radius"], 2) / 12;
    const double follow = std::sqrt(g.p * inertia / n["drive"]);
    const double push = g.lift * n["period"] / (2 * pi * g.amplitude);
    draft.require(follow < 0.8 * push,
                  fmt::format("the wheel is too slow: it needs {} for half a tooth, and the push "
                              "lasts {}; take a lighter or smaller wheel, or a stronger drive",
                              shown(follow, "ms"), shown(push, "ms")));
    if (draft.refused()) return;
    add_facts(g, n, draft);
    draft.text = filled(escapement_text, n);
}

}  // namespace

Generator escapement() {
    return {
        "escapement",
        "deadbeat (Graham) escapement with a pendulum",
        {{"teeth", "30", "teeth of the escape wheel", "", Sort::count},
         {"span", "7", "whole teeth between the pallets; half a tooth is added", "", Sort::count},
         {"radius", "50 mm", "radius of the tips of the teeth", "mm"},
         {"lock", "0.75 deg", "how deep a tooth locks, as an angle of the anchor", "deg",
          Sort::number},
         {"lift", "2.25 deg", "angle of the anchor over which a tooth pushes", "deg"},
         {"drop", "1 deg", "free angle of the wheel between two pallets", "deg"},
         {"amplitude", "3.8 deg", "amplitude of the pendulum", "deg"},
         {"period", "1 s", "period of the pendulum for small angles", "s"},
         {"drive", "1e-3 N m", "torque on the escape wheel", "N m"},
         {"bob", "0.5 kg", "mass of the pendulum", "kg"},
         {"wheel_mass", "0.01 kg", "mass of the escape wheel", "kg"},
         {"restitution", "0.1", "coefficient of restitution, from 0 to 1", "", Sort::not_negative}},
        make_escapement};
}

}  // namespace pawl::generating
