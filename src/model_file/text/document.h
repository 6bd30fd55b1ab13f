// A TOML document as a tree of nodes in the order of the file, each with line and column. The only
// door to the TOML parser; knows nothing of what a model holds.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "math/span.h"

namespace pawl {

struct Node {
    enum class Kind { table, array, text, integer, real, boolean, date };
    Kind kind = Kind::table;
    std::string key;  // empty for the root and the elements of an array
    Span key_span;
    Span begin, end;  // of the value, the end excluded; of a table with a header: of the header
    std::string text;
    double number = 0;
    bool flag = false;
    std::vector<Node> children;

    [[nodiscard]] const Node* find(std::string_view name) const;
    [[nodiscard]] bool is_number() const { return kind == Kind::integer || kind == Kind::real; }
    [[nodiscard]] std::string_view kind_name() const;  // "a string", "an array", ...
    // Where a byte of the text of a string stands in the file. Where escapes or line breaks make
    // that unclear, the beginning of the string.
    [[nodiscard]] Span inside(std::size_t offset) const;
};

// A larger file is refused: no model of this size was written by hand, and reading it would take
// long.
inline constexpr std::size_t largest_document = std::size_t{8} << 20;

// The root table, or nothing and the one error of syntax.
std::optional<Node> parse_document(std::string_view text, Diagnostics& diagnostics);

// The bytes of a file, or nothing and an error that says why.
std::optional<std::string> read_text_file(const std::filesystem::path& path,
                                          Diagnostics& diagnostics);

// The byte where a line and column of the text begins. Columns count characters, not bytes.
std::size_t offset_of(std::string_view text, Span span);

}  // namespace pawl
