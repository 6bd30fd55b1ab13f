// The steps of reading a model file.
#include "model_file/reading/model_file.h"

#include <algorithm>

#include "mechanism/force_expressions.h"
#include "model_file/reading/design_reader.h"
#include "model_file/reading/elements.h"
#include "model_file/reading/model_reader.h"
#include "model_file/text/document.h"
#include "model_file/text/model_text.h"

namespace pawl {

namespace {

void read_root(const Node& root, ReadingContext& context, std::string& name) {
    TableReader reader(root, "", context);
    RootElement element;
    element.fields(reader);
    for (const std::string_view table : RootElement::tables) reader.take(table, false);
    reader.finish();
    name = element.name;
    if (!element.format) return;
    if (element.format->kind != Node::Kind::integer || element.format->number != 1)
        reader.error(element.format->begin, "format: this program reads format 1 only");
}

void read_units(const Node& root, ReadingContext& context) {
    const Node* node = root.find("units");
    if (!node) return;
    if (node->kind != Node::Kind::table)
        return context.diagnostics.error(
            node->begin, "units: expected a table [units], not " + std::string(node->kind_name()));
    TableReader reader(*node, "units", context);
    UnitsElement element;
    element.fields(reader);
    reader.finish();
    context.units.length = element.length.value_or(1);
    context.units.angle = element.angle.value_or(1);
    context.units.mass = element.mass.value_or(1);
    context.units.time = element.time.value_or(1);
    context.units.force = element.force;
}

}  // namespace

std::optional<ModelData> read_model(std::string_view text, std::string file_name,
                                    const Overrides& overrides, Diagnostics& diagnostics) {
    diagnostics.file = file_name;
    auto root = parse_document(text, diagnostics);
    if (!root) return std::nullopt;
    ModelData model;
    model.file = std::move(file_name);
    model.text = text;
    model.document = std::make_shared<const Node>(std::move(*root));
    return read_model(model, overrides, diagnostics);
}

std::optional<ModelData> read_model(const ModelData& source, const Overrides& overrides,
                                    Diagnostics& diagnostics) {
    diagnostics.file = source.file;
    ModelData model;
    model.file = source.file;
    model.text = source.text;
    model.document = source.document;
    model.overrides = overrides;
    Overrides of_parameters;
    Node changed;  // with the values of paths
    const Node* root = source.document.get();
    for (const auto& [name, value] : overrides)
        if (name.find('.') == std::string::npos) {
            of_parameters.emplace_back(name, value);
        } else {
            if (root != &changed) changed = *root;
            root = &changed;
            set_value(changed, name, value, diagnostics);
        }
    if (diagnostics.has_errors()) return std::nullopt;
    ReadingContext context{diagnostics};
    context.tables.assign(RootElement::tables.begin(), RootElement::tables.end());
    read_root(*root, context, model.mechanism.name);
    read_units(*root, context);
    ParameterSet parameters;
    parameters.read(root->find("parameters"), root->find("inputs"), of_parameters, context);
    model.parameters = parameters.all();
    context.uses = &model.uses;
    ModelReader<PlanarSpace> reader(*root, parameters, context, parameters.slots<double>(),
                                    model.mechanism);
    reader.read(model.run, model.sweep);
    model.responses = reader.take_responses();
    model.design = read_design(*root, {parameters, model.responses, model.mechanism}, context);
    std::erase_if(model.uses, [&](const ParameterUse& use) {
        return static_cast<std::size_t>(use.slot) > model.parameters.size();  // of a measure
    });
    if (diagnostics.has_errors()) return std::nullopt;
    model.computed = source.computed;
    put_computed(model);
    return model;
}

namespace {

std::optional<ComputedInput::Argument> argument_of(const PlanarMechanism& mechanism,
                                                   std::string_view name) {
    using Of = ComputedInput::Argument::Of;
    if (name == "t") return ComputedInput::Argument{};
    constexpr std::string_view rate = ".rate";
    for (std::size_t i = 0; i < mechanism.measures.size(); ++i) {
        const std::string_view measure = mechanism.measures[i].name;
        if (name == measure) return ComputedInput::Argument{Of::measure, i};
        if (name.ends_with(rate) && name.substr(0, name.size() - rate.size()) == measure)
            return ComputedInput::Argument{Of::rate, i};
    }
    for (std::size_t i = 0; i < mechanism.states.size(); ++i)
        if (name == mechanism.states[i].name) return ComputedInput::Argument{Of::state, i};
    return std::nullopt;
}

}  // namespace

std::optional<ComputedInput> computed_input(const ModelData& model, std::string_view input,
                                            const std::vector<std::string>& arguments,
                                            Diagnostics& diagnostics) {
    const auto found =
        std::find_if(model.parameters.begin(), model.parameters.end(),
                     [&](const Parameter& p) { return p.is_input && p.name == input; });
    if (found == model.parameters.end()) {
        std::vector<std::string> names;
        for (const Parameter& p : model.parameters)
            if (p.is_input) names.push_back(p.name);
        diagnostics.error({}, "the model has no input '" + std::string(input) +
                                  "' in its table [inputs]" + did_you_mean(input, names));
        return std::nullopt;
    }
    ComputedInput out;
    out.parameter = static_cast<std::size_t>(found - model.parameters.begin());
    std::vector<std::string> known{"t"};
    for (const auto& measure : model.mechanism.measures) {
        known.push_back(measure.name);
        known.push_back(measure.name + ".rate");
    }
    for (const auto& state : model.mechanism.states) known.push_back(state.name);
    for (const std::string& name : arguments)
        if (const auto argument = argument_of(model.mechanism, name))
            out.arguments.push_back(*argument);
        else
            diagnostics.error(found->span, "input '" + found->name + "': its function asks for '" +
                                               name +
                                               "', which is neither t nor a measure, its rate "
                                               "(NAME.rate) or a state of the model" +
                                               did_you_mean(name, known));
    if (arguments.size() > max_arguments)
        diagnostics.error(found->span, "input '" + found->name + "': its function has more than " +
                                           std::to_string(max_arguments) + " arguments");
    if (diagnostics.has_errors()) return std::nullopt;
    return out;
}

void put_computed(ModelData& model) {
    const auto put = [&](ForceExpression& e) { e.computed = model.computed; };
    for (auto& force : model.mechanism.forces) change_expressions(force, put);
    for (auto& state : model.mechanism.states) put(state.rate);
    for (auto& event : model.mechanism.events) put(event.when);
    for (auto& coupling : model.mechanism.couplings) put(coupling.engaged);
}

std::optional<ModelData> read_model_file(const std::filesystem::path& path,
                                         const Overrides& overrides, Diagnostics& diagnostics) {
    diagnostics.file = path.string();
    const auto text = read_text_file(path, diagnostics);
    if (!text) return std::nullopt;
    return read_model(*text, path.string(), overrides, diagnostics);
}

void require_masses(const PlanarMechanism& mechanism, Diagnostics& diagnostics) {
    for (const auto& body : mechanism.bodies)
        if (&body != &mechanism.bodies.front() && !body.mass)
            diagnostics.error(body.span, "body '" + body.name +
                                             "' has no mass; dynamics needs it (mass = ..., or "
                                             "mass = 0 for a massless part that joints constrain)");
}

}  // namespace pawl
