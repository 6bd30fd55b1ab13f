// Reads a number and the unit behind it, as "12 mm" or "5 kg m^2". Used by the reader of
// expressions only.
#pragma once

#include "math/expression.h"
#include "math/expression_cursor.h"

namespace pawl::expression_detail {

// The value is in SI. The first name after the number is a unit in any case, and so is one set
// beside a unit without a sign, which could mean nothing else; after * or / a symbol of that name
// goes first.
Unit read_quantity(Cursor& cursor, const Symbols& symbols);

}  // namespace pawl::expression_detail
