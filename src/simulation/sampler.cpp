#include "simulation/sampler.h"

#include <cmath>

#include "math/seeded_fault.h"
#include "simulation/text.h"

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
        columns.push_back({m.name + ".acceleration", per_second(m.unit, true)});
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
        const double factor = mechanism_.measures[i].unit_factor;
        for (const double value :
             {channels_[i].value, channels_[i].rate, channels_[i].acceleration})
            row_.push_back(value / factor);
    }
    row_.insert(row_.end(), extra.begin(), extra.end());
    trajectory_.add(row_);
}

void warn_of_measures(const PlanarMechanism& mechanism, const Trajectory& trajectory,
                      std::vector<std::string>& warnings) {
    const int time = trajectory.find("t");
    for (const auto& m : mechanism.measures)
        for (const char* tail : {"", ".rate", ".acceleration"}) {
            const int column = trajectory.find(m.name + tail);
            if (column < 0 || time < 0) continue;
            std::size_t bad = 0, first = 0;
            double value = 0;
            for (std::size_t i = trajectory.rows(); i-- > 0;) {
                const double x = trajectory.row(i)[static_cast<std::size_t>(column)];
                if (std::isfinite(x)) continue;
                ++bad;
                first = i;
                value = x;
            }
            if (bad == 0) continue;
            const double t = trajectory.row(first)[static_cast<std::size_t>(time)];
            warnings.push_back(
                "measure '" + m.name + "'" + (*tail == 0 ? "" : ": its " + std::string(tail + 1)) +
                " is " + (std::isnan(value) ? "not a number" : "infinite") +
                " at t = " + number_text(t) + " s" +
                (bad > 1 ? " and in " + std::to_string(bad - 1) + " more samples" : std::string()) +
                "; its expression divides by zero or leaves the range of a function");
            break;
        }
}

}  // namespace pawl
