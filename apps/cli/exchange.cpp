// Commands that exchange models with other programs: import and export.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands.h"
#include "math/units.h"
#include "model_file/exchange/acdmc_file.h"
#include "model_file/exchange/adams_file.h"
#include "model_file/text/document.h"
#include "model_file/text/write_file.h"
#include "support.h"

namespace pawl::cli {

namespace {

struct ExchangeOptions {
    std::string file, out;
    ImportOptions reading;
    bool json = false, quiet = false;
};

void add_options(CLI::App& sub, ExchangeOptions& o, bool is_import) {
    sub.add_option("-o,--out", o.out, "file to write")->required();
    sub.add_option("--length", o.reading.units.length,
                   is_import ? "unit of lengths in the data file (default: cm; ADAMS: mm)"
                             : "unit of lengths in the data file (default: cm)");
    sub.add_option("--force", o.reading.units.force,
                   "unit of forces in the data file (default: N)");
    sub.add_option("--mass", o.reading.units.mass,
                   is_import
                       ? "unit of masses in the data file (default: force s^2/length; ADAMS: kg)"
                       : "unit of masses in the data file (default: force s^2/length)");
    sub.add_flag("--json", o.json, "print what was done as JSON");
    sub.add_flag("--quiet,-q", o.quiet, "print nothing but errors");
}

void check_units(const ExchangeUnits& units) {
    const auto check = [](const std::string& text, const Dimension& wanted, const char* flag) {
        if (text.empty()) return;
        const auto unit = parse_unit(text);
        if (!unit || !(unit->dimension == wanted))
            throw Failure{wrong_usage, fmt::format("pawl: {}: '{}' is not a unit of {}", flag, text,
                                                   describe(wanted))};
    };
    check(units.length, dimension::length, "--length");
    check(units.force, dimension::force, "--force");
    check(units.mass, dimension::mass, "--mass");
}

void write_or_fail(const std::string& out, const std::string& text) {
    if (const auto problem = write_file(out, text); !problem.empty())
        throw Failure{wrong_usage, "pawl: " + problem};
}

// The formats that can be read, in the order in which a file is tried.
struct Format {
    const char *name, *sign;  // sign: by what a file of it is known
    bool (*is)(std::string_view text);
    std::optional<ExchangeModel> (*read)(std::string_view text, const ImportOptions& options,
                                         Diagnostics& diagnostics);
};
constexpr Format formats[] = {
    {"ACDMC data file", "a data file of ACDMC (no line 'ENTITY : ...')", is_acdmc, read_acdmc},
    {"ADAMS data set", "a data set of ADAMS (no line 'PART/...')", is_adams, read_adams},
};

const Format& format_of(const std::string& file, const std::string& text) {
    std::string tried;
    for (const Format& format : formats) {
        if (format.is(text)) return format;
        tried += (tried.empty() ? "neither " : " nor ") + std::string(format.sign);
    }
    throw Failure{bad_model, file + ": error: " + tried};
}

int import_file(const ExchangeOptions& o) {
    check_units(o.reading.units);
    Diagnostics diagnostics;
    diagnostics.file = o.file;
    const auto text = read_text_file(o.file, diagnostics);
    if (!text) throw Failure{bad_model, diagnostics.text()};
    const Format& format = format_of(o.file, *text);
    const auto found = format.read(*text, o.reading, diagnostics);
    if (!found) throw Failure{bad_model, diagnostics.text()};
    const std::string model_text = model_text_of(*found);
    Diagnostics check;
    if (!read_model(model_text, o.out, {}, check))
        throw Failure{bad_model, diagnostics.text() + o.file +
                                     ": error: the converted model is not valid:\n" + check.text()};
    write_or_fail(o.out, model_text);
    if (o.json) {
        print_json(Json{{"file", o.file},
                        {"format", format.name},
                        {"model", o.out},
                        {"assumptions", found->assumptions},
                        {"warnings", messages_of(diagnostics)}});
        return done;
    }
    if (o.quiet) return done;
    complain(diagnostics.text());
    fmt::print("{}: {}{}\n", o.file, format.name,
               found->name.empty() ? "" : " '" + found->name + "'");
    fmt::print("elements      {}, {}, {}, {}\n",
               plural(static_cast<int>(found->bodies.size()) - 1, "moving body", "moving bodies"),
               plural(static_cast<int>(found->joints.size()), "joint", "joints"),
               plural(static_cast<int>(found->profiles.size()), "profile", "profiles"),
               plural(static_cast<int>(found->contacts.size()), "contact", "contacts"));
    for (const std::string& assumption : found->assumptions)
        fmt::print("assumed       {}\n", assumption);
    fmt::print("wrote         {}\n", o.out);
    return done;
}

// Where the bodies start: their first guesses, or, where these are rough, as the joints have them.
std::vector<PlanarSpace::Pose> starting_poses(const ModelData& model) {
    constexpr double rough = 1e-6;  // of the model's size: more than the digits of a data file
    const PlacedMechanism placed = assemble_or_fail(model);
    std::vector<PlanarSpace::Pose> guesses, assembled;
    bool good = true;
    for (std::size_t b = 0; b < model.mechanism.bodies.size(); ++b) {
        const auto& guess = model.mechanism.bodies[b].guess;
        const auto& position = placed.assembly.positions[b];
        guesses.push_back(guess);
        assembled.push_back({position.p, position.angle});
        const double size = placed.assembly.model_size;
        good &= std::hypot(guess.at.x - position.p.x, guess.at.y - position.p.y) < rough * size &&
                std::abs(guess.angle - position.angle) < rough;
    }
    return good ? guesses : assembled;
}

int export_file(const ExchangeOptions& o, const ModelOptions& options) {
    check_units(o.reading.units);
    ExchangeUnits units = o.reading.units;
    if (units.length.empty()) units.length = "cm";
    if (units.force.empty()) units.force = "N";
    const ModelData model = options.read();
    Diagnostics diagnostics;
    diagnostics.file = model.file;
    const auto text = write_acdmc(model, starting_poses(model), units, diagnostics);
    if (!text) throw Failure{bad_model, diagnostics.text()};
    write_or_fail(o.out, *text);
    if (options.json) {
        print_json(
            Json{{"model", model.file}, {"file", o.out}, {"warnings", messages_of(diagnostics)}});
        return done;
    }
    if (options.quiet) return done;
    complain(diagnostics.text());
    fmt::print("wrote         {} (lengths in {}, forces in {}, masses in {})\n", o.out,
               units.length, units.force, units.mass_or_consistent());
    return done;
}

}  // namespace

Command add_import(CLI::App& app) {
    auto* sub = app.add_subcommand("import", "convert an ACDMC or ADAMS data file to a model");
    auto o = std::make_shared<ExchangeOptions>();
    sub->add_option("file", o->file, "data file; the format is recognised from the contents")
        ->required();
    add_options(*sub, *o, true);
    sub->add_flag("--drive", o->reading.drive,
                  "ACDMC: drive the independent coordinates at their initial speed");
    return [o] { return import_file(*o); };
}

Command add_export(CLI::App& app) {
    auto* sub = app.add_subcommand("export", "write a model as an ACDMC data file");
    auto o = std::make_shared<ExchangeOptions>();
    auto options = std::make_shared<ModelOptions>();
    sub->add_option("model", options->file, "model file (TOML)")->required();
    sub->add_option(
           "--set", options->sets,
           "change a parameter or any value: --set L1=\"15 mm\" --set contact.C.impact=poisson")
        ->allow_extra_args(false);
    add_options(*sub, *o, false);
    return [o, options] {
        options->json = o->json;
        options->quiet = o->quiet;
        return export_file(*o, *options);
    };
}

}  // namespace pawl::cli
