// Reads the packed numbers of a report back, as its player does.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::test {

inline std::vector<std::uint8_t> unpacked_bytes(std::string_view text) {
    static constexpr std::string_view letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::vector<std::uint8_t> out;
    std::uint32_t group = 0;
    int bits = 0;
    for (const char c : text) {
        if (c == '=') break;
        group = group << 6 | static_cast<std::uint32_t>(letters.find(c));
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        out.push_back(static_cast<std::uint8_t>(group >> bits));
    }
    return out;
}

template <class Number>
std::vector<Number> unpacked(std::string_view text) {
    const auto bytes = unpacked_bytes(text);
    std::vector<Number> out(bytes.size() / sizeof(Number));
    std::memcpy(out.data(), bytes.data(), out.size() * sizeof(Number));
    return out;
}
inline std::vector<double> unpacked_doubles(std::string_view text) {
    return unpacked<double>(text);
}
inline std::vector<float> unpacked_floats(std::string_view text) { return unpacked<float>(text); }

inline std::vector<float> unpacked_short_floats(std::string_view text) {
    const auto bytes = unpacked_bytes(text);
    std::vector<float> out;
    for (std::size_t i = 0; i + 2 < bytes.size(); i += 3)
        out.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bytes[i]) << 8 |
                                           static_cast<std::uint32_t>(bytes[i + 1]) << 16 |
                                           static_cast<std::uint32_t>(bytes[i + 2]) << 24));
    return out;
}

}  // namespace pawl::test
