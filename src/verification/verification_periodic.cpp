#include <cmath>

#include "analysis/shooting.h"
#include "model_file/reading/model_file.h"
#include "model_file/reference/embedded_models.h"
#include "simulation/run_options.h"
#include "verification/verification_special.h"

namespace pawl {

// A ball that strikes a vibrating plate once in each swing, on either branch. With V = g T/2,
// w = V (1 - e)/(1 + e) and cos(phase) = w/(A W) the jump matrix of the impact and the free flight
// give determinant e^2 and trace -2 e + (1 + e)^2 (1 - A W^2 sin(phase)/g).
std::vector<VerificationOutcome> verify_ball_on_plate() {
    constexpr double tolerance = 1e-5;  // differences of 1e-6 of runs to 1e-12
    constexpr double nan = NAN;
    const char* source = "jump matrix of the impact and free flight in closed form";
    std::vector<VerificationOutcome> out;
    const auto add = [&](const std::string& quantity, double reference, double computed,
                         const std::string& note) {
        const double error = std::abs(computed - reference);
        out.push_back({"ball on plate", quantity, "", "1", nan, reference, computed, error,
                       tolerance, error <= tolerance, source, note});
    };
    struct Case {
        const char *name, *phase;
        double trace;
    };
    for (const Case& c : {Case{"stable", "acos(w/(2*pi*A*f))", 0.4656480842446604},
                          Case{"unstable", "-acos(w/(2*pi*A*f))", 2.81435191575534}}) {
        Diagnostics diagnostics;
        std::string_view text;
        for (const EmbeddedModel& model : embedded_models())
            if (model.name == "bouncing_on_plate") text = model.text;
        auto model = read_model(text, "bouncing_on_plate.toml", {{"phase", c.phase}}, diagnostics);
        if (!model) {
            add("model", 0, nan, diagnostics.text());
            continue;
        }
        const PlacedMechanism placed = assemble(std::move(model->mechanism));
        ShootingOptions options;
        options.period = 0.2;
        const ShootingResult found = find_periodic(placed, dynamic_options(model->run), options);
        const bool ok = found.status == ShootingStatus::found;
        const std::string name = std::string(c.name) + " motion: ";
        add(name + "determinant of the map over 0.2 s", 0.64, ok ? found.map.determinant() : nan,
            found.message);
        add(name + "trace of it", c.trace, ok ? found.map.trace() : nan, found.message);
        const double square = c.trace * c.trace / 4 - 0.64;
        add(name + "size of its largest multiplier",
            square > 0 ? c.trace / 2 + std::sqrt(square) : 0.8,
            ok ? std::abs(found.multipliers[0]) : nan, found.message);
    }
    return out;
}

}  // namespace pawl
