#include "simulation/event_cycle/touching_problem.h"

#include <algorithm>

#include "simulation/placement/contact_mode.h"

namespace pawl {

using Point = Mode::Point;

TouchingProblem problem_of(const ContactWorld& world, const Mode& mode,
                           const std::vector<Point>& compliant, const std::vector<Point>& rigid) {
    DynamicSystem* base = world.systems.with(mode.permanent, compliant, {}, mode.engaged);
    base->dynamics->forget();
    Mode all_stick;
    all_stick.permanent = mode.permanent;
    all_stick.engaged = mode.engaged;
    all_stick.closed = compliant;
    all_stick.closed.insert(all_stick.closed.end(), rigid.begin(), rigid.end());
    all_stick.friction = friction_points(world.mechanism, all_stick.contacts());
    for (FrictionMode& friction : all_stick.friction)
        if (const FrictionMode* now = mode.find_friction(all_stick.name_of(friction)))
            friction.held = now->held;
    DynamicSystem* all = world.system_of(all_stick);
    const std::size_t first = mode.permanent.size() + compliant.size();
    std::vector<int> rows;
    for (std::size_t i = 0; i < rigid.size(); ++i)
        rows.push_back(all->equations->contact_row(first + i));
    for (const FrictionPoint& friction : all->equations->friction()) rows.push_back(friction.row);
    return {base, all,
            ContactProblem(*base->dynamics, *all->equations, rows, static_cast<int>(rigid.size()))};
}

FrictionTask task_of(TouchingProblem& touching, const State& state,
                     const std::vector<int>& contacts, const std::vector<int>& friction_points) {
    ContactProblem& problem = touching.problem;
    auto& equations = *touching.all->equations;
    const int count = static_cast<int>(problem.velocity().size() -
                                       static_cast<long>(equations.friction().size()));
    std::vector<int> rows = contacts;
    Eigen::VectorXd scale =
        Eigen::VectorXd::Ones(static_cast<int>(contacts.size() + friction_points.size()));
    for (std::size_t k = 0; k < friction_points.size(); ++k) {
        rows.push_back(count + friction_points[k]);
        scale[static_cast<int>(contacts.size() + k)] = equations.row_scale(
            equations.friction()[static_cast<std::size_t>(friction_points[k])].row);
    }
    FrictionTask task;
    task.contacts = static_cast<int>(contacts.size());
    Eigen::MatrixXd slope;
    problem.find_loads(state, task.load_first, slope);
    const Eigen::VectorXd inverse = scale.cwiseInverse();
    task.response = inverse.asDiagonal() * problem.response()(rows, rows) * inverse.asDiagonal();
    task.free = inverse.asDiagonal() * problem.acceleration()(rows);
    task.load_slope = slope(Eigen::all, rows) * inverse.asDiagonal();
    const int first = static_cast<int>(equations.contacts().size()) - count;
    for (std::size_t k = 0; k < friction_points.size(); ++k) {
        const int point = friction_points[k];
        auto& entry = task.points.emplace_back();
        entry.law = equations.friction()[static_cast<std::size_t>(point)];
        const FrictionMode& mode = equations.friction_modes()[static_cast<std::size_t>(point)];
        if (mode.contact >= first)
            entry.contact =
                static_cast<int>(std::find(contacts.begin(), contacts.end(), mode.contact - first) -
                                 contacts.begin());
        entry.slip = problem.velocity()[count + point] / scale[task.contacts + static_cast<int>(k)];
    }
    return task;
}

ImpactRows impact_rows(const DynamicSystem& all, std::size_t touching) {
    const auto& equations = *all.equations;
    const int n = static_cast<int>(touching);
    const int first = static_cast<int>(all.equations->contacts().size()) - n;
    ImpactRows rows{std::vector<int>(3 * touching, -1), std::vector<double>(3 * touching, 1.0)};
    for (std::size_t i = 0; i < touching; ++i) rows.row[3 * i] = static_cast<int>(i);
    for (std::size_t k = 0; k < equations.friction().size(); ++k) {
        const FrictionMode& mode = all.equations->friction_modes()[k];
        const int contact = mode.contact - first;
        if (mode.contact < 0 || contact < 0) continue;
        const auto point = 3 * static_cast<std::size_t>(contact) + (mode.rolling ? 2 : 1);
        rows.row[point] = n + static_cast<int>(k);
        rows.scale[point] = equations.row_scale(equations.friction()[k].row);
    }
    return rows;
}

}  // namespace pawl
