// Reading of forces and of the user's states, and the symbols of their expressions.
#include <cmath>

#include <fmt/format.h>

#include "math/tolerances/outside.h"
#include "model_file/reading/model_reader.h"

namespace pawl {

namespace {

// 9.81 of the units of the file, where these are not metres and seconds.
template <class S, class Context>
void warn_of_gravity(const Gravity<S>& weight, const Span& span, const std::string& title,
                     Context& context) {
    const double g = std::hypot(weight.x, weight.y),
                 factor = context.units.factor(dimension::acceleration);
    if (std::abs(factor - 1) < tolerance::si_units || !(g > 9.7 * factor && g < 9.9 * factor))
        return;
    context.diagnostics.warning(
        span, fmt::format("{}, acceleration: {:.4g} in the units of this file is {:.4g} m/s^2; "
                          "write \"9.81 m/s^2\" for the weight on earth",
                          title, g / factor, g));
}

// "arm" of "arm.rate"; empty of any other name.
std::string_view measure_of_rate(std::string_view name) {
    return name.ends_with(rate_suffix) ? name.substr(0, name.size() - rate_suffix.size())
                                       : std::string_view();
}

}  // namespace

std::optional<Symbol> ForceSymbols::find(std::string_view name) const {
    const int first_channel = 1 + static_cast<int>(parameters_.all().size());
    const int first_state = first_channel + 2 * channel_count_;
    const auto channel_slot = [this](std::string_view channel) -> std::optional<int> {
        const auto found = channels_.find(channel);
        return found == channels_.end() ? std::nullopt : std::optional(found->second);
    };
    if (const auto slot = channel_slot(name)) return Symbol{*slot, Quality::unknown()};
    if (const auto measure = measure_of_rate(name); !without_rate_.contains(measure))
        if (const auto slot = channel_slot(measure))
            return Symbol{*slot + channel_count_, Quality::unknown()};
    if (const auto state = states_.find(name); state != states_.end())
        return Symbol{first_state + state->second, Quality::unknown()};
    if (has_coordinate && (name == "s" || name == "v"))
        return Symbol{first_state + state_count() + (name == "v" ? 1 : 0), Quality::unknown()};
    if (const auto input = parameters_.find_input(name)) return input;
    return TimeSymbols::find(name);
}

std::vector<std::string> ForceSymbols::names() const {
    std::vector<std::string> names = TimeSymbols::names();
    names.emplace_back("t");
    for (std::string& input : parameters_.input_names()) names.push_back(std::move(input));
    for (const auto& channel : channels_) {
        names.push_back(channel.first);
        if (!without_rate_.contains(channel.first))
            names.push_back(channel.first + std::string(rate_suffix));
    }
    for (const auto& state : states_) names.push_back(state.first);
    if (has_coordinate) names.insert(names.end(), {"s", "v"});
    return names;
}

std::string ForceSymbols::reason_against(std::string_view name) const {
    if (find(name)) return "";
    if (name == "s" || name == "v")
        return "s and v exist only for a spring or a joint coordinate; this element has neither";
    if (const auto of = measure_of_rate(name); without_rate_.contains(of))
        return "measure '" + std::string(of) +
               "' uses rates, so its own rate is an acceleration; forces, states and conditions " +
               "can use positions and velocities only";
    const bool is_rate = name.ends_with(rate_suffix);
    const std::string measure(name.substr(0, name.find('.')));
    const std::string kind(states_.contains(measure) ? "state" : parameters_.kind_of(measure));
    if (is_rate && !kind.empty())
        return "only measures have a rate; '" + measure + "' is " +
               (kind == "input" ? "an " : "a ") + kind;
    const std::string suffix(is_rate ? rate_suffix : "");
    if (channels_.contains(measure + ".x") && name.size() == measure.size() + suffix.size())
        return "measure '" + measure + "' is a point; use " + measure + ".x" + suffix + " or " +
               measure + ".y" + suffix;
    return "";
}

template <class S>
void ModelReader<S>::read_force(const Node& node, const std::string& title) {
    ForceFieldReader<S> reader(node, title, context_, force_symbols());
    auto kind = reader.template kind_of<ForceKind<S>>();
    if (!kind) return;
    Force<S> force;
    force.name = node.key;
    force.span = node.begin;
    force.kind = std::move(*kind);
    std::visit([&](auto& k) { k.fields(reader); }, force.kind);
    reader.finish();
    for (std::size_t k = 0; k < 2; ++k) force.frames[k] = reader.frames[k];
    force.component = reader.component;
    if (!reader.failed()) check_target(reader, force);
    if (const auto* weight = std::get_if<Gravity<S>>(&force.kind); weight && !reader.failed())
        warn_of_gravity(*weight,
                        reader.has("acceleration") ? reader.span_of("acceleration") : force.span,
                        title, context_);
    mechanism_.forces.push_back(std::move(force));
}

// A force must be able to do work.
template <class S>
void ModelReader<S>::check_target(ForceFieldReader<S>& reader, const Force<S>& force) {
    if (reader.found[0] && force.frames[0].body == force.frames[1].body)
        reader.error(reader.span_of("b"),
                     reader.title() + ": both ends are on the body '" +
                         mechanism_.bodies[static_cast<std::size_t>(force.frames[1].body)].name +
                         "'");
    else if (reader.found[1] && !reader.found[0] && force.frames[1].body == 0)
        reader.error(reader.span_of(reader.has("point") ? "point" : "body"),
                     reader.title() + ": acts on ground, which cannot move");
}

// All names first: a rate may use any state.
template <class S>
void ModelReader<S>::read_states() {
    each("state", [this](const Node& node, const std::string& title) {
        if (is_reserved_in_model(node.key))
            error(node.key_span,
                  title + ": the name is reserved: expressions use it for something else");
        const std::string kind(
            channels_.contains(node.key) ? "measure" : context_.parameters.kind_of(node.key));
        if (!kind.empty())
            error(node.key_span, title + ": there is " + (kind == "input" ? "an " : "a ") + kind +
                                     " of this name, so expressions could not distinguish them");
        states_.emplace(node.key, static_cast<int>(mechanism_.states.size()));
        UserState& state = mechanism_.states.emplace_back();
        state.name = node.key;
        state.span = node.begin;
    });
    for (UserState& state : mechanism_.states) {
        ForceFieldReader<S> reader(*root_.find("state")->find(state.name),
                                   "state '" + state.name + "'", context_, force_symbols());
        StateElement<T> element;
        element.fields(reader);
        reader.finish();
        state.start = value_of(element.start);
        state.rate = std::move(element.rate);
    }
}

template <class S>
void ModelReader<S>::read_event(const Node& node, const std::string& title) {
    ForceFieldReader<S> reader(node, title, context_, force_symbols());
    EventElement element;
    element.fields(reader);
    reader.finish();
    mechanism_.events.push_back({node.key, node.begin, std::move(element.when), element.stop});
}

template void ModelReader<PlanarSpace>::read_force(const Node&, const std::string&);
template void ModelReader<PlanarSpace>::read_states();
template void ModelReader<PlanarSpace>::read_event(const Node&, const std::string&);

}  // namespace pawl
