#include "integration/stepper.h"

#include <utility>

#include "integration/dop853.h"
#include "integration/rk4.h"
#include "integration/stiff.h"

namespace pawl {

std::unique_ptr<Stepper> make_stepper(std::string_view name, RightHandSide& f, int size,
                                      StepperOptions options) {
    if (name == "dop853") return std::make_unique<Dop853>(f, size, std::move(options));
    if (name == "rk4") return std::make_unique<Rk4>(f, size, options);
    if (name == "stiff") return std::make_unique<Stiff>(f, size, std::move(options));
    return nullptr;
}

}  // namespace pawl
