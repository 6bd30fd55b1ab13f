#include "events/contact_guards.h"

#include <algorithm>
#include <cmath>
#include <utility>

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

// How far the bodies turn between two positions that are set one after the other.
class Turn {
public:
    explicit Turn(const MechanismEquations<Space>& equations) : equations_(equations) {
        for (int b = 0; b < bodies(); ++b) angles_.push_back(angle(b));
    }
    [[nodiscard]] double largest() const {
        double turn = 0;
        for (int b = 0; b < bodies(); ++b)
            turn = std::max(turn, std::abs(angle(b) - angles_[static_cast<std::size_t>(b)]));
        return turn;
    }

private:
    [[nodiscard]] int bodies() const {
        return static_cast<int>(equations_.mechanism().bodies.size());
    }
    [[nodiscard]] double angle(int body) const {
        return equations_.coordinates().position(body).angle;
    }
    const MechanismEquations<Space>& equations_;
    std::vector<double> angles_;
};

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

std::optional<EndPassed> first_end_passed(MechanismEquations<Space>& equations, double t_low,
                                          double t_high,
                                          const std::function<void(double t)>& set_position) {
    struct Guard {
        std::size_t contact;
        int side, direction;
        double beyond;
        std::vector<double> samples;
    };
    std::vector<Guard> guards;
    for (std::size_t i = 0; i < equations.contacts().size(); ++i)
        for (const int side : {0, 1}) {
            const ContactPoint<Space>& point = equations.contacts()[i];
            if (is_whole(element_of(equations.mechanism(), point, side))) continue;
            for (const int direction : {-1, 1}) {
                const double beyond = beyond_end(equations.mechanism(), point, side, direction);
                if (std::isfinite(beyond)) guards.push_back({i, side, direction, beyond, {}});
            }
        }
    if (guards.empty()) return std::nullopt;
    // Seen to have passed a little later, so that a contact at rest on an end does not flutter; the
    // time is then that of the end itself.
    const auto room = [&](const Guard& g) {
        const double u = equations.contacts()[g.contact].touch.u[g.side];
        return (g.direction < 0 ? u : 1 - u) + g.beyond + tolerance::past_end;
    };
    const auto look = [&] {
        for (Guard& g : guards) g.samples.push_back(room(g));
    };
    set_position(t_low);
    const Turn turn(equations);
    look();
    set_position(t_high);
    const double turned = turn.largest();
    look();
    if (turned <= 4 * tolerance::turn) {
        set_position(0.5 * (t_low + t_high));
        look();
        // In so short a step nothing goes much farther than it is seen to go.
        const auto stays = [](const Guard& g) {
            const auto [least, most] = std::minmax_element(g.samples.begin(), g.samples.end());
            return *least > 2 * (*most - *least);
        };
        if (turned <= 2 * tolerance::turn && std::all_of(guards.begin(), guards.end(), stays))
            return std::nullopt;
    }
    // Where a body turns far, as on the dwell of a cam, so many samples that it turns less than
    // half a radian between two of them; fractions on arcs are known but for whole turns.
    const auto parts = static_cast<std::size_t>(std::max(4.0, std::ceil(turned / tolerance::turn)));
    for (Guard& g : guards) {
        // What was seen at low end, high end and middle goes to its place.
        const std::vector<double> seen = std::exchange(g.samples, std::vector<double>(parts + 1));
        g.samples.front() = seen[0];
        g.samples.back() = seen[1];
        if (parts == 4) g.samples[2] = seen[2];
    }
    const auto sample = [&](double end, const auto& wanted) {
        for (std::size_t k = 0; k <= parts; ++k) {
            if (!wanted(k)) continue;
            const double share = static_cast<double>(k) / static_cast<double>(parts);
            set_position(k == parts ? end : t_low + share * (end - t_low));
            for (Guard& g : guards) g.samples[k] = room(g);
        }
    };
    sample(t_high, [&](std::size_t k) { return k > 0 && k < parts && !(parts == 4 && k == 2); });
    std::optional<EndPassed> first;
    for (std::size_t i = 0; i < guards.size(); ++i) {
        const auto at = [&](double t) {
            set_position(t);
            return room(guards[i]);
        };
        const auto t = first_zero(t_low, first ? first->t : t_high, guards[i].samples, at);
        if (!t) continue;
        first =
            EndPassed{*t, guards[i].contact, guards[i].side, guards[i].direction, guards[i].beyond};
        sample(*t, [](std::size_t) { return true; });
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
