// What a long run leaves behind so that it can go on after a crash: a file in an unfinished folder
// beside its result, written anew from time to time and removed with the result; and Ctrl-C, which
// ends a run in good order.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "commands.h"
#include "output/result/unfinished_folder.h"
#include "simulation/dynamic/dynamic_simulation.h"

namespace pawl::cli {

// Why a folder cannot be gone on with.
Failure not_to_resume(const std::string& folder, const std::string& why);

class Checkpoint {
public:
    // `command`: what else is needed to run on. Written every so many seconds; 0: never.
    Checkpoint(std::string out, nlohmann::json command, double every);
    // Goes on in a folder that a run has left. Throws Failure{wrong_usage}.
    void take_over(const std::string& folder);
    // The path of a file beside the checkpoint; empty where there can be none.
    std::string file(const std::string& name);
    // Writes the simulation down if it is time to.
    void operator()(DynamicSimulation& simulation);

    // What a folder holds. Throws Failure{wrong_usage}.
    static nlohmann::json read(const std::string& folder);

private:
    bool make_folder(std::string& problem);

    std::string out_;
    nlohmann::json command_;
    double every_;
    bool refused_ = false;  // by the disk: said once
    std::optional<UnfinishedFolder> folder_;
    std::chrono::steady_clock::time_point next_;
};

// While it lives, the first Ctrl-C is only noted; a second one kills as usual.
class Interruption {
public:
    Interruption();
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;
    [[nodiscard]] static bool asked();
};

}  // namespace pawl::cli
