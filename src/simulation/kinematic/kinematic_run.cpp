#include "simulation/kinematic/kinematic_run.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances/motion.h"
#include "results/event_text.h"
#include "results/text.h"
#include "simulation/columns/condition_watch.h"
#include "simulation/columns/reactions.h"
#include "simulation/columns/sampler.h"
#include "simulation/kinematic/dead_points.h"
#include "simulation/kinematic/driven_system.h"
#include "simulation/kinematic/kinematic_record.h"
#include "simulation/placement/contact_mode.h"
#include "simulation/placement/mobility.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Mechanics = MechanismEquations<Space>;

class KinematicRun {
public:
    KinematicRun(const PlacedMechanism& placed, const KinematicOptions& options,
                 KinematicResult& result)
        : placed_(placed),
          options_(options),
          result_(result),
          system_(placed, options.coordinates, options.end),
          mode_(placed, result.events),
          record_(placed, options, mode_, result),
          dead_points_(result.events),
          conditions_(placed.mechanism, result.events) {
        equations_ = &system_.equations();
        for (const auto& rest : system_.kept()) result.at_rest.push_back(rest.name);
    }

    void run() {
        if (options_.reactions)
            if (const auto problem = indeterminate_friction(placed_)) {
                result_.status = KinematicStatus::indeterminate;
                result_.message = problem->message;
                result_.span = problem->span;
                return;
            }
        const int n = equations_->size();
        MotionNode node{0, equations_->coordinates().from_positions(placed_.assembly.positions),
                        std::vector<double>(n), std::vector<double>(n)};
        equations_->set_position(node.q, 0);
        system_.choose_rows();
        adopt();
        if (fails(system_.begin(node)) || !close_at_start(node)) {
            equations_->set_position(node.q, 0);
            return record_.sample_start(*equations_);
        }
        record_.sample(node);
        equations_->coordinates().set_velocity(node.v);
        conditions_.begin(equations_->coordinates(), 0);
        const std::vector<double> times = output_times(options_);
        for (std::size_t k = 0; k < times.size() && advance(node, times[k]); ++k)
            if (options_.progress && k % 256 == 0)
                options_.progress(static_cast<double>(k) / times.size());
        result_.statistics.newton_iterations = motion_->iterations();
        record_.close();
    }

private:
    [[nodiscard]] bool watching() const { return !mode_.empty(); }

    // The equations and the motion in force are new.
    void adopt() {
        equations_ = &system_.equations();
        motion_ = &system_.motion();
        dead_points_.adopt(*equations_, *motion_);
        record_.adopt(*equations_, *motion_, system_.kept());
    }

    bool fails(const std::optional<DrivenSystem::Trouble>& trouble) {
        if (!trouble) return false;
        result_.status = trouble->status;
        result_.message = trouble->message;
        result_.span = trouble->span;
        return true;
    }

    // New equations for the closed contacts. False when the contacts contradict the drivers.
    bool close(MotionNode& node) {
        system_.hold_contacts(mode_, node);
        // A coordinate that a contact has moved once is no longer at rest.
        std::erase_if(result_.at_rest, [&](const std::string& name) {
            return std::none_of(system_.kept().begin(), system_.kept().end(),
                                [&](const auto& rest) { return rest.name == name; });
        });
        adopt();
        return !fails(system_.solve(node));
    }

    // Contacts that touch at the start are closed from the start.
    bool close_at_start(MotionNode& node) {
        if (const auto found = mode_.overlap(equations_->coordinates()))
            return end(KinematicStatus::overlap, *found);
        equations_->coordinates().set_velocity(node.v);
        mode_.follow(*equations_);
        mode_.close_touching(equations_->coordinates());
        return mode_.closed().empty() || close(node);
    }

    bool end(KinematicStatus status, const ContactTrouble& trouble) {
        result_.status = status;
        result_.message = trouble.message;
        result_.span = trouble.span;
        return false;
    }

    // Ends the step from node to trial at the first change of contact in it, if there is one
    // (`met`): samples both sides and leaves the node there. False when the run ends.
    bool pass_contact(MotionNode& node, const MotionNode& trial, bool& met) {
        if (!watching()) return true;
        MotionNode between = node;
        polynomials(node, trial, path_);
        const auto set = [&](double t) {
            interpolate(node, trial, t, between.q, &between.v);
            equations_->set_position(between.q, t);
            equations_->coordinates().set_velocity(between.v);
        };
        const auto [hit, passed] = mode_.first_change(*equations_, node.t, trial.t, set, path_);
        if (!passed && !hit) {
            equations_->set_position(trial.q, trial.t);
            equations_->set_velocity(trial.v);
            return true;
        }
        met = true;
        MotionNode at = node;
        at.t = hit ? hit->t : passed->t;
        interpolate(node, trial, at.t, at.q);
        for (int i = 0; i < 8; ++i) {
            if (motion_->solve(at) != SolveOutcome::solved) break;
            double value = 0, rate = 0;
            if (hit) {
                const auto now = mode_.watch().locate(equations_->coordinates(), hit->point, at.v);
                value = now.touch.gap;
                rate = now.rates.closing;
            } else {
                const auto& point = equations_->contacts()[passed->contact];
                value = passed->direction < 0 ? point.touch.u[passed->side]
                                              : 1 - point.touch.u[passed->side];
                rate = (passed->direction < 0 ? 1 : -1) * point.rates.u[passed->side];
            }
            const double newton = rate != 0 ? -value / rate : 0;
            const double least = tolerance::time_rounding * (1 + at.t), longest = trial.t - node.t;
            if (!(std::abs(newton) > least) || !(std::abs(newton) < longest)) break;
            // Not out of the step: what stands at an end already passed it at its beginning.
            const double t = std::clamp(at.t + newton, node.t, trial.t), step = t - at.t;
            at.t = t;
            for (std::size_t c = 0; c < at.q.size(); ++c)
                at.q[c] += step * (at.v[c] + 0.5 * step * at.a[c]);
        }
        node = at;
        record_.sample(node);
        mode_.follow(*equations_);
        if (is_burst(node.t))
            return jam(node.t, hit ? hit->point : equations_->contacts()[passed->contact]);
        if (hit) {
            auto point = hit->point;
            point.touch = mode_.watch().locate(equations_->coordinates(), point, node.v).touch;
            mode_.close(node.t, point);
        } else if (const auto trouble = mode_.pass_end(*equations_, node.t, *passed)) {
            return end(KinematicStatus::stuck, *trouble);
        }
        if (!close(node)) {
            if (result_.status != KinematicStatus::drivers_fight) return false;
            if (!hit || !open_replaced_contact(node)) return jam(node.t, mode_.closed().back());
        }
        record_.sample(node);
        return true;
    }

    // The contact that has closed last cannot be held with those before it: the one that has the
    // largest part in its motion opens. False when none does.
    bool open_replaced_contact(MotionNode& node) {
        const auto bare = system_.make({}, mode_.closed());
        mode_.apply_to(*bare);
        bare->set_position(node.q, node.t);
        const auto parts = mode_.parts_of_last(*bare);
        if (!parts || parts->empty()) return false;
        const auto largest = std::max_element(parts->begin(), parts->end());
        constexpr double none = tolerance::row_rounding;  // of the row: rounding
        if (!(*largest > none)) return false;
        mode_.open(node.t, static_cast<std::size_t>(largest - parts->begin()),
                   EventKind::contact_lost, {mode_.takes_over()});
        result_.status = KinematicStatus::completed;
        result_.message.clear();
        result_.span = {};
        return close(node);
    }

    // A contact that keeps opening and closing at one time can neither stay closed nor open.
    bool is_burst(double t) {
        if (t - burst_from_ > tolerance::near_time * (1 + t)) {
            burst_from_ = t;
            burst_count_ = 0;
            before_burst_ = result_.events.size();
        }
        constexpr int max_openings = 20;
        if (++burst_count_ <= max_openings) return false;
        result_.events.resize(before_burst_);
        return true;
    }

    bool jam(double t, const ContactPoint<Space>& point) {
        mode_.note(EventKind::jam, t, point, elements_text(placed_.mechanism, point), "stopped",
                   {fact::Held{fact::Held::Manner::cannot_give_way, fact::Held::By::drivers,
                               driver_names(placed_.mechanism)}});
        result_.status = KinematicStatus::drivers_fight;
        result_.span = placed_.mechanism.contacts[point.pair].span;
        result_.message = "jam at t = " + number_text(t, 9) + " s: contact '" +
                          name_of(placed_.mechanism, point) + "' (" +
                          elements_text(placed_.mechanism, point) + ") cannot yield to " +
                          drivers_text(placed_.mechanism);
        return false;
    }

    // No position continues with all contacts closed: the last one to close is released.
    bool release(MotionNode& node) {
        equations_->set_position(node.q, node.t);
        mode_.follow(*equations_);
        if (is_burst(node.t)) return jam(node.t, mode_.closed().back());
        mode_.open(node.t, mode_.closed().size() - 1, EventKind::contact_impossible,
                   {Cause::no_position_keeps_it});
        record_.sample(node);
        if (!close(node)) return false;
        record_.sample(node);
        return true;
    }

    // One output step, with as many inner steps as following the branch requires.
    bool advance(MotionNode& node, double target) {
        if (fails(system_.jump_until(target))) return false;
        double h = std::min(target - node.t, longest_step(*equations_, node));
        MotionNode trial = node;
        constexpr long max_steps = 1000000;  // half a million radians between two outputs
        const long first = result_.statistics.steps;
        const double from = node.t;
        while (node.t < target) {
            if (result_.statistics.steps - first > max_steps) {
                result_.status = KinematicStatus::stuck;
                result_.message = no_progress_text(max_steps, from, node.t) +
                                  ": a driver moves too fast or without bound";
                return false;
            }
            trial.t = node.t + h >= target - tolerance::last_part * h ? target : node.t + h;
            predict(dead_points_.before(), node, trial.t, trial.q);
            const bool solved = motion_->solve(trial) == SolveOutcome::solved;
            ++result_.statistics.steps;
            const bool asks = trial.t == target || is_falling(node, trial);
            const double condition = !solved ? INFINITY : asks ? motion_->condition() : 1;
            const bool stays = solved && stays_on_branch(*equations_, node, trial);
            if (condition > tolerance::singular_condition && (stays || trial.t == target) &&
                step_over(node, target, trial))
                return true;
            if (stays && dead_points_.step(node, trial)) {
                bool met = false;
                if (!pass_contact(node, trial, met)) return false;
                if (met) {
                    h = std::min(target - node.t, longest_step(*equations_, node));
                    trial = node;
                    continue;
                }
                if (watching()) equations_->settle_contacts();
                if (!conditions_.empty() && ends_at_condition(node, trial)) return false;
                dead_points_.finish_step(node);
                std::swap(node, trial);
                h = std::min({2 * h, target - node.t, longest_step(*equations_, node)});
                if (node.t >= target) {
                    equations_->set_position(node.q, node.t);
                    if (fails(system_.contradiction(node))) return false;
                    record_.sample(node, condition);
                }
                continue;
            }
            ++result_.statistics.halved;
            h *= 0.5;
            if (h < tolerance::smallest_step * options_.step) {
                if (mode_.closed().empty()) return end_at_fold(node);
                if (!release(node)) return false;
                h = std::min(target - node.t, longest_step(*equations_, node));
                trial = node;
            }
        }
        return true;
    }

    // The user's events between two nodes; true where one of them ends the run.
    bool ends_at_condition(const MotionNode& node, const MotionNode& trial) {
        MotionNode between = node;
        const auto motion = [&](double t) -> const Coordinates<Space>* {
            between.t = t;
            interpolate(node, trial, t, between.q);
            if (motion_->solve(between) != SolveOutcome::solved) return nullptr;
            equations_->coordinates().set_velocity(between.v);
            return &equations_->coordinates();
        };
        if (conditions_.pass(node.t, trial.t, motion, [&] { record_.sample(between); }))
            return true;
        equations_->set_position(trial.q, trial.t);
        equations_->set_velocity(trial.v);
        return false;
    }

    // The target itself is singular: solve just before and just after it, where the motion is
    // regular, and take the quintic between. True when that worked and the sample was taken.
    bool step_over(MotionNode& node, double target, MotionNode& trial) {
        const double room = target - node.t;
        // Far enough for a good condition number, near enough for the quintic: 0.02 rad (its error
        // goes with the sixth power), before the next output.
        const double farthest =
            std::min(0.5 * options_.step, 0.04 * longest_step(*equations_, node));
        for (double reach = farthest; reach > tolerance::nearest_reach * farthest; reach /= 4) {
            const double before_t = target - std::min(reach, 0.5 * room);
            MotionNode before = node, after = node;
            before.t = before_t;
            predict(dead_points_.before(), node, before.t, before.q);
            if (motion_->solve(before) != SolveOutcome::solved ||
                !stays_on_branch(*equations_, node, before))
                continue;
            after.t = target + reach;
            predict(dead_points_.before(), before, after.t, after.q);
            if (motion_->solve(after) != SolveOutcome::solved ||
                !stays_on_branch(*equations_, before, after))
                continue;
            const double condition = motion_->condition();
            if (condition > tolerance::singular_condition) continue;
            if (!dead_points_.step(node, before)) continue;
            dead_points_.finish_step(node);
            if (!dead_points_.step(before, after)) continue;
            trial.t = target;
            interpolate(before, after, target, trial.q, &trial.v, &trial.a);
            equations_->set_position(trial.q, target);
            record_.sample(trial, condition);
            dead_points_.finish_step(before);
            // Go on from the regular node; the next output lies beyond it.
            node = after;
            return true;
        }
        return false;
    }

    bool end_at_fold(MotionNode& node) {
        const auto fold = dead_points_.fold(node);
        equations_->set_position(node.q, node.t);
        std::string drivers;
        for (const auto& d : placed_.mechanism.drivers) {
            drivers += (drivers.empty() ? "'" : ", '") + d.name + "'";
            if (drivers.size() == d.name.size() + 2) result_.span = d.span;
        }
        if (fold && *fold - node.t < tolerance::fold_part * options_.step) {
            result_.status = KinematicStatus::dead_point;
            result_.events.push_back(dead_points_.event(*fold, "stopped"));
            result_.message = "dead point at t = " + number_text(*fold, 12) + " s: driver " +
                              drivers + " requires a motion that the mechanism cannot make; " +
                              event_text(result_.events.back());
            record_.sample(node);
        } else {
            result_.status = KinematicStatus::stuck;
            result_.message = "no motion beyond t = " + number_text(node.t, 12) + " s: driver " +
                              drivers + " cannot be followed on this branch";
        }
        return false;
    }

    const PlacedMechanism& placed_;
    const KinematicOptions& options_;
    KinematicResult& result_;
    DrivenSystem system_;
    ContactMode mode_;
    PolynomialPath path_;  // of the last step
    KinematicRecord record_;
    DeadPointWatch dead_points_;
    ConditionWatch conditions_;
    double burst_from_ = -1;  // changes of contact at nearly the same time
    int burst_count_ = 0;
    std::size_t before_burst_ = 0;    // events
    Mechanics* equations_ = nullptr;  // of the system
    DrivenMotion* motion_ = nullptr;
};

}  // namespace

KinematicResult run_kinematics(const PlacedMechanism& placed, const KinematicOptions& options) {
    KinematicResult result;
    KinematicRun(placed, options, result).run();
    warn_of_measures(placed.mechanism, result.trajectory, result.warnings);
    return result;
}

}  // namespace pawl
