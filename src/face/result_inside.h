// What a result of the library's face holds.
#pragma once

#include <functional>
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
    std::function<Json()> make_summary;  // when it is asked for
    bool is_complete = false;
    std::string status, message;
    Diagnostics problems;
    std::shared_ptr<const Trajectory> trajectory = std::make_shared<Trajectory>();
    std::shared_ptr<const std::vector<Event>> events = std::make_shared<std::vector<Event>>();
    Audit audit;
    // Columns that were asked for, out of the rows.
    mutable std::mutex reading;
    mutable std::map<int, std::vector<double>> columns;
};

// The result of a dynamic run, however it was taken.
Result result_of(std::shared_ptr<const ModelData> model, PlacedMechanism placed,
                 const DynamicOptions& options, DynamicResult run);

// A picture of the last row that is not later than t; of the start where there are no rows.
std::string picture_of(const PlacedMechanism& placed, const Trajectory& trajectory, double t);

}  // namespace pawl
