#include "model_file/reading/unused.h"

#include <cctype>
#include <set>

#include "model_file/text/document.h"

namespace pawl {

namespace {

using Names = std::set<std::string, std::less<>>;

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

void add_names(std::string_view text, Names& names) {
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        while (end < text.size() && in_name(text[end])) ++end;
        if (end > i) names.insert(std::string(text.substr(i, end - i)));
        i = end + 1;
    }
}

void collect(const Node& node, Names& names) {
    if (node.kind == Node::Kind::text) add_names(node.text, names);
    for (const Node& child : node.children) collect(child, names);
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// The letters around a position, between digits and underscores: a word of a name.
std::size_t word_length(std::string_view name, std::size_t at) {
    std::size_t begin = at, end = at;
    while (begin > 0 && is_letter(name[begin - 1])) --begin;
    while (end < name.size() && is_letter(name[end])) ++end;
    return end - begin;
}

std::string lower(std::string_view name) {
    std::string out;
    for (const char c : name) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

// Whether one name is the other with one letter changed, left out, doubled or exchanged with its
// neighbour, inside a word of four letters or more.
bool differ_by_a_slip(std::string_view a, std::string_view b) {
    constexpr std::size_t shortest_word = 4;
    if (a.size() > b.size()) std::swap(a, b);
    if (lower(a) == lower(b)) return true;
    std::size_t i = 0;
    while (i < a.size() && a[i] == b[i]) ++i;
    if (i >= b.size() || word_length(b, i) < shortest_word || !is_letter(b[i])) return false;
    if (a.size() == b.size()) {
        if (!is_letter(a[i])) return false;
        if (a.substr(i + 1) == b.substr(i + 1)) return word_length(a, i) >= shortest_word;
        return i + 1 < a.size() && a[i] == b[i + 1] && a[i + 1] == b[i] &&
               a.substr(i + 2) == b.substr(i + 2);
    }
    const bool is_plural = b[i] == 's' && (i + 1 == b.size() || !is_letter(b[i + 1]));
    return a.size() + 1 == b.size() && a.substr(i) == b.substr(i + 1) && !is_plural;
}

}  // namespace

void warn_of_similar_names(const ModelData& model, Diagnostics& diagnostics) {
    constexpr std::size_t max_compared = 500;  // names of one table that are compared
    Diagnostics ignored;
    const auto root = parse_document(model.text, ignored);
    if (!root) return;
    for (const Node& table : root->children) {
        if (table.kind != Node::Kind::table || table.key == "run" || table.key == "units") continue;
        const auto& names = table.children;
        for (std::size_t i = 1; i < names.size() && i < max_compared; ++i)
            for (std::size_t k = 0; k < i; ++k)
                if (differ_by_a_slip(names[k].key, names[i].key))
                    diagnostics.warning(
                        names[i].key_span,
                        "'" + names[i].key + "' and '" + names[k].key +
                            "' further up differ by one letter; if one of them is a "
                            "typo, give both the same name");
    }
}

void warn_of_unused_parameters(const ModelData& model, Diagnostics& diagnostics) {
    Diagnostics ignored;
    const auto root = parse_document(model.text, ignored);
    if (!root) return;
    Names used;
    collect(*root, used);
    for (const auto& [name, value] : model.overrides) add_names(value, used);
    for (const Parameter& p : model.parameters)
        if (!used.contains(p.name))
            diagnostics.warning(
                p.span, (p.is_input ? "input '" : "parameter '") + p.name + "': nothing uses it");
}

void warn_of_contact_rules(const ModelData& model, Diagnostics& diagnostics) {
    for (const auto& pair : model.mechanism.contacts) {
        if (pair.profile_a < 0) continue;
        const std::string title = "contact '" + pair.name + "', ";
        if (pair.tangential_restitution > 0 && !pair.friction)
            diagnostics.warning(pair.span, title +
                                               "tangential_restitution: has no effect without "
                                               "friction; give `friction`, or leave it out");
        if (std::holds_alternative<LankaraniNikraveshContact<double>>(pair.law) &&
            !pair.restitution_law && !(pair.restitution > 0))
            diagnostics.warning(
                pair.span, title +
                               "law: lankarani_nikravesh takes its loss from `restitution`, "
                               "which is 0 here, and is valid near 1 only; give `restitution`, "
                               "or choose law = \"hunt_crossley\" with `damping`");
    }
}

}  // namespace pawl
