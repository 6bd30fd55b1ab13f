// What the program says of itself: the pages of --help, and what is wrong with a command line.
// Knows options and their names, not what the verbs do.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
class ParseError;
}  // namespace CLI

namespace pawl::cli {

// Makes the pages of --help of the program and its verbs.
void set_help_texts(CLI::App& app);

// What stands for the value of an option: "TIME"; empty for a flag.
std::string value_word(const CLI::Option& option);
// The values that an option can have, where it has a list of them.
std::vector<std::string> value_choices(const CLI::Option& option);
// The options of a verb, without the arguments that have no name.
std::vector<const CLI::Option*> named_options(const CLI::App& verb);
// "MODEL..." of an argument without a name.
std::string argument_word(const CLI::Option& option);
// "-o,--out".
std::string option_names(const CLI::Option& option);
// "--out" where an option has a long name, or else "-o".
std::string first_name(const CLI::Option& option);
// "pawl run MODEL... [options]"
std::string usage_of(const CLI::App& verb);

std::string help_page(const CLI::App& app);

// What is wrong with a command line, with a way out.
std::string usage_problem(const CLI::App& app, const CLI::ParseError& error);

}  // namespace pawl::cli
