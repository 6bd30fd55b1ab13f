#include "simulation/columns/contact_columns.h"

#include <algorithm>
#include <cmath>

#include "math/seeded_fault.h"

namespace pawl {

namespace {

constexpr std::pair<const char*, const char*> columns_of_point[] = {{"gap", "m"},
                                                                    {"a", "1"},
                                                                    {"b", "1"},
                                                                    {"normal", "N"},
                                                                    {"static", "N"},
                                                                    {"dynamic", "N"},
                                                                    {"slip", "m/s"},
                                                                    {"closed", "1"},
                                                                    {"x", "m"},
                                                                    {"y", "m"},
                                                                    {"normal_angle", "rad"},
                                                                    {"pressure_angle", "rad"},
                                                                    {"friction", "N"},
                                                                    {"mode", "1"},
                                                                    {"rolling", "N m"}};

std::size_t columns_of(const ContactPair<PlanarSpace>& pair) {
    if (!pair.friction) return 12;
    return pair.friction->rolling > 0 ? 15 : 14;
}

}  // namespace

ContactColumns::ContactColumns(const PlanarMechanism& mechanism, const SpoolLocation& location)
    : mechanism_(mechanism) {
    entries_.use(location, "contacts");
    for (const auto& pair : mechanism.contacts) {
        // The body that the contact moves: b, or a if b is driven.
        auto a = guide_of(pair.a), b = guide_of(pair.b);
        if (b) b->side = 1;
        guides_.push_back(b && !(is_driven(pair.b) && a) ? b : a);
    }
}

std::optional<ContactColumns::Guide> ContactColumns::guide_of(int body) const {
    for (const auto& joint : mechanism_.joints)
        for (const std::size_t side : {0, 1}) {
            const auto &ground = joint.frames[side], &other = joint.frames[1 - side];
            if (ground.body != 0 || other.body != body || body == 0) continue;
            if (joint.kind_name() == "revolute") return Guide{ground.local.at, {}, true, 0};
            if (joint.kind_name() == "prismatic") return Guide{{}, ground.axis, false, 0};
        }
    return std::nullopt;
}

bool ContactColumns::is_driven(int body) const {
    return std::any_of(mechanism_.drivers.begin(), mechanism_.drivers.end(), [&](const auto& d) {
        return d.coordinate.frames[0].body == body || d.coordinate.frames[1].body == body;
    });
}

double ContactColumns::pressure_angle(const ContactPoint<PlanarSpace>& point) const {
    const auto& guide = guides_[static_cast<std::size_t>(point.pair)];
    if (!guide) return NAN;
    auto at = point.touch.p[guide->side];
    const auto& pair = mechanism_.contacts[static_cast<std::size_t>(point.pair)];
    const int profile = guide->side == 0 ? pair.profile_a : pair.profile_b;
    const auto& elements = mechanism_.profiles[static_cast<std::size_t>(profile)].chain.elements;
    const auto& element = elements[static_cast<std::size_t>(guide->side == 0 ? point.a : point.b)];
    const double inward = guide->side == 0 ? -1 : 1;
    if (const auto* circle = std::get_if<CircleCurve<PlanarSpace>>(&element))
        at += (circle->hollow ? -inward : inward) * circle->radius * point.touch.n;
    if (const auto* arc = std::get_if<ArcCurve<PlanarSpace>>(&element))
        at += inward * arc->side() * arc->radius * point.touch.n;
    const auto way = guide->turns ? PlanarSpace::turned(at - guide->pivot) : guide->axis;
    return std::atan2(std::abs(PlanarSpace::cross(point.touch.n, way)),
                      std::abs(PlanarSpace::dot(point.touch.n, way)));
}

void ContactColumns::add(const Entry& entry) {
    const std::pair point{entry.pair, entry.number};
    const auto found = std::lower_bound(points_.begin(), points_.end(), point);
    if (found == points_.end() || *found != point) points_.insert(found, point);
    entries_.add(entry);
}

void ContactColumns::add_closed(std::size_t row, const ContactPoint<PlanarSpace>& p,
                                const PointForces& f) {
    if (row != row_) closed_.clear();
    row_ = row;
    closed_.push_back(p.pair);
    add({row,
         p.pair,
         p.number,
         {p.touch.gap + (seeded(Fault::gap_column_offset) ? 1e-6 : 0.0), p.a + p.touch.u[0],
          p.b + p.touch.u[1], (seeded(Fault::normal_column_scaled) ? 1.01 : 1) * f.normal,
          f.at_rest, f.normal - f.at_rest, p.rates.slip, 1, p.touch.p[0].x, p.touch.p[0].y,
          std::atan2(p.touch.n.y, p.touch.n.x), pressure_angle(p),
          (seeded(Fault::friction_column_sign) ? -1 : 1) * f.friction, f.mode, f.rolling}});
}

double ContactColumns::add_open(std::size_t row, const Coordinates<PlanarSpace>& coordinates,
                                GapWatch& watch) {
    double deepest = 0;
    if (row != row_) closed_.clear();
    row_ = row;
    std::sort(closed_.begin(), closed_.end());
    for (const int pair : watch.pairs_to_show(coordinates)) {
        if (std::binary_search(closed_.begin(), closed_.end(), pair)) continue;
        const auto p = watch.nearest_point(coordinates, pair);
        if (!p) continue;
        deepest = std::max(deepest, -p->touch.gap);
        add({row,
             pair,
             1,
             {p->touch.gap, p->a + p->touch.u[0], p->b + p->touch.u[1], 0, 0, 0, p->rates.slip, 0,
              p->touch.p[0].x, p->touch.p[0].y, std::atan2(p->touch.n.y, p->touch.n.x),
              pressure_angle(*p), 0, NAN, 0}});
    }
    return deepest;
}

void ContactColumns::widen(Trajectory& trajectory) const {
    if (points_.empty()) return;
    std::vector<Column> columns;
    std::vector<std::size_t> first;
    for (const auto& [pair, number] : points_) {
        const auto& of = mechanism_.contacts[pair];
        first.push_back(columns.size());
        for (std::size_t i = 0; i < columns_of(of); ++i)
            columns.push_back(
                {of.name + "#" + std::to_string(number) + "." + columns_of_point[i].first,
                 columns_of_point[i].second});
    }
    std::size_t next = 0;
    trajectory.widen(columns, [&](std::size_t row, std::span<double> cells) {
        std::fill(cells.begin(), cells.end(), NAN);
        for (; next < entries_.size(); ++next) {
            const Entry& e = entries_.part(next, 1)[0];
            if (e.row != row) break;
            const auto column =
                std::lower_bound(points_.begin(), points_.end(), std::pair{e.pair, e.number}) -
                points_.begin();
            std::copy_n(std::begin(e.values), columns_of(mechanism_.contacts[e.pair]),
                        cells.begin() + static_cast<std::ptrdiff_t>(first[column]));
        }
    });
}

}  // namespace pawl
