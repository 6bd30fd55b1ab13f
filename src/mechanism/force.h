// Forces: what acts on the bodies besides joints. Each kind acts along a scalar coordinate (a
// distance or a component of a relative pose), or at a point, or on all masses. Knows frames, never
// coordinates q.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "math/expression/expression.h"
#include "math/spline.h"
#include "mechanism/computed_input.h"
#include "mechanism/joint.h"

namespace pawl {

// What the expression of a force may use. Slots: 0 is t; then the parameters; the values of the
// measure channels; their rates; the user's states; and last the coordinate s and its rate v of the
// element itself.
struct ForceInputs {
    double t = 0;
    std::span<const TimeJet<double>> channels;
    std::span<const double> states;
    double s = 0, v = 0;
    // Of all switches of the mechanism (mechanism/switch_numbers.h): the branches that expressions
    // are evaluated on; null: those of their arguments.
    const signed char* sides = nullptr;
};

struct ForceExpression {
    Expression expression;
    std::vector<double> parameters;
    int channels = 0, states = 0;
    std::shared_ptr<const ComputedInputs> computed = {};  // in place of their parameters; or null
    int first_switch = -1;  // among those of the mechanism; none: -1

    // Beyond its end a branch may have no value, as the root of what has become negative: then the
    // arguments say which branch it is.
    [[nodiscard]] double at(const ForceInputs& in) const {
        const Bound bound{this, &in};
        if (in.sides && first_switch >= 0)
            if (const double value = expression.evaluate_on(slots(bound), in.sides + first_switch);
                std::isfinite(value))
                return value;
        return expression.evaluate(slots(bound));
    }
    void note_switches(const ForceInputs& in, std::vector<double>& switches) const {
        const Bound bound{this, &in};
        expression.note_switches(slots(bound), switches);
    }

    // Whether it looks at measures or their rates.
    [[nodiscard]] bool uses_measures() const {
        const auto& used = expression.slots_used();
        return std::any_of(used.begin(), used.end(), [this](int slot) {
            if (slot == 0) return false;
            const auto i = static_cast<std::size_t>(slot - 1);
            if (i >= parameters.size())
                return i < parameters.size() + 2 * static_cast<std::size_t>(channels);
            const ComputedInput* function = computed_at(i);
            return function != nullptr && function->uses_measures();
        });
    }

private:
    using Bound = std::pair<const ForceExpression*, const ForceInputs*>;
    static SlotLookup<double> slots(const Bound& bound) {
        return {&bound, [](const void* owner, int slot) {
                    const auto& [self, inputs] = *static_cast<const Bound*>(owner);
                    return self->value(slot, *inputs);
                }};
    }
    [[nodiscard]] const ComputedInput* computed_at(std::size_t parameter) const {
        if (!computed) return nullptr;
        for (const ComputedInput& one : *computed)
            if (one.parameter == parameter) return &one;
        return nullptr;
    }
    [[nodiscard]] static double compute(const ComputedInput& input, const ForceInputs& in) {
        using Of = ComputedInput::Argument::Of;
        std::array<double, max_arguments> values;
        std::size_t n = 0;
        for (const auto& [of, index] : input.arguments)
            values[n++] = of == Of::time      ? in.t
                          : of == Of::measure ? in.channels[index].value
                          : of == Of::rate    ? in.channels[index].rate
                                              : in.states[index];
        return input.value(std::span(values).first(n));
    }
    [[nodiscard]] double value(int slot, const ForceInputs& in) const {
        if (slot == 0) return in.t;
        std::size_t i = static_cast<std::size_t>(slot - 1);
        if (i < parameters.size()) {
            const ComputedInput* function = computed_at(i);
            return function != nullptr ? compute(*function, in) : parameters[i];
        }
        i -= parameters.size();
        const auto channel_count = static_cast<std::size_t>(channels);
        if (i < channel_count) return in.channels[i].value;
        i -= channel_count;
        if (i < channel_count) return in.channels[i].rate;
        i -= channel_count;
        if (i < static_cast<std::size_t>(states)) return in.states[i];
        return i == static_cast<std::size_t>(states) ? in.s : in.v;
    }
};

// The force along a coordinate, positive where it makes the coordinate grow; the energy it stores;
// and the power of the part that is not stored (negative where it dissipates).
struct ScalarForce {
    double force = 0, potential = 0, power = 0;
};

// A force along a coordinate: a torque, in N m, where the coordinate is an angle.
constexpr Dimension force_along(const Dimension& coordinate) {
    return coordinate == dimension::angle ? dimension::torque : dimension::energy / coordinate;
}

// Spring and damper along a coordinate s with rest value s0, e = s - s0:
//   F = -k e - c s' - P,  V = k e^2/2 + P e,  dissipated power c s'^2.
// A law (expression of s = e and v) or a table (F over e) replaces -k e; its work is booked, not
// stored.
struct SpringLaw {
    double stiffness = 0, damping = 0, preload = 0;
    std::optional<double> rest;
    std::optional<ForceExpression> law;
    std::vector<double> elongations, forces;
    std::optional<CubicSpline<double>> table;

    template <class V>
    void fields_along(V& v, const char* rest_name, const char* rest_doc) {
        const Dimension coordinate = v.coordinate(), force = force_along(coordinate);
        v.number("stiffness", stiffness, force / coordinate, "force per elongation", "0");
        v.number("damping", damping, force / coordinate * dimension::time, "force per speed", "0");
        v.number("preload", preload, force, "force that pulls the ends together at the rest value",
                 "0");
        v.number(rest_name, rest, coordinate, rest_doc);
        v.force_expression("law", law, force,
                           "nonlinear law instead of the stiffness: force that pushes the ends "
                           "apart, as an expression of s (elongation) and v (its rate)");
        v.numbers("elongations", elongations, coordinate, dimension::none,
                  "table of a nonlinear spring: elongations, increasing", 0);
        v.numbers("forces", forces, force, dimension::none,
                  "table of a nonlinear spring: forces that pull the ends together; a natural "
                  "cubic spline goes through them and continues as straight lines beyond the table",
                  0);
        v.require(elongations.size() == forces.size() && elongations.size() != 1, "forces",
                  "elongations and forces must have the same length, two or more");
        v.require(!law || elongations.empty(), "law", "give either a law or a table");
        v.require(stiffness == 0 || (!law && elongations.empty()), "stiffness",
                  "a law or a table replaces the stiffness; give only one of them");
        for (std::size_t i = 1; i < elongations.size(); ++i)
            v.require(elongations[i] > elongations[i - 1], "elongations",
                      "elongations must increase");
        v.require(damping >= 0, "damping", "damping must not be negative");
    }
    void settle(double initial) {
        if (!rest) rest = initial;
        if (elongations.size() >= 2 && elongations.size() == forces.size())
            table.emplace(elongations, forces, Ends::natural);
    }
    [[nodiscard]] ScalarForce at(double s, double rate, ForceInputs in) const {
        const double e = s - *rest;
        ScalarForce f;
        f.force = -damping * rate - preload;
        f.power = -damping * rate * rate;
        f.potential = preload * e;
        if (law || table) {
            in.s = e;
            in.v = rate;
            const double extra = law ? law->at(in) : -table->evaluate(e);
            f.force += extra;
            f.power += extra * rate;
        } else {
            f.force -= stiffness * e;
            f.potential += 0.5 * stiffness * e * e;
        }
        return f;
    }
};

template <class S>
struct Gravity {
    static constexpr std::string_view name = "gravity";
    static constexpr std::string_view summary = "Weight of every body that has a mass.";
    double x = 0, y = -9.81;
    template <class V>
    void fields(V& v) {
        v.vector("acceleration", x, y, dimension::acceleration, "acceleration of free fall",
                 "[0, -9.81]");
    }
};

template <class S>
struct Spring : SpringLaw {
    static constexpr std::string_view name = "spring";
    static constexpr std::string_view summary = "Spring and damper between two points.";
    template <class V>
    void fields(V& v) {
        v.distance();
        fields_along(v, "free_length",
                     "length without spring force; default: the initial distance");
    }
};

template <class S>
struct JointSpring : SpringLaw {
    static constexpr std::string_view name = "joint_spring";
    static constexpr std::string_view summary =
        "Spring and damper on a joint coordinate: torsional at a revolute joint.";
    template <class V>
    void fields(V& v) {
        v.joint_coordinate();
        fields_along(v, "free_value",
                     "coordinate without spring force; default: the initial value");
    }
};

// M0 (1 - w/w0): the torque-speed line of a motor.
template <class S>
struct Motor {
    static constexpr std::string_view name = "motor";
    static constexpr std::string_view summary =
        "Motor at a joint with the torque-speed line M0 (1 - w/w0).";
    double stall = 0, no_load = 0;
    template <class V>
    void fields(V& v) {
        v.joint_coordinate();
        v.number("stall_torque", stall, force_along(v.coordinate()),
                 "M0: torque (or force) at rest");
        v.number("no_load_speed", no_load, v.coordinate() / dimension::time,
                 "w0: speed at which the torque vanishes");
        v.require(no_load != 0, "no_load_speed", "the no-load speed must not be zero");
    }
    [[nodiscard]] ScalarForce at(double, double rate, const ForceInputs&) const {
        const double f = stall * (1 - rate / no_load);
        return {f, 0, f * rate};
    }
};

// kp (target - s) - kd s'
template <class S>
struct Servo {
    static constexpr std::string_view name = "servo";
    static constexpr std::string_view summary = "PD servo at a joint: kp (target - s) - kd s'.";
    double kp = 0, kd = 0;
    ForceExpression target;
    template <class V>
    void fields(V& v) {
        v.joint_coordinate();
        const Dimension stiffness = force_along(v.coordinate()) / v.coordinate();
        v.number("kp", kp, stiffness, "position gain");
        v.number("kd", kd, stiffness * dimension::time, "velocity gain", "0");
        v.force_expression("target", target, v.coordinate(),
                           "target coordinate, an expression of t, parameters, measures and their "
                           "rates (NAME.rate), states, s and v of the joint; SI");
    }
    [[nodiscard]] ScalarForce at(double s, double rate, ForceInputs in) const {
        in.s = s;
        in.v = rate;
        const double f = kp * (target.at(in) - s) - kd * rate;
        return {f, 0, f * rate};
    }
};

template <class S>
struct JointForce {
    static constexpr std::string_view name = "joint_force";
    static constexpr std::string_view summary =
        "Force or torque along a joint coordinate, with its reaction.";
    ForceExpression value;
    template <class V>
    void fields(V& v) {
        v.joint_coordinate();
        v.force_expression("value", value, force_along(v.coordinate()),
                           "over t, parameters, measures and their rates (NAME.rate), states, s "
                           "and v of the joint; SI");
    }
    [[nodiscard]] ScalarForce at(double s, double rate, ForceInputs in) const {
        in.s = s;
        in.v = rate;
        const double f = value.at(in);
        return {f, 0, f * rate};
    }
};

template <class S>
struct PointForce {
    static constexpr std::string_view name = "force";
    static constexpr std::string_view summary =
        "Force on a point of a body, in ground or body axes.";
    ForceExpression x, y;
    bool in_body = false;
    template <class V>
    void fields(V& v) {
        v.place("point", 1, "where it acts");
        v.force_expression("x", x, dimension::force,
                           "x component; over t, parameters, measures, rates and states; SI", "0");
        v.force_expression("y", y, dimension::force, "y component", "0");
        v.choice("axes", in_body, {"ground", "body"}, "axes of the components");
    }
};

template <class S>
struct BodyTorque {
    static constexpr std::string_view name = "torque";
    static constexpr std::string_view summary =
        "Torque on a body, without reaction on another one.";
    ForceExpression value;
    template <class V>
    void fields(V& v) {
        v.body_field("body", 1, "the body");
        v.force_expression("value", value, dimension::torque,
                           "over t, parameters, measures, rates and states; SI");
    }
};

// A given impulse at a given time, on a point (x, y) and on its body (turn).
template <class S>
struct GivenImpulse {
    static constexpr std::string_view name = "impulse";
    static constexpr std::string_view summary =
        "A given impulse on a point of a body at a given time.";
    double at = 0, x = 0, y = 0, turn = 0;
    template <class V>
    void fields(V& v) {
        v.place("point", 1, "where it acts");
        v.number("at", at, dimension::time, "when it acts");
        v.require(at >= 0, "at", "an impulse acts at t = 0 or later");
        v.number("x", x, dimension::impulse, "x component, ground axes", "0");
        v.number("y", y, dimension::impulse, "y component, ground axes", "0");
        v.number("turn", turn, dimension::angular_impulse, "angular impulse on the body", "0");
    }
};

template <class S>
using ForceKind = std::variant<Gravity<S>, Spring<S>, JointSpring<S>, Motor<S>, Servo<S>,
                               JointForce<S>, PointForce<S>, BodyTorque<S>, GivenImpulse<S>>;

template <class S>
struct Force {
    std::string name;
    Span span;
    ForceKind<S> kind;
    // Frames of the element: of the coordinate (a, b), or the point of action in [1].
    std::array<Attachment<S>, 2> frames;
    Component component = Component::angle;  // for the kinds along a joint coordinate
};

// A moment that the user wants to know of: where a condition becomes true.
struct UserEvent {
    std::string name;
    Span span;
    ForceExpression when;  // not zero: the condition holds
    bool stop = false;     // the run ends there
};

// A first-order state of the user's own: z' = rate, e.g. the integral of a controller.
struct UserState {
    std::string name;
    Span span;
    double start = 0;
    ForceExpression rate;
};

}  // namespace pawl
