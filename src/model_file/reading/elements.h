// The fields of every table of a model file that is not a kind of joint or of driver law (those
// carry their own lists). One list serves the reader, the schema and the reference page.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mechanism/design_settings.h"
#include "mechanism/mechanism.h"
#include "mechanism/run_settings.h"
#include "model_file/reading/profile_elements.h"

namespace pawl {

struct Node;

// The top level: its own fields, and the tables below it.
struct RootElement {
    static constexpr std::array<std::string_view, 17> tables{
        "units",   "parameters", "inputs",  "body",   "joint", "driver",
        "profile", "contact",    "measure", "force",  "state", "coupling",
        "event",   "response",   "sweep",   "design", "run"};
    const Node* format = nullptr;
    std::string name;
    template <class V>
    void fields(V& v) {
        v.any("format", format, "the version of the format: 1", true);
        v.text("name", name, "title of the model");
    }
};

// In SI; a unit that is not given stays SI.
struct UnitsElement {
    static constexpr std::string_view summary =
        "The units of bare numbers; SI where none is given.";
    std::optional<double> length, angle, mass, time, force;
    template <class V>
    void fields(V& v) {
        v.unit("length", length, dimension::length, "unit of bare lengths");
        v.unit("angle", angle, dimension::angle, "unit of bare angles");
        v.unit("mass", mass, dimension::mass, "unit of bare masses");
        v.unit("time", time, dimension::time, "unit of bare times");
        v.unit(
            "force", force, dimension::force,
            "unit of bare forces and of quantities derived from them: torque, stiffness, damping; "
            "default: from mass, length and time");
    }
};

// The long form of a parameter; the short form is its value alone.
struct ParameterElement {
    static constexpr std::string_view summary =
        "Named numbers for expressions, in any order. A parameter is a value, or a table with "
        "these "
        "keys.";
    const Node *value = nullptr, *min = nullptr, *max = nullptr, *tolerance = nullptr;
    Distribution distribution = Distribution::normal;
    template <class V>
    void fields(V& v) {
        v.any("value", value, "the value: a quantity or an expression of other parameters", true);
        v.any("min", min, "smallest value, for design studies", false);
        v.any("max", max, "largest value, for design studies", false);
        v.any("tolerance", tolerance, "half width of the tolerance zone", false);
        v.choice("distribution", distribution, names_of<Distribution>(),
                 "how the value scatters within its tolerance; normal: the tolerance is three "
                 "standard deviations");
    }
};

template <class S>
struct GroundElement {
    static constexpr std::string_view summary =
        "The fixed body. It always exists; the table is needed only to name points on it.";
    std::vector<typename Body<S>::Point> points, ground_points;
    template <class V>
    void fields(V& v) {
        v.points("points", points, "named points");
        v.points("ground_points", ground_points, "the same as points, for ground");
    }
};

template <class S>
struct BodyElement {
    using T = typename S::Scalar;
    static constexpr std::string_view summary = "A moving body.";
    std::optional<typename S::Vector> position, velocity, centre;
    T angle{};
    bool exact = false;
    std::optional<T> omega;
    std::vector<typename Body<S>::Point> points, ground_points;
    std::optional<T> mass, inertia;
    template <class V>
    void fields(V& v) {
        v.vector("position", position, dimension::length,
                 "the body's origin at the start, in ground axes, kept as far as the joints and "
                 "the values given before it allow; default: where a joint puts it");
        v.number("angle", angle, dimension::angle,
                 "the body's angle at the start; kept like the position", "0");
        v.flag("exact", exact,
               "true: the position and the angle given here take precedence over those of other "
               "bodies, and it is an error if they cannot be kept");
        v.points("points", points, "named points, in the axes of the body");
        v.points("ground_points", ground_points,
                 "named points, in ground coordinates at the first guess written here");
        v.vector("velocity", velocity, dimension::velocity,
                 "first guess of the velocity of the body's origin, in ground axes");
        v.number("omega", omega, dimension::angular_velocity,
                 "first guess of the angular velocity");
        v.number("mass", mass, dimension::mass, "mass; needed for dynamics, where 0 is allowed");
        v.require(!mass || !(value_of(*mass) < 0), "mass", "must not be negative");
        v.number("inertia", inertia, dimension::inertia,
                 "moment of inertia about the centre of mass; default: a point mass");
        v.require(!inertia || !(value_of(*inertia) < 0), "inertia", "must not be negative");
        v.vector("centre", centre, dimension::length,
                 "centre of mass, in the axes of the body; default: its origin");
        v.require(mass || !inertia, "inertia", "a body with an inertia needs a mass");
        v.require(mass || !centre, "centre", "a body with a centre of mass needs a mass");
    }
};

// What a driver drives: exactly one of joint, body, point.
template <class S>
struct DriverElement {
    static constexpr std::string_view summary =
        "A coordinate that follows a given function of time. Give one of joint, body and point.";
    std::optional<int> joint, body;
    std::optional<Attachment<S>> point;
    std::optional<Component> of;
    template <class V>
    void fields(V& v) {
        v.joint("joint", joint, "the joint whose coordinate is driven");
        v.body("body", body, "the body whose origin or angle is driven");
        v.place("point", point, "the point whose ground coordinate is driven");
        v.choice("of", of, {"x", "y", "angle"},
                 "which coordinate: of a body, a point (x or y) or a free joint; other joints have "
                 "only one");
    }
};

// One side of a contact: a body, and the profile on it that touches.
struct ContactSide {
    int body = 0, profile = -1;
};

template <class T>
struct ContactElement : ContactRules<T> {
    static constexpr std::string_view summary =
        "Two profiles that may touch; or two bodies, which then only make an edge of the graph.";
    std::optional<ContactSide> a, b;
    bool permanent = false;
    template <class V>
    void fields(V& v) {
        v.contact_side("a", a, "the first profile or body");
        v.contact_side("b", b, "the second profile or body, on another body");
        v.flag("permanent", permanent,
               "true: the profiles never separate, as in a slot. For rigid contacts");
        this->rule_fields(v);
    }
};

template <class S>
struct PointMeasure {
    static constexpr std::string_view name = "point";
    static constexpr std::string_view summary =
        "The path of a point in ground axes: two channels, NAME.x and NAME.y.";
    std::optional<Attachment<S>> point;
    template <class V>
    void fields(V& v) {
        v.place("point", point, "the point", true);
    }
};

template <class S>
struct AngleMeasure {
    static constexpr std::string_view name = "angle";
    static constexpr std::string_view summary = "The angle of body b minus the angle of body a.";
    std::optional<int> a, b;
    template <class V>
    void fields(V& v) {
        v.body("a", a, "the body from which the angle is measured", true);
        v.body("b", b, "the body whose angle is measured", true);
    }
};

template <class S>
struct DistanceOfPoints {
    static constexpr std::string_view name = "distance";
    static constexpr std::string_view summary = "The distance between two points.";
    std::optional<Attachment<S>> a, b;
    template <class V>
    void fields(V& v) {
        v.place("a", a, "the first point", true);
        v.place("b", b, "the second point", true);
    }
};

template <class S>
struct JointMeasure {
    static constexpr std::string_view name = "joint";
    static constexpr std::string_view summary = "The coordinate of a joint.";
    std::optional<int> joint;
    std::optional<Component> of;
    template <class V>
    void fields(V& v) {
        v.joint("joint", joint, "the joint", true);
        v.choice("of", of, {"x", "y", "angle"}, "which coordinate, for a free joint");
    }
};

template <class S>
struct FormulaMeasure {
    static constexpr std::string_view name = "expression";
    static constexpr std::string_view summary =
        "An expression of t, parameters and the measures above it, or their rates NAME.rate.";
    const Node* value = nullptr;
    template <class V>
    void fields(V& v) {
        v.any("value", value, "the expression", true);
    }
};

template <class S>
using MeasureElement = std::variant<PointMeasure<S>, AngleMeasure<S>, DistanceOfPoints<S>,
                                    JointMeasure<S>, FormulaMeasure<S>>;

// What all measures have besides their type and its fields.
struct MeasureColumn {
    static constexpr std::string_view summary = "A quantity to record along the motion.";
    std::optional<std::string> unit;
    template <class V>
    void fields(V& v) {
        v.unit_name("unit", unit, "unit of the output column; default: SI");
    }
};

// The fields of a user's state.
template <class T>
struct StateElement {
    static constexpr std::string_view summary =
        "A user-defined state with a given rate, such as the integral term of a controller. Forces "
        "and the rates of states can use it by name.";
    T start{};
    ForceExpression rate;
    template <class V>
    void fields(V& v) {
        v.force_expression("rate", rate, v.coordinate(),
                           "its rate, over t, parameters, measures and their rates (NAME.rate) and "
                           "states; SI");
        v.number("start", start, v.coordinate(), "value at t = 0; SI", "0");
    }
};

// What a coupling has beside the fields of its kind of joint.
struct CouplingElement {
    static constexpr std::string_view summary =
        "A joint that engages and disengages on a condition: a clutch, a pin that enters a slot. "
        "It locks in the position in which it engages; an inelastic impact stops the relative "
        "motion. For dynamic runs only.";
    ForceExpression engaged;
    template <class V>
    void fields(V& v) {
        v.condition("engaged", engaged,
                    "the condition under which it is engaged, written as `when` of an event, e.g. "
                    "\"t > 1 s and t < 2 s\"");
    }
};

// The fields of a user's event.
struct EventElement {
    static constexpr std::string_view summary =
        "An instant that a dynamic run locates: when a condition becomes true. It is recorded as "
        "an event of kind `user` and may end the run.";
    ForceExpression when;
    bool stop = false;
    template <class V>
    void fields(V& v) {
        v.condition("when", when,
                    "the condition: comparisons, with and, or, not, over t, parameters, measures "
                    "and their rates (NAME.rate) and states, in SI or with units, e.g. \"bolt.x > "
                    "5 mm\"; \"NAME.rate < 0\" finds a maximum");
        v.flag("stop", stop, "true: the run ends there");
    }
};

// The fields of a response.
struct ResponseElement {
    static constexpr std::string_view summary =
        "A number that the run yields: a column at a time or at an event, its extreme, mean or "
        "integral, the time at which it passes a level, or a quantity of an event. The syntax is "
        "described in [docs/responses.md](responses.md).";
    const Node *value = nullptr, *min = nullptr, *max = nullptr;
    std::optional<std::string> unit;
    template <class V>
    void fields(V& v) {
        v.any("value", value,
              "what to read, e.g. \"max:C#1.normal\", \"bolt.x@0.5 s\", \"t@released\"", true);
        v.unit_name("unit", unit, "unit of the number; default: that of what it reads");
        v.any("min", min, "smallest acceptable value, in this unit or with its own", false);
        v.any("max", max, "largest acceptable value", false);
    }
};

// The fields of a sweep.
template <class T>
struct SweepElement {
    static constexpr std::string_view summary =
        "Many runs with varied values, for `pawl sweep`, described in "
        "[docs/sweeps.md](sweeps.md).";
    SweepSettings chosen;  // of which the numbers are not used
    T runs{}, seed{};
    template <class V>
    void fields(V& v) {
        v.texts("vary", chosen.vary,
                "what varies: \"NAME=FROM:TO:COUNT\", \"NAME=FROM:TO\" where the method chooses "
                "the values, or \"NAME=VALUE,VALUE\"; NAME is a parameter or the path of any "
                "value, such as body.crank.mass");
        v.texts("responses", chosen.responses,
                "what to read of each run; default: all responses of the model");
        v.choice("method", chosen.method, names_of<SweepMethod>(), "how the values are chosen");
        v.number("runs", runs, dimension::none, "number of runs, for all methods except grid", "0");
        v.require(!(value_of(runs) < 0), "runs", "must not be negative");
        v.number("seed", seed, dimension::none, "a different seed gives different random values",
                 "1");
        v.require(!(value_of(seed) < 0), "seed", "must not be negative");
    }
};

template <class T>
struct RunElement {
    static constexpr std::string_view summary = "What to compute.";
    RunSettings chosen;  // of which the numbers are not used
    T end{}, step{}, rtol{}, atol{};
    std::optional<T> largest_step, integrator_step;
    std::optional<T> penalty, penalty_frequency, penalty_damping;
    std::vector<std::string> independent;
    template <class V>
    void fields(V& v) {
        v.choice("analysis", chosen.analysis, names_of<Analysis>(), "the kind of analysis");
        v.number("end", end, dimension::time, "the time at which the run ends", "1 s");
        v.positive("end", end);
        v.number("step", step, dimension::time, "time between two rows of the output", "10 ms");
        v.positive("step", step);
        v.choice("coordinates", chosen.coordinates, names_of<CoordinateChoice>(),
                 "the coordinates of the computation; the motion does not depend on them");
        v.choice("dynamics", chosen.dynamics, names_of<Formulation>(),
                 "how the equations of motion are solved; the motion does not depend on it");
        v.choice("integrator", chosen.integrator, names_of<Integrator>(),
                 "auto: dop853, or stiff while the model is stiff and that is faster; dop853: "
                 "explicit, order 8, with error control; rk4: fixed step; stiff: implicit, with "
                 "error control; moreau: time stepping with a fixed step, for many contacts: no "
                 "event is located, the error is of first order in the step");
        v.choice("impacts", chosen.impacts, names_of<ImpactOrder>(),
                 "how simultaneous impacts are solved: all at once, or one after the other");
        v.number("rtol", rtol, dimension::none, "relative error allowed in a step", "1e-9");
        v.positive("rtol", rtol);
        v.number("atol", atol, dimension::none,
                 "absolute error allowed in a step: for lengths as a fraction of the model's size, "
                 "for angles in radians, for rates the same per time sqrt(size/(9.81 m/s^2))",
                 "1e-9");
        v.positive("atol", atol);
        v.number("largest_step", largest_step, dimension::time,
                 "largest step of the integrator; default: no limit");
        v.positive("largest_step", largest_step);
        v.number("integrator_step", integrator_step, dimension::time,
                 "fixed step of rk4 and moreau; default: the output step");
        v.positive("integrator_step", integrator_step);
        v.number("penalty", penalty, dimension::mass,
                 "with dynamics = \"augmented\" or \"augmented_canonical\": penalty factor alpha, "
                 "the same for all rows; default: each row has its own, 1e7 over its response");
        v.positive("penalty", penalty);
        v.number(
            "penalty_frequency", penalty_frequency, dimension::none / dimension::time,
            "with dynamics = \"augmented\": frequency Omega with which violated constraints are "
            "pulled back, phi'' + 2 Omega mu phi' + Omega^2 phi = 0; default: 0");
        v.positive("penalty_frequency", penalty_frequency);
        v.number("penalty_damping", penalty_damping, dimension::none,
                 "damping ratio mu of the same equation; default: 1, with penalty_frequency");
        v.require(!penalty_damping || value_of(*penalty_damping) >= 0, "penalty_damping",
                  "must not be negative");
        v.require(!penalty_damping || penalty_frequency, "penalty_damping",
                  "is valid only with penalty_frequency");
        const bool augmented = chosen.dynamics == Formulation::augmented;
        v.require(!penalty || augmented || chosen.dynamics == Formulation::augmented_canonical,
                  "penalty",
                  "is valid only with dynamics = \"augmented\" or \"augmented_canonical\"");
        v.require(!penalty_frequency || augmented, "penalty_frequency",
                  "is valid only with dynamics = \"augmented\"");
        v.texts(
            "independent", independent,
            "coordinates to use as independent ones: JOINT.x, JOINT.y, JOINT.angle, or just JOINT "
            "where it has only one");
    }
};

}  // namespace pawl
