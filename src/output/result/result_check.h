// What pictures and reports rely on in a result that was read. A result is a folder of plain texts
// that anybody can edit; what does not fit is found here, with its location.
#pragma once

#include <string>

#include "mechanism/mechanism.h"
#include "output/result/result_reader.h"

namespace pawl {

// Why a text in JSON is not a result.json as a run writes it: which entry, and what it should be.
// Empty: it is. Numbers that were not finite are null in JSON, which is right.
std::string summary_problem(const std::string& text);

// Why the motion of a result cannot be drawn: a column is missing, a pose is not finite, or a
// contact lies where its profile has no point. Names file, line and column. Empty: it can.
std::string motion_problem(const StoredResult& result, const PlanarMechanism& mechanism);

}  // namespace pawl
