// The command that writes a new model from a few numbers.
#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands.h"
#include "generators/generator.h"
#include "manners/failure.h"
#include "math/span.h"
#include "model_file/text/write_file.h"
#include "output/result/summary.h"

namespace pawl::cli {

namespace {

struct NewOptions {
    std::string kind, out;
    std::vector<std::string> numbers;
    bool list = false, json = false, quiet = false;
};

GeneratorInfo info_of(const std::vector<GeneratorInfo>& all, const std::string& kind) {
    std::vector<std::string> names;
    for (const GeneratorInfo& info : all) {
        if (info.name == kind) return info;
        names.push_back(info.name);
    }
    throw Failure{wrong_usage,
                  fmt::format("unknown mechanism '{}'{}", kind, did_you_mean(kind, names))};
}

void list_mechanisms(const std::vector<GeneratorInfo>& all, bool as_json) {
    Json json = Json::array();
    for (const GeneratorInfo& info : all) {
        if (as_json)
            json.push_back({{"name", info.name}, {"summary", info.summary}});
        else
            fmt::print("{:<14} {}\n", info.name, info.summary);
    }
    if (as_json)
        print_json(json);
    else
        fmt::print("\n`pawl new MECHANISM --numbers` lists the values that a mechanism accepts.\n");
}

void list_numbers(const GeneratorInfo& info, bool as_json) {
    if (as_json) {
        Json numbers = Json::array();
        for (const GeneratorNumber& n : info.numbers)
            numbers.push_back({{"name", n.name},
                               {"default", n.standard},
                               {"meaning", n.meaning},
                               {"choices", n.choices}});
        return print_json(
            Json{{"name", info.name}, {"summary", info.summary}, {"numbers", numbers}});
    }
    fmt::print("{}: {}\n\n", info.name, info.summary);
    for (const GeneratorNumber& n : info.numbers) {
        std::string choices;
        for (const std::string& choice : n.choices)
            choices += (choices.empty() ? ": " : ", ") + choice;
        fmt::print("{:<15} {:<12} {}{}\n", n.name, n.standard.empty() ? "(found)" : n.standard,
                   n.meaning, choices);
    }
    fmt::print(
        "\nPlain numbers are in the unit of the default; (found): computed from the other "
        "values.\n");
}

int write_new(const NewOptions& o) {
    const GeneratorInfo info = info_of(generators(), o.kind);
    if (o.list) return list_numbers(info, o.json), done;
    std::vector<std::pair<std::string, std::string>> values;
    for (const std::string& number : o.numbers) {
        const auto equals = number.find('=');
        if (equals == std::string::npos || equals == 0)
            throw Failure{wrong_usage, "a number is name=value, not '" + number + "'"};
        values.emplace_back(number.substr(0, equals), number.substr(equals + 1));
    }
    const NewModel made = new_model(o.kind, values);
    if (!made.problems.empty()) {
        std::string reasons;
        for (const std::string& problem : made.problems)
            reasons += (reasons.empty() ? "" : "\n") + fmt::format("{}: {}", o.kind, problem);
        throw Failure{bad_model, reasons};
    }
    if (o.out == "-") return fmt::print("{}", made.text), done;
    const std::string file = o.out.empty() ? o.kind + ".toml" : o.out;
    if (o.out.empty() && std::filesystem::exists(file))
        throw Failure{wrong_usage,
                      fmt::format("'{}' exists already; give another name with -o, or -o {} to "
                                  "overwrite it",
                                  file, file)};
    if (const auto problem = write_file(file, made.text); !problem.empty())
        throw Failure{wrong_usage, problem};
    if (o.json) {
        print_json(Json{{"mechanism", o.kind}, {"model", file}, {"facts", made.facts}});
    } else if (!o.quiet) {
        fmt::print("{}: {}\n", o.kind, info.summary);
        for (const std::string& fact : made.facts) fmt::print("by hand       {}\n", fact);
        fmt::print("wrote         {}\n", file);
    }
    return done;
}

}  // namespace

Command add_new(CLI::App& app) {
    auto* sub =
        app.add_subcommand("new", "write a new model of a common mechanism from a few numbers");
    auto o = std::make_shared<NewOptions>();
    sub->add_option("mechanism", o->kind,
                    "fourbar, slider_crank, cam, geneva, ratchet, escapement, latch or gear_train; "
                    "without one they are listed");
    sub->add_option("numbers", o->numbers,
                    "its dimensions and other values: slots=6 centres=\"80 mm\"");
    sub->add_flag("--numbers", o->list,
                  "list the values that the mechanism accepts, with their defaults");
    sub->add_option("-o,--out", o->out,
                    "file to write (default: MECHANISM.toml); - is standard output");
    sub->add_flag("--json", o->json, "print what was done as JSON");
    sub->add_flag("--quiet,-q", o->quiet, "print nothing but errors");
    return [o] {
        if (!o->kind.empty()) return write_new(*o);
        list_mechanisms(generators(), o->json);
        return int{done};
    };
}

}  // namespace pawl::cli
