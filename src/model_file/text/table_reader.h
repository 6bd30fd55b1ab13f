// Reads the fields of one table that need no numbers: words, flags, choices, units. Remembers which
// keys were asked for, so that the others can be reported. A visitor for the field lists of
// elements.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model_file/text/kinds.h"
#include "model_file/text/values.h"

namespace pawl {

class TableReader {
public:
    // `title` names the element in messages: "joint 'A'".
    TableReader(const Node& table, std::string title, ReadingContext& context)
        : table_(table), title_(std::move(title)), context_(context) {}

    // A name may lead into a table below: "friction.smooth".
    [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }
    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] const std::string& title() const { return title_; }
    [[nodiscard]] std::string what(std::string_view name) const;
    [[nodiscard]] Span table_span() const { return table_.begin; }
    // The location of a value, or of the table if the key is not given.
    [[nodiscard]] Span span_of(std::string_view name) const;
    void error(Span span, std::string message);  // the message is complete
    void fail() { failed_ = true; }

    // The value of a key; an error if it is required and missing.
    const Node* take(std::string_view name, bool required);
    // The value as a string; an error if it is something else.
    const Node* take_text(std::string_view name, bool required);
    // The elements of an array; an error if it is something else.
    const std::vector<Node>* take_array(std::string_view name, bool required);

    void any(std::string_view name, const Node*& value, std::string_view doc, bool required);
    void text(std::string_view name, std::string& value, std::string_view doc);
    void texts(std::string_view name, std::vector<std::string>& values, std::string_view doc);
    void flag(std::string_view name, bool& value, std::string_view doc);
    void flag(std::string_view name, std::optional<bool>& value, std::string_view doc);
    void unit(std::string_view name, std::optional<double>& factor, const Dimension& dimension,
              std::string_view doc);
    void unit_name(std::string_view name, std::optional<std::string>& value, std::string_view doc);

    // The first name is the default.
    template <class E>
    void choice(std::string_view name, E& value, const std::vector<std::string>& names,
                std::string_view) {
        value = static_cast<E>(choose(name, names).value_or(0));
    }
    template <class E>
    void choice(std::string_view name, std::optional<E>& value,
                const std::vector<std::string>& names, std::string_view) {
        if (const auto index = choose(name, names)) value = static_cast<E>(*index);
    }
    void choice(std::string_view name, std::string& value, const std::vector<std::string>& names,
                std::string_view) {
        value = names[choose(name, names).value_or(0)];
    }

    // The kind named by `type` or another key, made by default; if it is not required, the first.
    template <class Variant>
    std::optional<Variant> kind_of(std::string_view key = "type", bool required = true) {
        const Node* type = take_text(key, required);
        if (!type && !required && !has(key)) return make_kind<Variant>(0);
        if (!type) return std::nullopt;
        const std::vector<std::string> names = kind_names<Variant>();
        const auto found = std::find(names.begin(), names.end(), type->text);
        if (found != names.end())
            return make_kind<Variant>(static_cast<std::size_t>(found - names.begin()));
        error(type->inside(0), what(key) + ": unknown " + std::string(key) + " '" + type->text +
                                   "'" + context_.suggest(type->text, names));
        return std::nullopt;
    }

    // Rules on values are checked only while the table has no other error.
    void require(bool condition, std::string_view name, std::string_view message);

    // Reports the keys that no field asked for.
    void finish();

protected:
    [[nodiscard]] const Node* find(std::string_view name) const;
    std::optional<std::size_t> choose(std::string_view name, const std::vector<std::string>& names);

    const Node& table_;
    std::string title_;
    ReadingContext& context_;
    std::vector<std::string> known_;
    bool failed_ = false;
};

}  // namespace pawl
