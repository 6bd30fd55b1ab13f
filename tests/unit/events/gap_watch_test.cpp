// The first meeting of two profiles on motions given in closed form, over one long step each.
#include "events/gap_watch.h"

#include <gtest/gtest.h>

#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Mechanics = MechanismEquations<PlanarSpace>;

constexpr double touching = 1e-12;
// A time is as good as the gap, 1e-15 m, over the speed; here above 1e-3 m/s.
constexpr double on_time = 1e-11;

// One body that moves as told past profiles of the ground.
class Scene {
public:
    using Path = std::function<std::array<double, 3>(double t)>;  // x, y, angle

    Scene(const std::string& mover, const std::string& obstacle, Path path, bool swapped = false)
        : placed_(test::placed_of("format = 1\n[body.mover]\nmass = 1\ninertia = 1\n"
                                  "[profile.mover]\nbody = \"mover\"\nelements = [" +
                                  mover + "]\n[profile.rock]\nbody = \"ground\"\nelements = [" +
                                  obstacle + "]\n[contact.C]\na = \"" +
                                  (swapped ? "mover" : "rock") + "\"\nb = \"" +
                                  (swapped ? "rock" : "mover") + "\"\n")),
          equations_(placed_.mechanism, placed_.topology, {}),
          path_(std::move(path)),
          watch(placed_.mechanism, touching) {}

    // The free body has its position as coordinates.
    std::vector<double> coordinates(double t) {
        const auto [x, y, angle] = path_(t);
        return {x, y, angle};
    }
    Coordinates<PlanarSpace>& at(double t) {
        auto& c = equations_.coordinates();
        c.set_position(coordinates(t));
        return c;
    }
    std::optional<GapWatch::Hit> first_hit(
        double low, double high, const std::vector<ContactPoint<PlanarSpace>>& closed = {}) {
        return first_hit(low, high, closed,
                         [this](double t) -> Coordinates<PlanarSpace>& { return at(t); });
    }
    // `set` also moves the closed contacts.
    std::optional<GapWatch::Hit> first_hit(
        double low, double high, const std::vector<ContactPoint<PlanarSpace>>& closed,
        const std::function<Coordinates<PlanarSpace>&(double t)>& set) {
        return watch.first_hit(
            low, high, closed, set,
            {[this](double t) { return coordinates(t); }, 1e-14, 1e-6 * (high - low)});
    }

private:
    PlacedMechanism placed_;
    Mechanics equations_;
    Path path_;

public:
    GapWatch watch;
};

const std::string ball = R"({ type = "circle", radius = 0.5 })";
const std::string floor_line = R"({ type = "line", from = [50, 0], to = [-50, 0] })";

std::string box(double x0, double x1, double y0, double y1) {
    const auto p = [](double x, double y) {
        return "[" + std::to_string(x) + ", " + std::to_string(y) + "]";
    };
    const auto line = [&](const std::string& a, const std::string& b) {
        return "{ type = \"line\", from = " + a + ", to = " + b + " }, ";
    };
    return line(p(x0, y0), p(x1, y0)) + line(p(x1, y0), p(x1, y1)) + line(p(x1, y1), p(x0, y1)) +
           line(p(x0, y1), p(x0, y0));
}

// Gap a (t - 1/2)^2 + least.
Scene::Path parabola(double least, double a = 3) {
    return [=](double t) {
        return std::array{2 * t, 0.5 + least + a * (t - 0.5) * (t - 0.5), 7 * t};
    };
}

TEST(GapWatch, graze_just_above_is_no_hit) {
    for (const bool swapped : {false, true})
        for (const double least : {1e-11, 1e-9, 1e-6, 1e-3}) {
            Scene scene(ball, floor_line, parabola(least), swapped);
            EXPECT_FALSE(scene.first_hit(0, 1)) << least;
            EXPECT_FALSE(scene.first_hit(0.5, 1)) << least;
        }
}

TEST(GapWatch, graze_just_below_is_a_hit_at_its_time) {
    for (const bool swapped : {false, true})
        for (const double least : {1e-10, 1e-9, 1e-6, 1e-3, 0.1}) {
            Scene scene(ball, floor_line, parabola(-least), swapped);
            const auto hit = scene.first_hit(0, 1);
            ASSERT_TRUE(hit) << least;
            // A gap within `touching` counts as zero; its rate there is 2 sqrt(a least).
            const double speed = 2 * std::sqrt(3 * least);
            EXPECT_NEAR(hit->t, 0.5 - std::sqrt(least / 3), 1.1 * touching / speed + on_time)
                << least;
        }
}

TEST(GapWatch, first_of_many_crossings_in_one_step_is_found) {
    // 0.9 + cos(w t): below zero near the odd multiples of pi only.
    for (const double w : {3.0, 10.0, 40.0, 200.0}) {
        Scene scene(ball, floor_line, [w](double t) {
            return std::array{0.0, 0.5 + 0.9 + std::cos(w * t), 0.0};
        });
        const auto hit = scene.first_hit(0, 10);
        ASSERT_TRUE(hit) << w;
        EXPECT_NEAR(hit->t, std::acos(-0.9) / w, on_time) << w;
    }
}

// A disk over one side, however it turns: its middle stays above the side.
TEST(GapWatch, disk_that_stays_over_one_side_is_looked_at_a_few_times) {
    for (const bool swapped : {false, true}) {
        Scene scene(
            ball, floor_line,
            [&](double t) {
                return std::array{t, 0.6 + 0.05 * t * t, 3 * t};
            },
            swapped);
        EXPECT_FALSE(scene.first_hit(0, 1));
        EXPECT_EQ(scene.watch.looks(), 3);  // both ends and the middle
    }
}

// Four turns in one step, seen at the top of each.
TEST(GapWatch, disk_that_comes_down_in_every_turn_is_met) {
    Scene scene(ball, floor_line, [](double t) {
        const double turn = 8 * std::numbers::pi * t;
        return std::array{t, 0.6 + 0.2 * std::cos(turn), turn};
    });
    const auto hit = scene.first_hit(0, 1);
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->t, 1.0 / 12, on_time);  // cos = -1/2
}

// A disk in the mouth of a C, hardly off one of its ends, comes to the other: closed at one place
// of this pair it may still meet another.
TEST(GapWatch, disk_in_the_mouth_of_an_arc_has_another_place) {
    const std::string mouth =
        R"({ type = "arc", centre = [0, 0], radius = 1, from = "-150 deg", to = "150 deg" })";
    constexpr double radius = 0.8, away = 0.801;  // from the upper end, (-sqrt(3)/2, 1/2)
    Scene scene(R"({ type = "circle", radius = 0.8 })", mouth, [](double t) {
        const double angle = std::numbers::pi + 0.4 * t;
        return std::array{-std::sqrt(0.75) + away * std::cos(angle), 0.5 + away * std::sin(angle),
                          t};
    });
    ContactPoint<PlanarSpace> closed;
    closed.pair = 0;
    closed.a = 1;
    const auto hit = scene.first_hit(0, 4, {closed});
    ASSERT_TRUE(hit);
    // The lower end is 1 below the upper one.
    const double sine = (away * away + 1 - radius * radius) / (2 * away);
    EXPECT_NEAR(hit->t, std::asin(sine) / 0.4, on_time);
    EXPECT_EQ(hit->point.a, 0);
}

// Off the end of the side, round its corner and back, turning: met where it comes too near to the
// corner, and only there.
TEST(GapWatch, disk_that_turns_round_the_end_of_a_side_meets_its_corner) {
    const std::string shelf = R"({ type = "line", from = [0, 0], to = [-50, 0] })";
    for (const double dip : {0.0, 0.04}) {
        // 0.52 from the corner, less the dip: from above the side to its right, and back.
        Scene scene(ball, shelf, [=](double t) {
            const double s = std::sin(std::numbers::pi * t), angle = 1.2 * s - 0.1,
                         away = 0.52 - dip * s * s;
            return std::array{away * std::sin(angle), away * std::cos(angle), 5 * t};
        });
        const auto hit = scene.first_hit(0, 1);
        EXPECT_EQ(hit.has_value(), dip > 0);
        EXPECT_NEAR(hit ? hit->t : 0.25, 0.25, on_time);
    }
}

// From beside the end of a side on to it and back, turning: it is the side that is met.
TEST(GapWatch, disk_that_turns_from_the_end_of_a_side_onto_it_meets_it) {
    const std::string shelf = R"({ type = "line", from = [0, 0], to = [-50, 0] })";
    for (const bool swapped : {false, true}) {
        Scene scene(
            ball, shelf,
            [](double t) {
                const double angle = 0.5 - std::sin(std::numbers::pi * t);
                return std::array{0.505 * std::sin(angle), 0.505 * std::cos(angle), 5 * t};
            },
            swapped);
        const auto hit = scene.first_hit(0, 1);
        ASSERT_TRUE(hit);
        EXPECT_NEAR(hit->t, std::asin(0.5 + std::acos(0.5 / 0.505)) / std::numbers::pi, on_time);
    }
}

// What is closed is not looked for; a body with several sides may touch with another one.
TEST(GapWatch, closed_disk_has_no_other_place) {
    const std::string square = box(-0.5, 0.5, -0.5, 0.5);
    for (const std::string& mover : {ball, square}) {
        Scene scene(mover, floor_line, [&](double t) { return std::array{t, 0.5, 0.0}; });
        ContactPoint<PlanarSpace> closed;
        closed.pair = 0;
        EXPECT_FALSE(scene.first_hit(0, 1, {closed}));
        EXPECT_EQ(scene.watch.looks() == 0, mover == ball);
    }
}

TEST(GapWatch, place_that_stands_at_zero_and_leaves_is_hit_only_when_it_comes_back) {
    const double v = 0.3, g = 9.81;
    Scene scene(ball, floor_line, [=](double t) {
        return std::array{0.0, 0.5 + t * (v - 0.5 * g * t), 0.0};
    });
    const auto hit = scene.first_hit(0, 1);
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->t, 2 * v / g, on_time);
    EXPECT_FALSE(scene.first_hit(0, 0.9 * 2 * v / g));
    // With the gap a little below zero, as projection leaves it.
    Scene below(ball, floor_line, [=](double t) {
        return std::array{0.0, 0.5 - 0.5 * touching + t * (v - 0.5 * g * t), 0.0};
    });
    const auto again = below.first_hit(0, 1);
    ASSERT_TRUE(again);
    EXPECT_NEAR(again->t, 2 * v / g, on_time);
}

TEST(GapWatch, thin_wall_is_not_passed) {
    for (const double speed : {1.0, 100.0, 1e4})
        for (const double thickness : {1e-2, 1e-4, 1e-6}) {
            Scene scene(ball, box(3, 3 + thickness, -1, 1), [speed](double t) {
                return std::array{speed * t, 0.2, 3 * t};
            });
            const auto hit = scene.first_hit(0, 10 / speed);
            ASSERT_TRUE(hit) << speed << " " << thickness;
            EXPECT_NEAR(hit->t, 2.5 / speed, on_time) << speed << " " << thickness;
        }
}

TEST(GapWatch, place_that_appears_inside_the_step_is_seen) {
    // The ball flies low over a hole and meets the upper corner of its far side, which faces it
    // only when it is near.
    Scene scene(ball, box(-10, 0, -1, 0) + "", [](double t) {
        return std::array{-5 + 100 * t, 0.5 + 1e-3, 0.0};
    });
    EXPECT_FALSE(scene.first_hit(0, 1));
    Scene step(ball, box(20, 30, -1, 0.3), [](double t) {
        return std::array{-5 + 100 * t, 0.5, 0.0};
    });
    const auto hit = step.first_hit(0, 1);
    ASSERT_TRUE(hit);
    // The corner (20, 0.3) at the distance 0.5 from the centre.
    EXPECT_NEAR(hit->t, (25 - std::sqrt(0.25 - 0.04)) / 100, on_time);
}

TEST(GapWatch, tooth_that_turns_past_is_seen) {
    // A plate of half length 1 turns by four turns in the step; its corner reaches the line y = -1
    // once in each half turn.
    const double w = 8 * std::numbers::pi, thin = 1e-3, radius = std::hypot(1, thin);
    Scene scene(box(-1, 1, -thin, thin), R"({ type = "line", from = [5, -1], to = [-5, -1] })",
                [=](double t) {
                    return std::array{0.0, 0.0, w * t};
                });
    const auto hit = scene.first_hit(0, 1);
    ASSERT_TRUE(hit);
    // The leading corner is atan(thin) behind the axis: sin of its angle is -1 / radius first where
    // the other end, at angle pi, comes down.
    const double expected = (std::asin(1 / radius) - std::atan(thin)) / w;
    EXPECT_NEAR(hit->t, expected, 1e-14 / (w * thin) + on_time);
    Scene clear(box(-1, 1, -thin, thin),
                R"({ type = "line", from = [5, -1.000001], to = [-5, -1.000001] })", [=](double t) {
                    return std::array{0.0, 0.0, w * t};
                });
    EXPECT_FALSE(clear.first_hit(0, 1));
}

TEST(GapWatch, closed_contact_is_not_a_hit) {
    // Rolls and sinks by less than it is let to: the contact that is closed already.
    Scene scene(ball, floor_line, [](double t) {
        return std::array{2 * t, 0.5 - 1e-3 * t, -4 * t};
    });
    const auto hit = scene.first_hit(0, 1);
    ASSERT_TRUE(hit);
    std::vector<ContactPoint<PlanarSpace>> closed{hit->point};
    closed[0] = scene.watch.locate(scene.at(0), closed[0], std::vector<double>(3, 0.0));
    EXPECT_FALSE(scene.first_hit(0, 1, closed));
}

// A ball on the floor that sinks away from rest, as from an unstable balance: its rate is far below
// the rounding of positions over the shortest interval. It is met again and again, each time that
// it is deeper by what counts as zero.
TEST(GapWatch, place_that_sinks_slowly_from_zero_is_seen) {
    Scene scene(R"({ type = "circle", radius = 0.1 })",
                R"({ type = "line", from = [1, 0], to = [-1, 0] })", [](double t) {
                    return std::array{0.0, 0.1 - 1e-15 * std::sinh(10 * t), 0.0};
                });
    // Positions of 0.1 m are rounded to 1e-17 m, a thousandth of what is passed in 1e-4 s.
    constexpr double rounded = 1e-3;  // s
    EXPECT_FALSE(scene.first_hit(0, 0.7));
    const auto first = scene.first_hit(0, 1);
    ASSERT_TRUE(first);
    EXPECT_NEAR(first->t, std::asinh(touching / 1e-15) / 10, rounded);
    const auto second = scene.first_hit(first->t, 1);
    ASSERT_TRUE(second);
    EXPECT_NEAR(second->t, std::asinh(2 * touching / 1e-15) / 10, rounded);
}

// A square of 200 mm whose corner stands 0.1 mm from the edge of a ledge: it is behind the wall
// under the edge, and the edge lies in it by rounding only. Sunk in by 1 mm it is inside.
TEST(GapWatch, corner_beside_an_edge_is_not_inside) {
    const std::string
        square = R"({ type = "line", from = [-0.1, -0.1], to = [0.1, -0.1] },
{ type = "line", to = [0.1, 0.1] }, { type = "line", to = [-0.1, 0.1] }, { type = "line", to = [-0.1, -0.1] })",
        ledge = R"({ type = "line", from = [1, 0], to = [0, 0] }, { type = "line", to = [0, -1] })";
    for (const bool swapped : {false, true}) {
        Scene beside(
            square, ledge,
            [](double) {
                return std::array{-0.1 + 1e-4, 0.1 - 1e-15, 0.0};
            },
            swapped);
        EXPECT_EQ(beside.watch.penetration(beside.at(0), 0), 0);
        Scene sunk(
            square, ledge,
            [](double) {
                return std::array{0.3, 0.1 - 1e-3, 0.0};
            },
            swapped);
        EXPECT_NEAR(sunk.watch.penetration(sunk.at(0), 0), 1e-3, 1e-15);
    }
}

TEST(GapWatch, knife_edge_in_a_body_is_seen) {
    Scene scene(R"({ type = "point", at = [0, 0] })", R"({ type = "circle", radius = 0.1 })",
                [](double t) {
                    return std::array{0.0, 0.1 - t, 0.0};
                });
    EXPECT_EQ(scene.watch.penetration(scene.at(-0.01), 0), 0);
    EXPECT_NEAR(scene.watch.penetration(scene.at(0.01), 0), 0.01, 1e-15);
}

// On one face of a thin plate it is behind the other face, as far as the plate is thick.
TEST(GapWatch, knife_edge_on_a_thin_plate_is_not_in_it) {
    Scene scene(R"({ type = "point", at = [0, 0] })", box(-1, 1, -0.01, 0), [](double t) {
        return std::array{0.3, -t, 0.0};
    });
    EXPECT_EQ(scene.watch.penetration(scene.at(0), 0), 0);
    EXPECT_NEAR(scene.watch.penetration(scene.at(0.004), 0), 0.006, 1e-15) << "behind the far face";
}

// A knife edge goes along a spiral to the foot of its step: the wall is met there, though the two
// elements also meet in a corner, at their other ends.
TEST(GapWatch, wall_at_the_foot_of_a_step_is_met) {
    Scene scene(
        R"({ type = "point", at = [0, 0] })",
        R"({ type = "polynomial", from = 0, to = "360 deg", coefficients = [0.08, 0.01], exponents = [0, 1], scale = "1 rad" }, { type = "line", to = [0.08, 0] })",
        [](double t) {
            const double angle = 0.1 - t, r = 0.08 + 0.01 * angle;
            return std::array{r * std::cos(angle), r * std::sin(angle), 0.0};
        });
    const auto found = scene.watch.nearest_point(scene.at(0), 0);
    ASSERT_TRUE(found);
    // The contact with the spiral goes along, as in a run.
    std::vector<ContactPoint<PlanarSpace>> closed{*found};
    const auto hit = scene.first_hit(0, 0.2, closed, [&](double t) -> Coordinates<PlanarSpace>& {
        auto& c = scene.at(t);
        auto& touch = closed[0].touch;
        touch.p[0] = touch.p[1] = c.position(1).p;
        touch.u[0] = (0.1 - t) / (2 * M_PI);
        return c;
    });
    ASSERT_TRUE(hit);
    // At 0.08 m/s, by no more than the depth that counts as zero.
    EXPECT_NEAR(hit->t, 0.1, 1.1 * touching / 0.08);
}

TEST(GapWatch, size_does_not_matter) {
    for (const double scale : {1e-3, 1e3}) {
        const std::string r = std::to_string(0.5 * scale);
        const auto line = [&](double y) {
            return "{ type = \"line\", from = [" + std::to_string(50 * scale) + ", " +
                   std::to_string(y) + "], to = [" + std::to_string(-50 * scale) + ", " +
                   std::to_string(y) + "] }";
        };
        Scene scene("{ type = \"circle\", radius = " + r + " }", line(0), [=](double t) {
            return std::array{2 * t * scale, scale * (0.5 - 1e-6 + 3 * (t - 0.5) * (t - 0.5)),
                              7 * t};
        });
        const auto hit = scene.first_hit(0, 1);
        ASSERT_TRUE(hit) << scale;
        const double speed = 2 * scale * std::sqrt(3e-6);
        EXPECT_NEAR(hit->t, 0.5 - std::sqrt(1e-6 / 3), 1.1 * touching / speed + on_time) << scale;
    }
}

// A tip that has slid to the end of a side leaves it for the next one: no place of the side is left
// at any later time, however short; that alone is no reason to look closer and closer.
TEST(GapWatch, place_at_the_end_of_its_element_is_left_without_much_ado) {
    // From the end of the top of the rock, along it.
    Scene scene(ball, box(-1.0, 0.0, -1.0, 0.0), [](double t) {
        return std::array{0.5 * t, 0.5, 0.0};
    });
    EXPECT_FALSE(scene.first_hit(0, 1));
    EXPECT_LT(scene.watch.searches(), 10);
}

// What a projection has pushed a little too deep to count as touching is met as soon as it goes
// deeper, however fast.
TEST(GapWatch, place_a_little_below_zero_that_sinks_is_met_at_once) {
    for (const double depth : {1.5, 3.0, 30.0})
        for (const double speed : {1e-3, 0.2, 5.0}) {
            Scene scene(ball, floor_line, [=](double t) {
                return std::array{0.3 * t, 0.5 - depth * touching - speed * t, 0.0};
            });
            const auto hit = scene.first_hit(0, 0.01);
            ASSERT_TRUE(hit) << depth << " " << speed;
            EXPECT_LT(hit->t, 1.1 * touching / speed + 1e-12) << depth << " " << speed;
        }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
