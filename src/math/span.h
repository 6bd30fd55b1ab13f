// Locations in a model file and the messages that point at them. Knows nothing of what a model
// holds.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pawl {

// Counted from 1; line 0 means that no location is known.
struct Span {
    int line = 0;
    int column = 0;
};

struct Diagnostic {
    enum class Severity { error, warning };
    Severity severity = Severity::error;
    Span span;
    std::string message;
};

class Diagnostics {
public:
    void error(Span span, std::string message);
    void warning(Span span, std::string message);
    // Those of another, with its file.
    void add(const Diagnostics& others);
    bool has_errors() const;
    const std::vector<Diagnostic>& all() const { return all_; }

    // One line per message, `file:line:column: error: message`, in the order of the file.
    std::string text() const;

    std::string file;

private:
    std::vector<Diagnostic> all_;
};

// The valid names that a misspelt one may have meant, nearest first.
std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& valid,
                                       std::size_t max_names = 3);

// The end of a message about an unknown name: `; did you mean 'crank' or 'coupler'?`, or, when no
// valid name is near, `; valid: a, b, c`. Empty when there is no valid name at all.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& valid);

}  // namespace pawl
