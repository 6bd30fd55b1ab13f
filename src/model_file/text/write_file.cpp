#include "model_file/text/write_file.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <random>
#include <string_view>
#include <system_error>
#include <unistd.h>

#include <fcntl.h>
#include <sys/stat.h>

namespace pawl {

namespace fs = std::filesystem;

namespace {

std::string reason_of(int error) { return std::generic_category().message(error); }

// Writes everything; returns 0 or errno.
int write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = ::write(file, text.data(), text.size());
        if (n >= 0)
            text.remove_prefix(static_cast<std::size_t>(n));
        else if (errno != EINTR)
            return errno;
    }
    return 0;
}

// A full disk may show only when the file is closed.
int close_file(int file, int error) {
    if (::close(file) != 0 && error == 0 && errno != EINTR) error = errno;
    return error;
}

int write_and_close(int file, std::string_view text) {
    return close_file(file, write_all(file, text));
}

// Makes a file that is not there yet. `mode`: the permissions, exactly; without one those of any
// new file.
int write_new(const fs::path& path, const TextParts& parts, std::optional<mode_t> mode) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                            mode ? S_IRUSR | S_IWUSR : 0666);
    if (file < 0) return errno;
    int error = mode && ::fchmod(file, *mode) != 0 ? errno : 0;
    parts([&](std::string_view part) {
        if (error == 0) error = write_all(file, part);
    });
    error = close_file(file, error);
    if (error != 0) ::unlink(path.c_str());
    return error;
}

TextParts whole(const std::string& text) {
    return [&text](const auto& put) { put(text); };
}

// A device or a pipe. If a file has taken its place since it was looked at, nothing is written.
int write_through(const fs::path& path, const std::string& text) {
    const int file = ::open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (file < 0) return errno;
    struct stat status {};
    if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
        ::close(file);
        return EEXIST;
    }
    return write_and_close(file, text);
}

int replace(const fs::path& path, const std::string& text, std::optional<mode_t> mode) {
    const fs::path temporary = path.parent_path() / (".pawl-" + unguessable_name());
    if (const int error = write_new(temporary, whole(text), mode); error != 0) return error;
    if (::rename(temporary.c_str(), path.c_str()) == 0) return 0;
    const int error = errno;
    ::unlink(temporary.c_str());
    return error;
}

}  // namespace

std::string unguessable_name() {
    std::array<std::uint32_t, 2> bits{};
    if (::getentropy(bits.data(), sizeof bits) != 0) {
        std::random_device device;
        for (auto& b : bits) b = device();
    }
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%08x%08x", bits[0], bits[1]);
    return text.data();
}

std::string link_problem(const fs::path& path) {
    std::error_code error;
    if (!fs::is_symlink(fs::symlink_status(path, error))) return {};
    const fs::path target = fs::read_symlink(path, error);
    return "it is a symbolic link, which pawl does not follow; name what it points to: " +
           (path.parent_path() / target).string();
}

std::string write_new_file(const fs::path& path, const std::string& text) {
    return write_new_file(path, whole(text));
}

std::string write_new_file(const fs::path& path, const TextParts& parts) {
    const int error = write_new(path, parts, {});
    return error == 0 ? "" : reason_of(error);
}

std::string write_file(const fs::path& path, const std::string& text) {
    const auto refuse = [&](const std::string& reason) {
        return "cannot write " + path.string() + ": " + reason;
    };
    struct stat status {};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    const std::string link = link_problem(path);
    if (!exists && errno != ENOENT && link.empty()) return refuse(reason_of(errno));
    if (exists && S_ISDIR(status.st_mode)) return refuse("it is a folder");
    int error = 0;
    if (exists && !S_ISREG(status.st_mode))
        error = write_through(path, text);
    else if (!link.empty())
        return refuse(link);
    else
        error = replace(path, text,
                        exists ? std::optional<mode_t>(status.st_mode & 07777) : std::nullopt);
    return error == 0 ? "" : refuse(reason_of(error));
}

}  // namespace pawl
