#include "coordinates/equivalent_particles.h"

#include <cmath>

#include "math/tolerances/solving.h"

namespace pawl {

// Two particles on given points, the third from mass, centre and inertia (Attia 2004, section 3).
// With all points measured from the centre of mass: m1 r1 + m2 r2 + m3 r3 = 0, m1 + m2 + m3 = m,
// sum m_i r_i^2 = I. The mass on the second point is m/n (one share of the body); then r3 = -(m1 r1
// + m2 r2)/m3 and (m1 r1^2 + m2 r2^2) m3 + (m1 r1 + m2 r2)^2 = I m3 is a quadratic for m1.
template <class S>
EquivalentParticles<S> equivalent_particles(const Body<S>& body,
                                            std::span<const typename S::Vector> points) {
    EquivalentParticles<S> out;
    if (!body.mass) return out;
    const double m = *body.mass, inertia = body.inertia.value_or(0);
    const auto centre = body.centre;
    const auto alone = [&] {
        // No two points: particles on a small cross about the centre, of the body's own radius of
        // gyration.
        const double r = m > 0 ? std::sqrt(inertia / m) : 0;
        out.particles = {{m / 2, centre + typename S::Vector{r, 0}},
                         {m / 2, centre - typename S::Vector{r, 0}}};
        return out;
    };
    if (points.size() < 2) return alone();
    const auto r1 = points[0] - centre, r2 = points[1] - centre;
    const double span2 = S::dot(r2 - r1, r2 - r1);
    if (!(span2 > 0)) return alone();
    // A rod: the points on opposite sides in line with the centre; ends and the centre itself.
    if (std::abs(S::cross(r1, r2)) <= tolerance::in_line * span2 && S::dot(r1, r2) < 0) {
        const double l1 = std::sqrt(S::dot(r1, r1)), l2 = std::sqrt(S::dot(r2, r2));
        const double m1 = inertia / (l1 * (l1 + l2)), m2 = inertia / (l2 * (l1 + l2));
        out.particles = {{m1, points[0]}, {m2, points[1]}, {m - m1 - m2, centre}};
        return out;
    }
    const double m2 = m / 3;
    // With A = r1^2, B = m2 r2^2, c = r1.r2, M = m - m2, m3 = M - m1:
    //   (m1 A + B)(M - m1) + m1^2 A + 2 m1 m2 c + m2^2 r2^2 = I (M - m1), linear in m1 after
    //   cancellation.
    const double a = S::dot(r1, r1), b = m2 * S::dot(r2, r2), c = S::dot(r1, r2), rest = m - m2;
    const double slope = a * rest - b + 2 * m2 * c + inertia;
    if (std::abs(slope) < tolerance::no_division) return alone();
    const double m1 = (inertia * rest - b * rest - m2 * b) / slope;
    const double m3 = rest - m1;
    if (!(std::abs(m3) > tolerance::no_mass * m)) return alone();
    out.particles = {
        {m1, points[0]}, {m2, points[1]}, {m3, centre - (1 / m3) * (m1 * r1 + m2 * r2)}};
    return out;
}

template <class S>
std::vector<typename S::Vector> joint_points(const Mechanism<S>& mechanism, int body) {
    std::vector<typename S::Vector> points;
    for (const auto& joint : mechanism.joints)
        for (int k = 0; k < 2; ++k)
            if (joint.frames[k].body == body) points.push_back(joint.frames[k].local.at);
    // Joints on one pin give the same point once.
    for (std::size_t i = 0; i < points.size(); ++i)
        for (std::size_t j = i + 1; j < points.size();)
            if (std::hypot(points[i].x - points[j].x, points[i].y - points[j].y) == 0)
                points.erase(points.begin() + static_cast<std::ptrdiff_t>(j));
            else
                ++j;
    return points;
}

template EquivalentParticles<PlanarSpace> equivalent_particles(
    const Body<PlanarSpace>&, std::span<const PlanarSpace::Vector>);
template std::vector<PlanarSpace::Vector> joint_points(const Mechanism<PlanarSpace>&, int);

}  // namespace pawl
