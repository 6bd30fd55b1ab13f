// Reading of TOML text by toml++, and the walk over its result.
#include "model_file/text/document.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <system_error>
#include <tuple>

// The parser asserts, or with NDEBUG assumes, things that malformed text can break, such as "[=",
// and then checks them again. So both are switched off.
#undef NDEBUG
#define TOML_ASSERT(expression) static_cast<void>(0)
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "math/characters.h"
#include "math/units.h"

namespace pawl {

namespace {

constexpr int deepest_key =
    100;  // parts of a dotted key; the parser itself would exhaust the stack

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

int characters(std::string_view text) {
    return static_cast<int>(std::count_if(text.begin(), text.end(), starts_character));
}

Span to_span(const toml::source_position& span) {
    return {static_cast<int>(span.line), static_cast<int>(span.column)};
}

Node convert(const toml::node& source) {
    Node node;
    node.begin = to_span(source.source().begin);
    node.end = to_span(source.source().end);
    if (const auto* table = source.as_table()) {
        for (const auto& [key, value] : *table) {
            Node child = convert(value);
            child.key = key.str();
            child.key_span = to_span(key.source().begin);
            node.children.push_back(std::move(child));
        }
        std::stable_sort(node.children.begin(), node.children.end(),
                         [](const Node& a, const Node& b) {
                             return std::tie(a.key_span.line, a.key_span.column) <
                                    std::tie(b.key_span.line, b.key_span.column);
                         });
    } else if (const auto* array = source.as_array()) {
        node.kind = Node::Kind::array;
        for (const auto& value : *array) node.children.push_back(convert(value));
    } else if (const auto* text = source.as_string()) {
        node.kind = Node::Kind::text;
        node.text = text->get();
    } else if (const auto* integer = source.as_integer()) {
        node.kind = Node::Kind::integer;
        node.number = static_cast<double>(integer->get());
    } else if (const auto* real = source.as_floating_point()) {
        node.kind = Node::Kind::real;
        node.number = real->get();
    } else if (const auto* boolean = source.as_boolean()) {
        node.kind = Node::Kind::boolean;
        node.flag = boolean->get();
    } else {
        node.kind = Node::Kind::date;
    }
    return node;
}

// Past the string that begins at i: to its closing quotes, or the end of the line or text.
std::size_t skip_string(std::string_view text, std::size_t i) {
    const char quote = text[i];
    const std::string_view triple = quote == '"' ? "\"\"\"" : "'''";
    const bool is_long = text.substr(i).starts_with(triple);
    i += is_long ? 3 : 1;
    for (; i < text.size(); ++i) {
        if (quote == '"' && text[i] == '\\')
            ++i;
        else if (is_long && text.substr(i).starts_with(triple))
            return i + 3;
        else if (!is_long && (text[i] == quote || text[i] == '\n'))
            return i + 1;
    }
    return text.size();
}

// A text that must not reach the parser: its location, and the message for the user.
struct BadKey {
    std::size_t offset = 0;
    std::string message;
};

// The character that begins at i; a byte that begins none is named by its number.
std::string character_at(std::string_view text, std::size_t i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    bool whole = lead >= 0xC2 && lead <= 0xF4 && i + length <= text.size();
    for (std::size_t k = 1; k < length && whole; ++k) whole = !starts_character(text[i + k]);
    if (whole) return "'" + std::string(text.substr(i, length)) + "'";
    char number[16];
    std::snprintf(number, sizeof number, "byte 0x%02X", static_cast<unsigned>(lead));
    return number;
}

// The first key with too many parts, or letter beyond ASCII outside of strings and comments: the
// parser would overflow the stack, or read its tables of letters out of bounds.
std::optional<BadKey> find_bad_key(std::string_view text) {
    constexpr std::string_view separators = "=,[]{}\n", byte_order_mark = "\xEF\xBB\xBF";
    int dots = 0;
    std::size_t start = 0;
    for (std::size_t i = text.starts_with(byte_order_mark) ? 3 : 0; i < text.size();) {
        const char c = text[i];
        if (c == '"' || c == '\'') {
            i = skip_string(text, i);
            continue;
        }
        if (c == '#') {
            i = std::min(text.find('\n', i), text.size());
            continue;
        }
        if (static_cast<unsigned char>(c) >= 0x80)
            return BadKey{i, character_at(text, i) +
                                 " is outside a string; put a key or value with such a letter in "
                                 "quotes, or use letters from a to z"};
        ++i;
        if (separators.find(c) != std::string_view::npos) {
            dots = 0;
            start = i;
        } else if (c == '.' && ++dots >= deepest_key) {
            return BadKey{start, "a key has more than " + std::to_string(deepest_key) +
                                     " parts separated by dots"};
        }
    }
    return std::nullopt;
}

Span span_of(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    const auto line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    return {static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
            characters(before.substr(line_start)) + 1};
}

// The value around a location: what stands after the last of = , [ { before it, to the next of , ]
// } # or the end of the line.
std::string_view value_around(std::string_view text, Span span) {
    for (int line = 1; line < span.line; ++line) text.remove_prefix(text.find('\n') + 1);
    text = text.substr(0, text.find('\n'));
    const auto at = std::min<std::size_t>(static_cast<std::size_t>(span.column), text.size());
    const auto before = text.substr(0, at).find_last_of("=,[{");
    if (before == std::string_view::npos) return {};
    text.remove_prefix(before + 1);
    text = text.substr(0, text.find_first_of(",]}#"));
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
    return text;
}

// A hint at what was probably meant, for an error of TOML; empty if there is none.
std::string syntax_hint(std::string_view text, Span span, std::string_view message) {
    if (message.find("inline table") != std::string_view::npos &&
        message.find("saw '\\n'") != std::string_view::npos)
        return "; a table in braces must stand on one line; write a longer one as a section with "
               "its name in brackets, such as [body.crank]";
    if (message.find("cannot redefine") != std::string_view::npos)
        return "; it is defined further up: merge the two, or rename one";
    const std::string_view value = value_around(text, span);
    if (message.find("saw ','") != std::string_view::npos && !value.empty())
        return "; write a decimal number with a point, such as 0.5, and each key on its own line";
    double number = 0;
    const auto [tail, problem] = read_number(value.data(), value.data() + value.size(), number);
    std::string_view unit = value.substr(static_cast<std::size_t>(tail - value.data()));
    while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
    if (problem != std::errc{} || unit.empty() || !parse_unit(unit)) return "";
    return "; put a quantity with a unit in quotes: \"" + std::string(value) + "\"";
}

bool check_size(std::size_t size, Diagnostics& diagnostics) {
    if (size <= largest_document) return true;
    constexpr double megabyte = 1 << 20;
    char message[80];
    std::snprintf(message, sizeof message, "the file is %.1f MB; the limit is %.0f MB",
                  static_cast<double>(size) / megabyte,
                  static_cast<double>(largest_document) / megabyte);
    diagnostics.error({}, message);
    return false;
}

}  // namespace

const Node* Node::find(std::string_view name) const {
    const auto found = std::find_if(children.begin(), children.end(),
                                    [name](const Node& child) { return child.key == name; });
    return found == children.end() ? nullptr : &*found;
}

std::string_view Node::kind_name() const {
    switch (kind) {
        case Kind::table:
            return "a table";
        case Kind::array:
            return "an array";
        case Kind::text:
            return "a string";
        case Kind::boolean:
            return "true or false";
        case Kind::date:
            return "a date or time";
        default:
            return "a number";
    }
}

// An escape is always longer than what it stands for; so a string as wide as its characters and its
// quotes has none.
Span Node::inside(std::size_t offset) const {
    const int width = end.column - begin.column - characters(text);
    if (kind != Kind::text || begin.line != end.line || (width != 2 && width != 6)) return begin;
    return {begin.line, begin.column + width / 2 + characters(text.substr(0, offset))};
}

std::optional<Node> parse_document(std::string_view text, Diagnostics& diagnostics) {
    if (!check_size(text.size(), diagnostics)) return std::nullopt;
    if (auto bad = find_bad_key(text)) {
        diagnostics.error(span_of(text, bad->offset), std::move(bad->message));
        return std::nullopt;
    }
    const toml::parse_result result = toml::parse(text);
    if (!result) {
        const toml::parse_error& error = result.error();
        std::string message(error.description());
        constexpr std::string_view opening = "Error while parsing ";
        if (message.starts_with(opening)) message.replace(0, opening.size(), "TOML syntax, ");
        const Span span = to_span(error.source().begin);
        message += syntax_hint(text, span, message);
        diagnostics.error(span, std::move(message));
        return std::nullopt;
    }
    return convert(result.table());
}

std::optional<std::string> read_text_file(const std::filesystem::path& path,
                                          Diagnostics& diagnostics) {
    const auto refuse = [&](const std::string& reason) {
        diagnostics.error({}, "cannot read the file: " + reason);
        return std::nullopt;
    };
    std::error_code problem;
    const auto status = std::filesystem::status(path, problem);
    if (status.type() == std::filesystem::file_type::not_found)
        return refuse("there is no such file");
    if (problem) return refuse(problem.message());
    if (std::filesystem::is_directory(status)) return refuse("it is a folder");
    std::size_t room = largest_document + 1;  // a pipe has no size to ask for
    if (std::filesystem::is_regular_file(status)) {
        const auto size = std::filesystem::file_size(path, problem);
        if (!check_size(size, diagnostics)) return std::nullopt;
        room = static_cast<std::size_t>(size) + 1;
    }
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return refuse(std::strerror(errno));
    std::string text(room, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (stream.bad()) return refuse(std::strerror(errno));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    return text;
}

std::size_t offset_of(std::string_view text, Span span) {
    std::size_t i = 0;
    for (int line = 1; line < span.line && i < text.size(); ++line)
        i = std::min(text.find('\n', i), text.size() - 1) + 1;
    for (int column = 1; column < span.column && i < text.size(); ++column) do
            ++i;
        while (i < text.size() && !starts_character(text[i]));
    return i;
}

}  // namespace pawl
