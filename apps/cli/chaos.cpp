// `pawl lyapunov` and `pawl periodic`: whether motions next to each other part, in the long run or
// over a period.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "analysis/lyapunov.h"
#include "analysis/shooting.h"
#include "analysis/time_series.h"
#include "motion.h"
#include "output/plot/plot.h"
#include "support.h"

namespace pawl::cli {

namespace {

struct LyapunovCommand {
    ModelOptions model;
    std::string end, step, after, window, column, delay, plot;
    int dimension = 3;

    [[nodiscard]] int run() const;

private:
    struct Series {
        Column column;
        std::vector<double> values;
        double step = 0;
        SeriesExponent found;
    };
    [[nodiscard]] LyapunovResult from_equations(const ModelData& m, double& from) const;
    [[nodiscard]] Series from_series(const Column& of, std::vector<double> times,
                                     std::vector<double> values) const;
    void print(const LyapunovResult* equations, const Series& series, double from) const;
    void draw(const std::string& title, const LyapunovResult* equations,
              const Series& series) const;
};

const char* verdict(double exponent, double error) {
    if (exponent > error) return "neighbouring motions diverge: chaos, or an unstable motion";
    if (exponent < -error) return "neighbouring motions converge";
    return "zero within its error: a periodic or quasi-periodic motion, or too short a run";
}

std::string left_out_text(const LyapunovResult& result) {
    const std::string count = plural(result.left_out, "window", "windows") + " left out: ";
    if (!result.missing) return count + "the two motions went through different events";
    return fmt::format("{}no derivative at {} at t = {:.6g} s: {}", count, result.missing->event,
                       result.missing->t, result.missing->reason);
}

LyapunovResult LyapunovCommand::from_equations(const ModelData& m, double& from) const {
    const PlacedMechanism placed = assemble_or_fail(m);
    LyapunovOptions options;
    options.end = m.run.end;
    options.after = from = after.empty() ? 0.5 * m.run.end : time_on_command_line(after, "--after");
    if (options.after < 0 || !(options.after < options.end))
        throw Failure{wrong_usage, fmt::format("--after: the run ends at {:.6g} s", options.end)};
    constexpr int usual_windows = 400;
    const double length = options.end - options.after;
    options.window = window.empty() ? length / usual_windows : seconds(window, "--window");
    if (length < 4 * options.window)
        throw Failure{wrong_usage,
                      fmt::format("the {:.6g} s after the transient contain fewer than 4 windows; "
                                  "lengthen the run or shorten --window",
                                  length)};
    options.column = column;
    Progress progress(!model.quiet && !model.json);
    options.progress = [&](double share) { progress(share); };
    LyapunovResult result = largest_exponent(placed, dynamic_options(m.run), options);
    if (result.status != DynamicStatus::completed)
        throw failure_at(exit_code(result.status), m, result.span, result.message);
    if (result.windows < 2)
        throw Failure{numerical_failure, "pawl: nearly all windows had to be left out: " +
                                             left_out_text(result) + "; shorten --window"};
    return result;
}

LyapunovCommand::Series LyapunovCommand::from_series(const Column& of, std::vector<double> times,
                                                     std::vector<double> values) const {
    Series out;
    out.column = of;
    std::vector<double> steps;
    for (std::size_t i = 1; i < times.size(); ++i) steps.push_back(times[i] - times[i - 1]);
    if (steps.empty()) return out;
    std::nth_element(steps.begin(), steps.begin() + static_cast<long>(steps.size() / 2),
                     steps.end());
    out.step = steps[steps.size() / 2];
    if (!(out.step > 0)) return out;
    out.values = at_equal_steps(times, values, out.step);
    constexpr std::size_t max_values = 10000;  // the search for neighbours takes the square of it
    if (out.values.size() > max_values) out.values.resize(max_values);
    SeriesExponentOptions options;
    options.dimension = dimension;
    if (!delay.empty())
        options.delay =
            std::max(1, static_cast<int>(std::lround(seconds(delay, "--delay") / out.step)));
    out.found = exponent_of_series(out.values, out.step, options);
    return out;
}

void LyapunovCommand::print(const LyapunovResult* equations, const Series& series,
                            double from) const {
    const SeriesExponent& s = series.found;
    if (model.json) {
        Json summary{{"after_s", from}};
        if (equations)
            summary["equations"] = {{"exponent_per_s", equations->exponent},
                                    {"error_per_s", equations->error},
                                    {"windows", equations->windows},
                                    {"prolonged", equations->prolonged},
                                    {"left_out", equations->left_out},
                                    {"events", equations->events},
                                    {"by_tangent", equations->differences_because.empty()}};
        summary["series"] = {{"column", series.column.name},
                             {"samples", series.values.size()},
                             {"step_s", series.step},
                             {"found", s.found},
                             {"exponent_per_s", s.exponent},
                             {"error_per_s", s.error},
                             {"delay_s", s.delay * series.step},
                             {"dimension", dimension}};
        print_json(summary);
        return;
    }
    if (model.quiet) return;
    if (equations) {
        const double time =
            std::accumulate(equations->lengths.begin(), equations->lengths.end(), 0.0);
        fmt::print("equations  {:.6g} +- {:.2g} 1/s  ({}, {:.6g} s after {:.4g} s, {})\n",
                   equations->exponent, equations->error,
                   plural(equations->windows, "window", "windows"), time, from,
                   plural(equations->events, "event", "events"));
        fmt::print("           {}\n", verdict(equations->exponent, equations->error));
        if (!equations->differences_because.empty())
            fmt::print("           from two neighbouring runs, because {}\n",
                       equations->differences_because);
        if (equations->prolonged > 0)
            fmt::print("           {} extended until both motions had passed their events\n",
                       plural(equations->prolonged, "window", "windows"));
        if (equations->left_out > 0) fmt::print("           {}\n", left_out_text(*equations));
        if (*std::max_element(equations->growth.begin(), equations->growth.end()) > std::log(1e4))
            fmt::print(
                "warning    the distance grows by a factor of more than 10000 within a window; "
                "shorten --window\n");
    }
    if (series.column.name.empty()) return;
    if (s.found)
        fmt::print(
            "series     {:.4g} +- {:.2g} 1/s  (from {} samples of {}, delay {:.4g} s, "
            "dimension {})\n",
            s.exponent, s.error, series.values.size(), series.column.name, s.delay * series.step,
            dimension);
    else
        fmt::print("series     no exponent: neighbours among the {} samples of {} do not diverge\n",
                   series.values.size(), series.column.name);
}

PlotPanel panel_of(std::string x_label, std::string y_label, std::string curve) {
    PlotPanel out;
    out.x_label = std::move(x_label);
    out.y_label = std::move(y_label);
    out.curves.push_back({std::move(curve), {}, {}, false});
    return out;
}

void LyapunovCommand::draw(const std::string& title, const LyapunovResult* equations,
                           const Series& series) const {
    Plot page;
    page.title = title;
    page.shared_x = false;
    if (equations) {
        PlotPanel panel =
            panel_of("time after the transient [s]", "exponent so far [1/s]", "equations");
        double sum = 0, time = 0;
        for (std::size_t i = 0; i < equations->growth.size(); ++i) {
            sum += equations->growth[i];
            time += equations->lengths[i];
            panel.curves[0].x.push_back(time);
            panel.curves[0].y.push_back(sum / time);
        }
        page.panels.push_back(std::move(panel));
    }
    if (!series.found.divergence.empty()) {
        PlotPanel panel = panel_of("time [s]", "mean ln of the distance", "neighbours");
        for (std::size_t k = 0; k < series.found.divergence.size(); ++k) {
            panel.curves[0].x.push_back(static_cast<double>(k) * series.step);
            panel.curves[0].y.push_back(series.found.divergence[k]);
        }
        if (series.found.found) {
            panel.bands = {{series.found.from * series.step, series.found.to * series.step}};
            panel.band_name = "slope taken";
        }
        page.panels.push_back(std::move(panel));
        const std::string name = series.column.name;
        PlotPanel delays = panel_of(
            name + " [" + series.column.unit + "]",
            fmt::format("{} after {:.4g} s", name, series.found.delay * series.step), name);
        const auto lag = static_cast<std::size_t>(series.found.delay);
        for (std::size_t i = 0; i + lag < series.values.size(); ++i) {
            delays.curves[0].x.push_back(series.values[i]);
            delays.curves[0].y.push_back(series.values[i + lag]);
        }
        page.panels.push_back(std::move(delays));
    }
    write_picture(plot, svg(page));
    if (!model.quiet && !model.json) fmt::print("plot       {}\n", plot);
}

int LyapunovCommand::run() const {
    Source source = read_source(model);
    ModelData& m = source.model;
    double from = 0;
    std::optional<LyapunovResult> equations;
    Series series;
    if (source.result) {
        const Samples samples = read_samples(model, end, step);
        const auto& motion = samples.trajectory;
        from = after.empty() ? 0.5 * motion.row(motion.rows() - 1)[0]
                             : time_on_command_line(after, "--after");
        const std::size_t c = column.empty() ? samples.main_column() : samples.column(column);
        series = from_series(motion.columns[c], samples.values(0, from), samples.values(c, from));
        if (series.values.size() < 100)
            throw Failure{
                numerical_failure,
                fmt::format("pawl: {} samples from {:.6g} s on are too few; run the model "
                            "for longer or with a shorter step",
                            series.values.size(), from)};
    } else {
        require_dynamics_or_fail(m);
        require_masses_or_fail(m);
        if (!end.empty()) m.run.end = seconds(end, "--end");
        if (!step.empty()) m.run.step = seconds(step, "--step");
        equations = from_equations(m, from);
        if (!column.empty()) {
            if (equations->times.empty())
                throw Failure{wrong_usage, "--column: the motion has no column '" + column + "'"};
            series = from_series(equations->column, equations->times, equations->values);
        }
    }
    const LyapunovResult* found = equations ? &*equations : nullptr;
    print(found, series, from);
    if (!plot.empty()) draw(m.mechanism.name, found, series);
    return done;
}

struct PeriodicCommand {
    ModelOptions model;
    std::string from, period, guess;
    std::vector<std::string> shifts;
    [[nodiscard]] int run() const;

private:
    int print(const ShootingOptions& options, const ShootingResult& result) const;
};

std::string multiplier_text(const std::complex<double>& m) {
    if (std::abs(m.imag()) <= 1e-9 * std::abs(m)) return fmt::format("{:.8g}", m.real());
    return fmt::format("{:.8g} {} {:.8g}i", m.real(), m.imag() < 0 ? "-" : "+", std::abs(m.imag()));
}

// "wheel.x" or "wheel.angle=-60 deg".
ShootingOptions::Shift shift_of(const std::string& text) {
    const std::size_t equal = text.find('=');
    ShootingOptions::Shift shift{text.substr(0, equal), {}};
    if (equal == std::string::npos) return shift;
    const bool turns = shift.coordinate.ends_with("angle");
    shift.by = quantity_on_command_line(text.substr(equal + 1),
                                        turns ? dimension::angle : dimension::length, "--shift");
    return shift;
}

int PeriodicCommand::print(const ShootingOptions& options, const ShootingResult& result) const {
    const char* verdict = result.is_stable()     ? "stable"
                          : result.is_unstable() ? "unstable"
                                                 : "neutral: a multiplier of size 1";
    if (model.json) {
        Json multipliers = Json::array();
        for (const auto& x : result.multipliers)
            multipliers.push_back({{"real", x.real()}, {"imaginary", x.imag()}});
        Json gains = Json::object();
        for (std::size_t k = 0; k < result.shifts.size(); ++k)
            gains[options.shifts[k].coordinate] = result.shifts[k];
        print_json(Json{{"period_s", result.period},
                        {"verdict", verdict},
                        {"multipliers", multipliers},
                        {"determinant", result.map.determinant()},
                        {"map_error", result.map_error},
                        {"by_tangent", !result.missing},
                        {"residual_m", result.residual},
                        {"shifts", gains},
                        {"iterations", result.iterations},
                        {"t_s", result.start.state.t},
                        {"q", result.start.state.q},
                        {"v", result.start.state.v},
                        {"events", events_json(result.events)}});
        return done;
    }
    if (model.quiet) return done;
    fmt::print("period       {:.12g} s{}, closed to {:.1e} m after {}\n", result.period,
               options.free_period ? " (found)" : "", result.residual,
               plural(result.iterations, "iteration", "iterations"));
    for (std::size_t k = 0; k < result.shifts.size(); ++k) {
        const bool turns = options.shifts[k].coordinate.ends_with("angle");
        fmt::print("shift        {} gains {:.9g} {} in a period\n", options.shifts[k].coordinate,
                   result.shifts[k] * (turns ? 180 / std::numbers::pi : 1), turns ? "deg" : "m");
    }
    for (const auto& x : result.multipliers)
        fmt::print("multiplier   {:<28} size {:.8g}\n", multiplier_text(x), std::abs(x));
    fmt::print("determinant  {:.8g}\n", result.map.determinant());
    fmt::print("multipliers  from {}, to {:.0e}\n",
               result.missing ? "differences of runs" : "the derivative of the motion",
               result.map_error);
    if (const auto& none = result.missing)
        fmt::print("             no derivative at {} at t = {:.6g} s: {}\n", none->event, none->t,
                   none->reason);
    fmt::print("motion       {}\n", verdict);
    print_events(result.events);
    return done;
}

int PeriodicCommand::run() const {
    if (period.empty() == guess.empty())
        throw Failure{
            wrong_usage,
            "give --period if drivers or forces depend on time, else --guess, a first guess "
            "of the period"};
    const ModelData m = model.read();
    require_dynamics_or_fail(m);
    require_masses_or_fail(m);
    const PlacedMechanism placed = assemble_or_fail(m);
    ShootingOptions options;
    options.free_period = period.empty();
    options.period = period.empty() ? seconds(guess, "--guess") : seconds(period, "--period");
    options.from = from.empty() ? m.run.end : time_on_command_line(from, "--from");
    if (options.from < 0) throw Failure{wrong_usage, "--from must not be below zero"};
    for (const std::string& text : shifts) options.shifts.push_back(shift_of(text));
    const ShootingResult result = find_periodic(placed, dynamic_options(m.run), options);
    if (result.status == ShootingStatus::run_failed)
        throw failure_at(exit_code(result.run), m, result.span, result.message);
    if (result.status == ShootingStatus::not_driven_back)
        throw failure_at(wrong_usage, m, result.span, result.message);
    if (result.status == ShootingStatus::unknown_shift)
        throw Failure{wrong_usage, "--shift: " + result.message};
    if (result.status == ShootingStatus::no_freedom)
        throw failure_at(bad_model, m, m.run.span, result.message);
    if (result.status == ShootingStatus::diverged)
        throw failure_at(numerical_failure, m, m.run.span, result.message);
    return print(options, result);
}

}  // namespace

Command add_lyapunov(CLI::App& app) {
    auto c = std::make_shared<LyapunovCommand>();
    auto* sub = app.add_subcommand(
        "lyapunov", "find the largest Lyapunov exponent, from the equations or from a time series");
    c->model.add_to(*sub, false);
    sub->get_option("model")->description(
        "model file (TOML), or the folder of a result, whose samples are used as a time series");
    sub->add_option("--end", c->end, "end of the run (default: from the model)");
    sub->add_option("--step", c->step, "time between samples of the run");
    sub->add_option("--after", c->after,
                    "leave out the motion before this time (default: the first half)");
    sub->add_option("--window", c->window, "renormalisation interval (default: 1/400 of the rest)");
    sub->add_option("--column", c->column, "column for an estimate from a time series");
    sub->add_option("--delay", c->delay,
                    "embedding delay (default: first minimum of the mutual information)");
    sub->add_option("--dimension", c->dimension, "embedding dimension (default: 3)")
        ->check(CLI::Range(1, 20));
    sub->add_option(
           "--plot", c->plot,
           "also draw the exponent, the divergence and the delay space, .svg, .png or .pdf")
        ->check(picture_name_problem);
    return [c] { return c->run(); };
}

Command add_periodic(CLI::App& app) {
    auto c = std::make_shared<PeriodicCommand>();
    auto* sub = app.add_subcommand(
        "periodic", "find a periodic motion by shooting, with its multipliers and stability");
    c->model.add_to(*sub, false);
    sub->add_option("--from", c->from,
                    "start from the motion at this time (default: the end of the run)");
    sub->add_option("--period", c->period,
                    "the period; needed where drivers or forces depend on time");
    sub->add_option("--guess", c->guess, "first guess of a period that is not given");
    sub->add_option("--shift", c->shifts,
                    "a coordinate that advances in each period, such as that of a walker: "
                    "--shift wheel.x (by any amount) --shift wheel.angle=\"-60 deg\"");
    return [c] { return c->run(); };
}

}  // namespace pawl::cli
