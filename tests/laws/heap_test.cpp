// Free polygons that fall into a bin and come to rest on each other without restitution: sides that
// land while corners pass their ends, corners that meet corners on the floor, sets of contacts that
// come back on other elements. Every run ends, and its audit passes.
#include <gtest/gtest.h>

#include "simulation/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace {

void expect_sound(const std::string& text) {
    DynamicOptions options;
    options.end = 2;
    options.step = 0.01;
    const DynamicResult r = run_dynamics(test::placed_of(text), options);
    EXPECT_EQ(r.status, DynamicStatus::completed) << r.message;
    for (const AuditCheck& check : r.audit.checks)
        EXPECT_TRUE(check.passed()) << check.name << ' ' << check.value << " > " << check.limit;
}

TEST(Heap, two_polygons_slide_corner_to_corner) {
    expect_sound(R"model(format = 1
name = "random"
[units]
length = "mm"
[profile.bin]
body = "ground"
elements = [{ type = "line", from = [200, 600], to = [200, 0] }, { type = "line", to = [0, 0] }, { type = "line", to = [0, 600] }]
[body.b0]
position = [136.483, 60.000]
angle = 5.9524
velocity = ["-0.443 m/s", 0]
omega = -4.151
mass = "0.1 kg"
inertia = "4e-5 kg m^2"
[profile.p0]
body = "b0"
elements = [{ type = "line", from = [-15.000000, -25.980762], to = [30.000000, 0.000000] }, { type = "line", to = [-15.000000, 25.980762] }, { type = "line", to = [-15.000000, -25.980762] }]
[contact.F0]
a = "bin"
b = "p0"
restitution = 0.0
[body.b1]
position = [118.878, 150.000]
angle = 4.2059
velocity = ["-0.192 m/s", 0]
omega = 1.059
mass = "0.1 kg"
inertia = "4e-5 kg m^2"
[profile.p1]
body = "b1"
elements = [{ type = "line", from = [9.270510, -28.531695], to = [30.000000, 0.000000] }, { type = "line", to = [9.270510, 28.531695] }, { type = "line", to = [-24.270510, 17.633558] }, { type = "line", to = [-24.270510, -17.633558] }, { type = "line", to = [9.270510, -28.531695] }]
[contact.F1]
a = "bin"
b = "p1"
restitution = 0.0
[contact.C01]
a = "p0"
b = "p1"
restitution = 0.0
[force.w]
type = "gravity"
[run]
analysis = "dynamics"
end = "2 s"
step = "10 ms"
)model");
}

TEST(Heap, two_polygons_come_to_rest) {
    expect_sound(R"model(format = 1
name = "random"
[units]
length = "mm"
[profile.bin]
body = "ground"
elements = [{ type = "line", from = [200, 600], to = [200, 0] }, { type = "line", to = [0, 0] }, { type = "line", to = [0, 600] }]
[body.b0]
position = [78.884, 60.000]
angle = 0.6479
velocity = ["-0.104 m/s", 0]
omega = -3.450
mass = "0.1 kg"
inertia = "4e-5 kg m^2"
[profile.p0]
body = "b0"
elements = [{ type = "line", from = [-15.000000, -25.980762], to = [30.000000, 0.000000] }, { type = "line", to = [-15.000000, 25.980762] }, { type = "line", to = [-15.000000, -25.980762] }]
[contact.F0]
a = "bin"
b = "p0"
restitution = 0.0
[body.b1]
position = [61.585, 150.000]
angle = 3.4502
velocity = ["-0.211 m/s", 0]
omega = 4.900
mass = "0.1 kg"
inertia = "4e-5 kg m^2"
[profile.p1]
body = "b1"
elements = [{ type = "line", from = [-15.000000, -25.980762], to = [30.000000, 0.000000] }, { type = "line", to = [-15.000000, 25.980762] }, { type = "line", to = [-15.000000, -25.980762] }]
[contact.F1]
a = "bin"
b = "p1"
restitution = 0.0
[contact.C01]
a = "p0"
b = "p1"
restitution = 0.0
[force.w]
type = "gravity"
[run]
analysis = "dynamics"
end = "2 s"
step = "10 ms"
)model");
}

TEST(Heap, three_polygons_come_to_rest) {
    expect_sound(R"model(format = 1
name = "random"
[units]
length = "mm"
[profile.bin]
body = "ground"
elements = [{ type = "line", from = [200, 600], to = [200, 0] }, { type = "line", to = [0, 0] }, { type = "line", to = [0, 600] }]
[body.b0]
position = [136.483, 60.000]
angle = 5.9524
velocity = ["-0.443 m/s", 0]
omega = -4.151
mass = "0.1 kg"
inertia = "4e-5 kg m^2"
[profile.p0]
body = "b0"
elements = [{ type = "line", from = [-15.000000, -25.980762], to = [30.000000, 0.000000] }, { type = "line", to = [-15.000000, 25.980762] }, { type = "line", to = [-15.000000, -25.980762] }]
[contact.F0]
a = "bin"
b = "p0"
restitution = 0.0
[body.b1]
position = [118.878, 150.000]
angle = 4.2059
velocity = ["-0.192 m/s", 0]
omega = 1.059
mass = "0.1 kg"
inertia = "4e-5 kg m^2"
[profile.p1]
body = "b1"
elements = [{ type = "line", from = [9.270510, -28.531695], to = [30.000000, 0.000000] }, { type = "line", to = [9.270510, 28.531695] }, { type = "line", to = [-24.270510, 17.633558] }, { type = "line", to = [-24.270510, -17.633558] }, { type = "line", to = [9.270510, -28.531695] }]
[contact.F1]
a = "bin"
b = "p1"
restitution = 0.0
[body.b2]
position = [62.859, 240.000]
angle = 4.2782
velocity = ["0.500 m/s", 0]
omega = 1.385
mass = "0.1 kg"
inertia = "4e-5 kg m^2"
[profile.p2]
body = "b2"
elements = [{ type = "line", from = [9.270510, -28.531695], to = [30.000000, 0.000000] }, { type = "line", to = [9.270510, 28.531695] }, { type = "line", to = [-24.270510, 17.633558] }, { type = "line", to = [-24.270510, -17.633558] }, { type = "line", to = [9.270510, -28.531695] }]
[contact.F2]
a = "bin"
b = "p2"
restitution = 0.0
[contact.C01]
a = "p0"
b = "p1"
restitution = 0.0
[contact.C02]
a = "p0"
b = "p2"
restitution = 0.0
[contact.C12]
a = "p1"
b = "p2"
restitution = 0.0
[force.w]
type = "gravity"
[run]
analysis = "dynamics"
end = "2 s"
step = "10 ms"
)model");
}

}  // namespace
}  // namespace pawl
