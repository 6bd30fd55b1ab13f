// `pawl plot`: curves from a result folder as SVG, PNG or PDF.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "output/plot/plot_choice.h"
#include "output/result/result_reader.h"
#include "support.h"

namespace pawl::cli {

namespace {

struct PlotCommand {
    std::string folder, out, title, events, from, to, delay;
    std::vector<std::string> names;
    bool phase = false, path = false, contacts = false, switching = false;
    bool json = false, quiet = false, si = false, list = false;

    [[nodiscard]] int run() const;

private:
    [[nodiscard]] PlotChoice choice() const;
    [[nodiscard]] std::string caption(const StoredResult& result) const;
};

// Kinds of events on the command line: "impact,contact_lost" or "none".
std::vector<std::string> kinds_of(const std::string& text) {
    std::vector<std::string> valid, out;
    for (int k = 0; k <= static_cast<int>(EventKind::user); ++k)
        valid.emplace_back(event_name(static_cast<EventKind>(k)));
    if (text == "none") return out;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        out.push_back(text.substr(at, comma - at));
        if (std::find(valid.begin(), valid.end(), out.back()) == valid.end())
            throw Failure{wrong_usage, "--events: no kind of event '" + out.back() + "'" +
                                           did_you_mean(out.back(), valid)};
        at = comma + 1;
    }
    return out;
}

PlotChoice PlotCommand::choice() const {
    using Kind = PlotChoice::Kind;
    PlotChoice out;
    out.names = names;
    out.kind = phase            ? Kind::phase
               : !delay.empty() ? Kind::delay
               : path           ? Kind::path
               : contacts       ? Kind::contacts
               : switching      ? Kind::switching
                                : Kind::history;
    if (!events.empty()) out.events = kinds_of(events);
    if (!from.empty()) out.from = time_on_command_line(from, "--from");
    if (!to.empty()) out.to = time_on_command_line(to, "--to");
    if (!delay.empty()) out.delay = time_on_command_line(delay, "--delay");
    return out;
}

std::string PlotCommand::caption(const StoredResult& result) const {
    const Json summary = Json::parse(result.summary, nullptr, false);
    std::string out = summary.value("analysis", "result");
    for (const auto& [name, value] : result.parameters) out += ", " + name + " = " + value;
    if (phase || path || !delay.empty()) return out + "; ring: start, dot: end";
    return out;
}

int PlotCommand::run() const {
    std::string problem;
    const auto result = read_result(folder, problem);
    if (!result) throw Failure{bad_model, "pawl: " + problem};
    if (list) {
        for (const Column& c : result->trajectory.columns) fmt::print("{} [{}]\n", c.name, c.unit);
        return done;
    }
    const ShownUnits units = si ? ShownUnits::si() : ShownUnits::of_model(result->model);
    auto plot = make_plot(units.converted(result->trajectory), result->events, choice(), problem);
    if (!plot) throw Failure{wrong_usage, "pawl: " + folder + ": " + problem};
    plot->title = title;
    if (title.empty()) {
        const Json summary = Json::parse(result->summary, nullptr, false);
        if (summary.contains("model") && summary["model"].is_object())
            plot->title = summary["model"].value("name", "");
    }
    plot->caption = caption(*result);
    std::filesystem::path stem = result->folder;
    if (!stem.has_filename()) stem = stem.parent_path();
    const std::string file = out.empty() ? stem.filename().replace_extension(".svg").string() : out;
    write_picture(file, svg(*plot));
    int curves = 0;
    for (const PlotPanel& panel : plot->panels) curves += static_cast<int>(panel.curves.size());
    if (file == "-") return done;
    if (json)
        print_json(Json{{"result", folder},
                        {"plot", file},
                        {"panels", plot->panels.size()},
                        {"curves", curves},
                        {"events", plot->marks.size()}});
    else if (!quiet)
        fmt::print("plot    {} ({} in {})\n", file, plural(curves, "curve", "curves"),
                   plural(static_cast<int>(plot->panels.size()), "panel", "panels"));
    return done;
}

}  // namespace

Command add_plot(CLI::App& app) {
    auto* sub =
        app.add_subcommand("plot", "plot curves from a result: histories, phase, paths, forces");
    auto c = std::make_shared<PlotCommand>();
    sub->add_option("result", c->folder, "result folder of a run")->required();
    sub->add_option("quantities", c->names,
                    "columns by name, with * and ? (default: the measures, or else the poses of "
                    "the bodies that move; and the normal forces of contacts)");
    auto* phase =
        sub->add_flag("--phase", c->phase,
                      "phase portraits: pairs of columns, horizontal and vertical (default: "
                      "measures, or else bodies, against their speeds)");
    auto* path = sub->add_flag(
        "--path", c->path,
        "paths of points, to scale (default: measured points, or else origins of bodies)");
    auto* contacts = sub->add_flag("--contacts", c->contacts,
                                   "normal forces of contacts with their static and dynamic parts");
    auto* switching = sub->add_flag(
        "--switching", c->switching,
        "the functions whose zeros change a contact: gap, force, position on the profiles, slip");
    auto* delay = sub->add_option("--delay", c->delay,
                                  "delay portraits: each column against its value this much later, "
                                  "e.g. \"0.1 s\" (default: as for --phase)");
    delay->excludes(phase)->excludes(path)->excludes(contacts)->excludes(switching);
    phase->excludes(path)->excludes(contacts)->excludes(switching);
    path->excludes(contacts)->excludes(switching);
    contacts->excludes(switching);
    sub->add_option("--events", c->events,
                    "kinds of events to mark, e.g. impact,contact_lost, or none (default: all)");
    sub->add_option("--from", c->from, "first time, e.g. \"0.2 s\"");
    sub->add_option("--to", c->to, "last time");
    sub->add_option("--title", c->title, "title (default: the name of the model)");
    sub->add_option(
           "-o,--out", c->out,
           "file to write, .svg, .png or .pdf; - for standard output (default: RESULT.svg)")
        ->check(picture_name_problem);
    sub->add_flag("--si", c->si, "show SI units instead of those of the model's [units]");
    sub->add_flag("--list", c->list, "only list the columns of the result");
    sub->add_flag("--json", c->json, "print what was written as JSON");
    sub->add_flag("--quiet,-q", c->quiet, "print nothing but errors");
    return [c] { return c->run(); };
}

}  // namespace pawl::cli
