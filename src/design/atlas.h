// The linkages of a synthesis as files: a model of each, an atlas of small pictures, a table of all
// that were appraised, and a summary.
#pragma once

#include <string>
#include <vector>

#include "design/synthesis/search.h"

namespace pawl {

// A solution as a model that was read, assembled and run.
struct LinkageSheet {
    std::string file;     // "solution_01.toml"
    std::string model;    // its text
    std::string problem;  // why the model does not run; empty: it does
    std::string svg;      // the linkage in its first position, its path and what was asked for
};
LinkageSheet make_sheet(const SynthesisProblem& problem, std::string model, int number);

// One page, self-contained.
std::string atlas_page(const SynthesisProblem& problem, const SearchResult& result,
                       const std::vector<LinkageSheet>& sheets);
// All solutions with their numbers, one line each.
std::string solutions_table(const SynthesisProblem& problem, const SearchResult& result);
// The same for programs, with the positions: JSON.
std::string solutions_json(const SynthesisProblem& problem, const SearchResult& result,
                           const std::vector<LinkageSheet>& sheets);

}  // namespace pawl
