// The steppers of the engine. SUNDIALS is not compiled for the page: what asks for the stiff method
// is integrated by dop853, which takes longer over stiff problems and keeps the same tolerances.
#include "steppers.h"

#include <cassert>
#include <utility>

#include "integration/dop853.h"
#include "integration/rk4.h"

namespace pawl {

bool engine::stiff_was_wanted = false;

std::unique_ptr<Stepper> make_stepper(Integrator integrator, RightHandSide& f, int size,
                                      StepperOptions options) {
    if (integrator == Integrator::stiff) engine::stiff_was_wanted = true;
    if (integrator == Integrator::rk4) return std::make_unique<Rk4>(f, size, options);
    return std::make_unique<Dop853>(f, size, std::move(options));
}

}  // namespace pawl
