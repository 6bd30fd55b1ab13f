// The kinds of joints, and what a joint says of itself by its kind. The list of kinds is here and
// nowhere else.
#pragma once

#include <utility>
#include <variant>

#include "mechanism/joint.h"
#include "mechanism/joints/gear.h"
#include "mechanism/joints/lower_pairs.h"
#include "mechanism/joints/rack.h"
#include "mechanism/joints/rod.h"
#include "mechanism/joints/roll_circle.h"

namespace pawl {

template <class S>
using JointKinds =
    std::variant<Revolute<S>, Prismatic<S>, Weld<S>, Slot<S>, Rod<S>, Gear<S>, Rack<S>, RollLine<S>,
                 RollCircle<S>, Free<S>, Simplified<S, Component::x>, Simplified<S, Component::y>,
                 Simplified<S, Component::angle>>;

template <class S>
struct JointKind : JointKinds<S> {
    using Kinds = JointKinds<S>;
    using Kinds::Kinds;
    JointKind(Kinds kind = {}) : Kinds(std::move(kind)) {}
};

template <class S>
Joint<S>::Joint() = default;
template <class S>
Joint<S>::Joint(const Joint&) = default;
template <class S>
Joint<S>::Joint(Joint&&) noexcept = default;
template <class S>
Joint<S>& Joint<S>::operator=(const Joint&) = default;
template <class S>
Joint<S>& Joint<S>::operator=(Joint&&) noexcept = default;
template <class S>
Joint<S>::~Joint() = default;

template <class S>
int Joint<S>::row_count() const {
    return std::visit([](const auto& k) { return static_cast<int>(k.row_components.size()); },
                      *kind);
}

template <class S>
bool Joint<S>::row_is_angle(int i) const {
    return std::visit(
        [i](const auto& k) {
            for (std::size_t j = 0; j < k.row_components.size(); ++j)
                if (static_cast<int>(j) == i) return k.row_components[j] == Component::angle;
            return false;
        },
        *kind);
}

template <class S>
std::string Joint<S>::row_name(int i) const {
    return name + "." +
           std::string(std::visit([i](const auto& k) { return k.row_label(i); }, *kind));
}

template <class S>
std::vector<Component> Joint<S>::coordinates() const {
    return std::visit(
        [](const auto& k) {
            return std::vector<Component>(k.coordinates.begin(), k.coordinates.end());
        },
        *kind);
}

template <class S>
bool Joint<S>::carries_tree() const {
    return std::visit([](const auto& k) { return k.carries_tree; }, *kind);
}

template <class S>
int Joint<S>::frame_count() const {
    return std::visit([](const auto& k) { return k.frames; }, *kind);
}

template <class S>
std::string_view Joint<S>::kind_name() const {
    return std::visit([](const auto& k) { return k.name; }, *kind);
}

template <class S>
const JointFriction<typename S::Scalar>* Joint<S>::friction() const {
    return std::visit(
        [](const auto& k) -> const JointFriction<typename S::Scalar>* {
            if constexpr (requires { k.friction; }) return k.friction ? &*k.friction : nullptr;
            return nullptr;
        },
        *kind);
}

template <class S>
std::optional<typename S::Scalar> Joint<S>::clearance() const {
    return std::visit(
        [](const auto& k) -> std::optional<typename S::Scalar> {
            if constexpr (requires { k.clearance; }) return k.clearance;
            return std::nullopt;
        },
        *kind);
}

template <class S>
void Joint<S>::settle_placed(const std::array<typename S::Frame, 3>& placed) {
    std::visit(
        [&](auto& k) {
            if constexpr (requires { k.settle_placed(placed); }) k.settle_placed(placed);
        },
        *kind);
}

}  // namespace pawl
