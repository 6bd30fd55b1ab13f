#include "simulation/placement/mobility.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include <Eigen/Dense>

#include "math/linear/dense.h"
#include "math/linear/row_rotations.h"
#include "math/tolerances/motion.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Equations_ = MechanismEquations<Space>;

// Dense orthogonalisation costs rows x columns^2; above this the names of the rows are given
// without their partners.
constexpr int largest_explained = 400;

// Rows in file order: a row that lies in the span of the rows before it is redundant, and the rows
// that carry it are those with a weight in the combination.
std::vector<RedundantRow> explain_redundancy(const Equations& eq) {
    const Eigen::MatrixXd a = scaled_dense(eq.pattern(), eq.jacobian(), eq.column_scale());
    std::vector<RedundantRow> redundant;
    std::vector<int> kept;
    Eigen::MatrixXd basis(a.cols(), 0);
    for (int r = 0; r < a.rows(); ++r) {
        Eigen::VectorXd rest = a.row(r).transpose();
        const double length = rest.norm();
        for (int pass = 0; pass < 2; ++pass) rest -= basis * (basis.transpose() * rest);
        if (rest.norm() > tolerance::redundant_row * std::max(length, tolerance::no_division)) {
            basis.conservativeResize(Eigen::NoChange, basis.cols() + 1);
            basis.col(basis.cols() - 1) = rest.normalized();
            kept.push_back(r);
            continue;
        }
        const RowLabel& label = eq.labels()[r];
        RedundantRow row{label.name, label.element, label.span, {}};
        if (!kept.empty()) {
            const Eigen::MatrixXd carriers = a(kept, Eigen::all).transpose();
            const Eigen::VectorXd weight = solve_independent(carriers, a.row(r).transpose());
            for (std::size_t i = 0; i < kept.size(); ++i) {
                const std::string& joint = eq.labels()[kept[i]].element;
                if (std::abs(weight[i]) > tolerance::redundant_weight && joint != row.joint &&
                    std::find(row.implied_by.begin(), row.implied_by.end(), joint) ==
                        row.implied_by.end())
                    row.implied_by.push_back(joint);
            }
        }
        redundant.push_back(std::move(row));
    }
    return redundant;
}

std::vector<RedundantRow> name_redundancy(const Equations& eq) {
    if (eq.pattern().rows() <= largest_explained) return explain_redundancy(eq);
    std::vector<RedundantRow> redundant;
    for (const int r : rank_of_rows(eq.pattern(), eq.jacobian(), eq.column_scale()).dependent)
        redundant.push_back({eq.labels()[r].name, eq.labels()[r].element, eq.labels()[r].span, {}});
    return redundant;
}

std::string suggestion(const PlanarMechanism& mechanism, const std::string& joint_name,
                       int redundant_rows) {
    for (const auto& joint : mechanism.joints) {
        if (joint.name != joint_name) continue;
        const std::string head =
            "joint '" + joint_name + "' (" + std::string(joint.kind_name()) + "): ";
        if (redundant_rows >= joint.row_count())
            return head + "remove it, or free one of the joints that repeat it";
        const auto kind = joint.kind_name();
        if (kind == "revolute")
            return head + "replace it by a slot, which keeps one direction only";
        if (kind == "prismatic") return head + "replace it by a slot, which leaves the angle free";
        if (kind == "weld") return head + "replace it by a revolute joint or a slot";
        return head + "loosen one of its constraints";
    }
    return {};
}

int freedoms(const Equations& eq) {
    return eq.size() - rank_of_rows(eq.pattern(), eq.jacobian(), eq.column_scale()).rank;
}

// The directions that the rows leave free, to be mixed.
class FreeDirections {
public:
    explicit FreeDirections(const Equations& eq) {
        if (is_large(eq.size(), eq.size()))
            rotations_.emplace(eq.pattern(), eq.jacobian(), eq.column_scale());
        else
            basis_ = null_space(eq.pattern(), eq.jacobian(), eq.column_scale());
    }
    [[nodiscard]] Eigen::Index count() const {
        return rotations_ ? static_cast<Eigen::Index>(rotations_->free_columns().size())
                          : basis_.cols();
    }
    // Of the length 1.
    [[nodiscard]] Eigen::VectorXd mixed(const std::vector<double>& parts) const {
        const Eigen::Map<const Eigen::VectorXd> mixture(parts.data(), count());
        if (!rotations_) return basis_ * mixture.normalized();
        const std::vector<double> x = rotations_->direction(parts);
        return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()))
            .normalized();
    }

private:
    std::optional<RowRotations> rotations_;
    Eigen::MatrixXd basis_;  // orthonormal
};

// Moves a little along a mixture of the free directions and closes the joints again. The generic
// rank is the largest one met.
int freedoms_nearby(const PlacedMechanism& placed, int here, Equations_& absolute) {
    Equations_ eq(placed.mechanism, placed.topology, {.drivers = false});
    eq.set_model_size(placed.assembly.model_size);
    const std::vector<double> home = eq.coordinates().from_positions(placed.assembly.positions);
    eq.set_position(home, 0);
    const FreeDirections free(eq);
    int least = here;
    std::mt19937 random(3);
    for (int attempt = 0; attempt < 6 && free.count() > 0; ++attempt) {
        std::vector<double> mixture(static_cast<std::size_t>(free.count()));
        for (double& m : mixture) m = static_cast<double>(random()) / 4294967296.0 * 2 - 1;
        const Eigen::VectorXd step = free.mixed(mixture) * (0.02 * eq.model_size());
        std::vector<double> q = home;
        for (int c = 0; c < eq.size(); ++c) q[c] += step[c] / eq.column_scale()[c];
        solve_least_squares(eq, q, 0);
        if (eq.residual() > tolerance::position_accepted * eq.model_size()) continue;
        std::vector<Space::Position> positions;
        for (std::size_t b = 0; b < placed.mechanism.bodies.size(); ++b)
            positions.push_back(eq.coordinates().position(static_cast<int>(b)));
        const auto q_absolute = absolute.coordinates().from_positions(positions);
        absolute.set_position(q_absolute, 0);
        least = std::min(least, freedoms(absolute));
        if (least < here) return least;
    }
    return least;
}

}  // namespace

Mobility analyse_mobility(const PlacedMechanism& placed) {
    Mobility m;
    m.bodies = placed.mechanism.moving_bodies();
    m.drivers = static_cast<int>(placed.mechanism.drivers.size());
    Equations_ eq(placed.mechanism, placed.topology,
                  {.coordinates = CoordinateKind::absolute, .drivers = false});
    eq.set_model_size(placed.assembly.model_size);
    eq.set_position(eq.coordinates().from_positions(placed.assembly.positions), 0);
    m.joint_rows = eq.pattern().rows();
    m.gruebler = Space::freedoms * m.bodies - m.joint_rows;
    m.freedoms_here = m.freedoms_nearby = freedoms(eq);
    // Rows that are all independent here are so nearby: there are no fewer degrees of freedom than
    // Grübler's.
    if (m.freedoms_here != m.gruebler)
        m.freedoms_nearby = freedoms_nearby(placed, m.freedoms_here, eq);
    if (m.freedoms_nearby > m.gruebler) {
        m.redundant = name_redundancy(eq);
        std::vector<std::string> joints;
        for (const auto& r : m.redundant)
            if (std::find(joints.begin(), joints.end(), r.joint) == joints.end())
                joints.push_back(r.joint);
        for (const auto& joint : joints)
            m.suggestions.push_back(suggestion(
                placed.mechanism, joint,
                static_cast<int>(std::count_if(m.redundant.begin(), m.redundant.end(),
                                               [&](const auto& r) { return r.joint == joint; }))));
    }
    for (const auto& c : choose_independent(placed, false, &m.independent_problem))
        m.independent.push_back(c.name);
    return m;
}

std::optional<IndeterminateFriction> indeterminate_friction(const PlacedMechanism& placed) {
    const auto& joints = placed.mechanism.joints;
    if (std::none_of(joints.begin(), joints.end(), [](const auto& j) { return j.friction(); }))
        return std::nullopt;
    Equations_ eq(placed.mechanism, placed.topology,
                  {.coordinates = CoordinateKind::absolute, .drivers = false});
    eq.set_model_size(placed.assembly.model_size);
    eq.set_position(eq.coordinates().from_positions(placed.assembly.positions), 0);
    if (rank_of_rows(eq.pattern(), eq.jacobian(), eq.column_scale()).dependent.empty())
        return std::nullopt;
    const Mobility mobility = analyse_mobility(placed);
    std::set<std::string> shared;
    for (const RedundantRow& row : mobility.redundant) {
        shared.insert(row.joint);
        shared.insert(row.implied_by.begin(), row.implied_by.end());
    }
    std::string names;
    const Joint<Space>* first = nullptr;
    for (const auto& joint : joints) {
        if (!joint.friction() || !shared.contains(joint.name)) continue;
        if (!first) first = &joint;
        names += (names.empty() ? "'" : ", '") + joint.name + "'";
    }
    if (!first) return std::nullopt;
    return IndeterminateFriction{"friction of joint " + names +
                                     ": redundant constraints leave the reactions undetermined, "
                                     "and the friction with them; remove the friction, or " +
                                     mobility.suggestions.front(),
                                 first->span};
}

}  // namespace pawl
