// With Z the directions that joints, drivers and slots leave free, the rows R of the normals and
// tangents of all friction points hold the mechanism where
//   Z^T (f + R^T x) = 0,   N >= 0,   |f_k| <= m_k N_k + F_k
// has a solution x = (N, f). As a task of friction with everything at rest: a = W x + b, W = R Z
// Z^T R^T, b = R Z Z^T f, and loads that are affine in x, so that dependent points share as they do
// in motion. f and the loads are affine in each applied load too: how much of it is held is the
// interval around what it is in which the task has an answer.
#include "simulation/equilibrium/equilibrium_friction.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "dynamics/contact/friction_problem.h"
#include "events/gap_watch.h"
#include "math/roots.h"
#include "math/tolerances/motion.h"
#include "results/text.h"
#include "simulation/placement/contact_mode.h"
#include "simulation/placement/start_contacts.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using Mechanics = MechanismEquations<Space>;
using Point = ContactPoint<Space>;

// All points that touch, of every pair.
std::vector<Point> touching_points(const PlacedMechanism& placed,
                                   const Coordinates<Space>& coordinates) {
    const auto& mechanism = placed.mechanism;
    const double size = placed.assembly.model_size;
    GapWatch watch(mechanism, tolerance::touching * size);
    std::vector<Point> closed, points;
    for (const int pair : watch.pairs()) {
        const auto& contact = mechanism.contacts[static_cast<std::size_t>(pair)];
        if (!is_rigid(contact.law)) continue;
        watch.open_points(coordinates, pair, start_overlap_limit(mechanism, contact, size), {},
                          points);
        for (const Point& point : points)
            if (point.touch.gap <= start_gap_limit(mechanism, contact, size))
                closed.push_back(numbered(point, closed));
    }
    return closed;
}

// The law of a friction point at rest: smooth friction holds nothing.
FrictionPoint at_rest(FrictionPoint point) {
    if (point.smooth > 0) point.holding = point.constant = 0;
    return point;
}

// Applied forces on the free directions and on the rows, and the loads, without forces along the
// friction points; both are affine in the loads of the mechanism.
struct Applied {
    Vector unbalance, free, loads;
    Applied plus(const Applied& other, double times) const {
        return {unbalance + times * other.unbalance, free + times * other.free,
                loads + times * other.loads};
    }
};

class RestProblem {
public:
    // `out`: a row of the base that is taken out, a driver's; -1: none.
    RestProblem(Mechanics& equations, std::size_t permanent, int out = -1)
        : equations_(equations), permanent_(permanent), out_(out) {
        const int rows = equations.pattern().rows();
        for (std::size_t i = permanent; i < equations.contacts().size(); ++i)
            held_.push_back(equations.contact_row(i));
        contacts_ = static_cast<int>(held_.size());
        for (const FrictionPoint& point : equations.friction()) held_.push_back(point.row);
        for (int r = 0; r < rows; ++r)
            if (r != out && std::find(held_.begin(), held_.end(), r) == held_.end())
                base_.push_back(r);
        const Matrix all =
            scaled_dense(equations.pattern(), equations.jacobian(), equations.column_scale());
        base_rows_ = all(base_, Eigen::all);
        free_ = base_.empty() ? Matrix::Identity(all.cols(), all.cols())
                              : null_space(base_rows_, tolerance::rank);
        held_rows_ = all(held_, Eigen::all);
        for (std::size_t i = 0; i < held_.size(); ++i)
            held_rows_.row(static_cast<int>(i)) /= equations.row_scale(held_[i]);
        if (out >= 0) out_row_ = all.row(out).transpose();
        slope_ = Matrix::Zero(equations.load_count(), static_cast<int>(held_.size()));
        const Vector none = Vector::Zero(all.cols()), at_rest = loads(none, {}, 0);
        const double probe = std::max(1.0, largest(at_rest));
        for (int i = 0; i < slope_.cols(); ++i)
            slope_.col(i) =
                (loads(none, probe * Vector::Unit(slope_.cols(), i), 0) - at_rest) / probe;
    }

    // Of the forces that are set in the equations, with a force along the row that is out.
    [[nodiscard]] Applied applied(double along_out) const {
        Vector f = force();
        if (out_ >= 0) f += along_out * out_row_;
        const Vector g = free_.transpose() * f;
        return {g, held_rows_ * (free_ * g), loads(f, {}, along_out)};
    }

    // The forces along the friction points with which everything stays at rest; `fits` says whether
    // they are admissible.
    [[nodiscard]] std::optional<FrictionAnswer> answer(const Applied& applied, bool& fits) const {
        FrictionTask task;
        task.contacts = contacts_;
        const Matrix across = held_rows_ * free_;
        task.response = across * across.transpose();
        task.free = applied.free;
        task.load_first = applied.loads;
        task.load_slope = slope_;
        FrictionAnswer mode;
        mode.closed.assign(static_cast<std::size_t>(contacts_), 1);
        for (std::size_t k = 0; k < equations_.friction().size(); ++k) {
            auto& point = task.points.emplace_back();
            point.law = at_rest(equations_.friction()[k]);
            const int contact = equations_.friction_modes()[k].contact;
            if (contact >= static_cast<int>(permanent_))
                point.contact = contact - static_cast<int>(permanent_);
            mode.direction.push_back(0);
        }
        const FrictionProblem problem(task);
        fits = false;
        if (!problem.find_forces(mode)) return std::nullopt;
        const Vector left = applied.unbalance + across.transpose() * mode.force;
        const double scale =
            largest(applied.unbalance) + largest(mode.force) + tolerance::no_division;
        if (largest(left) > tolerance::balance_with_friction * scale) return std::nullopt;
        fits = problem.fits(mode);
        return mode;
    }
    [[nodiscard]] bool holds(const Applied& applied) const {
        bool fits = false;
        return answer(applied, fits) && fits;
    }
    [[nodiscard]] Vector loads_of(const Applied& applied, const FrictionAnswer& mode) const {
        return applied.loads + slope_ * mode.force;
    }
    // Of all rows. Those of the base carry what the free directions do not.
    [[nodiscard]] std::vector<double> multipliers(const Vector& f, const Vector& x,
                                                  double along_out) const {
        std::vector<double> lambda(static_cast<std::size_t>(equations_.pattern().rows()), 0.0);
        Vector all = f;
        if (x.size() > 0) all += held_rows_.transpose() * x;
        for (int i = 0; i < x.size(); ++i) {
            const int row = held_[static_cast<std::size_t>(i)];
            lambda[static_cast<std::size_t>(row)] = x[i] / equations_.row_scale(row);
        }
        if (out_ >= 0) lambda[static_cast<std::size_t>(out_)] = along_out;
        if (base_.empty()) return lambda;
        const Vector carried = solve_least_squares(
            base_rows_.transpose(), free_ * (free_.transpose() * all) - all, tolerance::rank);
        for (std::size_t i = 0; i < base_.size(); ++i)
            lambda[static_cast<std::size_t>(base_[i])] = carried[static_cast<int>(i)];
        return lambda;
    }
    [[nodiscard]] Vector force() const {  // applied, angles times the model's size
        Vector f(equations_.size());
        for (int c = 0; c < f.size(); ++c)
            f[c] = equations_.force()[c] / equations_.column_scale()[c];
        return f;
    }
    [[nodiscard]] int contacts() const { return contacts_; }

private:
    static double largest(const Vector& x) {
        return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0;
    }
    // With forces x along the friction points.
    [[nodiscard]] Vector loads(const Vector& f, const Vector& x, double along_out) const {
        const std::vector<double> lambda = multipliers(f, x, along_out),
                                  none(static_cast<std::size_t>(equations_.size()), 0.0),
                                  slides(equations_.friction().size(), 0.0);
        std::vector<double> out(static_cast<std::size_t>(equations_.load_count()), 0.0);
        equations_.find_loads(none, lambda, slides, out);
        return Eigen::Map<Vector>(out.data(), static_cast<int>(out.size()));
    }

    Mechanics& equations_;
    std::size_t permanent_;
    int out_, contacts_ = 0;
    std::vector<int> base_, held_;
    Matrix base_rows_, held_rows_, free_, slope_;
    Vector out_row_;
};

// The interval around `start`, where it holds.
HeldLoad interval(const std::function<bool(double)>& holds, double start, double unit) {
    constexpr int max_doublings = 50, digits = 60;
    const auto edge = [&](double way) {
        double inside = start, step = unit;
        for (int i = 0; i < max_doublings; ++i, step *= 2) {
            const double next = start + way * step;
            if (!holds(next)) return bisect(inside, next, digits, holds).low;
            inside = next;
        }
        return way * INFINITY;
    };
    const auto cleaned = [&](double x) {
        return std::abs(x) <= tolerance::load_digits * unit ? 0.0 : x;
    };
    return {"", "", cleaned(edge(-1)), cleaned(edge(1))};
}

// Equations of everything at rest: drivers, all that touches, and all friction points stuck.
std::unique_ptr<Mechanics> stuck_equations(const PlacedMechanism& placed,
                                           const std::vector<Point>& closed, std::size_t permanent,
                                           const std::vector<double>& q, double t) {
    Mechanics::Choice choice;
    choice.contacts = closed;
    std::vector<Point> all(permanent);
    std::size_t i = 0;
    for (std::size_t pair = 0; pair < placed.mechanism.contacts.size(); ++pair)
        if (placed.mechanism.contacts[pair].permanent) all[i++].pair = static_cast<int>(pair);
    all.insert(all.end(), closed.begin(), closed.end());
    choice.friction = friction_points(placed.mechanism, all);
    auto equations =
        std::make_unique<Mechanics>(placed.mechanism, placed.topology, std::move(choice));
    equations->set_model_size(placed.assembly.model_size);
    std::vector<double> states(equations->state_size(), 0.0);
    for (std::size_t k = 0; k < placed.mechanism.states.size(); ++k)
        states[k] = placed.mechanism.states[k].start;
    equations->set_position(q, t);
    equations->set_velocity(std::vector<double>(q.size(), 0.0));
    equations->set_inertia();
    equations->set_forces(states);
    return equations;
}

class Holding {
public:
    Holding(const PlacedMechanism& placed, const EquilibriumSystem& balance,
            const Coordinates<Space>& coordinates, std::vector<double> q, double t)
        : placed_(placed),
          q_(std::move(q)),
          t_(t),
          closed_(touching_points(placed, coordinates)),
          permanent_(static_cast<std::size_t>(
              std::count_if(placed.mechanism.contacts.begin(), placed.mechanism.contacts.end(),
                            [](const auto& pair) { return pair.permanent; }))),
          largest_(balance.largest_force()),
          equations_(stuck_equations(placed, closed_, permanent_, q_, t)),
          problem_(*equations_, permanent_),
          applied_(problem_.applied(0)) {}

    EquilibriumFriction find() {
        EquilibriumFriction out;
        bool fits = false;
        const auto mode = problem_.answer(applied_, fits);
        if (!mode) {
            out.problem = "the forces do not balance even with every friction point sticking";
            return out;
        }
        add_points(*mode, out);
        out.holds = fits;
        if (!fits) {
            explain(*mode, out);
            return out;
        }
        add_reactions(*mode, out);
        add_loads(out);
        add_drivers(*mode, out);
        return out;
    }

private:
    void add_points(const FrictionAnswer& mode, EquilibriumFriction& out) const {
        const Vector l = problem_.loads_of(applied_, mode);
        const std::span<const double> loads(l.data(), static_cast<std::size_t>(l.size()));
        for (std::size_t k = 0; k < equations_->friction().size(); ++k) {
            const FrictionPoint point = at_rest(equations_->friction()[k]);
            out.points.push_back({point.name, equations_->row_is_angle(point.row) ? "N m" : "N",
                                  mode.force[problem_.contacts() + static_cast<int>(k)],
                                  point.holds(loads)});
        }
    }
    void explain(const FrictionAnswer& mode, EquilibriumFriction& out) const {
        for (const HeldFriction& point : out.points)
            if (std::abs(point.force) > point.limit) {
                out.problem = "'" + point.name + "' would have to carry " +
                              number_text(std::abs(point.force), 6) + " " + point.unit +
                              " but holds only " + number_text(std::max(0.0, point.limit), 6) +
                              " " + point.unit;
                return;
            }
        for (int i = 0; i < problem_.contacts(); ++i)
            if (mode.force[i] < 0) {
                out.problem = "contact '" +
                              name_of(placed_.mechanism, closed_[static_cast<std::size_t>(i)]) +
                              "' would have to pull";
                return;
            }
        out.problem = "no distribution of the forces satisfies all friction limits";
    }
    void add_reactions(const FrictionAnswer& mode, EquilibriumFriction& out) {
        auto& c = equations_->coordinates();
        std::vector<Space::Wrench> on_bodies = equations_->forces().on_bodies();
        for (int i = 0; i < problem_.contacts(); ++i)
            add_contact_force(placed_.mechanism, c,
                              equations_->contacts()[permanent_ + static_cast<std::size_t>(i)],
                              mode.force[i], on_bodies);
        std::vector<double> friction(equations_->friction().size());
        for (std::size_t k = 0; k < friction.size(); ++k)
            friction[k] = mode.force[problem_.contacts() + static_cast<int>(k)];
        equations_->add_friction_wrenches(friction, on_bodies);
        c.set_acceleration({});
        Reactions reactions(placed_, {});
        std::copy_n(equations_->contacts().begin(), permanent_, reactions.contacts().begin());
        reactions.solve(c, equations_->inertia(), on_bodies, t_, largest_);
        add_reaction_columns(placed_.mechanism, out.columns);
        append_reactions(placed_.mechanism, c, reactions, out.reactions);
        out.imbalance = reactions.imbalance();
    }
    // What each force does is the difference to the same without it.
    void add_loads(EquilibriumFriction& out) const {
        const auto& forces = placed_.mechanism.forces;
        for (std::size_t j = 0; j < forces.size(); ++j) {
            PlacedMechanism without = placed_;
            without.mechanism.forces.erase(without.mechanism.forces.begin() +
                                           static_cast<std::ptrdiff_t>(j));
            const auto equations = stuck_equations(without, closed_, permanent_, q_, t_);
            const Applied rest = RestProblem(*equations, permanent_).applied(0);
            const Applied own = applied_.plus(rest, -1);
            if (!(own.unbalance.lpNorm<Eigen::Infinity>() > tolerance::balance * largest_) &&
                !(own.loads.size() > 0 &&
                  own.loads.lpNorm<Eigen::Infinity>() > tolerance::balance * largest_))
                continue;
            HeldLoad load =
                interval([&](double times) { return problem_.holds(rest.plus(own, times)); }, 1,
                         tolerance::load_digits);
            load.name = forces[j].name;
            load.unit = "1";
            out.loads.push_back(std::move(load));
        }
    }
    // A driver may push with any force that leaves everything at rest.
    void add_drivers(const FrictionAnswer& mode, EquilibriumFriction& out) {
        const std::vector<double> lambda = problem_.multipliers(problem_.force(), mode.force, 0);
        for (int r = 0; r < equations_->pattern().rows(); ++r) {
            if (equations_->labels()[static_cast<std::size_t>(r)].role != RowRole::driver) continue;
            const RestProblem open(*equations_, permanent_, r);
            const double now = lambda[static_cast<std::size_t>(r)];
            if (!open.holds(open.applied(now))) continue;
            HeldLoad load = interval([&](double force) { return open.holds(open.applied(force)); },
                                     now, tolerance::load_digits * largest_);
            const double scale = equations_->row_scale(r);
            load.low *= scale;
            load.high *= scale;
            load.name = equations_->labels()[static_cast<std::size_t>(r)].element;
            load.unit = equations_->row_is_angle(r) ? "N m" : "N";
            out.loads.push_back(std::move(load));
        }
    }

    const PlacedMechanism& placed_;
    std::vector<double> q_;
    double t_;
    std::vector<Point> closed_;
    std::size_t permanent_;
    double largest_;
    std::unique_ptr<Mechanics> equations_;
    RestProblem problem_;
    Applied applied_;
};

}  // namespace

EquilibriumFriction hold_by_friction(const PlacedMechanism& placed, EquilibriumSystem& balance,
                                     const Vector& y, double t) {
    EquilibriumFriction none;
    none.problem = "a force is not finite";
    if (!balance.set(y, t)) return none;
    return Holding(placed, balance, balance.equations().coordinates(), balance.unscaled(y), t)
        .find();
}

}  // namespace pawl
