// `pawl draw`: a picture of a mechanism at a time of its motion, a strip of positions, or a moving
// picture.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "motion.h"
#include "output/drawing/animation.h"
#include "output/drawing/scene.h"
#include "output/drawing/strip.h"

namespace pawl::cli {

namespace {

struct DrawCommand {
    ModelOptions options;
    std::string out, at, from;
    int strip = 0, width = 0;
    bool side_by_side = false, animate = false;
    bool trace = false, centres = false, elements = false;
    [[nodiscard]] int run() const;

private:
    struct Shown;  // what the command works on
    void check(const Source& source, const PlacedMechanism& placed) const;
    // Only the start is shown: assembling the model is enough.
    [[nodiscard]] bool shows_start() const {
        return strip == 0 && !animate && !trace &&
               (at.empty() || time_on_command_line(at, "--at") == 0);
    }
    [[nodiscard]] std::pair<double, double> times(const Motion& whole, const Shown& shown) const;
    [[nodiscard]] std::vector<Moment> moments(const Shown& shown, const Motion& whole) const;
    [[nodiscard]] std::vector<Moment> strip_of(const Motion& motion, const Shown& shown) const;
    [[nodiscard]] std::string caption(const std::vector<Moment>& moments) const;
    [[nodiscard]] std::string text(const Shown& shown, const Motion& whole,
                                   const std::vector<Moment>& moments) const;
};

struct DrawCommand::Shown {
    const PlacedMechanism& placed;
    RunSettings settings;
    bool stored;
    double from = 0, to = 0;
    std::string caption = {};
};

void DrawCommand::check(const Source& source, const PlacedMechanism& placed) const {
    if (side_by_side && strip == 0)
        throw Failure{wrong_usage, "--side-by-side needs --strip N, the number of positions"};
    const bool moves = strip > 0 || animate;
    if (moves && !source.result && placed.mechanism.drivers.empty() &&
        source.model.run.analysis != Analysis::dynamics)
        throw Failure{wrong_usage, fmt::format("--{}: nothing drives this mechanism; add a "
                                               "[driver.NAME] table",
                                               animate ? "animate" : "strip")};
    if (!moves && !from.empty()) throw Failure{wrong_usage, "--from needs --strip N or --animate"};
    if (!source.result && source.model.run.analysis == Analysis::dynamics)
        require_masses_or_fail(source.model);
}

// From --from (or the start) to --at; without that the start, or with --strip and --animate the end
// of the motion.
std::pair<double, double> DrawCommand::times(const Motion& whole, const Shown& shown) const {
    const bool moves = strip > 0 || animate;
    const double last = whole.last_time(), end = shown.stored ? last : shown.settings.end;
    double t = moves ? last : 0, begin = 0;
    if (!at.empty()) t = time_on_command_line(at, "--at");
    if (!from.empty()) begin = time_on_command_line(from, "--from");
    if (!(t >= 0) || !(begin >= 0))
        throw Failure{wrong_usage,
                      std::string(t >= 0 ? "--from" : "--at") + ": the motion begins at t = 0"};
    if (t > end * (1 + 1e-12))
        throw Failure{wrong_usage, fmt::format("--at {}: the run ends at t = {:g} s", at, end)};
    if (t > last * (1 + 1e-12))
        throw Failure{numerical_failure,
                      fmt::format("--at {}: the motion ends earlier: {}", at, whole.message)};
    if (moves && !(t > begin))
        throw Failure{wrong_usage, fmt::format("--{}: there is no motion between t = {:g} s and "
                                               "{:g} s",
                                               animate ? "animate" : "strip", begin, t)};
    return {begin, t};
}

// Positions at equal distances in time. A motion that ends where it began shows its first position
// only once, as its last.
std::vector<Moment> DrawCommand::strip_of(const Motion& motion, const Shown& shown) const {
    const auto moment = [&](double t) {
        return moment_of(motion.trajectory, shown.placed.mechanism, motion.row_at(t));
    };
    const Moment first = moment(shown.from), last = moment(shown.to);
    bool closed = true;
    for (std::size_t b = 0; b < first.poses.size(); ++b) {
        const auto d = last.poses[b].p - first.poses[b].p, u = last.poses[b].u - first.poses[b].u;
        closed =
            closed &&
            std::hypot(d.x, d.y) / shown.placed.assembly.diameter + std::hypot(u.x, u.y) < 1e-6;
    }
    const double apart = (shown.to - shown.from) / (closed ? strip : strip - 1);
    std::vector<Moment> out;
    for (int i = strip - 1; i > 0; --i) out.push_back(moment(shown.to - i * apart));
    out.push_back(last);
    return out;
}

// The positions come from a run of their own that ends at the last one and has rows at equal parts
// of the time, so those of a strip from the start are exact. From a result they are the rows that
// it has.
std::vector<Moment> DrawCommand::moments(const Shown& shown, const Motion& whole) const {
    Motion again;
    if (!shown.stored && !shows_start()) {
        RunSettings settings = shown.settings;
        const int parts = std::max(1, strip * (strip - 1));  // for open and for closed motions
        if (shown.to > 0) {
            settings.end = shown.to;
            settings.step = shown.to / (parts * std::ceil(shown.to / (parts * settings.step)));
        } else {  // with the paths of the whole motion
            settings.end = std::min(settings.end, settings.step);
        }
        again = run_for_picture(shown.placed, settings);
    }
    const Motion& motion = shown.stored ? whole : again;
    const Trajectory& rows = motion.trajectory;
    if (rows.rows() == 0) return {{0, shown.placed.assembly.positions, {}}};
    if (strip > 0) return strip_of(motion, shown);
    const std::size_t first = motion.row_at(shown.from), last = motion.row_at(shown.to);
    if (!animate) return {moment_of(rows, shown.placed.mechanism, last)};
    constexpr std::size_t max_frames = 600;
    const std::size_t frames = std::min(max_frames, last - first + 1);
    std::vector<Moment> out;
    for (std::size_t i = 0; i < frames; ++i)
        out.push_back(moment_of(rows, shown.placed.mechanism,
                                first + i * (last - first) / std::max<std::size_t>(frames - 1, 1)));
    return out;
}

std::string DrawCommand::caption(const std::vector<Moment>& moments) const {
    const double t = moments.back().t;
    if (animate) {
        const double motion = t - moments.front().t, ratio = showing_time(motion) / motion;
        if (ratio > 1.01) return fmt::format("slowed down {:.3g} times", ratio);
        if (ratio < 0.99) return fmt::format("{:.3g} times real time", 1 / ratio);
        return "real time";
    }
    if (strip == 0) return fmt::format("t = {:.4g} s", t);
    return fmt::format("{} positions, {:.3g} s apart, the last at t = {:.4g} s", strip,
                       moments[1].t - moments[0].t, t);
}

// At most a thousand positions, enough for a smooth path.
std::vector<BodyPoses> whole_motion(const PlacedMechanism& placed, const Trajectory& trajectory) {
    if (trajectory.rows() == 0) return {placed.assembly.positions};
    std::vector<std::size_t> rows(std::min<std::size_t>(trajectory.rows(), 1000));
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = i * (trajectory.rows() - 1) / std::max<std::size_t>(rows.size() - 1, 1);
    return poses_of(trajectory, placed.mechanism, rows);
}

std::string DrawCommand::text(const Shown& shown, const Motion& whole,
                              const std::vector<Moment>& moments) const {
    const std::vector<BodyPoses> motion = whole_motion(shown.placed, whole.trajectory);
    std::vector<Trace> traces;
    if (trace) traces = traces_of(shown.placed.mechanism, motion);
    if (trace && traces.empty())
        throw Failure{
            wrong_usage,
            "--trace: no point to trace; add a [measure.NAME] table with type = \"point\""};
    std::vector<BodyPoses> positions;
    for (const Moment& m : moments) positions.push_back(m.poses);
    SceneOptions look{.motion = motion,
                      .shown = positions,
                      .traces = traces,
                      .centres = centres,
                      .elements = elements};
    if (width > 0) look.room = room_on_page(width);
    Scene scene = make_scene(shown.placed, look);
    if (animate)
        return svg_animation(scene,
                             {shown.caption, moments, traces, showing_time(shown.to - shown.from)});
    if (side_by_side) {
        const auto size = scene.high - scene.low;
        const StripLayout layout =
            strip_layout(strip, std::max(size.x, 0.05 * size.y) / std::max(size.y, 0.05 * size.x),
                         width > 0 ? width : usual_strip_width);
        look.room = layout.room;
        scene = make_scene(shown.placed, look);
        return svg_strip(scene, shown.caption, moments, layout.columns);
    }
    Picture picture{shown.caption, moments.back().poses, positions, traces,
                    moments.back().contacts};
    picture.earlier.pop_back();
    return svg(scene, picture);
}

int DrawCommand::run() const {
    const Source source = read_source(options);
    const PlacedMechanism placed = assemble_or_fail(source.model);
    check(source, placed);
    const Motion whole = source.result   ? stored_motion(*source.result, placed.mechanism)
                         : shows_start() ? Motion{}
                                         : run_for_picture(placed, source.model.run);
    Shown shown{placed, source.model.run, source.result.has_value()};
    std::tie(shown.from, shown.to) = times(whole, shown);
    if (!options.quiet) warn_of_end(whole, source.model);
    const std::vector<Moment> positions = moments(shown, whole);
    shown.caption = caption(positions);
    const std::string file =
        out.empty() ? std::filesystem::path(source.model.file).stem().string() + ".svg" : out;
    if (const auto ending = std::filesystem::path(file).extension();
        animate && (ending == ".png" || ending == ".pdf"))
        throw Failure{wrong_usage, "--animate: a " + ending.string() +
                                       " file cannot hold an animation; write .svg"};
    write_picture(file, text(shown, whole, positions));
    if (file == "-") return done;
    if (options.json)
        print_json(Json{{"model", source.model.file}, {"drawing", file}, {"t_s", shown.to}});
    else if (!options.quiet)
        fmt::print("drawing {} ({})\n", file, shown.caption);
    return done;
}

}  // namespace

Command add_draw(CLI::App& app) {
    auto* sub = app.add_subcommand("draw", "draw the mechanism as SVG, PNG or PDF");
    auto command = std::make_shared<DrawCommand>();
    command->options.add_to(*sub, false);
    sub->get_option("model")->description(
        "model file (TOML), or the folder of a result, whose motion is shown");
    sub->add_option("-o,--out", command->out,
                    "file to write, .svg, .png or .pdf; - for standard output (default: MODEL.svg)")
        ->check(picture_name_problem);
    sub->add_option("--at", command->at,
                    "time of the position, e.g. \"0.25 s\" (default: the start)");
    auto* strip =
        sub->add_option("--strip", command->strip,
                        "draw N positions up to --at (default: the end), earlier ones fainter")
            ->check(CLI::Range(2, 100));
    sub->add_option("--width", command->width,
                    "width of the picture in pixels, e.g. 360 for a phone; text keeps its size "
                    "(default: 850)")
        ->check(CLI::Range(240, 4000));
    sub->add_option("--from", command->from, "with --strip or --animate: the first time");
    sub->add_flag("--side-by-side", command->side_by_side,
                  "with --strip: place the positions side by side, each with its time");
    sub->add_flag("--animate", command->animate, "draw an animation (SVG, for a browser)")
        ->excludes(strip);
    sub->add_flag("--trace", command->trace,
                  "draw the paths of all points that the model measures");
    sub->add_flag("--centres", command->centres, "mark the centres of mass");
    sub->add_flag("--elements", command->elements, "number the elements of profiles");
    return [command] { return command->run(); };
}

}  // namespace pawl::cli
