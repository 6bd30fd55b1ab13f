// Writes a mechanism that came from a foreign file as a model file.
#include "model_file/exchange/exchange_model.h"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "math/tolerances/outside.h"

namespace pawl {

std::string exchange_number(double x, double noise) {
    if (std::abs(x) <= noise) x = 0;
    return fmt::format("{:.15g}", x + 0.0);  // + 0.0: no "-0"
}

double exchange_rounded(double x) { return std::strtod(exchange_number(x).c_str(), nullptr); }

double exchange_degrees(double radians) {
    return std::round(radians * 180 / std::numbers::pi * 1e12) / 1e12;
}

double exchange_angle(double radians) {
    return exchange_rounded(exchange_degrees(radians)) * (std::numbers::pi / 180);
}

std::string exchange_name(const std::string& prefix, const std::string& name) {
    std::string valid;
    for (const char c : name) valid += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    if (valid.empty() || std::isdigit(static_cast<unsigned char>(valid.front())) != 0)
        valid = prefix + valid;
    return valid;
}

namespace {

// Coordinates below this part of the model's size are what sines and cosines leave of zero.
constexpr double noise_of_size = tolerance::foreign_noise;

class ModelWriter {
public:
    explicit ModelWriter(const ExchangeModel& model) : model_(model) {
        double size = 0;
        const auto reach = [&size](PlaneVector v) { size = std::max(size, std::hypot(v.x, v.y)); };
        for (const ExchangeBody& body : model.bodies) reach(body.at);
        for (const ExchangeProfile& profile : model.profiles)
            for (const auto& curve : profile.curves) reach(point_of(curve, 0.0).p);
        noise_ = noise_of_size * size;
        for (const ExchangeJoint& joint : model.joints) add(joint.a), add(joint.b);
        for (const ExchangeSpring& spring : model.springs)
            if (spring.joint.empty()) add(spring.a), add(spring.b);
        for (const ExchangeMeasure& measure : model.measures) add(measure.point);
    }

    std::string text() {
        text_ = "format = 1\n";
        if (!model_.name.empty()) field("name", quoted(model_.name));
        head("units");
        field("length", quoted(model_.units.length));
        field("mass", quoted(model_.units.mass_or_consistent()));
        field("force", quoted(model_.units.force));
        for (std::size_t b = 0; b < model_.bodies.size(); ++b) body(static_cast<int>(b));
        for (const ExchangeJoint& j : model_.joints) joint(j);
        for (const ExchangeProfile& p : model_.profiles) profile(p);
        for (const ExchangeContact& c : model_.contacts) contact(c);
        for (const ExchangeDriver& d : model_.drivers) driver(d);
        forces();
        for (const ExchangeMeasure& m : model_.measures) {
            head("measure." + m.name);
            field("type", quoted("point"));
            field("point", point_text(m.point));
            field("unit", quoted(model_.units.length));
        }
        run();
        return text_;
    }

private:
    static std::string quoted(const std::string& s) {
        std::string q = "\"";
        for (const char c : s) {
            if (static_cast<unsigned char>(c) < ' ') continue;
            if (c == '"' || c == '\\') q += '\\';
            q += c;
        }
        return q + "\"";
    }
    [[nodiscard]] std::string number(double x) const { return exchange_number(x, noise_); }
    static std::string angle(double radians) {
        return quoted(exchange_number(exchange_degrees(radians)) + " deg");
    }
    [[nodiscard]] std::string vector(PlaneVector v) const {
        return "[" + number(v.x) + ", " + number(v.y) + "]";
    }
    [[nodiscard]] bool is_origin(PlaneVector v) const {
        return std::abs(v.x) <= noise_ && std::abs(v.y) <= noise_;
    }
    void add(const ExchangePoint& p) {
        if (is_origin(p.at)) return;
        for (const ExchangePoint& known : points_)
            if (known.body == p.body && known.name == p.name) return;
        points_.push_back(p);
    }
    [[nodiscard]] std::string point_text(const ExchangePoint& p) const {
        const std::string& body = model_.bodies[static_cast<std::size_t>(p.body)].name;
        return quoted(is_origin(p.at) ? body : body + "." + p.name);
    }
    void head(const std::string& name) { text_ += "\n[" + name + "]\n"; }
    void field(const char* key, const std::string& value) {
        text_ += std::string(key) + " = " + value + "\n";
    }

    void body(int index) {
        const ExchangeBody& b = model_.bodies[static_cast<std::size_t>(index)];
        std::string points;
        for (const ExchangePoint& p : points_)
            if (p.body == index)
                points += (points.empty() ? " " : ", ") + p.name + " = " + vector(p.at);
        if (index == 0 && points.empty()) return;
        head("body." + b.name);
        if (index > 0) {
            field("position", vector(b.at));
            if (b.angle != 0) field("angle", angle(b.angle));
            if (b.velocity) field("velocity", vector(*b.velocity));
            if (b.omega) field("omega", exchange_number(*b.omega));
            field("mass", exchange_number(b.mass));
            if (b.inertia != 0) field("inertia", exchange_number(b.inertia));
            if (!is_origin(b.centre)) field("centre", vector(b.centre));
        }
        if (!points.empty()) field("points", "{" + points + " }");
    }
    void joint(const ExchangeJoint& j) {
        head("joint." + j.name);
        field("type", quoted(j.type));
        field("a", point_text(j.a));
        field("b", point_text(j.b));
        if (j.type == "prismatic" && angle(j.axis) != angle(0)) field("axis", angle(j.axis));
    }
    void contact(const ExchangeContact& c) {
        head("contact." + c.name);
        field("a", quoted(c.a));
        field("b", quoted(c.b));
        if (c.restitution != 0) field("restitution", exchange_number(c.restitution));
        if (c.permanent) field("permanent", "true");
    }
    void driver(const ExchangeDriver& d) {
        head("driver." + d.name);
        field("joint", quoted(d.joint));
        field("type", quoted(d.expression.empty() ? "speed" : "expression"));
        if (d.expression.empty())
            field("speed", exchange_number(d.speed));
        else
            field("value", quoted(d.expression));
    }
    void forces() {
        if (model_.gravity.x != 0 || model_.gravity.y != 0) {
            head("force.gravity");
            field("type", quoted("gravity"));
            field("acceleration", vector(model_.gravity));
        }
        for (const ExchangeSpring& s : model_.springs) {
            head("force." + s.name);
            field("type", quoted(s.joint.empty() ? "spring" : "joint_spring"));
            if (s.joint.empty()) {
                field("a", point_text(s.a));
                field("b", point_text(s.b));
            } else {
                field("joint", quoted(s.joint));
            }
            field("stiffness", exchange_number(s.stiffness));
            if (s.damping != 0) field("damping", exchange_number(s.damping));
            if (s.preload != 0) field("preload", exchange_number(s.preload));
            field(s.joint.empty() ? "free_length" : "free_value", number(s.free));
        }
        for (const ExchangeJointForce& f : model_.joint_forces) {
            const std::string unit =
                model_.units.force + (f.is_torque ? " " + model_.units.length : "");
            head("force." + f.name);
            field("type", quoted("joint_force"));
            field("joint", quoted(f.joint));
            field("value", quoted(exchange_number(f.value) + " " + unit));
        }
    }
    void run() {
        head("run");
        field("analysis", quoted(model_.analysis));
        field("end", quoted(exchange_number(model_.end) + " s"));
        field("step", quoted(exchange_number(model_.step) + " s"));
        std::string names;
        for (const std::string& name : model_.independent)
            names += (names.empty() ? "" : ", ") + quoted(name);
        if (!names.empty()) field("independent", "[" + names + "]");
    }

    using Space = Planar<double>;
    void profile(const ExchangeProfile& p) {
        head("profile." + p.name);
        field("body", quoted(model_.bodies[static_cast<std::size_t>(p.body)].name));
        text_ += "elements = [\n";
        bool first = true;
        for (const auto& curve : p.curves) {
            std::visit([&](const auto& c) { element(c, first); }, curve);
            first = false;
        }
        text_ += "]\n";
    }
    void element(const Corner<Space>& c, bool) {
        text_ += "    { type = \"point\", at = " + vector(c.at) + " },\n";
    }
    void element(const LineCurve<Space>& c, bool first) {
        text_ += "    { type = \"line\", ";
        if (first) text_ += "from = " + vector(c.from) + ", ";
        text_ += "to = " + vector(c.to) + " },\n";
    }
    void element(const ArcCurve<Space>& c, bool) {
        text_ += "    { type = \"arc\", centre = " + vector(c.centre) +
                 ", radius = " + number(c.radius) + ", from = " + angle(c.from) +
                 ", to = " + angle(c.from + c.sweep) + " },\n";
    }
    void element(const CircleCurve<Space>& c, bool) {
        text_ += "    { type = \"circle\", centre = " + vector(c.centre) +
                 ", radius = " + number(c.radius) + ", from = " + angle(c.from) +
                 (c.hollow ? ", hollow = true" : "") + " },\n";
    }
    void element(const PolarPolynomial<Space>& c, bool) {
        std::string coefficients, exponents;
        for (const double x : c.coefficients)
            coefficients += (coefficients.empty() ? "" : ", ") + exchange_number(x);
        for (const double x : c.exponents)
            exponents += (exponents.empty() ? "" : ", ") + exchange_number(x);
        text_ += "    { type = \"polynomial\", origin = " + vector(c.origin) +
                 ", from = " + angle(c.from) + ", to = " + angle(c.to) +
                 ", start = " + angle(c.start) + ", scale = " + angle(c.scale) +
                 ", coefficients = [" + coefficients + "], exponents = [" + exponents + "] },\n";
    }
    void element(const SplineCurve<Space>& c, bool) {
        text_ += "    { type = \"spline\", ends = ";
        text_ += c.ends() == Ends::periodic ? "\"periodic\"" : "\"natural\"";
        text_ += ", points = [\n";
        for (const PlaneVector& p : c.points()) text_ += "        " + vector(p) + ",\n";
        text_ += "    ] },\n";
    }
    template <class Kind>
    void element(const Kind&, bool) {}  // no foreign file has it

    const ExchangeModel& model_;
    double noise_ = 0;
    std::vector<ExchangePoint> points_;
    std::string text_;
};

}  // namespace

std::string model_text_of(const ExchangeModel& model) { return ModelWriter(model).text(); }

}  // namespace pawl
