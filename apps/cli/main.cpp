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
#include "math/span.h"
#include "version.h"

using namespace pawl::cli;

namespace {

int run_program(int argc, char** argv) {
    CLI::App app{"Pawl simulates mechanisms whose contacts come and go.", "pawl"};
    app.set_version_flag("--version", std::string("pawl ") + std::string(pawl::version()));
    app.require_subcommand(1);
    app.footer(
        "Exit codes: 0 done, 1 internal error, 2 wrong usage or a file that cannot be written,\n"
        "3 bad model or result, 4 does not assemble, 5 numerical failure, drivers that fight or "
        "no\n"
        "memory left, 6 a check failed, 130 ended by Ctrl-C.\n"
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
                                  {"resume", add_resume(app)},
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
            complain(fmt::format("pawl: there is no verb '{}'{}\n", argv[1],
                                 pawl::did_you_mean(argv[1], names)));
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
    for (const Verb& verb : verbs) {
        if (!app.got_subcommand(verb.name)) continue;
        const int code = verb.command();
        if (std::fflush(stdout) != 0)
            throw std::system_error(errno, std::generic_category(), "standard output");
        return code;
    }
    return wrong_usage;
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
    try {
        return run_program(argc, argv);
    } catch (const Failure& failure) {
        complain(failure.message.ends_with('\n') ? failure.message : failure.message + "\n");
        return failure.code;
    } catch (const std::bad_alloc&) {
        complain(
            "pawl: out of memory; take a longer --step or a shorter --end, or run it where more "
            "memory is free\n");
        return numerical_failure;
    } catch (const std::system_error& e) {  // a full disk, a closed pipe
        complain(fmt::format("pawl: {}\n", e.what()));
        return wrong_usage;
    } catch (const std::exception& e) {
        complain(fmt::format(
            "pawl: internal error: {}\nPlease report it together with the model.\n", e.what()));
        return our_bug;
    }
}
