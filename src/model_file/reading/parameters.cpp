// Reading, ordering and evaluation of parameters.
#include "model_file/reading/parameters.h"

#include <algorithm>

#include "math/characters.h"
#include "math/units.h"
#include "model_file/reading/elements.h"
#include "model_file/text/table_reader.h"

namespace pawl {

namespace {

// Knows every parameter, with an unknown dimension, and notes those that are asked for.
class UseFinder : public ModelSymbols {
public:
    explicit UseFinder(const ParameterSet& parameters) : parameters_(parameters) {}
    [[nodiscard]] std::optional<Symbol> find(std::string_view name) const override {
        const auto symbol = parameters_.find(name);
        if (!symbol) return std::nullopt;
        uses.push_back(symbol->slot - 1);
        return Symbol{symbol->slot, Quality::unknown()};
    }
    [[nodiscard]] std::vector<std::string> names() const override { return parameters_.names(); }
    [[nodiscard]] std::string reason_against(std::string_view name) const override {
        return parameters_.reason_against(name);
    }
    mutable std::vector<int> uses;

private:
    const ParameterSet& parameters_;
};

std::optional<std::string> name_problem(const std::string& name, const std::string& kind) {
    if (!is_plain_name(name))
        return "the name '" + name +
               "' must consist of letters, digits and _ and not begin with a digit";
    if (name == "t") return kind + " cannot be called 't': that is the time";
    if (is_reserved_in_model(name))
        return kind + " cannot be called '" + name + "': expressions use that name";
    return std::nullopt;
}

// "N/mm" of "3 N/mm"; empty for anything but a number with a unit.
std::string unit_of_number(const Node& node) {
    if (node.kind != Node::Kind::text) return {};
    const char* end = node.text.data() + node.text.size();
    double number = 0;
    const auto [rest, error] = read_number(node.text.data(), end, number);
    if (error != std::errc()) return {};
    std::string unit(rest, end);
    unit.erase(0, unit.find_first_not_of(' '));
    unit.erase(unit.find_last_not_of(' ') + 1);
    return parse_unit(unit) ? unit : std::string();
}

}  // namespace

void ParameterSet::read(const Node* table, const Node* inputs, const Overrides& overrides,
                        ReadingContext& context) {
    collect(table, false, context);
    collect(inputs, true, context);
    if (!overrides.empty()) note_file(table, inputs, context);
    apply(overrides, context);
    expressions_.resize(sources_.size());
    find_uses(context);
    sort(context);
    for (const int index : order_) evaluate(index, context);
    for (std::size_t i = 0; i < sources_.size(); ++i) read_limits(static_cast<int>(i), context);
}

void ParameterSet::collect(const Node* table, bool inputs, ReadingContext& context) {
    if (table == nullptr) return;
    if (table->kind != Node::Kind::table)
        return context.diagnostics.error(
            table->begin, std::string(inputs ? "inputs" : "parameters") +
                              ": expected a table, not " + std::string(table->kind_name()));
    const std::string kind = inputs ? "input" : "parameter";
    for (const Node& node : table->children) {
        Source source{node, kind + " '" + node.key + "'", nullptr, {}, Distribution::normal, false};
        if (const auto problem = name_problem(node.key, (inputs ? "an " : "a ") + kind)) {
            context.diagnostics.error(node.key_span, *problem);
            source.failed = true;
        } else if (index_.contains(node.key)) {
            context.diagnostics.error(node.key_span, source.what +
                                                         ": there is a parameter of this name, so "
                                                         "expressions could not distinguish them");
            source.failed = true;
        } else if (node.kind == Node::Kind::table && !inputs) {
            collect_long_form(node, source, context);
        }
        index_.emplace(node.key, static_cast<int>(parameters_.size()));
        Parameter& parameter = parameters_.emplace_back();
        parameter.name = node.key;
        parameter.span = node.key_span;
        parameter.quality = Quality::unknown();
        parameter.value = 1;
        parameter.is_input = inputs;
        sources_.push_back(std::move(source));
    }
}

void ParameterSet::collect_long_form(const Node& node, Source& source, ReadingContext& context) {
    TableReader reader(node, source.what, context);
    ParameterElement element;
    element.fields(reader);
    reader.finish();
    source.table = &node;
    source.failed = reader.failed();
    source.distribution = element.distribution;
    if (element.value) source.value = *element.value;
}

// The dimensions that the parameters have without overrides.
void ParameterSet::note_file(const Node* table, const Node* inputs, const ReadingContext& context) {
    Diagnostics ignored;
    ReadingContext quiet{ignored, context.units};
    ParameterSet in_file;
    in_file.read(table, inputs, {}, quiet);
    for (std::size_t i = 0; i < sources_.size(); ++i)
        sources_[i].in_file = in_file.parameters_[i].quality;
}

void ParameterSet::apply(const Overrides& overrides, ReadingContext& context) {
    for (const auto& [name, text] : overrides) {
        const auto found = index_.find(name);
        if (found == index_.end()) {
            context.diagnostics.error(
                {}, "--set " + name + ": the model has no parameter '" + name + "'" +
                        (index_.empty() ? "; give the path of a value, such as body.crank.mass"
                                        : context.suggest(name, index_)));
            continue;
        }
        Source& source = sources_[static_cast<std::size_t>(found->second)];
        source.value = Node{};
        source.value.kind = Node::Kind::text;
        source.value.text = text;
        source.what = "--set " + name;
    }
}

void ParameterSet::find_uses(ReadingContext& context) {
    for (Source& source : sources_) {
        if (source.failed) continue;
        const UseFinder finder(*this);
        source.failed = !read_expression(source.value, source.what, finder, context);
        source.uses = std::move(finder.uses);
    }
}

// Depth first with a stack of its own: a chain of parameters may be long.
void ParameterSet::sort(ReadingContext& context) {
    enum class Mark : char { fresh, open, done };
    std::vector<Mark> marks(sources_.size(), Mark::fresh);
    std::vector<std::size_t> next(sources_.size(), 0);
    std::vector<int> path;
    for (std::size_t start = 0; start < sources_.size(); ++start) {
        if (marks[start] == Mark::fresh) path.push_back(static_cast<int>(start));
        while (!path.empty()) {
            const auto i = static_cast<std::size_t>(path.back());
            marks[i] = Mark::open;
            if (next[i] == sources_[i].uses.size()) {
                marks[i] = Mark::done;
                order_.push_back(path.back());
                path.pop_back();
                continue;
            }
            const int used = sources_[i].uses[next[i]++];
            const Mark mark = marks[static_cast<std::size_t>(used)];
            if (mark == Mark::open) report_cycle(path, used, context);
            if (mark == Mark::fresh) path.push_back(used);
        }
    }
}

void ParameterSet::report_cycle(const std::vector<int>& path, int start, ReadingContext& context) {
    const auto first = std::find(path.begin(), path.end(), start);
    const bool is_known = std::any_of(
        first, path.end(), [this](int i) { return sources_[static_cast<std::size_t>(i)].failed; });
    std::string names;
    for (auto i = first; i != path.end(); ++i) {
        names += parameters_[static_cast<std::size_t>(*i)].name + " -> ";
        sources_[static_cast<std::size_t>(*i)].failed = true;
    }
    const Parameter& parameter = parameters_[static_cast<std::size_t>(start)];
    if (!is_known)
        context.diagnostics.error(parameter.span,
                                  (path.end() - first == 1 ? "a parameter depends on itself: "
                                                           : "parameters depend on each other: ") +
                                      names + parameter.name);
}

void ParameterSet::evaluate(int index, ReadingContext& context) {
    const auto i = static_cast<std::size_t>(index);
    Source& source = sources_[i];
    if (source.failed) return;
    for (const int used : source.uses)
        if (sources_[static_cast<std::size_t>(used)].failed) source.failed = true;
    if (source.failed) return;
    auto expression = read_expression(source.value, source.what, *this, context);
    // A number alone in place of a quantity has the unit of such a quantity.
    if (expression && expression->quality().is_bare() && source.in_file.is_known())
        expression =
            read_quantity(source.value, source.what, source.in_file.dimension, *this, context);
    source.failed = !expression;
    if (source.failed) return;
    const double value = expression->evaluate_with<double>(
        [this](int slot) { return parameters_[static_cast<std::size_t>(slot - 1)].value; });
    source.failed = !check_finite(value, source.value, source.what, context);
    if (source.failed) return;
    expressions_[i] = *expression;
    parameters_[i].quality = expression->quality();
    parameters_[i].value = value;
    parameters_[i].written_unit = unit_of_number(source.value);
}

void ParameterSet::read_limits(int index, ReadingContext& context) {
    const Source& source = sources_[static_cast<std::size_t>(index)];
    Parameter& parameter = parameters_[static_cast<std::size_t>(index)];
    if (!source.table || source.failed) return;
    const std::size_t errors = context.diagnostics.all().size();
    const auto limit = [&](const char* key, std::optional<double>& value) {
        const Node* node = source.table->find(key);
        if (!node) return;
        const std::string what = "parameter '" + parameter.name + "', " + key;
        const auto expression =
            read_quantity(*node, what, parameter.quality.dimension, *this, context);
        if (!expression) return;
        value = expression->evaluate_with<double>(
            [this](int slot) { return parameters_[static_cast<std::size_t>(slot - 1)].value; });
        check_finite(*value, *node, what, context);
    };
    limit("min", parameter.min);
    limit("max", parameter.max);
    limit("tolerance", parameter.tolerance);
    parameter.distribution = source.distribution;
    if (context.diagnostics.all().size() != errors) return;
    const std::string title = "parameter '" + parameter.name + "'";
    if (parameter.tolerance && *parameter.tolerance < 0)
        context.diagnostics.error(source.table->find("tolerance")->begin,
                                  title + ", tolerance: must not be negative");
    if (parameter.min && parameter.max && *parameter.min > *parameter.max)
        context.diagnostics.error(source.table->find("max")->begin,
                                  title + ", max: must not be less than min");
    else if ((parameter.min && parameter.value < *parameter.min) ||
             (parameter.max && parameter.value > *parameter.max))
        context.diagnostics.warning(source.value.begin,
                                    source.what + ": the value lies outside min and max");
}

template <class T>
std::vector<T> ParameterSet::slots(int differentiated) const {
    std::vector<T> values(parameters_.size() + 1);
    for (const int index : order_) {
        const auto i = static_cast<std::size_t>(index);
        if (sources_[i].failed)
            values[i + 1] = T(1);
        else
            values[i + 1] = expressions_[i].evaluate(std::span<const T>(values));
        if constexpr (!std::is_same_v<T, double>)
            if (index == differentiated) values[i + 1].derivative = 1;
    }
    return values;
}

template std::vector<double> ParameterSet::slots(int) const;
template std::vector<Dual> ParameterSet::slots(int) const;

std::optional<Symbol> ParameterSet::symbol(std::string_view name, bool is_input) const {
    const auto found = index_.find(name);
    if (found == index_.end()) return std::nullopt;
    const Parameter& parameter = parameters_[static_cast<std::size_t>(found->second)];
    if (parameter.is_input != is_input) return std::nullopt;
    return Symbol{found->second + 1, parameter.quality};
}

std::optional<Symbol> ParameterSet::find(std::string_view name) const {
    return symbol(name, false);
}

std::optional<Symbol> ParameterSet::find_input(std::string_view name) const {
    return symbol(name, true);
}

std::string_view ParameterSet::kind_of(std::string_view name) const {
    return find(name) ? "parameter" : find_input(name) ? "input" : "";
}

std::vector<std::string> ParameterSet::names() const {
    std::vector<std::string> names;
    if (suggestions_left_-- <= 0) return names;
    for (const Parameter& parameter : parameters_)
        if (!parameter.is_input) names.push_back(parameter.name);
    return names;
}

std::vector<std::string> ParameterSet::input_names() const {
    std::vector<std::string> names;
    for (const Parameter& parameter : parameters_)
        if (parameter.is_input) names.push_back(parameter.name);
    return names;
}

std::string ParameterSet::reason_against(std::string_view name) const {
    if (find_input(name))
        return "the input '" + std::string(name) + "' can be used only in forces and states";
    return name == "t" ? "the time t can be used only in drivers, forces and measures" : "";
}

}  // namespace pawl
