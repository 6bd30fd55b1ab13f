// Normalised rise laws s(u) of cam and driver segments: s(0) = 0, s(1) = 1. Evaluated on plain
// numbers or time jets, whose derivatives are then exact. Knows no lift and no duration.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "math/dual.h"
#include "math/time_jet.h"

namespace pawl {

enum class MotionLaw {
    dwell,
    cycloidal,
    harmonic,
    poly345,
    poly4567,
    modified_sine,
    modified_trapezoid
};

inline constexpr std::array<std::pair<MotionLaw, std::string_view>, 7> motion_laws{{
    {MotionLaw::dwell, "dwell"},
    {MotionLaw::cycloidal, "cycloidal"},
    {MotionLaw::harmonic, "harmonic"},
    {MotionLaw::poly345, "poly345"},
    {MotionLaw::poly4567, "poly4567"},
    {MotionLaw::modified_sine, "modified_sine"},
    {MotionLaw::modified_trapezoid, "modified_trapezoid"},
}};

inline std::string_view name_of(MotionLaw law) {
    return motion_laws[static_cast<std::size_t>(law)].second;
}

inline std::optional<MotionLaw> find_motion_law(std::string_view name) {
    for (const auto& [law, law_name] : motion_laws)
        if (law_name == name) return law;
    return std::nullopt;
}

inline std::vector<std::string> motion_law_names() {
    std::vector<std::string> names;
    for (const auto& entry : motion_laws) names.emplace_back(entry.second);
    return names;
}

// Acceleration C sin 4πu up to u = 1/8 (a quarter sine), then C cos(4π(u − 1/8)/3) up to 1/2; the
// second half is the first turned by half a turn. With w = u − 1/8, integrated twice:
//   s = C/4π (u − sin(4πu)/4π),   s = s₁ + v₁ w + 9C/16π² (1 − cos(4πw/3)),
// v₁ = C/4π, s₁ = C/4π (1/8 − 1/4π). s(1/2) = 1/2 gives C = 4π²/(π + 4) = 5.528.
template <class U>
U modified_sine_first_half(const U& u) {
    using std::cos, std::sin;
    constexpr double pi = std::numbers::pi, c = 4 * pi * pi / (pi + 4), v1 = c / (4 * pi);
    if (value_of(u) < 0.125) return v1 * (u - sin(4 * pi * u) / (4 * pi));
    const U w = u - 0.125;
    constexpr double s1 = v1 * (0.125 - 1 / (4 * pi));
    return s1 + v1 * w + 9 * c / (16 * pi * pi) * (1.0 - cos(4 * pi / 3 * w));
}

// Acceleration C sin 4πu up to 1/8, C up to 3/8, C cos 4π(u − 3/8) up to 1/2; the second half is
// the first turned by half a turn. Integrated twice, piece by piece; s(1/2) = 1/2 gives C = 8π/(π +
// 2) = 4.888.
template <class U>
U modified_trapezoid_first_half(const U& u) {
    using std::cos, std::sin;
    constexpr double pi = std::numbers::pi, c = 8 * pi / (pi + 2);
    constexpr double v1 = c / (4 * pi), s1 = v1 * (0.125 - 1 / (4 * pi));
    constexpr double v2 = v1 + c / 4, s2 = s1 + v1 / 4 + c / 32;
    if (value_of(u) < 0.125) return v1 * (u - sin(4 * pi * u) / (4 * pi));
    if (value_of(u) < 0.375) {
        const U w = u - 0.125;
        return s1 + w * (v1 + 0.5 * c * w);
    }
    const U w = u - 0.375;
    return s2 + v2 * w + c / (16 * pi * pi) * (1.0 - cos(4 * pi * w));
}

// Where the pieces of a law meet inside (0, 1): a derivative jumps there, the third or the fourth.
inline std::vector<double> seams(MotionLaw law) {
    if (law == MotionLaw::modified_sine) return {0.125, 0.875};
    if (law == MotionLaw::modified_trapezoid) return {0.125, 0.375, 0.625, 0.875};
    return {};
}

// s(u); constant outside [0, 1], and zero for a dwell. U is double, Dual or a time jet.
template <class U>
U rise(MotionLaw law, const U& u) {
    using std::cos, std::sin;
    constexpr double pi = std::numbers::pi;
    if (law == MotionLaw::dwell || value_of(u) < 0) return U(0.0);
    if (value_of(u) > 1) return U(1.0);
    const bool late = value_of(u) > 0.5;
    switch (law) {
        case MotionLaw::dwell:
            break;
        case MotionLaw::cycloidal:
            return u - sin(2 * pi * u) / (2 * pi);
        case MotionLaw::harmonic:
            return 0.5 * (1.0 - cos(pi * u));
        case MotionLaw::poly345:
            return u * u * u * (10.0 + u * (-15.0 + 6.0 * u));
        case MotionLaw::poly4567:
            return u * u * u * u * (35.0 + u * (-84.0 + u * (70.0 - 20.0 * u)));
        case MotionLaw::modified_sine:
            return late ? 1.0 - modified_sine_first_half(U(1.0 - u)) : modified_sine_first_half(u);
        case MotionLaw::modified_trapezoid:
            return late ? 1.0 - modified_trapezoid_first_half(U(1.0 - u))
                        : modified_trapezoid_first_half(u);
    }
    return U(0.0);
}

}  // namespace pawl
