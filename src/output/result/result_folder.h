// A result as a folder: result.json, trajectory.csv, events.csv and more tables. Written as an
// unfinished folder that then takes the name, so that a result is whole or not there.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "results/event.h"
#include "results/trajectory.h"

namespace pawl {

inline constexpr int result_format = 1;

std::string csv(const Trajectory& trajectory);
std::string csv(const std::vector<Event>& events);

// Fields of a table: a number as the shortest text that reads back; a text that is quoted where it
// holds a comma, a quote or a line break.
void append_number(std::string& out, double value);
std::string csv_field(const std::string& text);

struct NamedText {
    std::string name;
    std::string text;
    const Trajectory* table = nullptr;  // instead of the text: written row by row
};

struct ResultWriting {
    std::string problem;                // empty: the result is written
    std::vector<std::string> warnings;  // of unfinished runs beside it
};
// Writes the files into `folder`; result.json lists the names of all of them under "files". An old
// result there is replaced in one step; a folder with anything else in it, and a symbolic link, is
// left alone and refused. What killed runs have left beside it is removed.
ResultWriting write_result(const std::filesystem::path& folder,
                           const std::vector<NamedText>& files);

// A short fingerprint of a text (FNV-1a, 64 bits), to see whether a model has changed. Not a
// protection.
std::string fingerprint(const std::string& text);

}  // namespace pawl
