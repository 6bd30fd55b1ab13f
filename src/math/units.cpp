// Tables of units and named dimensions, and the reader of compound units.
#include "math/units.h"

#include <cmath>
#include <cstdio>
#include <numbers>
#include <utility>

#include "math/unit_exponent.h"

namespace pawl {

namespace {

struct NamedDimension {
    Dimension dimension;
    const char* description;
    const char* unit;
};

// Where two names share a dimension, as torque and energy do, the first one is shown.
constexpr NamedDimension named_dimensions[] = {
    {dimension::none, "a plain number", "1"},
    {dimension::length, "a length", "m"},
    {dimension::mass, "a mass", "kg"},
    {dimension::time, "a time", "s"},
    {dimension::angle, "an angle", "rad"},
    {dimension::area, "an area", "m^2"},
    {dimension::volume, "a volume", "m^3"},
    {dimension::curvature, "a curvature", "1/m"},
    {dimension::frequency, "a frequency", "Hz"},
    {dimension::velocity, "a velocity", "m/s"},
    {dimension::acceleration, "an acceleration", "m/s^2"},
    {dimension::angular_velocity, "an angular velocity", "rad/s"},
    {dimension::angular_acceleration, "an angular acceleration", "rad/s^2"},
    {dimension::inertia, "a moment of inertia", "kg m^2"},
    {dimension::density, "a density", "kg/m^3"},
    {dimension::force, "a force", "N"},
    {dimension::torque, "a torque", "N m"},
    {dimension::power, "a power", "W"},
    {dimension::pressure, "a pressure", "Pa"},
    {dimension::impulse, "an impulse", "N s"},
    {dimension::angular_impulse, "an angular impulse", "N m s"},
    {dimension::stiffness, "a stiffness", "N/m"},
    {dimension::torsional_stiffness, "a torsional stiffness", "N m/rad"},
    {dimension::damping, "a damping", "N s/m"},
    {dimension::torsional_damping, "a torsional damping", "N m s/rad"},
};

const NamedDimension* find_named(const Dimension& d) {
    for (const NamedDimension& named : named_dimensions)
        if (named.dimension == d) return &named;
    return nullptr;
}

std::string power_text(const char* unit, double exponent) {
    if (exponent == 1) return unit;
    char text[32];
    std::snprintf(text, sizeof text, "%s^%g", unit, exponent);
    return text;
}

std::string base_unit_text(const Dimension& d) {
    const std::pair<const char*, double> parts[] = {
        {"kg", d.mass}, {"m", d.length}, {"s", d.time}, {"rad", d.angle}};
    std::string above, below;
    for (const auto& [unit, exponent] : parts) {
        if (exponent > 0) above += (above.empty() ? "" : " ") + power_text(unit, exponent);
        if (exponent < 0) below += "/" + power_text(unit, -exponent);
    }
    return (above.empty() ? "1" : above) + below;
}

struct NamedUnit {
    const char* name;
    Unit unit;
};

constexpr double pound = 0.45359237;          // international pound, exact
constexpr double standard_gravity = 9.80665;  // exact

constexpr NamedUnit named_units[] = {
    {"m", {1, dimension::length}},
    {"mm", {1e-3, dimension::length}},
    {"cm", {1e-2, dimension::length}},
    {"km", {1e3, dimension::length}},
    {"um", {1e-6, dimension::length}},
    {"in", {0.0254, dimension::length}},
    {"ft", {0.3048, dimension::length}},
    {"rad", {1, dimension::angle}},
    {"deg", {std::numbers::pi / 180, dimension::angle}},
    {"rev", {2 * std::numbers::pi, dimension::angle}},
    {"kg", {1, dimension::mass}},
    {"g", {1e-3, dimension::mass}},
    {"mg", {1e-6, dimension::mass}},
    {"lb", {pound, dimension::mass}},
    {"s", {1, dimension::time}},
    {"ms", {1e-3, dimension::time}},
    {"us", {1e-6, dimension::time}},
    {"min", {60, dimension::time}},
    {"h", {3600, dimension::time}},
    {"N", {1, dimension::force}},
    {"kN", {1e3, dimension::force}},
    {"mN", {1e-3, dimension::force}},
    {"lbf", {pound * standard_gravity, dimension::force}},
    {"Nm", {1, dimension::torque}},
    {"J", {1, dimension::energy}},
    {"mJ", {1e-3, dimension::energy}},
    {"kJ", {1e3, dimension::energy}},
    {"W", {1, dimension::power}},
    {"kW", {1e3, dimension::power}},
    {"Hz", {1, dimension::frequency}},
    {"rpm", {2 * std::numbers::pi / 60, dimension::angular_velocity}},
    {"Pa", {1, dimension::pressure}},
    {"kPa", {1e3, dimension::pressure}},
    {"MPa", {1e6, dimension::pressure}},
    {"GPa", {1e9, dimension::pressure}},
    {"bar", {1e5, dimension::pressure}},
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Reads a product of units from left to right; each step is [* or /] name [^ number].
class UnitReader {
public:
    explicit UnitReader(std::string_view text) : text_(text) {}

    std::optional<Unit> read() {
        Unit product;
        skip_blanks();
        bool divide = false;
        if (text_.starts_with("1")) {
            text_.remove_prefix(1);
            skip_blanks();
            if (!take('/')) return std::nullopt;
            divide = true;
        }
        while (true) {
            const std::optional<Unit> factor = read_power(divide ? -1 : 1);
            if (!factor) return std::nullopt;
            product = {product.factor * factor->factor, product.dimension * factor->dimension};
            skip_blanks();
            if (text_.empty()) return product;
            divide = take('/');
            if (!divide) take('*');
        }
    }

private:
    std::optional<Unit> read_power(int sign) {
        skip_blanks();
        std::size_t length = 0;
        while (length < text_.size() && is_letter(text_[length])) ++length;
        const std::optional<Unit> unit = find_unit(text_.substr(0, length));
        if (!unit) return std::nullopt;
        text_.remove_prefix(length);
        double exponent = 1;
        skip_blanks();
        if (take('^')) {
            skip_blanks();
            const char* end =
                read_unit_exponent(text_.data(), text_.data() + text_.size(), exponent);
            if (end == text_.data()) return std::nullopt;
            text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
        }
        const double power = sign * exponent;
        return Unit{std::pow(unit->factor, power), pow(unit->dimension, power)};
    }

    void skip_blanks() {
        while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\t'))
            text_.remove_prefix(1);
    }

    bool take(char c) {
        if (text_.empty() || text_.front() != c) return false;
        text_.remove_prefix(1);
        return true;
    }

    std::string_view text_;
};

}  // namespace

std::string describe(const Dimension& d) {
    if (const NamedDimension* named = find_named(d)) return named->description;
    return "a quantity in " + base_unit_text(d);
}

std::string si_unit(const Dimension& d) {
    if (const NamedDimension* named = find_named(d)) return named->unit;
    return base_unit_text(d);
}

bool compatible(const Dimension& given, const Dimension& expected) {
    if (given == expected) return true;
    const bool equal_but_angle = given.length == expected.length && given.mass == expected.mass &&
                                 given.time == expected.time;
    return equal_but_angle && (given.length != 0 || given.mass != 0);
}

std::optional<Unit> find_unit(std::string_view name) {
    for (const NamedUnit& named : named_units)
        if (named.name == name) return named.unit;
    return std::nullopt;
}

std::vector<std::string> unit_names() {
    std::vector<std::string> names;
    for (const NamedUnit& named : named_units) names.emplace_back(named.name);
    return names;
}

std::optional<Unit> parse_unit(std::string_view text) { return UnitReader(text).read(); }

double DefaultUnits::factor(const Dimension& d) const {
    const bool by_force = force && d.mass != 0 && d.time != 0;
    const double m = by_force ? d.mass : 0;
    const double base = std::pow(length, d.length - m) * std::pow(time, d.time + 2 * m) *
                        std::pow(angle, d.angle) * std::pow(mass, d.mass - m);
    return by_force ? base * std::pow(*force, m) : base;
}

}  // namespace pawl
