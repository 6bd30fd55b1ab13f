// Points of the unit cube: how evenly they lie, and that the point of a number is always the same.
#include "design/sampling.h"

#include <cmath>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

int part_of(double x, int parts) { return static_cast<int>(x * parts); }

TEST(Sampling, sobol_has_one_point_in_each_part_of_every_axis) {
    constexpr int points = 256;
    for (const std::uint64_t seed : {1U, 17U}) {
        const UnitSampler sampler(SweepMethod::sobol, max_sobol_dimensions, points, seed);
        for (int d = 0; d < max_sobol_dimensions; ++d) {
            std::set<int> parts;
            for (long p = 0; p < points; ++p) parts.insert(part_of(sampler(p, d), points));
            EXPECT_EQ(parts.size(), points) << "dimension " << d;
        }
    }
}

// The first two dimensions are a (0, m, 2)-net: of 2^m points one lies in each box of 2^-a by
// 2^(a-m) (Sobol 1967).
TEST(Sampling, sobol_fills_every_box_of_the_first_two_axes) {
    constexpr int bits = 6, points = 1 << bits;
    const UnitSampler sampler(SweepMethod::sobol, 2, points, 3);
    for (int a = 0; a <= bits; ++a) {
        std::set<std::pair<int, int>> boxes;
        for (long p = 0; p < points; ++p)
            boxes.emplace(part_of(sampler(p, 0), 1 << a), part_of(sampler(p, 1), 1 << (bits - a)));
        EXPECT_EQ(boxes.size(), points) << a;
    }
}

// Without the shift by the seed, which all points share, they begin as printed: (0, 0, 0),
// (1/2, 1/2, 1/2), (3/4, 1/4, 1/4), (1/4, 3/4, 3/4) (Joe and Kuo 2008, in the order of Gray codes).
TEST(Sampling, sobol_points_are_those_of_the_sequence) {
    const UnitSampler sampler(SweepMethod::sobol, 3, 4, 5);
    const auto bits = [&](long point, int d) {
        return static_cast<std::uint32_t>(sampler(point, d) * 0x1p32);
    };
    const double expected[4][3] = {
        {0, 0, 0}, {0.5, 0.5, 0.5}, {0.75, 0.25, 0.25}, {0.25, 0.75, 0.75}};
    for (long p = 0; p < 4; ++p)
        for (int d = 0; d < 3; ++d)
            EXPECT_EQ((bits(p, d) ^ bits(0, d)) * 0x1p-32, expected[p][d]) << p << " " << d;
}

TEST(Sampling, latin_hypercube_has_one_point_in_each_part_of_every_axis) {
    constexpr int points = 100;
    const UnitSampler sampler(SweepMethod::latin_hypercube, 3, points, 1),
        other(SweepMethod::latin_hypercube, 3, points, 2);
    int equal = 0;
    for (int d = 0; d < 3; ++d) {
        std::set<int> parts;
        for (long p = 0; p < points; ++p) {
            parts.insert(part_of(sampler(p, d), points));
            equal += sampler(p, d) == other(p, d);
        }
        EXPECT_EQ(parts.size(), points);
    }
    EXPECT_EQ(equal, 0);
    // The axes know nothing of each other: of n points a correlation is 1/sqrt(n) by chance.
    double product = 0;
    for (long p = 0; p < points; ++p)
        product += 12 * (sampler(p, 0) - 0.5) * (sampler(p, 1) - 0.5) / points;
    EXPECT_LT(std::abs(product), 4 / std::sqrt(1.0 * points));
}

// Means of n uniform numbers differ from 1/2 by 1/sqrt(12 n), products of two independent ones from
// 1/4 by about 0.22/sqrt(n): five times that is not chance.
TEST(Sampling, random_numbers_are_uniform_and_independent) {
    constexpr long points = 10000;
    const UnitSampler sampler(SweepMethod::random, 2, points, 1);
    double mean = 0, product = 0, next = 0;
    for (long p = 0; p < points; ++p) {
        mean += sampler(p, 0) / points;
        product += sampler(p, 0) * sampler(p, 1) / points;
        next += sampler(p, 0) * sampler(p + 1, 0) / points;
    }
    EXPECT_NEAR(mean, 0.5, 5 / std::sqrt(12.0 * points));
    EXPECT_NEAR(product, 0.25, 5 * 0.22 / std::sqrt(1.0 * points));
    EXPECT_NEAR(next, 0.25, 5 * 0.22 / std::sqrt(1.0 * points));
}

TEST(Sampling, quantiles_belong_to_their_distributions) {
    const double one_sigma = 0.5 * std::erfc(-1 / std::numbers::sqrt2);
    EXPECT_NEAR(quantile(Distribution::normal, one_sigma), 1.0 / 3, 1e-15);
    EXPECT_NEAR(quantile(Distribution::normal, 1e-12), -7.034483825301131 / 3, 1e-12);
    EXPECT_EQ(quantile(Distribution::uniform, 0.75), 0.5);
    EXPECT_DOUBLE_EQ(quantile(Distribution::triangular, 0.125), -0.5);
    for (const auto d : all_values<Distribution>()) {
        double square = 0;
        constexpr int n = 200000;
        for (int i = 0; i < n; ++i) square += std::pow(quantile(d, (i + 0.5) / n), 2) / n;
        // The tails of the normal distribution beyond the last points weigh some 1e-5.
        EXPECT_NEAR(std::sqrt(square), standard_deviation(d), 2e-5) << d;
        EXPECT_NEAR(quantile(d, 0.3), -quantile(d, 0.7), 1e-15) << d;
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
