// The matrices of a driven motion at one instant, each with the names and units of its rows and
// columns. Plain values; how they are made: simulation/kinematic/matrices_of.h.
#pragma once

#include <string>
#include <vector>

#include "results/column.h"

namespace pawl {

// "m/rad", "m/(rad*rad)"; "1" where the units are the same.
inline std::string quotient_unit(const std::string& unit, const std::string& by) {
    if (unit == by) return "1";
    if (by == "1") return unit;
    return unit + "/" + (by.find('*') == std::string::npos ? by : "(" + by + ")");
}

// An entry has the unit of its row divided by that of its column.
struct LabelledMatrix {
    std::string name;   // "jacobian"; also of its file
    std::string title;  // what it holds
    std::vector<Column> rows, columns;
    std::vector<double> values;  // row by row

    [[nodiscard]] double at(std::size_t row, std::size_t column) const {
        return values[row * columns.size() + column];
    }
    [[nodiscard]] std::string unit(std::size_t row, std::size_t column) const {
        return quotient_unit(rows[row].unit, columns[column].unit);
    }
};

// A coordinate that the others follow from: driven, or at rest since nothing drives it.
struct IndependentCoordinate {
    std::string name;        // of the driver, or of the coordinate at rest
    std::string coordinate;  // what is driven: "A.angle", "crank.angle"
    std::string unit;
    bool driven = true;
};

struct MotionMatrices {
    double t = 0;
    std::vector<IndependentCoordinate> independent;
    // In a singular position the independent coordinates do not determine the motion, and there is
    // no influence matrix.
    bool singular = false;
    std::vector<LabelledMatrix> matrices;  // coordinates, jacobian, rows, influence
};

}  // namespace pawl
