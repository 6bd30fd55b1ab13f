// Makes profiles of chains of elements: joins, corners and checks.
#include "curves/profile.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include <fmt/format.h>

#include "curves/crossing.h"
#include "math/tolerances/geometry.h"

namespace pawl {

namespace {

// Gaps below this part of the profile's size are rounding of the data (five digits) and are closed.
constexpr double closed_gap = tolerance::closed_gap;
// Neighbours whose normals differ by less are tangent: there is no corner between them.
constexpr double smallest_corner = tolerance::smallest_corner;
// Closing gaps of five digits moves no point by more than this part of the profile's size.
constexpr double largest_shift = tolerance::largest_shift;
// A line between curves may lose its length to the gaps, but for this part.
constexpr double shortest_line = 0.1;
// Neighbours that meet at the angle of a closed gap meet again at this part of the size.
constexpr double beside_junction = tolerance::beside_junction;

template <class S>
using Elements = std::vector<CurveElement<S>>;

template <class S>
typename S::Vector start_of(const CurveElement<S>& e) {
    return point_of<S>(e, typename S::Scalar(0)).p;
}
template <class S>
typename S::Vector end_of(const CurveElement<S>& e) {
    return point_of<S>(e, typename S::Scalar(1)).p;
}
template <class S>
double distance(typename S::Vector a, typename S::Vector b) {
    return std::hypot(value_of(a.x - b.x), value_of(a.y - b.y));
}
// The diagonal of a box around the elements.
template <class S>
double size_of(const Elements<S>& elements) {
    double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
    for (const auto& e : elements)
        for (int k = 0; k <= 8; ++k) {
            const auto p = point_of<S>(e, typename S::Scalar(k / 8.0)).p;
            const double c[2] = {value_of(p.x), value_of(p.y)};
            for (int i = 0; i < 2; ++i) {
                low[i] = std::min(low[i], c[i]);
                high[i] = std::max(high[i], c[i]);
            }
        }
    return std::hypot(high[0] - low[0], high[1] - low[1]);
}

// How wide a curve that returns to its start is: 2 area / perimeter of a polygon through its
// points. A needle, however long, has no more than its width.
template <class S>
double width_of(const CurveElement<S>& element) {
    constexpr int parts = 64;
    double area = 0, perimeter = 0;
    auto p = start_of<S>(element);
    const auto first = p;
    for (int k = 1; k <= parts; ++k) {
        const auto next = point_of<S>(element, typename S::Scalar(double(k) / parts)).p;
        area += 0.5 * value_of(S::cross(p - first, next - first));
        perimeter += distance<S>(p, next);
        p = next;
    }
    return perimeter > 0 ? 2 * std::abs(area) / perimeter : 0;
}

// Brings the ends of an element to two points: lines exactly, others by a similarity.
template <class S>
void stretch(CurveElement<S>& element, typename S::Vector from, typename S::Vector to) {
    if (auto* line = std::get_if<LineCurve<S>>(&element)) {
        *line = {from, to};
        return;
    }
    const auto p = start_of<S>(element), d = end_of<S>(element) - p, e = to - from;
    const double square = value_of(S::dot(d, d));
    if (!(square > 0)) return;
    using std::atan2;
    using std::sqrt;
    Similarity<S> map;
    map.scale = sqrt(S::dot(e, e) / S::dot(d, d));
    map.angle = atan2(S::cross(d, e), S::dot(d, e));
    map.shift = from - map.of(p);
    element = moved<S>(element, map);
}

// How far a point of the element may move, as a part of the size, when its ends go to two points: a
// similarity enlarges the shift of the chord where the ends of a curve lie close together.
template <class S>
double shift_of(const CurveElement<S>& element, typename S::Vector from, typename S::Vector to) {
    const auto d = end_of<S>(element) - start_of<S>(element), change = to - from - d;
    const double square = value_of(S::dot(d, d));
    return std::sqrt(value_of(S::dot(change, change)) / square) * size_of<S>({element});
}

// Closes the gaps between neighbours: a line goes to its curved neighbour, equals meet halfway.
template <class S>
std::optional<ProfileProblem> join(Elements<S>& elements, bool closed, double size) {
    using T = typename S::Scalar;
    const std::size_t n = elements.size(), joints = closed ? n : n - 1;
    std::vector<typename S::Vector> from, to;
    for (const auto& e : elements) {
        from.push_back(start_of<S>(e));
        to.push_back(end_of<S>(e));
    }
    for (std::size_t i = 0; i < joints; ++i) {
        const std::size_t k = (i + 1) % n;
        const double gap = distance<S>(to[i], from[k]);
        if (!(gap <= closed_gap * size))
            return ProfileProblem{
                static_cast<int>(i),
                fmt::format("elements {} and {} do not meet: gap {:.6g} m, from ({:.9g}, {:.9g}) "
                            "to ({:.9g}, {:.9g})",
                            i + 1, k + 1, gap, value_of(to[i].x), value_of(to[i].y),
                            value_of(from[k].x), value_of(from[k].y))};
        const bool line_i = std::holds_alternative<LineCurve<S>>(elements[i]),
                   line_k = std::holds_alternative<LineCurve<S>>(elements[k]);
        const auto meet = line_i == line_k ? T(0.5) * (to[i] + from[k]) : line_i ? from[k] : to[i];
        to[i] = from[k] = meet;
    }
    // Curves keep ends that are off by rounding only: moving them would not make them more exact.
    const double rounding = tolerance::profile_rounding * size;
    for (std::size_t i = 0; i < n; ++i)
        if (std::holds_alternative<LineCurve<S>>(elements[i]) ||
            distance<S>(from[i], start_of<S>(elements[i])) > rounding ||
            distance<S>(to[i], end_of<S>(elements[i])) > rounding) {
            const bool line = std::holds_alternative<LineCurve<S>>(elements[i]);
            const double length = distance<S>(start_of<S>(elements[i]), end_of<S>(elements[i]));
            const bool kept =
                line ? distance<S>(from[i], to[i]) > shortest_line * length
                     : shift_of<S>(elements[i], from[i], to[i]) <= largest_shift * size;
            if (!kept)
                return ProfileProblem{
                    static_cast<int>(i),
                    fmt::format("the ends of element {} are {:.6g} m apart, which is no more than "
                                "the gaps to its neighbours; remove it, or make its neighbours "
                                "begin and end exactly at its ends",
                                i + 1, length)};
            stretch<S>(elements[i], from[i], to[i]);
        }
    return std::nullopt;
}

// The end of a curve that is alone goes to its start: polar ones run over exactly a turn, with the
// difference of the radii spread over it; a spline ends at its first point.
template <class S>
void close_alone(ArcCurve<S>& arc) {
    arc.sweep = arc.side() * typename S::Scalar(2 * std::numbers::pi);
}
template <class S>
void close_alone(SplineCurve<S>& spline) {
    auto points = spline.points();
    points.back() = points.front();
    const auto offset = spline.offset;
    spline = SplineCurve<S>(std::move(points), spline.ends());
    spline.offset = offset;
}
template <class S>
void close_alone(PolarSpline<S>& spline) {
    auto angles = spline.angles();
    auto radii = spline.radii();
    angles.back() =
        angles.front() + std::copysign(2 * std::numbers::pi, angles.back() - angles.front());
    radii.back() = radii.front();
    PolarSpline<S> closed(std::move(angles), std::move(radii), spline.ends());
    closed.origin = spline.origin;
    closed.turned = spline.turned;
    closed.offset = spline.offset;
    spline = std::move(closed);
}
// With D = r(from) - r(to): r + D (th - from)/(to - from), and th = start + scale x.
template <class S>
void close_alone(PolarPolynomial<S>& curve) {
    using T = typename S::Scalar;
    const T turn(std::copysign(2 * std::numbers::pi, value_of(curve.to - curve.from)));
    curve.to = curve.from + turn;
    const TimeJet<T> first = curve.radius(TimeJet<T>(curve.from)),
                     last = curve.radius(TimeJet<T>(curve.to));
    const T slope = (first.value - last.value) / turn;
    if (std::abs(value_of(slope)) <= tolerance::fraction_rounding * value_of(first.value)) return;
    curve.coefficients.push_back(slope * (curve.start - curve.from));
    curve.exponents.push_back(0);
    curve.coefficients.push_back(slope * curve.scale);
    curve.exponents.push_back(1);
}
// Other kinds that end at their start do so by themselves, but for rounding.
template <class S, class Curve>
void close_alone(Curve&) {}

// Closes the only element of a profile, which no similarity can do.
template <class S>
std::optional<ProfileProblem> close_on_itself(CurveElement<S>& element) {
    const auto from = start_of<S>(element), to = end_of<S>(element);
    if (!ends_meet<S>({element}))
        return ProfileProblem{
            0, fmt::format("the profile does not close: gap {:.6g} m, from ({:.9g}, {:.9g}) to "
                           "({:.9g}, {:.9g})",
                           distance<S>(from, to), value_of(to.x), value_of(to.y), value_of(from.x),
                           value_of(from.y))};
    std::visit([](auto& e) { close_alone<S>(e); }, element);
    if (const auto problem = std::visit([](const auto& e) { return e.problem(); }, element))
        return ProfileProblem{0, *problem};
    if (const auto* arc = std::get_if<ArcCurve<S>>(&element))
        element = CircleCurve<S>{arc->centre, arc->radius, arc->from, value_of(arc->sweep) < 0};
    return std::nullopt;
}

// The corner from a normal to another at a point; none where they turn inward or not at all. A turn
// of half a turn (a cusp) counts as convex.
template <class S>
std::optional<Corner<S>> corner_between(typename S::Vector at, typename S::Vector n0,
                                        typename S::Vector n1) {
    using T = typename S::Scalar;
    using std::atan2;
    T turn = atan2(S::cross(n0, n1), S::dot(n0, n1));
    if (value_of(turn) < smallest_corner - std::numbers::pi) turn = turn + T(2 * std::numbers::pi);
    if (!(value_of(turn) > smallest_corner)) return std::nullopt;
    return Corner<S>{at, atan2(n0.y, n0.x), turn};
}

template <class S>
void insert_corners(const Elements<S>& elements, bool closed, Elements<S>& chain) {
    using T = typename S::Scalar;
    const std::size_t n = elements.size();
    if (!closed) {
        const auto start = point_of<S>(elements.front(), T(0));
        chain.push_back(*corner_between<S>(start.p, -S::turned(start.n), start.n));
    }
    for (std::size_t i = 0; i < n; ++i) {
        chain.push_back(elements[i]);
        if (is_whole<S>(elements[i])) continue;
        const auto end = point_of<S>(elements[i], T(1));
        const auto next =
            i + 1 < n || closed ? point_of<S>(elements[(i + 1) % n], T(0)).n : S::turned(end.n);
        if (const auto corner = corner_between<S>(end.p, end.n, next)) chain.push_back(*corner);
    }
}

// The element as a segment or an arc, other curves as chords.
template <class S>
void add_stretches(const CurveElement<S>& element, int index, std::vector<Stretch>& stretches) {
    const auto plain = [](typename S::Vector v) {
        return Stretch::Vector{value_of(v.x), value_of(v.y)};
    };
    constexpr int chords = 64;
    const bool exact = std::holds_alternative<LineCurve<S>>(element) ||
                       std::holds_alternative<ArcCurve<S>>(element);
    const int parts = exact ? 1 : chords;
    for (int k = 0; k < parts; ++k) {
        using T = typename S::Scalar;
        Stretch s;
        s.from = plain(point_of<S>(element, T(double(k) / parts)).p);
        s.to = plain(point_of<S>(element, T(double(k + 1) / parts)).p);
        s.element = index;
        if (const auto* arc = std::get_if<ArcCurve<S>>(&element)) {
            s.centre = plain(arc->centre);
            s.radius = value_of(arc->radius);
            s.start = value_of(arc->from);
            s.sweep = value_of(arc->sweep);
        }
        stretches.push_back(s);
    }
}

struct Box {
    double low[2], high[2];
    explicit Box(const Stretch& s) {
        const double from[2] = {s.from.x, s.from.y}, to[2] = {s.to.x, s.to.y},
                     c[2] = {s.centre.x, s.centre.y};
        for (int i = 0; i < 2; ++i) {
            low[i] = s.is_arc() ? c[i] - s.radius : std::min(from[i], to[i]);
            high[i] = s.is_arc() ? c[i] + s.radius : std::max(from[i], to[i]);
        }
    }
    [[nodiscard]] bool meets(const Box& b) const {
        return low[0] <= b.high[0] && b.low[0] <= high[0] && low[1] <= b.high[1] &&
               b.low[1] <= high[1];
    }
};

// Pairs of boxes that meet, in order: found by sweeping over x.
std::vector<std::pair<std::size_t, std::size_t>> meeting(const std::vector<Box>& boxes) {
    std::vector<std::size_t> order(boxes.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return boxes[a].low[0] < boxes[b].low[0]; });
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t i = 0; i < order.size(); ++i)
        for (std::size_t k = i + 1; k < order.size(); ++k) {
            const Box &a = boxes[order[i]], &b = boxes[order[k]];
            if (b.low[0] > a.high[0]) break;
            if (a.meets(b)) pairs.push_back(std::minmax(order[i], order[k]));
        }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

template <class S>
std::optional<ProfileProblem> find_crossing(const Elements<S>& elements, bool closed, double size) {
    std::vector<Stretch> all;
    for (std::size_t i = 0; i < elements.size(); ++i)
        if (!std::holds_alternative<CircleCurve<S>>(elements[i]))
            add_stretches<S>(elements[i], static_cast<int>(i), all);
    const double near = beside_junction * size;
    for (const auto& [i, k] : meeting({all.begin(), all.end()})) {
        const Stretch &first = all[i], &second = all[k];
        const bool follows = k == i + 1, closes = closed && i == 0 && k + 1 == all.size();
        std::optional<ProfileProblem> problem;
        find_crossings(first, second, [&](Stretch::Vector p) {
            const auto beside = [&](Stretch::Vector end) {
                return std::hypot(p.x - end.x, p.y - end.y) < near;
            };
            if ((follows && beside(first.to)) || (closes && beside(first.from))) return;
            problem = {second.element,
                       fmt::format("elements {} and {} cross at ({:.6g}, {:.6g}) m",
                                   first.element + 1, second.element + 1, p.x, p.y)};
        });
        if (problem) return problem;
    }
    return std::nullopt;
}

}  // namespace

template <class S>
bool ends_meet(const std::vector<CurveElement<S>>& elements) {
    const double gap = distance<S>(end_of<S>(elements.back()), start_of<S>(elements.front()));
    const double size = elements.size() > 1 ? size_of<S>(elements) : width_of<S>(elements.front());
    return gap <= closed_gap * size;
}

template <class S>
std::optional<ProfileProblem> make_profile(std::vector<CurveElement<S>> elements, bool closed,
                                           Profile<S>& profile) {
    if (elements.size() == 1 && is_whole<S>(elements.front()) &&
        std::holds_alternative<Corner<S>>(elements.front())) {
        profile = {std::move(elements), true};
        return std::nullopt;
    }
    std::erase_if(elements, [](const auto& e) { return std::holds_alternative<Corner<S>>(e); });
    if (elements.empty()) return ProfileProblem{0, "a profile needs at least one element"};
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const auto problem = std::visit([](const auto& e) { return e.problem(); }, elements[i]);
        if (problem) return ProfileProblem{static_cast<int>(i), *problem};
        if (elements.size() > 1 && is_whole<S>(elements[i]))
            return ProfileProblem{static_cast<int>(i),
                                  "a closed curve must be the only element of its profile"};
    }
    if (closed && elements.size() == 1 && !is_whole<S>(elements.front()))
        if (auto problem = close_on_itself<S>(elements.front())) return problem;
    const bool whole = is_whole<S>(elements.front());
    const double size = size_of<S>(elements);
    if (elements.size() > 1)
        if (auto problem = join<S>(elements, closed, size)) return problem;
    if (auto problem = find_crossing<S>(elements, closed || whole, size)) return problem;
    Profile<S> made;
    made.closed = closed || whole;
    insert_corners<S>(elements, made.closed, made.elements);
    profile = std::move(made);
    return std::nullopt;
}

template bool ends_meet<Planar<double>>(const std::vector<CurveElement<Planar<double>>>&);
template std::optional<ProfileProblem> make_profile<Planar<double>>(
    std::vector<CurveElement<Planar<double>>>, bool, Profile<Planar<double>>&);

}  // namespace pawl
