// The reference page of the model file, in Markdown.
#include "math/units.h"
#include "model_file/reference/format_description.h"
#include "model_file/reference/schema.h"

namespace pawl {

namespace {

using Form = FieldDescription::Form;

constexpr const char* introduction = R"md(# The model file

A model is a TOML file. Keys that are not listed here are errors, so a misspelt key is never ignored.
Elements keep the order of the file. Names are made of letters, digits and `_` and do not begin
with a digit; two elements of different tables may share a name. Angles are positive counter-clockwise.

## Quantities

Every number can be written in three ways:

- a bare number, `0.1`: in SI units, or in those of `[units]`;
- a quantity, `"12 mm"`, `"30 deg"`, `"5000 rpm"`, `"2.5 N/mm"`;
- an expression of parameters, `"2*L1*cos(alpha)"`. Dimensions are checked: adding a length to an angle is
  an error.

Expressions have `+ - * / ^`, parentheses, comparisons, `and`, `or`, `not`, the constant `pi` and the
functions `sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10 sqrt abs sign floor mod hypot min
max if(condition, then, else)`. Driver laws and measures may also use the time `t`, measures also the
measures above them. Forces and the rates of states may use the time, all measures, their rates as
`NAME.rate` (`tip.x.rate`) and all states; a force along a spring or a joint also has its own coordinate `s`
(for a spring, the elongation) and its rate `v`. An expression that uses `t` or a measure is in SI units, and its dimension is not checked.

A number without a unit has that of `[units]`, also within an expression of parameters: with `length =
"mm"` the lengths `20` and `"2*10"` are 20 mm, and `"L + 1"` is 1 mm more than `L`. An expression
that uses `t`, a measure, a state, `s` or `v` is an exception: there the number is in SI, and `"20*t"`
grows by 20 m each second; write the unit, `"20 mm*t"`.

A dynamic run resolves features of expressions in time down to 1/10,000 of its length, such as a smooth
force pulse; for narrower ones give `run.largest_step`. Features over the motion, such as a bump of force over
`s` or a condition that holds for a moment, are found however short they are.

)md";

constexpr const char* places = R"md(## Places

A place is a point of a body: `"crank.B"` is the point `B` of the body `crank`, `"crank"` its origin. The
body `ground` always exists and does not move.

## Example

```toml
format = 1
name = "Slider-crank"

[parameters]
crank_length = "50 mm"
rod_length = { value = "3*crank_length", min = "120 mm", max = "200 mm" }

[body.crank]
angle = "30 deg"
points = { B = ["crank_length", 0] }

[body.rod]
angle = "-10 deg"
points = { A = ["rod_length", 0] }

[body.slider]
position = ["190 mm", 0]

[joint.O]
type = "revolute"
a = "ground"
b = "crank"

[joint.B]
type = "revolute"
a = "crank.B"
b = "rod"

[joint.A]
type = "revolute"
a = "rod.A"
b = "slider"

[joint.guide]
type = "prismatic"
a = "ground"
b = "slider"

[driver.motor]
joint = "O"
type = "speed"
speed = "60 rpm"

[measure.stroke]
type = "joint"
joint = "guide"
unit = "mm"

[run]
end = "2 s"
step = "5 ms"
```

)md";

std::string value_text(const FieldDescription& field) {
    const std::string unit = field.unit.empty() || field.unit == "1" ? "" : " [" + field.unit + "]";
    switch (field.form) {
        case Form::number:
            return (field.positive ? "positive number" : "number") + unit +
                   (field.choices.empty() ? "" : " or `\"" + field.choices[0] + "\"`");
        case Form::numbers:
            return "array of numbers" + unit;
        case Form::vector:
            return "`[x, y]`" + unit;
        case Form::vectors:
            return "array of `[x, y]`" + unit;
        case Form::points:
            return "table of points, `{ A = [x, y] }`" + unit;
        case Form::flag:
            return "`true` or `false`";
        case Form::text:
            return "string";
        case Form::texts:
            return "array of strings";
        case Form::unit:
            return "unit";
        case Form::body:
            return "name of a body";
        case Form::joint:
            return "name of a joint";
        case Form::place:
            return "place";
        case Form::body_pair:
            return "names of two bodies";
        case Form::profile:
            return "name of a profile";
        case Form::contact_side:
            return "name of a profile or body";
        case Form::point_of_body:
            return "`[x, y]`" + unit + " or place";
        case Form::table:
            return "table";
        case Form::kinds:
        case Form::tables:
            return "array of tables";
        case Form::expression:
            return "expression" + unit;
        case Form::any:
            return field.name == "format" ? "`1`" : "number";
        case Form::choice:
            break;
    }
    std::string names;
    for (const std::string& choice : field.choices)
        names += (names.empty() ? "`\"" : ", `\"") + choice + "\"`";
    return names;
}

std::string default_of(const FieldDescription& field) {
    if (field.required) return "required";
    if (field.default_text.empty()) return "";
    const char first = field.default_text.front();
    const bool is_value = first == '"' || first == '[' || (first >= '0' && first <= '9') ||
                          field.default_text == "false";
    return is_value ? "`" + field.default_text + "`" : field.default_text;
}

std::string table_of(const std::vector<FieldDescription>& fields) {
    if (fields.empty()) return "";
    std::string text = "| Key | Value | Default | Meaning |\n|---|---|---|---|\n";
    for (const FieldDescription& field : fields)
        text += "| `" + field.name + "` | " + value_text(field) + " | " + default_of(field) +
                " | " + field.doc + " |\n";
    text += "\n";
    for (const FieldDescription& field : fields)
        if (field.form == Form::kinds)
            for (const FieldDescription& kind : field.fields)
                text += "A table of `" + field.name + "` with `type = \"" + kind.name +
                        "\"`: " + kind.doc + "\n\n" + table_of(kind.fields);
        else if (!field.fields.empty())
            text += (field.form == Form::table ? "The table `" : "Each table of `") + field.name +
                    "`:\n\n" + table_of(field.fields);
    return text;
}

std::string units_text() {
    std::string text =
        "A quantity is a number followed by units that are joined by a blank, `/` or `^` with an "
        "integer:\n`\"2 N m/rad\"`, `\"9.81 m/s^2\"`. It ends at `*`, `+`, `-` or a bracket, and "
        "at a `/` that no unit follows:\n`\"5 N/s*t\"`, `\"3 kg m^2/12\"`. Names inside a quantity "
        "are always units, names elsewhere never; so a\nparameter may have the name of a unit, "
        "such as `m`, and `\"2 N/m\"` is still a stiffness. To divide by\nthe parameter, write "
        "`\"2 N/(m)\"`. A plain number divided by such a name, `\"3/m\"`, is an error; write\n`\"3 "
        "m^-1\"` or `\"3/(m)\"`.\n\nUnits:";
    for (const std::string& name : unit_names()) text += " `" + name + "`";
    return text +
           ".\n\nReserved names, which parameters, measures and states cannot have: `t`, `s`, `v`, "
           "`pi`, `and`, `or`, `not` and\nthe names of the functions.\n\n";
}

}  // namespace

std::string model_reference() {
    std::string text = introduction + units_text() + places;
    for (const TableDescription& table : describe_format()) {
        text += "## " + (table.header.empty() ? "Top level" : "`" + table.header + "`") + "\n\n" +
                table.summary + "\n\n" + table_of(table.fields);
        if (!table.kinds.empty())
            text += "The key `" + table.kind_key + "` (" +
                    (table.kind_required ? "required"
                                         : "default: `\"" + table.kinds.front().name + "\"`") +
                    ") says which kind it is.\n\n";
        for (const KindDescription& kind : table.kinds) {
            text += "### `" + table.kind_key + " = \"" + kind.name + "\"`\n\n" + kind.summary +
                    "\n\n" + table_of(kind.fields);
            if (kind.has_places) text += "Give either `a` and `b`, or `bodies` and `at`.\n\n";
        }
    }
    text.pop_back();  // one line break at the end
    return text;
}

}  // namespace pawl
