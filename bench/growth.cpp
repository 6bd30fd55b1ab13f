// How time and memory grow with the size of the model and the length of the run: each line is a
// size, each last line the exponent between the smallest and the largest. Sizes are multiplied by
// the first argument (default 1).
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <unistd.h>
#include <vector>

#include <fmt/core.h>

#include "output/report/report.h"
#include "output/result/result_folder.h"
#include "output/result/result_reader.h"
#include "simulation/placement/mobility.h"
#include "timing.h"
#include "workloads.h"

namespace {

using namespace pawl;
namespace fs = std::filesystem;

// Memory of the process that is in use now, MB.
double megabytes() {
    std::ifstream file("/proc/self/statm");
    double pages = 0, resident = 0;
    file >> pages >> resident;
    return 1e-6 * resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

struct Sample {
    double size, seconds;
    std::string more;
};

void print(const std::string& title, const std::vector<Sample>& samples) {
    fmt::print("{}\n", title);
    for (const Sample& s : samples)
        fmt::print("{:>10.0f} {:>10.4f} s  {}\n", s.size, s.seconds, s.more);
    const Sample &a = samples.front(), &b = samples.back();
    fmt::print("  exponent {:.2f}\n\n",
               std::log(b.seconds / a.seconds) / std::log(b.size / a.size));
}

// A measured action; the memory is what it adds and keeps.
Sample measured(double size, const auto& action) {
    const double before = megabytes(), seconds = bench::seconds_of(action, bench::thread_seconds);
    return {size, seconds, fmt::format("{:+.0f} MB", megabytes() - before)};
}

void measure_checks(double factor) {
    for (const auto& [title, make] :
         {std::pair{"freedoms of a chain, by bodies", +[](int n) { return workload::chain(n); }},
          std::pair{"freedoms of a row of four-bars, by bodies",
                    +[](int n) { return workload::ladder(n / 2); }}}) {
        std::vector<Sample> samples;
        for (const double size : {1000.0, 3000.0, 10000.0}) {
            const auto placed =
                assemble(workload::mechanism(make(static_cast<int>(factor * size))));
            samples.push_back(measured(factor * size, [&] { (void)analyse_mobility(placed); }));
        }
        print(title, samples);
    }
}

void measure_reactions(double factor) {
    std::vector<Sample> samples;
    for (const double size : {1000.0, 3000.0, 10000.0}) {
        const auto placed =
            assemble(workload::mechanism(workload::chain(static_cast<int>(factor * size))));
        DynamicOptions options;
        options.end = 0.01;
        options.step = 0.001;
        long steps = 0;
        Sample sample = measured(factor * size,
                                 [&] { steps = run_dynamics(placed, options).statistics.steps; });
        sample.more += fmt::format(", {} steps", steps);
        samples.push_back(sample);
    }
    print("10 ms of a chain with reactions, 11 samples, by bodies", samples);
}

// A double pendulum, its rows on the disk; then its report.
void measure_length(double factor) {
    const fs::path root = fs::temp_directory_path() / ("pawl_growth_" + std::to_string(::getpid()));
    const std::string text = workload::chain(2);
    const auto placed = assemble(workload::mechanism(text));
    std::vector<Sample> runs, reports;
    for (const double rows : {1e4, 1e5, 1e6}) {
        fs::create_directories(root);
        DynamicOptions options;
        options.step = 1e-3;
        options.end = factor * rows * options.step;
        options.spool.file = [&](const std::string& name) { return (root / name).string(); };
        StoredResult result;
        result.model = text;
        result.summary = R"({"format": 1, "pawl": "0"})";
        runs.push_back(measured(
            factor * rows, [&] { result.trajectory = run_dynamics(placed, options).trajectory; }));
        std::size_t bytes = 0;
        reports.push_back(measured(factor * rows, [&] { bytes = report(result, placed).size(); }));
        reports.back().more += fmt::format(", {:.2f} MB of report", 1e-6 * double(bytes));
        fs::remove_all(root);
    }
    print("a double pendulum with its rows on the disk, by samples", runs);
    print("its report, by samples", reports);
}

// A polygon that falls on a floor, bounces and rolls.
std::string polygon(int sides) {
    std::string lines;
    const auto corner = [&](int i) {
        const double angle = 2 * std::numbers::pi * (i % sides + 0.3) / sides;
        return fmt::format("[{:.17g}, {:.17g}]", 0.1 * std::cos(angle), 0.1 * std::sin(angle));
    };
    for (int i = 0; i < sides; ++i)
        lines +=
            fmt::format("{{ type = \"line\", from = {}, to = {} }},\n", corner(i), corner(i + 1));
    return "format = 1\n[body.p]\nposition = [0, 0.6]\nmass = 1\ninertia = 0.005\nomega = 1\n"
           "[profile.floor]\nbody = \"ground\"\nelements = [{ type = \"line\", from = [2, 0], to = "
           "[-2, 0] }]\n[profile.p]\nbody = \"p\"\nelements = [" +
           lines +
           "]\n[contact.C]\na = \"floor\"\nb = \"p\"\nrestitution = 0.8\n[force.weight]\ntype = "
           "\"gravity\"\n";
}

void measure_polygons(double factor) {
    std::vector<Sample> samples;
    for (const double size : {100.0, 1000.0, 10000.0}) {
        const int sides = static_cast<int>(factor * size);
        const auto placed = assemble(workload::mechanism(polygon(sides)));
        DynamicOptions options;
        options.end = 2.5;
        options.step = 0.001;
        std::size_t events = 0, rows = 0;
        Sample sample = measured(sides, [&] {
            const DynamicResult r = run_dynamics(placed, options);
            events = r.events.size();
            rows = r.trajectory.rows();
        });
        sample.more += fmt::format(", {} events, {} rows", events, rows);
        samples.push_back(sample);
    }
    print("2.5 s of a polygon that bounces on a floor, by sides", samples);
}

}  // namespace

int main(int argc, char** argv) {
    const double factor = argc > 1 ? std::atof(argv[1]) : 1;
    if (!(factor > 0)) {
        fmt::print("usage: growth [factor of all sizes]\n");
        return 2;
    }
    measure_checks(factor);
    measure_reactions(factor);
    measure_length(factor);
    measure_polygons(factor);
}
