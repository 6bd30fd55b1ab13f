// The design of a model as numbers: variables within bounds, an objective and constraints, each a
// response of a run. Knows models and results by their face, nothing of how an optimum is found.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "face/model.h"

namespace pawl {

// What one run of a design gives. Numbers of responses are in their units.
struct DesignRun {
    bool valid = false;
    std::string message;              // why there is none
    double objective = 0;             // to be made small, also where the model says maximise
    std::vector<double> constraints;  // scaled; good where <= 0, or = 0 for an equality
    std::vector<double> responses;    // of the constraints, in their units
};

enum class GradientSource { exact, differences };
constexpr auto value_names(GradientSource) {
    return std::array<std::string_view, 2>{"exact", "differences"};
}

// Derivatives by the scaled variables.
struct DesignGradient {
    bool valid = false;
    std::string message;
    GradientSource source = GradientSource::differences;
    std::vector<double> objective;                 // per variable
    std::vector<std::vector<double>> constraints;  // per constraint and variable
    double error =
        0;  // estimated, of the largest derivative over it: by Richardson's extrapolation
};

class DesignProblem {
public:
    struct Variable {
        std::string name, unit;
        double min = 0, max = 1, start = 0;  // in the unit that the model writes
        double factor = 1;                   // SI value of that unit
        Span span;
        [[nodiscard]] double value(double scaled) const { return min + (max - min) * scaled; }
        [[nodiscard]] double scaled(double value) const { return (value - min) / (max - min); }
        [[nodiscard]] double si_range() const { return (max - min) * factor; }
    };
    struct Constraint {
        std::string text, unit;
        bool is_equality = false;
        double scale = 1;   // what its value is divided by
        double factor = 1;  // SI value of the unit of its bound
        double sign = 1;    // -1: at least
        Response response;
    };

    // Nothing, with errors, where the model asks for nothing, where it cannot run at its start, or
    // where a response has no value there.
    static std::optional<DesignProblem> read(const Model& model, Diagnostics& problems);

    [[nodiscard]] const Model& model() const { return model_; }
    [[nodiscard]] const std::vector<Variable>& variables() const { return variables_; }
    [[nodiscard]] const std::vector<Constraint>& constraints() const { return constraints_; }
    [[nodiscard]] const std::optional<Response>& objective() const { return settings_.objective; }
    [[nodiscard]] const OptimisationSettings& settings() const { return settings_; }
    [[nodiscard]] std::vector<double> start() const;  // scaled to [0, 1]
    [[nodiscard]] const std::string& objective_unit() const { return objective_unit_; }
    // The objective as the user reads it.
    [[nodiscard]] double shown(double objective) const {
        return settings_.maximise ? -objective * objective_scale_ : objective * objective_scale_;
    }

    // One run with scaled variables.
    [[nodiscard]] DesignRun run(const std::vector<double>& x) const;
    // Along the steps and events of the run where it is dynamic and they exist, else by central
    // differences with Richardson's extrapolation, on so many threads.
    [[nodiscard]] DesignGradient gradient(const std::vector<double>& x, int threads) const;
    [[nodiscard]] Values values(const std::vector<double>& x) const;
    // The model's text with the values, comments kept.
    [[nodiscard]] std::string model_text(const std::vector<double>& x, Diagnostics& problems) const;

private:
    explicit DesignProblem(const Model& model, OptimisationSettings settings)
        : model_(model), settings_(std::move(settings)) {}
    bool add_variables(Diagnostics& problems);
    bool scale(Diagnostics& problems);
    [[nodiscard]] DesignGradient along_the_run(const std::vector<double>& x, int threads) const;
    [[nodiscard]] double slope_of_bound(const std::vector<double>& x, std::size_t constraint,
                                        std::size_t variable) const;
    [[nodiscard]] DesignGradient by_differences(const std::vector<double>& x, int threads) const;

    Model model_;
    OptimisationSettings settings_;
    std::vector<Variable> variables_;
    std::vector<Constraint> constraints_;
    std::string objective_unit_;
    double objective_scale_ = 1;
};

}  // namespace pawl
