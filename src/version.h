// The version of the library, as text: "0.1.0".
#pragma once

#include <string_view>

namespace pawl {

std::string_view version();

}  // namespace pawl
