#include "json.h"

#include "model_file/reference/format_description.h"
#include "model_file/text/document.h"

namespace pawl::engine {

namespace {

Json place_json(Span span) { return {{"line", span.line}, {"column", span.column}}; }

std::string source_of(std::string_view text, const Node& node) {
    const std::size_t begin = offset_of(text, node.begin), end = offset_of(text, node.end);
    return begin < end ? std::string(text.substr(begin, end - begin)) : std::string();
}

bool has_header(std::string_view text, const Node& node) {
    const std::size_t at = offset_of(text, node.begin);
    return node.kind == Node::Kind::table && at < text.size() && text[at] != '{';
}

Json fields_of(std::string_view text, const Node& element);

Json value_json(std::string_view text, const Node& node) {
    Json out = Json::object();
    if (!has_header(text, node)) out["source"] = source_of(text, node);
    if (node.kind == Node::Kind::text) out["text"] = node.text;
    if (node.kind == Node::Kind::table) out["fields"] = fields_of(text, node);
    if (node.kind == Node::Kind::array && node.children.size() <= 200) {
        out["items"] = Json::array();
        for (const Node& item : node.children) out["items"].push_back(value_json(text, item));
    }
    return out;
}

Json fields_of(std::string_view text, const Node& element) {
    Json fields = Json::array();
    for (const Node& field : element.children) {
        Json entry{{"key", field.key}, {"at", place_json(field.key_span)}};
        entry.update(value_json(text, field));
        fields.push_back(std::move(entry));
    }
    return fields;
}

Json element_json(std::string_view text, const std::string& section, const Node& node) {
    const bool is_table = node.kind == Node::Kind::table;
    Json out{{"path", section + "." + node.key},
             {"section", section},
             {"name", node.key},
             {"at", place_json(is_table && node.begin.line > 0 ? node.begin : node.key_span)}};
    if (!is_table) {
        out["source"] = source_of(text, node);
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

Json problems_json(const Diagnostics& problems) {
    Json out = Json::array();
    for (const Diagnostic& p : problems.all())
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
    Json out = Json::array();
    for (const Node& section : root->children) {
        if (section.kind != Node::Kind::table) continue;
        const bool is_one = section.key == "run" || section.key == "units";
        if (is_one) {
            out.push_back({{"path", section.key},
                           {"section", section.key},
                           {"name", section.key},
                           {"at", place_json(section.begin)},
                           {"fields", fields_of(text, section)}});
            continue;
        }
        for (const Node& element : section.children)
            out.push_back(element_json(text, section.key, element));
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
