#include "mechanism/mechanism.h"

namespace pawl {

template struct Mechanism<PlanarSpace>;

}  // namespace pawl
