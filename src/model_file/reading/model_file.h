// Model files: text to mechanism. All errors of a file are collected, each with its place.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "math/span.h"
#include "mechanism/mechanism.h"
#include "model_file/reading/parameters.h"

namespace pawl {

struct RunSettings {
    Span span;
    std::string analysis = "kinematics";
    std::string coordinates = "relative";
    std::string dynamics = "auto";
    std::string integrator = "auto";
    std::string impacts = "simultaneous";
    double end = 1, step = 0.01;            // s
    double rtol = 1e-9, atol = 1e-9;        // atol: of the model's size, and of a radian
    std::optional<double> largest_step;     // s
    std::optional<double> integrator_step;  // s, for rk4; none: the output step
};

struct Model {
    std::string file;
    std::string text;
    PlanarMechanism mechanism;
    std::vector<Parameter> parameters;  // and inputs; entry i has slot i + 1
    std::vector<ParameterUse> uses;     // of the parameters, in the other tables
    Overrides overrides;                // with which it was read
    RunSettings run;
};

// Nothing when there are errors. Sets the file of the diagnostics.
std::optional<Model> read_model(std::string_view text, std::string file_name,
                                const Overrides& overrides, Diagnostics& diagnostics);
std::optional<Model> read_model_file(const std::filesystem::path& path, const Overrides& overrides,
                                     Diagnostics& diagnostics);

// What dynamics asks for: an error for each moving body whose mass is not given, be it zero.
void require_masses(const PlanarMechanism& mechanism, Diagnostics& diagnostics);

}  // namespace pawl
