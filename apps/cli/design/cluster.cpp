#include "design/cluster.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <sys/wait.h>

#include "support.h"
#include "version.h"

namespace pawl::cli {

namespace {

// In single quotes, for the shell.
std::string quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
    return out + "'";
}

}  // namespace

int fill_on_cluster(const std::string& address, const Model& model, const SweepSettings& settings,
                    const std::filesystem::path& store, bool quiet) {
    Json order{{"cluster", address},       {"version", version()},
               {"text", model.text()},     {"file", model.file()},
               {"values", model.values()}, {"vary", settings.vary},
               {"of", settings.responses}, {"method", value_name(settings.method)},
               {"runs", settings.runs},    {"seed", settings.seed},
               {"store", store.string()},  {"quiet", quiet}};
    // Debian's Python, which has the package; another one may stand first in the path.
    const char* other = std::getenv("PAWL_PYTHON");
    const std::string command =
        quoted(other != nullptr ? other : "/usr/bin/python3") + " -m pawl.cluster";
    std::fflush(nullptr);
    auto* const before = std::signal(SIGPIPE, SIG_IGN);  // it may end before it has read all
    std::FILE* const pipe = popen(command.c_str(), "w");
    if (pipe == nullptr) throw Failure{wrong_usage, "pawl: --cluster: cannot start " + command};
    std::fputs(order.dump().c_str(), pipe);
    const int status = pclose(pipe);
    std::signal(SIGPIPE, before);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) return interrupted;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : wrong_usage;
    if (code != done && code != interrupted && code != wrong_usage)
        throw Failure{wrong_usage,
                      "pawl: --cluster needs the Python package pawl and " + command +
                          " failed (PAWL_PYTHON selects another Python, PYTHONPATH names a "
                          "folder with the package)"};
    return code;
}

}  // namespace pawl::cli
