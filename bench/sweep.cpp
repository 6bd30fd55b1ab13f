// Double pendulums through a sweep with its database (B10) beside the same runs by the library
// alone (B7): the share of the runs per second that reading, threads and rows leave.
#include <filesystem>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include "design/sweep_store.h"
#include "model_file/reading/model_file.h"
#include "simulation/run_options.h"
#include "timing.h"

namespace {

using namespace pawl;

constexpr int side = 20;
constexpr double goal_share = 0.8;

double process_seconds() {
    std::timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// As in B7: every start is assembled anew, and only the end is written.
void run_by_library(const PlanarMechanism& model, const DynamicOptions& options) {
    const auto angle = [](int k) { return -std::numbers::pi / 4 - 0.5 + k / (side - 1.0); };
    for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j) {
            PlanarMechanism mechanism = model;
            mechanism.bodies[1].guess.angle = angle(i);
            mechanism.bodies[2].guess.angle = angle(j);
            (void)bench::run(assemble(std::move(mechanism)), options);
        }
}

void measure_sweep() {
    const std::string path = PAWL_SOURCE_DIR "/models/double_pendulums.toml";
    Diagnostics problems;
    const auto data = read_model_file(path, {}, problems);
    const auto model = Model::read_file(path, problems);
    if (!data || !model) throw std::runtime_error(problems.text());
    SweepSettings settings;
    const std::string range = fmt::format("={}:{}:{} rad", -std::numbers::pi / 4 - 0.5,
                                          -std::numbers::pi / 4 + 0.5, side);
    settings.vary = {"first" + range, "second" + range};
    const auto plan = SweepPlan::read(*model, settings, problems);
    if (!plan) throw std::runtime_error(problems.text());
    const auto file = std::filesystem::temp_directory_path() / "pawl_bench_sweep.sqlite";
    DynamicOptions options = dynamic_options(model->run);
    options.reactions = false;
    const auto sweep = [&] {
        std::filesystem::remove(file);
        std::string problem;
        auto store = SweepStore::create(file, *model, *plan, problem);
        if (store) problem = run_missing(*model, *plan, *store, 1, [](long) { return true; });
        if (!problem.empty()) throw std::runtime_error(problem);
    };
    const auto [swept, alone] = bench::median_seconds(
        sweep, [&] { run_by_library(data->mechanism, options); }, process_seconds);
    std::filesystem::remove(file);
    fmt::print(
        "B10 {:.0f} runs per CPU second by a sweep, {:.0f} by the library: {:.0f} %, goal "
        "{:.0f} % {}\n",
        side * side / swept, side * side / alone, 100 * alone / swept, 100 * goal_share,
        alone / swept >= goal_share ? "met" : "missed");
}

}  // namespace

int main() { measure_sweep(); }
