#include "simulation/static_mode.h"

#include "simulation/static_search.h"

namespace pawl {

StaticMode::StaticMode(const PlacedMechanism& placed, const StaticRunOptions& options,
                       std::vector<Event>& events)
    : placed_(placed), options_(options), contacts_(placed, events) {
    renew();
}

void StaticMode::renew() {
    if (balance_) contacts_.note_state(balance_->equations().coordinates());
    balance_ = std::make_unique<StaticBalance>(placed_, contacts_.closed());
    path_ = std::make_unique<EquilibriumPath>(*balance_, options_.end, options_.step);
    contacts_.place(balance_->equations());
}

void StaticMode::close(const GapWatch::Hit& hit, double t) {
    const std::vector<double> rest(balance_->equations().size(), 0.0);
    contacts_.close(t,
                    contacts_.watch().place(balance_->equations().coordinates(), hit.point, rest));
}

ContactMode::Change StaticMode::first_change(const Vector& from, const Vector& to, double t0,
                                             double t1) {
    auto& equations = balance_->equations();
    const Vector way = to - from;
    std::vector<double> v(equations.size());
    for (int c = 0; c < equations.size(); ++c) v[c] = way[c] / equations.column_scale()[c];
    return contacts_.first_change(equations, 0, 1, [&](double s) {
        balance_->set(from + s * way, t0 + s * (t1 - t0));
        equations.coordinates().set_velocity(v);
    });
}

// Opens contacts that would have to pull, one after the other; leaves the balance set at an
// equilibrium near y.
void StaticMode::release_pulling(Vector& y, double t) {
    for (std::size_t tries = contacts_.closed().size() + 1; tries-- > 0;) {
        solve_balance(*balance_, y, t);
        std::size_t worst = 0;
        double pull = 0;
        for (std::size_t i = 0; i < contacts_.closed().size(); ++i)
            if (const double f = balance_->contact_force(contacts_.permanent() + i); f < pull) {
                pull = f;
                worst = i;
            }
        if (!(pull < -1e-9 * balance_->largest_force())) return;
        contacts_.drop(worst);
        renew();
        balance_->close(y, t);
    }
}

// Descends from beside an equilibrium that is lost to the next stable one; contacts that are
// met on the way close, and those that would pull open.
bool StaticMode::fall(Vector from, Vector y, double t) {
    for (int i = 0; i < 50; ++i) {
        if (!balance_->close(y, t) ||
            descend(*balance_, y, t, descent_step * size()).status != StaticStatus::balanced)
            return false;
        if (!watching()) return true;
        const Vector end = y;
        const ContactMode::Change change = first_change(from, end, t, t);
        balance_->set(end, t);
        follow();
        if (!change.hit) {
            const std::size_t before = contacts_.closed().size();
            release_pulling(y, t);
            if (contacts_.closed().size() == before) {
                balance_->close(y = end, t);
                return true;
            }
            from = end;
            continue;
        }
        const Vector met = from + change.hit->t * (end - from);
        balance_->set(met, t);
        follow();
        close(*change.hit, t);
        renew();
        from = y = met;
    }
    return false;
}

}  // namespace pawl
