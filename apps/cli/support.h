// What the commands share: options on a model, reading and assembling it, tables, progress and the
// writing of results.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "commands.h"
#include "manners/failure.h"
#include "output/result/shown_units.h"
#include "output/result/summary.h"
#include "results/clearance_report.h"
#include "results/event.h"
#include "results/trajectory.h"
#include "simulation/placement/assembly.h"
#include "simulation/run_options.h"

namespace pawl::cli {

// Throws Failure{does_not_assemble or numerical_failure}.
PlacedMechanism assemble_or_fail(const ModelData& model);
// Warnings of what in a model looks like a mistake.
Diagnostics likely_mistakes(const ModelData& model, const PlacedMechanism& placed);
void add_likely_mistakes(const ModelData& model, const PlacedMechanism& placed,
                         std::vector<std::string>& warnings);

void print_notes(const std::vector<std::string>& notes);

// Throws Failure{bad_model} that lists the moving bodies without a mass.
void require_masses_or_fail(const ModelData& model);

// The exit code of a dynamic run that did not complete.
ExitCode exit_code(DynamicStatus status);

// A failure that points home: file, line and column of the element.
Failure failure_at(int code, const ModelData& model, Span span, const std::string& message);

// `file:line:column: message` of each.
std::vector<std::string> messages_of(const Diagnostics& diagnostics);

std::string joined(const std::vector<std::string>& parts, const char* between = ", ");
std::string plural(int n, const char* one, const char* many);

void print_clearances(const std::vector<ClearanceReport>& clearances);

// A time on the command line, e.g. "10 ms", in seconds; `seconds` wants a positive one. Both throw
// Failure{wrong_usage}.
double time_on_command_line(const std::string& text, const char* flag);
double quantity_on_command_line(const std::string& text, const Dimension& dimension,
                                const char* flag);
double seconds(const std::string& text, const char* flag);

// A progress bar on a terminal, for work that takes more than half a second.
class Progress {
public:
    explicit Progress(bool wanted);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    // `what` says more than the share.
    void operator()(double share, const std::string& what = {});

private:
    bool shown_, drawn_ = false;
    std::size_t width_ = 0;  // of the line
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), last_{};
};

// A short table: some rows spread over the motion, the measures or else the poses of the bodies.
void print_table(const Trajectory& trajectory, const PlanarMechanism& mechanism,
                 const ShownUnits& units);
// Those of the model's [units], or SI where that is asked for.
ShownUnits units_of(const ModelOptions& options, const ModelData& model);
void print_events(const std::vector<Event>& events);
// Those of a summary, where the model has any.
void print_responses(const Json& summary);

// What is wrong with the ending of the name of a picture, to check an option with; empty: nothing.
std::string picture_name_problem(const std::string& file);

// Writes a picture: SVG, or what the name ends in, .png or .pdf; - is standard output. Throws
// Failure{wrong_usage}.
void write_picture(const std::string& file, const std::string& svg);

// The folder of a result: as asked for, or MODEL.result for the analysis that the model asks for,
// MODEL.ANALYSIS.result for another one.
std::string result_name(const ModelOptions& options, const ModelData& model,
                        const std::string& analysis);
// Writes it; returns its name. Throws Failure{wrong_usage}.
std::string write_result_folder(const ModelOptions& options, const ModelData& model, Json summary,
                                const Trajectory& trajectory, const std::vector<Event>& events,
                                std::vector<NamedText> more = {});

}  // namespace pawl::cli
