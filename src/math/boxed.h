// A value that is kept elsewhere, so that its type need not be known where it is only carried
// along. Copies are deep.
#pragma once

#include <memory>
#include <utility>

namespace pawl {

template <class T>
class Boxed {
public:
    Boxed() : value_(std::make_unique<T>()) {}
    Boxed(T value) : value_(std::make_unique<T>(std::move(value))) {}
    Boxed(const Boxed& other) : value_(std::make_unique<T>(*other)) {}
    Boxed(Boxed&&) noexcept = default;
    Boxed& operator=(Boxed other) noexcept {
        value_.swap(other.value_);
        return *this;
    }
    ~Boxed() = default;

    T& operator*() { return *value_; }
    const T& operator*() const { return *value_; }

private:
    std::unique_ptr<T> value_;  // null only in what was moved from
};

}  // namespace pawl
