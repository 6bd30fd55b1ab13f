// The neighbours of a model along one parameter, and how differences between them become a
// derivative. Knows how far they are, not what the parameter is.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "math/tolerances/motion.h"
#include "simulation/sensitivity/shadow.h"

namespace pawl {

class Neighbours {
public:
    // The model with the parameter moved by a part of its scale; nothing, and why, where there is
    // none.
    using Make = std::function<std::optional<PlacedMechanism>(double part, std::string& why)>;
    Neighbours(Make make, DynamicOptions options)
        : make_(std::move(make)), options_(std::move(options)) {}

    // Of a state instead: all are on the model itself.
    Neighbours(const PlacedMechanism& model, const DynamicOptions& options)
        : options_(options), itself_(std::make_unique<Shadow>(model, options)) {}

    // Distances are halved from level to level: from what smooth functions bear to the square root
    // of rounding.
    static constexpr double farthest = tolerance::farthest_neighbour;
    static constexpr int last_level = 15, levels_down = 3;
    static double distance(int level) { return std::ldexp(farthest, -level); }

    // What stands at side * distance(level) counts so much: by the extrapolated difference, by
    // that of the longer distance alone, and in the second difference, which vanishes with the
    // distance unless there is a kink.
    struct Term {
        int side = 0, level = 0;
        double fine = 0, coarse = 0, kink = 0;
        [[nodiscard]] double part() const { return side * distance(level); }
    };
    // Empty, and why, where there is no neighbour on either side.
    const std::vector<Term>& terms(int level);
    [[nodiscard]] const std::string& problem() const { return problem_; }
    [[nodiscard]] bool is_one_sided() const { return side_ != 0; }

    // Null, and a problem, where there is none.
    Shadow* at(const Term& term);

private:
    void choose_side();

    Make make_;
    DynamicOptions options_;
    std::map<std::pair<int, int>, std::unique_ptr<Shadow>> made_;
    std::unique_ptr<Shadow> itself_;
    std::vector<Term> terms_;
    bool chosen_ = false;
    int side_ = 0;  // the only one that has neighbours; 0: both
    std::string problem_;
};

}  // namespace pawl
