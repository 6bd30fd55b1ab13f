// Numbers to characters and back, exactly and whatever the locale. Some standard libraries (libc++
// 14) know only integers here; with them fast_float reads the others.
#pragma once

#include <charconv>
#include <type_traits>
#include <version>

#ifndef __cpp_lib_to_chars
#include <cmath>
#include <cstdio>

#include <fast_float/fast_float.h>
#endif

namespace pawl {

template <class T>
std::from_chars_result read_number(const char* begin, const char* end, T& value) {
#ifndef __cpp_lib_to_chars
    if constexpr (std::is_floating_point_v<T>) {
        T read{};
        const auto [stop, problem] = fast_float::from_chars(begin, end, read);
        if (problem != std::errc{}) return {stop, problem};
        // Where the standard refuses what is too large, it gives infinity.
        const bool is_number = stop[-1] == '.' || (stop[-1] >= '0' && stop[-1] <= '9');
        if (std::isinf(read) && is_number) return {stop, std::errc::result_out_of_range};
        value = read;
        return {stop, problem};
    } else
#endif
        return std::from_chars(begin, end, value);
}

// Returns the end of what was written; reading it gives the same bits.
template <class T>
char* write_number(char* begin, char* end, T value) {
#ifndef __cpp_lib_to_chars
    if constexpr (std::is_floating_point_v<T>)
        return begin + std::snprintf(begin, static_cast<std::size_t>(end - begin), "%.17g", value);
    else
#endif
        return std::to_chars(begin, end, value).ptr;
}

}  // namespace pawl
