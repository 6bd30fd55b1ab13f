// The formulations by name.
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

struct Formulation {
    const char* name;
    std::unique_ptr<Dynamics> (*make)(Equations&);
    int largest_size;
};

constexpr Formulation formulations[] = {
    {"multipliers", make<MultiplierDynamics>, 0},
    {"augmented", make<AugmentedDynamics>, largest_dense},
    {"augmented_canonical", make<AugmentedCanonicalDynamics>, largest_dense},
    {"independent", make<IndependentDynamics>, largest_dense},
    {"canonical", make<CanonicalDynamics>, largest_dense},
};

const Formulation* find(const std::string& name) {
    for (const Formulation& f : formulations)
        if (name == f.name) return &f;
    return nullptr;
}

}  // namespace

std::unique_ptr<Dynamics> make_dynamics(const std::string& name, Equations& equations) {
    const Formulation* f = find(name);
    return f ? f->make(equations) : nullptr;
}

std::vector<std::string> dynamics_names() {
    std::vector<std::string> names;
    for (const Formulation& f : formulations) names.emplace_back(f.name);
    return names;
}

int largest_size(const std::string& name) {
    const Formulation* f = find(name);
    return f ? f->largest_size : 0;
}

}  // namespace pawl
