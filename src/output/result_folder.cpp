#include "output/result_folder.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pawl {

namespace fs = std::filesystem;

namespace {

void append_number(std::string& out, double value) {
    fmt::format_to(std::back_inserter(out), "{}",
                   value == 0 ? 0.0 : value);  // shortest text that reads back
}

// A field with a comma, a quote or a line break is quoted.
std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + '"';
}

fs::path temporary_name(const fs::path& path, const char* tail) {
    fs::path name = path;
    name += fmt::format(".{}-{}", tail, ::getpid());
    return name;
}

// Why a folder may not be replaced: nothing (an empty string) when it is empty or holds a result
// and only the files that its result.json lists.
std::string foreign(const fs::path& folder) {
    std::error_code error;
    const fs::directory_iterator entries(folder, error);
    if (error) return "cannot read " + folder.string() + ": " + error.message();
    if (entries == fs::directory_iterator()) return {};
    std::ifstream stream(folder / "result.json", std::ios::binary);
    const auto result = nlohmann::json::parse(stream, nullptr, false);
    if (!result.is_object() || !result.contains("pawl") || !result.contains("format") ||
        !result.contains("files") || !result["files"].is_array())
        return folder.string() + " exists and is not a result of pawl; choose another --out";
    const auto& files = result["files"];
    for (const fs::directory_entry& entry : entries) {
        const std::string name = entry.path().filename().string();
        if (!entry.is_regular_file(error) ||
            std::find(files.begin(), files.end(), name) == files.end())
            return (folder / name).string() +
                   " was not written by pawl; move it, or choose another --out";
    }
    return {};
}

// Whether the program works in the folder or below it. Such a folder cannot be replaced: whoever
// stands in it would stand in a folder that is gone.
bool holds_current_folder(const fs::path& canonical) {
    std::error_code error;
    const fs::path here = fs::canonical(".", error);
    return !error &&
           std::mismatch(canonical.begin(), canonical.end(), here.begin(), here.end()).first ==
               canonical.end();
}

std::string write_plain(const fs::path& path, const std::string& text) {
    std::ofstream out(path, std::ios::binary);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    return out ? std::string() : "cannot write " + path.string();
}

}  // namespace

std::string csv(const Trajectory& trajectory) {
    std::string out;
    for (std::size_t i = 0; i < trajectory.columns.size(); ++i) {
        const Column& c = trajectory.columns[i];
        out += (i ? "," : "") + csv_field(c.name + " [" + c.unit + "]");
    }
    out += '\n';
    for (std::size_t r = 0; r < trajectory.rows(); ++r) {
        const auto row = trajectory.row(r);
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i) out += ',';
            append_number(out, row[i]);
        }
        out += '\n';
    }
    return out;
}

std::string csv(const std::vector<Event>& events) {
    std::string out =
        "t [s],kind,element,from,to,normal_velocity_before [m/s],normal_velocity_after "
        "[m/s],impulse [N s],"
        "energy_change [J],detail\n";
    for (const Event& e : events) {
        append_number(out, e.t);
        out += ',' + std::string(event_name(e.kind)) + ',' + csv_field(e.element) + ',' +
               csv_field(e.from) + ',' + csv_field(e.to);
        for (const double value :
             {e.normal_velocity_before, e.normal_velocity_after, e.impulse, e.energy_change}) {
            out += ',';
            append_number(out, value);
        }
        out += ',' + csv_field(e.detail) + '\n';
    }
    return out;
}

std::string write_result(const fs::path& folder, const std::vector<NamedText>& files) {
    std::error_code error;
    fs::path target = folder;
    if (!target.has_filename()) target = target.parent_path();  // "out/" means "out"
    if (fs::exists(target, error)) {
        if (!fs::is_directory(target, error)) return target.string() + " is a file, not a folder";
        if (auto problem = foreign(target); !problem.empty()) return problem;
        target = fs::canonical(target, error);  // a link to a folder stays a link
        if (error) return "cannot find " + folder.string() + ": " + error.message();
        if (holds_current_folder(target))
            return target.string() + " is where pawl runs; choose another --out, or run elsewhere";
    }
    if (target.has_parent_path()) fs::create_directories(target.parent_path(), error);
    const fs::path temporary = temporary_name(target, "writing"),
                   old = temporary_name(target, "old");
    fs::remove_all(temporary, error);
    if (!fs::create_directory(temporary, error))
        return "cannot make a folder beside " + target.string() + ": " + error.message();
    const auto give_up = [&](const std::string& why) {
        std::error_code ignored;
        fs::remove_all(temporary, ignored);
        return why;
    };
    for (const NamedText& file : files)
        if (auto problem = write_plain(temporary / file.name, file.text); !problem.empty())
            return give_up("cannot write " + (target / file.name).string());
    const bool replaces = fs::exists(target, error);
    if (replaces) {
        fs::rename(target, old, error);
        if (error) return give_up("cannot replace " + target.string() + ": " + error.message());
    }
    fs::rename(temporary, target, error);
    if (error) {
        std::error_code ignored;
        if (replaces) fs::rename(old, target, ignored);
        return give_up("cannot write " + target.string() + ": " + error.message());
    }
    if (replaces) fs::remove_all(old, error);
    return {};
}

std::string fingerprint(const std::string& text) {
    std::uint64_t hash = 14695981039346656037ULL;
    for (const unsigned char c : text) hash = (hash ^ c) * 1099511628211ULL;
    return fmt::format("fnv1a64:{:016x}", hash);
}

}  // namespace pawl
