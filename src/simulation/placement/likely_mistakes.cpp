#include "simulation/placement/likely_mistakes.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "contact/overlap.h"
#include "math/tolerances/motion.h"
#include "mechanism/joint_kind.h"
#include "results/text.h"
#include "simulation/placement/start_contacts.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Vector = Space::Vector;

double distance(Vector a, Vector b) { return std::hypot(a.x - b.x, a.y - b.y); }

// Between which distances from a point the points of a profile lie.
struct Range {
    double nearest = INFINITY, farthest = 0;
};

// Of the chord from a to b and what lies within `bulge` of it.
void widen(Range& range, Vector point, Vector a, Vector b, double bulge) {
    const Vector way = b - a;
    const double square = Space::dot(way, way);
    const double s = square > 0 ? std::clamp(Space::dot(point - a, way) / square, 0.0, 1.0) : 0.0;
    range.nearest = std::max(0.0, std::min(range.nearest, distance(point, a + s * way) - bulge));
    range.farthest =
        std::max({range.farthest, distance(point, a) + bulge, distance(point, b) + bulge});
}

// Each element in short pieces. A piece that turns by a small angle stays within a quarter of it
// times its chord of the chord: twice the height of an arc.
Range range_from(Vector point, const BodyProfile<Space>& profile, const Space::Position& body) {
    constexpr int pieces = 64;  // between two breaks of an element: less than 0.1 rad each
    const Space::Position frame = profile.frame.on(body);
    Range range;
    for (const auto& element : profile.chain.elements) {
        std::vector<double> breaks{0, 1};
        std::visit(
            [&](const auto& e) {
                if constexpr (requires { e.breaks(); }) breaks = e.breaks();
            },
            element);
        auto before = point_of(element, breaks[0]);
        for (std::size_t k = 1; k < breaks.size(); ++k)
            for (int i = 1; i <= pieces; ++i) {
                const double part = (breaks[k] - breaks[k - 1]) / pieces;
                const auto after = point_of(element, breaks[k - 1] + i * part);
                const double turn = part * std::max(std::abs(before.turn), std::abs(after.turn));
                const Vector from = frame.to_ground(before.p) + frame.p,
                             to = frame.to_ground(after.p) + frame.p;
                widen(range, point, from, to, 0.25 * turn * distance(from, to));
                before = after;
            }
    }
    return range;
}

struct Pivot {
    const Joint<Space>* joint;
    Vector at;  // ground axes, as assembled
};

// The hinges between two bodies along the tree; nothing when other joints lie between.
std::optional<std::vector<Pivot>> hinges_between(const PlacedMechanism& placed, int a, int b) {
    const Topology& g = placed.topology;
    const auto path = [&](int link) {
        std::vector<int> edges;
        for (; link != 0; link = g.parent(link)) edges.push_back(g.parent_edge[link]);
        return edges;
    };
    std::vector<int> from = path(a), to = path(b);
    while (!from.empty() && !to.empty() && from.back() == to.back()) {
        from.pop_back();
        to.pop_back();
    }
    from.insert(from.end(), to.rbegin(), to.rend());
    std::vector<Pivot> pivots;
    for (const int e : from) {
        if (g.edges[e].joint < 0) return std::nullopt;
        const auto& joint = placed.mechanism.joints[static_cast<std::size_t>(g.edges[e].joint)];
        if (std::holds_alternative<Weld<Space>>(*joint.kind)) continue;
        if (!std::holds_alternative<Revolute<Space>>(*joint.kind)) return std::nullopt;
        const auto& frame = joint.frames[0];
        const auto& body = placed.assembly.positions[static_cast<std::size_t>(frame.body)];
        pivots.push_back({&joint, frame.on(body).p});
    }
    return pivots;
}

std::string range_text(const Range& range) {
    return length_text(range.nearest) + " to " + length_text(range.farthest);
}

// Whether all of a profile lies on the material side of an open one: what has the nearest point of
// the open one under it has it in its back. Sampled: it is said as a warning.
bool is_behind(const Profile<Space>& open, const Space::Position& frame,
               const Profile<Space>& other, const Space::Position& frame_other) {
    constexpr int samples = 32;  // per element
    const auto at = [](const CurveElement<Space>& e, int k) {
        return point_of(e, static_cast<double>(k) / samples);
    };
    bool any = false;
    for (const auto& element : other.elements)
        for (int k = 0; k < samples; ++k) {
            const Vector ground = frame_other.to_ground(at(element, k).p) + frame_other.p;
            const Vector point = frame.to_local(ground - frame.p);
            double nearest = INFINITY, height = 0;
            for (const auto& of_open : open.elements)
                for (int m = 0; m <= samples; ++m) {
                    const auto curve = at(of_open, m);
                    const double d = distance(curve.p, point);
                    const double up = Space::dot(point - curve.p, curve.n);
                    if (d > nearest || (d == nearest && std::abs(up) < std::abs(height))) continue;
                    nearest = d;
                    height = up;
                }
            // Near an end the other body is on neither side.
            if (std::abs(height) < 0.99 * nearest) continue;
            if (height >= 0) return false;
            any = true;
        }
    return any;
}

class ReachCheck {
public:
    explicit ReachCheck(const PlacedMechanism& placed) : placed_(placed) {}

    // Why the pair never touches; empty when it may.
    [[nodiscard]] std::string reason(const ContactPair<Space>& pair) const {
        const auto pivots = hinges_between(placed_, pair.a, pair.b);
        if (!pivots) return {};
        return pivots->empty() ? as_one(pair) : out_of_reach(pair, *pivots);
    }

    // An overlap that prevents a run from starting. Compliant profiles may start compressed.
    [[nodiscard]] std::optional<ContactTrouble> trouble(const ContactPair<Space>& pair) const {
        return trouble_at_start(placed_.mechanism, pair,
                                profile(pair.profile_a).frame.on(position(pair.a)),
                                profile(pair.profile_b).frame.on(position(pair.b)),
                                is_rigid(pair.law) ? margin(pair) : INFINITY);
    }

    // The name of an open profile of the pair behind which the other one starts; empty when there
    // is none.
    [[nodiscard]] std::string wrong_side(const ContactPair<Space>& pair) const {
        const auto &a = profile(pair.profile_a), &b = profile(pair.profile_b);
        const auto frame_a = a.frame.on(position(pair.a)), frame_b = b.frame.on(position(pair.b));
        if (!a.chain.closed && is_behind(a.chain, frame_a, b.chain, frame_b)) return a.name;
        if (!b.chain.closed && is_behind(b.chain, frame_b, a.chain, frame_a)) return b.name;
        return {};
    }

private:
    [[nodiscard]] const BodyProfile<Space>& profile(int i) const {
        return placed_.mechanism.profiles[static_cast<std::size_t>(i)];
    }
    [[nodiscard]] const Space::Position& position(int body) const {
        return placed_.assembly.positions[static_cast<std::size_t>(body)];
    }

    // Two profiles that do not move against each other touch from the start or never.
    [[nodiscard]] std::string as_one(const ContactPair<Space>& pair) const {
        const auto &a = profile(pair.profile_a), &b = profile(pair.profile_b);
        const auto frame_a = a.frame.on(position(pair.a)), frame_b = b.frame.on(position(pair.b));
        std::vector<Candidate> touching;
        ContactSearch(a.chain, b.chain).find(frame_a, frame_b, margin(pair), touching);
        if (!touching.empty() || overlap(a.chain, frame_a, b.chain, frame_b)) return {};
        return "bodies '" + placed_.mechanism.bodies[pair.a].name + "' and '" +
               placed_.mechanism.bodies[pair.b].name +
               "' do not move relative to each other, and their profiles do not touch";
    }

    // A point of both profiles would close a polygon of its distances from the pivots and the arms
    // between them: no side may be longer than all the others together.
    [[nodiscard]] std::string out_of_reach(const ContactPair<Space>& pair,
                                           const std::vector<Pivot>& pivots) const {
        const auto &a = profile(pair.profile_a), &b = profile(pair.profile_b);
        const Pivot &first = pivots.front(), &last = pivots.back();
        const Range of_a = range_from(first.at, a, position(pair.a)),
                    of_b = range_from(last.at, b, position(pair.b));
        double arms = 0, longest = 0;
        for (std::size_t i = 1; i < pivots.size(); ++i) {
            const double arm = distance(pivots[i - 1].at, pivots[i].at);
            arms += arm;
            longest = std::max(longest, arm);
        }
        const double short_of =
            std::max({of_a.nearest - arms - of_b.farthest, of_b.nearest - arms - of_a.farthest,
                      2 * longest - arms - of_a.farthest - of_b.farthest});
        if (!(short_of > margin(pair))) return {};
        std::string text = "profile '" + a.name + "' stays " + range_text(of_a) + " from joint '" +
                           first.joint->name + "', profile '" + b.name + "' " + range_text(of_b) +
                           " from " +
                           (pivots.size() == 1 ? "it" : "joint '" + last.joint->name + "'");
        if (pivots.size() == 2) text += ", and the joints are " + length_text(arms) + " apart";
        if (pivots.size() > 2)
            text += ", and the arms between them are " + length_text(arms) + " long";
        return text + "; they miss each other by " + length_text(short_of);
    }

    [[nodiscard]] double margin(const ContactPair<Space>& pair) const {
        return start_overlap_limit(placed_.mechanism, pair, placed_.assembly.model_size);
    }

    const PlacedMechanism& placed_;
};

// How far joints, points and profiles of a body lie from its centre of mass.
double extent_of(const PlanarMechanism& mechanism, int body) {
    const Vector centre = mechanism.bodies[static_cast<std::size_t>(body)].centre;
    double extent = 0;
    for (const auto& point : mechanism.bodies[static_cast<std::size_t>(body)].points)
        extent = std::max(extent, distance(point.at, centre));
    for (const auto& joint : mechanism.joints)
        for (const auto& frame : joint.frames)
            if (frame.body == body) extent = std::max(extent, distance(frame.local.at, centre));
    for (const auto& profile : mechanism.profiles)
        if (profile.frame.body == body) {
            Space::Position at_origin;
            extent = std::max(extent, range_from(centre, profile, at_origin).farthest);
        }
    return extent;
}

// A radius of gyration of a thousandth of the body's own size: kg mm^2 where kg m^2 was meant, or
// the other way round a thousand times its size.
void warn_of_inertia(const PlacedMechanism& placed, Diagnostics& diagnostics) {
    constexpr double far_off = tolerance::likely_scale;
    for (std::size_t b = 1; b < placed.mechanism.bodies.size(); ++b) {
        const auto& body = placed.mechanism.bodies[b];
        if (!body.mass || !body.inertia || !(*body.mass > 0) || !(*body.inertia > 0)) continue;
        const double radius = std::sqrt(*body.inertia / *body.mass),
                     extent = extent_of(placed.mechanism, static_cast<int>(b));
        if (!(extent > 0) || (radius > far_off * extent && radius < extent / far_off)) continue;
        diagnostics.warning(
            body.span, "body '" + body.name + "': an inertia of " + number_text(*body.inertia, 4) +
                           " kg m^2 is that of a ring of radius " + length_text(radius) +
                           ", but the body reaches " + length_text(extent) +
                           " from its centre of mass; check the units");
    }
}

// An open profile with cam laws that goes nearly all round its origin: its segments were meant to
// make a whole turn.
void warn_of_open_cams(const PlanarMechanism& mechanism, Diagnostics& diagnostics) {
    constexpr double nearly = 300 * M_PI / 180;
    constexpr int samples = 64;  // per element
    for (const auto& profile : mechanism.profiles) {
        const auto is_cam = [](const auto& e) {
            return std::holds_alternative<CamCurve<Space>>(e);
        };
        const auto& elements = profile.chain.elements;
        if (profile.chain.closed || std::none_of(elements.begin(), elements.end(), is_cam))
            continue;
        double turn = 0;
        for (const auto& e : elements)
            for (int k = 1; k <= samples; ++k) {
                const Vector p = point_of(e, static_cast<double>(k - 1) / samples).p,
                             q = point_of(e, static_cast<double>(k) / samples).p;
                turn += std::atan2(Space::cross(p, q), Space::dot(p, q));
            }
        if (!(std::abs(turn) > nearly)) continue;
        diagnostics.warning(
            profile.span,
            "profile '" + profile.name + "' is open: its cam covers only " +
                number_text(std::abs(turn) * 180 / M_PI, 4) +
                " deg; add a dwell for the rest, so that its segments add up to 360 deg");
    }
}

// Bodies whose profiles overlap as assembled, and that neither a contact nor a joint connects: they
// pass through each other. Profiles of bodies with a joint between them overlap at every pin, and
// profiles that both take part in other contacts may lie in different planes.
void warn_of_passing_bodies(const PlacedMechanism& placed, Diagnostics& diagnostics) {
    constexpr int max_pairs = 2000;  // of profiles that are looked at
    const PlanarMechanism& m = placed.mechanism;
    std::set<std::pair<int, int>> connected;
    const auto connect = [&](int a, int b) { connected.insert(std::minmax(a, b)); };
    std::vector<bool> has_contact(m.profiles.size());
    for (const auto& pair : m.contacts) {
        connect(pair.a, pair.b);
        for (const int profile : {pair.profile_a, pair.profile_b})
            if (profile >= 0) has_contact[static_cast<std::size_t>(profile)] = true;
    }
    for (const auto& joint : m.joints) connect(joint.a(), joint.b());
    int pairs = 0;
    for (std::size_t j = 1; j < m.profiles.size(); ++j)
        for (std::size_t i = 0; i < j; ++i) {
            const auto &a = m.profiles[i], &b = m.profiles[j];
            const int body_a = a.frame.body, body_b = b.frame.body;
            if ((has_contact[i] && has_contact[j]) || body_a == body_b ||
                connected.contains(std::minmax(body_a, body_b)))
                continue;
            if (++pairs > max_pairs) return;
            const auto at = [&](const auto& p) {
                return p.frame.on(
                    placed.assembly.positions[static_cast<std::size_t>(p.frame.body)]);
            };
            const auto found = overlap(a.chain, at(a), b.chain, at(b));
            if (!found) continue;
            diagnostics.warning(
                b.span,
                "profiles '" + a.name + "' and '" + b.name + "' overlap at the start by " +
                    length_text(found->depth) +
                    " and no contact keeps their bodies apart: they pass through each other; "
                    "if they should touch, move them apart and add a [contact.NAME] of both");
            connect(body_a, body_b);  // reported once
        }
}

// Gears whose centres are not where their pitch circles touch: shafts in line, or wrong numbers.
void warn_of_gears_apart(const PlacedMechanism& placed, Diagnostics& diagnostics) {
    for (const auto& joint : placed.mechanism.joints) {
        const auto* gear = std::get_if<Gear<Space>>(&*joint.kind);
        if (!gear || gear->has_centres) continue;
        const auto at = [&](std::size_t k) {
            const auto& frame = joint.frames[k];
            return frame.on(placed.assembly.positions[static_cast<std::size_t>(frame.body)]).p;
        };
        const double apart = distance(at(0), at(1));
        if (apart <= tolerance::same_node * placed.assembly.model_size) continue;
        diagnostics.warning(joint.span,
                            "joint '" + joint.name + "': its centres are " + length_text(apart) +
                                " apart, its pitch circles touch at " +
                                length_text(std::abs(gear->radius_a + gear->signed_b())) +
                                ": the gears transmit moments only, without tooth forces on the "
                                "bearings; a and b should be the centres of the gears");
    }
}

// Angles between two bodies differ by a constant only, wherever their frames are.
bool is_same(const Coordinate<Space>& a, const Coordinate<Space>& b) {
    if (a.component != b.component) return false;
    for (const std::size_t k : {0, 1}) {
        const auto &f = a.frames[k], &g = b.frames[k];
        if (f.body != g.body) return false;
        if (a.component == Component::angle) continue;
        if (distance(f.local.at, g.local.at) != 0 || f.local.angle != g.local.angle) return false;
    }
    return true;
}

}  // namespace

std::vector<std::pair<const Driver<Space>*, const Driver<Space>*>> driven_twice(
    const PlanarMechanism& mechanism) {
    std::vector<std::pair<const Driver<Space>*, const Driver<Space>*>> pairs;
    const auto& drivers = mechanism.drivers;
    for (auto second = drivers.begin(); second != drivers.end(); ++second) {
        const auto first = std::find_if(drivers.begin(), second, [&](const Driver<Space>& d) {
            return is_same(d.coordinate, second->coordinate);
        });
        if (first != second) pairs.emplace_back(&*first, &*second);
    }
    return pairs;
}

void warn_of_likely_mistakes(const PlacedMechanism& placed, Diagnostics& diagnostics) {
    for (const auto& [first, second] : driven_twice(placed.mechanism))
        diagnostics.warning(second->span, "driver '" + second->name +
                                              "' drives the same coordinate as driver '" +
                                              first->name + "'; remove one of them");
    warn_of_inertia(placed, diagnostics);
    warn_of_gears_apart(placed, diagnostics);
    warn_of_open_cams(placed.mechanism, diagnostics);
    warn_of_passing_bodies(placed, diagnostics);
    const ReachCheck check(placed);
    for (const auto& pair : placed.mechanism.contacts) {
        if (pair.profile_a < 0 || pair.permanent) continue;
        if (const std::string reason = check.reason(pair); !reason.empty())
            diagnostics.warning(pair.span, "contact '" + pair.name +
                                               "' can never touch: " + reason +
                                               "; move one of the bodies, or remove the contact");
        else if (const auto trouble = check.trouble(pair))
            diagnostics.warning(trouble->span, trouble->message);
        else if (const std::string name = check.wrong_side(pair); !name.empty())
            diagnostics.warning(
                pair.span, "contact '" + pair.name + "': the other body starts behind profile '" +
                               name +
                               "', inside its material, which is on the left of its direction: "
                               "reverse the order of its elements");
    }
}

}  // namespace pawl
