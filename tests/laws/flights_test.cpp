// No contact is missed and none invented: random flights over one step of any length, of points,
// circles, boxes, thin plates, stars, lenses, bars, cradles and splines, past and through each
// other. The judge goes along with steps of the distance over the largest speed, so that nothing is
// jumped over.
#include "laws/flights.h"

#include <gtest/gtest.h>

#include "events/gap_watch.h"
#include "support/soak.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using namespace test;

constexpr double pi = std::numbers::pi;
constexpr double touching = 1e-12;
// Arcs and lines are judged to rounding; what is met is at most this far apart (m, sizes below 3
// m).
constexpr double close = 1e-10;
// An overlap of this depth is seen (m).
constexpr double visible = 1e-7;

struct Flight {
    std::array<Shape, 2> shapes;
    PolynomialPath path;  // x, y, angle of both
    bool is_inside = false;

    [[nodiscard]] std::array<double, 6> at(double t) const {
        std::array<double, 6> q{};
        const double s = (t - path.begin()) / (path.end() - path.begin());
        for (std::size_t i = 0; i < q.size(); ++i)
            for (std::size_t k = PolynomialPath::degree + 1; k-- > 0;) q[i] = q[i] * s + path[i][k];
        return q;
    }
    [[nodiscard]] PlacedShape placed(std::size_t i, double t) const {
        const auto q = at(t);
        return {shapes[i], {{q[3 * i], q[3 * i + 1]}, q[3 * i + 2]}};
    }
    [[nodiscard]] double distance(double t) const {
        return placed(0, t).distance_to(placed(1, t), is_inside);
    }
    // No two points of the shapes approach faster.
    [[nodiscard]] double speed() const {
        double sum = 0;
        for (std::size_t i = 0; i < 6; ++i) {
            double rate = 0;
            for (std::size_t k = 1; k <= PolynomialPath::degree; ++k)
                rate += static_cast<double>(k) * std::abs(path[i][k]);
            sum += i % 3 == 2 ? rate * shapes[i / 3].radius : rate;
        }
        return sum / (path.end() - path.begin());
    }
};

Flight flight(std::size_t kind_a, std::size_t kind_b, Random& random) {
    Flight f;
    f.is_inside = shape_names[kind_a] == std::string("room");
    const double small = random.between(0.05, 0.5),
                 large = f.is_inside ? small * random.between(1.5, 4) : random.between(0.05, 1);
    f.shapes = {shape_of(kind_a, random, large), shape_of(kind_b, random, small)};
    const double sum = f.shapes[0].radius + f.shapes[1].radius,
                 room = f.shapes[0].radius - f.shapes[1].radius;
    f.path.start(0, std::pow(10, random.between(-3, 2)), 6);
    // The second one goes from a place beside the first to another one, on a bent way.
    const double from = random.between(-pi, pi), start = sum * random.between(1.02, 3);
    const Point begin = f.is_inside ? polar(0.9 * room * random.between(0, 1), from)
                                    : polar(start, from),
                end = f.is_inside ? polar(room * random.between(0.5, 3), random.between(-pi, pi))
                                  : polar(-start * random.between(0.2, 1.5), from) +
                                        polar(sum * random.between(-1.3, 1.3), from + pi / 2);
    const Point curvature_numerator =
                    polar(sum * random.between(0, 1.5) * random.below(2), random.between(-pi, pi)),
                twist =
                    polar(sum * random.between(0, 1) * random.below(2), random.between(-pi, pi));
    const Point drift =
        random.below(2) ? polar(random.between(0, 3), random.between(-pi, pi)) : Point{};
    // begin + (end - begin) s + curvature_numerator s (1 - s) + twist s (1 - s) (1 - 2 s), both
    // with the drift.
    const Point way = end - begin;
    const auto set = [&](std::size_t i, double a, double d, double b, double c) {
        f.path[i] = {a, d + b + c, -b - 3 * c, 2 * c};
    };
    set(0, 0, drift.x, 0, 0);
    set(1, 0, drift.y, 0, 0);
    set(3, begin.x, way.x + drift.x, curvature_numerator.x, twist.x);
    set(4, begin.y, way.y + drift.y, curvature_numerator.y, twist.y);
    for (const std::size_t i : {std::size_t{2}, std::size_t{5}}) {
        const double spin =
            random.below(3) == 0 ? 0 : random.sign() * std::pow(10, random.between(-1, 1.3));
        set(i, random.between(-pi, pi), spin, random.below(2) * random.between(-2, 2), 0);
    }
    return f;
}

struct Watched {
    explicit Watched(const Flight& f, bool swapped) : flight(f) {
        mechanism.bodies.resize(3);
        for (int i = 0; i < 2; ++i) {
            BodyProfile<PlanarSpace> profile;
            profile.frame.body = i + 1;
            profile.chain = f.shapes[static_cast<std::size_t>(i)].profile();
            mechanism.profiles.push_back(profile);
        }
        ContactPair<PlanarSpace> pair;
        pair.a = swapped ? 2 : 1;
        pair.b = swapped ? 1 : 2;
        pair.profile_a = swapped ? 1 : 0;
        pair.profile_b = swapped ? 0 : 1;
        mechanism.contacts.push_back(pair);
    }
    std::optional<double> first_hit() {
        auto coordinates = Coordinates<PlanarSpace>::absolute(mechanism);
        GapWatch watch(mechanism, touching);
        const GapWatch::Motion motion{[&](double t) -> Coordinates<PlanarSpace>& {
                                          coordinates.set_position(flight.at(t));
                                          return coordinates;
                                      },
                                      [&]() -> const PolynomialPath& { return flight.path; }};
        const auto hit = watch.first_hit(flight.path.begin(), flight.path.end(), {}, motion);
        looks = watch.looks();
        unproven = watch.unproven();
        return hit ? std::optional(hit->t) : std::nullopt;
    }
    const Flight& flight;
    Mechanism<PlanarSpace> mechanism;
    long looks = 0, unproven = 0;
};

// The first time before `end` at which the shapes overlap by more than can be seen.
std::optional<double> overlap(const Flight& f, double end) {
    const double speed = f.speed(), error = f.shapes[0].error + f.shapes[1].error;
    const double least = std::max(2e-6, error) / speed;
    int steps = 0;
    for (double t = f.path.begin(); t < end;) {
        const double d = f.distance(t);
        if (d <= error) {
            const PlacedShape a = f.placed(0, t), b = f.placed(1, t);
            const double depth =
                f.is_inside ? (d == 0 ? INFINITY : 0) : std::max(a.depth_in(b), b.depth_in(a));
            // Exact outlines that cut each other overlap, but for a graze.
            const double seen = error > 0 ? 3 * error : visible;
            if (depth > seen && !(f.is_inside && error > 0)) return t;
        }
        if (++steps > 20000) break;  // beside each other for long, at next to no distance
        t += std::max(d / speed, least);
    }
    return std::nullopt;
}

struct Tally {
    long flights = 0, hits = 0, looks = 0, max_looks = 0;
};

void judge(std::size_t a, std::size_t b, unsigned seed, Tally& tally) {
    Random random(seed);
    const Flight f = flight(a, b, random);
    if (!(f.distance(0) > 1e-3)) return;
    SCOPED_TRACE(fmt::format("{} and {}, seed {}", shape_names[a], shape_names[b], seed));
    Watched watched(f, random.below(2) == 1);
    const auto hit = watched.first_hit();
    EXPECT_EQ(watched.unproven, 0);
    const double end = hit ? *hit : f.path.end(), error = f.shapes[0].error + f.shapes[1].error;
    const auto missed = overlap(f, end - 1e-9 * f.path.end());
    EXPECT_FALSE(missed) << "overlap at " << *missed << " of " << f.path.end() << ", hit at "
                         << end;
    if (hit) {
        EXPECT_LE(f.distance(*hit), close + error) << "nothing meets at " << *hit;
    }
    ++tally.flights;
    tally.hits += hit ? 1 : 0;
    tally.looks += watched.looks;
    tally.max_looks = std::max(tally.max_looks, watched.looks);
}

// 636 flights for each unit of soaking, spread over all pairs of kinds, each with a stream of its
// own.
TEST(Flights, are_met_where_they_meet_and_nowhere_else) {
    const int kinds = static_cast<int>(shape_names.size());
    const int share = soaked(12);
    Tally tally;
    for (int a = 0; a < kinds; ++a)
        for (int b = a; b < kinds; ++b) {
            if (a == 0 && b == 0) continue;  // two points do not meet
            if (shape_names[b] == std::string("room") && a == b) continue;
            // The room is the first of a pair.
            const bool room = shape_names[static_cast<std::size_t>(b)] == std::string("room");
            const auto first = static_cast<std::size_t>(room ? b : a),
                       second = static_cast<std::size_t>(room ? a : b);
            for (int i = 0; i < share; ++i) {
                const auto seed = static_cast<unsigned>(1000000 * (10 * a + b) + i);
                if (only_seed() && *only_seed() != seed) continue;
                judge(first, second, seed, tally);
            }
        }
    fmt::print("{} flights, {} met, {:.1f} looks each, at most {}\n", tally.flights, tally.hits,
               static_cast<double>(tally.looks) / static_cast<double>(std::max(1L, tally.flights)),
               tally.max_looks);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
