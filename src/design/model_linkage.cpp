#include "design/model_linkage.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "math/tolerances/motion.h"
#include "model_file/text/model_text.h"

namespace pawl {

namespace {

double distance(Linkage::Vector a, Linkage::Vector b) { return std::hypot(a.x - b.x, a.y - b.y); }

std::string pair_text(Linkage::Vector v) {
    return fmt::format("[\"{:.15g} m\", \"{:.15g} m\"]", v.x, v.y);
}

}  // namespace

std::optional<ModelLinkage> ModelLinkage::read(const ModelData& model, const LinkageRoles& roles,
                                               Diagnostics& diagnostics) {
    diagnostics.file = model.file;
    ModelLinkage out(model);
    out.placed_ = assemble(model.mechanism);
    if (!out.placed_.ok()) {
        diagnostics.error(out.placed_.assembly.span, out.placed_.assembly.message);
        return std::nullopt;
    }
    out.bar_of_body_.assign(model.mechanism.bodies.size(), -1);
    if (!out.add_nodes(diagnostics) || !out.add_bodies(diagnostics) ||
        !out.add_roles(roles, diagnostics))
        return std::nullopt;
    Linkage& l = out.linkage_;
    Eigen::VectorXd q(l.position_size()), b = l.design();
    for (const Place& place : out.places_) {
        if (l.nodes[index_of(place.node)].on_ground()) continue;
        const auto& pose = out.placed_.assembly.positions[index_of(place.body)];
        const Vector at = pose.p + pose.to_ground(place.local);
        q[l.index(place.node)] = at.x;
        q[l.index(place.node) + 1] = at.y;
    }
    for (const Linkage::Guide& g : l.guides) l.numbers[index_of(g.offset)].fixed = false;
    l.take_dimensions(q, b);
    for (int i = 0; i < l.design_size(); ++i) l.numbers[index_of(i)].value = b[i];
    for (const Linkage::Guide& g : l.guides) l.numbers[index_of(g.offset)].fixed = true;
    if (!roles.moves_pivots)
        for (const Linkage::Node& n : l.nodes)
            if (n.on_ground())
                l.numbers[index_of(n.x)].fixed = l.numbers[index_of(n.y)].fixed = true;
    l.start_position = q;
    return out;
}

int ModelLinkage::find_place(int body, Vector local) const {
    const double near = tolerance::same_node * placed_.assembly.model_size;
    for (const Place& p : places_)
        if (p.body == body && distance(p.local, local) <= near) return p.node;
    return -1;
}

// The node at a point of a body; a new point is noted under the name that the model has for it.
int ModelLinkage::node_of(int body, Vector local) {
    if (const int known = find_place(body, local); known >= 0) return known;
    const auto& b = placed_.mechanism.bodies[index_of(body)];
    Place place{body, -1, local, ""};
    for (const auto& point : b.points)
        if (distance(point.at, local) <= tolerance::same_node * placed_.assembly.model_size)
            place.point = point.name;
    places_.push_back(place);
    return -1;
}

bool ModelLinkage::add_nodes(Diagnostics& diagnostics) {
    for (const auto& joint : placed_.mechanism.joints) {
        if (joint.kind_name() == "prismatic" && joint.a() == 0) continue;
        if (joint.kind_name() != "revolute") {
            diagnostics.error(joint.span, "joint '" + joint.name + "' is of kind " +
                                              std::string(joint.kind_name()) +
                                              "; a synthesis starts from pins and from sliders on "
                                              "ground; use `pawl optimise` for other models");
            return false;
        }
        const auto &fa = joint.frames[0], &fb = joint.frames[1];
        int node = node_of(fa.body, fa.local.at);
        const int other = node_of(fb.body, fb.local.at);
        if (node < 0) node = other;
        if (node < 0) {
            const bool ground = fa.body == 0 || fb.body == 0;
            node = ground ? linkage_.add_ground(joint.name) : linkage_.add_point(joint.name);
            if (ground) {
                const auto& g = fa.body == 0 ? fa : fb;
                const Linkage::Node& n = linkage_.nodes[index_of(node)];
                linkage_.numbers[index_of(n.x)].value = g.local.at.x;
                linkage_.numbers[index_of(n.y)].value = g.local.at.y;
            }
        }
        for (Place& p : places_)
            if (p.node < 0) p.node = node;
    }
    for (const Place& p : places_) {
        const Linkage::Node& n = linkage_.nodes[index_of(p.node)];
        if (p.body == 0 && p.point.empty())  // a point without a name cannot be moved
            linkage_.numbers[index_of(n.x)].fixed = linkage_.numbers[index_of(n.y)].fixed = true;
    }
    return true;
}

std::vector<ModelLinkage::Place> ModelLinkage::places_of(int body) const {
    std::vector<Place> out;
    for (const Place& p : places_)
        if (p.body == body) out.push_back(p);
    // What has no name stays where it is, so it comes first; pins on ground lead their bar.
    std::stable_sort(out.begin(), out.end(), [&](const Place& a, const Place& b) {
        const auto rank = [&](const Place& p) {
            return std::pair(!p.point.empty(), !linkage_.nodes[index_of(p.node)].on_ground());
        };
        return rank(a) < rank(b);
    });
    return out;
}

bool ModelLinkage::add_bodies(Diagnostics& diagnostics) {
    const auto& bodies = placed_.mechanism.bodies;
    for (int k = 1; k < static_cast<int>(bodies.size()); ++k) {
        const std::vector<Place> places = places_of(k);
        const auto slides = std::find_if(
            placed_.mechanism.joints.begin(), placed_.mechanism.joints.end(), [&](const auto& j) {
                return j.kind_name() == "prismatic" && j.a() == 0 && j.b() == k;
            });
        if (slides != placed_.mechanism.joints.end()) {
            if (places.size() != 1) {
                diagnostics.error(bodies[index_of(k)].span,
                                  "body '" + bodies[index_of(k)].name +
                                      "' slides and has several pins; a synthesis supports sliders "
                                      "with one");
                return false;
            }
            linkage_.add_guide(slides->name, places[0].node);
            const Linkage::Guide& g = linkage_.guides.back();
            const auto frame = slides->frames[0].on(placed_.assembly.positions[0]);
            linkage_.numbers[index_of(g.angle)].value = std::atan2(frame.u.y, frame.u.x);
            linkage_.numbers[index_of(g.angle)].fixed = true;
            continue;
        }
        const auto unnamed = std::count_if(places.begin(), places.end(),
                                           [](const Place& p) { return p.point.empty(); });
        if (places.size() < 2 || unnamed > 1) {
            diagnostics.error(bodies[index_of(k)].span,
                              "body '" + bodies[index_of(k)].name +
                                  "' needs two pins or more, at points with names");
            return false;
        }
        bar_of_body_[index_of(k)] =
            linkage_.add_bar(bodies[index_of(k)].name, places[0].node, places[1].node);
        for (std::size_t i = 2; i < places.size(); ++i) {
            const std::string name = bodies[index_of(k)].name + "." + places[i].point;
            const int x = linkage_.add_number(name + ".x", DesignNumber::Kind::coordinate);
            const int y = linkage_.add_number(name + ".y", DesignNumber::Kind::coordinate);
            linkage_.plates.push_back({places[i].node, bar_of_body_[index_of(k)], x, y});
        }
    }
    return true;
}

bool ModelLinkage::add_roles(const LinkageRoles& roles, Diagnostics& diagnostics) {
    const auto& m = placed_.mechanism;
    const auto body_named = [&](std::string_view name) {
        for (int k = 1; k < static_cast<int>(m.bodies.size()); ++k)
            if (m.bodies[index_of(k)].name == name) return k;
        std::vector<std::string> names;
        for (const auto& b : m.bodies) names.push_back(b.name);
        diagnostics.error(
            {1, 1}, "there is no body '" + std::string(name) + "'" + did_you_mean(name, names));
        return -1;
    };
    if (!roles.point.empty()) {
        const std::size_t dot = roles.point.find('.');
        const int body = body_named(roles.point.substr(0, dot));
        if (body < 0) return false;
        const auto& points = m.bodies[index_of(body)].points;
        const auto point = std::find_if(points.begin(), points.end(), [&](const auto& p) {
            return dot != std::string::npos && p.name == roles.point.substr(dot + 1);
        });
        linkage_.carrier = bar_of_body_[index_of(body)];
        if (point == points.end() || linkage_.carrier < 0) {
            diagnostics.error(m.bodies[index_of(body)].span,
                              "'" + roles.point + "' is not a point of a link, such as coupler.P");
            return false;
        }
        linkage_.traced = find_place(body, point->at);
        if (linkage_.traced < 0) {
            linkage_.traced = linkage_.add_plate_point(roles.point, linkage_.carrier);
            places_.push_back({body, linkage_.traced, point->at, point->name});
        }
    }
    if (!roles.output.empty()) {
        const int body = body_named(roles.output);
        if (body < 0) return false;
        linkage_.output = bar_of_body_[index_of(body)];
        for (std::size_t g = 0; g < linkage_.guides.size() && linkage_.output < 0; ++g)
            linkage_.output_guide = static_cast<int>(g);
    }
    for (const auto& driver : m.drivers)
        for (int k = 1; k < static_cast<int>(m.bodies.size()); ++k)
            if (driver.coordinate.frames[1].body == k && driver.coordinate.frames[0].body == 0 &&
                bar_of_body_[index_of(k)] >= 0)
                linkage_.input = bar_of_body_[index_of(k)];
    // Force passes from bar to bar at every pin that two of them end in.
    for (int i = 0; i < static_cast<int>(linkage_.bars.size()); ++i)
        for (int k = i + 1; k < static_cast<int>(linkage_.bars.size()); ++k)
            if (i != linkage_.input && linkage_.bars[index_of(i)].b == linkage_.bars[index_of(k)].b)
                linkage_.transmissions.push_back({i, k, -1});
    return true;
}

std::string ModelLinkage::text(const Solution& solution, Diagnostics& diagnostics) const {
    ModelText text(model_.text);
    const Eigen::VectorXd &b = solution.exact.design, &q = solution.exact.positions.front();
    for (const Linkage::Node& n : linkage_.nodes)
        if (n.on_ground() && !linkage_.numbers[index_of(n.x)].fixed)
            for (const Place& p : places_)
                if (p.body == 0 && &linkage_.nodes[index_of(p.node)] == &n)
                    text.set("body.ground.points." + p.point, pair_text({b[n.x], b[n.y]}),
                             diagnostics);
    for (int k = 1; k < static_cast<int>(placed_.mechanism.bodies.size()); ++k) {
        const int bar = bar_of_body_[index_of(k)];
        const std::string path = "body." + placed_.mechanism.bodies[index_of(k)].name;
        if (bar < 0) continue;
        // The first pin keeps its place on the body, and the bar its direction there.
        const std::vector<Place> places = places_of(k);
        const Vector first = places[0].local, d = places[1].local - first;
        const double turn = linkage_.bar_angle(bar, q, b) - std::atan2(d.y, d.x);
        const PlanarSpace::Position pose{{}, turn, {std::cos(turn), std::sin(turn)}};
        const Vector origin = linkage_.at(places[0].node, q, b) - pose.to_ground(first);
        for (std::size_t i = 1; i < places.size(); ++i) {
            const Vector local = pose.to_local(linkage_.at(places[i].node, q, b) - origin);
            text.set(path + ".points." + places[i].point, pair_text(local), diagnostics);
        }
        text.set(path + ".position", pair_text(origin), diagnostics);
        text.set(path + ".angle", fmt::format("{:.15g} rad", turn), diagnostics);
    }
    return text.text();
}

}  // namespace pawl
