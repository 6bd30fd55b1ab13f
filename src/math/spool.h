// A list that only grows: in memory or, where a place on the disk is given and it has outgrown
// memory, in a file. What a long run writes down then takes no memory, and can still be read
// anywhere. Knows numbers, not what they mean.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "math/memory.h"

namespace pawl {

// Where lists that outgrow memory go.
struct SpoolLocation {
    // The path of a file for a list of this name; without one it stays in memory.
    std::function<std::string(const std::string& name)> file;
    bool named = true;                        // else the file has no name: it goes with its list
    std::size_t largest_in_memory = 4 << 20;  // bytes of a list
};

// Bytes that are written at the end and read anywhere. What the system refuses is thrown as
// std::system_error.
class SpoolFile {
public:
    explicit SpoolFile(const std::string& path, bool named);
    // Goes on in a file that is there, cut to its first bytes; where it holds fewer, it is empty.
    SpoolFile(const std::string& path, std::size_t size);
    ~SpoolFile();
    SpoolFile(const SpoolFile&) = delete;
    SpoolFile& operator=(const SpoolFile&) = delete;

    void add(const void* bytes, std::size_t count);
    [[nodiscard]] std::size_t size() const { return written_ + buffer_.size(); }
    // Valid until something is added. Far places that were read before give their memory back.
    [[nodiscard]] const std::byte* at(std::size_t location, std::size_t count);
    // Everything is on the disk, whatever happens to the machine.
    void sync();

private:
    void write_buffer();
    void unmap();

    std::string path_;
    int file_ = -1;
    std::vector<std::byte> buffer_;  // not yet written
    std::size_t written_ = 0;
    std::byte* mapped_ = nullptr;
    std::size_t mapped_size_ = 0;
    std::array<std::size_t, 4> windows_{};  // that were read since memory was given back
    std::size_t window_count_ = 0;
};

template <class T>
class Spool {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    // For all that is added from now on.
    void use(const SpoolLocation& location, std::string name) {
        location_ = location;
        name_ = std::move(name);
    }
    void add(std::span<const T> values) {
        if (file_) return file_->add(values.data(), values.size_bytes());
        values_.insert(values_.end(), values.begin(), values.end());
        if (location_.file && values_.size() * sizeof(T) > location_.largest_in_memory) spill();
    }
    void add(const T& value) { add(std::span(&value, 1)); }
    [[nodiscard]] std::size_t size() const {
        return file_ ? file_->size() / sizeof(T) : values_.size();
    }
    // Some values that follow each other; valid until something is added.
    [[nodiscard]] std::span<const T> part(std::size_t first, std::size_t count) const {
        if (!file_) return std::span(values_).subspan(first, count);
        return {reinterpret_cast<const T*>(file_->at(first * sizeof(T), count * sizeof(T))), count};
    }
    [[nodiscard]] std::span<const T> all() const { return part(0, size()); }
    [[nodiscard]] bool is_in_memory() const { return !file_; }

    // Where it is in a file, its length alone.
    void remember(Memory& memory) {
        bool in_memory = is_in_memory();
        memory(in_memory);
        if (in_memory) {
            if (!memory.writes()) file_.reset();
            return memory(values_);
        }
        std::size_t count = size();
        memory(count);
        if (memory.writes()) return file_->sync();
        values_.clear();
        if (memory.fits() && location_.file)
            file_ = std::make_shared<SpoolFile>(location_.file(name_), count * sizeof(T));
        if (!file_ || size() != count) memory.fail();
    }

private:
    void spill() {
        const std::string path = location_.file(name_);
        if (path.empty()) {
            location_.file = {};
            return;
        }
        file_ = std::make_shared<SpoolFile>(path, location_.named);
        file_->add(values_.data(), values_.size() * sizeof(T));
        values_ = {};
    }

    SpoolLocation location_;
    std::string name_;
    std::vector<T> values_;            // where it is in memory
    std::shared_ptr<SpoolFile> file_;  // copies read the same file; only one of them may grow
};

}  // namespace pawl
