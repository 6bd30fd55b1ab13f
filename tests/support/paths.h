// Where the sources and the program are. Known to one source file alone, so that no other depends
// on the folder it is compiled in and a compiler cache serves all copies of the project.
#pragma once

#include <string>

namespace pawl::test {

extern const std::string source_dir;
extern const std::string program;

}  // namespace pawl::test
