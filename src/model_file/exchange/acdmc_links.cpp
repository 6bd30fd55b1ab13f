#include "model_file/exchange/acdmc_links.h"

#include <cmath>
#include <utility>

#include "math/tolerances/outside.h"
#include "model_file/exchange/acdmc_curve.h"

namespace pawl {

namespace {

bool is_identity(const AcdmcMatrix& m) {
    for (std::size_t i = 0; i < m.size(); ++i)
        if (m[i] != (i % 5 == 0 ? 1 : 0)) return false;
    return true;
}

int count_surfaces(const std::vector<AcdmcEntity>& entities, const std::string& name) {
    int count = 0;
    for (const AcdmcEntity& e : entities) {
        const auto field = e.find("NAME");
        count +=
            e.kind == "SURF" && field && !field->words.empty() && field->words.front().text == name
                ? 1
                : 0;
    }
    return count;
}

}  // namespace

void AcdmcLinks::read(const std::vector<AcdmcEntity>& entities) {
    std::set<std::string> fixed;
    for (const AcdmcEntity& e : entities)
        if (e.kind == "OCLI" && fields_.flag(e, "FIXED")) fixed.insert(fields_.name_of(e));
    for (const AcdmcEntity& e : entities) {
        if (e.kind == "LINK") read_link(e, fixed);
        if (e.kind != "SURF") continue;
        if (links_.empty())
            diagnostics_.error(e.span, "a SURF before the first LINK");
        else
            read_surface(e, entities);
    }
    if (!links_.empty() && fixed.empty())
        diagnostics_.error(
            links_.front().span,
            "no link is fixed: an OCLI with FIXED : TRUE is needed; is the file truncated?");
    for (const AcdmcEntity& e : entities)
        if (e.kind == "OCLI" && !find(fields_.name_of(e)))
            diagnostics_.error(e.span, "there is no LINK '" + fields_.name_of(e) + "'" +
                                           did_you_mean(fields_.name_of(e), names()));
}

void AcdmcLinks::read_link(const AcdmcEntity& e, const std::set<std::string>& fixed) {
    AcdmcLink link;
    link.name = fields_.name_of(e);
    link.span = e.span;
    if (find(link.name)) diagnostics_.error(e.span, "a second LINK '" + link.name + "'");
    link.pose = fields_.matrix(e, "AR0");
    const bool is_fixed = fixed.contains(link.name);
    if (is_fixed || !is_identity(link.pose)) {
        const auto frame = fields_.plane_frame(link.pose, e, false);
        link.motion.pose = {frame.at, frame.angle};
    }
    link.placed = link.known = is_fixed;
    if (!is_fixed) {
        ExchangeBody body;
        body.name = unique_name(exchange_name("L", link.name), body_names_);
        read_mass(e, body);
        link.body = static_cast<int>(model_.bodies.size());
        model_.bodies.push_back(body);
    }
    links_.push_back(std::move(link));
}

// MASS is the integral of (x, y, z, 1)^T (x, y, z, 1) over the mass (Wang 1996, eq. 3.3.2-11).
void AcdmcLinks::read_mass(const AcdmcEntity& e, ExchangeBody& body) {
    const AcdmcField* field = fields_.need(e, "MASS");
    const auto j = field ? acdmc_numbers(*field, 16, diagnostics_) : std::nullopt;
    if (!j) return;
    const AcdmcMatrix& m = *j;
    body.mass = m[15];
    if (body.mass > 0) body.centre = {m[3] / body.mass, m[7] / body.mass};
    body.inertia = m[0] + m[5] - body.mass * Planar<double>::dot(body.centre, body.centre);
    if (std::abs(body.inertia) <= tolerance::foreign_inertia * (m[0] + m[5])) body.inertia = 0;
    if (body.mass < 0 || body.inertia < 0)
        diagnostics_.error(field->span, "link '" + body.name +
                                            "': the mass and the moment of inertia must " +
                                            "not be negative");
    if (m[3] != m[12] || m[7] != m[13] || m[1] != m[4])
        diagnostics_.warning(
            field->span,
            "link '" + body.name + "': MASS is not symmetric; its upper triangle is used");
    if (body.mass == 0)
        diagnostics_.warning(field->span, "link '" + body.name + "' moves and has no mass");
}

void AcdmcLinks::read_surface(const AcdmcEntity& e, const std::vector<AcdmcEntity>& entities) {
    AcdmcSurface surface;
    surface.entity = &e;
    surface.name = fields_.name_of(e);
    surface.link = links_.size() - 1;
    const AcdmcField* type = fields_.need(e, "TYPE");
    const int curve =
        type ? acdmc_choice(*type, {"REPERE|FRAME", "COURBE|CURVE"}, diagnostics_) : -1;
    if (curve == 0) surface.frame = fields_.matrix(e, "SHAPE");
    if (curve == 1) {
        const std::string own = exchange_name("S", surface.name),
                          long_name = exchange_name("L", links_.back().name) + "_" + own;
        surface.profile = unique_name(count_surfaces(entities, surface.name) > 1 ? long_name : own,
                                      profile_names_);
        ExchangeProfile profile{surface.profile, links_.back().body, {}};
        auto curves =
            read_acdmc_curve(e, "surface '" + surface.name + "'", model_.assumptions, diagnostics_);
        if (curves) profile.curves = std::move(*curves);
        if (links_.back().body == 0) {
            const auto& pose = links_.back().motion.pose;
            for (auto& c : profile.curves) c = moved<Planar<double>>(c, {1, pose.angle, pose.at});
        }
        model_.profiles.push_back(std::move(profile));
    }
    surfaces_.push_back(std::move(surface));
}

std::optional<std::size_t> AcdmcLinks::surface(const AcdmcEntity& e, const char* link_key,
                                               const char* surface_key, bool contact) {
    const AcdmcField *at_link = fields_.need(e, link_key),
                     *at_surface = fields_.need(e, surface_key);
    if (!at_link || !at_surface) return std::nullopt;
    const std::string link = fields_.name_of(e, link_key), name = fields_.name_of(e, surface_key);
    const AcdmcLink* found = find(link);
    if (!found) {
        diagnostics_.error(at_link->span,
                           "there is no LINK '" + link + "'" + did_you_mean(link, names()));
        return std::nullopt;
    }
    std::vector<std::string> own;
    for (std::size_t i = 0; i < surfaces_.size(); ++i) {
        if (&links_[surfaces_[i].link] != found) continue;
        own.push_back(surfaces_[i].name);
        if (surfaces_[i].name != name) continue;
        if (contact != surfaces_[i].profile.empty()) return i;
        diagnostics_.error(at_surface->span, contact ? "a contact needs surfaces of type COURBE"
                                                     : "a joint needs surfaces of type REPERE");
        return std::nullopt;
    }
    diagnostics_.error(at_surface->span,
                       "link '" + link + "' has no SURF '" + name + "'" + did_you_mean(name, own));
    return std::nullopt;
}

const AcdmcLink* AcdmcLinks::find(const std::string& name) const {
    for (const AcdmcLink& link : links_)
        if (link.name == name) return &link;
    return nullptr;
}

std::vector<std::string> AcdmcLinks::names() const {
    std::vector<std::string> names;
    for (const AcdmcLink& link : links_) names.push_back(link.name);
    return names;
}

std::string unique_name(std::string name, std::set<std::string>& taken) {
    while (!taken.insert(name).second) name += "_";
    return name;
}

}  // namespace pawl
