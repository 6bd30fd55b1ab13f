#include "simulation/placement/contact_mode.h"

#include <algorithm>

#include <Eigen/Dense>

#include "math/linear/dense.h"
#include "math/tolerances.h"
#include "results/event_text.h"
#include "results/text.h"

namespace pawl {

using Space = PlanarSpace;

Event contact_event(const PlanarMechanism& mechanism, EventKind kind, double t,
                    const ContactPoint<Space>& point, std::string from, std::string to,
                    std::vector<EventFact> facts) {
    Event e;
    e.t = t;
    e.kind = kind;
    e.element = name_of(mechanism, point);
    e.from = std::move(from);
    e.to = std::move(to);
    e.facts = std::move(facts);
    return e;
}

std::vector<std::string> driver_names(const PlanarMechanism& mechanism) {
    std::vector<std::string> names;
    for (const auto& d : mechanism.drivers) names.push_back(d.name);
    return names;
}

std::string drivers_text(const PlanarMechanism& mechanism) {
    return drivers_text(driver_names(mechanism));
}

ContactPoint<Space> numbered(ContactPoint<Space> point,
                             const std::vector<ContactPoint<Space>>& closed) {
    while (std::any_of(closed.begin(), closed.end(), [&](const auto& p) {
        return p.pair == point.pair && p.number == point.number;
    }))
        ++point.number;
    return point;
}

std::vector<FrictionMode> friction_points(const PlanarMechanism& mechanism,
                                          const std::vector<ContactPoint<Space>>& contacts) {
    std::vector<FrictionMode> modes;
    for (std::size_t j = 0; j < mechanism.joints.size(); ++j)
        if (mechanism.joints[j].friction()) {
            FrictionMode& mode = modes.emplace_back();
            mode.joint = static_cast<int>(j);
        }
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const auto& friction =
            mechanism.contacts[static_cast<std::size_t>(contacts[i].pair)].friction;
        if (!friction || contacts[i].compliant) continue;
        for (const bool rolling : {false, true}) {
            if (rolling && !(friction->rolling > 0)) continue;
            FrictionMode& mode = modes.emplace_back();
            mode.contact = static_cast<int>(i);
            mode.rolling = rolling;
        }
    }
    return modes;
}

void add_contact_force(const PlanarMechanism& mechanism, const Coordinates<Space>& coordinates,
                       const ContactPoint<Space>& point, double force,
                       std::vector<Space::Wrench>& on_bodies) {
    const auto& pair = mechanism.contacts[static_cast<std::size_t>(point.pair)];
    for (const int side : {0, 1}) {
        const int body = side == 0 ? pair.a : pair.b;
        const auto f = (side == 0 ? -force : force) * point.touch.n;
        auto& wrench = on_bodies[static_cast<std::size_t>(body)];
        wrench.f += f;
        wrench.m += Space::cross(point.touch.p[side] - coordinates.position(body).p, f);
    }
}

ContactMode::ContactMode(const PlacedMechanism& placed, std::vector<Event>& events)
    : mechanism_(placed.mechanism),
      events_(events),
      size_(placed.assembly.model_size),
      touching_(tolerance::touching * size_),
      watch_(placed.mechanism, touching_),
      states_(placed) {
    permanent_.resize(static_cast<std::size_t>(
        std::count_if(mechanism_.contacts.begin(), mechanism_.contacts.end(),
                      [](const auto& pair) { return pair.permanent; })));
}

void ContactMode::apply_to(Mechanics& equations) const {
    for (std::size_t i = 0; i < permanent_.size(); ++i)
        if (permanent_[i].pair >= 0) equations.contacts()[i] = permanent_[i];
    equations.settle_contacts();
}

void ContactMode::follow(Mechanics& equations) {
    const auto& contacts = equations.contacts();
    std::copy_n(contacts.begin(), permanent_.size(), permanent_.begin());
    std::copy(contacts.begin() + static_cast<std::ptrdiff_t>(permanent_.size()), contacts.end(),
              closed_.begin());
}

std::optional<ContactTrouble> ContactMode::overlap(const Coordinates<Space>& c) const {
    return overlap_at_start(mechanism_, c, watch_.pairs(), [&](int pair) {
        return start_overlap_limit(mechanism_, mechanism_.contacts[static_cast<std::size_t>(pair)],
                                   size_);
    });
}

void ContactMode::close_touching(const Coordinates<Space>& coordinates) {
    std::vector<Point> points;
    for (const int pair : watch_.pairs()) {
        const auto& contact = mechanism_.contacts[static_cast<std::size_t>(pair)];
        watch_.open_points(coordinates, pair, start_overlap_limit(mechanism_, contact, size_),
                           closed_, points);
        if (!points.empty() && points[0].touch.gap <= start_gap_limit(mechanism_, contact, size_))
            close(0, points[0]);
    }
}

void ContactMode::note(EventKind kind, double t, const Point& point, std::string from,
                       std::string to, std::vector<EventFact> facts) {
    events_.push_back(contact_event(mechanism_, kind, t, point, std::move(from), std::move(to),
                                    std::move(facts)));
}

void ContactMode::close(double t, const Point& met) {
    const Point point = numbered(met, closed_);
    note(EventKind::contact_formed, t, point, "open", elements_text(mechanism_, point),
         {Cause::gap_closes});
    closed_.push_back(point);
}

void ContactMode::open(double t, std::size_t index, EventKind kind, std::vector<EventFact> why) {
    note(kind, t, closed_[index], elements_text(mechanism_, closed_[index]), "open",
         std::move(why));
    drop(index);
}

void ContactMode::drop(std::size_t index) {
    closed_.erase(closed_.begin() + static_cast<std::ptrdiff_t>(index));
}

std::optional<ContactTrouble> ContactMode::pass_end(Mechanics& equations, double t,
                                                    const EndPassed& passed) {
    const Point before = equations.contacts()[passed.contact];
    if (move_on(equations, passed, touching_)) {
        const Point& after = equations.contacts()[passed.contact];
        note(EventKind::transition, t, after, element_text(mechanism_, before, passed.side),
             element_text(mechanism_, after, passed.side),
             {end_reached(mechanism_, before, passed)});
        follow(equations);
        return std::nullopt;
    }
    if (passed.contact < permanent_.size())
        return ContactTrouble{"contact '" + name_of(mechanism_, before) +
                                  "' is permanent but reaches the end of " +
                                  element_text(mechanism_, before, passed.side) +
                                  " at t = " + number_text(t, 9) + " s" + set_free,
                              mechanism_.contacts[static_cast<std::size_t>(before.pair)].span};
    open(t, passed.contact - permanent_.size(), EventKind::contact_lost,
         {end_reached(mechanism_, before, passed), Cause::nothing_beyond});
    return std::nullopt;
}

std::optional<std::vector<double>> ContactMode::parts_of_last(const Mechanics& equations) const {
    Eigen::MatrixXd rows =
        scaled_dense(equations.pattern(), equations.jacobian(), equations.column_scale());
    const int last = equations.contact_row(permanent_.size() + closed_.size() - 1);
    const Eigen::VectorXd row = rows.row(last);
    rows.row(last).setZero();
    const Eigen::VectorXd parts = solve_least_squares(rows.transpose(), row, tolerance::rank);
    if (!((rows.transpose() * parts - row).norm() <= tolerance::rank * row.norm()))
        return std::nullopt;
    std::vector<double> of;
    for (std::size_t i = 0; i + 1 < closed_.size(); ++i)
        of.push_back(parts[equations.contact_row(permanent_.size() + i)]);
    return of;
}

fact::TakenOver ContactMode::takes_over() const { return {name_of(mechanism_, closed_.back())}; }

ContactMode::Change ContactMode::first_change(Mechanics& equations, double t_low, double t_high,
                                              const std::function<void(double t)>& set,
                                              const PolynomialPath& path) {
    return first_change(equations, t_low, t_high, set, [&](double end, const auto& motion) {
        return watch_.first_hit(t_low, end, closed_,
                                {motion, [&]() -> const PolynomialPath& { return path; }});
    });
}

ContactMode::Change ContactMode::first_change(Mechanics& equations, double t_low, double t_high,
                                              const std::function<void(double t)>& set,
                                              const GapWatch::Points& points) {
    return first_change(equations, t_low, t_high, set, [&](double end, const auto& motion) {
        return watch_.first_hit(t_low, end, closed_, motion, points);
    });
}

ContactMode::Change ContactMode::first_change(Mechanics& equations, double t_low, double t_high,
                                              const std::function<void(double t)>& set,
                                              const FirstHit& first_hit) {
    Change change;
    change.passed = ends_.first(equations, t_low, t_high, set);
    change.hit = first_hit(change.passed ? change.passed->t : t_high,
                           [&](double t) -> Coordinates<PlanarSpace>& {
                               set(t);
                               follow(equations);
                               return equations.coordinates();
                           });
    if (change.hit) change.passed.reset();
    return change;
}

}  // namespace pawl
