// Data sets of ADAMS: the one of Wang (1996), appendix D.4, and a small one of our own.
#include "model_file/exchange/adams_file.h"

#include <numbers>

#include <gtest/gtest.h>

#include "simulation/stepping/dynamic_run.h"
#include "support/exchange.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using S = PlanarSpace;
using test::changed;
using test::data_file;
using test::imported;

TEST(AdamsFile, cam_and_follower_are_read_as_printed) {
    const ExchangeModel m = imported(data_file("wang_d4.adm"), read_adams).model;
    ASSERT_EQ(m.bodies.size(), 3u);
    EXPECT_EQ(m.bodies[1].name, "part_2");
    EXPECT_EQ(m.bodies[1].mass, 200);
    EXPECT_EQ(m.bodies[1].inertia, 40000);
    EXPECT_EQ(*m.bodies[1].omega, 5);
    EXPECT_EQ(m.bodies[2].at.x, 100);
    EXPECT_EQ(m.bodies[2].mass, 0.5);
    ASSERT_EQ(m.joints.size(), 2u);
    EXPECT_EQ(m.joints[0].type, "revolute");
    EXPECT_EQ(m.joints[1].type, "prismatic");
    EXPECT_NEAR(m.joints[1].axis, 0, 1e-15);  // Euler angles -90, -90, 0: z of the marker is x
    ASSERT_EQ(m.springs.size(), 1u);
    EXPECT_EQ(m.springs[0].stiffness, 15);
    EXPECT_EQ(m.springs[0].free, 100);
    ASSERT_EQ(m.contacts.size(), 1u);
    EXPECT_TRUE(m.contacts[0].permanent);
    ASSERT_EQ(m.measures.size(), 1u);
    EXPECT_EQ(m.measures[0].name, "request_2");
}

TEST(AdamsFile, curves_have_their_material_on_the_left) {
    const ExchangeModel m = imported(data_file("wang_d4.adm"), read_adams).model;
    ASSERT_EQ(m.profiles.size(), 2u);
    const auto& cam = std::get<SplineCurve<S>>(m.profiles[0].curves.at(0));
    ASSERT_EQ(cam.points().size(), 361u);
    EXPECT_EQ(cam.points()[0].x, 50);
    EXPECT_GT(cam.points()[1].y, 0);
    // At 180 degrees: 50 + 2743/256 mm; the file has eleven digits.
    EXPECT_NEAR(cam.points()[180].x, -50 - 2743.0 / 256, 1e-9);
    // The follower runs upwards in the file and downwards here: its tip is to the left.
    const auto& tip = std::get<SplineCurve<S>>(m.profiles[1].curves.at(0));
    EXPECT_EQ(tip.points().front().y, 5);
    EXPECT_EQ(point_of<S>(m.profiles[1].curves[0], 0.5).n.x, -1);
}

TEST(AdamsFile, slips_of_the_printed_file_are_named_with_their_place) {
    EXPECT_EQ(
        imported(data_file("wang_d4.adm"), read_adams).warnings,
        "file:22:3: warning: PART/3: QG has 4 numbers instead of 3; the first three are used\n"
        "file:29:1: warning: a line that begins with '.' is read as if with ','\n"
        "file:49:10: warning: MATRIX/1: this row has 2 of 3 numbers; the missing ones are "
        "taken as 0\n"
        "file:418:21: warning: MARKER/10: QP has 2 numbers instead of 3; the missing ones are "
        "taken as 0\n"
        "file:419:21: warning: MARKER/12: QP has 2 numbers instead of 3; the missing ones are "
        "taken as 0\n"
        "file:423:21: warning: MARKER/13: QP has 2 numbers instead of 3; the missing ones are "
        "taken as 0\n"
        "file:424:21: warning: MARKER/14: QP has 2 numbers instead of 3; the missing ones are "
        "taken as 0\n");
}

TEST(AdamsFile, model_of_the_printed_file_is_read) {
    const ModelData model = test::model_of(imported(data_file("wang_d4.adm"), read_adams).text);
    EXPECT_DOUBLE_EQ(*model.mechanism.bodies[1].inertia, 0.04);  // 40000 kg mm^2
    EXPECT_DOUBLE_EQ(model.mechanism.bodies[2].guess.at.x, 0.1);
}

// The cam, 0.04 kg m^2 at 5 rad/s, has 0.5 J. It lifts the follower against a spring of 15 N/mm
// that is 50 mm short at the dwell, and stops and turns back where 7.5 ((50 + h)^2 - 2500) N mm =
// 500 N mm.
TEST(AdamsFile, printed_cam_turns_back_where_its_energy_is_in_the_spring) {
    DynamicOptions options;
    options.end = 1;
    options.step = 1e-3;
    const DynamicResult r =
        run_dynamics(test::placed_of(imported(data_file("wang_d4.adm"), read_adams).text), options);
    ASSERT_EQ(r.status, DynamicStatus::completed) << r.message;
    EXPECT_TRUE(r.audit.passed());
    EXPECT_TRUE(r.events.empty());  // permanent, and one spline each
    double highest = 0;
    for (std::size_t i = 0; i < r.trajectory.rows(); ++i)
        highest = std::max(highest, test::value(r.trajectory, i, "part_3.x"));
    // The row nearest to the turn is at most 0.5 ms away, where the follower, slowed by less than
    // 1 m/s^2, is 1.3e-7 m lower.
    EXPECT_NEAR(highest, 0.1 + 1e-3 * (std::sqrt(2500 + 500 / 7.5) - 50), 1.3e-7);
    const std::size_t last = r.trajectory.rows() - 1;
    EXPECT_NEAR(test::value(r.trajectory, last, "part_2.omega"), -5, 1e-6);
}

// A crank driven by a function, its pin upside down; a slider driven at constant speed; a torsional
// spring; gravity; units.
constexpr const char* crank = R"(A crank
UNITS/FORCE=NEWTON, MASS=GRAM, LENGTH=CENTIMETER, TIME=SECOND
PART/1, GROUND
MARKER/1, QP=1,2,0, REULER=0D,180D,0D
MARKER/2, QP=0,0,0, REULER=90D,90D,0D
PART/2, MASS=3, CM=4, IP=1,1,2, QG=1,2,0, REULER=30D,0D,0D
MARKER/3, REULER=0D,180D,0D
MARKER/4, QP=5,0,0
PART/3, MASS=1, VX=7
MARKER/5, REULER=90D,90D,0D
JOINT/1, REVOLUTE, I=3, J=1
JOINT/2, TRANSLATIONAL, I=5, J=2
MOTION/1, JOINT=1, ROTATION, FUNCTION=-30D + 2*TIME**2
, + 0.5*SIN(3*TIME)
MOTION/2, JOINT=2, TRANSLATION, VELOCITY, FUNCTION=4
SPRINGDAMPER/1, I=3, J=1, ROTATION, KT=8, CT=0.5, ANGLE=10D, TORQUE=2
ACCGRAV/JGRAV=-981
END
)";

TEST(AdamsFile, motions_springs_gravity_and_units_are_read) {
    const auto file = imported(crank, read_adams);
    EXPECT_EQ(file.warnings, "");
    const ExchangeModel& m = file.model;
    EXPECT_EQ(m.units.mass, "g");
    EXPECT_EQ(m.units.length, "cm");
    EXPECT_EQ(m.bodies[1].centre.x, 5);
    EXPECT_EQ(m.gravity.y, -981);
    EXPECT_NEAR(m.joints[1].axis, 0, 1e-15);
    ASSERT_EQ(m.drivers.size(), 2u);
    EXPECT_EQ(m.drivers[0].expression, "-1*(-(30*pi/180) + 2*t^2+ 0.5*sin(3*t))");
    EXPECT_EQ(m.drivers[1].speed, 4);
    ASSERT_EQ(m.springs.size(), 1u);
    EXPECT_EQ(m.springs[0].joint, "joint_1");
    EXPECT_NEAR(m.springs[0].free, -10 * std::numbers::pi / 180, 1e-15);
    EXPECT_EQ(m.springs[0].preload, 2);
    // The crank assembles where both the part and the motion put it: at 30 degrees.
    const PlacedMechanism placed = test::placed_of(file.text);
    EXPECT_NEAR(placed.assembly.positions[1].angle, 30 * std::numbers::pi / 180, 1e-12);
    EXPECT_NEAR(placed.assembly.positions[1].p.x, 0.01, 1e-14);
}

TEST(AdamsFile, matrix_by_columns_is_the_same_as_by_rows) {
    const std::string text = changed(
        changed(data_file("wang_d4.adm"), "FULL = RORDER, ROWS=5", "FULL = CORDER, ROWS=5"),
        ", VALUES=-45,-5,0\n,-48.535,-3.535, 0.0\n,-50, 0.0, 0.0\n,-48.535, 3.535, 0.0\n,-45, 5.0, "
        "0.0\n",
        ", VALUES=-45,-48.535,-50,-48.535,-45\n, -5,-3.535,0,3.535,5\n, 0,0,0,0,0\n");
    EXPECT_EQ(imported(text, read_adams).text, imported(data_file("wang_d4.adm"), read_adams).text);
}

TEST(AdamsFile, other_files_are_not_taken_for_adams) {
    EXPECT_TRUE(is_adams(data_file("wang_d4.adm")));
    EXPECT_FALSE(is_adams(data_file("wang_d2.dyn")));
    EXPECT_FALSE(is_adams("[body.part]\n"));
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
