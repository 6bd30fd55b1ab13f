#include "simulation/placement/pull.h"

#include <algorithm>
#include <cmath>

#include "contact/search.h"
#include "dynamics/contact/complementarity.h"
#include "math/linear/dense.h"
#include "math/tolerances/motion.h"

namespace pawl {

namespace {

using Vector = PlanarSpace::Vector;
using Position = PlanarSpace::Position;

constexpr double step_share = 0.01;  // of the model's size: small beside its parts
constexpr double metric_share =
    tolerance::metric_share;         // of W beside the pull: what is pulled follows first
constexpr int max_steps = 250;       // a target twice the model's size away is reached
constexpr int settling_steps = 4;    // that only close the joints again
constexpr double dead_share = 0.05;  // of the best reach: some degrees from a dead position
constexpr int max_columns = 300;     // for which the reach is asked after each pull

PlanarMechanism without_drivers(PlanarMechanism mechanism) {
    mechanism.drivers.clear();
    return mechanism;
}

int column_of(int body) { return 3 * (body - 1); }

}  // namespace

// A point where two profiles are near: the row of its gap over the columns.
struct Pull::Contact {
    int pair = 0;
    double gap = 0;
    Eigen::VectorXd row;
};

Pull::Pull(const PlacedMechanism& placed)
    : mechanism_(without_drivers(placed.mechanism)),
      topology_(analyse_topology(mechanism_)),
      positions_(placed.assembly.positions),
      size_(placed.assembly.diameter),
      step_(step_share * placed.assembly.diameter) {
    equations_ = std::make_unique<MechanismEquations<PlanarSpace>>(
        mechanism_, topology_,
        MechanismEquations<PlanarSpace>::Choice{.coordinates = CoordinateKind::absolute,
                                                .drivers = false});
    equations_->set_model_size(placed.assembly.model_size);
    extents_.assign(mechanism_.bodies.size(), 0.0);
    const auto reach = [&](const Attachment<PlanarSpace>& frame, double more = 0) {
        double& extent = extents_[static_cast<std::size_t>(frame.body)];
        extent = std::max(extent, std::hypot(frame.local.at.x, frame.local.at.y) + more);
    };
    for (const auto& joint : mechanism_.joints)
        for (const auto& frame : joint.frames) reach(frame);
    for (const auto& pair : mechanism_.contacts) {
        searches_.emplace_back();
        if (pair.profile_a < 0 || pair.permanent) continue;
        const auto& a = mechanism_.profiles[static_cast<std::size_t>(pair.profile_a)];
        const auto& b = mechanism_.profiles[static_cast<std::size_t>(pair.profile_b)];
        searches_.back() = std::make_unique<ContactSearch>(a.chain, b.chain);
        reach(a.frame, searches_.back()->radius_a());
        reach(b.frame, searches_.back()->radius_b());
    }
    for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b)
        for (const auto& point : mechanism_.bodies[b].points)
            extents_[b] = std::max(extents_[b], std::hypot(point.at.x, point.at.y));
    for (double& extent : extents_) extent = std::max(extent, 0.02 * size_);
    best_reach_.assign(extents_.size(), 0.0);
}

Pull::~Pull() = default;

std::vector<Pull::Contact> Pull::near_contacts() const {
    std::vector<Contact> out;
    std::vector<Candidate> found;
    for (std::size_t i = 0; i < searches_.size(); ++i) {
        if (!searches_[i]) continue;
        const auto& pair = mechanism_.contacts[i];
        const auto& a = mechanism_.profiles[static_cast<std::size_t>(pair.profile_a)].frame;
        const auto& b = mechanism_.profiles[static_cast<std::size_t>(pair.profile_b)].frame;
        const std::array<int, 2> bodies{a.body, b.body};
        found.clear();
        searches_[i]->find(a.on(positions_[static_cast<std::size_t>(a.body)]),
                           b.on(positions_[static_cast<std::size_t>(b.body)]), 2 * step_, found);
        for (const Candidate& c : found) {
            Contact contact{static_cast<int>(i), c.touch.gap,
                            Eigen::VectorXd::Zero(equations_->size())};
            for (std::size_t side = 0; side < 2; ++side) {
                if (bodies[side] == 0) continue;
                const double sign = side == 0 ? -1 : 1;
                const Vector arm =
                    c.touch.p[side] - positions_[static_cast<std::size_t>(bodies[side])].p;
                const int column = column_of(bodies[side]);
                contact.row[column] += sign * c.touch.n.x;
                contact.row[column + 1] += sign * c.touch.n.y;
                contact.row[column + 2] += sign * PlanarSpace::cross(arm, c.touch.n);
            }
            out.push_back(std::move(contact));
        }
    }
    return out;
}

// Moves the bodies, by less where a point would move farther than the radius.
void Pull::move_by(const Eigen::VectorXd& change, double radius) {
    double farthest = 0;
    for (std::size_t b = 1; b < positions_.size(); ++b) {
        const int c = column_of(static_cast<int>(b));
        farthest = std::max(
            farthest, std::hypot(change[c], change[c + 1]) + extents_[b] * std::abs(change[c + 2]));
    }
    const double share = farthest > radius ? radius / farthest : 1;
    if (!std::isfinite(farthest)) return;
    for (std::size_t b = 1; b < positions_.size(); ++b) {
        const int c = column_of(static_cast<int>(b));
        Position& at = positions_[b];
        at.p = at.p + share * Vector{change[c], change[c + 1]};
        at.angle += share * change[c + 2];
        at.u = {std::cos(at.angle), std::sin(at.angle)};
    }
}

// How far a point moves at most while the mechanism moves by one unit, all coordinates together.
double Pull::reach(int body, Vector local) const {
    const auto& eq = *equations_;
    const Vector arm = positions_[static_cast<std::size_t>(body)].to_ground(local);
    Eigen::MatrixXd j = Eigen::MatrixXd::Zero(2, eq.size());
    j.block(0, column_of(body), 2, 3) << 1, 0, -arm.y, 0, 1, arm.x;
    for (int c = 0; c < eq.size(); ++c) j.col(c) /= eq.column_scale()[c];
    return (j * null_space(eq.pattern(), eq.jacobian(), eq.column_scale())).norm();
}

// Of the joints of a body the one with the row that pulls hardest at it; moments count by its
// extent.
std::string Pull::holding_joint(int body, const Eigen::VectorXd& multipliers) const {
    const auto& pattern = equations_->pattern();
    const int first = column_of(body);
    std::string out;
    double largest = 0;
    for (int row = 0; row < pattern.rows(); ++row) {
        double force = 0;
        for (int e = pattern.start[row]; e < pattern.start[row + 1]; ++e) {
            const int column = pattern.column[e] - first;
            if (column < 0 || column > 2) continue;
            const double arm = column == 2 ? extents_[static_cast<std::size_t>(body)] : 1;
            force = std::hypot(force, equations_->jacobian()[e] * multipliers[row] / arm);
        }
        if (force <= largest) continue;
        largest = force;
        out = equations_->labels()[row].element;
    }
    return out;
}

void Pull::take_step(int body, Vector local, Vector target, double radius, Outcome& out) {
    auto& eq = *equations_;
    eq.set_position(eq.coordinates().from_positions(positions_), 0);
    const int n = eq.size(), m = eq.pattern().rows();
    const std::vector<Contact> contacts = near_contacts();
    const auto k = static_cast<Eigen::Index>(contacts.size());
    Eigen::MatrixXd system = Eigen::MatrixXd::Zero(n + m, n + m);
    Eigen::MatrixXd right = Eigen::MatrixXd::Zero(n + m, 1 + k);
    for (std::size_t b = 1; b < positions_.size(); ++b) {
        const int c = column_of(static_cast<int>(b));
        system(c, c) = system(c + 1, c + 1) = metric_share;
        system(c + 2, c + 2) = metric_share * extents_[b] * extents_[b];
    }
    if (body > 0) {
        const Position& at = positions_[static_cast<std::size_t>(body)];
        const Vector arm = at.to_ground(local), error = target - (at.p + arm);
        Eigen::MatrixXd j = Eigen::MatrixXd::Zero(2, n);
        j.block(0, column_of(body), 2, 3) << 1, 0, -arm.y, 0, 1, arm.x;
        system.topLeftCorner(n, n) += j.transpose() * j;
        right.col(0).head(n) = j.transpose() * Eigen::Vector2d(error.x, error.y);
    }
    // Redundant rows share their multiplier: a tiny compliance decides how.
    for (int row = 0; row < m; ++row) {
        for (int e = eq.pattern().start[row]; e < eq.pattern().start[row + 1]; ++e)
            system(n + row, eq.pattern().column[e]) = system(eq.pattern().column[e], n + row) =
                eq.jacobian()[e];
        system(n + row, n + row) = -tolerance::pull_softness;
        right(n + row, 0) = -eq.phi()[row];
    }
    for (Eigen::Index i = 0; i < k; ++i) right.col(1 + i).head(n) = contacts[i].row;
    const Eigen::MatrixXd solved = solve_regular(system, right);
    Eigen::VectorXd change = solved.col(0).head(n);
    out.blocking.clear();
    out.holding.clear();
    if (k > 0) {
        Eigen::MatrixXd a(k, k);
        Eigen::VectorXd b(k), z = Eigen::VectorXd::Zero(k);
        for (Eigen::Index i = 0; i < k; ++i) {
            b[i] = contacts[i].gap + contacts[i].row.dot(change);
            for (Eigen::Index l = 0; l < k; ++l)
                a(i, l) = contacts[i].row.dot(solved.col(1 + l).head(n)) +
                          (i == l ? tolerance::pull_softness : 0.0);
        }
        if (solve_complementarity(a, b, z) == ComplementarityOutcome::solved)
            for (Eigen::Index i = 0; i < k; ++i) change += z[i] * solved.col(1 + i).head(n);
        Eigen::Index largest = 0;
        if (z.maxCoeff(&largest) > 0)
            out.blocking =
                mechanism_.contacts[static_cast<std::size_t>(contacts[largest].pair)].name;
    }
    if (body > 0 && out.blocking.empty()) out.holding = holding_joint(body, solved.col(0).tail(m));
    move_by(change, radius);
}

Pull::Outcome Pull::to(int body, Vector local, Vector target) {
    Outcome out;
    const auto left = [&] {
        const Position& at = positions_[static_cast<std::size_t>(body)];
        return target - (at.p + at.to_ground(local));
    };
    double& extent = extents_[static_cast<std::size_t>(body)];
    extent = std::max(extent, std::hypot(local.x, local.y));
    // What brings the point no nearer is taken back. It is tried with half the radius, and so is
    // what follows a turn back: near the end of a circle straight steps go too far.
    double radius = step_;
    Vector way = left(), last{0, 0};
    out.distance = std::hypot(way.x, way.y);
    for (int i = 0; i < max_steps && out.distance > tolerance::pulled_to_target * size_ &&
                    radius > tolerance::shortest_pull * step_;
         ++i) {
        const std::vector<Position> before = positions_;
        Outcome held, ignored;
        take_step(body, local, target, radius, held);
        take_step(0, {}, {}, radius, ignored);  // straight steps open the joints
        const Vector next = left(), move = way - next;
        const double now = std::hypot(next.x, next.y);
        const bool is_nearer = now < out.distance, turns = PlanarSpace::dot(move, last) < 0;
        radius = is_nearer && !turns ? std::min(1.5 * radius, step_) : radius / 2;
        if (is_nearer) {
            out.distance = now;
            way = next;
            last = move;
        } else {
            positions_ = before;
        }
        out.blocking = held.blocking;
        out.holding = held.holding;
    }
    if (out.distance < tolerance::pulled_nearly * size_) out.blocking = out.holding = "";
    Outcome ignored;
    for (int i = 0; i < settling_steps; ++i) take_step(0, {}, {}, step_, ignored);
    if (equations_->size() > max_columns) return out;
    equations_->set_position(equations_->coordinates().from_positions(positions_), 0);
    double& best = best_reach_[static_cast<std::size_t>(body)];
    const double now = reach(body, local);
    best = std::max(best, now);
    out.is_dead = !out.holding.empty() && now < dead_share * best;
    return out;
}

}  // namespace pawl
