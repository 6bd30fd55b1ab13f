#include "verification/verification_column.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "math/roots.h"
#include "math/units.h"
#include "results/event_columns.h"
#include "results/interpolant.h"

namespace pawl {

namespace {

template <class Function>
double zero_of(const Function& f, double low, double high) {
    const bool positive = f(low) > 0;
    constexpr int most = 100;  // until the interval has no inner number
    return bisect(low, high, most, [&](double x) { return (f(x) > 0) == positive; }).low;
}

// The time of the n-th change of sign.
double zero_time(const Trajectory& t, int column, int which, std::string& note) {
    for (std::size_t r = 0; r + 1 < t.rows(); ++r) {
        if (!(t.row(r)[column] * t.row(r + 1)[column] < 0) || --which > 0) continue;
        const Interpolant curve(t, column, r);
        return zero_of([&](double x) { return curve(x).y; }, t.row(r)[0], t.row(r + 1)[0]);
    }
    note = "the column does not change sign so often";
    return NAN;
}

struct Extremum {
    double t = NAN, value = NAN;
};

// The extremum from a time on; sign is +1 for the greatest value, -1 for the least.
Extremum extremum(const Trajectory& t, int column, double from, int sign, std::string& note) {
    std::size_t best = t.rows();
    for (std::size_t r = 0; r < t.rows(); ++r)
        if (t.row(r)[0] >= from &&
            (best == t.rows() || sign * (t.row(r)[column] - t.row(best)[column]) > 0))
            best = r;
    if (best == t.rows()) {
        note = "no sample from this time on";
        return {};
    }
    const double at = t.row(best)[0];
    const Interpolant curve(t, column, best);
    const double low = std::max({curve.start(), t.row(best - (best > 0))[0], from});
    const double high = std::min(curve.end(), t.row(best + (best + 1 < t.rows()))[0]);
    const auto slope = [&](double x) { return sign * curve(x).slope; };
    // At an end of the piece, or where the column is constant, the sample is the extremum.
    if (!(slope(low) > 0 && slope(high) < 0)) return {at, t.row(best)[column]};
    const double top = zero_of(slope, low, high);
    return {top, curve(top).y};
}

// "KIND:ELEMENT:2", the last two optional.
struct EventName {
    std::string kind, element;
    int which = 1;

    explicit EventName(std::string_view text) {
        const auto last = text.rfind(':');
        if (last != std::string_view::npos &&
            text.find_first_not_of("0123456789", last + 1) == std::string_view::npos) {
            which = std::atoi(std::string(text.substr(last + 1)).c_str());
            text = text.substr(0, last);
        }
        const auto first = text.find(':');
        kind = text.substr(0, first);
        if (first != std::string_view::npos) element = text.substr(first + 1);
    }
    [[nodiscard]] bool matches(const Event& e) const {
        return event_name(e.kind) == kind && (element.empty() || e.element == element);
    }
};

const Event* find_event(const std::vector<Event>& events, const EventName& name,
                        std::string& note) {
    int left = name.which;
    for (const Event& e : events)
        if (name.matches(e) && --left == 0) return &e;
    note = "the event was not met";
    return nullptr;
}

double factor_to(std::string_view from, std::string_view to) {
    const auto a = parse_unit(from), b = parse_unit(to);
    return (a ? a->factor : 1) / (b ? b->factor : 1);
}

int find_column(const Trajectory& t, const std::string& name, std::string& note) {
    const int column = t.find(name);
    if (column < 0) note = "no column '" + name + "'";
    return column;
}

double event_value(const Trajectory& t, const std::vector<Event>& events, std::string_view text,
                   std::string_view unit, std::string& note) {
    const auto sign = text.find('@');
    std::string quantity(text.substr(0, sign));
    const EventName name(text.substr(sign + 1));
    if (quantity == "count")
        return static_cast<double>(std::count_if(events.begin(), events.end(),
                                                 [&](const Event& e) { return name.matches(e); }));
    const Event* e = find_event(events, name, note);
    if (e == nullptr) return NAN;
    if (quantity == "t") return e->t * factor_to("s", unit);
    if (quantity == "impulse") return e->impulse * factor_to("N s", unit);
    if (quantity == "energy_change") return e->energy_change * factor_to("J", unit);
    if (quantity == "normal_velocity_before")
        return e->normal_velocity_before * factor_to("m/s", unit);
    if (quantity == "normal_velocity_after")
        return e->normal_velocity_after * factor_to("m/s", unit);
    // Those are in the SI units that the table has, too.
    if (const auto number = event_number(*e, quantity)) return *number;
    const char side = quantity.empty() ? ' ' : quantity.back();
    if (side != '-' && side != '+') {
        note = "an event has no '" + quantity + "'; a column there ends in - (before) or + (after)";
        return NAN;
    }
    quantity.pop_back();
    const int column = find_column(t, quantity, note);
    if (column < 0) return NAN;
    double value = NAN;  // the first row at this time is before the event, the last one after it
    for (std::size_t r = 0; r < t.rows(); ++r) {
        if (t.row(r)[0] != e->t) continue;
        value = t.row(r)[column] * factor_to(t.columns[column].unit, unit);
        if (side == '-') break;
    }
    if (std::isnan(value)) note = "no sample at this event";
    return value;
}

double ledger_work(std::span<const LedgerLine> ledger, std::string_view name, std::string_view unit,
                   std::string& note) {
    for (const LedgerLine& line : ledger)
        if (line.element == name) return line.work * factor_to("J", unit);
    note = "no line '" + std::string(name) + "' of the ledger";
    return NAN;
}

}  // namespace

double column_value(const Trajectory& t, const std::vector<Event>& events, std::string_view text,
                    double at, std::string_view unit, std::string& note,
                    std::span<const LedgerLine> ledger) {
    if (text.starts_with("ledger:")) return ledger_work(ledger, text.substr(7), unit, note);
    if (text.find('@') != std::string_view::npos) return event_value(t, events, text, unit, note);
    std::string of, name(text);
    if (const auto colon = name.find(':'); colon != std::string::npos) {
        of = name.substr(0, colon);
        name = name.substr(colon + 1);
    }
    int which = 1;
    if (const auto colon = name.rfind(':'); colon != std::string::npos) {
        which = std::atoi(name.substr(colon + 1).c_str());
        name.resize(colon);
    }
    const int column = find_column(t, name, note);
    if (column < 0) return NAN;
    const double factor = factor_to(t.columns[column].unit, unit);
    if (of == "zero") return zero_time(t, column, which, note);
    if (of == "period")
        return zero_time(t, column, which + 2, note) - zero_time(t, column, which, note);
    if (of == "min") return extremum(t, column, at, -1, note).value * factor;
    if (of == "max") return extremum(t, column, at, +1, note).value * factor;
    if (of == "min_at") return extremum(t, column, at, -1, note).t;
    if (of == "max_at") return extremum(t, column, at, +1, note).t;
    if (!of.empty()) {
        note = "no quantity '" + of + ":' of a column";
        return NAN;
    }
    for (std::size_t r = 0; r < t.rows(); ++r)
        if (std::abs(t.row(r)[0] - at) < 1e-9) return t.row(r)[column] * factor;
    note = "no sample at this time; the run ended before";
    return NAN;
}

double mode_frequency(const Vibration& vibration, std::string_view text, std::string& note) {
    const int number = std::atoi(std::string(text.substr(text.find(':') + 1)).c_str());
    if (number >= 1 && number <= static_cast<int>(vibration.modes.size()))
        return vibration.modes[static_cast<std::size_t>(number) - 1].frequency;
    note = "the equilibrium has no such mode";
    return NAN;
}

double matrix_value(const MotionMatrices& matrices, std::string_view text, std::string_view unit,
                    std::string& note) {
    for (const LabelledMatrix& m : matrices.matrices)
        for (std::size_t r = 0; r < m.rows.size(); ++r)
            for (std::size_t c = 0; c < m.columns.size(); ++c)
                if (text == "matrix:" + m.name + ":" + m.rows[r].name + ":" + m.columns[c].name)
                    return m.at(r, c) * factor_to(m.unit(r, c), unit);
    note = "the motion has no entry '" + std::string(text) + "'";
    return NAN;
}

}  // namespace pawl
