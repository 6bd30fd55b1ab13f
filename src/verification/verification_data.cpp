#include "verification/verification_data.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "math/expression/expression.h"

namespace pawl {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

struct Cell {
    std::string_view text;
    Span span;
};

class TableReader {
public:
    explicit TableReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

    std::vector<VerificationRow> read(std::string_view text) {
        for (int line = 1; !text.empty(); ++line) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            read_line(text.substr(0, end), line);
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        return std::move(rows_);
    }

private:
    // Nothing where a quoted cell has no end.
    std::optional<std::vector<Cell>> cells_of(std::string_view text, int line) {
        std::vector<Cell> cells;
        for (std::size_t at = 0;;) {
            const Span span{line, static_cast<int>(at) + 1};
            const bool quoted = at < text.size() && text[at] == '"';
            const std::size_t begin = at + (quoted ? 1 : 0);
            const std::size_t end = text.find(quoted ? '"' : ',', begin);
            if (quoted && end == std::string_view::npos) {
                diagnostics_.error(span, "a quoted text has no end");
                return std::nullopt;
            }
            const std::size_t stop = std::min(end, text.size());
            cells.push_back({text.substr(begin, stop - begin), span});
            at = stop + (quoted ? 1 : 0);
            if (at >= text.size()) return cells;
            if (text[at] != ',') {
                diagnostics_.error({line, static_cast<int>(at) + 1},
                                   "expected a comma after a quoted text");
                return std::nullopt;
            }
            ++at;
        }
    }

    double number(const Cell& cell) {
        double value = 0;
        const char *begin = cell.text.data(), *end = begin + cell.text.size();
        const auto [rest, problem] = std::from_chars(begin, end, value);
        if (problem == std::errc() && rest == end) return value;
        ExpressionError error;
        const auto formula = Expression::parse(cell.text, SymbolTable(), {}, error);
        if (formula) return formula->evaluate(std::span<const double>());
        diagnostics_.error({cell.span.line, cell.span.column + error.offset},
                           "'" + std::string(cell.text) + "' is not a number: " + error.message);
        return none;
    }

    std::string_view source(const Cell& cell) {
        if (const auto known = sources_.find(cell.text); known != sources_.end())
            return known->second;
        if (cell.text.find(' ') != std::string_view::npos) return cell.text;
        std::vector<std::string> keys;
        for (const auto& [key, text] : sources_) keys.emplace_back(key);
        diagnostics_.error(cell.span, "there is no source '" + std::string(cell.text) + "'" +
                                          did_you_mean(cell.text, keys));
        return {};
    }

    void read_line(std::string_view text, int line) {
        if (text.empty() || text.front() == '#') return;
        const auto cells = cells_of(text, line);
        if (!cells) return;
        const std::vector<Cell>& c = *cells;
        if (c[0].text == "source" && c.size() == 3) {
            sources_[c[1].text] = c[2].text;
            return;
        }
        if (c.size() < 9 || c.size() > 10)
            return diagnostics_.error({line, 1}, "a row has 9 or 10 cells and a source 3, not " +
                                                     std::to_string(c.size()));
        const std::size_t before = diagnostics_.all().size();
        const VerificationRow row{c[0].text,    c[1].text,
                                  c[2].text,    number(c[3]),
                                  c[4].text,    c[5].text.empty() ? none : number(c[5]),
                                  number(c[6]), number(c[7]),
                                  source(c[8]), c.size() > 9 ? c[9].text : std::string_view()};
        if (!(row.tolerance >= 0))
            diagnostics_.error(c[7].span, "a tolerance must not be negative");
        if (diagnostics_.all().size() == before) rows_.push_back(row);
    }

    Diagnostics& diagnostics_;
    std::map<std::string_view, std::string_view> sources_;
    std::vector<VerificationRow> rows_;
};

}  // namespace

std::vector<VerificationRow> read_verification_rows(std::string_view text,
                                                    Diagnostics& diagnostics) {
    return TableReader(diagnostics).read(text);
}

std::span<const VerificationRow> verification_rows() {
    static const std::vector<VerificationRow> all = [] {
        std::vector<VerificationRow> rows;
        for (const VerificationFile& file : verification_files()) {
            Diagnostics diagnostics;
            diagnostics.file = std::string(file.name) + ".csv";
            const auto part = read_verification_rows(file.text, diagnostics);
            if (diagnostics.has_errors()) throw std::logic_error(diagnostics.text());
            rows.insert(rows.end(), part.begin(), part.end());
        }
        return rows;
    }();
    return all;
}

}  // namespace pawl
