#include "simulation/placement/assembly.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>

#include "contact/search.h"
#include "math/tolerances/motion.h"
#include "mechanism/switch_numbers.h"
#include "results/text.h"
#include "simulation/placement/start_values.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Equations_ = MechanismEquations<Space>;

constexpr int max_iterations = 200, max_restarts = 12;

double squared(std::span<const double> phi) {
    return std::inner_product(phi.begin(), phi.end(), phi.begin(), 0.0);
}

// The normal matrix of the scaled Jacobian, and its right-hand side.
struct NormalEquations {
    Eigen::SparseMatrix<double> matrix;
    Eigen::VectorXd gradient;
    NormalEquations(const Equations& eq) : gradient(Eigen::VectorXd::Zero(eq.size())) {
        const RowPattern& p = eq.pattern();
        std::vector<Eigen::Triplet<double>> entries;
        for (int r = 0; r < p.rows(); ++r)
            for (int i = p.start[r]; i < p.start[r + 1]; ++i) {
                const double value = eq.jacobian()[i] / eq.column_scale()[p.column[i]];
                entries.emplace_back(r, p.column[i], value);
                gradient[p.column[i]] += value * eq.phi()[r];
            }
        Eigen::SparseMatrix<double> j(p.rows(), eq.size());
        j.setFromTriplets(entries.begin(), entries.end());
        matrix = j.transpose() * j;
    }
};

std::vector<Space::Position> positions_of(const Coordinates<Space>& c, std::size_t bodies) {
    std::vector<Space::Position> positions;
    for (std::size_t b = 0; b < bodies; ++b) positions.push_back(c.position(static_cast<int>(b)));
    return positions;
}

// The diameter of the model, as long as it is near the origin. A position at the distance D is
// rounded by 1e-16 D, once per body of a chain: from a thousandth of D on, the accuracy that is
// promised (1e-12 of the size) is ten such roundings.
double size_with_distance(double diameter, const std::vector<Space::Position>& positions) {
    double distance = 0;
    for (std::size_t b = 1; b < positions.size(); ++b)
        distance = std::max(distance, std::hypot(positions[b].p.x, positions[b].p.y));
    return std::max(diameter, tolerance::far_from_origin * distance);
}

bool closed(const Equations& eq) {
    return eq.residual() <= tolerance::position_accepted * eq.model_size();
}

// Solves from the guess; from a local minimum, again from guesses shaken more and more.
bool close_loops(Equations_& eq, std::vector<double>& q, double t, int& iterations) {
    const std::vector<double> guess = q;
    iterations += solve_least_squares(eq, q, t);
    if (closed(eq)) return true;
    std::vector<double> best = q;
    double best_residual = eq.residual();
    std::mt19937 random(1);
    for (int restart = 1; restart <= max_restarts; ++restart) {
        const double shake = 0.15 * restart;
        std::vector<double> trial = guess;
        for (int c = 0; c < eq.size(); ++c) {
            const double unit = static_cast<double>(random()) / 4294967296.0 * 2 - 1;
            trial[c] += shake * unit * eq.model_size() / eq.column_scale()[c];
        }
        iterations += solve_least_squares(eq, trial, t);
        if (closed(eq)) {
            q = trial;
            return true;
        }
        if (eq.residual() < best_residual) {
            best_residual = eq.residual();
            best = trial;
        }
    }
    q = best;
    eq.set_position(q, t);
    return false;
}

int widest_row(const Equations& eq, RowRole role) {
    int widest = -1;
    for (int r = 0; r < eq.pattern().rows(); ++r)
        if (eq.labels()[r].role == role &&
            (widest < 0 || std::abs(eq.phi()[r]) > std::abs(eq.phi()[widest])))
            widest = r;
    return widest;
}

void blame(Assembly& assembly, const Equations& eq, int row, AssemblyOutcome outcome) {
    const RowLabel& label = eq.labels()[row];
    assembly.outcome = outcome;
    assembly.element = label.element;
    assembly.span = label.span;
    double sum = 0;
    for (int r = 0; r < eq.pattern().rows(); ++r)
        if (eq.labels()[r].element == label.element && eq.labels()[r].role == label.role)
            sum += eq.phi()[r] * eq.phi()[r];
    assembly.gap = std::sqrt(sum);
}

// The elements on which the permanent contacts touch: the nearest ones in a placement.
void locate_permanent_contacts(PlanarMechanism& mechanism, const Coordinates<Space>& c) {
    std::vector<Candidate> found;
    for (auto& pair : mechanism.contacts) {
        if (!pair.permanent) continue;
        const auto& a = mechanism.profiles[pair.profile_a];
        const auto& b = mechanism.profiles[pair.profile_b];
        ContactSearch(a.chain, b.chain)
            .find(c.frame(a.frame).position, c.frame(b.frame).position, INFINITY, found);
        const auto nearest =
            std::min_element(found.begin(), found.end(), [](const auto& x, const auto& y) {
                return std::abs(x.touch.gap) < std::abs(y.touch.gap);
            });
        if (nearest == found.end()) continue;
        pair.first_a = nearest->a;
        pair.first_b = nearest->b;
        for (int side = 0; side < 2; ++side) pair.first_u[side] = nearest->touch.u[side];
    }
}

// Whether a permanent contact has left the elements it was placed on.
bool contacts_moved(Equations_& eq) {
    for (const auto& point : eq.contacts())
        for (const double u : point.touch.u)
            if (u < -tolerance::past_end || u > 1 + tolerance::past_end) return true;
    return false;
}

// Whether driver rows depend on the joints and on each other.
bool drivers_depend(const PlanarMechanism& mechanism, const Topology& topology, Equations_& driven,
                    std::span<const double> q, double t) {
    Equations_ joints(mechanism, topology, {.drivers = false});
    joints.set_model_size(driven.model_size());
    joints.set_position(q, t);
    driven.set_position(q, t);
    const int free_rank =
        rank_of_rows(joints.pattern(), joints.jacobian(), joints.column_scale()).rank;
    const int rank = rank_of_rows(driven.pattern(), driven.jacobian(), driven.column_scale()).rank;
    return rank < free_rank + static_cast<int>(mechanism.drivers.size());
}

void explain_failure(PlacedMechanism& placed, Equations_& eq, const std::vector<double>& guess,
                     double t) {
    Assembly& assembly = placed.assembly;
    Equations_ joints(placed.mechanism, placed.topology, {.drivers = false});
    joints.set_model_size(eq.model_size());
    std::vector<double> q = guess;
    int iterations = 0;
    if (!close_loops(joints, q, t, iterations)) {
        int row = widest_row(joints, RowRole::joint);
        const int contact = widest_row(joints, RowRole::contact);
        const bool of_contact = contact >= 0 && (row < 0 || std::abs(joints.phi()[contact]) >
                                                                std::abs(joints.phi()[row]));
        if (of_contact) row = contact;
        blame(assembly, joints, row, AssemblyOutcome::joint_open);
        assembly.message =
            (of_contact ? "permanent contact '" : "joint '") + assembly.element +
            "' cannot close: nearest gap " + length_text(assembly.gap) +
            (of_contact
                 ? "; bring the profiles nearer to each other, or leave out `permanent`"
                 : "; check the lengths of the links around it, or give better initial angles");
        return;
    }
    if (placed.mechanism.drivers.size() > 1 &&
        drivers_depend(placed.mechanism, placed.topology, eq, q, t)) {
        blame(assembly, eq, widest_row(eq, RowRole::driver), AssemblyOutcome::drivers_fight);
        std::string others;
        for (const auto& d : placed.mechanism.drivers)
            if (d.name != assembly.element) others += (others.empty() ? "'" : ", '") + d.name + "'";
        assembly.message = "driver '" + assembly.element + "' contradicts " + others +
                           ": there are more drivers than degrees of freedom to drive; remove one";
        return;
    }
    blame(assembly, eq, widest_row(eq, RowRole::driver), AssemblyOutcome::driver_out_of_reach);
    assembly.message =
        "driver '" + assembly.element +
        "' requires a position that the mechanism cannot reach at t = " + number_text(t) +
        " s: nearest miss " + length_text(assembly.gap);
}

// Closes the loops of a mechanism from its first guess, permanent contacts where they end up.
class Closing {
public:
    Closing(PlacedMechanism& placed, double t)
        : placed_(placed),
          tree_(Coordinates<Space>::relative(placed.mechanism, placed.topology)),
          guess_(tree_.from_guess(placed.mechanism)),
          q_(guess_),
          t_(t) {
        const auto start = positions_of(tree_, placed.mechanism.bodies.size());
        settle_drivers(placed.mechanism, std::span(start));
        settle_forces(placed.mechanism, std::span(start));
        size_ = size_with_distance(model_size(placed.mechanism, tree_), start);
    }

    bool close() { return solve({}, q_, true); }

    // Moves the closed mechanism to where its start values are kept: all that are independent, or,
    // where no position has them together, one after the other.
    void keep_start_values() {
        tree_.set_position(guess_);
        const auto values = start_values(placed_.mechanism, tree_);
        constexpr int largest_dense = 1000;  // coordinates: a decomposition of a second
        if (made_->size() > largest_dense || !any_moved(values, made_->coordinates(), size_))
            return;
        const auto wanted = independent_values(placed_, values, q_, t_, size_);
        if (wanted.empty() || keep(wanted)) return;
        std::vector<RestCoordinate<Space>> kept;
        for (const auto& value : wanted) {
            kept.push_back(value);
            if (!keep(kept)) kept.pop_back();
        }
        solve(kept, q_, false);
    }

    [[nodiscard]] Equations_& equations() { return *made_; }
    [[nodiscard]] const std::vector<double>& guess() const { return guess_; }
    [[nodiscard]] double size() const { return size_; }

private:
    // From the first guess, which selects the assembly mode, or from the position where it closed
    // before.
    bool keep(const std::vector<RestCoordinate<Space>>& values) {
        for (const std::vector<double>& from : {guess_, q_}) {
            std::vector<double> q = from;
            if (!solve(values, q, false)) continue;
            q_ = q;
            return true;
        }
        return false;
    }

    bool solve(const std::vector<RestCoordinate<Space>>& rests, std::vector<double>& q,
               bool restarts) {
        tree_.set_position(q);
        locate_permanent_contacts(placed_.mechanism, tree_);
        for (int attempt = 0; attempt < 8; ++attempt) {
            Equations_::Choice choice;
            choice.rests = rests;
            Equations_& eq = made_.emplace(placed_.mechanism, placed_.topology, choice);
            eq.set_model_size(size_);
            int& iterations = placed_.assembly.iterations;
            if (restarts && !close_loops(eq, q, t_, iterations)) return false;
            if (!restarts) iterations += solve_least_squares(eq, q, t_);
            if (!closed(eq)) return false;
            if (!contacts_moved(eq)) break;
            locate_permanent_contacts(placed_.mechanism, eq.coordinates());
        }
        return true;
    }

    PlacedMechanism& placed_;
    Coordinates<Space> tree_;
    std::vector<double> guess_, q_;
    double t_, size_ = 1;
    std::optional<Equations_> made_;
};

void refuse_moved_exact(PlacedMechanism& placed) {
    for (const MovedValue& v : placed.assembly.moved) {
        const auto& body = placed.mechanism.bodies[static_cast<std::size_t>(v.body)];
        if (!body.exact) continue;
        placed.assembly.outcome = AssemblyOutcome::start_not_kept;
        placed.assembly.element = body.name;
        placed.assembly.span = v.span;
        placed.assembly.message =
            moved_text(placed.mechanism, v) +
            ", although it is exact: the joints, the drivers or values kept before it do not "
            "allow it; correct the value, or remove `exact`";
        return;
    }
}

}  // namespace

int solve_least_squares(Equations& eq, std::vector<double>& q, double t) {
    const double size = eq.model_size();
    eq.set_position(q, t);
    double value = squared(eq.phi());
    double damping = 1e-4;
    int iteration = 0, stalled = 0;
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver;
    while (iteration < max_iterations && eq.residual() > tolerance::position * size) {
        const NormalEquations normal(eq);
        const double scale = std::max(normal.matrix.diagonal().maxCoeff(), tolerance::no_division);
        // Stationary: no direction reduces the sum of squares any more.
        const double flat = tolerance::assembly_gradient * std::sqrt(scale * value);
        if (normal.gradient.lpNorm<Eigen::Infinity>() <= flat) break;
        bool improved = false;
        for (; iteration < max_iterations && !improved; ++iteration) {
            Eigen::SparseMatrix<double> damped = normal.matrix;
            for (int c = 0; c < eq.size(); ++c) damped.coeffRef(c, c) += damping * scale;
            solver.compute(damped);
            Eigen::VectorXd step = solver.solve(normal.gradient);
            const double longest = step.lpNorm<Eigen::Infinity>();
            if (!(longest < 0.3 * size)) step *= 0.3 * size / longest;
            std::vector<double> trial = q;
            for (int c = 0; c < eq.size(); ++c) trial[c] -= step[c] / eq.column_scale()[c];
            eq.set_position(trial, t);
            const double trial_value = squared(eq.phi());
            if (trial_value < value) {
                stalled = trial_value > 0.999 * value ? stalled + 1 : 0;
                q = trial;
                value = trial_value;
                damping = std::max(damping * 0.05, tolerance::least_damping);
                improved = true;
            } else {
                damping *= 10;
                if (damping > 1e8) {
                    eq.set_position(q, t);
                    return iteration;
                }
            }
        }
        if (stalled > 10) break;
    }
    eq.set_position(q, t);
    return iteration;
}

PlacedMechanism assemble(PlanarMechanism mechanism, double t) {
    PlacedMechanism placed{std::move(mechanism), {}, {}};
    placed.topology = analyse_topology(placed.mechanism);
    Closing closing(placed, t);
    Assembly& assembly = placed.assembly;
    const bool success = closing.close();
    if (success) closing.keep_start_values();
    Equations_& eq = closing.equations();
    assembly.positions = positions_of(eq.coordinates(), placed.mechanism.bodies.size());
    assembly.diameter = model_size(placed.mechanism, eq.coordinates(), closing.size());
    assembly.model_size = size_with_distance(assembly.diameter, assembly.positions);
    assembly.residual = eq.residual();
    if (!success) {
        explain_failure(placed, eq, closing.guess(), t);
        return placed;
    }
    settle_joints(placed.mechanism, std::span<const Space::Position>(assembly.positions));
    number_switches(placed.mechanism);
    assembly.moved = moved_values(placed.mechanism, assembly.positions, assembly.model_size);
    refuse_moved_exact(placed);
    return placed;
}

std::vector<AssemblyMode> find_assembly_modes(const PlacedMechanism& placed, int starts) {
    Equations_ eq(placed.mechanism, placed.topology, {.rests = choose_independent(placed, true)});
    eq.set_model_size(placed.assembly.model_size);
    const std::vector<double> home = eq.coordinates().from_positions(placed.assembly.positions);
    const auto same = [&](const std::vector<Space::Position>& a,
                          const std::vector<Space::Position>& b) {
        for (std::size_t i = 0; i < a.size(); ++i) {
            const auto d = a[i].p - b[i].p, turn = a[i].u - b[i].u;
            const double near = tolerance::same_assembly, far = near * eq.model_size();
            if (std::hypot(d.x, d.y) > far || std::hypot(turn.x, turn.y) > near) return false;
        }
        return true;
    };
    std::vector<AssemblyMode> modes{{placed.assembly.positions, 0}};
    std::mt19937 random(7);
    for (int s = 0; s < starts; ++s) {
        std::vector<double> q = home;
        for (int c = 0; c < eq.size(); ++c) {
            const double unit = static_cast<double>(random()) / 4294967296.0 * 2 - 1;
            const bool angle = eq.coordinates().column_component(c) == Component::angle;
            q[c] += unit * (angle ? M_PI : eq.model_size());
        }
        solve_least_squares(eq, q, 0);
        if (!closed(eq)) continue;
        const auto positions = positions_of(eq.coordinates(), placed.mechanism.bodies.size());
        auto found = std::find_if(modes.begin(), modes.end(), [&](const AssemblyMode& m) {
            return same(m.positions, positions);
        });
        if (found == modes.end()) {
            modes.push_back({positions, 0});
            found = modes.end() - 1;
        }
        ++found->hits;
    }
    return modes;
}

}  // namespace pawl
