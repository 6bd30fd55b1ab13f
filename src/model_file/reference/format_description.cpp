// A visitor of field lists that writes down what it meets.
#include "model_file/reference/format_description.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <variant>

#include "mechanism/joint_kind.h"
#include "model_file/reading/design_reader.h"
#include "model_file/reading/elements.h"
#include "model_file/text/document.h"
#include "model_file/text/kinds.h"
#include "model_file/text/values.h"

namespace pawl {

namespace {

using Form = FieldDescription::Form;

// A coordinate is a length or an angle.
std::string unit_text(const Dimension& d) {
    const int power = power_of_any(d);
    if (power == 0) return si_unit(d);
    const Dimension rest = d / pow(any_dimension, power);
    const int of_angle = power < 0 ? power + 1 : power;  // energy per angle is a torque, in N m
    return si_unit(pow(dimension::length, power) * rest) + " or " +
           si_unit(pow(dimension::angle, of_angle) * rest);
}

class FieldDescriber {
public:
    std::vector<FieldDescription> fields;
    bool has_places = false;

    [[nodiscard]] Dimension coordinate() const { return coordinate_; }
    void set_coordinate(const Dimension&) {}  // it differs from model to model

    template <class T>
    void number(std::string_view name, T&, const Dimension& d, std::string_view doc) {
        add(name, Form::number, doc, true).unit = unit_text(d);
    }
    template <class T>
    void number(std::string_view name, T&, const Dimension& d, std::string_view doc,
                std::string_view default_text) {
        auto& field = add(name, Form::number, doc, false);
        field.unit = unit_text(d);
        field.default_text = default_text;
    }
    template <class T>
    void number(std::string_view name, std::optional<T>&, const Dimension& d,
                std::string_view doc) {
        add(name, Form::number, doc, false).unit = unit_text(d);
    }
    template <class T, class Law>
    void number_of_speed(std::string_view name, T& value, Law&, const Dimension& d,
                         std::string_view doc) {
        number(name, value, d, doc);
    }
    template <class T, class Law>
    void number_of_speed(std::string_view name, T& value, Law&, const Dimension& d,
                         std::string_view doc, std::string_view default_text) {
        number(name, value, d, doc, default_text);
    }
    template <class T>
    void numbers(std::string_view name, std::vector<T>&, const Dimension& d,
                 const Dimension& per_entry, std::string_view doc, std::size_t least) {
        auto& field = add(name, Form::numbers, doc, least > 0);
        field.unit = unit_text(d);
        if (per_entry != dimension::none)
            field.unit += ", the next per " + si_unit(per_entry) + ", ...";
        field.least = least;
    }
    template <class T>
    void number_or(std::string_view name, std::optional<T>&, const Dimension& d,
                   std::string_view word, std::string_view doc) {
        auto& field = add(name, Form::number, doc, false);
        field.unit = unit_text(d);
        field.choices = {std::string(word)};
        field.default_text = "\"" + std::string(word) + "\"";
    }
    template <class Vector>
    void vector(std::string_view name, Vector&, const Dimension& d, std::string_view doc) {
        add(name, Form::vector, doc, true).unit = unit_text(d);
    }
    template <class Vector>
    void vector(std::string_view name, std::optional<Vector>&, const Dimension& d,
                std::string_view doc) {
        add(name, Form::vector, doc, false).unit = unit_text(d);
    }
    template <class T>
    void vector(std::string_view name, T&, T&, const Dimension& d, std::string_view doc,
                std::string_view default_text) {
        auto& field = add(name, Form::vector, doc, false);
        field.unit = unit_text(d);
        field.default_text = default_text;
    }
    template <class Vector>
    void vectors(std::string_view name, std::vector<Vector>&, const Dimension& d,
                 std::string_view doc) {
        add(name, Form::vectors, doc, false).unit = unit_text(d);
    }
    template <class Point>
    void points(std::string_view name, std::vector<Point>&, std::string_view doc) {
        add(name, Form::points, doc, false).unit = si_unit(dimension::length);
    }
    template <class T>
    void expression(std::string_view name, T&, const Dimension& d, std::string_view doc) {
        add(name, Form::expression, doc, true).unit = unit_text(d);
    }
    void condition(std::string_view name, const ForceExpression&, std::string_view doc) {
        add(name, Form::expression, doc, true);
    }
    template <class T>
    void formula(std::string_view name, const Formula<T>&, std::string_view, const Dimension& d,
                 std::string_view doc) {
        add(name, Form::expression, doc, true).unit = unit_text(d);
    }
    template <class T>
    void formula(std::string_view name, const std::optional<Formula<T>>&, std::string_view,
                 const Dimension& d, std::string_view doc) {
        add(name, Form::expression, doc, false).unit = unit_text(d);
    }
    void force_expression(std::string_view name, const ForceExpression&, const Dimension& d,
                          std::string_view doc) {
        add(name, Form::expression, doc, true).unit = unit_text(d);
    }
    void force_expression(std::string_view name, const ForceExpression&, const Dimension& d,
                          std::string_view doc, std::string_view default_text) {
        auto& field = add(name, Form::expression, doc, false);
        field.unit = unit_text(d);
        field.default_text = default_text;
    }
    void force_expression(std::string_view name, const std::optional<ForceExpression>&,
                          const Dimension& d, std::string_view doc) {
        add(name, Form::expression, doc, false).unit = unit_text(d);
    }
    template <class T>
    void positive(std::string_view name, const T&) {
        for (auto& field : fields)
            if (field.name == name) field.positive = true;
    }
    void flag(std::string_view name, bool, std::string_view doc) {
        add(name, Form::flag, doc, false).default_text = "false";
    }
    void flag(std::string_view name, std::optional<bool>, std::string_view doc) {
        add(name, Form::flag, doc, false);
    }
    template <class E>
    void choice(std::string_view name, E&, const std::vector<std::string>& names,
                std::string_view doc) {
        auto& field = add(name, Form::choice, doc, false);
        field.choices = names;
        field.default_text = "\"" + names.front() + "\"";
    }
    template <class E>
    void choice(std::string_view name, std::optional<E>&, const std::vector<std::string>& names,
                std::string_view doc) {
        add(name, Form::choice, doc, false).choices = names;
    }
    template <class Struct>
    void table(std::string_view name, std::optional<Struct>&, std::string_view doc) {
        FieldDescriber inner;
        Struct().fields(inner);
        add(name, Form::table, doc, false).fields = std::move(inner.fields);
    }
    template <class Struct>
    void tables(std::string_view name, std::vector<Struct>&, std::string_view doc,
                std::size_t least = 1) {
        FieldDescriber inner;
        Struct().fields(inner);
        auto& field = add(name, Form::tables, doc, least > 0);
        field.fields = std::move(inner.fields);
        field.least = least;
    }
    template <class Element>
    void kinds(std::string_view name, std::vector<Element>&, std::string_view doc);
    template <class Variant>
    void kind(std::string_view name, Variant&, std::string_view doc);
    void profile(std::string_view name, const std::optional<int>&, std::string_view doc) {
        add(name, Form::profile, doc, false);
    }
    void contact_side(std::string_view name, const std::optional<ContactSide>&,
                      std::string_view doc) {
        add(name, Form::contact_side, doc, true);
    }
    template <class Vector>
    void point_of_body(std::string_view name, Vector&, const std::optional<int>&,
                       std::string_view doc) {
        add(name, Form::point_of_body, doc, false).unit = si_unit(dimension::length);
    }
    void text(std::string_view name, const std::string&, std::string_view doc) {
        add(name, Form::text, doc, false);
    }
    void texts(std::string_view name, const std::vector<std::string>&, std::string_view doc) {
        add(name, Form::texts, doc, false);
    }
    void any(std::string_view name, const Node*, std::string_view doc, bool required) {
        add(name, Form::any, doc, required);
    }
    void unit(std::string_view name, const std::optional<double>&, const Dimension& d,
              std::string_view doc) {
        auto& field = add(name, Form::unit, doc, false);
        if (field.default_text.empty()) field.default_text = "\"" + si_unit(d) + "\"";
    }
    void unit_name(std::string_view name, const std::optional<std::string>&, std::string_view doc) {
        add(name, Form::unit, doc, false);
    }
    void body(std::string_view name, const std::optional<int>&, std::string_view doc,
              bool required = false) {
        add(name, Form::body, doc, required);
    }
    void joint(std::string_view name, const std::optional<int>&, std::string_view doc,
               bool required = false) {
        add(name, Form::joint, doc, required);
    }
    template <class A>
    void place(std::string_view name, const std::optional<A>&, std::string_view doc,
               bool required = false) {
        add(name, Form::place, doc, required);
    }
    void place(std::string_view name, int, std::string_view doc) {
        add(name, Form::place, doc, true);
    }
    void body_field(std::string_view name, int, std::string_view doc,
                    std::string_view default_name = {}) {
        auto& field = add(name, Form::body, doc, default_name.empty());
        if (!default_name.empty()) field.default_text = "\"" + std::string(default_name) + "\"";
    }
    void places() {
        has_places = true;
        add("a", Form::place, "place on the first body", false);
        add("b", Form::place, "place on the second body", false);
        add("bodies", Form::body_pair, "instead of a and b: the two bodies", false);
        add("at", Form::vector,
            "with bodies: the point where they meet at the start, in ground coordinates", false)
            .unit = si_unit(dimension::length);
    }
    void distance() {
        add("a", Form::place, "place of the first end", true);
        add("b", Form::place, "place of the second end", true);
        coordinate_ = dimension::length;
    }
    void joint_coordinate() {
        add("joint", Form::joint, "the joint along whose coordinate it acts", true);
        add("of", Form::choice, "which coordinate, for a free joint", false).choices = {"x", "y",
                                                                                        "angle"};
    }
    void require(bool, std::string_view, std::string_view) {}

private:
    Dimension coordinate_ = any_dimension;

    // The documentation of a field says its default behind "; default: " where no text could.
    FieldDescription& add(std::string_view name, Form form, std::string_view doc, bool required) {
        constexpr std::string_view mark = "; default: ";
        const auto split = doc.find(mark);
        fields.push_back({.name = std::string(name),
                          .form = form,
                          .doc = std::string(doc.substr(0, split)),
                          .required = required});
        if (split != std::string_view::npos)
            fields.back().default_text = doc.substr(split + mark.size());
        return fields.back();
    }
};

template <class Element>
std::vector<FieldDescription> fields_of() {
    FieldDescriber describer;
    Element element;
    element.fields(describer);
    return describer.fields;
}

template <class Variant>
std::vector<KindDescription> kinds_of() {
    std::vector<KindDescription> kinds;
    for (std::size_t i = 0; i < std::variant_size_v<Variant>; ++i) {
        Variant variant = make_kind<Variant>(i);
        std::visit(
            [&](auto& kind) {
                FieldDescriber describer;
                kind.fields(describer);
                kinds.push_back({std::string(kind.name), std::string(kind.summary),
                                 describer.fields, describer.has_places});
            },
            variant);
    }
    return kinds;
}

template <class Element>
void FieldDescriber::kinds(std::string_view name, std::vector<Element>&, std::string_view doc) {
    auto& field = add(name, Form::kinds, doc, false);
    field.least = 1;
    for (KindDescription& kind : kinds_of<decltype(Element::kind)>())
        field.fields.push_back({.name = std::move(kind.name),
                                .doc = std::move(kind.summary),
                                .fields = std::move(kind.fields)});
}

// The fields of all kinds, each once; a unit that differs from kind to kind is left out.
template <class Variant>
void FieldDescriber::kind(std::string_view name, Variant&, std::string_view doc) {
    auto kinds = kinds_of<Variant>();
    auto& choice = add(name, Form::choice, doc, false);
    for (const KindDescription& kind : kinds) choice.choices.push_back(kind.name);
    choice.default_text = "\"" + choice.choices.front() + "\"";
    for (KindDescription& kind : kinds)
        for (FieldDescription& field : kind.fields) {
            const auto known =
                std::find_if(fields.begin(), fields.end(),
                             [&](const FieldDescription& f) { return f.name == field.name; });
            if (known != fields.end()) {
                if (known->unit != field.unit) known->unit.clear();
                continue;
            }
            field.required = false;
            field.doc = "of the " + std::string(name) + ", as in `[contact.NAME]`";
            field.default_text.clear();
            fields.push_back(std::move(field));
        }
}

template <class Element>
TableDescription table(std::string name, std::string header,
                       std::vector<KindDescription> kinds = {}) {
    return {.name = std::move(name),
            .header = std::move(header),
            .summary = std::string(Element::summary),
            .fields = fields_of<Element>(),
            .kinds = std::move(kinds)};
}

template <class T>
TableDescription contact_table() {
    TableDescription contacts =
        table<ContactElement<T>>("contact", "[contact.NAME]", kinds_of<ContactLaw<T>>());
    contacts.kind_key = "law";
    contacts.kind_required = false;
    return contacts;
}

// Rate and value of a state have the unit that the user means.
template <class T>
TableDescription state_table() {
    TableDescription states = table<StateElement<T>>("state", "[state.NAME]");
    for (FieldDescription& field : states.fields) field.unit.clear();
    return states;
}

}  // namespace

std::vector<TableDescription> describe_format() {
    using S = PlanarSpace;
    using T = S::Scalar;
    return {
        {.name = "",
         .header = "",
         .summary = "The top level of the file.",
         .fields = fields_of<RootElement>()},
        table<UnitsElement>("units", "[units]"),
        table<ParameterElement>("parameters", "[parameters]"),
        {.name = "inputs",
         .header = "[inputs]",
         .summary =
             "Named values that a program may set while the simulation runs: `torque = \"0 N m\"`. "
             "The value is that of the start, a quantity or an expression of parameters; its unit "
             "stays. The expressions of forces and states can use them.",
         .fields = {}},
        table<GroundElement<S>>("ground", "[body.ground]"),
        table<BodyElement<S>>("body", "[body.NAME]"),
        {.name = "joint",
         .header = "[joint.NAME]",
         .summary = "A constraint between two bodies.",
         .fields = {},
         .kinds = kinds_of<JointKinds<S>>()},
        table<DriverElement<S>>("driver", "[driver.NAME]", kinds_of<DriverLaw<T>>()),
        table<ProfileTable<S>>("profile", "[profile.NAME]"),
        contact_table<T>(),
        table<MeasureColumn>("measure", "[measure.NAME]", kinds_of<MeasureElement<S>>()),
        {.name = "force",
         .header = "[force.NAME]",
         .summary = "What acts on the bodies in addition to joints and drivers.",
         .fields = {},
         .kinds = kinds_of<ForceKind<S>>()},
        state_table<T>(),
        table<CouplingElement>("coupling", "[coupling.NAME]", kinds_of<JointKinds<S>>()),
        table<EventElement>("event", "[event.NAME]"),
        table<ResponseElement>("response", "[response.NAME]"),
        table<SweepElement<T>>("sweep", "[sweep]"),
        table<DesignElement>("design", "[design]"),
        table<RunElement<T>>("run", "[run]"),
    };
}

}  // namespace pawl
