#include "simulation/quasi_static/quasi_static_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "math/tolerances/motion.h"
#include "results/text.h"
#include "simulation/columns/condition_watch.h"
#include "simulation/columns/sampler.h"
#include "simulation/equilibrium/equilibrium.h"
#include "simulation/equilibrium/equilibrium_search.h"
#include "simulation/quasi_static/quasi_static_failure.h"
#include "simulation/quasi_static/quasi_static_jump.h"
#include "simulation/quasi_static/quasi_static_mode.h"
#include "simulation/quasi_static/quasi_static_passage.h"
#include "simulation/quasi_static/quasi_static_record.h"
#include "simulation/quasi_static/quasi_static_start.h"

namespace pawl {

namespace {

using Vector = Eigen::VectorXd;

// Below this a corner of the path (a driver that changes its speed suddenly) is passed without
// asking for smoothness; where it is sharp, by a step of this length in time.
constexpr double corner_step = tolerance::corner_step;

class QuasiStaticRun {
public:
    QuasiStaticRun(const PlacedMechanism& placed, const QuasiStaticOptions& options,
                   QuasiStaticResult& result)
        : placed_(placed),
          options_(options),
          result_(result),
          failure_(placed.mechanism, result),
          mode_(placed, options, result.events),
          record_(placed, mode_, result),
          jump_(placed.mechanism, mode_, record_, result.events, failure_),
          contacts_(options.end, mode_, record_, jump_, failure_),
          conditions_(placed.mechanism, result.events) {}

    void run() {
        const auto start = find_start(placed_, mode_, failure_);
        if (!start) return;
        node() = *start;
        record_.add_columns();
        record_.sample(node());
        if (!conditions_.empty()) conditions_.begin(coordinates_at(node()), 0);
        if (options_.only_start) return finish();
        if (node().unstable > 0 && !leave_unstable_start(*start)) return;
        if (node().neutral > 0 && mode_.watching()) leave_neutral_start();
        const auto samples = static_cast<std::size_t>(
            std::ceil(options_.end / options_.step - tolerance::output_rounding));
        for (std::size_t k = 1; k <= samples; ++k) {
            const double t = k == samples ? options_.end : static_cast<double>(k) * options_.step;
            if (!advance(t)) break;
            record_.sample(node());
            // After a jump the limits on the way were not applied.
            if (!conditions_.empty() && conditions_.jump(coordinates_at(node()), t)) break;
            if (regular_) node() = *std::exchange(regular_, {});
            if (options_.progress)
                options_.progress(static_cast<double>(k) / static_cast<double>(samples));
        }
        finish();
    }

private:
    void finish() {
        record_.close();
        if (!options_.modes || result_.status != QuasiStaticStatus::completed) return;
        mode_.set(node());
        result_.vibration = analyse_vibration(mode_.balance(), placed_.mechanism);
    }

    [[nodiscard]] PathPoint& node() { return walk_.node; }
    [[nodiscard]] EquilibriumPath& path() { return mode_.path(); }

    bool leave_unstable_start(const PathPoint& start) {
        Event event = jump_.lost(EventKind::snap, start, Cause::start_is_unstable);
        event.from = "unstable";
        return jump_.take(node(), start, start.weakest, std::move(event));
    }

    // A contact that touches without pressing holds nothing, and the path has no tangent there:
    // where it leads shows when the contact is pressed, a little later.
    void leave_neutral_start() {
        const double t = corner_step * options_.end;
        Vector y = node().y;
        EquilibriumSystem& balance = mode_.balance();
        if (!balance.close(y, t) || descend(balance, y, t, descent_step * mode_.size()).status !=
                                        EquilibriumStatus::balanced)
            return;
        if (const PathPoint later = path().here(); later.unstable == 0 && later.neutral == 0)
            node() = later;
    }

    // To the stable equilibrium at time `target`, over limit points.
    bool advance(double target) {
        constexpr int max_steps = 500;  // between two outputs; an ordinary path takes some ten
        for (int steps = 0; node().t < target; ++steps) {
            ++result_.statistics.steps;
            if (steps == max_steps) return failure_.no_progress(max_steps, node().t);
            if (!step(target)) return false;
        }
        return true;
    }

    bool step(double target) {
        // Far beyond the output there is nothing to see.
        const double wanted = walk_.step;
        walk_.step = std::min(wanted, 2 * (target - node().t) / (options_.end * node().dt));
        const auto next = path().at(node(), walk_.step);
        if (!next) return shorten(target);
        // Before the contacts: beyond a dead point they would go back in time.
        if (next->unstable == 0 && along(node(), *next) < 0) return pass_dead_point(*next, target);
        if (mode_.watching()) {
            if (mode_.changes_touching_point(node(), *next)) return shorten(target);
            if (const auto done = pass_contacts(*next, target)) return *done;
        }
        if (is_doubtful(*next)) return shorten(target);
        if (next->unstable > 0) return pass_limit(target);
        if (next->t >= target) return land(std::exchange(walk_.step, wanted), target);
        if (ends_at_condition(*next)) return false;
        node() = *next;
        walk_.step = std::min(2 * wanted, PathWalk::longest_step);
        return true;
    }

    // What contacts do in the step to `next`; nothing when they stay as they are.
    std::optional<bool> pass_contacts(const PathPoint& next, double target) {
        using Outcome = QuasiStaticPassage::Outcome;
        const Outcome outcome = contacts_.pass(walk_, next, target);
        if (outcome == Outcome::astray) return shorten(target);
        if (outcome == Outcome::late) return land(walk_.step, target);
        if (outcome != Outcome::none) return outcome == Outcome::met;
        return std::nullopt;
    }

    // Beyond a limit point one direction is unstable; more than one hide two of them. On it there
    // is no tangent.
    [[nodiscard]] bool is_doubtful(const PathPoint& next) {
        const bool stable = next.unstable == 0, is_long = walk_.step > corner_step;
        if (!stable) return is_long && next.unstable > 1;
        return next.neutral > 0 || (is_long && path().bends(node(), next, walk_.step));
    }

    // The path cannot be followed in this step.
    bool shorten(double target) {
        ++result_.statistics.halved;
        walk_.step /= 2;
        if (walk_.step < corner_step && pass_corner(target)) return true;
        if (walk_.step >= PathWalk::shortest_step) return true;
        if (const auto contact = contacts_.slipping(node()))
            return contacts_.slip_off(walk_, *contact, node());
        if (const auto point = mode_.vanishing_point(node()))
            return failure_.touching_point_vanishes(node().t, *point);
        return failure_.no_next_point(node().t, ": forces jump, or the drivers meet a dead point");
    }

    // Time grows along every tangent; where two of them oppose each other on a stable path, it has
    // turned back between. There the run ends, unless a contact slips off.
    bool pass_dead_point(const PathPoint& next, double target) {
        constexpr double flat =
            tolerance::flat_path;  // of t/end per unit of the path: time is known to its square
        const auto rate = [&](const PathPoint& p) { return along(node(), p) < 0 ? -p.dt : p.dt; };
        const auto found = path().root(node(), walk_.step, next, flat, rate);
        if (!found && walk_.step > PathWalk::shortest_step) {
            walk_.step /= 2;
            return true;
        }
        const PathPoint last = found ? found->second : node();
        // A contact may pass on to another element, or open, before it comes to that.
        if (found && mode_.watching() && last.t > node().t) {
            walk_.step = found->first;
            if (const auto done = pass_contacts(last, target)) return *done;
        }
        if (const auto contact = contacts_.slipping(node()))
            return contacts_.slip_off(walk_, *contact, last);
        return failure_.dead_point(last.t);
    }

    // Beyond a sharp corner the path does not meet the plane across its old tangent; it is near in
    // time.
    bool pass_corner(double target) {
        const double t = std::min(target, node().t + corner_step * options_.end * node().dt);
        mode_.balance().look_near(node().fractions);
        const auto beyond = path().near(node().y, t);
        if (!beyond || beyond->unstable > 0 ||
            (beyond->y - node().y).norm() > 3 * corner_step * mode_.size() ||
            (mode_.watching() && mode_.changes_touching_point(node(), *beyond)))
            return false;
        node() = *beyond;
        walk_.step = corner_step;
        return true;
    }

    // Ends the way to an output, which the path passes within s of the node. On a singular point
    // there is no tangent: the run continues from before.
    bool land(double s, double target) {
        const PathPoint before = node();
        if (!hit(node(), s, target)) return false;
        const PathPoint after = std::exchange(node(), before);
        if (ends_at_condition(after)) return false;
        node() = after;
        if (node().neutral > 0) regular_ = before;
        return true;
    }

    // What the user's events ask for between the node and the next, each with its row; true where
    // one of them ends the run.
    bool ends_at_condition(const PathPoint& next) {
        if (conditions_.empty() || !(next.t > node().t)) return false;
        PathPoint between = node();
        const double s =
            (next.y - node().y).norm() / mode_.size() + (next.t - node().t) / options_.end;
        const auto motion = [&](double t) -> const Coordinates<PlanarSpace>* {
            if (t >= next.t) {
                between = next;
            } else {
                const auto found = path().at_time(node(), s, t);
                if (!found) return nullptr;
                between = *found;
            }
            return &coordinates_at(between);
        };
        return conditions_.pass(node().t, next.t, motion, [&] { record_.sample(between); });
    }

    const Coordinates<PlanarSpace>& coordinates_at(const PathPoint& point) {
        mode_.balance().look_near(point.fractions);
        Vector y = point.y;
        mode_.balance().close(y, point.t);
        return mode_.balance().equations().coordinates();
    }

    // From a point to the equilibrium at exactly `target`.
    bool hit(PathPoint& point, double s, double target) {
        const auto found = path().at_time(point, s, target);
        if (!found)
            return failure_.fail(
                QuasiStaticStatus::stuck,
                "the equilibrium at t = " + number_text(target, 9) + " s cannot be found");
        point = *found;
        return true;
    }

    // Within a step of the node the stiffness becomes singular: at the end of the path in time (a
    // limit point) or where another path branches off. Time is stationary at a limit point, so it
    // is found to the square of the error in s.
    bool pass_limit(double target) {
        const double s = walk_.step;
        const auto end = path().at(node(), s);
        const auto found =
            end ? path().root(node(), s, *end, tolerance::limit_stiffness * node().lowest,
                              [](const PathPoint& p) { return p.lowest; })
                : std::nullopt;
        if (!found) {
            walk_.step /= 2;
            return walk_.step >= PathWalk::shortest_step || failure_.no_next_point(node().t);
        }
        const PathPoint& limit = found->second;
        if (limit.t > target) return land(found->first, target);
        const double far = found->first + 0.1 * s;
        auto beyond = path().at(node(), far);
        if (!beyond) beyond = end;
        walk_.step = PathWalk::first_step;
        if (beyond->t < limit.t)
            return jump_.take(node(), limit, beyond->y - limit.y,
                              jump_.lost(EventKind::snap, limit, Cause::stiffness_vanishes));
        PathPoint from = *beyond;
        if (from.t > target) {
            from = node();
            if (!hit(from, far, target)) return false;
        }
        return jump_.take(node(), from, from.weakest,
                          jump_.lost(EventKind::bifurcation, limit, Cause::path_branches_off));
    }

    const PlacedMechanism& placed_;
    const QuasiStaticOptions& options_;
    QuasiStaticResult& result_;
    QuasiStaticFailure failure_;
    QuasiStaticMode mode_;
    QuasiStaticRecord record_;
    QuasiStaticJump jump_;
    QuasiStaticPassage contacts_;
    PathWalk walk_;
    ConditionWatch conditions_;
    std::optional<PathPoint> regular_;  // where to go on when an output falls on a singular point
};

}  // namespace

std::string_view status_name(QuasiStaticStatus status) {
    static constexpr std::array<std::string_view, 9> names{
        "completed",  "refused", "no_start", "neutral", "no_equilibrium",
        "dead_point", "jam",     "overlap",  "stuck"};
    return names[static_cast<std::size_t>(status)];
}

QuasiStaticResult run_quasi_static(const PlacedMechanism& placed,
                                   const QuasiStaticOptions& options) {
    QuasiStaticResult result;
    if (AuxiliaryLayout(placed.mechanism).has_friction())
        result.warnings.emplace_back(frictionless_warning);
    for (const auto& pair : placed.mechanism.contacts)
        if (!is_rigid(pair.law))
            result.warnings.push_back(
                "contact '" + pair.name +
                "' is compliant but treated as rigid here; for the equilibrium with its "
                "compliance, let a dynamic run with dampers settle");
    QuasiStaticRun(placed, options, result).run();
    warn_of_measures(placed.mechanism, result.trajectory, result.warnings);
    return result;
}

}  // namespace pawl
