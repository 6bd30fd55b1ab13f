#include "integration/stepper.h"

#include <cassert>
#include <utility>

#include "integration/dop853.h"
#include "integration/rk4.h"
#include "integration/stiff.h"

namespace pawl {

std::unique_ptr<Stepper> make_stepper(Integrator integrator, RightHandSide& f, int size,
                                      StepperOptions options) {
    switch (integrator) {
        case Integrator::dop853:
            break;
        case Integrator::rk4:
            return std::make_unique<Rk4>(f, size, options);
        case Integrator::stiff:
            return std::make_unique<Stiff>(f, size, std::move(options));
        case Integrator::automatic:
        case Integrator::moreau:
            assert(false && "has no stepper of its own");
    }
    return std::make_unique<Dop853>(f, size, std::move(options));
}

}  // namespace pawl
