// Enumerations whose values have names: in model files, on the command line and in results. Each
// lists its names once, in the order of its values, in a function beside it:
//   constexpr auto value_names(Colour) { return std::array<std::string_view, 2>{"red", "blue"}; }
#pragma once

#include <array>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace pawl {

template <class E>
concept Named = requires(E e) {
    value_names(e);
};

template <Named E>
constexpr std::string_view value_name(E value) {
    return value_names(value)[static_cast<std::size_t>(value)];
}

// Nothing where no value has the name.
template <Named E>
constexpr std::optional<E> named(std::string_view name) {
    const auto names = value_names(E{});
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == name) return static_cast<E>(i);
    return std::nullopt;
}

template <Named E>
std::vector<std::string> names_of() {
    const auto names = value_names(E{});
    return {names.begin(), names.end()};
}

template <Named E>
constexpr auto all_values() {
    std::array<E, value_names(E{}).size()> values{};
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<E>(i);
    return values;
}

template <Named E>
std::ostream& operator<<(std::ostream& out, E value) {
    return out << value_name(value);
}

}  // namespace pawl
