// Reading of values and the messages about them.
#include "model_file/text/values.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace pawl {

namespace {

std::string_view name_at(std::string_view text, std::size_t offset) {
    const auto belongs = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
    };
    text.remove_prefix(std::min(offset, text.size()));
    const auto end = std::find_if_not(text.begin(), text.end(), belongs);
    return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

}  // namespace

std::string ReadingContext::suggest(std::string_view name, const std::vector<std::string>& valid) {
    return suggestions_left-- > 0 ? did_you_mean(name, valid) : "";
}

std::string ReadingContext::suggest(std::string_view name, const NameIndex& valid) {
    if (suggestions_left <= 0) return "";
    std::vector<std::string> names;
    for (const auto& entry : valid) names.push_back(entry.first);
    return suggest(name, names);
}

std::string ReadingContext::suggest_place(std::string_view name, const NameIndex& bodies,
                                          const std::vector<NameIndex>& points) {
    for (const auto& [body, index] : bodies)
        if (const auto i = static_cast<std::size_t>(index);
            i < points.size() && points[i].find(name) != points[i].end())
            return "; did you mean the point '" + body + "." + std::string(name) + "'?";
    return suggest(name, bodies);
}

std::optional<Expression> read_expression(const Node& node, const std::string& what,
                                          const ModelSymbols& symbols, ReadingContext& context) {
    if (node.is_number()) {
        if (!check_finite(node.number, node, what, context)) return std::nullopt;
        return Expression::constant(node.number);
    }
    if (node.kind != Node::Kind::text) {
        context.diagnostics.error(node.begin,
                                  what + ": expected a number or a string such as \"12 mm\", not " +
                                      std::string(node.kind_name()));
        return std::nullopt;
    }
    ExpressionError error;
    auto expression = Expression::parse(node.text, symbols, context.units, error);
    if (!expression) {
        const auto offset = static_cast<std::size_t>(error.offset);
        const std::string reason = symbols.reason_against(name_at(node.text, offset));
        context.diagnostics.error(node.inside(offset),
                                  what + ": " + (reason.empty() ? error.message : reason));
    } else if (context.uses != nullptr) {
        for (const int slot : expression->slots_used())
            if (slot > 0) context.uses->push_back({slot, context.section, what});
    }
    return expression;
}

std::optional<Expression> read_quantity(const Node& node, const std::string& what,
                                        const Dimension& dimension, const ModelSymbols& symbols,
                                        ReadingContext& context) {
    const auto expression = read_expression(node, what, symbols, context);
    if (!expression || holds_any(dimension)) return expression;
    ExpressionError error;
    auto quantity = expression->converted_to(dimension, context.units, error);
    if (!quantity)
        context.diagnostics.error(node.inside(static_cast<std::size_t>(error.offset)),
                                  what + ": " + error.message);
    return quantity;
}

bool check_finite(double value, const Node& node, const std::string& what,
                  ReadingContext& context) {
    if (std::isfinite(value)) return true;
    context.diagnostics.error(
        node.kind == Node::Kind::text ? node.inside(0) : node.begin,
        what + ": the value is " + (std::isnan(value) ? "not a number" : "infinite") +
            (node.kind == Node::Kind::text ? "; is there a division by zero?" : ""));
    return false;
}

}  // namespace pawl
