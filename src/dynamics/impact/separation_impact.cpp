// The rule of separation: friction of the whole impact opposes the slip after it.
#include <cmath>
#include <utility>

#include "dynamics/impact/impact_law.h"
#include "math/tolerances.h"

namespace pawl {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Separation rule: u+ = u + A P, u+_n = -e u_n, and of slip and of spin either
//   it sticks: u+ = -e_t u and |P| <= limit P_n, or
//   P = -sign(u+ + e_t u) limit P_n.
// (e_t = 0 for the spin.) Nine linear problems; the first without contradiction counts. With slip
// or spin alone there is only one: the velocity after grows with the ratio P/P_n.
class Separation {
public:
    Separation(const Matrix3d& response, const Vector3d& velocity, const ImpactLaw& law)
        : a_(without_dead_rows(response)),
          before_(velocity),
          given_spin_(law.rolling_rule == RollingRule::before),
          back_(law.restitution, law.tangential_restitution, 0),
          moving_(0, law.friction, law.rolling),
          holding_(0, std::max(law.friction, law.static_friction), law.rolling) {}

    [[nodiscard]] ImpactResult solve() const {
        ImpactResult result;
        result.outcome = ImpactOutcome::jam;
        result.velocity = before_;
        const int first_spin = (before_[rolling_row] > 0) - (before_[rolling_row] < 0);
        for (const int slip : {0, 1, -1})
            for (const int spin : {0, 1, -1}) {
                if (given_spin_ && spin != first_spin) continue;
                const Vector3d p = impulse(slip, spin);
                if (contradicts(p, slip, spin)) continue;
                result.outcome = ImpactOutcome::solved;
                result.impulse = p;
                result.velocity += a_ * p;
                result.work = 0.5 * p.cwiseProduct(before_ + result.velocity);
                result.phases = {{0, slip, spin}};
                result.compression_impulse = p[0] / (1 + back_[0]);
                return result;
            }
        return result;
    }

private:
    [[nodiscard]] Vector3d impulse(int slip, int spin) const {
        Matrix3d m = a_;
        Vector3d columns, rows;  // in units in which every own response is 1
        for (int i = 0; i < 3; ++i)
            columns[i] = rows[i] = a_(i, i) > 0 ? 1 / std::sqrt(a_(i, i)) : 1;
        Vector3d b = -(before_ + back_.cwiseProduct(before_));
        for (const auto& [row, moves] : {std::pair{1, slip}, {2, spin}}) {
            if (moves == 0 && a_(row, row) > 0 && !(row == rolling_row && given_spin_)) continue;
            m.row(row) = Vector3d::Unit(row).transpose();
            m(row, 0) = moves * moving_[row];
            rows[row] = 1 / columns[row];
            b[row] = 0;
        }
        Eigen::FullPivLU<Matrix3d> lu(rows.asDiagonal() * m * columns.asDiagonal());
        lu.setThreshold(tolerance::impact_rounding);
        return columns.cwiseProduct(lu.solve(rows.cwiseProduct(b)));
    }
    [[nodiscard]] bool contradicts(const Vector3d& p, int slip, int spin) const {
        if (!p.allFinite() || !(p[0] > 0)) return true;
        const Vector3d rest = before_ + a_ * p + back_.cwiseProduct(before_);
        for (const auto& [row, moves] : {std::pair{0, 0}, {1, slip}, {2, spin}}) {
            if (row == rolling_row && given_spin_) continue;
            const double small =
                tolerance::impact_rounding *
                (std::abs(before_[row]) + std::sqrt(a_(0, 0) * a_(row, row)) * p[0]);
            const bool gives_way = a_(row, row) > 0;
            if (moves == 0 && std::abs(rest[row]) > small) return true;
            if (moves == 0 && row > 0 && gives_way &&
                (std::abs(p[row]) - holding_[row] * p[0]) * a_(row, row) > small)
                return true;
            if (moves * rest[row] < -small) return true;
        }
        return false;
    }

    const Matrix3d a_;
    const Vector3d before_;
    const bool given_spin_;
    const Vector3d back_, moving_, holding_;
};

}  // namespace

ImpactResult separation_impact(const Matrix3d& response, const Vector3d& velocity,
                               const ImpactLaw& law) {
    return Separation(response, velocity, law).solve();
}

}  // namespace pawl
