// Replacing values by their locations, and adding those that are not there.
#include "model_file/text/model_text.h"

#include "model_file/text/toml_nodes.h"

namespace pawl {

namespace {

// A value of a document; or, where keys of the path are missing, the table to write them into.
struct KeyLocation {
    Node* node = nullptr;
    std::string_view missing;
};

// Keys may be missing in a table that is there, and so may the two tables that every model has one
// of; but a name that is missing is an error.
bool may_miss(const Node& node, int depth, std::string_view path, std::string_view missing) {
    const std::string_view table = path.substr(0, path.find('.'));
    const bool once = table == "run" || table == "units";
    if (node.kind != Node::Kind::table) return false;
    return depth > 1 || (once && (depth == 1 || missing.find('.') != std::string_view::npos));
}

std::optional<KeyLocation> find_key(Node& root, std::string_view path, Diagnostics& diagnostics) {
    Node* node = &root;
    const std::string whole(path);
    std::string_view rest = path;
    for (int depth = 0; !rest.empty(); ++depth) {
        const std::string_view key = rest.substr(0, rest.find('.'));
        Node* child = child_of(*node, key);
        if (!child && !key.empty() && may_miss(*node, depth, path, rest))
            return KeyLocation{node, rest};
        if (!child) {
            diagnostics.error(node->begin, "cannot set " + whole + ": there is no '" +
                                               std::string(key) + "'" +
                                               did_you_mean(key, keys_of(*node)));
            return std::nullopt;
        }
        node = child;
        rest.remove_prefix(std::min(key.size() + 1, rest.size()));
    }
    if (Node* value = node->kind == Node::Kind::table ? child_of(*node, "value") : nullptr)
        node = value;
    const bool is_header = node->begin.line == node->key_span.line &&
                           node->begin.column < node->key_span.column;  // of [[NAME]]
    if (node->kind != Node::Kind::table && !is_header) return KeyLocation{node, {}};
    diagnostics.error(node->begin,
                      "cannot set " + whole + ": it is a table" + did_you_mean("", keys_of(*node)));
    return std::nullopt;
}

// All of a value that stands nowhere in the file is said to stand where it belongs.
void set_spans(Node& node, Span span) {
    node.key_span = node.begin = node.end = span;
    for (Node& child : node.children) set_spans(child, span);
}

// Writes keys into a table: of a table in braces before the closing one, of one with a header below
// it; a table that is not there comes last. False where it has neither braces nor a header.
bool write_keys(std::string& text, const Node& root, const KeyLocation& key,
                const std::string& value) {
    const Node& table = *key.node;
    const std::string entry = std::string(key.missing) + " = " + value;
    if (&table == &root) {
        const std::size_t dot = entry.find('.');
        if (!text.empty() && text.back() != '\n') text += '\n';
        text += "\n[" + entry.substr(0, dot) + "]\n" + entry.substr(dot + 1) + "\n";
        return true;
    }
    const std::size_t begin = offset_of(text, table.begin);
    if (begin >= text.size()) return false;
    if (text[begin] == '{') {
        std::size_t at = offset_of(text, table.end) - 1;  // of the closing brace
        while (at > begin + 1 && text[at - 1] == ' ') --at;
        text.insert(at, table.children.empty() ? " " + entry : ", " + entry);
        return true;
    }
    if (text[begin] != '[') return false;
    std::size_t at = text.find('\n', begin);
    if (at == std::string::npos) {
        at = text.size();
        text += '\n';
    }
    text.insert(at + 1, entry + "\n");
    return true;
}

}  // namespace

bool ModelText::set(std::string_view path, std::string_view value, Diagnostics& diagnostics) {
    auto document = parse_document(text_, diagnostics);
    if (!document) return false;
    const auto key = find_key(*document, path, diagnostics);
    if (!key) return false;
    const Node& node = *key->node;
    std::string changed = text_;
    if (key->missing.empty()) {
        const std::size_t begin = offset_of(text_, node.begin), end = offset_of(text_, node.end);
        changed.replace(begin, end - begin, toml_of(value));
    } else if (!write_keys(changed, *document, *key, toml_of(value))) {
        diagnostics.error(node.begin, "cannot set " + std::string(path) +
                                          ": the table has neither a header nor braces; write '" +
                                          std::string(key->missing) + "' into the file");
        return false;
    }
    std::size_t begin = 0, tail = 0;
    const std::size_t least = std::min(text_.size(), changed.size());
    while (begin < least && text_[begin] == changed[begin]) ++begin;
    while (tail < least - begin &&
           text_[text_.size() - 1 - tail] == changed[changed.size() - 1 - tail])
        ++tail;
    return apply(
        {{begin, text_.size() - tail, changed.substr(begin, changed.size() - tail - begin)}},
        diagnostics);
}

bool set_value(Node& root, std::string_view path, std::string_view value,
               Diagnostics& diagnostics) {
    auto key = find_key(root, path, diagnostics);
    if (!key) return false;
    const auto document = parse_document("x = " + toml_of(value), diagnostics);
    if (!document) return false;
    Node given = document->children[0];
    Node& node = *key->node;
    const Span span = node.begin;
    if (key->missing.empty()) {
        given.key = node.key;
        set_spans(given, span);
        given.key_span = node.key_span;
        node = std::move(given);
        return true;
    }
    Node* table = &node;
    std::string_view rest = key->missing;
    for (std::size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
        table->children.emplace_back().key = rest.substr(0, dot);
        table = &table->children.back();
        set_spans(*table, span);
        rest.remove_prefix(dot + 1);
    }
    given.key = rest;
    set_spans(given, span);
    table->children.push_back(std::move(given));
    return true;
}

}  // namespace pawl
