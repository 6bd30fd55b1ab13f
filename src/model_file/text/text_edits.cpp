// Edits of a model's text that change its elements: adding, taking out, renaming.
#include <algorithm>
#include <cctype>
#include <map>

#include "model_file/text/model_text.h"
#include "model_file/text/references.h"
#include "model_file/text/toml_nodes.h"

namespace pawl {

namespace {

bool is_bare_name(std::string_view name) {
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
    }) && !std::isdigit(static_cast<unsigned char>(name[0]));
}

bool is_inside(std::string_view path, std::string_view of) {
    return path == of || (path.starts_with(of) && path[of.size()] == '.');
}

// Where the headers of tables begin, with their paths. A table that only its parts imply stands
// where the first of them does, whose path is longer.
using Headers = std::map<std::size_t, std::string>;

void find_headers(const Node& node, std::string_view text, const std::string& path, Headers& out) {
    if (!path.empty() && node.kind == Node::Kind::table) {
        const std::size_t at = offset_of(text, node.begin);
        if (at < text.size() && text[at] == '[') {
            std::string& known = out[at];
            if (known.size() < path.size()) known = path;
        }
    }
    for (std::size_t i = 0; i < node.children.size(); ++i) {
        const Node& child = node.children[i];
        const std::string key = node.kind == Node::Kind::array ? std::to_string(i) : child.key;
        find_headers(child, text, path.empty() ? key : path + "." + key, out);
    }
}

std::size_t line_begin(std::string_view text, std::size_t at) {
    while (at > 0 && text[at - 1] != '\n') --at;
    return at;
}
std::size_t line_end(std::string_view text, std::size_t at) {
    const std::size_t found = text.find('\n', at);
    return found == std::string_view::npos ? text.size() : found + 1;
}

// The lines of a table: up to the next header, without the blank lines and comments before that.
std::size_t table_end(std::string_view text, const Headers& headers, Headers::const_iterator at) {
    const auto next = std::next(at);
    std::size_t end = next == headers.end() ? text.size() : line_begin(text, next->first);
    if (next == headers.end()) return end;
    while (end > at->first) {
        const std::size_t begin = line_begin(text, end - 1);
        const std::size_t word = text.find_first_not_of(" \t\r\n", begin);
        if (begin <= at->first || (word < end && text[word] != '#')) break;
        end = begin;
    }
    return end;
}

// A removal leaves two blank lines, one of which is removed too.
TextChange without_lines(std::string_view text, std::size_t begin, std::size_t end) {
    const bool blank_before =
        begin == 0 || (begin >= 2 && text[begin - 1] == '\n' && text[begin - 2] == '\n');
    if (blank_before && end < text.size() && text[end] == '\n') ++end;
    return {begin, end, ""};
}

// A key with its value: its whole line, or its part of a table in braces.
TextChange without_key(std::string_view text, const Node& parent, const Node& node) {
    std::size_t begin = offset_of(text, node.key_span), end = offset_of(text, node.end);
    if (text[offset_of(text, parent.begin)] != '{') {
        return {line_begin(text, begin), line_end(text, end), ""};
    }
    std::size_t next = text.find_first_not_of(" \t\n", end);
    if (next < text.size() && text[next] == ',') {
        end = std::min(text.find_first_not_of(" \t\n", next + 1), text.size());
    } else {
        const std::size_t before = text.find_last_not_of(" \t\n", begin - 1);
        if (text[before] == ',') begin = before;
    }
    return {begin, end, ""};
}

TextChange without_value(std::string_view text, const Node& array, std::size_t index) {
    const auto begin_of = [&](std::size_t i) { return offset_of(text, array.children[i].begin); };
    const auto end_of = [&](std::size_t i) { return offset_of(text, array.children[i].end); };
    if (index + 1 < array.children.size()) return {begin_of(index), begin_of(index + 1), ""};
    if (index > 0) return {end_of(index - 1), end_of(index), ""};
    std::size_t end = end_of(0);
    const std::size_t comma = text.find_first_not_of(" \t\n", end);
    if (comma < text.size() && text[comma] == ',') end = comma + 1;
    return {begin_of(0), end, ""};
}

// "joint.A" of "joint.A.limits.lower".
std::string element_of(std::string_view path) {
    const std::size_t first = path.find('.');
    return std::string(path.substr(0, path.find('.', first + 1)));
}

}  // namespace

bool ModelText::apply(std::vector<TextChange> changes, Diagnostics& diagnostics) {
    std::sort(changes.begin(), changes.end(),
              [](const TextChange& a, const TextChange& b) { return a.begin < b.begin; });
    std::string changed;
    std::size_t at = 0;
    for (const TextChange& c : changes) {
        if (c.begin < at) continue;  // inside what is gone already
        changed.append(text_, at, c.begin - at).append(c.text);
        at = c.end;
    }
    changed.append(text_, at, std::string::npos);
    if (!parse_document(changed, diagnostics)) return false;
    text_ = std::move(changed);
    changes_ = std::move(changes);
    return true;
}

bool ModelText::insert(std::string_view path, const KeyValues& values, Diagnostics& diagnostics) {
    auto root = parse_document(text_, diagnostics);
    if (!root) return false;
    const std::size_t dot = path.find('.');
    const std::string section(path.substr(0, dot)),
        name(path.substr(std::min(dot, path.size() - 1) + 1));
    if (dot == std::string_view::npos || !is_bare_name(name)) {
        diagnostics.error({}, "'" + name + "' is not a valid name; use letters, digits, _ and -");
        return false;
    }
    if (const Node* old = node_at(*root, path)) {
        diagnostics.error(old->begin, "there is a " + section + " '" + name + "' already");
        return false;
    }
    std::string block = "[" + std::string(path) + "]\n";
    for (const auto& [key, value] : values) block += key + " = " + toml_of(value) + "\n";
    Headers headers;
    find_headers(*root, text_, "", headers);
    std::size_t at = text_.size();
    for (auto h = headers.begin(); h != headers.end(); ++h)
        if (is_inside(h->second, section)) at = table_end(text_, headers, h);
    while (at > 0 && at < text_.size() && text_[at - 1] == '\n' && at > 1 && text_[at - 2] == '\n')
        --at;
    std::string before;
    if (at > 0 && text_[at - 1] != '\n') before = "\n";
    if (at > 0) before += "\n";
    return apply({{at, at, before + block}}, diagnostics);
}

bool ModelText::append(std::string_view path, std::string_view value, Diagnostics& diagnostics) {
    auto root = parse_document(text_, diagnostics);
    if (!root) return false;
    const Node* array = node_at(*root, path);
    if (!array || array->kind != Node::Kind::array ||
        text_[offset_of(text_, array->begin)] != '[') {
        diagnostics.error({}, "there is no array " + std::string(path));
        return false;
    }
    const std::string added = toml_of(value);
    const std::size_t close = offset_of(text_, array->end) - 1;
    if (array->children.empty()) return apply({{close, close, added}}, diagnostics);
    const Node& last = array->children.back();
    std::size_t at = offset_of(text_, last.end);
    const std::size_t begin = offset_of(text_, last.begin), line = line_begin(text_, begin);
    const std::size_t comma = text_.find_first_not_of(" \t\n", at);
    const bool has_comma = comma < text_.size() && text_[comma] == ',';
    const bool own_line = text_.find_first_not_of(" \t", line) == begin;
    if (has_comma) at = comma + 1;
    std::string more = has_comma ? "" : ",";
    if (own_line) {
        // A comment behind the last value stays with it.
        if (!has_comma)
            return apply({{at, at, ","},
                          {line_end(text_, at) - 1, line_end(text_, at) - 1,
                           "\n" + text_.substr(line, begin - line) + added}},
                         diagnostics);
        at = line_end(text_, at) - 1;
        return apply({{at, at, "\n" + text_.substr(line, begin - line) + added + ","}},
                     diagnostics);
    }
    return apply({{at, at, more + " " + added}}, diagnostics);
}

bool ModelText::remove(std::string_view path, Diagnostics& diagnostics) {
    auto root = parse_document(text_, diagnostics);
    if (!root) return false;
    removed_.clear();
    if (!node_at(*root, path)) {
        diagnostics.error({}, "there is no " + std::string(path));
        return false;
    }
    Headers headers;
    find_headers(*root, text_, "", headers);
    std::vector<TextChange> changes;
    std::vector<std::string> waiting{std::string(path)};
    while (!waiting.empty()) {
        const std::string now = waiting.back();
        waiting.pop_back();
        if (std::find(removed_.begin(), removed_.end(), now) != removed_.end()) continue;
        removed_.push_back(now);
        const bool is_element = std::count(now.begin(), now.end(), '.') == 1;
        const bool is_point = now.starts_with("body.") && now.find(".points.") != std::string::npos;
        bool has_header = false;
        for (auto h = headers.begin(); h != headers.end(); ++h)
            if (is_inside(h->second, now)) {
                has_header = true;
                changes.push_back(without_lines(text_, h->first, table_end(text_, headers, h)));
            }
        if (!has_header) {
            const std::size_t dot = now.rfind('.');
            const Node& parent = *node_at(*root, now.substr(0, dot));
            const Node* node = node_at(*root, now);
            changes.push_back(
                parent.kind == Node::Kind::array
                    ? without_value(text_, parent,
                                    static_cast<std::size_t>(node - parent.children.data()))
                    : without_key(text_, parent, *node));
        }
        if (is_element || is_point)
            for (const NameUse& use : uses_of(*root, text_, now))
                if (!is_inside(use.path, now)) waiting.push_back(element_of(use.path));
    }
    return apply(std::move(changes), diagnostics);
}

bool ModelText::rename(std::string_view path, std::string_view name, Diagnostics& diagnostics) {
    auto root = parse_document(text_, diagnostics);
    if (!root) return false;
    const Node* node = node_at(*root, path);
    const std::size_t dot = path.rfind('.');
    const std::string parent(path.substr(0, dot == std::string_view::npos ? 0 : dot)),
        old(path.substr(dot + 1));
    std::string problem;
    const bool is_point = parent.find(".points") != std::string::npos;
    if (!node || parent.empty())
        problem = "there is no " + std::string(path);
    else if (!is_bare_name(name))
        problem = "'" + std::string(name) + "' is not a valid name; use letters, digits, _ and -";
    else if (name != old && node_at(*root, parent + "." + std::string(name)))
        problem = "there is a '" + std::string(name) + "' in " + parent + " already";
    else if (!is_point && sections_with(*root, old).size() > 1)
        problem = "'" + old + "' names elements of several kinds; rename it in the text";
    if (!problem.empty()) {
        diagnostics.error(node ? node->begin : Span{}, problem);
        return false;
    }
    std::vector<TextChange> changes;
    for (const NameUse& use : uses_of(*root, text_, path))
        changes.push_back({use.begin, use.end, std::string(name)});
    // The headers that hold the name, or its key.
    Headers headers;
    find_headers(*root, text_, "", headers);
    for (const auto& [at, table] : headers) {
        if (!is_inside(table, path)) continue;
        const std::size_t in_header = text_.find(old, text_.find(parent, at) + parent.size());
        changes.push_back({in_header, in_header + old.size(), std::string(name)});
    }
    const std::size_t key = offset_of(text_, node->key_span);
    if (std::none_of(changes.begin(), changes.end(),
                     [&](const TextChange& c) { return c.begin <= key && key < c.end; }) &&
        text_.compare(key, old.size(), old) == 0)
        changes.push_back({key, key + old.size(), std::string(name)});
    return apply(std::move(changes), diagnostics);
}

}  // namespace pawl
