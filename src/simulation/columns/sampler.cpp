#include "simulation/columns/sampler.h"

#include <cmath>

#include "math/seeded_fault.h"
#include "results/text.h"

namespace pawl {

namespace {

std::string per_second(const std::string& unit, bool squared) {
    const std::string tail = squared ? "/s^2" : "/s";
    return unit.find('/') == std::string::npos && unit.find(' ') == std::string::npos
               ? unit + tail
               : "(" + unit + ")" + tail;
}

}  // namespace

Sampler::Sampler(const PlanarMechanism& mechanism, Trajectory& trajectory)
    : mechanism_(mechanism), trajectory_(trajectory) {
    auto& columns = trajectory.columns;
    columns.push_back({"t", "s"});
    for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) {
        const std::string& name = mechanism.bodies[b].name;
        for (const auto& [tail, unit] : {std::pair{"x", "m"},
                                         {"y", "m"},
                                         {"angle", "rad"},
                                         {"vx", "m/s"},
                                         {"vy", "m/s"},
                                         {"omega", "rad/s"},
                                         {"ax", "m/s^2"},
                                         {"ay", "m/s^2"},
                                         {"alpha", "rad/s^2"}})
            columns.push_back({name + "." + tail, unit});
    }
    for (const auto& m : mechanism.measures) {
        columns.push_back({m.name, m.unit});
        columns.push_back({m.name + ".rate", per_second(m.unit, false)});
        if (!m.uses_rates) columns.push_back({m.name + ".acceleration", per_second(m.unit, true)});
    }
}

void Sampler::take(Coordinates<PlanarSpace>& coordinates, double t, std::span<const double> v,
                   std::span<const double> a, std::span<const double> extra) {
    coordinates.set_velocity(v);
    coordinates.set_acceleration(a);
    row_.clear();
    row_.push_back(t);
    for (int b = 1; b < static_cast<int>(mechanism_.bodies.size()); ++b) {
        const auto& position = coordinates.position(b);
        const auto &velocity = coordinates.velocity(b), &acceleration = coordinates.acceleration(b);
        const double angle = seeded(Fault::angle_column_degrees) ? 57.29577951308232 : 1,
                     up = seeded(Fault::velocity_column_sign) ? -1 : 1,
                     spin = seeded(Fault::acceleration_column_zero) ? 0 : 1;
        row_.insert(row_.end(), {position.p.x, position.p.y, angle * position.angle});
        row_.insert(row_.end(), {velocity.v.x, up * velocity.v.y, velocity.omega});
        row_.insert(row_.end(), {acceleration.v.x, acceleration.v.y, spin * acceleration.omega});
    }
    evaluate_measures(mechanism_, coordinates, t, channels_);
    for (std::size_t i = 0; i < channels_.size(); ++i) {
        const Measure<PlanarSpace>& m = mechanism_.measures[i];
        row_.push_back(channels_[i].value / m.unit_factor);
        row_.push_back(channels_[i].rate / m.unit_factor);
        if (!m.uses_rates) row_.push_back(channels_[i].acceleration / m.unit_factor);
    }
    row_.insert(row_.end(), extra.begin(), extra.end());
    trajectory_.add(row_);
}

void Sampler::take_start(Coordinates<PlanarSpace>& coordinates, double t,
                         std::span<const double> v) {
    if (!v.empty()) coordinates.set_velocity(v);
    row_.assign(trajectory_.columns.size(), NAN);
    row_[0] = t;
    for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b) {
        const auto& position = coordinates.position(static_cast<int>(b));
        double* cell = &row_[9 * b - 8];
        cell[0] = position.p.x;
        cell[1] = position.p.y;
        cell[2] = position.angle;
        if (v.empty()) continue;
        const auto& velocity = coordinates.velocity(static_cast<int>(b));
        cell[3] = velocity.v.x;
        cell[4] = velocity.v.y;
        cell[5] = velocity.omega;
    }
    trajectory_.add(row_);
}

void warn_of_measures(const PlanarMechanism& mechanism, const Trajectory& trajectory,
                      std::vector<std::string>& warnings) {
    struct Bad {
        const std::string& measure;
        std::size_t column, count = 0;
        double t = 0, value = 0;  // of the first
    };
    std::vector<std::pair<std::string, Bad>> bad;  // by what they are called
    const int time = trajectory.find("t");
    for (const auto& m : mechanism.measures)
        for (const char* tail : {"", ".rate", ".acceleration"}) {
            const int column = trajectory.find(m.name + tail);
            if (column < 0 || time < 0) break;
            bad.push_back(
                {"'" + m.name + "'" + (*tail == 0 ? "" : ": its " + std::string(tail + 1)),
                 {m.name, static_cast<std::size_t>(column)}});
        }
    for (std::size_t i = 0; i < trajectory.rows() && !bad.empty(); ++i) {
        const auto row = trajectory.row(i);
        for (auto& [name, b] : bad)
            if (!std::isfinite(row[b.column]) && b.count++ == 0) {
                b.t = row[static_cast<std::size_t>(time)];
                b.value = row[b.column];
            }
    }
    // One warning for each measure: of its value, or else of its rate, or of its acceleration.
    const std::string* last = nullptr;
    for (const auto& [name, b] : bad) {
        if (b.count == 0 || &b.measure == last) continue;
        last = &b.measure;
        warnings.push_back("measure " + name + " is " +
                           (std::isnan(b.value) ? "not a number" : "infinite") +
                           " at t = " + number_text(b.t) + " s" +
                           (b.count > 1 ? " and in " + std::to_string(b.count - 1) + " more samples"
                                        : std::string()) +
                           "; its expression divides by zero or leaves the range of a function");
    }
}

}  // namespace pawl
