// The program `pawl`: verbs, exit codes, and nothing else.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands.h"
#include "math/span.h"
#include "version.h"

using namespace pawl::cli;

int main(int argc, char** argv) {
    CLI::App app{"Pawl simulates mechanisms whose contacts come and go.", "pawl"};
    app.set_version_flag("--version", std::string("pawl ") + std::string(pawl::version()));
    app.require_subcommand(1);
    app.footer(
        "Exit codes: 0 done, 1 a bug of ours, 2 wrong usage, 3 bad model, 4 does not assemble,\n"
        "5 numerical failure or drivers that fight, 6 a check failed.\n"
        "Example: pawl kinematics models/slider_crank.toml --out results/slider_crank");
    struct Verb {
        std::string name;
        Command command;
    };
    const std::vector<Verb> verbs{{"check", add_check(app)},
                                  {"topology", add_topology(app)},
                                  {"kinematics", add_kinematics(app)},
                                  {"dynamics", add_dynamics(app)},
                                  {"inverse", add_inverse(app)},
                                  {"statics", add_statics(app)},
                                  {"run", add_run(app)},
                                  {"draw", add_draw(app)},
                                  {"plot", add_plot(app)},
                                  {"report", add_report(app)},
                                  {"lyapunov", add_lyapunov(app)},
                                  {"poincare", add_poincare(app)},
                                  {"spectrum", add_spectrum(app)},
                                  {"periodic", add_periodic(app)},
                                  {"verify", add_verify(app)},
                                  {"set", add_set(app)},
                                  {"import", add_import(app)},
                                  {"export", add_export(app)},
                                  {"schema", add_schema(app)}};
    if (argc > 1 && argv[1][0] != '-') {
        std::vector<std::string> names;
        for (const Verb& verb : verbs) names.push_back(verb.name);
        if (std::find(names.begin(), names.end(), argv[1]) == names.end()) {
            fmt::print(stderr, "pawl: there is no verb '{}'{}\n", argv[1],
                       pawl::did_you_mean(argv[1], names));
            return wrong_usage;
        }
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0) return app.exit(e);  // --help, --version
        app.exit(e);
        return wrong_usage;
    }
    try {
        for (const Verb& verb : verbs) {
            if (!app.got_subcommand(verb.name)) continue;
            const int code = verb.command();
            if (std::fflush(stdout) != 0)
                throw std::system_error(errno, std::generic_category(), "standard output");
            return code;
        }
    } catch (const Failure& failure) {
        fmt::print(stderr, "{}{}", failure.message, failure.message.ends_with('\n') ? "" : "\n");
        return failure.code;
    } catch (const std::system_error& e) {  // a full disk, a closed pipe
        fmt::print(stderr, "pawl: {}\n", e.what());
        return wrong_usage;
    } catch (const std::exception& e) {
        fmt::print(
            stderr,
            "pawl: internal error: {}\nThis is a bug of ours; please report it with the model.\n",
            e.what());
        return our_bug;
    }
    return wrong_usage;
}
