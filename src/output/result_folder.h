// A result as a folder: result.json, trajectory.csv, events.csv and more tables. Written under a
// temporary name and renamed, so that a folder is whole or not there.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "simulation/trajectory.h"

namespace pawl {

inline constexpr int result_format = 1;

std::string csv(const Trajectory& trajectory);
std::string csv(const std::vector<Event>& events);

struct NamedText {
    std::string name;
    std::string text;
};

// Writes the files into `folder`; result.json lists the names of all of them under "files". An old
// result there is replaced; a folder with anything else in it is left alone and refused. Returns an
// empty string, or what went wrong.
std::string write_result(const std::filesystem::path& folder, const std::vector<NamedText>& files);

// A short fingerprint of a text (FNV-1a, 64 bits), to tell whether a model has changed. Not a
// protection.
std::string fingerprint(const std::string& text);

}  // namespace pawl
