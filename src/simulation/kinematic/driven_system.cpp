#include "simulation/kinematic/driven_system.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include "math/linear/dense.h"
#include "math/tolerances/motion.h"
#include "results/text.h"
#include "simulation/placement/mobility.h"

namespace pawl {

namespace {

using Space = PlanarSpace;

}  // namespace

DrivenSystem::DrivenSystem(const PlacedMechanism& placed, CoordinateKind coordinates, double end)
    : placed_(placed),
      coordinates_(coordinates),
      rests_(choose_independent(placed, true)),
      jump_(first_driver_jump(placed.mechanism, end)) {
    kept_ = rests_;
    equations_ = make(rests_, {});
}

std::optional<DrivenSystem::Trouble> DrivenSystem::jump_until(double t) const {
    if (!jump_ || t < jump_->t - tolerance::near_time * (1 + t)) return std::nullopt;
    return Trouble{KinematicStatus::stuck, jump_->message, jump_->span};
}

std::unique_ptr<DrivenSystem::Mechanics> DrivenSystem::make(
    std::vector<RestCoordinate<Space>> rests, std::vector<ContactPoint<Space>> contacts) const {
    Mechanics::Choice choice;
    choice.coordinates = coordinates_;
    choice.rests = std::move(rests);
    choice.contacts = std::move(contacts);
    auto equations =
        std::make_unique<Mechanics>(placed_.mechanism, placed_.topology, std::move(choice));
    equations->set_model_size(placed_.assembly.model_size);
    return equations;
}

void DrivenSystem::choose_rows() {
    auto rank =
        rank_of_rows(equations_->pattern(), equations_->jacobian(), equations_->column_scale());
    dependent_ = rank.dependent;
    const bool singular = rank.rank < equations_->size();
    // At a change point there are more degrees of freedom than next to it: one too many would be
    // kept at rest.
    starts_singular_ = singular || (!placed_.mechanism.drivers.empty() && !rests_.empty() &&
                                    analyse_mobility(placed_).singular_here());
    if (singular) {
        // A singular start: complete the choice with the dependent rows in order, so that the
        // system is square; the first step leaves the singular position.
        for (const int r : rank.dependent)
            if (static_cast<int>(rank.independent.size()) < equations_->size())
                rank.independent.push_back(r);
        std::sort(rank.independent.begin(), rank.independent.end());
    }
    motion_ = std::make_unique<DrivenMotion>(*equations_, rank.independent);
}

std::optional<DrivenSystem::Trouble> DrivenSystem::begin(MotionNode& node) {
    const SolveOutcome outcome = starts_singular_ ? SolveOutcome::singular : motion_->solve(node);
    if (outcome != SolveOutcome::solved)
        return Trouble{KinematicStatus::stuck,
                       "the motion starts in a singular position, where the drivers do not "
                       "determine how it continues; start slightly away from it",
                       {}};
    return contradiction(node);
}

// Among the undriven coordinates as many stay at rest as degrees of freedom remain: those that the
// contacts move least.
void DrivenSystem::hold_contacts(ContactMode& mode, const MotionNode& node) {
    const auto bare = make({}, mode.closed());
    mode.apply_to(*bare);
    bare->set_position(node.q, node.t);
    mode.note_state(bare->coordinates());
    for (RestCoordinate<Space>& rest : rests_)
        rest.value = evaluate_coordinate(bare->coordinates(), rest.coordinate).value;
    const auto rank = rank_of_rows(bare->pattern(), bare->jacobian(), bare->column_scale());
    kept_.clear();
    if (rank.rank < bare->size()) keep_least_moved(*bare, mode, node);
    equations_ = make(kept_, mode.closed());
    mode.apply_to(*equations_);
    equations_->set_position(node.q, node.t);
    auto rows =
        rank_of_rows(equations_->pattern(), equations_->jacobian(), equations_->column_scale());
    dependent_ = rows.dependent;
    is_complete_ = rows.rank == equations_->size();
    motion_ = std::make_unique<DrivenMotion>(*equations_, rows.independent);
}

void DrivenSystem::keep_least_moved(const Mechanics& bare, ContactMode& mode,
                                    const MotionNode& node) {
    const auto all = make(rests_, mode.closed());
    mode.apply_to(*all);
    all->set_position(node.q, node.t);
    const Eigen::MatrixXd g = scaled_dense(all->pattern(), all->jacobian(), all->column_scale());
    const Eigen::MatrixXd free = null_space(bare.pattern(), bare.jacobian(), bare.column_scale());
    Eigen::MatrixXd held(rests_.size(), free.cols());
    std::size_t rest = 0;
    for (int r = 0; r < all->pattern().rows(); ++r)
        if (all->labels()[r].role == RowRole::rest) held.row(rest++) = g.row(r) * free;
    std::vector<int> chosen = pivot_order(held.transpose());
    chosen.resize(static_cast<std::size_t>(free.cols()));
    std::sort(chosen.begin(), chosen.end());
    for (const int i : chosen) kept_.push_back(rests_[i]);
}

std::optional<DrivenSystem::Trouble> DrivenSystem::solve(MotionNode& node) {
    if (!is_complete_ || motion_->solve(node) != SolveOutcome::solved)
        return Trouble{
            KinematicStatus::stuck,
            "no motion with the contacts that are closed at t = " + number_text(node.t, 9) + " s",
            {}};
    return contradiction(node);
}

std::optional<DrivenSystem::Trouble> DrivenSystem::contradiction(const MotionNode& node) const {
    const RowPattern& p = equations_->pattern();
    const double size = equations_->model_size();
    for (const int r : dependent_) {
        double rate = -equations_->nu()[r], scale = std::abs(rate);
        for (int i = p.start[r]; i < p.start[r + 1]; ++i) {
            const double term = equations_->jacobian()[i] * node.v[p.column[i]];
            rate += term;
            scale += std::abs(term);
        }
        const bool opened = std::abs(equations_->phi()[r]) > tolerance::opened_row * size;
        if (std::abs(rate) <= tolerance::opened_row * (size + scale) && !opened) continue;
        const RowLabel& label = equations_->labels()[r];
        return Trouble{KinematicStatus::drivers_fight,
                       (label.role == RowRole::driver ? "driver '" : "joint '") + label.element +
                           "' is contradicted by the other drivers and joints at t = " +
                           number_text(node.t) + " s; remove a driver",
                       label.span};
    }
    return std::nullopt;
}

double longest_step(const MechanismEquations<PlanarSpace>& equations, const MotionNode& node) {
    double v = 0, a = 0;
    for (std::size_t i = 0; i < node.q.size(); ++i) {
        if (equations.coordinates().column_component(static_cast<int>(i)) != Component::angle)
            continue;
        v = std::max(v, std::abs(node.v[i]));
        a = std::max(a, std::abs(node.a[i]));
    }
    return std::min(tolerance::turn / v, std::sqrt(2 * tolerance::turn / a));
}

void predict(const std::optional<MotionNode>& before, const MotionNode& node, double t,
             std::vector<double>& q) {
    const double h = t - node.t;
    if (before && h <= 1.01 * (node.t - before->t)) return interpolate(*before, node, t, q);
    for (std::size_t i = 0; i < q.size(); ++i)
        q[i] = node.q[i] + h * (node.v[i] + 0.5 * h * node.a[i]);
}

// The cubic-corrected trapezoid q1 - q0 = h/2 (v0 + v1) + h^2/12 (a0 - a1) holds to fifth order
// along one smooth branch; a jump to another branch breaks it by the distance of the branches.
bool stays_on_branch(const MechanismEquations<PlanarSpace>& equations, const MotionNode& a,
                     const MotionNode& b) {
    const double h = b.t - a.t;
    double missed = 0, length = 0;
    for (std::size_t i = 0; i < a.q.size(); ++i) {
        const double scale = equations.column_scale()[i];
        const double path = h / 2 * (a.v[i] + b.v[i]) + h * h / 12 * (a.a[i] - b.a[i]);
        missed = std::max(missed, scale * std::abs(b.q[i] - a.q[i] - path));
        length = std::max(length, scale * h * std::max(std::abs(a.v[i]), std::abs(b.v[i])));
    }
    return missed <=
           tolerance::branch * length + tolerance::branch_rounding * equations.model_size();
}

}  // namespace pawl
