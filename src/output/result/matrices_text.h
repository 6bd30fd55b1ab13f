// The matrices of a motion as text, as tables in CSV and as JSON.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "output/result/result_folder.h"
#include "results/motion_matrices.h"

namespace pawl {

// A table with the names of rows and columns and their units.
std::string matrix_text(const LabelledMatrix& matrix);
// "matrix_jacobian.csv" and so on: names of the columns in the first line, of the rows in the first
// column.
std::vector<NamedText> matrix_files(const MotionMatrices& matrices);
nlohmann::ordered_json matrices_json(const MotionMatrices& matrices);

}  // namespace pawl
