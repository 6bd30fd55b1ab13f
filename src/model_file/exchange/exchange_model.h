// A mechanism on its way between a foreign data file and a model file: plain values in the units
// of the foreign file (angles in radians). Knows neither of the two texts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "curves/curve.h"
#include "math/planar.h"

namespace pawl {

using PlaneVector = Planar<double>::Vector;
using PlaneCurves = std::vector<CurveElement<Planar<double>>>;

// Names of units. A file without units has consistent ones: force = mass length / s^2.
struct ExchangeUnits {
    std::string length, force, mass;
    [[nodiscard]] std::string mass_or_consistent() const {
        return mass.empty() ? force + " s^2/" + length : mass;
    }
};

// A point of a body; body 0 is ground. The name is used where the point is not the body's origin.
struct ExchangePoint {
    int body = 0;
    PlaneVector at;
    std::string name;
};

struct ExchangeBody {
    std::string name;
    PlaneVector at;
    double angle = 0;
    std::optional<PlaneVector> velocity;
    std::optional<double> omega;
    double mass = 0, inertia = 0;  // about the centre of mass
    PlaneVector centre;
};

struct ExchangeJoint {
    std::string name, type;  // type: revolute, prismatic, weld
    ExchangePoint a, b;
    double axis = 0;  // of a prismatic joint, in the axes of body a
};

struct ExchangeProfile {
    std::string name;
    int body = 0;
    PlaneCurves curves;
};

struct ExchangeContact {
    std::string name, a, b;  // profiles
    double restitution = 0;
    bool permanent = false;
};

// Along the coordinate of a joint, or between two points where no joint is named.
struct ExchangeSpring {
    std::string name, joint;
    ExchangePoint a, b;
    double stiffness = 0, damping = 0, preload = 0, free = 0;
};

struct ExchangeJointForce {
    std::string name, joint;
    double value = 0;
    bool is_torque = false;
};

// A constant speed, or an expression of the time t in SI.
struct ExchangeDriver {
    std::string name, joint;
    double speed = 0;
    std::string expression;
};

struct ExchangeMeasure {
    std::string name;
    ExchangePoint point;
};

struct ExchangeModel {
    std::string name;
    ExchangeUnits units;
    std::vector<ExchangeBody> bodies;  // the first is ground
    std::vector<ExchangeJoint> joints;
    std::vector<ExchangeProfile> profiles;
    std::vector<ExchangeContact> contacts;
    PlaneVector gravity;
    std::vector<ExchangeSpring> springs;
    std::vector<ExchangeJointForce> joint_forces;
    std::vector<ExchangeDriver> drivers;
    std::vector<ExchangeMeasure> measures;
    std::string analysis = "dynamics";
    double end = 1, step = 0.01;           // s
    std::vector<std::string> independent;  // joints
    std::vector<std::string> assumptions;  // what the file does not say, each one sentence
};

// The number with 15 digits, which survive a change of units and back; noise about zero is zero.
std::string exchange_number(double x, double noise = 0);

// Values as the model file will have them: what is computed from these is what a reader of the file
// computes. Numbers of 15 digits; angles of 1e-12 degrees, so that 90 is 90.
double exchange_rounded(double x);
double exchange_degrees(double radians);
double exchange_angle(double radians);

// A name that a model file accepts: other characters become '_', and a first digit gets the prefix.
std::string exchange_name(const std::string& prefix, const std::string& name);

// The text of a model file.
std::string model_text_of(const ExchangeModel& model);

}  // namespace pawl
