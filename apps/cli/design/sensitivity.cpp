// `pawl sensitivity`: how the responses of a model move with its parameters.
#include <cmath>
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "design/study.h"
#include "model_file/text/write_file.h"
#include "output/result/shown_units.h"

namespace pawl::cli {

namespace {

struct SensitivityCommand {
    ModelOptions options;
    SensitivityOptions study;
    long threads = 0;

    int run();

private:
    void write(const Sensitivity& found) const;
    [[nodiscard]] std::string folder() const {
        return options.out.empty()
                   ? std::filesystem::path(options.file).stem().string() + ".sensitivity"
                   : options.out;
    }
};

const char* method_text(const Sensitivity& found) {
    return found.method == SensitivityMethod::along_the_run
               ? "along the steps and events of the run"
               : "extrapolated differences of runs";
}

ShownUnit unit_of(const Sensitivity::OfParameter& p, const ShownUnits& units) {
    if (p.unit.empty()) return {"1", 1};
    return units.of(p.unit, std::abs(p.value));
}

// "s per mm"; of a bare number nothing is said.
std::string unit_text(const std::string& response, const std::string& parameter) {
    return parameter == "1" ? response : response + " per " + parameter;
}

void print_derivatives(const Sensitivity& found, std::size_t r, const ShownUnits& units) {
    const auto& response = found.responses[r];
    fmt::print("\n{} = {:.10g} {}\n", response.response.name, response.value.value,
               response.value.unit);
    fmt::print("  {:<20} {:>18} {:<20} {:>12} {:>10}\n", "by", "derivative", "", "% per %",
               "error");
    for (std::size_t p = 0; p < found.parameters.size(); ++p) {
        const Derivative& d = found.derivatives[r][p];
        const ShownUnit unit = unit_of(found.parameters[p], units);
        if (!d.problem.empty()) {
            fmt::print("  {:<20} {}\n", found.parameters[p].name, d.problem);
            continue;
        }
        fmt::print("  {:<20} {:>18.10g} {:<20} {:>12} {:>10.1e}\n", found.parameters[p].name,
                   d.value / unit.factor, unit_text(response.value.unit, unit.unit),
                   std::isfinite(d.relative) ? fmt::format("{:.6g}", d.relative) : "-",
                   d.error / unit.factor);
    }
}

void print_sensitivity(const Sensitivity& found, const ShownUnits& units) {
    fmt::print("{:<22} {:>16}\n", "parameter", "value");
    for (const auto& p : found.parameters) {
        const ShownUnit unit = unit_of(p, units);
        fmt::print("{:<22} {:>16.9g} {}\n", p.name, p.value * unit.factor,
                   p.unit.empty() ? "" : unit.unit);
    }
    for (std::size_t r = 0; r < found.responses.size(); ++r) print_derivatives(found, r, units);
    for (const MissingDerivativeAt& m : found.missing)
        fmt::print("\nno derivative by {} from t = {:.9g} s on: {}: {}\n", m.parameter, m.t,
                   m.event, m.reason);
    fmt::print("\nfound   {}\n", method_text(found));
    print_notes(found.notes);
}

Json sensitivity_json(const Sensitivity& found) {
    Json out{{"method", method_text(found)},
             {"parameters", Json::array()},
             {"responses", Json::array()},
             {"missing", Json::array()},
             {"notes", found.notes}};
    for (const auto& p : found.parameters)
        out["parameters"].push_back({{"name", p.name}, {"value", p.value}, {"unit", p.unit}});
    for (std::size_t r = 0; r < found.responses.size(); ++r) {
        Json by = Json::array();
        for (std::size_t p = 0; p < found.parameters.size(); ++p) {
            const Derivative& d = found.derivatives[r][p];
            const std::string& unit = found.parameters[p].unit;
            Json one{{"parameter", found.parameters[p].name},
                     {"derivative", json_number(d.value)},
                     {"unit", unit_text(found.responses[r].value.unit, unit.empty() ? "1" : unit)},
                     {"relative", json_number(d.relative)},
                     {"error", json_number(d.error)}};
            if (!d.problem.empty()) one["problem"] = d.problem;
            by.push_back(std::move(one));
        }
        out["responses"].push_back({{"name", found.responses[r].response.name},
                                    {"value", json_number(found.responses[r].value.value)},
                                    {"unit", found.responses[r].value.unit},
                                    {"by", by}});
    }
    for (const MissingDerivativeAt& m : found.missing)
        out["missing"].push_back(
            {{"parameter", m.parameter}, {"t", m.t}, {"event", m.event}, {"reason", m.reason}});
    return out;
}

std::string table_field(const std::string& text) {
    return text.find_first_of(",\"") == std::string::npos ? text : "\"" + text + "\"";
}

std::string table_text(const Sensitivity& found) {
    std::string out;
    for (const Column& c : found.columns)
        out += (out.empty() ? "" : ",") + table_field(c.name + " [" + c.unit + "]");
    out += "\n";
    for (std::size_t i = 0; i < found.cells.size(); ++i) {
        if (std::isfinite(found.cells[i])) out += fmt::format("{}", found.cells[i]);
        out += (i + 1) % found.columns.size() == 0 ? "\n" : ",";
    }
    return out;
}

void SensitivityCommand::write(const Sensitivity& found) const {
    std::error_code refused;
    std::filesystem::create_directories(folder(), refused);
    if (refused) throw Failure{wrong_usage, "pawl: " + folder() + ": " + refused.message()};
    const auto file = [&](const char* name, const std::string& text) {
        const std::string path = (std::filesystem::path(folder()) / name).string();
        if (const std::string problem = write_file(path, text); !problem.empty())
            throw Failure{wrong_usage, "pawl: " + problem};
    };
    file("sensitivity.json", json_text(sensitivity_json(found)));
    if (study.columns) file("sensitivity.csv", table_text(found));
    if (!options.quiet && !options.json) fmt::print("result  {}\n", folder());
}

int SensitivityCommand::run() {
    const Model model = read_face(options);
    study.threads = static_cast<int>(threads);
    Diagnostics problems;
    const auto found = model.sensitivity(study, problems);
    if (!found) throw Failure{bad_model, problems.text()};
    if (options.json)
        print_json(sensitivity_json(*found));
    else if (!options.quiet)
        print_sensitivity(*found,
                          options.si ? ShownUnits::si() : ShownUnits::of_model(model.text()));
    if (study.columns || !options.out.empty()) write(*found);
    return done;
}

}  // namespace

Command add_sensitivity(CLI::App& app) {
    auto* sub = app.add_subcommand(
        "sensitivity", "find derivatives of responses with respect to parameters, through events");
    auto c = std::make_shared<SensitivityCommand>();
    c->options.add_to(*sub, false);
    sub->add_option("-o,--out", c->options.out,
                    "folder to write sensitivity.json to, and sensitivity.csv with --columns "
                    "(default with --columns: MODEL.sensitivity)");
    sub->add_option("--of", c->study.responses,
                    "a response: its name in the model or its text, e.g. \"max:bolt.x\" (default: "
                    "all of the model)")
        ->allow_extra_args(false);
    sub->add_option("--by", c->study.parameters, "a parameter (default: all of the model)")
        ->allow_extra_args(false);
    sub->add_flag("--columns", c->study.columns,
                  "also write the derivatives of every column as sensitivity.csv");
    sub->add_flag("--differences", c->study.differences,
                  "use extrapolated differences of whole runs even where the run can be "
                  "differentiated, as a check");
    sub->add_option("--threads", c->threads, "number of threads (default: one for each core)")
        ->check(CLI::PositiveNumber);
    return [c] { return c->run(); };
}

}  // namespace pawl::cli
