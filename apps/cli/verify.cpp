// `pawl verify`: the verification manual from the command line.
#include <cmath>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "math/span.h"
#include "verification/verification.h"

namespace pawl::cli {

namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json to_json(const std::vector<VerificationOutcome>& outcomes) {
    Json rows = Json::array();
    for (const auto& o : outcomes)
        rows.push_back({{"problem", o.problem},
                        {"quantity", o.quantity},
                        {"at", o.at},
                        {"unit", o.unit},
                        {"published", number(o.published)},
                        {"reference", number(o.reference)},
                        {"computed", number(o.computed)},
                        {"error", number(o.error)},
                        {"tolerance", o.tolerance},
                        {"pass", o.pass}});
    return rows;
}

void print_rows(const std::vector<VerificationOutcome>& outcomes) {
    fmt::print("{:<16} {:<40} {:>8} {:>8} {:>12} {:>20} {:>20} {:>9} {:>9}\n", "problem",
               "quantity", "at", "unit", "published", "reference", "computed", "error", "pass");
    for (const auto& o : outcomes)
        fmt::print("{:<16} {:<40} {:>8} {:>8} {:>12} {:>20.13g} {:>20.13g} {:>9.1e} {:>9}{}\n",
                   o.problem, o.quantity, o.at, o.unit,
                   std::isnan(o.published) ? "" : fmt::format("{:g}", o.published), o.reference,
                   o.computed, o.error, o.pass ? "yes" : "NO", o.note.empty() ? "" : "  " + o.note);
}

}  // namespace

Command add_verify(CLI::App& app) {
    struct Options {
        std::string problem;
        bool json = false, quiet = false, markdown = false;
    };
    auto* sub = app.add_subcommand(
        "verify", "compare the example models with published and closed-form numbers");
    auto o = std::make_shared<Options>();
    sub->add_option("problem", o->problem, "one problem, e.g. K1 (default: all)");
    sub->add_flag("--json", o->json, "print the rows as a JSON array");
    sub->add_flag("--markdown", o->markdown, "print the verification manual in Markdown");
    sub->add_flag("--quiet,-q", o->quiet, "print nothing but the verdict");
    return [o]() -> int {
        const auto problems = verification_problems();
        if (!o->problem.empty() &&
            std::find(problems.begin(), problems.end(), o->problem) == problems.end())
            throw Failure{wrong_usage,
                          "no problem '" + o->problem + "'" + did_you_mean(o->problem, problems)};
        const auto outcomes = verify(o->problem);
        const auto passed =
            std::count_if(outcomes.begin(), outcomes.end(), [](const auto& r) { return r.pass; });
        const bool all = passed == static_cast<long>(outcomes.size());
        if (o->json)
            fmt::print("{}\n", to_json(outcomes).dump(2));
        else if (o->markdown)
            fmt::print("{}", verification_manual(outcomes));
        else {
            if (!o->quiet) print_rows(outcomes);
            fmt::print("{} of {} rows pass\n", passed, outcomes.size());
        }
        return all ? done : check_failed;
    };
}

}  // namespace pawl::cli
