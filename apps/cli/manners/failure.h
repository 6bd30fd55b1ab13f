// How failures reach the user: one prefix, colours on a terminal, JSON where that is asked for.
#pragma once

#include <nlohmann/json.hpp>

#include "commands.h"

namespace pawl::cli {

// Prints what a command was asked for as JSON.
void print_json(const nlohmann::ordered_json& json);

// While it lives, what is printed as JSON is kept, and printed at its end as one list: an object
// for each of several models.
class JsonList {
public:
    explicit JsonList(bool wanted);
    ~JsonList();
    JsonList(const JsonList&) = delete;
    JsonList& operator=(const JsonList&) = delete;
    // The next model may print its own.
    static void next();

private:
    bool wanted_;
};

// Tells a failure on standard error and, with --json, as an object on standard output, unless the
// command has printed one already.
void report_failure(const Failure& failure, bool as_json);

// The same text with control characters other than line ends and tabs as a model file writes them,
// "\u001b": names that a model gives cannot rule the terminal.
std::string visible(std::string_view text);

// The same text with colours for errors and warnings.
std::string coloured(std::string_view text);

}  // namespace pawl::cli
