// What the engine knows, as JSON for the page.
#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

#include "face/model.h"
#include "model_file/text/model_text.h"

namespace pawl::engine {

using Json = nlohmann::ordered_json;

Json problems_json(const Diagnostics& problems);
// The elements of a text that is TOML, right or wrong as a model: their paths, places and keys.
Json elements_json(std::string_view text);
Json parameters_json(const Model& model);
Json points_json(const Model& model);
// Every table, kind and field of a model file.
Json format_json();
// Ranges in the units that JavaScript counts, UTF-16.
Json changes_json(std::string_view text, const std::vector<TextChange>& changes);

}  // namespace pawl::engine
