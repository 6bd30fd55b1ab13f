// Attia's chain of five bodies (models/attia_chain.toml) as bodies and as equivalent particles: the
// size of the equations of motion, evaluations and time of the first two seconds, as a table in
// Markdown.
// usage: particles
#include <cstdio>

#include <fmt/format.h>

#include "model_file/reading/model_file.h"
#include "simulation/dynamic/particle_run.h"
#include "timing.h"

namespace {

using namespace pawl;

PlacedMechanism chain() {
    Diagnostics diagnostics;
    auto model = read_model_file(PAWL_SOURCE_DIR "/models/attia_chain.toml", {}, diagnostics);
    if (!model) throw std::runtime_error(diagnostics.text());
    return assemble(std::move(model->mechanism));
}

void print(const char* name, int coordinates, int rows, long evaluations, double seconds,
           double first) {
    fmt::print("| {} | {} | {} | {} | {} | {:.2f} | {:.1f} |\n", name, coordinates, rows,
               coordinates + rows, evaluations, 1e6 * seconds / static_cast<double>(evaluations),
               seconds / first);
}

}  // namespace

int main() {
    const PlacedMechanism placed = chain();
    fmt::print(
        "| coordinates | second order | constraints | system | evaluations | us each | time |\n"
        "|---|---|---|---|---|---|---|\n");
    DynamicOptions bodies = bench::options_for(2, 2, 1e-9);
    double first = 0;
    for (const CoordinateKind kind : {CoordinateKind::relative, CoordinateKind::absolute}) {
        bodies.coordinates = kind;
        MechanismEquations<PlanarSpace> equations(placed.mechanism, placed.topology,
                                                  {.coordinates = kind});
        DynamicResult result;
        const auto seconds =
            bench::median_seconds([&] { result = run_dynamics(placed, bodies); }, [] {}).first;
        if (first == 0) first = seconds;
        print(kind == CoordinateKind::relative ? "relative, bodies" : "absolute, bodies",
              equations.size(), equations.pattern().rows(), result.statistics.evaluations, seconds,
              first);
    }
    ParticleOptions options;
    options.end = 2;
    options.step = 2;
    options.cuts = {"C", "F"};
    for (const ParticleForm form : {ParticleForm::joints, ParticleForm::particles}) {
        options.form = form;
        ParticleResult result;
        const auto seconds =
            bench::median_seconds([&] { result = run_particles(placed, options); }, [] {}).first;
        print(form == ParticleForm::joints ? "joints, particles (17)" : "particles (9)",
              result.coordinates, result.rows, result.evaluations, seconds, first);
    }
    return 0;
}
