// Verbs that say what the program can do, to people and to shells: help, man, completion. All are
// made from the options that the verbs have.
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands.h"
#include "manners/help.h"
#include "math/span.h"
#include "support.h"
#include "version.h"

namespace pawl::cli {

namespace {

std::vector<std::string> verb_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* verb : app.get_subcommands({})) names.push_back(verb->get_name());
    return names;
}

const CLI::App& verb_of(const CLI::App& app, const std::string& name) {
    for (const CLI::App* verb : app.get_subcommands({}))
        if (verb->get_name() == name) return *verb;
    throw Failure{wrong_usage,
                  fmt::format("unknown verb '{}'{}", name, did_you_mean(name, verb_names(app)))};
}

// ---- man pages

std::string roff(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
            out += std::string("\\&") + c;
        else
            out += c;
    }
    return out;
}

std::string man_page(const CLI::App& app) {
    const bool is_verb = app.get_parent() != nullptr;
    const std::string name = is_verb ? "pawl-" + app.get_name() : "pawl";
    std::string out = fmt::format(".TH \"{}\" 1 \"\" \"pawl {}\"\n.SH NAME\n{} \\- {}\n",
                                  roff(name), version(), roff(name), roff(app.get_description()));
    out += ".SH SYNOPSIS\n.B " + roff(usage_of(app)) + "\n";
    if (!is_verb) {
        out += ".SH VERBS\n";
        for (const CLI::App* verb : app.get_subcommands({}))
            out +=
                ".TP\n.B " + roff(verb->get_name()) + "\n" + roff(verb->get_description()) + "\n";
    }
    out += ".SH OPTIONS\n";
    for (const CLI::Option* o :
         app.get_options([](const CLI::Option* x) { return !x->nonpositional(); }))
        out += ".TP\n.I " + roff(argument_word(*o)) + "\n" + roff(o->get_description()) + "\n";
    for (const CLI::Option* o : named_options(app)) {
        const std::string word = value_word(*o);
        out += ".TP\n.B " + roff(option_names(*o) + (word.empty() ? "" : " " + word)) + "\n" +
               roff(o->get_description()) + "\n";
    }
    return out + ".SH NOTES\n.nf\n" + roff(app.get_footer()) + "\n.fi\n";
}

// ---- completion

std::string words_of(const std::vector<std::string>& words) { return joined(words, " "); }

std::vector<std::string> option_names(const CLI::App& verb) {
    std::vector<std::string> names;
    for (const CLI::Option* o : named_options(verb)) names.push_back(first_name(*o));
    return names;
}

// Single quotes around a text for a shell.
std::string quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string bash_completion(const CLI::App& app) {
    std::string out = fmt::format(R"(# bash completion of pawl: source this file
_pawl() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} verb=${{COMP_WORDS[1]}} list=
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "{} --help --version" -- "$word"))
        return
    fi
    case $verb:$before in
)",
                                  words_of(verb_names(app)));
    for (const CLI::App* verb : app.get_subcommands({}))
        for (const CLI::Option* o : named_options(*verb))
            if (const auto choices = value_choices(*o); !choices.empty())
                out += fmt::format("        {}:{}) list=\"{}\" ;;\n", verb->get_name(),
                                   first_name(*o), words_of(choices));
    out += fmt::format("        help:*|man:*) list=\"{}\" ;;\n", words_of(verb_names(app)));
    out += R"(    esac
    if [[ -n $list ]]; then
        COMPREPLY=($(compgen -W "$list" -- "$word"))
        return
    fi
    case $verb in
)";
    for (const CLI::App* verb : app.get_subcommands({}))
        out += fmt::format("        {}) list=\"{}\" ;;\n", verb->get_name(),
                           words_of(option_names(*verb)));
    return out + R"(    esac
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$list" -- "$word"))
    else
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}
complete -o filenames -F _pawl pawl
)";
}

std::string zsh_completion(const CLI::App& app) {
    std::string out =
        "#compdef pawl\n# zsh completion of pawl: as _pawl in a folder of fpath\n_pawl() {\n"
        "    if ((CURRENT == 2)); then\n        local -a verbs=(\n";
    const auto described = [](std::string text) {
        for (std::size_t i = 0; (i = text.find(':', i)) != std::string::npos; i += 2)
            text.insert(i, "\\");
        return text;
    };
    for (const CLI::App* verb : app.get_subcommands({}))
        out += "            " +
               quoted(verb->get_name() + ":" + described(verb->get_description())) + "\n";
    out +=
        "        )\n        _describe verb verbs\n        return\n    fi\n    local -a options=()\n"
        "    case $words[2]:$words[CURRENT-1] in\n";
    for (const CLI::App* verb : app.get_subcommands({}))
        for (const CLI::Option* o : named_options(*verb))
            if (const auto choices = value_choices(*o); !choices.empty())
                out += fmt::format("        {}:{}) compadd {}; return ;;\n", verb->get_name(),
                                   first_name(*o), words_of(choices));
    out += "    esac\n    case $words[2] in\n";
    for (const CLI::App* verb : app.get_subcommands({})) {
        out += "        " + verb->get_name() + ") options=(";
        for (const CLI::Option* o : named_options(*verb))
            out +=
                "\n            " + quoted(first_name(*o) + ":" + described(o->get_description()));
        out += ") ;;\n";
    }
    return out +
           "    esac\n    if [[ $words[CURRENT] == -* ]]; then\n        _describe option options\n"
           "    else\n        _files\n    fi\n}\nif [[ $funcstack[1] == _pawl ]]; then _pawl "
           "\"$@\"; else compdef _pawl pawl; fi\n";
}

std::string fish_completion(const CLI::App& app) {
    std::string out = "# fish completion of pawl: in ~/.config/fish/completions/pawl.fish\n";
    for (const CLI::App* verb : app.get_subcommands({})) {
        out += fmt::format("complete -c pawl -n __fish_use_subcommand -f -a {} -d {}\n",
                           verb->get_name(), quoted(verb->get_description()));
        for (const CLI::Option* o : named_options(*verb)) {
            if (o->get_lnames().empty()) continue;
            out += fmt::format("complete -c pawl -n '__fish_seen_subcommand_from {}' -l {}",
                               verb->get_name(), o->get_lnames().front());
            if (!o->get_snames().empty()) out += " -s " + o->get_snames().front();
            const auto choices = value_choices(*o);
            if (!choices.empty())
                out += " -x -a " + quoted(words_of(choices));
            else if (!value_word(*o).empty())
                out += " -r";
            out += " -d " + quoted(o->get_description()) + "\n";
        }
    }
    return out;
}

}  // namespace

Command add_help(CLI::App& app) {
    auto* sub = app.add_subcommand("help", "show this page, or the page of a verb");
    auto verb = std::make_shared<std::string>();
    sub->add_option("verb", *verb, "a verb, e.g. run");
    return [&app, verb] {
        fmt::print("{}", help_page(verb->empty() ? app : verb_of(app, *verb)));
        return int{done};
    };
}

Command add_man(CLI::App& app) {
    auto* sub =
        app.add_subcommand("man", "print the manual page of the program or of a verb, for man(1)");
    auto verb = std::make_shared<std::string>();
    sub->add_option("verb", *verb, "a verb, e.g. run");
    return [&app, verb] {
        fmt::print("{}", man_page(verb->empty() ? app : verb_of(app, *verb)));
        return int{done};
    };
}

Command add_completion(CLI::App& app) {
    auto* sub =
        app.add_subcommand("completion", "print the completion script for bash, zsh or fish");
    auto shell = std::make_shared<std::string>();
    sub->add_option("shell", *shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    return [&app, shell] {
        fmt::print("{}", *shell == "bash"  ? bash_completion(app)
                         : *shell == "zsh" ? zsh_completion(app)
                                           : fish_completion(app));
        return int{done};
    };
}

}  // namespace pawl::cli
