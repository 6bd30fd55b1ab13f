#include "model_file/write_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace pawl {

namespace fs = std::filesystem;

namespace {

// Returns an empty string, or why the system refused.
std::string write_through(const fs::path& path, const std::string& text) {
    errno = 0;
    std::ofstream out(path, std::ios::binary);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (out) return {};
    return errno != 0 ? std::strerror(errno) : "the system gives no reason";
}

// The file that a chain of links ends at, there or not yet there.
fs::path end_of_links(fs::path path) {
    constexpr int longest_chain = 40;  // the limit of Linux
    std::error_code error;
    for (int i = 0; i < longest_chain && fs::is_symlink(path, error); ++i) {
        const fs::path next = fs::read_symlink(path, error);
        if (error) break;
        path = path.parent_path() / next;  // an absolute one replaces the whole
    }
    return path;
}

}  // namespace

std::string write_file(const fs::path& path, const std::string& text) {
    const auto refuse = [&](const std::string& reason) {
        return "cannot write " + path.string() + ": " + reason;
    };
    std::error_code error, ignored;
    const fs::file_status status = fs::status(path, error);
    if (error && status.type() != fs::file_type::not_found) return refuse(error.message());
    if (fs::is_directory(status)) return refuse("it is a folder");
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        const std::string problem = write_through(path, text);
        return problem.empty() ? problem : refuse(problem);
    }
    const fs::path target = end_of_links(path);
    fs::path temporary = target;
    temporary += ".writing-" + std::to_string(::getpid());
    std::string problem = write_through(temporary, text);
    if (problem.empty()) {
        error.clear();
        if (fs::exists(status)) fs::permissions(temporary, status.permissions(), error);
        if (!error) fs::rename(temporary, target, error);
        if (!error) return {};
        problem = error.message();
    }
    fs::remove(temporary, ignored);
    return refuse(problem);
}

}  // namespace pawl
