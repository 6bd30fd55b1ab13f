// Frames of ACDMC joints in the plane: a joint turns about, or slides along, the z axis of its
// frames. Knows no text.
//
// Revolute: z = s e_z, s = 1 or -1; with the angle alpha of its x axis
//   angle_b = angle_a + alpha_a + s q - alpha_b.
// Prismatic: z lies in the plane; with its angle alpha
//   angle_b = angle_a + alpha_a - alpha_b, and the origin of b lies at a + q z_a.
#pragma once

#include <cmath>

#include "model_file/exchange/exchange_model.h"

namespace pawl {

struct AcdmcFrame {
    PlaneVector at;
    double angle = 0;  // alpha
    double side = 1;   // s
};

// Pose and velocity of a body.
struct AcdmcMotion {
    Planar<double>::Pose pose;
    Planar<double>::Twist twist;

    [[nodiscard]] PlaneVector at_start(PlaneVector local) const {
        const double c = std::cos(pose.angle), s = std::sin(pose.angle);
        return pose.at + PlaneVector{c * local.x - s * local.y, s * local.x + c * local.y};
    }
    [[nodiscard]] PlaneVector velocity(PlaneVector local) const {
        return twist.v + twist.omega * Planar<double>::turned(at_start(local) - pose.at);
    }
};

struct AcdmcJoint {
    bool slides = false;
    AcdmcFrame a, b;
    double q = 0, rate = 0;

    // The angle of b minus that of a at q = 0; Pawl's coordinate of a revolute joint is this + s q.
    [[nodiscard]] double offset() const { return a.angle - b.angle; }
    [[nodiscard]] double side() const { return slides ? 1 : a.side; }

    // Where the other body is, and how it moves, from the one that is known.
    [[nodiscard]] AcdmcMotion follow(const AcdmcMotion& known, bool known_is_a) const {
        const double turn = offset() + (slides ? 0 : a.side * q), spin = slides ? 0 : a.side * rate;
        const double sign = known_is_a ? 1 : -1;
        AcdmcMotion other;
        other.pose.angle = exchange_angle(known.pose.angle + sign * turn);
        other.twist.omega = known.twist.omega + sign * spin;
        // The point in a that meets the origin of frame b, and its motion along z.
        const PlaneVector z{std::cos(a.angle), std::sin(a.angle)};
        const PlaneVector meets = slides ? a.at + q * z : a.at;
        const PlaneVector ours = known_is_a ? meets : b.at, theirs = known_is_a ? b.at : meets;
        other.pose.at = known.at_start(ours) - other.at_start(theirs);
        const AcdmcMotion& on_a = known_is_a ? known : other;
        const PlaneVector along =
            slides ? rate * (on_a.at_start(z) - on_a.pose.at) : PlaneVector{0, 0};
        other.twist.v = known.velocity(ours) + sign * along - other.velocity(theirs);
        return other;
    }
};

}  // namespace pawl
