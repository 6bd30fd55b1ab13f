// The names of bodies and paths and the numbers of elements in a picture of a mechanism. Knows
// where the mechanism stands on the page.
#pragma once

#include <string>
#include <vector>

#include "output/drawing/scene.h"
#include "output/svg/name_layout.h"

namespace pawl::drawing {

// From metres to the page, y down.
struct OnPage {
    PlanarSpace::Vector origin;
    double scale = 1;
    PlanarSpace::Vector operator()(PlanarSpace::Vector metres) const {
        return origin + scale * PlanarSpace::Vector{metres.x, -metres.y};
    }
};

// The numbers of elements, upright, beside the outline: on their side where there is room, else
// farther out, on the other side or a little along the outline. A number without room is left out.
struct PlacedNumbers {
    std::string group;            // SVG
    std::vector<LabelBox> boxes;  // where they stand
    int left_out = 0;
};
PlacedNumbers lay_out_numbers(const Scene& scene, const Picture& picture, const OnPage& on_page);

// The size of names in a picture with bars as wide as these.
double name_font(const Scene& scene);
// Each name stands beside its body or path, where it covers the least ink.
std::string names_group(const Scene& scene, const Picture& picture, const OnPage& on_page,
                        const NameRoom& room, std::vector<LabelBox> taken = {});

}  // namespace pawl::drawing
