// Reads a number and the unit behind it, as "12 mm" or "5 kg m^2". Used by the reader of
// expressions only.
#pragma once

#include "math/expression/expression.h"
#include "math/expression/expression_cursor.h"

namespace pawl::expression_detail {

// A quantity is a number followed by units that are joined by a blank, / or ^; the value is in SI.
// It ends at *, +, - or a bracket, and at a / that no unit follows. Inside it names are units in
// any case, elsewhere never; a bare number over a name that is both, as "3/m", is an error.
Unit read_quantity(Cursor& cursor, const Symbols& symbols);

// The end of a message about an unknown unit: names like it, or how two units are joined.
std::string unit_hint(std::string_view name);

}  // namespace pawl::expression_detail
