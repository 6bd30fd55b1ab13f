#include "output/report/packing.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace pawl::packing {

namespace {

template <class Bits, class Number>
Bits bits_of(Number value) {
    static_assert(sizeof(Bits) == sizeof(Number));
    Bits bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

template <class Bits>
void append(std::vector<std::uint8_t>& out, Bits bits, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) out.push_back(static_cast<std::uint8_t>(bits >> 8 * i));
}

// Rounds to the nearest, ties away from zero. The largest numbers become infinite, a NaN stays one.
std::uint32_t upper_bits(float value) {
    const auto bits = bits_of<std::uint32_t>(value);
    if (std::isnan(value)) return 0x7fc000;
    return (bits >> 8) + (std::isfinite(value) ? (bits >> 7 & 1) : 0);
}

}  // namespace

std::string base64(std::span<const std::uint8_t> bytes) {
    static constexpr char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t group = bytes[i] << 16;
        if (left > 1) group |= bytes[i + 1] << 8;
        if (left > 2) group |= bytes[i + 2];
        for (std::size_t k = 0; k < 4; ++k)
            out += k <= left ? letters[group >> (18 - 6 * k) & 63] : '=';
    }
    return out;
}

std::string doubles(std::span<const double> values) {
    std::vector<std::uint8_t> bytes;
    for (const double v : values) append(bytes, bits_of<std::uint64_t>(v), bytes_of_double);
    return base64(bytes);
}

std::string floats(std::span<const double> values) {
    std::vector<std::uint8_t> bytes;
    for (const double v : values)
        append(bytes, bits_of<std::uint32_t>(static_cast<float>(v)), bytes_of_float);
    return base64(bytes);
}

std::string short_floats(std::span<const double> values) {
    std::vector<std::uint8_t> bytes;
    for (const double v : values)
        append(bytes, upper_bits(static_cast<float>(v)), bytes_of_short_float);
    return base64(bytes);
}

std::vector<std::size_t> kept_rows(std::size_t count, std::size_t max_rows,
                                   std::span<const std::size_t> always) {
    std::vector<std::size_t> out(always.begin(), always.end());
    const std::size_t step =
        std::max<std::size_t>(1, (count + max_rows - 1) / std::max<std::size_t>(max_rows, 1));
    for (std::size_t i = 0; i < count; i += step) out.push_back(i);
    if (count > 0) out.push_back(count - 1);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

}  // namespace pawl::packing
