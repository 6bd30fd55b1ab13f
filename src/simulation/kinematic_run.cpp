#include "simulation/kinematic_run.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include "math/tolerances.h"
#include "simulation/contact_columns.h"
#include "simulation/contact_mode.h"
#include "simulation/driven_motion.h"
#include "simulation/influence.h"
#include "simulation/mobility.h"
#include "simulation/reactions.h"
#include "simulation/sampler.h"
#include "simulation/text.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Mechanics = MechanismEquations<Space>;

// The quintic through position, velocity and acceleration at both ends of a step.
void interpolate(const MotionNode& a, const MotionNode& b, double t, std::vector<double>& q,
                 std::vector<double>* v = nullptr, std::vector<double>* acceleration = nullptr) {
    const double h = b.t - a.t, s = (t - a.t) / h;
    const std::size_t n = a.q.size();
    q.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double d = b.q[i] - a.q[i];
        const double v0 = h * a.v[i], v1 = h * b.v[i], a0 = h * h * a.a[i], a1 = h * h * b.a[i];
        const double c3 = 10 * d - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1;
        const double c4 = -15 * d + 8 * v0 + 7 * v1 + 1.5 * a0 - a1;
        const double c5 = 6 * d - 3 * (v0 + v1) - 0.5 * (a0 - a1);
        q[i] = a.q[i] + s * (v0 + s * (0.5 * a0 + s * (c3 + s * (c4 + s * c5))));
        if (v) (*v)[i] = (v0 + s * (a0 + s * (3 * c3 + s * (4 * c4 + s * 5 * c5)))) / h;
        if (acceleration)
            (*acceleration)[i] = (a0 + s * (6 * c3 + s * (12 * c4 + s * 20 * c5))) / (h * h);
    }
}

class KinematicRun {
public:
    KinematicRun(const PlacedMechanism& placed, const KinematicOptions& options,
                 KinematicResult& result)
        : placed_(placed),
          options_(options),
          result_(result),
          rests_(choose_independent(placed, true)),
          mode_(placed, result.events),
          columns_(placed.mechanism),
          sampler_(placed.mechanism, result.trajectory) {
        kept_ = rests_;
        equations_ = make(rests_, {});
        for (const RestCoordinate<Space>& rest : rests_) result.at_rest.push_back(rest.name);
        if (options.reactions) {
            make_reactions();
            add_reaction_columns(placed.mechanism, result.trajectory.columns);
            add_friction_columns(placed.mechanism, result.trajectory.columns);
            for (const auto& s : placed.mechanism.states) states_.push_back(s.start);
            states_.resize(AuxiliaryLayout(placed.mechanism).drivers, 0.0);
        }
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
        if (!begin(node) || !close_at_start(node)) return;
        sample(node);
        const auto samples =
            static_cast<std::size_t>(std::ceil(options_.end / options_.step - 1e-9));
        for (std::size_t k = 1; k <= samples; ++k) {
            const double t = k == samples ? options_.end : static_cast<double>(k) * options_.step;
            if (!advance(node, t)) break;
            if (options_.progress && k % 256 == 0)
                options_.progress(static_cast<double>(k) / samples);
        }
        result_.statistics.newton_iterations = motion_->iterations();
        columns_.widen(result_.trajectory);
        if (reactions_ && !reactions_->indeterminate().empty())
            result_.warnings.push_back(indeterminate_warning(*reactions_));
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

    void make_reactions() {
        Reactions::Choice choice;
        choice.rests = kept_;
        choice.contacts = mode_.closed();
        // The equations put the permanent contacts before those of the choice.
        std::vector<ContactPoint<Space>> contacts = equations_->contacts();
        choice.friction = friction_places(placed_.mechanism, contacts);
        for (FrictionMode& mode : choice.friction) mode.direction = 1;
        reactions_.emplace(placed_, std::move(choice));
    }

    // Friction of the joints, its power, and which part of the driving power is not lost by it.
    void append_friction(double t, std::vector<double>& row) {
        if (!AuxiliaryLayout(placed_.mechanism).has_friction()) return;
        std::size_t k = 0;
        for (const auto& joint : placed_.mechanism.joints)
            if (joint.friction()) row.push_back(reactions_->friction()[k++]);
        double driven = 0;
        for (std::size_t i = 0; i < placed_.mechanism.drivers.size(); ++i)
            driven += reactions_->drivers()[i] * placed_.mechanism.drivers[i].at(t).rate;
        const double lost = reactions_->friction_power();
        row.insert(row.end(),
                   {lost, driven > 0 ? (driven + lost) / driven : driven / (driven + lost)});
        if (!reactions_->locked() || locked_) return;
        locked_ = true;
        Event e;
        e.t = t;
        e.kind = EventKind::jam;
        e.detail = "self-locking: no finite driving force moves it against its friction";
        for (const auto& place : reactions_->friction_places())
            e.element += (e.element.empty() ? "" : " ") + place.name;
        result_.events.push_back(std::move(e));
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
        equations_ = make(kept_, mode_.closed());
        mode_.place(*equations_);
        equations_->set_position(node.q, node.t);
        auto rows =
            rank_of_rows(equations_->pattern(), equations_->jacobian(), equations_->column_scale());
        dependent_ = rows.dependent;
        has_before_ = false;
        influence_.reset();
        if (reactions_) make_reactions();
        motion_ = std::make_unique<DrivenMotion>(*equations_, rows.independent);
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
        const auto set = [&](double t) {
            interpolate(node, trial, t, between.q, &between.v);
            equations_->set_position(between.q, t);
        };
        const auto passed = first_end_passed(*equations_, node.t, trial.t, set);
        const auto motion = [&](double t) -> const Coordinates<Space>& {
            set(t);
            equations_->coordinates().set_velocity(between.v);
            mode_.follow(*equations_);
            return equations_->coordinates();
        };
        const auto hit =
            mode_.watch().first_hit(node.t, passed ? passed->t : trial.t, mode_.closed(), motion);
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
            const double step = rate != 0 ? -value / rate : 0;
            if (!(std::abs(step) > 1e-14 * (1 + at.t)) || !(std::abs(step) < trial.t - node.t))
                break;
            at.t += step;
            for (std::size_t c = 0; c < at.q.size(); ++c)
                at.q[c] += step * (at.v[c] + 0.5 * step * at.a[c]);
        }
        node = at;
        sample(node);
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
            return jam(node.t, mode_.closed().back());
        }
        sample(node);
        return true;
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
                   "the drivers fight through the contact");
        result_.status = KinematicStatus::drivers_fight;
        result_.span = placed_.mechanism.contacts[point.pair].span;
        result_.message = "jam at t = " + number_text(t, 9) + " s: contact '" +
                          name_of(placed_.mechanism, point) +
                          "' cannot give way, the drivers fight through it";
        return false;
    }

    // No position goes on with all the contacts closed: the last one to close is given up.
    bool release(MotionNode& node) {
        equations_->set_position(node.q, node.t);
        mode_.follow(*equations_);
        if (crowded(node.t)) return jam(node.t, mode_.closed().back());
        mode_.open(node.t, mode_.closed().size() - 1, EventKind::contact_impossible,
                   "no position keeps it closed");
        sample(node);
        if (!close(node)) return false;
        sample(node);
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
        motion_ = std::make_unique<DrivenMotion>(*equations_, rank.independent);
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
        while (node.t < target) {
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
            if (stays && watch_determinant(node, trial)) {
                bool met = false;
                if (!pass_contact(node, trial, met)) return false;
                if (met) {
                    h = std::min(target - node.t, longest_step(node));
                    trial = node;
                    continue;
                }
                if (watching()) equations_->settle_contacts();
                before_ = node;
                std::swap(node, trial);
                has_before_ = true;
                h = std::min({2 * h, target - node.t, longest_step(node)});
                if (node.t >= target) {
                    equations_->set_position(node.q, node.t);
                    if (!consistent(node)) return false;
                    sample(node, condition);
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

    void predict(const MotionNode& node, double t, std::vector<double>& q) const {
        const double h = t - node.t;
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
            if (!watch_determinant(node, before)) continue;
            before_ = node;
            if (!watch_determinant(before, after)) continue;
            trial.t = target;
            interpolate(before, after, target, trial.q, &trial.v, &trial.a);
            equations_->set_position(trial.q, target);
            sample(trial, condition);
            before_ = before;
            has_before_ = true;
            // Go on from the regular node; the next output lies beyond it.
            node = after;
            return true;
        }
        return false;
    }

    // A sign change of the determinant inside a step, or a minimum of its size over two steps that
    // touches zero, is a dead point. False when the step has jumped: two circuits that nearly touch
    // have opposite signs too, but between them, where the determinant vanishes, the joints do not
    // close.
    bool watch_determinant(const MotionNode& a, const MotionNode& b) {
        if (a.determinant_sign * b.determinant_sign < 0) {
            const double t = locate_sign_change(a, b);
            if (equations_->residual() > tolerance::crossing * equations_->model_size())
                return false;
            report_dead_point(t);
            return true;
        }
        if (!has_before_ ||
            !(a.log_determinant < before_.log_determinant && a.log_determinant < b.log_determinant))
            return true;
        if (before_.determinant_sign * a.determinant_sign < 0) return true;  // already reported
        const double t = locate_minimum(before_, a, b);
        if (std::isfinite(t)) report_dead_point(t);
        return true;
    }

    double signed_determinant(const MotionNode& a, const MotionNode& b, double t,
                              double reference) {
        interpolate(a, b, t, scratch_);
        motion_->factor_at(scratch_, t);
        auto& system = motion_->system();
        return system.determinant_sign() * std::exp(system.log_determinant() - reference);
    }

    // Illinois on the determinant along the quintic, then once more between solved nodes close by.
    // Leaves the equations in the position found.
    double locate_sign_change(MotionNode a, MotionNode b) {
        double t = a.t;
        for (int pass = 0; pass < 2; ++pass) {
            const double reference = std::max(a.log_determinant, b.log_determinant);
            double low = a.t, high = b.t;
            double f_low = a.determinant_sign * std::exp(a.log_determinant - reference);
            double f_high = b.determinant_sign * std::exp(b.log_determinant - reference);
            for (int i = 0; i < 100 && high - low > 1e-15 * (1 + std::abs(high)); ++i) {
                t = (low * f_high - high * f_low) / (f_high - f_low);
                // Secants creep toward a multiple root; every third step halves the interval.
                if (i % 3 == 2 || !(t > low && t < high)) t = 0.5 * (low + high);
                const double f = signed_determinant(a, b, t, reference);
                if (f == 0) break;
                if (f * f_high > 0) {
                    high = t;
                    f_high = f;
                    f_low *= 0.5;
                } else {
                    low = t;
                    f_low = f;
                    f_high *= 0.5;
                }
            }
            if (pass == 1) break;
            const double reach = (b.t - a.t) / 24;
            MotionNode near_low = a, near_high = b;
            near_low.t = std::max(a.t, t - reach);
            near_high.t = std::min(b.t, t + reach);
            interpolate(a, b, near_low.t, near_low.q);
            interpolate(a, b, near_high.t, near_high.q);
            if (motion_->solve(near_low) != SolveOutcome::solved ||
                motion_->solve(near_high) != SolveOutcome::solved ||
                near_low.determinant_sign * near_high.determinant_sign > 0)
                break;
            a = near_low;
            b = near_high;
        }
        interpolate(a, b, t, scratch_);
        equations_->set_position(scratch_, t);
        return t;
    }

    // Golden section for the smallest determinant around the middle node; NaN when it stays away
    // from zero. Leaves the equations in the position found.
    double locate_minimum(MotionNode a, MotionNode m, MotionNode b) {
        const double reference = std::max(a.log_determinant, b.log_determinant);
        double t = m.t;
        for (int pass = 0; pass < 3; ++pass) {
            const auto size = [&](double at) {
                return std::abs(at < m.t ? signed_determinant(a, m, at, reference)
                                         : signed_determinant(m, b, at, reference));
            };
            constexpr double golden = 0.3819660112501051;
            double low = a.t, high = b.t;
            double x1 = low + golden * (high - low), x2 = high - golden * (high - low);
            double f1 = size(x1), f2 = size(x2);
            for (int i = 0; i < 60; ++i) {
                if (f1 < f2) {
                    high = x2;
                    x2 = x1;
                    f2 = f1;
                    f1 = size(x1 = low + golden * (high - low));
                } else {
                    low = x1;
                    x1 = x2;
                    f1 = f2;
                    f2 = size(x2 = high - golden * (high - low));
                }
            }
            t = 0.5 * (low + high);
            if (pass == 0 && std::min(f1, f2) > 0.05) return NAN;
            const double reach = (b.t - a.t) / 20;
            MotionNode low_trial = a, high_trial = b;
            low_trial.t = std::max(a.t, t - reach);
            high_trial.t = std::min(b.t, t + reach);
            interpolate(low_trial.t < m.t ? a : m, low_trial.t < m.t ? m : b, low_trial.t,
                        low_trial.q);
            interpolate(high_trial.t < m.t ? a : m, high_trial.t < m.t ? m : b, high_trial.t,
                        high_trial.q);
            if (motion_->solve(low_trial) != SolveOutcome::solved ||
                motion_->solve(high_trial) != SolveOutcome::solved)
                break;
            a = low_trial;
            b = high_trial;
            m = a;
            interpolate(a, b, t, m.q, &m.v, &m.a);
            m.t = t;
        }
        const double least = std::abs(signed_determinant(a, b, t, reference));
        return least < 1e-6 ? t : NAN;
    }

    // The equations are in the position of the dead point.
    void report_dead_point(double t) {
        if (!result_.events.empty() && result_.events.back().kind == EventKind::dead_point &&
            std::abs(result_.events.back().t - t) < 1e-9 * (1 + t))
            return;
        result_.events.push_back(dead_point(t, "passed"));
    }

    // The event, naming the coordinate that the drivers lose hold of: the largest part of the null
    // vector.
    Event dead_point(double t, const std::string& to) {
        Event e;
        e.t = t;
        e.kind = EventKind::dead_point;
        for (const RowLabel& label : equations_->labels())
            if (label.role == RowRole::driver)
                e.element += (e.element.empty() ? "" : " ") + label.element;
        e.to = to;
        if (equations_->size() <= RowSystem::largest_dense) {
            const Eigen::MatrixXd j = scaled_dense(equations_->pattern(), equations_->jacobian(),
                                                   equations_->column_scale());
            const Eigen::JacobiSVD<Eigen::MatrixXd> svd(j, Eigen::ComputeFullV);
            int column = 0;
            svd.matrixV().col(svd.matrixV().cols() - 1).cwiseAbs().maxCoeff(&column);
            e.detail = "the drivers lose hold of " + equations_->column_name(column) +
                       "; smallest singular value " +
                       number_text(svd.singularValues().tail(1)[0], 2);
        }
        return e;
    }

    // Near a fold the determinant goes to zero like sqrt(t* - t): its square is linear in t.
    bool end_at_fold(const MotionNode& node) {
        const double s0 = std::exp(2 * (before_.log_determinant - node.log_determinant));
        const bool fold = has_before_ && s0 > 1 && before_.t < node.t;
        const double t = fold ? node.t + (node.t - before_.t) / (s0 - 1) : node.t;
        equations_->set_position(node.q, node.t);
        std::string drivers;
        for (const auto& d : placed_.mechanism.drivers) {
            drivers += (drivers.empty() ? "'" : ", '") + d.name + "'";
            if (drivers.size() == d.name.size() + 2) result_.span = d.span;
        }
        if (fold && t - node.t < 1e-3 * options_.step) {
            result_.status = KinematicStatus::dead_point;
            result_.events.push_back(dead_point(t, "stopped"));
            result_.message = "dead point at t = " + number_text(t, 12) + " s: driver " + drivers +
                              " asks to go on where the mechanism cannot; " +
                              result_.events.back().detail;
            MotionNode last = node;
            sample(last);
        } else {
            result_.status = KinematicStatus::stuck;
            result_.message = "no motion beyond t = " + number_text(node.t, 12) + " s: driver " +
                              drivers + " cannot be followed on this branch";
        }
        return false;
    }

    void sample(MotionNode& node, double condition = 1) {
        auto& s = result_.statistics;
        ++s.samples;
        s.largest_residual = std::max(s.largest_residual, equations_->residual());
        s.largest_condition = std::max(s.largest_condition, condition);
        std::vector<double> extra;
        if (watching()) equations_->set_velocity(node.v);
        if (reactions_) {
            auto& c = equations_->coordinates();
            reactions_->contacts() = equations_->contacts();
            c.set_velocity(node.v);
            equations_->set_forces(states_);
            c.set_acceleration(node.a);
            reactions_->solve(c, equations_->inertia(), equations_->forces().on_bodies(), node.t);
            s.largest_imbalance = std::max(s.largest_imbalance, reactions_->imbalance());
            append_reactions(placed_.mechanism, c, *reactions_, extra);
            append_friction(node.t, extra);
        }
        if (watching()) {
            const std::size_t row = result_.trajectory.rows();
            for (std::size_t i = 0; i < equations_->contacts().size(); ++i)
                columns_.add_closed(row, equations_->contacts()[i],
                                    {.normal = reactions_ ? reactions_->contact_force(i) : NAN});
            columns_.add_open(row, equations_->coordinates(), mode_.watch());
        }
        sampler_.take(equations_->coordinates(), node.t, node.v, node.a, extra);
        if (options_.influence) {
            if (!influence_)
                influence_.emplace(placed_.mechanism, *equations_, motion_->system(),
                                   result_.influence);
            motion_->factor_at(node.q, node.t);
            influence_->take(node.t);
        }
    }

    const PlacedMechanism& placed_;
    const KinematicOptions& options_;
    KinematicResult& result_;
    std::vector<RestCoordinate<Space>> rests_, kept_;  // all that nothing drives; those at rest now
    ContactMode mode_;
    ContactColumns columns_;
    double crowd_from_ = -1;  // changes of contact at nearly the same time
    int crowd_ = 0;
    std::size_t before_crowd_ = 0;  // events
    std::unique_ptr<Mechanics> equations_;
    Sampler sampler_;
    std::optional<Influence> influence_;
    std::optional<Reactions> reactions_;
    bool locked_ = false;
    std::vector<double> states_;  // of the user, at their start values, and room for the ledger
    std::unique_ptr<DrivenMotion> motion_;
    std::vector<int> dependent_;
    bool starts_singular_ = false, has_before_ = false;
    MotionNode before_;
    std::vector<double> scratch_;
};

}  // namespace

KinematicResult run_kinematics(const PlacedMechanism& placed, const KinematicOptions& options) {
    KinematicResult result;
    KinematicRun(placed, options, result).run();
    return result;
}

}  // namespace pawl
