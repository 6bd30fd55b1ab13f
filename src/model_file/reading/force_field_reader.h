// Reads the fields of one force or state: besides those of joints, the coordinate that it acts
// along and expressions over the motion. A visitor for the field lists of force kinds.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model_file/reading/joint_field_reader.h"

namespace pawl {

// Slots as a ForceExpression has them: the time, the parameters, the channels of the measures,
// their rates as NAME.rate, the states, and s and v where the element has a coordinate.
class ForceSymbols : public TimeSymbols {
public:
    ForceSymbols(const ParameterSet& parameters, const NameIndex& channels, int channel_count,
                 const std::set<std::string, std::less<>>& without_rate, const NameIndex& states)
        : TimeSymbols(parameters),
          channels_(channels),
          without_rate_(without_rate),
          states_(states),
          channel_count_(channel_count) {}

    bool has_coordinate = false;  // s and v are offered

    [[nodiscard]] int channel_count() const { return channel_count_; }
    [[nodiscard]] int state_count() const { return static_cast<int>(states_.size()); }

    [[nodiscard]] std::optional<Symbol> find(std::string_view name) const override;
    [[nodiscard]] std::vector<std::string> names() const override;
    [[nodiscard]] std::string reason_against(std::string_view name) const override;

private:
    const NameIndex& channels_;  // slots
    const std::set<std::string, std::less<>>& without_rate_;
    const NameIndex& states_;  // indices among the states
    int channel_count_;
};

template <class S>
class ForceFieldReader : public JointFieldReader<S> {
public:
    using typename FieldReader<S>::T;

    ForceFieldReader(const Node& table, std::string title, MechanismContext<S>& context,
                     ForceSymbols symbols)
        : JointFieldReader<S>(table, std::move(title), context), symbols_(std::move(symbols)) {}

    Component component = Component::angle;  // of the joint coordinate

    void distance() {
        this->place("a", 0, "");
        this->place("b", 1, "");
        this->coordinate_ = dimension::length;
        symbols_.has_coordinate = true;
    }
    void joint_coordinate() {
        std::optional<int> joint;
        std::optional<Component> of;
        this->joint("joint", joint, "", true);
        this->choice("of", of, {"x", "y", "angle"}, "");
        symbols_.has_coordinate = true;
        if (!joint || this->failed()) return;
        const auto coordinate = this->find_coordinate(*joint, of);
        if (!coordinate) return;
        for (std::size_t k = 0; k < 2; ++k) this->frames[k] = coordinate->frames[k];
        component = coordinate->component;
        this->coordinate_ = coordinate->dimension();
    }

    void force_expression(std::string_view name, ForceExpression& value, const Dimension& dimension,
                          std::string_view) {
        if (const Node* node = this->take(name, true)) read_force(*node, name, dimension, value);
    }
    void force_expression(std::string_view name, ForceExpression& value, const Dimension& dimension,
                          std::string_view, std::string_view /* zero, as the value has it */) {
        if (const Node* node = this->take(name, false)) read_force(*node, name, dimension, value);
    }
    void force_expression(std::string_view name, std::optional<ForceExpression>& value,
                          const Dimension& dimension, std::string_view) {
        if (const Node* node = this->take(name, false))
            read_force(*node, name, dimension, value.emplace());
    }

    // A condition: 1 where it holds, else 0.
    void condition(std::string_view name, ForceExpression& value, std::string_view) {
        const Node* node = this->take(name, true);
        if (!node) return;
        if (node->kind != Node::Kind::text)
            return this->error(node->begin, this->what(name) +
                                                ": expected a condition as a string, such as "
                                                "\"bolt.x > 5 mm\", not " +
                                                std::string(node->kind_name()));
        if (node->text.find_first_of("<>=") == std::string::npos)
            return this->error(
                node->inside(0),
                this->what(name) + ": '" + node->text +
                    "' is not a condition; write a comparison, as in \"bolt.x > 5 mm\"");
        constexpr std::string_view before = "if(";
        Node number = *node;
        number.text = std::string(before) + node->text + ", 1, 0)";
        number.begin.column -= static_cast<int>(before.size());
        read_force(number, name, dimension::none, value);
    }

private:
    void read_force(const Node& node, std::string_view name, const Dimension& dimension,
                    ForceExpression& value) {
        const std::string what = this->what(name);
        const auto expression = read_quantity(node, what, dimension, symbols_, this->model_);
        if (!expression) return this->fail();
        value = {*expression, this->model_.parameter_values(), symbols_.channel_count(),
                 symbols_.state_count()};
        const auto& used = expression->slots_used();
        const std::size_t known = this->model_.slots.size();  // the time and the parameters
        if (!used.empty() && static_cast<std::size_t>(used.back()) >= known) return;
        if (!check_finite(value.at({}), node, what + (used.empty() ? "" : " at t = 0"),
                          this->model_))
            this->fail();
    }

    ForceSymbols symbols_;
};

}  // namespace pawl
