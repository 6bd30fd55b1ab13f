// The audit of runs without an energy ledger: which inequalities a kinematic run, an equilibrium
// and a quasi-static run must satisfy. A dynamic run carries its own.
#pragma once

#include "simulation/equilibrium/equilibrium.h"
#include "simulation/kinematic/kinematic_run.h"
#include "simulation/quasi_static/quasi_static_run.h"

namespace pawl {

// `with_forces`: of inverse dynamics.
Audit audit_of(const KinematicResult& result, const PlacedMechanism& placed, bool with_forces);
Audit audit_of(const EquilibriumResult& result, const PlacedMechanism& placed);
Audit audit_of(const QuasiStaticResult& result, const PlacedMechanism& placed);

// The check of a name that the audit has; null: it has none.
const AuditCheck* find_check(const Audit& audit, std::string_view name);

}  // namespace pawl
