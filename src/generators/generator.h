// New models of common mechanisms from a few numbers: the text of a model file that runs, or the
// reasons against it. Knows textbooks and the model file, not the program that asks.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pawl {

// A number (or a choice, or a list) that a generator takes.
struct GeneratorNumber {
    std::string name;
    std::string standard;  // value where none is given; empty: it follows from the others
    std::string meaning;
    std::vector<std::string> choices;  // of a choice
};

struct GeneratorInfo {
    std::string name, summary;
    std::vector<GeneratorNumber> numbers;
};

// All generators, in the order in which they are listed.
std::vector<GeneratorInfo> generators();

struct NewModel {
    std::string text;                   // of the model file; empty where it is refused
    std::vector<std::string> facts;     // what follows from the numbers: "stroke 100 mm"
    std::vector<std::string> problems;  // why it is refused
};

// The model of a mechanism by its name, "geneva", with values as texts: {"slots", "6"}, {"centre",
// "80 mm"}. A plain number is in mm, deg, rpm, N, kg; an unknown name is a problem too.
NewModel new_model(std::string_view kind,
                   const std::vector<std::pair<std::string, std::string>>& values = {});

}  // namespace pawl
