// A flat side pressed on a curve with an inflection: beyond the tangent there no point of it has
// the normal of the side. What is pressed in stays supported, by the next point that is.
#include <cmath>

#include <gtest/gtest.h>

#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

DynamicResult run(const std::string& text, double end) {
    DynamicOptions options;
    options.end = end;
    options.step = 0.02;
    DynamicResult r = run_dynamics(test::placed_of(text), options);
    EXPECT_EQ(r.status, DynamicStatus::completed) << r.message;
    for (const AuditCheck& check : r.audit.checks)
        EXPECT_TRUE(check.passed()) << check.name << " " << check.value() << " > " << check.limit;
    return r;
}

std::string box(double x, double y) {
    const auto at = [](double a, double b) {
        return "[" + std::to_string(a) + ", " + std::to_string(b) + "]";
    };
    return "profile.b = { body = \"b\", elements = [{ type = \"line\", from = " + at(-x, -y) +
           ", to = " + at(x, -y) + " }, { type = \"line\", to = " + at(x, y) +
           " }, { type = \"line\", to = " + at(-x, y) +
           " }, { type = \"line\", to = " + at(-x, -y) + " }] }\n";
}

// A plate slides from the crest of 50 mm (cos 3x - 1) over the inflection. The stiffer the contact,
// the nearer it is to the rigid one: it sinks by m g/K = 0.1 mm.
TEST(CompliantInflection, a_plate_slides_over_it_as_on_a_rigid_curve) {
    const std::string plate =
        "format = 1\nbody.b = { position = [0, 0.02], mass = 1, inertia = 0.02, velocity = [1, 0] "
        "}\n" +
        box(0.1, 0.02) +
        "profile.f = { body = \"ground\", elements = [{ type = \"formula\", y = "
        "\"0.05*(cos(3*x)-1)\", from = 3, to = -3 }] }\nforce.w = { type = \"gravity\" }\n"
        "contact.C = { a = \"f\", b = \"b\", ";
    const DynamicResult rigid = run(plate + "restitution = 0 }\n", 1),
                        soft = run(plate +
                                       "law = \"kelvin_voigt\", stiffness = 1e5, damping = 200 "
                                       "}\n",
                                   1);
    for (const char* column : {"b.x", "b.y", "b.angle"})
        EXPECT_NEAR(test::value(soft.trajectory, soft.trajectory.rows() - 1, column),
                    test::value(rigid.trajectory, rigid.trajectory.rows() - 1, column), 5e-3)
            << column;
}

// A triangle falls on its corner beside an inflection of 0.15 cos 3x - 0.2 and turns on: its side
// takes over from the corner.
TEST(CompliantInflection, a_corner_hands_over_to_the_side_beside_it) {
    const DynamicResult r = run(
        "format = 1\nbody.b = { position = [0.4654901181108362, 0.8], angle = "
        "-0.3352439022225022, mass = 1, inertia = 0.007334986192505656, omega = "
        "3.4504265216734744 }\nprofile.b = { body = \"b\", elements = [{ type = \"line\", from = "
        "[0.13541589818505115, 0], to = [-0.06770794909252555, 0.11727360790454136] }, { type = "
        "\"line\", to = [-0.06770794909252563, -0.11727360790454132] }, { type = \"line\", to = "
        "[0.13541589818505115, -3.3167329253197354e-17] }] }\nprofile.f = { body = \"ground\", "
        "elements = [{ type = \"formula\", y = \"0.15*cos(3*x)-0.2\", from = 4, to = -4 }] }\n"
        "force.w = { type = \"gravity\", acceleration = [0, -9.81] }\ncontact.C = { a = \"f\", b = "
        "\"b\", law = \"kelvin_voigt\", stiffness = 1e6, friction = { kinetic = 0.3, stribeck = "
        "0.1 } }\n",
        1);
    int lost = 0;
    for (const Event& e : r.events) lost += e.kind == EventKind::contact_lost ? 1 : 0;
    EXPECT_EQ(lost, 2);
    EXPECT_EQ(r.events.back().from, "formula 1 on line 2");
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
