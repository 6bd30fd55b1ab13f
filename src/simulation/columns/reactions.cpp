#include "simulation/columns/reactions.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "dynamics/response/sliding.h"
#include "math/linear/dense.h"
#include "math/seeded_fault.h"
#include "math/tolerances/records.h"
#include "mechanism/force_row.h"
#include "mechanism/joint_kind.h"

namespace pawl {

namespace {

using Space = PlanarSpace;

MechanismEquations<Space>::Choice all_rows(MechanismEquations<Space>::Choice choice) {
    choice.coordinates = CoordinateKind::absolute;
    return choice;
}

// The parts of an inertia force, which may cancel each other: a body that turns about a centre of
// mass beside its origin needs none of them together.
double inertia_parts(const Body<Space>& body, const Coordinates<Space>& motion, int b) {
    const auto& a = motion.acceleration(b);
    const double omega = motion.velocity(b).omega, arm = std::hypot(body.centre.x, body.centre.y);
    return body.mass.value_or(0.0) *
           (std::hypot(a.v.x, a.v.y) + (std::abs(a.omega) + omega * omega) * arm);
}

}  // namespace

Reactions::Reactions(const PlacedMechanism& placed, Choice choice)
    : mechanism_(placed.mechanism),
      equations_(placed.mechanism, placed.topology, all_rows(std::move(choice))),
      joints_(placed.mechanism.joints.size()) {
    equations_.set_model_size(placed.assembly.model_size);
    const RowPattern& p = equations_.pattern();
    for (int r = 0; r < p.rows(); ++r)
        if (equations_.labels()[r].role != RowRole::joint) drivers_.push_back(0);
    products_ = row_products(p);
    for (const double scale : equations_.column_scale()) weight_.push_back(1 / (scale * scale));
    std::vector<std::pair<int, int>> pairs;
    for (const RowProduct& x : products_) pairs.emplace_back(x.row, x.other);
    ldlt_ = EnvelopeLdlt(p.rows(), pairs);
    lambda_.assign(p.rows(), 0.0);
    large_ = is_large(p.rows(), p.columns);
    friction_.points = equations_.friction();
    friction_.forces.assign(friction_.points.size(), 0.0);
}

void Reactions::factor_rows() {
    const auto& g = equations_.jacobian();
    ldlt_.clear();
    for (const RowProduct& x : products_)
        ldlt_.add(x.other, x.row, weight_[x.column] * g[x.entry] * g[x.other_entry]);
    ldlt_.factor(tolerance::dependent, tolerance::dependent_raise);
}

// The joints that share an undetermined combination: rows with a part in the left null space.
void Reactions::find_indeterminate(const RowRank& rank) {
    const RowPattern& p = equations_.pattern();
    std::vector<char> open(static_cast<std::size_t>(p.rows()), 0);
    if (large_) {
        // Partners are searched for this many; of the others they are mostly the same.
        constexpr std::size_t max_searched = 100;
        factor_rows();
        for (std::size_t i = 0; i < rank.dependent.size(); ++i) {
            open[static_cast<std::size_t>(rank.dependent[i])] = 1;
            if (i < max_searched) note_partners(rank.dependent[i], open);
        }
    } else {
        const Eigen::MatrixXd a = scaled_dense(p, equations_.jacobian(), equations_.column_scale());
        const Eigen::MatrixXd left = kernel(a.transpose(), tolerance::rank);
        for (int r = 0; r < p.rows(); ++r)
            open[static_cast<std::size_t>(r)] =
                left.row(r).norm() > tolerance::undetermined_row ? 1 : 0;
    }
    std::set<std::string> known;
    for (int r = 0; r < p.rows(); ++r) {
        const std::string& name = equations_.labels()[r].element;
        if (open[static_cast<std::size_t>(r)] && known.insert(name).second)
            indeterminate_.push_back(name);
    }
}

// Of all w with G^T w = g_d, where g_d is row d, the smallest is e_d without its part in the left
// null space.
void Reactions::note_partners(int dependent, std::vector<char>& open) {
    constexpr double part =
        tolerance::raised_part;  // what the raise of singular pivots leaves is far smaller
    const RowPattern& p = equations_.pattern();
    const auto& g = equations_.jacobian();
    left_.assign(static_cast<std::size_t>(p.columns), 0.0);
    for (int i = p.start[dependent]; i < p.start[dependent + 1]; ++i)
        left_[p.column[i]] = weight_[p.column[i]] * g[i];
    step_.assign(static_cast<std::size_t>(p.rows()), 0.0);
    for (int r = 0; r < p.rows(); ++r)
        for (int i = p.start[r]; i < p.start[r + 1]; ++i) step_[r] += g[i] * left_[p.column[i]];
    ldlt_.solve(step_, tolerance::near_singular);
    step_[dependent] -= 1;
    for (int r = 0; r < p.rows(); ++r)
        if (std::abs(step_[r]) > part) open[static_cast<std::size_t>(r)] = 1;
}

// G^T lambda = wanted with moments divided by the model's size: A lambda = b, A = D^-1 G^T.
// Determined reactions come from the normal equations, refined where what is left is more than
// rounding, until it no longer falls; otherwise the smallest ones from an orthogonal decomposition
// or, of large models, from the normal equations again.
void Reactions::solve_rows(const std::vector<double>& wanted) {
    const RowPattern& p = equations_.pattern();
    const auto& g = equations_.jacobian();
    if (redundant_ && !large_) {
        const auto& scale = equations_.column_scale();
        const Eigen::MatrixXd a = scaled_dense(p, g, scale).transpose();
        Eigen::VectorXd b(a.rows());
        for (int c = 0; c < a.rows(); ++c) b[c] = wanted[c] / scale[c];
        const Eigen::VectorXd x = solve_least_squares(a, b, tolerance::rank);
        std::copy(x.begin(), x.end(), lambda_.begin());
        return;
    }
    factor_rows();
    std::fill(lambda_.begin(), lambda_.end(), 0.0);
    left_ = wanted;
    step_.resize(p.rows());
    constexpr int max_passes = 30;
    constexpr double rounding = tolerance::reaction_rounding, enough = tolerance::reaction_enough,
                     falling = 0.8;
    const auto largest = [&](const std::vector<double>& forces) {
        double largest = 0;
        for (std::size_t c = 0; c < forces.size(); ++c)
            largest = std::max(largest, forces[c] * forces[c] * weight_[c]);
        return std::sqrt(largest);
    };
    const double all = largest(wanted);
    double before = INFINITY;
    for (int pass = 0; pass < max_passes; ++pass) {
        const double left = largest(left_);
        if (pass > 0 && left <= rounding * all) break;
        // Next to a singular position each further pass takes a part of what is left away.
        if (pass > 1 && !(left > enough * all && left < falling * before)) break;
        before = left;
        for (int r = 0; r < p.rows(); ++r) {
            double sum = 0;
            for (int i = p.start[r]; i < p.start[r + 1]; ++i)
                sum += weight_[p.column[i]] * g[i] * left_[p.column[i]];
            step_[r] = sum;
        }
        ldlt_.solve(step_, tolerance::near_singular);
        for (int r = 0; r < p.rows(); ++r) {
            lambda_[r] += step_[r];
            for (int i = p.start[r]; i < p.start[r + 1]; ++i) left_[p.column[i]] -= g[i] * step_[r];
        }
    }
}

// The rows answer to friction linearly, and so do the loads; the rest is that of any sliding.
void Reactions::add_friction(const Coordinates<Space>& motion, std::vector<double>& wanted) {
    std::vector<double> v;
    for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b) {
        const auto& twist = motion.velocity(static_cast<int>(b));
        v.insert(v.end(), {twist.v.x, twist.v.y, twist.omega});
    }
    const RowPattern& slip = equations_.slip_pattern();
    const std::size_t m = friction_.points.size(),
                      n = static_cast<std::size_t>(equations_.load_count());
    SlidingForces forces(m, n);
    std::vector<const FrictionPoint*> laws;
    std::vector<double> slips(m), loads(n);
    solve_rows(wanted);
    equations_.find_loads({}, lambda_, {}, forces.first);
    double speed = 0;
    for (const double x : v) speed = std::max(speed, std::abs(x));
    for (std::size_t k = 0; k < m; ++k) {
        std::vector<double> push(wanted.size(), 0.0);
        for (int i = slip.start[k]; i < slip.start[k + 1]; ++i)
            push[slip.column[i]] = -equations_.slip_rows()[i];
        solve_rows(push);
        equations_.find_loads({}, lambda_, {}, loads);
        for (std::size_t i = 0; i < n; ++i) forces.slope[i * m + k] = loads[i];
        slips[k] = equations_.slip(static_cast<int>(k), v);
        const bool still = std::abs(slips[k]) <= tolerance::slip_rounding * speed;
        if (!held_) friction_.points[k].direction = still ? 0 : slips[k] > 0 ? 1 : -1;
        laws.push_back(&friction_.points[k]);
    }
    friction_.locked = !forces.solve(laws, slips) || forces.margin() <= 0;
    friction_.forces = forces.force;
    friction_.power = 0;
    for (std::size_t k = 0; k < m; ++k) {
        friction_.power += friction_.forces[k] * slips[k];
        for (int i = slip.start[k]; i < slip.start[k + 1]; ++i)
            wanted[slip.column[i]] -= friction_.forces[k] * equations_.slip_rows()[i];
    }
}

void Reactions::check_rank() {
    if (checked_) return;
    checked_ = true;
    const auto rank =
        rank_of_rows(equations_.pattern(), equations_.jacobian(), equations_.column_scale());
    redundant_ = !rank.dependent.empty();
    if (redundant_) find_indeterminate(rank);
}

double Reactions::find_wanted(const Coordinates<Space>& motion, const TreeInertia<Space>& inertia,
                              const std::vector<Space::Wrench>& applied, double largest) {
    wanted_.assign(equations_.size(), 0.0);
    for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b) {
        const auto needs = inertia.inertia_wrench(static_cast<int>(b));
        const std::size_t c = 3 * (b - 1);
        wanted_[c] = needs.f.x - applied[b].f.x;
        wanted_[c + 1] = needs.f.y - applied[b].f.y;
        wanted_[c + 2] = needs.m - applied[b].m;
        const double size = equations_.model_size();
        largest = std::max({largest, std::abs(needs.f.x), std::abs(needs.f.y),
                            std::abs(applied[b].f.x), std::abs(applied[b].f.y),
                            std::abs(needs.m) / size, std::abs(applied[b].m) / size,
                            inertia_parts(mechanism_.bodies[b], motion, static_cast<int>(b))});
    }
    return largest;
}

double Reactions::largest_unsupplied() {
    const RowPattern& p = equations_.pattern();
    double worst = 0;
    left_ = wanted_;
    for (int r = 0; r < p.rows(); ++r)
        for (int i = p.start[r]; i < p.start[r + 1]; ++i)
            left_[p.column[i]] -= equations_.jacobian()[i] * lambda_[r];
    for (int c = 0; c < equations_.size(); ++c)
        worst = std::max(worst, std::abs(left_[c]) / equations_.column_scale()[c]);
    return worst;
}

void Reactions::resolve(double rounding) {
    int r = 0;
    for (std::size_t j = 0; j < mechanism_.joints.size(); ++j) {
        const auto& joint = mechanism_.joints[j];
        std::array<Space::Frame, 3> frames;
        for (int k = 0; k < joint.frame_count(); ++k)
            frames[k].position = joint.frames[k].on(positions_[joint.frames[k].body]);
        Space::Row rows[3];
        std::visit([&](const auto& kind) { kind.rows(frames, rows); }, *joint.kind);
        joints_[j] = {};
        for (int i = 0; i < joint.row_count(); ++i, ++r) {
            const double factor = lambda_[r] * equations_.row_scale(r);
            joints_[j].on_b.f += factor * rows[i].w[1].f;
            joints_[j].on_b.m +=
                (seeded(Fault::reaction_moment_scaled) ? 0.5 : 1) * factor * rows[i].w[1].m;
        }
        if (joint.kind_name() == "prismatic") {
            const auto n = Space::turned(frames[0].position.u);
            const double normal = Space::dot(n, joints_[j].on_b.f);
            joints_[j].offset = std::abs(normal) > rounding ? joints_[j].on_b.m / normal : 0;
        }
    }
    std::size_t driver = 0;
    for (; r < equations_.pattern().rows(); ++r)
        drivers_[driver++] = lambda_[r] * equations_.row_scale(r);
}

void Reactions::solve(const Coordinates<Space>& motion, const TreeInertia<Space>& inertia,
                      const std::vector<Space::Wrench>& applied, double t, double scale) {
    positions_.clear();
    for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b)
        positions_.push_back(motion.position(static_cast<int>(b)));
    equations_.set_position(equations_.coordinates().from_positions(positions_), t);
    check_rank();
    const double largest = find_wanted(motion, inertia, applied, scale);
    if (!friction_.points.empty()) add_friction(motion, wanted_);
    solve_rows(wanted_);
    const double worst = largest_unsupplied();
    imbalance_ = largest > 0 ? worst / largest : 0;
    resolve(tolerance::reaction_noise * largest);
}

void Reactions::solve_held(const Coordinates<Space>& motion, const TreeInertia<Space>& inertia,
                           const std::vector<Space::Wrench>& applied, double t) {
    held_ = true;
    solve(motion, inertia, applied, t);
    held_ = false;
}

std::string indeterminate_warning(const Reactions& reactions) {
    std::string names;
    for (const auto& n : reactions.indeterminate())
        names += (names.empty() ? "'" : ", '") + n + "'";
    return "the reactions of " + names +
           " are not determined by the balance of forces (redundant constraints); the smallest "
           "ones that balance are given";
}

void add_reaction_columns(const PlanarMechanism& mechanism, std::vector<Column>& columns) {
    for (const auto& joint : mechanism.joints) {
        if (joint.row_count() == 0) continue;
        for (const auto& [tail, unit] :
             {std::pair{"fx", "N"}, {"fy", "N"}, {"m", "N m"}, {"fu", "N"}, {"fv", "N"}})
            columns.push_back({joint.name + "." + tail, unit});
        if (joint.kind_name() == "prismatic") columns.push_back({joint.name + ".offset", "m"});
    }
    for (const auto& d : mechanism.drivers)
        columns.push_back(
            {d.name + ".force", d.coordinate.component == Component::angle ? "N m" : "N"});
}

namespace {

bool has_column(const Force<PlanarSpace>& force) {
    return !std::holds_alternative<Gravity<PlanarSpace>>(force.kind) &&
           !std::holds_alternative<GivenImpulse<PlanarSpace>>(force.kind);
}

}  // namespace

bool is_torque(const Force<PlanarSpace>& force) {
    return force.component == Component::angle && !acts_along_distance(force) &&
           !std::holds_alternative<PointForce<PlanarSpace>>(force.kind);
}

void add_force_columns(const PlanarMechanism& mechanism, std::vector<Column>& columns) {
    for (const auto& force : mechanism.forces)
        if (has_column(force))
            columns.push_back({"force." + force.name, is_torque(force) ? "N m" : "N"});
}

void append_forces(const PlanarMechanism& mechanism, const AppliedForces<PlanarSpace>& forces,
                   std::vector<double>& row) {
    for (std::size_t i = 0; i < mechanism.forces.size(); ++i)
        if (has_column(mechanism.forces[i])) row.push_back(forces.scalars()[i]);
}

void add_friction_columns(const PlanarMechanism& mechanism, std::vector<Column>& columns) {
    if (!AuxiliaryLayout(mechanism).has_friction()) return;
    for (const auto& joint : mechanism.joints)
        if (joint.friction())
            columns.push_back({joint.name + ".friction",
                               joint.coordinates()[0] == Component::angle ? "N m" : "N"});
    columns.push_back({"friction.power", "W"});
    columns.push_back({"efficiency", "1"});
}

void append_reactions(const PlanarMechanism& mechanism, const Coordinates<Space>& motion,
                      const Reactions& reactions, std::vector<double>& row) {
    for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
        const auto& joint = mechanism.joints[j];
        if (joint.row_count() == 0) continue;
        const JointReaction& r = reactions.joints()[j];
        const auto own = motion.position(joint.b()).to_local(r.on_b.f);
        const double x = seeded(Fault::reaction_column_sign) ? -r.on_b.f.x : r.on_b.f.x;
        row.insert(row.end(), {x, r.on_b.f.y, r.on_b.m, own.x, own.y});
        if (joint.kind_name() == "prismatic") row.push_back(r.offset);
    }
    for (std::size_t i = 0; i < mechanism.drivers.size(); ++i)
        row.push_back((seeded(Fault::driver_force_scaled) ? 1.01 : 1) * reactions.drivers()[i]);
}

}  // namespace pawl
