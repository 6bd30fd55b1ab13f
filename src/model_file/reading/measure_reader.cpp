// Reading of measures into channels, and the symbols of their expressions.
#include <algorithm>

#include "model_file/reading/model_reader.h"

namespace pawl {

namespace {

// The time, the parameters, and the channels of the measures above with their rates.
class MeasureSymbols : public TimeSymbols {
public:
    MeasureSymbols(const ParameterSet& parameters, const NameIndex& channels, const Node& measures,
                   std::string_view self)
        : TimeSymbols(parameters), channels_(channels), measures_(measures), self_(self) {}

    [[nodiscard]] std::optional<Symbol> find(std::string_view name) const override {
        const auto found = channels_.find(name);
        if (found != channels_.end()) return Symbol{found->second, Quality::unknown()};
        if (name.ends_with(rate_suffix)) {
            const auto of = channels_.find(name.substr(0, name.size() - rate_suffix.size()));
            if (of != channels_.end()) return Symbol{of->second + rate_slots, Quality::unknown()};
        }
        return TimeSymbols::find(name);
    }
    [[nodiscard]] std::vector<std::string> names() const override {
        std::vector<std::string> names = TimeSymbols::names();
        for (const auto& channel : channels_) {
            names.push_back(channel.first);
            names.push_back(channel.first + std::string(rate_suffix));
        }
        return names;
    }
    [[nodiscard]] std::string reason_against(std::string_view name) const override {
        if (find(name)) return "";
        if (parameters_.find_input(name)) return TimeSymbols::reason_against(name);
        const std::string measure(name.substr(0, name.find('.')));
        if (measure == self_) return "measure '" + measure + "' cannot use itself";
        if (channels_.contains(measure + ".x"))
            return "measure '" + measure + "' is a point; use " + measure + ".x or " + measure +
                   ".y";
        if (measures_.find(measure) && !channels_.contains(measure))
            return "measure '" + measure +
                   "' stands further down; an expression can use only the measures above it";
        return "";
    }

private:
    const NameIndex& channels_;
    const Node& measures_;
    std::string_view self_;
};

// The same names, but the time and the measures with their dimensions, as far as these are known.
class DimensionSymbols : public Symbols {
public:
    DimensionSymbols(const Symbols& symbols, const std::vector<Quality>& measures, int first_slot)
        : symbols_(symbols), measures_(measures), first_slot_(first_slot) {}

    [[nodiscard]] std::optional<Symbol> find(std::string_view name) const override {
        auto symbol = symbols_.find(name);
        if (!symbol) return symbol;
        if (name == "t") symbol->quality = Quality::known(dimension::time);
        if (symbol->slot >= first_slot_ + rate_slots) {
            symbol->quality = measures_[symbol->slot - first_slot_ - rate_slots];
            if (!symbol->quality.is_unknown())
                symbol->quality = Quality::known(symbol->quality.dimension / dimension::time);
        } else if (symbol->slot >= first_slot_) {
            symbol->quality = measures_[symbol->slot - first_slot_];
        }
        return symbol;
    }
    [[nodiscard]] std::vector<std::string> names() const override { return symbols_.names(); }

private:
    const Symbols& symbols_;
    const std::vector<Quality>& measures_;
    int first_slot_;
};

}  // namespace

template <class S>
void ModelReader<S>::read_measure(const Node& node, const std::string& title) {
    FieldReader<S> reader(node, title, context_);
    if (is_reserved_in_model(node.key))
        reader.error(node.key_span,
                     title + ": the name is reserved: expressions use it for something else");
    MeasureColumn column;
    column.fields(reader);
    auto kind = reader.template kind_of<MeasureElement<S>>();
    if (!kind) {  // whatever uses it is not to blame
        for (const char* suffix : {"", ".x", ".y"}) channels_.emplace(node.key + suffix, 0);
        return;
    }
    Measure<S> measure;
    measure.name = node.key;
    measure.span = node.begin;
    measure.unit = column.unit.value_or("");
    std::visit(
        [&](auto& element) {
            element.fields(reader);
            reader.finish();
            fill(reader, element, std::move(measure));
        },
        *kind);
}

template <class S>
void ModelReader<S>::fill(FieldReader<S>& reader, const PointMeasure<S>& element,
                          Measure<S> measure) {
    const std::string name = measure.name;
    if (context_.bodies.contains(name))
        reader.error(measure.span, reader.title() + ": the columns '" + name + ".x' and '" + name +
                                       ".y' would be those of the body; choose another name");
    Coordinate<S> coordinate;
    coordinate.frames[1] = element.point.value_or(Attachment<S>{});
    for (const Component component : {Component::x, Component::y}) {
        coordinate.component = component;
        measure.name = name + "." + std::string(component_name(component));
        measure.kind = CoordinateMeasure<S>{coordinate};
        add_channel(reader, measure, Quality::known(dimension::length));
    }
}

template <class S>
void ModelReader<S>::fill(FieldReader<S>& reader, const AngleMeasure<S>& element,
                          Measure<S> measure) {
    Coordinate<S> coordinate;
    coordinate.frames[0].body = element.a.value_or(0);
    coordinate.frames[1].body = element.b.value_or(0);
    measure.kind = CoordinateMeasure<S>{coordinate};
    add_channel(reader, std::move(measure), Quality::known(dimension::angle));
}

template <class S>
void ModelReader<S>::fill(FieldReader<S>& reader, const DistanceOfPoints<S>& element,
                          Measure<S> measure) {
    measure.kind = DistanceMeasure<S>{
        {element.a.value_or(Attachment<S>{}), element.b.value_or(Attachment<S>{})}};
    add_channel(reader, std::move(measure), Quality::known(dimension::length));
}

template <class S>
void ModelReader<S>::fill(FieldReader<S>& reader, const JointMeasure<S>& element,
                          Measure<S> measure) {
    Coordinate<S> coordinate;
    if (element.joint && !reader.failed())
        coordinate = reader.find_coordinate(*element.joint, element.of).value_or(coordinate);
    measure.kind = CoordinateMeasure<S>{coordinate};
    add_channel(reader, std::move(measure), Quality::known(coordinate.dimension()));
}

template <class S>
void ModelReader<S>::fill(FieldReader<S>& reader, const FormulaMeasure<S>& element,
                          Measure<S> measure) {
    ExpressionMeasure<S> formula;
    Quality quality = Quality::bare();
    if (!measure.unit.empty()) quality = Quality::known(parse_unit(measure.unit)->dimension);
    const MeasureSymbols symbols(context_.parameters, channels_, *root_.find("measure"),
                                 measure.name);
    const std::string what = reader.what("value");
    auto expression = element.value ? read_expression(*element.value, what, symbols, context_)
                                    : std::optional<Expression>();
    if (expression && measure.unit.empty()) {
        quality = expression->quality();
        if (quality.is_unknown()) {
            // Dimensions are followed only to name the unit of the column; where they contradict
            // each other they stay unknown, which is no error.
            ExpressionError ignored;
            const DimensionSymbols dimensions(symbols, qualities_, first_channel());
            if (const auto followed =
                    Expression::parse(expression->text(), dimensions, context_.units, ignored))
                quality = followed->quality();
        }
    } else if (expression) {
        expression = read_quantity(*element.value, what, quality.dimension, symbols, context_);
    }
    if (expression) {
        formula.value = {*expression, context_.parameter_values()};
        measure.uses_rates = uses_rates(*expression);
    } else {
        reader.fail();
    }
    measure.kind = std::move(formula);
    add_channel(reader, std::move(measure), quality);
}

template <class S>
bool ModelReader<S>::uses_rates(const Expression& expression) const {
    const auto& slots = expression.slots_used();
    return std::any_of(slots.begin(), slots.end(), [this](int slot) {
        if (slot >= rate_slots) return true;
        const int measure = slot - first_channel();
        return measure >= 0 && mechanism_.measures[static_cast<std::size_t>(measure)].uses_rates;
    });
}

template <class S>
void ModelReader<S>::add_channel(FieldReader<S>& reader, Measure<S> measure,
                                 const Quality& quality) {
    const Dimension& dimension = quality.dimension;
    if (const std::string kind(context_.parameters.kind_of(measure.name)); !kind.empty())
        reader.error(measure.span, reader.title() + ": there is " +
                                       (kind == "input" ? "an " : "a ") + kind +
                                       " of this name, so expressions could not distinguish them");
    if (measure.unit.empty()) {
        measure.unit = si_unit(dimension);
    } else {
        const Unit unit = *parse_unit(measure.unit);
        measure.unit_factor = unit.factor;
        reader.require(compatible(unit.dimension, dimension), "unit",
                       "expected a unit of " + describe(dimension) + ", but '" + measure.unit +
                           "' is a unit of " + describe(unit.dimension));
    }
    channels_.emplace(measure.name, first_channel() + static_cast<int>(mechanism_.measures.size()));
    qualities_.push_back(quality);
    if (measure.uses_rates) without_rate_.insert(measure.name);
    mechanism_.measures.push_back(std::move(measure));
}

template void ModelReader<PlanarSpace>::read_measure(const Node&, const std::string&);

}  // namespace pawl
