#include "simulation/equilibrium/equilibrium.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "math/tolerances/motion.h"
#include "math/tolerances/records.h"
#include "results/text.h"

namespace pawl {

namespace {

using Vector = Eigen::VectorXd;

// Whether there are contacts that open and close.
bool may_touch(const PlanarMechanism& mechanism) {
    return std::any_of(mechanism.contacts.begin(), mechanism.contacts.end(),
                       [](const auto& pair) { return pair.profile_a >= 0 && !pair.permanent; });
}

void explain(EquilibriumResult& result, EquilibriumSystem& balance,
             const PlanarMechanism& mechanism, const Vector& from, double t) {
    const std::string when = " at t = " + number_text(t) + " s";
    const Vector moved = balance.y() - from;
    const std::string who = moved.size() > 0 ? balance.leading_coordinate(moved) : "";
    switch (result.status) {
        case EquilibriumStatus::runs_away:
            result.message =
                "no equilibrium" + when + ": nothing balances the forces along '" + who +
                "', which moves away without bound when released; " +
                (may_touch(mechanism) ? "contacts are left out here: if one of them is to hold it, "
                                        "use `pawl statics MODEL --along`; otherwise "
                                      : "") +
                "add a spring or a driver that holds it, or reduce the load" +
                (result.friction ? "; friction does not hold it: " + result.friction->problem : "");
            break;
        case EquilibriumStatus::stalled:
            result.message = "no equilibrium found" + when + ": near '" + who +
                             "' the forces jump or have no potential, so that no step comes nearer "
                             "to equilibrium";
            break;
        case EquilibriumStatus::too_many_iterations:
            result.message = "no equilibrium found" + when + " after " +
                             std::to_string(result.iterations) +
                             " steps; start nearer to it, from other initial positions";
            break;
        case EquilibriumStatus::not_finite:
            result.message = "a force is not finite" + when;
            break;
        default:
            break;
    }
    if (result.status != EquilibriumStatus::not_finite)
        result.span = span_of_coordinate(mechanism, who);
}

void describe(EquilibriumResult& result, EquilibriumSystem& balance) {
    const StiffnessSpectrum spectrum = analyse_stiffness(balance);
    result.stability = spectrum.stability();
    result.unstable = spectrum.unstable;
    result.neutral = spectrum.neutral;
    result.conservative = spectrum.symmetric;
    result.stiffness.assign(spectrum.values.begin(), spectrum.values.end());
    for (int i = 0; i < spectrum.values.size(); ++i)
        result.directions.push_back(
            balance.leading_coordinate(balance.free_directions() * spectrum.directions.col(i)));
    const double stiffest =
        spectrum.stiffness.size() > 0 ? spectrum.stiffness.cwiseAbs().maxCoeff() : 0;
    result.unbalance_limit =
        tolerance::balance * std::max(balance.largest_force(), stiffest * balance.size());
    result.unbalance = balance.freedoms() > 0 ? balance.unbalance().lpNorm<Eigen::Infinity>() : 0;
    result.potential = balance.potential();
    result.residual = balance.residual();
}

// The stiffness decides only where forces have a potential and do not drive a motion by its speed:
// others may feed a vibration (flutter) that the stiffness alone would hold.
void judge_modes(EquilibriumResult& result, const Vibration& vibration) {
    if (result.stability == Stability::unstable || !grows(vibration)) return;
    result.stability = Stability::unstable;
    const auto fastest = std::max_element(
        vibration.modes.begin(), vibration.modes.end(),
        [](const auto& a, const auto& b) { return a.eigenvalue.real() < b.eigenvalue.real(); });
    result.warnings.push_back("the stiffness would hold the equilibrium, but a vibration of " +
                              number_text(fastest->frequency) + " Hz grows (flutter), by exp(" +
                              number_text(fastest->eigenvalue.real()) +
                              "/s t): forces that have no potential, or that "
                              "depend on velocity, feed it");
}

void add_reactions(EquilibriumResult& result, EquilibriumSystem& balance,
                   const PlacedMechanism& placed) {
    Reactions reactions(placed, {});
    auto& c = balance.equations().coordinates();
    c.set_acceleration({});
    reactions.solve(c, balance.equations().inertia(), balance.equations().forces().on_bodies(),
                    balance.t());
    add_reaction_columns(placed.mechanism, result.columns);
    append_reactions(placed.mechanism, c, reactions, result.forces);
    // Of the larger of forces and stiffness x size: where nothing is loaded all forces are
    // rounding.
    result.imbalance = reactions.imbalance() * tolerance::balance * balance.largest_on_body() /
                       std::max(result.unbalance_limit, tolerance::no_division);
    if (!reactions.indeterminate().empty())
        result.warnings.push_back(indeterminate_warning(reactions));
}

// The equilibrium is where friction holds it, as assembled.
bool take_held(EquilibriumResult& result, EquilibriumSystem& balance, const PlacedMechanism& placed,
               const Vector& y, double t) {
    result.friction = hold_by_friction(placed, balance, y, t);
    const EquilibriumFriction& friction = *result.friction;
    if (!friction.holds) {
        result.warnings.push_back("friction does not hold the assembled position: " +
                                  friction.problem + "; the results below are without friction");
        return false;
    }
    for (std::size_t b = 0; b < placed.mechanism.bodies.size(); ++b)
        result.positions.push_back(balance.equations().coordinates().position(static_cast<int>(b)));
    result.potential = balance.potential();
    result.residual = balance.residual();
    result.unbalance_limit = tolerance::force_audit * balance.largest_force();
    result.unbalance = friction.imbalance * balance.largest_force();
    result.imbalance = friction.imbalance;
    result.columns = friction.columns;
    result.forces = friction.reactions;
    result.vibration.problem = "friction holds the mechanism: nothing vibrates";
    return true;
}

}  // namespace

Span span_of_coordinate(const PlanarMechanism& mechanism, const std::string& name) {
    constexpr std::string_view free = "free:";  // of a body that no joint carries
    const bool is_free = name.starts_with(free);
    const std::string element = is_free ? name.substr(free.size()) : name;
    const auto is_of = [&](const std::string& owner) {
        return element == owner || element.starts_with(owner + ".");
    };
    for (const auto& joint : mechanism.joints)
        if (!is_free && is_of(joint.name)) return joint.span;
    for (const auto& body : mechanism.bodies)
        if (is_of(body.name)) return body.span;
    return {};
}

EquilibriumResult find_equilibrium(const PlacedMechanism& placed,
                                   const EquilibriumOptions& options) {
    EquilibriumResult result;
    EquilibriumSystem balance(placed);
    if (balance.equations().size() > EquilibriumSystem::largest_size) {
        result.status = EquilibriumStatus::refused;
        result.message = "statics works up to " + std::to_string(EquilibriumSystem::largest_size) +
                         " coordinates; this model has " +
                         std::to_string(balance.equations().size());
        return result;
    }
    Vector y = balance.assembled();
    if (!balance.carry(y, 0, options.at)) {
        result.status = EquilibriumStatus::out_of_reach;
        result.message = "at t = " + number_text(options.at) +
                         " s the drivers require a position that the joints do not allow";
        return result;
    }
    const Vector start = y;
    if (AuxiliaryLayout(placed.mechanism).has_friction() &&
        take_held(result, balance, placed, y, options.at))
        return result;
    EquilibriumSearch search = descend(balance, y, options.at, INFINITY);
    result.status = search.status;
    result.iterations = search.iterations;
    if (search.status != EquilibriumStatus::balanced) {
        explain(result, balance, placed.mechanism, start, options.at);
        y = start;
        search = solve_balance(balance, y, options.at);
        result.iterations += search.iterations;
        if (search.status != EquilibriumStatus::balanced) return result;
        result.status = EquilibriumStatus::balanced;
        result.message.clear();
        result.span = {};
    }
    for (std::size_t b = 0; b < placed.mechanism.bodies.size(); ++b)
        result.positions.push_back(balance.equations().coordinates().position(static_cast<int>(b)));
    describe(result, balance);
    add_reactions(result, balance, placed);
    Vibration vibration = analyse_vibration(balance, placed.mechanism);
    judge_modes(result, vibration);
    if (options.modes) result.vibration = std::move(vibration);
    return result;
}

}  // namespace pawl
