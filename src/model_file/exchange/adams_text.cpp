#include "model_file/exchange/adams_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <set>

#include <fmt/format.h>

#include "math/tolerances.h"

namespace pawl {

namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

char upper(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }
std::string upper(std::string_view text) {
    std::string out;
    for (const char c : text) out += upper(c);
    return out;
}
bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The text without spaces at its ends, and where it begins.
AdamsWord trimmed(std::string_view text, int line, std::size_t column) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1), ++column;
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return {std::string(text), {line, static_cast<int>(column) + 1}};
}

class AdamsLines {
public:
    AdamsLines(std::string_view text, Diagnostics& diagnostics)
        : text_(text), diagnostics_(diagnostics) {}

    std::vector<AdamsStatement> read() {
        int number = 0;
        for (std::size_t begin = 0; begin <= text_.size() && !ended_;) {
            const std::size_t end = std::min(text_.find('\n', begin), text_.size());
            std::string_view row = text_.substr(begin, end - begin);
            row = row.substr(0, row.find('!'));
            line(row, ++number);
            begin = end + 1;
        }
        if (!ended_)
            diagnostics_.error({number, 1}, "the data set ends without END; is it truncated?");
        return std::move(statements_);
    }

private:
    void line(std::string_view row, int number) {
        const AdamsWord whole = trimmed(row, number, 0);
        if (whole.text.empty() || whole.text.starts_with("```") || whole.text.front() == '*')
            return;
        const auto first = static_cast<std::size_t>(whole.span.column - 1);
        if (whole.text.find_first_not_of('.') == std::string::npos)
            return diagnostics_.error(whole.span, "lines are left out here; write them out");
        if (whole.text.front() == ',') return rest(row, first + 1, number);
        if (whole.text.front() == '.' && whole.text.size() > 1 && is_space(whole.text[1])) {
            diagnostics_.warning(whole.span, "a line that begins with '.' is read as if with ','");
            return rest(row, first + 1, number);
        }
        if (upper(whole.text) == "END") {
            ended_ = true;
            return;
        }
        std::size_t slash = first;
        while (slash < row.size() && is_letter(row[slash])) ++slash;
        if (slash == first || slash >= row.size() || row[slash] != '/') {
            in_function_ = false;
            return;  // a heading
        }
        begin_statement(row, first, slash, number);
    }

    void begin_statement(std::string_view row, std::size_t first, std::size_t slash, int number) {
        in_function_ = false;
        AdamsStatement& statement = statements_.emplace_back();
        statement.name = upper(row.substr(first, slash - first));
        statement.span = {number, static_cast<int>(first) + 1};
        statement.end = {number, static_cast<int>(row.size()) + 1};
        const std::size_t comma = std::min(row.find(',', slash), row.size());
        const AdamsWord id = trimmed(row.substr(slash + 1, comma - slash - 1), number, slash + 1);
        const char* end = id.text.data() + id.text.size();
        const bool is_id =
            !id.text.empty() && std::from_chars(id.text.data(), end, statement.id).ptr == end;
        if (!is_id) {
            statement.id = 0;
            return rest(row, slash + 1, number);  // OUTPUT/ GRSAVE, ...
        }
        rest(row, comma + 1, number);
    }

    // The arguments of a line, from a position on.
    void rest(std::string_view row, std::size_t from, int number) {
        if (statements_.empty()) return;
        AdamsStatement& statement = statements_.back();
        statement.end = {number, static_cast<int>(row.size()) + 1};
        if (in_function_) {  // a formula runs to the end of the statement
            statement.arguments.back().values.front().text +=
                from < row.size() ? trimmed(row.substr(from), number, from).text : "";
            return;
        }
        while (from < row.size()) {
            const std::size_t comma = std::min(row.find(',', from), row.size());
            const std::size_t equals = row.find('=', from);
            const AdamsWord word = trimmed(row.substr(from, comma - from), number, from);
            if (equals < comma) {
                const AdamsWord key = trimmed(row.substr(from, equals - from), number, from);
                statement.arguments.push_back({upper(key.text), key.span, {}});
                if (upper(key.text).starts_with("FUNC")) {
                    statement.arguments.back().key = "FUNCTION";
                    statement.arguments.back().values.push_back(
                        trimmed(row.substr(equals + 1), number, equals + 1));
                    in_function_ = true;
                    return;
                }
                const AdamsWord value =
                    trimmed(row.substr(equals + 1, comma - equals - 1), number, equals + 1);
                if (!value.text.empty()) statement.arguments.back().values.push_back(value);
            } else if (!word.text.empty()) {
                if (is_letter(word.text.front()) || statement.arguments.empty())
                    statement.arguments.push_back({upper(word.text), word.span, {}});
                else
                    statement.arguments.back().values.push_back(word);
            }
            from = comma + 1;
        }
    }

    std::string_view text_;
    Diagnostics& diagnostics_;
    std::vector<AdamsStatement> statements_;
    bool ended_ = false, in_function_ = false;
};

}  // namespace

const AdamsArgument* AdamsStatement::find(std::string_view key) const {
    for (const AdamsArgument& argument : arguments)
        if (argument.key == key) return &argument;
    return nullptr;
}

std::string AdamsStatement::title() const {
    return name + "/" + (id > 0 ? std::to_string(id) : "");
}

std::vector<AdamsStatement> read_adams_text(std::string_view text, Diagnostics& diagnostics) {
    return AdamsLines(text, diagnostics).read();
}

std::optional<double> adams_number(const AdamsWord& word, Diagnostics& diagnostics) {
    std::string_view text = word.text;
    double unit = 1;
    if (text.size() > 1 && upper(text.back()) == 'D') {
        text.remove_suffix(1);
        unit = std::numbers::pi / 180;
    }
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem == std::errc() && end == text.data() + text.size() &&
        std::abs(value) <= tolerance::largest_foreign_number)
        return unit * value;
    diagnostics.error(word.span, "expected a number, not '" + word.text + "'");
    return std::nullopt;
}

std::vector<double> AdamsValues::numbers(const AdamsArgument& argument) {
    std::vector<double> out;
    for (const AdamsWord& word : argument.values)
        if (const auto x = adams_number(word, diagnostics_)) out.push_back(*x);
    return out;
}

std::optional<double> AdamsValues::number(const AdamsStatement& s, std::string_view key) {
    const AdamsArgument* argument = s.find(key);
    if (!argument) return std::nullopt;
    const auto all = numbers(*argument);
    if (all.size() == 1) return all.front();
    if (all.size() == argument->values.size())
        diagnostics_.error(argument->span,
                           s.title() + ": " + std::string(key) + " needs one number");
    return std::nullopt;
}

std::vector<double> AdamsValues::triple(const AdamsStatement& s, const char* key) {
    std::vector<double> out;
    if (const AdamsArgument* argument = s.find(key)) {
        out = numbers(*argument);
        if (out.size() != 3 && out.size() == argument->values.size())
            diagnostics_.warning(
                argument->span,
                fmt::format("{}: {} has {} numbers instead of 3; {}", s.title(), key, out.size(),
                            out.size() < 3 ? "the missing ones are taken as 0"
                                           : "the first three are used"));
    }
    out.resize(3, 0.0);
    return out;
}

std::optional<int> AdamsValues::reference(const AdamsStatement& s, const char* key) {
    const AdamsArgument* argument = s.find(key);
    if (!argument) {
        diagnostics_.error(s.end, s.title() + " needs " + key);
        return std::nullopt;
    }
    const auto x = number(s, key);
    if (!x) return std::nullopt;
    if (*x >= 1 && *x < 1e9 && *x == std::floor(*x)) return static_cast<int>(*x);
    diagnostics_.error(argument->span, s.title() + ": " + key + " needs a positive whole number");
    return std::nullopt;
}

std::optional<std::string> AdamsValues::formula(const AdamsWord& word, const std::string& title) {
    static const std::set<std::string> functions{"SIN",  "COS", "TAN", "ASIN", "ACOS",
                                                 "ATAN", "EXP", "LOG", "SQRT", "ABS"};
    std::string out;
    const std::string& f = word.text;
    for (std::size_t k = 0; k < f.size();) {
        std::size_t end = k;
        if (std::isdigit(static_cast<unsigned char>(f[k])) != 0 || f[k] == '.') {
            while (end < f.size() &&
                   (std::isdigit(static_cast<unsigned char>(f[end])) != 0 || f[end] == '.' ||
                    lower(f[end]) == 'e' ||
                    ((f[end] == '-' || f[end] == '+') && lower(f[end - 1]) == 'e')))
                ++end;
            const std::string digits = f.substr(k, end - k);
            const bool degrees = end < f.size() && lower(f[end]) == 'd';
            out += degrees ? "(" + digits + "*pi/180)" : digits;
            end += degrees ? 1 : 0;
        } else if (std::isalpha(static_cast<unsigned char>(f[k])) != 0) {
            std::string name;
            while (end < f.size() && std::isalnum(static_cast<unsigned char>(f[end])) != 0)
                name += static_cast<char>(std::toupper(static_cast<unsigned char>(f[end++])));
            if (name != "TIME" && name != "PI" && !functions.contains(name)) {
                diagnostics_.error(word.span,
                                   title + ": the function has '" + name +
                                       "', which has no counterpart; only TIME, PI, numbers, "
                                       "operators and plain functions are read");
                return std::nullopt;
            }
            for (char& c : name) c = lower(c);
            out += name == "time" ? "t" : name;
        } else {
            end = k + (f.compare(k, 2, "**") == 0 ? 2 : 1);
            out += end == k + 2 ? '^' : f[k];
        }
        k = end;
    }
    return out;
}

}  // namespace pawl
