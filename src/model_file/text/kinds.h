// The kinds of a variant by their names: how `type` in a model file chooses one.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace pawl {

template <class Variant, std::size_t... I>
std::vector<std::string> kind_names(std::index_sequence<I...>) {
    return {std::string(std::variant_alternative_t<I, Variant>::name)...};
}
template <class Variant>
std::vector<std::string> kind_names() {
    return kind_names<Variant>(std::make_index_sequence<std::variant_size_v<Variant>>());
}

// A default-made kind of the variant by its index.
template <class Variant, std::size_t I = 0>
Variant make_kind(std::size_t index) {
    if constexpr (I + 1 < std::variant_size_v<Variant>)
        if (index != I) return make_kind<Variant, I + 1>(index);
    return Variant(std::in_place_index<I>);
}

}  // namespace pawl
