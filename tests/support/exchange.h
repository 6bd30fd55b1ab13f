// What the tests of foreign data files share: the files of Wang (1996), appendix D, reading them,
// and changes of their text.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "model_file/exchange/acdmc_file.h"
#include "model_file/exchange/adams_file.h"
#include "support/paths.h"

namespace pawl::test {

// wang_d2.dyn (cam of polynomials), wang_d3.dyn (cam of arcs), wang_d4.adm (the cam of D.2 for
// ADAMS; the rows of its matrix that the source leaves out are computed from its table 4.3-1).
inline std::string data_file(const std::string& name) {
    const std::filesystem::path path =
        std::filesystem::path(source_dir) / "tests" / "data" / "acdmc" / name;
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("no " + path.string());
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

// Replaces the n-th place (from 1) where `old` stands.
inline std::string changed(std::string text, std::string_view old, std::string_view now,
                           int n = 1) {
    std::size_t at = text.find(old);
    while (--n > 0 && at != std::string::npos) at = text.find(old, at + 1);
    if (at == std::string::npos) throw std::runtime_error("not there: " + std::string(old));
    return text.replace(at, old.size(), now);
}

struct Imported {
    ExchangeModel model;
    std::string text;
    std::string warnings;  // "file:143:1: warning: ...", one per line
};

using Reader = std::optional<ExchangeModel> (*)(std::string_view, const ImportOptions&,
                                                Diagnostics&);

inline Imported imported(std::string_view text, Reader reader = read_acdmc,
                         const ImportOptions& options = {}) {
    Diagnostics diagnostics;
    diagnostics.file = "file";
    auto model = reader(text, options, diagnostics);
    if (!model) throw std::runtime_error(diagnostics.text());
    std::string toml = model_text_of(*model);
    return {std::move(*model), std::move(toml), diagnostics.text()};
}

// What the user is told, errors and warnings.
inline std::string messages(std::string_view text, Reader reader = read_acdmc) {
    Diagnostics diagnostics;
    diagnostics.file = "file";
    const bool read = reader(text, {}, diagnostics).has_value();
    return (read ? "no error\n" : "") + diagnostics.text();
}

// The data file of a model whose bodies stand where its file says.
inline std::optional<std::string> exported(const ModelData& model, Diagnostics& diagnostics,
                                           const std::string& length = "cm") {
    std::vector<PlanarSpace::Pose> poses;
    for (const auto& body : model.mechanism.bodies) poses.push_back(body.guess);
    return write_acdmc(model, poses, {length, "N", ""}, diagnostics);
}

// Appendix D.3 with what chapter 4.4 says: k = 1.5 N/cm, force k (rho + 5 cm), 0.15 N s^2/cm,
// and a cam of 1e6 N cm s^2.
inline std::string corrected_d3() {
    std::string text = data_file("wang_d3.dyn");
    text = changed(text, "0.5000000000\n", "0.1500000000\n");
    text = changed(text, "9800.0000000000", "1000000.0000000000");
    text = changed(text, "STIFF        : 0.00000000000000E+0000", "STIFF : -1.5");
    return changed(text, "LENGTH       : 0.00000000000000E+0000", "LENGTH : -5");
}

}  // namespace pawl::test
