// The names that expressions of elements may use: the parameters with the time, or with a speed.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mechanism/contact/speed_expression.h"
#include "model_file/reading/parameters.h"
#include "results/text.h"

namespace pawl {

// What is appended to the name of a measure for its rate.
inline constexpr std::string_view rate_suffix = ".rate";

// The parameters and one variable: the time, if it has no other name.
class TimeSymbols : public ModelSymbols {
public:
    explicit TimeSymbols(const ParameterSet& parameters, std::string_view variable = "t")
        : parameters_(parameters), variable_(variable) {}
    [[nodiscard]] std::optional<Symbol> find(std::string_view name) const override {
        if (name == variable_) return Symbol{0, Quality::unknown()};
        return parameters_.find(name);
    }
    [[nodiscard]] std::vector<std::string> names() const override { return parameters_.names(); }
    [[nodiscard]] std::string reason_against(std::string_view name) const override {
        return parameters_.find_input(name) ? parameters_.reason_against(name) : "";
    }

protected:
    const ParameterSet& parameters_;

private:
    std::string variable_;
};

// An expression over the parameters and one variable.
template <class T>
bool read_formula(const Node& node, const std::string& what, const Dimension& dimension,
                  ReadingContext& context, const TimeSymbols& symbols, std::vector<T> values,
                  Formula<T>& formula) {
    const auto found = read_quantity(node, what, dimension, symbols, context);
    if (found) formula = {*found, std::move(values)};
    return found.has_value();
}

// The parameters and, where none has this name, a speed v, as a SpeedExpression has them.
class SpeedSymbols : public TimeSymbols {
public:
    using TimeSymbols::TimeSymbols;
    [[nodiscard]] std::optional<Symbol> find(std::string_view name) const override {
        if (auto parameter = parameters_.find(name)) return parameter;
        return name == "v" ? std::optional(Symbol{0, Quality::unknown()}) : std::nullopt;
    }
};

// An expression of a speed v; nothing where the text does not hold v (`holds_speed` says so) or has
// an error.
template <class T>
std::optional<SpeedExpression<T>> read_speed_law(const Node& node, const std::string& what,
                                                 const Dimension& dimension,
                                                 ReadingContext& context,
                                                 const ParameterSet& parameters,
                                                 std::vector<T> values, bool& holds_speed) {
    if (node.kind != Node::Kind::text) return std::nullopt;
    const auto found = read_quantity(node, what, dimension, SpeedSymbols(parameters), context);
    holds_speed = !found || (!found->slots_used().empty() && found->slots_used().front() == 0);
    if (!found || !holds_speed) return std::nullopt;
    SpeedExpression<T> law{{*found, std::move(values)}};
    constexpr double any = std::numeric_limits<double>::max();
    const double v = law.first_outside(-any, any);
    if (v < 0) return law;
    check_finite(value_of(law.at(T(v))), node, what + " at v = " + number_text(v, 6) + " m/s",
                 context);
    return std::nullopt;
}

}  // namespace pawl
