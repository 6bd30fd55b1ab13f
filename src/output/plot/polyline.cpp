#include "output/plot/polyline.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pawl::drawing {

std::vector<PlanarSpace::Vector> simplified(const std::vector<PlanarSpace::Vector>& points,
                                            double tolerance) {
    using Vector = PlanarSpace::Vector;
    if (points.size() < 3) return points;
    std::vector<char> keep(points.size(), 0);
    keep.front() = keep.back() = 1;
    std::vector<std::pair<std::size_t, std::size_t>> open{{0, points.size() - 1}};
    while (!open.empty()) {
        const auto [from, to] = open.back();
        open.pop_back();
        const Vector a = points[from], chord = points[to] - a;
        const double square = chord.x * chord.x + chord.y * chord.y;
        double worst = tolerance;
        std::size_t split = 0;
        for (std::size_t i = from + 1; i < to; ++i) {
            const Vector d = points[i] - a;
            const double share =
                square > 0 ? std::clamp((d.x * chord.x + d.y * chord.y) / square, 0.0, 1.0) : 0;
            const Vector off = d - share * chord;
            if (const double away = std::hypot(off.x, off.y); away > worst) {
                worst = away;
                split = i;
            }
        }
        if (split == 0) continue;
        keep[split] = 1;
        open.emplace_back(from, split);
        open.emplace_back(split, to);
    }
    std::vector<Vector> out;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (keep[i]) out.push_back(points[i]);
    return out;
}

}  // namespace pawl::drawing
