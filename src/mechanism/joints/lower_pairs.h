// Joints that fix some components of the pose of frame b in frame a and leave the others free:
// revolute, prismatic, weld, slot, free, and the simplified constraints x, y, angle against ground.
// Each says which components are rows, which are its coordinates, and whether it can carry a tree.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "math/units.h"
#include "mechanism/contact/contact_rules.h"
#include "mechanism/joints/component_row.h"

namespace pawl {

// What a joint kind settles before a run: the frames on the bodies, from the points and first
// guesses of the model file. Index 0 is a, 1 is b, 2 the carrier.
template <class S>
struct JointPlacement {
    std::array<typename S::Pose, 3> local;
    std::array<typename S::Pose, 3> body;  // first guess of the bodies
    std::array<bool, 3> position_used{};   // so the model file must give the position of that body
    std::string problem;                   // why the joint cannot be settled; empty: it can
    [[nodiscard]] typename S::Scalar initial_angle() const { return body[1].angle - body[0].angle; }
    [[nodiscard]] typename S::Vector origin(int k) {
        position_used[k] = true;
        return S::attached(S::position_of(body[k]), local[k], {1, 0}).p;
    }
};

// Shared by all kinds whose rows are components of the relative pose.
template <class S, class Kind>
struct ComponentJoint {
    static constexpr int frames = 2;
    static constexpr bool carries_tree = true;
    static constexpr bool to_ground = false;

    static constexpr std::string_view row_label(int i) {
        return component_name(Kind::row_components[static_cast<std::size_t>(i)]);
    }
    void rows(const std::array<typename S::Frame, 3>& f, typename S::Row* out) const {
        for (const Component c : Kind::row_components) *out++ = component_row<S>(c, f[0], f[1]);
    }
};

// Play makes an ideal joint one that contacts bound, in a dynamic run; elsewhere it stays ideal.
template <class S>
struct JointPlay {
    using T = typename S::Scalar;
    std::optional<T> clearance;
    std::optional<PlayContact<T>> contact;
    template <class V, class Friction>
    void play_fields(V& v, std::string_view doc, const std::optional<Friction>& friction) {
        v.number("clearance", clearance, dimension::length, doc);
        v.positive("clearance", clearance);
        v.table("contact", contact, "with a clearance: the contact law of the parts");
        v.require(clearance || !contact, "contact", "is valid only with a clearance");
        v.require(!friction || !contact || !contact->friction, "friction",
                  "is already given in `contact`; give it only once");
        v.require(!friction || !clearance || !(value_of(friction->viscous) > 0), "friction",
                  "with a clearance, the viscous part belongs in `contact`");
        v.require(
            !friction || !clearance || (!(value_of(friction->constant) > 0) && !friction->smooth),
            "friction", "with a clearance, friction has no constant part and cannot be smooth");
    }
    // How the parts touch, with the friction of the joint.
    template <class Friction>
    [[nodiscard]] ContactRules<T> rules(const std::optional<Friction>& friction) const {
        ContactRules<T> rules = contact.value_or(PlayContact<T>{});
        if (!friction) return rules;
        constexpr double smooth = 1e-3;  // m/s, the default of a contact
        rules.friction.emplace();
        static_cast<DryFriction<T>&>(*rules.friction) = *friction;
        rules.friction->smooth = T(smooth);
        return rules;
    }
};

template <class S>
struct Revolute : ComponentJoint<S, Revolute<S>>, JointPlay<S> {
    static constexpr std::string_view name = "revolute";
    static constexpr std::string_view summary =
        "A pin: the points a and b coincide. Coordinate: angle of b minus angle of a.";
    static constexpr std::array row_components{Component::x, Component::y};
    static constexpr std::array coordinates{Component::angle};
    using T = typename S::Scalar;
    std::optional<T> radius;
    std::optional<PinFriction<T>> friction;
    template <class V>
    void fields(V& v) {
        v.places();
        v.number(
            "radius", radius, dimension::length,
            "radius of the pin; needed for friction; default: 20 times the clearance, if there is "
            "one");
        v.positive("radius", radius);
        v.table("friction", friction, "dry friction of the pin");
        this->play_fields(
            v,
            "radial clearance of the pin of b in the bearing of a: dynamics then simulates the "
            "motion of the pin; all other analyses treat the joint as ideal",
            friction);
        v.require(!friction || radius || this->clearance ||
                      !(friction->has_coefficient() || friction->smooth),
                  "friction", "needs the 'radius' of the pin");
        v.require(!radius || !this->clearance || value_of(*this->clearance) < value_of(*radius),
                  "clearance", "must be smaller than the radius of the pin");
    }
    void settle(JointPlacement<S>&) {
        if (this->clearance && !radius) radius = T(20) * *this->clearance;
    }
};

template <class S>
struct Prismatic : ComponentJoint<S, Prismatic<S>>, JointPlay<S> {
    static constexpr std::string_view name = "prismatic";
    static constexpr std::string_view summary =
        "A straight guide through point a, on body a, along which point b slides while body b does "
        "not turn. Coordinate: displacement from point a to point b along the axis.";
    static constexpr std::array row_components{Component::y, Component::angle};
    static constexpr std::array coordinates{Component::x};
    using T = typename S::Scalar;
    T axis{};
    std::optional<T> angle, guide, width, travel;
    std::optional<GuideFriction<T>> friction;
    template <class V>
    void fields(V& v) {
        v.places();
        v.number("axis", axis, dimension::angle, "direction of sliding in the axes of body a", "0");
        v.number("angle", angle, dimension::angle,
                 "constant angle of b minus angle of a; default: from the initial angles");
        v.number("guide", guide, dimension::length,
                 "length over which b is guided, half of it on each side of point b; friction then "
                 "acts at its two ends; default: friction of the resultant force");
        v.positive("guide", guide);
        v.table("friction", friction, "dry friction of the guide");
        this->play_fields(
            v,
            "clearance of the block of b between the rails of a, from side to side: dynamics then "
            "simulates the motion of the block; all other analyses treat the joint as ideal",
            friction);
        v.number("width", width, dimension::length,
                 "with a clearance: thickness of the block across the axis; default: a fifth of "
                 "the guide");
        v.positive("width", width);
        v.number("travel", travel, dimension::length,
                 "with a clearance: length of the rails on each side of point a; default: ten "
                 "times the guide");
        v.positive("travel", travel);
        v.require(!this->clearance || guide, "clearance", "needs the length of the 'guide'");
        v.require(this->clearance || !width, "width", "is valid only with a clearance");
        v.require(this->clearance || !travel, "travel", "is valid only with a clearance");
    }
    void settle(JointPlacement<S>& p) {
        p.local[0].angle = axis;
        p.local[1].angle = axis - angle.value_or(p.initial_angle());
    }
};

template <class S>
struct Weld : ComponentJoint<S, Weld<S>> {
    static constexpr std::string_view name = "weld";
    static constexpr std::string_view summary = "A rigid connection: the two bodies move as one.";
    static constexpr std::array row_components{Component::x, Component::y, Component::angle};
    static constexpr std::array<Component, 0> coordinates{};
    std::optional<typename S::Scalar> angle;
    template <class V>
    void fields(V& v) {
        v.places();
        v.number("angle", angle, dimension::angle,
                 "constant angle of b minus angle of a; default: from the initial angles");
    }
    void settle(JointPlacement<S>& p) { p.local[1].angle = -angle.value_or(p.initial_angle()); }
};

template <class S>
struct Slot : ComponentJoint<S, Slot<S>> {
    static constexpr std::string_view name = "slot";
    static constexpr std::string_view summary =
        "A pin of body b in a straight slot of body a. Coordinate: displacement of the pin from "
        "point a "
        "along the slot.";
    static constexpr bool carries_tree = false;
    static constexpr std::array row_components{Component::y};
    static constexpr std::array coordinates{Component::x};
    typename S::Scalar axis{};
    std::optional<GuideFriction<typename S::Scalar>> friction;
    template <class V>
    void fields(V& v) {
        v.places();
        v.number("axis", axis, dimension::angle, "direction of the slot in the axes of body a",
                 "0");
        v.table("friction", friction, "dry friction of the pin in the slot");
    }
    void settle(JointPlacement<S>& p) { p.local[0].angle = axis; }
};

template <class S>
struct Free : ComponentJoint<S, Free<S>> {
    static constexpr std::string_view name = "free";
    static constexpr std::string_view summary =
        "No constraint; names the coordinates x, y, angle of b relative to a (for drivers and "
        "measures).";
    static constexpr std::array<Component, 0> row_components{};
    static constexpr std::array coordinates{Component::x, Component::y, Component::angle};
    template <class V>
    void fields(V& v) {
        v.places();
    }
    void settle(JointPlacement<S>&) {}
};

// x, y: a point of a body keeps its ground coordinate; angle: a body keeps its angle. The value
// moves the frame on ground, so the row is a plain component.
template <class S, Component C>
struct Simplified : ComponentJoint<S, Simplified<S, C>> {
    static constexpr std::string_view name = C == Component::x   ? "x"
                                             : C == Component::y ? "y"
                                                                 : "angle";
    static constexpr std::string_view summary =
        C == Component::x ? "The x coordinate of a point, in ground axes, is constant."
        : C == Component::y
            ? "The y coordinate of a point, in ground axes, is constant."
            : "The angle of a body relative to ground or to another body is constant.";
    static constexpr bool carries_tree = false;
    static constexpr bool to_ground = true;
    static constexpr std::array row_components{C};
    static constexpr std::array<Component, 0> coordinates{};
    std::optional<typename S::Scalar> value;
    template <class V>
    void fields(V& v) {
        if (C == Component::angle) {
            v.body_field("body", 1, "the body");
            v.body_field("to", 0, "the body relative to which the angle is constant", "ground");
        } else
            v.place("point", 1, "the point of the body");
        v.number("value", value, C == Component::angle ? dimension::angle : dimension::length,
                 "the value kept; default: the initial value");
    }
    void settle(JointPlacement<S>& p) {
        if (C == Component::x) p.local[0].at.x = value ? *value : p.origin(1).x;
        if (C == Component::y) p.local[0].at.y = value ? *value : p.origin(1).y;
        if (C == Component::angle)
            p.local[0].angle = value.value_or(p.body[1].angle - p.body[0].angle);
    }
};

}  // namespace pawl
