// The mechanism: what was modelled, constant in a run. Body 0 is ground.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "curves/profile.h"
#include "mechanism/contact/contact_rules.h"
#include "mechanism/driver.h"
#include "mechanism/force.h"
#include "mechanism/joint.h"
#include "mechanism/measure.h"

namespace pawl {

template <class S>
struct Body {
    struct Point {
        std::string name;
        Span span;
        typename S::Vector at;  // body coordinates
    };
    std::string name;
    Span span;
    typename S::Pose guess;  // first guess of the pose in ground axes
    bool position_given = false;
    Span position_span, angle_span;              // where the file gives them; line 0: it does not
    bool exact = false;                          // those that the file gives must not be moved
    std::optional<typename S::Vector> velocity;  // first guess, of the body's origin in ground axes
    std::optional<typename S::Scalar> omega;     // first guess
    std::vector<Point> points;
    std::optional<typename S::Scalar> mass, inertia;
    typename S::Vector centre;  // of mass, in body coordinates
};

// A profile on a body, in the axes of its frame there.
template <class S>
struct BodyProfile {
    std::string name;
    Span span;
    Attachment<S> frame;
    Profile<S> chain;
};

// Two bodies that may touch. Without profiles it is an edge of the graph only.
template <class S>
struct ContactPair : ContactRules<typename S::Scalar> {
    using T = typename S::Scalar;
    std::string name;
    Span span;
    int a = 0, b = 0;                    // bodies
    int profile_a = -1, profile_b = -1;  // in Mechanism::profiles
    bool permanent = false;              // the profiles never separate: the gap is a joint
    T first_u[2]{};                      // and where on them
    int first_a = 0, first_b = 0;        // permanent: elements at the start
    int play_of = -1;                    // the joint whose play it bounds; -1: none
};

// A joint that holds while a condition is true, from wherever the bodies are when it engages: a
// clutch, a pin that comes into a slot.
template <class S>
struct Coupling {
    Joint<S> joint;
    ForceExpression engaged;  // not zero: the condition holds
};

template <class S>
struct Mechanism {
    std::string name;
    std::vector<Body<S>> bodies;
    std::vector<Joint<S>> joints;
    std::vector<Coupling<S>> couplings;
    std::vector<BodyProfile<S>> profiles;
    std::vector<ContactPair<S>> contacts;
    std::vector<Driver<S>> drivers;
    std::vector<Measure<S>> measures;
    std::vector<Force<S>> forces;
    std::vector<UserState> states;
    std::vector<UserEvent> events;
    std::vector<std::string>
        independent;  // coordinates the user wants as independent, e.g. "A" or "F.x"

    Mechanism();
    Mechanism(const Mechanism&);
    Mechanism(Mechanism&&) noexcept;
    Mechanism& operator=(const Mechanism&);
    Mechanism& operator=(Mechanism&&) noexcept;
    ~Mechanism();

    [[nodiscard]] int moving_bodies() const { return static_cast<int>(bodies.size()) - 1; }
};

// Copying and destroying so many members is code that need not stand in every object file.
template <class S>
Mechanism<S>::Mechanism() = default;
template <class S>
Mechanism<S>::Mechanism(const Mechanism&) = default;
template <class S>
Mechanism<S>::Mechanism(Mechanism&&) noexcept = default;
template <class S>
Mechanism<S>& Mechanism<S>::operator=(const Mechanism&) = default;
template <class S>
Mechanism<S>& Mechanism<S>::operator=(Mechanism&&) noexcept = default;
template <class S>
Mechanism<S>::~Mechanism() = default;

// The auxiliary states of a run: those of the user, then the work of each force, of each contact
// pair, of the friction of each joint and each pair that has any, of each coupling when it engages,
// and of each driver.
struct AuxiliaryLayout {
    std::size_t forces = 0, contacts = 0, friction = 0, couplings = 0, drivers = 0;  // begin there
    std::vector<int> friction_of_joint, friction_of_contact;  // indices; -1: none

    template <class S>
    explicit AuxiliaryLayout(const Mechanism<S>& mechanism)
        : forces(mechanism.states.size()),
          contacts(forces + mechanism.forces.size()),
          friction(contacts + mechanism.contacts.size()),
          couplings(friction) {
        for (const auto& joint : mechanism.joints)
            friction_of_joint.push_back(joint.friction() ? static_cast<int>(couplings++) : -1);
        for (const auto& pair : mechanism.contacts)
            friction_of_contact.push_back(pair.friction ? static_cast<int>(couplings++) : -1);
        drivers = couplings + mechanism.couplings.size();
    }
    [[nodiscard]] bool has_friction() const { return couplings > friction; }
};

// The coordinate of a joint as something to drive or to measure.
template <class S>
Coordinate<S> coordinate_of(const Joint<S>& joint, Component component) {
    return {{joint.frames[0], joint.frames[1]}, component};
}

// Gives the driver laws that begin at the initial value of their coordinate that value, from the
// poses that the bodies are placed in.
template <class S>
void settle_drivers(Mechanism<S>& mechanism, std::span<const typename S::Position> placed) {
    for (Driver<S>& driver : mechanism.drivers) {
        std::array<typename S::Frame, 2> f;
        for (std::size_t k = 0; k < 2; ++k) {
            const Attachment<S>& frame = driver.coordinate.frames[k];
            f[k].position = frame.on(placed[static_cast<std::size_t>(frame.body)]);
        }
        const auto initial = component_row<S>(driver.coordinate.component, f[0], f[1]).phi;
        std::visit([&initial](auto& law) { law.settle(initial); }, driver.law);
    }
}

// Gives the springs whose rest value is the initial one that value, from the poses that the bodies
// are placed in.
template <class S>
void settle_forces(Mechanism<S>& mechanism, std::span<const typename S::Position> placed) {
    for (Force<S>& force : mechanism.forces) {
        std::array<typename S::Frame, 2> f;
        for (std::size_t k = 0; k < 2; ++k)
            f[k].position =
                force.frames[k].on(placed[static_cast<std::size_t>(force.frames[k].body)]);
        std::visit(
            [&](auto& kind) {
                using Kind = std::decay_t<decltype(kind)>;
                if constexpr (std::is_same_v<Kind, Spring<S>>)
                    kind.settle(value_of(distance_row<S>(f[0], f[1]).phi));
                else if constexpr (std::is_same_v<Kind, JointSpring<S>>)
                    kind.settle(value_of(component_row<S>(force.component, f[0], f[1]).phi));
            },
            force.kind);
    }
}

// Tells the joints that want to know it the poses in which the bodies are assembled.
template <class S>
void settle_joints(Mechanism<S>& mechanism, std::span<const typename S::Position> placed) {
    for (Joint<S>& joint : mechanism.joints) {
        std::array<typename S::Frame, 3> f;
        for (std::size_t k = 0; k < 3; ++k)
            f[k].position =
                joint.frames[k].on(placed[static_cast<std::size_t>(joint.frames[k].body)]);
        joint.settle_placed(f);
    }
}

using PlanarSpace = Planar<double>;
using PlanarMechanism = Mechanism<PlanarSpace>;
extern template struct Mechanism<PlanarSpace>;

}  // namespace pawl
