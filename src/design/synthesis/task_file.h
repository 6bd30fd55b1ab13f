// Files that say what is asked of a linkage: TOML, or a table of positions as CSV.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "design/synthesis/problem.h"
#include "math/span.h"

namespace pawl {

// Both begin with a task that has its kind, its linkage and its name, and return nothing where
// there are errors. A TOML text, as docs/analyses/synthesis.md has it; a mechanism that is asked
// for is taken in place of that of the text:
std::optional<SynthesisTask> read_synthesis_task(std::string_view text, SynthesisTask task,
                                                 Diagnostics& diagnostics,
                                                 std::optional<LinkageKind> asked = {});

// A table of positions with one head line, such as `x [mm],y [mm]`; columns x and y (path), x, y
// and angle (motion), input and output (function), and for each crank and tolerance. Lines that
// begin with # are left out.
std::optional<SynthesisTask> read_synthesis_table(std::string_view text, SynthesisTask task,
                                                  Diagnostics& diagnostics);

// What can be given under [fixed], by the kind of linkage: names of points and of numbers.
std::vector<std::string> fixable_names(const Linkage& linkage);

// A function has no scale of its own, and no position: what is not given is chosen. Also the errors
// of a task as a whole. `span` is where they are reported.
bool complete_task(SynthesisTask& task, Span span, Diagnostics& diagnostics);

}  // namespace pawl
