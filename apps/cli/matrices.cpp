#include "matrices.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "output/result/matrices_text.h"
#include "support.h"

namespace pawl::cli {

void MatricesOption::add_to(CLI::App& sub) {
    sub.add_flag("--matrices", wanted,
                 "show Jacobian, -phi_t, gamma and the influence matrix [K] at one time; also in "
                 "the result as matrix_*.csv");
    sub.add_option("--at", at, "with --matrices: the time, e.g. \"0.5 s\" (default: the start)");
}

std::optional<double> MatricesOption::time(double end, int bodies) const {
    if (!wanted) {
        if (at.empty()) return std::nullopt;
        throw Failure{wrong_usage, "--at is the time of --matrices; add --matrices"};
    }
    constexpr int max_bodies = 300;  // bodies: a Jacobian of 900 columns
    if (bodies > max_bodies)
        throw Failure{wrong_usage,
                      fmt::format("--matrices works up to {} moving bodies; this model has {}",
                                  max_bodies, bodies)};
    const double t = at.empty() ? 0 : time_on_command_line(at, "--at");
    if (!(t >= 0)) throw Failure{wrong_usage, "--at: the motion begins at t = 0"};
    if (t > end)
        throw Failure{wrong_usage, fmt::format("--at {}: the run ends at t = {:g} s", at, end)};
    return t;
}

void print_matrices(const MotionMatrices& matrices) {
    constexpr std::size_t widest = 40;  // rows or columns; larger ones are in the files alone
    fmt::print("matrices at t = {:.9g} s\n", matrices.t);
    for (const IndependentCoordinate& c : matrices.independent)
        fmt::print("independent   {} [{}]: {}\n", c.name, c.unit,
                   c.driven ? "drives " + c.coordinate : "at rest, nothing drives it");
    if (matrices.independent.empty()) fmt::print("independent   none: nothing can move\n");
    if (matrices.singular)
        fmt::print(
            "influence     none: the position is singular, and the independent coordinates "
            "do not determine the motion\n");
    for (const LabelledMatrix& m : matrices.matrices) {
        fmt::print("\n{} ({} x {})\n", m.title, m.rows.size(), m.columns.size());
        if (std::max(m.rows.size(), m.columns.size()) > widest)
            fmt::print("too large to print: see matrix_{}.csv in the result\n", m.name);
        else
            fmt::print("{}", matrix_text(m));
    }
    fmt::print("\n");
}

}  // namespace pawl::cli
