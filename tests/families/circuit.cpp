#include "families/circuit.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "families/dormand_prince.h"

namespace pawl::test {

namespace {

using Complex = std::complex<double>;

double size(const Triple& x) { return std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }
double product(Complex a, Complex b) { return a.real() * b.real() + a.imag() * b.imag(); }

}  // namespace

Triple Fourbar::across(const Triple& x) const {
    return {std::sin(x[1] - x[2]) / bars[0].length, std::sin(x[2] - x[0]) / bars[1].length,
            std::sin(x[1] - x[0]) / bars[2].length};
}

Triple Fourbar::direction(const Triple& x) const {
    Triple w = across(x);
    const double length = size(w);
    for (double& c : w) c /= length;
    return w;
}

Triple Fourbar::acceleration(const Triple& x, double rate, double& along) const {
    const double a = bars[0].length, b = bars[1].length, c = bars[2].length;
    const Triple u = direction(x);
    Triple turn{std::cos(x[1] - x[2]) * (u[1] - u[2]) / a,
                std::cos(x[2] - x[0]) * (u[2] - u[0]) / b,
                std::cos(x[1] - x[0]) * (u[1] - u[0]) / c};
    const double dot = u[0] * turn[0] + u[1] * turn[1] + u[2] * turn[2], length = size(across(x));
    for (int i = 0; i < 3; ++i) turn[i] = (turn[i] - u[i] * dot) / length;

    // Of the point z on a bar at angle x_i: displacement along u, and acceleration without s''.
    const auto moved = [&](Complex z, int i) {
        return Complex(0, u[i]) * z * std::polar(1.0, x[i]);
    };
    const auto bent = [&](Complex z, int i) {
        return Complex(-u[i] * u[i], turn[i]) * rate * rate * z * std::polar(1.0, x[i]);
    };
    double inertia = 0, force = -damping * u[0] * u[0] * rate;
    for (int i = 0; i < 3; ++i) {
        const Bar& bar = bars[static_cast<std::size_t>(i)];
        Complex p = moved(bar.centre, i), q = bent(bar.centre, i);
        if (i == 1) {
            p += moved(a, 0);
            q += bent(a, 0);
        }
        inertia += bar.mass * std::norm(p) + bar.inertia * u[i] * u[i];
        force -= bar.mass * (product(p, q) + gravity * p.imag()) +
                 bar.inertia * u[i] * turn[i] * rate * rate;
    }
    along = force / inertia;
    Triple second;
    for (int i = 0; i < 3; ++i) second[i] = u[i] * along + turn[i] * rate * rate;
    return second;
}

void Fourbar::close(Triple& x) const {
    const double a = bars[0].length, b = bars[1].length, c = bars[2].length;
    for (int pass = 0; pass < 20; ++pass) {
        const Complex gap =
            std::polar(a, x[0]) + std::polar(b, x[1]) - std::polar(c, x[2]) - ground;
        if (std::abs(gap) < 1e-15 * ground) return;
        const Complex g[3] = {Complex(0, 1) * std::polar(a, x[0]),
                              Complex(0, 1) * std::polar(b, x[1]),
                              -Complex(0, 1) * std::polar(c, x[2])};
        double xx = 0, xy = 0, yy = 0;
        for (const Complex& column : g) {
            xx += column.real() * column.real();
            xy += column.real() * column.imag();
            yy += column.imag() * column.imag();
        }
        const double det = xx * yy - xy * xy;
        const Complex pull((yy * gap.real() - xy * gap.imag()) / det,
                           (xx * gap.imag() - xy * gap.real()) / det);
        for (int i = 0; i < 3; ++i) x[i] -= product(g[i], pull);
    }
}

std::string Fourbar::text() const {
    const Triple u = direction(start);
    const Complex pin = std::polar(bars[0].length, start[0]),
                  pin_speed = Complex(0, u[0] * speed) * pin;
    const char* names[] = {"crank", "coupler", "rocker"};
    std::string t =
        fmt::format("format = 1\n[body.ground]\npoints = {{ D = [{:.17g}, 0] }}\n", ground);
    for (std::size_t i = 0; i < 3; ++i) {
        const Bar& bar = bars[i];
        const Complex at = i == 0 ? 0 : i == 1 ? pin : ground, v = i == 1 ? pin_speed : 0;
        t += fmt::format(
            "[body.{}]\nposition = [{:.17g}, {:.17g}]\nangle = {:.17g}\nvelocity = [{:.17g}, "
            "{:.17g}]\nomega = {:.17g}\npoints = {{ B = [{:.17g}, 0] }}\nmass = {:.17g}\n"
            "centre = [{:.17g}, {:.17g}]\ninertia = {:.17g}\n",
            names[i], at.real(), at.imag(), start[i], v.real(), v.imag(), u[i] * speed, bar.length,
            bar.mass, bar.centre.real(), bar.centre.imag(), bar.inertia);
    }
    t += R"([joint]
O = { type = "revolute", a = "ground", b = "crank" }
D = { type = "revolute", a = "ground.D", b = "rocker" }
B = { type = "revolute", a = "crank.B", b = "coupler" }
C = { type = "revolute", a = "coupler.B", b = "rocker.B" }
)";
    if (gravity != 0) t += "[force.weight]\ntype = \"gravity\"\n";
    if (damping != 0)
        t += fmt::format(
            "[force.drag]\ntype = \"joint_spring\"\njoint = \"O\"\ndamping = {:.17g}\n", damping);
    return t;
}

CircuitMotion::CircuitMotion(const Fourbar& fourbar, Triple start, double speed, double tolerance)
    : fourbar_(fourbar), tolerance_(tolerance), y_{start[0], start[1], start[2], speed} {}

void CircuitMotion::advance(double t) {
    const auto rates = [this](const std::array<double, 4>& y) {
        const Triple x{y[0], y[1], y[2]}, u = fourbar_.direction(x);
        double along = 0;
        fourbar_.acceleration(x, y[3], along);
        return std::array<double, 4>{u[0] * y[3], u[1] * y[3], u[2] * y[3], along};
    };
    nearest_ = 1e9;
    integrate(rates, t_, y_, t, h_, tolerance_, [this] {
        Triple x = angles();
        fourbar_.close(x);
        std::copy(x.begin(), x.end(), y_.begin());
        nearest_ = std::min(nearest_, size(fourbar_.across(x)) * fourbar_.ground);
    });
}

CircuitCourse course(const Fourbar& fourbar) {
    CircuitCourse c;
    constexpr double small = 1e-5;
    Triple ahead_start = fourbar.start;
    const Triple u = fourbar.direction(ahead_start);
    for (int i = 0; i < 3; ++i) ahead_start[i] += small * u[i];
    fourbar.close(ahead_start);
    CircuitMotion motion(fourbar, fourbar.start, fourbar.speed, 1e-12),
        faster(fourbar, fourbar.start, fourbar.speed * (1 + small), 1e-12),
        ahead(fourbar, ahead_start, fourbar.speed, 1e-12);
    constexpr int intervals = 200;
    double last = 1e9;
    bool is_near = false;
    for (int i = 1; i <= intervals; ++i) {
        const double t = fourbar.end * i / intervals;
        for (CircuitMotion* m : {&motion, &faster, &ahead}) m->advance(t);
        c.fastest = std::max(c.fastest, std::abs(motion.rate()));
        if (std::min(last, motion.nearest()) > 0.2)  // out of reach of a turn
            for (int k = 0; k < 3; ++k)
                c.sensitivity = std::max(
                    {c.sensitivity, std::abs(faster.angles()[k] - motion.angles()[k]) / small,
                     std::abs(ahead.angles()[k] - motion.angles()[k]) / small});
        last = motion.nearest();
        const bool now_near = motion.nearest() < 0.05;
        if (now_near && !is_near) {
            ++c.turns;
            c.last_turn = t;
        }
        if (now_near) c.slowest_turn = std::min(c.slowest_turn, std::abs(motion.rate()));
        is_near = now_near;
    }
    return c;
}

}  // namespace pawl::test
