// Writing a text to a file without ever leaving half of it. Knows nothing of what the text holds.
#pragma once

#include <filesystem>
#include <string>

namespace pawl {

// Writes under a temporary name beside the file, then renames: the file is whole or untouched, and
// keeps its permissions. A link stays and its target is written; a device or a pipe is written to;
// a folder is refused. Returns an empty string, or what went wrong.
std::string write_file(const std::filesystem::path& path, const std::string& text);

}  // namespace pawl
