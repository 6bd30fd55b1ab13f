// A dynamic run that must come to its end with every check of its audit passed.
#pragma once

#include <gtest/gtest.h>

#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl::test {

inline DynamicResult run_soundly(const std::string& text, double end, double step,
                                 bool sequential = false) {
    DynamicOptions options;
    options.end = end;
    options.step = step;
    options.sequential_impacts = sequential;
    DynamicResult r = run_dynamics(placed_of(text), options);
    EXPECT_EQ(r.status, DynamicStatus::completed) << r.message;
    for (const AuditCheck& check : r.audit.checks)
        EXPECT_TRUE(check.passed()) << check.name << ' ' << check.value() << " > " << check.limit;
    return r;
}

}  // namespace pawl::test
