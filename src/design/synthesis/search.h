// The search for many linkages that do what is asked: random starts on all cores, both ways of
// solving, cognates, appraisal and ranking. The same answer whatever the number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "design/synthesis/appraisal.h"

namespace pawl {

struct SearchOptions {
    int starts = 2000;
    int keep = 12;    // how many solutions are wanted
    int threads = 0;  // 0: as many as there are cores
    std::uint64_t seed = 1;
    double bounds = 1.2;  // pivots and joints start within this many extents of the points
    // Called now and then from any thread with the share done and the best error in tolerances so
    // far; false ends the search, which then keeps what it has.
    std::function<bool(double share, double best)> progress;
};

struct SearchResult {
    std::vector<Solution> solutions;  // the best first; then those that were not kept
    int kept = 0;                     // how many are wanted, and differ clearly
    int starts = 0;                   // that were made
    int solved = 0;                   // that led to a linkage
    int distinct = 0;                 // how many of those differ
    bool stopped = false;
};

// The linkage of the problem is the first start where its numbers are given (`from_linkage`); the
// others are then variations of it.
SearchResult search_linkages(const SynthesisProblem& problem, const SearchOptions& options,
                             bool from_linkage = false);

// The other two four-bars that draw the same coupler curve (Roberts), with their positions. Empty
// for other linkages, and where what is fixed leaves no room for them.
std::vector<SynthesisUnknowns> cognates(const SynthesisProblem& problem,
                                        const SynthesisUnknowns& of);

// Whether a solution is to be preferred: without defects, within tolerances, force well
// transmitted, then the smaller size over the sine of the transmission angle, or the smaller error.
bool is_better(const SynthesisTask& task, const Appraisal& a, const Appraisal& b);

}  // namespace pawl
