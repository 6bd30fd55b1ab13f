// The text of a model file whose values can be changed in place: comments, order and layout of
// everything else stay as they are, byte for byte. Knows TOML, and which tables of a model hold
// names.
#pragma once

#include <string>
#include <string_view>

#include "math/span.h"

namespace pawl {

class ModelText {
public:
    explicit ModelText(std::string text) : text_(std::move(text)) {}

    // Replaces the value at a path of keys and array places (from 0), as "parameters.L1",
    // "body.crank.angle" or "body.crank.position.0". The value is TOML (0.5, true, [0, 1], "15 mm")
    // or anything else, which is written as a string: 15 mm becomes "15 mm". A parameter in its
    // long form gets a new `value`. A key that an element does not have is added to it. False, with
    // an error, when there is no such element or parameter; the text is then unchanged.
    bool set(std::string_view path, std::string_view value, Diagnostics& diagnostics);

    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string text_;
};

struct Node;
// The same in a document that was read, whose places stay those of the file.
bool set_value(Node& root, std::string_view path, std::string_view value, Diagnostics& diagnostics);

}  // namespace pawl
