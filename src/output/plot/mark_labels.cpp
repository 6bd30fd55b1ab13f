#include "output/plot/mark_labels.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "output/svg/name_layout.h"

namespace pawl::drawing {

namespace {

constexpr double nearest = 4;     // drawing units: marks that are nearer are one
constexpr double line_room = 12;  // drawing units for each line: curves are seen between them
constexpr std::size_t longest = 60;

// "impact C#1 ×4, contact formed C#1".
std::string common(const std::vector<MarkLabel>& wanted, std::size_t first, std::size_t last) {
    std::vector<std::pair<std::string, int>> counted;
    for (std::size_t i = first; i < last; ++i) {
        auto found = std::find_if(counted.begin(), counted.end(),
                                  [&](const auto& c) { return c.first == wanted[i].text; });
        if (found == counted.end()) found = counted.insert(found, {wanted[i].text, 0});
        ++found->second;
    }
    std::string out;
    for (const auto& [text, count] : counted) {
        out += (out.empty() ? "" : ", ") + text;
        if (count > 1) out += " ×" + std::to_string(count);
    }
    if (out.size() <= longest) return out;
    return last - first == 1 ? "1 event" : fmt::format("{} events", last - first);
}

void add_label(MarkLabel label, std::vector<MarkLabel>& placed) {
    for (const MarkLabel& other : placed)
        if (other.x > label.begin() - (label.leftward ? other.width() : 0) &&
            other.x < label.begin() + label.width())
            label.row = std::max(label.row, other.row + 1);
    if (label.row < max_label_rows) placed.push_back(std::move(label));
}

}  // namespace

double MarkLabel::width() const {
    return mean_letter * mark_font * static_cast<double>(text.size()) + 8;
}

std::vector<MarkLabel> merged(const std::vector<MarkLabel>& marks) {
    std::vector<MarkLabel> out;
    for (std::size_t first = 0, last = 0; first < marks.size(); first = last) {
        last = first + 1;  // one whose position is not a number stays alone
        while (last < marks.size() && marks[last].x - marks[first].x < nearest) ++last;
        out.push_back({marks[first].x, common(marks, first, last)});
    }
    return out;
}

ThinnedMarks thinned(const std::vector<MarkLabel>& marks, double width) {
    std::map<std::string, std::size_t> counts;
    for (const MarkLabel& mark : marks) ++counts[mark.text];
    std::vector<std::pair<std::size_t, std::string>> kinds;
    for (const auto& [text, count] : counts) kinds.emplace_back(count, text);
    std::sort(kinds.begin(), kinds.end());
    std::set<std::string> rare;
    ThinnedMarks out;
    for (const auto& kind : kinds) {
        rare.insert(kind.second);
        ThinnedMarks now;
        for (const MarkLabel& mark : marks)
            (rare.contains(mark.text) ? now.lines : now.ticks).push_back(mark);
        now = {merged(now.lines), merged(now.ticks)};
        if (static_cast<double>(now.lines.size()) * line_room > width) break;
        out = std::move(now);
    }
    if (out.lines.empty()) out.ticks = merged(marks);
    return out;
}

std::vector<MarkLabel> mark_labels(const std::vector<MarkLabel>& lines, double right) {
    std::vector<MarkLabel> placed, leftward;
    for (std::size_t i = lines.size(); i-- > 0;) {
        MarkLabel label = lines[i];
        label.leftward = label.x + label.width() > right;
        if (label.leftward)
            leftward.push_back(std::move(label));
        else
            add_label(std::move(label), placed);
    }
    for (MarkLabel& label : leftward) add_label(std::move(label), placed);
    return placed;
}

}  // namespace pawl::drawing
