// The text of an ADAMS data set as statements NAME/id, KEY=value, ... with continuation lines that
// begin with a comma. Knows no mechanism.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "math/span.h"

namespace pawl {

struct AdamsWord {
    std::string text;
    Span span;
};

struct AdamsArgument {
    std::string key;  // upper case
    Span span;
    std::vector<AdamsWord> values;
};

struct AdamsStatement {
    std::string name;  // upper case
    Span span;
    int id = 0;  // 0: none
    std::vector<AdamsArgument> arguments;
    Span end;  // where a missing argument would stand

    [[nodiscard]] const AdamsArgument* find(std::string_view key) const;
    [[nodiscard]] std::string title() const;  // "JOINT/2"
};

// Headings, comments (!), blank lines and code fences are left out; the list ends at END, whose
// absence is an error.
std::vector<AdamsStatement> read_adams_text(std::string_view text, Diagnostics& diagnostics);

// A number; 90D is an angle in degrees and becomes radians.
std::optional<double> adams_number(const AdamsWord& word, Diagnostics& diagnostics);

// Arguments as numbers, references and formulas; what is missing or wrong is reported.
class AdamsValues {
public:
    explicit AdamsValues(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

    std::vector<double> numbers(const AdamsArgument& argument);
    std::optional<double> number(const AdamsStatement& s, std::string_view key);
    // Up to three numbers; those that are missing are zero. More are a slip.
    std::vector<double> triple(const AdamsStatement& s, const char* key);
    // The number of another statement.
    std::optional<int> reference(const AdamsStatement& s, const char* key);
    // Formulas: TIME, numbers, operators and the functions that both programs have.
    std::optional<std::string> formula(const AdamsWord& word, const std::string& title);

private:
    Diagnostics& diagnostics_;
};

}  // namespace pawl
