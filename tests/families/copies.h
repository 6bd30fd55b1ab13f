// Writes a mechanism as a model file after a similarity: turned, mirrored, moved, and in other
// units of length, mass and time. Complex numbers are places and vectors.
#pragma once

#include <algorithm>
#include <complex>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace pawl::test {

struct Similarity {
    double turn = 0, mirror = 1;
    std::complex<double> move = {};
    double length = 1, mass = 1, time = 1;

    [[nodiscard]] std::complex<double> vector(std::complex<double> v) const {
        return std::polar(1.0, turn) * std::complex<double>(v.real(), mirror * v.imag());
    }
    [[nodiscard]] std::complex<double> moved(std::complex<double> p) const {
        return length * vector(p) + move;
    }
    // On a body, whose axes are mirrored with it.
    [[nodiscard]] std::complex<double> local(std::complex<double> p) const {
        return length * std::complex<double>(p.real(), mirror * p.imag());
    }
    [[nodiscard]] double force() const { return mass * length / (time * time); }
};

struct CopiedBody {
    std::string name;
    std::complex<double> at;
    double angle = 0;
    std::complex<double> velocity;
    double omega = 0, mass = 1, inertia = 1;
    std::complex<double> centre = {};
    std::vector<std::pair<std::string, std::complex<double>>> points = {};
};

class CopyWriter {
public:
    explicit CopyWriter(const Similarity& s) : s_(s) {}

    void body(const CopiedBody& b) {
        const auto at = s_.moved(b.at), v = s_.length / s_.time * s_.vector(b.velocity),
                   centre = s_.local(b.centre);
        text_ += fmt::format(
            "[body.{}]\nposition = {}\nangle = {:.17g}\nvelocity = {}\nomega = {:.17g}\nmass = "
            "{:.17g}\ninertia = {:.17g}\ncentre = {}\n",
            b.name, pair(at), s_.mirror * b.angle + s_.turn, pair(v), s_.mirror * b.omega / s_.time,
            s_.mass * b.mass, s_.mass * s_.length * s_.length * b.inertia, pair(centre));
        std::string points;
        for (const auto& [name, p] : b.points)
            points += fmt::format("{}{} = {}", points.empty() ? "" : ", ", name, pair(s_.local(p)));
        if (!points.empty()) text_ += "points = { " + points + " }\n";
    }
    void ground_point(const std::string& name, std::complex<double> p) {
        ground_ += fmt::format("{}{} = {}", ground_.empty() ? "" : ", ", name, pair(s_.moved(p)));
    }
    // `friction`: the moment's coefficient with the radius of the pin; 0 for none.
    void pin(const std::string& name, const std::string& a, const std::string& b,
             double friction = 0, double radius = 0) {
        text_ +=
            fmt::format("[joint.{}]\ntype = \"revolute\"\na = \"{}\"\nb = \"{}\"\n", name, a, b);
        if (friction > 0)
            text_ += fmt::format("radius = {:.17g}\nfriction = {{ kinetic = {:.17g} }}\n",
                                 s_.length * radius, friction);
    }
    void circle(const std::string& name, const std::string& body, std::complex<double> centre,
                double radius) {
        text_ += fmt::format(
            "[profile.{}]\nbody = \"{}\"\nelements = [{{ type = \"circle\", centre = {}, radius = "
            "{:.17g} }}]\n",
            name, body, pair(on(body, centre)), s_.length * radius);
    }
    // Straight sides with the material on the left of the way; closed when the ends meet.
    void sides(const std::string& name, const std::string& body,
               std::vector<std::complex<double>> corners) {
        if (s_.mirror < 0) std::reverse(corners.begin(), corners.end());
        text_ += fmt::format("[profile.{}]\nbody = \"{}\"\nelements = [", name, body);
        for (std::size_t i = 1; i < corners.size(); ++i)
            text_ += fmt::format("{}{{ type = \"line\", {}to = {} }}", i > 1 ? ", " : "",
                                 i > 1 ? "" : "from = " + pair(on(body, corners[0])) + ", ",
                                 pair(on(body, corners[i])));
        text_ += "]\n";
    }
    void contact(const std::string& name, const std::string& a, const std::string& b,
                 double restitution, double friction, const std::string& law = "") {
        text_ += fmt::format("[contact.{}]\na = \"{}\"\nb = \"{}\"\nrestitution = {:.17g}\n", name,
                             a, b, restitution);
        if (friction > 0) text_ += fmt::format("friction = {{ kinetic = {:.17g} }}\n", friction);
        if (!law.empty()) text_ += fmt::format("impact = \"{}\"\n", law);
    }
    void joint_spring(const std::string& joint, double stiffness, double damping) {
        const double moment = s_.force() * s_.length;
        text_ += fmt::format(
            "[force.spring_{0}]\ntype = \"joint_spring\"\njoint = \"{0}\"\nstiffness = "
            "{1:.17g}\ndamping = {2:.17g}\n",
            joint, moment * stiffness, moment * s_.time * damping);
    }
    void point_force(const std::string& point, std::complex<double> force) {
        const auto f = s_.force() * s_.vector(force);
        text_ += fmt::format(
            "[force.load]\ntype = \"force\"\npoint = \"{}\"\nx = {:.17g}\ny = {:.17g}\n", point,
            f.real(), f.imag());
    }
    void gravity(std::complex<double> acceleration = {0, -9.81}) {
        const auto g = s_.length / (s_.time * s_.time) * s_.vector(acceleration);
        text_ += fmt::format("[force.weight]\ntype = \"gravity\"\nacceleration = {}\n", pair(g));
    }
    [[nodiscard]] std::string text() const {
        return "format = 1\n" +
               (ground_.empty() ? "" : "[body.ground]\npoints = { " + ground_ + " }\n") + text_;
    }

private:
    [[nodiscard]] std::complex<double> on(const std::string& body, std::complex<double> p) const {
        return body == "ground" ? s_.moved(p) : s_.local(p);
    }
    static std::string pair(std::complex<double> p) {
        return fmt::format("[{:.17g}, {:.17g}]", p.real(), p.imag());
    }

    Similarity s_;
    std::string ground_, text_;
};

}  // namespace pawl::test
