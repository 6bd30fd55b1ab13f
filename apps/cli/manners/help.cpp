#include "manners/help.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "math/span.h"

namespace pawl::cli {

namespace {

constexpr std::size_t page_width = 96, name_width = 26;

std::string upper(std::string text) {
    for (char& c : text) c = c == '-' ? '_' : static_cast<char>(std::toupper(c));
    return text;
}

// Options whose value is not called like themselves.
const std::pair<const char*, std::vector<const char*>> words[] = {
    {"TIME",
     {"end", "step", "at", "from", "to", "after", "guess", "every", "window", "delay", "period",
      "integrator-step"}},
    {"NAME=VALUE", {"set"}},
    {"FILE", {"draw", "dot", "plot", "csv", "history"}},
    {"FOLDER", {"examples", "page"}},
    {"NAME", {"column"}},
    {"NAMES", {"columns", "events"}},
    {"NAME=VALUES", {"vary"}},
    {"NAME[=VALUE]", {"shift"}},
    {"RESPONSE", {"of", "show"}},
    {"BODY.POINT", {"point"}},
    {"BODY", {"output"}},
    {"JOINT", {"cut"}},
    {"ADDRESS", {"cluster"}},
    {"UNIT", {"length", "force", "mass"}},
};

// Text in lines that begin at a column; the first one is there already.
std::string wrapped(const std::string& text, std::size_t column) {
    std::string out, line;
    std::size_t begin = 0;
    while (begin < text.size()) {
        std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        if (!line.empty() && column + line.size() + 1 + word.size() > page_width) {
            out += line + "\n" + std::string(column, ' ');
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
        begin = end + 1;
    }
    return out + line;
}

std::string entry(const std::string& name, const std::string& text) {
    const std::string head = "  " + name;
    return head +
           (head.size() + 2 > name_width ? "\n" + std::string(name_width, ' ')
                                         : std::string(name_width - head.size(), ' ')) +
           wrapped(text, name_width) + "\n";
}

class OwnWords : public CLI::Formatter {
public:
    std::string make_usage(const CLI::App* app, std::string) const override {
        return "Usage: " + usage_of(*app) + "\n";
    }
    std::string make_positionals(const CLI::App* app) const override {
        std::string out;
        for (const CLI::Option* o :
             app->get_options([](const CLI::Option* x) { return !x->nonpositional(); }))
            out += entry(argument_word(*o), o->get_description());
        return out.empty() ? out : "\n" + out;
    }
    std::string make_group(std::string, bool,
                           std::vector<const CLI::Option*> options) const override {
        std::string out = "\nOptions:\n";
        for (const CLI::Option* o : options) {
            std::string names;
            for (const char c : option_names(*o)) names += c == ',' ? ", " : std::string(1, c);
            const std::string word = value_word(*o);
            out += entry(names + (word.empty() ? "" : " " + word),
                         o->get_description() + (o->get_required() ? " (required)" : ""));
        }
        return out;
    }
    std::string make_subcommand(const CLI::App* verb) const override {
        return entry(verb->get_name(), verb->get_description());
    }
    std::string make_description(const CLI::App* app) const override {
        std::string text = app->get_description();
        if (!text.empty()) text[0] = static_cast<char>(std::toupper(text[0]));
        return text + (text.ends_with('.') ? "\n" : ".\n");
    }
};

// What the library says of a value, between fixed words: "--strip: 1 not in range 2 to 100". The
// value may be of any length and hold anything. Nothing where the words are not there.
std::vector<std::string> between(std::string_view said, std::initializer_list<const char*> words) {
    std::vector<std::string> out;
    for (const std::string_view word : words) {
        const std::size_t at = out.empty() ? said.find(word) : said.rfind(word);
        if (at == std::string_view::npos) return {};
        out.emplace_back(said.substr(0, at));
        said = said.substr(at + word.size());
    }
    out.emplace_back(said);
    return out;
}

std::string range_problem(const std::string& name, const std::string& value, const std::string& low,
                          const std::string& high) {
    const auto number = [](const std::string& text) {
        char* tail = nullptr;
        const double parsed = std::strtod(text.c_str(), &tail);
        return !text.empty() && *tail == 0 ? parsed : NAN;
    };
    if (std::isnan(number(value))) return fmt::format("{}: '{}' is not a number", name, value);
    // The largest number there is stands for no limit, and the smallest one above zero for zero.
    if (number(high) >= std::numeric_limits<double>::max())
        return number(low) <= std::numeric_limits<double>::min()
                   ? fmt::format("{}: {} is not positive", name, value)
                   : fmt::format("{}: {} is less than {}", name, value, low);
    return fmt::format("{}: {} is not between {} and {}", name, value, low, high);
}

// "no value 'polar'; did you mean ..." out of what the library says of a value that fits no check.
std::string value_problem(const std::string& said) {
    if (const auto part = between(said, {": ", " not in {"}); !part.empty()) {
        const std::vector<std::string> valid =
            CLI::detail::split(part[2].substr(0, part[2].rfind('}')), ',');
        return fmt::format("{}: there is no '{}'{}", part[0], part[1],
                           did_you_mean(part[1], valid));
    }
    if (const auto part = between(said, {": Value ", " not in range ", " to "}); !part.empty())
        return range_problem(part[0], part[1], part[2], part[3]);
    if (const auto part = between(said, {"Could not convert: ", " = "}); !part.empty())
        return fmt::format("{}: '{}' is not a number", part[1], part[2]);
    return said;
}

std::string extra_problem(const CLI::App& app, const CLI::App& verb) {
    std::vector<std::string> extras = verb.remaining(true);
    if (extras.empty()) extras = app.remaining(true);
    if (extras.empty()) return "too many arguments";
    if (!extras.front().starts_with('-')) return "one argument too many: '" + extras.front() + "'";
    const std::string given = extras.front().substr(0, extras.front().find('='));
    std::vector<std::string> names;
    for (const CLI::Option* o : verb.get_options()) {
        for (const std::string& name : o->get_lnames()) names.push_back("--" + name);
        for (const std::string& name : o->get_snames()) names.push_back("-" + name);
    }
    if (&verb != &app && std::find(names.begin(), names.end(), given) != names.end())
        return fmt::format("the option '{}' must come after the verb", given);
    return fmt::format("unknown option '{}'{}", given, did_you_mean(given, names));
}

std::string missing_problem(const CLI::App& app, const CLI::App& verb) {
    if (&verb == &app)
        return app.remaining().empty() ? "a verb is missing" : extra_problem(app, app);
    for (const CLI::Option* o : verb.get_options())
        if (o->get_required() && o->count() == 0)
            return (o->nonpositional() ? first_name(*o) : argument_word(*o)) +
                   " is missing: " + o->get_description();
    return "an argument is missing";
}

}  // namespace

void set_help_texts(CLI::App& app) {
    const auto words = std::make_shared<OwnWords>();
    app.formatter(words);
    app.get_help_ptr()->description("show this page");
    for (CLI::App* verb : app.get_subcommands({})) {
        verb->formatter(words);
        verb->group("Verbs");
        verb->get_help_ptr()->description("show this page");
    }
}

std::string argument_word(const CLI::Option& option) {
    return upper(option.get_single_name()) + (option.get_items_expected_max() > 1 ? "..." : "");
}

std::string value_word(const CLI::Option& option) {
    if (option.get_items_expected_max() == 0) return "";
    const std::string name = first_name(option), bare = name.substr(name.find_first_not_of('-'));
    for (const auto& [word, names] : words)
        if (std::find(names.begin(), names.end(), bare) != names.end()) return word;
    if (bare == "out") return option.get_description().starts_with("folder") ? "FOLDER" : "FILE";
    const std::string type = option.get_type_name();
    if (type.starts_with("INT") || type.starts_with("UINT")) return "N";
    if (type.starts_with("FLOAT")) return "NUMBER";
    return upper(bare);
}

// "-q,--quiet", without what a flag sets: "{false}".
std::string option_names(const CLI::Option& option) {
    std::string names = option.get_name(false, true);
    for (std::size_t open; (open = names.find('{')) != std::string::npos;)
        names.erase(open, names.find('}', open) - open + 1);
    return names;
}

std::vector<std::string> value_choices(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    const auto open = type.find('{'), close = type.find('}');
    if (open == std::string::npos || close == std::string::npos) return {};
    return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

std::vector<const CLI::Option*> named_options(const CLI::App& verb) {
    return verb.get_options([](const CLI::Option* o) { return o->nonpositional(); });
}

std::string first_name(const CLI::Option& option) {
    if (!option.get_lnames().empty()) return "--" + option.get_lnames().front();
    return option.get_snames().empty() ? option.get_single_name()
                                       : "-" + option.get_snames().front();
}

std::string usage_of(const CLI::App& verb) {
    if (verb.get_parent() == nullptr) return "pawl VERB [arguments] [options]";
    std::string out = "pawl " + verb.get_name();
    for (const CLI::Option* o :
         verb.get_options([](const CLI::Option* x) { return !x->nonpositional(); }))
        out += o->get_required() ? " " + argument_word(*o) : " [" + argument_word(*o) + "]";
    return out + " [options]";
}

std::string help_page(const CLI::App& app) {
    // Not app.help(), which is that of the verb once one was chosen.
    std::string page = app.get_formatter()->make_help(&app, {}, CLI::AppFormatMode::Normal);
    while (page.ends_with('\n')) page.pop_back();
    return page + "\n";
}

std::string usage_problem(const CLI::App& app, const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    const CLI::App& verb = chosen.empty() ? app : *chosen.front();
    const std::string said = error.what();
    std::string problem;
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
        problem = extra_problem(app, verb);
    else if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
        problem = missing_problem(app, verb);
    else if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
        problem = said.substr(0, said.find(':')) + " needs a value";
    else
        problem = value_problem(said);
    const std::string name = chosen.empty() ? "" : verb.get_name() + " ";
    return fmt::format("{}{} `pawl {}--help` shows all options", problem,
                       problem.ends_with('?') ? "" : ";", name);
}

}  // namespace pawl::cli
