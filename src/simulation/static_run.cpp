#include "simulation/static_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "coordinates/measures.h"
#include "simulation/reactions.h"
#include "simulation/static_search.h"
#include "simulation/statics.h"
#include "simulation/text.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

// Lengths of the path are measured in w = (y/size, t/end). Steps of the path:
constexpr double first_step = 0.02, longest_step = 0.1, shortest_step = 1e-8;
// Below this a corner of the path (a driver that changes its speed suddenly) is passed without asking for smoothness.
constexpr double corner_step = 1e-4;
constexpr double smooth = 0.9;  // least cosine between the tangents at both ends of a step
// A jump begins this far (part of the size) beside the position that has lost its stability, and descends in steps as short
// as the second, so that the next valley is found and not one behind it.
constexpr double nudge = 1e-3, jump_step = 0.05;

// An equilibrium on the path.
struct Node {
    double t = 0;
    Vector y;
    Vector dy;      // unit tangent: of y/size
    double dt = 1;  //               of t/end
    double lowest = 1;  // eigenvalue of the stiffness, N/m
    int unstable = 0;
    Vector weakest;  // its direction, of y
};

class StaticRun {
public:
    StaticRun(const PlacedMechanism& placed, const StaticRunOptions& options, StaticRunResult& result)
        : placed_(placed), mechanism_(placed.mechanism), options_(options), result_(result), balance_(placed), reactions_(placed, {}) {}

    void run() {
        Node node;
        if (!begin(node)) return;
        add_columns();
        sample(node);
        if (node.unstable > 0 && !leave_unstable_start(node)) return;
        const auto samples = static_cast<std::size_t>(std::ceil(options_.end / options_.step - 1e-9));
        for (std::size_t k = 1; k <= samples; ++k) {
            const double t = k == samples ? options_.end : static_cast<double>(k) * options_.step;
            if (!advance(node, t)) break;
            sample(node);
            if (options_.progress) options_.progress(static_cast<double>(k) / static_cast<double>(samples));
        }
        if (!reactions_.indeterminate().empty()) result_.warnings.push_back(indeterminate_warning(reactions_));
    }

private:
    bool fail(StaticRunStatus status, std::string message, Span span = {}) {
        result_.status = status;
        result_.message = std::move(message);
        result_.span = span;
        return false;
    }

    bool begin(Node& node) {
        const StaticResult start = find_equilibrium(placed_);
        if (start.status == StaticStatus::refused) return fail(StaticRunStatus::refused, start.message, start.span);
        if (start.status != StaticStatus::balanced) return fail(StaticRunStatus::no_start, start.message, start.span);
        if (start.stability == Stability::neutral) {
            const auto weak = std::min_element(start.stiffness.begin(), start.stiffness.end(),
                                               [](double a, double b) { return std::abs(a) < std::abs(b); });
            const std::string& who = start.directions[static_cast<std::size_t>(weak - start.stiffness.begin())];
            return fail(StaticRunStatus::neutral,
                        "'" + who + "' has no stiffness, so that its position of rest is not decided; hold it by a spring or a driver",
                        span_of_coordinate(mechanism_, who));
        }
        const auto q = balance_.equations().coordinates().from_positions(start.positions);
        node.y.resize(static_cast<int>(q.size()));
        for (int c = 0; c < node.y.size(); ++c) node.y[c] = q[static_cast<std::size_t>(c)] * balance_.equations().column_scale()[c];
        balance_.close(node.y, 0);
        finish(node);
        return true;
    }

    bool leave_unstable_start(Node& node) {
        Event event = lost(EventKind::snap, node, "the position at the start is in unstable balance");
        return jump(node, node, node.weakest, std::move(event));
    }

    // Stability and tangent of the equilibrium where the balance is set. With K x' = b t' on the free directions and p t' on the
    // driven ones, the tangent is the null vector of [K, -b]; time grows along it while the equilibrium is stable.
    void finish(Node& node) {
        node.t = balance_.t();
        node.y = balance_.y();
        const StiffnessSpectrum spectrum = analyse_stiffness(balance_);
        const Matrix& z = balance_.free_directions();
        const int n = balance_.freedoms();
        Vector null = Vector::Ones(1);
        if (n > 0) {
            node.lowest = spectrum.values[0];
            node.weakest = z * spectrum.directions.col(0);
            Matrix rows(n, n + 1);
            rows << spectrum.stiffness * size(), -balance_.load_rate(options_.step) * options_.end;
            const Matrix q = Eigen::ColPivHouseholderQR<Matrix>(rows.transpose()).householderQ();
            null = q.col(n);
        }
        node.unstable = spectrum.unstable;
        node.dy = z * null.head(n) + balance_.drift() * (options_.end / size() * null[n]);
        node.dt = null[n];
        const double length = std::sqrt(node.dy.squaredNorm() + node.dt * node.dt) * (node.dt < 0 ? -1 : 1);
        node.dy /= length;
        node.dt /= length;
    }

    // The equilibrium in the plane across the tangent at distance s from a node, by Newton's method on rows, balance and plane;
    // nothing when it does not converge or is farther than s/2 from the tangent.
    std::optional<Node> at(const Node& from, double s) {
        constexpr int most_iterations = 12;
        const Vector aim = from.y + s * size() * from.dy;
        const double aim_t = from.t + s * options_.end * from.dt;
        Vector y = aim;
        double t = aim_t, previous = INFINITY;
        for (int i = 0; i < most_iterations; ++i) {
            if (!balance_.set(y, t)) return std::nullopt;
            const int n = balance_.freedoms();
            const Matrix& z = balance_.free_directions();
            const Vector p = balance_.drift() * options_.end, closing = balance_.closing_step();
            Matrix a(n + 1, n + 1);
            Vector b(n + 1);
            a.topLeftCorner(n, n) = balance_.stiffness() * size();
            if (n > 0) a.topRightCorner(n, 1) = -balance_.load_rate(options_.step) * options_.end;
            a.bottomLeftCorner(1, n) = from.dy.transpose() * z;
            a(n, n) = from.dy.dot(p) / size() + from.dt;
            b.head(n) = balance_.unbalance();
            b[n] = -from.dy.dot(y + closing - aim) / size() - from.dt * (t - aim_t) / options_.end;
            const double scale = n > 0 ? a.topRows(n).cwiseAbs().maxCoeff() : 1;
            if (n > 0 && scale > 0) {
                a.topRows(n) /= scale;
                b.head(n) /= scale;
            }
            const Vector x = a.colPivHouseholderQr().solve(b);
            const Vector move = closing + size() * (z * x.head(n)) + x[n] * p;
            const double correction = move.norm() / size() + std::abs(x[n]);
            if (!std::isfinite(correction) || (i > 3 && correction > 0.5 * previous && correction > 1e-9)) return std::nullopt;
            y += move;
            t += x[n] * options_.end;
            if (correction <= 1e-13 || (correction <= 1e-9 && correction > 0.5 * previous)) {
                const double off = std::hypot((y - aim).norm() / size(), (t - aim_t) / options_.end);
                if (off > 0.5 * s || !balance_.close(y, t)) return std::nullopt;
                Node node;
                finish(node);
                return node;
            }
            previous = correction;
        }
        return std::nullopt;
    }

    // Between the ends of a step t(s) is the cubic through both, so t' a parabola. Where it falls near zero in between, a pair
    // of limit points may hide in the step.
    static bool may_hide_limit(const Node& a, const Node& b, double s, double end) {
        const double middle = (6 * (b.t - a.t) / (end * s) - a.dt - b.dt) / 4;
        return middle < 0.1 * std::min(a.dt, b.dt);
    }

    // To the stable equilibrium at time `target`, over limit points.
    bool advance(Node& node, double target) {
        while (node.t < target) {
            ++result_.statistics.steps;
            const auto next = at(node, step_);
            const bool stable = next && next->unstable == 0;
            const bool bends = next && step_ > corner_step &&
                               ((stable && (next->dy.dot(node.dy) + next->dt * node.dt < smooth || may_hide_limit(node, *next, step_, options_.end))) ||
                                next->unstable > node.unstable + 1);
            if (!next || bends) {
                ++result_.statistics.halved;
                step_ /= 2;
                if (step_ < shortest_step)
                    return fail(StaticRunStatus::stuck, "the equilibrium cannot be followed beyond t = " + number_text(node.t, 9) +
                                                            " s: forces jump, or the drivers meet a dead point");
                continue;
            }
            if (!stable) {
                if (!pass_limit(node, step_, target)) return false;
            } else if (next->t >= target) {
                return hit(node, step_, target);
            } else {
                node = *next;
                step_ = std::min(2 * step_, longest_step);
            }
        }
        return true;
    }

    // A root of f over (0, s] of the path from a node, f(0) > 0 >= f(s): regula falsi, Illinois.
    template <class F>
    std::optional<std::pair<double, Node>> root(const Node& from, double f_low, double s, const Node& end, double tolerance, F f) {
        double low = 0, high = s, f_high = f(end);
        std::pair<double, Node> best{s, end};
        for (int i = 0, side = 0; i < 100 && std::abs(f(best.second)) > tolerance && high - low > 1e-12 * s; ++i) {
            const double middle = i % 5 == 4 ? 0.5 * (low + high) : high - f_high * (high - low) / (f_high - f_low);
            const auto node = at(from, middle);
            if (!node) return std::nullopt;
            best = {middle, *node};
            const double value = f(*node);
            if (value > 0) {
                low = middle;
                f_low = value;
                if (side == 1) f_high /= 2;
                side = 1;
            } else {
                high = middle;
                f_high = value;
                if (side == -1) f_low /= 2;
                side = -1;
            }
        }
        return best;
    }

    // The equilibrium at exactly `target`, which the path passes within s of the node.
    bool hit(Node& node, double s, double target) {
        const auto end = at(node, s);
        const auto found = end ? root(node, target - node.t, s, *end, 1e-10 * options_.step, [&](const Node& n) { return target - n.t; })
                               : std::nullopt;
        Vector y = found ? found->second.y : node.y;
        if (!found || !balance_.close(y, target) || solve_balance(balance_, y, target).status != StaticStatus::balanced)
            return fail(StaticRunStatus::stuck, "the equilibrium at t = " + number_text(target, 9) + " s cannot be found");
        finish(node);
        return true;
    }

    // Within s of the node the stiffness becomes singular: at the end of the path in time (a limit point) or where
    // another path branches off. Time is stationary at a limit point, so it is found to the square of the error in s.
    bool pass_limit(Node& node, double s, double target) {
        const auto end = at(node, s);
        const auto found = end ? root(node, node.lowest, s, *end, 1e-9 * node.lowest, [](const Node& n) { return n.lowest; }) : std::nullopt;
        if (!found) {
            step_ /= 2;
            return step_ >= shortest_step ||
                   fail(StaticRunStatus::stuck, "the equilibrium cannot be followed beyond t = " + number_text(node.t, 9) + " s");
        }
        const Node& limit = found->second;
        if (limit.t > target) return hit(node, found->first, target);
        auto beyond = at(node, found->first + 0.1 * s);
        if (!beyond) beyond = end;
        step_ = first_step;
        if (beyond->t < limit.t) {
            const Node from = limit;
            return jump(node, from, beyond->y - limit.y, lost(EventKind::snap, from, "the stiffness vanishes (limit point)"));
        }
        Node from = *beyond;
        if (from.t > target) {
            from = node;
            if (!hit(from, found->first + 0.1 * s, target)) return false;
        }
        return jump(node, from, from.weakest, lost(EventKind::bifurcation, limit, "the stiffness vanishes where another path branches off"));
    }

    Event lost(EventKind kind, const Node& at, const std::string& what) {
        Event event;
        event.t = at.t;
        event.kind = kind;
        event.element = balance_.leading_coordinate(at.weakest);
        event.from = "stable";
        event.detail = what;
        return event;
    }

    // From an equilibrium that is lost to the next stable one, beginning in `direction`; `node` becomes that.
    bool jump(Node& node, const Node& from, const Vector& direction, Event event) {
        if (event.kind == EventKind::snap && event.t > 0) sample(from);
        Vector before = from.y;
        balance_.close(before, from.t);
        const double energy = balance_.potential();
        const auto positions = poses();
        Vector y = from.y + nudge * size() / direction.norm() * direction;
        bool reached = false;
        for (int attempt = 0; attempt < 4 && !reached; ++attempt) {
            if (!balance_.close(y, from.t) || descend(balance_, y, from.t, jump_step * size()).status != StaticStatus::balanced) break;
            finish(node);
            reached = node.unstable == 0;
            if (!reached) y += nudge * size() * node.weakest;
        }
        event.to = reached ? "stable" : "none";
        if (!reached) {
            event.detail += "; no other stable equilibrium is reached";
            const std::string message = "the equilibrium is lost at t = " + number_text(event.t, 9) + " s (" + event.element +
                                        "), and no other stable one is reached from there";
            const Span span = span_of_coordinate(mechanism_, event.element);
            result_.events.push_back(std::move(event));
            return fail(StaticRunStatus::no_equilibrium, message, span);
        }
        event.energy_change = balance_.potential() - energy;
        event.detail += "; goes on from the next stable equilibrium: " + displacement(positions);
        result_.events.push_back(std::move(event));
        if (result_.events.back().kind == EventKind::snap) sample(node);
        return true;
    }

    [[nodiscard]] std::vector<Space::Position> poses() {
        std::vector<Space::Position> out;
        for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b) out.push_back(balance_.equations().coordinates().position(static_cast<int>(b)));
        return out;
    }

    // Which body has moved most from its old pose, and how far.
    [[nodiscard]] std::string displacement(const std::vector<Space::Position>& before) {
        const auto now = poses();
        std::size_t most = 0;
        double farthest = -1;
        for (std::size_t b = 1; b < now.size(); ++b) {
            const auto d = now[b].p - before[b].p;
            const double far = std::hypot(d.x, d.y) + std::abs(now[b].angle - before[b].angle) * size();
            if (far > farthest) {
                farthest = far;
                most = b;
            }
        }
        const auto d = now[most].p - before[most].p;
        return "'" + mechanism_.bodies[most].name + "' moves by " + length_text(std::hypot(d.x, d.y)) + " and turns by " +
               number_text((now[most].angle - before[most].angle) * 180 / M_PI, 4) + " deg";
    }

    void add_columns() {
        auto& columns = result_.trajectory.columns;
        columns.push_back({"t", "s"});
        for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b)
            for (const auto& [tail, unit] : {std::pair{"x", "m"}, {"y", "m"}, {"angle", "rad"}})
                columns.push_back({mechanism_.bodies[b].name + "." + tail, unit});
        for (const auto& m : mechanism_.measures) columns.push_back({m.name, m.unit});
        add_reaction_columns(mechanism_, columns);
        columns.push_back({"energy.potential", "J"});
        if (balance_.freedoms() > 0) columns.push_back({"stiffness.lowest", "N/m"});
    }

    void sample(const Node& node) {
        Vector y = node.y;
        balance_.close(y, node.t);
        auto& c = balance_.equations().coordinates();
        c.set_acceleration({});
        std::vector<double> row{node.t};
        for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b) {
            const auto& position = c.position(static_cast<int>(b));
            row.insert(row.end(), {position.p.x, position.p.y, position.angle});
        }
        evaluate_measures(mechanism_, c, node.t, channels_);
        for (std::size_t i = 0; i < channels_.size(); ++i) row.push_back(channels_[i].value / mechanism_.measures[i].unit_factor);
        reactions_.solve(c, balance_.equations().inertia(), balance_.equations().forces().on_bodies(), node.t);
        append_reactions(mechanism_, c, reactions_, row);
        row.push_back(balance_.potential());
        if (balance_.freedoms() > 0) row.push_back(node.lowest);
        result_.trajectory.add(row);
        auto& s = result_.statistics;
        ++s.samples;
        s.largest_residual = std::max(s.largest_residual, balance_.residual());
        s.largest_imbalance = std::max(s.largest_imbalance, reactions_.imbalance());
    }

    [[nodiscard]] double size() const { return balance_.size(); }

    const PlacedMechanism& placed_;
    const PlanarMechanism& mechanism_;
    const StaticRunOptions& options_;
    StaticRunResult& result_;
    StaticBalance balance_;
    Reactions reactions_;
    std::vector<TimeJet<double>> channels_;
    double step_ = first_step;
};

}  // namespace

std::string_view status_name(StaticRunStatus status) {
    static constexpr std::array<std::string_view, 6> names{"completed", "refused", "no_start", "neutral", "no_equilibrium", "stuck"};
    return names[static_cast<std::size_t>(status)];
}

StaticRunResult run_statics(const PlacedMechanism& placed, const StaticRunOptions& options) {
    StaticRunResult result;
    StaticRun(placed, options, result).run();
    return result;
}

}  // namespace pawl
