// Light parts: bodies down to 1e-9 of the mass of their neighbours. Away from singular positions
// accelerations and reactions of every row are those of the balance of forces at that very state,
// to 1e-6, whatever the coordinates and the formulation.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Dense>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "families/circuit.h"
#include "families/dormand_prince.h"

namespace pawl::test {
namespace PAWL_TEST_FILE {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;
constexpr double accuracy = 1e-6;
double cross(Complex a, Complex b) { return a.real() * b.imag() - a.imag() * b.real(); }

// dop853 in every coordinates and formulation.
Combination way(std::uint64_t seed, Random& random) {
    Combination c = combination(seed % 15, random);
    c.rtol = std::pow(10.0, -6 - random.below(5));
    return c;
}

// The forces on the second body of the joints O, B, C, D: C from the moments of all three bars,
// least squares of three equations that agree.
std::array<Complex, 4> pin_forces(const Fourbar& f, const Triple& x, const Triple& v,
                                  const Triple& a) {
    Complex along[3], arm[3], inertial[3];
    double moment[3];  // that the pins must give, about the bar's first pin
    const auto second = [&](Complex z, int i) { return Complex(-v[i] * v[i], a[i]) * z; };
    for (int i = 0; i < 3; ++i) {
        const Bar& bar = f.bars[static_cast<std::size_t>(i)];
        along[i] = std::polar(bar.length, x[i]);
        arm[i] = bar.centre * std::polar(1.0, x[i]);
        inertial[i] = second(arm[i], i) + Complex(0, f.gravity);
        if (i == 1) inertial[i] += second(along[0], 0);
        inertial[i] *= bar.mass;
        moment[i] = bar.inertia * a[i] + cross(arm[i], inertial[i]);
    }
    moment[0] += f.damping * v[0] + cross(along[0], inertial[1]);
    Eigen::Matrix<double, 3, 2> rows;
    Eigen::Vector3d right;
    for (int i = 0; i < 3; ++i) {
        const double sign = i == 2 ? 1 : -1, length = f.bars[static_cast<std::size_t>(i)].length;
        rows.row(i) << -sign * along[i].imag() / length, sign * along[i].real() / length;
        right[i] = moment[i] / length;
    }
    const Eigen::Vector2d c = rows.colPivHouseholderQr().solve(right);
    const Complex at_c(c[0], c[1]), at_b = inertial[1] + at_c;
    return {inertial[0] + at_b, at_b, at_c, inertial[2] - at_c};
}

std::string row_error(const Fourbar& f, const Trajectory& t, std::size_t r) {
    const char* names[] = {"crank", "coupler", "rocker"};
    const char* pins[] = {"O", "B", "C", "D"};
    Triple x, v, a;
    for (std::size_t i = 0; i < 3; ++i) {
        x[i] = value(t, r, std::string(names[i]) + ".angle");
        v[i] = value(t, r, std::string(names[i]) + ".omega");
        a[i] = value(t, r, std::string(names[i]) + ".alpha");
    }
    const Triple w = f.across(x), u = f.direction(x);
    if (f.ground * std::max({std::abs(w[0]), std::abs(w[1]), std::abs(w[2])}) < 0.2) return {};
    double along = 0;
    const double rate = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    const Triple expected = f.acceleration(x, rate, along);
    double scale = rate * rate;
    for (const double e : expected) scale = std::max(scale, std::abs(e));
    for (std::size_t i = 0; i < 3; ++i)
        if (!(std::abs(a[i] - expected[i]) < accuracy * scale))
            return fmt::format("{}.alpha {:.9g} for {:.9g}", names[i], a[i], expected[i]);
    const auto force = pin_forces(f, x, v, expected);
    scale = 0;
    for (const Complex& p : force) scale = std::max(scale, std::abs(p));
    for (std::size_t i = 0; i < 4; ++i) {
        const std::string pin = pins[i];
        const Complex found(value(t, r, pin + ".fx"), value(t, r, pin + ".fy"));
        if (!(std::abs(found - force[i]) < accuracy * scale))
            return fmt::format("{} ({:.9g}, {:.9g}) N for ({:.9g}, {:.9g}) N", pin, found.real(),
                               found.imag(), force[i].real(), force[i].imag());
    }
    return {};
}

// Any four-bar, with at least one light bar and a heavy crank or rocker.
Fourbar light_fourbar(Random& random) {
    for (;;) {
        Fourbar f;
        f.ground = random.log_between(0.3, 2);
        for (Bar& bar : f.bars) {
            bar.length = f.ground * random.log_between(0.3, 2);
            bar.mass =
                random.chance(0.6) ? random.log_between(1e-9, 1e-2) : random.log_between(0.1, 10);
            bar.centre = {bar.length * random.between(0, 1),
                          bar.length * random.between(-0.3, 0.3)};
            bar.inertia = bar.mass * bar.length * bar.length * random.log_between(0.03, 0.3);
        }
        const double heavy = std::max(f.bars[0].mass, f.bars[2].mass);
        if (heavy < 0.1 || std::min({f.bars[0].mass, f.bars[1].mass, f.bars[2].mass}) > 1e-2)
            continue;
        f.start = {random.between(-pi, pi), random.between(-pi, pi), random.between(-pi, pi)};
        f.close(f.start);
        const Complex gap = std::polar(f.bars[0].length, f.start[0]) +
                            std::polar(f.bars[1].length, f.start[1]) -
                            std::polar(f.bars[2].length, f.start[2]) - f.ground;
        f.speed = random.sign() * random.log_between(0.3, 5);
        f.end = 0.5;
        if (random.chance(0.3)) f.damping = heavy * f.ground * f.ground * random.between(0, 0.5);
        if (std::abs(gap) > 1e-13) continue;
        // Not through dead points of what is heavy, where the light parts alone have inertia.
        CircuitMotion motion(f, f.start, f.speed, 1e-10);
        bool fits = true;
        for (int i = 0; fits && i <= 100; ++i) {
            motion.advance(f.end * i / 100);
            const Triple u = f.direction(motion.angles());
            const std::size_t main = f.bars[0].mass > f.bars[2].mass ? 0 : 2;
            fits =
                std::abs(u[main]) > 0.1 && std::abs(motion.rate()) < 30 && motion.nearest() > 0.2;
        }
        if (fits) return f;
    }
}

TEST(LightParts, of_fourbars_get_the_reactions_of_the_balance_of_forces) {
    Family family("light four-bars", 90);
    family.run([](std::uint64_t seed, Random& random) {
        const Combination c = way(seed, random);
        const Fourbar f = light_fourbar(random);
        const std::string text = f.text();
        return Trial{c.label(), text, [=] {
                         const DynamicResult r =
                             run_dynamics(placed_of(text), c.options(f.end, f.end / 20));
                         std::string error;
                         for (std::size_t i = 0; i < r.trajectory.rows() && error.empty(); ++i)
                             error = row_error(f, r.trajectory, i);
                         return judged(r, error);
                     }};
    });
}

// A rocker between two slides: slide 1 at the arm p, slide 2 at the arm -q; a force pulls slide 1.
struct Rocker {
    double p = 0.1, q = 0.1, one = 1, two = 1, mass = 1e-3, inertia = 1e-6, pull = 10;
    [[nodiscard]] std::string text() const {
        return fmt::format(R"(format = 1
[body]
rocker = {{ mass = {2:.17g}, inertia = {3:.17g}, points = {{ P = [{0:.17g}, 0], Q = [{1:.17g}, 0] }} }}
one = {{ position = [{0:.17g}, 0], mass = {4:.17g}, inertia = 1 }}
two = {{ position = [{1:.17g}, 0], mass = {5:.17g}, inertia = 1 }}
[joint]
O = {{ type = "revolute", a = "ground", b = "rocker" }}
g1 = {{ type = "prismatic", bodies = ["ground", "one"], at = [{0:.17g}, 0], axis = "90 deg" }}
g2 = {{ type = "prismatic", bodies = ["ground", "two"], at = [{1:.17g}, 0], axis = "90 deg" }}
s1 = {{ type = "slot", a = "one", b = "rocker.P", axis = 0 }}
s2 = {{ type = "slot", a = "two", b = "rocker.Q", axis = 0 }}
[force.pull]
type = "joint_force"
joint = "g1"
value = "{6:.17g}"
)",
                           p, -q, mass, inertia, one, two, pull);
    }
    // y = p sin x, so y'' = p (cos x x'' - sin x x'^2), and pull p cos x is the moment.
    [[nodiscard]] std::string error(const Trajectory& t, std::size_t r) const {
        const double x = value(t, r, "rocker.angle"), v = value(t, r, "rocker.omega");
        const double c = std::cos(x), s = std::sin(x), m = one * p * p + two * q * q;
        const double a = (pull * p * c + m * c * s * v * v) / (m * c * c + inertia);
        const double up = c * a - s * v * v, scale = std::abs(pull) / m * std::max(p, q);
        const struct {
            const char* name;
            double expected, scale;
        } all[] = {{"rocker.alpha", a, scale},
                   {"one.ay", p * up, scale * p},
                   {"two.ay", -q * up, scale * q},
                   {"s2.fy", two * q * up, std::abs(pull)},
                   {"s1.fy", pull - one * p * up, std::abs(pull)}};
        for (const auto& e : all)
            if (!(std::abs(value(t, r, e.name) - e.expected) < accuracy * e.scale))
                return fmt::format("{} {:.9g} for {:.9g}", e.name, value(t, r, e.name), e.expected);
        return {};
    }
};

TEST(LightParts, of_a_rocker_between_slides_get_the_accelerations_by_hand) {
    Family family("light rockers", 60);
    family.run([](std::uint64_t seed, Random& random) {
        const Combination c = way(seed, random);
        Rocker k;
        k.p = random.log_between(0.05, 0.5);
        k.q = random.log_between(0.05, 0.5);
        k.one = random.log_between(0.1, 10);
        k.two = random.log_between(0.1, 10);
        k.mass = random.log_between(1e-9, 1);
        k.inertia = k.mass * k.p * k.q * random.log_between(0.1, 1);
        const double m = k.one * k.p * k.p + k.two * k.q * k.q;
        // It turns by half a radian.
        const double end = 0.1;
        k.pull = random.sign() * 2 * 0.5 / (end * end) * m / k.p;
        return Trial{c.label(), k.text(), [=] {
                         const DynamicResult r =
                             run_dynamics(placed_of(k.text()), c.options(end, end / 10));
                         std::string error;
                         for (std::size_t i = 0; i < r.trajectory.rows() && error.empty(); ++i)
                             error = k.error(r.trajectory, i);
                         return judged(r, error);
                     }};
    });
}

// A light rod between a heavy crank and a heavy slider that is pushed back. Without the rod's own
// inertia, with x(a) the way of the slider, (I + m x'^2) a'' + m x' x'' a'^2 = F x'.
struct SliderCrank {
    double crank = 0.05, rod = 0.15, inertia = 0.05, slider = 2, push = -5, angle = 0.7, spin = 10;
    double mass = 1e-8, end = 1;
    [[nodiscard]] std::string text() const {
        const double beta = -std::asin(crank / rod * std::sin(angle));
        return fmt::format(R"(format = 1
[body]
crank = {{ angle = {0:.17g}, omega = {1:.17g}, points = {{ B = [{2:.17g}, 0] }}, mass = 5, inertia = {3:.17g} }}
rod = {{ position = [{4:.17g}, {5:.17g}], angle = {6:.17g}, points = {{ A = [{7:.17g}, 0] }}, mass = {8:.17g}, inertia = {9:.17g}, centre = [{10:.17g}, 0] }}
slider = {{ position = [{11:.17g}, 0], mass = {12:.17g}, inertia = 1e-3 }}
[joint]
O = {{ type = "revolute", a = "ground", b = "crank" }}
B = {{ type = "revolute", a = "crank.B", b = "rod" }}
A = {{ type = "revolute", a = "rod.A", b = "slider" }}
guide = {{ type = "prismatic", a = "ground", b = "slider" }}
[force.load]
type = "joint_force"
joint = "guide"
value = "{13:.17g}"
)",
                           angle, spin, crank, inertia, crank * std::cos(angle),
                           crank * std::sin(angle), beta, rod, mass, mass * rod * rod / 22, rod / 2,
                           crank * std::cos(angle) + rod * std::cos(beta), slider, push);
    }
    [[nodiscard]] double last_angle() const {
        const auto rates = [this](const std::array<double, 2>& y) {
            const double s = crank * std::sin(y[0]), c = crank * std::cos(y[0]),
                         q = std::sqrt(rod * rod - s * s);
            const double first = -s - s * c / q,
                         second = -c - (c * c - s * s) / q - s * s * c * c / (q * q * q);
            return std::array{y[1], (push * first - slider * first * second * y[1] * y[1]) /
                                        (inertia + slider * first * first)};
        };
        std::array<double, 2> y{angle, spin};
        double t = 0, h = 1e-4;
        integrate(rates, t, y, end, h, 1e-13, [] {});
        return y[0];
    }
};

TEST(LightParts, of_a_rod_carry_what_a_rod_without_mass_would) {
    Family family("light rods", 45);
    family.run([](std::uint64_t seed, Random& random) {
        const Combination c = way(seed, random);
        SliderCrank k;
        k.crank = random.log_between(0.02, 0.2);
        k.rod = k.crank * random.between(1.5, 4);
        k.inertia = 5 * k.crank * k.crank * random.log_between(1, 20);
        k.slider = random.log_between(0.5, 5);
        k.angle = random.between(-pi, pi);
        k.spin = random.sign() * random.log_between(3, 20);
        k.push = random.between(-1, 1) * k.inertia * k.spin * k.spin / k.crank;
        k.mass = random.log_between(1e-9, 1e-6);
        k.end = 2 * pi / std::abs(k.spin);
        return Trial{c.label(), k.text(), [=] {
                         const DynamicResult r =
                             run_dynamics(placed_of(k.text()), c.options(k.end, k.end / 10));
                         const double found = value(r.trajectory, r.trajectory.rows() - 1,
                                                    "crank.angle"),
                                      expected = k.last_angle();
                         // What the rod weighs beside the others, and the integration.
                         const double room = 1e-5 + 1e3 * c.rtol;
                         const std::string error =
                             std::abs(found - expected) < room
                                 ? ""
                                 : fmt::format("crank.angle {:.9g} for {:.9g}", found, expected);
                         return judged(r, error);
                     }};
    });
}

// A lever with a flat shoe on top of a wheel; it stays level, whatever it weighs. With the pivot at
// (-x, y), a load F at the arm e, the radius R and a wheel that turns with the sign d,
//   N (x + d mu (R - y)) = F e while it slides, N x = F e without friction when it has stopped.
struct Brake {
    double x = 0.3, y = 0.1, radius = 0.2, arm = 0.8, load = 100, mu = 0.4, spin = 0;
    double wheel = 0.5, lever = 1e-6;  // inertias
    [[nodiscard]] std::string text() const {
        return fmt::format(R"(format = 1
[body]
wheel = {{ mass = 1, inertia = {4:.17g}, omega = {9:.17g} }}
lever = {{ position = [{0:.17g}, {1:.17g}], mass = {5:.17g}, inertia = {5:.17g}, points = {{ E = [{3:.17g}, 0] }} }}
[joint]
axle = {{ type = "revolute", a = "ground", b = "wheel" }}
O = {{ type = "revolute", bodies = ["ground", "lever"], at = [{0:.17g}, {1:.17g}] }}
[profile]
wheel = {{ body = "wheel", elements = [{{ type = "circle", radius = {2:.17g} }}] }}
shoe = {{ body = "lever", elements = [{{ type = "line", from = [{10:.17g}, {8:.17g}], to = [{11:.17g}, {8:.17g}] }}] }}
[contact.C]
a = "wheel"
b = "shoe"
friction = {{ kinetic = {6:.17g} }}
[force.hand]
type = "force"
point = "lever.E"
y = {7:.17g}
)",
                           -x, y, radius, arm, wheel, lever, mu, -load, radius - y, spin, 0.9 * x,
                           1.1 * x);
    }
    [[nodiscard]] double sliding_force() const {
        return load * arm / (x + std::copysign(mu, spin) * (radius - y));
    }
    [[nodiscard]] double stop() const {
        return std::abs(spin) * wheel / (mu * sliding_force() * radius);
    }
    [[nodiscard]] std::string error(const Trajectory& t, std::size_t r) const {
        const double stopped = stop(), when = t.row(r)[0];
        if (std::abs(when - stopped) < 1e-6 * stopped) return {};
        const bool slides = when < stopped;
        const double normal = slides ? sliding_force() : load * arm / x,
                     friction = slides ? mu * normal : 0;
        const struct {
            const char* name;
            double expected, scale;
        } all[] = {{"C#1.normal", normal, normal},
                   {"C#1.friction", friction, normal},
                   {"wheel.alpha", -std::copysign(friction * radius / wheel, spin),
                    normal * radius / wheel},
                   {"O.fy", load - normal, normal + load}};
        for (const auto& e : all) {
            const double found = value(t, r, e.name);
            const double expected = e.name == std::string("C#1.friction")
                                        ? std::copysign(e.expected, found)
                                        : e.expected;
            if (!(std::abs(found - expected) < accuracy * e.scale))
                return fmt::format("t = {:.6g}: {} {:.9g} for {:.9g}", when, e.name, found,
                                   expected);
        }
        return {};
    }
};

TEST(LightParts, of_a_brake_lever_press_and_rub_as_by_hand) {
    Family family("light brake levers", 60);
    family.run([](std::uint64_t seed, Random& random) {
        const Combination c = way(seed, random);
        Brake b;
        b.radius = random.log_between(0.05, 0.5);
        b.x = b.radius * random.between(1.2, 3);
        b.y = b.radius * random.between(-0.5, 1.5);
        b.arm = b.x * random.between(0.5, 3);
        b.mu = random.between(0.1, 0.6);
        b.load = random.log_between(1, 1000);
        b.wheel = random.log_between(0.01, 10);
        b.lever = b.wheel * random.log_between(1e-9, 1);
        b.spin = random.chance(0.3) ? 0 : random.sign();
        // It stops within the run.
        const double end = 0.1;
        b.spin *= random.between(0.3, 0.9) * end / std::max(1e-300, b.spin == 0 ? 1 : b.stop());
        return Trial{c.label(), b.text(), [=] {
                         const DynamicResult r =
                             run_dynamics(placed_of(b.text()), c.options(end, end / 10));
                         std::string error;
                         for (std::size_t i = 0; i < r.trajectory.rows() && error.empty(); ++i)
                             error = b.error(r.trajectory, i);
                         return judged(r, error);
                     }};
    });
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl::test
