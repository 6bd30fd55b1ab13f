// The pictures of models and results.
#include <algorithm>

#include <fmt/format.h>

#include "face/result_inside.h"
#include "output/drawing/scene.h"

namespace pawl {

namespace {

// Enough for the lengths of guides and slots.
constexpr std::size_t longest_motion = 1000;

std::vector<BodyPoses> motion_of(const PlacedMechanism& placed, const Trajectory& trajectory) {
    if (trajectory.rows() == 0) return {placed.assembly.positions};
    std::vector<std::size_t> rows(std::min(trajectory.rows(), longest_motion));
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = i * (trajectory.rows() - 1) / std::max<std::size_t>(rows.size() - 1, 1);
    return poses_of(trajectory, placed.mechanism, rows);
}

Moment moment_at(const PlacedMechanism& placed, const Trajectory& trajectory, double t) {
    if (trajectory.rows() == 0) return {0, placed.assembly.positions, {}};
    std::size_t row = 0;
    while (row + 1 < trajectory.rows() && trajectory.row(row + 1)[0] <= t) ++row;
    return moment_of(trajectory, placed.mechanism, row);
}

}  // namespace

std::string picture_of(const PlacedMechanism& placed, const Trajectory& trajectory, double t) {
    const std::vector<BodyPoses> motion = motion_of(placed, trajectory);
    const Moment now = moment_at(placed, trajectory, t);
    const std::vector<BodyPoses> shown{now.poses};
    SceneOptions look;
    look.motion = motion;
    look.shown = shown;
    return svg(make_scene(placed, look),
               {fmt::format("t = {:.4g} s", now.t), now.poses, {}, {}, now.contacts});
}

}  // namespace pawl
