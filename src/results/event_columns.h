// Numbers of events beside those that every event has: friction impulses, the number of blows, and
// impulses of joints and drivers. One list for tables and for verification.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "results/column.h"
#include "results/event.h"

namespace pawl {

// The columns that any of these events has.
std::vector<Column> event_columns(const std::vector<Event>& events);
// Its value in such a column, in the unit of the column; none where it has none.
std::optional<double> event_number(const Event& event, std::string_view column);

}  // namespace pawl
