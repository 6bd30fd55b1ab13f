#include "output/result/result_folder.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model_file/text/write_file.h"
#include "output/result/unfinished_folder.h"
#include "results/event_columns.h"
#include "results/event_text.h"

namespace pawl {

namespace fs = std::filesystem;

void append_number(std::string& out, double value) {
    fmt::format_to(std::back_inserter(out), "{}", value == 0 ? 0.0 : value);
}

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + '"';
}

namespace {

// Why a folder may not be replaced: nothing (an empty string) when it is empty or holds a result
// and only the files that its result.json lists.
std::string foreign(const fs::path& folder) {
    std::error_code error;
    const fs::directory_iterator entries(folder, error);
    if (error) return error.message();
    if (entries == fs::directory_iterator()) return {};
    std::ifstream stream(folder / "result.json", std::ios::binary);
    const auto result = nlohmann::json::parse(stream, nullptr, false);
    if (!result.is_object() || !result.contains("pawl") || !result.contains("format") ||
        !result.contains("files") || !result["files"].is_array())
        return "it exists and is not a result of pawl; choose another --out";
    const auto& files = result["files"];
    for (const fs::directory_entry& entry : entries) {
        const std::string name = entry.path().filename().string();
        if (!fs::is_regular_file(entry.symlink_status(error)) ||
            std::find(files.begin(), files.end(), name) == files.end())
            return name + " in it was not written by pawl; move it, or choose another --out";
    }
    return {};
}

// Whether the program works in the folder or below it. Such a folder cannot be replaced, because
// the program would be left in a folder that no longer exists.
bool holds_current_folder(const fs::path& canonical) {
    std::error_code error;
    const fs::path here = fs::canonical(".", error);
    return !error &&
           std::mismatch(canonical.begin(), canonical.end(), here.begin(), here.end()).first ==
               canonical.end();
}

// Why the folder that has the name of a new result may not be replaced.
std::string refusal(const fs::path& folder) {
    std::error_code error;
    if (auto link = link_problem(folder); !link.empty()) return link;
    if (!fs::is_directory(folder, error)) return "it is a file, not a folder";
    if (auto problem = foreign(folder); !problem.empty()) return problem;
    const fs::path canonical = fs::canonical(folder, error);
    if (error) return error.message();
    return holds_current_folder(canonical)
               ? "it is where pawl runs; choose another --out, or run elsewhere"
               : "";
}

}  // namespace

namespace {

void put_csv(const Trajectory& trajectory, const std::function<void(std::string_view)>& put) {
    constexpr std::size_t part = 1 << 20;  // characters
    std::string out;
    for (std::size_t i = 0; i < trajectory.columns.size(); ++i) {
        if (i) out += ',';
        out += csv_field(trajectory.columns[i].name + " [" + trajectory.columns[i].unit + "]");
    }
    out += '\n';
    for (std::size_t r = 0; r < trajectory.rows(); ++r) {
        const auto row = trajectory.row(r);
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i) out += ',';
            append_number(out, row[i]);
        }
        out += '\n';
        if (out.size() < part) continue;
        put(out);
        out.clear();
    }
    put(out);
}

}  // namespace

std::string csv(const Trajectory& trajectory) {
    std::string out;
    put_csv(trajectory, [&](std::string_view part) { out += part; });
    return out;
}

std::string csv(const std::vector<Event>& events) {
    std::string out =
        "t [s],kind,element,from,to,normal_velocity_before [m/s],normal_velocity_after "
        "[m/s],impulse [N s],"
        "energy_change [J],";
    const std::vector<Column> more = event_columns(events);
    for (const Column& column : more)
        out += csv_field(column.name + " [" + column.unit + "]") + ',';
    out += "detail\n";
    for (const Event& e : events) {
        append_number(out, e.t);
        out += ',' + std::string(event_name(e.kind)) + ',' + csv_field(e.element) + ',' +
               csv_field(e.from) + ',' + csv_field(e.to);
        for (const double value :
             {e.normal_velocity_before, e.normal_velocity_after, e.impulse, e.energy_change}) {
            out += ',';
            append_number(out, value);
        }
        for (const Column& column : more) {
            out += ',';
            if (const auto value = event_number(e, column.name)) append_number(out, *value);
        }
        out += ',' + csv_field(event_text(e)) + '\n';
    }
    return out;
}

ResultWriting write_result(const fs::path& folder, const std::vector<NamedText>& files) {
    ResultWriting out;
    std::error_code error;
    fs::path target = folder;
    if (!target.has_filename()) target = target.parent_path();  // "out/" means "out"
    const auto refuse = [&](const fs::path& path, const std::string& why) {
        out.problem = "cannot write " + path.string() + ": " + why;
        return out;
    };
    if (target.filename() == "." || target.filename() == "..") {
        target = fs::canonical(target, error);
        if (error) return refuse(folder, error.message());
    }
    if (target.has_parent_path()) fs::create_directories(target.parent_path(), error);
    for (const fs::path& kept : remove_leftovers(target))
        out.warnings.push_back(kept.string() +
                               " holds a run that was stopped; continue it with: pawl resume " +
                               kept.string() + ", or remove it");
    UnfinishedFolder unfinished(target, out.problem);
    if (!out.problem.empty()) return out;
    for (const NamedText& file : files) {
        const TextParts parts = [&](const auto& put) {
            file.table ? put_csv(*file.table, put) : put(file.text);
        };
        if (auto why = unfinished.write(file.name, parts); !why.empty())
            return refuse(target / file.name, why);
    }
    out.problem = unfinished.finish(refusal);
    return out;
}

std::string fingerprint(const std::string& text) {
    std::uint64_t hash = 14695981039346656037ULL;
    for (const unsigned char c : text) hash = (hash ^ c) * 1099511628211ULL;
    return fmt::format("fnv1a64:{:016x}", hash);
}

}  // namespace pawl
