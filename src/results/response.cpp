// Responses evaluated on a run: events here, columns in column_reading.
#include "results/response.h"

#include <algorithm>
#include <cmath>

#include "math/units.h"
#include "results/column_reading.h"
#include "results/event_columns.h"
#include "results/trajectory.h"

namespace pawl {

namespace {

// A number, and what one of it is in SI.
struct NaturalUnit {
    std::string text;
    std::optional<Unit> unit;
};

NaturalUnit in_unit(std::string text) { return {text, parse_unit(text)}; }

// Puts the value into the unit that is wanted; returns the factor.
double convert(ResponseValue& out, const NaturalUnit& natural, const std::string& wanted) {
    out.unit = wanted.empty() ? natural.text : wanted;
    if (out.unit == natural.text) return 1;
    const auto target = parse_unit(out.unit);
    if (!target || !natural.unit || !compatible(target->dimension, natural.unit->dimension)) {
        if (out.problem.empty())
            out.problem = "the unit '" + wanted + "' does not fit: it is in " + natural.text;
        return 1;
    }
    return natural.unit->factor / target->factor;
}

NaturalUnit read_event_number(const Response& r, const ResponseSource& source, Weights& weights,
                              ResponseValue& out) {
    int left = r.from.event.which;
    for (std::size_t i = 0; i < source.events.size(); ++i) {
        const Event& e = source.events[i];
        if (!r.from.event.matches(e) || --left > 0) continue;
        weights.of_event(i, r.column, 1);
        const auto is = [&](std::string_view name, double value) {
            if (r.column == name) out.value = value;
            return r.column == name;
        };
        if (is("t", e.t)) return in_unit("s");
        if (is("impulse", e.impulse)) return in_unit("N s");
        if (is("energy_change", e.energy_change)) return in_unit("J");
        if (is("normal_velocity_before", e.normal_velocity_before) ||
            is("normal_velocity_after", e.normal_velocity_after))
            return in_unit("m/s");
        for (const Column& column : event_columns({e}))
            if (is(column.name, event_number(e, column.name).value_or(NAN)))
                return in_unit(column.unit);
        out.problem =
            "an event has no '" + r.column + "'; a column there ends in - (before) or + (after)";
        return {};
    }
    out.problem = not_met(r.from.event, source.events);
    return {};
}

NaturalUnit read_column(const Response& r, const ResponseSource& source, Weights& weights,
                        ResponseValue& out) {
    const Trajectory& t = source.trajectory;
    const int index = t.find(r.column);
    if (index < 0 || t.rows() == 0) {
        std::vector<std::string> names;
        for (const Column& c : t.columns) names.push_back(c.name);
        out.problem = t.rows() == 0
                          ? "the run has no rows"
                          : "no column '" + r.column + "'" + did_you_mean(r.column, names);
        return {};
    }
    ColumnReading reading(source, index, weights, out);
    NaturalUnit natural = in_unit(t.columns[static_cast<std::size_t>(index)].unit);
    if (!r.level_unit.empty()) {
        ResponseValue level;
        reading.set_level(r.level / convert(level, natural, r.level_unit));
        if (!level.problem.empty()) out.problem = "level: " + level.problem;
    } else {
        reading.set_level(r.level);
    }
    reading.read(r);
    using Of = Response::Of;
    if (r.of == Of::integral) {
        if (!natural.unit) return {natural.text + " s", {}};
        const Unit unit{natural.unit->factor, natural.unit->dimension * dimension::time};
        return {unit.factor == 1 ? si_unit(unit.dimension) : natural.text + " s", unit};
    }
    if (r.of == Of::value || r.of == Of::min || r.of == Of::max || r.of == Of::mean ||
        r.of == Of::rms)
        return natural;
    return in_unit("s");
}

}  // namespace

std::string not_met(const EventPattern& pattern, std::span<const Event> events) {
    const auto met = std::count_if(events.begin(), events.end(),
                                   [&](const Event& e) { return pattern.matches(e); });
    const std::string kind(event_name(pattern.kind));
    const std::string what = pattern.element.empty()           ? kind
                             : pattern.kind == EventKind::user ? pattern.element
                                                               : kind + ":" + pattern.element;
    if (met > 0)
        return "'" + what + "' occurs " + std::to_string(met) + (met == 1 ? " time" : " times") +
               " in this run, and number " + std::to_string(pattern.which) + " is asked for";
    std::string others;
    for (const Event& e : events) {
        const std::string one = std::string(event_name(e.kind)) + ":" + e.element;
        if (e.kind != pattern.kind || (", " + others + ",").find(", " + one + ",") != others.npos)
            continue;
        if (others.size() > 100) {
            others += ", ...";
            break;
        }
        others += (others.empty() ? "" : ", ") + one;
    }
    return "'" + what + "' does not occur in this run" +
           (others.empty() ? "" : "; there are " + others);
}

ResponseValue evaluate(const Response& r, const ResponseSource& source,
                       Linearisation* linearisation) {
    ResponseValue out;
    Weights weights(linearisation);
    NaturalUnit natural = in_unit("1");
    if (r.of == Response::Of::event_count)
        out.value = static_cast<double>(
            std::count_if(source.events.begin(), source.events.end(),
                          [&](const Event& e) { return r.from.event.matches(e); }));
    else if (r.of == Response::Of::event_number)
        natural = read_event_number(r, source, weights, out);
    else
        natural = read_column(r, source, weights, out);
    const double factor = out.problem.empty() ? convert(out, natural, r.unit) : 1;
    out.value = out.problem.empty() ? out.value * factor : NAN;
    out.error *= factor;
    if (out.problem.empty()) weights.finish(factor);
    return out;
}

}  // namespace pawl
