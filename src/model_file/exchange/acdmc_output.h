// The text of an ACDMC data file that is written: entities, fields, and the curves of profiles.
// Knows the format, not which elements of a model it can express.
#pragma once

#include <string>
#include <vector>

#include "math/tolerances/outside.h"
#include "mechanism/mechanism.h"

namespace pawl {

// Below this part of a length a coordinate is what sines and cosines leave of zero.
constexpr double acdmc_noise = tolerance::foreign_noise;

class AcdmcOutput {
public:
    void entity(const char* kind);
    void field(const char* key, const std::string& value);
    void matrix(const char* key, const std::vector<double>& rows);  // of four numbers
    void line(const std::string& text) { text_ += text + "\n"; }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string text_;
};

// The surface of a profile, in units of `length` (m). Elements that the format does not know are
// errors.
void write_acdmc_curve(AcdmcOutput& output, const BodyProfile<PlanarSpace>& profile, double length,
                       Diagnostics& diagnostics);

}  // namespace pawl
