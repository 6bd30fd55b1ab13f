#include "generators/numbers.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include "math/expression/expression.h"
#include "math/span.h"

namespace pawl::generating {

namespace {

// A value as an expression in the dimension of the unit; a plain number has the unit.
struct ReadValue {
    double si = 0;
    bool is_bare = false;
};

std::optional<ReadValue> read_value(const std::string& text, const std::string& unit,
                                    std::string& problem) {
    const Unit own = unit.empty() ? Unit{} : *parse_unit(unit);
    ExpressionError error;
    const auto parsed = Expression::parse(text, SymbolTable{}, {}, error);
    if (!parsed) {
        problem = error.message;
        return std::nullopt;
    }
    const std::span<const double> none;
    if (parsed->quality().is_bare()) return ReadValue{own.factor * parsed->evaluate(none), true};
    if (unit.empty()) {
        problem = "it is a plain number, without a unit";
        return std::nullopt;
    }
    const auto value = parsed->converted_to(own.dimension, {}, error);
    if (!value) {
        problem = error.message;
        return std::nullopt;
    }
    return ReadValue{value->evaluate(none), false};
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts;
    std::string part;
    for (const char c : text + ",") {
        const bool is_space = std::isspace(static_cast<unsigned char>(c)) != 0;
        if (!is_space && c != ',' && c != ';') {
            part += c;
        } else if (!part.empty()) {
            parts.push_back(part);
            part.clear();
        }
    }
    return parts;
}

// What keeps a number from the sort of its field; empty: nothing.
std::string problem_of(const Field& field, double si) {
    if (!std::isfinite(si)) return "it is not finite";
    if (field.sort == Sort::positive && !(si > 0)) return "it must be positive";
    if (field.sort == Sort::not_negative && !(si >= 0)) return "it must not be negative";
    if (field.sort == Sort::count && (si != std::floor(si) || si < 1 || si > 1000))
        return "it must be a whole number from 1 to 1000";
    return "";
}

}  // namespace

Numbers::Numbers(std::vector<Field> fields,
                 const std::vector<std::pair<std::string, std::string>>& values,
                 std::vector<std::string>& problems)
    : fields_(std::move(fields)) {
    std::vector<std::string> names;
    for (const Field& field : fields_) names.push_back(field.name);
    for (const auto& [name, text] : values) {
        const auto field = std::find_if(fields_.begin(), fields_.end(),
                                        [&name = name](const Field& f) { return f.name == name; });
        if (field == fields_.end())
            problems.push_back(
                fmt::format("unknown number '{}'{}", name, did_you_mean(name, names)));
        else if (has(name))
            problems.push_back(fmt::format("{} is given twice", name));
        else
            read(*field, text, problems);
    }
    for (const Field& field : fields_)
        if (!has(field.name) && !field.standard.empty()) read(field, field.standard, problems);
}

void Numbers::read(const Field& field, const std::string& text,
                   std::vector<std::string>& problems) {
    Value& value = values_[field.name];
    value.text = text;
    value.si = {1};
    const auto refuse = [&](const std::string& why) {
        problems.push_back(fmt::format("{} = {}: {}", field.name, text, why));
    };
    if (field.sort == Field::Sort::choice) {
        if (std::find(field.choices.begin(), field.choices.end(), text) == field.choices.end())
            problems.push_back(fmt::format("{} = {}: unknown choice{}", field.name, text,
                                           did_you_mean(text, field.choices)));
        return;
    }
    const bool is_list = field.sort == Field::Sort::list;
    const std::vector<std::string> parts = is_list ? split(text) : std::vector{text};
    if (parts.size() > 1000) return refuse("more than 1000 numbers");
    std::vector<double> si;
    for (const std::string& part : parts) {
        std::string problem;
        const auto found = read_value(part, field.unit, problem);
        if (found) problem = problem_of(field, found->si);
        if (!problem.empty()) return refuse(problem);
        si.push_back(found->si);
        if (found->is_bare && !is_list && !field.unit.empty()) value.text = text + " " + field.unit;
    }
    if (si.empty()) return refuse("no numbers");
    value.si = si;
}

int Numbers::count(const std::string& name) const {
    return static_cast<int>(std::lround((*this)[name]));
}

const std::vector<double>& Numbers::list(const std::string& name) const {
    return values_.at(name).si;
}

const std::string& Numbers::text(const std::string& name) const { return values_.at(name).text; }

void Numbers::settle(const std::string& name, double si) {
    if (has(name)) return;
    std::vector<std::string> ignored;  // checks of the generator follow
    for (const Field& field : fields_)
        if (field.name == name) read(field, shown(si, field.unit), ignored);
}

std::string filled(std::string_view text, const Numbers& numbers,
                   const std::map<std::string, std::string>& more) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '@') {
            out += text[i];
            continue;
        }
        std::string name;
        while (i + 1 < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[i + 1])) != 0 || text[i + 1] == '_'))
            name += text[++i];
        const auto found = more.find(name);
        out += found != more.end() ? found->second : numbers.text(name);
    }
    return out;
}

std::string shown(double si, const std::string& unit, int digits) {
    if (unit.empty()) return fmt::format("{:.{}g}", si, digits);
    return fmt::format("{:.{}g} {}", si / parse_unit(unit)->factor, digits, unit);
}

std::string exact(double si, const std::string& unit) { return shown(si, unit, 13); }

}  // namespace pawl::generating
