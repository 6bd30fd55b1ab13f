// Contact modes of the R-RTR mechanism with play (models/rrtr_clearance.toml): share of time and
// count of each mode over clearances and speeds, rigid and compliant side by side, as a page in
// Markdown.
// usage: clearance > docs/clearance_modes.md
#include <cstdio>

#include "mechanism/joint_kind.h"
#include "timing.h"
#include "workloads.h"

namespace {

using namespace pawl;

constexpr double clearances[] = {0.5, 1, 1.5};  // mm
constexpr int speeds[] = {50, 100, 150, 200};   // rpm
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
        if (auto* guide = std::get_if<Prismatic<PlanarSpace>>(&*joint.kind); guide && compliant) {
            HuntCrossleyContact<double> law;
            law.stiffness = stiffness;
            law.damping = damping;
            guide->contact->law = law;
        }
    return assemble(std::move(read->mechanism));
}

constexpr const char* introduction = R"md(# Contact modes of a guide with play

Made by `./dev docs`. The R-RTR mechanism of `models/rrtr_clearance.toml` (Stoenescu 2005, chapter 4) from rest over ten turns at
the motor's speed: share of the time in each contact mode between bar and block, and how many times the mode was entered; impacts
(compliant: times that a point was closed); normal force times slip speed, mean over the run; seconds on one core. *Rigid*: restitution
0.4 by Newton's law. *Compliant*: Hunt and Crossley, K = 10⁹ N/m^1.5, with the loss that returns 0.4 of a speed of 0.1 m/s; slower
impacts lose less. Friction 0.35 at rest, 0.3 in motion in both.

| c mm | w₀ rpm | contact | none | one point | two opposed | two on one side | more | impacts | N v W | s |
|---|---|---|---|---|---|---|---|---|---|---|
)md";

constexpr const char* explanation = R"md(
A mode that never occurred has a dash. **Two opposed points** do not carry a load here: their forces form a couple on the block, which turns
about the pivot in its middle, so that only its own inertia (2.2·10⁻⁶ kg m²) could balance it. The block turns until it lies flat on one side,
where the load is shared between the two ends. A guide whose block is loaded off its middle shows them at once (the test suite turns a block by a
moment).

Rigid and compliant agree on the shares of time. They count differently: a rigid contact completes its bounces and rests, a compliant one
closes and opens with each of them. With e = 0.4 all bounces end before the load changes sides again, so that the rigid motion repeats itself
from turn to turn; the chaos reported for this mechanism is not found at these data. With c = 0, `models/rrtr.toml`, the motion is periodic: a turn lasts 1.57099254 s at 4 rad/s (page on verification).
)md";

void print_row(double clearance, int speed, bool compliant) {
    DynamicOptions options;
    options.end = turns * 60 / speed;
    options.step = options.end / 100;
    options.reactions = false;
    const PlacedMechanism placed = model(clearance, speed, compliant);
    const double start = bench::thread_seconds();
    const DynamicResult result = run_dynamics(placed, options);
    const double seconds = bench::thread_seconds() - start;
    if (result.status != DynamicStatus::completed || !result.audit.passed())
        throw std::runtime_error(result.message.empty() ? "the audit failed" : result.message);
    fmt::print("| {} | {} | {} |", clearance, speed, compliant ? "compliant" : "rigid");
    const ClearanceReport& report = result.clearances.at(0);
    for (const auto& mode : report.modes)
        if (mode.count > 0)
            fmt::print(" {:.2f} % ({}) |", 100 * mode.share, mode.count);
        else
            fmt::print(" - |");
    fmt::print(" {} | {:.3g} | {:.1f} |\n", report.impacts(), report.mean_power, seconds);
    std::fflush(stdout);
}

}  // namespace

int main() {
    fmt::print("{}", introduction);
    for (const double clearance : clearances)
        for (const int speed : speeds)
            for (const bool compliant : {false, true}) print_row(clearance, speed, compliant);
    fmt::print("{}", explanation);
}
