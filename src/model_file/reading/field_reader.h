// Reads the fields of one element into numbers, places and names of a mechanism over the space S. A
// visitor for the field lists of elements and driver laws.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mechanism/mechanism.h"
#include "model_file/reading/elements.h"
#include "model_file/reading/expression_symbols.h"
#include "model_file/reading/parameters.h"
#include "model_file/text/table_reader.h"

namespace pawl {

// What the elements of one model are read with: values of the parameters and names read so far.
template <class S>
struct MechanismContext : ReadingContext {
    const ParameterSet& parameters;
    std::vector<typename S::Scalar> slots;  // the time (0), then the parameters
    Mechanism<S>& mechanism;
    NameIndex bodies, joints, profiles;
    std::vector<NameIndex> points;  // per body

    [[nodiscard]] std::vector<typename S::Scalar> parameter_values() const {
        return {slots.begin() + 1, slots.end()};
    }
};

template <class S>
class FieldReader : public TableReader {
public:
    using T = typename S::Scalar;
    using Vector = typename S::Vector;

    FieldReader(const Node& table, std::string title, MechanismContext<S>& context)
        : TableReader(table, std::move(title), context), model_(context) {}

    // The dimension of the driven coordinate; any_dimension until it is known.
    [[nodiscard]] Dimension coordinate() const { return coordinate_; }
    void set_coordinate(const Dimension& dimension) { coordinate_ = dimension; }

    void number(std::string_view name, T& value, const Dimension& dimension, std::string_view) {
        if (const Node* node = take(name, true)) read(*node, what(name), dimension, value);
    }
    void number(std::string_view name, T& value, const Dimension& dimension, std::string_view,
                std::string_view default_text) {
        Node written_default;
        written_default.kind = Node::Kind::text;
        written_default.text = default_text;
        const Node* node = take(name, false);
        read(node ? *node : written_default, what(name), dimension, value);
    }
    // A number, or the word that stands for none.
    void number_or(std::string_view name, std::optional<T>& value, const Dimension& dimension,
                   std::string_view word, std::string_view doc) {
        const Node* node = take(name, false);
        if (!node || node->kind != Node::Kind::text || node->text != word)
            number(name, value, dimension, doc);
    }
    void number(std::string_view name, std::optional<T>& value, const Dimension& dimension,
                std::string_view) {
        const Node* node = take(name, false);
        T number{};
        if (node && read(*node, what(name), dimension, number)) value = number;
    }
    // A number, or an expression of a speed v, whose value at no speed is then the number.
    void number_of_speed(std::string_view name, T& value, std::optional<SpeedExpression<T>>& law,
                         const Dimension& dimension, std::string_view doc) {
        const Node* node = take(name, true);
        if (node && !read_law(*node, name, value, law, dimension))
            number(name, value, dimension, doc);
    }
    void number_of_speed(std::string_view name, T& value, std::optional<SpeedExpression<T>>& law,
                         const Dimension& dimension, std::string_view doc,
                         std::string_view default_text) {
        const Node* node = take(name, false);
        if (!node || !read_law(*node, name, value, law, dimension))
            number(name, value, dimension, doc, default_text);
    }
    // The number at place i has the dimension d / per_place^i.
    void numbers(std::string_view name, std::vector<T>& values, const Dimension& d,
                 const Dimension& per_entry, std::string_view, std::size_t least) {
        const auto* nodes = take_array(name, least > 0);
        if (!nodes) return;
        Dimension dimension = d;
        for (const Node& node : *nodes) {
            read(node, what(name), dimension, values.emplace_back());
            dimension = dimension / per_entry;
        }
        require(nodes->size() >= least, name,
                "needs at least " + std::to_string(least) + (least == 1 ? " number" : " numbers"));
    }
    void vector(std::string_view name, Vector& value, const Dimension& dimension,
                std::string_view) {
        if (const Node* node = take(name, true)) read(*node, what(name), dimension, value);
    }
    void vector(std::string_view name, std::optional<Vector>& value, const Dimension& dimension,
                std::string_view) {
        const Node* node = take(name, false);
        Vector vector{};
        if (node && read(*node, what(name), dimension, vector)) value = vector;
    }
    void vector(std::string_view name, T& x, T& y, const Dimension& dimension, std::string_view,
                std::string_view /* the default, as x and y have it */) {
        const Node* node = take(name, false);
        Vector vector{x, y};
        if (!node || !read(*node, what(name), dimension, vector)) return;
        x = vector.x;
        y = vector.y;
    }
    void vectors(std::string_view name, std::vector<Vector>& values, const Dimension& dimension,
                 std::string_view) {
        const auto* nodes = take_array(name, false);
        if (!nodes) return;
        for (const Node& node : *nodes) read(node, what(name), dimension, values.emplace_back());
    }
    void points(std::string_view name, std::vector<typename Body<S>::Point>& points,
                std::string_view) {
        const Node* node = take(name, false);
        if (!node) return;
        if (node->kind != Node::Kind::table)
            return error(node->begin, what(name) +
                                          ": expected a table such as { A = [0, 0] }, not " +
                                          std::string(node->kind_name()));
        for (const Node& child : node->children) {
            if (!is_plain_name(child.key))
                error(child.key_span, what(name) + ": the name '" + child.key +
                                          "' must be made of letters, digits and _");
            auto& point = points.emplace_back();
            point.name = child.key;
            point.span = child.key_span;
            read(child, what(child.key), dimension::length, point.at);
        }
    }
    template <class Struct>
    void tables(std::string_view name, std::vector<Struct>& structs, std::string_view,
                std::size_t least = 1) {
        const auto* nodes = take_array(name, least > 0);
        if (!nodes) return;
        each_table(name, *nodes, [&](FieldReader& reader) {
            structs.emplace_back().fields(reader);
            reader.finish();
        });
    }
    template <class Struct>
    void table(std::string_view name, std::optional<Struct>& value, std::string_view) {
        const Node* node = take(name, false);
        if (!node) return;
        if (node->kind != Node::Kind::table)
            return error(node->begin,
                         what(name) + ": expected a table, not " + std::string(node->kind_name()));
        FieldReader reader(*node, what(name), model_);
        value.emplace().fields(reader);
        reader.finish();
        if constexpr (requires { value->check(reader); }) value->check(reader);
        if (reader.failed()) fail();
    }
    // One of several kinds, the first by default, with its fields in the same table.
    template <class Variant>
    void kind(std::string_view key, Variant& value, std::string_view) {
        auto found = this->template kind_of<Variant>(key, false);
        if (found) {
            value = std::move(*found);
            std::visit([&](auto& k) { k.fields(*this); }, value);
        } else {  // whose fields the others are is not known
            for (const Node& child : table_.children) known_.push_back(child.key);
        }
    }
    // Tables of several kinds, each chosen by `type`.
    template <class Element>
    void kinds(std::string_view name, std::vector<Element>& elements, std::string_view) {
        using Kind = decltype(Element::kind);
        const auto* nodes = take_array(name, false);
        if (!nodes) return;
        each_table(name, *nodes, [&](FieldReader& reader) {
            auto kind = reader.template kind_of<Kind>();
            if (!kind) return;
            std::visit([&](auto& k) { k.fields(reader); }, *kind);
            reader.finish();
            elements.push_back({reader.table_span(), std::move(*kind)});
        });
    }
    void expression(std::string_view name, Formula<T>& value, const Dimension& dimension,
                    std::string_view) {
        const Node* node = take(name, true);
        if (!node) return;
        if (!read_formula(*node, what(name), dimension, model_, TimeSymbols(model_.parameters),
                          model_.parameter_values(), value))
            return fail();
        if (!check_finite(value_of(value.value(T(0))), *node, what(name) + " at t = 0", model_))
            fail();
    }

    // Over a variable of another name; whoever evaluates it says where it is not finite.
    void formula(std::string_view name, Formula<T>& value, std::string_view variable,
                 const Dimension& dimension, std::string_view) {
        const Node* node = take(name, true);
        if (node && !read_formula(*node, what(name), dimension, model_,
                                  TimeSymbols(model_.parameters, variable),
                                  model_.parameter_values(), value))
            fail();
    }
    void formula(std::string_view name, std::optional<Formula<T>>& value, std::string_view variable,
                 const Dimension& dimension, std::string_view doc) {
        if (take(name, false)) formula(name, value.emplace(), variable, dimension, doc);
    }

    void positive(std::string_view name, const T& value) {
        require(value_of(value) > 0, name, "must be positive");
    }
    void positive(std::string_view name, const std::optional<T>& value) {
        require(!value || value_of(*value) > 0, name, "must be positive");
    }

    void body(std::string_view name, std::optional<int>& value, std::string_view,
              bool required = false) {
        if (const Node* node = take_text(name, required))
            value = find_body(*node, node->text, name);
    }
    void joint(std::string_view name, std::optional<int>& value, std::string_view,
               bool required = false) {
        const Node* node = take_text(name, required);
        if (!node) return;
        const auto found = model_.joints.find(node->text);
        if (found != model_.joints.end())
            value = found->second;
        else
            error(node->inside(0), what(name) + ": there is no joint '" + node->text + "'" +
                                       model_.suggest(node->text, model_.joints));
    }
    void place(std::string_view name, std::optional<Attachment<S>>& value, std::string_view,
               bool required = false) {
        if (const Node* node = take_text(name, required)) value = find_place(*node, name);
    }

    void profile(std::string_view name, std::optional<int>& value, std::string_view) {
        const Node* node = take_text(name, false);
        if (!node) return;
        const auto found = model_.profiles.find(node->text);
        if (found != model_.profiles.end())
            value = found->second;
        else
            error(node->inside(0), what(name) + ": there is no profile '" + node->text +
                                       "' further up" +
                                       model_.suggest(node->text, model_.profiles));
    }
    void contact_side(std::string_view name, std::optional<ContactSide>& value, std::string_view) {
        const Node* node = take_text(name, true);
        if (!node) return;
        const auto profile = model_.profiles.find(node->text);
        const auto body = model_.bodies.find(node->text);
        if (profile != model_.profiles.end()) {
            const auto& found =
                model_.mechanism.profiles[static_cast<std::size_t>(profile->second)];
            value = ContactSide{found.frame.body, profile->second};
        } else if (body != model_.bodies.end()) {
            value = ContactSide{body->second};
        } else {
            NameIndex valid = model_.profiles;
            valid.insert(model_.bodies.begin(), model_.bodies.end());
            error(node->inside(0), what(name) + ": there is no profile and no body '" + node->text +
                                       "'" + model_.suggest(node->text, valid));
        }
    }
    // A point of the body, by its coordinates or by its name as a place.
    void point_of_body(std::string_view name, Vector& value, const std::optional<int>& body,
                       std::string_view) {
        const Node* node = take(name, false);
        if (!node) return;
        if (node->kind != Node::Kind::text) {
            read(*node, what(name), dimension::length, value);
        } else if (const auto place = find_place(*node, name); place && body) {
            const auto& bodies = model_.mechanism.bodies;
            if (place->body != *body)
                error(node->inside(0), what(name) + ": is on body '" +
                                           bodies[static_cast<std::size_t>(place->body)].name +
                                           "', not on '" +
                                           bodies[static_cast<std::size_t>(*body)].name + "'");
            value = place->local.at;
        }
    }

    // False where the text does not hold v.
    bool read_law(const Node& node, std::string_view name, T& value,
                  std::optional<SpeedExpression<T>>& law, const Dimension& dimension) {
        bool holds_speed = false;
        law = read_speed_law(node, what(name), dimension, model_, model_.parameters,
                             model_.parameter_values(), holds_speed);
        if (law)
            value = law->at(T(0));
        else if (holds_speed)
            fail();
        return holds_speed;
    }
    bool read(const Node& node, const std::string& what, const Dimension& dimension, T& value) {
        if (node.is_number()) {
            const bool is_any = holds_any(dimension);
            value = T(node.number * (is_any ? 1 : model_.units.factor(dimension)));
        } else {
            const auto quantity = read_quantity(node, what, dimension, model_.parameters, model_);
            if (!quantity) return failed_ = true, false;
            value = quantity->evaluate(std::span<const T>(model_.slots));
        }
        if (check_finite(value_of(value), node, what, model_)) return true;
        failed_ = true;
        return false;
    }
    bool read(const Node& node, const std::string& what, const Dimension& dimension,
              Vector& value) {
        if (node.kind != Node::Kind::array || node.children.size() != 2) {
            error(node.begin, what + ": expected an array of two numbers, [x, y]");
            return false;
        }
        const bool x = read(node.children[0], what, dimension, value.x);
        return read(node.children[1], what, dimension, value.y) && x;
    }

    std::optional<int> find_body(const Node& node, std::string_view body, std::string_view key) {
        const auto found = model_.bodies.find(body);
        if (found != model_.bodies.end()) return found->second;
        error(node.inside(0), what(key) + ": there is no body '" + std::string(body) + "'" +
                                  model_.suggest_place(body, model_.bodies, model_.points));
        return std::nullopt;
    }

    // The coordinate of a joint; `of` is needed where there are several.
    std::optional<Coordinate<S>> find_coordinate(int index, const std::optional<Component>& of) {
        const Joint<S>& joint = model_.mechanism.joints[static_cast<std::size_t>(index)];
        const std::vector<Component> components = joint.coordinates();
        const std::string subject =
            "joint '" + joint.name + "' of type " + std::string(joint.kind_name());
        if (components.empty()) {
            error(span_of("joint"), title() + ": " + subject + " has no coordinate");
            return std::nullopt;
        }
        if (!of && components.size() == 1) return coordinate_of(joint, components[0]);
        if (of && std::find(components.begin(), components.end(), *of) != components.end())
            return coordinate_of(joint, *of);
        std::string names;
        for (const Component component : components)
            names += (names.empty() ? "" : ", ") + std::string(component_name(component));
        error(of ? span_of("of") : table_span(),
              of ? what("of") + ": " + subject + " has no coordinate '" +
                       std::string(component_name(*of)) + "'; it has: " + names
                 : title() + " needs the key 'of': " + subject + " has the coordinates " + names);
        return std::nullopt;
    }

    // "body.point", or "body" for its origin.
    std::optional<Attachment<S>> find_place(const Node& node, std::string_view key) {
        const std::string_view text = node.text;
        const auto dot = text.find('.');
        const auto body = find_body(node, text.substr(0, dot), key);
        if (!body) return std::nullopt;
        Attachment<S> attachment;
        attachment.body = *body;
        if (dot == std::string_view::npos) return attachment;
        const auto& points = model_.points[static_cast<std::size_t>(*body)];
        const auto found = points.find(text.substr(dot + 1));
        const auto& owner = model_.mechanism.bodies[static_cast<std::size_t>(*body)];
        if (found == points.end()) {
            const std::string name(text.substr(dot + 1));
            error(node.inside(dot + 1), what(key) + ": body '" + owner.name + "' has no point '" +
                                            name + "'" + model_.suggest(name, points));
            return std::nullopt;
        }
        attachment.local.at = owner.points[static_cast<std::size_t>(found->second)].at;
        return attachment;
    }

protected:
    // Calls f with a reader of each table of an array.
    template <class F>
    void each_table(std::string_view name, const std::vector<Node>& nodes, F f) {
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const std::string title = what(name) + " " + std::to_string(i + 1);
            if (nodes[i].kind != Node::Kind::table) {
                error(nodes[i].begin,
                      title + ": expected a table, not " + std::string(nodes[i].kind_name()));
                continue;
            }
            FieldReader reader(nodes[i], title, model_);
            reader.set_coordinate(coordinate_);
            f(reader);
            if (reader.failed()) fail();
        }
        require(!nodes.empty(), name, "needs at least one table");
    }

    MechanismContext<S>& model_;
    Dimension coordinate_ = any_dimension;
};

}  // namespace pawl
