// `pawl poincare` and `pawl spectrum`: what the samples of a motion show, stored or run for it.
#include <algorithm>
#include <cmath>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "analysis/poincare.h"
#include "analysis/time_series.h"
#include "model_file/text/write_file.h"
#include "motion.h"
#include "output/plot/plot.h"
#include "output/result/column_names.h"
#include "support.h"

namespace pawl::cli {

namespace {

std::string label(const Column& column) { return column.name + " [" + column.unit + "]"; }

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

// A value on the command line in the unit of a column, or in one of its dimension.
double value_for(const Column& column, const std::string& text, const char* flag) {
    const auto unit = parse_unit(column.unit);
    ExpressionError error;
    const auto e = Expression::parse(text, SymbolTable{}, {}, error);
    const auto value =
        e ? e->converted_to(unit ? unit->dimension : dimension::none, {}, error) : std::nullopt;
    if (!value) throw Failure{wrong_usage, std::string(flag) + ": " + error.message};
    return value->evaluate(std::span<const double>{});
}

void require_positive_number(double value, const char* flag) {
    if (!(value > 0)) throw Failure{wrong_usage, std::string(flag) + " must be above zero"};
}

// From which time on a motion counts: as asked, or its second half.
double transient(const Trajectory& motion, const std::string& after) {
    const double last = motion.rows() > 0 ? motion.row(motion.rows() - 1)[0] : 0;
    const double t = after.empty() ? 0.5 * last : time_on_command_line(after, "--after");
    if (t < last) return t;
    throw Failure{wrong_usage,
                  fmt::format("--after: the motion ends at {:.6g} s; run it for longer", last)};
}

struct PoincareCommand {
    ModelOptions model;
    std::string end, step, section, every, event, after, plot;
    std::vector<std::string> columns;
    bool falling = false, both = false;
    double tolerance = 1e-3;

    [[nodiscard]] int run() const;

private:
    [[nodiscard]] Trajectory cut(const Samples& samples, double from) const;
    [[nodiscard]] Trajectory cut_at_events(const Samples& samples, double from) const;
    [[nodiscard]] std::vector<int> compared(const Samples& samples) const;
    [[nodiscard]] std::vector<std::string> leave_out(const Trajectory& points,
                                                     const Samples& samples,
                                                     std::vector<int>& compared) const;
    void draw(const Trajectory& points, const Samples& samples) const;
    [[nodiscard]] std::string rule() const {
        return !section.empty() ? section : !every.empty() ? "every " + every : "event " + event;
    }
};

Crossing read_crossing(const std::string& text, const Samples& samples) {
    const auto equals = text.find('=');
    if (equals == std::string::npos)
        throw Failure{wrong_usage,
                      "--section needs COLUMN = VALUE or COLUMN = VALUE mod TURN, e.g. "
                      "\"crank.angle = 90 deg mod 360 deg\""};
    Crossing out;
    out.column = trimmed(text.substr(0, equals));
    const Column& column = samples.trajectory.columns[samples.column(out.column)];
    std::string value = trimmed(text.substr(equals + 1));
    if (const auto mod = value.find(" mod "); mod != std::string::npos) {
        out.modulus = value_for(column, trimmed(value.substr(mod + 5)), "--section");
        require_positive_number(out.modulus, "--section: the value after 'mod'");
        value = trimmed(value.substr(0, mod));
    }
    out.value = value_for(column, value, "--section");
    return out;
}

Trajectory PoincareCommand::cut_at_events(const Samples& samples, double from) const {
    const auto space = event.find(' ');
    const std::string kind = event.substr(0, space),
                      element = space == std::string::npos ? "" : trimmed(event.substr(space));
    std::vector<std::string> kinds;
    for (int k = 0; k <= static_cast<int>(EventKind::user); ++k) {
        kinds.emplace_back(event_name(static_cast<EventKind>(k)));
        if (kinds.back() == kind)
            return section_at_events(samples.trajectory, samples.events, static_cast<EventKind>(k),
                                     element, from);
    }
    throw Failure{wrong_usage,
                  "--event: no kind of event '" + kind + "'" + did_you_mean(kind, kinds)};
}

Trajectory PoincareCommand::cut(const Samples& samples, double from) const {
    if (!every.empty()) return section_every(samples.trajectory, seconds(every, "--every"), from);
    if (!event.empty()) return cut_at_events(samples, from);
    Crossing crossing = read_crossing(section, samples);
    crossing.direction = both ? 0 : falling ? -1 : 1;
    Trajectory out = section_at(samples.trajectory, crossing, from);
    if (out.rows() > 0) return out;
    const std::size_t c = samples.column(crossing.column);
    const auto values = samples.values(c, from);
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    throw Failure{numerical_failure,
                  fmt::format("pawl: '{}' never crosses the section {}: from {:.6g} s on it is "
                              "between {:.6g} and {:.6g} {}",
                              crossing.column,
                              both      ? ""
                              : falling ? "falling"
                                        : "rising",
                              from, *low, *high, samples.trajectory.columns[c].unit)};
}

// Positions and velocities of the bodies that move, where no columns are asked for.
std::vector<int> PoincareCommand::compared(const Samples& samples) const {
    std::vector<std::string> names, patterns = columns;
    for (const Column& c : samples.trajectory.columns) names.push_back(c.name);
    if (patterns.empty())
        for (std::size_t b = 1; b < samples.model.mechanism.bodies.size(); ++b)
            for (const char* tail : {".x", ".y", ".angle", ".vx", ".vy", ".omega"})
                patterns.push_back(samples.model.mechanism.bodies[b].name + tail);
    std::string problem;
    const auto found = names_fitting(patterns, names, "column", problem);
    if (!problem.empty()) throw Failure{wrong_usage, "pawl: " + problem};
    std::vector<int> out;
    for (const std::string& name : found) out.push_back(samples.trajectory.find(name));
    return out;
}

// Takes out the positions that move on for ever, where no columns are asked for; their names.
std::vector<std::string> PoincareCommand::leave_out(const Trajectory& points,
                                                    const Samples& samples,
                                                    std::vector<int>& compared) const {
    std::vector<std::string> out;
    if (!columns.empty()) return out;
    std::erase_if(compared, [&](int c) {
        const Column& column = points.columns[static_cast<std::size_t>(c)];
        if (column.unit != "m") return false;  // angles are compared without whole turns
        const auto values = samples.values(static_cast<std::size_t>(c), 0);
        const auto [low, high] = std::minmax_element(values.begin(), values.end());
        if (!moves_on(points, c, tolerance * (*high - *low))) return false;
        out.push_back(column.name);
        return true;
    });
    return out;
}

void PoincareCommand::draw(const Trajectory& points, const Samples& samples) const {
    std::vector<int> chosen = compared(samples);
    if (columns.empty()) {
        const std::size_t main = samples.main_column();
        const std::string name = points.columns[main].name;
        int rate = points.find(name + ".rate");
        if (const auto dot = name.rfind('.'); rate < 0 && dot != std::string::npos) {
            const std::string tail = name.substr(dot);
            rate = points.find(name.substr(0, dot) +
                               (tail == ".omega" ? ".angle" : "." + tail.substr(2)));
        }
        if (rate >= 0) chosen = {static_cast<int>(main), rate};
    }
    if (chosen.size() < 2)
        throw Failure{wrong_usage, "--plot needs two --columns, horizontal and vertical"};
    PlotPanel panel;
    PlotCurve curve{rule(), {}, {}, true};
    const auto across = static_cast<std::size_t>(chosen[0]),
               up = static_cast<std::size_t>(chosen[1]);
    panel.x_label = label(points.columns[across]);
    panel.y_label = label(points.columns[up]);
    const auto turned = [&](std::size_t c, double x) {
        return points.columns[c].unit == "rad" ? std::remainder(x, 2 * M_PI) : x;
    };
    for (std::size_t r = 0; r < points.rows(); ++r) {
        curve.x.push_back(turned(across, points.row(r)[across]));
        curve.y.push_back(turned(up, points.row(r)[up]));
    }
    panel.curves.push_back(std::move(curve));
    Plot page;
    page.title = samples.model.mechanism.name;
    page.caption = fmt::format("Poincaré section, {}: {} points", rule(), points.rows());
    page.panels.push_back(std::move(panel));
    write_picture(plot, svg(page));
}

int PoincareCommand::run() const {
    if (!section.empty() + !every.empty() + !event.empty() != 1)
        throw Failure{wrong_usage,
                      "give one of --section \"COLUMN = VALUE\", --every TIME and --event KIND"};
    require_positive_number(tolerance, "--tolerance");
    const Samples samples = read_samples(model, end, step);
    const double from = transient(samples.trajectory, after);
    const Trajectory points = cut(samples, from);
    if (points.rows() == 0)
        throw Failure{numerical_failure, fmt::format("pawl: no point of the section '{}' from "
                                                     "{:.6g} s on; run the motion for longer",
                                                     rule(), from)};
    std::vector<int> columns_compared = compared(samples);
    const auto left_out = leave_out(points, samples, columns_compared);
    const auto n = points_per_period(points, samples.trajectory, columns_compared, tolerance);
    const std::string out = model.out.empty() ? samples.name + ".section.csv" : model.out;
    if (const auto problem = write_file(out, csv(points)); !problem.empty())
        throw Failure{wrong_usage, "pawl: " + problem};
    if (!plot.empty()) draw(points, samples);
    const auto rows = static_cast<int>(points.rows());
    // The mean over as many whole rounds as there are.
    const int rounds = n ? (rows - 1) / *n : 0;
    const double period =
        n ? (points.row(static_cast<std::size_t>(rounds) * static_cast<std::size_t>(*n))[0] -
             points.row(0)[0]) /
                rounds
          : 0;
    if (model.json) {
        Json summary{{"section", rule()}, {"after_s", from}, {"points", rows}, {"file", out}};
        summary["points_per_period"] = n ? Json(*n) : Json(nullptr);
        if (n) summary["period_s"] = period;
        if (!left_out.empty()) summary["left_out"] = left_out;
        print_json(summary);
    } else if (!model.quiet) {
        fmt::print("section {}: {} from {:.6g} s on\n", rule(), plural(rows, "point", "points"),
                   from);
        if (n)
            fmt::print(
                "period  {}: the points repeat within {:g} of the range of each column; "
                "{:.9g} s\n",
                *n, tolerance, period);
        else if (rows < 4)
            fmt::print("period  unknown: too few points; lengthen the run\n");
        else
            fmt::print(
                "period  none: the points do not repeat within {:g} of the range of each "
                "column\n",
                tolerance);
        if (!left_out.empty())
            fmt::print("        not compared, since it advances steadily: {}\n", joined(left_out));
        fmt::print("points  {}\n", out);
        if (!plot.empty()) fmt::print("plot    {}\n", plot);
    }
    return done;
}

struct SpectrumCommand {
    ModelOptions model;
    std::string end, step, after, plot;
    std::vector<std::string> columns;
    int peaks = 8;
    [[nodiscard]] int run() const;
};

int SpectrumCommand::run() const {
    const Samples samples = read_samples(model, end, step);
    const auto& motion = samples.trajectory;
    const double from = transient(motion, after);
    std::vector<std::size_t> chosen;
    for (const std::string& name : columns) chosen.push_back(samples.column(name));
    if (chosen.empty()) chosen.push_back(samples.main_column());
    const std::vector<double> times = samples.values(0, from);
    // The step that most rows are apart.
    std::vector<double> steps;
    for (std::size_t i = 1; i < times.size(); ++i) steps.push_back(times[i] - times[i - 1]);
    if (steps.size() < 16)
        throw Failure{
            numerical_failure,
            fmt::format("pawl: {} samples from {:.6g} s on are too few for a spectrum; run "
                        "the motion for longer or with a shorter step",
                        times.size(), from)};
    std::nth_element(steps.begin(), steps.begin() + static_cast<long>(steps.size() / 2),
                     steps.end());
    const double apart = steps[steps.size() / 2];
    Plot page;
    page.title = samples.model.mechanism.name;
    page.caption = fmt::format("spectrum from {:.6g} s on, Hann window", from);
    Json all = Json::array();
    for (const std::size_t c : chosen) {
        const Column& column = motion.columns[c];
        const auto values = at_equal_steps(times, samples.values(c, from), apart);
        const Spectrum s = spectrum_of(values, apart, peaks);
        Json lines = Json::array();
        if (!model.json && !model.quiet)
            fmt::print("{} from {:.6g} s on, {} samples, lines {:.4g} Hz apart\n", label(column),
                       from, values.size(), s.step);
        for (const SpectrumPeak& p : s.peaks) {
            lines.push_back({{"frequency_Hz", p.frequency}, {"amplitude", p.amplitude}});
            if (!model.json && !model.quiet)
                fmt::print("peak    {:>14.8g} Hz   amplitude {:>14.6g} {}\n", p.frequency,
                           p.amplitude, column.unit);
        }
        all.push_back({{"column", column.name},
                       {"unit", column.unit},
                       {"line_Hz", s.step},
                       {"peaks", lines}});
        PlotPanel panel;
        PlotCurve curve{column.name, {}, {}, false};
        const double floor = 1e-12;
        for (std::size_t k = 1; k < s.amplitudes.size(); ++k) {
            curve.x.push_back(static_cast<double>(k) * s.step);
            curve.y.push_back(std::log10(std::max(s.amplitudes[k], floor)));
        }
        panel.x_label = "frequency [Hz]";
        panel.y_label = "log10 " + label(column);
        panel.curves.push_back(std::move(curve));
        page.panels.push_back(std::move(panel));
    }
    if (!plot.empty()) write_picture(plot, svg(page));
    if (model.json) print_json(Json{{"after_s", from}, {"spectra", all}});
    if (!plot.empty() && !model.json && !model.quiet) fmt::print("plot    {}\n", plot);
    return done;
}

// Options of commands on a motion, stored or to be run.
template <class C>
CLI::App* add_motion_command(CLI::App& app, const char* name, const char* what, C& command) {
    auto* sub = app.add_subcommand(name, what);
    command.model.add_to(*sub, false);
    sub->get_option("model")->description("model file (TOML), or the folder of a result");
    sub->add_option("--end", command.end, "end of the run (default: from the model)");
    sub->add_option("--step", command.step, "time between samples of the run");
    sub->add_option("--after", command.after,
                    "leave out the motion before this time (default: the first half)");
    sub->add_option("--plot", command.plot, "also draw, .svg, .png or .pdf")
        ->check(picture_name_problem);
    return sub;
}

}  // namespace

Command add_poincare(CLI::App& app) {
    auto c = std::make_shared<PoincareCommand>();
    auto* sub = add_motion_command(
        app, "poincare", "take a Poincaré section of a motion and find its period in points", *c);
    sub->add_option(
        "--section", c->section,
        "one point per crossing of a column, e.g. \"crank.angle = 90 deg mod 360 deg\"");
    sub->add_option("--every", c->every, "one point per interval, e.g. \"12 ms\"");
    sub->add_option("--event", c->event,
                    "one point after each event, e.g. \"impact\" or \"impact C#1\"");
    sub->add_flag("--falling", c->falling, "take falling crossings (default: rising)");
    sub->add_flag("--both", c->both, "take rising and falling crossings");
    sub->add_option("--columns", c->columns,
                    "columns to compare and to draw, with * and ? (default: positions and "
                    "velocities of all bodies)");
    sub->add_option(
        "--tolerance", c->tolerance,
        "points within this fraction of a column's range count as equal (default: 1e-3)");
    sub->add_option("-o,--out", c->model.out, "table of the points (default: NAME.section.csv)");
    return [c] { return c->run(); };
}

Command add_spectrum(CLI::App& app) {
    auto c = std::make_shared<SpectrumCommand>();
    auto* sub = add_motion_command(app, "spectrum", "find the amplitude spectrum of a motion", *c);
    sub->add_option("--columns", c->columns,
                    "columns (default: the first measure, or else the first speed that changes)");
    sub->add_option("--peaks", c->peaks, "number of peaks to list (default: 8)")
        ->check(CLI::Range(1, 1000));
    return [c] { return c->run(); };
}

}  // namespace pawl::cli
