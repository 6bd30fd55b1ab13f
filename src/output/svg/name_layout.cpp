#include "output/svg/name_layout.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances/outside.h"

namespace pawl::drawing {

namespace {

using Vector = PlanarSpace::Vector;

double cost_of(const LabelBox& box, const std::vector<Ink>& inks,
               const std::vector<LabelBox>& taken, const NameRoom& room) {
    double cost = 0;
    const Vector low = box.centre - box.half - room.low, high = room.high - box.centre;
    if (low.x < 4 || high.x - box.half.x < 4 || low.y < 0 || high.y < 0) cost += 100;
    for (const Ink& ink : inks)
        for (const Vector p : ink.points) cost += box.holds(p, ink.width) ? ink.weight : 0;
    for (const LabelBox& other : taken) cost += box.meets(other) ? 100 : 0;
    return cost;
}

LabelBox box_of(const Name& name, const std::vector<Ink>& inks, const std::vector<LabelBox>& taken,
                const NameRoom& room) {
    const Ink& own = inks[name.own];
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
            const double cost =
                std::hypot(off.x, off.y) / 40 + away / 6 + cost_of(box, inks, taken, room);
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
    std::vector<Vector> out;
    for (const Name& name : names) {
        taken.push_back(box_of(name, inks, taken, room));
        out.push_back(taken.back().centre);
    }
    return out;
}

}  // namespace pawl::drawing
