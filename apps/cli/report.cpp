// `pawl report`: a result as one HTML file.
#include "output/report/report.h"

#include <filesystem>
#include <fstream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "model_file/text/write_file.h"
#include "output/result/result_check.h"
#include "support.h"

namespace pawl::cli {

namespace {

namespace fs = std::filesystem;

// Beside the folder, not in it: the next run replaces the folder.
fs::path beside(const fs::path& folder) {
    fs::path out = folder.lexically_normal();
    if (!out.has_filename()) out = out.parent_path();
    if (out == "." || out == "..") out = fs::canonical(folder);
    out += ".html";
    return out;
}

// A report replaces a report, nothing else of the user's.
void refuse_foreign(const fs::path& file) {
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored) || fs::file_size(file, ignored) == 0) return;
    std::string head(1000, '\0');
    std::ifstream stream(file, std::ios::binary);
    stream.read(head.data(), static_cast<std::streamsize>(head.size()));
    if (!is_report(head))
        throw Failure{wrong_usage, "pawl: " + file.string() +
                                       " exists and is not a report of pawl; choose another -o"};
}

int make_report(const std::string& folder, const std::string& out, bool json, bool quiet) {
    const fs::path file = out.empty() ? beside(folder) : fs::path(out);
    if (out != "-") refuse_foreign(file);
    std::string problem;
    const auto result = read_result(folder, problem);
    if (!result) throw Failure{bad_model, "pawl: " + problem};
    Diagnostics diagnostics;
    const auto model = read_model(result->model, (fs::path(folder) / "model.toml").string(),
                                  result->parameters, diagnostics);
    if (!model) throw Failure{bad_model, diagnostics.text()};
    const PlacedMechanism placed = assemble_or_fail(*model);
    if (const auto damage = motion_problem(*result, placed.mechanism); !damage.empty())
        throw Failure{bad_model, "pawl: " + damage};
    const std::string text = report(*result, placed);
    if (out == "-") {
        fmt::print("{}", text);
        return done;
    }
    if (const auto refused = write_file(file, text); !refused.empty())
        throw Failure{wrong_usage, "pawl: " + refused};
    if (json)
        print_json(Json{{"result", folder}, {"report", file.string()}});
    else if (!quiet)
        fmt::print("report  {} ({:.2f} MB)\n", file.string(),
                   1e-6 * static_cast<double>(text.size()));
    return done;
}

}  // namespace

Command add_report(CLI::App& app) {
    auto* sub = app.add_subcommand("report", "write a result as one self-contained HTML file");
    struct Options {
        std::string folder, out;
        bool json = false, quiet = false;
    };
    auto o = std::make_shared<Options>();
    sub->add_option("result", o->folder, "folder of a result, as written by `pawl run`")
        ->required();
    sub->add_option("-o,--out", o->out,
                    "file to write, - for standard output (default: RESULT.html)");
    sub->add_flag("--json", o->json, "print what was written as JSON");
    sub->add_flag("--quiet,-q", o->quiet, "print nothing but errors");
    return [o] { return make_report(o->folder, o->out, o->json, o->quiet); };
}

}  // namespace pawl::cli
