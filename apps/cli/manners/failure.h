// How failures reach the user: one prefix, colours on a terminal, JSON where that is asked for.
#pragma once

#include <nlohmann/json.hpp>

#include "commands.h"

namespace pawl::cli {

// Prints what a command was asked for as JSON.
void print_json(const nlohmann::ordered_json& json);

// Tells a failure on standard error and, with --json, as an object on standard output, unless the
// command has printed one already.
void report_failure(const Failure& failure, bool as_json);

// The same text with colours for errors and warnings.
std::string coloured(std::string_view text);

}  // namespace pawl::cli
