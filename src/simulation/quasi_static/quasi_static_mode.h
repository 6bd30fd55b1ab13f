// The contacts of a quasi-static run that are closed, with the balance and the equilibrium path
// that go with them; and the fall from a lost equilibrium to the next, on which contacts close and
// open.
#pragma once

#include <memory>

#include "results/event.h"
#include "simulation/equilibrium/equilibrium_path.h"
#include "simulation/placement/contact_mode.h"
#include "simulation/quasi_static/quasi_static_run.h"

namespace pawl {

// Steps of a descent (part of the size) are so short that the next valley is found and not one
// behind it.
inline constexpr double descent_step = 0.05;

class QuasiStaticMode {
public:
    using Vector = Eigen::VectorXd;
    QuasiStaticMode(const PlacedMechanism& placed, const QuasiStaticOptions& options,
                    std::vector<Event>& events);

    [[nodiscard]] ContactMode& contacts() { return contacts_; }
    [[nodiscard]] bool watching() const { return !contacts_.empty(); }
    [[nodiscard]] EquilibriumSystem& balance() { return *balance_; }
    [[nodiscard]] EquilibriumPath& path() { return *path_; }
    [[nodiscard]] double size() const { return balance_->size(); }
    [[nodiscard]] std::size_t closed() const { return contacts_.closed().size(); }
    // Force of a closed contact where the balance is set.
    [[nodiscard]] double force(std::size_t closed) const {
        return balance_->contact_force(contacts_.permanent() + closed);
    }

    // Other contacts are closed: balance and path anew.
    void renew();
    void set(const PathPoint& point);
    // Where the balance is set is where the contacts are.
    void follow() { contacts_.follow(balance_->equations()); }
    // The contact that is met closes where the balance is set.
    void close(const GapWatch::Hit& hit, double t);
    // Closes the open contacts whose gap is below zero where the balance is set, but not below
    // -within, one of each pair, except the one that was lost.
    void close_overlapping(const ContactMode::Point& lost, double t, double within);
    // Whether the drivers press a contact across all that the others leave free, where the balance
    // is set: it can neither slip off nor go on.
    [[nodiscard]] bool is_pressed(std::size_t closed) const;
    // A contact that has closed where the balance is set cannot be held with those before it when
    // its row is a sum of theirs: one of them opens. `forces` are those before it closed. False
    // when none can.
    bool open_replaced_contact(const std::vector<double>& forces, double t);
    // What changes first on the straight line between two points of the path.
    [[nodiscard]] ContactMode::Change first_change(const PathPoint& from, const PathPoint& to);
    // The same on the path up to a distance s from a point, with times as distances. Nothing where
    // the path cannot be followed.
    [[nodiscard]] std::optional<ContactMode::Change> first_change(const PathPoint& from, double s);
    // Whether a contact has gone to another point of its elements between two points of the path.
    [[nodiscard]] bool changes_touching_point(const PathPoint& a, const PathPoint& b);
    // The permanent contact whose touching point is about to vanish at a point of the path, where
    // the curves no longer part on both sides of it: an inflection. None where all are firm.
    [[nodiscard]] std::optional<ContactMode::Point> vanishing_point(const PathPoint& at);
    // Descends from y, beside `from`, to the next stable equilibrium and leaves the balance there.
    // How fast a contact moves along an element, on a way from a point.
    [[nodiscard]] double rate_along(const EndPassed& end, const PathPoint& at, const Vector& way);
    bool fall(Vector from, Vector y, double t);

private:
    // What changes first on the straight line between two positions at a time.
    [[nodiscard]] ContactMode::Change first_change(const Vector& from, const Vector& to, double t);
    void release_pulling(Vector& y, double t);
    // Sets a point of the path and its velocity over the distance along the tangent of another.
    void set_on_path(const PathPoint& point, const PathPoint& from);
    // The element on one side of a contact of the equations.
    [[nodiscard]] const CurveElement<PlanarSpace>& element(std::size_t contact, int side);
    // How far a contact goes between two points.
    [[nodiscard]] double way(std::size_t contact, int side, const PathPoint& a, const PathPoint& b);

    const PlacedMechanism& placed_;
    const QuasiStaticOptions& options_;
    ContactMode contacts_;
    std::unique_ptr<EquilibriumSystem> balance_;
    std::unique_ptr<EquilibriumPath> path_;
};

}  // namespace pawl
