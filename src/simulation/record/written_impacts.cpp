// Single impacts in what a dynamic run has written: restitution, and the impulse of friction.
#include <algorithm>
#include <cmath>

#include "events/contact_guards.h"
#include "math/tolerances/records.h"
#include "simulation/record/written_audit.h"

namespace pawl {

// Single impacts on bodies that touch nothing else: two rows have their time. Where an impulse is
// given at the same time, the rows hold its effect as well: they cannot say what the impact did.
void WrittenAudit::judge_impacts() {
    for (std::size_t i = 0, next = 0; i < events_.size(); i = next) {
        int impacts = 0, given = 0;
        for (; next < events_.size() && events_[next].t == events_[i].t; ++next) {
            if (events_[next].kind == EventKind::impact) ++impacts;
            if (events_[next].kind == EventKind::impulse) ++given;
        }
        if (impacts != 1 || given > 0) continue;
        std::size_t low = 0, high = trajectory_.rows();
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            trajectory_.row(middle)[0] < events_[i].t ? low = middle + 1 : high = middle;
        }
        std::size_t after = low;  // an output may have the same time
        while (after + 1 < trajectory_.rows() && trajectory_.row(after + 1)[0] == events_[i].t)
            ++after;
        if (after == low || trajectory_.row(low)[0] != events_[i].t) continue;
        take_values(after);
        for (std::size_t k = i; k < next; ++k)
            if (events_[k].kind == EventKind::impact) judge_impact(events_[k], low, after);
    }
}

// Whether the elements at a written contact coordinate are those that an event names; at the end of
// one its neighbour counts, too.
bool WrittenAudit::is_on_elements(std::span<const double> row, const PointColumns& c,
                                  const std::string& elements) const {
    constexpr double end = tolerance::written_end;
    const auto& pair = mechanism_.contacts[static_cast<std::size_t>(c.pair)];
    const auto on = [&](int column, int profile, double shift) {
        const auto& chain = mechanism_.profiles[static_cast<std::size_t>(profile)].chain.elements;
        const auto count = static_cast<double>(chain.size());
        const double k = std::floor(row[static_cast<std::size_t>(column)] + shift);
        return static_cast<int>(k - count * std::floor(k / count));
    };
    ContactPoint<Space> point;
    point.pair = c.pair;
    for (const double a : {-end, end})
        for (const double b : {-end, end}) {
            point.a = on(c.a, pair.profile_a, a);
            point.b = on(c.b, pair.profile_b, b);
            if (elements_text(mechanism_, point) == elements) return true;
        }
    return false;
}

// The contact that an impact strikes, as the rows at its time show it: before, the nearest of the
// pair; after, those that stay closed. Two corners that come down at once are both there, and one
// of them may need no impulse.
WrittenAudit::Struck WrittenAudit::struck_by(const Event& event, const Rows& rows) const {
    for (const auto row : rows)
        for (const PointColumns& c : columns_.points) {
            const std::string& name = mechanism_.contacts[static_cast<std::size_t>(c.pair)].name;
            if (!event.element.starts_with(name + "#") ||
                !std::isfinite(row[static_cast<std::size_t>(c.gap)]) ||
                !is_on_elements(row, c, event.to))
                continue;
            return {c.pair, columns_.touching_at(row, c)};
        }
    return {};
}

void WrittenAudit::judge_impact(const Event& event, std::size_t before, std::size_t after) {
    const Rows rows{trajectory_.row(before), trajectory_.row(after)};
    for (const PointColumns& c : columns_.points)
        if (rows[0][static_cast<std::size_t>(c.closed)] == 1) return;  // coupled
    const auto [struck, touching] = struck_by(event, rows);
    if (!touching.known) return;
    const auto& pair = mechanism_.contacts[static_cast<std::size_t>(struck)];
    if (!is_rigid(pair.law)) return;
    // It is the contact that meets: at the time of the event its gap is zero.
    touching_.see(std::max(std::abs(touching.apart), touching.beside), event.t, event.element);
    double rate[2], speed = 0;
    std::size_t k = 0;
    for (const auto row : rows) {
        const Vector va = columns_.velocity_at(row, pair.a, touching.p[0]),
                     vb = columns_.velocity_at(row, pair.b, touching.p[1]);
        rate[k++] = Space::dot(touching.n, vb - va);
        speed = std::max({speed, std::hypot(va.x, va.y), std::hypot(vb.x, vb.y)});
    }
    // Hops and slips within what counts as touching have ended, whatever friction could do.
    const bool rests = event.is_due_to(Cause::hop_brought_to_rest);
    const bool newton = pair.impact == RestitutionLaw::newton || !pair.friction ||
                        pair.friction_rule == FrictionRule::separation;
    // The normal is known to 1e-9.
    const double scale =
        std::abs(rate[0]) + tolerance::written_part * speed + tolerance::written_normal * size_;
    const double e = pair.restitution_at(std::max(0.0, -rate[0]));
    if (newton) {
        double off = std::abs(event.normal_velocity_after + e * rate[0]);
        const bool stays = rests || event.is_due_to(Cause::below_capture_speed) ||
                           event.find<fact::Accumulation>() != nullptr;
        off = std::max(off, stays ? std::abs(rate[1]) : std::abs(rate[1] + e * rate[0]));
        restitution_.see(off / scale, event.t, event.element);
    }
    restitution_.see(std::abs(event.normal_velocity_before - rate[0]) / scale, event.t,
                     event.element);
    if (rests) return;
    // A coefficient that depends on the slip has the value of the slip before, at most.
    const Vector slip = columns_.velocity_at(rows[0], pair.b, touching.p[1]) -
                        columns_.velocity_at(rows[0], pair.a, touching.p[0]);
    const double mu =
        pair.friction ? std::max(pair.friction->holding(),
                                 pair.friction->sliding(std::abs(Space::cross(touching.n, slip))))
                      : 0.0;
    judge_impulse(rows, pair.a, mu, touching.n, -1, event.element);
    judge_impulse(rows, pair.b, mu, touching.n, 1, event.element);
}

// The impulse on a free body is what its momentum changes by.
void WrittenAudit::judge_impulse(const Rows& rows, int body, double mu, Vector n, double side,
                                 const std::string& name) {
    if (!columns_.free[static_cast<std::size_t>(body)]) return;
    const auto& b = mechanism_.bodies[static_cast<std::size_t>(body)];
    Vector momentum[2];
    for (const std::size_t k : {0U, 1U}) {
        const auto row = rows[k];
        const BodyMotion m = columns_.motion_of(row, body);
        const Vector centre = m.position.p + m.position.to_ground(b.centre);
        momentum[k] = b.mass.value_or(0.0) * columns_.velocity_at(row, body, centre);
    }
    const Vector impulse = side * (momentum[1] - momentum[0]);
    const double normal = Space::dot(impulse, n), along = std::abs(Space::cross(impulse, n));
    const double scale =
        std::hypot(momentum[0].x, momentum[0].y) + std::hypot(momentum[1].x, momentum[1].y);
    if (!(scale > 0)) return;
    impulse_.see(std::max(along - mu * normal, -normal) / scale, rows[0][0], name);
}

}  // namespace pawl
