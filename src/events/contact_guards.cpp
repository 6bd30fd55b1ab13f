#include "events/contact_guards.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances.h"

namespace pawl {

namespace {

using Space = PlanarSpace;

const BodyProfile<Space>& profile_of(const PlanarMechanism& mechanism,
                                     const ContactPoint<Space>& point, int side) {
    const auto& pair = mechanism.contacts[point.pair];
    return mechanism.profiles[side == 0 ? pair.profile_a : pair.profile_b];
}

const CurveElement<Space>& element_of(const PlanarMechanism& mechanism,
                                      const ContactPoint<Space>& point, int side) {
    return profile_of(mechanism, point, side).chain.elements[side == 0 ? point.a : point.b];
}

// Whether the way beyond an end is barred by a contact on the next element: in a re-entrant corner.
bool is_held(MechanismEquations<Space>& equations, std::size_t contact, int side, int direction) {
    const auto& point = equations.contacts()[contact];
    const int next = profile_of(equations.mechanism(), point, side)
                         .chain.neighbour(side == 0 ? point.a : point.b, direction);
    return std::any_of(equations.contacts().begin(), equations.contacts().end(),
                       [&](const auto& other) {
                           return other.pair == point.pair && other.number != point.number &&
                                  (side == 0 ? other.a : other.b) == next;
                       });
}

}  // namespace

std::optional<double> first_zero(double t_low, double t_high, int parts,
                                 const std::function<double(double)>& f) {
    const double h = (t_high - t_low) / parts;
    const auto bisect = [&](double low, double high) {
        for (int i = 0; i < 60 && high - low > 1e-15 * (1 + std::abs(high)); ++i) {
            const double middle = 0.5 * (low + high);
            (f(middle) < 0 ? high : low) = middle;
        }
        return low;
    };
    double before = NAN, low = f(t_low);
    for (int k = 1; k <= parts; ++k) {
        const double t = k == parts ? t_high : t_low + k * h, high = f(t);
        if (high < 0) return bisect(t - h, t);
        if (k > 1) {
            const double curve = before - 2 * low + high, slope = 0.5 * (high - before);
            const double s = curve > 0 ? -slope / curve : 2;
            if (std::abs(s) < 1 && low + 0.5 * s * slope < 0.1 * std::min(before, high)) {
                // Golden section for the least value near there.
                double a = t - 2 * h, b = t;
                for (int i = 0; i < 40; ++i) {
                    const double x = a + 0.381966 * (b - a), y = b - 0.381966 * (b - a);
                    const double fx = f(x), fy = f(y);
                    if (fx < 0) return bisect(std::max(t_low, t - 2 * h), x);
                    if (fy < 0) return bisect(std::max(t_low, t - 2 * h), y);
                    (fx < fy ? b : a) = fx < fy ? y : x;
                }
            }
        }
        before = low;
        low = high;
    }
    return std::nullopt;
}

std::optional<EndPassed> first_end_passed(MechanismEquations<Space>& equations, double t_low,
                                          double t_high,
                                          const std::function<void(double t)>& set_position) {
    std::optional<EndPassed> first;
    for (std::size_t i = 0; i < equations.contacts().size(); ++i)
        for (int side = 0; side < 2; ++side) {
            if (is_whole(element_of(equations.mechanism(), equations.contacts()[i], side)))
                continue;
            for (const int direction : {-1, 1}) {
                if (is_held(equations, i, side, direction)) continue;
                // Seen to have passed a little later, so that a contact at rest on an end does not
                // flutter; the time is then that of the end itself.
                const auto room = [&](double t) {
                    set_position(t);
                    const double u = equations.contacts()[i].touch.u[side];
                    return (direction < 0 ? u : 1 - u) + tolerance::past_end;
                };
                if (const auto t = first_zero(t_low, first ? first->t : t_high, 4, room))
                    first = EndPassed{*t, i, side, direction};
            }
        }
    return first;
}

bool move_on(MechanismEquations<Space>& equations, const EndPassed& passed, double touching) {
    ContactPoint<Space>& point = equations.contacts()[passed.contact];
    const ContactPoint<Space> before = point;
    int& element = passed.side == 0 ? point.a : point.b;
    const int next = profile_of(equations.mechanism(), point, passed.side)
                         .chain.neighbour(element, passed.direction);
    if (next < 0) return false;
    element = next;
    point.touch.u[passed.side] = passed.direction > 0 ? 0 : 1;
    const auto& pair = equations.mechanism().contacts[point.pair];
    const auto frame = [&](int profile) {
        return equations.coordinates()
            .frame(equations.mechanism().profiles[profile].frame)
            .position;
    };
    const bool found = find_touch<Space>(
        element_of(equations.mechanism(), point, 0), frame(pair.profile_a),
        element_of(equations.mechanism(), point, 1), frame(pair.profile_b), point.touch);
    const Touch<Space>& t = point.touch;
    if (found && std::abs(t.gap - before.touch.gap) < 1e3 * touching &&
        t.firmness() > 1e-9 * std::max(t.reach[0], t.reach[1]) &&
        Space::dot(t.n, before.touch.n) > 1 - 1e-6)
        return equations.settle_contacts(), true;
    point = before;
    return false;
}

std::string element_text(const PlanarMechanism& mechanism, const ContactPoint<Space>& point,
                         int side) {
    return std::string(std::visit([](const auto& e) { return e.name; },
                                  element_of(mechanism, point, side))) +
           " " + std::to_string(side == 0 ? point.a : point.b);
}

std::string elements_text(const PlanarMechanism& mechanism, const ContactPoint<Space>& point) {
    return element_text(mechanism, point, 0) + " on " + element_text(mechanism, point, 1);
}

std::string passing_text(const PlanarMechanism& mechanism, const ContactPoint<Space>& before,
                         const EndPassed& passed) {
    const int element = passed.side == 0 ? before.a : before.b;
    return "curvilinear coordinate of profile '" + profile_of(mechanism, before, passed.side).name +
           "' reaches " + std::to_string(passed.direction > 0 ? element + 1 : element);
}

}  // namespace pawl
