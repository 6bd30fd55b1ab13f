#include "simulation/placement/start_values.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include "coordinates/measures.h"
#include "math/tolerances/motion.h"
#include "results/text.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Mechanics = MechanismEquations<Space>;

// Values written with nine digits count as kept.
constexpr double kept = tolerance::kept_start;

Coordinate<Space> ground_coordinate(int body, Component component) {
    Coordinate<Space> c;
    c.frames[1].body = body;
    c.component = component;
    return c;
}

double component_of(Space::Vector at, double angle, Component c) {
    return c == Component::x ? at.x : c == Component::y ? at.y : angle;
}

// The values that the file gives, in its order.
std::vector<MovedValue> given_values(const PlanarMechanism& mechanism) {
    std::vector<MovedValue> given;
    for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) {
        const auto& body = mechanism.bodies[b];
        const auto add = [&](Component c, Span span) {
            const double value = component_of(body.guess.at, body.guess.angle, c);
            given.push_back({static_cast<int>(b), c, span, value, value});
        };
        if (body.position_span.line > 0)
            for (const Component c : {Component::x, Component::y}) add(c, body.position_span);
        if (body.angle_span.line > 0) add(Component::angle, body.angle_span);
    }
    std::stable_sort(given.begin(), given.end(), [](const MovedValue& a, const MovedValue& b) {
        return std::pair(a.span.line, a.span.column) < std::pair(b.span.line, b.span.column);
    });
    return given;
}

}  // namespace

std::vector<StartValue> start_values(const PlanarMechanism& mechanism,
                                     const Coordinates<Space>& guess) {
    std::vector<StartValue> values;
    for (const std::string& name : mechanism.independent)
        if (const auto c = find_coordinate(mechanism, name))
            values.push_back({{name, {}, *c, evaluate_coordinate(guess, *c).value}, true});
    const auto given = given_values(mechanism);
    for (const bool exact : {true, false})
        for (const MovedValue& v : given) {
            const auto& body = mechanism.bodies[static_cast<std::size_t>(v.body)];
            if (body.exact != exact) continue;
            const std::string name = body.name + "." + std::string(component_name(v.component));
            values.push_back(
                {{name, v.span, ground_coordinate(v.body, v.component), v.given}, exact});
        }
    return values;
}

bool any_moved(const std::vector<StartValue>& values, const Coordinates<Space>& closed,
               double model_size) {
    return std::any_of(values.begin(), values.end(), [&](const StartValue& v) {
        const auto& c = v.kept.coordinate;
        const double scale = c.component == Component::angle ? 1 : model_size;
        return std::abs(evaluate_coordinate(closed, c).value - v.kept.value) >
               tolerance::position * scale;
    });
}

// By Gram and Schmidt on the rows of the values over the free directions.
std::vector<RestCoordinate<Space>> independent_values(const PlacedMechanism& placed,
                                                      const std::vector<StartValue>& values,
                                                      std::span<const double> q, double t,
                                                      double model_size) {
    Mechanics::Choice choice;
    for (const StartValue& v : values) choice.rests.push_back(v.kept);
    Mechanics base(placed.mechanism, placed.topology, {}),
        all(placed.mechanism, placed.topology, choice);
    for (Mechanics* eq : {&base, &all}) {
        eq->set_model_size(model_size);
        eq->set_position(q, t);
    }
    const Eigen::MatrixXd free = null_space(base.pattern(), base.jacobian(), base.column_scale());
    const Eigen::MatrixXd rows = scaled_dense(all.pattern(), all.jacobian(), all.column_scale());
    // A value that moves the mechanism so little would determine it badly, unless it is asked for.
    constexpr double weak = tolerance::weak_start, weak_but_wanted = tolerance::weak_wanted_start;
    std::vector<RestCoordinate<Space>> kept;
    Eigen::MatrixXd basis(free.cols(), free.cols());
    std::size_t next = 0;
    for (int r = 0; r < all.pattern().rows(); ++r) {
        if (all.labels()[r].role != RowRole::rest) continue;
        const StartValue& value = values[next++];
        const auto count = static_cast<Eigen::Index>(kept.size());
        if (count == free.cols()) break;
        Eigen::VectorXd part = (rows.row(r) * free).transpose();
        part -= basis.leftCols(count) * (basis.leftCols(count).transpose() * part);
        const double least = (value.wanted ? weak_but_wanted : weak) * rows.row(r).norm();
        if (!(part.norm() > least)) continue;
        basis.col(count) = part.normalized();
        kept.push_back(value.kept);
    }
    return kept;
}

std::vector<MovedValue> moved_values(const PlanarMechanism& mechanism,
                                     const std::vector<Space::Position>& positions,
                                     double model_size) {
    std::vector<MovedValue> moved = given_values(mechanism);
    std::erase_if(moved, [&](MovedValue& v) {
        const auto& position = positions[static_cast<std::size_t>(v.body)];
        v.placed = component_of(position.p, position.angle, v.component);
        const double scale = v.component == Component::angle ? 1 : model_size;
        return std::abs(v.placed - v.given) <= kept * scale;
    });
    return moved;
}

std::string moved_text(const PlanarMechanism& mechanism, const MovedValue& moved) {
    const bool angle = moved.component == Component::angle;
    const auto text = [&](double value) {
        constexpr int digits = 10;
        return angle ? number_text(value * 180 / M_PI, digits) + " deg"
                     : number_text(value, digits) + " m";
    };
    return "body '" + mechanism.bodies[static_cast<std::size_t>(moved.body)].name +
           "': " + std::string(component_name(moved.component)) + " moved from " +
           text(moved.given) + " to " + text(moved.placed);
}

}  // namespace pawl
