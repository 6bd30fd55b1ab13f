// Reading of words, flags, choices and units, and the messages of a table.
#include "model_file/text/table_reader.h"

#include <algorithm>
#include <cmath>

#include "math/expression/expression_quantity.h"

namespace pawl {

std::string TableReader::what(std::string_view name) const {
    return (title_.empty() ? "" : title_ + ", ") + std::string(name);
}

const Node* TableReader::find(std::string_view name) const {
    const std::size_t dot = name.find('.');
    const Node* node = table_.find(name.substr(0, dot));
    return !node || dot == std::string_view::npos ? node : node->find(name.substr(dot + 1));
}

Span TableReader::span_of(std::string_view name) const {
    const Node* node = find(name);
    return node ? node->begin : table_.begin;
}

void TableReader::error(Span span, std::string message) {
    failed_ = true;
    context_.diagnostics.error(span, std::move(message));
}

const Node* TableReader::take(std::string_view name, bool required) {
    if (std::find(known_.begin(), known_.end(), name) == known_.end()) known_.emplace_back(name);
    const Node* node = table_.find(name);
    if (!node && required)
        error(table_.begin,
              (title_.empty() ? "the model" : title_) + " needs the key '" + std::string(name) +
                  "'" +
                  (title_.empty() && name == "format" ? "; begin the file with: format = 1" : ""));
    return node;
}

const Node* TableReader::take_text(std::string_view name, bool required) {
    const Node* node = take(name, required);
    if (!node || node->kind == Node::Kind::text) return node;
    error(node->begin, what(name) + ": expected a string, not " + std::string(node->kind_name()));
    return nullptr;
}

const std::vector<Node>* TableReader::take_array(std::string_view name, bool required) {
    const Node* node = take(name, required);
    if (!node) return nullptr;
    if (node->kind == Node::Kind::array) return &node->children;
    error(node->begin, what(name) + ": expected an array, not " + std::string(node->kind_name()));
    return nullptr;
}

void TableReader::any(std::string_view name, const Node*& value, std::string_view, bool required) {
    value = take(name, required);
}

void TableReader::text(std::string_view name, std::string& value, std::string_view) {
    if (const Node* node = take_text(name, false)) value = node->text;
}

void TableReader::texts(std::string_view name, std::vector<std::string>& values, std::string_view) {
    const auto* nodes = take_array(name, false);
    if (!nodes) return;
    for (const Node& node : *nodes) {
        if (node.kind == Node::Kind::text)
            values.push_back(node.text);
        else
            error(node.begin,
                  what(name) + ": expected a string, not " + std::string(node.kind_name()));
    }
}

void TableReader::flag(std::string_view name, bool& value, std::string_view doc) {
    std::optional<bool> given;
    flag(name, given, doc);
    value = given.value_or(value);
}

void TableReader::flag(std::string_view name, std::optional<bool>& value, std::string_view) {
    const Node* node = take(name, false);
    if (!node) return;
    if (node->kind == Node::Kind::boolean)
        value = node->flag;
    else
        error(node->begin,
              what(name) + ": expected true or false, not " + std::string(node->kind_name()));
}

void TableReader::unit(std::string_view name, std::optional<double>& factor,
                       const Dimension& dimension, std::string_view) {
    std::optional<std::string> word;
    unit_name(name, word, {});
    if (!word) return;
    const Unit unit = *parse_unit(*word);
    if (compatible(unit.dimension, dimension))
        factor = unit.factor;
    else
        error(span_of(name), what(name) + ": expected a unit of " + describe(dimension) +
                                 ", but '" + *word + "' is a unit of " + describe(unit.dimension));
}

void TableReader::unit_name(std::string_view name, std::optional<std::string>& value,
                            std::string_view) {
    const Node* node = take_text(name, false);
    if (!node) return;
    const auto unit = parse_unit(node->text);
    if (unit && std::isnormal(unit->factor))
        value = node->text;
    else
        error(node->inside(0), what(name) + ": unknown unit '" + node->text + "'" +
                                   expression_detail::unit_hint(node->text));
}

std::optional<std::size_t> TableReader::choose(std::string_view name,
                                               const std::vector<std::string>& names) {
    const Node* node = take_text(name, false);
    if (!node) return std::nullopt;
    const auto found = std::find(names.begin(), names.end(), node->text);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    error(node->inside(0), what(name) + ": unknown value '" + node->text + "'" +
                               context_.suggest(node->text, names));
    return std::nullopt;
}

void TableReader::require(bool condition, std::string_view name, std::string_view message) {
    if (!condition && !failed_) error(span_of(name), what(name) + ": " + std::string(message));
}

void TableReader::finish() {
    for (const Node& child : table_.children) {
        if (std::find(known_.begin(), known_.end(), child.key) != known_.end()) continue;
        const auto& tables = context_.tables;
        const bool misplaced =
            !title_.empty() && std::find(tables.begin(), tables.end(), child.key) != tables.end();
        error(child.key_span,
              (title_.empty() ? "" : title_ + ": ") + "unknown key '" + child.key + "'" +
                  (misplaced ? "; the table of this name belongs to the top level: keys after a "
                               "header in [ ] are part of that header's table, so give '" +
                                   child.key + "' a header of its own, or write it above the first"
                             : context_.suggest(child.key, known_)));
    }
}

}  // namespace pawl
