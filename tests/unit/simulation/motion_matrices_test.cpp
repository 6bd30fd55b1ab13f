// The matrices of a motion on request, against the motion itself and against numbers by hand.
#include "results/motion_matrices.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

KinematicResult run_with_matrices(const PlacedMechanism& placed, double at, CoordinateKind kind) {
    KinematicOptions options;
    options.end = 1;
    options.step = 0.1;
    options.coordinates = kind;
    options.matrices_at = at;
    return run_kinematics(placed, options);
}

const LabelledMatrix& matrix(const KinematicResult& result, const std::string& name) {
    for (const LabelledMatrix& m : result.matrices.value().matrices)
        if (m.name == name) return m;
    throw std::runtime_error("no matrix " + name);
}

double entry(const LabelledMatrix& m, const std::string& row, const std::string& column) {
    for (std::size_t r = 0; r < m.rows.size(); ++r)
        for (std::size_t c = 0; c < m.columns.size(); ++c)
            if (m.rows[r].name == row && m.columns[c].name == column) return m.at(r, c);
    throw std::runtime_error("no entry " + row + ", " + column);
}

// J v = -phi_t and J a = gamma row by row, with the velocity and acceleration that are shown.
TEST(MotionMatrices, rows_hold_for_the_velocity_and_the_acceleration) {
    const auto placed = test::placed_of(test::fourbar());
    for (const CoordinateKind kind : test::both_coordinates) {
        const auto result = run_with_matrices(placed, 0.37, kind);
        const auto &j = matrix(result, "jacobian"), &q = matrix(result, "coordinates"),
                   &sides = matrix(result, "rows");
        ASSERT_GE(j.rows.size(), 3U);
        double largest = 0;
        for (std::size_t r = 0; r < j.rows.size(); ++r) {
            double rate = 0, acceleration = 0;
            for (std::size_t c = 0; c < j.columns.size(); ++c) {
                rate += j.at(r, c) * q.at(c, 1);
                acceleration += j.at(r, c) * q.at(c, 2);
            }
            EXPECT_NEAR(rate, sides.at(r, 1), 1e-12) << j.rows[r].name;
            EXPECT_NEAR(acceleration, sides.at(r, 2), 1e-11) << j.rows[r].name;
            EXPECT_NEAR(sides.at(r, 0), 0, 1e-13) << j.rows[r].name;
            largest = std::max(largest, std::abs(sides.at(r, 2)));
        }
        EXPECT_GT(largest, 0.01);  // gamma is not all zero
    }
}

// [K] times the speed of the driver is the rate of each joint's coordinate, closed loops included;
// the coordinates in which the motion is solved do not matter.
TEST(MotionMatrices, influence_times_the_drive_is_the_rate_of_every_joint) {
    const std::string text = test::fourbar() + R"(
[measure.at_a]
type = "joint"
joint = "A"
[measure.at_d]
type = "joint"
joint = "D"
[measure.at_c]
type = "joint"
joint = "C"
)";
    const auto placed = test::placed_of(text);
    const double speed = placed.mechanism.drivers[0].at(0.4).rate;
    for (const CoordinateKind kind : test::both_coordinates) {
        const auto result = run_with_matrices(placed, 0.4, kind);
        const auto& k = matrix(result, "influence");
        const std::string driver = placed.mechanism.drivers[0].name;
        for (const auto& [measure, joint] :
             {std::pair{"at_a", "A.angle"}, {"at_d", "D.angle"}, {"at_c", "C.angle"}})
            EXPECT_NEAR(entry(k, joint, driver) * speed,
                        test::value(result.trajectory, 4, std::string(measure) + ".rate"), 1e-11)
                << joint << ", " << test::name_of(kind);
    }
}

TEST(MotionMatrices, independent_coordinates_are_named_with_what_they_drive) {
    const auto placed = test::placed_of(R"(format = 1
body.arm = {}
body.second = { position = [1, 0] }
joint.O = { type = "revolute", a = "ground", b = "arm" }
joint.P = { type = "prismatic", a = "arm", b = "second" }
driver.motor = { joint = "O", type = "speed", speed = "2 rad/s" }
)");
    const auto result = run_with_matrices(placed, 0.25, CoordinateKind::relative);
    const auto& f = result.matrices.value().independent;
    ASSERT_EQ(f.size(), 2U);
    EXPECT_EQ(f[0].name, "motor");
    EXPECT_EQ(f[0].coordinate, "O.angle");
    EXPECT_EQ(f[0].unit, "rad");
    EXPECT_TRUE(f[0].driven);
    EXPECT_EQ(f[1].name, "P.x");
    EXPECT_EQ(f[1].unit, "m");
    EXPECT_FALSE(f[1].driven);
    const auto& k = matrix(result, "influence");
    EXPECT_EQ(k.unit(1, 0), "m/rad");
    EXPECT_EQ(k.unit(1, 1), "1");
    // A row at the time of the matrices, between those of the step.
    EXPECT_EQ(result.trajectory.row(3)[0], 0.25);
    EXPECT_EQ(result.trajectory.rows(), 12U);
}

// A flat follower on an eccentric disk: while it is closed, the curvilinear coordinates follow the
// cam. The disk's fraction loses the turn of the disk, 1/(2 pi) per radian; along the flat the
// point moves with r cos(angle).
TEST(MotionMatrices, closed_contacts_have_curvilinear_coordinates) {
    const auto placed = test::placed_of(R"(format = 1
body.cam = {}
body.follower = { position = [0, 0.25] }
joint.O = { type = "revolute", a = "ground", b = "cam" }
joint.G = { type = "prismatic", a = "ground", b = "follower", axis = "90 deg" }
profile.disk = { body = "cam", elements = [{ type = "circle", centre = [0.1, 0], radius = 0.25 }] }
profile.flat = { body = "follower", elements = [{ type = "line", from = [-1, 0], to = [1, 0] }] }
contact.C = { a = "disk", b = "flat" }
driver.motor = { joint = "O", type = "speed", speed = "1 rad/s" }
)");
    const auto result = run_with_matrices(placed, 0.5, CoordinateKind::relative);
    const auto& k = matrix(result, "influence");
    EXPECT_NEAR(entry(k, "G.x", "motor"), 0.1 * std::cos(0.5), 1e-12);
    EXPECT_NEAR(entry(k, "C#1.a", "motor"), -1 / (2 * M_PI), 1e-12);
    EXPECT_NEAR(std::abs(entry(k, "C#1.b", "motor")), 0.1 * std::sin(0.5) / 2, 1e-12);
}

// The table of influence coefficients keeps its columns when contacts change what can move alone.
TEST(MotionMatrices, influence_table_keeps_its_columns_when_a_contact_closes) {
    const auto placed = test::placed_of(R"(format = 1
body.pusher = { position = [0, 0] }
body.block = { position = [0.5, 0] }
joint.A = { type = "prismatic", a = "ground", b = "pusher" }
joint.B = { type = "prismatic", a = "ground", b = "block" }
profile.tip = { body = "pusher", elements = [{ type = "circle", radius = 0.1 }] }
profile.side = { body = "block", elements = [{ type = "line", from = [0, 1], to = [0, -1] }] }
contact.C = { a = "tip", b = "side" }
driver.push = { joint = "A", type = "speed", speed = "1 m/s" }
)");
    const auto result = test::run_of(placed, 1, 0.1, CoordinateKind::relative, true);
    ASSERT_FALSE(result.events.empty());
    const Trajectory& table = result.influence;
    EXPECT_EQ(table.columns.size(), 1U + 2 * 6 + 3 * 6);
    const std::string by_push = "d(block.x)/d(push)", by_block = "d(block.x)/d(B.x)";
    EXPECT_NEAR(test::value(table, 0, by_push), 0, 1e-12);
    EXPECT_NEAR(test::value(table, 0, by_block), 1, 1e-12);
    EXPECT_NEAR(test::value(table, table.rows() - 1, by_push), 1, 1e-12);
    EXPECT_TRUE(std::isnan(test::value(table, table.rows() - 1, by_block)));
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
