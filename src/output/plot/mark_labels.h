// Which events on a time axis are marked by lines, which by ticks, and where the names of the lines
// stand above the axis. Knows positions along the axis and words.
#pragma once

#include <string>
#include <vector>

#include "output/svg/svg_text.h"

namespace pawl::drawing {

struct MarkLabel {
    double x = 0;  // of its line
    std::string text;
    int row = 0;            // the lowest is 0
    bool leftward = false;  // it ends at its line instead of beginning there
    [[nodiscard]] double width() const;
    [[nodiscard]] double begin() const { return leftward ? x - width() : x; }
};

constexpr double mark_font = smallest_font;
constexpr int max_label_rows = 6;  // names that would stand higher are left out

// Marks at increasing x that are hardly apart become one with a common name: "impact C#1 ×4".
std::vector<MarkLabel> merged(const std::vector<MarkLabel>& marks);

// Many lines are a grid that hides the curves. The rarest kinds of events keep theirs, as many
// kinds as fit on `width`; the others are ticks. Both are merged.
struct ThinnedMarks {
    std::vector<MarkLabel> lines, ticks;
};
ThinnedMarks thinned(const std::vector<MarkLabel>& marks, double width);

// Names for merged lines at increasing x. From right to left each name takes the lowest row above
// all names that begin under it, so that no line, which ends at the row of its name, crosses a
// name. A name that would go beyond `right` stands on the left.
std::vector<MarkLabel> mark_labels(const std::vector<MarkLabel>& lines, double right);

}  // namespace pawl::drawing
