#include "output/report/packing.h"

#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include "support/unpacking.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using namespace packing;

std::string text_of(const std::string& bytes) {
    return base64({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

TEST(Packing, base64_is_that_of_the_standard) {  // RFC 4648, section 10
    EXPECT_EQ(text_of(""), "");
    EXPECT_EQ(text_of("f"), "Zg==");
    EXPECT_EQ(text_of("fo"), "Zm8=");
    EXPECT_EQ(text_of("foo"), "Zm9v");
    EXPECT_EQ(text_of("foobar"), "Zm9vYmFy");
}

TEST(Packing, doubles_and_floats_read_back) {
    const std::vector<double> values{0, -1.5, 1.0 / 3, 1e-300, NAN};
    const auto exact = test::unpacked_doubles(doubles(values));
    const auto near = test::unpacked_floats(floats(values));
    ASSERT_EQ(exact.size(), values.size());
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(exact[i], values[i]);
        EXPECT_EQ(near[i], static_cast<float>(values[i]));
    }
    EXPECT_TRUE(std::isnan(exact[4]) && std::isnan(near[4]));
}

TEST(Packing, short_floats_keep_four_digits_of_numbers_of_any_size) {
    std::vector<double> values;
    for (double size = 1e-30; size < 1e30; size *= 7.3)
        for (const double sign : {1.0, -1.0}) values.push_back(sign * size);
    const auto read = test::unpacked_short_floats(short_floats(values));
    // 15 bits of the mantissa, rounded to the nearest: half a unit of the last, 1.5e-5.
    const double half_unit = std::ldexp(1.0, -16);
    for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_LE(std::abs(read[i] - values[i]), 1.001 * half_unit * std::abs(values[i]));
}

TEST(Packing, short_floats_keep_zero_nothing_and_infinity) {
    const std::vector<double> values{0, NAN, INFINITY, -INFINITY,
                                     std::numeric_limits<float>::max()};
    const auto read = test::unpacked_short_floats(short_floats(values));
    EXPECT_EQ(read[0], 0);
    EXPECT_TRUE(std::isnan(read[1]));
    EXPECT_EQ(read[2], INFINITY);
    EXPECT_EQ(read[3], -INFINITY);
    EXPECT_EQ(read[4], INFINITY) << "rounds up";
}

TEST(Packing, kept_rows_are_all_of_few_and_an_even_part_of_many_with_those_that_must_be_there) {
    EXPECT_EQ(kept_rows(4, 10, {}), (std::vector<std::size_t>{0, 1, 2, 3}));
    const std::vector<std::size_t> always{7, 8};
    EXPECT_EQ(kept_rows(12, 4, always), (std::vector<std::size_t>{0, 3, 6, 7, 8, 9, 11}));
    EXPECT_TRUE(kept_rows(0, 10, {}).empty());
    EXPECT_LE(kept_rows(1000000, 1000, always).size(), 1000U + always.size() + 1);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
