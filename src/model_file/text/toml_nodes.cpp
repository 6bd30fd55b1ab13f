#include "model_file/text/toml_nodes.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <system_error>

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

}  // namespace

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

Node* child_of(Node& node, std::string_view key) {
    if (node.kind != Node::Kind::array) {
        for (Node& child : node.children)
            if (child.key == key) return &child;
        return nullptr;
    }
    std::size_t index = 0;
    const auto [end, problem] = std::from_chars(key.data(), key.data() + key.size(), index);
    const bool is_index = problem == std::errc{} && end == key.data() + key.size();
    return is_index && index < node.children.size() ? &node.children[index] : nullptr;
}

std::string toml_of(std::string_view value) {
    return is_toml_value(value) ? std::string(value) : quoted(value);
}

Node* node_at(Node& root, std::string_view path) {
    Node* node = &root;
    while (node && !path.empty()) {
        const std::string_view key = path.substr(0, path.find('.'));
        node = child_of(*node, key);
        path.remove_prefix(std::min(key.size() + 1, path.size()));
    }
    return node;
}

}  // namespace pawl
