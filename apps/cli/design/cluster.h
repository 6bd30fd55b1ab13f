// A sweep on a cluster: handed over to the Python package, which speaks with Dask.
#pragma once

#include <filesystem>
#include <string>

#include "design/sweep.h"

namespace pawl::cli {

// Fills the file of a sweep, which is there already, by the workers of a Dask scheduler. Messages
// go to standard error. Returns the exit code.
int fill_on_cluster(const std::string& address, const Model& model, const SweepSettings& settings,
                    const std::filesystem::path& store, bool quiet);

}  // namespace pawl::cli
