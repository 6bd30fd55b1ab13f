// The JSON schema (2020-12) of the model file.
#include "model_file/reference/schema.h"

#include <nlohmann/json.hpp>

#include "model_file/reference/format_description.h"

namespace pawl {

namespace {

using Json = nlohmann::ordered_json;
using Form = FieldDescription::Form;

Json refer(const char* name) { return {{"$ref", std::string("#/$defs/") + name}}; }

Json array_of(Json items, std::size_t least) {
    Json array{{"type", "array"}, {"items", std::move(items)}};
    if (least > 0) array["minItems"] = least;
    return array;
}

Json object_of(const std::vector<FieldDescription>& fields);

Json one_of_kinds(const std::vector<FieldDescription>& kinds);

Json value_of(const FieldDescription& field) {
    switch (field.form) {
        case Form::number:
        case Form::expression:
        case Form::any:
            return refer("quantity");
        case Form::numbers:
            return array_of(refer("quantity"), field.least);
        case Form::vector:
            return refer("vector");
        case Form::vectors:
            return array_of(refer("vector"), 0);
        case Form::points:
            return refer("points");
        case Form::flag:
            return {{"type", "boolean"}};
        case Form::choice:
            return {{"enum", field.choices}};
        case Form::texts:
            return array_of({{"type", "string"}}, 0);
        case Form::place:
            return refer("place");
        case Form::body:
        case Form::joint:
        case Form::profile:
        case Form::contact_side:
            return refer("name");
        case Form::body_pair: {
            Json pair = array_of(refer("name"), 2);
            pair["maxItems"] = 2;
            return pair;
        }
        case Form::table:
            return object_of(field.fields);
        case Form::tables:
            return array_of(object_of(field.fields), field.least);
        case Form::kinds:
            return array_of(one_of_kinds(field.fields), field.least);
        case Form::point_of_body:
            return {{"anyOf", Json::array({refer("vector"), refer("place")})}};
        default:
            return {{"type", "string"}};
    }
}

std::string description_of(const FieldDescription& field) {
    std::string text = field.doc;
    if (!field.unit.empty()) text += " [" + field.unit + "]";
    if (!field.default_text.empty()) text += "; default: " + field.default_text;
    return text;
}

Json object_of(const std::vector<FieldDescription>& fields) {
    Json properties = Json::object(), required = Json::array();
    for (const FieldDescription& field : fields) {
        properties[field.name] = value_of(field);
        properties[field.name]["description"] = description_of(field);
        if (field.required) required.push_back(field.name);
    }
    Json object{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
    if (!required.empty()) object["required"] = required;
    return object;
}

Json object_of_kind(const std::vector<FieldDescription>& fields, const std::string& name,
                    const std::string& summary, const std::string& key = "type",
                    bool required = true) {
    Json object = object_of(fields);
    object["description"] = summary;
    object["properties"][key] = {{"const", name}};
    if (required) object["required"].push_back(key);
    return object;
}

Json one_of_kinds(const std::vector<FieldDescription>& kinds) {
    Json list = Json::array();
    for (const FieldDescription& kind : kinds)
        list.push_back(object_of_kind(kind.fields, kind.name, kind.doc));
    return {{"oneOf", list}};
}

// Exactly one of the lists of keys must be there.
Json one_of(const std::vector<std::vector<std::string>>& alternatives) {
    Json list = Json::array();
    for (const auto& keys : alternatives) list.push_back({{"required", keys}});
    return list;
}

Json kind_object(const TableDescription& table, const KindDescription& kind) {
    std::vector<FieldDescription> fields = table.fields;
    fields.insert(fields.end(), kind.fields.begin(), kind.fields.end());
    const bool is_default = !table.kind_required && &kind == &table.kinds.front();
    Json object = object_of_kind(fields, kind.name, kind.summary, table.kind_key, !is_default);
    if (kind.has_places) object["oneOf"] = one_of({{"a", "b"}, {"bodies", "at"}});
    if (table.name == "driver") object["oneOf"] = one_of({{"joint"}, {"body"}, {"point"}});
    return object;
}

Json element_of(const TableDescription& table) {
    Json element;
    if (table.kinds.empty()) {
        element = object_of(table.fields);
        if (table.name == "profile") element["oneOf"] = one_of({{"elements"}, {"like"}});
    } else {
        element["oneOf"] = Json::array();
        for (const KindDescription& kind : table.kinds)
            element["oneOf"].push_back(kind_object(table, kind));
    }
    element["description"] = table.summary;
    return element;
}

// A table whose keys are names and whose values are elements.
Json named(Json element) {
    return {{"type", "object"},
            {"propertyNames", refer("name")},
            {"additionalProperties", std::move(element)}};
}

Json definitions() {
    const Json quantity{
        {"type", Json::array({"number", "string"})},
        {"description", "a bare number, a quantity such as \"12 mm\", or an expression"}};
    Json vector = array_of(refer("quantity"), 2);
    vector["maxItems"] = 2;
    return {{"name", {{"type", "string"}, {"pattern", "^[A-Za-z_][A-Za-z0-9_]*$"}}},
            {"place",
             {{"type", "string"},
              {"pattern", "^[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)?$"},
              {"description", "\"body.point\", or \"body\" for its origin"}}},
            {"quantity", quantity},
            {"vector", vector},
            {"points", named(refer("vector"))}};
}

}  // namespace

std::string json_schema() {
    Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                {"title", "Pawl model file, format 1"}};
    Json ground;
    for (const TableDescription& table : describe_format()) {
        if (table.name.empty()) {
            schema.update(object_of(table.fields));
            schema["properties"]["format"] = {{"const", 1},
                                              {"description", "version of the format"}};
            continue;
        }
        const Json element = element_of(table);
        Json& property = schema["properties"][table.name];
        if (table.name == "units" || table.name == "sweep" || table.name == "design" ||
            table.name == "run") {
            property = element;
        } else if (table.name == "parameters") {
            property = named({{"anyOf", Json::array({refer("quantity"), element})}});
        } else if (table.name == "inputs") {
            property = named(refer("quantity"));
        } else if (table.name == "ground") {
            ground = element;
            schema["properties"].erase("ground");
        } else {
            property = named(element);
            if (table.name == "body") property["properties"] = {{"ground", ground}};
        }
    }
    schema["$defs"] = definitions();
    return schema.dump(2) + "\n";
}

}  // namespace pawl
