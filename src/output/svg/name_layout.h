// Where names stand on a page: beside what they name, where they cover the least ink. Knows points
// and boxes, no mechanism.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "mechanism/mechanism.h"

namespace pawl::drawing {

constexpr double mean_letter = 0.56;  // mean width of a letter, in font sizes

// The part of the page that a word takes.
struct LabelBox {
    PlanarSpace::Vector centre, half;
    [[nodiscard]] bool holds(PlanarSpace::Vector p, double more) const {
        return std::abs(p.x - centre.x) < half.x + more && std::abs(p.y - centre.y) < half.y + more;
    }
    [[nodiscard]] bool meets(const LabelBox& b) const {
        return std::abs(b.centre.x - centre.x) < half.x + b.half.x &&
               std::abs(b.centre.y - centre.y) < half.y + b.half.y;
    }
};

// Lines on the page, as points, that names should keep clear of.
struct Ink {
    std::vector<PlanarSpace::Vector> points;
    double width;   // to be kept clear on both sides
    double weight;  // how bad it is to cover a point
};

struct Name {
    std::string text;
    std::size_t own;   // which ink is its own
    std::string look;  // attributes
};

// The part of the page that is free for names.
struct NameRoom {
    PlanarSpace::Vector low, high;
    double font = 12;
};

// The middle of each name. Boxes that are taken already are kept clear of.
std::vector<PlanarSpace::Vector> lay_out_names(const std::vector<Name>& names,
                                               const std::vector<Ink>& inks, const NameRoom& room,
                                               std::vector<LabelBox> taken = {});

}  // namespace pawl::drawing
