// What a run did, noted for those who take its course again.
#include <utility>

#include "simulation/dynamic/march.h"

namespace pawl {

March::CourseMark March::mark() const {
    if (!options_.course) return {};
    return {state_, result_.trajectory.rows(), result_.events.size()};
}

void March::note(RunCourse::Kind kind, CourseMark from, std::size_t which) {
    if (!options_.course) return;
    RunCourse& course = *options_.course;
    RunCourse::Entry e;
    e.kind = kind;
    e.before = std::move(from.before);
    e.after = state_;
    e.first_row = from.first_row;
    e.first_event = from.first_event;
    e.end_row = result_.trajectory.rows();
    e.end_event = result_.events.size();
    e.which = which;
    e.near_singular = dynamics_->near_singular();
    e.sides = switches_.sides();
    if (kind == RunCourse::Kind::engages) e.engaged = switches_.engaged();
    const bool same = kind == RunCourse::Kind::step || kind == RunCourse::Kind::awaits;
    e.mode = same && !course.entries.empty() ? course.entries.back().mode
                                             : std::make_shared<const Mode>(contacts_->mode());
    for (const auto& point : contacts_->contacts())
        e.near.push_back({point.near[0], point.near[1]});
    if (kind == RunCourse::Kind::step && stepping_.integrator() == Integrator::stiff &&
        course.problem.empty())
        course.problem = "the run takes implicit steps, which are not differentiated";
    course.entries.push_back(std::move(e));
}

void March::note_transition(CourseMark from, const ContactOccurrence& occurrence) {
    if (!options_.course) return;
    note(RunCourse::Kind::transition, std::move(from));
    auto& entry = options_.course->entries.back();
    entry.occurrence = occurrence;
    entry.by_window = contacts_->last_window().has_value();
}

}  // namespace pawl
