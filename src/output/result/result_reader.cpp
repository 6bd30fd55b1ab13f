#include "output/result/result_reader.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model_file/text/write_file.h"
#include "output/result/result_check.h"
#include "output/result/result_folder.h"

namespace pawl {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::json;

// Thrown inside this file only; its text is for the user.
struct Problem {
    std::string text;
};

constexpr std::string_view advice =
    "; the file was changed or cut off since the run; run the model again";

// "file:line:column: error: message" for a byte of a text that begins with a line of this number.
// Columns count bytes here, for the texts may not be UTF-8.
[[noreturn]] void fail_at(std::string_view text, std::size_t byte, const std::string& name,
                          const std::string& message, std::ptrdiff_t first_line = 1) {
    const std::string_view before = text.substr(0, byte);
    const auto line = std::count(before.begin(), before.end(), '\n') + first_line;
    const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
    throw Problem{fmt::format("{}:{}:{}: error: {}{}", name, line, before.size() - start + 1,
                              message, advice)};
}

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

void require_utf8(std::string_view text, const std::string& name, std::ptrdiff_t first_line = 1) {
    if (const std::size_t end = end_of_utf8(text); end < text.size())
        fail_at(text, end, name,
                fmt::format("the byte {:#04x} is not UTF-8", static_cast<unsigned char>(text[end])),
                first_line);
}

// A file that is read from its beginning, part by part.
class FileReader {
public:
    explicit FileReader(const fs::path& path) : path_(path) {
        std::error_code error;
        const fs::file_status status = fs::status(path, error);
        if (!fs::exists(status))
            throw Problem{path.string() + " is missing; run the model again to get a whole result"};
        if (fs::is_directory(status)) throw Problem{path.string() + " is a folder, not a file"};
        errno = 0;
        stream_.open(path, std::ios::binary);
        if (!stream_) fail();
    }
    // Adds at most so many bytes to the text; false at the end of the file.
    bool read(std::string& text, std::size_t most) {
        const std::size_t before = text.size();
        text.resize(before + most);
        stream_.read(text.data() + before, static_cast<std::streamsize>(most));
        if (stream_.bad()) fail();
        text.resize(before + static_cast<std::size_t>(stream_.gcount()));
        return !stream_.eof();
    }

private:
    [[noreturn]] void fail() const {
        throw Problem{"cannot read " + path_.string() + ": " +
                      (errno != 0 ? std::strerror(errno) : "the system gives no reason")};
    }
    fs::path path_;
    std::ifstream stream_;
};

constexpr std::size_t part_of_file = 8 << 20;  // bytes; holds the longest line that runs write

std::string read_whole(const fs::path& path) {
    FileReader file(path);
    std::string text;
    while (file.read(text, part_of_file)) {
    }
    return text;
}

// Walks over the fields of a table in CSV. Quoted fields may hold commas, quotes and line breaks.
class CsvCursor {
public:
    CsvCursor(std::string_view text, const std::string& name) : text_(text), name_(name) {
        require_utf8(text, name);
    }
    // Holds a part of the file at a time.
    CsvCursor(FileReader& file, const std::string& name) : name_(name), file_(&file) {}

    // Between two lines.
    [[nodiscard]] bool at_end() {
        while (file_ != nullptr && text_.find('\n', at_) == std::string_view::npos) read_on();
        return at_ >= text_.size();
    }
    [[noreturn]] void fail(const std::string& message) const {
        throw Problem{fmt::format("{}:{}:{}: error: {}{}", name_, field_line_, field_column_,
                                  message, advice)};
    }
    // The next field; `last` says whether a line ends after it.
    std::string_view field(bool& last) {
        field_line_ = line_;
        field_column_ = at_ - line_start_ + 1;
        if (at_ < text_.size() && text_[at_] == '"') return quoted(last);
        const std::size_t end = std::min(text_.find_first_of(",\n", at_), text_.size());
        const std::string_view out = text_.substr(at_, end - at_);
        at_ = end;
        last = separator();
        return out;
    }
    double number(bool& last) {
        const std::string_view text = field(last);
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size() || text.empty())
            fail("'" + std::string(text.substr(0, 40)) + "' is not a number");
        return value;
    }

private:
    // What has been read goes; where the file has ended so does it.
    void read_on() {
        part_.erase(0, at_);
        const bool more = file_->read(part_, part_of_file);
        if (!more) file_ = nullptr;
        text_ = part_;
        at_ = line_start_ = 0;
        const std::size_t whole = more ? text_.rfind('\n') + 1 : text_.size();  // npos + 1 is 0
        require_utf8(text_.substr(0, whole), name_, line_);
    }
    std::string_view quoted(bool& last) {
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
    // Every line ends with a line break, so a text without one has been cut off.
    bool separator() {
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

    std::string_view text_;
    const std::string& name_;
    FileReader* file_ = nullptr;
    std::string part_;  // of the file: what the text is
    std::size_t at_ = 0, line_start_ = 0, field_column_ = 1;
    int line_ = 1, field_line_ = 1;
    std::string unquoted_;
};

// "crank.omega [rad/s]"
Column column_of(std::string_view head, const CsvCursor& cursor) {
    const std::size_t open = head.rfind(" [");
    if (open == std::string_view::npos || !head.ends_with(']'))
        cursor.fail("a column is called 'name [unit]', not '" + std::string(head) + "'");
    return {std::string(head.substr(0, open)),
            std::string(head.substr(open + 2, head.size() - open - 3))};
}

// A file without a name, where there is more room than in memory.
SpoolPlace temporary_place() {
    SpoolPlace place;
    place.named = false;
    place.file = [](const std::string&) {
        const char* chosen = std::getenv("TMPDIR");
        const fs::path usual = "/var/tmp";  // on the disk, which /tmp need not be
        std::error_code error;
        const fs::path folder = chosen != nullptr && *chosen != 0 ? fs::path(chosen)
                                : fs::is_directory(usual, error)  ? usual
                                                                  : fs::temp_directory_path(error);
        return error ? std::string() : (folder / ("pawl-" + unguessable_name())).string();
    };
    return place;
}

Trajectory trajectory_of(CsvCursor cursor) {
    Trajectory out;
    out.spool(temporary_place());
    if (cursor.at_end()) cursor.fail("the file is empty");
    for (bool last = false; !last;) out.columns.push_back(column_of(cursor.field(last), cursor));
    if (out.columns[0].name != "t" || out.columns[0].unit != "s")
        cursor.fail("the first column must be 't [s]'");
    std::vector<double> row;
    double before = -INFINITY;
    while (!cursor.at_end()) {
        row.clear();
        for (bool last = false; !last;) {
            row.push_back(cursor.number(last));
            if (row.size() > out.columns.size() || (last && row.size() < out.columns.size()))
                cursor.fail(fmt::format("a row has {} values, not {}", out.columns.size(),
                                        last ? std::to_string(row.size()) : "more"));
        }
        if (!(row[0] >= before)) cursor.fail(fmt::format("the time falls to {} s", row[0]));
        before = row[0];
        out.add(row);
    }
    return out;
}

EventKind kind_of(std::string_view name, const CsvCursor& cursor) {
    for (int i = 0; i <= static_cast<int>(EventKind::user); ++i)
        if (event_name(static_cast<EventKind>(i)) == name) return static_cast<EventKind>(i);
    cursor.fail("there is no kind of event '" + std::string(name) + "'");
}

std::vector<Event> events_of(std::string_view text, const std::string& name) {
    constexpr int fields = 10;
    CsvCursor cursor(text, name);
    std::vector<Event> out;
    bool last = false;
    int heads = 0;
    if (cursor.at_end()) cursor.fail("the file is empty");
    for (; !last; ++heads) cursor.field(last);
    if (heads != fields) cursor.fail(fmt::format("a table of events has {} columns", fields));
    const auto more = [&](bool end) {
        if (last != end) cursor.fail(fmt::format("an event has {} values", fields));
    };
    while (!cursor.at_end()) {
        Event e;
        e.t = cursor.number(last), more(false);
        e.kind = kind_of(cursor.field(last), cursor), more(false);
        for (std::string* part : {&e.element, &e.from, &e.to})
            *part = cursor.field(last), more(false);
        for (double* part :
             {&e.normal_velocity_before, &e.normal_velocity_after, &e.impulse, &e.energy_change})
            *part = cursor.number(last), more(false);
        e.facts = {fact::Remark{std::string(cursor.field(last))}}, more(true);
        out.push_back(std::move(e));
    }
    return out;
}

// Checks result.json.
Json parsed_summary(const std::string& text, const std::string& name) {
    Json json;
    try {
        json = Json::parse(text);
    } catch (const Json::parse_error& error) {
        fail_at(text, std::min(error.byte > 0 ? error.byte - 1 : 0, text.size()), name,
                "this is not JSON");
    } catch (const Json::out_of_range&) {  // comes without a place
        throw Problem{name + ": error: a number is too large" + std::string(advice)};
    }
    if (!json.is_object() || !json.contains("pawl") || !json.contains("format") ||
        !json["format"].is_number_integer())
        throw Problem{name + " is not a result of pawl"};
    if (json["format"] != result_format)
        throw Problem{
            fmt::format("{} has format {}; this program reads format {}; run the model "
                        "again with it",
                        name, json["format"].dump(), result_format)};
    if (const std::string misfit = summary_problem(text); !misfit.empty())
        throw Problem{name + ": error: " + misfit + std::string(advice)};
    return json;
}

Overrides parameters_of(const Json& summary) {
    Overrides out;
    const auto list = summary.value("/options/parameters"_json_pointer, Json::array());
    for (const Json& entry : list) {
        const auto text = entry.get<std::string>();
        const std::size_t equals = text.find('=');
        if (equals != std::string::npos)
            out.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return out;
}

// Rows that were taken from the end of a table leave it readable; the summary knows their number.
void check_rows(const std::string& name, std::size_t rows, std::size_t told) {
    if (rows != told)
        throw Problem{
            fmt::format("{} has {} rows, but the run wrote {}{}", name, rows, told, advice)};
}

// The table comes from a file where one is given.
StoredResult result_from(const ResultTexts& texts, FileReader* table = nullptr) {
    StoredResult out;
    out.folder = texts.folder;
    out.summary = texts.summary;
    out.model = texts.model;
    const auto name = [&](const char* file) { return (texts.folder / file).string(); };
    const Json summary = parsed_summary(out.summary, name("result.json"));
    if (const auto hash = summary["model"]["hash"].get<std::string>();
        hash != fingerprint(out.model))
        throw Problem{name("model.toml") + " is not the model that was run: its fingerprint is " +
                      fingerprint(out.model) + ", not " + hash + "; run the model again"};
    out.parameters = parameters_of(summary);
    const std::string table_name = name("trajectory.csv");
    out.trajectory = trajectory_of(table != nullptr ? CsvCursor(*table, table_name)
                                                    : CsvCursor(texts.trajectory, table_name));
    out.events = events_of(texts.events, name("events.csv"));
    if (const auto samples = "/statistics/samples"_json_pointer; summary.contains(samples))
        check_rows(name("trajectory.csv"), out.trajectory.rows(), summary[samples]);
    if (summary.contains("events"))
        check_rows(name("events.csv"), out.events.size(), summary["events"].size());
    return out;
}

StoredResult result_of(const fs::path& folder) {
    std::error_code error;
    const fs::file_status status = fs::status(folder, error);
    if (!fs::exists(status))
        throw Problem{"there is no folder " + folder.string() +
                      "; make a result with: pawl run MODEL --out " + folder.string()};
    if (!fs::is_directory(status))
        throw Problem{folder.string() +
                      " is a file; a result is a folder, as `pawl run MODEL --out FOLDER` makes"};
    if (!fs::exists(folder / "result.json", error))
        throw Problem{folder.string() + " is not a result of pawl: it holds no result.json"};
    ResultTexts texts{folder, read_whole(folder / "result.json"), read_whole(folder / "model.toml"),
                      "", ""};
    FileReader table(folder / "trajectory.csv");
    texts.events = read_whole(folder / "events.csv");
    return result_from(texts, &table);
}

template <class Read>
auto caught(Read read, std::string& problem) -> std::optional<decltype(read())> {
    try {
        return read();
    } catch (Problem& caught) {
        problem = std::move(caught.text);
    } catch (const std::system_error& refused) {  // of a temporary file
        problem = refused.what();
    }
    return std::nullopt;
}

}  // namespace

std::optional<StoredResult> read_result(const fs::path& folder, std::string& problem) {
    return caught([&] { return result_of(folder); }, problem);
}

std::optional<StoredResult> read_result(const ResultTexts& texts, std::string& problem) {
    return caught([&] { return result_from(texts); }, problem);
}

std::optional<Trajectory> read_trajectory(std::string_view text, const std::string& name,
                                          std::string& problem) {
    return caught([&] { return trajectory_of(CsvCursor(text, name)); }, problem);
}

std::optional<std::vector<Event>> read_events(std::string_view text, const std::string& name,
                                              std::string& problem) {
    return caught([&] { return events_of(text, name); }, problem);
}

}  // namespace pawl
