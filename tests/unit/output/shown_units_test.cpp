// The units that people see: of [units], by size, or SI.
#include "output/result/shown_units.h"

#include <cmath>

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

struct Row {
    const char* unit;
    double largest;
    const char* shown;
    double one;  // of the column's unit, as shown
};

void expect_rows(const ShownUnits& units, std::initializer_list<Row> rows) {
    for (const Row& row : rows) {
        const ShownUnit found = units.of(row.unit, row.largest);
        EXPECT_EQ(found.unit, row.shown) << row.unit << " up to " << row.largest;
        EXPECT_NEAR(found.factor, row.one, 1e-12 * row.one) << row.unit << " up to " << row.largest;
    }
}

TEST(ShownUnits, units_of_the_model_come_first) {
    expect_rows(ShownUnits::of_model("format = 1\n[units]\nlength = \"mm\"\nangle = \"deg\"\n"),
                {{"m", 20, "mm", 1e3},
                 {"m/s", 20, "mm/s", 1e3},
                 {"m/s^2", 1e-9, "mm/s^2", 1e3},
                 {"rad", 1, "deg", 180 / M_PI},
                 {"rad/s", 100, "deg/s", 180 / M_PI},
                 {"N", 5, "N", 1},
                 {"N m", 5, "N mm", 1e3},
                 {"s", 1e-3, "s", 1},
                 {"deg", 5, "deg", 1},
                 {"kg/s", 5, "kg/s", 1}});
    expect_rows(ShownUnits::of_model("[units]\nangle = \"rev\"\nforce = \"kN\"\nlength = \"m\"\n"),
                {{"rad/s", 1, "rpm", 30 / M_PI}, {"N", 1, "kN", 1e-3}, {"N m", 1, "kN m", 1e-3}});
}

TEST(ShownUnits, without_units_the_size_of_the_numbers_decides) {
    expect_rows(ShownUnits(), {{"m", 2, "m", 1},
                               {"m", 0.5, "mm", 1e3},
                               {"m", 5e-5, "um", 1e6},
                               {"m", 0, "m", 1},
                               {"rad", 0.1, "deg", 180 / M_PI},
                               {"rad/s", 1, "deg/s", 180 / M_PI},
                               {"rad/s", 50, "rpm", 30 / M_PI},
                               {"N", 0.5, "mN", 1e3},
                               {"N", 5e4, "kN", 1e-3},
                               {"N m", 0.2, "N mm", 1e3},
                               {"N m", 2, "N m", 1},
                               {"J", 0.01, "mJ", 1e3}});
}

TEST(ShownUnits, si_leaves_every_unit) {
    expect_rows(ShownUnits::si(),
                {{"m", 1e-3, "m", 1}, {"rad", 1, "rad", 1}, {"N m", 1, "N m", 1}});
}

TEST(ShownUnits, rows_are_converted_and_rounding_is_zero) {
    Trajectory trajectory;
    trajectory.columns = {{"t", "s"}, {"a.x", "m"}, {"a.y", "m"}};
    trajectory.add(std::vector<double>{1e-14, 0.02, -4.65e-17});
    trajectory.add(std::vector<double>{1, 0.01, 3e-9});
    const Trajectory shown = ShownUnits().converted(trajectory);
    EXPECT_EQ(shown.columns[1].unit, "mm");
    EXPECT_EQ(shown.row(0)[0], 1e-14);
    EXPECT_DOUBLE_EQ(shown.row(0)[1], 20);
    EXPECT_EQ(shown.row(0)[2], 0);
    EXPECT_DOUBLE_EQ(shown.row(1)[2], 3e-6);
}

TEST(ShownUnits, a_text_that_is_no_model_has_no_units) {
    expect_rows(ShownUnits::of_model("[[["), {{"m", 2, "m", 1}});
    expect_rows(ShownUnits::of_model("units = 3"), {{"m", 2, "m", 1}});
    expect_rows(ShownUnits::of_model("[units]\nlength = \"ell\""), {{"m", 2, "m", 1}});
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
