// The elements of the contact curve of an ACDMC surface as the file has them. Knows the fields, not
// the geometry that they make.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model_file/exchange/acdmc_text.h"
#include "model_file/exchange/exchange_model.h"

namespace pawl {

// One element as the file has it.
struct AcdmcPart {
    enum Kind { point, line, arc, circle, polynomial } kind = point;
    const AcdmcField* head = nullptr;
    std::optional<PlaneVector> centre, pinit, pend;
    std::optional<double> radius;
    bool convex = true;
    std::vector<double> coefficients, orders;
    double first = 0, divisor = 1;  // Ao and Ko, degrees
};

struct AcdmcParts {
    // Seen from the side of the normal: with the normal -z, y is turned round.
    bool flipped = false;
    std::vector<AcdmcPart> parts;  // complete, at least one
};

// Nothing when there are errors; their messages begin with `title`.
std::optional<AcdmcParts> read_acdmc_parts(const AcdmcEntity& surface, const std::string& title,
                                           Diagnostics& diagnostics);

}  // namespace pawl
