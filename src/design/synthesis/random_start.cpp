#include "design/synthesis/random_start.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "design/synthesis/solution.h"

namespace pawl {

namespace {

using Eigen::VectorXd;
using Vector = Linkage::Vector;

// Places the other positions outward from one, each from its neighbour.
void start_from(const SynthesisProblem& problem, int known, SynthesisUnknowns& x) {
    constexpr int iterations = 25;
    const Linkage& l = problem.linkage();
    for (const int direction : {1, -1})
        for (int i = known + direction; i >= 0 && i < problem.positions(); i += direction) {
            VectorXd q = x.positions[index_of(i - direction)];
            if (problem.task().kind != SynthesisKind::function) {
                const Vector move = problem.task().positions[index_of(i)].point -
                                    problem.task().positions[index_of(i - direction)].point;
                for (int k = 0; k < q.size(); k += 2) {
                    q[k] += 0.5 * move.x;
                    q[k + 1] += 0.5 * move.y;
                }
                q[l.index(l.traced)] += 0.5 * move.x;
                q[l.index(l.traced) + 1] += 0.5 * move.y;
            }
            solve_position(problem, i, x.design, q, iterations);
            x.positions[index_of(i)] = std::move(q);
        }
}

// The crank of a position with a prescribed direction, as long as it is.
void point_crank(const SynthesisProblem& problem, int position, const VectorXd& b, VectorXd& q) {
    const Linkage& l = problem.linkage();
    const Linkage::Bar& bar = l.bars[index_of(l.input)];
    const Vector a = l.at(bar.a, q, b), d = l.at(bar.b, q, b) - a;
    const double angle = problem.input_angle(position, b), length = std::hypot(d.x, d.y);
    q[l.index(bar.b)] = a.x + length * std::cos(angle);
    q[l.index(bar.b) + 1] = a.y + length * std::sin(angle);
}

}  // namespace

RandomNumbers::RandomNumbers(std::uint64_t seed, std::uint64_t stream)
    : state_(seed * 0x9E3779B97F4A7C15u + stream * 0xD1B54A32D192ED03u) {
    next();
    next();
}

double RandomNumbers::next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

SynthesisUnknowns random_start(const SynthesisProblem& problem, double bounds,
                               RandomNumbers& random) {
    const Linkage& l = problem.linkage();
    const SynthesisTask& task = problem.task();
    const Vector centre = task.centre();
    const double reach = bounds * task.size();
    const auto coordinate = [&](double middle) { return middle + random.between(-reach, reach); };
    SynthesisUnknowns x;
    VectorXd& b = x.design = l.design();
    const auto set = [&](int number, double value) {
        if (number >= 0 && !l.numbers[index_of(number)].fixed) b[number] = value;
    };
    for (const Linkage::Node& n : l.nodes) {
        if (!n.on_ground()) continue;
        set(n.x, coordinate(centre.x));
        set(n.y, coordinate(centre.y));
    }
    for (const Linkage::Guide& g : l.guides)
        set(g.angle, random.between(-std::numbers::pi, std::numbers::pi));
    const int known =
        std::min(static_cast<int>(random.next() * problem.positions()), problem.positions() - 1);
    const Requirement& r = task.positions[index_of(known)];
    VectorXd q(l.position_size());
    for (int k = 0; k < q.size(); ++k) q[k] = coordinate(k % 2 == 0 ? centre.x : centre.y);
    if (task.kind != SynthesisKind::function) {
        q[l.index(l.traced)] = r.point.x;
        q[l.index(l.traced) + 1] = r.point.y;
    }
    if (r.input) {
        set(problem.input_shift, l.bar_angle(l.input, q, b) - *r.input);
        point_crank(problem, known, b, q);
    }
    l.take_dimensions(q, b);
    if (problem.pose_shift >= 0) set(problem.pose_shift, l.bar_angle(l.carrier, q, b) - r.angle);
    if (problem.output_shift >= 0 && l.output >= 0)
        set(problem.output_shift, l.bar_angle(l.output, q, b) - r.output);
    if (problem.output_shift >= 0 && l.output < 0) {
        const Linkage::Guide& g = l.guides[index_of(l.output_guide)];
        const Vector p = l.at(g.point, q, b);
        set(problem.output_shift,
            p.x * std::cos(b[g.angle]) + p.y * std::sin(b[g.angle]) - r.output);
    }
    x.positions.assign(index_of(problem.positions()), q);
    start_from(problem, known, x);
    return x;
}

SynthesisUnknowns varied_start(const SynthesisProblem& problem, double share,
                               RandomNumbers& random) {
    const Linkage& l = problem.linkage();
    SynthesisUnknowns x;
    x.design = l.design();
    for (const int i : problem.free_numbers()) {
        const bool is_angle = l.numbers[index_of(i)].kind == DesignNumber::Kind::angle;
        const double size = is_angle ? 1 : problem.task().size();
        x.design[i] += share * size * random.between(-1, 1);
    }
    x.positions.assign(index_of(problem.positions()), l.start_position);
    solve_position(problem, 0, x.design, x.positions[0], 50);
    start_from(problem, 0, x);
    return x;
}

}  // namespace pawl
