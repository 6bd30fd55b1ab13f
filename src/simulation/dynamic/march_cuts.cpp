// Where the steps of a dynamic run end.
#include <algorithm>
#include <cmath>

#include "math/tolerances/motion.h"
#include "results/text.h"
#include "simulation/dynamic/march.h"

namespace pawl {

bool March::stuck(StepOutcome outcome) {
    constexpr int max_paradoxes = 2;
    if (progress_.paradox != state_.t) progress_.paradoxes = 0;
    progress_.paradox = state_.t;
    if (progress_.paradoxes < max_paradoxes && !contacts_->empty() &&
        failure_.is_paradox(stepping_.outcome(), contacts_->system())) {
        ended_ = {};
        ended_.paradox = ++progress_.paradoxes;
        return false;
    }
    return failure_.stuck(state_.t, outcome, stepping_.outcome(), contacts_->system());
}

// One step of the integrator that does not leave its branch at a singular position.
bool March::step(double stop) {
    constexpr int max_tries = 100;
    const bool watched = equations_->pattern().rows() > 0;
    bool is_cut = false;
    double seen = -INFINITY;  // what expressions do until then
    for (int i = 0; i < max_tries; ++i) {
        const StepOutcome outcome =
            stepping_.step(watched ? singularities_.stop(state_, stop) : stop);
        if (outcome != StepOutcome::stepped) {
            if (!stepping_.is_implicit() || stepping_.crosses()) return stuck(outcome);
            stiffness_.fail();  // the explicit integrator may still go on
            choose_integrator();
            adopt_system();
            restart();
            continue;
        }
        if (const double near = latest_seen_end(); near < stepping_.t()) {
            stepping_.rewind();
            stop = near;
            is_cut = true;
            continue;
        }
        if (stepping_.t() > seen) {
            seen = std::min(limits_->over_motion.latest_end(*equations_, stepping_), stepping_.t());
            if (seen < stepping_.t()) {
                // A method of order four without control of its error needs several steps for it.
                constexpr double part = 0.2;
                const double begin = stepping_.begin();
                if (fixed_step() > 0) seen = begin + part * (seen - begin);
                stepping_.rewind();
                stop = seen;
                continue;
            }
        }
        if (!watched || singularities_.accepts(stepping_)) {
            progress_.cut_steps = is_cut ? progress_.cut_steps + 1 : 0;
            return true;
        }
        stepping_.rewind();
        choose_dynamics();
    }
    return failure_.fail(
        DynamicStatus::step_too_small,
        "no step passes the singular position after t = " + number_text(state_.t, 9) +
            " s on the branch of the motion; start elsewhere, or change `run.rtol`");
}

// Where contacts are watched for, a step ends before rounding of the way that the bodies have
// made in it hides what happens at its beginning; and before they have turned too often.
double March::latest_seen_end() {
    constexpr double farthest = 1e3;  // of the size and of where they are; in rad
    if (contacts_->watch().empty()) return INFINITY;
    const double begin = stepping_.begin(), h = stepping_.t() - begin;
    const auto from = stepping_.q_begin(), to = stepping_.q_end();
    double there = equations_->model_size(), way = 0, turn = 0;
    for (std::size_t c = 0; c < to.size(); ++c) {
        const bool turns =
            equations_->coordinates().column_component(static_cast<int>(c)) == Component::angle;
        double& largest = turns ? turn : way;
        largest = std::max(largest, std::abs(to[c] - from[c]));
        if (!turns) there = std::max(there, std::abs(from[c]));
    }
    // A fall goes with the square of the time, a turn with the time.
    const double share = std::min(std::sqrt(farthest * there / way), farthest / turn);
    return share >= 1 ? INFINITY : begin + 0.9 * h * share;
}

// Very many steps without progress are caused by a force that grows without bound, or by a contact
// that slides away to infinity.
bool March::makes_progress() {
    constexpr long max_steps = 200000;
    // The number of successive steps that are cut because bodies turn or move too far in them.
    constexpr long many_cut = 300;
    constexpr double max_remaining_steps = 1e6;
    const double left = (options_.end - state_.t) / (stepping_.t() - stepping_.begin());
    if (progress_.cut_steps >= many_cut && left > max_remaining_steps)
        return failure_.fail(DynamicStatus::step_too_small,
                             "the rest of the run from t = " + number_text(state_.t, 9) +
                                 " s would take some " + number_text(left, 2) +
                                 " steps: bodies with contacts turn or move too fast for longer "
                                 "steps; end the run earlier, or slow them down");
    if (!keeps_pace()) return false;
    if (state_.t - progress_.from > tolerance::progress_part * options_.step) {
        progress_.from = state_.t;
        progress_.steps = 0;
    }
    return ++progress_.steps < max_steps ||
           failure_.fail(DynamicStatus::step_too_small,
                         no_progress_text(max_steps, progress_.from, state_.t) +
                             ": a force changes too fast, or a contact slides away");
}

// A run that advances so slowly that it would not end gives up, once that has lasted for a while.
bool March::keeps_pace() {
    constexpr long while_steps = 500000;
    constexpr double max_remaining_steps = 1e9;
    if (progress_.pace_from > state_.t || !std::isfinite(progress_.pace_from))
        progress_.pace_from = state_.t;
    if (++progress_.pace_steps < while_steps) return true;
    const double way = state_.t - progress_.pace_from, left = options_.end - state_.t;
    if (left * while_steps > max_remaining_steps * way)
        return failure_.fail(DynamicStatus::step_too_small,
                             "the last " + std::to_string(while_steps) +
                                 " steps advanced the time by " + number_text(way, 2) +
                                 " s to t = " + number_text(state_.t, 9) +
                                 " s; at this pace the run would need some " +
                                 number_text(left / way * while_steps, 2) +
                                 " more: a force is too stiff or changes too fast; make it "
                                 "softer, or end the run earlier");
    progress_.pace_from = state_.t;
    progress_.pace_steps = 0;
    return true;
}

// Discards the last step and steps to t instead. If that needs several steps, all but the last are
// completed.
bool March::step_to(double t) {
    if (stepping_.t() > stepping_.begin()) stepping_.rewind();  // else it is taken back already
    end_is_projected_ = false;
    constexpr int max_steps = 1000;
    for (int k = 0; k < max_steps && stepping_.t() < t; ++k) {
        if (!step(t)) return false;
        if (stepping_.t() >= t) break;
        if (!finish_step()) return false;
        go_on();
    }
    return stepping_.t() >= t || stuck(StepOutcome::step_too_small);
}

void March::find_switch() {
    ended_.switched = switches_.first(*equations_, stepping_, contacts_->still());
}

// The switch came with the end of the step before: what ended that one, as a contact whose force
// jumps with the switch, is known to no more than this.
bool March::begins_at_switch() const {
    const double begin = stepping_.begin();
    return ended_.switched && !(ended_.switched->t - begin > tolerance::located_time * (1 + begin));
}

// From just behind it: a step that began before would meet it again.
bool March::go_on_after_switch(double until) {
    stepping_.rewind();
    end_is_projected_ = false;
    return pass_switch(until);
}

// Forces may jump with the branch: the contacts are determined with the forces just after the jump.
bool March::pass_switch(double until) {
    CourseMark from = mark();
    if (!switches_.pass(*ended_.switched, *equations_, state_, stepping_, failure_)) return false;
    systems_->set_sides(switches_.sides());
    state_.t = std::max(state_.t, ended_.switched->t);
    note(RunCourse::Kind::switched, std::move(from), ended_.switched->which);
    ended_.switched.reset();
    if (contacts_->is_coupled_otherwise(switches_.engaged())) return engage(until);
    if (!resolve(ContactOccurrence::Kind::is_disturbed, until)) return false;
    restart();
    return true;
}

bool March::engage(double until) {
    if (!contacts_->is_coupled_otherwise(switches_.engaged())) return true;
    record_.sample(state_);
    CourseMark from = mark();
    if (!contacts_->engage(switches_.engaged(), state_)) return failure_.massless(*equations_);
    note(RunCourse::Kind::engages, std::move(from));
    // Before anything holds the velocities on closed contacts: the impact may have lifted them off.
    if (!resolve(ContactOccurrence::Kind::is_disturbed, until)) return false;
    adopt_system();
    if (dynamics_->project(state_) < 0) return lost(state_.t);
    dynamics_->refresh(state_);
    restart();
    record_.sample(state_);
    return true;
}

// Makes the step end at the first switch inside it.
bool March::cut_at_switch() {
    if (!ended_.switched) return true;
    if (comes_with_contact(ended_.switched->t)) {
        ended_.switched.reset();
        return true;
    }
    constexpr int max_earlier = 20;
    for (int i = 0; i < max_earlier; ++i) {
        const double end = stepping_.t();
        if (!(end - ended_.switched->t > tolerance::located_time * (1 + end))) break;
        if (!step_to(ended_.switched->t)) return false;
        // What was too narrow for the looks at the longer step may be seen from its new end.
        const auto earlier = switches_.first(*equations_, stepping_, contacts_->still());
        if (!earlier) break;
        ended_.switched = earlier;
    }
    return correct_switch();
}

// Dense output is not as good as the step: corrected by the rate of the switch until its time
// stands. What has begun at zero has no zero to be found.
bool March::correct_switch() {
    constexpr int max_corrections = 4;
    auto& [which, t, side] = *ended_.switched;
    for (int i = 0; i < max_corrections && side != 0; ++i) {
        const double begin = stepping_.begin(), end = stepping_.t();
        const double part = tolerance::shadow_step * (end - begin);
        const double value = switches_.value(which, *equations_, stepping_.at(end)),
                     rate = (value - switches_.value(which, *equations_, stepping_.at(end - part))) /
                            part;
        const double correction = -value / rate;
        if (!(std::abs(correction) > tolerance::located_time * (1 + end)) ||
            !(std::abs(correction) < tolerance::largest_correction * (end - begin)) ||
            rate * side < 0)
            return true;
        t = end + correction;
        if (!step_to(t)) return false;
    }
    return true;
}

// Whether contact or friction changes by then: that ends the step, and shows which side of a switch
// at zero the motion goes on to, if any.
bool March::comes_with_contact(double t) {
    if (contacts_->empty()) return false;
    const auto change = first_occurrence();
    return change && change->t <= t + tolerance::same_time * (1 + t);
}

std::optional<ContactOccurrence> March::first_occurrence() {
    return contacts_->first(
        stepping_.begin(), stepping_.t(),
        [this](double t) -> const State& { return stepping_.at(t); },
        [this]() -> const PolynomialPath& { return stepping_.path(); });
}

// If the projection at the end of a step does not converge, the step was too long.
bool March::shorten_until_projected() {
    if (equations_->pattern().rows() == 0) return true;
    for (int i = 0; i < 20 && !end_is_projected_; ++i) {
        stepping_.end_state(between_);
        end_is_projected_ = dynamics_->project(between_) >= 0;
        if (end_is_projected_) break;
        stepping_.forget_move();
        const double t = stepping_.begin() + 0.25 * (stepping_.t() - stepping_.begin());
        if (!(t > stepping_.begin()) || !step_to(t))
            return result_.status == DynamicStatus::completed;
        find_switch();
        if (!cut_at_switch() || !cut_at_contact()) return false;
    }
    return true;  // the step reports what cannot be kept closed
}

// Makes the step end at the first change of contact inside it: found on the dense output, then
// a real step to the time.
bool March::cut_at_contact() {
    ended_.occurrence.reset();
    stepping_.forget_move();
    end_is_projected_ = false;
    if (contacts_->empty()) return true;
    const double begin = stepping_.begin();
    ended_.occurrence = first_occurrence();
    if (ended_.occurrence && is_unseen(*ended_.occurrence)) {
        // First a part of the step, in which the contact presses at all stages; then the rest.
        if (!step_to(begin + 0.25 * (ended_.occurrence->t - begin))) return false;
        ended_.switched.reset();  // it comes later
        ended_.occurrence = first_occurrence();
    }
    if (!ended_.occurrence) return true;
    if (stepping_.t() - ended_.occurrence->t >
        tolerance::time_rounding * (1 + ended_.occurrence->t))
        ended_.switched.reset();
    return correct_end();
}

// Moves the end of the step to the occurrence: projected, with the switching function corrected
// until the time stands to rounding. Corrections that are small against the step are not worth
// another one.
bool March::correct_end() {
    constexpr int max_corrections = 6;
    // Ends closer than this part of the step are moved there.
    constexpr double movable = tolerance::movable_end;
    const double begin = stepping_.begin(), found = ended_.occurrence->t;
    double t = found, direction = 0;
    bool has_zero = true;
    for (int i = 0; i < max_corrections || !has_zero; ++i) {
        const double away = std::abs(t - stepping_.end());
        if (away > 0 && away < movable * (stepping_.t() - stepping_.begin())) {
            if (!stepping_.move_end(t)) return stuck(StepOutcome::not_finite);
        } else if (away > 0) {
            stepping_.forget_move();
            // The step has a kink there, so its interpolation cannot replace a step to this time.
            const bool cuts = ended_.occurrence->kind != ContactOccurrence::Kind::load_turns;
            if (!(cuts && stepping_.cut(t)) && !step_to(t)) return false;
        }
        stepping_.end_state(between_);
        end_is_projected_ = dynamics_->project(between_) >= 0;
        if (!end_is_projected_) break;
        const auto [value, rate] = contacts_->guard(*ended_.occurrence, between_);
        // A gap that begins below zero rises and falls without a zero: the correction has passed
        // its maximum, and the time found before is kept.
        if (!has_zero) break;
        has_zero = !(rate * direction < 0);
        if (!has_zero) {
            ended_.occurrence->t = t = found;
            continue;
        }
        direction = rate;
        // One that jumps is met before the jump, as far before as rounding has moved it.
        const double correction = rate != 0 ? -value / rate
                                  : value < 0
                                      ? -std::ldexp(tolerance::located_time, 4 * i) * (1 + t)
                                      : 0;
        if (!(std::abs(correction) > tolerance::time_rounding * (1 + t)) ||
            !(std::abs(correction) < tolerance::largest_correction * (1 + t)))
            break;
        t = std::max(t + correction, 0.5 * (begin + t));
        ended_.occurrence->t = t;
    }
    return true;
}

// A compliant contact that began to press with the step and separates inside it: most stages may
// lie where it has parted again, and the step knows nothing of its force.
bool March::is_unseen(const ContactOccurrence& o) const {
    const double begin = stepping_.begin();
    return o.kind == ContactOccurrence::Kind::separates && o.point.compliant && !o.point.released &&
           o.point.began >= begin && o.t - begin > tolerance::same_time * (1 + std::abs(begin));
}

}  // namespace pawl
