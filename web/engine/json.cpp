#include "json.h"

#include <algorithm>
#include <vector>

#include "expressions.h"
#include "model_file/reference/format_description.h"
#include "model_file/text/document.h"

namespace pawl::engine {

namespace {

Json span_json(Span span) { return {{"line", span.line}, {"column", span.column}}; }

// A text whose lines are counted once.
class Source {
public:
    Source(std::string_view text, const Node& root) : expressions(root), text_(text), lines_{0} {
        for (std::size_t i = 0; i < text.size(); ++i)
            if (text[i] == '\n') lines_.push_back(i + 1);
    }
    [[nodiscard]] std::string of(const Node& node) const {
        const std::size_t begin = at(node.begin), end = at(node.end);
        return begin < end ? std::string(text_.substr(begin, end - begin)) : std::string();
    }
    Expressions expressions;

    [[nodiscard]] bool has_header(const Node& node) const {
        const std::size_t begin = at(node.begin);
        return node.kind == Node::Kind::table && begin < text_.size() && text_[begin] != '{';
    }

private:
    [[nodiscard]] std::size_t at(Span span) const {
        const auto line = static_cast<std::size_t>(std::max(span.line, 1) - 1);
        if (line >= lines_.size()) return text_.size();
        return lines_[line] + offset_of(text_.substr(lines_[line]), {1, span.column});
    }

    std::string_view text_;
    std::vector<std::size_t> lines_;  // where each begins
};

Json fields_of(const Source& text, const Node& element);

Json value_json(const Source& text, const Node& node) {
    Json out = Json::object();
    if (!text.has_header(node)) out["source"] = text.of(node);
    if (node.kind == Node::Kind::text) out["text"] = node.text;
    text.expressions.describe(node, out);
    if (node.kind == Node::Kind::table) out["fields"] = fields_of(text, node);
    if (node.kind == Node::Kind::array && node.children.size() <= 200) {
        out["items"] = Json::array();
        for (const Node& item : node.children) out["items"].push_back(value_json(text, item));
    }
    return out;
}

Json fields_of(const Source& text, const Node& element) {
    Json fields = Json::array();
    for (const Node& field : element.children) {
        Json entry{{"key", field.key}, {"at", span_json(field.key_span)}};
        entry.update(value_json(text, field));
        fields.push_back(std::move(entry));
    }
    return fields;
}

Json element_json(const Source& text, const std::string& section, const Node& node) {
    const bool is_table = node.kind == Node::Kind::table;
    Json out{{"path", section + "." + node.key},
             {"section", section},
             {"name", node.key},
             {"at", span_json(is_table && node.begin.line > 0 ? node.begin : node.key_span)}};
    if (!is_table) {
        out["source"] = text.of(node);
        return out;
    }
    if (const Node* type = node.find("type"); type && type->kind == Node::Kind::text)
        out["type"] = type->text;
    out["fields"] = fields_of(text, node);
    return out;
}

Json field_json(const FieldDescription& field) {
    static constexpr const char* forms[] = {
        "number",       "numbers",       "vector",     "vectors", "points", "flag",
        "choice",       "text",          "texts",      "unit",    "body",   "joint",
        "place",        "body_pair",     "table",      "tables",  "kinds",  "profile",
        "contact_side", "point_of_body", "expression", "any"};
    Json out{{"name", field.name},
             {"form", forms[static_cast<std::size_t>(field.form)]},
             {"doc", field.doc}};
    if (field.required) out["required"] = true;
    if (!field.default_text.empty()) out["default"] = field.default_text;
    if (!field.unit.empty()) out["unit"] = field.unit;
    if (!field.choices.empty()) out["choices"] = field.choices;
    if (!field.fields.empty()) {
        out["fields"] = Json::array();
        for (const FieldDescription& inner : field.fields)
            out["fields"].push_back(field_json(inner));
    }
    return out;
}

Json list_of(const std::vector<FieldDescription>& fields) {
    Json out = Json::array();
    for (const FieldDescription& field : fields) out.push_back(field_json(field));
    return out;
}

}  // namespace

// The errors come first where there are more than anybody reads.
Json problems_json(const Diagnostics& problems) {
    constexpr std::size_t max_listed = 500;
    Json out = Json::array();
    std::vector<Diagnostic> all(problems.all().begin(), problems.all().end());
    if (all.size() > max_listed)
        std::stable_partition(all.begin(), all.end(), [](const Diagnostic& p) {
            return p.severity == Diagnostic::Severity::error;
        });
    if (all.size() > max_listed) all.resize(max_listed);
    for (const Diagnostic& p : all)
        out.push_back(
            {{"severity", p.severity == Diagnostic::Severity::error ? "error" : "warning"},
             {"line", p.span.line},
             {"column", p.span.column},
             {"message", p.message}});
    return out;
}

Json elements_json(std::string_view text) {
    Diagnostics ignored;
    const auto root = parse_document(text, ignored);
    if (!root) return nullptr;
    const Source source(text, *root);
    Json out = Json::array();
    for (const Node& section : root->children) {
        if (section.kind != Node::Kind::table) continue;
        const bool is_one = section.key == "run" || section.key == "units" ||
                            section.key == "sweep" || section.key == "design";
        if (is_one) {
            out.push_back({{"path", section.key},
                           {"section", section.key},
                           {"name", section.key},
                           {"at", span_json(section.begin)},
                           {"fields", fields_of(source, section)}});
            continue;
        }
        for (const Node& element : section.children)
            out.push_back(element_json(source, section.key, element));
    }
    return out;
}

Json parameters_json(const Model& model) {
    Json out = Json::array();
    for (const ParameterInfo& p : model.parameters()) {
        Json entry{{"name", p.name}, {"value", p.value}, {"unit", p.unit}, {"input", p.is_input}};
        if (p.min) entry["min"] = *p.min;
        if (p.max) entry["max"] = *p.max;
        out.push_back(std::move(entry));
    }
    return out;
}

Json points_json(const Model& model) {
    Json out = Json::array();
    for (const PointInfo& p : model.points())
        out.push_back({{"body", p.body}, {"name", p.name}, {"x", p.x}, {"y", p.y}});
    return out;
}

Json format_json() {
    Json out = Json::array();
    for (const TableDescription& table : describe_format()) {
        Json kinds = Json::array();
        for (const KindDescription& kind : table.kinds)
            kinds.push_back({{"name", kind.name},
                             {"summary", kind.summary},
                             {"fields", list_of(kind.fields)},
                             {"places", kind.has_places}});
        out.push_back({{"name", table.name},
                       {"header", table.header},
                       {"summary", table.summary},
                       {"fields", list_of(table.fields)},
                       {"kinds", kinds},
                       {"key", table.kind_key}});
    }
    return out;
}

Json changes_json(std::string_view text, const std::vector<TextChange>& changes) {
    std::size_t at = 0, units = 0;
    const auto units_until = [&](std::size_t end) {
        for (; at < end && at < text.size(); ++at) {
            const auto c = static_cast<unsigned char>(text[at]);
            if ((c & 0xC0) != 0x80) units += c >= 0xF0 ? 2 : 1;
        }
        return units;
    };
    Json out = Json::array();
    for (const TextChange& change : changes) {
        const std::size_t from = units_until(change.begin);
        out.push_back({{"from", from}, {"to", units_until(change.end)}, {"insert", change.text}});
    }
    return out;
}

}  // namespace pawl::engine
