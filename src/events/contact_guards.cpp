#include "events/contact_guards.h"

#include <algorithm>
#include <cmath>

#include "contact/search.h"
#include "math/tolerances/geometry.h"

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
// that is pressed into a flat or hollow one; and where the profile turns back, so far that the gap
// watch has met the next element before. A compliant contact presses itself past such an end.
double beyond_end(const PlanarMechanism& mechanism, const ContactPoint<Space>& point, int side,
                  int direction) {
    const auto& chain = profile_of(mechanism, point, side).chain;
    const int element = side == 0 ? point.a : point.b;
    if (is_reentrant(chain, element, direction))
        return point.compliant ? INFINITY : tolerance::past_reentrant_end;
    if (!point.compliant || !is_flat_or_hollow(element_of(mechanism, point, 1 - side))) return 0;
    return flat_slack(chain, element, direction > 0 ? 1 : 0);
}

}  // namespace

namespace {

// A function that falls by more than this part of all it is seen to fall by, where it passes zero,
// jumps there.
constexpr double jump = tolerance::contact_jump;

// Where f changes from positive to negative, within a part of the interval, and a little before:
// inverse quadratic interpolation on three times where these allow it, else halving (Chandrupatla
// 1997); the secant at first. Where f jumps, to rounding.
double crossing(double low, double high, double f_low, double f_high,
                const std::function<double(double)>& f, double part) {
    const double finest = tolerance::guard_time * (high - low) +
                          tolerance::finest_time * (1 + std::abs(high)),
                 fine = std::max(finest, part * (high - low)), smooth = jump * (f_low - f_high);
    // The zero lies between a, the last time seen, and b; c was seen before.
    double a = high, b = low, f_a = f_high, f_b = f_low, c = a, f_c = f_a;
    double share = f_a / (f_a - f_b);  // of the way from a to b
    for (int i = 0; i < 100; ++i) {
        const double wanted = std::abs(f_b - f_a) < smooth ? fine : finest;
        if (std::abs(b - a) <= wanted) break;
        // At least half the accuracy wanted from both ends, so that they close in on the zero.
        const double least = 0.5 * wanted / std::abs(b - a);
        share = std::isfinite(share) ? std::clamp(share, least, 1 - least) : 0.5;
        const double t = a + share * (b - a), value = f(t);
        if ((value < 0) == (f_a < 0)) {
            c = a;
            f_c = f_a;
        } else {
            c = b;
            f_c = f_b;
            b = a;
            f_b = f_a;
        }
        a = t;
        f_a = value;
        const double x = (a - b) / (c - b), y = (f_a - f_b) / (f_c - f_b);
        share = y * y < x && (1 - y) * (1 - y) < 1 - x
                    ? f_a / (f_b - f_a) * f_c / (f_b - f_c) +
                          (c - a) / (b - a) * f_a / (f_c - f_a) * f_b / (f_c - f_b)
                    : 0.5;
    }
    return std::min(a, b);
}

}  // namespace

std::optional<double> first_zero(double t_low, double t_high, std::span<const double> samples,
                                 const std::function<double(double)>& f, double fine) {
    const std::size_t parts = samples.size() - 1;
    const double h = (t_high - t_low) / static_cast<double>(parts);
    const auto time = [&](std::size_t k) {
        return k == parts ? t_high : t_low + static_cast<double>(k) * h;
    };
    for (std::size_t k = 1; k <= parts; ++k) {
        const double high = samples[k], low = samples[k - 1];
        if (high < 0) return crossing(time(k - 1), time(k), low, high, f, fine);
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
                if (fx < 0) return crossing(time(k - 2), x, before, fx, f, fine);
                if (fy < 0) return crossing(time(k - 2), y, before, fy, f, fine);
                (fx < fy ? b : a) = fx < fy ? y : x;
            }
        }
    }
    return std::nullopt;
}

double falling_rate(std::span<const std::pair<double, double>> seen, double end, double apart) {
    const auto last =
        std::find_if(seen.begin(), seen.end(), [&](const auto& look) { return look.first == end; });
    if (last == seen.end()) return 0;
    const auto [low, high] = std::minmax_element(
        seen.begin(), seen.end(), [](const auto& x, const auto& y) { return x.second < y.second; });
    if (last->second > jump * (high->second - low->second)) return 0;
    double nearest = INFINITY, rate = 0;
    for (const auto& [t, value] : seen)
        if (const double away = end - t; away >= apart && away < nearest) {
            nearest = away;
            rate = (last->second - value) / away;
        }
    return std::min(0.0, rate);
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

// In such a short step no quantity goes much beyond its values at both ends and in the middle.
bool EndWatch::stays() const {
    for (std::size_t i = 0; i < guards_.size(); ++i) {
        const double* of_this = &samples_[i * (parts_ + 1)];
        const auto [least, greatest] =
            std::minmax({of_this[0], of_this[parts_ / 2], of_this[parts_]});
        if (!(least > 2 * (greatest - least))) return false;
    }
    return true;
}

void EndWatch::begin(MechanismEquations<Space>& equations) {
    collect(equations);
    first_.resize(guards_.size());
    for (std::size_t i = 0; i < guards_.size(); ++i) first_[i] = room(guards_[i], equations);
    angles_.resize(equations.mechanism().bodies.size());
    remember_angles(equations.coordinates());
}

std::optional<EndPassed> EndWatch::first(MechanismEquations<Space>& equations, double t_low,
                                         double t_high,
                                         const std::function<void(double t)>& set_position,
                                         bool begun) {
    if (!begun) collect(equations);
    if (guards_.empty()) return std::nullopt;
    if (!begun) {
        set_position(t_low);
        begin(equations);
    }
    constexpr std::size_t few = 4;
    const auto use = [&](std::size_t parts) {
        parts_ = parts;
        samples_.resize(guards_.size() * (parts + 1));
        for (std::size_t i = 0; i < guards_.size(); ++i) samples_[i * (parts + 1)] = first_[i];
    };
    const auto sample = [&](std::size_t k, double end) {
        const double share = static_cast<double>(k) / static_cast<double>(parts_);
        set_position(k == parts_ ? end : t_low + share * (end - t_low));
        look(k, equations);
    };
    use(few);
    sample(few, t_high);
    const double turned = largest_turn(equations.coordinates());
    // If a body turns far, as on the dwell of a cam, there are enough samples that it turns by less
    // than half a radian between two of them; fractions on arcs are known only up to whole turns.
    const auto parts = static_cast<std::size_t>(
        std::max(static_cast<double>(few), std::ceil(turned / tolerance::turn)));
    if (parts == few) {
        sample(few / 2, t_high);
        if (turned <= 2 * tolerance::turn && stays()) return std::nullopt;
        sample(1, t_high);
        sample(3, t_high);
    } else {
        use(parts);
        for (std::size_t k = 1; k <= parts; ++k) sample(k, t_high);
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
            for (std::size_t k = 1; k <= parts_; ++k) sample(k, *t);
    }
    return first;
}

namespace {

// Where the elements of a contact touch at the position that is set.
bool find_again(MechanismEquations<Space>& equations, ContactPoint<Space>& point) {
    const auto frame = [&](int side) {
        return equations.coordinates()
            .frame(profile_of(equations.mechanism(), point, side).frame)
            .position;
    };
    return find_touch<Space>(element_of(equations.mechanism(), point, 0), frame(0),
                             element_of(equations.mechanism(), point, 1), frame(1), point.touch);
}

}  // namespace

bool move_on(MechanismEquations<Space>& equations, const EndPassed& passed, double touching) {
    ContactPoint<Space>& point = equations.contacts()[passed.contact];
    const ContactPoint<Space> before = point;
    int& element = passed.side == 0 ? point.a : point.b;
    const int next = profile_of(equations.mechanism(), point, passed.side)
                         .chain.neighbour(element, passed.direction);
    if (next < 0) return false;
    element = next;
    point.touch.u[passed.side] = passed.direction > 0 ? 0 : 1;
    const bool found = find_again(equations, point);
    const Touch<Space>& t = point.touch;
    // A contact cannot pass from a corner to a corner, because there is no normal between them. A
    // contact of other elements continues.
    const double firm =
        std::max(tolerance::same_contact_part * std::max(t.reach[0], t.reach[1]),
                 1e3 * touching * t.curvature_numerator[0] * t.curvature_numerator[1]);
    if (found && std::abs(t.gap - before.touch.gap) < 1e3 * touching && t.firmness() > firm &&
        Space::dot(t.n, before.touch.n) > 1 - tolerance::same_direction)
        return equations.settle_contacts(), true;
    point = before;
    return false;
}

std::optional<ContactPoint<Space>> point_at_end(MechanismEquations<Space>& equations,
                                                const EndPassed& passed) {
    const ContactPoint<Space> before = equations.contacts()[passed.contact];
    const int own = passed.side == 0 ? before.a : before.b,
              other = passed.side == 0 ? before.b : before.a;
    const int end = profile_of(equations.mechanism(), before, passed.side)
                        .chain.neighbour(own, passed.direction);
    if (end < 0) return std::nullopt;
    const auto& chain = profile_of(equations.mechanism(), before, 1 - passed.side).chain;
    for (const int way : {-1, 1}) {
        const int beside = chain.neighbour(other, way);
        if (beside < 0) continue;
        ContactPoint<Space> point;
        point.pair = before.pair;
        (passed.side == 0 ? point.a : point.b) = end;
        (passed.side == 0 ? point.b : point.a) = beside;
        point.touch.u[passed.side] = passed.direction > 0 ? 0 : 1;
        point.touch.u[1 - passed.side] = way > 0 ? 0 : 1;
        if (!find_again(equations, point)) continue;
        // Turned by less than a point pressed in as deep could be, and as deep.
        constexpr double along = 0.9, deeper = 2;
        const double gap = point.touch.gap;
        if (gap < 0 && gap > deeper * before.touch.gap &&
            Space::dot(point.touch.n, before.touch.n) > along)
            return point;
    }
    return std::nullopt;
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

fact::EndReached end_reached(const PlanarMechanism& mechanism, const ContactPoint<Space>& before,
                             const EndPassed& passed) {
    const int element = passed.side == 0 ? before.a : before.b;
    return {profile_of(mechanism, before, passed.side).name,
            passed.direction > 0 ? element + 1 : element};
}

}  // namespace pawl
