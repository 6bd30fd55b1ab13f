#include "output/report/moving_picture.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "math/tolerances/outside.h"
#include "mechanism/joint_kind.h"
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
        if (way > tolerance::trace_length * placed.assembly.diameter)
            out.push_back(std::move(trace));
    }
    return out;
}

// What leaves the mechanism by more than so many times its size does not make the picture small.
constexpr double farthest = 2.5;

// The motion with every body kept where it was last near the place of the mechanism at its start;
// its paths end there too.
std::vector<BodyPoses> near_start(const PlacedMechanism& placed,
                                  const std::vector<BodyPoses>& motion,
                                  std::vector<Trace>& traces) {
    const double size = placed.assembly.diameter;
    Vector low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};
    for (const auto& pose : motion.front()) {
        low = {std::min(low.x, pose.p.x), std::min(low.y, pose.p.y)};
        high = {std::max(high.x, pose.p.x), std::max(high.y, pose.p.y)};
    }
    const auto is_near = [&](Vector p) {
        const double room = farthest * size;
        return p.x > low.x - room && p.x < high.x + room && p.y > low.y - room &&
               p.y < high.y + room;
    };
    std::vector<BodyPoses> out = motion;
    for (std::size_t i = 1; i < out.size(); ++i)
        for (std::size_t b = 1; b < out[i].size(); ++b)
            if (!is_near(out[i][b].p)) out[i][b] = out[i - 1][b];
    for (Trace& trace : traces)
        trace.path.erase(std::find_if_not(trace.path.begin(), trace.path.end(), is_near),
                         trace.path.end());
    std::erase_if(traces, [](const Trace& trace) { return trace.path.size() < 2; });
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
    const std::vector<BodyPoses> shown = near_start(placed, motion, picture.traces);
    // Paths that were asked for decide how large the picture is; a centre of mass may lie far
    // outside.
    const bool measured = !traces_of(placed.mechanism, {motion.data(), 1}).empty();
    Scene scene = make_scene(placed, {.motion = shown,
                                      .shown = shown,
                                      .traces = measured ? std::span<const Trace>(picture.traces)
                                                         : std::span<const Trace>{}});
    mark_traced_points(scene, picture.traces, motion.front());
    return {player_stage(scene, picture), report_data(result, placed, scene)};
}

namespace {

// Between the positions of pins that should be one, where the mechanism cannot be assembled.
nlohmann::ordered_json open_pins(const PlacedMechanism& placed) {
    auto out = nlohmann::ordered_json::array();
    const auto& positions = placed.assembly.positions;
    for (const auto& joint : placed.mechanism.joints) {
        if (!std::holds_alternative<Revolute<PlanarSpace>>(*joint.kind)) continue;
        const Vector a = joint.frames[0].on(positions[joint.frames[0].body]).p,
                     b = joint.frames[1].on(positions[joint.frames[1].body]).p;
        const double gap = std::hypot(b.x - a.x, b.y - a.y);
        if (gap > tolerance::visible_gap * placed.assembly.model_size)
            out.push_back(
                {{"joint", joint.name}, {"from", {a.x, a.y}}, {"to", {b.x, b.y}}, {"length", gap}});
    }
    return out;
}

}  // namespace

std::string moving_picture_json(const StoredResult& result, const PlacedMechanism& placed) {
    const MovingPicture made = moving_picture(result, placed);
    using Json = nlohmann::ordered_json;
    const auto text = [](const Json& json) {
        return json.dump(-1, ' ', false, Json::error_handler_t::replace);
    };
    // The description is JSON already, and large: it is not parsed again.
    std::string out = "{\"stage\":" + text(made.stage) + ",\"about\":" + made.data.description +
                      ",\"blocks\":" + text(made.data.blocks);
    if (!placed.ok()) out += ",\"gaps\":" + text(open_pins(placed));
    return out + "}";
}

}  // namespace pawl
