// A visitor of the field lists that fills every number with a random value, so that the law tests
// run over all kinds without knowing their fields.
#pragma once

#include <initializer_list>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "math/units.h"
#include "math/expression/formula.h"

namespace pawl::test {

class RandomFields {
public:
    explicit RandomFields(std::mt19937& random) : random_(random) {}

    double uniform(double low, double high) {
        return low + (high - low) * (static_cast<double>(random_()) / 4294967296.0);
    }
    Dimension coordinate() const { return dimension::length; }
    void places() {}
    void place(std::string_view, int, std::string_view) {}
    void body_field(std::string_view, int, std::string_view, std::string_view = {}) {}
    template <class T>
    void number(std::string_view name, T& value, Dimension, std::string_view,
                std::string_view = {}) {
        // A circle that rolls inside another must be the smaller one.
        value = T(name == "radius_b" ? uniform(1.5, 2.5) : uniform(0.3, 1.2));
    }
    template <class T>
    void number(std::string_view, std::optional<T>& value, Dimension, std::string_view) {
        value = T(uniform(0.3, 1.2));
    }
    template <class T, class Law>
    void number_of_speed(std::string_view name, T& value, Law&, Dimension dimension,
                         std::string_view doc, std::string_view = {}) {
        number(name, value, dimension, doc);
    }
    template <class T>
    void numbers(std::string_view name, std::vector<T>& values, Dimension, Dimension,
                 std::string_view, std::size_t) {
        values.clear();
        for (int i = 0; i < 5; ++i)
            values.push_back(T(name == "times" ? i * 0.7 - 1 : uniform(-1, 1)));
    }
    template <class T>
    void positive(std::string_view, const T&) {}
    void flag(std::string_view, bool& value, std::string_view) { value = uniform(0, 1) > 0.5; }
    template <class E, class Names>
    void choice(std::string_view, E& value, const Names& names, std::string_view) {
        value = static_cast<E>(static_cast<int>(uniform(0, static_cast<double>(std::size(names)))));
    }
    template <class E>
    void choice(std::string_view, E& value, std::initializer_list<std::string_view> names,
                std::string_view) {
        value = static_cast<E>(static_cast<int>(uniform(0, static_cast<double>(names.size()))));
    }
    template <class Struct>
    void table(std::string_view, std::optional<Struct>&, std::string_view) {}
    template <class Row>
    void tables(std::string_view, std::vector<Row>& rows, std::string_view) {
        rows.assign(3, Row{});
        for (Row& row : rows) row.fields(*this);
    }
    template <class T>
    void expression(std::string_view, Formula<T>& value, Dimension, std::string_view) {
        SymbolTable symbols;
        symbols.add("t", Quality::unknown());
        ExpressionError error;
        value.expression = *Expression::parse("0.3*sin(2*t) + t^2/(1 + t^2)", symbols, {}, error);
    }
    void require(bool, std::string_view, std::string_view) {}

private:
    std::mt19937& random_;
};

}  // namespace pawl::test
