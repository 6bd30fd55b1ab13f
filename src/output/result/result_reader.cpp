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
#include "output/result/result_text.h"

namespace pawl {

namespace fs = std::filesystem;

namespace {

// "crank.omega [rad/s]"
Column column_of(std::string_view head, const CsvCursor& cursor) {
    const std::size_t open = head.rfind(" [");
    if (open == std::string_view::npos || !head.ends_with(']'))
        cursor.fail("a column is called 'name [unit]', not '" + std::string(head) + "'");
    return {std::string(head.substr(0, open)),
            std::string(head.substr(open + 2, head.size() - open - 3))};
}

// A file without a name, where there is more room than in memory.
SpoolLocation temporary_location() {
    SpoolLocation location;
    location.named = false;
    location.file = [](const std::string&) {
        const char* chosen = std::getenv("TMPDIR");
        const fs::path usual = "/var/tmp";  // on the disk, which /tmp need not be
        std::error_code error;
        const fs::path folder = chosen != nullptr && *chosen != 0 ? fs::path(chosen)
                                : fs::is_directory(usual, error)  ? usual
                                                                  : fs::temp_directory_path(error);
        return error ? std::string() : (folder / ("pawl-" + unguessable_name())).string();
    };
    return location;
}

Trajectory trajectory_of(CsvCursor cursor) {
    Trajectory out;
    out.spool(temporary_location());
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
    constexpr int least = 10;  // and any number of others before the last
    CsvCursor cursor(text, name);
    std::vector<Event> out;
    bool last = false;
    int heads = 0;
    if (cursor.at_end()) cursor.fail("the file is empty");
    for (; !last; ++heads) cursor.field(last);
    if (heads < least) cursor.fail(fmt::format("a table of events has {} columns", least));
    const auto more = [&](bool end) {
        if (last != end) cursor.fail(fmt::format("an event has {} values", heads));
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
        for (int i = least; i < heads; ++i) cursor.optional_number(last), more(false);
        e.facts = {fact::Remark{std::string(cursor.field(last))}}, more(true);
        out.push_back(std::move(e));
    }
    return out;
}

// Checks result.json.
nlohmann::json parsed_summary(const std::string& text, const std::string& name) {
    nlohmann::json json;
    try {
        json = nlohmann::json::parse(text);
    } catch (const nlohmann::json::parse_error& error) {
        fail_at(text, std::min(error.byte > 0 ? error.byte - 1 : 0, text.size()), name,
                "this is not JSON");
    } catch (const nlohmann::json::out_of_range&) {  // comes without a location
        throw ResultProblem{name + ": error: a number is too large" + std::string(result_advice)};
    }
    if (!json.is_object() || !json.contains("pawl") || !json.contains("format") ||
        !json["format"].is_number_integer())
        throw ResultProblem{name + " is not a result of pawl"};
    if (json["format"] != result_format)
        throw ResultProblem{
            fmt::format("{} has format {}; this program reads format {}; run the model "
                        "again with it",
                        name, json["format"].dump(), result_format)};
    if (const std::string misfit = summary_problem(text); !misfit.empty())
        throw ResultProblem{name + ": error: " + misfit + std::string(result_advice)};
    return json;
}

Overrides parameters_of(const nlohmann::json& summary) {
    Overrides out;
    const auto list = summary.value("/options/parameters"_json_pointer, nlohmann::json::array());
    for (const nlohmann::json& entry : list) {
        const auto text = entry.get<std::string>();
        const std::size_t equals = text.find('=');
        if (equals != std::string::npos)
            out.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return out;
}

// Rows that were taken from the end of a table leave it readable; the summary knows their number.
void check_rows(const std::string& name, std::size_t rows, std::size_t rows_written) {
    if (rows != rows_written)
        throw ResultProblem{fmt::format("{} has {} rows, but the run wrote {}{}", name, rows,
                                        rows_written, result_advice)};
}

// The table comes from a file where one is given.
StoredResult result_from(const ResultTexts& texts, FileReader* table = nullptr) {
    StoredResult out;
    out.folder = texts.folder;
    out.summary = texts.summary;
    out.model = texts.model;
    const auto name = [&](const char* file) { return (texts.folder / file).string(); };
    const nlohmann::json summary = parsed_summary(out.summary, name("result.json"));
    if (const auto hash = summary["model"]["hash"].get<std::string>();
        hash != fingerprint(out.model))
        throw ResultProblem{name("model.toml") +
                            " is not the model that was run: its fingerprint is " +
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
        throw ResultProblem{"there is no folder " + folder.string() +
                            "; make a result with: pawl run MODEL --out " + folder.string()};
    if (!fs::is_directory(status))
        throw ResultProblem{
            folder.string() +
            " is a file; a result is a folder, as `pawl run MODEL --out FOLDER` makes"};
    if (!fs::exists(folder / "result.json", error))
        throw ResultProblem{folder.string() + " is not a result of pawl: it holds no result.json"};
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
    } catch (ResultProblem& caught) {
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
