#include "events/contact_guards.h"

#include <algorithm>
#include <cmath>

#include "contact/search.h"
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

// Whether the profile turns back at the end of an element: beyond it lies the material of the next
// one, which is met first.
bool is_reentrant(const Profile<Space>& chain, int element, int direction) {
    const int next = chain.neighbour(element, direction);
    if (next < 0) return false;
    const auto n = point_of<Space>(chain.elements[element], direction > 0 ? 1 : 0).n,
               m = point_of<Space>(chain.elements[next], direction > 0 ? 0 : 1).n;
    return direction * std::atan2(Space::cross(n, m), Space::dot(n, m)) < -tangent_angle;
}

// How far a contact may be beyond the end of an element, as a fraction of it: a corner of a side
// that is pressed into a straight one; and where the profile turns back, so far that the gap watch
// has met the next element before. A compliant contact presses itself past such an end.
double beyond_end(const PlanarMechanism& mechanism, const ContactPoint<Space>& point, int side,
                  int direction) {
    const auto& chain = profile_of(mechanism, point, side).chain;
    const int element = side == 0 ? point.a : point.b;
    if (is_reentrant(chain, element, direction)) return point.compliant ? INFINITY : 1e-6;
    if (!point.compliant ||
        !std::holds_alternative<LineCurve<Space>>(element_of(mechanism, point, 1 - side)))
        return 0;
    return flat_slack(chain, element, direction > 0 ? 1 : 0);
}

}  // namespace

namespace {

// Where f changes from positive to negative: the secant, with halving of the value at an end that
// stays (Illinois), and halving of the interval where that does not help.
double crossing(double low, double high, double f_low, double f_high,
                const std::function<double(double)>& f) {
    const double fine = 1e-13 * (high - low) + 1e-15 * (1 + std::abs(high));
    int moves = 0;  // of the high end (negative) or of the low end (positive), in a row
    for (int i = 0; i < 100 && high - low > fine; ++i) {
        double t = (low * f_high - high * f_low) / (f_high - f_low);
        if (std::abs(moves) > 2 || !std::isfinite(t)) t = 0.5 * (low + high);
        // At least half the accuracy wanted from both ends, so that they close in on the zero.
        t = std::clamp(t, low + 0.5 * fine, high - 0.5 * fine);
        const double value = f(t);
        if (value < 0) {
            high = t;
            f_high = value;
            if (moves < 0) f_low *= 0.5;
            moves = std::min(moves, 0) - 1;
        } else {
            low = t;
            f_low = value;
            if (moves > 0) f_high *= 0.5;
            moves = std::max(moves, 0) + 1;
        }
    }
    return low;
}

}  // namespace

std::optional<double> first_zero(double t_low, double t_high, std::span<const double> samples,
                                 const std::function<double(double)>& f) {
    const std::size_t parts = samples.size() - 1;
    const double h = (t_high - t_low) / static_cast<double>(parts);
    const auto time = [&](std::size_t k) {
        return k == parts ? t_high : t_low + static_cast<double>(k) * h;
    };
    for (std::size_t k = 1; k <= parts; ++k) {
        const double high = samples[k], low = samples[k - 1];
        if (high < 0) return crossing(time(k - 1), time(k), low, high, f);
        if (k < 2) continue;
        const double before = samples[k - 2];
        const double curve = before - 2 * low + high, slope = 0.5 * (high - before);
        const double s = curve > 0 ? -slope / curve : 2;
        if (std::abs(s) < 1 && low + 0.5 * s * slope < 0.1 * std::min(before, high)) {
            // Golden section for the least value near there.
            double a = time(k - 2), b = time(k);
            for (int i = 0; i < 40; ++i) {
                const double x = a + 0.381966 * (b - a), y = b - 0.381966 * (b - a);
                const double fx = f(x), fy = f(y);
                if (fx < 0) return crossing(time(k - 2), x, before, fx, f);
                if (fy < 0) return crossing(time(k - 2), y, before, fy, f);
                (fx < fy ? b : a) = fx < fy ? y : x;
            }
        }
    }
    return std::nullopt;
}

// Guards stay the same while the contacts stay on their elements.
void EndWatch::collect(MechanismEquations<Space>& equations) {
    const auto& contacts = equations.contacts();
    const auto known = [](const Seen& seen, const ContactPoint<Space>& c) {
        return seen.pair == c.pair && seen.a == c.a && seen.b == c.b &&
               seen.compliant == c.compliant;
    };
    if (std::equal(seen_.begin(), seen_.end(), contacts.begin(), contacts.end(), known)) return;
    seen_.clear();
    guards_.clear();
    for (const ContactPoint<Space>& point : contacts) {
        for (const int side : {0, 1}) {
            if (is_whole(element_of(equations.mechanism(), point, side))) continue;
            for (const int direction : {-1, 1}) {
                const double beyond = beyond_end(equations.mechanism(), point, side, direction);
                if (std::isfinite(beyond))
                    guards_.push_back({seen_.size(), side, direction, beyond});
            }
        }
        seen_.push_back({point.pair, point.a, point.b, point.compliant});
    }
}

// Seen to have passed a little later, so that a contact at rest on an end does not flutter; the
// time is then that of the end itself.
double EndWatch::room(const Guard& g, MechanismEquations<Space>& equations) {
    const double u = equations.contacts()[g.contact].touch.u[g.side];
    return (g.direction < 0 ? u : 1 - u) + g.beyond + tolerance::past_end;
}

// Sample k of every guard at the position that is set.
void EndWatch::look(std::size_t k, MechanismEquations<Space>& equations) {
    for (std::size_t i = 0; i < guards_.size(); ++i)
        samples_[i * (parts_ + 1) + k] = room(guards_[i], equations);
}

void EndWatch::remember_angles(const Coordinates<Space>& coordinates) {
    for (std::size_t b = 0; b < angles_.size(); ++b)
        angles_[b] = coordinates.position(static_cast<int>(b)).angle;
}

double EndWatch::largest_turn(const Coordinates<Space>& coordinates) const {
    double turn = 0;
    for (std::size_t b = 0; b < angles_.size(); ++b)
        turn =
            std::max(turn, std::abs(coordinates.position(static_cast<int>(b)).angle - angles_[b]));
    return turn;
}

// In so short a step nothing goes much farther than it is seen to go at its ends and its middle.
bool EndWatch::stays() const {
    for (std::size_t i = 0; i < guards_.size(); ++i) {
        const double* of_this = &samples_[i * (parts_ + 1)];
        const auto [least, most] = std::minmax({of_this[0], of_this[parts_ / 2], of_this[parts_]});
        if (!(least > 2 * (most - least))) return false;
    }
    return true;
}

std::optional<EndPassed> EndWatch::first(MechanismEquations<Space>& equations, double t_low,
                                         double t_high,
                                         const std::function<void(double t)>& set_position) {
    collect(equations);
    if (guards_.empty()) return std::nullopt;
    constexpr std::size_t few = 4;
    const auto use = [&](std::size_t parts) {
        parts_ = parts;
        samples_.resize(guards_.size() * (parts + 1));
    };
    const auto sample = [&](std::size_t k, double end) {
        const double share = static_cast<double>(k) / static_cast<double>(parts_);
        set_position(k == parts_ ? end : t_low + share * (end - t_low));
        look(k, equations);
    };
    use(few);
    angles_.resize(equations.mechanism().bodies.size());
    sample(0, t_high);
    remember_angles(equations.coordinates());
    sample(few, t_high);
    const double turned = largest_turn(equations.coordinates());
    // Where a body turns far, as on the dwell of a cam, so many samples that it turns less than
    // half a radian between two of them; fractions on arcs are known but for whole turns.
    const auto parts = static_cast<std::size_t>(
        std::max(static_cast<double>(few), std::ceil(turned / tolerance::turn)));
    if (parts == few) {
        sample(few / 2, t_high);
        if (turned <= 2 * tolerance::turn && stays()) return std::nullopt;
        sample(1, t_high);
        sample(3, t_high);
    } else {
        use(parts);
        for (std::size_t k = 0; k <= parts; ++k) sample(k, t_high);
    }
    std::optional<EndPassed> first;
    for (std::size_t i = 0; i < guards_.size(); ++i) {
        const Guard& guard = guards_[i];
        const auto at = [&](double t) {
            set_position(t);
            return room(guard, equations);
        };
        const auto of_this = std::span(samples_).subspan(i * (parts_ + 1), parts_ + 1);
        const auto t = first_zero(t_low, first ? first->t : t_high, of_this, std::ref(at));
        if (!t) continue;
        first = EndPassed{*t, guard.contact, guard.side, guard.direction, guard.beyond};
        if (i + 1 < guards_.size())
            for (std::size_t k = 0; k <= parts_; ++k) sample(k, *t);
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
    // A corner cannot pass on to a corner: there is no normal between them. What goes on is a
    // contact of other elements.
    const double firm =
        std::max(1e-9 * std::max(t.reach[0], t.reach[1]), 1e3 * touching * t.bend[0] * t.bend[1]);
    if (found && std::abs(t.gap - before.touch.gap) < 1e3 * touching && t.firmness() > firm &&
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
