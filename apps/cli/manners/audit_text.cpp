#include "manners/audit_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "manners/tables.h"
#include "simulation/verdict.h"

namespace pawl::cli {

namespace {

void print_ledger(const Audit& audit) {
    double largest = std::abs(audit.kinetic_change);
    for (const LedgerLine& l : audit.ledger)
        largest = std::max({largest, std::abs(l.stored), std::abs(l.work)});
    for (const LedgerLine& l : audit.ledger)
        fmt::print("ledger  {:<16} stored {:>14.7g} J   work {:>14.7g} J\n", l.element,
                   shown_beside(l.stored, largest) + 0.0, shown_beside(l.work, largest) + 0.0);
    fmt::print("ledger  {:<16} stored {:>14.7g} J\n", "(kinetic)",
               shown_beside(audit.kinetic_change, largest) + 0.0);
}

void print_if_failed(const AuditCheck& check) {
    if (check.passed()) return;
    const std::string unit = check.unit == "1" ? "" : " " + check.unit;
    fmt::print("audit   {} {:.2e}{}, limit {:.2e}{}  FAILED at t = {:.9g} s{}{}\n", check.name,
               check.value(), unit, check.limit, unit, check.worst.t,
               check.worst.element.empty() ? "" : ", ", check.worst.element);
}

}  // namespace

void print_audit(const Audit& audit) {
    print_ledger(audit);
    const auto failed = std::ranges::count_if(audit.checks, [](auto& c) { return !c.passed(); });
    const std::string checks =
        fmt::format("{} check{}", audit.checks.size(), audit.checks.size() == 1 ? "" : "s");
    fmt::print("audit   {}",
               failed == 0 ? "passed: " + checks : fmt::format("FAILED: {} of {}", failed, checks));
    if (const AuditCheck* energy = find_check(audit, "energy residual"))
        fmt::print("; energy residual {:.1e} J, limit {:.1e} J", energy->value(), energy->limit);
    fmt::print("\n");
    for (const AuditCheck& check : audit.checks) print_if_failed(check);
}

void print_failed(const Audit& audit, const std::vector<std::string>& names) {
    for (const std::string& name : names)
        if (const AuditCheck* check = find_check(audit, name)) print_if_failed(*check);
}

}  // namespace pawl::cli
