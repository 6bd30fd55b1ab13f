// The commands of the program. Each reads its options, does its work and returns an exit code.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model_file/reading/model_file.h"

namespace CLI {
class App;
}

namespace pawl::cli {

enum ExitCode {
    done = 0,
    internal_error = 1,
    wrong_usage = 2,
    bad_model = 3,
    does_not_assemble = 4,
    numerical_failure = 5,  // or drivers that fight, or no memory left
    check_failed = 6,
    interrupted = 130,  // by Ctrl-C, as shells say it
};

// A failure with its exit code; the message has been made for the user.
struct Failure {
    int code;
    std::string message;
};

// Writes to standard error. If nobody listens there (closed, a full disk) the text is lost and the
// work continues.
void complain(std::string_view text);

// Options that every command on a model has.
struct ModelOptions {
    std::string file;
    std::vector<std::string> files;  // where a command takes several
    std::vector<std::string> sets;
    bool json = false, quiet = false, si = false;
    std::string out;
    void add_to(CLI::App& app, bool writes_result, bool takes_several = false);
    // The work for each of several models, whose file is then `file`; what fails does not keep it
    // from the others. The exit code is the first that is not 0.
    int each(const std::function<int()>& work);
    // Reads the model; prints warnings; throws Failure{bad_model}.
    [[nodiscard]] ModelData read() const;
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> overrides() const;
};

using Command = std::function<int()>;

int run_check(const ModelOptions& options, int mode_starts);
// The equilibrium along the drivers, or at t = 0 with its vibrations where nothing drives.
int run_quasi_static(const ModelOptions& options, ModelData model);

// Each adds its subcommand to the app and returns what to run when it is chosen.
Command add_new(CLI::App& app);
Command add_check(CLI::App& app);
Command add_topology(CLI::App& app);
Command add_kinematics(CLI::App& app);
Command add_dynamics(CLI::App& app);
Command add_inverse(CLI::App& app);
Command add_statics(CLI::App& app);
Command add_run(CLI::App& app);
Command add_resume(CLI::App& app);
Command add_draw(CLI::App& app);
Command add_plot(CLI::App& app);
Command add_report(CLI::App& app);
Command add_studio(CLI::App& app);
Command add_set(CLI::App& app);
Command add_import(CLI::App& app);
Command add_export(CLI::App& app);
Command add_schema(CLI::App& app);
Command add_lyapunov(CLI::App& app);
Command add_poincare(CLI::App& app);
Command add_spectrum(CLI::App& app);
Command add_periodic(CLI::App& app);
Command add_synthesise(CLI::App& app);
Command add_optimise(CLI::App& app);
Command add_sweep(CLI::App& app);
Command add_tolerance(CLI::App& app);
Command add_sensitivity(CLI::App& app);
Command add_verify(CLI::App& app);
Command add_help(CLI::App& app);
Command add_man(CLI::App& app);
Command add_completion(CLI::App& app);

}  // namespace pawl::cli
