// Events and messages as Python sees them: plain values. The kinds of facts and their values come
// from the field lists in results/event.h.
#pragma once

#include <pybind11/pybind11.h>

#include "pawl.h"

namespace pawl::python {

// [(name, [(field, type, unit), ...]), ...] of all kinds of facts.
pybind11::list fact_fields();

// (t, kind, element, from, to, velocity before, velocity after, impulse, energy change, text,
// (cause, ...), [(name of a fact, (value, ...)), ...])
pybind11::tuple event_record(const Event& event);

// [(severity, file, line, column, message), ...]
pybind11::list problems_list(const Diagnostics& problems);

}  // namespace pawl::python
