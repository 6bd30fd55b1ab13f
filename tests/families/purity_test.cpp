// The rates are a function of time, state and mode: asked twice, after other states, or of an
// object just made, they have the same bits. Every so many evaluations of real runs are asked again
// in all these ways, on examples with loops, drivers, contacts and friction.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dynamics/formulations/formulations.h"
#include "families/folded_linkages.h"

namespace pawl::test {
namespace PAWL_TEST_FILE {

using Mechanics = MechanismEquations<PlanarSpace>;
using Vector = std::vector<double>;

// What the checks of one run share.
struct Ledger {
    const PlacedMechanism& placed;
    int every;  // evaluations; odd, so that every stage of a step has its turn
    int checked = 0;
    std::string first = {};  // what differed first
    std::map<const Equations*, Mechanics::Choice> choices = {};

    [[nodiscard]] std::unique_ptr<Mechanics> make(const Mechanics::Choice& choice) const {
        auto made = std::make_unique<Mechanics>(placed.mechanism, placed.topology, choice);
        made->set_model_size(placed.assembly.model_size);
        return made;
    }
    // Equations in the same mode.
    [[nodiscard]] std::unique_ptr<Mechanics> made_again(Mechanics& used) const {
        auto made = make(choices.at(&used));
        made->contacts() = used.contacts();
        made->friction_modes() = used.friction_modes();
        return made;
    }
    void compare(double t, const Vector& a, const Vector& b, const char* how) {
        ++checked;
        if (a == b || !first.empty()) return;
        double worst = 0, size = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            worst = std::max(worst, std::abs(a[i] - b[i]));
            size = std::max(size, std::abs(a[i]));
        }
        first = fmt::format("{}: rates differ by {:.2g} of {:.2g} at t = {:.6g} s", how, worst,
                            size, t);
    }
};

template <class Base>
class Witness : public Base {
public:
    Witness(Mechanics& equations, Ledger& ledger)
        : Base(equations), equations_(equations), ledger_(ledger) {}

    RateOutcome rates(double t, std::span<const double> y, std::span<double> dy) override {
        const RateOutcome outcome = Base::rates(t, y, dy);
        if (is_fresh_ || outcome != RateOutcome::solved) return outcome;
        if (++calls_ % ledger_.every == 0) check(t, y, dy);
        return outcome;
    }

private:
    void check(double t, std::span<const double> y, std::span<double> dy) {
        const Vector answer(dy.begin(), dy.end());
        ledger_.compare(t, answer, again(*this, t, y), "asked twice");
        auto equations = ledger_.made_again(equations_);
        Witness fresh(*equations, ledger_);
        fresh.is_fresh_ = true;
        fresh.set_near_singular(this->near_singular());
        if constexpr (std::is_base_of_v<IndependentDynamics, Base>) {
            fresh.choice_ = this->choice_;
            fresh.chosen_ = this->chosen_;
        }
        ledger_.compare(t, answer, again(fresh, t, y), "asked of a new object");
        if (last_.size() == y.size()) again(*this, last_t_, last_);
        ledger_.compare(t, answer, again(*this, t, y), "asked after another state");
        last_t_ = t;
        last_.assign(y.begin(), y.end());
    }
    static Vector again(Witness& dynamics, double t, std::span<const double> y) {
        Vector dy(y.size());
        dynamics.Base::rates(t, y, dy);
        return dy;
    }

    Mechanics& equations_;
    Ledger& ledger_;
    bool is_fresh_ = false;
    long calls_ = 0;
    double last_t_ = 0;
    Vector last_;
};

std::unique_ptr<Dynamics> witness(const std::string& name, Mechanics& e, Ledger& ledger) {
    if (name == "augmented") return std::make_unique<Witness<AugmentedDynamics>>(e, ledger);
    if (name == "independent") return std::make_unique<Witness<IndependentDynamics>>(e, ledger);
    if (name == "canonical") return std::make_unique<Witness<CanonicalDynamics>>(e, ledger);
    if (name == "augmented_canonical")
        return std::make_unique<Witness<AugmentedCanonicalDynamics>>(e, ledger);
    return std::make_unique<Witness<MultiplierDynamics>>(e, ledger);
}

Judgement purity(const std::string& text, const Combination& c, double end, int every) {
    PlacedMechanism placed = placed_of(text);
    // Absolute coordinates ask for an inertia of every body, also of those that cannot turn.
    for (auto& body : placed.mechanism.bodies)
        if (body.mass && !body.inertia) body.inertia = 0.01;
    Ledger ledger{placed, every};
    DynamicOptions options = c.options(end, end / 20);
    options.make_equations = [&](const PlacedMechanism&, const Mechanics::Choice& choice) {
        auto made = ledger.make(choice);
        ledger.choices[made.get()] = choice;
        return made;
    };
    options.make_solver = [&](Equations& e) {
        return witness(c.dynamics, dynamic_cast<Mechanics&>(e), ledger);
    };
    const DynamicResult result = run_dynamics(placed, options);
    if (!ledger.first.empty()) return {Verdict::wrong, ledger.first};
    if (ledger.checked == 0) return {Verdict::refused, result.message};
    return {};
}

struct Example {
    const char* name;
    double end;
};
constexpr Example examples[] = {{"slider_crank_singular", 1},
                                {"ladder3", 0.5},
                                {"double_pendulum", 0.5},
                                {"attia_chain", 0.5},
                                {"slider_crank", 0.3},
                                {"rrtr", 0.5},
                                {"rrtr_friction", 0.5},
                                {"friction_pendulum", 1},
                                {"wedge", 0.1},
                                {"trigger", 0.2},
                                {"cam_liftoff", 0.2},
                                {"toggle_latch", 1},
                                {"geneva", 0.5},
                                {"ratchet", 0.4},
                                {"rocking_block_rough", 0.6},
                                {"stick_slip_belt", 1},
                                {"ladder_wall", 0.5},
                                {"two_pendulums_compliant", 0.3},
                                {"controller", 0.5},
                                {"bowling_disk", 0.5},
                                {"planetary_gear", 0.3}};

TEST(Rates, are_a_function_of_time_state_and_mode) {
    Family("purity of rates", 150).run([](std::uint64_t seed, Random& random) {
        Combination c = combination(seed % 15, random);  // all with dop853
        c.rtol = 1e-8;
        const Example& example =
            examples[static_cast<std::size_t>(random.below(static_cast<int>(std::size(examples))))];
        const std::string text(embedded_text(example.name));
        return Trial{fmt::format("{} {} {}", c.coordinates, c.dynamics, example.name), text,
                     [=] { return purity(text, c, example.end, 23); }};
    });
}

TEST(Rates, are_a_function_of_time_state_and_mode_near_singular_positions) {
    Family family("purity of rates of folded linkages", 60);
    family.run([](std::uint64_t seed, Random& random) {
        Combination c = combination(seed % 15, random);
        c.rtol = 1e-7;
        const FoldedLinkage l = folded_linkage(random);
        return Trial{fmt::format("{} {} {}", c.coordinates, c.dynamics, l.kind), l.text,
                     [=, text = l.text, end = l.end] { return purity(text, c, end, 3); }};
    });
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl::test
