#include "output/drawing/profile_shape.h"

#include <algorithm>
#include <cmath>

#include "curves/inside.h"
#include "curves/pieces.h"
#include "output/svg/svg_text.h"

namespace pawl {

namespace drawing {

namespace {

using S = PlanarSpace;
using Vector = S::Vector;
using Point = CurvePoint<S>;

// Adds the points after `low` up to `high`, between which the curve turns one way: it lies in the
// triangle of the chord and the two tangents, whose height is at most half the chord times the
// tangent of half the turn.
void refine(const CurveElement<S>& element, double low, double high, double sagitta, int depth,
            std::vector<Point>& out) {
    const Point to = point_of<S>(element, high);
    const Vector chord = to.p - out.back().p;
    const double turn = std::abs(pieces::turn_between(out.back().n, to.n));
    const bool fine =
        turn < 0.5 && 0.5 * std::hypot(chord.x, chord.y) * std::tan(0.5 * turn) < sagitta;
    if (fine || depth == 0) return out.push_back(to);
    const double middle = 0.5 * (low + high);
    refine(element, low, middle, sagitta, depth - 1, out);
    refine(element, middle, high, sagitta, depth - 1, out);
}

// The point of a segment that is nearest to p.
Vector nearest_on(Vector a, Vector b, Vector p) {
    const Vector way = b - a, d = p - a;
    const double square = way.x * way.x + way.y * way.y;
    return a + (square > 0 ? std::clamp((way.x * d.x + way.y * d.y) / square, 0.0, 1.0) : 0) * way;
}

// The frame of a profile on its body.
S::Position frame_of(const BodyProfile<S>& profile) { return S::position_of(profile.frame.local); }

}  // namespace

std::vector<Point> points_along(const Profile<S>& chain, double sagitta) {
    std::vector<Point> out;
    for (const CurveElement<S>& element : chain.elements) {
        if (std::holds_alternative<Corner<S>>(element) && chain.elements.size() > 1) continue;
        const std::vector<double> cuts =
            std::visit([](const auto& e) { return pieces_of(e); }, element);
        out.push_back(point_of<S>(element, 0));
        for (std::size_t i = 1; i < cuts.size(); ++i) {
            // Arcs come whole: parts of less than a quarter turn.
            const double sweep = std::abs(out.back().turn) * (cuts[i] - cuts[i - 1]);
            const int parts =
                std::holds_alternative<LineCurve<S>>(element) ? 1 : 1 + static_cast<int>(sweep);
            for (int k = 1; k <= parts; ++k) {
                const double width = (cuts[i] - cuts[i - 1]) / parts;
                refine(element, cuts[i - 1] + (k - 1) * width, cuts[i - 1] + k * width, sagitta, 20,
                       out);
            }
        }
    }
    return out;
}

std::string profile_shape(const BodyProfile<S>& profile, double scale, double bar, double stroke) {
    constexpr double sagitta = 0.1;  // drawing units: not to be seen
    const S::Position frame = frame_of(profile);
    const std::vector<Point> points = points_along(profile.chain, sagitta / scale);
    const auto drawn = [&](Vector p) { return scale * (frame.p + frame.to_ground(p)); };
    const bool shaded = profile.chain.closed && is_solid(profile.chain);
    const std::string title = "<title>profile " + escaped(profile.name) + "</title>";
    if (std::holds_alternative<Corner<S>>(profile.chain.elements.front()) &&
        profile.chain.elements.size() == 1)
        return fmt::format("<circle class='profile' cx='{}' cy='{}' r='{}'>{}</circle>",
                           number(drawn(points[0].p).x), number(drawn(points[0].p).y),
                           number(0.3 * bar), title);
    std::string path;
    for (std::size_t i = 0; i < points.size(); ++i)
        path += (i == 0 ? "M" : "L") + number(drawn(points[i].p));
    std::string out = fmt::format("<path class='profile' d='{}{}' {}>{}</path>", path,
                                  profile.chain.closed ? "z" : "",
                                  shaded ? "fill-opacity='0.18'" : "fill='none'", title);
    if (shaded) return out;
    // Strokes at equal ways along the profile, slanting back into the material.
    const double spacing = 1.1 * bar;
    std::string strokes;
    double left = 0.5 * spacing;
    for (std::size_t i = 1; i < points.size(); ++i) {
        const Vector from = drawn(points[i - 1].p), way = drawn(points[i].p) - from;
        const double length = std::hypot(way.x, way.y);
        for (; left <= length; left += spacing) {
            const Vector along = 1 / length * way;
            strokes += fmt::format("M{}l{}", number(from + left * along),
                                   number(0.9 * bar * (S::turned(along) - along)));
        }
        left -= length;
    }
    return out + fmt::format("<path class='hatch' d='{}' stroke-width='{}'/>", strokes,
                             number(0.6 * stroke));
}

std::vector<SceneNumber> element_numbers(const BodyProfile<S>& profile) {
    const S::Position frame = frame_of(profile);
    std::vector<SceneNumber> out;
    for (std::size_t i = 0; i < profile.chain.elements.size(); ++i) {
        const CurveElement<S>& element = profile.chain.elements[i];
        const Point middle = point_of<S>(element, 0.5);
        const double side = std::holds_alternative<Corner<S>>(element) ? 1 : -1;
        out.push_back({static_cast<int>(i), frame.p + frame.to_ground(middle.p),
                       side * frame.to_ground(middle.n)});
    }
    return out;
}

std::pair<Vector, Vector> nearest_points(const std::vector<Vector>& hull,
                                         const BodyProfile<S>& profile, double sagitta) {
    const S::Position frame = frame_of(profile);
    const std::vector<Point> points = points_along(profile.chain, sagitta);
    std::pair<Vector, Vector> out;
    double least = INFINITY;
    for (std::size_t i = 0; i < hull.size(); ++i)
        for (int k = 0; k < 16; ++k) {  // points along the edges of the hull
            const Vector p = hull[i] + k / 16.0 * (hull[(i + 1) % hull.size()] - hull[i]);
            const Vector local = frame.to_local(p - frame.p);
            if (profile.chain.closed && inside(profile.chain, local)) return {p, p};
            for (std::size_t j = 1; j < points.size(); ++j) {
                const Vector q = nearest_on(points[j - 1].p, points[j].p, local);
                const double away = std::hypot(q.x - local.x, q.y - local.y);
                if (away >= least) continue;
                least = away;
                out = {p, frame.p + frame.to_ground(q)};
            }
        }
    return out;
}

std::string contact_marks(const std::vector<ContactMark>& contacts, double scale, double bar) {
    constexpr const char* colour = "#b0003a";
    constexpr double nearest_open = 15;  // bars: an open contact farther away says nothing
    std::string out;
    for (const ContactMark& c : contacts) {
        const std::string title = "<title>" + escaped(c.name) + "</title>";
        const Vector at = scale * c.p[0];
        if (c.closed)
            out += fmt::format(
                "<g class='contact closed' stroke='{0}' stroke-width='{1}'>{2}<path d='M{3}L{4}'/>"
                "<circle cx='{5}' cy='{6}' r='{7}' fill='{0}' stroke='none'/></g>\n",
                colour, number(0.25 * bar), title, number(at - 3.2 * bar * c.n),
                number(at + 3.2 * bar * c.n), number(at.x), number(at.y), number(0.6 * bar));
        else if (std::hypot(c.p[1].x - c.p[0].x, c.p[1].y - c.p[0].y) * scale < nearest_open * bar)
            out += fmt::format(
                "<path class='contact open' d='M{}L{}' stroke='{}' stroke-width='{}' "
                "stroke-dasharray='{} {}'>{}</path>\n",
                number(at), number(scale * c.p[1]), colour, number(0.22 * bar), number(0.25 * bar),
                number(0.5 * bar), title);
    }
    return out;
}

}  // namespace drawing

namespace {

// The point at a curvilinear coordinate. Beyond the ends by rounding it is the same point; a number
// that no profile reaches is taken for the nearest one (motion_problem reports it).
CurvePoint<PlanarSpace> at_coordinate(const Profile<PlanarSpace>& chain, double coordinate) {
    const int n = static_cast<int>(chain.elements.size());
    coordinate = std::isnan(coordinate) ? 0 : std::clamp(coordinate, -1.0, n + 1.0);
    int i = static_cast<int>(std::floor(coordinate));
    const double u = coordinate - i;
    if (i < 0 || i >= n) i = chain.closed ? (i + n) % n : std::clamp(i, 0, n - 1);
    return point_of<PlanarSpace>(chain.elements[static_cast<std::size_t>(i)], u);
}

}  // namespace

std::vector<std::vector<ContactMark>> contacts_of(const Trajectory& trajectory,
                                                  const PlanarMechanism& mechanism,
                                                  std::span<const std::size_t> rows) {
    std::vector<std::vector<ContactMark>> out(rows.size());
    const std::vector<BodyPoses> poses = poses_of(trajectory, mechanism, rows);
    for (const auto& pair : mechanism.contacts)
        for (int number = 1;; ++number) {
            const std::string name = pair.name + "#" + std::to_string(number);
            if (trajectory.find(name + ".gap") < 0) break;
            if (trajectory.find(name + ".a") < 0 || trajectory.find(name + ".b") < 0 ||
                trajectory.find(name + ".closed") < 0)
                continue;
            const auto column = [&](const char* tail) {
                return static_cast<std::size_t>(trajectory.find(name + "." + tail));
            };
            const std::size_t gap = column("gap"), closed = column("closed");
            const std::array coordinates{column("a"), column("b")};
            const std::array profiles{pair.profile_a, pair.profile_b};
            for (std::size_t i = 0; i < rows.size(); ++i) {
                const auto values = trajectory.row(rows[i]);
                if (!std::isfinite(values[gap])) continue;
                ContactMark mark{name, values[closed] > 0, values[gap], {}, {}};
                for (std::size_t side = 0; side < 2; ++side) {
                    const auto& profile =
                        mechanism.profiles[static_cast<std::size_t>(profiles[side])];
                    const auto frame =
                        profile.frame.on(poses[i][static_cast<std::size_t>(profile.frame.body)]);
                    const auto point = at_coordinate(profile.chain, values[coordinates[side]]);
                    mark.p[side] = frame.p + frame.to_ground(point.p);
                    if (side == 0) mark.n = frame.to_ground(point.n);
                }
                out[i].push_back(std::move(mark));
            }
        }
    return out;
}

}  // namespace pawl
