#include "families/subjects.h"

#include <cmath>
#include <numbers>

namespace pawl::test {

namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;

// A pendulum with a round bob swings against a wall, which may rub.
Subject pendulum(Random& random) {
    const double l = random.log_between(0.1, 2), radius = l * random.between(0.05, 0.2);
    const double mass = random.log_between(0.1, 10), e = random.between(0, 0.9),
                 mu = random.chance(0.5) ? random.between(0.1, 0.6) : 0,
                 angle = -pi / 2 + random.between(0.3, 1.2), omega = random.between(-4, 0),
                 wall = -l * random.between(0, 0.5),
                 damping = mass * l * l * random.between(0, 0.3);
    const double pin_friction = random.chance(0.4) ? random.between(0.05, 0.3) : 0;
    return {
        "pendulum", 1.5 * std::sqrt(l / 9.81) * 2 * pi, {"rod"}, [=](CopyWriter& w, double speed) {
            w.ground_point("P", {0.1, 0.2});
            w.body({"rod",
                    {0.1, 0.2},
                    angle,
                    0,
                    speed * omega,
                    mass,
                    0.1 * mass * l * l,
                    {0.7 * l, 0.05 * l}});
            w.pin("O", "ground.P", "rod", pin_friction, 0.1 * l);
            w.circle("bob", "rod", {l, 0}, radius);
            w.sides("wall", "ground", {{wall, 0.2 - 3 * l}, {wall, 0.2 + l}});
            w.contact("C", "wall", "bob", e, mu);
            w.joint_spring("O", 0, damping);
            w.gravity();
        }};
}

// A disk is thrown on a slope: it bounces, slides and rolls.
Subject thrown_disk(Random& random) {
    const double r = random.log_between(0.02, 0.5), mass = random.log_between(0.1, 10),
                 slope = random.between(-0.3, 0.3), e = random.between(0, 0.7),
                 mu = random.between(0.05, 0.6), height = r * (1 + random.between(0.2, 2)),
                 spin = random.between(-20, 20), shape = random.between(0.3, 0.9);
    const Complex velocity(random.between(-2, 2), random.between(-1, 0));
    return {"disk", 1, {"disk"}, [=](CopyWriter& w, double speed) {
                const Complex along = std::polar(1.0, slope);
                w.body({"disk", along * Complex(0, height), 0, speed * velocity, speed * spin, mass,
                        shape * mass * r * r});
                w.circle("rim", "disk", 0, r);
                w.sides("slope", "ground", {along * Complex(20, 0), along * Complex(-20, 0)});
                w.contact("C", "slope", "rim", e, mu);
                w.gravity();
            }};
}

// A block on a slope, pushed up: it slides, stops, and stays or slides back.
Subject pushed_block(Random& random) {
    const double b = random.log_between(0.05, 0.5), h = b * random.between(0.2, 0.6),
                 mass = random.log_between(0.1, 10), slope = random.between(0.05, 0.5),
                 mu = random.between(0.1, 0.5), push = random.between(0.5, 2);
    return {
        "block", 1, {"block"}, [=](CopyWriter& w, double speed) {
            const Complex along = std::polar(1.0, slope);
            w.body({"block", 0, slope, speed * push * along, 0, mass, mass * b * b / 3, {0, h}});
            w.sides("block", "block", {{-b, 0}, {b, 0}, {b, 2 * h}, {-b, 2 * h}, {-b, 0}});
            w.sides("slope", "ground", {along * Complex(20, 0), along * Complex(-20, 0)});
            w.contact("C", "slope", "block", 0, mu);
            w.gravity();
        }};
}

// The rocker of a four-bar beats against a stop; friction in its pivots.
Subject beating_fourbar(Random& random) {
    const double c = random.log_between(0.05, 0.5), g = 2.5 * c, k = 2.5 * c, r = 2 * c,
                 crank = random.between(0.8, 1.2), omega = random.between(2, 6),
                 e = random.between(0, 0.8),
                 mu = random.chance(0.5) ? random.between(0.05, 0.2) : 0,
                 mass = random.log_between(0.2, 5), stiffness = mass * 9.81 * c;
    const Complex a = std::polar(c, crank), d(g, 0);
    const double distance = std::abs(a - d),
                 along = (distance * distance + r * r - k * k) / (2 * distance);
    const Complex pin = d + (a - d) / distance * Complex(along, -std::sqrt(r * r - along * along));
    const double coupler = std::arg(pin - a), rocker = std::arg(pin - d);
    // Velocities that fit: of the pin along both bars.
    const double coupler_omega =
                     -omega * c * std::sin(crank - rocker) / (k * std::sin(coupler - rocker)),
                 rocker_omega =
                     omega * c * std::sin(crank - coupler) / (r * std::sin(rocker - coupler));
    // The stop is a disk on ground beside the way of the pin.
    const Complex out = (pin - d) / r, stop = pin + Complex(0, 1) * out * (random.sign() * 0.5 * c);
    return {"fourbar", 1, {"crank", "coupler", "rocker"}, [=](CopyWriter& w, double speed) {
                w.ground_point("O", 0);
                w.ground_point("D", d);
                w.body({"crank",
                        0,
                        crank,
                        0,
                        speed * omega,
                        mass,
                        mass * c * c,
                        {0.5 * c, 0},
                        {{"A", c}}});
                w.body({"coupler",
                        a,
                        coupler,
                        speed * Complex(0, omega) * a,
                        speed * coupler_omega,
                        mass,
                        mass * k * k / 12,
                        {0.5 * k, 0},
                        {{"C", k}}});
                w.body({"rocker",
                        d,
                        rocker,
                        0,
                        speed * rocker_omega,
                        mass,
                        mass * r * r / 12,
                        {0.5 * r, 0},
                        {{"C", r}}});
                w.pin("O", "ground.O", "crank", mu, 0.1 * c);
                w.pin("A", "crank.A", "coupler");
                w.pin("C", "coupler.C", "rocker.C");
                w.pin("D", "ground.D", "rocker");
                w.circle("tip", "rocker", r, 0.1 * c);
                w.circle("stop", "ground", stop, 0.1 * c);
                w.contact("C", "stop", "tip", e, 0);
                w.joint_spring("O", stiffness, 0.02 * stiffness);
                w.gravity();
            }};
}

}  // namespace

Subject random_subject(Random& random) {
    using Draw = Subject (*)(Random&);
    static constexpr Draw kinds[] = {pendulum, thrown_disk, pushed_block, beating_fourbar};
    return kinds[random.below(4)](random);
}

}  // namespace pawl::test
