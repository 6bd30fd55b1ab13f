// Collisions of several contact points by Stronge's law: the limit of equal springs of the contacts
// that become infinitely stiff. A spring is loaded along f = d and unloaded, or loaded again below
// its largest force, along a line steeper by 1/e^2, so that it gives back e^2 of the work it has
// taken, which is Stronge's law for one contact alone. The positions stand still meanwhile: u' = A
// f in a time scaled with the root of the stiffness. Friction and rolling act at each instant by
// Coulomb's law (Routh).
#include <algorithm>
#include <cmath>

#include "dynamics/impact/impact_system.h"
#include "math/tolerances/solving.h"

namespace pawl {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class StiffContacts {
public:
    explicit StiffContacts(const ImpactSystem& system)
        : a_(system.response), laws_(system.laws), still_(system.still), springs_(laws_.size()) {
        for (std::size_t k = 0; k < laws_.size(); ++k) {
            const int row = 3 * static_cast<int>(k);
            for (std::size_t j = 0; j < laws_.size(); ++j)
                springs_[k].answer += std::abs(a_(row, 3 * static_cast<int>(j)));
            const double e = laws_[k].restitution;
            springs_[k].steeper = e > 0 ? 1 / (e * e) : INFINITY;
        }
    }

    ImpactOutcome run(ImpactSystemResult& result) {
        constexpr int max_steps = 2000000;
        p_ = VectorXd::Zero(result.velocity.size());
        for (int i = 0; i < max_steps; ++i) {
            if (is_over(result.velocity)) return ImpactOutcome::solved;
            if (!step(result)) return ImpactOutcome::unended;
        }
        return ImpactOutcome::unended;
    }

private:
    struct Spring {
        double answer = 0;  // of the velocities to its force: bounds the square of a frequency
        double steeper = 1;
        double force = 0, largest = 0;
        double gap = 0;  // after it was released
    };

    [[nodiscard]] bool is_over(const VectorXd& u) const {
        for (std::size_t k = 0; k < springs_.size(); ++k)
            if (springs_[k].force > 0 || u[3 * static_cast<int>(k)] < -still_) return false;
        return true;
    }

    // The length of a step: a small fraction of the shortest current period. A spring that is about
    // to reverse already has its steep characteristic.
    void set_time(const VectorXd& u) {
        constexpr double steps_per_swing = 20000;
        const auto time = [](double square) {
            return 2 * M_PI / (steps_per_swing * std::sqrt(square));
        };
        double slow = 0, fast = 0;
        for (const Spring& s : springs_) slow = std::max(slow, s.answer);
        for (std::size_t k = 0; k < springs_.size(); ++k) {
            const Spring& s = springs_[k];
            const int row = 3 * static_cast<int>(k);
            double soon = u[row];
            for (std::size_t j = 0; j < springs_.size(); ++j)
                soon += time(slow) * a_(row, 3 * static_cast<int>(j)) * springs_[j].force;
            const bool loads = u[row] < 0 && soon < 0 && !(s.force < s.largest);
            fast = std::max(fast, s.answer * (loads || !std::isfinite(s.steeper) ? 1 : s.steeper));
        }
        h_ = time(fast);
    }

    // Both ends of a step have equal weight, so that oscillations lose no energy. The impulses are
    // iterated row by row until they converge.
    bool step(ImpactSystemResult& result) {
        constexpr int max_passes = 500;
        constexpr double stands = tolerance::standing;
        VectorXd& u = result.velocity;
        set_time(u);
        VectorXd after = u + a_ * p_;  // the impulses of the step before are a good guess
        for (int pass = 0; pass < max_passes; ++pass) {
            double change = 0, size = 0;
            const auto put = [&](int row, double impulse) {
                const double more = impulse - p_[row];
                p_[row] = impulse;
                if (more != 0) after += more * a_.col(row);
                change = std::max(change, std::abs(more) * a_(row, row));
                size = std::max(size, std::abs(after[row]) + std::abs(u[row]));
            };
            for (std::size_t k = 0; k < springs_.size(); ++k) {
                const int row = 3 * static_cast<int>(k);
                if (!(a_(row, row) > 0)) return false;
                put(row, normal_impulse(springs_[k], u[row], after[row] - a_(row, row) * p_[row],
                                        a_(row, row)));
                const double limits[] = {laws_[k].friction, laws_[k].rolling};
                for (const int i : {1, 2}) {
                    const double own = a_(row + i, row + i), limit = limits[i - 1] * p_[row];
                    if (!(own > 0)) continue;
                    put(row + i, std::clamp(p_[row + i] - after[row + i] / own, -limit, limit));
                }
            }
            if (change <= stands * size) break;
        }
        for (std::size_t k = 0; k < springs_.size(); ++k) {
            const int row = 3 * static_cast<int>(k);
            move(springs_[k], -0.5 * h_ * (u[row] + after[row]), p_[row]);
        }
        result.work += 0.5 * p_.cwiseProduct(u + after);
        result.impulse += p_;
        u = after;
        return after.allFinite();
    }

    // p = h/2 (f0 + f1(d)), d = -h/2 (u0 + u1) - gap, u1 = u_rest + a p: f1 rises with d in three
    // straight pieces.
    [[nodiscard]] double normal_impulse(const Spring& s, double u0, double u_rest, double a) const {
        const double half = 0.5 * h_, d0 = -half * (u0 + u_rest) - s.gap, slope = half * a;
        const double room = std::isfinite(s.steeper) ? (s.largest - s.force) / s.steeper : 0;
        // Beyond its largest force so far.
        const double more = half * (s.force + s.largest + d0 - room) / (1 + half * slope);
        const bool loads = d0 - slope * more >= room && more >= 0;
        // Without restitution the spring does not rebound: it behaves as a rigid contact up to the
        // largest force so far, and is released at once.
        if (!std::isfinite(s.steeper))
            return std::clamp(-u_rest / a, 0.0, loads ? more : half * (s.force + s.largest));
        if (loads) return more;
        const double p = half * (2 * s.force + s.steeper * d0) / (1 + s.steeper * half * slope);
        return std::max(p, half * s.force);
    }

    void move(Spring& s, double way, double impulse) const {
        const double force = std::max(0.0, 2 * impulse / h_ - s.force);
        const bool off = !(force > tolerance::springless * s.largest);
        const double back = std::isfinite(s.steeper) ? s.force / s.steeper : 0;
        s.gap = off ? std::max(0.0, s.gap - way - back) : 0;
        s.force = off ? 0 : force;
        s.largest = std::max(s.largest, s.force);
    }

    const MatrixXd& a_;
    const std::vector<ImpactLaw>& laws_;
    double still_, h_ = 0;
    std::vector<Spring> springs_;
    VectorXd p_;
};

}  // namespace

ImpactSystemResult solve_stiff(const ImpactSystem& system) {
    ImpactSystemResult result = untouched(system);
    result.outcome = StiffContacts(system).run(result);
    return result;
}

}  // namespace pawl
