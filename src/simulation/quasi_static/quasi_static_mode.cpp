#include "simulation/quasi_static/quasi_static_mode.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances/motion.h"
#include "simulation/equilibrium/equilibrium_search.h"

namespace pawl {

QuasiStaticMode::QuasiStaticMode(const PlacedMechanism& placed, const QuasiStaticOptions& options,
                                 std::vector<Event>& events)
    : placed_(placed), options_(options), contacts_(placed, events) {
    renew();
}

void QuasiStaticMode::renew() {
    if (balance_) contacts_.note_state(balance_->equations().coordinates());
    balance_ = std::make_unique<EquilibriumSystem>(placed_, contacts_.closed());
    path_ = std::make_unique<EquilibriumPath>(*balance_, options_.end, options_.step);
    contacts_.apply_to(balance_->equations());
}

void QuasiStaticMode::close(const GapWatch::Hit& hit, double t) {
    const std::vector<double> rest(balance_->equations().size(), 0.0);
    contacts_.close(t,
                    contacts_.watch().locate(balance_->equations().coordinates(), hit.point, rest));
}

void QuasiStaticMode::set(const PathPoint& point) {
    balance_->look_near(point.fractions);
    balance_->set(point.y, point.t);
}

const CurveElement<PlanarSpace>& QuasiStaticMode::element(std::size_t contact, int side) {
    const auto& point = balance_->equations().contacts()[contact];
    const auto& pair = placed_.mechanism.contacts[static_cast<std::size_t>(point.pair)];
    const int profile = side == 0 ? pair.profile_a : pair.profile_b;
    return placed_.mechanism.profiles[static_cast<std::size_t>(profile)]
        .chain.elements[static_cast<std::size_t>(side == 0 ? point.a : point.b)];
}

double QuasiStaticMode::way(std::size_t contact, int side, const PathPoint& a, const PathPoint& b) {
    const auto end = static_cast<std::size_t>(side);
    const double way = b.fractions[contact][end] - a.fractions[contact][end];
    return is_whole(element(contact, side)) ? way - std::round(way) : way;
}

void QuasiStaticMode::close_overlapping(const ContactMode::Point& lost, double t, double within) {
    std::vector<ContactMode::Point> points;
    for (const int pair : contacts_.watch().pairs()) {
        contacts_.watch().open_points(balance_->equations().coordinates(), pair, within,
                                      contacts_.closed(), points);
        const auto met = std::find_if(points.begin(), points.end(), [&](const auto& p) {
            return p.touch.gap < 0 && !(p.pair == lost.pair && p.a == lost.a && p.b == lost.b);
        });
        if (met != points.end()) contacts_.close(t, *met);
    }
    renew();
}

ContactMode::Change QuasiStaticMode::first_change(const PathPoint& from, const PathPoint& to) {
    auto& equations = balance_->equations();
    const Vector way_y = to.y - from.y;
    const std::vector<double> v = balance_->unscaled(way_y);
    const auto set = [&](double s) {
        EquilibriumSystem::ContactFractions near = from.fractions;
        for (std::size_t i = 0; i < near.size(); ++i)
            for (const int side : {0, 1})
                near[i][static_cast<std::size_t>(side)] += s * way(i, side, from, to);
        balance_->look_near(near);
        balance_->set(from.y + s * way_y, from.t + s * (to.t - from.t));
        equations.coordinates().set_velocity(v);
    };
    const std::vector<double> begin = balance_->unscaled(from.y);
    PolynomialPath straight;
    straight.start(0, 1, begin.size());
    for (std::size_t i = 0; i < begin.size(); ++i) straight[i] = {begin[i], v[i]};
    return contacts_.first_change(equations, 0, 1, set, straight);
}

ContactMode::Change QuasiStaticMode::first_change(const Vector& from, const Vector& to, double t) {
    PathPoint a, b;
    a.y = from;
    b.y = to;
    a.t = b.t = t;
    return first_change(a, b);
}

// Points are `from` + s tangent + something across it, so a tangent w' at them is passed at the
// rate w' / (w' . tangent).
void QuasiStaticMode::set_on_path(const PathPoint& point, const PathPoint& from) {
    auto& equations = balance_->equations();
    set(point);
    equations.set_velocity(balance_->unscaled(size() / along(point, from) * point.dy));
}

std::optional<ContactMode::Change> QuasiStaticMode::first_change(const PathPoint& from, double s) {
    bool followed = true;
    const auto point_at = [&](double part) {
        const auto point = part > 0 ? path_->at(from, part) : from;
        followed = followed && point;
        return point ? *point : from;
    };
    const auto set = [&](double part) { set_on_path(point_at(part), from); };
    const auto coordinates = [&](double part) { return balance_->unscaled(point_at(part).y); };
    // Equilibria are solved to some 1e-10 of the size; a step is short against the curvature of the
    // path.
    const GapWatch::Points points{coordinates, tolerance::path_points * size(), s / 16};
    const auto change = contacts_.first_change(balance_->equations(), 0, s, set, points);
    return followed ? std::optional(change) : std::nullopt;
}

// The way along a curve that may have several touching points is that of its rates by the
// trapezoid, but for a part that shrinks with the step; where a touching point ends, the rates grow
// without bound.
bool QuasiStaticMode::changes_touching_point(const PathPoint& a, const PathPoint& b) {
    constexpr double part = 0.3, least = 0.003;
    const double s = a.dy.dot(b.y - a.y) / size() + a.dt * (b.t - a.t) / options_.end;
    set_on_path(a, a);
    const auto before = balance_->equations().contacts();
    set_on_path(b, a);
    const auto& after = balance_->equations().contacts();
    for (std::size_t i = 0; i < after.size(); ++i)
        for (const int side : {0, 1}) {
            if (!is_general(element(i, side))) continue;
            const double low = before[i].rates.u[side], high = after[i].rates.u[side],
                         gone = way(i, side, a, b), slack = part * std::abs(gone) + least;
            if (!(std::abs(gone - 0.5 * s * (low + high)) <= slack &&
                  0.5 * s * std::abs(high - low) <= slack))
                return true;
        }
    return false;
}

std::optional<ContactMode::Point> QuasiStaticMode::vanishing_point(const PathPoint& at) {
    constexpr double soft =
        tolerance::soft_curvature;  // curvature times size: its square is the way to the end
    set(at);
    for (std::size_t i = 0; i < contacts_.permanent(); ++i)
        if (const auto& point = balance_->equations().contacts()[i];
            point.touch.firmness() * size() < soft)
            return point;
    return std::nullopt;
}

// Near a dead point the gap over time and a free position x is a t + b x^2 / 2, with balance on one
// side of it: a and b have the same sign. Positive, the bodies part after it wherever x is;
// negative, there is no room left.
bool QuasiStaticMode::is_pressed(std::size_t closed) const {
    constexpr double across =
        tolerance::across_row;  // of the row: it is found to the square root of rounding
    std::vector<ContactPoint<PlanarSpace>> others = contacts_.closed();
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(closed));
    EquilibriumSystem free(placed_, others);
    contacts_.apply_to(free.equations());
    if (!free.set(balance_->y(), balance_->t())) return false;
    auto& equations = free.equations();
    const auto rate = [&](const Vector& dy) {
        return contacts_.watch()
            .locate(equations.coordinates(), contacts_.closed()[closed], free.unscaled(dy))
            .rates.closing;
    };
    for (int i = 0; i < free.freedoms(); ++i)
        if (std::abs(rate(free.free_directions().col(i))) > across) return false;
    return rate(free.drift()) < 0;
}

// With row = sum part_i row_i the contacts before give part_i of its force up: the first that has
// no more opens. Held by the new one it parts at 1/part_i of the rate at which that closed.
bool QuasiStaticMode::open_replaced_contact(const std::vector<double>& forces, double t) {
    const auto parts = contacts_.parts_of_last(balance_->equations());
    if (!parts) return true;
    constexpr double none = tolerance::row_rounding;  // of the row: rounding
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < parts->size(); ++i)
        if ((*parts)[i] > none &&
            (!first || forces[i] / (*parts)[i] < forces[*first] / (*parts)[*first]))
            first = i;
    if (!first) return false;
    contacts_.open(t, *first, EventKind::contact_lost, {contacts_.takes_over()});
    return true;
}

double QuasiStaticMode::rate_along(const EndPassed& end, const PathPoint& at, const Vector& way) {
    set(at);
    auto& equations = balance_->equations();
    equations.set_velocity(balance_->unscaled(size() * way));
    return equations.contacts()[end.contact].rates.u[end.side];
}

// Opens contacts that would have to pull, one after the other; leaves the balance set at an
// equilibrium near y.
void QuasiStaticMode::release_pulling(Vector& y, double t) {
    for (std::size_t tries = contacts_.closed().size() + 1; tries-- > 0;) {
        solve_balance(*balance_, y, t);
        std::size_t worst = 0;
        double pull = 0;
        for (std::size_t i = 0; i < contacts_.closed().size(); ++i)
            if (const double f = balance_->contact_force(contacts_.permanent() + i); f < pull) {
                pull = f;
                worst = i;
            }
        if (!(pull < -tolerance::pulling_at_rest * balance_->largest_force())) return;
        contacts_.drop(worst);
        renew();
        balance_->close(y, t);
    }
}

// Descends from beside an equilibrium that is lost to the next stable one. Contacts that are met on
// the way close, those that come to the end of an element pass on or open, and those that would
// pull at rest open. Each step is looked over by itself: contacts curve the path.
bool QuasiStaticMode::fall(Vector from, Vector y, double t) {
    constexpr int max_steps = 2000, max_changes = 50;
    for (int step = 0, changes = 0; step < max_steps && changes < max_changes; ++step) {
        if (!balance_->close(y, t)) return false;
        const EquilibriumStatus status =
            descend(*balance_, y, t, descent_step * size(), watching() ? 1 : max_steps).status;
        const bool rests = status == EquilibriumStatus::balanced;
        if (!watching()) return rests;
        if (!rests && status != EquilibriumStatus::too_many_iterations) return false;
        const Vector end = y;
        const ContactMode::Change change = first_change(from, end, t);
        if (change.hit || change.passed) {
            ++changes;
            const double part = change.hit ? change.hit->t : change.passed->t;
            from = y = from + part * (end - from);
            balance_->set(y, t);
            follow();
            if (change.hit)
                close(*change.hit, t);
            else if (contacts_.pass_end(balance_->equations(), t, *change.passed))
                return false;
            renew();
            continue;
        }
        balance_->set(end, t);
        follow();
        from = end;
        if (!rests) continue;
        const std::size_t before = contacts_.closed().size();
        release_pulling(y, t);
        if (contacts_.closed().size() == before) return balance_->close(y = end, t);
        ++changes;
    }
    return false;
}

}  // namespace pawl
