// The mode of a dynamic run: which contacts are closed and where, which friction points stick or
// slide and which way, which couplings are engaged, and what of the past a transition looks at. A
// plain value.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "contact/contact_point.h"
#include "equations/mechanism_equations.h"
#include "math/memory.h"

namespace pawl {

// The name that a friction point keeps while contacts come and go.
struct FrictionPointName {
    int joint = -1, pair = -1, number = 0;
    bool rolling = false;
    bool operator==(const FrictionPointName&) const = default;
};

struct Mode {
    using Point = ContactPoint<PlanarSpace>;

    std::vector<Point> permanent, closed;
    std::vector<FrictionMode> friction;  // with contacts as numbered by contacts()
    std::vector<EngagedCoupling> engaged;
    // The forces are one of many distributions among rows that depend on each other.
    bool shared = false;
    bool begun = false;  // it is not that of before the start
    // The acceleration that the model has by itself, m/s^2: what a slow speed and a short time are
    // measured by. Found at the start.
    double typical_acceleration = 0;

    // Contacts that were released last, all at one time.
    struct Release {
        double t = 0;
        std::vector<Point> points;
    } release;
    std::vector<double> impacts;  // times of the last ones, up to five
    // Transitions since a time, to notice when the mode keeps switching.
    struct Burst {
        double from = -1;
        int count = 0;
    } burst;
    // The last window: one that follows soon is longer.
    struct LastWindow {
        double end = 0, length = 0;
    } window;

    // Permanent ones first, as the equations number them.
    [[nodiscard]] std::vector<Point> contacts() const;
    [[nodiscard]] FrictionPointName name_of(const FrictionMode& friction) const;
    // The mode of a friction point; null where it is not closed or has no friction.
    [[nodiscard]] const FrictionMode* find_friction(const FrictionPointName& name) const;

    bool operator==(const Mode& other) const;
    void remember(Memory& memory);
};

FrictionPointName name_of_friction_point(const FrictionMode& friction,
                                         const std::vector<Mode::Point>& contacts);

// As JSON text: indices are those of the mechanism.
std::string to_json(const Mode& mode);
// False, and unchanged, when the text is not of a mode.
bool from_json(const std::string& text, Mode& mode);
std::size_t hash_of(const Mode& mode);

}  // namespace pawl
