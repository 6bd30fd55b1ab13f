// Contact modes of the R-RTR mechanism with play (models/rrtr_clearance.toml): share of time and
// count of each mode over clearances and speeds, rigid and compliant side by side, as a page in
// Markdown.
// usage: clearance > docs/clearance_modes.md
#include <cstdio>

#include "timing.h"
#include "workloads.h"

namespace {

using namespace pawl;

constexpr double clearances[] = {0.5, 1, 1.5};     // mm
constexpr int speeds[] = {50, 100, 150, 200};      // rpm
constexpr double turns = 10;
// Hunt and Crossley with chi v = 2.06 at 0.1 m/s, where the restitution is 0.4.
constexpr double stiffness = 1e9, damping = 2.06 / 0.1 / 1.5;

PlacedMechanism model(double clearance, int speed, bool compliant) {
    Diagnostics diagnostics;
    auto read = read_model_file(
        PAWL_SOURCE_DIR "/models/rrtr_clearance.toml",
        {{"clearance", fmt::format("{} mm", clearance)}, {"w0", fmt::format("{} rpm", speed)}},
        diagnostics);
    if (!read) throw std::runtime_error(diagnostics.text());
    for (auto& joint : read->mechanism.joints)
        if (auto* guide = std::get_if<Prismatic<PlanarSpace>>(&joint.kind); guide && compliant) {
            HuntCrossleyContact<double> law;
            law.stiffness = stiffness;
            law.damping = damping;
            guide->contact->law = law;
        }
    return assemble(std::move(read->mechanism));
}

void print_row(double clearance, int speed, bool compliant) {
    DynamicOptions options;
    options.end = turns * 60 / speed;
    options.step = options.end / 100;
    options.reactions = false;
    const double start = bench::thread_seconds();
    const DynamicResult result = run_dynamics(model(clearance, speed, compliant), options);
    const double seconds = bench::thread_seconds() - start;
    fmt::print("| {} | {} | {} |", clearance, speed, compliant ? "compliant" : "rigid");
    const ClearanceReport& report = result.clearances.at(0);
    for (const auto& mode : report.modes)
        if (mode.count > 0)
            fmt::print(" {:.2f} % ({}) |", 100 * mode.share, mode.count);
        else
            fmt::print(" - |");
    fmt::print(" {} | {:.3g} | {:.2g} |", report.impacts(), report.mean_power, seconds);
    if (result.status != DynamicStatus::completed)
        fmt::print(" {} at t = {:.3g} s", result.message, result.last.t);
    fmt::print("\n");
    std::fflush(stdout);
}

}  // namespace

int main() {
    for (const double clearance : clearances)
        for (const int speed : speeds)
            for (const bool compliant : {false, true}) print_row(clearance, speed, compliant);
}
