// The text of an ACDMC data file as entities and fields (Wang 1996, appendix D.1): keywords in
// English or French, values after a colon or on the lines below. Knows no mechanism.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "math/span.h"

namespace pawl {

struct AcdmcWord {
    std::string text;
    Span span;
};

struct AcdmcField {
    std::string key;  // the canonical keyword, e.g. "TYPE OF CURVE"
    Span span;
    std::vector<AcdmcWord> words;
    Span end;  // where a missing value would stand
};

struct AcdmcEntity {
    std::string kind;  // MACH, LINK, SURF, PAIR, OCLI, OCPA or LOOP
    Span span;
    std::vector<AcdmcField> fields;

    [[nodiscard]] const AcdmcField* find(std::string_view key) const;
};

// Blank lines and code fences are left out. An unknown keyword is an error that lists those near;
// one with one wrong letter that only one keyword can have meant is read with a warning.
std::vector<AcdmcEntity> read_acdmc_text(std::string_view text, Diagnostics& diagnostics);

// Values of a field. Each reports what is missing or wrong and returns nothing.
std::optional<double> acdmc_number(const AcdmcWord& word, Diagnostics& diagnostics);
std::optional<std::vector<double>> acdmc_numbers(const AcdmcField& field, std::size_t count,
                                                 Diagnostics& diagnostics);
std::optional<std::string> acdmc_name(const AcdmcField& field, Diagnostics& diagnostics);

// The index of one of the choices, each a list of synonyms separated by '|'; -1 with an error.
int acdmc_choice(const AcdmcField& field, const std::vector<std::string>& choices,
                 Diagnostics& diagnostics);

}  // namespace pawl
