// `pawl studio`: the studio in the browser, on the model files of a folder.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include "commands.h"
#include "studio/model_folder.h"
#include "studio/studio_server.h"

namespace pawl::cli {

namespace {

namespace fs = std::filesystem;

constexpr int usual_port = 8173;

struct Options {
    std::string folder = ".", page;
    int port = usual_port;
    bool no_browser = false;
};

// Where the page is: as installed, or as ./dev studio builds it beside the program.
fs::path page_folder(const std::string& asked) {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
    std::vector<fs::path> folders{program / "../share/pawl/studio", program / "../engine/studio"};
    if (!asked.empty()) folders = {asked};
    for (const fs::path& folder : folders)
        if (fs::is_regular_file(folder / "engine.wasm", error)) return fs::canonical(folder);
    throw Failure{wrong_usage,
                  asked.empty()
                      ? "pawl: the page of the studio is not installed with this program. Build it "
                        "with ./dev studio (it needs emscripten), or name its folder: --page FOLDER"
                      : "pawl: " + asked +
                            " does not hold the page of the studio; ./dev studio builds it in "
                            "build/engine/studio"};
}

void open_browser(const std::string& address) {
    if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
    std::string program = "xdg-open", argument = address;
    char* const words[] = {program.data(), argument.data(), nullptr};
    pid_t child = 0;
    if (::posix_spawnp(&child, "xdg-open", nullptr, nullptr, words, environ) == 0)
        ::waitpid(child, nullptr, 0);
}

int serve(const Options& options) {
    fs::path folder = options.folder;
    std::string file;
    std::error_code error;
    if (fs::is_regular_file(folder, error)) {
        file = folder.filename().string();
        folder = folder.has_parent_path() ? folder.parent_path() : fs::path(".");
    }
    if (!fs::is_directory(folder, error))
        throw Failure{wrong_usage, "pawl: there is no folder " + options.folder};
    ModelFolder models(fs::canonical(folder));
    StudioServer server(page_folder(options.page), models);
    if (!server.bind(options.port))
        throw Failure{wrong_usage,
                      fmt::format("pawl: port {} is in use, perhaps by another `pawl studio`; end "
                                  "that one or choose another port: --port {}",
                                  options.port, options.port + 1)};
    std::string address = server.address();
    if (!file.empty()) address += "&file=" + file;
    fmt::print(
        "folder  {}\nstudio  {}\nOnly this machine can open it, with the token in the "
        "address. Ctrl-C ends it.\n",
        models.path().string(), address);
    std::fflush(stdout);
    if (!options.no_browser) open_browser(address);
    server.listen();
    return done;
}

}  // namespace

Command add_studio(CLI::App& app) {
    auto* sub =
        app.add_subcommand("studio", "draw, drag and run the models of a folder in the browser");
    auto o = std::make_shared<Options>();
    sub->add_option("folder", o->folder,
                    "folder of the models, or one model (default: the current folder)");
    sub->add_option(
           "--port", o->port,
           fmt::format("port on this machine; 0 takes any free one (default: {})", usual_port))
        ->check(CLI::Range(0, 65535));
    sub->add_option("--page", o->page, "folder with the built page of the studio");
    sub->add_flag("--no-browser", o->no_browser, "only print the address");
    return [o] { return serve(*o); };
}

}  // namespace pawl::cli
