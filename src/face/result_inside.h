// What a result of the library's face holds.
#pragma once

#include <map>
#include <mutex>

#include "face/result.h"
#include "model_file/reading/model_file.h"
#include "output/result/summary.h"
#include "simulation/placement/assembly.h"

namespace pawl {

struct Result::Inside {
    std::shared_ptr<const ModelData> model;
    PlacedMechanism placed;
    Json summary;
    bool is_complete = false;
    std::string status, message;
    Diagnostics problems;
    Trajectory trajectory;
    std::vector<Event> events;
    Audit audit;
    // Columns that were asked for, out of the rows.
    mutable std::mutex reading;
    mutable std::map<int, std::vector<double>> columns;
};

// The result of a dynamic run, however it was taken.
Result result_of(std::shared_ptr<const ModelData> model, const PlacedMechanism& placed,
                 const DynamicOptions& options, DynamicResult run);

// A picture of the last row that is not later than t; of the start where there are no rows.
std::string picture_of(const PlacedMechanism& placed, const Trajectory& trajectory, double t);

}  // namespace pawl
