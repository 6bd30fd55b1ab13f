#include "manners/failure.h"

#include <cstdio>
#include <cstdlib>
#include <regex>
#include <sstream>
#include <unistd.h>

#include <fmt/format.h>

#include "output/result/summary.h"

namespace pawl::cli {

namespace {

bool has_printed_json = false;

// Lines "file:line:column: error: message", as diagnostics are written.
const std::regex& diagnostic_line() {
    static const std::regex line("(.*?)(?::(\\d+):(\\d+))?: (error|warning): (.*)");
    return line;
}

bool shows_colours() {
    const char* terminal = std::getenv("TERM");
    const char* refused = std::getenv("NO_COLOR");
    return ::isatty(STDERR_FILENO) && (refused == nullptr || *refused == 0) &&
           terminal != nullptr && std::string_view(terminal) != "dumb";
}

Json as_object(const std::string& line) {
    std::smatch part;
    if (!std::regex_match(line, part, diagnostic_line()))
        return {{"severity", "error"}, {"message", line}};
    Json out{{"severity", part[4].str()}, {"file", part[1].str()}};
    if (part[2].matched) {
        out["line"] = std::stoi(part[2]);
        out["column"] = std::stoi(part[3]);
    }
    out["message"] = part[5].str();
    return out;
}

}  // namespace

void complain(std::string_view text) {
    const std::string shown = shows_colours() ? coloured(text) : std::string(text);
    std::fwrite(shown.data(), 1, shown.size(), stderr);
    std::fflush(stderr);
}

std::string coloured(std::string_view text) {
    std::string out;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        std::smatch part;
        if (std::regex_match(line, part, diagnostic_line())) {
            const auto word = static_cast<std::size_t>(part.position(4));
            line = fmt::format("\033[1m{}\033[{}m{}\033[0m{}", line.substr(0, word),
                               part[4] == "error" ? "1;31" : "1;35", part[4].str(),
                               line.substr(word + part[4].length()));
        }
        out += line + (lines.eof() ? "" : "\n");
    }
    return out;
}

void print_json(const nlohmann::ordered_json& json) {
    has_printed_json = true;
    fmt::print("{}", json_text(json));
}

void report_failure(const Failure& failure, bool as_json) {
    std::string text = failure.message;
    while (text.ends_with('\n')) text.pop_back();
    const std::string first = text.substr(0, text.find('\n'));
    if (!first.starts_with("pawl: ") && !std::regex_match(first, diagnostic_line()))
        text = "pawl: " + text;
    complain(text + "\n");
    if (!as_json || has_printed_json) return;
    Json errors = Json::array();
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        errors.push_back(as_object(line.starts_with("pawl: ") ? line.substr(6) : line));
    print_json({{"status", "error"}, {"exit_code", failure.code}, {"errors", errors}});
}

}  // namespace pawl::cli
