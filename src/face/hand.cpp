#include "face/hand.h"

#include <algorithm>

#include "model_file/reading/model_file.h"
#include "simulation/placement/pull.h"

namespace pawl {

Hand::Hand(const Model& model) {
    const PlacedMechanism placed = assemble(model.data_->mechanism);
    for (const auto& body : placed.mechanism.bodies) bodies_.push_back(body.name);
    if (placed.ok()) pull_ = std::make_unique<Pull>(placed);
}

Hand::~Hand() = default;
Hand::Hand(Hand&&) noexcept = default;
Hand& Hand::operator=(Hand&&) noexcept = default;

Hand::Outcome Hand::pull(std::string_view body, std::array<double, 2> local,
                         std::array<double, 2> target) {
    const auto found = std::find(bodies_.begin(), bodies_.end(), body);
    const auto index = static_cast<int>(found - bodies_.begin());
    if (!pull_ || found == bodies_.end() || index == 0) return {};
    const Pull::Outcome out = pull_->to(index, {local[0], local[1]}, {target[0], target[1]});
    return {out.distance, out.blocking, out.holding, out.is_dead, out.is_jammed, out.redundant};
}

std::vector<std::array<double, 3>> Hand::poses() const {
    std::vector<std::array<double, 3>> out;
    if (!pull_) return out;
    for (std::size_t b = 1; b < pull_->positions().size(); ++b) {
        const auto& at = pull_->positions()[b];
        out.push_back({at.p.x, at.p.y, at.angle});
    }
    return out;
}

}  // namespace pawl
