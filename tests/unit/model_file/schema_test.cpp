#include "model_file/reference/schema.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model_file/reference/format_description.h"
#include "model_file/text/document.h"
#include "read_text.h"
#include "support/paths.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Json = nlohmann::json;

Json to_json(const Node& node) {
    switch (node.kind) {
        case Node::Kind::text:
            return node.text;
        case Node::Kind::boolean:
            return node.flag;
        case Node::Kind::integer:
            return static_cast<int>(node.number);
        case Node::Kind::array: {
            Json array = Json::array();
            for (const Node& child : node.children) array.push_back(to_json(child));
            return array;
        }
        case Node::Kind::table: {
            Json object = Json::object();
            for (const Node& child : node.children) object[child.key] = to_json(child);
            return object;
        }
        default:
            return node.number;
    }
}

Json json_of(const std::string& text) {
    Diagnostics diagnostics;
    const auto root = parse_document(text, diagnostics);
    EXPECT_TRUE(root) << diagnostics.text();
    return to_json(*root);
}

// As much of JSON Schema as the schema of the model file uses. An unknown keyword fails the test.
class Validator {
public:
    explicit Validator(const std::string& schema) : root_(Json::parse(schema)) {}
    [[nodiscard]] bool accepts(const Json& value) const { return accepts(root_, value); }

private:
    [[nodiscard]] bool accepts(const Json& schema, const Json& value) const {
        for (const auto& [keyword, argument] : schema.items())
            if (!accepts(schema, keyword, argument, value)) return false;
        return true;
    }
    [[nodiscard]] bool accepts(const Json& schema, const std::string& keyword, const Json& argument,
                               const Json& value) const {
        if (keyword == "$schema" || keyword == "$defs" || keyword == "title" ||
            keyword == "description")
            return true;
        if (keyword == "$ref")
            return accepts(root_.at(Json::json_pointer(argument.get<std::string>().substr(1))),
                           value);
        if (keyword == "type") return has_type(argument, value);
        if (keyword == "const") return value == argument;
        if (keyword == "enum")
            return std::find(argument.begin(), argument.end(), value) != argument.end();
        if (keyword == "pattern") return !value.is_string() || matches(argument, value);
        if (keyword == "oneOf" || keyword == "anyOf") {
            const auto count = std::count_if(argument.begin(), argument.end(),
                                             [&](const Json& s) { return accepts(s, value); });
            return keyword == "oneOf" ? count == 1 : count >= 1;
        }
        if (!value.is_structured()) return true;  // the rest is about arrays and objects
        if (keyword == "minItems") return value.size() >= argument.get<std::size_t>();
        if (keyword == "maxItems") return value.size() <= argument.get<std::size_t>();
        if (keyword == "items")
            return std::all_of(value.begin(), value.end(),
                               [&](const Json& item) { return accepts(argument, item); });
        if (keyword == "required")
            return std::all_of(argument.begin(), argument.end(), [&](const Json& key) {
                return value.contains(key.get<std::string>());
            });
        return accepts_members(schema, keyword, argument, value);
    }
    [[nodiscard]] bool accepts_members(const Json& schema, const std::string& keyword,
                                       const Json& argument, const Json& value) const {
        static const Json none = Json::object();
        const Json& properties = schema.contains("properties") ? schema["properties"] : none;
        for (const auto& [key, member] : value.items()) {
            if (keyword == "propertyNames") {
                if (!accepts(argument, Json(key))) return false;
            } else if (keyword == "properties") {
                if (properties.contains(key) && !accepts(properties.at(key), member)) return false;
            } else if (keyword == "additionalProperties") {
                if (properties.contains(key)) continue;
                if (argument == false || !accepts(argument, member)) return false;
            } else {
                ADD_FAILURE() << "the schema uses the unknown keyword " << keyword;
            }
        }
        return true;
    }
    // The two patterns of the schema: a name, and a name that may be followed by a dot and a name.
    [[nodiscard]] static bool matches(const std::string& pattern, const std::string& text) {
        const auto dot = text.find('.');
        if (dot == std::string::npos || pattern.find("\\.") == std::string::npos)
            return is_plain_name(text);
        return is_plain_name(text.substr(0, dot)) && is_plain_name(text.substr(dot + 1));
    }
    [[nodiscard]] static bool has_type(const Json& types, const Json& value) {
        if (types.is_array())
            return std::any_of(types.begin(), types.end(),
                               [&](const Json& type) { return has_type(type, value); });
        return types == "number" ? value.is_number() : types == value.type_name();
    }

    Json root_;
};

template <class F>
void each_table(Json& value, const F& f) {
    if (value.is_object()) f(value);
    if (value.is_structured())
        for (Json& child : value) each_table(child, f);
}

TEST(Schema, accepts_every_example_and_refuses_a_foreign_key_in_any_table) {
    const Validator validator(json_schema());
    for (const auto& file : std::filesystem::directory_iterator(test::source_dir + "/models")) {
        if (file.is_directory()) continue;
        Diagnostics diagnostics;
        const auto text = read_text_file(file.path(), diagnostics);
        ASSERT_TRUE(text);
        Json model = json_of(*text);
        EXPECT_TRUE(validator.accepts(model)) << file.path();
        each_table(model, [&](Json& table) {
            table["no such key"] = 1;
            EXPECT_FALSE(validator.accepts(model)) << file.path() << ": " << table;
            table.erase("no such key");
        });
    }
}

TEST(Schema, refuses_what_the_reader_refuses) {
    const Validator validator(json_schema());
    const std::string bodies = "format = 1\n[body.a]\n[body.b]\n";
    const std::string joint = "[joint.J]\ntype = \"revolute\"\n";
    EXPECT_TRUE(validator.accepts(json_of(bodies + joint + "a = \"a\"\nb = \"b\"\n")));
    EXPECT_TRUE(
        validator.accepts(json_of(bodies + joint + "bodies = [\"a\", \"b\"]\nat = [0, 0]\n")));
    EXPECT_FALSE(validator.accepts(json_of(bodies + joint + "a = \"a\"\n")));
    EXPECT_FALSE(validator.accepts(json_of(bodies + joint + "a = \"a\"\nb = 3\n")));
    EXPECT_FALSE(validator.accepts(json_of(bodies + "[joint.J]\ntype = \"none\"\n")));
    EXPECT_FALSE(validator.accepts(json_of("format = 2\n")));
    EXPECT_FALSE(validator.accepts(json_of("name = \"no format\"\n")));
    EXPECT_FALSE(validator.accepts(json_of("format = 1\n[body.ground]\nangle = 1\n")));
    EXPECT_FALSE(validator.accepts(json_of("format = 1\n[body.\"a b\"]\n")));
    const std::string law = "type = \"speed\"\nspeed = 1\n";
    EXPECT_TRUE(validator.accepts(json_of("format = 1\n[driver.d]\njoint = \"A\"\n" + law)));
    EXPECT_FALSE(validator.accepts(json_of("format = 1\n[driver.d]\n" + law)));
    EXPECT_FALSE(
        validator.accepts(json_of("format = 1\n[driver.d]\njoint = \"A\"\nbody = \"b\"\n" + law)));
}

TEST(Schema, knows_the_kinds_of_profile_elements) {
    const Validator validator(json_schema());
    const auto accepts = [&](const std::string& elements) {
        return validator.accepts(json_of("format = 1\n[profile.p]\nbody = \"cam\"\n" + elements));
    };
    EXPECT_TRUE(accepts("at = \"cam.P\"\nelements = [{ type = \"circle\", radius = 5 }]\n"));
    EXPECT_TRUE(accepts("at = [0, 1]\nelements = [{ type = \"line\", to = [1, 0] }]\n"));
    EXPECT_FALSE(accepts("at = 3\nelements = [{ type = \"line\", to = [1, 0] }]\n"));
    EXPECT_FALSE(accepts("elements = [{ type = \"line\", radius = 5 }]\n"));
    EXPECT_FALSE(accepts("elements = [{ type = \"none\" }]\n"));
    EXPECT_FALSE(accepts("elements = []\n"));
    EXPECT_TRUE(accepts("like = \"q\"\nmirror = true\npattern = { count = 3 }\n"));
    EXPECT_FALSE(accepts("like = \"q\"\npattern = { step = 3 }\n"));
    EXPECT_FALSE(accepts("like = \"q\"\nelements = [{ type = \"point\", at = [0, 0] }]\n"));
    EXPECT_TRUE(accepts("elements = [{ type = \"spline\", points = [[0, 0], [1, 0]] }]\n"));
    EXPECT_FALSE(accepts(""));
}

TEST(Schema, knows_the_fields_of_contacts) {
    const Validator validator(json_schema());
    const std::string contact = "format = 1\n[contact.C]\na = \"p\"\nb = \"q\"\n";
    EXPECT_TRUE(validator.accepts(json_of(contact + "capture = \"limit\"\n")));
    EXPECT_TRUE(validator.accepts(json_of(contact + "restitution = 0.5\npermanent = true\n")));
    EXPECT_FALSE(validator.accepts(json_of(contact + "permanent = 1\n")));
    EXPECT_TRUE(validator.accepts(json_of(contact + "law = \"rigid\"\n")));
    EXPECT_TRUE(validator.accepts(json_of(contact + "law = \"hertz\"\nstiffness = 1\n")));
    EXPECT_TRUE(validator.accepts(json_of(contact + "hysteresis = 1\nstiffness = 1\n")));
    EXPECT_FALSE(validator.accepts(json_of(contact + "young_a = 1\n")));
    EXPECT_FALSE(validator.accepts(json_of(contact + "law = \"none\"\n")));
}

TEST(Reference, names_every_kind_and_field) {
    const std::string page = model_reference();
    for (const TableDescription& table : describe_format()) {
        EXPECT_NE(page.find(table.header), std::string::npos) << table.header;
        for (const FieldDescription& field : table.fields) {
            EXPECT_NE(page.find("| `" + field.name + "` |"), std::string::npos) << field.name;
            if (field.form != FieldDescription::Form::kinds) continue;
            for (const FieldDescription& kind : field.fields)
                EXPECT_NE(page.find("`type = \"" + kind.name + "\"`: " + kind.doc),
                          std::string::npos)
                    << kind.name;
        }
        for (const KindDescription& kind : table.kinds) {
            EXPECT_NE(page.find("`" + table.kind_key + " = \"" + kind.name + "\"`"),
                      std::string::npos)
                << kind.name;
            EXPECT_FALSE(kind.summary.empty()) << kind.name;
            for (const FieldDescription& field : kind.fields)
                EXPECT_FALSE(field.doc.empty()) << kind.name << "." << field.name;
        }
    }
}

TEST(Reference, example_is_a_model) {
    const std::string page = model_reference(), fence = "```toml\n";
    const auto begin = page.find(fence) + fence.size();
    const ModelData model = read_text(page.substr(begin, page.find("```", begin) - begin));
    EXPECT_EQ(model.mechanism.joints.size(), 4u);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
