// Commands that look at a model without running it: check, set, schema.
#include "commands.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "equations/particle_equations.h"
#include "manners/tables.h"
#include "mobility_text.h"
#include "model_file/reference/schema.h"
#include "model_file/text/document.h"
#include "model_file/text/model_text.h"
#include "model_file/text/write_file.h"
#include "results/text.h"
#include "simulation/dynamic/particle_run.h"
#include "simulation/placement/assembly_families.h"
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

std::vector<std::string> names_of_bodies(const PlanarMechanism& mechanism,
                                         const std::vector<int>& bodies) {
    std::vector<std::string> names;
    for (const int b : bodies) names.push_back(mechanism.bodies[static_cast<std::size_t>(b)].name);
    return names;
}

void print_modes(const PlanarMechanism& mechanism, const std::vector<AssemblyFamily>& modes,
                 int mode_starts, const ShownUnits& units) {
    for (std::size_t i = 1; i < modes.size(); ++i) {
        fmt::print("\nassembly mode {} of {} (found from {} of {} starts)\n", i + 1, modes.size(),
                   modes[i].mode.hits, mode_starts);
        if (modes[i].freedoms > 0)
            fmt::print("a family, one of {} positions found: {} can still move, {} left\n",
                       modes[i].members, joined(names_of_bodies(mechanism, modes[i].bodies)),
                       plural(modes[i].freedoms, "degree of freedom is", "degrees of freedom are"));
        print_positions(mechanism, modes[i].mode.positions, units);
    }
    if (mode_starts > 0 && modes.size() == 1)
        fmt::print("no other assembly mode found from {} starts\n", mode_starts);
}

}  // namespace

int run_check(const ModelOptions& options, int mode_starts) {
    const ModelData model = options.read();
    const PlacedMechanism placed = assemble_or_fail(model);
    const Mobility mobility = analyse_mobility(placed);
    std::vector<AssemblyFamily> modes;
    if (mode_starts > 0)
        modes = group_assembly_modes(placed, find_assembly_modes(placed, mode_starts));
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
                    {{"hits", m.mode.hits},
                     {"members_found", m.members},
                     {"degrees_of_freedom_left", m.freedoms},
                     {"bodies_that_can_move", names_of_bodies(placed.mechanism, m.bodies)},
                     {"positions", positions_json(placed.mechanism, m.mode.positions)}});
        }
        print_json(out);
        return done;
    }
    if (options.quiet) return done;
    complain(warnings.text());
    fmt::print("{}: {}\n", model.file,
               placed.mechanism.name.empty() ? "model without a name" : visible(placed.mechanism.name));
    fmt::print(
        "elements      {}, {}, {}, {}\n",
        plural(placed.mechanism.moving_bodies(), "moving body", "moving bodies"),
        plural(static_cast<int>(placed.mechanism.joints.size()), "joint", "joints"),
        plural(static_cast<int>(placed.mechanism.contacts.size()), "contact pair", "contact pairs"),
        plural(static_cast<int>(placed.topology.loops.size()), "loop", "loops"));
    fmt::print("assembled     residual {:.1e} m at model size {}\n", a.residual,
               length_text(a.model_size));
    print_mobility(mobility);
    print_positions(placed.mechanism, a.positions, units_of(options, model));
    print_notes(notes);
    print_modes(placed.mechanism, modes, mode_starts, units_of(options, model));
    return done;
}

namespace {

// The particles that stand for the bodies, and how large the equations of motion with them are.
struct ParticleCheck {
    const PlacedMechanism& placed;
    Topology topology;
    ParticleEquations particles;
    JointParticleEquations joints;
    MechanismEquations<PlanarSpace> absolute;

    ParticleCheck(const PlacedMechanism& p, const std::vector<std::string>& cuts)
        : placed(p),
          topology(ParticleSystem::cut_at(p.mechanism, cuts)),
          particles(p.mechanism, topology, p.assembly.positions, p.assembly.model_size),
          joints(p.mechanism, topology, p.assembly.model_size),
          absolute(p.mechanism, topology, {.coordinates = CoordinateKind::absolute}) {}

    [[nodiscard]] const ParticleSystem& system() const { return particles.system(); }
    [[nodiscard]] std::vector<std::string> cut_joints() const {
        std::vector<std::string> names;
        for (const auto& cut : system().cuts())
            names.push_back(placed.mechanism.joints[static_cast<std::size_t>(cut.joint)].name);
        return names;
    }
    // Name, coordinates and rows of each form.
    [[nodiscard]] std::vector<std::tuple<const char*, int, int>> sizes() const {
        return {{"particles", particles.size(), particles.pattern().rows()},
                {"joint coordinates", joints.size(), joints.pattern().rows()},
                {"absolute coordinates", absolute.size(), absolute.pattern().rows()}};
    }
    void print() const;
    [[nodiscard]] Json json() const;
};

void ParticleCheck::print() const {
    for (const auto& body : system().bodies()) {
        fmt::print("{:<16} {:<6}",
                   placed.mechanism.bodies[static_cast<std::size_t>(body.body)].name,
                   body.rod ? "rod" : "");
        for (const auto& share : body.shares) {
            const std::string name =
                share.of.size() > 1
                    ? "middle"
                    : system().particles()[static_cast<std::size_t>(share.of[0].first)].name;
            fmt::print("  {} {:.6g} kg", name, share.mass);
        }
        fmt::print("\n");
    }
    std::vector<std::string> moving;
    for (const auto& p : system().particles())
        if (p.column >= 0) moving.push_back(fmt::format("{} {:.6g} kg", p.name, p.mass));
    fmt::print("particles     {} moving, shared at pins: {}\n", moving.size(), joined(moving));
    const auto cuts = cut_joints();
    fmt::print("cut joints    {}\n", cuts.empty() ? "none" : joined(cuts));
    for (const auto& [name, coordinates, rows] : sizes())
        fmt::print("equations     {:<20} {} x {} with {}: a system of {}\n", name, coordinates,
                   coordinates, plural(rows, "constraint", "constraints"), coordinates + rows);
}

Json ParticleCheck::json() const {
    Json bodies = Json::object(), particle_list = Json::array(), equations = Json::object();
    for (const auto& body : system().bodies()) {
        std::vector<double> masses;
        for (const auto& share : body.shares) masses.push_back(share.mass);
        bodies[placed.mechanism.bodies[static_cast<std::size_t>(body.body)].name] = {
            {"rod", body.rod}, {"masses_kg", masses}};
    }
    for (const auto& p : system().particles())
        particle_list.push_back({{"name", p.name}, {"mass_kg", p.mass}, {"moves", p.column >= 0}});
    for (const auto& [name, coordinates, rows] : sizes())
        equations[name] = {{"coordinates", coordinates}, {"constraints", rows}};
    return {{"bodies", bodies},
            {"particles", particle_list},
            {"cut_joints", cut_joints()},
            {"equations", equations}};
}

// The motion of the model's run with particles against that with bodies.
struct ParticleComparison {
    const char* form;
    long evaluations;
    double position, angle;  // largest differences of bodies: m, rad
};

std::vector<ParticleComparison> compare_motions(const ModelData& model,
                                                const PlacedMechanism& placed,
                                                const std::vector<std::string>& cuts) {
    DynamicOptions options = dynamic_options(model.run);
    options.reactions = false;
    const DynamicResult bodies = run_dynamics(placed, options);
    if (bodies.status != DynamicStatus::completed)
        throw failure_at(exit_code(bodies.status), model, bodies.span, bodies.message);
    std::vector<ParticleComparison> out{{"bodies", bodies.statistics.evaluations, 0, 0}};
    for (const auto& [name, form] : {std::pair{"joint coordinates", ParticleForm::joints},
                                     {"particles", ParticleForm::particles}}) {
        ParticleOptions particles;
        particles.end = options.end;
        particles.step = options.step;
        particles.rtol = options.rtol;
        particles.atol = options.atol;
        particles.form = form;
        particles.cuts = cuts;
        const ParticleResult run = run_particles(placed, particles);
        if (!run.problem.empty())
            throw failure_at(numerical_failure, model, run.span,
                             std::string("in ") + name + ": " + run.problem);
        ParticleComparison c{name, run.evaluations, 0, 0};
        const std::size_t rows = std::min(run.trajectory.rows(), bodies.trajectory.rows());
        // Nine columns of each body, from its position on.
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t b = 1; b < placed.mechanism.bodies.size(); ++b) {
                const auto d = [&](std::size_t k) {
                    const std::size_t column = 9 * b - 8 + k;
                    return std::abs(run.trajectory.row(r)[column] -
                                    bodies.trajectory.row(r)[column]);
                };
                c.position = std::max({c.position, d(0), d(1)});
                c.angle = std::max(c.angle, d(2));
            }
        out.push_back(c);
    }
    return out;
}

void add_comparison(Json& json, const std::vector<ParticleComparison>& motions) {
    for (const ParticleComparison& c : motions)
        json["motion"][c.form] = {{"evaluations", c.evaluations},
                                  {"largest_difference_m", c.position},
                                  {"largest_difference_rad", c.angle}};
}

void print_comparison(const std::vector<ParticleComparison>& motions) {
    for (const ParticleComparison& c : motions) {
        fmt::print("motion        {:<20} {} evaluations", c.form, c.evaluations);
        if (&c != &motions.front())
            fmt::print(", within {:.2g} m and {:.2g} rad of the motion of the bodies", c.position,
                       c.angle);
        fmt::print("\n");
    }
}

int show_particles(const ModelOptions& options, const std::vector<std::string>& cuts,
                   bool compare) {
    const ModelData model = options.read();
    const PlacedMechanism placed = assemble_or_fail(model);
    for (const std::string& cut : cuts)
        if (std::none_of(placed.mechanism.joints.begin(), placed.mechanism.joints.end(),
                         [&](const auto& joint) { return joint.name == cut; }))
            throw Failure{wrong_usage, "--cut: there is no joint '" + cut + "'"};
    if (const auto refusal = ParticleSystem::refusal(placed.mechanism))
        throw failure_at(bad_model, model, refusal->span, refusal->message);
    const ParticleCheck check(placed, cuts);
    std::vector<ParticleComparison> motions;
    if (compare) motions = compare_motions(model, placed, cuts);
    if (options.json) {
        Json out{{"model", model.file}, {"particles", check.json()}};
        add_comparison(out["particles"], motions);
        print_json(out);
    } else if (!options.quiet) {
        check.print();
        print_comparison(motions);
    }
    return done;
}

}  // namespace

Command add_check(CLI::App& app) {
    auto* sub =
        app.add_subcommand("check", "read a model, assemble it and count its degrees of freedom");
    auto options = std::make_shared<ModelOptions>();
    auto starts = std::make_shared<int>(0);
    options->add_to(*sub, false, true);
    sub->add_option("--modes", *starts, "search for other assembly modes from N random starts")
        ->check(CLI::Range(1, 1000000));
    auto particles = std::make_shared<bool>(false);
    auto cuts = std::make_shared<std::vector<std::string>>();
    sub->add_flag("--particles", *particles,
                  "show the equivalent particles of the bodies, and the size of the equations "
                  "of motion with them");
    sub->add_option("--cut", *cuts, "with --particles: a joint to cut to open a loop");
    auto compare = std::make_shared<bool>(false);
    sub->add_flag("--compare", *compare,
                  "with --particles: run the model with bodies and with particles, and compare the "
                  "motions");
    return [options, starts, particles, cuts, compare] {
        if (!*particles && (*compare || !cuts->empty()))
            throw Failure{wrong_usage, "--cut and --compare are for --particles; add --particles"};
        return options->each([&] {
            return *particles ? show_particles(*options, *cuts, *compare)
                              : run_check(*options, *starts);
        });
    };
}

Command add_set(CLI::App& app) {
    auto* sub =
        app.add_subcommand("set", "change values in a model file, keeping comments and layout");
    struct Options {
        std::string file, out;
        std::vector<std::string> changes;
    };
    auto o = std::make_shared<Options>();
    sub->add_option("model", o->file, "model file (TOML)")->required();
    sub->add_option("changes", o->changes,
                    "what to change: L1=\"15 mm\" body.crank.angle=\"20 deg\"")
        ->required();
    sub->add_option("-o,--out", o->out, "write to this file instead of overwriting the model");
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
    auto* sub = app.add_subcommand(
        "schema", "print the model file format as JSON Schema or as a reference page");
    auto markdown = std::make_shared<bool>(false);
    sub->add_flag("--markdown", *markdown, "print the reference page in Markdown");
    return [markdown] {
        fmt::print("{}", *markdown ? model_reference() : json_schema());
        return int{done};
    };
}

}  // namespace pawl::cli
