// No contact is missed: a thousand random mechanisms, with shapes that fly, spin and are driven
// past each other, many of them so fast and thin that they pass in one step of integration. A judge
// of polygons, which shares no code with the program, looks at ten times as many times as a user
// would ask for.
#include <array>
#include <cstdlib>
#include <functional>
#include <optional>

#include <gtest/gtest.h>

#include "laws/outlines.h"
#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using test::any_outline;
using test::box_outline;
using test::convex_outline;
using test::Outline;
using test::Point;
using test::polar;
using test::polygon_of;
using test::Pose;
using test::Random;
using test::star_outline;

constexpr double pi = std::numbers::pi;

#if defined(__SANITIZE_ADDRESS__) || !defined(NDEBUG)
constexpr int share = 20;  // one in so many, where the program is slow
#else
constexpr int share = 1;
#endif

// All shapes are of size 0.1 to 3 m. An overlap of this depth is seen and not forgiven.
constexpr double visible = 2e-6;

struct Part {
    std::string body;  // "ground" stays
    Outline outline;
    Pose on_body;
};

struct Case {
    std::string bodies = "format = 1\n", contacts;
    std::vector<Part> parts;
    std::vector<std::array<std::size_t, 2>> pairs;
    double end = 1;
    int rows = 300;  // ten times what a user would ask for
    bool kinematic = false;
    std::optional<bool> meets;  // where it is known

    std::size_t add(const std::string& body, const Outline& outline, Pose on_body = {}) {
        parts.push_back({body, outline, on_body});
        bodies += outline.profile(fmt::format("p{}", parts.size() - 1), body, on_body);
        return parts.size() - 1;
    }
    void touch(std::size_t a, std::size_t b, double restitution) {
        contacts += fmt::format("[contact.C{}]\na = \"p{}\"\nb = \"p{}\"\nrestitution = {:.17g}\n",
                                pairs.size(), a, b, restitution);
        pairs.push_back({a, b});
    }
    void body(const std::string& name, Pose at, Point velocity, double omega) {
        bodies += fmt::format(
            "[body.{}]\nposition = [{:.17g}, {:.17g}]\nangle = {:.17g}\nvelocity = [{:.17g}, "
            "{:.17g}]\nomega = {:.17g}\nmass = 1\ninertia = 0.1\n",
            name, at.at.x, at.at.y, at.angle, velocity.x, velocity.y, omega);
    }
    // Turns about its origin, which is at a point of the ground.
    void pinned(const std::string& name, Pose at, double omega, bool driven = false) {
        bodies += fmt::format(
            "[body.{}]\nposition = [{:.17g}, {:.17g}]\nangle = {:.17g}\n{}mass = "
            "1\ninertia = 0.1\n",
            name, at.at.x, at.at.y, at.angle,
            driven ? "" : fmt::format("omega = {:.17g}\n", omega));
        pins += fmt::format("{} = [{:.17g}, {:.17g}], ", name, at.at.x, at.at.y);
        bodies += fmt::format(
            "[joint.J{0}]\ntype = \"revolute\"\na = \"ground.{0}\"\nb = \"{0}\"\n", name);
        if (driven)
            bodies +=
                fmt::format("[driver.D{0}]\njoint = \"J{0}\"\ntype = \"speed\"\nspeed = {1:.17g}\n",
                            name, omega);
    }
    [[nodiscard]] std::string text(bool with_contacts) const {
        return bodies +
               (pins.empty()
                    ? ""
                    : "[body.ground]\npoints = { " + pins.substr(0, pins.size() - 2) + " }\n") +
               (with_contacts ? contacts : "");
    }
    std::string pins;
};

struct Outcome {
    Trajectory trajectory;
    std::vector<Event> events;
    bool completed = false, jammed = false, audited = true;
    std::string message;
};

Outcome run(const Case& c, bool with_contacts) {
    const PlacedMechanism placed = test::placed_of(c.text(with_contacts));
    Outcome out;
    if (c.kinematic) {
        KinematicResult r = test::run_of(placed, c.end, c.end / c.rows, CoordinateKind::relative);
        out.completed = r.status == KinematicStatus::completed;
        out.jammed = r.status == KinematicStatus::drivers_fight;
        out.trajectory = std::move(r.trajectory);
        out.events = std::move(r.events);
        out.message = r.message;
    } else {
        DynamicOptions options;
        options.end = c.end;
        options.step = c.end / c.rows;
        options.reactions = false;
        DynamicResult r = run_dynamics(placed, options);
        out.completed = r.status == DynamicStatus::completed;
        out.jammed = r.status == DynamicStatus::jam;
        for (const AuditCheck& check : r.audit.checks)
            if (check.name == "penetration" && out.completed) out.audited = check.passed();
        out.trajectory = std::move(r.trajectory);
        out.events = std::move(r.events);
        out.message = r.message;
    }
    return out;
}

// The deepest overlap of a pair over the rows; stops at the first beyond `limit` when told to.
struct Deepest {
    double depth = 0, t = 0;
};
Deepest deepest(const Case& c, const Trajectory& trajectory, std::size_t pair, double stop_beyond) {
    Deepest found;
    const std::array<const Part*, 2> parts{&c.parts[c.pairs[pair][0]], &c.parts[c.pairs[pair][1]]};
    std::array<int, 2> column{};
    for (int k = 0; k < 2; ++k)
        column[k] = parts[k]->body == "ground" ? -1 : trajectory.find(parts[k]->body + ".x");
    for (std::size_t r = 0; r < trajectory.rows(); ++r) {
        std::vector<test::Placed> placed;
        for (int k = 0; k < 2; ++k) {
            Pose pose = parts[k]->on_body;
            if (column[k] >= 0) {
                const auto row = trajectory.row(r).subspan(static_cast<std::size_t>(column[k]), 3);
                const Pose body{{row[0], row[1]}, row[2]};
                pose = {body.of(pose.at), body.angle + pose.angle};
            }
            placed.emplace_back(parts[k]->outline, pose);
        }
        const double depth = overlap_depth(placed[0], placed[1]);
        if (depth > found.depth) found = {depth, trajectory.row(r)[0]};
        if (depth > stop_beyond) break;
    }
    return found;
}

std::string text_of(const Case& c) {
    return fmt::format("{}[run]\nanalysis = \"{}\"\nend = {:.17g}\nstep = {:.17g}\n", c.text(true),
                       c.kinematic ? "kinematics" : "dynamics", c.end, c.end / c.rows);
}

void judge(const Case& c, unsigned seed) {
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, text_of(c)));
    const Outcome with = run(c, true), without = run(c, false);
    EXPECT_TRUE(with.completed || with.jammed) << with.message;
    EXPECT_TRUE(with.audited);
    ASSERT_TRUE(without.completed) << without.message;
    double first_event = INFINITY;
    for (const Event& e : with.events)
        if (e.kind == EventKind::impact || e.kind == EventKind::contact_formed ||
            e.kind == EventKind::jam)
            first_event = std::min(first_event, e.t);
    for (std::size_t i = 0; i < c.pairs.size(); ++i) {
        const double limit = visible + c.parts[c.pairs[i][0]].outline.error() +
                             c.parts[c.pairs[i][1]].outline.error();
        const Deepest in = deepest(c, with.trajectory, i, INFINITY);
        EXPECT_LT(in.depth, limit) << "overlap of pair " << i << " at t = " << in.t;
        const Deepest free = deepest(c, without.trajectory, i, limit);
        if (free.depth > limit) {
            EXPECT_LE(first_event, free.t) << "pair " << i << " would overlap by " << free.depth;
        }
    }
    if (c.meets) {
        EXPECT_EQ(std::isfinite(first_event), *c.meets);
    }
}

void judge_all(int count, unsigned first_seed, const std::function<Case(Random&)>& make) {
    // PAWL_CASE=17: only that one, and its model is shown.
    const char* one = std::getenv("PAWL_CASE");
    const int from = one ? std::atoi(one) : 0, to = one ? from + 1 : count;
    for (int i = from; i < to; i += share) {
        const unsigned seed = first_seed + static_cast<unsigned>(i);
        Random random(seed);
        const Case c = make(random);
        if (one) fmt::print("{}", text_of(c));
        judge(c, seed);
        if (testing::Test::HasFatalFailure()) return;
    }
}

// Anything thrown at anything.
Case flight(Random& random) {
    Case c;
    const double r = random.between(0.1, 0.5), obstacle = random.between(0.1, 1);
    const double reach = r + obstacle + 0.1, from = random.between(-pi, pi);
    const double speed = random.between(0.5, 8);
    const Pose start{polar(reach, from), random.between(-pi, pi)};
    const double aim = from + pi + random.between(-1, 1) * std::asin((r + obstacle) / reach);
    c.body("flyer", start, polar(speed, aim), random.sign() * random.between(0, 12));
    if (random.below(2)) c.bodies += "[force.weight]\ntype = \"gravity\"\n";
    const auto flyer = c.add("flyer", any_outline(random, r));
    const auto rock =
        c.add("ground", any_outline(random, obstacle), {{0, 0}, random.between(-pi, pi)});
    const double restitution = std::array{0.0, 0.5, 1.0}[random.below(3)];
    if (random.below(2))
        c.touch(flyer, rock, restitution);
    else
        c.touch(rock, flyer, restitution);
    c.end = 1.5 * reach / speed;
    return c;
}

// Walls of a thousandth of the size, crossed in far less than a step.
Case thin_wall(Random& random) {
    Case c;
    const double r = random.between(0.05, 0.3), half = random.between(0.4, 1);
    const double speed = std::pow(10, random.between(0, 3)), angle = random.between(-pi, pi);
    const double away = random.between(0.35, 1.5);
    const Pose start{polar(-away, angle) + polar(random.between(-0.9, 0.9) * half, angle + pi / 2),
                     random.between(-pi, pi)};
    c.body("bullet", start, polar(speed, angle + random.between(-0.3, 0.3)),
           random.below(2) ? 0 : random.between(-0.2, 0.2) * speed);
    const auto bullet =
        c.add("bullet", random.below(3) ? any_outline(random, r) : box_outline(r, 1e-3 * r));
    const double thickness = 5e-4;
    const auto wall = c.add("ground", box_outline(thickness, half), {{0, 0}, angle});
    c.touch(wall, bullet, random.below(2) ? 0.0 : 0.8);
    if (random.below(2)) {
        const auto second = c.add("ground", box_outline(thickness, 1.5 * half),
                                  {polar(random.between(0.5, 1) + 2 * r, angle), angle});
        c.touch(second, bullet, 0.5);
    }
    c.end = 3 * away / speed;
    c.rows = 500;
    return c;
}

// A small thing that clips a corner, in and out again between two steps.
Case clipped_corner(Random& random) {
    Case c;
    const int corners = 3 + random.below(3);
    std::vector<Point> points;
    for (int i = 0; i < corners; ++i) points.push_back(polar(0.5, 2 * pi * i / corners));
    const double r = random.between(0.02, 0.1), speed = std::pow(10, random.between(0, 2.5));
    // The path passes the corner at (0.5, 0) by `miss`, across its axis.
    const double depth = std::pow(10, random.between(-5, -1.3)), miss = r + random.sign() * depth;
    const double away = random.between(0.8, 3);
    const Point start{0.5 + miss, -away};
    c.body("ball", {start, 0}, {0, speed}, 0);
    const auto ball = c.add("ball", Outline::circle(r));
    const auto rock = c.add("ground", polygon_of(points));
    c.touch(rock, ball, 1);
    c.meets = miss < r;
    c.end = 2 * away / speed;
    c.rows = 1000;
    return c;
}

// A bar that turns freely and whose tip passes a peg at a hair's breadth, or not.
Case grazing_tip(Random& random) {
    Case c;
    const double long_half = random.between(0.3, 1), thin = long_half * random.between(1e-3, 0.1);
    const double tip = std::hypot(long_half, thin);
    const double gap = random.sign() * std::pow(10, random.between(-6, -3));
    const double where = random.between(-pi, pi), size = random.between(0.05, 0.5);
    // A peg with a corner at tip + gap, pointing to the pivot.
    const Point corner = polar(tip + gap, where);
    const double open = random.between(0.2, 1.2);
    const auto at = [&](double angle) { return corner + polar(size, where + angle); };
    const Point pivot{random.between(-1, 1), random.between(-1, 1)};
    // Not over the peg at the start.
    const double turn = where + pi / 2 + random.between(-0.3, 0.3);
    const double omega = random.sign() * std::pow(10, random.between(0, 2));
    c.kinematic = random.below(4) == 0;
    c.pinned("bar", {pivot, turn}, omega, c.kinematic || random.below(3) == 0);
    const auto bar = c.add("bar", box_outline(long_half, thin));
    const auto peg = c.add("ground", polygon_of({corner, at(-open), at(open)}), {pivot, 0});
    if (random.below(2))
        c.touch(bar, peg, 0.5);
    else
        c.touch(peg, bar, 0.5);
    c.meets = gap < 0;
    c.end = 2 * pi / std::abs(omega);
    c.rows = 1000;
    return c;
}

// Two free bodies whose paths cross while they spin.
Case two_flyers(Random& random) {
    Case c;
    const double ra = random.between(0.1, 0.5), rb = random.between(0.1, 0.5);
    const double speed = std::pow(10, random.between(-0.3, 1.5)), apart = ra + rb + 0.05;
    const double angle = random.between(-pi, pi), distance = random.between(1, 2) * apart;
    const Point drift = polar(random.between(0, 3), random.between(-pi, pi));
    c.body("one", {{0, 0}, random.between(-pi, pi)}, drift, random.between(-5, 5) * speed);
    c.body("two", {polar(distance, angle), random.between(-pi, pi)},
           drift + polar(speed, angle + pi + random.between(-0.6, 0.6)),
           random.between(-5, 5) * speed);
    const auto one = c.add("one", any_outline(random, ra)),
               two = c.add("two", any_outline(random, rb));
    c.touch(one, two, std::array{0.0, 0.7, 1.0}[random.below(3)]);
    c.end = 1.5 * distance / speed;
    return c;
}

// A driven wheel that comes upon a lever, which nothing drives.
Case driven_wheel(Random& random) {
    Case c;
    const double r = random.between(0.2, 0.5), lever = random.between(0.2, 0.5);
    const double distance = (r + lever) * random.between(0.75, 0.95), omega = random.between(1, 30);
    c.kinematic = random.below(2) == 0;
    const Outline teeth = random.below(2) ? star_outline(random, r) : box_outline(r, 0.1 * r),
                  rod = box_outline(lever, lever * random.between(0.005, 0.1));
    Pose at, beside;
    do {
        at = {{0, 0}, random.between(-pi, pi)};
        beside = {{distance, 0}, random.between(-pi, pi)};
    } while (test::overlap_depth({teeth, at}, {rod, beside}) > 0);
    c.pinned("wheel", at, random.sign() * omega, true);
    c.pinned("lever", beside, c.kinematic ? 0 : random.between(-3, 3));
    const auto wheel = c.add("wheel", teeth), bar = c.add("lever", rod);
    c.touch(wheel, bar, 0.5);
    c.end = 4 / omega;
    return c;
}

// In a round room, or a pendulum between two walls.
Case enclosed(Random& random) {
    Case c;
    const double r = random.between(0.05, 0.2), speed = random.between(0.5, 20);
    if (random.below(2)) {
        c.body("captive", {polar(random.between(0, 0.6), random.between(-pi, pi)), 0},
               polar(speed, random.between(-pi, pi)), random.between(-10, 10));
        const auto captive =
            c.add("captive", random.below(2) ? any_outline(random, r) : convex_outline(random, r));
        const auto room = c.add("ground", Outline::circle(1, true));
        c.touch(room, captive, 0.9);
        c.end = 4 / speed;
    } else {
        c.pinned("rod", {{0, 0}, -pi / 2 + random.between(-0.3, 0.3)}, random.sign() * speed);
        const auto rod = c.add("rod", box_outline(1, random.between(1e-3, 0.05)));
        for (const double side : {-1.0, 1.0}) {
            const double angle = -pi / 2 + side * random.between(0.6, 1.4);
            const auto wall = c.add("ground", box_outline(0.2, 5e-4), {polar(0.9, angle), angle});
            c.touch(wall, rod, 0.9);
        }
        c.bodies += "[force.weight]\ntype = \"gravity\"\n";
        c.end = 6 / speed;
    }
    return c;
}

TEST(NoMissedContact, of_shapes_in_flight) { judge_all(250, 1000, flight); }
TEST(NoMissedContact, at_thin_walls) { judge_all(150, 2000, thin_wall); }
TEST(NoMissedContact, at_clipped_corners) { judge_all(100, 3000, clipped_corner); }
TEST(NoMissedContact, of_grazing_tips) { judge_all(150, 4000, grazing_tip); }
TEST(NoMissedContact, between_two_in_flight) { judge_all(150, 5000, two_flyers); }
TEST(NoMissedContact, of_a_driven_wheel_and_a_lever) { judge_all(100, 6000, driven_wheel); }
TEST(NoMissedContact, in_closed_rooms) { judge_all(100, 7000, enclosed); }

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
