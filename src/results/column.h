// A column of results: its name and its unit.
#pragma once

#include <string>

namespace pawl {

struct Column {
    std::string name;  // "crank.omega"
    std::string unit;  // "rad/s"
};

}  // namespace pawl
