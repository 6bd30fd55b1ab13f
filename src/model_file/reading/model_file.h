// Model files: text to mechanism. All errors of a file are collected, each with line and column.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "math/span.h"
#include "mechanism/mechanism.h"
#include "mechanism/optimisation_settings.h"
#include "mechanism/run_settings.h"
#include "model_file/reading/parameters.h"
#include "model_file/reading/responses.h"

namespace pawl {

struct ModelData {
    std::string file;
    std::string text;
    PlanarMechanism mechanism;
    std::vector<Parameter> parameters;  // and inputs; entry i has slot i + 1
    std::vector<ParameterUse> uses;     // of the parameters, in the other tables
    Overrides overrides;                // with which it was read
    std::vector<Response> responses;
    std::optional<SweepSettings> sweep;
    std::shared_ptr<const struct Node> document;  // the text taken apart
    std::optional<OptimisationSettings> design;
    RunSettings run;
    std::shared_ptr<const ComputedInputs> computed;  // that a program has given; or null
};

// Nothing when there are errors. Sets the file of the diagnostics.
std::optional<ModelData> read_model(std::string_view text, std::string file_name,
                                    const Overrides& overrides, Diagnostics& diagnostics);
// The same model with other values: its text is not taken apart again, and what a program computes
// stays.
std::optional<ModelData> read_model(const ModelData& model, const Overrides& overrides,
                                    Diagnostics& diagnostics);
std::optional<ModelData> read_model_file(const std::filesystem::path& path,
                                         const Overrides& overrides, Diagnostics& diagnostics);

// An input as a function of "t", measures, rates ("NAME.rate") and states; its function is still to
// be given. Nothing, with errors, where a name is none.
std::optional<ComputedInput> computed_input(const ModelData& model, std::string_view input,
                                            const std::vector<std::string>& arguments,
                                            Diagnostics& diagnostics);
// Gives the computed inputs to the expressions that use them.
void put_computed(ModelData& model);

// What dynamics asks for: an error for each moving body whose mass is not given, be it zero.
void require_masses(const PlanarMechanism& mechanism, Diagnostics& diagnostics);

}  // namespace pawl
