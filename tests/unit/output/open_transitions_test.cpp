// Changes of element of open contacts, found in the rows of a run.
#include "output/result/open_transitions.h"

#include <gtest/gtest.h>

#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// A roller of radius 0.1 m crosses a box, 2 m wide, at a height of 0.5 m with 1 m/s: over its left
// corner after 1 s, over its right one after 3 s.
std::string crossing(const std::string& pair) {
    return R"(format = 1
body.ground = { points = { P = [0, 0.5] } }
body.ball = { position = [-2, 0.5] }
joint.guide = { type = "prismatic", a = "ground.P", b = "ball" }
driver.push = { joint = "guide", type = "speed", speed = 1 }
contact.C = )" +
           pair + R"(
[profile.ball]
body = "ball"
at = [0.2, 0]
elements = [{ type = "circle", centre = [-0.2, 0], radius = 0.1 }]
[profile.box]
body = "ground"
elements = [
    { type = "line", from = [1, 0], to = [-1, 0] },
    { type = "line", to = [-1, -1] },
    { type = "line", to = [1, -1] },
    { type = "line", to = [1, 0] },
]
)";
}

TEST(OpenTransitions, are_found_where_the_nearest_element_changes) {
    const PlacedMechanism placed = test::placed_of(crossing("{ a = \"box\", b = \"ball\" }"));
    for (const double step : {0.3, 0.01}) {
        const auto run = test::run_of(placed, 4, step, CoordinateKind::relative);
        const auto found = open_transitions(placed.mechanism, run.trajectory);
        ASSERT_EQ(found.size(), 2U) << csv(found);
        EXPECT_NEAR(found[0].t, 1, 1e-9);
        EXPECT_NEAR(found[1].t, 3, 1e-9);
        EXPECT_EQ(found[0].contact, "C");
        EXPECT_EQ(found[0].from, "point 1 on circle 0");
        EXPECT_EQ(found[0].to, "line 0 on circle 0");
        EXPECT_EQ(found[1].from, "line 0 on circle 0");
        EXPECT_NEAR(found[0].gap, 0.4, 1e-9);
        EXPECT_NEAR(found[1].gap, 0.4, 1e-9);
    }
}

TEST(OpenTransitions, do_not_depend_on_the_order_of_the_pair) {
    const PlacedMechanism placed = test::placed_of(crossing("{ a = \"ball\", b = \"box\" }"));
    const auto run = test::run_of(placed, 4, 0.1, CoordinateKind::absolute);
    const auto found = open_transitions(placed.mechanism, run.trajectory);
    ASSERT_EQ(found.size(), 2U) << csv(found);
    EXPECT_NEAR(found[0].t, 1, 1e-9);
    EXPECT_EQ(found[0].to, "circle 0 on line 0");
}

TEST(OpenTransitions, are_written_as_a_table) {
    EXPECT_EQ(csv({{0.5, "C", "line 0 on circle 0", "point 1 on circle 0", 0.25}}),
              "t [s],contact,from,to,gap [m]\n0.5,C,line 0 on circle 0,point 1 on circle 0,0.25\n");
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
