// Reading of bodies and the run, and the order of the tables.
#include "model_file/reading/model_reader.h"

#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "math/tolerances/outside.h"

namespace pawl {

namespace {

constexpr double max_samples = 1e7;  // some gigabytes of output for a small mechanism

// A bare number that is more than a turn in radians, but no unusual angle in degrees.
void warn_of_radians(const Node& body, const std::string& title, ReadingContext& context) {
    const Node* angle = body.find("angle");
    if (angle == nullptr || context.units.factor(dimension::angle) != 1 ||
        (angle->kind != Node::Kind::integer && angle->kind != Node::Kind::real) ||
        !(std::abs(angle->number) > 2 * std::numbers::pi && std::abs(angle->number) <= 360))
        return;
    context.diagnostics.warning(
        angle->begin,
        fmt::format("{}, angle: without a unit this is {:.6g} rad, or {:.5g} deg; if degrees are "
                    "meant, write \"{:.6g} deg\", or angle = \"deg\" in [units]",
                    title, angle->number, angle->number * 180 / std::numbers::pi, angle->number));
}

}  // namespace

template <class S>
void ModelReader<S>::read(RunSettings& run, std::optional<SweepSettings>& sweep) {
    add_body("ground", {});
    each("body", [this](const Node& node, const std::string& title) {
        node.key == "ground" ? read_ground(node) : read_body(node, title);
    });
    each("joint", [this](const Node& node, const std::string& title) { read_joint(node, title); });
    check_positions();
    each("profile",
         [this](const Node& node, const std::string& title) { read_profile(node, title); });
    give_masses();
    each("contact",
         [this](const Node& node, const std::string& title) { read_contact(node, title); });
    each("driver",
         [this](const Node& node, const std::string& title) { read_driver(node, title); });
    each("measure",
         [this](const Node& node, const std::string& title) { read_measure(node, title); });
    read_states();
    each("force", [this](const Node& node, const std::string& title) { read_force(node, title); });
    each("coupling",
         [this](const Node& node, const std::string& title) { read_coupling(node, title); });
    each("event", [this](const Node& node, const std::string& title) { read_event(node, title); });
    each("response",
         [this](const Node& node, const std::string& title) { read_response(node, title); });
    read_sweep(sweep);
    read_run(run);
}

template <class S>
void ModelReader<S>::add_body(std::string name, Span span) {
    context_.bodies.emplace(name, static_cast<int>(mechanism_.bodies.size()));
    context_.points.emplace_back();
    auto& body = mechanism_.bodies.emplace_back();
    body.name = std::move(name);
    body.span = span;
}

template <class S>
void ModelReader<S>::read_ground(const Node& node) {
    FieldReader<S> reader(node, "ground", context_);
    for (const char* key : {"position", "angle", "velocity", "omega", "mass", "inertia", "centre"})
        if (const Node* value = reader.take(key, false))
            reader.error(value->key_span,
                         std::string("ground is fixed and cannot have '") + key + "'");
    GroundElement<S> element;
    element.fields(reader);
    reader.finish();
    mechanism_.bodies[0].span = node.begin;
    add_points(0, "ground", std::move(element.points), std::move(element.ground_points));
}

template <class S>
void ModelReader<S>::read_body(const Node& node, const std::string& title) {
    FieldReader<S> reader(node, title, context_);
    BodyElement<S> element;
    element.fields(reader);
    reader.require(!element.exact || reader.has("position") || reader.has("angle"), "exact",
                   "needs a position or an angle to keep");
    reader.finish();
    warn_of_radians(node, title, context_);
    add_body(node.key, node.begin);
    auto& body = mechanism_.bodies.back();
    body.exact = element.exact;
    if (reader.has("position")) body.position_span = reader.span_of("position");
    if (reader.has("angle")) body.angle_span = reader.span_of("angle");
    body.guess = {element.position.value_or(typename S::Vector{}), element.angle};
    body.position_given = element.position || !element.ground_points.empty();
    body.velocity = element.velocity;
    body.omega = element.omega;
    body.mass = element.mass;
    body.inertia = element.inertia;
    body.centre = element.centre.value_or(typename S::Vector{});
    if (element.centre) own_centres_.insert(static_cast<int>(mechanism_.bodies.size()) - 1);
    add_points(static_cast<int>(mechanism_.bodies.size()) - 1, title, std::move(element.points),
               std::move(element.ground_points));
}

template <class S>
void ModelReader<S>::add_points(int index, const std::string& title,
                                std::vector<typename Body<S>::Point> points,
                                std::vector<typename Body<S>::Point> ground_points) {
    auto& body = mechanism_.bodies[static_cast<std::size_t>(index)];
    NameIndex& names = context_.points[static_cast<std::size_t>(index)];
    const auto position = S::position_of(body.guess);
    for (auto& point : ground_points) point.at = position.to_local(point.at - position.p);
    body.points = std::move(points);
    body.points.insert(body.points.end(), ground_points.begin(), ground_points.end());
    for (std::size_t i = 0; i < body.points.size(); ++i)
        if (!names.emplace(body.points[i].name, static_cast<int>(i)).second)
            error(body.points[i].span, title + ": the point '" + body.points[i].name +
                                           "' is given in points and in ground_points");
}

template <class S>
void ModelReader<S>::read_run(RunSettings& run) {
    static const Node empty;
    const Node* node = root_.find("run");
    if (node && node->kind != Node::Kind::table)
        return error(node->begin,
                     "run: expected a table [run], not " + std::string(node->kind_name()));
    context_.section = "run";
    FieldReader<S> reader(node ? *node : empty, "run", context_);
    RunElement<T> element;
    element.fields(reader);
    reader.require(value_of(element.end) / value_of(element.step) <= max_samples, "step",
                   "the run would have more than 10 million steps");
    reader.require(
        !element.integrator_step || element.chosen.integrator == Integrator::rk4 ||
            element.chosen.integrator == Integrator::moreau,
        "integrator_step",
        "only integrator = \"rk4\" and \"moreau\" have a fixed step; the others choose theirs by "
        "rtol and atol");
    for (const auto& [key, value] : {std::pair{"rtol", &element.rtol}, {"atol", &element.atol}})
        reader.require(value_of(*value) >= tolerance::least_of_a_step &&
                           value_of(*value) <= tolerance::largest_of_a_step,
                       key, "must be between 1e-14 and 0.1");
    check_independent(reader, element.independent);
    reader.finish();
    run = element.chosen;
    if (node) run.span = node->begin;
    run.end = value_of(element.end);
    run.step = value_of(element.step);
    run.rtol = value_of(element.rtol);
    run.atol = value_of(element.atol);
    if (element.largest_step) run.largest_step = value_of(*element.largest_step);
    if (element.penalty) run.penalty = value_of(*element.penalty);
    if (element.penalty_frequency) run.penalty_frequency = value_of(*element.penalty_frequency);
    if (element.penalty_damping) run.penalty_damping = value_of(*element.penalty_damping);
    if (element.integrator_step) run.integrator_step = value_of(*element.integrator_step);
    mechanism_.independent = element.independent;
}

template <class S>
void ModelReader<S>::check_independent(FieldReader<S>& reader,
                                       const std::vector<std::string>& independent) {
    std::vector<std::string> valid;
    for (const Joint<S>& joint : mechanism_.joints) {
        const auto components = joint.coordinates();
        if (components.size() == 1) valid.push_back(joint.name);
        for (const Component component : components)
            valid.push_back(joint.name + "." + std::string(component_name(component)));
    }
    for (std::size_t i = 0; i < independent.size() && !reader.failed(); ++i)
        if (std::find(valid.begin(), valid.end(), independent[i]) == valid.end())
            reader.error(root_.find("run")->find("independent")->children[i].inside(0),
                         reader.what("independent") + ": there is no joint coordinate '" +
                             independent[i] + "'" + context_.suggest(independent[i], valid));
}

template void ModelReader<PlanarSpace>::read(RunSettings&, std::optional<SweepSettings>&);

}  // namespace pawl
