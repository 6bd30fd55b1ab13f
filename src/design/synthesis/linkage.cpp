#include "design/synthesis/linkage.h"

#include <cmath>

namespace pawl {

namespace {

using Vector = Linkage::Vector;

Vector direction(double angle) { return {std::cos(angle), std::sin(angle)}; }

double size_of(Vector v) { return std::hypot(v.x, v.y); }

}  // namespace

Vector Linkage::at(int node, const Eigen::VectorXd& q, const Eigen::VectorXd& b) const {
    const Node& n = nodes[index_of(node)];
    if (n.on_ground()) return {b[n.x], b[n.y]};
    return {q[index(node)], q[index(node) + 1]};
}

Eigen::VectorXd Linkage::design() const {
    Eigen::VectorXd b(design_size());
    for (int i = 0; i < design_size(); ++i) b[i] = numbers[index_of(i)].value;
    return b;
}

void Linkage::set_design(const Eigen::VectorXd& b) {
    for (int i = 0; i < design_size(); ++i) numbers[index_of(i)].value = b[i];
    for (std::size_t k = 0; k < bars.size(); ++k) {
        double& length = numbers[index_of(bars[k].length)].value;
        if (length >= 0) continue;
        length = -length;
        for (const PlatePoint& p : plates) {
            if (p.bar != static_cast<int>(k)) continue;
            numbers[index_of(p.x)].value *= -1;
            numbers[index_of(p.y)].value *= -1;
        }
    }
}

double Linkage::bar_angle(int bar, const Eigen::VectorXd& q, const Eigen::VectorXd& b) const {
    const Vector d = at(bars[index_of(bar)].b, q, b) - at(bars[index_of(bar)].a, q, b);
    return std::atan2(d.y, d.x);
}

void Linkage::take_dimensions(const Eigen::VectorXd& q, Eigen::VectorXd& b) const {
    const auto set = [&](int number, double value) {
        if (!numbers[index_of(number)].fixed) b[number] = value;
    };
    for (const Bar& bar : bars) set(bar.length, size_of(at(bar.b, q, b) - at(bar.a, q, b)));
    for (const PlatePoint& p : plates) {
        const Vector a = at(bars[index_of(p.bar)].a, q, b);
        const Vector u = direction(bar_angle(p.bar, q, b)), d = at(p.point, q, b) - a;
        set(p.x, Planar<double>::dot(u, d));
        set(p.y, Planar<double>::cross(u, d));
    }
    for (const Guide& g : guides)
        set(g.offset, Planar<double>::cross(direction(b[g.angle]), at(g.point, q, b)));
}

int Linkage::add_number(std::string name, DesignNumber::Kind kind, double value) {
    numbers.push_back({std::move(name), kind, value, false});
    return design_size() - 1;
}

int Linkage::add_ground(std::string name) {
    const int x = add_number(name + ".x", DesignNumber::Kind::coordinate);
    const int y = add_number(name + ".y", DesignNumber::Kind::coordinate);
    nodes.push_back({std::move(name), x, y});
    index_.push_back(-1);
    return static_cast<int>(nodes.size()) - 1;
}

int Linkage::add_point(std::string name) {
    nodes.push_back({std::move(name)});
    index_.push_back(2 * moving_++);
    return static_cast<int>(nodes.size()) - 1;
}

int Linkage::add_bar(std::string name, int a, int b) {
    const int length = add_number(name, DesignNumber::Kind::length);
    bars.push_back({std::move(name), a, b, length});
    return static_cast<int>(bars.size()) - 1;
}

int Linkage::add_plate_point(std::string name, int bar) {
    const int x = add_number(name + ".x", DesignNumber::Kind::coordinate);
    const int y = add_number(name + ".y", DesignNumber::Kind::coordinate);
    const int node = add_point(std::move(name));
    plates.push_back({node, bar, x, y});
    return node;
}

void Linkage::add_guide(std::string name, int point) {
    const int angle = add_number(name + ".angle", DesignNumber::Kind::angle);
    const int offset = add_number(name + ".offset", DesignNumber::Kind::coordinate);
    guides.push_back({std::move(name), point, angle, offset});
}

int Linkage::find_number(std::string_view name) const {
    for (int i = 0; i < design_size(); ++i)
        if (numbers[index_of(i)].name == name) return i;
    return -1;
}

void PositionRows::reset(int rows, int position_size, int design_size) {
    value.setZero(rows);
    by_position.setZero(rows, position_size);
    by_design.setZero(rows, design_size);
    used = 0;
}

int PositionRows::add(double row_value) {
    value[used] = row_value;
    return used++;
}

void PositionRows::add_by_node(const Linkage& linkage, int row, int node, Vector derivative) {
    const Linkage::Node& n = linkage.nodes[index_of(node)];
    if (n.on_ground()) {
        by_design(row, n.x) += derivative.x;
        by_design(row, n.y) += derivative.y;
    } else {
        by_position(row, linkage.index(node)) += derivative.x;
        by_position(row, linkage.index(node) + 1) += derivative.y;
    }
}

int closure_count(const Linkage& linkage, bool input_prescribed) {
    return static_cast<int>(linkage.bars.size() + 2 * linkage.plates.size() +
                            linkage.guides.size()) -
           (input_prescribed ? 1 : 0);
}

// Squared lengths (iii) to (v) of example 10.3; plate points (vi) and (vii) with the sign that the
// figure has: p - a - R(u) (x, y), u = (b - a) / length; guides as a distance.
void add_closure(const Linkage& linkage, bool input_prescribed, const Eigen::VectorXd& q,
                 const Eigen::VectorXd& b, PositionRows& rows) {
    for (std::size_t k = 0; k < linkage.bars.size(); ++k) {
        if (input_prescribed && static_cast<int>(k) == linkage.input) continue;
        const Linkage::Bar& bar = linkage.bars[k];
        const Vector d = linkage.at(bar.b, q, b) - linkage.at(bar.a, q, b);
        const double length = b[bar.length];
        const int row = rows.add(d.x * d.x + d.y * d.y - length * length);
        rows.add_by_node(linkage, row, bar.b, 2.0 * d);
        rows.add_by_node(linkage, row, bar.a, -2.0 * d);
        rows.by_design(row, bar.length) -= 2 * length;
    }
    for (const Linkage::PlatePoint& p : linkage.plates) {
        const Linkage::Bar& bar = linkage.bars[index_of(p.bar)];
        const Vector a = linkage.at(bar.a, q, b), d = linkage.at(bar.b, q, b) - a;
        const double length = b[bar.length], x = b[p.x] / length, y = b[p.y] / length;
        const Vector turned{d.x * x - d.y * y, d.y * x + d.x * y};
        const Vector r = linkage.at(p.point, q, b) - a - turned;
        const int row_x = rows.add(r.x), row_y = rows.add(r.y);
        rows.add_by_node(linkage, row_x, p.point, {1, 0});
        rows.add_by_node(linkage, row_y, p.point, {0, 1});
        rows.add_by_node(linkage, row_x, bar.b, {-x, y});
        rows.add_by_node(linkage, row_y, bar.b, {-y, -x});
        rows.add_by_node(linkage, row_x, bar.a, {x - 1, -y});
        rows.add_by_node(linkage, row_y, bar.a, {y, x - 1});
        rows.by_design(row_x, p.x) -= d.x / length;
        rows.by_design(row_x, p.y) += d.y / length;
        rows.by_design(row_y, p.x) -= d.y / length;
        rows.by_design(row_y, p.y) -= d.x / length;
        rows.by_design(row_x, bar.length) += turned.x / length;
        rows.by_design(row_y, bar.length) += turned.y / length;
    }
    for (const Linkage::Guide& g : linkage.guides) {
        const Vector u = direction(b[g.angle]), p = linkage.at(g.point, q, b);
        const int row = rows.add(Planar<double>::cross(u, p) - b[g.offset]);
        rows.add_by_node(linkage, row, g.point, {-u.y, u.x});
        rows.by_design(row, g.angle) -= Planar<double>::dot(u, p);
        rows.by_design(row, g.offset) -= 1;
    }
}

Linkage make_linkage(LinkageKind kind, bool with_point) {
    Linkage l;
    const int a = l.add_ground("A");
    const int fixed = kind == LinkageKind::slider_crank ? -1 : l.add_ground("B");
    const int pin = l.add_point("P1"), second = l.add_point("P2");
    l.input = l.add_bar("crank", a, pin);
    const int coupler = l.add_bar("coupler", pin, second);
    l.carrier = coupler;
    if (kind == LinkageKind::slider_crank) {
        l.add_guide("guide", second);
        l.output_guide = 0;
        l.transmissions = {{coupler, -1, 0}};
        if (with_point) l.traced = l.add_plate_point("C", coupler);
        return l;
    }
    const int rocker = l.add_bar("rocker", fixed, second);
    l.output = rocker;
    l.transmissions = {{coupler, rocker, -1}};
    if (kind == LinkageKind::four_bar) {
        if (with_point) l.traced = l.add_plate_point("C", coupler);
        return l;
    }
    // Stephenson: the dyad hangs on the coupler; Watt: on the rocker.
    const int third = l.add_plate_point("P3", kind == LinkageKind::six_bar ? coupler : rocker);
    const int end = l.add_ground("F"), fourth = l.add_point("P4");
    const int link = l.add_bar("link", third, fourth);
    l.output = l.add_bar("output", end, fourth);
    l.carrier = link;
    l.transmissions.push_back({link, l.output, -1});
    if (with_point) l.traced = l.add_plate_point("C", link);
    return l;
}

}  // namespace pawl
