// What the player of a report needs of a result: poses, places and forces of contacts, columns to
// plot, events, the ledger. Knows no HTML.
//
// Times are doubles and poses floats at rows of the trajectory; every other column has five digits.
// A long result is thinned to a size that fits into a mail: the moving picture then keeps rows at
// equal distances and those at events, plots keep the lowest and highest value of each span of
// rows.
#pragma once

#include <string>
#include <vector>

#include "output/result_reader.h"
#include "output/scene.h"

namespace pawl {

struct ReportData {
    std::string description;          // JSON
    std::vector<std::string> blocks;  // base64; the description refers to them by number
    std::size_t rows = 0;             // of the moving picture
    std::size_t spans = 0;            // of plots; 0: plots show every row
};

ReportData report_data(const Result& result, const PlacedMechanism& placed, const Scene& scene);

}  // namespace pawl
