#include "verification/verification_column.h"

#include <cmath>
#include <cstdlib>

#include "math/units.h"
#include "results/response.h"

namespace pawl {

namespace {

double factor_to(std::string_view from, std::string_view to) {
    const auto a = parse_unit(from), b = parse_unit(to);
    return (a ? a->factor : 1) / (b ? b->factor : 1);
}

}  // namespace

double column_value(const Trajectory& t, const std::vector<Event>& events, std::string_view text,
                    double at, std::string_view unit, std::string& note) {
    ResponseProblem problem;
    auto response = read_response(text, problem);
    if (!response) {
        note = problem.message;
        return NAN;
    }
    response->unit = unit;
    const bool has_instant =
        text.find('@') != std::string_view::npos || text.starts_with("ledger:");
    if (!has_instant) {
        response->from = {Instant::Kind::time, at};
        if (response->of == Response::Of::value) response->to = response->from;
    }
    const ResponseValue value = evaluate(*response, {t, events});
    if (!value.problem.empty()) note = value.problem;
    return value.value;
}

double held_bound(const EquilibriumFriction& friction, std::string_view text, std::string& note) {
    for (const HeldLoad& load : friction.loads) {
        if (text == "held:" + load.name + ":low") return load.low;
        if (text == "held:" + load.name + ":high") return load.high;
    }
    note = friction.holds ? "no such load" : "friction does not hold it: " + friction.problem;
    return NAN;
}

double mode_frequency(const Vibration& vibration, std::string_view text, std::string& note) {
    const int number = std::atoi(std::string(text.substr(text.find(':') + 1)).c_str());
    if (number >= 1 && number <= static_cast<int>(vibration.modes.size()))
        return vibration.modes[static_cast<std::size_t>(number) - 1].frequency;
    note = "the equilibrium has no such mode";
    return NAN;
}

double matrix_value(const MotionMatrices& matrices, std::string_view text, std::string_view unit,
                    std::string& note) {
    for (const LabelledMatrix& m : matrices.matrices)
        for (std::size_t r = 0; r < m.rows.size(); ++r)
            for (std::size_t c = 0; c < m.columns.size(); ++c)
                if (text == "matrix:" + m.name + ":" + m.rows[r].name + ":" + m.columns[c].name)
                    return m.at(r, c) * factor_to(m.unit(r, c), unit);
    note = "the motion has no entry '" + std::string(text) + "'";
    return NAN;
}

}  // namespace pawl
