// The model file format as data: every table, every kind, every field, taken from the field lists
// that the reader uses. The schema and the reference page are made of it.
#pragma once

#include <string>
#include <vector>

namespace pawl {

struct FieldDescription {
    enum class Form {
        number,
        numbers,
        vector,
        vectors,
        points,
        flag,
        choice,
        text,
        texts,
        unit,
        body,
        joint,
        place,
        body_pair,
        table,
        tables,
        kinds,
        profile,
        contact_side,
        point_of_body,
        expression,
        any,
    };
    std::string name;
    Form form = Form::any;
    std::string doc;
    bool required = false;
    std::string default_text{};  // empty: none, or as the documentation says
    std::string unit{};          // SI, of numbers
    bool positive = false;
    std::size_t least = 0;  // of an array
    std::vector<std::string> choices{};
    // Of the tables in an array; where they are of several kinds: one per kind, with its fields.
    std::vector<FieldDescription> fields{};
};

struct KindDescription {
    std::string name, summary;
    std::vector<FieldDescription> fields;
    bool has_places = false;  // a and b may be replaced by bodies and at
};

struct TableDescription {
    std::string name;    // "joint"
    std::string header;  // "[joint.NAME]"
    std::string summary;
    std::vector<FieldDescription> fields;  // common to all kinds
    std::vector<KindDescription> kinds{};  // empty: no key that says which kind
    std::string kind_key = "type";
    bool kind_required = true;  // else the first kind is the default
};

// The first entry is the top level, without a name.
std::vector<TableDescription> describe_format();

}  // namespace pawl
