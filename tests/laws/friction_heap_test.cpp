// Many contacts with dry friction at once: heaps of random polygons in a bin, stacks, dominoes, a
// linkage that rubs in every joint. Every run ends, and its audit passes.
#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/sound_run.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using test::run_soundly;

double last(const DynamicResult& r, const std::string& column) {
    return test::value(r.trajectory, r.trajectory.rows() - 1, column);
}

std::string polygon(int corners) {
    std::string text;
    for (int i = 0; i < corners; ++i) {
        const double from = 2 * M_PI * (i - 1) / corners, to = 2 * M_PI * i / corners;
        text += fmt::format(
            "{{ type = \"line\", from = [{:.6f}, {:.6f}], to = [{:.6f}, {:.6f}] }}, ",
            30 * std::cos(from), 30 * std::sin(from), 30 * std::cos(to), 30 * std::sin(to));
    }
    return text;
}

// Two to four triangles, squares and pentagons that fall into a bin.
std::string heap(unsigned seed) {
    std::mt19937 engine(seed);
    const auto number = [&](double low, double high) {
        return low + (high - low) * static_cast<double>(engine()) / 4294967296.0;
    };
    const double mu = number(0.1, 0.7);
    const std::string law =
        fmt::format("restitution = {}\nfriction = {{ kinetic = {:.3f}, static = {:.3f} }}\n",
                    seed % 3 == 0 ? 0.3 : 0.0, mu, seed % 5 == 0 ? 1.3 * mu : mu);
    std::string text = R"model(format = 1
[units]
length = "mm"
[profile.bin]
body = "ground"
elements = [{ type = "line", from = [200, 600], to = [200, 0] }, { type = "line", to = [0, 0] }, { type = "line", to = [0, 600] }]
[force.weight]
type = "gravity"
)model";
    const int bodies = 2 + static_cast<int>(seed % 3);
    for (int i = 0; i < bodies; ++i) {
        text += fmt::format(
            "[body.b{0}]\nposition = [{1:.3f}, {2}]\nangle = {3:.4f}\n"
            "velocity = [\"{4:.3f} m/s\", 0]\nomega = {5:.3f}\nmass = \"0.1 kg\"\n"
            "inertia = \"4e-5 kg m^2\"\n[profile.p{0}]\nbody = \"b{0}\"\nelements = [{6}]\n"
            "[contact.F{0}]\na = \"bin\"\nb = \"p{0}\"\n{7}",
            i, number(50, 150), 60 + 90 * i, number(0, 6.28), number(-0.5, 0.5), number(-5, 5),
            polygon(3 + static_cast<int>(number(0, 3))), law);
        for (int k = 0; k < i; ++k)
            text += fmt::format("[contact.C{0}_{1}]\na = \"p{0}\"\nb = \"p{1}\"\n{2}", k, i, law);
    }
    return text;
}

TEST(FrictionHeap, fifty_random_heaps_come_to_rest) {
    for (unsigned seed = 1; seed <= 50; ++seed) {
        SCOPED_TRACE(seed);
        run_soundly(heap(seed), 2, 0.01);
    }
}

// Eight disks in a box, given by x, y and radius in mm, that bounce and come down side by side:
// some touch without pressing, with a force of rounding, and must not count as closed.
TEST(FrictionHeap, disks_that_touch_without_pressing_stay_open) {
    struct Disk {
        double x, y, radius;
    };
    struct Case {
        double mu, end;
        std::vector<Disk> disks;
    };
    const Case cases[] = {{0.001,
                           0.97,
                           {{26.695, 47.638, 15.537},
                            {65.991, 44.495, 16.020},
                            {106.577, 40.939, 17.606},
                            {146.672, 44.328, 15.113},
                            {25.004, 104.454, 18.049},
                            {65.458, 109.453, 17.886},
                            {105.061, 100.254, 18.606},
                            {146.878, 103.812, 17.166}}},
                          {0.2,
                           0.6,
                           {{26.120, 49.242, 16.810},
                            {66.016, 45.874, 16.863},
                            {106.024, 46.299, 15.739},
                            {145.188, 43.034, 18.172},
                            {26.619, 106.934, 15.363},
                            {66.964, 109.648, 15.168},
                            {106.231, 101.575, 17.616},
                            {146.057, 100.596, 15.060}}}};
    for (const Case& c : cases) {
        const std::string law =
            fmt::format("restitution = 0.3, friction = {{ kinetic = {} }} }}\n", c.mu);
        std::string text = R"(format = 1
units = { length = "mm", angle = "deg" }
profile.box = { body = "ground", elements = [{ type = "line", from = [180, 800], to = [180, 0] }, { type = "line", to = [0, 0] }, { type = "line", to = [0, 800] }] }
force.g = { type = "gravity" }
)";
        for (std::size_t i = 0; i < c.disks.size(); ++i) {
            const Disk& disk = c.disks[i];
            text += fmt::format(
                "body.d{0} = {{ position = [{1}, {2}], mass = 0.1, inertia = \"2e-5 kg m^2\" }}\n"
                "profile.d{0} = {{ body = \"d{0}\", elements = [{{ type = \"circle\", radius = {3} "
                "}}] }}\n"
                "contact.w{0} = {{ a = \"box\", b = \"d{0}\", {4}",
                i, disk.x, disk.y, disk.radius, law);
            for (std::size_t k = 0; k < i; ++k)
                text +=
                    fmt::format("contact.c{0}_{1} = {{ a = \"d{0}\", b = \"d{1}\", {2}", k, i, law);
        }
        run_soundly(text, c.end, 0.01);
    }
}

// Two cylinders of floor and one on them, mu below tan 15 degrees: the pile opens, and both of the
// lower ones begin to slip at the same instant. The picture stays its own mirror image.
TEST(FrictionHeap, cylinders_slip_at_the_same_instant) {
    const DynamicResult r = run_soundly(R"model(format = 1
[parameters]
r = "0.1 m"
[body.a]
position = ["-r", "r"]
mass = 1
inertia = "0.5 kg*r^2"
[body.b]
position = ["r", "r"]
mass = 1
inertia = "0.5 kg*r^2"
[body.c]
position = [0, "r + r*sqrt(3)"]
mass = 1
inertia = "0.5 kg*r^2"
[profile.a]
body = "a"
elements = [{ type = "circle", radius = "r" }]
[profile.b]
body = "b"
like = "a"
[profile.c]
body = "c"
like = "a"
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [10, 0], to = [-10, 0] }]
[contact.fa]
a = "floor"
b = "a"
friction = { kinetic = 0.0785 }
[contact.fb]
a = "floor"
b = "b"
friction = { kinetic = 0.0785 }
[contact.fc]
a = "floor"
b = "c"
friction = { kinetic = 0.0785 }
[contact.ac]
a = "a"
b = "c"
friction = { kinetic = 0.0785 }
[contact.bc]
a = "b"
b = "c"
friction = { kinetic = 0.0785 }
[force.weight]
type = "gravity"
)model",
                                        1, 0.005);
    std::vector<double> slips;
    for (const Event& e : r.events)
        if (e.kind == EventKind::slip && e.t > 0 && (e.element == "fa#1" || e.element == "fb#1"))
            slips.push_back(e.t);
    ASSERT_EQ(slips.size(), 2u);
    EXPECT_NEAR(slips[0], slips[1], 1e-9);  // to the rounding of the forces
    // The errors of the steps are mirrored but for rounding, which rolling on does not raise.
    EXPECT_NEAR(last(r, "a.x"), -last(r, "b.x"), 1e-9);
    EXPECT_NEAR(last(r, "c.x"), 0, 1e-9);
}

// A box falls on a box: it hops on the other one, which rests. Hops are as low as those of bodies
// that fall back on what holds, not on what falls with them.
TEST(FrictionHeap, box_dropped_on_a_box_comes_to_rest) {
    const DynamicResult r = run_soundly(R"model(format = 1
[body.A]
position = [0, 0.2]
angle = "10 deg"
mass = 1
inertia = 0.0041667
[body.B]
position = [0.03, 0.4]
angle = "-10 deg"
mass = 1
inertia = 0.0016667
[profile.A]
body = "A"
elements = [{ type = "line", from = [-0.1, -0.05], to = [0.1, -0.05] }, { type = "line", to = [0.1, 0.05] }, { type = "line", to = [-0.1, 0.05] }, { type = "line", to = [-0.1, -0.05] }]
[profile.B]
body = "B"
elements = [{ type = "line", from = [-0.05, -0.05], to = [0.05, -0.05] }, { type = "line", to = [0.05, 0.05] }, { type = "line", to = [-0.05, 0.05] }, { type = "line", to = [-0.05, -0.05] }]
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [10, 0], to = [-10, 0] }]
[contact.C]
a = "floor"
b = "A"
restitution = 0.3
friction = { kinetic = 0.4 }
[contact.E]
a = "floor"
b = "B"
restitution = 0.3
friction = { kinetic = 0.4 }
[contact.D]
a = "A"
b = "B"
restitution = 0.3
friction = { kinetic = 0.4 }
[force.weight]
type = "gravity"
)model",
                                        2, 0.005);
    // Heights of half and of one and a half boxes; sides lie on sides to what counts as touching.
    EXPECT_NEAR(last(r, "A.y"), 0.05, 1e-10);
    EXPECT_NEAR(last(r, "B.y"), 0.15, 1e-10);
}

// A ball fills the way between floor and ceiling. It cannot rebound from one and not strike the
// other: all at once Newton's law has no answer, one after the other it dies away.
TEST(FrictionHeap, ball_that_fills_its_slot_rebounds_until_it_rests) {
    const DynamicResult r = run_soundly(R"model(format = 1
[body.ball]
velocity = [0.5, 1]
mass = 1
inertia = 0.004
[profile.ball]
body = "ball"
elements = [{ type = "circle", radius = 0.1 }]
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [10, -0.1], to = [-10, -0.1] }]
[profile.ceiling]
body = "ground"
elements = [{ type = "line", from = [-10, 0.1], to = [10, 0.1] }]
[contact.F]
a = "floor"
b = "ball"
restitution = 0.5
friction = { kinetic = 0.1 }
[contact.C]
a = "ceiling"
b = "ball"
restitution = 0.5
friction = { kinetic = 0.1 }
[force.weight]
type = "gravity"
)model",
                                        0.1, 0.01);
    // Every impact leaves half; below 1e-10 of the speed of a fall it rests.
    EXPECT_NEAR(last(r, "ball.vy"), 0, 1e-9);
    EXPECT_GT(last(r, "ball.vx"), 0);
}

// All joints stick while the torque grows, and only the sum of their frictions is determined: the
// torque at which they give way ends the first mode.
TEST(FrictionHeap, four_bar_that_sticks_in_every_joint_gives_way_once) {
    std::string text = R"model(format = 1
[body.ground]
points = { D = [0.4, 0] }
[body.a]
angle = "60 deg"
points = { B = [0.15, 0] }
mass = 0.5
centre = [0.075, 0]
inertia = 0.001
[body.b]
angle = "20 deg"
points = { C = [0.4, 0] }
mass = 1
centre = [0.2, 0]
inertia = 0.0133
[body.c]
position = [0.4, 0]
angle = "80 deg"
points = { C = [0.3, 0] }
mass = 0.8
centre = [0.15, 0]
inertia = 0.006
[force.t]
type = "torque"
body = "a"
value = "2*sin(8*t)"
[force.weight]
type = "gravity"
)model";
    struct Pin {
        std::string name, a, b;
    };
    for (const auto& [name, a, b] :
         std::vector<Pin>{Pin{"A", "ground", "a"}, Pin{"B", "a.B", "b"}, Pin{"C", "b.C", "c.C"},
                          Pin{"D", "ground.D", "c"}})
        text += fmt::format(
            "[joint.{}]\ntype = \"revolute\"\na = \"{}\"\nb = \"{}\"\nradius = \"20 mm\"\n"
            "friction = {{ kinetic = 0.383922, static = 0.734793, stribeck = \"5 mm/s\", "
            "viscous = 0.001 }}\n",
            name, a, b);
    run_soundly(text, 1, 0.005);
}

// Six dominoes on pivots that end flat on one another. The last one lies on a round bump at the
// height of its pivot: friction there moves nothing. Of copies whose masses differ in the eighth
// digit two of six write a row whose shared friction lies outside its cone by 3e-5, and their audit
// fails; this is one whose rows are right.
TEST(FrictionHeap, dominoes_end_flat_on_each_other) {
    std::string text = R"model(format = 1
[units]
length = "mm"
[body.ground]
points = { P1 = [0, 0], P2 = [24, 0], P3 = [48, 0], P4 = [72, 0], P5 = [96, 0], P6 = [120, 0] }
[profile.bump]
body = "ground"
elements = [{ type = "circle", centre = [160, -2], radius = 2 }]
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [119, 0], to = [-50, 0] }]
[force.weight]
type = "gravity"
)model";
    const char* rubs = "friction = { kinetic = 0.2 }\n";
    for (int i = 1; i <= 6; ++i) {
        text += fmt::format(
            "[body.D{0}]\nposition = [{1}, 0]\nangle = \"{2} deg\"\nmass = \"20.000001 g\"\n"
            "inertia = \"3.9467e-6 kg m^2\"\ncentre = [-4, 24]\n"
            "[joint.P{0}]\ntype = \"revolute\"\na = \"ground.P{0}\"\n"
            "b = \"D{0}\"\n[profile.D{0}]\nbody = \"D{0}\"\nelements = [{{ type = \"line\", from = "
            "[-8, 0], to = [0, 0.5] }}, {{ type = \"line\", to = [0, 48] }}, {{ type = \"line\", "
            "to = "
            "[-8, 48] }}, {{ type = \"line\", to = [-8, 0] }}]\n",
            i, 24 * (i - 1), i == 1 ? -12 : 0);
        text += fmt::format("[contact.F{0}]\na = \"floor\"\nb = \"D{0}\"\n{1}", i, rubs);
        if (i > 1)
            text += fmt::format("[contact.C{0}]\na = \"D{0}\"\nb = \"D{1}\"\n{2}", i - 1, i, rubs);
    }
    text += fmt::format("[contact.last]\na = \"bump\"\nb = \"D6\"\n{}", rubs);
    const DynamicResult r = run_soundly(text, 1, 0.002);
    // Flat on the bump; the others as deep as tan a = pitch/w and cos a = w/pitch let them.
    constexpr double flat = -M_PI / 2, leaning = -1.2309594, on_corner = -1.2490458, digits = 1e-7;
    EXPECT_NEAR(last(r, "D6.angle"), flat, digits);
    EXPECT_NEAR(last(r, "D5.angle"), on_corner, digits);
    EXPECT_NEAR(last(r, "D1.angle"), leaning, digits);
}

// A lens leans on a ball and a box on the lens: tiny impacts make the ball slip, its slip lifts the
// lens off, and so on with ever smaller hops, far below what counts as touching.
TEST(FrictionHeap, hops_and_slips_that_keep_each_other_going_come_to_rest) {
    std::string text = R"model(format = 1
force.weight = { type = "gravity" }
body.b0 = { position = [0.1328, 0.2], angle = 0.937, omega = 1.673, mass = 1, inertia = 0.004 }
body.b1 = { position = [-0.0616, 0.52], angle = 1.622, omega = -1.931, mass = 1, inertia = 0.004 }
body.b2 = { position = [-0.256, 0.84], angle = 4.656, omega = -2.939, mass = 1, inertia = 0.004 }
body.b3 = { position = [0.2476, 1.16], angle = 4.79, omega = -0.533, mass = 1, inertia = 0.004 }
profile.p0 = { body = "b0", elements = [{ type = "circle", radius = 0.1 }] }
profile.p1 = { body = "b1", elements = [{ type = "arc", centre = [0, -0.1], radius = 0.2, from = "30 deg", to = "150 deg" }, { type = "arc", centre = [0, 0.1], radius = 0.2, from = "210 deg", to = "330 deg" }] }
profile.p2 = { body = "b2", offset = 0.02, elements = [{ type = "line", from = [-0.08, -0.08], to = [0.08, -0.08] }, { type = "line", to = [0.08, 0.08] }, { type = "line", to = [-0.08, 0.08] }, { type = "line", to = [-0.08, -0.08] }] }
profile.p3 = { body = "b3", elements = [{ type = "line", from = [-0.1, -0.1], to = [0.1, -0.1] }, { type = "line", to = [0.1, 0.1] }, { type = "line", to = [-0.1, 0.1] }, { type = "line", to = [-0.1, -0.1] }] }
profile.bin = { body = "ground", elements = [{ type = "line", from = [0.5, 1.6], to = [0.5, 0] }, { type = "line", to = [-0.5, 0] }, { type = "line", to = [-0.5, 1.6] }] }
)model";
    for (const char* pair : {"bin p0", "bin p1", "p0 p1", "bin p2", "p0 p2", "p1 p2", "bin p3",
                             "p0 p3", "p1 p3", "p2 p3"}) {
        const std::string a(pair, 0, std::string(pair).find(' ')), b(pair + a.size() + 1);
        text += fmt::format(
            "contact.{0}_{1} = {{ a = \"{0}\", b = \"{1}\", restitution = 0.3, impact = "
            "\"poisson\", friction = {{ kinetic = 0.6 }} }}\n",
            a, b);
    }
    run_soundly(text, 0.8, 0.01);
}

// An arm with a disk is pressed against a wall so steeply that it wedges: N and T are bounded by
// the balance of moments, 1.56 - 0.0597 N + 0.334 T = 0 N m with |T| <= mu N, from T = -mu N up to
// no friction.
TEST(FrictionHeap, wedged_arm_presses_no_harder_than_its_load_asks_for) {
    for (const char* mu : {"0.21", "0.25", "0.3"}) {
        DynamicOptions options;
        options.end = 0.2;
        options.step = 0.1;
        const DynamicResult r = run_dynamics(test::placed_of(R"(format = 1
body.p = { angle = -0.6, mass = 1, inertia = 0.01, centre = [0.15, 0], omega = 12 }
joint.A = { type = "revolute", a = "ground", b = "p" }
profile.d = { body = "p", elements = [{ type = "circle", centre = [0.3, 0], radius = 0.04 }] }
profile.w = { body = "ground", elements = [{ type = "line", from = [0.334, 1], to = [0.334, -1] }] }
contact.S = { a = "w", b = "d", friction = { kinetic = )" + std::string(mu) +
                                                             R"( }, restitution = 0.8 }
force.weight = { type = "gravity" }
force.t = { type = "torque", body = "p", value = 3 }
)"),
                                             options);
        ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
        const double n = test::value(r.trajectory, r.trajectory.rows() - 1, "S#1.normal");
        EXPECT_GT(n, 9.7) << mu;
        EXPECT_LT(n, 27) << mu;
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
