#include "output/result/unfinished_folder.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "model_file/text/write_file.h"

namespace pawl {

namespace fs = std::filesystem;

namespace {

// A rename that keeps a file of the new name, or exchanges the two. ENOSYS where the C library does
// not have it.
enum class Renaming { keep, exchange };
int rename_with(const std::filesystem::path& from, const std::filesystem::path& to, Renaming how) {
#ifdef RENAME_EXCHANGE
    const unsigned flag = how == Renaming::keep ? RENAME_NOREPLACE : RENAME_EXCHANGE;
    return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flag);
#else
    static_cast<void>(from), static_cast<void>(to), static_cast<void>(how);
    errno = ENOSYS;
    return -1;
#endif
}

constexpr std::string_view middle = ".pawl-unfinished-";
// Other runs hold the lock on a finished folder only while they exchange it, which takes
// milliseconds even on a slow disk.
constexpr std::chrono::milliseconds longest_wait{10'000}, nap{1};

std::string reason_of(int error) { return std::generic_category().message(error); }

int open_folder(const fs::path& path) {
    return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// Whether the folder that was opened still has this name.
bool is_at(int folder, const fs::path& path) {
    struct stat open {
    }, named{};
    return ::fstat(folder, &open) == 0 && ::lstat(path.c_str(), &named) == 0 &&
           open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

// An open folder with a lock on it. Where a file system knows no locks it counts as locked by us:
// whoever removes leftovers asks `knows_locks` too.
class LockedFolder {
public:
    explicit LockedFolder(const fs::path& path) : folder_(open_folder(path)) {
        error_ = folder_ < 0 ? errno : 0;
        if (folder_ >= 0 && ::flock(folder_, LOCK_EX | LOCK_NB) != 0) {
            busy_ = errno == EWOULDBLOCK;
            knows_locks_ = busy_;
        }
    }
    ~LockedFolder() {
        if (folder_ >= 0) ::close(folder_);
    }
    LockedFolder(const LockedFolder&) = delete;
    LockedFolder& operator=(const LockedFolder&) = delete;

    [[nodiscard]] int error() const { return error_; }  // of opening it
    [[nodiscard]] bool busy() const { return busy_; }   // somebody else has it
    [[nodiscard]] bool knows_locks() const { return knows_locks_; }
    [[nodiscard]] int descriptor() const { return folder_; }

private:
    int folder_, error_ = 0;
    bool busy_ = false, knows_locks_ = true;
};

// Ours, with files only: nothing that a user has made of it.
bool is_leftover(const fs::path& path, int folder) {
    struct stat status {};
    if (::fstat(folder, &status) != 0 || status.st_uid != ::geteuid()) return false;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(path, error))
        if (!fs::is_regular_file(entry.symlink_status(error))) return false;
    return !error;
}

}  // namespace

UnfinishedFolder::UnfinishedFolder(fs::path target, std::string& problem)
    : target_(std::move(target)) {
    constexpr int attempts = 100;  // one is lost where another run tidies up at that very moment
    for (int i = 0; i < attempts; ++i) {
        fs::path path = target_;
        path += std::string(middle) + unguessable_name();
        if (::mkdir(path.c_str(), 0777) != 0) {
            problem = reason_of(errno);
            break;
        }
        lock_ = open_folder(path);
        if (lock_ >= 0) ::flock(lock_, LOCK_EX);
        if (lock_ >= 0 && is_at(lock_, path)) {
            path_ = std::move(path);
            problem.clear();
            return;
        }
        if (lock_ >= 0) ::close(std::exchange(lock_, -1));
        problem = "it was removed at once";
    }
    problem = "cannot make a folder beside " + target_.string() + ": " + problem;
}

UnfinishedFolder::UnfinishedFolder(Existing left, fs::path target, std::string& problem)
    : target_(std::move(target)) {
    lock_ = open_folder(left.path);
    if (lock_ < 0)
        problem = reason_of(errno);
    else if (::flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        problem = "a run is still at work in it";
    else if (!is_leftover(left.path, lock_))
        problem = "it is not a folder that a run of yours has left";
    else
        path_ = std::move(left.path);
}

UnfinishedFolder::~UnfinishedFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
    if (lock_ >= 0) ::close(lock_);
}

std::string UnfinishedFolder::write(const std::string& name, const TextParts& parts) const {
    return write_new_file(path_ / name, parts);
}

std::string UnfinishedFolder::rewrite(const std::string& name, const std::string& text) const {
    return write_file(path_ / name, text);
}

// Fails with EEXIST where the name is taken.
int UnfinishedFolder::take_free_name() const {
    if (rename_with(path_, target_, Renaming::keep) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) return errno;
    // Without that flag a rename replaces an empty folder at most, which nobody misses.
    if (::rename(path_.c_str(), target_.c_str()) == 0) return 0;
    return errno == ENOTEMPTY || errno == ENOTDIR ? EEXIST : errno;
}

int UnfinishedFolder::exchange() const {
    if (rename_with(path_, target_, Renaming::exchange) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) return errno;
    return exchange_by_three_renames();
}

// For file systems without an exchange (some network file systems). A kill in between leaves the
// old folder under the name `aside`, whole.
int UnfinishedFolder::exchange_by_three_renames() const {
    fs::path aside = target_;
    aside += ".pawl-old-" + unguessable_name();
    if (::rename(target_.c_str(), aside.c_str()) != 0) return errno;
    if (::rename(path_.c_str(), target_.c_str()) != 0) {
        const int error = errno;
        ::rename(aside.c_str(), target_.c_str());
        return error;
    }
    return ::rename(aside.c_str(), path_.c_str()) == 0 ? 0 : errno;
}

// Puts the folder in the place of one that has the name. The lock keeps other runs from exchanging
// or removing it meanwhile. `again`: the name changed hands since it was looked at.
std::string UnfinishedFolder::replace(const Refusal& refusal, bool& again) {
    const LockedFolder old(target_);
    again = old.error() == ENOENT || old.busy() ||
            (old.error() == 0 && !is_at(old.descriptor(), target_));
    if (again) return "another run keeps writing to it";
    if (auto problem = refusal(target_); !problem.empty()) return problem;
    if (const int error = exchange(); error != 0) {
        again = error == ENOENT;
        return reason_of(error);
    }
    // Somebody may have put a file into it at the last moment.
    if (auto problem = refusal(path_); !problem.empty()) {
        if (exchange() == 0) return problem;
        const std::string kept = path_.string();
        path_.clear();
        return problem + "; it is now " + kept;
    }
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    return {};
}

std::string UnfinishedFolder::finish(const Refusal& refusal) {
    const auto start = std::chrono::steady_clock::now();
    while (true) {
        bool again = false;
        const int error = take_free_name();
        const std::string problem = error == EEXIST ? replace(refusal, again) : reason_of(error);
        if (error == 0 || problem.empty()) {
            path_.clear();
            ::close(std::exchange(lock_, -1));
            return {};
        }
        if (!again || std::chrono::steady_clock::now() - start > longest_wait)
            return "cannot write " + target_.string() + ": " + problem;
        std::this_thread::sleep_for(nap);
    }
}

std::vector<fs::path> remove_leftovers(const fs::path& target) {
    std::vector<fs::path> kept;
    std::error_code error;
    const fs::path parent = target.has_parent_path() ? target.parent_path() : fs::path(".");
    const std::string head = target.filename().string() + std::string(middle);
    const std::size_t length = head.size() + unguessable_name().size();
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(parent, error))
        names.push_back(entry.path().filename().string());
    for (const std::string& name : names) {
        if (!name.starts_with(head) || name.size() != length) continue;
        const fs::path path = target.parent_path() / name;
        const LockedFolder folder(path);
        if (folder.error() != 0 || folder.busy() || !folder.knows_locks()) continue;
        if (!is_leftover(path, folder.descriptor())) continue;
        if (fs::exists(path / checkpoint_file, error))
            kept.push_back(path);
        else
            fs::remove_all(path, error);
    }
    std::sort(kept.begin(), kept.end());
    return kept;
}

}  // namespace pawl
