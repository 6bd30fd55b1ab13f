// The text of a stored result: files that are read part by part, and tables in CSV, with the
// location of what is wrong. Knows no columns.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

namespace pawl {

// Why a result cannot be read. Thrown inside its reader only; the text is for the user.
struct ResultProblem {
    std::string text;
};

// Ends the messages on files that pawl has written itself.
constexpr std::string_view result_advice =
    "; the file was changed or cut off since the run; run the model again";

// "file:line:column: error: message" for a byte of a text that begins with a line of this number.
// Columns count bytes here, for the texts may not be UTF-8.
[[noreturn]] void fail_at(std::string_view text, std::size_t byte, const std::string& name,
                          const std::string& message, std::ptrdiff_t first_line = 1);
void require_utf8(std::string_view text, const std::string& name, std::ptrdiff_t first_line = 1);

// A file that is read from its beginning, part by part.
class FileReader {
public:
    explicit FileReader(const std::filesystem::path& path);
    // Adds at most so many bytes to the text; false at the end of the file.
    bool read(std::string& text, std::size_t max_size);

private:
    [[noreturn]] void fail() const;

    std::filesystem::path path_;
    std::ifstream stream_;
};

std::string read_whole(const std::filesystem::path& path);

// Walks over the fields of a table in CSV. Quoted fields may hold commas, quotes and line breaks.
class CsvCursor {
public:
    CsvCursor(std::string_view text, const std::string& name);
    // Holds a part of the file at a time.
    CsvCursor(FileReader& file, const std::string& name) : name_(name), file_(&file) {}

    // Between two lines.
    [[nodiscard]] bool at_end();
    [[noreturn]] void fail(const std::string& message) const;
    // The next field; `last` says whether a line ends after it.
    std::string_view field(bool& last);
    double number(bool& last);
    // An empty field is none.
    std::optional<double> optional_number(bool& last);

private:
    double number_of(std::string_view text) const;
    // What has been read goes; where the file has ended so does it.
    void read_on();
    std::string_view quoted(bool& last);
    // Every line ends with a line break, so a text without one has been cut off.
    bool separator();

    std::string_view text_;
    const std::string& name_;
    FileReader* file_ = nullptr;
    std::string part_;  // of the file: what the text is
    std::size_t at_ = 0, line_start_ = 0, field_column_ = 1;
    int line_ = 1, field_line_ = 1;
    std::string unquoted_;
};

}  // namespace pawl
