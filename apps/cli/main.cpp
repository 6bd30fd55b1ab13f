// The program `pawl`: verbs, exit codes, and nothing else.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <system_error>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/format.h>

#include "commands.h"
#include "manners/failure.h"
#include "manners/help.h"
#include "math/span.h"
#include "version.h"

using namespace pawl::cli;

namespace {

struct Verb {
    std::string name;
    Command command;
    const char* example;
};

std::vector<Verb> add_verbs(CLI::App& app) {
    return {
        {"new", add_new(app), "geneva slots=6 centres=\"80 mm\" -o geneva6.toml"},
        {"check", add_check(app), "models/scissor_lift.toml"},
        {"topology", add_topology(app), "models/trigger.toml --draw graph.svg"},
        {"kinematics", add_kinematics(app), "models/fourbar_coupler.toml --out results/fourbar"},
        {"dynamics", add_dynamics(app), "models/ratchet.toml --end \"1 s\" --set run.rtol=1e-10"},
        {"inverse", add_inverse(app), "models/rrtr_inverse.toml"},
        {"statics", add_statics(app), "models/toggle_snap.toml --along"},
        {"run", add_run(app), "models/trigger.toml --out results/trigger"},
        {"resume", add_resume(app), "trigger.result.pawl-unfinished-0b72977b6e7c555a"},
        {"draw", add_draw(app), "models/escapement.toml --at \"0.3 s\" -o escapement.svg"},
        {"plot", add_plot(app), "results/trigger --contacts"},
        {"report", add_report(app), "results/trigger"},
        {"studio", add_studio(app), "models --no-browser"},
        {"lyapunov", add_lyapunov(app), "models/driven_pendulum.toml"},
        {"poincare", add_poincare(app), "models/bouncing_on_plate.toml --event impact"},
        {"spectrum", add_spectrum(app), "models/two_pendulums.toml"},
        {"periodic", add_periodic(app), "models/rrtr.toml --guess \"1.57 s\""},
        {"synthesise", add_synthesise(app), "path models/synthesis/nine_points.toml"},
        {"sweep", add_sweep(app), "models/pendulum.toml --vary length=0.5:2:16 --of max:rod.omega"},
        {"sensitivity", add_sensitivity(app), "models/pendulum.toml --of period:rod.angle"},
        {"tolerance", add_tolerance(app), "models/latch_tolerance.toml --runs 2000"},
        {"optimise", add_optimise(app), "models/latch_release.toml"},
        {"verify", add_verify(app), "K1"},
        {"set", add_set(app), "models/pendulum.toml body.rod.angle=\"20 deg\" -o other.toml"},
        {"import", add_import(app), "mechanism.dat -o mechanism.toml"},
        {"export", add_export(app), "models/pendulum.toml -o pendulum.dat"},
        {"schema", add_schema(app), "--markdown"},
        {"help", add_help(app), "run"},
        {"man", add_man(app), "run > pawl-run.1"},
        {"completion", add_completion(app),
         "bash > ~/.local/share/bash-completion/completions/pawl"},
    };
}

// The message for a first word that is no verb; empty where it is one.
std::string unknown_verb(const std::vector<Verb>& verbs, const char* word) {
    std::vector<std::string> names;
    for (const Verb& verb : verbs) names.push_back(verb.name);
    if (std::find(names.begin(), names.end(), word) != names.end()) return "";
    return fmt::format("unknown verb '{}'{}", word, pawl::did_you_mean(word, names));
}

// Verbs may be spelt with z too.
void spell_with_s(char* word) {
    for (const std::string_view other : {"synthesize", "optimize"})
        if (word == other) word[other.size() - 2] = 's';
}

bool asks_for_json(int argc, char** argv) {
    return std::find(argv, argv + argc, std::string_view("--json")) != argv + argc;
}

int run_program(int argc, char** argv) {
    CLI::App app{"Pawl simulates mechanisms whose contacts come and go.", "pawl"};
    app.set_version_flag("-V,--version", std::string("pawl ") + std::string(pawl::version()),
                         "show the version");
    app.require_subcommand(1);
    const std::string exit_codes =
        "Exit codes: 0 done, 1 internal error, 2 wrong usage or a file that cannot be written,\n"
        "3 bad model or result, 4 does not assemble, 5 numerical failure, conflicting drivers or\n"
        "out of memory, 6 a check failed, 130 ended by Ctrl-C.\n";
    app.footer("Begin with: pawl run models/trigger.toml, then pawl report trigger.result\n" +
               exit_codes + "`pawl help VERB` shows the options and an example of each verb.");
    const std::vector<Verb> verbs = add_verbs(app);
    set_help_texts(app);
    for (const Verb& verb : verbs)
        app.get_subcommand(verb.name)->footer("Example: pawl " + verb.name + " " + verb.example +
                                              "\n" + exit_codes);
    if (argc == 1) {
        fmt::print("{}", help_page(app));
        return done;
    }
    spell_with_s(argv[1]);
    if (argv[1][0] != '-')
        if (const std::string problem = unknown_verb(verbs, argv[1]); !problem.empty())
            throw Failure{wrong_usage, problem};
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        const auto chosen = app.get_subcommands();
        fmt::print("{}", help_page(chosen.empty() ? app : *chosen.front()));
        return done;
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0) {
            fmt::print("{}\n", e.what());  // --version
            return done;
        }
        throw Failure{wrong_usage, usage_problem(app, e)};
    }
    for (const Verb& verb : verbs) {
        if (app.got_subcommand(verb.name)) return verb.command();
    }
    return wrong_usage;
}

void flush_output() {
    if (std::fflush(stdout) != 0)
        throw std::system_error(errno, std::generic_category(), "standard output");
}

// What goes wrong outside of the commands, as a failure.
Failure failure_of(const std::exception& e) {
    if (dynamic_cast<const std::bad_alloc*>(&e) != nullptr)
        return {numerical_failure,
                "out of memory; take a longer --step or a shorter --end, or run it where more "
                "memory is free"};
    if (dynamic_cast<const std::system_error*>(&e) != nullptr)  // a full disk, a closed pipe
        return {wrong_usage, e.what()};
    return {internal_error,
            fmt::format("internal error: {}\nPlease report it together with the model.", e.what())};
}

// A standard stream that was closed would pass its number on to the next file, and messages would
// go into a result. What is opened here in its place refuses to be read or written.
void occupy_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) == -1 && errno == EBADF)
            // The lowest free number is taken, which is this one.
            [[maybe_unused]]
            const int file = ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

int main(int argc, char** argv) {
    occupy_standard_streams();
    std::signal(SIGXFSZ, SIG_IGN);  // a file over the limit is an error of writing, not the end
    const bool as_json = asks_for_json(argc, argv);
    try {
        const int code = run_program(argc, argv);
        flush_output();
        return code;
    } catch (const Failure& failure) {
        report_failure(failure, as_json);
        return failure.code;
    } catch (const std::exception& e) {
        const Failure failure = failure_of(e);
        report_failure(failure, as_json && failure.code != wrong_usage);
        return failure.code;
    }
}
