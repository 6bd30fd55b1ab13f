// Free polygons that fall into a bin and come to rest on each other without restitution: sides that
// land while corners pass their ends, corners that meet corners on the floor, sets of contacts that
// come back on other elements. Every run ends, and its audit passes.
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/sound_run.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// A regular polygon of 30 mm around its centre that starts at x and is thrown.
struct Thrown {
    int sides;
    double x, angle, speed, omega;  // mm, rad, m/s, rad/s
};

std::string outline(int sides) {
    const auto corner = [&](int k) {
        const double angle = 2 * std::numbers::pi * k / sides;
        return fmt::format("[{:.6f}, {:.6f}]", 30 * std::cos(angle), 30 * std::sin(angle));
    };
    std::string out = "{ type = \"line\", from = " + corner(-1) + ", to = " + corner(0) + " }";
    for (int k = 1; k < sides; ++k) out += ", { type = \"line\", to = " + corner(k) + " }";
    return out;
}

std::string contact(const std::string& name, const std::string& a, const std::string& b) {
    return fmt::format("[contact.{}]\na = \"{}\"\nb = \"{}\"\nrestitution = 0\n", name, a, b);
}

// A bin of 200 mm, the polygons one above the other in it, every pair in contact.
std::string heap(const std::vector<Thrown>& thrown) {
    std::string text = R"(format = 1
[units]
length = "mm"
[force.weight]
type = "gravity"
[profile.bin]
body = "ground"
elements = [{ type = "line", from = [200, 600], to = [200, 0] }, { type = "line", to = [0, 0] }, { type = "line", to = [0, 600] }]
)";
    for (std::size_t i = 0; i < thrown.size(); ++i) {
        const Thrown& p = thrown[i];
        text += fmt::format(R"([body.b{0}]
position = [{1}, {2}]
angle = {3}
velocity = ["{4} m/s", 0]
omega = {5}
mass = "0.1 kg"
inertia = "4e-5 kg m^2"
[profile.p{0}]
body = "b{0}"
elements = [{6}]
)",
                            i, p.x, 60 + 90 * i, p.angle, p.speed, p.omega, outline(p.sides));
        text += contact(fmt::format("F{}", i), "bin", fmt::format("p{}", i));
    }
    for (std::size_t i = 0; i < thrown.size(); ++i)
        for (std::size_t j = i + 1; j < thrown.size(); ++j)
            text +=
                contact(fmt::format("C{}{}", i, j), fmt::format("p{}", i), fmt::format("p{}", j));
    return text;
}

void expect_sound(const std::vector<Thrown>& thrown) { test::run_soundly(heap(thrown), 2, 0.01); }

TEST(Heap, two_polygons_slide_corner_to_corner) {
    expect_sound({{3, 136.483, 5.9524, -0.443, -4.151}, {5, 118.878, 4.2059, -0.192, 1.059}});
}

TEST(Heap, two_polygons_come_to_rest) {
    expect_sound({{3, 78.884, 0.6479, -0.104, -3.45}, {3, 61.585, 3.4502, -0.211, 4.9}});
}

TEST(Heap, three_polygons_come_to_rest) {
    expect_sound({{3, 136.483, 5.9524, -0.443, -4.151},
                  {5, 118.878, 4.2059, -0.192, 1.059},
                  {5, 62.859, 4.2782, 0.5, 1.385}});
}

// Bodies that come to lie beside a wall and each other without being pressed: what impacts leave of
// their approach is less than counts as one, and would lead deeper and deeper; or, where sides lie
// flat, be looked at without end.
TEST(Heap, bodies_that_creep_towards_each_other_stay_out) {
    const std::string
        square =
            R"({ type = "line", from = [-0.1, -0.1], to = [0.1, -0.1] }, { type = "line", to = [0.1, 0.1] }, { type = "line", to = [-0.1, 0.1] }, { type = "line", to = [-0.1, -0.1] })",
        dee =
            R"({ type = "arc", centre = [0, 0], radius = 0.1, from = "-90 deg", to = "90 deg" }, { type = "line", to = [0, -0.1] })",
        circle = R"({ type = "circle", radius = 0.1 })";
    struct Dropped {
        std::string outline;
        double x, angle, omega;
    };
    const std::vector<Dropped> dropped{{circle, -0.1029, 1.435, 2.445},
                                       {square, 0.0784, 4.157, 0.991},
                                       {dee, 0.2874, 2.817, 2.038},
                                       {square, 0.1186, 5.145, -0.377}};
    std::string text = R"(format = 1
force.weight = { type = "gravity" }
profile.box = { body = "ground", elements = [{ type = "line", from = [0.5, 1.6], to = [0.5, 0] }, { type = "line", to = [-0.5, 0] }, { type = "line", to = [-0.5, 1.6] }] }
)";
    for (std::size_t i = 0; i < dropped.size(); ++i) {
        const Dropped& d = dropped[i];
        text += fmt::format(
            "body.b{0} = {{ position = [{1}, {2}], angle = {3}, omega = {4}, mass = 1, inertia = "
            "0.004 }}\nprofile.p{0} = {{ body = \"b{0}\", elements = [{5}] }}\n",
            i, d.x, 0.2 + 0.32 * static_cast<double>(i), d.angle, d.omega, d.outline);
        for (std::size_t k = 0; k <= i; ++k)
            text += fmt::format(
                "contact.C{0}{1} = {{ a = \"{2}\", b = \"p{0}\", restitution = 0, impact = "
                "\"poisson\" }}\n",
                i, k, k == i ? "box" : fmt::format("p{}", k));
    }
    test::run_soundly(text, 1.5, 0.01, true);
}

// Each block stands on the floor and touches a wall that nothing presses it against: the floor
// carries it, the wall is left alone.
TEST(Heap, blocks_that_touch_walls_without_pressing_stand_still) {
    const std::string square =
        "elements = [{ type = \"line\", from = [-0.1, -0.1], to = [0.1, -0.1] }, { type = "
        "\"line\", "
        "to = [0.1, 0.1] }, { type = \"line\", to = [-0.1, 0.1] }, { type = \"line\", to = [-0.1, "
        "-0.1] }]";
    const DynamicResult r = test::run_soundly(
        "format = 1\n"
        "body.A = { position = [-0.4, 0.1], mass = 1, inertia = 0.01 }\n"
        "body.B = { position = [0.4, 0.1], mass = 1, inertia = 0.01 }\n"
        "profile.a = { body = \"A\", " +
            square + " }\nprofile.b = { body = \"B\", " + square +
            " }\nprofile.bin = { body = \"ground\", elements = [{ type = \"line\", from = [0.5, "
            "1], "
            "to = [0.5, 0] }, { type = \"line\", to = [-0.5, 0] }, { type = \"line\", to = [-0.5, "
            "1] "
            "}] }\ncontact.F = { a = \"bin\", b = \"a\" }\ncontact.G = { a = \"bin\", b = \"b\" }\n"
            "force.weight = { type = \"gravity\" }\n",
        0.5, 0.05);
    EXPECT_EQ(r.events.size(), 4U) << "two corners of each on the floor";
    for (const Event& e : r.events) EXPECT_EQ(e.kind, EventKind::contact_formed);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
