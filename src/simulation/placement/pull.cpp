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
    tolerance::metric_share;           // of W beside the pull: what is pulled follows first
constexpr int max_steps = 250;         // a target twice the model's size away is reached
constexpr int settling_steps = 4;      // that only close the joints again
constexpr double dead_share = 0.05;    // of the best reach: some degrees from a dead position
constexpr int max_columns = 300;       // for which the position is judged after each pull
constexpr double moving_share = 0.05;  // of a pull: a point that follows less stands still

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

// The linear problem of one position: [W + J^T J, G^T; G, -softness], its right side for a pull of
// one unit along x and along y, and for each contact.
struct Pull::Problem {
    int columns = 0, rows = 0;
    std::vector<Contact> contacts;
    Eigen::MatrixXd system;
    Eigen::MatrixXd along;  // J^T, 2 columns

    // Columns for right sides above the rows of the contacts.
    [[nodiscard]] Eigen::MatrixXd solve(const Eigen::MatrixXd& first) const {
        Eigen::MatrixXd right = Eigen::MatrixXd::Zero(system.rows(), first.cols() + count());
        right.leftCols(first.cols()) = first;
        for (Eigen::Index i = 0; i < count(); ++i)
            right.col(first.cols() + i).head(columns) = contacts[static_cast<std::size_t>(i)].row;
        return solve_regular(system, right);
    }
    // The forces z >= 0 of the contacts that keep gap + N (change + forced z) >= 0; none where
    // there is no solution.
    [[nodiscard]] Eigen::VectorXd forces(const Eigen::VectorXd& change,
                                         const Eigen::MatrixXd& forced,
                                         const Eigen::VectorXd& gaps) const {
        Eigen::MatrixXd a(count(), count());
        Eigen::VectorXd b(count()), z = Eigen::VectorXd::Zero(count());
        for (Eigen::Index i = 0; i < count(); ++i) {
            const Eigen::VectorXd& row = contacts[static_cast<std::size_t>(i)].row;
            b[i] = gaps[i] + row.dot(change);
            a.row(i) = row.transpose() * forced;
            a(i, i) += tolerance::pull_softness;
        }
        if (count() > 0 && solve_complementarity(a, b, z) != ComplementarityOutcome::solved)
            z.setZero();
        return z;
    }
    [[nodiscard]] Eigen::Index count() const { return static_cast<Eigen::Index>(contacts.size()); }
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

// Among the joints of a body the one whose row pulls hardest at it; moments are divided by the
// extent of the body.
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

Pull::Problem Pull::problem_of(int body, Vector local) {
    auto& eq = *equations_;
    eq.set_position(eq.coordinates().from_positions(positions_), 0);
    const int n = eq.size(), m = eq.pattern().rows();
    Problem out{n, m, near_contacts(), Eigen::MatrixXd::Zero(n + m, n + m),
                Eigen::MatrixXd::Zero(n, 2)};
    for (std::size_t b = 1; b < positions_.size(); ++b) {
        const int c = column_of(static_cast<int>(b));
        out.system(c, c) = out.system(c + 1, c + 1) = metric_share;
        out.system(c + 2, c + 2) = metric_share * extents_[b] * extents_[b];
    }
    if (body > 0) {
        const Vector arm = positions_[static_cast<std::size_t>(body)].to_ground(local);
        out.along.block(column_of(body), 0, 3, 2) << 1, 0, 0, 1, -arm.y, arm.x;
        out.system.topLeftCorner(n, n) += out.along * out.along.transpose();
    }
    // Redundant rows share their multiplier: a tiny compliance decides how.
    for (int row = 0; row < m; ++row) {
        for (int e = eq.pattern().start[row]; e < eq.pattern().start[row + 1]; ++e)
            out.system(n + row, eq.pattern().column[e]) =
                out.system(eq.pattern().column[e], n + row) = eq.jacobian()[e];
        out.system(n + row, n + row) = -tolerance::pull_softness;
    }
    return out;
}

void Pull::take_step(int body, Vector local, Vector target, double radius, Outcome& out) {
    const Problem problem = problem_of(body, local);
    const int n = problem.columns;
    Eigen::VectorXd right = Eigen::VectorXd::Zero(n + problem.rows);
    if (body > 0) {
        const Position& at = positions_[static_cast<std::size_t>(body)];
        const Vector error = target - (at.p + at.to_ground(local));
        right.head(n) = problem.along * Eigen::Vector2d(error.x, error.y);
    }
    for (int row = 0; row < problem.rows; ++row) right[n + row] = -equations_->phi()[row];
    const Eigen::MatrixXd solved = problem.solve(right);
    const Eigen::MatrixXd forced = solved.topRightCorner(n, problem.count());
    Eigen::VectorXd change = solved.col(0).head(n), gaps(problem.count());
    for (Eigen::Index i = 0; i < gaps.size(); ++i)
        gaps[i] = problem.contacts[static_cast<std::size_t>(i)].gap;
    const Eigen::VectorXd z = problem.forces(change, forced, gaps);
    change += forced * z;
    out.blocking.clear();
    out.holding.clear();
    Eigen::Index largest = 0;
    if (z.size() > 0 && z.maxCoeff(&largest) > 0) {
        const auto pair = problem.contacts[static_cast<std::size_t>(largest)].pair;
        out.blocking = mechanism_.contacts[static_cast<std::size_t>(pair)].name;
    }
    if (body > 0 && out.blocking.empty())
        out.holding = holding_joint(body, solved.col(0).tail(problem.rows));
    move_by(change, radius);
}

// The velocities that joints and closed contacts leave to a point are a cone. It has more than its
// tip if and only if something of it lies on one of the four sides x > 0, x < 0, y > 0, y < 0: four
// pulls decide.
bool Pull::is_jammed(int body, Vector local) {
    Problem problem = problem_of(body, local);
    std::erase_if(problem.contacts, [&](const Contact& contact) {
        return contact.gap > tolerance::pulled_nearly * size_;
    });
    const int n = problem.columns;
    Eigen::MatrixXd right = Eigen::MatrixXd::Zero(n + problem.rows, 2);
    right.topRows(n) = problem.along;
    const Eigen::MatrixXd solved = problem.solve(right);
    const Eigen::MatrixXd forced = solved.topRightCorner(n, problem.count());
    const Eigen::VectorXd gaps = Eigen::VectorXd::Zero(problem.count());
    for (const double way : {1.0, -1.0})
        for (int axis = 0; axis < 2; ++axis) {
            Eigen::VectorXd change = way * solved.col(axis).head(n);
            change += forced * problem.forces(change, forced, gaps);
            if (way * problem.along.col(axis).dot(change) > moving_share) return false;
        }
    return true;
}

// What a row adds to the others: of its length 1 what is left beside their span. That is
// 1 / (A A^T)^-1_ii, raised a little because dependent rows have no inverse.
std::vector<std::string> Pull::redundant_joints() {
    const auto& eq = *equations_;
    Eigen::MatrixXd a = scaled_dense(eq.pattern(), eq.jacobian(), eq.column_scale());
    a.rowwise().normalize();
    Eigen::MatrixXd products = a * a.transpose();
    products.diagonal().array() += tolerance::redundant_row * tolerance::redundant_row;
    const Eigen::VectorXd news =
        inverse(products).diagonal().cwiseMax(1).cwiseInverse().cwiseSqrt();
    most_news_ = most_news_.size() == news.size() ? most_news_.cwiseMax(news).eval() : news;
    std::vector<std::string> out;
    for (Eigen::Index row = 0; row < news.size(); ++row) {
        const std::string& joint = eq.labels()[static_cast<std::size_t>(row)].element;
        if ((news[row] < tolerance::repeated_row || news[row] < dead_share * most_news_[row]) &&
            std::find(out.begin(), out.end(), joint) == out.end())
            out.push_back(joint);
    }
    return out;
}

Pull::Outcome Pull::to(int body, Vector local, Vector target) {
    Outcome out;
    const auto left = [&] {
        const Position& at = positions_[static_cast<std::size_t>(body)];
        return target - (at.p + at.to_ground(local));
    };
    double& extent = extents_[static_cast<std::size_t>(body)];
    extent = std::max(extent, std::hypot(local.x, local.y));
    // A step that does not bring the point nearer is undone. It is tried with half the radius, and
    // so is the step after a reversal: near the end of a circle straight steps go too far.
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
    out.is_jammed = !out.blocking.empty() && is_jammed(body, local);
    out.redundant = redundant_joints();
    return out;
}

}  // namespace pawl
