// Formatting of diagnostics, and the search for names near a misspelt one.
#include "math/span.h"

#include <algorithm>
#include <cctype>
#include <tuple>
#include <utility>

namespace pawl {

void Diagnostics::error(Span span, std::string message) {
    all_.push_back({Diagnostic::Severity::error, span, std::move(message)});
}

void Diagnostics::warning(Span span, std::string message) {
    all_.push_back({Diagnostic::Severity::warning, span, std::move(message)});
}

void Diagnostics::add(const Diagnostics& others) {
    file = others.file;
    all_.insert(all_.end(), others.all_.begin(), others.all_.end());
}

bool Diagnostics::has_errors() const {
    return std::any_of(all_.begin(), all_.end(), [](const Diagnostic& d) {
        return d.severity == Diagnostic::Severity::error;
    });
}

std::string Diagnostics::text() const {
    std::vector<Diagnostic> sorted = all_;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic& a, const Diagnostic& b) {
        return std::tie(a.span.line, a.span.column) < std::tie(b.span.line, b.span.column);
    });
    std::string text;
    for (const Diagnostic& d : sorted) {
        text += file;
        if (d.span.line > 0)
            text += ":" + std::to_string(d.span.line) + ":" + std::to_string(d.span.column);
        if (!text.empty() && text.back() != '\n') text += ": ";
        text += d.severity == Diagnostic::Severity::error ? "error: " : "warning: ";
        text += d.message + "\n";
    }
    return text;
}

namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Number of insertions, deletions, replacements and swaps of neighbours (each place edited once)
// that turn a into b, ignoring case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> two_above, above(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = std::min(row[j], two_above[j - 2] + 1);
        }
        two_above = std::exchange(above, row);
    }
    return above[b.size()];
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& valid,
                                       std::size_t max_names) {
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const std::string& candidate : valid) {
        const std::size_t shorter = std::min(name.size(), candidate.size());
        const std::size_t longer = std::max(name.size(), candidate.size());
        // A third of the letters may differ, but never all of them.
        const std::size_t limit = longer < 2 ? 0 : std::max<std::size_t>(1, longer / 3);
        if (longer - shorter > limit) continue;
        const std::size_t distance = edit_distance(name, candidate);
        if (distance <= limit) near.emplace_back(distance, candidate);
    }
    std::stable_sort(near.begin(), near.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> names;
    for (std::size_t i = 0; i < near.size() && i < max_names; ++i) names.push_back(near[i].second);
    return names;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& valid) {
    constexpr std::size_t max_listed = 12;  // a longer list hides the message before it
    if (valid.empty()) return "";
    const std::vector<std::string> near = nearest_names(name, valid);
    std::string text;
    if (!near.empty()) {
        for (std::size_t i = 0; i < near.size(); ++i) {
            text += i == 0 ? "; did you mean " : i + 1 == near.size() ? " or " : ", ";
            text += "'" + near[i] + "'";
        }
        return text + "?";
    }
    for (std::size_t i = 0; i < valid.size() && i < max_listed; ++i)
        text += (i == 0 ? "; valid: " : ", ") + valid[i];
    return valid.size() > max_listed ? text + ", …" : text;
}

}  // namespace pawl
