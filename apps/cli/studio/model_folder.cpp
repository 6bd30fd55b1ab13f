#include "studio/model_folder.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

#include "model_file/text/document.h"
#include "model_file/text/write_file.h"
#include "output/result/result_folder.h"

namespace pawl::cli {

namespace fs = std::filesystem;

namespace {

// Bounds of a list, so that a folder of any size is answered.
constexpr int deepest = 8;
constexpr std::size_t max_files = 2000, max_entries = 50000;

ModelFolder::Answer forbidden(std::string reason) {
    return {ModelFolder::Outcome::forbidden, std::move(reason), {}};
}

// Why a path is none of a model file below a folder; empty: it is one.
std::string path_problem(std::string_view path) {
    if (!path.ends_with(".toml")) return "only files that end in .toml are models";
    if (path.size() > 1000) return "the path is too long";
    for (const char c : path)
        if (static_cast<unsigned char>(c) < 0x20 || c == '\\' || c == 0x7f)
            return "the path holds a character that is not allowed";
    while (true) {
        const std::string_view part = path.substr(0, path.find('/'));
        if (part.empty() || part.front() == '.')
            return "the path leads out of the folder, or to a hidden file";
        if (part.size() == path.size()) return "";
        path.remove_prefix(part.size() + 1);
    }
}

// A part of the path that is a symbolic link might lead out of the folder.
std::string link_on_the_way(const fs::path& folder, std::string_view path) {
    fs::path here = folder;
    for (const fs::path& part : fs::path(path)) {
        here /= part;
        if (!link_problem(here).empty())
            return here.lexically_relative(folder).string() +
                   " is a symbolic link, which the studio does not follow";
    }
    return "";
}

// Nothing where there is no such file.
std::optional<std::string> text_of(const fs::path& file) {
    std::error_code error;
    if (!fs::is_regular_file(file, error)) return std::nullopt;
    std::ifstream stream(file, std::ios::binary);
    if (!stream) return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(stream), {});
}

}  // namespace

ModelFolder::ModelFolder(fs::path folder) : folder_(std::move(folder)) {}

std::vector<std::string> ModelFolder::list() const {
    std::vector<std::string> out;
    std::error_code error;
    fs::recursive_directory_iterator it(folder_, fs::directory_options::skip_permission_denied,
                                        error),
        end;
    for (std::size_t seen = 0; it != end && !error && seen < max_entries; ++seen) {
        const fs::path& path = it->path();
        std::error_code ignored;
        const auto status = it->symlink_status(ignored);
        const bool hidden = path.filename().string().starts_with(".");
        if (fs::is_directory(status) && (hidden || it.depth() >= deepest))
            it.disable_recursion_pending();
        if (fs::is_regular_file(status) && !hidden && path.extension() == ".toml") {
            out.push_back(path.lexically_relative(folder_).generic_string());
            if (out.size() == max_files) break;
        }
        it.increment(error);
    }
    std::sort(out.begin(), out.end());
    return out;
}

ModelFolder::Answer ModelFolder::read(std::string_view path) const {
    if (auto problem = path_problem(path); !problem.empty()) return forbidden(problem);
    if (auto problem = link_on_the_way(folder_, path); !problem.empty()) return forbidden(problem);
    const fs::path file = folder_ / path;
    std::error_code error;
    if (fs::file_size(file, error) > largest_document && !error)
        return {Outcome::refused, "the file is larger than 8 MB", {}};
    auto text = text_of(file);
    if (!text) return {Outcome::missing, "there is no file " + std::string(path), {}};
    std::string version = fingerprint(*text);
    return {Outcome::done, std::move(*text), std::move(version)};
}

ModelFolder::Answer ModelFolder::write(std::string_view path, const std::string& text,
                                       std::string_view version) {
    if (auto problem = path_problem(path); !problem.empty()) return forbidden(problem);
    if (auto problem = link_on_the_way(folder_, path); !problem.empty()) return forbidden(problem);
    const std::lock_guard lock(writing_);
    const fs::path file = folder_ / path;
    std::error_code error;
    if (!fs::is_directory(file.parent_path(), error))
        return {Outcome::missing, "there is no folder for " + std::string(path), {}};
    const auto now = text_of(file);
    const std::string now_version = now ? fingerprint(*now) : "";
    if (now_version != version)
        return {
            Outcome::changed,
            std::string(path) + (!now              ? " was removed from the folder"
                                 : version.empty() ? " exists already"
                                                   : " has changed on disk since it was opened"),
            now_version};
    if (auto problem = write_file(file, text); !problem.empty())
        return {Outcome::refused, std::move(problem), {}};
    return {Outcome::done, {}, fingerprint(text)};
}

}  // namespace pawl::cli
