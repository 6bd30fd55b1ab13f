// The derivatives of example models along their runs against extrapolated differences of whole
// runs, events included.
#include <map>

#include <gtest/gtest.h>

#include "support/runs.h"
#include "support/sensitivities.h"

namespace pawl {
namespace PAWL_TEST_FILE {

struct Example {
    const char* model;
    double end;  // s: until then derivatives grow by less than 1e4, and rtol with them to 1e-8
};

class Examples : public testing::TestWithParam<Example> {};

// Times of the first and second event of each kind, and where the first bodies end.
std::vector<std::string> questions(const Result& run) {
    std::vector<std::string> out;
    std::map<std::string, int> counts;
    for (const Event& e : run.events()) {
        if (e.kind == EventKind::time || e.t < 1e-9) continue;
        const std::string name = std::string(event_name(e.kind)) + ":" + e.element;
        if (const int n = ++counts[name]; n <= 2 && out.size() < 6)
            out.push_back("t@" + name + ":" + std::to_string(n));
    }
    int bodies = 0;
    for (const Column& c : run.columns())
        if ((c.name.ends_with(".x") || c.name.ends_with(".angle")) && ++bodies <= 3)
            out.push_back(c.name);
    return out;
}

TEST_P(Examples, derivatives_along_the_run_are_those_of_whole_runs) {
    Diagnostics problems;
    const auto read = Model::read(test::embedded_text(GetParam().model), problems, "model.toml",
                                  {{"run.rtol", "1e-12"}, {"run.atol", "1e-12"}});
    ASSERT_TRUE(read) << problems.text();
    Model model = *read;
    model.run.end = GetParam().end;
    SensitivityOptions options;
    options.threads = 1;
    options.responses = questions(model.dynamics());
    const auto along = model.sensitivity(options, problems);
    options.differences = true;
    const auto whole = model.sensitivity(options, problems);
    ASSERT_TRUE(along && whole) << problems.text();
    EXPECT_EQ(along->method, SensitivityMethod::along_the_run);
    int compared = 0;
    for (std::size_t r = 0; r < along->responses.size(); ++r)
        for (std::size_t p = 0; p < along->parameters.size(); ++p) {
            const Derivative &a = along->derivatives[r][p], &b = whole->derivatives[r][p];
            if (!b.problem.empty()) continue;  // a response that does not move, or no such model
            const double value = along->parameters[p].value;
            // Differences of runs at rtol = 1e-12 are known to 1e-9 of the response.
            const double scale = std::max(std::abs(b.value),
                                          1e-3 * std::abs(along->responses[r].value.value / value));
            EXPECT_NEAR(a.value, b.value, 1e-6 * scale + 3 * b.error + 1e-11)
                << along->responses[r].response.name << " by " << along->parameters[p].name << ' '
                << a.problem;
            ++compared;
        }
    EXPECT_GT(compared, 3);
}

INSTANTIATE_TEST_SUITE_P(
    OfModels, Examples,
    testing::Values(Example{"attia_chain", 0.5}, Example{"bouncing_ball", 2},
                    Example{"bouncing_on_plate", 0.5}, Example{"cam_arcs", 0.5},
                    Example{"controller", 0.5}, Example{"double_pendulum_impact", 0.5},
                    Example{"driven_pendulum", 1}, Example{"friction_pendulum", 0.5},
                    Example{"hardening_spring", 0.5}, Example{"impulse_hit", 0.5},
                    Example{"latch_tolerance", 0.5}, Example{"newtons_cradle", 0.5},
                    Example{"rocking_block_rough", 0.5}, Example{"rough_pendulum_impact", 0.5},
                    Example{"sliding_laws", 0.5}, Example{"stick_slip_incline", 1.2},
                    Example{"struck_rod", 0.5}, Example{"two_pendulums", 0.5},
                    Example{"two_pendulums_compliant", 0.5}),
    [](const auto& info) { return std::string(info.param.model); });

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
