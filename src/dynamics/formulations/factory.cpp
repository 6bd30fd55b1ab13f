// The formulations by their choice.
#include "dynamics/formulations/formulations.h"

namespace pawl {

namespace {

// Dense factors of 300 coordinates take some milliseconds per evaluation; above, `multipliers` is
// the one to use.
constexpr int largest_dense = 300;

template <class Solver>
std::unique_ptr<Dynamics> make(Equations& equations) {
    return std::make_unique<Solver>(equations);
}

struct Maker {
    Formulation formulation;
    std::unique_ptr<Dynamics> (*make)(Equations&);
    int largest_size;
};

constexpr Maker makers[] = {
    {Formulation::automatic, make<MultiplierDynamics>, 0},
    {Formulation::multipliers, make<MultiplierDynamics>, 0},
    {Formulation::augmented, make<AugmentedDynamics>, largest_dense},
    {Formulation::augmented_canonical, make<AugmentedCanonicalDynamics>, largest_dense},
    {Formulation::independent, make<IndependentDynamics>, largest_dense},
    {Formulation::canonical, make<CanonicalDynamics>, largest_dense},
};

constexpr bool follows_enumeration() {
    for (std::size_t i = 0; i < std::size(makers); ++i)
        if (static_cast<std::size_t>(makers[i].formulation) != i) return false;
    return std::size(makers) == value_names(Formulation{}).size();
}
static_assert(follows_enumeration());

const Maker& maker_of(Formulation formulation) {
    return makers[static_cast<std::size_t>(formulation)];
}

}  // namespace

std::unique_ptr<Dynamics> make_dynamics(Formulation formulation, Equations& equations) {
    return maker_of(formulation).make(equations);
}

int largest_size(Formulation formulation) { return maker_of(formulation).largest_size; }

}  // namespace pawl
