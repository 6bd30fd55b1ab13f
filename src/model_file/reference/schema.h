// The model file format for editors and for people: a JSON schema, and a reference page in
// Markdown. Both are made from the description of the format, so they say what the reader does.
#pragma once

#include <string>

namespace pawl {

std::string json_schema();
std::string model_reference();

}  // namespace pawl
