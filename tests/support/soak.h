// How much of the random tests runs: a fixed share in the test suite, a multiple of it on request
// (./dev soak N sets PAWL_SOAK), little where the program is slow; and one seed alone (PAWL_SEED).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>

namespace pawl::test {

// PAWL_SOAK: how many times the fixed share; 1 when it is not set.
inline int soak() {
    const char* text = std::getenv("PAWL_SOAK");
    return text ? std::max(1, std::atoi(text)) : 1;
}

// The number of random models of a test whose fixed share is given.
inline int soaked(int share) {
#if defined(__SANITIZE_ADDRESS__) || !defined(NDEBUG)
    share = std::max(1, share / 20);
#endif
    return share * soak();
}

// PAWL_SEED: run this random model alone.
inline std::optional<std::uint64_t> only_seed() {
    const char* text = std::getenv("PAWL_SEED");
    return text ? std::optional(std::strtoull(text, nullptr, 10)) : std::nullopt;
}

}  // namespace pawl::test
