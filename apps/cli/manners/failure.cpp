#include "manners/failure.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <unistd.h>

#include <fmt/format.h>

#include "math/span.h"
#include "output/result/summary.h"

namespace pawl::cli {

namespace {

bool has_printed_json = false;
std::optional<Json> kept_json;  // of several models

// A line "file:line:column: error: message", as diagnostics are written.
struct DiagnosticLine {
    std::string_view file, severity, message;
    Span span;
};

// Takes ":12" from the end of a text.
bool take_number(std::string_view& text, int& number) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) return false;
    const char *begin = text.data() + colon + 1, *end = text.data() + text.size();
    if (begin == end || std::isdigit(static_cast<unsigned char>(*begin)) == 0) return false;
    if (const auto [stop, problem] = std::from_chars(begin, end, number);
        problem != std::errc{} || stop != end)
        return false;
    text = text.substr(0, colon);
    return true;
}

std::optional<DiagnosticLine> diagnostic_line(std::string_view line) {
    constexpr std::string_view error = ": error: ", warning = ": warning: ";
    const std::size_t at = std::min(line.find(error), line.find(warning));
    if (at == std::string_view::npos) return std::nullopt;
    const std::size_t size = (line.substr(at).starts_with(error) ? error : warning).size();
    DiagnosticLine out{
        line.substr(0, at), line.substr(at + 2, size - 4), line.substr(at + size), {}};
    std::string_view file = out.file;
    if (take_number(file, out.span.column) && take_number(file, out.span.line))
        out.file = file;
    else
        out.span = {};
    return out;
}

bool shows_colours() {
    const char* terminal = std::getenv("TERM");
    const char* refused = std::getenv("NO_COLOR");
    return ::isatty(STDERR_FILENO) && (refused == nullptr || *refused == 0) &&
           terminal != nullptr && std::string_view(terminal) != "dumb";
}

Json as_object(const std::string& line) {
    const auto part = diagnostic_line(line);
    if (!part) return {{"severity", "error"}, {"message", line}};
    Json out{{"severity", part->severity}, {"file", part->file}};
    if (part->span.line > 0) {
        out["line"] = part->span.line;
        out["column"] = part->span.column;
    }
    out["message"] = part->message;
    return out;
}

}  // namespace

std::string visible(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const bool keeps = c == '\n' || c == '\t';
        // Above the letters of ASCII the second byte of U+0080 to U+009F tells them.
        const unsigned char next =
            i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
        if (c == 0xc2 && next >= 0x80 && next < 0xa0) {
            out += fmt::format("\\u{:04x}", next);
            ++i;
        } else if ((c < ' ' && !keeps) || c == 0x7f) {
            out += fmt::format("\\u{:04x}", c);
        } else {
            out += text[i];
        }
    }
    return out;
}

void complain(std::string_view text) {
    const std::string plain = visible(text);
    const std::string shown = shows_colours() ? coloured(plain) : plain;
    std::fwrite(shown.data(), 1, shown.size(), stderr);
    std::fflush(stderr);
}

std::string coloured(std::string_view text) {
    std::string out;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        if (const auto part = diagnostic_line(line)) {
            const auto word = static_cast<std::size_t>(part->severity.data() - line.data());
            line = fmt::format("\033[1m{}\033[{}m{}\033[0m{}", line.substr(0, word),
                               part->severity == "error" ? "1;31" : "1;35", part->severity,
                               line.substr(word + part->severity.size()));
        }
        out += line + (lines.eof() ? "" : "\n");
    }
    return out;
}

void print_json(const nlohmann::ordered_json& json) {
    has_printed_json = true;
    if (kept_json)
        kept_json->push_back(json);
    else
        fmt::print("{}", json_text(json));
}

JsonList::JsonList(bool wanted) : wanted_(wanted) {
    if (wanted_) kept_json = Json::array();
}

JsonList::~JsonList() {
    if (!wanted_) return;
    const std::string text = json_text(*kept_json);
    kept_json.reset();
    std::fwrite(text.data(), 1, text.size(), stdout);  // main sees whether that was refused
}

void JsonList::next() { has_printed_json = false; }

void report_failure(const Failure& failure, bool as_json) {
    std::string text = failure.message;
    while (text.ends_with('\n')) text.pop_back();
    const std::string first = text.substr(0, text.find('\n'));
    if (!first.starts_with("pawl: ") && !diagnostic_line(first)) text = "pawl: " + text;
    complain(text + "\n");
    if (!as_json || has_printed_json) return;
    Json errors = Json::array();
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        errors.push_back(as_object(line.starts_with("pawl: ") ? line.substr(6) : line));
    print_json({{"status", "error"}, {"exit_code", failure.code}, {"errors", errors}});
}

}  // namespace pawl::cli
