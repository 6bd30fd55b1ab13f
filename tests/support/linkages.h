// Linkages with known motion as model text: parallelogram ladders, and the closed form of a
// four-bar.
#pragma once

#include <cmath>
#include <complex>
#include <string>

namespace pawl::test {

// A ladder of `windows` parallelograms: uprights of 0.1 m on ground pivots 0.3 m apart, joined by
// couplers. One window is the parallelogram linkage. The first upright is driven; all uprights stay
// parallel.
inline std::string ladder(int windows, const std::string& start, const std::string& law) {
    std::string text =
        "format = 1\nparameters = { start = \"" + start + "\" }\n[body.ground]\npoints = { ";
    for (int i = 0; i <= windows; ++i)
        text += (i ? ", G" : "G") + std::to_string(i) + " = [" + std::to_string(0.3 * i) + ", 0]";
    text += " }\n";
    for (int i = 0; i <= windows; ++i)
        text += "[body.upright_" + std::to_string(i) +
                "]\nangle = \"start\"\npoints = { top = [0.1, 0] }\n";
    for (int i = 0; i < windows; ++i)
        text += "[body.coupler_" + std::to_string(i) + "]\npoints = { right = [0.3, 0] }\n";
    const auto pin = [&](const std::string& name, const std::string& a, const std::string& b) {
        text += "[joint." + name + "]\ntype = \"revolute\"\na = \"" + a + "\"\nb = \"" + b + "\"\n";
    };
    for (int i = 0; i <= windows; ++i) {
        const std::string n = std::to_string(i);
        pin("base_" + n, "ground.G" + n, "upright_" + n);
    }
    for (int i = 0; i < windows; ++i) {
        const std::string n = std::to_string(i), next = std::to_string(i + 1);
        pin("left_" + n, "upright_" + n + ".top", "coupler_" + n);
        pin("right_" + n, "coupler_" + n + ".right", "upright_" + next + ".top");
    }
    if (!law.empty()) text += "[driver.motor]\njoint = \"base_0\"\n" + law + "\n";
    return text;
}

// Three freedoms without loops, and what no example has: prismatic joints on turning bodies, and
// joints written from the outer body to the inner one.
inline constexpr const char* telescope = R"(
format = 1
[body.arm]
angle = 0.3
points = { O = [0.1, 0.05], P = [0.3, 0.1] }
[body.slider]
angle = 0.4
points = { S = [0.02, -0.03], Q = [0.1, 0.2] }
[body.tool]
angle = -0.2
points = { tip = [0.15, 0.1] }
[joint.O]
type = "revolute"
a = "arm.O"
b = "ground"
[joint.guide]
type = "prismatic"
a = "slider.S"
b = "arm.P"
axis = 0.7
[joint.outer]
type = "prismatic"
a = "slider.Q"
b = "tool"
axis = -0.3
[driver.turn]
joint = "O"
type = "polynomial"
coefficients = [-0.3, -3, 0.5]
[driver.reach]
joint = "guide"
type = "harmonic"
amplitude = 0.2
frequency = 0.7
[driver.lift]
joint = "outer"
type = "harmonic"
amplitude = 0.1
frequency = 1.1
phase = 0.5
[measure.tip]
type = "point"
point = "tool.tip"
[run]
analysis = "kinematics"
end = 2
step = 0.01
)";

// The pin C of a four-bar: |C - A| = k, |C - D| = r, with A at the end of a crank of length c from
// the origin and D = (g, 0). `side` +1 or -1 chooses the circuit.
inline std::complex<double> fourbar_pin(double crank_angle, int side, double g = 0.5,
                                        double c = 0.2, double k = 0.5, double r = 0.4) {
    const std::complex<double> a = std::polar(c, crank_angle), d(g, 0);
    const double distance = std::abs(a - d);
    const double along = (distance * distance + r * r - k * k) / (2 * distance);
    return d + (a - d) / distance *
                   std::complex<double>(along, side * std::sqrt(r * r - along * along));
}

}  // namespace pawl::test
