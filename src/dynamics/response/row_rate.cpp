#include "dynamics/response/row_rate.h"

#include <algorithm>
#include <cmath>

namespace pawl {

RowRate::RowRate(Equations& equations)
    : equations_(equations),
      v_(equations.size()),
      trial_(equations.size()),
      rate_(equations.pattern().rows()) {}

void RowRate::set_velocity(std::span<const double> v) {
    equations_.set_velocity(v);
    double largest = 0;
    for (const double gamma : equations_.gamma()) largest = std::max(largest, std::abs(gamma));
    speed_ = std::sqrt(largest * equations_.model_size());
    for (int c = 0; c < equations_.size(); ++c) {
        v_[c] = v[c];
        speed_ = std::max(speed_, std::abs(v[c]) * equations_.column_scale()[c]);
    }
    if (!(speed_ > 0)) speed_ = equations_.model_size();
}

// gamma(v) = -phi_qq[v, v] - 2 phi_qt v - phi_tt and G' w = phi_qq[v, w] + phi_qt w with a
// symmetric form phi_qq, so
//   G' w = (gamma(v - w) - gamma(v + w)) / 4,
// exactly, whatever the size of w. Rounding is least when w is stretched to the speed of v; where v
// is slow and the rows are driven, to the speed that belongs to gamma.
std::span<const double> RowRate::along(std::span<const double> w) {
    double length = 0;
    for (int c = 0; c < equations_.size(); ++c)
        length = std::max(length, std::abs(w[c]) * equations_.column_scale()[c]);
    if (!(length > 0)) {
        std::fill(rate_.begin(), rate_.end(), 0.0);
        return rate_;
    }
    const double stretch = speed_ / length;
    for (int c = 0; c < equations_.size(); ++c) trial_[c] = v_[c] - stretch * w[c];
    equations_.set_velocity(trial_);
    std::copy(equations_.gamma().begin(), equations_.gamma().end(), rate_.begin());
    for (int c = 0; c < equations_.size(); ++c) trial_[c] = v_[c] + stretch * w[c];
    equations_.set_velocity(trial_);
    for (std::size_t r = 0; r < rate_.size(); ++r)
        rate_[r] = (rate_[r] - equations_.gamma()[r]) / (4 * stretch);
    return rate_;
}

}  // namespace pawl
