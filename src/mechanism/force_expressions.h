// The expressions of a force, found through its field list: a new field is seen here, by whatever
// name, as soon as the model file can have it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "mechanism/force.h"

namespace pawl {

// A visitor of field lists that passes expressions on and leaves everything else alone.
template <class F>
class ForceExpressionVisitor {
public:
    explicit ForceExpressionVisitor(F& found) : found_(found) {}

    template <class... Rest>
    void force_expression(std::string_view, ForceExpression& e, Rest&&...) {
        found_(e);
    }
    template <class... Rest>
    void force_expression(std::string_view, std::optional<ForceExpression>& e, Rest&&...) {
        if (e) found_(*e);
    }
    static Dimension coordinate() { return dimension::length; }
    static void distance() {}
    static void joint_coordinate() {}
    template <class... Rest>
    static void number(Rest&&...) {}
    template <class... Rest>
    static void numbers(Rest&&...) {}
    template <class... Rest>
    static void vector(Rest&&...) {}
    template <class E>
    static void choice(std::string_view, E&, const std::vector<std::string>&, std::string_view) {}
    template <class... Rest>
    static void place(Rest&&...) {}
    template <class... Rest>
    static void body_field(Rest&&...) {}
    template <class... Rest>
    static void require(Rest&&...) {}

private:
    F& found_;
};

// Calls found(expression) for every expression of a kind of force, in the order of its fields.
template <class Kind, class F>
void for_each_expression(const Kind& kind, F&& found) {
    const auto look = [&](const ForceExpression& e) { found(e); };
    ForceExpressionVisitor<decltype(look)> visitor(look);
    // Field lists are for readers, which fill them; this visitor changes nothing.
    const_cast<Kind&>(kind).fields(visitor);
}
template <class S, class F>
void for_each_expression(const Force<S>& force, F&& found) {
    std::visit([&](const auto& kind) { for_each_expression(kind, found); }, force.kind);
}
// The same, to change them.
template <class S, class F>
void change_expressions(Force<S>& force, F&& change) {
    ForceExpressionVisitor<std::remove_reference_t<F>> visitor(change);
    std::visit([&](auto& kind) { kind.fields(visitor); }, force.kind);
}

}  // namespace pawl
