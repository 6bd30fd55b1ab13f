// What a model asks of an optimisation: the table [design].
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "math/named.h"
#include "math/span.h"
#include "math/units.h"
#include "results/response.h"

namespace pawl {

enum class OptimisationMethod {
    slsqp,  // sequential quadratic programmes (Kraft 1994)
    mma,    // moving asymptotes (Svanberg 2002); inequalities only
    crs     // controlled random search (Kaelo and Ali 2006) over all of the bounds, then slsqp
};
constexpr auto value_names(OptimisationMethod) {
    return std::array<std::string_view, 3>{"slsqp", "mma", "crs"};
}

struct DesignVariable {
    std::string name;  // of a parameter, which has the bounds
    Span span;
};

struct DesignConstraint {
    enum class Kind { at_most, at_least, equal };
    std::string text;
    Span span;
    Response response;
    Kind kind = Kind::at_most;
    double bound = 0;  // SI where the dimension is known, else in the unit of the response
    std::optional<Dimension> dimension;  // of the bound
};

struct OptimisationSettings {
    Span span;
    std::vector<DesignVariable> variables;
    std::optional<Response> objective;  // nothing: the smallest change that meets the constraints
    bool maximise = false;
    std::vector<DesignConstraint> constraints;
    OptimisationMethod method = OptimisationMethod::slsqp;
};

}  // namespace pawl
