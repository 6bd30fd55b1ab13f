#include "simulation/placement/contact_states.h"

#include <algorithm>

namespace pawl {

namespace {

using Space = PlanarSpace;

// "ground-cam-follower" for each.
std::vector<std::string> loop_names(const Topology& g) {
    std::vector<std::string> names;
    for (const auto& loop : g.loops) {
        std::string& name = names.emplace_back();
        for (const int link : loop.links)
            name += (name.empty() ? "" : "-") + g.links[static_cast<std::size_t>(link)];
    }
    return names;
}

// Joints, and the pairs that touch; one of several points is one edge.
Topology closed_graph(const Topology& all, const std::vector<char>& touches) {
    std::vector<Edge> edges;
    std::size_t contact = 0;
    for (const Edge& edge : all.edges) {
        if (!edge.is_contact && edge.joint < 0) continue;  // added for free bodies
        if (!edge.is_contact || touches[contact++]) edges.push_back(edge);
    }
    return analyse_topology(all.links, std::move(edges));
}

}  // namespace

void ContactStates::note(std::vector<Event>& events, const Coordinates<Space>& coordinates,
                         const std::vector<Point>& permanent, const std::vector<Point>& closed) {
    Key key;
    std::vector<Point> rigid;
    for (const Point& point : closed) {
        if (point.compliant) continue;
        rigid.push_back(point);
        key.emplace_back(point.pair, point.number);
    }
    std::sort(key.begin(), key.end());
    if (key == last_) return;
    last_ = key;
    const auto changed = std::find_if(events.rbegin(), events.rend(), [](const Event& e) {
        return e.kind == EventKind::contact_formed || e.kind == EventKind::contact_lost ||
               e.kind == EventKind::contact_impossible;
    });
    if (changed == events.rend() || changed->t < events.back().t ||
        changed->find<fact::ContactState>() != nullptr)
        return;
    const auto [known, is_new] = states_.try_emplace(std::move(key));
    if (is_new) known->second = state(coordinates, permanent, rigid);
    changed->facts.push_back(known->second);
}

fact::ContactState ContactStates::state(const Coordinates<Space>& coordinates,
                                        const std::vector<Point>& permanent,
                                        const std::vector<Point>& closed) const {
    const auto& mechanism = placed_.mechanism;
    MechanismEquations<Space>::Choice choice;
    choice.drivers = false;
    choice.contacts = closed;
    MechanismEquations<Space> equations(mechanism, placed_.topology, std::move(choice));
    equations.set_model_size(placed_.assembly.model_size);
    std::copy(permanent.begin(), permanent.end(), equations.contacts().begin());
    equations.settle_contacts();
    std::vector<Space::Position> positions;
    for (std::size_t b = 0; b < mechanism.bodies.size(); ++b)
        positions.push_back(coordinates.position(static_cast<int>(b)));
    equations.set_position(equations.coordinates().from_positions(positions), 0);
    const int freedoms =
        equations.size() -
        rank_of_rows(equations.pattern(), equations.jacobian(), equations.column_scale()).rank;
    std::vector<char> touches(mechanism.contacts.size(), 0);
    for (const Point& point : equations.contacts())
        touches[static_cast<std::size_t>(point.pair)] = 1;
    return {freedoms, loop_names(closed_graph(placed_.topology, touches))};
}

}  // namespace pawl
