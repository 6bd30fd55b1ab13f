#include "math/units.h"

#include <numbers>

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

constexpr double pi = std::numbers::pi;

struct ExpectedUnit {
    const char* text;
    double factor;
    Dimension dimension;
};

TEST(Units, factors_and_dimensions_are_those_of_si) {
    const ExpectedUnit expected[] = {
        {"mm", 1e-3, dimension::length},
        {"in", 0.0254, dimension::length},
        {"deg", pi / 180, dimension::angle},
        {"rpm", pi / 30, dimension::angular_velocity},
        {"Hz", 1, dimension::frequency},
        {"lbf", 4.4482216152605, dimension::force},  // exact by definition
        {"N/mm", 1e3, dimension::stiffness},
        {"kg m^2", 1, dimension::inertia},
        {"g mm^2", 1e-9, dimension::inertia},
        {"N*m/rad", 1, dimension::torsional_stiffness},
        {"N m s/deg", 180 / pi, dimension::torsional_damping},
        {"mm/s^2", 1e-3, dimension::acceleration},
        {"m s^-2", 1, dimension::acceleration},
        {"m/s/s", 1, dimension::acceleration},
        {" N / mm^2 ", 1e6, dimension::pressure},
        {"1/s", 1, dimension::frequency},
        {"kW", 1e3, dimension::power},
        {"rev/min", pi / 30, dimension::angular_velocity},
    };
    for (const ExpectedUnit& e : expected) {
        const std::optional<Unit> unit = parse_unit(e.text);
        ASSERT_TRUE(unit) << e.text;
        EXPECT_DOUBLE_EQ(unit->factor, e.factor) << e.text;
        EXPECT_EQ(unit->dimension, e.dimension) << e.text;
    }
}

TEST(Units, every_listed_name_is_found) {
    for (const std::string& name : unit_names()) EXPECT_TRUE(find_unit(name)) << name;
    EXPECT_FALSE(find_unit("t"));
}

TEST(Units, malformed_units_are_refused) {
    for (const char* text : {"", " ", "furlong", "N/", "/s", "N//m", "N**m", "m^", "m^x",
                             "2 m", "1", "1 m", "N m)", "*m", "m^99999999999"})
        EXPECT_FALSE(parse_unit(text)) << text;
}

TEST(Units, si_unit_reads_back_as_the_same_dimension) {
    const Dimension dimensions[] = {dimension::length,
                                    dimension::mass,
                                    dimension::time,
                                    dimension::angle,
                                    dimension::area,
                                    dimension::volume,
                                    dimension::curvature,
                                    dimension::frequency,
                                    dimension::velocity,
                                    dimension::acceleration,
                                    dimension::angular_velocity,
                                    dimension::angular_acceleration,
                                    dimension::inertia,
                                    dimension::density,
                                    dimension::force,
                                    dimension::torque,
                                    dimension::power,
                                    dimension::pressure,
                                    dimension::impulse,
                                    dimension::angular_impulse,
                                    dimension::stiffness,
                                    dimension::torsional_stiffness,
                                    dimension::damping,
                                    dimension::torsional_damping,
                                    Dimension{3, 1, -1, 0},
                                    Dimension{0, -1, 2, 1},
                                    Dimension{-2, 0, 0, -1}};
    for (const Dimension& d : dimensions) {
        const std::optional<Unit> unit = parse_unit(si_unit(d));
        ASSERT_TRUE(unit) << si_unit(d);
        EXPECT_EQ(unit->dimension, d) << si_unit(d);
        EXPECT_EQ(unit->factor, 1) << si_unit(d);
    }
}

TEST(Units, dimensions_are_described_in_words) {
    EXPECT_EQ(describe(dimension::length), "a length");
    EXPECT_EQ(describe(dimension::angle), "an angle");
    EXPECT_EQ(describe(dimension::force), "a force");
    EXPECT_EQ(describe(dimension::none), "a plain number");
    EXPECT_EQ(describe({3, 1, -1, 0}), "a quantity in kg m^3/s");
    EXPECT_EQ(describe(pow(dimension::length, 0.5)), "a quantity in m^0.5");
    EXPECT_EQ(si_unit(dimension::torque), "N m");
    EXPECT_EQ(si_unit(dimension::none), "1");
    EXPECT_EQ(si_unit(dimension::none / dimension::mass), "1/kg");
}

TEST(Units, angle_is_free_only_beside_length_or_mass) {
    EXPECT_TRUE(compatible(dimension::torque, dimension::torsional_stiffness));
    EXPECT_TRUE(compatible(dimension::length * dimension::angle, dimension::length));
    EXPECT_TRUE(compatible(dimension::mass / dimension::angle, dimension::mass));
    EXPECT_FALSE(compatible(dimension::frequency, dimension::angular_velocity));
    EXPECT_FALSE(compatible(dimension::angle, dimension::none));
    EXPECT_FALSE(compatible(dimension::length, dimension::angle));
    EXPECT_FALSE(compatible(dimension::velocity, dimension::length));
}

TEST(DefaultUnits, bare_numbers_are_products_of_base_units) {
    const DefaultUnits units{.length = 1e-3, .angle = pi / 180, .mass = 1e-3, .time = 1e-3};
    EXPECT_DOUBLE_EQ(units.factor(dimension::none), 1);
    EXPECT_DOUBLE_EQ(units.factor(dimension::length), 1e-3);
    EXPECT_DOUBLE_EQ(units.factor(dimension::velocity), 1);
    EXPECT_DOUBLE_EQ(units.factor(dimension::angular_velocity), pi / 180 * 1e3);
    EXPECT_DOUBLE_EQ(units.factor(dimension::inertia), 1e-9);
    EXPECT_DOUBLE_EQ(units.factor(dimension::force), 1);
}

TEST(DefaultUnits, default_force_takes_the_place_of_mass_where_time_takes_part) {
    const DefaultUnits units{.length = 1e-3, .angle = pi / 180, .mass = 1e-3, .force = 1e3};
    EXPECT_DOUBLE_EQ(units.factor(dimension::force), 1e3);
    EXPECT_DOUBLE_EQ(units.factor(dimension::torque), 1);
    EXPECT_DOUBLE_EQ(units.factor(dimension::stiffness), 1e6);
    EXPECT_DOUBLE_EQ(units.factor(dimension::torsional_stiffness), 180 / pi);
    EXPECT_DOUBLE_EQ(units.factor(dimension::damping), 1e6);
    EXPECT_DOUBLE_EQ(units.factor(dimension::pressure), 1e9);
    EXPECT_DOUBLE_EQ(units.factor(dimension::mass), 1e-3);
    EXPECT_DOUBLE_EQ(units.factor(dimension::inertia), 1e-9);
    EXPECT_DOUBLE_EQ(units.factor(dimension::length), 1e-3);
    const DefaultUnits with_time{.time = 1e-3, .force = 1e3};
    EXPECT_DOUBLE_EQ(with_time.factor(dimension::force), 1e3);
    EXPECT_DOUBLE_EQ(with_time.factor(dimension::damping), 1);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
