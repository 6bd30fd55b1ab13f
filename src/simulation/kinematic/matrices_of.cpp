#include "simulation/kinematic/matrices_of.h"

#include <algorithm>

#include "coordinates/measures.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Mechanics = MechanismEquations<Space>;

std::string unit_of(Component component) { return component == Component::angle ? "rad" : "m"; }

bool same_attachment(const Attachment<Space>& a, const Attachment<Space>& b) {
    return a.body == b.body && a.local.at.x == b.local.at.x && a.local.at.y == b.local.at.y &&
           a.local.angle == b.local.angle;
}

// "A.angle" of a joint, "crank.angle" of a body, "crank.P.x" of a named point on it.
std::string name_of_coordinate(const PlanarMechanism& mechanism, const Coordinate<Space>& c) {
    const std::string tail = "." + std::string(component_name(c.component));
    for (const auto& joint : mechanism.joints)
        for (const Component component : joint.coordinates())
            if (component == c.component && same_attachment(joint.frames[0], c.frames[0]) &&
                same_attachment(joint.frames[1], c.frames[1]))
                return joint.name + tail;
    const Attachment<Space>& at = c.frames[1];
    const auto& body = mechanism.bodies[static_cast<std::size_t>(at.body)];
    for (const auto& point : body.points)
        if (c.component != Component::angle && point.at.x == at.local.at.x &&
            point.at.y == at.local.at.y && (point.at.x != 0 || point.at.y != 0))
            return body.name + "." + point.name + tail;
    return body.name + tail;
}

class MatrixMaker {
public:
    MatrixMaker(const MatrixSources& s, const MotionNode& node)
        : s_(s), mechanism_(s.placed.mechanism), node_(node) {
        out_.t = node.t;
        s_.equations.set_motion(node.q, node.v, node.t);
        out_.singular = !s_.system.factor(s_.equations.jacobian());
        for (int r = 0; r < s_.equations.pattern().rows(); ++r)
            rows_.push_back({s_.equations.labels()[static_cast<std::size_t>(r)].name,
                             s_.equations.row_is_angle(r) ? "rad" : "m"});
        for (int c = 0; c < s_.equations.size(); ++c)
            columns_.push_back({s_.equations.column_name(c),
                                unit_of(s_.equations.coordinates().column_component(c))});
        find_independent();
    }

    MotionMatrices make() {
        out_.matrices = {coordinates(), jacobian(), right_sides()};
        if (!out_.singular) out_.matrices.push_back(influence());
        s_.equations.set_motion(node_.q, node_.v, node_.t);
        return std::move(out_);
    }

private:
    void find_independent() {
        std::size_t driver = 0;
        const auto& decisive = s_.system.rows();
        for (int r = 0; r < s_.equations.pattern().rows(); ++r) {
            const RowLabel& label = s_.equations.labels()[static_cast<std::size_t>(r)];
            const bool driven = label.role == RowRole::driver;
            if (!driven && label.role != RowRole::rest) continue;
            const std::string coordinate =
                driven ? name_of_coordinate(mechanism_, mechanism_.drivers[driver++].coordinate)
                       : label.name;
            // A driver in excess follows from the others.
            if (std::find(decisive.begin(), decisive.end(), r) == decisive.end()) continue;
            out_.independent.push_back(
                {label.name, coordinate, rows_[static_cast<std::size_t>(r)].unit, driven});
            inputs_.push_back(r);
        }
    }

    LabelledMatrix coordinates() const {
        LabelledMatrix m{"coordinates",
                         "coordinates q, their rates and accelerations",
                         columns_,
                         {{"q", "1"}, {"rate", "s"}, {"acceleration", "s^2"}},
                         {}};
        for (std::size_t i = 0; i < node_.q.size(); ++i)
            m.values.insert(m.values.end(), {node_.q[i], node_.v[i], node_.a[i]});
        return m;
    }

    LabelledMatrix jacobian() const {
        const RowPattern& p = s_.equations.pattern();
        LabelledMatrix m{"jacobian", "Jacobian d(phi)/d(q)", rows_, columns_, {}};
        m.values.assign(rows_.size() * columns_.size(), 0.0);
        for (int r = 0; r < p.rows(); ++r)
            for (int i = p.start[r]; i < p.start[r + 1]; ++i)
                m.values[static_cast<std::size_t>(r) * columns_.size() +
                         static_cast<std::size_t>(p.column[i])] =
                    s_.equations.jacobian()[static_cast<std::size_t>(i)] /
                    s_.equations.row_scale(r);
        return m;
    }

    LabelledMatrix right_sides() const {
        LabelledMatrix m{"rows",
                         "residual phi; right sides of velocity (-phi_t) and acceleration (gamma)",
                         rows_,
                         {{"phi", "1"}, {"-phi_t", "s"}, {"gamma", "s^2"}},
                         {}};
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            const double scale = s_.equations.row_scale(static_cast<int>(r));
            for (const auto* side :
                 {&s_.equations.phi(), &s_.equations.nu(), &s_.equations.gamma()})
                m.values.push_back((*side)[r] / scale + 0.0);
        }
        return m;
    }

    LabelledMatrix influence() {
        LabelledMatrix m{"influence",
                         "influence matrix [K]: joint and curvilinear coordinates by the "
                         "independent ones",
                         {},
                         {},
                         {}};
        for (const IndependentCoordinate& c : out_.independent)
            m.columns.push_back({c.name, c.unit});
        find_open();
        m.rows = followers();
        m.values.assign(m.rows.size() * m.columns.size(), 0.0);
        for (std::size_t j = 0; j < inputs_.size(); ++j) {
            std::vector<double> unit(rows_.size(), 0.0), k(columns_.size());
            unit[static_cast<std::size_t>(inputs_[j])] = s_.equations.row_scale(inputs_[j]);
            s_.system.solve(unit, k);
            const std::vector<double> rates = rates_for(k);
            for (std::size_t r = 0; r < rates.size(); ++r)
                m.values[r * m.columns.size() + j] = rates[r] + 0.0;
        }
        return m;
    }

    // The nearest point of each pair that has no closed point.
    void find_open() {
        for (const int pair : s_.watch.pairs()) {
            const auto& closed = s_.equations.contacts();
            if (std::any_of(closed.begin(), closed.end(),
                            [&](const auto& point) { return point.pair == pair; }))
                continue;
            if (auto point = s_.watch.nearest_point(s_.equations.coordinates(), pair))
                open_.push_back(*point);
        }
    }

    // What depends on the independent coordinates, in the order of `rates_for`.
    [[nodiscard]] std::vector<Column> followers() const {
        std::vector<Column> out;
        for (const auto& joint : mechanism_.joints)
            for (const Component c : joint.coordinates())
                out.push_back({joint.name + "." + std::string(component_name(c)), unit_of(c)});
        for (const int body : s_.placed.topology.free_bodies)
            for (const Component c : {Component::x, Component::y, Component::angle})
                out.push_back({mechanism_.bodies[static_cast<std::size_t>(body)].name + "." +
                                   std::string(component_name(c)),
                               unit_of(c)});
        const auto add_contact = [&](const ContactPoint<Space>& point, bool open) {
            const std::string name = name_of(mechanism_, point);
            out.insert(out.end(), {{name + ".a", "1"}, {name + ".b", "1"}});
            if (open) out.push_back({name + ".gap", "m"});
        };
        for (const auto& point : s_.equations.contacts()) add_contact(point, false);
        for (const auto& point : open_) add_contact(point, true);
        return out;
    }

    [[nodiscard]] std::vector<double> rates_for(const std::vector<double>& k) const {
        std::vector<double> out;
        s_.equations.set_velocity(k);
        auto& c = s_.equations.coordinates();
        for (const auto& joint : mechanism_.joints)
            for (const Component component : joint.coordinates())
                out.push_back(evaluate_coordinate(c, coordinate_of(joint, component)).rate);
        for (const int body : s_.placed.topology.free_bodies) {
            const auto& twist = c.velocity(body);
            out.insert(out.end(), {twist.v.x, twist.v.y, twist.omega});
        }
        for (const auto& point : s_.equations.contacts())
            out.insert(out.end(), {point.rates.u[0], point.rates.u[1]});
        for (const auto& point : open_) {
            const auto moving = s_.watch.locate(c, point, k);
            out.insert(out.end(), {moving.rates.u[0], moving.rates.u[1], moving.rates.closing});
        }
        return out;
    }

    MatrixSources s_;
    const PlanarMechanism& mechanism_;
    const MotionNode& node_;
    MotionMatrices out_;
    std::vector<Column> rows_, columns_;
    std::vector<int> inputs_;  // rows of the independent coordinates
    std::vector<ContactPoint<Space>> open_;
};

}  // namespace

MotionMatrices matrices_of(const MatrixSources& sources, const MotionNode& node) {
    return MatrixMaker(sources, node).make();
}

}  // namespace pawl
