// What a dynamic run did, step by step and event by event, for those who take the same course with
// other values. Knows states and modes, not why a step ended.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "simulation/event_cycle/transition.h"

namespace pawl {

struct RunCourse {
    enum class Kind {
        begins,      // the state at the start, before contacts answer
        step,        // of the integrator
        transition,  // of the contacts
        switched,    // an expression of the user has changed its branch
        engages,     // couplings engage or disengage
        impulses,    // that are given act
        breaks,      // a given time is reached: a driver's piece ends, or an impulse acts
        awaits,      // the time of a contact that formed where impacts accumulate
        overload,    // closed contacts could not be kept closed together
    };
    struct Entry {
        Kind kind = Kind::step;
        State before, after;
        std::shared_ptr<const Mode> mode;  // after it
        // Where curves without a closed form look for the points of the contacts, after it.
        std::vector<std::array<double, 2>> near;
        std::size_t first_row = 0, end_row = 0;      // that were recorded meanwhile
        std::size_t first_event = 0, end_event = 0;  // likewise
        ContactOccurrence occurrence;                // transition
        bool by_window = false;                      // transition: time steps carried it on
        std::size_t which = 0;                       // switched, breaks: the number
        std::vector<char> engaged;                   // engages
        bool near_singular = false;                  // step
        std::vector<signed char> sides;              // of the switches, after it
    };
    std::vector<Entry> entries;
    std::vector<Event> events;         // in the order in which they were recorded
    bool first_row_is_before = false;  // the contacts have answered: it shows what begins
    std::string problem;               // why the course cannot be taken again; empty: it can
};

}  // namespace pawl
