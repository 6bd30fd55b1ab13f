#include "design/synthesis/linkage_model.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "math/units.h"

namespace pawl {

namespace {

using Eigen::VectorXd;
using Vector = Linkage::Vector;

constexpr double degree = std::numbers::pi / 180;

// Writes one linkage. Every bar is a body, so is every slider; ground points are those of ground.
class ModelWriter {
public:
    ModelWriter(const SynthesisProblem& problem, const Solution& solution)
        : problem_(problem),
          l_(problem.linkage()),
          s_(solution),
          b_(solution.exact.design),
          q_(solution.exact.positions.front()),
          unit_(find_unit(problem.task().unit).value_or(Unit{}).factor) {}

    std::string text() {
        head();
        parameters();
        bodies();
        joints();
        driver();
        measures();
        out_ += "\n[run]\nanalysis = \"kinematics\"\n";
        out_ += fmt::format("end = \"{} s\"\nstep = \"5 ms\"\n", s_.appraisal.crank_turns ? 1 : 2);
        return std::move(out_);
    }

private:
    [[nodiscard]] std::string length(double metres) const {
        return fmt::format("{:.15g} {}", metres / unit_, unit_ == 1 ? "m" : problem_.task().unit);
    }
    static std::string angle(double radians) {
        return fmt::format("{:.15g} deg", radians / degree);
    }
    static std::string parameter(const std::string& name) {
        std::string out = name;
        std::replace(out.begin(), out.end(), '.', '_');
        // A pivot "A" and a bar may not share a name with a body's table: numbers stand apart.
        return out.find('_') == std::string::npos ? out + "_length" : out;
    }
    [[nodiscard]] std::string number(int i) const {
        return "\"" + parameter(l_.numbers[index_of(i)].name) + "\"";
    }
    [[nodiscard]] const std::string& node(int i) const { return l_.nodes[index_of(i)].name; }

    void head() {
        const Appraisal& a = s_.appraisal;
        const SynthesisTask& task = problem_.task();
        out_ += fmt::format("# {} found by `pawl synthesise {}` for {} positions.\n",
                            l_.bars.size() == 3 && l_.guides.empty() ? "Four-bar" : "Linkage",
                            value_name(task.kind), problem_.positions());
        out_ += fmt::format("# Type: {}; defects: {}; least transmission angle: {:.1f} degrees.\n",
                            a.type, a.defects(), a.transmission / degree);
        out_ += fmt::format("# The largest error is {:.3g} tolerances.\n", a.worst_error);
        out_ += fmt::format("format = 1\nname = \"{}\"\n\n[parameters]\n", task.name);
    }

    void parameters() {
        for (const DesignNumber& n : l_.numbers) {
            if (n.name.ends_with(".shift")) continue;
            const double v = b_[l_.find_number(n.name)];
            out_ += fmt::format("{} = \"{}\"\n", parameter(n.name),
                                n.kind == DesignNumber::Kind::angle ? angle(v) : length(v));
        }
    }

    void bodies() {
        out_ += "\n[body.ground]\npoints = { ";
        std::string points;
        const auto add = [&](const std::string& name, const std::string& x, const std::string& y) {
            points += (points.empty() ? "" : ", ") + name + " = [" + x + ", " + y + "]";
        };
        for (const Linkage::Node& n : l_.nodes)
            if (n.on_ground()) add(n.name, number(n.x), number(n.y));
        for (const Linkage::Guide& g : l_.guides) {
            const std::string at = parameter(l_.numbers[index_of(g.angle)].name),
                              offset = parameter(l_.numbers[index_of(g.offset)].name);
            add("on_" + g.name, fmt::format("\"-{}*sin({})\"", offset, at),
                fmt::format("\"{}*cos({})\"", offset, at));
        }
        out_ += points + " }\n";
        for (std::size_t k = 0; k < l_.bars.size(); ++k) {
            const Linkage::Bar& bar = l_.bars[k];
            points.clear();
            add(node(bar.a), "0", "0");
            add(node(bar.b), number(bar.length), "0");
            for (const Linkage::PlatePoint& p : l_.plates)
                if (index_of(p.bar) == k) add(node(p.point), number(p.x), number(p.y));
            body(bar.name, bar.a, l_.bar_angle(static_cast<int>(k), q_, b_));
            out_ += "points = { " + points + " }\n";
        }
        for (const Linkage::Guide& g : l_.guides) body(g.name + "_block", g.point, 0);
    }

    void body(const std::string& name, int origin, double direction) {
        const Vector p = l_.at(origin, q_, b_);
        out_ += fmt::format("\n[body.{}]\nposition = [\"{}\", \"{}\"]\nangle = \"{}\"\n", name,
                            length(p.x), length(p.y), angle(direction));
    }

    // Every point that several bodies share is a pin between the first and each other.
    void joints() {
        for (int n = 0; n < static_cast<int>(l_.nodes.size()); ++n) {
            std::vector<std::string> points;
            if (l_.nodes[index_of(n)].on_ground()) points.push_back("ground." + node(n));
            for (std::size_t k = 0; k < l_.bars.size(); ++k) {
                bool has = l_.bars[k].a == n || l_.bars[k].b == n;
                for (const Linkage::PlatePoint& p : l_.plates)
                    has = has || (index_of(p.bar) == k && p.point == n);
                if (has) points.push_back(l_.bars[k].name + "." + node(n));
            }
            for (const Linkage::Guide& g : l_.guides)
                if (g.point == n) points.push_back(g.name + "_block");
            for (std::size_t k = 1; k < points.size(); ++k)
                out_ += fmt::format("\n[joint.{}{}]\ntype = \"revolute\"\na = \"{}\"\nb = \"{}\"\n",
                                    node(n), k == 1 ? "" : std::to_string(k), points[0], points[k]);
        }
        for (const Linkage::Guide& g : l_.guides)
            out_ += fmt::format(
                "\n[joint.{0}]\ntype = \"prismatic\"\na = \"ground.on_{0}\"\nb = \"{0}_block\"\n"
                "axis = {1}\nangle = 0\n",
                g.name, number(g.angle));
    }

    void driver() {
        const Appraisal& a = s_.appraisal;
        const std::string joint = node(l_.bars[index_of(l_.input)].a);
        out_ += fmt::format("\n[driver.motor]\njoint = \"{}\"\n", joint);
        if (a.crank_turns) {
            out_ += fmt::format("type = \"speed\"\nspeed = \"{} rpm\"\n", 60 * a.direction);
            return;
        }
        const std::string lift = angle(a.to - a.from), back = angle(a.from - a.to);
        out_ += fmt::format(
            "type = \"cam\"\nsegments = [\n"
            "    {{ law = \"cycloidal\", lift = \"{}\", time = \"1 s\" }},\n"
            "    {{ law = \"cycloidal\", lift = \"{}\", time = \"1 s\" }},\n]\n",
            lift, back);
    }

    void measures() {
        if (l_.traced >= 0)
            out_ += fmt::format(
                "\n[measure.{0}]\ntype = \"point\"\npoint = \"{1}.{0}\"\nunit = \"{2}\"\n",
                node(l_.traced), bar_of(l_.traced), problem_.task().unit);
        const SynthesisKind kind = problem_.task().kind;
        if (kind == SynthesisKind::motion) turn("pose", l_.bars[index_of(l_.carrier)].name);
        if (kind != SynthesisKind::function) return;
        turn("input", l_.bars[index_of(l_.input)].name);
        if (l_.output >= 0)
            turn("output", l_.bars[index_of(l_.output)].name);
        else
            out_ +=
                fmt::format("\n[measure.output]\ntype = \"joint\"\njoint = \"{}\"\nunit = \"{}\"\n",
                            l_.guides[index_of(l_.output_guide)].name, problem_.task().unit);
    }

    void turn(const char* name, const std::string& body) {
        out_ += fmt::format(
            "\n[measure.{}]\ntype = \"angle\"\na = \"ground\"\nb = \"{}\"\nunit = \"deg\"\n", name,
            body);
    }

    [[nodiscard]] std::string bar_of(int point) const {
        for (const Linkage::PlatePoint& p : l_.plates)
            if (p.point == point) return l_.bars[index_of(p.bar)].name;
        for (const Linkage::Bar& bar : l_.bars)
            if (bar.a == point || bar.b == point) return bar.name;
        return "ground";
    }

    const SynthesisProblem& problem_;
    const Linkage& l_;
    const Solution& s_;
    const VectorXd &b_, &q_;
    double unit_;
    std::string out_;
};

}  // namespace

std::string model_text(const SynthesisProblem& problem, const Solution& solution) {
    return ModelWriter(problem, solution).text();
}

}  // namespace pawl
