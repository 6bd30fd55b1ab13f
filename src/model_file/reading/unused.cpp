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

}  // namespace

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

}  // namespace pawl
