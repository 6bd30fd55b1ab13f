#include "simulation/columns/influence.h"

#include <algorithm>
#include <cmath>

#include "coordinates/measures.h"
#include "results/motion_matrices.h"

namespace pawl {

Influence::Influence(const PlanarMechanism& mechanism, const Mechanics& equations,
                     Trajectory& table)
    : mechanism_(mechanism), table_(table) {
    std::vector<std::string> units;
    for (int r = 0; r < equations.pattern().rows(); ++r) {
        const RowLabel& label = equations.labels()[r];
        if (label.role != RowRole::driver && label.role != RowRole::rest) continue;
        inputs_.push_back({label.name});
        units.push_back(equations.row_is_angle(r) ? "rad" : "m");
    }
    std::vector<Column> outputs;
    for (std::size_t b = 1; b < mechanism.bodies.size(); ++b)
        for (const auto& [tail, unit] : {std::pair{"x", "m"}, {"y", "m"}, {"angle", "rad"}})
            outputs.push_back({mechanism.bodies[b].name + "." + tail, unit});
    for (const auto& m : mechanism.measures)
        if (!m.uses_rates) outputs.push_back({m.name, m.unit});
    table.columns.push_back({"t", "s"});
    for (std::size_t j = 0; j < inputs_.size(); ++j)
        for (const Column& c : outputs)
            table.columns.push_back(
                {"d(" + c.name + ")/d(" + inputs_[j].name + ")", quotient_unit(c.unit, units[j])});
    for (std::size_t j = 0; j < inputs_.size(); ++j)
        for (std::size_t k = j; k < inputs_.size(); ++k)
            for (const Column& c : outputs)
                table.columns.push_back(
                    {"d2(" + c.name + ")/d(" + inputs_[j].name + ")d(" + inputs_[k].name + ")",
                     quotient_unit(c.unit, units[j] + "*" + units[k])});
}

void Influence::adopt(Mechanics& equations, RowSystem& system) {
    equations_ = &equations;
    system_ = &system;
    for (Input& input : inputs_) {
        input.row = -1;
        for (int r = 0; r < equations.pattern().rows(); ++r) {
            const RowLabel& label = equations.labels()[r];
            if (label.name != input.name ||
                (label.role != RowRole::driver && label.role != RowRole::rest))
                continue;
            input.row = r;
            input.scale = equations.row_scale(r);
        }
    }
}

// Rates and accelerations of all outputs for the velocity and acceleration that the coordinates
// hold.
void Influence::outputs(std::vector<double>& first, std::vector<double>& second) const {
    const auto& c = equations_->coordinates();
    first.clear();
    second.clear();
    for (int b = 1; b < static_cast<int>(mechanism_.bodies.size()); ++b) {
        const auto &v = c.velocity(b), &a = c.acceleration(b);
        first.insert(first.end(), {v.v.x, v.v.y, v.omega});
        second.insert(second.end(), {a.v.x, a.v.y, a.omega});
    }
    std::vector<TimeJet<double>> channels;
    evaluate_measures(mechanism_, c, equations_->time(), channels);
    for (std::size_t i = 0; i < channels.size(); ++i) {
        if (mechanism_.measures[i].uses_rates) continue;
        first.push_back(channels[i].rate / mechanism_.measures[i].unit_factor);
        second.push_back(channels[i].acceleration / mechanism_.measures[i].unit_factor);
    }
}

// gamma(v) - gamma(0) is the part of gamma quadratic in v: the drivers' own accelerations cancel.
void Influence::curvature(std::span<const double> v, std::vector<double>& out) {
    const std::vector<double> zero(v.size(), 0.0);
    equations_->set_velocity(zero);
    std::vector<double> gamma = equations_->gamma();
    equations_->set_velocity(v);
    for (std::size_t r = 0; r < gamma.size(); ++r) gamma[r] = equations_->gamma()[r] - gamma[r];
    std::vector<double> a(v.size()), first;
    system_->solve(gamma, a);
    equations_->coordinates().set_acceleration(a);
    outputs(first, out);
}

void Influence::take(double t) {
    const int n = equations_->size();
    std::vector<std::vector<double>> directions;
    std::vector<double> row{t}, first, second;
    outputs(first, second);
    const std::vector<double> no_value(first.size(), NAN);
    for (const Input& input : inputs_) {
        std::vector<double> unit(equations_->pattern().rows(), 0.0), k(n);
        if (input.row < 0) {
            row.insert(row.end(), no_value.begin(), no_value.end());
            directions.emplace_back();
            continue;
        }
        unit[input.row] = input.scale;
        system_->solve(unit, k);
        equations_->set_velocity(k);
        outputs(first, second);
        row.insert(row.end(), first.begin(), first.end());
        directions.push_back(std::move(k));
    }
    std::vector<std::vector<double>> own(directions.size());
    for (std::size_t j = 0; j < directions.size(); ++j) {
        own[j] = no_value;
        if (!directions[j].empty()) curvature(directions[j], own[j]);
    }
    for (std::size_t j = 0; j < directions.size(); ++j) {
        row.insert(row.end(), own[j].begin(), own[j].end());
        for (std::size_t k = j + 1; k < directions.size(); ++k) {
            if (directions[j].empty() || directions[k].empty()) {
                row.insert(row.end(), no_value.begin(), no_value.end());
                continue;
            }
            std::vector<double> sum(n);
            for (int i = 0; i < n; ++i) sum[i] = directions[j][i] + directions[k][i];
            curvature(sum, second);
            for (std::size_t i = 0; i < second.size(); ++i)
                row.push_back((second[i] - own[j][i] - own[k][i]) / 2);
        }
    }
    table_.add(row);
}

}  // namespace pawl
