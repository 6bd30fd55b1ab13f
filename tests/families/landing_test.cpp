// Boxes and bars that land flat, on two corners at once: by hand where nothing rubs, and the same
// when they are mirrored, turned, rescaled, or written in another order.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "families/copies.h"
#include "families/family.h"

namespace pawl::test {
namespace PAWL_TEST_FILE {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi, gravity = 9.81;

struct Landing {
    double half = 0.3, height = 0.1, mass = 1, inertia = 0.1, drop = 0.1, slide = 0;
    Complex centre;
    double restitution = 0, friction = 0;
    std::string law = "newton";
    bool two_pairs = false;  // a bar whose ends are profiles of their own
    [[nodiscard]] double fall() const { return std::sqrt(2 * drop / gravity); }

    // `first`: where the outline begins, which numbers its elements.
    [[nodiscard]] std::string text(const Similarity& s, int first, bool swapped) const {
        CopyWriter out(s);
        CopiedBody body{"box", {0, drop}, 0, {slide, 0}, 0, mass, inertia, centre};
        out.body(body);
        out.sides("floor", "ground", {{20, 0}, {-20, 0}});
        const auto contact = [&](const std::string& name, const std::string& own) {
            out.contact(name, swapped ? own : "floor", swapped ? "floor" : own, restitution,
                        friction, law);
        };
        const Complex low[] = {-half, half};
        if (two_pairs) {
            // Small feet: their lowest corners are the ends of the bar.
            constexpr double foot = 1e-3;
            for (int k = 0; k < 2; ++k) {
                const int end = (k + first) % 2;
                const Complex tip = low[end];
                const std::string name = end == 0 ? "left" : "right";
                out.sides(name, "box",
                          {tip, tip + Complex(foot, foot), tip + Complex(-foot, foot), tip});
                contact("on_" + name, name);
            }
        } else {
            std::vector<Complex> corners = {low[0], low[1], low[1] + Complex(0, height),
                                            low[0] + Complex(0, height)};
            std::rotate(corners.begin(), corners.begin() + first, corners.end());
            corners.push_back(corners.front());
            out.sides("box", "box", corners);
            contact("C", "box");
        }
        out.gravity({0, -gravity});
        return out.text();
    }

    // Velocity of the centre and spin after two corners have struck a floor, without friction, by
    // Newton's law: the one set of impulses that press, and leave no corner closer than it asks.
    [[nodiscard]] Complex by_hand() const {
        const double before = -gravity * fall(),
                     arm[] = {-half - centre.real(), half - centre.real()};
        const auto w = [&](int i, int k) { return 1 / mass + arm[i] * arm[k] / inertia; };
        const double wanted = -(1 + restitution) * before;
        const double det = w(0, 0) * w(1, 1) - w(0, 1) * w(0, 1);
        double p[2] = {wanted * (w(1, 1) - w(0, 1)) / det, wanted * (w(0, 0) - w(0, 1)) / det};
        for (const int i : {0, 1})
            if (p[1 - i] < 0) {
                p[1 - i] = 0;
                p[i] = wanted / w(i, i);
            }
        return {before + (p[0] + p[1]) / mass, (arm[0] * p[0] + arm[1] * p[1]) / inertia};
    }
};

Landing random_landing(Random& random) {
    Landing l;
    l.half = random.log_between(0.05, 1);
    l.height = l.half * random.log_between(0.05, 2);
    l.mass = random.log_between(0.1, 10);
    l.inertia = l.mass * l.half * l.half * random.log_between(0.02, 1);
    l.drop = random.log_between(0.01, 0.5);
    // The centre may be over one corner, or beyond it: then the other needs no impulse.
    if (random.chance(0.7)) l.centre = l.half * random.between(-1.3, 1.3);
    l.centre += Complex(0, random.between(0, 1) * l.height);
    if (random.chance(0.5)) l.slide = random.between(-2, 2);
    if (random.chance(0.5)) l.friction = random.between(0.05, 1);
    if (random.chance(0.4)) l.restitution = random.between(0.1, 0.9);
    l.law = std::array{"newton", "poisson", "stronge"}[static_cast<std::size_t>(random.below(3))];
    l.two_pairs = random.chance(0.4);
    return l;
}

struct Motion {
    Complex position, velocity;
    double angle = 0, omega = 0;
};

// As that of the model before the similarity.
Motion motion_of(const Trajectory& t, std::size_t row, const Similarity& s) {
    const auto read = [&](const char* name) { return value(t, row, std::string("box.") + name); };
    const auto back = [&](Complex v) {
        v *= std::polar(1.0, -s.turn);
        return Complex(v.real(), s.mirror * v.imag()) / s.length;
    };
    return {back(Complex(read("x"), read("y")) - s.move), back({read("vx"), read("vy")}) * s.time,
            s.mirror * (read("angle") - s.turn), s.mirror * read("omega") * s.time};
}

// The last row at the time of the first event.
std::size_t row_after_landing(const DynamicResult& r) {
    std::size_t row = 0;
    while (row + 1 < r.trajectory.rows() && r.trajectory.row(row + 1)[0] <= r.events[0].t) ++row;
    return row;
}

std::string landing_error(const Landing& l, const DynamicResult& r, const Similarity& s) {
    if (r.events.empty()) return "no event";
    if (!(std::abs(r.events[0].t / s.time - l.fall()) < 1e-9 * l.fall())) return "another time";
    if (l.friction > 0 || l.law != "newton") return {};
    const Motion found = motion_of(r.trajectory, row_after_landing(r), s);
    const Complex expected = l.by_hand();
    const double speed = gravity * l.fall();
    // Of the centre, which is beside the origin.
    const double v = found.velocity.imag() + found.omega * l.centre.real();
    if (std::abs(v - expected.real()) < 1e-8 * speed &&
        std::abs(found.omega - expected.imag()) * l.half < 1e-8 * speed)
        return {};
    return fmt::format("after the landing v {:.9g} for {:.9g} m/s, omega {:.9g} for {:.9g} rad/s",
                       v, expected.real(), found.omega, expected.imag());
}

std::string difference(const DynamicResult& a, const DynamicResult& b, const Similarity& s,
                       const Landing& l) {
    const Motion x = motion_of(a.trajectory, row_after_landing(a), {}),
                 y = motion_of(b.trajectory, row_after_landing(b), s);
    const double speed = gravity * l.fall() + std::abs(l.slide), room = 1e-8 * speed;
    if (std::abs(x.velocity - y.velocity) < room && std::abs(x.omega - y.omega) * l.half < room &&
        std::abs(x.position - y.position) < 1e-8 * l.half && std::abs(x.angle - y.angle) < 1e-8)
        return {};
    return fmt::format(
        "the copy leaves the floor with ({:.9g}, {:.9g}) m/s, {:.9g} rad/s for "
        "({:.9g}, {:.9g}) m/s, {:.9g} rad/s",
        y.velocity.real(), y.velocity.imag(), y.omega, x.velocity.real(), x.velocity.imag(),
        x.omega);
}

// Two corners down at once, one of which may have no impulse: the audit judges the one that has.
TEST(Landings, flat_on_two_corners_are_as_by_hand_and_alike_in_every_copy) {
    Family("flat landings", 120).run([](std::uint64_t seed, Random& random) {
        const Landing l = random_landing(random);
        Similarity s;
        if (random.chance(0.5)) s.mirror = -1;
        if (random.chance(0.3)) s.turn = random.between(-pi, pi);
        if (random.chance(0.3)) s.length = std::array{1e-3, 1e3}[random.below(2)];
        if (random.chance(0.3)) s.mass = 1e3;
        Combination c = combination(seed % 15, random);
        c.rtol = 1e-10;
        const std::string text = l.text({}, 0, false);
        const std::string copy =
            l.text(s, 1 + random.below(l.two_pairs ? 1 : 3), random.chance(0.5));
        const std::string label =
            fmt::format("{} {} {}", l.law, l.friction > 0 ? "rough" : "smooth", c.label());
        return Trial{label, text + "# and its copy\n" + copy, [=] {
                         const double end = 1.5 * l.fall();
                         const DynamicResult a =
                             run_dynamics(placed_of(text), c.options(end, end / 10));
                         const Judgement first = judged(a, landing_error(l, a, {}));
                         if (first.verdict != Verdict::agrees) return first;
                         const DynamicResult b = run_dynamics(
                             placed_of(copy), c.options(end * s.time, end / 10 * s.time));
                         std::string error = landing_error(l, b, s);
                         if (error.empty()) error = difference(a, b, s, l);
                         return judged(b, error);
                     }};
    });
}

// A disk that rolls and bounces down a slope, its impacts dying away. About the line of the floor
// friction has no moment, so that (I + m r^2) w = I w0 + m r v0 + m r g sin(a) t - s (m g cos(a) t
// - m u0) once it rolls, whatever its hops were: s is the arm of the rolling moment, u0 the first
// velocity away from the floor. Rebounds that are brought to rest have no friction left of a
// rebound.
TEST(Landings, that_die_away_leave_the_spin_of_the_balance_of_moments) {
    constexpr double m = 0.86, inertia = 5.3e-3, r = 0.11, slope = 0.3, s = 0.005, v0 = 1, u0 = 0.2,
                     end = 0.9;
    for (const char* capture : {"", ", capture = 1e-2", ", capture = 1e-4", ", capture = 1e-6"}) {
        const std::string text = fmt::format(
            R"(format = 1
body.disk = {{ position = [0, 0.2], velocity = [{}, {}], omega = {:.17g}, mass = {}, inertia = {} }}
profile.floor = {{ body = "ground", elements = [{{ type = "line", from = [20, 0], to = [-20, 0] }}] }}
profile.disk = {{ body = "disk", elements = [{{ type = "circle", radius = {} }}] }}
contact.C = {{ a = "floor", b = "disk", restitution = 0.5, friction = {{ kinetic = 0.8, rolling = {} }}{} }}
force.weight = {{ type = "gravity", acceleration = [{:.17g}, {:.17g}] }}
)",
            v0, u0, -v0 / r, m, inertia, r, s, capture, gravity * std::sin(slope),
            -gravity * std::cos(slope));
        DynamicOptions options;
        options.end = end;
        options.rtol = options.atol = 1e-11;
        const DynamicResult result = run_dynamics(placed_of(text), options);
        EXPECT_EQ(judged(result, {}).verdict, Verdict::agrees) << capture;
        const double expected =
            (inertia * v0 / r + m * r * v0 + m * r * gravity * std::sin(slope) * end -
             s * (m * gravity * std::cos(slope) * end - m * u0)) /
            (inertia + m * r * r);
        const std::size_t last = result.trajectory.rows() - 1;
        EXPECT_NEAR(value(result.trajectory, last, "disk.omega"), -expected, 1e-9 * expected)
            << capture;
        EXPECT_NEAR(value(result.trajectory, last, "disk.vx"), r * expected, 1e-9) << capture;
        EXPECT_EQ(value(result.trajectory, last, "C#1.closed"), 1) << capture;
    }
}

// A plate that bounces to rest on a floor, and a ball that bounces on the plate meanwhile and after
// it: impacts of one accumulate among those of the other. The times are those of the two heights
// alone, parabolas and impacts of two masses in a row, the last flights below 1e-9 m/s summed up.
TEST(Landings, that_die_away_among_each_other_end_when_the_two_heights_say) {
    const struct {
        double floor, plate, ends, ball_ends;
    } cases[] = {{0.5, 0.5, 0.27317760241876, 0.32688278703241},
                 {0.5, 0.3, 0.27191960148297, 0.27516289596552},
                 {0.3, 0.6, 0.16770878093756, 0.69949741678267},
                 {0.7, 0.5, 0.50317352254490, 0.61530545967572}};
    for (const auto& c : cases) {
        const PlacedMechanism placed = placed_of(fmt::format(R"(format = 1
body.plate = {{ position = [0, 0.05], mass = 10, inertia = 1 }}
body.ball = {{ position = [0, 0.2], mass = 0.1, inertia = 1e-4 }}
joint.g = {{ type = "prismatic", a = "ground", b = "plate", axis = "90 deg" }}
joint.h = {{ type = "prismatic", a = "ground", b = "ball", axis = "90 deg" }}
profile.floor = {{ body = "ground", elements = [{{ type = "line", from = [1, 0], to = [-1, 0] }}] }}
profile.foot = {{ body = "plate", elements = [{{ type = "circle", radius = 0.01 }}] }}
profile.top = {{ body = "plate", elements = [{{ type = "line", from = [0.5, 0.03], to = [-0.5, 0.03] }}] }}
profile.ball = {{ body = "ball", elements = [{{ type = "circle", radius = 0.01 }}] }}
contact.F = {{ a = "floor", b = "foot", restitution = {} }}
contact.B = {{ a = "top", b = "ball", restitution = {} }}
force.w = {{ type = "gravity" }}
)",
                                                             c.floor, c.plate));
        DynamicOptions options;
        options.end = 1;
        options.rtol = options.atol = 1e-11;
        const DynamicResult r = run_dynamics(placed, options);
        EXPECT_EQ(judged(r, {}).verdict, Verdict::agrees);
        std::vector<double> formed;
        for (const Event& e : r.events)
            if (e.kind == EventKind::contact_formed) formed.push_back(e.t);
        ASSERT_EQ(formed.size(), 2);
        EXPECT_NEAR(formed[0], c.ends, 1e-11);
        EXPECT_NEAR(formed[1], c.ball_ends, 1e-11);
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl::test
