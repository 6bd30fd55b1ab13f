// Numbers packed for a page: little-endian bytes as base64 text, and fewer of them where there are
// very many. Does not know what the numbers mean.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pawl::packing {

std::string base64(std::span<const std::uint8_t> bytes);

std::string doubles(std::span<const double> values);
std::string floats(std::span<const double> values);
// The upper 24 bits of a float, rounded: four significant digits in three bytes (four characters).
std::string short_floats(std::span<const double> values);
inline constexpr std::size_t bytes_of_double = 8, bytes_of_float = 4, bytes_of_short_float = 3;

// At most about `max_rows` of `count` rows at equal distances, the last one and all of `always`
// (sorted) among them.
std::vector<std::size_t> kept_rows(std::size_t count, std::size_t max_rows,
                                   std::span<const std::size_t> always);

// The row at which span k of `spans` begins.
inline std::size_t span_begin(std::size_t k, std::size_t spans, std::size_t rows) {
    return k * rows / spans;
}

}  // namespace pawl::packing
