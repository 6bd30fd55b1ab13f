#include "simulation/record/written_columns.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <unordered_map>

#include "math/tolerances/records.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Vector = Space::Vector;

// The index of a column; -1 where there is none of this name.
class ColumnNames {
public:
    explicit ColumnNames(const std::vector<Column>& columns) {
        for (std::size_t i = 0; i < columns.size(); ++i)
            index_of_.emplace(columns[i].name, static_cast<int>(i));
    }
    int operator()(const std::string& name) const {
        const auto found = index_of_.find(name);
        return found == index_of_.end() ? -1 : found->second;
    }

private:
    std::unordered_map<std::string_view, int> index_of_;
};

}  // namespace

WrittenColumns::WrittenColumns(const PlanarMechanism& mechanism, const Trajectory& trajectory)
    : mechanism_(mechanism) {
    const ColumnNames find(trajectory.columns);
    judged.assign(mechanism_.bodies.size(), 1);
    free.assign(mechanism_.bodies.size(), 1);
    judged[0] = free[0] = 0;
    bodies.push_back(-1);
    for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b)
        bodies.push_back(find(mechanism_.bodies[b].name + ".x"));
    has_reactions = mechanism_.joints.empty() && mechanism_.drivers.empty();
    for (const auto& joint : mechanism_.joints) {
        const int column = find(joint.name + ".fx");
        joints.push_back(column);
        joint_friction.push_back(find(joint.name + ".friction"));
        has_reactions = has_reactions || column >= 0;
        for (int k = 0; k < joint.frame_count(); ++k) {
            const auto body = static_cast<std::size_t>(joint.frames[k].body);
            free[body] = 0;
            // What three bodies share is written for one of them only.
            if (joint.frame_count() > 2) judged[body] = 0;
        }
    }
    for (const auto& coupling : mechanism_.couplings) {
        couplings.push_back(find(coupling.joint.name + ".fx"));
        for (int k = 0; k < coupling.joint.frame_count(); ++k) {
            const auto body = static_cast<std::size_t>(coupling.joint.frames[k].body);
            free[body] = 0;
            if (coupling.joint.frame_count() > 2) judged[body] = 0;
        }
    }
    for (const auto& driver : mechanism_.drivers) {
        drivers.push_back(find(driver.name + ".force"));
        has_reactions = has_reactions || drivers.back() >= 0;
        for (const auto& frame : driver.coordinate.frames)
            free[static_cast<std::size_t>(frame.body)] = 0;
    }
    for (const auto& state : mechanism_.states) states.push_back(find(state.name));
    find_points(trajectory.columns);
}

void WrittenColumns::find_points(const std::vector<Column>& columns) {
    const ColumnNames find(columns);
    // Not every number has columns: points that touched without pressing have used some up.
    for (std::size_t i = 0; i < mechanism_.contacts.size(); ++i) {
        const std::string prefix = mechanism_.contacts[i].name + "#", suffix = ".gap";
        for (const Column& column : columns) {
            if (!column.name.starts_with(prefix) || !column.name.ends_with(suffix)) continue;
            const std::string head = column.name.substr(0, column.name.size() - suffix.size() + 1);
            PointColumns c{static_cast<int>(i), std::stoi(head.substr(prefix.size()))};
            c.gap = find(column.name);
            c.a = find(head + "a");
            c.b = find(head + "b");
            c.normal = find(head + "normal");
            c.slip = find(head + "slip");
            c.closed = find(head + "closed");
            c.friction = find(head + "friction");
            c.mode = find(head + "mode");
            c.rolling = find(head + "rolling");
            points.push_back(c);
        }
    }
}

WrittenColumns::BodyMotion WrittenColumns::motion_of(std::span<const double> row, int body) const {
    if (body == 0) return {};
    const auto x = row.subspan(static_cast<std::size_t>(bodies[body]), 9);
    return {Space::position_of({{x[0], x[1]}, x[2]}), {{x[3], x[4]}, x[5]}, {{x[6], x[7]}, x[8]}};
}

Vector WrittenColumns::velocity_at(std::span<const double> row, int body, Vector p) const {
    const BodyMotion m = motion_of(row, body);
    return m.velocity.v + m.velocity.omega * Space::turned(p - m.position.p);
}

WrittenColumns::Touching WrittenColumns::touching_on(std::span<const double> row,
                                                     const PointColumns& c,
                                                     std::array<int, 2> elements) const {
    const auto& pair = mechanism_.contacts[static_cast<std::size_t>(c.pair)];
    Touching touching;
    Vector normal[2];
    bool smooth[2]{};
    for (const int side : {0, 1}) {
        const auto& profile =
            mechanism_
                .profiles[static_cast<std::size_t>(side == 0 ? pair.profile_a : pair.profile_b)];
        const int element = elements[static_cast<std::size_t>(side)];
        const double u = row[static_cast<std::size_t>(side == 0 ? c.a : c.b)] - element;
        const auto& curve = profile.chain.elements[static_cast<std::size_t>(element)];
        smooth[side] = !std::holds_alternative<Corner<Space>>(curve) &&
                       (profile.chain.elements.size() == 1 ||
                        (u > tolerance::written_end && u < 1 - tolerance::written_end));
        const auto point = point_of<Space>(curve, u);
        const auto frame = profile.frame.on(motion_of(row, profile.frame.body).position);
        touching.p[side] = frame.p + frame.to_ground(point.p);
        normal[side] = frame.to_ground(point.n);
    }
    touching.known = smooth[0] || smooth[1];
    touching.n = smooth[0] ? normal[0] : -normal[1];
    const Vector d = touching.p[1] - touching.p[0];
    touching.apart = Space::dot(d, touching.n);
    touching.beside = std::abs(Space::cross(d, touching.n));
    return touching;
}

// A corner that is pressed in may be tilted out of its cone: its coordinate then is that of its
// neighbours. Those elements count that fit the gap best.
WrittenColumns::Touching WrittenColumns::touching_at(std::span<const double> row,
                                                     const PointColumns& c) const {
    const auto& pair = mechanism_.contacts[static_cast<std::size_t>(c.pair)];
    const double gap = row[static_cast<std::size_t>(c.gap)];
    const auto count_of = [&](int profile) {
        return static_cast<int>(
            mechanism_.profiles[static_cast<std::size_t>(profile)].chain.elements.size());
    };
    const int counts[2] = {count_of(pair.profile_a), count_of(pair.profile_b)};
    const int middle[2] = {static_cast<int>(std::floor(row[static_cast<std::size_t>(c.a)])),
                           static_cast<int>(std::floor(row[static_cast<std::size_t>(c.b)]))};
    const int reach = is_rigid(pair.law) ? 0 : 1;
    Touching best;
    double least = INFINITY;
    for (int i = -reach; i <= reach; ++i)
        for (int j = -reach; j <= reach; ++j) {
            const Touching touching = touching_on(row, c,
                                                  {std::clamp(middle[0] + i, 0, counts[0] - 1),
                                                   std::clamp(middle[1] + j, 0, counts[1] - 1)});
            const double off = std::max(std::abs(touching.apart - gap), touching.beside);
            if (touching.known && off < least) {
                least = off;
                best = touching;
            }
        }
    return best;
}

}  // namespace pawl
