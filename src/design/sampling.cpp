#include "design/sampling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "math/tolerances/outside.h"

namespace pawl {

namespace {

constexpr int bits = 32;

// Steele, Lea and Flood (2014): every bit of the number changes about half of the bits.
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

// In the middle of one of 2^52 parts of the unit interval: never 0, never 1.
double unit(std::uint64_t x) { return (static_cast<double>(x >> 12) + 0.5) * 0x1p-52; }

// Primitive polynomials and initial direction numbers of the dimensions from the second on (Joe and
// Kuo 2008): the coefficients between the first and the last as bits, and m_1, m_2, ...
struct Direction {
    unsigned coefficients;
    std::array<unsigned, 7> m;  // as many as the degree, then zeros
};
constexpr std::array<Direction, max_sobol_dimensions - 1> joe_kuo{{
    {0, {1}},
    {1, {1, 3}},
    {1, {1, 3, 1}},
    {2, {1, 1, 1}},
    {1, {1, 1, 3, 3}},
    {4, {1, 3, 5, 13}},
    {2, {1, 1, 5, 5, 17}},
    {4, {1, 1, 5, 5, 5}},
    {7, {1, 1, 7, 11, 19}},
    {11, {1, 1, 5, 1, 1}},
    {13, {1, 1, 1, 3, 11}},
    {14, {1, 3, 5, 5, 31}},
    {1, {1, 3, 3, 9, 7, 49}},
    {13, {1, 1, 1, 15, 21, 21}},
    {16, {1, 3, 1, 13, 27, 49}},
    {19, {1, 1, 1, 15, 7, 5}},
    {22, {1, 3, 1, 15, 13, 25}},
    {25, {1, 1, 5, 5, 19, 61}},
    {1, {1, 3, 7, 11, 23, 15, 103}},
    {4, {1, 3, 7, 13, 13, 15, 69}},
}};

// Bratley and Fox (1988): v_i = v_(i-s) ^ (v_(i-s) >> s) ^ those that the polynomial names.
std::vector<std::uint32_t> direction_numbers(int dimension) {
    std::vector<std::uint32_t> v(bits);
    if (dimension == 0) {
        for (int i = 0; i < bits; ++i) v[i] = 1U << (bits - 1 - i);
        return v;
    }
    const Direction& d = joe_kuo[static_cast<std::size_t>(dimension) - 1];
    const int degree = static_cast<int>(std::find(d.m.begin(), d.m.end(), 0U) - d.m.begin());
    for (int i = 0; i < degree; ++i) v[i] = d.m[static_cast<std::size_t>(i)] << (bits - 1 - i);
    for (int i = degree; i < bits; ++i) {
        v[i] = v[i - degree] ^ (v[i - degree] >> degree);
        for (int k = 1; k < degree; ++k)
            if ((d.coefficients >> (degree - 1 - k)) & 1U) v[i] ^= v[i - k];
    }
    return v;
}

}  // namespace

UnitSampler::UnitSampler(SweepMethod method, int dimensions, long count, std::uint64_t seed)
    : method_(method), seed_(seed) {
    for (int d = 0; d < dimensions; ++d) {
        if (method == SweepMethod::latin_hypercube) shuffle(d, count);
        if (method == SweepMethod::sobol) directions_.push_back(direction_numbers(d));
    }
}

double UnitSampler::random(std::uint64_t stream, long point, int dimension) const {
    return unit(mixed(
        mixed(mixed(seed_ + 0x100000001b3ULL * stream) + static_cast<std::uint64_t>(dimension)) +
        static_cast<std::uint64_t>(point)));
}

void UnitSampler::shuffle(int dimension, long count) {
    std::vector<long>& permutation = permutations_.emplace_back(static_cast<std::size_t>(count));
    std::iota(permutation.begin(), permutation.end(), 0L);
    for (long i = count - 1; i > 0; --i)
        std::swap(permutation[static_cast<std::size_t>(i)],
                  permutation[static_cast<std::size_t>(random(1, i, dimension) *
                                                       static_cast<double>(i + 1))]);
}

double UnitSampler::operator()(long point, int dimension) const {
    if (method_ == SweepMethod::latin_hypercube) {
        const auto& permutation = permutations_[static_cast<std::size_t>(dimension)];
        return (static_cast<double>(permutation[static_cast<std::size_t>(point)]) +
                random(2, point, dimension)) /
               static_cast<double>(permutation.size());
    }
    if (method_ == SweepMethod::sobol) {
        const auto& v = directions_[static_cast<std::size_t>(dimension)];
        // A digital shift by the seed: it moves the points and keeps how evenly they lie.
        auto x =
            static_cast<std::uint32_t>(mixed(mixed(seed_) + static_cast<std::uint64_t>(dimension)));
        const auto gray = static_cast<std::uint32_t>(point ^ (point >> 1));
        for (int i = 0; i < bits; ++i)
            if ((gray >> i) & 1U) x ^= v[static_cast<std::size_t>(i)];
        return (static_cast<double>(x) + 0.5) * 0x1p-32;
    }
    return random(0, point, dimension);
}

double standard_deviation(Distribution distribution) {
    switch (distribution) {
        case Distribution::normal:
            return 1.0 / 3;
        case Distribution::uniform:
            return 1 / std::numbers::sqrt3;
        case Distribution::triangular:
            break;
    }
    return 1 / std::sqrt(6.0);
}

namespace {

// The inverse of the normal distribution by Newton's method on erfc, from the tail's asymptote.
double normal_quantile(double share) {
    const double tail = std::min(share, 1 - share);
    const double t = std::sqrt(-2 * std::log(tail));
    double x = t - (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + 0.04481 * t));
    constexpr int max_iterations = 20;
    for (int i = 0; i < max_iterations; ++i) {
        const double above = 0.5 * std::erfc(x / std::numbers::sqrt2) - tail;
        const double density =
            std::exp(-0.5 * x * x) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
        const double change = above / density;
        x += change;
        if (std::abs(change) < tolerance::normal_quantile * (1 + std::abs(x))) break;
    }
    return share < 0.5 ? -x : x;
}

}  // namespace

double quantile(Distribution distribution, double share) {
    switch (distribution) {
        case Distribution::normal:
            return normal_quantile(share) / 3;
        case Distribution::uniform:
            return 2 * share - 1;
        case Distribution::triangular:
            break;
    }
    return share < 0.5 ? std::sqrt(2 * share) - 1 : 1 - std::sqrt(2 * (1 - share));
}

}  // namespace pawl
