// Where the names of marks on a time axis stand above it. Knows places along the axis and words.
#pragma once

#include <string>
#include <vector>

namespace pawl::drawing {

struct MarkLabel {
    double x = 0;  // of its line
    std::string text;
    int row = 0;            // the lowest is 0
    bool leftward = false;  // it ends at its line instead of beginning there
    [[nodiscard]] double width() const;
    [[nodiscard]] double begin() const { return leftward ? x - width() : x; }
};

constexpr double mark_font = 10;    // drawing units
constexpr int most_label_rows = 6;  // names that would stand higher are left out

// Names for lines at increasing x. Lines that are hardly apart share a name. From right to left
// each name takes the lowest row above all names that begin under it, so that no line, which ends
// at the row of its name, crosses a name. A name that would go beyond `right` stands on the left.
std::vector<MarkLabel> mark_labels(const std::vector<MarkLabel>& wanted, double right);

}  // namespace pawl::drawing
