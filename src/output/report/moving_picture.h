// The moving picture of a result: the stage, and what the player moves on it. The report and the
// studio show the same one. Knows no HTML.
#pragma once

#include <string>

#include "output/report/report_data.h"

namespace pawl {

struct MovingPicture {
    std::string stage;  // SVG
    ReportData data;
};

// The picture of the first row, large enough for the whole motion; without rows it is the assembled
// mechanism.
MovingPicture moving_picture(const StoredResult& result, const PlacedMechanism& placed);

// {"stage": ..., "about": ..., "blocks": [...]}
std::string moving_picture_json(const StoredResult& result, const PlacedMechanism& placed);

}  // namespace pawl
