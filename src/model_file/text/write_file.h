// Writing texts to files without ever leaving half of one. Knows nothing of what a text holds.
// All files that pawl writes come from here.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace pawl {

// Writes under a temporary name beside the file, then renames: the file is whole or untouched, and
// keeps its permissions. A symbolic link to a file is refused, never followed: it may point at
// something the user does not want to lose. A device or a pipe is written to; a folder is refused.
// Returns an empty string, or what went wrong.
std::string write_file(const std::filesystem::path& path, const std::string& text);

// Writes a file that must not be there yet, not even as a link. Returns an empty string, or why the
// system refused; then nothing is left.
std::string write_new_file(const std::filesystem::path& path, const std::string& text);
// The same for a text that is handed over in parts.
using TextParts = std::function<void(const std::function<void(std::string_view)>& put)>;
std::string write_new_file(const std::filesystem::path& path, const TextParts& parts);

// Sixteen characters for a temporary name that nobody can guess and prepare.
std::string unguessable_name();

// A symbolic link and where it points, for messages; an empty string where `path` is no link.
std::string link_problem(const std::filesystem::path& path);

}  // namespace pawl
