// What is drawn of each body of a mechanism, in metres and body axes. Knows joints, not SVG.
#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

#include "output/drawing/scene.h"

namespace pawl::drawing {

using S = PlanarSpace;
using Vector = S::Vector;

inline double distance(Vector a, Vector b) { return std::hypot(b.x - a.x, b.y - a.y); }

// Something along the x axis of a frame on a body, m.
struct Track {
    enum Kind { slot, guide, path, line, rack } kind;
    S::Pose frame;
    double from = INFINITY, to = -INFINITY;
    bool above = false;  // the solid side is on the left of the axis, not on the right
    int slider = 0;      // the body on a guide
    [[nodiscard]] Vector at(double s, double height = 0) const {
        const Vector u = S::position_of(frame).u;
        return frame.at + s * u + height * S::turned(u);
    }
};
struct Round {
    Vector at;
    double radius = 0;
    bool hollow = false;  // the other circle runs inside
};
struct Mark {
    Vector at;
    std::string title;
    bool pin = true;  // or a weld
};
struct Support {
    Vector at;
    std::vector<int> bodies;  // that it carries
    bool above = false;       // it stands above the pin
};

// What is drawn of a body, in metres.
struct Look {
    std::vector<Vector> points, hull;  // a bar through two, a plate through more
    std::vector<Round> rounds;
    std::vector<Track> tracks;
    std::vector<S::Pose> blocks;
    std::vector<Mark> marks;
    std::vector<Support> supports;
    std::vector<Vector> spirals;  // torsional springs, about these points
    // The first track of one of the kinds.
    [[nodiscard]] const Track* find(std::initializer_list<Track::Kind> kinds) const {
        for (const Track& t : tracks)
            if (std::find(kinds.begin(), kinds.end(), t.kind) != kinds.end()) return &t;
        return nullptr;
    }
    [[nodiscard]] const Track* rack() const { return find({Track::rack, Track::line}); }
};

// Lengths of guides, slots and racks follow from the motion; `size`: of the mechanism, m.
std::vector<Look> looks_of(const PlanarMechanism& mechanism, std::span<const BodyPoses> motion,
                           double size);

}  // namespace pawl::drawing
