// The hops that are left are so short that responses W, accelerations b and directions of the rows
// stay as they are. Then velocities u and gaps g follow a map that scales with itself: flights
// g + u T + a T^2/2 = 0, in which what is closed holds (u+ = u + b T + W P, plastic), and impacts
// by the laws of the contacts. It is iterated until the speeds are a small part of the first: with
// the ratio r of a cycle, its largest eigenvalue, after log(small)/log(r) cycles.
#include "dynamics/impact/impact_limit.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances/solving.h"

namespace pawl {

namespace {

using Eigen::VectorXd;

constexpr double rest =
    tolerance::limit_rest;  // of the first speed: times are then known to this part of the rest
constexpr int max_cycles = 5000;

// The time at which an open or opening gap closes; infinite if it does not.
double closing_time(double gap, double rate, double acceleration) {
    const double d = rate * rate - 2 * acceleration * gap;
    if (rate < 0) return d < 0 ? INFINITY : 2 * gap / (std::sqrt(d) - rate);
    return acceleration < 0 ? (rate + std::sqrt(d)) / -acceleration : INFINITY;
}

// Bodies that fall side by side have rounding for an acceleration of their gap.
VectorXd without_rounding(VectorXd acceleration) {
    const double largest = acceleration.lpNorm<Eigen::Infinity>();
    for (double& a : acceleration)
        if (std::abs(a) < tolerance::limit_rounding * largest) a = 0;
    return acceleration;
}

class ReturnMap {
public:
    ReturnMap(const ImpactSystem& system, const VectorXd& acceleration, VectorXd gap,
              bool sequential)
        : system_(system),
          b_(without_rounding(acceleration)),
          gap_(std::move(gap)),
          u_(system.velocity),
          n_(static_cast<int>(system.laws.size())),
          sequential_(sequential) {
        first_ = fastest();
    }

    // The largest speed of a contact that hops.
    [[nodiscard]] double fastest() const {
        double speed = 0;
        for (int i = 0; i < n_; ++i) speed = std::max(speed, std::abs(u_[3 * i]));
        return speed;
    }

    std::optional<ImpactLimit> follow() {
        ImpactLimit limit;
        limit.rest.assign(static_cast<std::size_t>(n_), 0);
        limit.impacts.assign(static_cast<std::size_t>(n_), 0);
        for (int k = 0;; ++k) {
            const double flight = next_impact();
            if (!std::isfinite(flight)) break;
            if (k == max_cycles) return std::nullopt;
            t_ += flight;
            move(flight);
            std::vector<int> touching, struck;
            for (int i = 0; i < n_; ++i) {
                if (gap_[i] > 0) continue;
                touching.push_back(i);
                if (u_[3 * i] < -rest * first_) struck.push_back(i);
            }
            if (!struck.empty() && !strike(touching, true)) return std::nullopt;
            for (const int i : struck) {
                limit.rest[static_cast<std::size_t>(i)] = t_;
                ++limit.impacts[static_cast<std::size_t>(i)];
            }
        }
        limit.velocity = u_;
        return limit;
    }

private:
    [[nodiscard]] bool hops(int i) const {
        return gap_[i] > 0 || std::abs(u_[3 * i]) > rest * first_;
    }

    [[nodiscard]] std::vector<int> closed() const {
        std::vector<int> closed;
        for (int i = 0; i < n_; ++i)
            if (!(gap_[i] > 0) && !(u_[3 * i] > rest * first_)) closed.push_back(i);
        return closed;
    }

    // Velocities after a flight of this duration, during which closed contacts stay closed.
    [[nodiscard]] VectorXd after(double time) {
        const VectorXd before = u_;
        const std::vector<int> holding = closed();
        u_ += time * b_;
        if (!holding.empty()) strike(holding, false);
        VectorXd found = u_;
        u_ = before;
        return found;
    }

    // What the rows have on average over such a flight.
    [[nodiscard]] VectorXd acceleration(double time) {
        return closed().empty() ? b_ : without_rounding((after(time) - u_) / time);
    }

    // What hops falls on what is closed: by how things move now it is known how long a flight may
    // last, and by the mean over that when the first one ends.
    double next_impact() {
        const double largest = b_.lpNorm<Eigen::Infinity>(), speed = fastest();
        if (!(speed > 0)) return INFINITY;
        const VectorXd now = acceleration(largest > 0 ? speed / largest : 1);
        double longest = 0;
        for (int i = 0; i < n_; ++i)
            if (hops(i))
                if (const double t = closing_time(gap_[i], u_[3 * i], now[3 * i]); std::isfinite(t))
                    longest = std::max(longest, t);
        if (!(longest > 0)) return INFINITY;
        const VectorXd mean = acceleration(longest);
        double first = INFINITY;
        for (int i = 0; i < n_; ++i)
            if (hops(i)) first = std::min(first, closing_time(gap_[i], u_[3 * i], mean[3 * i]));
        return first;
    }

    void move(double time) {
        const VectorXd next = after(time);
        for (int i = 0; i < n_; ++i) {
            const double way = 0.5 * time * (u_[3 * i] + next[3 * i]);
            // What is left of a gap that has closed is rounding.
            if (!hops(i)) continue;
            const double size = gap_[i] + time * (std::abs(u_[3 * i]) + std::abs(next[3 * i]));
            gap_[i] += way;
            if (gap_[i] < tolerance::limit_gap * size) gap_[i] = 0;
        }
        u_ = next;
    }

    bool strike(const std::vector<int>& contacts, bool rebounds) {
        ImpactSystem part = part_of(system_, u_, contacts);
        for (ImpactLaw& law : part.laws) {
            if (rebounds) continue;
            law.restitution = law.tangential_restitution = 0;
            law.restitution_law = RestitutionLaw::newton;
        }
        std::vector<int> rows;
        for (const int i : contacts) rows.insert(rows.end(), {3 * i, 3 * i + 1, 3 * i + 2});
        part.still = 1e-3 * rest * first_;
        ImpactSystemResult found = contacts.size() == 1 || (sequential_ && rebounds)
                                       ? solve_sequential(part)
                                       : solve_simultaneous(part);
        if (found.outcome == ImpactOutcome::refused) found = solve_sequential(part);
        if (found.outcome == ImpactOutcome::none) return true;
        if (found.outcome != ImpactOutcome::solved && found.outcome != ImpactOutcome::wedged)
            return false;
        VectorXd impulse = VectorXd::Zero(u_.size());
        impulse(rows) = found.impulse;
        u_ += system_.response * impulse;
        u_(rows) = found.velocity;
        return true;
    }

    const ImpactSystem& system_;
    VectorXd b_, gap_, u_;
    int n_;
    bool sequential_;
    double first_ = 0, t_ = 0;
};

}  // namespace

std::optional<ImpactLimit> impact_limit(const ImpactSystem& system, const VectorXd& acceleration,
                                        VectorXd gap, bool sequential) {
    ReturnMap map(system, acceleration, std::move(gap), sequential);
    return map.fastest() > 0 ? map.follow() : std::nullopt;
}

}  // namespace pawl
