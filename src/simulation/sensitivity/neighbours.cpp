#include "simulation/sensitivity/neighbours.h"

namespace pawl {

// A parameter that stands at its bound, as a restitution of 1, has neighbours on one side.
void Neighbours::choose_side() {
    chosen_ = true;
    const bool above = at({1, 0}) != nullptr, below = at({-1, 0}) != nullptr;
    if (above != below) side_ = above ? 1 : -1;
    if (above || below) problem_.clear();
}

const std::vector<Neighbours::Term>& Neighbours::terms(int level) {
    if (!chosen_) choose_side();
    terms_.clear();
    if (!problem_.empty()) return terms_;
    const double h = distance(level);
    if (side_ == 0) {
        // (4 D(h/2) - D(h)) / 3; D(h) = (f(h) - f(-h)) / 2h.
        for (const int side : {1, -1}) {
            terms_.push_back({side, level, -side / (6 * h), side / (2 * h), 1 / h});
            terms_.push_back({side, level + 1, side * 4 / (3 * h), 0, -1 / h});
        }
        return terms_;
    }
    // f' at 0 of the cubic through 0, h/4, h/2, h; and of the parabola through 0, h/2, h.
    const double s = side_ * h;
    terms_ = {{0, 0, -7 / s, -3 / s, 0},
              {side_, level + 2, 32 / (3 * s), 0, 0},
              {side_, level + 1, -4 / s, 4 / s, 0},
              {side_, level, 1 / (3 * s), -1 / s, 0}};
    return terms_;
}

Shadow* Neighbours::at(const Term& term) {
    if (itself_) return itself_.get();
    const std::pair key{term.side, term.side == 0 ? 0 : term.level};
    if (const auto known = made_.find(key); known != made_.end()) return known->second.get();
    auto placed = make_(term.part(), problem_);
    if (!placed) return nullptr;
    return (made_[key] = std::make_unique<Shadow>(std::move(*placed), options_)).get();
}

}  // namespace pawl
