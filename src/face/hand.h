// A mechanism that is moved by hand: pulled, without forces and drivers.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "face/model.h"

namespace pawl {

class Hand {
public:
    // At the start position of the model. Where that cannot be assembled nothing can be pulled.
    explicit Hand(const Model& model);
    ~Hand();
    Hand(Hand&&) noexcept;
    Hand& operator=(Hand&&) noexcept;

    struct Outcome {
        double distance = 0;     // that is left to the target, m
        std::string blocking;    // the contact that keeps it from the target; empty: none
        std::string holding;     // without one, the joint of the body that holds it most
        bool is_dead = false;    // out of reach, and no motion of the mechanism moves the point
        bool is_jammed = false;  // contacts hold the point: it cannot move in any direction
        std::vector<std::string> redundant;  // joints whose rows say (nearly) nothing new here
    };
    // A point of a body, in its axes, follows a target in ground axes as far as joints and contacts
    // allow (m).
    Outcome pull(std::string_view body, std::array<double, 2> local, std::array<double, 2> target);

    // x, y (m) and angle (rad) of each body but ground.
    [[nodiscard]] std::vector<std::array<double, 3>> poses() const;

private:
    std::unique_ptr<class Pull> pull_;
    std::vector<std::string> bodies_;
};

}  // namespace pawl
