#include "equations/equations.h"

#include <algorithm>
#include <cmath>

namespace pawl {

double Equations::residual() const {
    double largest = 0;
    for (const double phi : phi_) {
        if (!std::isfinite(phi)) return INFINITY;
        largest = std::max(largest, std::abs(phi));
    }
    return largest;
}

double FrictionPoint::factor(double mu) const {
    return lever * (circle ? mu / std::sqrt(1 + mu * mu) : mu);
}

double FrictionPoint::limit_sliding(double slip) const {
    if (law) return factor(std::max(0.0, law->at(speed(slip))));
    if (!(stribeck > 0)) return factor(kinetic);
    const double part = speed(slip) / stribeck;
    return factor(kinetic + (holding - kinetic) * std::exp(-part * part));
}

double FrictionPoint::way(double slip) const {
    return smooth > 0 ? std::tanh(speed(slip) / smooth) : direction;
}

double FrictionPoint::load(std::span<const double> all) const {
    const double* l = all.data() + first_load;
    if (kind == Load::contact) return l[0];
    if (kind == Load::vector) return std::hypot(l[0], l[1]);
    return loads == 2 ? std::abs(l[0]) + std::abs(l[1]) : std::abs(l[0]);
}

double FrictionPoint::load_slope(std::span<const double> all, int i) const {
    const double* l = all.data() + first_load;
    if (kind == Load::contact) return 1;
    if (kind == Load::each) return l[i] < 0 ? -1 : 1;
    const double size = std::hypot(l[0], l[1]);
    return size > 0 ? l[i] / size : 0;
}

double Equations::slip(int point, std::span<const double> v) const {
    double sum = 0;
    for (int i = slip_pattern_.start[point]; i < slip_pattern_.start[point + 1]; ++i)
        sum += slip_rows_[i] * v[slip_pattern_.column[i]];
    return sum;
}

void Equations::add_friction(std::span<const double> v, std::span<const double> friction) {
    for (std::size_t k = 0; k < friction_.size(); ++k) {
        if (friction_[k].direction == 0) continue;
        for (int i = slip_pattern_.start[k]; i < slip_pattern_.start[k + 1]; ++i)
            force_[slip_pattern_.column[i]] += friction[k] * slip_rows_[i];
        state_rates_[friction_[k].ledger] += friction[k] * slip(static_cast<int>(k), v);
    }
}

}  // namespace pawl
