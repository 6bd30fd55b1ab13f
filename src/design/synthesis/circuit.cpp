#include "design/synthesis/circuit.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/LU>
#include <Eigen/QR>

#include "math/tolerances/outside.h"

namespace pawl {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t max_samples = 6000;

struct Follower {
    const Linkage& linkage;
    const VectorXd& b;
    double size;  // of the linkage
    PositionRows rows{};

    Follower(const Linkage& l, const VectorXd& design, const VectorXd& q)
        : linkage(l), b(design), size(0) {
        for (const Linkage::Bar& bar : l.bars) size = std::max(size, std::abs(b[bar.length]));
        if (size == 0) size = std::max(q.norm(), tolerance::no_division);
    }

    void evaluate(const VectorXd& q) {
        rows.reset(closure_count(linkage, false), linkage.position_size(), linkage.design_size());
        add_closure(linkage, false, q, b, rows);
    }

    // The direction in which closure holds; nothing where there are several.
    std::optional<VectorXd> tangent(const VectorXd& q) {
        evaluate(q);
        const auto n = q.size();
        const MatrixXd transposed = rows.by_position.transpose();
        Eigen::ColPivHouseholderQR<MatrixXd> qr(transposed);
        const auto pivots = qr.matrixQR().diagonal().cwiseAbs();
        if (n - rows.value.size() != 1 ||
            pivots.minCoeff() <= tolerance::circuit_rank * pivots.maxCoeff())
            return std::nullopt;
        return VectorXd(qr.householderQ() * VectorXd::Unit(n, n - 1));
    }

    // Newton back to closure in the plane through q across the direction.
    bool correct(VectorXd& q, const VectorXd& across) {
        const VectorXd from = q;
        const auto n = q.size();
        for (int i = 0; i < 8; ++i) {
            evaluate(q);
            MatrixXd a(n, n);
            VectorXd r(n);
            a << rows.by_position, across.transpose();
            r << rows.value, across.dot(q - from);
            const VectorXd step = a.partialPivLu().solve(r);
            if (!step.allFinite()) return false;
            q -= step;
            if (step.norm() <= tolerance::circuit_step * size) return true;
        }
        return rows.value.norm() <= tolerance::circuit_closure * size * (1 + size);
    }
};

double input_angle(const Linkage& linkage, const VectorXd& b, const VectorXd& q, double near) {
    const double angle = linkage.bar_angle(linkage.input, q, b);
    return near + std::remainder(angle - near, 2 * std::numbers::pi);
}

// Whether the step from one sample to the next passes the first sample in its direction.
bool passes(const Circuit::Sample& first, const Circuit::Sample& from, const VectorXd& to,
            double step) {
    return (first.q - from.q).norm() <= 1.5 * step && (first.q - from.q).dot(first.tangent) > 0 &&
           (to - first.q).dot(first.tangent) >= 0 && from.tangent.dot(first.tangent) > 0.9;
}

// One step along the curve, shortened until the direction turns little.
bool advance(Follower& follower, const Circuit::Sample& from, double& step, VectorXd& q,
             VectorXd& tangent) {
    for (int trial = 0; trial < 30; ++trial) {
        q = from.q + step * from.tangent;
        if (follower.correct(q, from.tangent)) {
            if (auto next = follower.tangent(q)) {
                tangent = next->dot(from.tangent) < 0 ? VectorXd(-*next) : *next;
                const double cosine = tangent.dot(from.tangent);
                if (cosine > 0.995 && (q - from.q).norm() < 1.2 * step) return true;
            }
        }
        step /= 2;
    }
    return false;
}

// The change of the crank's angle along a direction.
double input_rate(const Linkage& linkage, const VectorXd& b, const VectorXd& q,
                  const VectorXd& tangent) {
    const Linkage::Bar& bar = linkage.bars[static_cast<std::size_t>(linkage.input)];
    const auto velocity = [&](int node) {
        return linkage.nodes[static_cast<std::size_t>(node)].on_ground()
                   ? Linkage::Vector{}
                   : Linkage::Vector{tangent[linkage.index(node)],
                                     tangent[linkage.index(node) + 1]};
    };
    const Linkage::Vector d = linkage.at(bar.b, q, b) - linkage.at(bar.a, q, b);
    return Planar<double>::cross(d, velocity(bar.b) - velocity(bar.a)) / Planar<double>::dot(d, d);
}

// Dead points of the crank, where its angle turns back, and the branches between them. On a closed
// curve the last branch goes on as the first where no dead point separates them.
void judge_crank(Circuit& circuit) {
    double low = INFINITY, high = -INFINITY;
    int changes = 0;
    for (std::size_t i = 0; i < circuit.samples.size(); ++i) {
        Circuit::Sample& s = circuit.samples[i];
        low = std::min(low, s.input);
        high = std::max(high, s.input);
        if (i > 0 && (s.rate > 0) != (circuit.samples[i - 1].rate > 0)) ++changes;
        s.branch = changes;
    }
    const bool seam = (circuit.samples.front().rate > 0) != (circuit.samples.back().rate > 0);
    if (circuit.closed && !seam && changes > 0)
        for (Circuit::Sample& s : circuit.samples)
            if (s.branch == changes) s.branch = 0;
    circuit.dead_points = changes + (circuit.closed && seam ? 1 : 0);
    circuit.input_range = high - low;
}

}  // namespace

bool Circuit::crank_turns() const { return closed && dead_points == 0; }

std::optional<Circuit> follow_circuit(const Linkage& linkage, const VectorXd& b,
                                      const VectorXd& q) {
    Follower follower(linkage, b, q);
    Circuit::Sample first;
    first.q = q;
    const auto start = follower.tangent(q);
    if (!start) return std::nullopt;
    first.tangent = *start;
    first.input = linkage.bar_angle(linkage.input, q, b);
    first.rate = input_rate(linkage, b, q, first.tangent);
    Circuit circuit;
    circuit.samples = {first};
    const double longest = 0.03 * follower.size;
    for (int direction = 0; direction < 2 && !circuit.closed; ++direction) {
        double step = longest / 4;
        while (circuit.samples.size() < max_samples) {
            const Circuit::Sample& from = circuit.samples.back();
            Circuit::Sample next;
            if (!advance(follower, from, step, next.q, next.tangent)) break;
            if (circuit.samples.size() > 4 && passes(circuit.samples.front(), from, next.q, step)) {
                circuit.closed = direction == 0;
                break;
            }
            next.along = from.along + (next.q - from.q).norm();
            next.input = input_angle(linkage, b, next.q, from.input);
            next.rate = input_rate(linkage, b, next.q, next.tangent);
            circuit.samples.push_back(std::move(next));
            step = std::min(1.3 * step, longest);
        }
        if (circuit.closed || direction == 1) break;
        // An end, which only rounding or a change point makes: the other side of the start follows.
        std::reverse(circuit.samples.begin(), circuit.samples.end());
        const double last = circuit.samples.front().along;
        for (Circuit::Sample& s : circuit.samples) {
            s.tangent = -s.tangent;
            s.rate = -s.rate;
            s.along = last - s.along;
        }
    }
    circuit.length = circuit.samples.back().along;
    if (circuit.closed)
        circuit.length += (circuit.samples.front().q - circuit.samples.back().q).norm();
    judge_crank(circuit);
    return circuit;
}

std::optional<Circuit::Location> Circuit::find(const Linkage& linkage, const VectorXd& b,
                                               const VectorXd& q) const {
    // The nearest samples are tried: from each, closure is followed to the plane through q.
    std::vector<std::pair<double, std::size_t>> near;
    for (std::size_t i = 0; i < samples.size(); ++i)
        near.emplace_back((samples[i].q - q).squaredNorm(), i);
    const std::size_t tried = std::min<std::size_t>(near.size(), 4);
    std::partial_sort(near.begin(), near.begin() + static_cast<long>(tried), near.end());
    Follower follower(linkage, b, q);
    for (std::size_t k = 0; k < tried; ++k) {
        const std::size_t i = near[k].second;
        const Sample& s = samples[i];
        const double ahead = s.tangent.dot(q - s.q);
        VectorXd there = s.q + ahead * s.tangent;
        if (std::abs(ahead) > 0.1 * follower.size || !follower.correct(there, s.tangent)) continue;
        if ((there - q).norm() > tolerance::same_position * follower.size) continue;
        const auto tangent = follower.tangent(q);
        const double direction = tangent && tangent->dot(s.tangent) < 0 ? -1 : 1;
        const double rate = tangent ? direction * input_rate(linkage, b, q, *tangent) : s.rate;
        // A dead point may lie between the sample and the position.
        const std::size_t n = samples.size();
        const Sample& other = samples[ahead >= 0 ? (i + 1) % n : (i + n - 1) % n];
        const bool same = (rate > 0) == (s.rate > 0);
        const double at = s.along + ahead;
        return Location{at < 0 ? at + length : (at >= length ? at - length : at),
                        input_angle(linkage, b, q, s.input), same ? s.branch : other.branch};
    }
    return std::nullopt;
}

}  // namespace pawl
