// The audit: the proof that a run obeyed physics. Each check has its inequality; the verdict is
// their conjunction.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pawl {

// The largest of the values seen, when and of which element.
struct Worst {
    double value = 0, t = 0;
    std::string element = {};
    void see(double candidate, double at, std::string_view who = {}) {
        if (!(candidate > value)) return;
        value = candidate;
        t = at;
        element = who;
    }
};

struct AuditCheck {
    std::string name;  // "energy residual"
    std::string unit;
    Worst worst;
    double limit = 0;
    std::string inequality;  // in words
    [[nodiscard]] double value() const { return worst.value; }
    [[nodiscard]] bool passed() const { return worst.value <= limit; }
};

// One line of the energy ledger at the end of the run.
struct LedgerLine {
    std::string element;  // "gravity", "spring", "motor"
    double stored = 0;    // J, change since the start
    double work = 0;      // J, done on the mechanism and not stored (negative: dissipated)
};

struct Audit {
    std::vector<AuditCheck> checks;
    std::vector<LedgerLine> ledger;
    double kinetic_change = 0;         // J, since the start
    std::vector<std::string> remarks;  // what it cannot see
    [[nodiscard]] bool passed() const {
        for (const AuditCheck& c : checks)
            if (!c.passed()) return false;
        return true;
    }
};

}  // namespace pawl
