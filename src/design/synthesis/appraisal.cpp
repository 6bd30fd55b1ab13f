#include "design/synthesis/appraisal.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/tolerances/outside.h"

namespace pawl {

namespace {

using Eigen::VectorXd;
using Vector = Linkage::Vector;

double acute(double angle) {
    const double a = std::abs(std::remainder(angle, std::numbers::pi));
    return std::min(a, std::numbers::pi - a);
}

// The least transmission angle of a position: between the bar and what it moves; of a slider,
// between the bar and the normal of its guide taken from 90 degrees.
double transmission_angle(const Linkage& l, const VectorXd& q, const VectorXd& b) {
    double least = std::numbers::pi / 2;
    for (const Linkage::Transmission& t : l.transmissions) {
        const double bar = l.bar_angle(t.bar, q, b);
        const double angle =
            t.guide < 0 ? acute(bar - l.bar_angle(t.driven, q, b))
                        : std::numbers::pi / 2 - acute(bar - b[l.guides[index_of(t.guide)].angle]);
        least = std::min(least, angle);
    }
    return least;
}

std::string type_of(const Linkage& l, const VectorXd& b, bool crank_turns) {
    const bool four_bar = l.bars.size() == 3 && l.guides.empty();
    if (!four_bar) return crank_turns ? "crank turns" : "crank rocks";
    const auto ground = [&](int bar) {
        const Linkage::Node &a = l.nodes[index_of(l.bars[index_of(bar)].a)],
                            &c = l.nodes[index_of(l.bars[index_of(bar)].b)];
        return a.on_ground() ? a : c;
    };
    const Linkage::Node a = ground(0), c = ground(2);
    if (!a.on_ground() || !c.on_ground()) return crank_turns ? "crank turns" : "crank rocks";
    return grashof_type(std::hypot(b[a.x] - b[c.x], b[a.y] - b[c.y]), b[l.bars[0].length],
                        b[l.bars[1].length], b[l.bars[2].length]);
}

// How often positions on the curve follow one another forwards and backwards; on a closed curve the
// last one is followed by the first.
struct Order {
    int rises = 0, falls = 0;
    bool cyclic;
    Order(const std::vector<double>& along, bool closed) : cyclic(closed) {
        const std::size_t n = along.size();
        for (std::size_t i = 0; i + (cyclic ? 0 : 1) < n; ++i)
            ++(along[(i + 1) % n] > along[i] ? rises : falls);
    }
    [[nodiscard]] bool kept() const {
        return cyclic ? (rises <= 1 || falls <= 1) : (rises == 0 || falls == 0);
    }
};

// Where the branch of a rocking crank begins: from there positions count without a seam.
double begin_of_branch(const Circuit& circuit, int branch) {
    if (!circuit.closed || circuit.dead_points == 0) return 0;
    for (std::size_t i = 0; i < circuit.samples.size(); ++i) {
        const auto& before = circuit.samples[i > 0 ? i - 1 : circuit.samples.size() - 1];
        if (before.branch != branch && circuit.samples[i].branch == branch) return before.along;
    }
    return 0;
}

void judge_motion(const SynthesisProblem& problem, const Circuit& circuit, Solution& s) {
    Appraisal& a = s.appraisal;
    std::vector<Circuit::Location> found;
    for (const VectorXd& q : s.exact.positions)
        if (const auto at = circuit.find(problem.linkage(), s.exact.design, q))
            found.push_back(*at);
    a.circuit_defect = found.size() != s.exact.positions.size();
    a.crank_turns = circuit.crank_turns();
    if (found.empty()) return;
    const int branch = found.front().branch;
    a.branch_defect = std::any_of(found.begin(), found.end(),
                                  [&](const Circuit::Location& p) { return p.branch != branch; });
    a.from = found.front().input;
    a.to = found.back().input;
    const bool whole = a.crank_turns || a.branch_defect || a.circuit_defect;
    const double begin = whole ? 0 : begin_of_branch(circuit, branch);
    const auto from_begin = [&](double along) {
        return along >= begin ? along - begin : along - begin + circuit.length;
    };
    std::vector<double> along;
    for (const Circuit::Location& p : found) along.push_back(from_begin(p.along));
    const Order order(along, circuit.closed && whole);
    a.order_defect = problem.task().ordered && !a.circuit_defect && !order.kept();
    a.direction = (order.rises >= order.falls) == (circuit.samples.front().rate > 0) ? 1 : -1;
    const auto [low, high] = std::minmax_element(along.begin(), along.end());
    std::vector<std::pair<double, const VectorXd*>> used;
    for (const Circuit::Sample& sample : circuit.samples)
        if (const double at = from_begin(sample.along); whole || (at >= *low && at <= *high))
            used.emplace_back(at, &sample.q);
    std::sort(used.begin(), used.end());
    s.motion.clear();
    if (!whole)
        s.motion.push_back(s.exact.positions[index_of(static_cast<int>(low - along.begin()))]);
    for (const auto& [at, q] : used) s.motion.push_back(*q);
    s.motion.push_back(whole ? s.motion.front()
                             : s.exact.positions[index_of(static_cast<int>(high - along.begin()))]);
}

}  // namespace

std::string Appraisal::defects() const {
    std::string out;
    const auto add = [&](bool is, const char* name) {
        if (is) out += (out.empty() ? "" : ", ") + std::string(name);
    };
    add(circuit_defect, "circuit");
    add(branch_defect, "branch");
    add(order_defect, "order");
    return out.empty() ? "none" : out;
}

std::string grashof_type(double ground, double crank, double coupler, double rocker) {
    const double lengths[4] = {ground, crank, coupler, rocker};
    const double shortest = *std::min_element(lengths, lengths + 4);
    const double longest = *std::max_element(lengths, lengths + 4);
    const double sum = ground + crank + coupler + rocker;
    const double slack = sum - 2 * (shortest + longest);
    if (std::abs(slack) <= tolerance::change_point * sum) return "change point";
    if (slack < 0) return "triple rocker";
    if (shortest == ground) return "double crank";
    if (shortest == crank) return "crank-rocker";
    if (shortest == rocker) return "rocker-crank";
    return "double rocker (Grashof)";
}

void appraise(const SynthesisProblem& problem, Solution& s) {
    const Linkage& l = problem.linkage();
    const VectorXd& b = s.exact.design;
    Appraisal& a = s.appraisal;
    a.worst_error = 0;
    for (int i = 0; i < problem.positions(); ++i)
        a.worst_error = std::max(a.worst_error,
                                 problem.error_in_tolerances(i, s.exact.positions[index_of(i)], b));
    s.motion = s.exact.positions;
    if (const auto circuit = follow_circuit(l, b, s.exact.positions.front())) {
        judge_motion(problem, *circuit, s);
    } else {
        a.branch_defect = true;  // a position in which the linkage can go on in several ways
    }
    a.type = type_of(l, b, a.crank_turns);
    a.transmission = std::numbers::pi / 2;
    Vector low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};
    for (const VectorXd& q : s.motion) {
        a.transmission = std::min(a.transmission, transmission_angle(l, q, b));
        for (int node = 0; node < static_cast<int>(l.nodes.size()); ++node) {
            const Vector p = l.at(node, q, b);
            low = {std::min(low.x, p.x), std::min(low.y, p.y)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        }
    }
    a.size = std::hypot(high.x - low.x, high.y - low.y);
}

}  // namespace pawl
