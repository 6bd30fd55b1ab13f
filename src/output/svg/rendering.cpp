#include "output/svg/rendering.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <unistd.h>
#include <vector>

#include <spawn.h>
#include <sys/wait.h>

#include "model_file/text/write_file.h"

extern char** environ;

namespace pawl {

namespace fs = std::filesystem;

namespace {

// A folder of its own, gone with its content afterwards.
struct ScratchFolder {
    fs::path path;
    explicit ScratchFolder(std::string& problem) {
        std::error_code error;
        std::string name = (fs::temp_directory_path(error) / "pawl_picture_XXXXXX").string();
        if (error || ::mkdtemp(name.data()) == nullptr)
            problem = "cannot make a folder for the picture in " +
                      fs::path(name).parent_path().string() + ": " + std::strerror(errno);
        else
            path = name;
    }
    ~ScratchFolder() {
        std::error_code ignored;
        if (!path.empty()) fs::remove_all(path, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
};

// Runs a program without a shell; an empty string when it exits with 0.
std::string run(std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    if (const int error =
            ::posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ);
        error != 0)
        return error == ENOENT
                   ? "PNG and PDF need the program rsvg-convert, which is not installed "
                     "(Debian: apt install librsvg2-bin); or write .svg"
                   : words[0] + ": " + std::strerror(error);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return words[0] + ": " + std::strerror(errno);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) return words[0] + " cannot be started";
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "" : words[0] + " failed; write .svg";
}

}  // namespace

std::optional<std::string> rendered(const std::string& svg, const std::string& format,
                                    std::string& problem) {
    problem.clear();
    const ScratchFolder scratch(problem);
    const std::string from = (scratch.path / "picture.svg").string(),
                      to = (scratch.path / "picture").string();
    const char* zoom = format == "png" ? "2" : "1";
    if (problem.empty()) problem = write_file(from, svg);
    if (problem.empty())
        problem = run({"rsvg-convert", "-f", format, "--zoom", zoom, "-o", to, from});
    if (!problem.empty()) return std::nullopt;
    std::ifstream stream(to, std::ios::binary);
    std::ostringstream bytes;
    bytes << stream.rdbuf();
    if (stream && !bytes.view().empty()) return std::move(bytes).str();
    problem = "rsvg-convert wrote no picture; write .svg";
    return std::nullopt;
}

}  // namespace pawl
