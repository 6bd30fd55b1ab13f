// Transitions without a run: bodies that touch at a moment, with velocities and weights, and what
// closed forms say of the moment after. Each case also mirrored, turned and moved, in other units,
// and with bodies, contacts and their two sides in the other order.
#include <cmath>
#include <complex>
#include <map>

#include <gtest/gtest.h>

#include "families/copies.h"
#include "simulation/event_cycle/transition.h"
#include "simulation/placement/initial_velocities.h"
#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Complex = std::complex<double>;
constexpr double g = 9.81;

struct Thing {
    test::CopiedBody body;
    double radius = 0;             // of a disk
    double width = 0, height = 0;  // of a box
};

// What is expected of a pair of profiles: its points that are closed, and those that stick of them;
// -1: not told.
struct Pair {
    std::string a, b;
    int closed = 0, sticking = 0;
};

struct Case {
    std::string name;
    std::vector<Thing> things;
    std::vector<std::vector<Complex>> walls;  // of the ground: w0, w1, ...
    double friction = 0, restitution = 0;
    Complex gravity = {0, -g};
    std::vector<Pair> pairs;
    std::map<std::string, std::pair<Complex, double>> after;  // velocity and spin of each body
};

Thing disk(const std::string& name, double radius, Complex at, Complex velocity = {},
           double omega = 0, double mass = 2) {
    return {{name, at, 0, velocity, omega, mass, 0.5 * mass * radius * radius}, radius};
}

Thing box(double width, double height, Complex velocity = {}) {
    const double mass = 2, inertia = mass * (width * width + height * height) / 12;
    return {{"box", {0.2, 0.5 * height}, 0, velocity, 0, mass, inertia}, 0, width, height};
}

const std::vector<Complex> floor_line = {{9, 0}, {-9, 0}};

struct Variant {
    const char* name;
    test::Similarity similarity;
    bool reversed = false;
};

const Variant variants[] = {{"as it is", {}},
                            {"mirrored", {0, -1}},
                            {"turned and moved", {0.7, 1, {2, -3}}},
                            {"in other units", {0, 1, {}, 7, 0.3, 2.5}},
                            {"in the other order", {}, true},
                            {"all of it", {-2.1, -1, {1, 4}, 0.02, 30, 0.1}, true}};

std::string text_of(const Case& c, const Variant& variant) {
    test::CopyWriter out(variant.similarity);
    auto things = c.things;
    auto pairs = c.pairs;
    if (variant.reversed) {
        std::reverse(things.begin(), things.end());
        std::reverse(pairs.begin(), pairs.end());
        for (Pair& pair : pairs) std::swap(pair.a, pair.b);
    }
    for (const Thing& thing : things) {
        out.body(thing.body);
        const std::string& name = thing.body.name;
        const double w = 0.5 * thing.width, h = 0.5 * thing.height;
        if (thing.radius > 0)
            out.circle(name, name, {}, thing.radius);
        else
            out.sides(name, name, {{-w, -h}, {w, -h}, {w, h}, {-w, h}, {-w, -h}});
    }
    for (std::size_t i = 0; i < c.walls.size(); ++i)
        out.sides("w" + std::to_string(i), "ground", c.walls[i]);
    for (const Pair& pair : pairs)
        out.contact(std::min(pair.a, pair.b) + "_" + std::max(pair.a, pair.b), pair.a, pair.b,
                    c.restitution, c.friction);
    if (c.gravity != Complex()) out.gravity(c.gravity);
    return out.text();
}

void judge(const Case& c, const Variant& variant) {
    SCOPED_TRACE(c.name + ", " + variant.name);
    const auto& s = variant.similarity;
    const PlacedMechanism placed = test::placed_of(text_of(c, variant));
    DynamicSystems systems(placed, {}, Formulation::multipliers, {}, {}, 20000);
    ContactWorld world(placed, systems, ContactProblem::Impacts::simultaneous);
    DynamicSystem& first = *world.system_of(world.first);
    State state;
    state.q = first.equations->coordinates().from_positions(placed.assembly.positions);
    first.equations->set_position(state.q, 0);
    ASSERT_TRUE(first.equations->set_inertia());
    state.v = initial_velocities(placed, *first.equations, state.q, nullptr);
    state.z.assign(first.dynamics->auxiliary_size(), 0.0);
    ContactOccurrence starts;
    starts.kind = ContactOccurrence::Kind::starts;
    const Mode before = world.first;
    const Transition next = transition(world, before, state, starts);
    EXPECT_EQ(next.outcome, Transition::Outcome::changed) << next.message;
    EXPECT_TRUE(before == world.first);

    const double speed = s.length / s.time;
    auto& coordinates = first.equations->coordinates();
    coordinates.set_position(next.state.q);
    coordinates.set_velocity(next.state.v);
    for (std::size_t b = 0; b < placed.mechanism.bodies.size(); ++b) {
        const auto expected = c.after.find(placed.mechanism.bodies[b].name);
        if (expected == c.after.end()) continue;
        const auto velocity = coordinates.velocity(static_cast<int>(b));
        const Complex v = speed * s.vector(expected->second.first);
        EXPECT_NEAR(velocity.v.x, v.real(), 1e-9 * speed) << expected->first;
        EXPECT_NEAR(velocity.v.y, v.imag(), 1e-9 * speed) << expected->first;
        EXPECT_NEAR(velocity.omega, s.mirror * expected->second.second / s.time, 1e-9 / s.time)
            << expected->first;
    }
    for (const Pair& pair : c.pairs) {
        const std::string name = std::min(pair.a, pair.b) + "_" + std::max(pair.a, pair.b);
        int closed = 0, sticking = 0;
        for (const Mode::Point& point : next.mode.closed)
            closed += world.pair_of(point).name == name;
        for (const FrictionMode& friction : next.mode.friction) {
            const FrictionPointName of = next.mode.name_of(friction);
            sticking += friction.direction == 0 &&
                        placed.mechanism.contacts[static_cast<std::size_t>(of.pair)].name == name;
        }
        EXPECT_EQ(closed, pair.closed) << name;
        if (pair.sticking >= 0) {
            EXPECT_EQ(sticking, pair.sticking) << name;
        }
    }
    Mode read;
    ASSERT_TRUE(from_json(to_json(next.mode), read));
    EXPECT_TRUE(read == next.mode);
    EXPECT_EQ(hash_of(read), hash_of(next.mode));
}

std::size_t judge_all(const std::vector<Case>& cases) {
    for (const Case& c : cases)
        for (const Variant& variant : variants) judge(c, variant);
    return cases.size();
}

std::string text(const char* what, std::initializer_list<double> numbers) {
    std::string out = what;
    for (const double number : numbers) out += fmt::format(" {:g}", number);
    return out;
}

TEST(TransitionTable, disks_strike_the_floor) {
    std::vector<Case> cases;
    for (const double e : {0.0, 0.3, 0.5, 0.8, 1.0})
        cases.push_back({text("smooth, e", {e}),
                         {disk("d", 0.1, {0.4, 0.1}, {0.7, -1}, 3)},
                         {floor_line},
                         0,
                         e,
                         {0, -g},
                         {{"w0", "d", e == 0, 0}},
                         {{"d", {{0.7, e}, 3}}}});
    // The slip of the touching point is v + r w. To stop it takes m u/3 of impulse, since the
    // response of a solid disk is 1/m + r^2/I = 3/m.
    for (const double mu : {0.1, 0.3, 0.6})
        for (const double e : {0.0, 0.5})
            for (const auto& [v, w] : {std::pair{1.0, 0.0}, {-2.0, 5.0}, {0.0, 20.0}}) {
                const double r = 0.1, slip = v + r * w, friction_limit = mu * (1 + e);
                const double p = std::clamp(-slip / 3, -friction_limit, friction_limit);  // over m
                const bool stops = std::abs(slip) / 3 < friction_limit;
                cases.push_back({text("rough, mu e v w", {mu, e, v, w}),
                                 {disk("d", r, {0.4, r}, {v, -1}, w)},
                                 {floor_line},
                                 mu,
                                 e,
                                 {0, -g},
                                 {{"w0", "d", e == 0, e == 0 && stops}},
                                 {{"d", {{v + p, e}, w + 2 * p / r}}}});
            }
    EXPECT_EQ(judge_all(cases), 23u);
}

TEST(TransitionTable, what_rests_on_an_incline) {
    std::vector<Case> cases;
    for (const double degrees : {10.0, 30.0, 50.0})
        for (const double mu : {0.1, 0.3, 0.6}) {
            const Complex weight = std::polar(g, -M_PI / 2 - degrees * M_PI / 180);
            const double slope = std::tan(degrees * M_PI / 180);
            // A disk rolls down with a third of the weight's part along the slope as friction.
            cases.push_back({text("disk, angle mu", {degrees, mu}),
                             {disk("d", 0.1, {0.4, 0.1})},
                             {floor_line},
                             mu,
                             0.5,
                             weight,
                             {{"w0", "d", 1, slope < 3 * mu}},
                             {{"d", {{}, 0}}}});
        }
    for (const double degrees : {10.0, 30.0, 50.0})
        for (const double mu : {0.2, 0.8})
            for (const double ratio : {0.4, 1.0, 2.0}) {
                const Complex weight = std::polar(g, -M_PI / 2 - degrees * M_PI / 180);
                const double slope = std::tan(degrees * M_PI / 180);
                // The friction that acts along the floor turns it over an edge when it is more than
                // width over height of the weight's part across.
                const double along = std::min(slope, mu);
                const bool stands = along < ratio, sticks = slope < mu;
                const Pair stand{"w0", "box", 2, sticks ? 2 : 0}, tip{"w0", "box", 1, -1};
                cases.push_back({text("box, angle mu ratio", {degrees, mu, ratio}),
                                 {box(0.1 * ratio, 0.1)},
                                 {floor_line},
                                 mu,
                                 0.5,
                                 weight,
                                 {stands ? stand : tip},
                                 {{"box", {{}, 0}}}});
            }
    EXPECT_EQ(judge_all(cases), 27u);
}

TEST(TransitionTable, several_contacts_at_once) {
    std::vector<Case> cases;
    for (const double e : {0.0, 0.3, 0.5, 0.8, 1.0})
        cases.push_back({text("box lands flat, e", {e}),
                         {box(0.2, 0.1, {0.3, -1})},
                         {floor_line},
                         0,
                         e,
                         {0, -g},
                         {{"w0", "box", e == 0 ? 2 : 0, 0}},
                         {{"box", {{0.3, e}, 0}}}});
    // Two disks head on: momentum and v2 - v1 = e.
    for (const double e : {0.0, 0.5, 1.0})
        for (const double ratio : {1.0, 3.0, 10.0}) {
            const double v1 = (1 - e * ratio) / (1 + ratio), v2 = (1 + e) / (1 + ratio);
            cases.push_back(
                {text("head on, e ratio", {e, ratio}),
                 {disk("d", 0.1, {0, 0}, {1, 0}, 0, 1), disk("f", 0.1, {0.2, 0}, {}, 0, ratio)},
                 {},
                 0,
                 e,
                 {},
                 {{"d", "f", 0, 0}},
                 {{"d", {{v1, 0}, 0}}, {"f", {{v2, 0}, 0}}}});
        }
    // Three in a row at once: 2 p1 - p2 = 1 + e, 2 p2 - p1 = 0.
    for (const double e : {0.0, 0.5, 1.0})
        cases.push_back(
            {text("three in a row, e", {e}),
             {disk("d", 0.1, {0, 0}, {1, 0}), disk("f", 0.1, {0.2, 0}), disk("h", 0.1, {0.4, 0})},
             {},
             0,
             e,
             {},
             {{"d", "f", 0, 0}, {"f", "h", 0, 0}},
             {{"d", {{1 - 2 * (1 + e) / 3, 0}, 0}},
              {"f", {{(1 + e) / 3, 0}, 0}},
              {"h", {{(1 + e) / 3, 0}, 0}}}});
    const double h = 0.1 * std::sqrt(2.0);
    const std::vector<std::vector<Complex>> groove = {{{9, 9}, {0, 0}}, {{0, 0}, {-9, 9}}};
    for (const double e : {0.0, 0.6, 1.0})
        cases.push_back({text("falls into a groove, e", {e}),
                         {disk("d", 0.1, {0, h}, {0, -1})},
                         groove,
                         0,
                         e,
                         {0, -g},
                         {{"w0", "d", e == 0, 0}, {"w1", "d", e == 0, 0}},
                         {{"d", {{0, e}, 0}}}});
    // Friction holds a spinning disk in a groove only if its two moments can.
    for (const double mu : {0.1, 0.5})
        cases.push_back({text("rests in a groove, mu", {mu}),
                         {disk("d", 0.1, {0, h})},
                         groove,
                         mu,
                         0.5,
                         {0, -g},
                         {{"w0", "d", 1, 1}, {"w1", "d", 1, 1}},
                         {{"d", {{}, 0}}}});
    EXPECT_EQ(judge_all(cases), 22u);
}

TEST(TransitionTable, what_parts_stays_open) {
    EXPECT_EQ(judge_all({{"leaves",
                          {disk("d", 0.1, {0, 0.1}, {0.2, 0.5}, 1)},
                          {floor_line},
                          0.3,
                          0.5,
                          {0, -g},
                          {{"w0", "d", 0, 0}},
                          {{"d", {{0.2, 0.5}, 1}}}},
                         {"is lifted",
                          {disk("d", 0.1, {0, 0.1})},
                          {floor_line},
                          0.3,
                          0.5,
                          {0, g},
                          {{"w0", "d", 0, 0}},
                          {{"d", {{}, 0}}}},
                         {"is not pressed",
                          {disk("d", 0.1, {0, 0.1}, {0.4, 0}, 2)},
                          {floor_line},
                          0.3,
                          0.5,
                          {},
                          {{"w0", "d", 0, 0}},
                          {{"d", {{0.4, 0}, 2}}}}}),
              3u);
}

TEST(Mode, is_not_read_from_other_text) {
    Mode mode;
    mode.begun = true;
    for (const char* text : {"", "{", "[]", "{\"closed\": 3}", "{\"permanent\": [{}]}"})
        EXPECT_FALSE(from_json(text, mode)) << text;
    EXPECT_TRUE(mode.begun);
}

// A disk that presses on a soft floor, another that flies: nothing is to be decided.
TEST(TransitionTable, a_disturbance_leaves_compliant_contacts_as_they_are) {
    const PlacedMechanism placed = test::placed_of(R"(format = 1
force.weight = { type = "gravity" }
profile.floor = { body = "ground", elements = [{ type = "line", from = [9, 0], to = [-9, 0] }] }
body.a = { position = [0, 0.0999], mass = 1, inertia = 0.005 }
body.b = { position = [1, 0.5], mass = 1, inertia = 0.005 }
profile.a = { body = "a", elements = [{ type = "circle", radius = 0.1 }] }
profile.b = { body = "b", elements = [{ type = "circle", radius = 0.1 }] }
contact.A = { a = "floor", b = "a", law = "kelvin_voigt", stiffness = 1e5, damping = 10 }
contact.B = { a = "floor", b = "b", law = "kelvin_voigt", stiffness = 1e5, damping = 10 }
)");
    DynamicSystems systems(placed, {}, Formulation::multipliers, {}, {}, 20000);
    ContactWorld world(placed, systems, ContactProblem::Impacts::simultaneous);
    DynamicSystem& first = *world.system_of(world.first);
    State state;
    state.q = first.equations->coordinates().from_positions(placed.assembly.positions);
    state.v.assign(state.q.size(), 0.0);
    first.equations->set_position(state.q, 0);
    ASSERT_TRUE(first.equations->set_inertia());
    state.z.assign(first.dynamics->auxiliary_size(), 0.0);
    ContactOccurrence occurrence;
    occurrence.kind = ContactOccurrence::Kind::starts;
    const Transition begun = transition(world, world.first, state, occurrence);
    ASSERT_EQ(begun.outcome, Transition::Outcome::changed) << begun.message;
    ASSERT_EQ(begun.mode.closed.size(), 1U);
    world.system_of(begun.mode)->equations->set_motion(state.q, state.v, 0);
    occurrence.kind = ContactOccurrence::Kind::is_disturbed;
    const Transition next = transition(world, begun.mode, begun.state, occurrence);
    EXPECT_EQ(next.outcome, Transition::Outcome::unchanged) << next.message;
    EXPECT_TRUE(next.events.empty());
    // But for where the search begins next time.
    Mode expected = begun.mode;
    std::copy_n(next.mode.closed.at(0).near, 2, expected.closed[0].near);
    EXPECT_EQ(to_json(next.mode), to_json(expected));
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
