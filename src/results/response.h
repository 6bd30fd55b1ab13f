// A response: a number that a run yields, written as a short text. One language for models, the
// program, verification and design. Knows columns and events, not where they come from.
//
//   bolt.x                        a column at the end of the run
//   bolt.x@0.5 s, bolt.x@start    at a time; in a sample the value that was written, else that of
//                                 the interpolant
//   bolt.x-@impact:C#1:2          in the row before the second impact of C#1; with + after it
//   min:, max:, mean:, rms:, integral:bolt.x      over the run
//   max:bolt.x@0.2 s..0.8 s       in a window, whose ends are times or events; either may be left
//                                 out
//   min_at:, max_at:bolt.x        the time of the least and the greatest value
//   zero:bolt.vx:2                the time of its second change of sign
//   crossing:, rising:, falling:bolt.x=5 mm:2     the time at which it passes a level
//   period:bolt.x:1               the time from its first change of sign to the next but one
//   t@impact:C#1:2                the time of an event; also impulse@, energy_change@,
//                                 normal_velocity_before@, normal_velocity_after@ and the columns
//                                 of event_columns.h
//   count@contact_lost:C#1        the number of such events
//   ledger:pin friction           the work of a line of the energy ledger until the end
//
// An event is KIND:ELEMENT:NUMBER. The element may be left out, and so may the number 1; of a
// contact pair any of its points counts (C for C#1 and C#2). Events of the user are called by their
// name: t@released.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "math/span.h"
#include "results/event.h"

namespace pawl {

class Trajectory;

struct EventPattern {
    EventKind kind = EventKind::user;
    std::string element;  // empty: of any
    int which = 1;

    // "C" is met by every contact point of the pair C: C#1, C#2.
    [[nodiscard]] bool matches(const Event& event) const {
        return event.kind == kind && (element.empty() || event.element == element ||
                                      event.element.starts_with(element + "#"));
    }
};
// Why an event that was asked for is not there.
std::string not_met(const EventPattern& pattern, std::span<const Event> events);

struct Instant {
    enum class Kind { start, time, event, end };
    Kind kind = Kind::end;
    double t = 0;  // s
    EventPattern event = {};
};

struct Response {
    enum class Of {
        value,
        min,
        max,
        min_at,
        max_at,
        mean,
        rms,
        integral,
        crossing,
        rising,
        falling,
        period,
        event_number,
        event_count
    };
    std::string name, text;
    std::string unit;                // empty: that of what it reads
    std::optional<double> min, max;  // what is good, in the unit
    Span span;                       // in the model

    Of of = Of::value;
    std::string column;  // or the number of an event: "t", "impulse"
    int which = 1;       // of crossings
    double level = 0;
    std::string level_unit;  // empty: of the column
    enum class Side { none, before, after };
    Side side = Side::none;                  // of an event
    Instant from{Instant::Kind::start}, to;  // equal for a value
};

struct ResponseProblem {
    std::size_t offset = 0;  // in the text
    std::string message;
};

// Nothing, and the problem, where the text is none.
std::optional<Response> read_response(std::string_view text, ResponseProblem& problem);

// How a response moves with what it was read from: its derivative is the sum of the weights times
// the derivatives of cells of the trajectory and of numbers of events. The derivative of a cell is
// that of the number in it. Rows at events move with them: their cells change with the motion and
// with the time of the row, and the cell of their time (column 0) changes, too. In all other rows
// the time is given and has no derivative.
struct Linearisation {
    struct Cell {
        std::size_t row;
        int column;
        double weight;
    };
    struct OfEvent {
        std::size_t event;
        std::string number;  // "t", "impulse", ...
        double weight;
    };
    std::vector<Cell> cells;  // by rows
    std::vector<OfEvent> events;
};

struct ResponseValue {
    double value = 0;  // in the unit; NaN: there is a problem
    std::string unit;
    double error = 0;     // of the interpolation between rows, estimated; 0: as written
    std::string problem;  // why there is no value; empty: there is one
};

struct ResponseSource {
    const Trajectory& trajectory;
    std::span<const Event> events;
};

// Where a linearisation is asked for, it is filled.
ResponseValue evaluate(const Response& response, const ResponseSource& source,
                       Linearisation* linearisation = nullptr);

}  // namespace pawl
