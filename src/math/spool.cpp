#include "math/spool.h"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <unistd.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace pawl {

namespace {

constexpr std::size_t buffer_size = 1 << 20;  // bytes; a call of the system costs little beside it
constexpr std::size_t window_size = 8 << 20;  // bytes; reading keeps a few of them in memory

[[noreturn]] void refuse(const std::string& path) {
    throw std::system_error(errno, std::generic_category(), "cannot write " + path);
}

}  // namespace

SpoolFile::SpoolFile(const std::string& path, bool named) : path_(path) {
    file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file_ < 0) refuse(path_);
    if (!named) ::unlink(path.c_str());
}

SpoolFile::SpoolFile(const std::string& path, std::size_t size) : path_(path) {
    file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    struct stat status {};
    if (file_ < 0 || ::fstat(file_, &status) != 0) refuse(path_);
    written_ = static_cast<std::size_t>(status.st_size) < size ? 0 : size;
    if (::ftruncate(file_, static_cast<off_t>(written_)) != 0) refuse(path_);
}

SpoolFile::~SpoolFile() {
    unmap();
    if (file_ >= 0) ::close(file_);
}

void SpoolFile::unmap() {
    if (mapped_ != nullptr) ::munmap(mapped_, mapped_size_);
    mapped_ = nullptr;
}

void SpoolFile::add(const void* bytes, std::size_t count) {
    const auto* first = static_cast<const std::byte*>(bytes);
    buffer_.reserve(buffer_size);
    for (std::size_t done = 0; done < count;) {
        const std::size_t part = std::min(count - done, buffer_size - buffer_.size());
        buffer_.insert(buffer_.end(), first + done, first + done + part);
        done += part;
        if (buffer_.size() == buffer_size) write_buffer();
    }
}

void SpoolFile::write_buffer() {
    for (std::size_t done = 0; done < buffer_.size();) {
        const ssize_t n = ::pwrite(file_, buffer_.data() + done, buffer_.size() - done,
                                   static_cast<off_t>(written_ + done));
        if (n >= 0)
            done += static_cast<std::size_t>(n);
        else if (errno != EINTR)
            refuse(path_);
    }
    written_ += buffer_.size();
    buffer_.clear();
}

// The whole file is mapped; of what has been read, a few windows stay in memory.
const std::byte* SpoolFile::at(std::size_t location, std::size_t count) {
    if (location + count > written_) write_buffer();
    if (location + count > mapped_size_ || mapped_ == nullptr) {
        unmap();
        mapped_size_ = written_;
        if (mapped_size_ == 0) return nullptr;
        void* mapped = ::mmap(nullptr, mapped_size_, PROT_READ, MAP_SHARED, file_, 0);
        if (mapped == MAP_FAILED) refuse(path_);
        mapped_ = static_cast<std::byte*>(mapped);
    }
    const std::size_t window = location / window_size;
    const auto end = windows_.begin() + static_cast<std::ptrdiff_t>(window_count_);
    if (std::find(windows_.begin(), end, window) == end) {
        if (window_count_ == windows_.size()) {
            ::madvise(mapped_, mapped_size_, MADV_DONTNEED);
            window_count_ = 0;
        }
        windows_[window_count_++] = window;
    }
    return mapped_ + location;
}

void SpoolFile::sync() {
    write_buffer();
    if (::fdatasync(file_) != 0 && errno != EINVAL && errno != ENOSYS) refuse(path_);
}

}  // namespace pawl
