// `pawl draw`: a picture of a mechanism as SVG, at a time of its motion.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "model_file/write_file.h"
#include "output/scene.h"
#include "simulation/kinematic_run.h"
#include "support.h"

namespace pawl::cli {

namespace {

struct DrawCommand {
    ModelOptions options;
    std::string out, at;
    int strip = 0;
    bool trace = false, centres = false, elements = false;
    [[nodiscard]] int run() const;

private:
    struct Motion;
    [[nodiscard]] double time(const Motion& whole, const RunSettings& settings) const;
    [[nodiscard]] Picture picture(const PlacedMechanism& placed, RunSettings settings,
                                  double t) const;
};

// What moves in the picture: a dynamic run where the model asks for one, else a driven motion.
struct DrawCommand::Motion {
    Trajectory trajectory;
    bool completed = true;
    std::string message;
    Span span;

    Motion(const PlacedMechanism& placed, const RunSettings& run) {
        const auto take = [&](auto&& result, bool is_complete) {
            trajectory = std::move(result.trajectory);
            completed = is_complete;
            message = result.message;
            span = result.span;
        };
        if (run.analysis == "dynamics") {
            DynamicOptions options = dynamic_options(run);
            options.reactions = false;
            DynamicResult result = run_dynamics(placed, options);
            take(result, result.status == DynamicStatus::completed);
        } else {
            KinematicOptions options;
            options.end = run.end;
            options.step = run.step;
            if (run.coordinates == "absolute") options.coordinates = CoordinateKind::absolute;
            KinematicResult result = run_kinematics(placed, options);
            take(result, result.status == KinematicStatus::completed);
        }
    }
    [[nodiscard]] double last_time() const {
        return trajectory.rows() == 0 ? 0 : trajectory.row(trajectory.rows() - 1)[0];
    }
    // The last row that is not later; events have rows of their own.
    [[nodiscard]] std::size_t row_at(double t) const {
        std::size_t row = 0;
        while (row + 1 < trajectory.rows() && trajectory.row(row + 1)[0] <= t + 1e-9 * (1 + t))
            ++row;
        return row;
    }
};

// The time that --at asks for; without it the start, or with --strip the end of the motion.
double DrawCommand::time(const Motion& whole, const RunSettings& settings) const {
    const double last = whole.last_time();
    double t = strip > 0 ? last : 0;
    if (!at.empty()) t = time_on_command_line(at, "--at");
    if (!(t >= 0)) throw Failure{wrong_usage, "--at: the motion begins at t = 0"};
    if (t > settings.end * (1 + 1e-12))
        throw Failure{wrong_usage,
                      fmt::format("--at {}: the run ends at t = {:g} s", at, settings.end)};
    if (t > last * (1 + 1e-12))
        throw Failure{numerical_failure,
                      fmt::format("--at {}: the motion does not get there: {}", at, whole.message)};
    if (strip > 0 && t == 0) throw Failure{wrong_usage, "--strip: there is no motion before t = 0"};
    return t;
}

// The positions come from a run of their own that ends at t and has a row at each of them, so they
// are exact. A motion that ends where it began shows its first position only once, as its last.
Picture DrawCommand::picture(const PlacedMechanism& placed, RunSettings settings, double t) const {
    Picture out{fmt::format("t = {:.4g} s", t), placed.assembly.positions, {}, {}, {}};
    if (t == 0) settings.end = std::min(settings.end, settings.step);
    const int parts =
        std::max(1, strip * (strip - 1));  // equal parts: for open and for closed motions
    const double rows = parts * std::ceil(t / (parts * settings.step));
    if (t > 0) {
        settings.end = t;
        settings.step = t / rows;
    }
    const Motion motion(placed, settings);
    if (motion.trajectory.rows() == 0) return out;
    const auto position = [&](double share) {
        const std::array row{motion.row_at(share * t)};
        return poses_of(motion.trajectory, placed.mechanism, row).front();
    };
    out.now = position(1);
    const std::array last{motion.row_at(t)};
    out.contacts = contacts_of(motion.trajectory, placed.mechanism, last).front();
    if (strip == 0) return out;
    bool closed = true;
    for (std::size_t b = 0; b < out.now.size(); ++b) {
        const auto d = out.now[b].p - placed.assembly.positions[b].p,
                   u = out.now[b].u - placed.assembly.positions[b].u;
        closed =
            closed && std::hypot(d.x, d.y) / placed.assembly.diameter + std::hypot(u.x, u.y) < 1e-6;
    }
    const double share = 1.0 / (closed ? strip : strip - 1);
    for (int i = strip - 1; i > 0; --i) out.earlier.push_back(position(1 - i * share));
    out.caption =
        fmt::format("{} positions, {:.3g} s apart, the last at t = {:.4g} s", strip, share * t, t);
    return out;
}

// At most a thousand positions, enough for a smooth path.
std::vector<BodyPoses> whole_motion(const PlacedMechanism& placed, const Trajectory& trajectory) {
    if (trajectory.rows() == 0) return {placed.assembly.positions};
    std::vector<std::size_t> rows(std::min<std::size_t>(trajectory.rows(), 1000));
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = i * (trajectory.rows() - 1) / std::max<std::size_t>(rows.size() - 1, 1);
    return poses_of(trajectory, placed.mechanism, rows);
}

int DrawCommand::run() const {
    const Model model = options.read();
    const PlacedMechanism placed = assemble_or_fail(model);
    if (strip > 0 && placed.mechanism.drivers.empty() && model.run.analysis != "dynamics")
        throw Failure{wrong_usage,
                      "--strip: nothing drives this mechanism; add a [driver.NAME] table"};
    if (model.run.analysis == "dynamics") require_masses_or_fail(model);
    const Motion whole(placed, model.run);
    const double t = time(whole, model.run);
    if (!whole.completed && !options.quiet) {
        Diagnostics problems;
        problems.file = model.file;
        problems.warning(whole.span, whole.message);
        fmt::print(stderr, "{}", problems.text());
    }
    Picture shown = picture(placed, model.run, t);
    const std::vector<BodyPoses> motion = whole_motion(placed, whole.trajectory);
    if (trace) shown.traces = traces_of(placed.mechanism, motion);
    if (trace && shown.traces.empty())
        throw Failure{
            wrong_usage,
            "--trace: no point to trace; add a [measure.NAME] table with type = \"point\""};
    std::vector<BodyPoses> positions = shown.earlier;
    positions.push_back(shown.now);
    const std::string text = svg(make_scene(placed, {.motion = motion,
                                                     .shown = positions,
                                                     .traces = shown.traces,
                                                     .centres = centres,
                                                     .elements = elements}),
                                 shown);
    if (out == "-") {
        fmt::print("{}", text);
        return done;
    }
    const std::string file =
        out.empty() ? std::filesystem::path(model.file).stem().string() + ".svg" : out;
    if (const auto problem = write_file(file, text); !problem.empty())
        throw Failure{wrong_usage, "pawl: " + problem};
    if (options.json)
        fmt::print("{}\n", Json{{"model", model.file}, {"drawing", file}, {"t_s", t}}.dump(2));
    else if (!options.quiet)
        fmt::print("drawing {} ({})\n", file, shown.caption);
    return done;
}

}  // namespace

Command add_draw(CLI::App& app) {
    auto* sub = app.add_subcommand("draw", "a picture of the mechanism as SVG");
    auto command = std::make_shared<DrawCommand>();
    command->options.add_to(*sub, false);
    sub->add_option("-o,--out", command->out,
                    "file to write, - for standard output (default: MODEL.svg)");
    sub->add_option("--at", command->at,
                    "time of the position, e.g. \"0.25 s\" (default: the start)");
    sub->add_option("--strip", command->strip,
                    "this many positions up to --at (default: the end), fading")
        ->check(CLI::Range(2, 100));
    sub->add_flag("--trace", command->trace, "paths of all points that the model measures");
    sub->add_flag("--centres", command->centres, "mark the centres of mass");
    sub->add_flag("--elements", command->elements, "number the elements of profiles");
    return [command] { return command->run(); };
}

}  // namespace pawl::cli
