#include "simulation/kinematic/kinematic_run.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include "math/tolerances.h"
#include "results/event_text.h"
#include "results/text.h"
#include "simulation/columns/reactions.h"
#include "simulation/columns/sampler.h"
#include "simulation/kinematic/dead_points.h"
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
          rests_(choose_independent(placed, true)),
          mode_(placed, result.events),
          record_(placed, options, mode_, result),
          dead_points_(result.events) {
        kept_ = rests_;
        equations_ = make(rests_, {});
        for (const RestCoordinate<Space>& rest : rests_) result.at_rest.push_back(rest.name);
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
        choose_rows();
        if (!begin(node) || !close_at_start(node)) {
            equations_->set_position(node.q, 0);
            return record_.sample_start(*equations_);
        }
        record_.sample(node);
        const auto samples =
            static_cast<std::size_t>(std::ceil(options_.end / options_.step - 1e-9));
        for (std::size_t k = 1; k <= samples; ++k) {
            const double t = k == samples ? options_.end : static_cast<double>(k) * options_.step;
            if (!advance(node, t)) break;
            if (options_.progress && k % 256 == 0)
                options_.progress(static_cast<double>(k) / samples);
        }
        result_.statistics.newton_iterations = motion_->iterations();
        record_.close();
    }

private:
    [[nodiscard]] bool watching() const { return !mode_.empty(); }

    [[nodiscard]] std::unique_ptr<Mechanics> make(std::vector<RestCoordinate<Space>> rests,
                                                  std::vector<ContactPoint<Space>> contacts) const {
        Mechanics::Choice choice;
        choice.coordinates = options_.coordinates;
        choice.rests = std::move(rests);
        choice.contacts = std::move(contacts);
        auto equations =
            std::make_unique<Mechanics>(placed_.mechanism, placed_.topology, std::move(choice));
        equations->set_model_size(placed_.assembly.model_size);
        return equations;
    }

    // New equations for the closed contacts. Of the coordinates that nothing drives as many stay at
    // rest as freedoms are left: those that the contacts move least. False when the contacts
    // contradict the drivers.
    bool close(MotionNode& node) {
        const auto bare = make({}, mode_.closed());
        mode_.place(*bare);
        bare->set_position(node.q, node.t);
        mode_.note_state(bare->coordinates());
        for (RestCoordinate<Space>& rest : rests_)
            rest.value = evaluate_coordinate(bare->coordinates(), rest.coordinate).value;
        const auto rank = rank_of_rows(bare->pattern(), bare->jacobian(), bare->column_scale());
        kept_.clear();
        if (rank.rank < bare->size()) {
            const auto all = make(rests_, mode_.closed());
            mode_.place(*all);
            all->set_position(node.q, node.t);
            const Eigen::MatrixXd g =
                scaled_dense(all->pattern(), all->jacobian(), all->column_scale());
            const Eigen::MatrixXd free =
                null_space(bare->pattern(), bare->jacobian(), bare->column_scale());
            Eigen::MatrixXd held(rests_.size(), free.cols());
            std::size_t rest = 0;
            for (int r = 0; r < all->pattern().rows(); ++r)
                if (all->labels()[r].role == RowRole::rest) held.row(rest++) = g.row(r) * free;
            const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(held.transpose());
            std::vector<int> chosen;
            for (int i = 0; i < free.cols(); ++i)
                chosen.push_back(qr.colsPermutation().indices()[i]);
            std::sort(chosen.begin(), chosen.end());
            for (const int i : chosen) kept_.push_back(rests_[i]);
        }
        // What a contact has moved once is not at rest.
        std::erase_if(result_.at_rest, [&](const std::string& name) {
            return std::none_of(kept_.begin(), kept_.end(),
                                [&](const auto& rest) { return rest.name == name; });
        });
        equations_ = make(kept_, mode_.closed());
        mode_.place(*equations_);
        equations_->set_position(node.q, node.t);
        auto rows =
            rank_of_rows(equations_->pattern(), equations_->jacobian(), equations_->column_scale());
        dependent_ = rows.dependent;
        move_with(rows.independent);
        if (rows.rank < equations_->size() || motion_->solve(node) != SolveOutcome::solved) {
            result_.status = KinematicStatus::stuck;
            result_.message =
                "no motion with the contacts that are closed at t = " + number_text(node.t, 9) +
                " s";
            return false;
        }
        return consistent(node);
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
                const auto place = mode_.watch().place(equations_->coordinates(), hit->point, at.v);
                value = place.touch.gap;
                rate = place.rates.closing;
            } else {
                const auto& point = equations_->contacts()[passed->contact];
                value = passed->direction < 0 ? point.touch.u[passed->side]
                                              : 1 - point.touch.u[passed->side];
                rate = (passed->direction < 0 ? 1 : -1) * point.rates.u[passed->side];
            }
            const double newton = rate != 0 ? -value / rate : 0;
            if (!(std::abs(newton) > 1e-14 * (1 + at.t)) || !(std::abs(newton) < trial.t - node.t))
                break;
            // Not out of the step: what stands at an end already passed it at its beginning.
            const double t = std::clamp(at.t + newton, node.t, trial.t), step = t - at.t;
            at.t = t;
            for (std::size_t c = 0; c < at.q.size(); ++c)
                at.q[c] += step * (at.v[c] + 0.5 * step * at.a[c]);
        }
        node = at;
        record_.sample(node);
        mode_.follow(*equations_);
        if (crowded(node.t))
            return jam(node.t, hit ? hit->point : equations_->contacts()[passed->contact]);
        if (hit) {
            auto point = hit->point;
            point.touch = mode_.watch().place(equations_->coordinates(), point, node.v).touch;
            mode_.close(node.t, point);
        } else if (const auto trouble = mode_.pass_end(*equations_, node.t, *passed)) {
            return end(KinematicStatus::stuck, *trouble);
        }
        if (!close(node)) {
            if (result_.status != KinematicStatus::drivers_fight) return false;
            if (!hit || !hand_over(node)) return jam(node.t, mode_.closed().back());
        }
        record_.sample(node);
        return true;
    }

    // The contact that has closed last cannot be held with those before it: the one that has the
    // largest part in its motion opens. False when none does.
    bool hand_over(MotionNode& node) {
        const auto bare = make({}, mode_.closed());
        mode_.place(*bare);
        bare->set_position(node.q, node.t);
        const auto parts = mode_.parts_of_last(*bare);
        if (!parts || parts->empty()) return false;
        const auto most = std::max_element(parts->begin(), parts->end());
        constexpr double none = 1e-9;  // of the row: rounding
        if (!(*most > none)) return false;
        mode_.open(node.t, static_cast<std::size_t>(most - parts->begin()), EventKind::contact_lost,
                   {mode_.takes_over()});
        result_.status = KinematicStatus::completed;
        result_.message.clear();
        result_.span = {};
        return close(node);
    }

    // A contact that opens and closes again at once, over and over, can neither stay nor go.
    bool crowded(double t) {
        if (t - crowd_from_ > 1e-9 * (1 + t)) {
            crowd_from_ = t;
            crowd_ = 0;
            before_crowd_ = result_.events.size();
        }
        constexpr int most = 20;
        if (++crowd_ <= most) return false;
        result_.events.resize(before_crowd_);
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
                          elements_text(placed_.mechanism, point) + ") cannot give way to " +
                          drivers_text(placed_.mechanism);
        return false;
    }

    // No position goes on with all the contacts closed: the last one to close is given up.
    bool release(MotionNode& node) {
        equations_->set_position(node.q, node.t);
        mode_.follow(*equations_);
        if (crowded(node.t)) return jam(node.t, mode_.closed().back());
        mode_.open(node.t, mode_.closed().size() - 1, EventKind::contact_impossible,
                   {Cause::no_position_keeps_it});
        record_.sample(node);
        if (!close(node)) return false;
        record_.sample(node);
        return true;
    }

    void choose_rows() {
        auto rank =
            rank_of_rows(equations_->pattern(), equations_->jacobian(), equations_->column_scale());
        dependent_ = rank.dependent;
        const bool singular = rank.rank < equations_->size();
        // In a change point there are more freedoms than beside it: one too many would be kept at
        // rest.
        starts_singular_ =
            singular || (!placed_.mechanism.drivers.empty() && !result_.at_rest.empty() &&
                         analyse_mobility(placed_).singular_here());
        if (singular) {
            // A singular start: complete the choice with the dependent rows in order, so that the
            // system is square; the first step leaves the singular position.
            for (const int r : rank.dependent)
                if (static_cast<int>(rank.independent.size()) < equations_->size())
                    rank.independent.push_back(r);
            std::sort(rank.independent.begin(), rank.independent.end());
        }
        move_with(rank.independent);
    }

    // The motion by these rows of the equations in force.
    void move_with(const std::vector<int>& rows) {
        motion_ = std::make_unique<DrivenMotion>(*equations_, rows);
        dead_points_.adopt(*equations_, *motion_);
        record_.adopt(*equations_, *motion_, kept_);
    }

    // The first instant: rates there, and drivers that contradict each other.
    bool begin(MotionNode& node) {
        const SolveOutcome outcome =
            starts_singular_ ? SolveOutcome::singular : motion_->solve(node);
        if (outcome != SolveOutcome::solved) {
            result_.status = KinematicStatus::stuck;
            result_.message =
                "the motion starts in a singular position, where the drivers do not decide how it "
                "goes on; "
                "start a little beside it";
            return false;
        }
        return consistent(node);
    }

    bool consistent(const MotionNode& node) {
        const RowPattern& p = equations_->pattern();
        const double size = equations_->model_size();
        for (const int r : dependent_) {
            double rate = -equations_->nu()[r], scale = std::abs(rate);
            for (int i = p.start[r]; i < p.start[r + 1]; ++i) {
                const double term = equations_->jacobian()[i] * node.v[p.column[i]];
                rate += term;
                scale += std::abs(term);
            }
            const bool opened = std::abs(equations_->phi()[r]) > 1e-9 * size;
            if (std::abs(rate) <= 1e-9 * (size + scale) && !opened) continue;
            const RowLabel& label = equations_->labels()[r];
            result_.status = KinematicStatus::drivers_fight;
            result_.span = label.span;
            result_.message =
                (label.role == RowRole::driver ? "driver '" : "joint '") + label.element +
                "' is contradicted by the other drivers and joints at t = " + number_text(node.t) +
                " s; remove a driver";
            return false;
        }
        return true;
    }

    // One output step: as many inner steps as the branch asks for.
    bool advance(MotionNode& node, double target) {
        double h = std::min(target - node.t, longest_step(node));
        MotionNode trial = node;
        constexpr long most = 1000000;  // half a million radians between two outputs
        const long first = result_.statistics.steps;
        const double from = node.t;
        while (node.t < target) {
            if (result_.statistics.steps - first > most) {
                result_.status = KinematicStatus::stuck;
                result_.message = no_progress_text(most, from, node.t) +
                                  ": a driver moves too fast, or without bound";
                return false;
            }
            const double t = node.t + h >= target - 1e-3 * h ? target : node.t + h;
            trial.t = t;
            predict(node, t, trial.q);
            const bool solved = motion_->solve(trial) == SolveOutcome::solved;
            ++result_.statistics.steps;
            const double condition = !solved                               ? INFINITY
                                     : t == target || falling(node, trial) ? motion_->condition()
                                                                           : 1;
            const bool stays = solved && stays_on_branch(node, trial);
            if (condition > tolerance::singular_condition && (stays || t == target) &&
                step_over(node, target, trial))
                return true;
            if (stays && dead_points_.step(node, trial)) {
                bool met = false;
                if (!pass_contact(node, trial, met)) return false;
                if (met) {
                    h = std::min(target - node.t, longest_step(node));
                    trial = node;
                    continue;
                }
                if (watching()) equations_->settle_contacts();
                dead_points_.took(node);
                std::swap(node, trial);
                h = std::min({2 * h, target - node.t, longest_step(node)});
                if (node.t >= target) {
                    equations_->set_position(node.q, node.t);
                    if (!consistent(node)) return false;
                    record_.sample(node, condition);
                }
                continue;
            }
            ++result_.statistics.halved;
            h *= 0.5;
            if (h < tolerance::smallest_step * options_.step) {
                if (mode_.closed().empty()) return end_at_fold(node);
                if (!release(node)) return false;
                h = std::min(target - node.t, longest_step(node));
                trial = node;
            }
        }
        return true;
    }

    // No coordinate turns farther in one step than an angle in which two change points do not hide.
    [[nodiscard]] double longest_step(const MotionNode& node) const {
        double v = 0, a = 0;
        for (std::size_t i = 0; i < node.q.size(); ++i) {
            if (equations_->coordinates().column_component(static_cast<int>(i)) != Component::angle)
                continue;
            v = std::max(v, std::abs(node.v[i]));
            a = std::max(a, std::abs(node.a[i]));
        }
        return std::min(tolerance::turn / v, std::sqrt(2 * tolerance::turn / a));
    }

    static bool falling(const MotionNode& a, const MotionNode& b) {
        return b.log_determinant < a.log_determinant - 5;
    }

    // By the quintic of the last step where that was no shorter, so that one pass of Newton's
    // method is left; else by the motion at the node.
    void predict(const MotionNode& node, double t, std::vector<double>& q) const {
        const double h = t - node.t;
        const auto& before = dead_points_.before();
        if (before && h <= 1.01 * (node.t - before->t)) return interpolate(*before, node, t, q);
        for (std::size_t i = 0; i < q.size(); ++i)
            q[i] = node.q[i] + h * (node.v[i] + 0.5 * h * node.a[i]);
    }

    // The cubic-corrected trapezoid q1 - q0 = h/2 (v0 + v1) + h^2/12 (a0 - a1) holds to fifth order
    // along one smooth branch; a jump to another branch breaks it by the distance of the branches.
    [[nodiscard]] bool stays_on_branch(const MotionNode& a, const MotionNode& b) const {
        const double h = b.t - a.t;
        double missed = 0, length = 0;
        for (std::size_t i = 0; i < a.q.size(); ++i) {
            const double scale = equations_->column_scale()[i];
            const double path = h / 2 * (a.v[i] + b.v[i]) + h * h / 12 * (a.a[i] - b.a[i]);
            missed = std::max(missed, scale * std::abs(b.q[i] - a.q[i] - path));
            length = std::max(length, scale * h * std::max(std::abs(a.v[i]), std::abs(b.v[i])));
        }
        return missed <= tolerance::branch * length + 1e-11 * equations_->model_size();
    }

    // The target itself is singular: solve just before and just after it, where the motion is
    // regular, and take the quintic between. True when that worked and the sample was taken.
    bool step_over(MotionNode& node, double target, MotionNode& trial) {
        const double room = target - node.t;
        // Far enough for a good condition number, near enough for the quintic: 0.02 rad (its error
        // goes with the sixth power), before the next output.
        const double farthest = std::min(0.5 * options_.step, 0.04 * longest_step(node));
        for (double reach = farthest; reach > 1e-3 * farthest; reach /= 4) {
            const double before_t = target - std::min(reach, 0.5 * room);
            MotionNode before = node, after = node;
            before.t = before_t;
            predict(node, before.t, before.q);
            if (motion_->solve(before) != SolveOutcome::solved || !stays_on_branch(node, before))
                continue;
            after.t = target + reach;
            predict(before, after.t, after.q);
            if (motion_->solve(after) != SolveOutcome::solved || !stays_on_branch(before, after))
                continue;
            const double condition = motion_->condition();
            if (condition > tolerance::singular_condition) continue;
            if (!dead_points_.step(node, before)) continue;
            dead_points_.took(node);
            if (!dead_points_.step(before, after)) continue;
            trial.t = target;
            interpolate(before, after, target, trial.q, &trial.v, &trial.a);
            equations_->set_position(trial.q, target);
            record_.sample(trial, condition);
            dead_points_.took(before);
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
        if (fold && *fold - node.t < 1e-3 * options_.step) {
            result_.status = KinematicStatus::dead_point;
            result_.events.push_back(dead_points_.event(*fold, "stopped"));
            result_.message = "dead point at t = " + number_text(*fold, 12) + " s: driver " +
                              drivers + " asks to go on where the mechanism cannot; " +
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
    std::vector<RestCoordinate<Space>> rests_, kept_;  // all that nothing drives; those at rest now
    ContactMode mode_;
    PolynomialPath path_;  // of the last step
    KinematicRecord record_;
    DeadPointWatch dead_points_;
    double crowd_from_ = -1;  // changes of contact at nearly the same time
    int crowd_ = 0;
    std::size_t before_crowd_ = 0;  // events
    std::unique_ptr<Mechanics> equations_;
    std::unique_ptr<DrivenMotion> motion_;
    std::vector<int> dependent_;
    bool starts_singular_ = false;
};

}  // namespace

KinematicResult run_kinematics(const PlacedMechanism& placed, const KinematicOptions& options) {
    KinematicResult result;
    KinematicRun(placed, options, result).run();
    warn_of_measures(placed.mechanism, result.trajectory, result.warnings);
    return result;
}

}  // namespace pawl
