#include "mechanism/joint_kind.h"

namespace pawl {

template struct Joint<Planar<double>>;

}  // namespace pawl
