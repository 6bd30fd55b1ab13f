// What the player of a report needs of a result: poses, points and forces of contacts, columns to
// plot, events, the ledger. Knows no HTML.
//
// Times are doubles and all columns floats, at rows of the trajectory, as long as the report stays
// small enough for an e-mail. Where it would not, columns other than poses keep four digits; where
// that is not enough either, the moving picture keeps the rows at events and those that linear
// interpolation needs to show the motion within a pixel (at equal distances where there are too
// many), and plots keep the lowest and highest value of each span of rows.
#pragma once

#include <string>
#include <vector>

#include "output/drawing/scene.h"
#include "output/result/result_reader.h"

namespace pawl {

struct ReportData {
    std::string description;          // JSON
    std::vector<std::string> blocks;  // base64; the description refers to them by number
    std::size_t rows = 0;             // of the moving picture
    std::size_t spans = 0;            // of plots; 0: plots show every row
    double off = 0;  // drawing units that a part may be off between rows; 0: not known
};

ReportData report_data(const StoredResult& result, const PlacedMechanism& placed,
                       const Scene& scene);

}  // namespace pawl
