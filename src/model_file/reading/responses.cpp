// Reading of responses, and their names checked.
#include "model_file/reading/responses.h"

#include <algorithm>
#include <cmath>

#include "model_file/reading/model_reader.h"

namespace pawl {

namespace {

template <class Elements>
void add_names(const Elements& elements, std::vector<std::string>& out) {
    for (const auto& element : elements)
        out.push_back(element.name.substr(0, element.name.find('.')));
}

// What columns can begin with.
std::vector<std::string> owners(const PlanarMechanism& mechanism) {
    std::vector<std::string> out{"t", "energy", "force"};
    const auto add = [&](const auto& elements) { add_names(elements, out); };
    add(mechanism.bodies);
    add(mechanism.joints);
    add(mechanism.contacts);
    add(mechanism.drivers);
    add(mechanism.measures);
    add(mechanism.states);
    return out;
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// What an event of a kind can be of; nothing where that may be anything.
std::optional<std::vector<std::string>> elements_of(EventKind kind,
                                                    const PlanarMechanism& mechanism) {
    std::vector<std::string> out;
    switch (kind) {
        case EventKind::engage:
        case EventKind::disengage:
            for (const auto& coupling : mechanism.couplings) out.push_back(coupling.joint.name);
            return out;
        case EventKind::impulse:
            add_names(mechanism.forces, out);
            return out;
        case EventKind::stick:
        case EventKind::slip:
        case EventKind::slip_reversal:
            add_names(mechanism.joints, out);
            add_names(mechanism.forces, out);
            for (const auto& coupling : mechanism.couplings) out.push_back(coupling.joint.name);
            [[fallthrough]];
        case EventKind::impact:
        case EventKind::contact_formed:
        case EventKind::contact_lost:
        case EventKind::transition:
        case EventKind::contact_impossible:
        case EventKind::painleve:
            add_names(mechanism.contacts, out);
            return out;
        default:
            return std::nullopt;
    }
}

bool is_unknown_element(const EventPattern& event, const PlanarMechanism& mechanism,
                        ResponseProblem& problem, std::string_view text) {
    const auto valid = elements_of(event.kind, mechanism);
    const std::string owner = event.element.substr(0, event.element.find_first_of(".#"));
    if (owner.empty() || !valid || contains(*valid, owner)) return false;
    const std::string kind(event_name(event.kind));
    problem = {text.find(event.element, text.find(kind)), "nothing called '" + owner +
                                                              "' can have the event '" + kind +
                                                              "'" + did_you_mean(owner, *valid)};
    return true;
}

}  // namespace

std::optional<Response> read_response(std::string_view text, const PlanarMechanism& mechanism,
                                      ResponseProblem& problem) {
    auto response = read_response(text, problem);
    if (!response) return std::nullopt;
    using Of = Response::Of;
    if (response->of != Of::event_number && response->of != Of::event_count) {
        const auto names = owners(mechanism);
        const std::string owner = response->column.substr(0, response->column.find_first_of(".#"));
        if (!contains(names, owner)) {
            problem = {text.find(owner), "no element with columns is called '" + owner + "'" +
                                             did_you_mean(owner, names)};
            return std::nullopt;
        }
    }
    std::vector<std::string> events;
    for (const UserEvent& event : mechanism.events) events.push_back(event.name);
    for (const Instant& instant : {response->from, response->to}) {
        const EventPattern& event = instant.event;
        if (instant.kind == Instant::Kind::event &&
            is_unknown_element(event, mechanism, problem, text))
            return std::nullopt;
        if (instant.kind != Instant::Kind::event || event.kind != EventKind::user ||
            event.element.empty() || contains(events, event.element))
            continue;
        problem = {text.find(event.element, text.find('@')),
                   "no kind of event and no event of the model is called '" + event.element + "'" +
                       did_you_mean(event.element, events)};
        return std::nullopt;
    }
    return response;
}

template <class S>
void ModelReader<S>::read_response(const Node& node, const std::string& title) {
    FieldReader<S> reader(node, title, context_);
    ResponseElement element;
    element.fields(reader);
    reader.finish();
    if (element.value == nullptr) return;
    if (element.value->kind != Node::Kind::text)
        return reader.error(element.value->begin,
                            reader.what("value") +
                                ": expected a string such as \"max:bolt.x\", not " +
                                std::string(element.value->kind_name()));
    ResponseProblem problem;
    auto response = pawl::read_response(element.value->text, mechanism_, problem);
    if (!response)
        return reader.error(element.value->inside(problem.offset),
                            reader.what("value") + ": " + problem.message);
    response->name = node.key;
    response->unit = element.unit.value_or("");
    response->span = element.value->begin;
    read_limits(reader, element, *response);
    responses_.push_back(std::move(*response));
}

// A limit with a unit gives its unit to a response that has none.
template <class S>
void ModelReader<S>::read_limits(FieldReader<S>& reader, const ResponseElement& element,
                                 Response& response) {
    const auto limit = [&](const Node* node, const char* key, std::optional<double>& value) {
        if (node == nullptr) return;
        const auto written =
            read_expression(*node, reader.what(key), context_.parameters, context_);
        if (!written) return reader.fail();
        const double number = value_of(
            written->template evaluate_with<T>([&](int slot) { return context_.slots[slot]; }));
        if (!check_finite(number, *node, reader.what(key), context_)) return reader.fail();
        const Quality quality = written->quality();
        if (!quality.is_known()) {
            value = number;
            return;
        }
        if (response.unit.empty()) response.unit = si_unit(quality.dimension);
        const Unit unit = *parse_unit(response.unit);
        reader.require(compatible(unit.dimension, quality.dimension), key,
                       "expected " + describe(unit.dimension) + ", as the unit of the response");
        value = number / unit.factor;
    };
    limit(element.min, "min", response.min);
    limit(element.max, "max", response.max);
    reader.require(!response.min || !response.max || *response.min <= *response.max, "max",
                   "must not be less than min");
}

template <class S>
void ModelReader<S>::read_sweep(std::optional<SweepSettings>& sweep) {
    const Node* node = root_.find("sweep");
    if (node == nullptr) return;
    if (node->kind != Node::Kind::table)
        return error(node->begin,
                     "sweep: expected a table [sweep], not " + std::string(node->kind_name()));
    context_.section = "sweep";
    FieldReader<S> reader(*node, "sweep", context_);
    SweepElement<T> element;
    element.fields(reader);
    reader.finish();
    sweep = element.chosen;
    sweep->span = node->begin;
    sweep->runs = std::lround(value_of(element.runs));
    sweep->seed = static_cast<std::uint64_t>(std::llround(value_of(element.seed)));
}

template void ModelReader<PlanarSpace>::read_response(const Node&, const std::string&);
template void ModelReader<PlanarSpace>::read_sweep(std::optional<SweepSettings>&);

}  // namespace pawl
