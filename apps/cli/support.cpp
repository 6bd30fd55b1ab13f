#include "support.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "manners/tables.h"
#include "model_file/reading/unused.h"
#include "model_file/text/document.h"
#include "model_file/text/write_file.h"
#include "output/svg/rendering.h"
#include "results/event_text.h"
#include "simulation/placement/likely_mistakes.h"

namespace pawl::cli {

namespace {

std::string standard_input() {
    std::string text;
    char part[4096];
    while (const std::size_t count = std::fread(part, 1, sizeof part, stdin))
        text.append(part, count);
    return text;
}

}  // namespace

void ModelOptions::add_to(CLI::App& app, bool writes_result, bool takes_several) {
    if (takes_several)
        app.add_option("model", files,
                       "model files (TOML), one after the other; - for standard input")
            ->required();
    else
        app.add_option("model", file, "model file (TOML); - for standard input")->required();
    app.add_option(
           "--set", sets,
           "change a parameter or any value: --set L1=\"15 mm\" --set contact.C.impact=poisson")
        ->allow_extra_args(false);
    app.add_flag("--json", json, "print the result as JSON");
    app.add_flag("--quiet,-q", quiet, "print nothing but errors");
    app.add_flag("--si", si, "show SI units instead of those of the model's [units]");
    if (writes_result)
        app.add_option("-o,--out", out,
                       "folder of the result (default: MODEL.result, or MODEL.VERB.result for a "
                       "verb other than the analysis in the model)");
}

std::vector<std::pair<std::string, std::string>> ModelOptions::overrides() const {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const std::string& text : sets) {
        const auto equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
            throw Failure{wrong_usage, "--set needs NAME=VALUE, not '" + text + "'"};
        pairs.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return pairs;
}

int ModelOptions::each(const std::function<int()>& work) {
    if (files.size() > 1 && !out.empty())
        throw Failure{wrong_usage, "--out names one result; omit it when several models run"};
    int worst = done;
    const JsonList list(json && files.size() > 1);
    for (const std::string& one : files) {
        file = one;
        if (files.size() == 1) return work();
        JsonList::next();
        if (!quiet && !json) fmt::print("{}{}:\n", &one == &files.front() ? "" : "\n", one);
        int code = done;
        try {
            code = work();
        } catch (const Failure& failure) {
            report_failure(failure, json);
            code = failure.code;
        }
        if (worst == done) worst = code;
        if (code == interrupted) break;
    }
    return worst;
}

ModelData ModelOptions::read() const {
    Diagnostics diagnostics;
    auto model = file == "-" ? read_model(standard_input(), "stdin", overrides(), diagnostics)
                             : read_model_file(file, overrides(), diagnostics);
    if (!model) throw Failure{bad_model, diagnostics.text()};
    if (!diagnostics.all().empty() && !quiet) complain(diagnostics.text());
    return std::move(*model);
}

ExitCode exit_code(DynamicStatus status) {
    if (status == DynamicStatus::refused) return wrong_usage;
    if (status == DynamicStatus::massless || status == DynamicStatus::overlap ||
        status == DynamicStatus::indeterminate)
        return bad_model;
    if (status == DynamicStatus::interrupted) return interrupted;
    return status == DynamicStatus::completed ? done : numerical_failure;
}

Failure failure_at(int code, const ModelData& model, Span span, const std::string& message) {
    Diagnostics d;
    d.file = model.file;
    d.error(span, message);
    return {code, d.text()};
}

void require_masses_or_fail(const ModelData& model) {
    Diagnostics d;
    d.file = model.file;
    require_masses(model.mechanism, d);
    if (d.has_errors()) throw Failure{bad_model, d.text()};
}

namespace {

Span span_of_independent(const ModelData& model, std::size_t i) {
    Diagnostics ignored;
    const auto root = parse_document(model.text, ignored);
    const Node* run = root ? root->find("run") : nullptr;
    const Node* list = run ? run->find("independent") : nullptr;
    return list && i < list->children.size() ? list->children[i].inside(0) : model.run.span;
}

// A coordinate of `run.independent` that follows from the joints and from those named before it.
void refuse_surplus(const ModelData& model, const PlacedMechanism& placed) {
    const std::vector<std::string>& names = placed.mechanism.independent;
    if (names.empty()) return;
    const auto chosen = choose_independent(placed, false);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto is_it = [&](const auto& rest) { return rest.name == names[i]; };
        const auto end = names.begin() + static_cast<std::ptrdiff_t>(i) + 1;
        if (std::count(names.begin(), end, names[i]) <=
            std::count_if(chosen.begin(), chosen.end(), is_it))
            continue;
        throw failure_at(
            bad_model, model, span_of_independent(model, i),
            fmt::format("[run] independent: '{}' follows from the joints{}; this mechanism has {}",
                        names[i], i > 0 ? " and the coordinates before it" : "",
                        plural(static_cast<int>(chosen.size()), "degree of freedom",
                               "degrees of freedom")));
    }
}

}  // namespace

PlacedMechanism assemble_or_fail(const ModelData& model) {
    PlacedMechanism placed = assemble(model.mechanism);
    if (placed.ok()) return refuse_surplus(model, placed), placed;
    const bool fight = placed.assembly.outcome == AssemblyOutcome::drivers_fight;
    throw failure_at(fight ? numerical_failure : does_not_assemble, model, placed.assembly.span,
                     placed.assembly.message);
}

std::string joined(const std::vector<std::string>& parts, const char* between) {
    std::string out;
    for (const auto& p : parts) out += (out.empty() ? "" : between) + p;
    return out;
}

std::vector<std::string> messages_of(const Diagnostics& diagnostics) {
    std::vector<std::string> out;
    for (const Diagnostic& d : diagnostics.all())
        out.push_back(
            fmt::format("{}:{}:{}: {}", diagnostics.file, d.span.line, d.span.column, d.message));
    return out;
}

Diagnostics likely_mistakes(const ModelData& model, const PlacedMechanism& placed) {
    Diagnostics diagnostics;
    diagnostics.file = model.file;
    warn_of_unused_parameters(model, diagnostics);
    warn_of_similar_names(model, diagnostics);
    warn_of_contact_rules(model, diagnostics);
    warn_of_likely_mistakes(placed, diagnostics);
    return diagnostics;
}

void add_likely_mistakes(const ModelData& model, const PlacedMechanism& placed,
                         std::vector<std::string>& warnings) {
    for (std::string& message : messages_of(likely_mistakes(model, placed)))
        warnings.push_back(std::move(message));
}

void print_notes(const std::vector<std::string>& notes) {
    constexpr std::size_t max_shown = 10;
    for (std::size_t i = 0; i < notes.size() && i < max_shown; ++i)
        fmt::print("note    {}\n", notes[i]);
    if (notes.size() > max_shown) fmt::print("        ... and {} more\n", notes.size() - max_shown);
}

std::string plural(int n, const char* one, const char* many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
}

void print_clearances(const std::vector<ClearanceReport>& clearances) {
    for (const ClearanceReport& c : clearances) {
        fmt::print("play    {}: closed {:.4g} % of the time;", c.joint, 100 * c.duty());
        for (std::size_t i = 0; i < c.modes.size(); ++i)
            if (c.modes[i].count > 0)
                fmt::print(" {} {:.4g} % ({} times)", ClearanceReport::mode_names[i],
                           100 * c.modes[i].share, c.modes[i].count);
        fmt::print("\nplay    {}: {} impacts, largest impulse {:.4g} N s;", c.joint, c.impacts(),
                   c.largest_impulse);
        for (const auto& [decade, count] : c.impulses)
            fmt::print(" {} from 1e{} N s", count, decade);
        fmt::print(
            "\nplay    {}: normal force x slip speed {:.4g} W on average, at most {:.4g} W\n",
            c.joint, c.mean_power, c.max_power);
    }
}

double time_on_command_line(const std::string& text, const char* flag) {
    return quantity_on_command_line(text, dimension::time, flag);
}

double quantity_on_command_line(const std::string& text, const Dimension& dimension,
                                const char* flag) {
    ExpressionError error;
    const auto e = Expression::parse(text, SymbolTable{}, {}, error);
    const auto value = e ? e->converted_to(dimension, {}, error) : std::nullopt;
    if (!value && text.find_first_of("0123456789") == std::string::npos)
        error.message = "'" + text + "' is not a number with its unit";
    if (!value) throw Failure{wrong_usage, std::string(flag) + ": " + error.message};
    return value->evaluate(std::span<const double>{});
}

double seconds(const std::string& text, const char* flag) {
    const double t = time_on_command_line(text, flag);
    if (!(t > 0))
        throw Failure{wrong_usage, std::string(flag) + " must be a positive time, e.g. \"10 ms\""};
    return t;
}

Progress::Progress(bool wanted) : shown_(wanted && ::isatty(STDERR_FILENO)) {}

Progress::~Progress() {
    if (drawn_) std::fputs(("\r" + std::string(width_, ' ') + "\r").c_str(), stderr);
}

void Progress::operator()(double share, const std::string& what) {
    const auto now = std::chrono::steady_clock::now();
    if (!shown_ || now - start_ < std::chrono::milliseconds(500) ||
        now - last_ < std::chrono::milliseconds(100))
        return;
    last_ = now;
    drawn_ = true;
    const int filled = static_cast<int>(share * 24);
    const double gone = std::chrono::duration<double>(now - start_).count();
    std::string line = fmt::format("[{:<24}] {:3.0f} %", std::string(filled, '#'), 100 * share);
    if (!what.empty()) line += "  " + what;
    if (share > 0.01) line += fmt::format(", {:.0f} s left", std::ceil(gone * (1 - share) / share));
    width_ = std::max(width_, line.size());
    std::fputs(fmt::format("\r{:<{}}", line, width_).c_str(), stderr);
}

ShownUnits units_of(const ModelOptions& options, const ModelData& model) {
    return options.si ? ShownUnits::si() : ShownUnits::of_model(model.text);
}

void print_table(const Trajectory& trajectory, const PlanarMechanism& mechanism,
                 const ShownUnits& units) {
    constexpr std::size_t max_columns = 7, max_rows = 11;
    if (trajectory.rows() == 0) return;
    const auto moves = [&](int column) {
        const double first = trajectory.row(0)[column];
        for (std::size_t r = 1; r < trajectory.rows(); ++r)
            if (std::abs(trajectory.row(r)[column] - first) > 1e-12 * (1 + std::abs(first)))
                return true;
        return false;
    };
    std::vector<int> columns{0};
    for (const auto& m : mechanism.measures) columns.push_back(trajectory.find(m.name));
    for (std::size_t b = 1; b < mechanism.bodies.size() && mechanism.measures.empty(); ++b)
        for (const char* tail : {".x", ".y", ".angle"})
            if (const int c = trajectory.find(mechanism.bodies[b].name + tail); moves(c))
                columns.push_back(c);
    if (columns.size() > max_columns) columns.resize(max_columns);
    std::map<std::string, double> largest;  // by unit
    for (const int c : columns)
        for (std::size_t r = 0; r < trajectory.rows(); ++r) {
            double& scale = largest[trajectory.columns[c].unit];
            scale = std::max(scale, std::abs(trajectory.row(r)[c]));
        }
    std::vector<std::size_t> widths;
    std::vector<double> factors;
    for (const int c : columns) {
        const Column& column = trajectory.columns[c];
        const ShownUnit shown = units.of(column.unit, largest[column.unit]);
        factors.push_back(shown.factor);
        const std::string head = column.name + " [" + shown.unit + "]";
        widths.push_back(std::max<std::size_t>(head.size(), 14));
        fmt::print("{:>{}} ", head, widths.back());
    }
    fmt::print("\n");
    const std::size_t rows = trajectory.rows(), shown = std::min(rows, max_rows);
    for (std::size_t i = 0; i < shown; ++i) {
        const std::size_t r = shown == 1 ? 0 : (rows - 1) * i / (shown - 1);
        for (std::size_t c = 0; c < columns.size(); ++c)
            fmt::print("{:>{}.9g} ",
                       factors[c] * shown_beside(trajectory.row(r)[columns[c]],
                                                 largest[trajectory.columns[columns[c]].unit]),
                       widths[c]);
        fmt::print("\n");
    }
}

void print_events(const std::vector<Event>& events) {
    constexpr std::size_t max_shown = 40;
    for (std::size_t i = 0; i < events.size() && i < max_shown; ++i) {
        const Event& e = events[i];
        const std::string text = event_text(e);
        fmt::print("event   t = {:.12g} s  {}{}{}{}\n", e.t, event_name(e.kind),
                   e.element.empty() ? "" : " " + e.element, e.to.empty() ? "" : " (" + e.to + ")",
                   text.empty() ? "" : "  " + text);
    }
    if (events.size() > max_shown)
        fmt::print("        ... and {} more in events.csv\n", events.size() - max_shown);
}

void print_responses(const Json& summary) {
    if (!summary.contains("responses")) return;
    for (const auto& [name, r] : summary["responses"].items()) {
        if (r["value"].is_null())
            fmt::print("response {}: none, {}\n", name, r["problem"].get<std::string>());
        else
            fmt::print("response {} = {:.9g} {}{}\n", name, r["value"].get<double>(),
                       r["unit"].get<std::string>(),
                       r.contains("interpolation_error")
                           ? fmt::format(" (between samples: error about {:.1g})",
                                         r["interpolation_error"].get<double>())
                           : "");
    }
}

std::string picture_name_problem(const std::string& file) {
    const std::string ending = std::filesystem::path(file).extension().string();
    for (const char* known : {"", ".svg", ".png", ".pdf"})
        if (ending == known) return "";
    return "pictures are written as .svg, .png or .pdf, not as " + ending;
}

void write_picture(const std::string& file, const std::string& svg) {
    if (file == "-") {
        fmt::print("{}", svg);
        return;
    }
    const std::string ending = std::filesystem::path(file).extension().string();
    std::string problem;
    const std::optional<std::string> bytes =
        ending == ".png" || ending == ".pdf" ? rendered(svg, ending.substr(1), problem) : svg;
    if (bytes) problem = write_file(file, *bytes);
    if (!problem.empty()) throw Failure{wrong_usage, "pawl: " + problem};
}

std::string result_name(const ModelOptions& options, const ModelData& model,
                        const std::string& analysis) {
    if (!options.out.empty()) return options.out;
    const std::string stem = std::filesystem::path(model.file).stem().string();
    return stem + (analysis == value_name(model.run.analysis) ? "" : "." + analysis) + ".result";
}

std::string write_result_folder(const ModelOptions& options, const ModelData& model, Json summary,
                                const Trajectory& trajectory, const std::vector<Event>& events,
                                std::vector<NamedText> more) {
    const std::string out = result_name(options, model, summary["analysis"]);
    const ResultWriting writing =
        write_result(out, model, std::move(summary), trajectory, events, std::move(more));
    if (!writing.problem.empty()) throw Failure{wrong_usage, "pawl: " + writing.problem};
    for (const std::string& warning : writing.warnings)
        complain("pawl: warning: " + warning + "\n");
    return out;
}

}  // namespace pawl::cli
