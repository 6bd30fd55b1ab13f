#include "simulation/static_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "simulation/static_mode.h"
#include "simulation/static_record.h"
#include "simulation/static_search.h"
#include "simulation/statics.h"
#include "simulation/text.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Vector = Eigen::VectorXd;

// Steps along the path, of size and end.
constexpr double first_step = 0.02, longest_step = 0.1, shortest_step = 1e-8;
// Below this a corner of the path (a driver that changes its speed suddenly) is passed without
// asking for smoothness; where it is sharp, by a step of this length in time.
constexpr double corner_step = 1e-4;
// What moves by less (part of the size) has not jumped.
constexpr double nearly = 1e-6;
// A jump begins this far (part of the size) beside the position that has lost its stability.
constexpr double nudge = 1e-3;

class StaticRun {
public:
    StaticRun(const PlacedMechanism& placed, const StaticRunOptions& options,
              StaticRunResult& result)
        : placed_(placed),
          mechanism_(placed.mechanism),
          options_(options),
          result_(result),
          mode_(placed, options, result.events),
          record_(placed, mode_.contacts(), result) {}

    void run() {
        PathPoint node;
        if (!begin(node)) return;
        record_.add_columns(balance());
        sample(node);
        if (node.unstable > 0 && !leave_unstable_start(node)) return;
        if (node.neutral > 0 && mode_.watching()) leave_neutral_start(node);
        const auto samples =
            static_cast<std::size_t>(std::ceil(options_.end / options_.step - 1e-9));
        for (std::size_t k = 1; k <= samples; ++k) {
            const double t = k == samples ? options_.end : static_cast<double>(k) * options_.step;
            if (!advance(node, t)) break;
            sample(node);
            if (regular_) node = *std::exchange(regular_, {});
            if (options_.progress)
                options_.progress(static_cast<double>(k) / static_cast<double>(samples));
        }
        record_.close();
    }

private:
    bool fail(StaticRunStatus status, std::string message, Span span = {}) {
        result_.status = status;
        result_.message = std::move(message);
        result_.span = span;
        return false;
    }

    bool begin(PathPoint& node) {
        if (mode_.watching()) return begin_in_contact(node);
        const StaticResult start = find_equilibrium(placed_);
        if (start.status == StaticStatus::refused)
            return fail(StaticRunStatus::refused, start.message, start.span);
        if (start.status != StaticStatus::balanced)
            return fail(StaticRunStatus::no_start, start.message, start.span);
        if (start.stability == Stability::neutral) {
            const auto weak =
                std::min_element(start.stiffness.begin(), start.stiffness.end(),
                                 [](double a, double b) { return std::abs(a) < std::abs(b); });
            const std::string& who =
                start.directions[static_cast<std::size_t>(weak - start.stiffness.begin())];
            return fail(StaticRunStatus::neutral,
                        "'" + who +
                            "' has no stiffness, so that its position of rest is not decided; hold "
                            "it by a spring or a driver",
                        span_of_coordinate(mechanism_, who));
        }
        const auto q = balance().equations().coordinates().from_positions(start.positions);
        node.y.resize(static_cast<int>(q.size()));
        for (int c = 0; c < node.y.size(); ++c)
            node.y[c] = q[static_cast<std::size_t>(c)] * balance().equations().column_scale()[c];
        balance().close(node.y, 0);
        node = mode_.path().here();
        return true;
    }

    [[nodiscard]] StaticBalance& balance() { return mode_.balance(); }

    // The equilibrium of the mode at (y, t), near y.
    bool settle(PathPoint& node, Vector y, double t) {
        if (!balance().close(y, t) ||
            solve_balance(balance(), y, t).status != StaticStatus::balanced)
            return fail(StaticRunStatus::stuck,
                        "no equilibrium with the contacts that are closed at t = " +
                            number_text(t, 9) + " s");
        node = mode_.path().here();
        return true;
    }

    // The start among contacts: those that touch are closed, and the bodies descend from there to
    // rest, meeting others.
    bool begin_in_contact(PathPoint& node) {
        if (placed_.mechanism.bodies.size() * 3 > StaticBalance::largest_size)
            return fail(StaticRunStatus::refused, "statics with contacts works up to 100 bodies");
        Vector y = balance().assembled();
        if (!balance().close(y, 0))
            return fail(StaticRunStatus::no_start, "the start does not satisfy the joints");
        if (const auto found = mode_.contacts().overlap(balance().equations().coordinates()))
            return fail(StaticRunStatus::overlap, found->message, found->span);
        mode_.follow();
        mode_.contacts().close_touching(balance().equations().coordinates());
        mode_.renew();
        if (!balance().close(y, 0) || !mode_.fall(y, y, 0))
            return fail(StaticRunStatus::no_start, "no equilibrium is reached from the start");
        node = mode_.path().here();
        return true;
    }

    // Forces are known on the path only.
    struct Change : ContactMode::Change {
        std::optional<std::size_t> pulls;
    };

    enum class Passage { none, met, astray, ended };

    // The contacts between a node and the next point of the path: the first change is brought
    // about. `astray`: the path cannot be followed in this step.
    Passage pass_contact(PathPoint& node, const PathPoint& next, double target) {
        Change change{mode_.first_change(node, next), {}};
        // The straight line only shows that something may change.
        if (change.hit || change.passed) {
            const auto on_path = mode_.first_change(node, step_);
            if (!on_path) return Passage::astray;
            change = {*on_path, {}};
        }
        mode_.set(next);
        for (std::size_t i = 0; i < mode_.closed() && !change.hit && !change.passed; ++i)
            if (mode_.force(i) < -1e-10 * balance().largest_force()) change.pulls = i;
        mode_.follow();
        if (!change.hit && !change.passed && !change.pulls) return Passage::none;
        const auto found = locate(node, next, change);
        if (!found) return Passage::astray;
        const PathPoint& at = found->second;
        if (at.unstable > 0) return Passage::none;  // a limit point comes first
        if (at.t > target) {
            step_ = found->first;
            return land(node, found->first, target) ? Passage::met : Passage::ended;
        }
        sample(at);
        mode_.set(at);
        mode_.follow();
        const auto before = balance().equations().contacts();
        if (!change_mode(change, at)) return Passage::ended;
        const bool dropped =
            change.passed && balance().equations().contacts().size() < before.size();
        const bool goes_on = dropped ? drop(node, at, before[change.passed->contact], target)
                                     : settle(node, at.y, at.t) && go_on(node);
        return goes_on ? Passage::met : Passage::ended;
    }

    // A contact that was lost at the end of an element held a load, which falls. What touched may
    // lie just there, round a corner: it shows a moment later.
    bool drop(PathPoint& node, PathPoint at, const ContactPoint<Space>& contact, double target) {
        constexpr double later = 1e-10, near = 1e-8;  // of end and size: some digits above rounding
        at.t = std::min(at.t + later * options_.end, target);
        balance().close(at.y, at.t);
        mode_.close_overlapping(contact, at.t, near * size());
        balance().close(at.y, at.t);
        at = mode_.path().here();
        const Vector way = balance().free_directions() * balance().unbalance();
        step_ = first_step;
        last_slip_ = at.t;
        Event event = lost(EventKind::snap, at, "a contact is lost");
        event.element = balance().leading_coordinate(way);
        return jump(node, at, Vector(), std::move(event));
    }

    // From the balance with other contacts closed.
    bool go_on(PathPoint& node) {
        step_ = std::min(step_, first_step);
        if (node.unstable > 0) {
            const PathPoint start = node;
            return jump(
                node, start, start.weakest,
                lost(EventKind::snap, start, "the change of contact leaves the balance unstable"));
        }
        sample(node);
        return true;
    }

    // Where on the path from a node a change takes place, and how far that is.
    std::optional<std::pair<double, PathPoint>> locate(const PathPoint& node, const PathPoint& next,
                                                       const Change& change) {
        if (change.hit) {
            const auto at = mode_.path().at(node, change.hit->t);
            return at ? std::optional(std::pair(change.hit->t, *at)) : std::nullopt;
        }
        const auto measure = [&](const PathPoint& p) {
            mode_.set(p);
            if (change.pulls) return mode_.force(*change.pulls);
            const double u = balance()
                                 .equations()
                                 .contacts()[change.passed->contact]
                                 .touch.u[change.passed->side];
            return change.passed->direction < 0 ? u : 1 - u;
        };
        if (change.pulls)
            return mode_.path().root(node, step_, next, 1e-13 * std::max(1e-300, next.force_scale),
                                     measure);
        const auto end = mode_.path().at(node, change.passed->t);
        return end ? mode_.path().root(node, change.passed->t, *end, 1e-13, measure) : std::nullopt;
    }

    bool change_mode(const Change& change, const PathPoint& at) {
        if (change.hit) return close(*change.hit, at);
        if (change.pulls) {
            mode_.contacts().open(at.t, *change.pulls, EventKind::contact_lost, "normal force = 0");
        } else if (const auto trouble =
                       mode_.contacts().pass_end(balance().equations(), at.t, *change.passed)) {
            return fail(StaticRunStatus::stuck, trouble->message, trouble->span);
        }
        mode_.renew();
        return true;
    }

    // The drivers go on, and the contact cannot.
    bool jam(const ContactPoint<Space>& point, double t, const std::string& why) {
        mode_.contacts().note(EventKind::jam, t, point, elements_text(mechanism_, point), "stopped",
                              why);
        return fail(
            StaticRunStatus::jam,
            "jam at t = " + number_text(t, 9) + " s: contact '" + name_of(mechanism_, point) +
                "' (" + elements_text(mechanism_, point) + ") cannot give way to " +
                (mechanism_.drivers.empty() ? "the loads" : drivers_text(mechanism_)) + ": " + why,
            mechanism_.contacts[static_cast<std::size_t>(point.pair)].span);
    }

    bool close(const GapWatch::Hit& hit, const PathPoint& at) {
        std::vector<double> forces;
        for (std::size_t i = 0; i < mode_.closed(); ++i) forces.push_back(mode_.force(i));
        mode_.close(hit, at.t);
        mode_.renew();
        balance().set(at.y, at.t);
        mode_.follow();
        const auto point = mode_.contacts().closed().back();
        if (!mode_.hand_over(forces, at.t))
            return jam(point, at.t, "it closes, and no other contact opens");
        if (mode_.closed() != forces.size() + 1) mode_.renew();
        return true;
    }

    bool leave_unstable_start(PathPoint& node) {
        const PathPoint start = node;
        Event event = lost(EventKind::snap, start, "the start is in unstable balance");
        event.from = "unstable";
        return jump(node, start, start.weakest, std::move(event));
    }

    // A contact that touches without pressing holds nothing, and the path has no tangent there:
    // where it leads shows when the contact is pressed, a little later.
    void leave_neutral_start(PathPoint& node) {
        const double t = corner_step * options_.end;
        Vector y = node.y;
        if (!balance().close(y, t) ||
            descend(balance(), y, t, descent_step * size()).status != StaticStatus::balanced)
            return;
        if (const PathPoint later = mode_.path().here(); later.unstable == 0 && later.neutral == 0)
            node = later;
    }

    // To the stable equilibrium at time `target`, over limit points.
    bool advance(PathPoint& node, double target) {
        constexpr int most = 500;  // between two outputs; an ordinary path takes some ten
        for (int steps = 0; node.t < target; ++steps) {
            ++result_.statistics.steps;
            if (steps == most)
                return fail(StaticRunStatus::stuck,
                            std::to_string(most) +
                                " steps have led to t = " + number_text(node.t, 9) +
                                " s only: contacts may open and close without end" +
                                (result_.events.empty()
                                     ? ""
                                     : ", as '" + result_.events.back().element + "' does"));
            // Far beyond the output there is nothing to see.
            const double wanted = step_;
            step_ = std::min(step_, 2 * (target - node.t) / (options_.end * node.dt));
            const auto next = mode_.path().at(node, step_);
            // Before the contacts: beyond a dead point they would go back in time.
            if (next && next->unstable == 0 && along(node, *next) < 0) {
                if (!pass_dead_point(node, *next)) return false;
                continue;
            }
            Passage passage = Passage::none;
            if (next && mode_.watching())
                passage =
                    mode_.strays(node, *next) ? Passage::astray : pass_contact(node, *next, target);
            if (passage == Passage::ended) return false;
            if (passage == Passage::met) continue;
            const bool stable = next && next->unstable == 0;
            // Beyond a limit point one direction is unstable; more than one hide two of them. On it
            // there is no tangent.
            const bool doubtful =
                next && step_ > corner_step &&
                (stable ? mode_.path().bends(node, *next, step_) : next->unstable > 1);
            if (!next || passage == Passage::astray || doubtful || (stable && next->neutral > 0)) {
                ++result_.statistics.halved;
                step_ /= 2;
                if (step_ < corner_step && pass_corner(node, target)) continue;
                if (step_ < shortest_step) {
                    if (const int contact = slipping(node); contact >= 0) {
                        if (!slip_off(contact, node, node)) return false;
                        continue;
                    }
                    if (const auto point = mode_.fading(node))
                        return fail(
                            StaticRunStatus::stuck,
                            "contact '" + name_of(mechanism_, *point) +
                                "' is permanent, but its place on " +
                                elements_text(mechanism_, *point) + " vanishes in a dent at t = " +
                                number_text(node.t, 9) + " s" + ContactMode::set_free,
                            mechanism_.contacts[static_cast<std::size_t>(point->pair)].span);
                    return fail(
                        StaticRunStatus::stuck,
                        "the equilibrium cannot be followed beyond t = " + number_text(node.t, 9) +
                            " s: forces jump, or the drivers meet a dead point");
                }
                continue;
            }
            if (!stable) {
                if (!pass_limit(node, step_, target)) return false;
            } else if (next->t >= target) {
                return land(node, std::exchange(step_, wanted), target);
            } else {
                node = *next;
                step_ = std::min(2 * wanted, longest_step);
            }
        }
        return true;
    }

    // The cosine between the tangents of two points.
    static double along(const PathPoint& a, const PathPoint& b) {
        return a.dy.dot(b.dy) + a.dt * b.dt;
    }

    // Time grows along every tangent; where two of them oppose each other on a stable path, it has
    // turned back between. There the run ends, unless a contact slips off.
    bool pass_dead_point(PathPoint& node, const PathPoint& next) {
        const auto rate = [&](const PathPoint& p) { return along(node, p) < 0 ? -p.dt : p.dt; };
        const auto found =
            mode_.path().root(node, step_, next, 1e-7,
                              rate);  // of t/end per unit of the path: time is known to its square
        if (!found && step_ > shortest_step) {
            step_ /= 2;
            return true;
        }
        const PathPoint last = found ? found->second : node;
        if (const int contact = slipping(node); contact >= 0) return slip_off(contact, node, last);
        Event event;
        event.t = last.t;
        event.kind = EventKind::dead_point;
        event.to = "stopped";
        if (mechanism_.drivers.size() == 1) event.element = mechanism_.drivers[0].name;
        result_.events.push_back(event);
        return fail(StaticRunStatus::dead_point,
                    "dead point at t = " + number_text(last.t, 10) +
                        " s: the drivers ask to go on where the mechanism cannot",
                    mechanism_.drivers.empty() ? Span{} : mechanism_.drivers[0].span);
    }

    // The contact that slips off at a dead point just beyond the node: its force grows without
    // bound there. -1: none does.
    [[nodiscard]] int slipping(const PathPoint& node) {
        if (node.t - last_slip_ < 1e-6 * options_.end) return -1;  // it would come back at once
        mode_.set(node);
        int strongest = -1;
        double force = 0;
        for (std::size_t i = 0; i < mode_.closed(); ++i)
            if (mode_.force(i) > force) {
                force = mode_.force(i);
                strongest = static_cast<int>(i);
            }
        return strongest;
    }

    bool slip_off(int contact, PathPoint& node, PathPoint at) {
        sample(at);
        mode_.set(at);
        mode_.follow();
        if (mode_.is_pressed(static_cast<std::size_t>(contact)))
            return jam(mode_.contacts().closed()[static_cast<std::size_t>(contact)], at.t,
                       "it presses across all that is free to move");
        mode_.contacts().open(at.t, static_cast<std::size_t>(contact), EventKind::contact_lost,
                              "slips off: no position further on keeps it closed");
        mode_.renew();
        balance().close(at.y, at.t);
        at = mode_.path().here();
        step_ = first_step;
        last_slip_ = at.t;
        const Vector way = balance().free_directions() * balance().unbalance();
        Event event = lost(EventKind::snap, at, "a contact slips off");
        event.element = balance().leading_coordinate(way);
        return jump(node, at, way, std::move(event));
    }

    // Beyond a sharp corner the path does not meet the plane across its old tangent; it is near in
    // time.
    bool pass_corner(PathPoint& node, double target) {
        const double t = std::min(target, node.t + corner_step * options_.end * node.dt);
        Vector y = node.y;
        balance().look_near(node.places);
        if (!balance().close(y, t) ||
            solve_balance(balance(), y, t).status != StaticStatus::balanced)
            return false;
        const PathPoint beyond = mode_.path().here();
        if (beyond.unstable > 0 || (y - node.y).norm() > 3 * corner_step * size() ||
            (mode_.watching() && mode_.strays(node, beyond)))
            return false;
        node = beyond;
        step_ = corner_step;
        return true;
    }

    // Ends the way to an output. On a singular point there is no tangent: the run goes on from
    // before.
    bool land(PathPoint& node, double s, double target) {
        const PathPoint before = node;
        if (!hit(node, s, target)) return false;
        if (node.neutral > 0) regular_ = before;
        return true;
    }

    // The equilibrium at exactly `target`, which the path passes within s of the node. Beside a
    // limit point Newton's method has nothing to gain at fixed time; the place on the path is then
    // good.
    bool hit(PathPoint& node, double s, double target) {
        const double near = 1e-13 * options_.end;
        std::optional<PathPoint> found = node;  // after a snap on an output
        if (target - node.t > near) {
            const auto end = mode_.path().at(node, s);
            const auto place =
                end ? mode_.path().root(node, s, *end, near,
                                        [&](const PathPoint& p) { return target - p.t; })
                    : std::nullopt;
            found = place ? std::optional(place->second) : std::nullopt;
        }
        bool balanced = false;
        if (found) {
            Vector y = found->y;
            balance().look_near(found->places);
            balanced = balance().close(y, target) &&
                       solve_balance(balance(), y, target).status == StaticStatus::balanced;
            y = found->y;
            if (!balanced && balance().close(y, target))
                balanced = balance().unbalance().norm() <= 1e-10 * found->force_scale;
        }
        if (!balanced)
            return fail(StaticRunStatus::stuck,
                        "the equilibrium at t = " + number_text(target, 9) + " s cannot be found");
        node = mode_.path().here();
        return true;
    }

    // Within s of the node the stiffness becomes singular: at the end of the path in time (a limit
    // point) or where another path branches off. Time is stationary at a limit point, so it is
    // found to the square of the error in s.
    bool pass_limit(PathPoint& node, double s, double target) {
        const auto end = mode_.path().at(node, s);
        const auto found = end ? mode_.path().root(node, s, *end, 1e-9 * node.lowest,
                                                   [](const PathPoint& p) { return p.lowest; })
                               : std::nullopt;
        if (!found) {
            step_ /= 2;
            return step_ >= shortest_step ||
                   fail(StaticRunStatus::stuck, "the equilibrium cannot be followed beyond t = " +
                                                    number_text(node.t, 9) + " s");
        }
        const PathPoint& limit = found->second;
        if (limit.t > target) return land(node, found->first, target);
        auto beyond = mode_.path().at(node, found->first + 0.1 * s);
        if (!beyond) beyond = end;
        step_ = first_step;
        if (beyond->t < limit.t) {
            const PathPoint from = limit;
            return jump(node, from, beyond->y - limit.y,
                        lost(EventKind::snap, from, "the stiffness vanishes (limit point)"));
        }
        PathPoint from = *beyond;
        if (from.t > target) {
            from = node;
            if (!hit(from, found->first + 0.1 * s, target)) return false;
        }
        return jump(node, from, from.weakest,
                    lost(EventKind::bifurcation, limit,
                         "the stiffness vanishes where another path branches off"));
    }

    Event lost(EventKind kind, const PathPoint& at, const std::string& what) {
        Event event;
        event.t = at.t;
        event.kind = kind;
        event.element = balance().leading_coordinate(at.weakest);
        event.from = "stable";
        event.detail = what;
        return event;
    }

    // From an equilibrium that is lost to the next stable one, beginning in `direction` where
    // forces give none (none is given where they do); `node` becomes that.
    bool jump(PathPoint& node, const PathPoint& from, const Vector& direction, Event event) {
        if (event.kind == EventKind::snap && event.t > 0 && event.t != last_slip_) sample(from);
        Vector before = from.y;
        balance().close(before, from.t);
        const double energy = balance().potential();
        const auto positions = poses();
        Vector y = from.y;
        if (direction.size() > 0) y += nudge * size() / direction.norm() * direction;
        const bool reached = mode_.fall(from.y, y, from.t);
        if (reached) node = mode_.path().here();
        event.to = reached ? "stable" : "none";
        if (!reached) {
            event.detail += "; no other stable equilibrium is reached";
            const std::string message =
                "the equilibrium is lost at t = " + number_text(event.t, 9) + " s (" +
                event.element + "), and no other stable one is reached from there";
            const Span span = span_of_coordinate(mechanism_, event.element);
            result_.events.push_back(std::move(event));
            return fail(StaticRunStatus::no_equilibrium, message, span);
        }
        if (direction.size() == 0 && (node.y - from.y).norm() < nearly * size()) {
            sample(node);
            return true;
        }
        event.energy_change = balance().potential() - energy;
        event.detail += "; goes on from the next stable equilibrium: " + displacement(positions);
        result_.events.push_back(std::move(event));
        if (result_.events.back().kind == EventKind::snap) sample(node);
        return true;
    }

    [[nodiscard]] std::vector<Space::Position> poses() {
        std::vector<Space::Position> out;
        for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b)
            out.push_back(balance().equations().coordinates().position(static_cast<int>(b)));
        return out;
    }

    // Which body has moved most from its old pose, and how far.
    [[nodiscard]] std::string displacement(const std::vector<Space::Position>& before) {
        const auto now = poses();
        std::size_t most = 0;
        double farthest = -1;
        for (std::size_t b = 1; b < now.size(); ++b) {
            const auto d = now[b].p - before[b].p;
            const double far =
                std::hypot(d.x, d.y) + std::abs(now[b].angle - before[b].angle) * size();
            if (far > farthest) {
                farthest = far;
                most = b;
            }
        }
        const auto d = now[most].p - before[most].p;
        return "'" + mechanism_.bodies[most].name + "' moves by " +
               length_text(std::hypot(d.x, d.y)) + " and turns by " +
               number_text((now[most].angle - before[most].angle) * 180 / M_PI, 4) + " deg";
    }

    void sample(const PathPoint& node) {
        balance().look_near(node.places);
        record_.sample(balance(), node);
    }

    [[nodiscard]] double size() const { return mode_.size(); }

    const PlacedMechanism& placed_;
    const PlanarMechanism& mechanism_;
    const StaticRunOptions& options_;
    StaticRunResult& result_;
    StaticMode mode_;
    StaticRecord record_;
    double step_ = first_step;
    double last_slip_ =
        -INFINITY;  // when a contact slipped off: before that was no balance to show
    std::optional<PathPoint> regular_;  // where to go on when an output falls on a singular point
};

}  // namespace

std::string_view status_name(StaticRunStatus status) {
    static constexpr std::array<std::string_view, 9> names{
        "completed",  "refused", "no_start", "neutral", "no_equilibrium",
        "dead_point", "jam",     "overlap",  "stuck"};
    return names[static_cast<std::size_t>(status)];
}

StaticRunResult run_statics(const PlacedMechanism& placed, const StaticRunOptions& options) {
    StaticRunResult result;
    if (AuxiliaryLayout(placed.mechanism).has_friction())
        result.warnings.emplace_back(frictionless_warning);
    StaticRun(placed, options, result).run();
    return result;
}

}  // namespace pawl
