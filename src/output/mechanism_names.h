// The names of bodies and paths and the numbers of elements in a picture of a mechanism. Knows
// where the mechanism stands on the page.
#pragma once

#include <string>

#include "output/name_places.h"
#include "output/scene.h"

namespace pawl::drawing {

// From metres to the page, y down.
struct OnPage {
    PlanarSpace::Vector origin;
    double scale = 1;
    PlanarSpace::Vector operator()(PlanarSpace::Vector metres) const {
        return origin + scale * PlanarSpace::Vector{metres.x, -metres.y};
    }
};

// Each name stands beside its body or path, where it covers the least ink.
std::string names_group(const Scene& scene, const Picture& picture, const OnPage& on_page,
                        const NameRoom& room);
// The numbers of elements, upright, on their side of the outline.
std::string numbers_group(const Scene& scene, const Picture& picture, const OnPage& on_page);

}  // namespace pawl::drawing
