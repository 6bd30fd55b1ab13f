// Events and their facts in result.json.
#include <cmath>

#include <fmt/format.h>

#include "output/result/summary.h"
#include "results/event_text.h"

namespace pawl {

namespace {

Json value_of(double x) { return std::isfinite(x) ? Json(x) : Json(); }
Json value_of(bool x) { return x; }
Json value_of(int x) { return x; }
Json value_of(const std::string& x) { return x; }
Json value_of(const std::vector<std::string>& x) { return x; }
Json value_of(const std::vector<double>& x) { return x; }
template <class Enum>
Json value_of(Enum x) {
    return word_of(x);
}

// {"rebound": {"restitution": 0.8, "duration [s]": 0.001}}
Json facts_json(const Event& event) {
    Json out = Json::object();
    for (EventFact fact : event.facts) {
        if (const Cause* cause = std::get_if<Cause>(&fact)) {
            out["causes"].push_back(cause_name(*cause));
            continue;
        }
        std::visit(
            [&](auto& f) {
                if constexpr (!std::is_same_v<std::decay_t<decltype(f)>, Cause>) {
                    Json& values = out[f.name] = Json::object();
                    f.fields([&](std::string_view name, const auto& value,
                                 std::string_view unit = {}) {
                        values[unit.empty() ? std::string(name)
                                            : fmt::format("{} [{}]", name, unit)] = value_of(value);
                    });
                }
            },
            fact);
    }
    return out;
}

}  // namespace

Json events_json(const std::vector<Event>& events) {
    Json out = Json::array();
    for (const Event& e : events)
        out.push_back({{"t_s", e.t},
                       {"kind", event_name(e.kind)},
                       {"element", e.element},
                       {"to", e.to},
                       {"detail", event_text(e)},
                       {"facts", facts_json(e)}});
    return out;
}

}  // namespace pawl
