// The text of a response taken apart.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "math/characters.h"
#include "math/units.h"
#include "results/response.h"

namespace pawl {

namespace {

constexpr std::array<std::pair<std::string_view, Response::Of>, 12> quantities_of_columns{
    {{"min", Response::Of::min},
     {"max", Response::Of::max},
     {"min_at", Response::Of::min_at},
     {"max_at", Response::Of::max_at},
     {"mean", Response::Of::mean},
     {"rms", Response::Of::rms},
     {"integral", Response::Of::integral},
     {"zero", Response::Of::crossing},
     {"crossing", Response::Of::crossing},
     {"rising", Response::Of::rising},
     {"falling", Response::Of::falling},
     {"period", Response::Of::period}}};

bool has_level(std::string_view quantity) {
    return quantity == "crossing" || quantity == "rising" || quantity == "falling";
}
bool is_counted(Response::Of of) {
    return of == Response::Of::crossing || of == Response::Of::rising ||
           of == Response::Of::falling || of == Response::Of::period;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

// A name of columns and elements: no marks of this language.
bool is_name(std::string_view text) {
    return !text.empty() && text.find_first_of(":@=\n\t") == std::string_view::npos &&
           text.front() != ' ' && text.back() != ' ';
}

class ResponseReader {
public:
    ResponseReader(std::string_view text, ResponseProblem& problem)
        : whole_(text), problem_(problem) {}

    std::optional<Response> read() {
        Response out;
        out.text = whole_;
        const auto sign = whole_.find('@');
        const std::string_view what = trimmed(whole_.substr(0, sign));
        const bool ok = sign == std::string_view::npos
                            ? read_quantity(what, out)
                            : read_location(what, trimmed(whole_.substr(sign + 1)), out);
        return ok ? std::optional(std::move(out)) : std::nullopt;
    }

private:
    bool fail(std::string_view at, std::string message) {
        problem_.offset = static_cast<std::size_t>(at.data() - whole_.data());
        problem_.message = std::move(message);
        return false;
    }

    bool read_location(std::string_view what, std::string_view location, Response& out) {
        if (const auto dots = location.find(".."); dots != std::string_view::npos)
            return read_quantity(what, out) &&
                   read_end(trimmed(location.substr(0, dots)), out.from) &&
                   read_end(trimmed(location.substr(dots + 2)), out.to) && check_window(what, out);
        Instant instant;
        if (!read_instant(location, instant)) return false;
        if (instant.kind == Instant::Kind::event) return read_at_event(what, instant, out);
        if (!read_quantity(what, out)) return false;
        if (out.of != Response::Of::value)
            return fail(location, "'" + std::string(what) +
                                      "' needs a window, FROM..TO; either end may be left out");
        out.from = out.to = instant;
        return true;
    }

    bool check_window(std::string_view what, const Response& out) {
        if (out.of == Response::Of::value)
            return fail(what,
                        "a window needs min:, max:, mean:, rms:, integral: or another "
                        "quantity of the column before its name");
        if (out.from.kind == Instant::Kind::time && out.to.kind == Instant::Kind::time &&
            !(out.from.t < out.to.t))
            return fail(what, out.from.t == out.to.t ? "the window ends where it begins"
                                                     : "the window ends before it begins");
        return true;
    }

    // An end of a window that is left out is that of the run.
    bool read_end(std::string_view text, Instant& out) {
        return text.empty() || read_instant(text, out);
    }

    bool read_instant(std::string_view text, Instant& out) {
        if (text.empty())
            return fail(text, "a time, start, end or an event is missing after the @");
        if (text == "start" || text == "end") {
            out.kind = text == "end" ? Instant::Kind::end : Instant::Kind::start;
            return true;
        }
        if (std::string_view("0123456789.+-").find(text.front()) == std::string_view::npos) {
            out.kind = Instant::Kind::event;
            return read_event(text, out.event);
        }
        out.kind = Instant::Kind::time;
        std::string unit;
        if (!read_number_with_unit(text, out.t, unit)) return false;
        const Unit scale = unit.empty() ? Unit{1, dimension::time} : *parse_unit(unit);
        if (scale.dimension != dimension::time)
            return fail(text, "'" + unit + "' is a unit of " + describe(scale.dimension) +
                                  "; a time is needed here");
        out.t *= scale.factor;
        return true;
    }

    bool read_number_with_unit(std::string_view text, double& value, std::string& unit) {
        const char *begin = text.data() + (text.starts_with('+') ? 1 : 0),
                   *end = text.data() + text.size();
        const auto [rest, error] = pawl::read_number(begin, end, value);
        if (error != std::errc() || !std::isfinite(value))
            return fail(text, "'" + std::string(text) + "' is not a number with its unit");
        const std::string_view written = trimmed({rest, static_cast<std::size_t>(end - rest)});
        unit = written;
        if (unit.empty() || parse_unit(unit)) return true;
        return fail(written, "'" + unit + "' is not a unit");
    }

    // The number at the end of "NAME:2", which is cut off; 1 where there is none.
    bool take_number(std::string_view& text, int& number) {
        const auto colon = text.rfind(':');
        if (colon == std::string_view::npos) return true;
        const std::string_view digits = text.substr(colon + 1);
        if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos)
            return true;
        const auto [rest, error] =
            pawl::read_number(digits.data(), digits.data() + digits.size(), number);
        if (error != std::errc() || number < 1)
            return fail(digits,
                        "'" + std::string(digits) + "' is not a whole number of at least 1");
        text = text.substr(0, colon);
        return true;
    }

    bool read_event(std::string_view text, EventPattern& out) {
        const std::string_view written = text;
        if (!take_number(text, out.which)) return false;
        const auto colon = text.find(':');
        const std::string_view kind = text.substr(0, colon);
        const bool has_element = colon != std::string_view::npos;
        if (has_element) out.element = text.substr(colon + 1);
        std::vector<std::string> names;
        for (int k = 0; k <= static_cast<int>(EventKind::user); ++k) {
            out.kind = static_cast<EventKind>(k);
            names.emplace_back(event_name(out.kind));
            if (names.back() == kind) {
                if (has_element && !is_name(out.element))
                    return fail(written, "'" + std::string(written) +
                                             "' is not an event: KIND:ELEMENT:NUMBER");
                return true;
            }
        }
        // Events of the user are called by their name.
        out.kind = EventKind::user;
        out.element = kind;
        if (!has_element && is_name(kind)) return true;
        return fail(written, "there is no kind of event '" + std::string(kind) + "'" +
                                 did_you_mean(kind, names));
    }

    bool read_at_event(std::string_view what, const Instant& event, Response& out) {
        out.from = out.to = event;
        const char side = what.empty() ? ' ' : what.back();
        const bool has_side = side == '-' || side == '+';
        out.of = has_side          ? Response::Of::value
                 : what == "count" ? Response::Of::event_count
                                   : Response::Of::event_number;
        if (has_side) out.side = side == '-' ? Response::Side::before : Response::Side::after;
        out.column = trimmed(has_side ? what.substr(0, what.size() - 1) : what);
        if (is_name(out.column)) return true;
        return fail(what, "'" + std::string(what) +
                              "' is neither a quantity of an event nor a column with - (before it) "
                              "or + (after it)");
    }

    // [QUANTITY:]COLUMN[=LEVEL][:NUMBER]
    bool read_quantity(std::string_view text, Response& out) {
        const auto colon = text.find(':');
        std::string_view quantity;
        if (colon != std::string_view::npos) {
            quantity = text.substr(0, colon);
            text = trimmed(text.substr(colon + 1));
        }
        if (quantity == "ledger") {
            out.column = "energy." + std::string(text) + ".work";
            out.from = out.to;
            return is_name(text) || fail(text, "the name of the ledger line is missing");
        }
        if (!quantity.empty() && !set_quantity(quantity, out)) return false;
        if (is_counted(out.of) && !take_number(text, out.which)) return false;
        if (has_level(quantity)) {
            const auto equals = text.find('=');
            if (equals == std::string_view::npos)
                return fail(text, "'" + std::string(quantity) +
                                      ":' needs a level: COLUMN=LEVEL, e.g. bolt.x=5 mm");
            if (!read_number_with_unit(trimmed(text.substr(equals + 1)), out.level, out.level_unit))
                return false;
            text = trimmed(text.substr(0, equals));
        }
        out.column = text;
        if (out.of == Response::Of::value) out.from = out.to;
        return is_name(text) ||
               fail(text, "'" + std::string(text) + "' is not the name of a column");
    }

    bool set_quantity(std::string_view quantity, Response& out) {
        std::vector<std::string> names{"ledger"};
        for (const auto& [name, of] : quantities_of_columns) {
            out.of = of;
            if (name == quantity) return true;
            names.emplace_back(name);
        }
        return fail(quantity, "there is no column quantity '" + std::string(quantity) + ":'" +
                                  did_you_mean(quantity, names));
    }

    std::string_view whole_;
    ResponseProblem& problem_;
};

}  // namespace

std::optional<Response> read_response(std::string_view text, ResponseProblem& problem) {
    return ResponseReader(text, problem).read();
}

}  // namespace pawl
