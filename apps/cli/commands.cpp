// Commands that look at a model without running it: check, set, schema.
#include "commands.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "manners/tables.h"
#include "mobility_text.h"
#include "model_file/reference/schema.h"
#include "model_file/text/document.h"
#include "model_file/text/model_text.h"
#include "model_file/text/write_file.h"
#include "results/text.h"
#include "simulation/placement/mobility.h"
#include "support.h"

namespace pawl::cli {

namespace {

// Whether a name stands in the table [inputs] of a model.
bool is_input(const std::string& text, const std::string& name) {
    Diagnostics ignored;
    const auto root = parse_document(text, ignored);
    const Node* inputs = root ? root->find("inputs") : nullptr;
    return inputs != nullptr && inputs->find(name) != nullptr;
}

Json positions_json(const PlanarMechanism& mechanism,
                    const std::vector<PlanarSpace::Position>& positions) {
    Json bodies = Json::object();
    for (std::size_t b = 1; b < mechanism.bodies.size(); ++b)
        bodies[mechanism.bodies[b].name] = {{"x_m", positions[b].p.x},
                                            {"y_m", positions[b].p.y},
                                            {"angle_rad", positions[b].angle}};
    return bodies;
}

}  // namespace

int run_check(const ModelOptions& options, int mode_starts) {
    const ModelData model = options.read();
    const PlacedMechanism placed = assemble_or_fail(model);
    const Mobility mobility = analyse_mobility(placed);
    std::vector<AssemblyMode> modes;
    if (mode_starts > 0) modes = find_assembly_modes(placed, mode_starts);
    const Diagnostics warnings = likely_mistakes(model, placed);
    const std::vector<std::string> notes = start_notes(model, placed);
    const Assembly& a = placed.assembly;
    if (options.json) {
        Json out{{"model", model.file},
                 {"name", placed.mechanism.name},
                 {"assembled", true},
                 {"residual_m", a.residual},
                 {"model_size_m", a.model_size},
                 {"mobility", mobility_json(mobility)},
                 {"positions", positions_json(placed.mechanism, a.positions)},
                 {"warnings", messages_of(warnings)},
                 {"notes", notes}};
        if (mode_starts > 0) {
            out["modes"] = Json::array();
            for (const auto& m : modes)
                out["modes"].push_back(
                    {{"hits", m.hits},
                     {"positions", positions_json(placed.mechanism, m.positions)}});
        }
        print_json(out);
        return done;
    }
    if (options.quiet) return done;
    complain(warnings.text());
    fmt::print("{}: {}\n", model.file,
               placed.mechanism.name.empty() ? "a mechanism" : placed.mechanism.name);
    fmt::print(
        "elements      {}, {}, {}, {}\n",
        plural(placed.mechanism.moving_bodies(), "moving body", "moving bodies"),
        plural(static_cast<int>(placed.mechanism.joints.size()), "joint", "joints"),
        plural(static_cast<int>(placed.mechanism.contacts.size()), "contact pair", "contact pairs"),
        plural(static_cast<int>(placed.topology.loops.size()), "loop", "loops"));
    fmt::print("assembled     residual {:.1e} m at model size {}\n", a.residual,
               length_text(a.model_size));
    print_mobility(mobility);
    print_positions(placed.mechanism, a.positions);
    print_notes(notes);
    for (std::size_t i = 1; i < modes.size(); ++i) {
        fmt::print("\nassembly mode {} of {} (found from {} of {} starts)\n", i + 1, modes.size(),
                   modes[i].hits, mode_starts);
        print_positions(placed.mechanism, modes[i].positions);
    }
    if (mode_starts > 0 && modes.size() == 1)
        fmt::print("no other assembly mode found from {} starts\n", mode_starts);
    return done;
}

Command add_check(CLI::App& app) {
    auto* sub =
        app.add_subcommand("check", "read a model, assemble it, count its degrees of freedom");
    auto options = std::make_shared<ModelOptions>();
    auto starts = std::make_shared<int>(0);
    options->add_to(*sub, false, true);
    sub->add_option("--modes", *starts,
                    "look for other ways to assemble it, from this many random starts")
        ->check(CLI::Range(1, 1000000));
    return
        [options, starts] { return options->each([&] { return run_check(*options, *starts); }); };
}

Command add_set(CLI::App& app) {
    auto* sub = app.add_subcommand("set", "change values in a model file; comments and order stay");
    struct Options {
        std::string file, out;
        std::vector<std::string> changes;
    };
    auto o = std::make_shared<Options>();
    sub->add_option("model", o->file, "model file (TOML)")->required();
    sub->add_option("changes", o->changes,
                    "what to change: L1=\"15 mm\" body.crank.angle=\"20 deg\"")
        ->required();
    sub->add_option("-o,--out", o->out, "write here instead of over the model");
    return [o]() -> int {
        Diagnostics d;
        d.file = o->file;
        auto text = read_text_file(o->file, d);
        if (!text) throw Failure{bad_model, d.text()};
        ModelText edited(*text);
        for (const std::string& change : o->changes) {
            const auto equals = change.find('=');
            if (equals == std::string::npos || equals == 0)
                throw Failure{wrong_usage, "a change is path=value, not '" + change + "'"};
            std::string path = change.substr(0, equals);
            if (path.find('.') == std::string::npos)
                path = (is_input(edited.text(), path) ? "inputs." : "parameters.") + path;
            edited.set(path, change.substr(equals + 1), d);
        }
        if (d.has_errors()) throw Failure{bad_model, d.text()};
        Diagnostics check;
        if (!read_model(edited.text(), o->file, {}, check)) throw Failure{bad_model, check.text()};
        const std::string target = o->out.empty() ? o->file : o->out;
        if (const auto problem = write_file(target, edited.text()); !problem.empty())
            throw Failure{wrong_usage, "pawl: " + problem};
        return done;
    };
}

Command add_schema(CLI::App& app) {
    auto* sub = app.add_subcommand("schema", "the model file format as JSON Schema, or as a page");
    auto markdown = std::make_shared<bool>(false);
    sub->add_flag("--markdown", *markdown, "the reference page instead of JSON Schema");
    return [markdown] {
        fmt::print("{}", *markdown ? model_reference() : json_schema());
        return int{done};
    };
}

}  // namespace pawl::cli
