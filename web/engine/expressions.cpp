#include "expressions.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model_file/reading/elements.h"
#include "model_file/text/table_reader.h"

namespace pawl::engine {

namespace {

constexpr int max_steps = 60;
constexpr int max_halvings = 30;

bool belongs_to_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// A number as people write it, with the digits that a step resolves.
std::string rounded(double value, double step) {
    const double wanted = step > 0 ? -std::floor(std::log10(step)) : 12;
    std::string out =
        fmt::format("{:.{}f}", value, static_cast<int>(std::clamp(wanted, 0.0, 12.0)));
    if (out.find('.') != std::string::npos) {
        out.erase(out.find_last_not_of('0') + 1);
        if (out.back() == '.') out.pop_back();
    }
    return out == "-0" ? "0" : out;
}

}  // namespace

Expressions::Expressions(const Node& root) : root_(root) {
    if (const Node* units = root.find("units"); units && units->kind == Node::Kind::table) {
        UnitsElement element;
        TableReader reader(*units, "units", context_);
        element.fields(reader);
        context_.units = {element.length.value_or(1), element.angle.value_or(1),
                          element.mass.value_or(1), element.time.value_or(1), element.force};
    }
    parameters_.read(root.find("parameters"), root.find("inputs"), {}, context_);
    slots_ = parameters_.slots<double>();
}

bool Expressions::names_a_parameter(std::string_view text) const {
    while (!text.empty()) {
        std::size_t begin = 0, end = 0;
        while (begin < text.size() && !belongs_to_name(text[begin])) ++begin;
        for (end = begin; end < text.size() && belongs_to_name(text[end]);) ++end;
        if (begin < end && parameters_.find(text.substr(begin, end - begin))) return true;
        text.remove_prefix(end);
    }
    return false;
}

const Node* Expressions::source_of(const Parameter& parameter) const {
    const Node* table = root_.find("parameters");
    const Node* value = table ? table->find(parameter.name) : nullptr;
    return value && value->kind == Node::Kind::table ? value->find("value") : value;
}

void Expressions::describe(const Node& value, Json& out) const {
    if (value.kind != Node::Kind::text || !names_a_parameter(value.text)) return;
    ExpressionError error;
    const auto expression = Expression::parse(value.text, parameters_, context_.units, error);
    if (!expression || expression->is_constant()) return;
    const double number = expression->evaluate(std::span<const double>(slots_));
    if (!std::isfinite(number)) return;
    out["value"] = number;
    if (expression->quality().is_bare()) out["bare"] = true;
    out["uses"] = Json::array();
    for (const int slot : expression->slots_used())
        if (slot > 0)
            out["uses"].push_back(parameters_.all()[static_cast<std::size_t>(slot - 1)].name);
}

Expressions::Change Expressions::change_for(const Node& value, const Dimension& dimension,
                                            double target, double step) const {
    const auto expression = read_quantity(value, "value", dimension, parameters_, context_);
    if (!expression || expression->slots_used().size() != 1 || expression->slots_used()[0] == 0)
        return {{}, {}, "it is no expression of one parameter"};
    const auto slot = static_cast<std::size_t>(expression->slots_used()[0]);
    const Parameter& parameter = parameters_.all()[slot - 1];
    const Node* source = source_of(parameter);
    if (!source || (!source->is_number() && parameter.written_unit.empty()))
        return {{}, {}, "the parameter " + parameter.name + " is itself an expression"};
    // Newton's method, by half steps where it leads away.
    std::vector<Dual> slots(parameters_.all().size() + 1);
    const auto at = [&](double x) {
        slots[slot] = Dual(x, 1);
        return expression->evaluate(std::span<const Dual>(slots));
    };
    double x = parameter.value;
    Dual now = at(x);
    for (int i = 0; i < max_steps && std::abs(target - now.value) > 0.01 * step; ++i) {
        double change = (target - now.value) / now.derivative;
        if (!std::isfinite(change)) break;
        Dual next = at(x + change);
        for (int k = 0;
             k < max_halvings && !(std::abs(target - next.value) < std::abs(target - now.value));
             ++k)
            next = at(x + (change *= 0.5));
        if (!(std::abs(target - next.value) < std::abs(target - now.value))) break;
        x += change;
        now = next;
    }
    const double slope = std::abs(now.derivative);
    x = std::clamp(x, parameter.min.value_or(x), parameter.max.value_or(x));
    const auto unit = parse_unit(parameter.written_unit);
    const double size = source->is_number() || !unit ? 1 : unit->factor;
    const std::string number = rounded(x / size, slope > 0 ? step / slope / size : 0);
    return {"parameters." + parameter.name,
            source->is_number() ? number : '"' + number + ' ' + parameter.written_unit + '"',
            {}};
}

}  // namespace pawl::engine
