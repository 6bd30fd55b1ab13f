#include "dynamics/impact/impact_system.h"

#include <algorithm>
#include <cmath>

#include "dynamics/contact/complementarity.h"
#include "math/roots.h"
#include "math/tolerances/solving.h"

namespace pawl {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int max_blows = 10000;

int fastest_approach(const ImpactSystem& system, const VectorXd& velocity) {
    int fastest = -1;
    double least = -system.still;
    for (int k = 0; k < static_cast<int>(system.laws.size()); ++k)
        if (velocity[3 * k] < least) {
            least = velocity[3 * k];
            fastest = k;
        }
    return fastest;
}

// Those that approach as fast as one of them, but for rounding.
std::vector<int> equally_fast(const ImpactSystem& system, const VectorXd& velocity, int fastest) {
    constexpr double equal = tolerance::same_impulse;
    std::vector<int> contacts;
    for (int k = 0; k < static_cast<int>(system.laws.size()); ++k)
        if (velocity[3 * k] <= (1 - equal) * velocity[3 * fastest]) contacts.push_back(k);
    return contacts;
}

// A row with friction: |P_row| <= limit P_n of its contact.
struct FrictionRow {
    int contact, row;
    double moving, holding, back;  // limits per normal impulse; tangential restitution
    bool moves = false;
    [[nodiscard]] double limit() const { return moves ? moving : holding; }
};

// One problem for impulses P = (imposed + x, b+ - b-) and velocities u+ = u + A P:
//   u+_n + e u_n >= 0           x  >= 0     each pair complementary; e only where u_n < 0
//   c +- (u+_t + e_t u_t) >= 0  b+- >= 0
//   limit P_n - b+ - b- >= 0    c  >= 0
// so that c = |u+_t + e_t u_t|, and friction has its limit where this is not zero (Stewart and
// Trinkle 1996). The matrix is copositive for limits >= 0: Lemke's method ends with a solution
// unless the contacts cannot yield, or Newton's law asks for rebounds that contradict each other
// where rows depend on each other.
class Blow {
public:
    Blow(const ImpactSystem& system, bool with_restitution)
        : a_(system.response), n_(static_cast<int>(system.laws.size())), still_(system.still) {
        for (int k = 0; k < n_; ++k) {
            const ImpactLaw& law = system.laws[k];
            const double holding = std::max(law.friction, law.static_friction);
            const double back = with_restitution ? law.tangential_restitution : 0;
            back_.push_back(with_restitution ? law.restitution : 0);
            if (holding > 0) rows_.push_back({k, 3 * k + 1, law.friction, holding, back});
            if (law.rolling > 0) rows_.push_back({k, 3 * k + 2, law.rolling, law.rolling, 0});
        }
    }

    // `imposed`: the least normal impulse of each contact. The impulses, added to `result`.
    ComplementarityOutcome strike(const VectorXd& imposed, ImpactSystemResult& result) {
        for (FrictionRow& row : rows_) row.moves = false;
        VectorXd p;
        for (;;) {
            const auto outcome = solve(imposed, result.velocity, p);
            if (outcome != ComplementarityOutcome::solved) return outcome;
            if (!release(result.velocity, p)) break;
        }
        const VectorXd after = result.velocity + a_ * p;
        result.work += 0.5 * p.cwiseProduct(result.velocity + after);
        result.impulse += p;
        result.velocity = after;
        return ComplementarityOutcome::solved;
    }

private:
    ComplementarityOutcome solve(const VectorXd& imposed, const VectorXd& u, VectorXd& p) const {
        const int f = static_cast<int>(rows_.size()), impulses = n_ + 2 * f;
        // P = spread x + imposed, and the same rows read the velocities.
        MatrixXd spread = MatrixXd::Zero(3 * n_, impulses);
        VectorXd given = VectorXd::Zero(3 * n_), b = VectorXd::Zero(impulses + f), z;
        for (int k = 0; k < n_; ++k) {
            spread(3 * k, k) = 1;
            given[3 * k] = imposed[k];
        }
        for (int i = 0; i < f; ++i) {
            spread(rows_[i].row, n_ + 2 * i) = 1;
            spread(rows_[i].row, n_ + 2 * i + 1) = -1;
        }
        MatrixXd m = MatrixXd::Zero(impulses + f, impulses + f);
        m.topLeftCorner(impulses, impulses) = spread.transpose() * a_ * spread;
        VectorXd start = u;
        for (int k = 0; k < n_; ++k) {
            if (std::abs(u[3 * k]) <= still_) start[3 * k] = std::max(0.0, u[3 * k]);
            start[3 * k] -= back_[k] * std::max(0.0, -start[3 * k]);
        }
        for (const FrictionRow& row : rows_) start[row.row] *= 1 + row.back;
        b.head(impulses) = spread.transpose() * (start + a_ * given);
        for (int i = 0; i < f; ++i) {
            const int plus = n_ + 2 * i, minus = plus + 1, speed = impulses + i;
            m(plus, speed) = m(minus, speed) = 1;
            m(speed, rows_[i].contact) = rows_[i].limit();
            m(speed, plus) = m(speed, minus) = -1;
            b[speed] = rows_[i].limit() * imposed[rows_[i].contact];
        }
        const auto outcome = solve_complementarity(m, b, z);
        p = given + spread * z.head(impulses);
        return outcome;
    }

    // Lets the rows slip that static friction does not hold. Returns true if there are any.
    bool release(const VectorXd& u, const VectorXd& p) {
        const VectorXd after = u + a_ * p;
        bool any = false;
        for (FrictionRow& row : rows_) {
            if (row.moves || row.moving == row.holding) continue;
            const double slip = std::abs(after[row.row] + row.back * u[row.row]);
            const double size = std::abs(u[row.row]) + a_.row(row.row).cwiseAbs() * p.cwiseAbs();
            // Thousands of roundings in the pivots.
            if (slip <= tolerance::slip_at_rest * size) continue;
            row.moves = any = true;
        }
        return any;
    }

    const MatrixXd& a_;
    int n_;
    double still_;
    std::vector<double> back_;
    std::vector<FrictionRow> rows_;
};

ImpactOutcome outcome_of(ComplementarityOutcome outcome) {
    switch (outcome) {
        case ComplementarityOutcome::solved:
            return ImpactOutcome::solved;
        case ComplementarityOutcome::ray:
            return ImpactOutcome::jam;
        case ComplementarityOutcome::unended:
            break;
    }
    return ImpactOutcome::unended;
}

}  // namespace

ImpactSystem part_of(const ImpactSystem& system, const VectorXd& velocity,
                     const std::vector<int>& contacts) {
    std::vector<int> rows;
    ImpactSystem part;
    for (const int k : contacts) {
        rows.insert(rows.end(), {3 * k, 3 * k + 1, 3 * k + 2});
        part.laws.push_back(system.laws[static_cast<std::size_t>(k)]);
    }
    part.response = system.response(rows, rows);
    part.velocity = velocity(rows);
    part.still = system.still;
    return part;
}

ImpactSystemResult untouched(const ImpactSystem& system) {
    ImpactSystemResult result;
    result.velocity = system.velocity;
    result.impulse = result.work = VectorXd::Zero(system.velocity.size());
    return result;
}

namespace {

// Contacts struck together within a sequence. False where their laws have no common impact.
bool strike_together(const ImpactSystem& system, const std::vector<int>& contacts,
                     ImpactSystemResult& result) {
    const ImpactSystemResult all = solve_simultaneous(part_of(system, result.velocity, contacts));
    if (all.outcome != ImpactOutcome::solved) return false;
    result.outcome = all.outcome;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const int own = 3 * static_cast<int>(i), k = contacts[i];
        SingleImpact one{k, {}};
        one.result.outcome = all.outcome;
        one.result.impulse = all.impulse.segment<3>(own);
        one.result.velocity = all.velocity.segment<3>(own);
        one.result.work = all.work.segment<3>(own);
        result.impulse.segment<3>(3 * k) += one.result.impulse;
        result.work.segment<3>(3 * k) += one.result.work;
        result.velocity += system.response.middleCols<3>(3 * k) * one.result.impulse;
        result.sequence.push_back(std::move(one));
    }
    for (std::size_t i = 0; i < contacts.size(); ++i)
        result.velocity.segment<3>(3 * contacts[i]) =
            all.velocity.segment<3>(3 * static_cast<int>(i));
    return true;
}

}  // namespace

ImpactSystemResult solve_sequential(const ImpactSystem& system) {
    ImpactSystemResult result = untouched(system);
    for (result.blows = 0; result.blows < max_blows; ++result.blows) {
        const int k = fastest_approach(system, result.velocity);
        if (k < 0) return result;
        const std::vector<int> tied = equally_fast(system, result.velocity, k);
        if (tied.size() > 1 && strike_together(system, tied, result)) continue;
        ImpactResult one = solve_impact(system.response.block<3, 3>(3 * k, 3 * k),
                                        result.velocity.segment<3>(3 * k), system.laws[k]);
        result.outcome = one.outcome;
        if (one.outcome != ImpactOutcome::solved && one.outcome != ImpactOutcome::wedged) {
            result.culprit = k;
            return result;
        }
        result.impulse.segment<3>(3 * k) += one.impulse;
        result.work.segment<3>(3 * k) += one.work;
        result.velocity += system.response.middleCols<3>(3 * k) * one.impulse;
        // Without the roundings of the sum: a contact at rest stays at rest.
        result.velocity.segment<3>(3 * k) = one.velocity;
        result.sequence.push_back({k, std::move(one)});
    }
    result.outcome = ImpactOutcome::unended;
    return result;
}

namespace {

// With these fractions of the restitution of each contact.
ImpactSystemResult strike_at_once(const ImpactSystem& given, double part) {
    ImpactSystem system = given;
    for (ImpactLaw& law : system.laws) {
        law.restitution *= part;
        law.tangential_restitution *= part;
    }
    ImpactSystemResult result = untouched(system);
    result.part_of_restitution = part;
    const bool newton = system.laws[0].restitution_law == RestitutionLaw::newton;
    Blow blow(system, newton);
    const int n = static_cast<int>(system.laws.size());
    result.outcome = outcome_of(blow.strike(VectorXd::Zero(n), result));
    if (result.outcome != ImpactOutcome::solved || newton) return result;
    VectorXd imposed(n);
    for (int k = 0; k < n; ++k) imposed[k] = system.laws[k].restitution * result.impulse[3 * k];
    result.outcome = outcome_of(blow.strike(imposed, result));
    return result;
}

}  // namespace

bool adds_energy(const VectorXd& work) {
    return work.sum() > tolerance::energy_rounding * work.cwiseAbs().sum();
}

double largest_part(const std::function<bool(double part)>& fits) {
    if (!fits(0)) return 0;
    return bisect(0, 1, 50, fits).low;
}

ImpactSystemResult solve_simultaneous(const ImpactSystem& given) {
    ImpactSystem system = given;
    for (std::size_t k = 0; k < system.laws.size(); ++k)
        system.laws[k] =
            settled(std::move(system.laws[k]), system.velocity[3 * static_cast<int>(k)]);
    ImpactSystemResult result = untouched(system);
    if (fastest_approach(system, system.velocity) < 0) return result;
    const RestitutionLaw law = system.laws[0].restitution_law;
    for (const ImpactLaw& one : system.laws)
        if (one.restitution_law != law) {
            result.outcome = ImpactOutcome::refused;
            return result;
        }
    if (law == RestitutionLaw::stronge) return solve_stiff(system);
    result = strike_at_once(system, 1);
    if (result.outcome != ImpactOutcome::solved || !adds_energy(result.work)) return result;
    ImpactSystemResult kept = result;
    largest_part([&](double part) {
        ImpactSystemResult tried = strike_at_once(system, part);
        const bool fits = tried.outcome == ImpactOutcome::solved && !adds_energy(tried.work);
        if (fits) kept = std::move(tried);
        return fits;
    });
    return kept;
}

}  // namespace pawl
