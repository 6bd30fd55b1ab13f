// Values of a model's text that are expressions of parameters: what they give, and which value of a
// parameter makes one of them give another number. Knows no bodies and no page.
#pragma once

#include <string>
#include <string_view>

#include "json.h"
#include "model_file/reading/parameters.h"

namespace pawl::engine {

class Expressions {
public:
    // Of a document; what is wrong in it is left out.
    explicit Expressions(const Node& root);
    Expressions(const Expressions&) = delete;

    // Adds to a string that is an expression of parameters its value ("bare": in the default unit
    // of its place, else SI) and the names in it.
    void describe(const Node& value, Json& out) const;

    // How a parameter is written, as its path and TOML; or why there is none.
    struct Change {
        std::string path, value, locked;
    };
    // What brings the expression to a target (SI) or as near as it gets, rounded to a step (SI).
    [[nodiscard]] Change change_for(const Node& value, const Dimension& dimension, double target,
                                    double step) const;

private:
    [[nodiscard]] bool names_a_parameter(std::string_view text) const;
    // Of the value of a parameter.
    [[nodiscard]] const Node* source_of(const Parameter& parameter) const;

    const Node& root_;
    mutable Diagnostics ignored_;
    mutable ReadingContext context_{ignored_};
    ParameterSet parameters_;
    std::vector<double> slots_;
};

}  // namespace pawl::engine
