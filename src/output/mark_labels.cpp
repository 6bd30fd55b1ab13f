#include "output/mark_labels.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "output/name_places.h"

namespace pawl::drawing {

namespace {

constexpr double nearest = 4;  // drawing units: lines that are nearer share a name
constexpr std::size_t longest = 60;

// "impact C#1 ×4, contact formed C#1".
std::string common(const std::vector<MarkLabel>& wanted, std::size_t first, std::size_t last) {
    std::vector<std::pair<std::string, int>> counted;
    for (std::size_t i = first; i < last; ++i) {
        auto place = std::find_if(counted.begin(), counted.end(),
                                  [&](const auto& c) { return c.first == wanted[i].text; });
        if (place == counted.end()) place = counted.insert(place, {wanted[i].text, 0});
        ++place->second;
    }
    std::string out;
    for (const auto& [text, count] : counted) {
        out += (out.empty() ? "" : ", ") + text;
        if (count > 1) out += " ×" + std::to_string(count);
    }
    if (out.size() <= longest) return out;
    return last - first == 1 ? "1 event" : fmt::format("{} events", last - first);
}

void place(MarkLabel label, std::vector<MarkLabel>& placed) {
    for (const MarkLabel& other : placed)
        if (other.x > label.begin() - (label.leftward ? other.width() : 0) &&
            other.x < label.begin() + label.width())
            label.row = std::max(label.row, other.row + 1);
    if (label.row < most_label_rows) placed.push_back(std::move(label));
}

}  // namespace

double MarkLabel::width() const {
    return mean_letter * mark_font * static_cast<double>(text.size()) + 8;
}

std::vector<MarkLabel> mark_labels(const std::vector<MarkLabel>& wanted, double right) {
    std::vector<MarkLabel> placed, leftward;
    for (std::size_t last = wanted.size(); last > 0;) {
        std::size_t first = last - 1;
        while (first > 0 && wanted[last - 1].x - wanted[first - 1].x < nearest) --first;
        MarkLabel label{wanted[first].x, common(wanted, first, last)};
        label.leftward = label.x + label.width() > right;
        if (label.leftward)
            leftward.push_back(std::move(label));
        else
            place(std::move(label), placed);
        last = first;
    }
    for (MarkLabel& label : leftward) place(std::move(label), placed);
    return placed;
}

}  // namespace pawl::drawing
