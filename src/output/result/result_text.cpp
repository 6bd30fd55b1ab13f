#include "output/result/result_text.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <fmt/format.h>

#include "math/characters.h"

namespace pawl {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t part_of_file = 8 << 20;  // bytes; holds the longest line that runs write

// The first byte that is not part of a character in UTF-8 (RFC 3629), or the size of the text.
std::size_t end_of_utf8(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    for (std::size_t i = 0; i < text.size();) {
        const unsigned first = byte(i);
        const std::size_t length = first < 0x80                    ? 1
                                   : first >= 0xC2 && first < 0xE0 ? 2
                                   : first >= 0xE0 && first < 0xF0 ? 3
                                   : first >= 0xF0 && first < 0xF5 ? 4
                                                                   : 0;
        if (length == 0) return i;
        for (std::size_t k = 1; k < length; ++k)
            if ((byte(i + k) & 0xC0U) != 0x80) return i;
        const unsigned second = byte(i + 1);  // too long an encoding, a surrogate, beyond Unicode
        if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0) ||
            (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90))
            return i;
        i += length;
    }
    return text.size();
}

}  // namespace

void fail_at(std::string_view text, std::size_t byte, const std::string& name,
             const std::string& message, std::ptrdiff_t first_line) {
    const std::string_view before = text.substr(0, byte);
    const auto line = std::count(before.begin(), before.end(), '\n') + first_line;
    const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
    throw ResultProblem{fmt::format("{}:{}:{}: error: {}{}", name, line, before.size() - start + 1,
                                    message, result_advice)};
}

void require_utf8(std::string_view text, const std::string& name, std::ptrdiff_t first_line) {
    if (const std::size_t end = end_of_utf8(text); end < text.size())
        fail_at(text, end, name,
                fmt::format("the byte {:#04x} is not UTF-8", static_cast<unsigned char>(text[end])),
                first_line);
}

FileReader::FileReader(const fs::path& path) : path_(path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status))
        throw ResultProblem{path.string() +
                            " is missing; run the model again to get a whole result"};
    if (fs::is_directory(status)) throw ResultProblem{path.string() + " is a folder, not a file"};
    errno = 0;
    stream_.open(path, std::ios::binary);
    if (!stream_) fail();
}

bool FileReader::read(std::string& text, std::size_t max_size) {
    const std::size_t before = text.size();
    text.resize(before + max_size);
    stream_.read(text.data() + before, static_cast<std::streamsize>(max_size));
    if (stream_.bad()) fail();
    text.resize(before + static_cast<std::size_t>(stream_.gcount()));
    return !stream_.eof();
}

void FileReader::fail() const {
    throw ResultProblem{"cannot read " + path_.string() + ": " +
                        (errno != 0 ? std::strerror(errno) : "the system gives no reason")};
}

std::string read_whole(const fs::path& path) {
    FileReader file(path);
    std::string text;
    while (file.read(text, part_of_file)) {
    }
    return text;
}

CsvCursor::CsvCursor(std::string_view text, const std::string& name) : text_(text), name_(name) {
    require_utf8(text, name);
}

bool CsvCursor::at_end() {
    while (file_ != nullptr && text_.find('\n', at_) == std::string_view::npos) read_on();
    return at_ >= text_.size();
}

void CsvCursor::fail(const std::string& message) const {
    throw ResultProblem{fmt::format("{}:{}:{}: error: {}{}", name_, field_line_, field_column_,
                                    message, result_advice)};
}

std::string_view CsvCursor::field(bool& last) {
    field_line_ = line_;
    field_column_ = at_ - line_start_ + 1;
    if (at_ < text_.size() && text_[at_] == '"') return quoted(last);
    const std::size_t end = std::min(text_.find_first_of(",\n", at_), text_.size());
    const std::string_view out = text_.substr(at_, end - at_);
    at_ = end;
    last = separator();
    return out;
}

double CsvCursor::number(bool& last) { return number_of(field(last)); }

std::optional<double> CsvCursor::optional_number(bool& last) {
    const std::string_view text = field(last);
    return text.empty() ? std::nullopt : std::optional(number_of(text));
}

double CsvCursor::number_of(std::string_view text) const {
    double value = 0;
    const auto [end, error] = read_number(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || text.empty())
        fail("'" + std::string(text.substr(0, 40)) + "' is not a number");
    return value;
}

void CsvCursor::read_on() {
    part_.erase(0, at_);
    const bool more = file_->read(part_, part_of_file);
    if (!more) file_ = nullptr;
    text_ = part_;
    at_ = line_start_ = 0;
    const std::size_t whole = more ? text_.rfind('\n') + 1 : text_.size();  // npos + 1 is 0
    require_utf8(text_.substr(0, whole), name_, line_);
}

std::string_view CsvCursor::quoted(bool& last) {
    unquoted_.clear();
    for (++at_;; ++at_) {
        if (at_ >= text_.size()) fail("a quoted text has no end");
        if (text_[at_] == '"' && text_.substr(at_ + 1, 1) != "\"") break;
        if (text_[at_] == '"') ++at_;
        unquoted_ += text_[at_];
    }
    ++at_;
    last = separator();
    return unquoted_;
}

bool CsvCursor::separator() {
    if (at_ >= text_.size()) fail("the last line is not whole");
    if (text_[at_] == ',') {
        ++at_;
        return false;
    }
    if (text_[at_] != '\n') fail("expected a comma or the end of the line");
    line_start_ = ++at_;
    ++line_;
    return true;
}

}  // namespace pawl
