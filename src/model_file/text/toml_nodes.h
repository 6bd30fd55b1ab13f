// Nodes of a document by their keys, and values as TOML writes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model_file/text/document.h"

namespace pawl {

// A value as it is where it is TOML, else as a string.
std::string toml_of(std::string_view value);
std::string quoted(std::string_view value);

// Of an array the indices from 0.
std::vector<std::string> keys_of(const Node& node);
Node* child_of(Node& node, std::string_view key);
// Nothing where a key of the path is missing.
Node* node_at(Node& root, std::string_view path);

}  // namespace pawl
