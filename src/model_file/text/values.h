// Values of a model file as expressions: quantities, bare numbers and formulas over parameters.
// Knows units and symbols, not what the value is for.
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "math/expression/expression.h"
#include "math/span.h"
#include "math/units.h"
#include "model_file/text/document.h"

namespace pawl {

using NameIndex = std::map<std::string, int, std::less<>>;

// A value of the file that depends on a parameter.
struct ParameterUse {
    int slot = 0;         // of the parameter
    std::string section;  // the table of the top level that it stands in: "force"
    std::string what;     // "force 'spring', stiffness"
};

// What the values of one file are read with.
struct ReadingContext {
    Diagnostics& diagnostics;
    DefaultUnits units{};
    int suggestions_left = 100;  // the search for near names is slow in a file full of errors
    std::string section{};       // that is being read
    std::vector<std::string_view> tables{};     // of the top level
    std::vector<ParameterUse>* uses = nullptr;  // where they are noted

    std::string suggest(std::string_view name, const std::vector<std::string>& valid);
    std::string suggest(std::string_view name, const NameIndex& valid);
    // For a body that there is not: it may be a point, without its body.
    std::string suggest_place(std::string_view name, const NameIndex& bodies,
                              const std::vector<NameIndex>& points);
};

// Names with a reason for those that exist but cannot be used.
class ModelSymbols : public Symbols {
public:
    // What to say of a name that find() does not know; empty: nothing special.
    [[nodiscard]] virtual std::string reason_against(std::string_view name) const = 0;
};

// Stands for the dimension of a coordinate that is not known: no value contradicts it. It can still
// be multiplied and divided by others: its power is what no real length exponent hides.
inline constexpr Dimension any_dimension{.length = 1000};
inline int power_of_any(const Dimension& d) {
    return static_cast<int>(std::lround(d.length / any_dimension.length));
}
inline bool holds_any(const Dimension& d) { return power_of_any(d) != 0; }

// `what` begins the message: "joint 'A', radius".
std::optional<Expression> read_expression(const Node& node, const std::string& what,
                                          const ModelSymbols& symbols, ReadingContext& context);

// The same as a quantity of the dimension, in SI.
std::optional<Expression> read_quantity(const Node& node, const std::string& what,
                                        const Dimension& dimension, const ModelSymbols& symbols,
                                        ReadingContext& context);

// What an expression of a model reads as its own: functions and constants, the time t, and the
// coordinate s and rate v of a force.
inline bool is_reserved_in_model(std::string_view name) {
    return name == "t" || name == "s" || name == "v" || is_reserved_name(name);
}

// An error for a value that is infinite or not a number.
bool check_finite(double value, const Node& node, const std::string& what, ReadingContext& context);

}  // namespace pawl
