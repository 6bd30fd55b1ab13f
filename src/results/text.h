// Numbers as people read them, with units. Used in messages and tables.
#pragma once

#include <string>

namespace pawl {

std::string number_text(double value, int digits = 6);
// Metres, or millimetres when small.
std::string length_text(double metres);
// A run that does not get on: so many steps from one time to the other.
std::string no_progress_text(long steps, double from, double to);

}  // namespace pawl
