// A joint of the mechanism: the bodies it connects, its frames on them, and its kind, which is
// known here by name alone: mechanism/joint_kind.h has the list.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "math/boxed.h"
#include "math/span.h"
#include "math/units.h"
#include "mechanism/contact/contact_rules.h"
#include "mechanism/joints/component_row.h"

namespace pawl {

template <class S>
struct JointKind;

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
    Boxed<JointKind<S>> kind;
    std::array<Attachment<S>, 3> frames;  // a, b, carrier

    Joint();
    Joint(const Joint&);
    Joint(Joint&&) noexcept;
    Joint& operator=(const Joint&);
    Joint& operator=(Joint&&) noexcept;
    ~Joint();

    [[nodiscard]] int row_count() const;
    [[nodiscard]] bool row_is_angle(int i) const;
    [[nodiscard]] std::string row_name(int i) const;
    [[nodiscard]] std::vector<Component> coordinates() const;
    [[nodiscard]] bool carries_tree() const;
    [[nodiscard]] int frame_count() const;
    [[nodiscard]] std::string_view kind_name() const;
    // The friction of the joint; null where it has none.
    [[nodiscard]] const JointFriction<typename S::Scalar>* friction() const;
    // The play of the joint; none where it is ideal.
    [[nodiscard]] std::optional<typename S::Scalar> clearance() const;
    // Tells a joint that wants to know it where its frames are in the assembled mechanism.
    void settle_placed(const std::array<typename S::Frame, 3>& frames);
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

extern template struct Joint<Planar<double>>;

}  // namespace pawl
