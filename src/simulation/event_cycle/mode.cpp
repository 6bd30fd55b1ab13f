#include "simulation/event_cycle/mode.h"

#include <algorithm>
#include <functional>

#include <nlohmann/json.hpp>

#include "simulation/stepping/remember.h"

namespace pawl {

namespace {

using nlohmann::json;
using Point = Mode::Point;

json written(const Point& p) {
    json out{{"pair", p.pair},
             {"number", p.number},
             {"elements", {p.a, p.b}},
             {"u", {p.touch.u[0], p.touch.u[1]}},
             {"near", {p.near[0], p.near[1]}}};
    if (p.compliant)
        out["compliant"] = {{"stiffness", p.law.stiffness},
                            {"exponent", p.law.exponent},
                            {"hysteresis", p.law.hysteresis},
                            {"damping", p.law.damping},
                            {"began", p.began},
                            {"approach", p.approach},
                            {"released", p.released},
                            {"has_let_go", p.was_released}};
    return out;
}

void read(const json& in, Point& p) {
    in.at("pair").get_to(p.pair);
    in.at("number").get_to(p.number);
    in.at("elements").at(0).get_to(p.a);
    in.at("elements").at(1).get_to(p.b);
    for (std::size_t side = 0; side < 2; ++side) {
        in.at("u").at(side).get_to(p.touch.u[side]);
        in.at("near").at(side).get_to(p.near[side]);
    }
    p.compliant = in.contains("compliant");
    if (!p.compliant) return;
    const json& c = in.at("compliant");
    c.at("stiffness").get_to(p.law.stiffness);
    c.at("exponent").get_to(p.law.exponent);
    c.at("hysteresis").get_to(p.law.hysteresis);
    c.at("damping").get_to(p.law.damping);
    c.at("began").get_to(p.began);
    c.at("approach").get_to(p.approach);
    c.at("released").get_to(p.released);
    c.at("has_let_go").get_to(p.was_released);
}

json written(const FrictionMode& f) {
    return {{"joint", f.joint},         {"contact", f.contact}, {"rolling", f.rolling},
            {"direction", f.direction}, {"held", f.held},       {"fast", f.fast}};
}

void read(const json& in, FrictionMode& f) {
    in.at("joint").get_to(f.joint);
    in.at("contact").get_to(f.contact);
    in.at("rolling").get_to(f.rolling);
    in.at("direction").get_to(f.direction);
    in.at("held").get_to(f.held);
    in.at("fast").get_to(f.fast);
}

json written(const EngagedCoupling& c) { return {{"coupling", c.coupling}, {"held", c.held}}; }

void read(const json& in, EngagedCoupling& c) {
    in.at("coupling").get_to(c.coupling);
    in.at("held").get_to(c.held);
}

template <class T>
json list_of(const std::vector<T>& items) {
    json out = json::array();
    for (const T& item : items) out.push_back(written(item));
    return out;
}

template <class T>
void read_list(const json& in, std::vector<T>& items) {
    items.clear();
    for (const json& item : in) read(item, items.emplace_back());
}

json json_of(const Mode& mode) {
    return {{"permanent", list_of(mode.permanent)},
            {"closed", list_of(mode.closed)},
            {"friction", list_of(mode.friction)},
            {"engaged", list_of(mode.engaged)},
            {"shared", mode.shared},
            {"begun", mode.begun},
            {"pace", mode.typical_acceleration},
            {"release", {{"t", mode.release.t}, {"places", list_of(mode.release.points)}}},
            {"impacts", mode.impacts},
            {"burst", {{"from", mode.burst.from}, {"count", mode.burst.count}}},
            {"window", {{"end", mode.window.end}, {"length", mode.window.length}}}};
}

}  // namespace

std::vector<Point> Mode::contacts() const {
    std::vector<Point> all = permanent;
    all.insert(all.end(), closed.begin(), closed.end());
    return all;
}

FrictionPointName name_of_friction_point(const FrictionMode& friction,
                                         const std::vector<Point>& contacts) {
    if (friction.joint >= 0) return {friction.joint, -1, 0, false};
    const Point& point = contacts[static_cast<std::size_t>(friction.contact)];
    return {-1, point.pair, point.number, friction.rolling};
}

FrictionPointName Mode::name_of(const FrictionMode& friction) const {
    if (friction.joint >= 0) return {friction.joint, -1, 0, false};
    const auto contact = static_cast<std::size_t>(friction.contact);
    const Point& point =
        contact < permanent.size() ? permanent[contact] : closed[contact - permanent.size()];
    return {-1, point.pair, point.number, friction.rolling};
}

const FrictionMode* Mode::find_friction(const FrictionPointName& name) const {
    const auto found = std::find_if(friction.begin(), friction.end(),
                                    [&](const FrictionMode& f) { return name_of(f) == name; });
    return found == friction.end() ? nullptr : &*found;
}

bool Mode::operator==(const Mode& other) const { return json_of(*this) == json_of(other); }

void Mode::remember(Memory& memory) {
    memory(permanent, closed, friction, engaged, shared, begun, typical_acceleration, release.t,
           release.points, impacts, burst.from, burst.count, window.end, window.length);
}

std::string to_json(const Mode& mode) { return json_of(mode).dump(); }

bool from_json(const std::string& text, Mode& mode) try {
    const json in = json::parse(text);
    Mode found;
    read_list(in.at("permanent"), found.permanent);
    read_list(in.at("closed"), found.closed);
    read_list(in.at("friction"), found.friction);
    read_list(in.at("engaged"), found.engaged);
    in.at("shared").get_to(found.shared);
    in.at("begun").get_to(found.begun);
    in.at("pace").get_to(found.typical_acceleration);
    in.at("release").at("t").get_to(found.release.t);
    read_list(in.at("release").at("places"), found.release.points);
    in.at("impacts").get_to(found.impacts);
    in.at("burst").at("from").get_to(found.burst.from);
    in.at("burst").at("count").get_to(found.burst.count);
    in.at("window").at("end").get_to(found.window.end);
    in.at("window").at("length").get_to(found.window.length);
    mode = std::move(found);
    return true;
} catch (const json::exception&) {
    return false;
}

std::size_t hash_of(const Mode& mode) { return std::hash<std::string>()(to_json(mode)); }

}  // namespace pawl
