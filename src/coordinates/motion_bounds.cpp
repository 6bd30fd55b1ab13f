#include "coordinates/motion_bounds.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Coefficients = PolynomialPath::Coefficients;

double length(Space::Vector v) { return std::sqrt(Space::dot(v, v)); }

}  // namespace

void MotionBound::set_turn(const DerivativeBounds& angle) {
    turning = angle.first;
    turned_acceleration = angle.second + turning * turning;
    turned_jerk = angle.third + turning * (turning * turning + 3 * angle.second);
}

// The way of a branch: the arm on the parent, the displacement d in the axes of frame a, the arm on
// the child. With u the axes that d is given in,
//   |(d u)''| <= |d''| + 2 |d'| |u'| + |d| |u''|,
//   |(d u)'''| <= |d'''| + 3 |d''| |u'| + 3 |d'| |u''| + |d| |u'''|.
void MotionBounds::set(const Coordinates<Space>& coordinates, const PolynomialPath& path,
                       double low, double high) {
    const double middle = 0.5 * (low + high);
    half_ = 0.5 * (high - low);
    const auto& branches = coordinates.branches();
    bodies_.assign(branches.size() + 1, {});
    angles_.assign(branches.size() + 1, {});
    for (const auto& branch : branches) {
        const auto parent = static_cast<std::size_t>(branch.parent),
                   child = static_cast<std::size_t>(branch.child);
        angles_[child] = angles_[parent];
        DerivativeBounds way[2];
        bool slides = false;
        for (std::size_t i = 0; i < branch.freedoms.size(); ++i) {
            const auto column = static_cast<std::size_t>(branch.first) + i;
            const Coefficients c = path.about(column, middle, half_);
            if (branch.freedoms[i] == Component::angle) {
                const double sign = branch.reversed ? -1 : 1;
                for (std::size_t k = 0; k < c.size(); ++k) angles_[child][k] += sign * c[k];
            } else {
                way[branch.freedoms[i] == Component::x ? 0 : 1] = DerivativeBounds(c, half_);
                slides = true;
            }
        }
        MotionBound bound = bodies_[parent], own;
        own.set_turn(DerivativeBounds(angles_[child], half_));
        bound.carry(length(branch.frames[branch.reversed ? 1 : 0].local.at));
        if (slides) {
            const MotionBound& axes = branch.reversed ? own : bodies_[parent];
            const double d = std::hypot(way[0].value, way[1].value),
                         d1 = std::hypot(way[0].first, way[1].first),
                         d2 = std::hypot(way[0].second, way[1].second),
                         d3 = std::hypot(way[0].third, way[1].third);
            bound.acceleration += d2 + 2 * d1 * axes.turning + d * axes.turned_acceleration;
            bound.jerk += d3 + 3 * d2 * axes.turning + 3 * d1 * axes.turned_acceleration +
                          d * axes.turned_jerk;
        }
        own.acceleration = bound.acceleration;
        own.jerk = bound.jerk;
        own.carry(length(branch.frames[branch.reversed ? 0 : 1].local.at));
        bodies_[child] = own;
    }
}

MotionBound MotionBounds::frame(const Attachment<Space>& at) const {
    MotionBound bound = body(at.body);
    bound.carry(length(at.local.at));
    return bound;
}

double MotionBounds::turning(int a, int b) const {
    Coefficients difference = angles_[static_cast<std::size_t>(b)];
    for (std::size_t k = 0; k < difference.size(); ++k)
        difference[k] -= angles_[static_cast<std::size_t>(a)][k];
    return DerivativeBounds(difference, half_).first;
}

}  // namespace pawl
