// Reading of the table [design]: what an optimisation may change and what it has to reach.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mechanism/mechanism.h"
#include "mechanism/optimisation_settings.h"
#include "model_file/reading/parameters.h"

namespace pawl {

struct DesignElement {
    static constexpr std::string_view summary =
        "What `pawl optimise` may change and what it must achieve, described in "
        "[docs/analyses/optimisation.md](analyses/optimisation.md).";
    std::vector<std::string> variables, constraints;
    std::string minimise, maximise;
    OptimisationMethod method = OptimisationMethod::slsqp;
    template <class V>
    void fields(V& v) {
        v.texts("variables", variables,
                "parameters that may change, each with min and max in [parameters]");
        v.text("minimise", minimise,
               "the response to minimise: a name or an expression such as \"max:bolt.x\"; if "
               "omitted, the smallest change of the variables that meets the constraints");
        v.text("maximise", maximise, "instead: the response to maximise");
        v.texts("constraints", constraints,
                "what must hold: \"RESPONSE <= VALUE\", \"RESPONSE >= VALUE\", "
                "\"RESPONSE == VALUE\", or the name of a response that has min or max");
        v.choice("method", method, names_of<OptimisationMethod>(),
                 "slsqp: sequential quadratic programmes; mma: moving asymptotes; crs: a random "
                 "search within the bounds, then slsqp");
    }
};

// What a table is read with: names that were read before.
struct DesignNames {
    const ParameterSet& parameters;
    const std::vector<Response>& responses;
    const PlanarMechanism& mechanism;
};
// Nothing where the model has no such table, or it has errors.
std::optional<OptimisationSettings> read_design(const Node& root, const DesignNames& names,
                                                ReadingContext& context);

}  // namespace pawl
