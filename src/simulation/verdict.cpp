#include "simulation/verdict.h"

#include "math/tolerances/records.h"

namespace pawl {

namespace {

// What the joints cannot supply, of the largest force.
constexpr double max_imbalance = tolerance::force_audit;

AuditCheck residual_check(double residual, double size) {
    return {"constraint residual",
            "m",
            {residual},
            tolerance::position_accepted * size,
            "|phi| <= 1e-12 size"};
}

AuditCheck balance_check(double imbalance) {
    return {"balance of forces",
            "1",
            {imbalance},
            max_imbalance,
            "what the joints cannot supply <= 1e-6 of the largest force"};
}

AuditCheck penetration_check(const Worst& depth, double size) {
    return {"penetration", "m", depth, tolerance::residual_audit * size, "-gap <= 1e-10 size"};
}

AuditCheck force_check(const char* name, const Worst& worst, double largest,
                       const char* inequality) {
    return {name, "N", worst, tolerance::force_audit * largest + tolerance::smallest_amount,
            inequality};
}

}  // namespace

Audit audit_of(const KinematicResult& result, const PlacedMechanism& placed, bool with_forces) {
    const auto& s = result.statistics;
    const double size = placed.assembly.model_size;
    Audit audit;
    audit.checks.push_back(residual_check(s.largest_residual, size));
    if (with_forces) audit.checks.push_back(balance_check(s.largest_imbalance));
    audit.checks.push_back(penetration_check(s.penetration, size));
    audit.checks.push_back(force_check("pulling contact", s.pull, s.largest_contact_force,
                                       "-normal force <= 1e-6 of the largest"));
    audit.checks.push_back(force_check("friction cone", s.cone, s.largest_contact_force,
                                       "friction beyond its limit <= 1e-6 of the largest force"));
    return audit;
}

Audit audit_of(const EquilibriumResult& result, const PlacedMechanism& placed) {
    Audit audit;
    audit.checks.push_back(residual_check(result.residual, placed.assembly.model_size));
    audit.checks.push_back({"force left",
                            "N",
                            {result.unbalance},
                            result.unbalance_limit,
                            "|g| <= 1e-12 max(largest force, |K| size)"});
    audit.checks.push_back(balance_check(result.imbalance));
    return audit;
}

Audit audit_of(const QuasiStaticResult& result, const PlacedMechanism& placed) {
    const auto& s = result.statistics;
    const double size = placed.assembly.model_size;
    Audit audit;
    audit.checks.push_back(residual_check(s.largest_residual, size));
    audit.checks.push_back(balance_check(s.largest_imbalance));
    audit.checks.push_back(penetration_check(s.penetration, size));
    audit.checks.push_back(force_check("pulling contact", s.pull, s.largest_contact_force,
                                       "-normal force <= 1e-6 of the largest"));
    return audit;
}

const AuditCheck* find_check(const Audit& audit, std::string_view name) {
    for (const AuditCheck& check : audit.checks)
        if (check.name == name) return &check;
    return nullptr;
}

}  // namespace pawl
