// Bodies that slide without friction on one contact: into the bottom of a valley, and off a hill.
// Long steps of the integrator must not carry them through what they meet, nor trial steps that
// blow up change the solver for good. Every run ends, and its audit passes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/sound_run.h"

namespace pawl {
namespace PAWL_TEST_FILE {

DynamicResult sound(const std::string& text) { return test::run_soundly(text, 3, 0.01); }

// A free body b, thrown, whose profile m falls on the profile g.
const std::string thrown = R"(format = 1
[force.weight]
type = "gravity"
[body.b]
position = [0.07, 0.9]
angle = 0.3
omega = 1
mass = 1
inertia = 0.004
[contact.C]
a = "g"
b = "m"
restitution = 0
)";

// The second flank has no place for the ball before it is nearly there: its foot lies beyond the
// bottom.
TEST(SlidingContact, ball_meets_the_other_flank_of_a_wide_valley) {
    for (const double x : {-0.7, -0.55, -0.4, -0.25, 0.25, 0.4, 0.55, 0.7})
        for (const double slope : {0.3, 0.5, 0.9}) {
            SCOPED_TRACE(fmt::format("from x = {} m, left flank {}", x, slope));
            const DynamicResult r = sound(fmt::format(
                R"(format = 1
body.b = {{ position = [{}, 0.8], mass = 1, inertia = 0.004 }}
profile.valley = {{ body = "ground", elements = [{{ type = "line", from = [1, 0.6], to = [0, 0] }}, {{ type = "line", to = [-1, {}] }}] }}
profile.ball = {{ body = "b", elements = [{{ type = "circle", radius = 0.1 }}] }}
contact.C = {{ a = "valley", b = "ball", restitution = 0 }}
force.weight = {{ type = "gravity" }}
)",
                x, slope));
            // Its lowest place is where both flanks touch: as far over the bottom as the bisector
            // of the normals says.
            const double c0 = std::atan(0.6), c1 = std::atan(slope);
            const double up = 0.1 / std::cos(0.5 * (c0 + c1)) * std::cos(0.5 * (c0 - c1));
            double lowest = INFINITY;
            const auto y = static_cast<std::size_t>(r.trajectory.find("b.y"));
            for (std::size_t i = 0; i < r.trajectory.rows(); ++i)
                lowest = std::min(lowest, r.trajectory.row(i)[y]);
            EXPECT_NEAR(lowest, up, 1e-9);
        }
}

// One contact of a free body never depends on anything.
TEST(SlidingContact, square_slides_off_a_hill_without_a_singular_position) {
    const DynamicResult r = sound(thrown + R"([profile.g]
body = "ground"
[[profile.g.elements]]
type = "polynomial"
origin = [0, -1]
from = "20 deg"
to = "160 deg"
start = "90 deg"
coefficients = [1, 0.2]
exponents = [0, 2]
[profile.m]
body = "b"
elements = [{ type = "line", from = [-0.1, -0.1], to = [0.1, -0.1] },
            { type = "line", to = [0.1, 0.1] }, { type = "line", to = [-0.1, 0.1] },
            { type = "line", to = [-0.1, -0.1] }]
)");
    for (const Event& e : r.events) EXPECT_NE(e.kind, EventKind::bifurcation) << e.t;
}

// An outline with dents rolls on a line: the other side of a dent comes down less than a twentieth
// of the outline beside the place that is closed, before that reaches the inflection.
TEST(SlidingContact, outline_with_dents_rolls_from_hump_to_hump) {
    const DynamicResult r = sound(thrown + R"([profile.g]
body = "ground"
elements = [{ type = "line", from = [2, 0], to = [-2, 0] }]
[profile.m]
body = "b"
[[profile.m.elements]]
type = "spline"
ends = "periodic"
angles = [0, 1, 2, 3, 4, 5, 6.283185307179586]
radii = [0.1, 0.12, 0.09, 0.11, 0.1, 0.13, 0.1]
)");
    int humps = 0;
    for (const Event& e : r.events) humps += e.kind == EventKind::contact_formed;
    EXPECT_GT(humps, 1);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
