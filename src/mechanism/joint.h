// A joint of the mechanism: one of the kinds, the bodies it connects and its frames on them.
// The list of kinds is here and nowhere else.
#pragma once

#include <string>
#include <variant>

#include "math/span.h"
#include "mechanism/joints/gear.h"
#include "mechanism/joints/lower_pairs.h"
#include "mechanism/joints/rack.h"
#include "mechanism/joints/rod.h"
#include "mechanism/joints/roll_circle.h"

namespace pawl {

template <class S>
using JointKind =
    std::variant<Revolute<S>, Prismatic<S>, Weld<S>, Slot<S>, Rod<S>, Gear<S>, Rack<S>, RollLine<S>,
                 RollCircle<S>, Free<S>, Simplified<S, Component::x>, Simplified<S, Component::y>,
                 Simplified<S, Component::angle>>;

// A frame of an element: the body it sits on and its pose there.
template <class S>
struct Attachment {
    int body = 0;
    typename S::Pose local;
    typename S::Vector axis{1, 0};  // unit vector of local.angle

    void settle() { axis = S::position_of(local).u; }
    [[nodiscard]] typename S::Position on(const typename S::Position& b) const {
        return S::attached(b, local, axis);
    }
};

template <class S>
struct Joint {
    std::string name;
    Span span;
    JointKind<S> kind;
    std::array<Attachment<S>, 3> frames;  // a, b, carrier

    [[nodiscard]] int row_count() const {
        return std::visit([](const auto& k) { return static_cast<int>(k.row_components.size()); },
                          kind);
    }
    [[nodiscard]] bool row_is_angle(int i) const {
        return std::visit(
            [i](const auto& k) {
                for (std::size_t j = 0; j < k.row_components.size(); ++j)
                    if (static_cast<int>(j) == i) return k.row_components[j] == Component::angle;
                return false;
            },
            kind);
    }
    [[nodiscard]] std::string row_name(int i) const {
        return name + "." +
               std::string(std::visit([i](const auto& k) { return k.row_label(i); }, kind));
    }
    [[nodiscard]] std::vector<Component> coordinates() const {
        return std::visit(
            [](const auto& k) {
                return std::vector<Component>(k.coordinates.begin(), k.coordinates.end());
            },
            kind);
    }
    [[nodiscard]] bool carries_tree() const {
        return std::visit([](const auto& k) { return k.carries_tree; }, kind);
    }
    [[nodiscard]] int frame_count() const {
        return std::visit([](const auto& k) { return k.frames; }, kind);
    }
    [[nodiscard]] std::string_view kind_name() const {
        return std::visit([](const auto& k) { return k.name; }, kind);
    }
    // The friction of the joint; null where it has none.
    [[nodiscard]] const JointFriction<typename S::Scalar>* friction() const {
        return std::visit(
            [](const auto& k) -> const JointFriction<typename S::Scalar>* {
                if constexpr (requires { k.friction; }) return k.friction ? &*k.friction : nullptr;
                return nullptr;
            },
            kind);
    }
    // The play of the joint; none where it is ideal.
    [[nodiscard]] std::optional<typename S::Scalar> clearance() const {
        return std::visit(
            [](const auto& k) -> std::optional<typename S::Scalar> {
                if constexpr (requires { k.clearance; }) return k.clearance;
                return std::nullopt;
            },
            kind);
    }
    [[nodiscard]] int a() const { return frames[0].body; }
    [[nodiscard]] int b() const { return frames[1].body; }
};

// One component of the pose of a frame b in a frame a: what drivers drive and measures measure.
template <class S>
struct Coordinate {
    std::array<Attachment<S>, 2> frames;
    Component component = Component::angle;
    [[nodiscard]] Dimension dimension() const {
        return component == Component::angle ? dimension::angle : dimension::length;
    }
};

}  // namespace pawl
