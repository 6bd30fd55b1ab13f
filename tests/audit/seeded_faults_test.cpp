// The audit is tested by faults: each is compiled into the library of this test alone (see
// src/math/seeded_fault.h) and must fail the check that is named. Without a fault every model
// passes. docs/theory/audit.md has the same table.
#include <gtest/gtest.h>

#include "math/seeded_fault.h"
#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {

Fault seeded_fault = Fault::none;

namespace {

// Two offset bars swing, with a spring, a damper and a torque; nothing but a tree.
constexpr const char* bars = R"(format = 1
[body.upper]
angle = "-30 deg"
mass = 1
inertia = 0.02
centre = [0.3, 0.05]
points = { tip = [0.6, 0] }
[body.lower]
position = [0.52, -0.3]
angle = "20 deg"
omega = 2
mass = 0.5
inertia = 0.01
centre = [0.2, 0.02]
points = { end = [0.4, 0] }
[joint.O]
type = "revolute"
a = "ground"
b = "upper"
[joint.A]
type = "revolute"
a = "upper.tip"
b = "lower"
[force.weight]
type = "gravity"
[force.spring]
type = "spring"
a = "ground"
b = "lower.end"
stiffness = 30
free_length = 0.5
damping = 0.5
[force.motor]
type = "torque"
body = "lower"
value = 0.2
)";

// A driven four-bar under gravity.
std::string driven() {
    std::string text =
        test::fourbar("type = \"expression\"\nvalue = \"1.0471975511965976 + 0.8*sin(3*t)\"") +
        "[force.weight]\ntype = \"gravity\"\n";
    for (const char* body : {"crank", "coupler", "rocker"}) {
        const std::string head = std::string("[body.") + body + "]\n";
        text.insert(text.find(head) + head.size(), "mass = 1\ninertia = 0.01\ncentre = [0.1, 0]\n");
    }
    return text;
}

constexpr const char* gears = R"(format = 1
[body.pinion]
mass = 1
inertia = 0.01
[body.wheel]
position = [0.3, 0]
mass = 2
inertia = 0.04
points = { rim = [0.1, 0] }
[joint.P]
type = "revolute"
a = "ground"
b = "pinion"
[joint.W]
type = "revolute"
a = "ground"
b = "wheel"
[joint.mesh]
type = "gear"
a = "pinion"
b = "wheel"
carrier = "ground"
radius_a = 0.1
radius_b = 0.2
[force.motor]
type = "torque"
body = "pinion"
value = 0.3
)";

// A ball that bounces and spins on a floor with friction.
std::string ball(const std::string& rules, const std::string& motion = "") {
    return "format = 1\n[body.ball]\nposition = [0, 0.4]\nvelocity = [1, 0]\n" + motion +
           "mass = 1\ninertia = 0.01\n[profile.ball]\nbody = \"ball\"\nelements = [{ type = "
           "\"circle\", radius = 0.1 }]\n[profile.floor]\nbody = \"ground\"\nelements = [{ type = "
           "\"line\", from = [9, 0], to = [-9, 0] }]\n[contact.C]\na = \"floor\"\nb = \"ball\"\n" +
           rules + "\n[force.weight]\ntype = \"gravity\"\n";
}

// A disk that slides and then rolls in a bowl, pressed on it all the time.
constexpr const char* bowl = R"(format = 1
[body.disk]
position = [0.42426406871192857, -0.42426406871192857]
mass = 1
inertia = 0.02
[profile.disk]
body = "disk"
elements = [{ type = "circle", radius = 0.4 }]
[profile.bowl]
body = "ground"
elements = [{ type = "circle", radius = 1, hollow = true }]
[contact.C]
a = "bowl"
b = "disk"
friction = { kinetic = 0.05 }
[force.weight]
type = "gravity"
)";

// Two balls meet, one of them held by nothing but a soft spring of the contact.
constexpr const char* soft = R"(format = 1
[body.a]
mass = 1
inertia = 1
[body.b]
position = [1, 0]
velocity = [-1, 0]
mass = 2
inertia = 1
[profile.a]
body = "a"
elements = [{ type = "circle", radius = 0.2 }]
[profile.b]
body = "b"
elements = [{ type = "circle", radius = 0.2 }]
[contact.C]
a = "a"
b = "b"
law = "kelvin_voigt"
stiffness = 1e4
)";

struct Case {
    Fault fault;
    const char* name;
    std::string model;
    double end;
    const char* check;
    const char* dynamics = "multipliers";
    double rtol = 1e-9;
};

std::vector<Case> cases() {
    const std::string bounce = ball("restitution = 0.5"),
                      rough =
                          ball("restitution = 0.5\nfriction = { kinetic = 0.1 }", "omega = 20\n");
    return {
        {Fault::centripetal_sign, "sign of a centripetal term", bars, 0.5, "energy residual"},
        {Fault::inertia_rate_sign, "sign of a gyroscopic term (canonical)", bars, 0.5,
         "energy residual", "canonical"},
        {Fault::kinetic_energy_offset, "kinetic energy of an offset centre", bars, 0.5,
         "energy residual"},
        {Fault::weight_potential_sign, "sign of a potential", bars, 0.5, "energy residual"},
        {Fault::inertia_moment_sign, "moment of an inertia force", bars, 0.5, "Newton and Euler"},
        {Fault::spring_sign, "sign of a spring", bars, 0.5, "energy residual"},
        {Fault::force_power_dropped, "work of a damper not booked", bars, 0.5, "energy residual"},
        {Fault::torque_power_sign, "sign of the work of a torque", bars, 0.5, "energy residual"},
        {Fault::force_arm_dropped, "lever of a force", bars, 0.5, "energy residual"},
        {Fault::compliant_on_one_body, "compliant force on one body only", soft, 0.7,
         "Newton and Euler"},
        {Fault::driver_power_sign, "sign of the work of a driver", driven(), 1, "energy residual"},
        {Fault::row_bias_dropped, "v-dependent term of joint rows", driven(), 1,
         "change of velocity"},
        {Fault::driver_rate_scaled, "speed of a driver", driven(), 1, "change of velocity"},
        {Fault::driver_acceleration_sign, "acceleration of a driver", driven(), 1,
         "change of velocity"},
        {Fault::gear_ratio, "ratio of gears", gears, 1, "columns of motion"},
        {Fault::gap_offset, "gap of a closed contact", bowl, 1, "points of contact"},
        {Fault::contact_normal_turned, "normal of a contact", bowl, 1, "Newton and Euler"},
        {Fault::curve_derivative, "curvature in a gap's acceleration", bowl, 1,
         "change of velocity"},
        {Fault::friction_coefficient, "coefficient of friction", bowl, 1, "friction of the model"},
        {Fault::friction_load, "load of friction", bowl, 1, "friction of the model"},
        {Fault::restitution, "restitution", bounce, 1, "restitution"},
        {Fault::impulse_scaled, "impulse applied in part", bounce, 1, "restitution"},
        {Fault::impact_work_dropped, "work of an impact not booked", bounce, 1, "energy residual"},
        {Fault::impact_friction_coefficient, "coefficient of friction in impacts", rough, 0.4,
         "friction impulse"},
        {Fault::interval_passed, "a meeting passed over", bounce, 1, "passing through"},
        {Fault::event_early, "time of an impact", bounce, 1, "points of contact"},
        {Fault::projection_kick, "projection that adds velocity", driven(), 1,
         "change of velocity"},
        {Fault::velocity_not_projected, "velocities not projected", driven(), 1,
         "velocity residual", "multipliers", 1e-4},
        {Fault::multipliers_scaled, "constraint forces", driven(), 1, "acceleration residual"},
        {Fault::stage_weight, "weights of the integrator", bars, 0.5, "energy residual"},
        {Fault::dense_output, "dense output", bars, 0.5, "energy residual"},
        {Fault::reaction_column_sign, "sign of a written reaction", bars, 0.5, "Newton and Euler"},
        {Fault::driver_force_scaled, "written force of a driver", driven(), 1, "Newton and Euler"},
        {Fault::velocity_column_sign, "sign of a written velocity", bars, 0.5, "columns of motion"},
        {Fault::acceleration_column_zero, "written acceleration", bars, 0.5, "columns of motion"},
        {Fault::angle_column_degrees, "unit of a written angle", bars, 0.5, "columns of motion"},
        {Fault::normal_column_scaled, "written normal force", bowl, 1, "Newton and Euler"},
        {Fault::friction_column_sign, "sign of a written friction", bowl, 1, "Newton and Euler"},
        {Fault::gap_column_offset, "written gap", bowl, 1, "points of contact"},
    };
}

DynamicResult run(const Case& c) {
    const PlacedMechanism placed = test::placed_of(c.model);
    DynamicOptions options;
    options.end = c.end;
    options.step = c.end / 100;
    options.dynamics = named<Formulation>(c.dynamics).value();
    options.rtol = c.rtol;
    return run_dynamics(placed, options);
}

TEST(SeededFaults, models_without_a_fault_pass) {
    seeded_fault = Fault::none;
    for (const Case& c : cases()) {
        const DynamicResult r = run(c);
        EXPECT_EQ(r.status, DynamicStatus::completed) << c.name << ": " << r.message;
        for (const AuditCheck& check : r.audit.checks)
            EXPECT_TRUE(check.passed())
                << c.name << ": " << check.name << " " << check.value() << " > " << check.limit;
    }
}

TEST(SeededFaults, each_fails_its_check) {
    const bool print = std::getenv("PAWL_PRINT_TABLE") != nullptr;
    for (const Case& c : cases()) {
        seeded_fault = c.fault;
        const DynamicResult r = run(c);
        seeded_fault = Fault::none;
        bool found = false;
        std::string failed;
        for (const AuditCheck& check : r.audit.checks) {
            if (check.passed()) continue;
            failed += (failed.empty() ? "" : ", ") + check.name;
            found = found || check.name == c.check;
        }
        EXPECT_TRUE(found) << c.name << " fails: " << failed << "; " << r.message;
        if (print) std::printf("| %s | %s |\n", c.name, failed.c_str());
    }
    EXPECT_GE(cases().size(), 30U);
}

}  // namespace
}  // namespace pawl
