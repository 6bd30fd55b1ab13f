// Design studies as Python calls them.
#pragma once

#include <pybind11/pybind11.h>

namespace pawl::python {

void bind_studies(pybind11::module_& m);

}  // namespace pawl::python
