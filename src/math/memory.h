// What an object remembers, written down and read back. A class lists its members once,
//   void remember(Memory& memory) { memory(a_, b_, c_); }
// and the same list writes or reads, so that none can be forgotten on one of the two ways. Numbers
// keep every bit. Knows text, not what it means.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "math/characters.h"

namespace pawl {

class Memory {
public:
    Memory() : writes_(true) {}
    // Reads what another one has written.
    explicit Memory(std::string text) : text_(std::move(text)), writes_(false) {}

    [[nodiscard]] bool writes() const { return writes_; }
    [[nodiscard]] const std::string& text() const { return text_; }
    // False after reading what was not written like this; all that follows is left as it is.
    [[nodiscard]] bool fits() const { return fits_; }
    // What was read is of no use.
    void fail() { fits_ = false; }
    // Everything was read.
    [[nodiscard]] bool is_done() const { return writes_ || (fits_ && at_ == text_.size()); }

    template <class... T>
    void operator()(T&... items) {
        (item(items), ...);
    }
    // A name between the items: what is read must have been written at the same place.
    void mark(std::string_view name) {
        std::string found(name);
        item(found);
        if (found != name) fits_ = false;
    }

private:
    template <class T>
    void item(T& x) {
        if (!fits_) return;
        if constexpr (std::is_enum_v<T>) {
            auto number = static_cast<std::underlying_type_t<T>>(x);
            item(number);
            x = static_cast<T>(number);
        } else if constexpr (std::same_as<T, bool> || std::same_as<T, char> ||
                             std::same_as<T, unsigned char>) {
            int number = x;
            item(number);
            x = static_cast<T>(number);
        } else if constexpr (std::is_arithmetic_v<T>) {
            number(x);
        } else if constexpr (requires { x.remember(*this); }) {
            x.remember(*this);
        } else {
            remember(*this, x);
        }
    }
    void item(std::string& x);
    template <class T>
    void item(std::vector<T>& x) {
        resize(x);
        for (T& entry : x) item(entry);
    }
    template <class T>
    void item(std::deque<T>& x) {
        resize(x);
        for (T& entry : x) item(entry);
    }
    template <class T, std::size_t n>
    void item(std::array<T, n>& x) {
        for (T& entry : x) item(entry);
    }
    template <class T, std::size_t n>
    void item(T (&x)[n]) {
        for (T& entry : x) item(entry);
    }
    template <class T>
    void item(std::optional<T>& x) {
        bool is = x.has_value();
        item(is);
        if (!writes_) is ? void(x.emplace()) : x.reset();
        if (is) item(*x);
    }
    template <class A, class B>
    void item(std::pair<A, B>& x) {
        item(x.first);
        item(x.second);
    }
    template <class K, class V>
    void item(std::map<K, V>& x) {
        std::vector<std::pair<K, V>> entries(x.begin(), x.end());
        item(entries);
        if (!writes_) x = {entries.begin(), entries.end()};
    }

    template <class... T>
    void item(std::variant<T...>& x) {
        std::size_t kind = x.index();
        number(kind);
        if (!writes_) {
            std::size_t i = 0;
            const bool found = ((i++ == kind ? (x = T{}, true) : false) || ...);
            if (!found) fits_ = false;
        }
        std::visit([this](auto& value) { this->item(value); }, x);
    }

    // Of a list; one that what is left could not hold was not written here.
    template <class List>
    void resize(List& x) {
        std::size_t size = x.size();
        number(size);
        if (writes_ || !fits_) return;
        if (size > text_.size() - at_ + 1)
            fits_ = false;
        else
            x.resize(size);
    }

    // Shortest text that gives the number back, with a blank behind it.
    template <class T>
    void number(T& x) {
        if (writes_) {
            std::array<char, 40> digits;
            char* end = write_number(digits.data(), digits.data() + digits.size(), x);
            text_.append(digits.data(), end);
            text_ += ' ';
            return;
        }
        const char *begin = text_.data() + at_, *end = text_.data() + text_.size();
        T value{};
        const auto [stop, error] = read_number(begin, end, value);
        if (error != std::errc{} || stop == end || *stop != ' ') {
            fits_ = false;
            return;
        }
        x = value;
        at_ = static_cast<std::size_t>(stop - text_.data()) + 1;
    }

    std::string text_;
    std::size_t at_ = 0;
    bool writes_, fits_ = true;
};

inline void Memory::item(std::string& x) {
    if (!fits_) return;
    std::size_t size = x.size();
    number(size);
    if (writes_) {
        text_ += x;
        return;
    }
    if (!fits_ || size > text_.size() - at_) {
        fits_ = false;
        return;
    }
    x = text_.substr(at_, size);
    at_ += size;
}

}  // namespace pawl
