// The text of a model file that can be changed in place: comments, order and layout of everything
// else stay as they are, byte for byte. Knows TOML, and which tables of a model hold names.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "math/span.h"

namespace pawl {

// A range of bytes and what replaces it.
struct TextChange {
    std::size_t begin = 0, end = 0;
    std::string text;
};
using KeyValues = std::vector<std::pair<std::string, std::string>>;

class ModelText {
public:
    explicit ModelText(std::string text) : text_(std::move(text)) {}

    // Replaces the value at a path of keys and array indices (from 0), as "parameters.L1",
    // "body.crank.angle" or "body.crank.position.0". The value is TOML (0.5, true, [0, 1], "15 mm")
    // or anything else, which is written as a string: 15 mm becomes "15 mm". A parameter in its
    // long form gets a new `value`. A key that an element does not have is added to it. False, with
    // an error, when there is no such element or parameter; the text is then unchanged.
    bool set(std::string_view path, std::string_view value, Diagnostics& diagnostics);

    // Adds an element with its keys behind the last one of its section, as "joint.A"; values are
    // as of `set`. False where there is one of the name, or the name is none.
    bool insert(std::string_view path, const KeyValues& values, Diagnostics& diagnostics);
    // A value behind the last one of an array, in its layout.
    bool append(std::string_view path, std::string_view value, Diagnostics& diagnostics);
    // Takes out an element with all that refers to it, a key, or a value of an array. removed() has
    // the paths.
    bool remove(std::string_view path, Diagnostics& diagnostics);
    // Another name for an element, a parameter or a point of a body, also where values refer to it.
    bool rename(std::string_view path, std::string_view name, Diagnostics& diagnostics);

    [[nodiscard]] const std::string& text() const { return text_; }
    // What the last call changed: ranges of the text before it, in their order.
    [[nodiscard]] const std::vector<TextChange>& changes() const { return changes_; }
    [[nodiscard]] const std::vector<std::string>& removed() const { return removed_; }

private:
    bool apply(std::vector<TextChange> changes, Diagnostics& diagnostics);

    std::string text_;
    std::vector<TextChange> changes_;
    std::vector<std::string> removed_;
};

struct Node;
// The same in a document that was read, whose locations stay those of the file.
bool set_value(Node& root, std::string_view path, std::string_view value, Diagnostics& diagnostics);

}  // namespace pawl
