#include "simulation/columns/contact_columns.h"

#include <algorithm>
#include <cmath>

#include "math/seeded_fault.h"

namespace pawl {

namespace {

constexpr std::pair<const char*, const char*> columns_of_point[] = {
    {"gap", "m"},      {"a", "1"},       {"b", "1"},        {"normal", "N"},
    {"static", "N"},   {"dynamic", "N"}, {"slip", "m/s"},   {"closed", "1"},
    {"friction", "N"}, {"mode", "1"},    {"rolling", "N m"}};

std::size_t columns_of(const ContactPair<PlanarSpace>& pair) {
    if (!pair.friction) return 8;
    return pair.friction->rolling > 0 ? 11 : 10;
}

}  // namespace

void ContactColumns::add(const Entry& entry) {
    const std::pair point{entry.pair, entry.number};
    const auto place = std::lower_bound(points_.begin(), points_.end(), point);
    if (place == points_.end() || *place != point) points_.insert(place, point);
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
          f.at_rest, f.normal - f.at_rest, p.rates.slip, 1,
          (seeded(Fault::friction_column_sign) ? -1 : 1) * f.friction, f.mode, f.rolling}});
}

double ContactColumns::add_open(std::size_t row, const Coordinates<PlanarSpace>& coordinates,
                                GapWatch& watch) {
    double deepest = 0;
    if (row != row_) closed_.clear();
    row_ = row;
    std::sort(closed_.begin(), closed_.end());
    for (const int pair : watch.pairs()) {
        if (std::binary_search(closed_.begin(), closed_.end(), pair)) continue;
        const auto p = watch.nearest_place(coordinates, pair);
        if (!p) continue;
        deepest = std::max(deepest, -p->touch.gap);
        add({row,
             pair,
             1,
             {p->touch.gap, p->a + p->touch.u[0], p->b + p->touch.u[1], 0, 0, 0, p->rates.slip, 0,
              0, NAN, 0}});
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
            const auto place =
                std::lower_bound(points_.begin(), points_.end(), std::pair{e.pair, e.number}) -
                points_.begin();
            std::copy_n(std::begin(e.values), columns_of(mechanism_.contacts[e.pair]),
                        cells.begin() + static_cast<std::ptrdiff_t>(first[place]));
        }
    });
}

}  // namespace pawl
