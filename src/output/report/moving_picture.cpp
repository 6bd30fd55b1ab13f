#include "output/report/moving_picture.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "output/drawing/player_stage.h"
#include "output/drawing/scene.h"
#include "output/svg/svg_text.h"

namespace pawl {

namespace {

using Vector = PlanarSpace::Vector;

constexpr std::size_t longest_path = 1000;  // points: enough for a smooth path

// The paths of measured points; of the centres of mass that move where none is measured.
std::vector<Trace> paths_of(const PlacedMechanism& placed, std::span<const BodyPoses> motion) {
    const PlanarMechanism& mechanism = placed.mechanism;
    std::vector<Trace> out = traces_of(mechanism, motion);
    if (!out.empty()) return out;
    for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) {
        Trace trace{mechanism.bodies[b].name + " centre", static_cast<int>(b), {}};
        double way = 0;
        for (const BodyPoses& poses : motion) {
            trace.path.push_back(poses[b].p + poses[b].to_ground(mechanism.bodies[b].centre));
            const Vector d = trace.path.back() - trace.path.front();
            way = std::max(way, std::hypot(d.x, d.y));
        }
        if (way > 1e-3 * placed.assembly.diameter) out.push_back(std::move(trace));
    }
    return out;
}

// A dot on the body of each path.
void mark_traced_points(Scene& scene, const std::vector<Trace>& traces, const BodyPoses& first) {
    for (const Trace& trace : traces) {
        const auto& pose = first[static_cast<std::size_t>(trace.body)];
        const Vector d = trace.path.front() - pose.p;
        const Vector p =
            scene.scale * Vector{PlanarSpace::dot(pose.u, d), PlanarSpace::cross(pose.u, d)};
        SceneBody& body = scene.bodies[static_cast<std::size_t>(trace.body)];
        body.shape += fmt::format(
            "<circle class='traced' cx='{}' cy='{}' r='{}' fill='{}' fill-opacity='1'/>",
            drawing::number(p.x), drawing::number(p.y), drawing::number(0.5 * scene.bar),
            body.line);
    }
}

}  // namespace

MovingPicture moving_picture(const StoredResult& result, const PlacedMechanism& placed) {
    const Trajectory& t = result.trajectory;
    std::vector<std::size_t> rows(std::min(t.rows(), longest_path));
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = i * (t.rows() - 1) / std::max<std::size_t>(rows.size() - 1, 1);
    std::vector<BodyPoses> motion{placed.assembly.positions};
    if (!rows.empty()) motion = poses_of(t, placed.mechanism, rows);
    Picture picture{"the start of the motion", motion.front(), {}, paths_of(placed, motion), {}};
    Scene scene = make_scene(placed, {.motion = motion, .shown = motion, .traces = picture.traces});
    mark_traced_points(scene, picture.traces, motion.front());
    return {player_stage(scene, picture), report_data(result, placed, scene)};
}

namespace {

// Between the places of pins that should be one, where the mechanism cannot be assembled.
nlohmann::ordered_json open_pins(const PlacedMechanism& placed) {
    auto out = nlohmann::ordered_json::array();
    const auto& positions = placed.assembly.positions;
    for (const auto& joint : placed.mechanism.joints) {
        if (!std::holds_alternative<Revolute<PlanarSpace>>(joint.kind)) continue;
        const Vector a = joint.frames[0].on(positions[joint.frames[0].body]).p,
                     b = joint.frames[1].on(positions[joint.frames[1].body]).p;
        const double gap = std::hypot(b.x - a.x, b.y - a.y);
        if (gap > 1e-6 * placed.assembly.model_size)
            out.push_back(
                {{"joint", joint.name}, {"from", {a.x, a.y}}, {"to", {b.x, b.y}}, {"length", gap}});
    }
    return out;
}

}  // namespace

std::string moving_picture_json(const StoredResult& result, const PlacedMechanism& placed) {
    const MovingPicture made = moving_picture(result, placed);
    using Json = nlohmann::ordered_json;
    Json out{{"stage", made.stage},
             {"about", Json::parse(made.data.description)},
             {"blocks", made.data.blocks}};
    if (!placed.ok()) out["gaps"] = open_pins(placed);
    return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace pawl
