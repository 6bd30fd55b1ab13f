#include "design/synthesis/problem.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace pawl {

namespace {

using Vector = Linkage::Vector;

// (b - a) / length - (cos, sin)(angle): as long as the error of the angle, and never zero at the
// opposite direction.
void add_direction(const Linkage& l, int bar_index, double angle, int shift, double weight,
                   const Eigen::VectorXd& q, const Eigen::VectorXd& b, PositionRows& rows) {
    const Linkage::Bar& bar = l.bars[index_of(bar_index)];
    const Vector d = l.at(bar.b, q, b) - l.at(bar.a, q, b);
    const Vector e{std::cos(angle), std::sin(angle)};
    const double length = b[bar.length], scale = weight / length;
    const int x = rows.add(weight * (d.x / length - e.x));
    const int y = rows.add(weight * (d.y / length - e.y));
    rows.add_by_node(l, x, bar.b, {scale, 0});
    rows.add_by_node(l, y, bar.b, {0, scale});
    rows.add_by_node(l, x, bar.a, {-scale, 0});
    rows.add_by_node(l, y, bar.a, {0, -scale});
    rows.by_design(x, bar.length) -= scale * d.x / length;
    rows.by_design(y, bar.length) -= scale * d.y / length;
    if (shift < 0) return;
    rows.by_design(x, shift) += weight * e.y;
    rows.by_design(y, shift) -= weight * e.x;
}

}  // namespace

bool SynthesisTask::is_timed() const {
    return !positions.empty() && positions[0].input.has_value();
}

double SynthesisTask::size() const {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (const Requirement& r : positions) {
        const double p[2] = {kind == SynthesisKind::function ? r.output : r.point.x, r.point.y};
        for (int k = 0; k < 2; ++k) {
            low[k] = std::min(low[k], p[k]);
            high[k] = std::max(high[k], p[k]);
        }
    }
    const bool slides = linkage == LinkageKind::slider_crank;
    if (kind == SynthesisKind::function && slides) return high[0] - low[0];
    if (kind == SynthesisKind::function) return high[0] > low[0] ? ground_length() : 0;
    return std::hypot(high[0] - low[0], high[1] - low[1]);
}

// Between the pivots A and B that are given; 1 m without them.
double SynthesisTask::ground_length() const {
    const auto number = [&](const char* name) {
        for (const auto& [fixed_name, value] : fixed)
            if (fixed_name == name) return value;
        return static_cast<double>(NAN);
    };
    const double d = std::hypot(number("B.x") - number("A.x"), number("B.y") - number("A.y"));
    return d > 0 ? d : 1;
}

Vector SynthesisTask::centre() const {
    Vector sum;
    if (kind == SynthesisKind::function) return sum;
    for (const Requirement& r : positions) sum += r.point;
    return (1.0 / static_cast<double>(std::max<std::size_t>(positions.size(), 1))) * sum;
}

std::string SynthesisTask::problem() const {
    if (positions.size() < 2) return "at least two positions are needed";
    if (positions.size() > 1000) return "at most 1000 positions can be given";
    const auto timed = std::count_if(positions.begin(), positions.end(),
                                     [](const Requirement& r) { return r.input.has_value(); });
    if (kind == SynthesisKind::function && timed != static_cast<long>(positions.size()))
        return "a function needs an input angle in every position";
    if (timed != 0 && timed != static_cast<long>(positions.size()))
        return "give the crank angle in every position or in none";
    if (!(size() > 0)) return "all positions are the same: no motion is required";
    for (const Requirement& r : positions)
        if (r.tolerance && !(*r.tolerance > 0)) return "tolerances must be positive";
    return "";
}

SynthesisProblem::SynthesisProblem(SynthesisTask task)
    : SynthesisProblem(task, make_linkage(task.linkage, task.kind != SynthesisKind::function)) {}

SynthesisProblem::SynthesisProblem(SynthesisTask task, Linkage linkage)
    : task_(std::move(task)), linkage_(std::move(linkage)), timed_(task_.is_timed()) {
    if (task_.tolerance <= 0) task_.tolerance = 1e-3 * task_.size();
    if (task_.angle_tolerance <= 0) task_.angle_tolerance = std::numbers::pi / 360;
    const bool is_function = task_.kind == SynthesisKind::function;
    if (timed_ && !task_.absolute_angles) add_shift(input_shift, "input.shift", false);
    if (task_.kind == SynthesisKind::motion) add_shift(pose_shift, "pose.shift", false);
    if (is_function && (!task_.absolute_angles || linkage_.output < 0))
        add_shift(output_shift, "output.shift", linkage_.output < 0);
    for (const auto& [name, value] : task_.fixed) {
        const int number = linkage_.find_number(name);
        if (number < 0) continue;  // whoever made the task has checked the names
        linkage_.numbers[index_of(number)].value = value;
        linkage_.numbers[index_of(number)].fixed = true;
    }
    for (int i = 0; i < linkage_.design_size(); ++i)
        if (!linkage_.numbers[index_of(i)].fixed) free_.push_back(i);
    hard_ = closure_count(linkage_, timed_) + (timed_ ? 2 : 0);
    soft_ = is_function ? (linkage_.output >= 0 ? 2 : 1)
                        : (task_.kind == SynthesisKind::motion ? 4 : 2);
}

void SynthesisProblem::add_shift(int& shift, const char* name, bool is_length) {
    shift = linkage_.add_number(
        name, is_length ? DesignNumber::Kind::coordinate : DesignNumber::Kind::angle);
}

double SynthesisProblem::shifted(double angle, int shift, const Eigen::VectorXd& b) const {
    return shift < 0 ? angle : angle + b[shift];
}

double SynthesisProblem::input_angle(int position, const Eigen::VectorXd& b) const {
    return shifted(task_.positions[index_of(position)].input.value_or(0), input_shift, b);
}

SynthesisProblem SynthesisProblem::scaled(double factor) const {
    SynthesisProblem out = *this;
    const bool slides = task_.kind == SynthesisKind::function && linkage_.output < 0;
    const bool turns = task_.kind == SynthesisKind::function && linkage_.output >= 0;
    for (Requirement& r : out.task_.positions) {
        r.point = factor * r.point;
        if (slides) r.output *= factor;
        if (r.tolerance && !turns) *r.tolerance *= factor;
    }
    out.task_.tolerance *= factor;
    for (DesignNumber& number : out.linkage_.numbers)
        if (number.kind != DesignNumber::Kind::angle) number.value *= factor;
    out.linkage_.start_position *= factor;
    return out;
}

SynthesisUnknowns SynthesisProblem::scaled(SynthesisUnknowns x, double factor) const {
    for (int i = 0; i < linkage_.design_size(); ++i)
        if (linkage_.numbers[index_of(i)].kind != DesignNumber::Kind::angle) x.design[i] *= factor;
    for (Eigen::VectorXd& q : x.positions) q *= factor;
    return x;
}

void SynthesisProblem::evaluate(int position, const Eigen::VectorXd& q, const Eigen::VectorXd& b,
                                PositionRows& rows) const {
    const Requirement& r = task_.positions[index_of(position)];
    rows.reset(hard_ + soft_, linkage_.position_size(), linkage_.design_size());
    add_closure(linkage_, timed_, q, b, rows);
    if (timed_) {  // pin - pivot - length (cos, sin)
        const Linkage::Bar& bar = linkage_.bars[index_of(linkage_.input)];
        const Vector d = linkage_.at(bar.b, q, b) - linkage_.at(bar.a, q, b);
        const double angle = input_angle(position, b), length = b[bar.length];
        const Vector e{std::cos(angle), std::sin(angle)};
        const int x = rows.add(d.x - length * e.x), y = rows.add(d.y - length * e.y);
        rows.add_by_node(linkage_, x, bar.b, {1, 0});
        rows.add_by_node(linkage_, y, bar.b, {0, 1});
        rows.add_by_node(linkage_, x, bar.a, {-1, 0});
        rows.add_by_node(linkage_, y, bar.a, {0, -1});
        rows.by_design(x, bar.length) -= e.x;
        rows.by_design(y, bar.length) -= e.y;
        if (input_shift >= 0) {
            rows.by_design(x, input_shift) += length * e.y;
            rows.by_design(y, input_shift) -= length * e.x;
        }
    }
    add_functional(r, q, b, rows);
}

// Rows that a tolerance makes comparable: a length counts as itself where the tolerance is that of
// the task, an angle as the length that its tolerance is worth.
void SynthesisProblem::add_functional(const Requirement& r, const Eigen::VectorXd& q,
                                      const Eigen::VectorXd& b, PositionRows& rows) const {
    const bool is_function = task_.kind == SynthesisKind::function;
    const bool turns = is_function && linkage_.output >= 0;
    const double unit = turns ? task_.angle_tolerance : task_.tolerance;
    const double weight = unit / r.tolerance.value_or(unit);
    if (turns)
        return add_direction(linkage_, linkage_.output, shifted(r.output, output_shift, b),
                             output_shift, weight, q, b, rows);
    if (is_function) {
        const Linkage::Guide& g = linkage_.guides[index_of(linkage_.output_guide)];
        const Vector u{std::cos(b[g.angle]), std::sin(b[g.angle])};
        const Vector p = linkage_.at(g.point, q, b);
        const int row =
            rows.add(weight * (Planar<double>::dot(u, p) - shifted(r.output, output_shift, b)));
        rows.add_by_node(linkage_, row, g.point, weight * u);
        rows.by_design(row, g.angle) += weight * Planar<double>::cross(u, p);
        rows.by_design(row, output_shift) -= weight;
        return;
    }
    const Vector p = linkage_.at(linkage_.traced, q, b);
    const int x = rows.add(weight * (p.x - r.point.x)), y = rows.add(weight * (p.y - r.point.y));
    rows.add_by_node(linkage_, x, linkage_.traced, {weight, 0});
    rows.add_by_node(linkage_, y, linkage_.traced, {0, weight});
    if (task_.kind == SynthesisKind::motion)
        add_direction(linkage_, linkage_.carrier, shifted(r.angle, pose_shift, b), pose_shift,
                      weight * task_.tolerance / task_.angle_tolerance, q, b, rows);
}

double SynthesisProblem::error_in_tolerances(int position, const Eigen::VectorXd& q,
                                             const Eigen::VectorXd& b) const {
    PositionRows rows;
    evaluate(position, q, b, rows);
    const bool turns = task_.kind == SynthesisKind::function && linkage_.output >= 0;
    const double unit = turns ? task_.angle_tolerance : task_.tolerance;
    const Eigen::VectorXd soft = rows.value.tail(soft_) / unit;
    return soft.size() > 2 ? std::max(soft.head(2).norm(), soft.tail(2).norm()) : soft.norm();
}

}  // namespace pawl
