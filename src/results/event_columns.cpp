#include "results/event_columns.h"

#include <algorithm>

namespace pawl {

namespace {

struct Number {
    Column column;
    double value = 0;
};

void add(const fact::FrictionImpulse& f, std::vector<Number>& out) {
    out.push_back({{"friction_impulse", "N s"}, f.impulse});
    out.push_back({{"rolling_impulse", "N m s"}, f.rolling});
}

void add(const fact::ImpactOrder& f, std::vector<Number>& out) {
    out.push_back({{"blows", "1"}, static_cast<double>(f.blows)});
}

void add(const fact::JointImpulses& f, std::vector<Number>& out) {
    for (std::size_t i = 0; i < f.joints.size(); ++i) {
        out.push_back({{f.joints[i] + ".px", "N s"}, f.x[i]});
        out.push_back({{f.joints[i] + ".py", "N s"}, f.y[i]});
        out.push_back({{f.joints[i] + ".pm", "N m s"}, f.moment[i]});
    }
    for (std::size_t i = 0; i < f.drivers.size(); ++i)
        out.push_back({{f.drivers[i] + ".impulse", f.driver_units[i]}, f.driver_impulses[i]});
}

std::vector<Number> numbers(const Event& event) {
    std::vector<Number> out;
    if (const auto* f = event.find<fact::FrictionImpulse>()) add(*f, out);
    if (const auto* f = event.find<fact::ImpactOrder>()) add(*f, out);
    if (const auto* f = event.find<fact::JointImpulses>()) add(*f, out);
    return out;
}

}  // namespace

std::vector<Column> event_columns(const std::vector<Event>& events) {
    // One event with each of the facts has all columns.
    Event all;
    const auto take = [&](const auto* f) {
        if (f != nullptr && all.find<std::decay_t<decltype(*f)>>() == nullptr)
            all.facts.emplace_back(*f);
    };
    for (const Event& event : events) {
        take(event.find<fact::FrictionImpulse>());
        take(event.find<fact::ImpactOrder>());
        take(event.find<fact::JointImpulses>());
    }
    std::vector<Column> out;
    for (Number& number : numbers(all)) out.push_back(std::move(number.column));
    return out;
}

std::optional<double> event_number(const Event& event, std::string_view column) {
    for (const Number& number : numbers(event))
        if (number.column.name == column) return number.value;
    return std::nullopt;
}

}  // namespace pawl
