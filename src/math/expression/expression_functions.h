// The functions and operators of expressions, one line each: what they compute and how they treat
// dimensions. Used by the reader of expressions only.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

#include "math/expression/expression_program.h"

namespace pawl::expression_detail {

// How a function treats the dimensions of its arguments.
enum class Rule {
    of_angle,       // angle -> plain number
    to_angle,       // plain number -> angle
    plain,          // plain number -> plain number
    keep,           // anything -> the same
    root,           // anything -> its square root
    sign,           // anything -> plain number
    pair,           // two alike -> the same
    several,        // two or more alike -> the same
    pair_to_angle,  // two alike -> angle
    choice,         // condition and two alike -> the same
};

struct Function {
    const char* name;
    Operation operation;
    Rule rule;
};

inline constexpr Function functions[] = {
    {"sin", Operation::sin, Rule::of_angle},
    {"cos", Operation::cos, Rule::of_angle},
    {"tan", Operation::tan, Rule::of_angle},
    {"asin", Operation::asin, Rule::to_angle},
    {"acos", Operation::acos, Rule::to_angle},
    {"atan", Operation::atan, Rule::to_angle},
    {"sinh", Operation::sinh, Rule::plain},
    {"cosh", Operation::cosh, Rule::plain},
    {"tanh", Operation::tanh, Rule::plain},
    {"exp", Operation::exp, Rule::plain},
    {"log", Operation::log, Rule::plain},
    {"log10", Operation::log10, Rule::plain},
    {"floor", Operation::floor, Rule::plain},
    {"abs", Operation::abs, Rule::keep},
    {"sqrt", Operation::sqrt, Rule::root},
    {"sign", Operation::sign, Rule::sign},
    {"min", Operation::minimum, Rule::several},
    {"max", Operation::maximum, Rule::several},
    {"hypot", Operation::hypot, Rule::pair},
    {"mod", Operation::modulo, Rule::pair},
    {"atan2", Operation::atan2, Rule::pair_to_angle},
    {"if", Operation::select, Rule::choice},
};

inline const Function* find_function(std::string_view name) {
    const auto* found = std::find_if(std::begin(functions), std::end(functions),
                                     [&](const Function& f) { return f.name == name; });
    return found == std::end(functions) ? nullptr : found;
}

struct BinaryOperator {
    const char* text;
    Operation operation;
    int precedence;
    const char* verb;  // for "cannot ... a length and an angle"
};

inline constexpr int not_precedence = 3, minus_precedence = 7, power_precedence = 8;

// Longer operators stand before their beginnings.
inline constexpr BinaryOperator binary_operators[] = {
    {"or", Operation::logical_or, 1, ""},
    {"and", Operation::logical_and, 2, ""},
    {"<=", Operation::less_equal, 4, "compare"},
    {">=", Operation::greater_equal, 4, "compare"},
    {"==", Operation::equal, 4, "compare"},
    {"!=", Operation::not_equal, 4, "compare"},
    {"<", Operation::less, 4, "compare"},
    {">", Operation::greater, 4, "compare"},
    {"+", Operation::add, 5, "add"},
    {"-", Operation::subtract, 5, "subtract"},
    {"*", Operation::multiply, 6, ""},
    {"/", Operation::divide, 6, ""},
    {"^", Operation::power, power_precedence, ""},
};

}  // namespace pawl::expression_detail
