// Fields of ACDMC entities as names, numbers, truths and frames; what is missing or wrong is
// reported. Knows no mechanism.
#pragma once

#include <string>
#include <vector>

#include "math/tolerances/outside.h"
#include "model_file/exchange/acdmc_frame.h"
#include "model_file/exchange/acdmc_text.h"

namespace pawl {

using AcdmcMatrix = std::vector<double>;  // three rows of four
// Matrices are printed with ten digits; more than this is not rounding.
constexpr double acdmc_rounding = tolerance::foreign_rounding;

class AcdmcFields {
public:
    explicit AcdmcFields(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

    // The field of this keyword; null with an error.
    const AcdmcField* need(const AcdmcEntity& entity, const char* key);
    std::string name_of(const AcdmcEntity& entity, const char* key = "NAME");
    // The value of a field with one number; 0 where it is not given.
    double number(const AcdmcEntity& entity, const char* key);
    bool flag(const AcdmcEntity& entity, const std::string& key);
    // A rotation and a point; empty with an error.
    AcdmcMatrix matrix(const AcdmcEntity& e, const char* key);
    // The frame that a matrix is in the plane.
    AcdmcFrame plane_frame(const AcdmcMatrix& m, const AcdmcEntity& e, bool slides);

private:
    Diagnostics& diagnostics_;
};

// A keyword that stands twice: the last one counts. But a second position without a velocity
// (appendix D.3) is the velocity.
void join_doubled_fields(std::vector<AcdmcEntity>& entities, Diagnostics& diagnostics);

}  // namespace pawl
