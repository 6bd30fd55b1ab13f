#include "simulation/quasi_static/quasi_static_passage.h"

#include <algorithm>
#include <vector>

#include "math/tolerances/motion.h"
#include "results/text.h"

namespace pawl {

QuasiStaticPassage::Outcome QuasiStaticPassage::pass(PathWalk& walk, const PathPoint& next,
                                                     double target) {
    const auto change = first_change(walk, next);
    if (!change) return Outcome::astray;
    if (!change->hit && !change->passed && !change->pulls) return Outcome::none;
    const auto found = locate(walk, next, *change);
    if (!found) return Outcome::astray;
    PathPoint at = found->second;
    at.t = std::max(at.t, walk.node.t);         // at the node itself it is known but for rounding
    if (at.unstable > 0) return Outcome::none;  // a limit point comes first
    if (at.t > target) {
        walk.step = found->first;
        return Outcome::late;
    }
    record_.sample(at);
    mode_.set(at);
    mode_.follow();
    const auto before = mode_.balance().equations().contacts();
    if (!bring_about(*change, at)) return Outcome::ended;
    const bool dropped =
        change->passed && mode_.balance().equations().contacts().size() < before.size();
    const bool goes_on = dropped ? drop(walk, at, before[change->passed->contact], target)
                                 : go_on(walk, at, change->passed);
    return goes_on ? Outcome::met : Outcome::ended;
}

// Nothing where the path cannot be followed.
std::optional<QuasiStaticPassage::Change> QuasiStaticPassage::first_change(const PathWalk& walk,
                                                                           const PathPoint& next) {
    Change change{mode_.first_change(walk.node, next), {}};
    // The straight line only shows that something may change.
    if (change.hit || change.passed) {
        const auto on_path = mode_.first_change(walk.node, walk.step);
        if (!on_path) return std::nullopt;
        change = {*on_path, {}};
    }
    mode_.set(next);
    for (std::size_t i = 0; i < mode_.closed() && !change.hit && !change.passed; ++i)
        if (mode_.force(i) < -tolerance::pulling_on_path * mode_.balance().largest_force())
            change.pulls = i;
    mode_.follow();
    return change;
}

// Where on the path of a walk a change takes place, and how far that is.
std::optional<std::pair<double, PathPoint>> QuasiStaticPassage::locate(const PathWalk& walk,
                                                                       const PathPoint& next,
                                                                       const Change& change) {
    EquilibriumPath& path = mode_.path();
    if (change.hit) {
        const auto at = path.at(walk.node, change.hit->t);
        return at ? std::optional(std::pair(change.hit->t, *at)) : std::nullopt;
    }
    const auto measure = [&](const PathPoint& p) {
        mode_.set(p);
        if (change.pulls) return mode_.force(*change.pulls);
        const auto& contact = mode_.balance().equations().contacts()[change.passed->contact];
        const double u = contact.touch.u[change.passed->side];
        return change.passed->direction < 0 ? u : 1 - u;
    };
    if (change.pulls)
        return path.root(walk.node, walk.step, next,
                         tolerance::path_end * std::max(tolerance::no_division, next.force_scale),
                         measure);
    const auto end = path.at(walk.node, change.passed->t);
    return end ? path.root(walk.node, change.passed->t, *end, tolerance::path_end, measure)
               : std::nullopt;
}

bool QuasiStaticPassage::bring_about(const Change& change, const PathPoint& at) {
    if (change.hit) return close(*change.hit, at);
    if (change.pulls) {
        mode_.contacts().open(at.t, *change.pulls, EventKind::contact_lost,
                              {Cause::force_vanishes});
    } else if (const auto trouble =
                   mode_.contacts().pass_end(mode_.balance().equations(), at.t, *change.passed)) {
        return failure_.fail(QuasiStaticStatus::stuck, trouble->message, trouble->span);
    }
    mode_.renew();
    return true;
}

bool QuasiStaticPassage::close(const GapWatch::Hit& hit, const PathPoint& at) {
    std::vector<double> forces;
    for (std::size_t i = 0; i < mode_.closed(); ++i) forces.push_back(mode_.force(i));
    mode_.close(hit, at.t);
    mode_.renew();
    mode_.balance().set(at.y, at.t);
    mode_.follow();
    const auto point = mode_.contacts().closed().back();
    if (!mode_.open_replaced_contact(forces, at.t))
        return failure_.jam(at.t, point, Cause::no_other_opens);
    if (mode_.closed() != forces.size() + 1) mode_.renew();
    return true;
}

// Continues from the equilibrium with other contacts closed. If this is unstable beyond the end of
// an element, the mechanism moves on past the end, not back.
bool QuasiStaticPassage::go_on(PathWalk& walk, const PathPoint& at,
                               const std::optional<EndPassed>& passed) {
    const auto settled = mode_.path().near(at.y, at.t);
    if (!settled)
        return failure_.fail(QuasiStaticStatus::stuck,
                             "no equilibrium with the contacts that are closed at t = " +
                                 number_text(at.t, 9) + " s");
    walk.node = *settled;
    walk.step = std::min(walk.step, PathWalk::first_step);
    if (settled->unstable > 0) {
        QuasiStaticMode::Vector way = settled->weakest;
        if (passed && mode_.rate_along(*passed, *settled, way) * passed->direction < 0) way = -way;
        return jump_.take(walk.node, *settled, way,
                          jump_.lost(EventKind::snap, *settled, Cause::change_leaves_unstable));
    }
    record_.sample(walk.node);
    return true;
}

// A contact that was lost at the end of an element held a load, which falls. What touched may lie
// just there, round a corner: it shows a moment later.
bool QuasiStaticPassage::drop(PathWalk& walk, PathPoint at, const ContactMode::Point& contact,
                              double target) {
    constexpr double later = tolerance::later_on_path,
                     near = tolerance::near_on_path;  // of end and size: some digits above rounding
    at.t = std::min(at.t + later * end_, target);
    mode_.balance().close(at.y, at.t);
    mode_.close_overlapping(contact, at.t, near * mode_.size());
    mode_.balance().close(at.y, at.t);
    walk.step = PathWalk::first_step;
    return jump_.drop_load(walk.node, false, Cause::contact_is_lost);
}

std::optional<std::size_t> QuasiStaticPassage::slipping(const PathPoint& node) {
    if (node.t - jump_.last_load_drop() < tolerance::same_drop * end_)
        return {};  // it would come back at once
    mode_.set(node);
    std::optional<std::size_t> strongest;
    double force = 0;
    for (std::size_t i = 0; i < mode_.closed(); ++i)
        if (mode_.force(i) > force) {
            force = mode_.force(i);
            strongest = i;
        }
    return strongest;
}

bool QuasiStaticPassage::slip_off(PathWalk& walk, std::size_t contact, PathPoint at) {
    record_.sample(at);
    mode_.set(at);
    mode_.follow();
    if (mode_.is_pressed(contact))
        return failure_.jam(at.t, mode_.contacts().closed()[contact], Cause::presses_across_free);
    mode_.contacts().open(at.t, contact, EventKind::contact_lost, {Cause::slips_off});
    mode_.renew();
    mode_.balance().close(at.y, at.t);
    walk.step = PathWalk::first_step;
    return jump_.drop_load(walk.node, true, Cause::contact_slips_off);
}

}  // namespace pawl
