// The contacts of a quasi-static run that are closed, with the balance and the equilibrium path
// that go with them; and the fall from a lost equilibrium to the next, on which contacts close and
// open.
#pragma once

#include <memory>

#include "simulation/contact_mode.h"
#include "simulation/equilibrium_path.h"
#include "simulation/static_run.h"

namespace pawl {

// Steps of a descent (part of the size) are so short that the next valley is found and not one
// behind it.
inline constexpr double descent_step = 0.05;

class StaticMode {
public:
    using Vector = Eigen::VectorXd;
    StaticMode(const PlacedMechanism& placed, const StaticRunOptions& options,
               std::vector<Event>& events);

    [[nodiscard]] ContactMode& contacts() { return contacts_; }
    [[nodiscard]] bool watching() const { return !contacts_.empty(); }
    [[nodiscard]] StaticBalance& balance() { return *balance_; }
    [[nodiscard]] EquilibriumPath& path() { return *path_; }
    [[nodiscard]] double size() const { return balance_->size(); }
    [[nodiscard]] std::size_t closed() const { return contacts_.closed().size(); }
    // Force of a closed contact where the balance is set.
    [[nodiscard]] double force(std::size_t closed) const {
        return balance_->contact_force(contacts_.permanent() + closed);
    }

    // Other contacts are closed: balance and path anew.
    void renew();
    // Where the balance is set is where the contacts are.
    void follow() { contacts_.follow(balance_->equations()); }
    // The place that is met closes where the balance is set.
    void close(const GapWatch::Hit& hit, double t);
    // What changes first on the straight line between two positions.
    [[nodiscard]] ContactMode::Change first_change(const Vector& from, const Vector& to, double t0,
                                                   double t1);
    // Descends from y, beside `from`, to the next stable equilibrium and leaves the balance there.
    bool fall(Vector from, Vector y, double t);

private:
    void release_pulling(Vector& y, double t);

    const PlacedMechanism& placed_;
    const StaticRunOptions& options_;
    ContactMode contacts_;
    std::unique_ptr<StaticBalance> balance_;
    std::unique_ptr<EquilibriumPath> path_;
};

}  // namespace pawl
