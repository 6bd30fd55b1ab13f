#include <cmath>
#include <numbers>

#include "analysis/shooting.h"
#include "model_file/reading/model_file.h"
#include "model_file/reference/embedded_models.h"
#include "simulation/run_options.h"
#include "verification/verification_special.h"

namespace pawl {

namespace {

// Derivatives of runs to 1e-12, of a motion that is closed to 1e-9.
constexpr double tolerance = 1e-8;

VerificationOutcome outcome(const char* problem, const std::string& quantity, const char* unit,
                            double reference, double computed, const char* source,
                            const std::string& note) {
    const double error = std::abs(computed - reference);
    return {problem,   quantity,           "",     unit, NAN, reference, computed, error,
            tolerance, error <= tolerance, source, note};
}

std::optional<ModelData> embedded_model(std::string_view name, const Overrides& values,
                                        Diagnostics& diagnostics) {
    std::string_view text;
    for (const EmbeddedModel& model : embedded_models())
        if (model.name == name) text = model.text;
    return read_model(text, std::string(name) + ".toml", values, diagnostics);
}

}  // namespace

// A ball that strikes a vibrating plate once in each swing, on either branch. With V = g T/2,
// w = V (1 - e)/(1 + e) and cos(phase) = w/(A W) the jump matrix of the impact and the free flight
// give determinant e^2 and trace -2 e + (1 + e)^2 (1 - A W^2 sin(phase)/g).
std::vector<VerificationOutcome> verify_ball_on_plate() {
    const char* source = "jump matrix of the impact and free flight in closed form";
    std::vector<VerificationOutcome> out;
    const auto add = [&](const std::string& quantity, double reference, double computed,
                         const std::string& note) {
        out.push_back(outcome("ball on plate", quantity, "1", reference, computed, source, note));
    };
    struct Case {
        const char *name, *phase;
        double trace;
    };
    for (const Case& c : {Case{"stable", "acos(w/(2*pi*A*f))", 0.4656480842446604},
                          Case{"unstable", "-acos(w/(2*pi*A*f))", 2.81435191575534}}) {
        Diagnostics diagnostics;
        auto model = embedded_model("bouncing_on_plate", {{"phase", c.phase}}, diagnostics);
        if (!model) {
            add("model", 0, NAN, diagnostics.text());
            continue;
        }
        const PlacedMechanism placed = assemble(std::move(model->mechanism));
        ShootingOptions options;
        options.period = 0.2;
        const ShootingResult found = find_periodic(placed, dynamic_options(model->run), options);
        const bool ok = found.status == ShootingStatus::found;
        const std::string name = std::string(c.name) + " motion: ";
        add(name + "determinant of the map over 0.2 s", 0.64, ok ? found.map.determinant() : NAN,
            found.message);
        add(name + "trace of it", c.trace, ok ? found.map.trace() : NAN, found.message);
        const double square = c.trace * c.trace / 4 - 0.64;
        add(name + "size of its largest multiplier",
            square > 0 ? c.trace / 2 + std::sqrt(square) : 0.8,
            ok ? std::abs(found.multipliers[0]) : NAN, found.message);
    }
    return out;
}

// A hexagon that rolls over its corners. With k = I/(m r^2) an impact leaves n = (k + 1/2)/(k + 1)
// of the turning speed, and every step adds the same energy: changes of the speed shrink by n^2,
// and slip, which friction ends at once, by all. A step is as long as a side.
std::vector<VerificationOutcome> verify_rolling_hexagon() {
    Diagnostics diagnostics;
    auto model = embedded_model("rolling_hexagon", {}, diagnostics);
    const PlacedMechanism placed = assemble(std::move(model->mechanism));
    ShootingOptions options;
    options.from = 1.9;
    options.period = 0.2;
    options.free_period = true;
    options.shifts = {{"wheel.x", {}}, {"wheel.angle", -std::numbers::pi / 3}};
    const ShootingResult found = find_periodic(placed, dynamic_options(model->run), options);
    const bool ok = found.status == ShootingStatus::found;
    const auto row = [&](const char* quantity, const char* unit, double reference, double value) {
        return outcome("rolling hexagon", quantity, unit, reference, value,
                       "balance of momentum about the corner that strikes, in closed form",
                       found.message);
    };
    return {row("periodic --shift: way in a step", "m", 0.1, ok ? found.shifts[0] : NAN),
            row("periodic --shift: largest multiplier", "1", 0.36,
                ok ? found.multipliers[0].real() : NAN),
            row("periodic --shift: size of the other", "1", 0,
                ok ? std::abs(found.multipliers[1]) : NAN)};
}

}  // namespace pawl
