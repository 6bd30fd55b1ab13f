// Numbers as people read them, with units. Used in messages and tables.
#pragma once

#include <string>

namespace pawl {

std::string number_text(double value, int digits = 6);
// Metres, or millimetres when small.
std::string length_text(double metres);

}  // namespace pawl
