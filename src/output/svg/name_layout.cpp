#include "output/svg/name_layout.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "math/tolerances/outside.h"

namespace pawl::drawing {

namespace {

using Vector = PlanarSpace::Vector;

// What names keep clear of, by squares of the page: a name looks at those around it alone. A
// crowded square, where no name can be read, keeps some of its points with the weights of all.
class Squares {
public:
    explicit Squares(const std::vector<Ink>& inks) {
        for (const Ink& ink : inks) {
            width_ = std::max(width_, ink.width);
            for (const Vector p : ink.points) add(p, ink);
        }
    }
    void add(const LabelBox& box) {
        half_ = {std::max(half_.x, box.half.x), std::max(half_.y, box.half.y)};
        auto& boxes = squares_[key(index(box.centre.x), index(box.centre.y))].boxes;
        if (boxes.size() < max_kept) boxes.push_back(box);
    }
    // What it costs to cover what a box covers; only that it is too much where that is above
    // `most`.
    [[nodiscard]] double cost_of(const LabelBox& box, double most) const {
        double cost = 0;
        const Vector reach =
            box.half + Vector{std::max(width_, half_.x), std::max(width_, half_.y)};
        const Vector low = box.centre - reach, high = box.centre + reach;
        for (long x = index(low.x); x <= index(high.x); ++x)
            for (long y = index(low.y); y <= index(high.y) && cost < most; ++y) {
                const auto square = squares_.find(key(x, y));
                if (square == squares_.end()) continue;
                for (const Point& p : square->second.points)
                    cost += box.holds(p.at, p.width) ? p.weight : 0;
                for (const LabelBox& other : square->second.boxes)
                    cost += box.meets(other) ? 100 : 0;
            }
        return cost;
    }

private:
    static constexpr double side = 16;  // drawing units: as high as a name
    static constexpr std::size_t max_kept = 64;
    struct Point {
        Vector at;
        double width, weight;
    };
    struct Square {
        std::vector<Point> points;
        std::size_t count = 0;
        std::vector<LabelBox> boxes;
    };
    static long index(double x) { return static_cast<long>(std::floor(x / side)); }
    static long key(long x, long y) { return x * 0x1000000 + y; }

    void add(Vector p, const Ink& ink) {
        Square& square = squares_[key(index(p.x), index(p.y))];
        if (square.points.size() < max_kept)
            square.points.push_back({p, ink.width, ink.weight});
        else
            square.points[square.count % max_kept].weight += ink.weight;
        ++square.count;
    }

    std::unordered_map<long, Square> squares_;
    double width_ = 0;   // of the widest ink
    Vector half_{0, 0};  // of the largest box
};

double cost_of(const LabelBox& box, const Squares& squares, const NameRoom& room, double most) {
    const Vector low = box.centre - box.half - room.low, high = room.high - box.centre;
    const bool is_outside = low.x < 4 || high.x - box.half.x < 4 || low.y < 0 || high.y < 0;
    const double cost = is_outside ? 100 : 0;
    return cost < most ? cost + squares.cost_of(box, most - cost) : cost;
}

LabelBox box_of(const Name& name, const Ink& own, const Squares& squares, const NameRoom& room) {
    const std::vector<Vector>& anchors = own.points;
    const Vector half{mean_letter * room.font * static_cast<double>(name.text.size()) / 2,
                      0.55 * room.font};
    Vector middle{0, 0};
    for (const Vector p : anchors) middle += 1.0 / static_cast<double>(anchors.size()) * p;
    LabelBox best{};
    double least = INFINITY;
    for (std::size_t i = 0; i < anchors.size(); i += 1 + anchors.size() / 32)
        for (int k = 0; k < 48; ++k) {  // sixteen directions at three distances
            const int ring = k / 16;
            const double angle = k % 16 * M_PI / 8, away = own.width + 1 + 7 * ring;
            const Vector u{std::cos(angle), std::sin(angle)};
            // So far along u that the box just clears the anchor.
            const double reach =
                std::min((half.x + away) / std::max(std::abs(u.x), tolerance::no_slope),
                         (half.y + away) / std::max(std::abs(u.y), tolerance::no_slope));
            const LabelBox box{anchors[i] + reach * u, half};
            const Vector off = box.centre - middle;
            const double far = std::hypot(off.x, off.y) / 40 + away / 6,
                         cost = far + cost_of(box, squares, room, least - far);
            if (cost < least) {
                least = cost;
                best = box;
            }
        }
    return best;
}

}  // namespace

std::vector<Vector> lay_out_names(const std::vector<Name>& names, const std::vector<Ink>& inks,
                                  const NameRoom& room, std::vector<LabelBox> taken) {
    Squares squares(inks);
    for (const LabelBox& box : taken) squares.add(box);
    std::vector<Vector> out;
    for (const Name& name : names) {
        const LabelBox box = box_of(name, inks[name.own], squares, room);
        squares.add(box);
        out.push_back(box.centre);
    }
    return out;
}

}  // namespace pawl::drawing
