// The units in which people see the numbers of a model: those of its table [units], by the size of
// the numbers where it gives none, or SI. Result files are always in SI.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "results/trajectory.h"

namespace pawl {

struct ShownUnit {
    std::string unit;   // "mm/s"
    double factor = 1;  // of a value in the unit of its column
};

class ShownUnits {
public:
    ShownUnits() = default;  // by the size of the numbers alone
    static ShownUnits si();
    // As the text of a model has them.
    static ShownUnits of_model(std::string_view text);

    // For numbers of a unit, the largest of which is given. Times stay in s, and so does every unit
    // that is not SI: somebody has chosen it.
    [[nodiscard]] ShownUnit of(const std::string& unit, double largest) const;

    // The same rows in these units; all columns of a unit share one, and what is rounding beside
    // the largest number of its unit is 0.
    [[nodiscard]] Trajectory converted(const Trajectory& trajectory) const;

private:
    [[nodiscard]] std::string length(double largest) const;
    [[nodiscard]] std::string force(double largest) const;
    bool is_si_ = false;
    std::map<std::string, std::string, std::less<>> given_;  // by the names of [units]
};

}  // namespace pawl
