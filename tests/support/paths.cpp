#include "support/paths.h"

namespace pawl::test {

const std::string source_dir = PAWL_SOURCE_DIR;
const std::string program = PAWL_PROGRAM;

}  // namespace pawl::test
