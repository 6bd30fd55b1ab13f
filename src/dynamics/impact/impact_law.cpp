#include "dynamics/impact/impact_law.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/tolerances.h"

namespace pawl {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double infinite = std::numeric_limits<double>::infinity();
using tolerance::impact_rounding;
// Slip and spin can each stop once and turn once; with a slip that stops again while the spin
// turns this stays below ten.
constexpr int max_phases = 32;

int sign(double x) { return (x > 0) - (x < 0); }

// Impulses per normal impulse and how velocities change with it.
struct Direction {
    int slip = 0, spin = 0;
    Vector3d ratio{1, 0, 0}, rate{0, 0, 0};
};

class Friction {
public:
    Friction(const Matrix3d& a, const Vector3d& before, const ImpactLaw& law)
        : a_(a),
          given_spin_(law.rolling_rule == RollingRule::before),
          first_spin_(sign(before[rolling_row])),
          moving_(0, law.friction, law.rolling),
          holding_(0, std::max(law.friction, law.static_friction), law.rolling) {
        for (int i = 0; i < 3; ++i) scale_[i] = std::sqrt(a(0, 0) * a(i, i));
    }

    // What moves is opposed by its friction. What rests stays at rest if friction can hold it,
    // else it moves in the direction which that friction opposes. Of the nine cases of slip and
    // spin the first that contradicts itself least is taken; those at rest come first.
    [[nodiscard]] Direction direction(const Vector3d& u) const {
        Direction best;
        double least = infinite;
        for (const int slip : {0, 1, -1})
            for (const int spin : {0, 1, -1}) {
                if (u[tangent_row] != 0 && slip != sign(u[tangent_row])) continue;
                if (given_spin_ ? spin != first_spin_
                                : u[rolling_row] != 0 && spin != sign(u[rolling_row]))
                    continue;
                const Direction d = with(slip, spin);
                const double wrong = std::max(impact_rounding, contradiction(d, u));
                if (wrong < least) {
                    least = wrong;
                    best = d;
                }
            }
        for (int i = 0; i < 3; ++i)
            if (std::abs(best.rate[i]) <= impact_rounding * scale_[i]) best.rate[i] = 0;
        return best;
    }
    [[nodiscard]] double scale(int row) const { return scale_[row]; }

private:
    [[nodiscard]] Direction with(int slip, int spin) const {
        Direction d{slip, spin, {1, -slip * moving_[1], -spin * moving_[2]}, {0, 0, 0}};
        const bool holds_spin = spin == 0 && !given_spin_;
        if (slip == 0 && holds_spin)
            hold_both(d.ratio);
        else if (slip == 0)
            hold(d.ratio, tangent_row);
        else if (holds_spin)
            hold(d.ratio, rolling_row);
        d.rate = a_ * d.ratio;
        return d;
    }
    void hold(Vector3d& ratio, int row) const {
        ratio[row] = 0;
        if (a_(row, row) > 0) ratio[row] = -a_.row(row).dot(ratio) / a_(row, row);
    }
    // Where slip and spin depend on each other (A_tt A_rr = A_tr^2) only the sum k.f of their
    // frictions counts, k = (sqrt(A_tt), +-sqrt(A_rr)): both take the same part of their limits.
    void hold_both(Vector3d& ratio) const {
        const double tt = a_(1, 1), rr = a_(2, 2), tr = a_(1, 2);
        const double det = tt * rr - tr * tr;
        if (det > impact_rounding * tt * rr) {
            ratio[1] = (tr * a_(2, 0) - rr * a_(1, 0)) / det;
            ratio[2] = (tr * a_(1, 0) - tt * a_(2, 0)) / det;
            return;
        }
        const double kt = std::sqrt(tt), kr = (tr < 0 ? -1 : 1) * std::sqrt(rr);
        const double needed = kt > 0 ? -a_(1, 0) / kt : kr != 0 ? -a_(2, 0) / kr : 0.0;
        const double offered = kt * holding_[1] + std::abs(kr) * holding_[2];
        if (offered > 0) {
            ratio[1] = needed * holding_[1] / offered;
            ratio[2] = sign(kr) * needed * holding_[2] / offered;
        }
    }
    // By how much the rates and frictions of what was at rest contradict the assumption.
    [[nodiscard]] double contradiction(const Direction& d, const Vector3d& u) const {
        double worst = 0;
        for (const int i : {tangent_row, rolling_row}) {
            if (u[i] != 0 || !(scale_[i] > 0) || (i == rolling_row && given_spin_)) continue;
            const int moves = i == tangent_row ? d.slip : d.spin;
            const double wrong =
                moves == 0
                    ? std::max(std::abs(d.rate[i]), (std::abs(d.ratio[i]) - holding_[i]) * a_(i, i))
                    : -moves * d.rate[i];
            worst = std::max(worst, wrong / scale_[i]);
        }
        return worst;
    }

    const Matrix3d& a_;
    bool given_spin_;
    int first_spin_;
    Vector3d moving_, holding_, scale_;
};

// With the normal impulse p as clock (Routh): u' = A f, f = (1, -mu sign u_t, -s sign u_r) or what
// holds slip and spin at rest. f is constant in a phase, so u is linear and the works are
// quadratic in p. Compression while u_n < 0, restitution while u_n > 0; the impact ends there when
//   Newton   u_n = -e u_n(0),
//   Poisson  impulse of restitution = e impulse of compression,
//   Stronge  u_n dp of restitution = -e^2 of compression.
// Compression may begin again when the spin turns; impulses and works of all count together.
class Path {
public:
    Path(const Matrix3d& response, const Vector3d& velocity, const ImpactLaw& law)
        : a_(without_dead_rows(response)),
          before_(velocity),
          law_(law),
          friction_(a_, before_, law) {
        result_.velocity = velocity;
    }

    ImpactResult follow() {
        result_.outcome = run();
        if (result_.outcome == ImpactOutcome::solved) restore_slip();
        return result_;
    }
    [[nodiscard]] double first_rate() const { return friction_.direction(before_).rate[0]; }

private:
    ImpactOutcome run() {
        for (int i = 0; i < max_phases; ++i) {
            const Direction d = friction_.direction(result_.velocity);
            note(d);
            const double v = result_.velocity[0];
            const bool compresses = v < 0 || (v == 0 && d.rate[0] < 0);
            const double ending = compresses ? infinite : to_end(d.rate[0]);
            const double step = std::min(ending, to_event(d));
            if (step == infinite) return compresses ? ImpactOutcome::jam : ImpactOutcome::wedged;
            advance(d, step, compresses);
            if (step == ending) return ImpactOutcome::solved;
        }
        return ImpactOutcome::unended;
    }

    void note(const Direction& d) {
        auto& list = result_.phases;
        if (list.empty() || list.back().slip != d.slip || list.back().spin != d.spin)
            list.push_back({result_.impulse[0], d.slip, d.spin});
    }

    // Normal impulse until a velocity is zero.
    [[nodiscard]] double to_event(const Direction& d) const {
        double least = infinite;
        for (int i = 0; i < 3; ++i)
            if (result_.velocity[i] * d.rate[i] < 0)
                least = std::min(least, -result_.velocity[i] / d.rate[i]);
        return least;
    }

    // Normal impulse until the law ends the impact.
    [[nodiscard]] double to_end(double rate) const {
        const double v = result_.velocity[0], e = law_.restitution;
        if (v == 0 && rate == 0) return e > 0 ? infinite : 0;
        if (law_.restitution_law == RestitutionLaw::poisson)
            return std::max(0.0, e * compression_ - restitution_);
        if (law_.restitution_law == RestitutionLaw::newton) {
            const double missing = -e * before_[0] - v;
            return missing <= 0 ? 0 : rate > 0 ? missing / rate : infinite;
        }
        // v x + rate x^2/2 = what is left; the form without cancellation.
        const double left = std::max(0.0, -e * e * compression_work_ - restitution_work_);
        const double root = v * v + 2 * rate * left;
        if (left == 0) return 0;
        return root >= 0 ? 2 * left / (v + std::sqrt(root)) : infinite;
    }

    void advance(const Direction& d, double step, bool compresses) {
        Vector3d& u = result_.velocity;
        const Vector3d start = u;
        u += step * d.rate;
        // A velocity that reaches zero is set to zero, and so is one that reaches zero with it.
        for (int i = 0; i < 3; ++i) {
            const double largest =
                std::max(std::abs(before_[i]), friction_.scale(i) * (result_.impulse[0] + step));
            if (start[i] != 0 && std::abs(u[i]) <= impact_rounding * largest) u[i] = 0;
            if (start[i] * u[i] < 0) u[i] = 0;
        }
        const Vector3d work = 0.5 * step * d.ratio.cwiseProduct(start + u);
        result_.impulse += step * d.ratio;
        result_.work += work;
        (compresses ? compression_ : restitution_) += step;
        (compresses ? compression_work_ : restitution_work_) += work[0];
        if (compresses) result_.compression_impulse = result_.impulse[0];
    }

    // Tangential restitution (Brach): the tangential impulse grows further at a normal velocity
    // kept (Newton) or a normal impulse kept (Poisson, Stronge), at most until
    // |P_t| = mu_s P_n, v_n = 0, or friction has given back all the work it took.
    void restore_slip() {
        const double gain = -law_.tangential_restitution * before_[1];
        if (gain == 0 || result_.phases.back().slip != 0 || !(a_(1, 1) > 0)) return;
        Vector3d p(0, 1, 0);
        if (law_.restitution_law == RestitutionLaw::newton) p[0] = -a_(0, 1) / a_(0, 0);
        Vector3d du = a_ * p;
        if (!(du[1] > impact_rounding * a_(1, 1))) return;
        p *= gain / du[1];
        du *= gain / du[1];
        double part = 1;
        const double limit = std::max(law_.friction, law_.static_friction);
        for (const int side : {1, -1}) {
            const double closing = side * p[1] - limit * p[0];
            const double slack = limit * result_.impulse[0] - side * result_.impulse[1];
            if (closing > 0) part = std::min(part, std::max(0.0, slack) / closing);
        }
        if (law_.restitution_law != RestitutionLaw::newton && du[0] < 0)
            part = std::min(part, -result_.velocity[0] / du[0]);
        part = std::min(part, std::sqrt(std::max(0.0, -2 * result_.work[1] / (p[1] * du[1]))));
        if (!(part > 0)) return;
        result_.phases.push_back({result_.impulse[0], sign(gain), result_.phases.back().spin});
        const Vector3d start = result_.velocity;
        result_.velocity += part * du;
        result_.impulse += part * p;
        result_.work += 0.5 * part * p.cwiseProduct(start + result_.velocity);
    }

    const Matrix3d a_;
    const Vector3d before_;
    const ImpactLaw law_;
    const Friction friction_;
    ImpactResult result_;
    double compression_ = 0, restitution_ = 0;  // normal impulses
    double compression_work_ = 0, restitution_work_ = 0;
};

}  // namespace

Matrix3d without_dead_rows(Matrix3d response) {
    for (int i = 0; i < 3; ++i)
        if (!(response(i, i) > 0)) {
            response.row(i).setZero();
            response.col(i).setZero();
        }
    return response;
}

const ImpactPhase* ImpactResult::reversal(ImpactRow row) const {
    int first = 0;
    for (const ImpactPhase& phase : phases) {
        const int now = row == rolling_row ? phase.spin : phase.slip;
        if (first == 0)
            first = now;
        else if (now == -first)
            return &phase;
    }
    return nullptr;
}

ImpactLaw settled(ImpactLaw law, double normal_velocity) {
    if (law.restitution_at) law.restitution = law.restitution_at(std::max(0.0, -normal_velocity));
    law.restitution_at = nullptr;
    return law;
}

ImpactResult solve_impact(const Matrix3d& response, const Vector3d& velocity,
                          const ImpactLaw& given) {
    const ImpactLaw law = settled(given, velocity[normal_row]);
    if (velocity[normal_row] < 0)
        return law.friction_rule == FrictionRule::separation
                   ? separation_impact(response, velocity, law)
                   : Path(response, velocity, law).follow();
    ImpactResult result;
    result.velocity = velocity;
    return result;
}

bool is_self_locking(const Matrix3d& response, const Vector3d& velocity, const ImpactLaw& law) {
    return Path(response, velocity, law).first_rate() < 0;
}

ImpactResult tangential_impact(const Matrix3d& response, const Vector3d& velocity,
                               const ImpactLaw& law) {
    Vector3d closed = velocity;
    closed[normal_row] = 0;
    Path path(response, closed, law);
    if (path.first_rate() < 0) return path.follow();
    ImpactResult result;
    result.velocity = closed;
    return result;
}

}  // namespace pawl
