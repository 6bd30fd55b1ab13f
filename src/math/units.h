// Dimensions, units and the default units of a model. Knows names and factors of units, not where
// they are written. Everything inside the program is SI; an angle counts as a dimension of its own.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl {

struct Dimension {
    double length = 0, mass = 0, time = 0, angle = 0;  // exponents of m, kg, s, rad

    friend constexpr bool operator==(const Dimension&, const Dimension&) = default;
    friend constexpr Dimension operator*(const Dimension& a, const Dimension& b) {
        return {a.length + b.length, a.mass + b.mass, a.time + b.time, a.angle + b.angle};
    }
    friend constexpr Dimension operator/(const Dimension& a, const Dimension& b) {
        return {a.length - b.length, a.mass - b.mass, a.time - b.time, a.angle - b.angle};
    }
};

constexpr Dimension pow(const Dimension& d, double exponent) {
    return {d.length * exponent, d.mass * exponent, d.time * exponent, d.angle * exponent};
}

namespace dimension {

inline constexpr Dimension none{};
inline constexpr Dimension length{.length = 1};
inline constexpr Dimension mass{.mass = 1};
inline constexpr Dimension time{.time = 1};
inline constexpr Dimension angle{.angle = 1};
inline constexpr Dimension area = length * length;
inline constexpr Dimension volume = area * length;
inline constexpr Dimension curvature = none / length;
inline constexpr Dimension frequency = none / time;
inline constexpr Dimension velocity = length / time;
inline constexpr Dimension acceleration = velocity / time;
inline constexpr Dimension angular_velocity = angle / time;
inline constexpr Dimension angular_acceleration = angular_velocity / time;
inline constexpr Dimension inertia = mass * area;
inline constexpr Dimension density = mass / volume;
inline constexpr Dimension force = mass * acceleration;
inline constexpr Dimension torque = force * length;
inline constexpr Dimension energy = torque;
inline constexpr Dimension power = energy / time;
inline constexpr Dimension pressure = force / area;
inline constexpr Dimension impulse = force * time;
inline constexpr Dimension angular_impulse = torque * time;
inline constexpr Dimension stiffness = force / length;
inline constexpr Dimension torsional_stiffness = torque / angle;
inline constexpr Dimension damping = force / velocity;
inline constexpr Dimension torsional_damping = torque / angular_velocity;

}  // namespace dimension

// "a length", "an angle"; "a quantity in kg m^3/s" for a dimension without a name.
std::string describe(const Dimension& d);

// "m", "rad/s", "N m"; "1" for a plain number.
std::string si_unit(const Dimension& d);

// Equal, but for the angle where a length or a mass takes part: radius times angle is a length, and
// N m may stand for N m/rad. So rad/s and 1/s stay different.
bool compatible(const Dimension& given, const Dimension& expected);

struct Unit {
    double factor = 1;  // one of this unit, in SI
    Dimension dimension;
};

// A single unit by name, as "mm" or "rpm".
std::optional<Unit> find_unit(std::string_view name);
std::vector<std::string> unit_names();

// A product of units, read from left to right: "N/mm", "kg m^2", "N*m/rad", "1/s".
std::optional<Unit> parse_unit(std::string_view text);

// What a bare number means. Without a default force, every unit is a product of the base units.
// With one, force takes the place of mass (mass = force time²/length) in every dimension that has
// both mass and time: force, torque, stiffness, damping, power, pressure, impulse. Mass, inertia
// and density keep the unit of mass.
struct DefaultUnits {
    double length = 1, angle = 1, mass = 1, time = 1;  // in SI
    std::optional<double> force = std::nullopt;

    double factor(const Dimension& d) const;
};

}  // namespace pawl
