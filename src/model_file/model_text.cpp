// Replacing values by their places.
#include "model_file/model_text.h"

#include <charconv>
#include <cstdio>
#include <system_error>

#include "model_file/document.h"

namespace pawl {

namespace {

bool is_toml_value(std::string_view value) {
    Diagnostics ignored;
    const std::string text = "x = " + std::string(value);
    const auto document = parse_document(text, ignored);
    if (!document || document->children.size() != 1) return false;
    const Node& node = document->children[0];
    return node.kind != Node::Kind::date && offset_of(text, node.end) == text.size();
}

std::string quoted(std::string_view value) {
    std::string text = "\"";
    for (const char c : value) {
        if (c == '"' || c == '\\') text += '\\';
        if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F) {
            text += c;
        } else {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04X", static_cast<unsigned>(c));
            text += escape;
        }
    }
    return text + "\"";
}

std::vector<std::string> keys_of(const Node& node) {
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < node.children.size(); ++i)
        keys.push_back(node.kind == Node::Kind::array ? std::to_string(i) : node.children[i].key);
    return keys;
}

const Node* child_of(const Node& node, std::string_view key) {
    if (node.kind != Node::Kind::array) return node.find(key);
    std::size_t index = 0;
    const auto [end, problem] = std::from_chars(key.data(), key.data() + key.size(), index);
    const bool is_index = problem == std::errc{} && end == key.data() + key.size();
    return is_index && index < node.children.size() ? &node.children[index] : nullptr;
}

const Node* find_value(const Node& root, std::string_view path, Diagnostics& diagnostics) {
    const Node* node = &root;
    const std::string whole(path);
    while (!path.empty()) {
        const std::string_view key = path.substr(0, path.find('.'));
        const Node* child = child_of(*node, key);
        if (!child) {
            diagnostics.error(node->begin, "cannot set " + whole + ": there is no '" +
                                               std::string(key) + "'" +
                                               did_you_mean(key, keys_of(*node)));
            return nullptr;
        }
        node = child;
        path.remove_prefix(std::min(key.size() + 1, path.size()));
    }
    if (node->kind == Node::Kind::table && node->find("value")) node = node->find("value");
    const bool is_header = node->begin.line == node->key_span.line &&
                           node->begin.column < node->key_span.column;  // of [[NAME]]
    if (node->kind != Node::Kind::table && !is_header) return node;
    diagnostics.error(node->begin,
                      "cannot set " + whole + ": it is a table" + did_you_mean("", keys_of(*node)));
    return nullptr;
}

}  // namespace

bool ModelText::set(std::string_view path, std::string_view value, Diagnostics& diagnostics) {
    const auto document = parse_document(text_, diagnostics);
    if (!document) return false;
    const Node* node = find_value(*document, path, diagnostics);
    if (!node) return false;
    const std::size_t begin = offset_of(text_, node->begin), end = offset_of(text_, node->end);
    std::string changed = text_;
    changed.replace(begin, end - begin, is_toml_value(value) ? std::string(value) : quoted(value));
    if (!parse_document(changed, diagnostics)) return false;
    text_ = std::move(changed);
    return true;
}

}  // namespace pawl
