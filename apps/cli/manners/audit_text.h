// The audit of a run on the terminal: the energy ledger, a line for the verdict, and one for each
// check that failed. All checks are in result.json and in the report.
#pragma once

#include <string>
#include <vector>

#include "results/audit.h"

namespace pawl::cli {

// Of a dynamic run: ledger, verdict and failed checks.
void print_audit(const Audit& audit);

// Those of the named checks that failed.
void print_failed(const Audit& audit, const std::vector<std::string>& names);

}  // namespace pawl::cli
