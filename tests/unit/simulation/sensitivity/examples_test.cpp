// The derivatives of all example models along their runs against extrapolated differences of whole
// runs, events included, up to where the growth of derivatives times rtol reaches 1e-8.
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/flow.h"
#include "model_file/reference/embedded_models.h"
#include "simulation/run_options.h"
#include "support/runs.h"
#include "support/sensitivities.h"

namespace pawl {
namespace PAWL_TEST_FILE {

struct Example {
    const char* model;
    double end;  // s
    // Of a model without parameters: a value that becomes one.
    const char* path = nullptr;
    const char* value = nullptr;
    // The event at which the derivative by a parameter does not exist: "parameter: event".
    const char* missing = nullptr;
    // Why derivatives are not as good, or not as good as they are said to be (docs/sensitivity.md).
    const char* gap = nullptr;
};
constexpr const char* rattles = "impacts accumulate at several points within microseconds";

const Example examples[] = {
    {"attia_chain", 0.5},
    {"bouncing_ball", 2},
    {"bouncing_on_plate", 0.5},
    // Without resistance it rolls; with any it slides on, or stands.
    {"bowling_disk", 0.3, nullptr, nullptr, "rolling: contact_formed C#1"},
    {"cam_adams", 0.05, "body.part_3.mass", "0.5 kg", nullptr,
     "errors are four times as large as they are said to be"},
    {"cam_arcs", 0.5},
    {"cam_arcs_free", 0.3},
    {"cam_flat", 0.3},
    {"cam_liftoff", 0.1},
    {"cam_polynomial", 0.1},
    {"clutch", 1.2, "body.wheel1.mass", "10 kg"},
    {"controller", 0.5},
    {"double_pendulum", 0.5},
    {"double_pendulum_impact", 0.5},
    {"double_pendulums", 0.5},
    {"drawer", 0.3},
    {"driven_pendulum", 1},
    {"elliptic_pendulum", 0.3},
    {"escapement", 0.2},
    {"falling_dominoes", 0.2},
    {"friction_pendulum", 0.5},
    {"geneva", 0.1},
    {"geneva_pin", 0.3},
    {"hardening_spring", 0.5, nullptr, nullptr, nullptr,
     "a knot of its table is grazed at coarse tolerances"},
    {"heap", 0.1, "body.B1.mass", "20.1062 kg", nullptr, "time steps are not differentiated"},
    {"impulse_hit", 0.5},
    {"ladder1", 0.3},
    {"ladder_wall", 0.4},
    {"latch_tolerance", 0.5},
    {"marble_run", 0.5, nullptr, nullptr, nullptr,
     "the run itself loses more at coarse tolerances"},
    {"newtons_cradle", 0.5, nullptr, nullptr, nullptr,
     "the run itself loses more at coarse tolerances"},
    {"painleve_rod", 0.2},
    {"pendulum", 0.5},
    {"ratchet", 0.1, nullptr, nullptr, nullptr, rattles},
    {"robot_arm_planar", 0.2},
    {"rocking_block", 0.3},
    {"rocking_block_rough", 0.5},
    {"rolling_disk", 0.3},
    {"rolling_hexagon", 0.3},
    {"rough_pendulum_impact", 0.5},
    {"rrtr", 0.1},
    {"rrtr_clearance", 0.02, nullptr, nullptr, nullptr, rattles},
    {"rrtr_friction", 0.1, nullptr, nullptr, nullptr,
     "errors are twice as large as they are said to be"},
    {"shaken_incline", 0.3},
    {"slider_crank_clearance", 0.01, nullptr, nullptr, nullptr, rattles},
    {"slider_crank_massless", 0.1, "body.crank.mass", "1 kg"},
    {"slider_crank_singular", 0.1},
    {"slider_fourbar", 0.1},
    {"sliding_laws", 0.5},
    {"spinning_body", 0.3},
    {"spring_mass", 0.5},
    {"stick_slip_belt", 0.3},
    {"stick_slip_incline", 1.2},
    {"struck_fourbar", 0.1, "body.crank.mass", "0.5 kg"},
    {"struck_rod", 0.5},
    {"tautochrone", 0.2},
    {"toggle_latch", 0.1, nullptr, nullptr, nullptr, rattles},
    {"trigger", 0.1},
    {"turning_tube", 0.3},
    {"two_pendulums", 0.5},
    {"two_pendulums_compliant", 0.5},
    {"two_pendulums_hysteresis", 0.3},
    {"wedge", 0.2},
    {"wedge_jam", 0.1},
};

class Examples : public testing::TestWithParam<Example> {
protected:
    static std::optional<Model> model_at(double rtol) {
        const Example& example = GetParam();
        std::string text(test::embedded_text(example.model));
        const std::string tolerance = fmt::format("{:g}", rtol);
        Values values{{"run.rtol", tolerance}, {"run.atol", tolerance}};
        if (example.path) {
            text += "\n[parameters]\nadded = \"" + std::string(example.value) + "\"\n";
            values.emplace_back(example.path, "added");
        }
        Diagnostics problems;
        auto model = Model::read(text, problems, "model.toml", values);
        EXPECT_TRUE(model) << problems.text();
        if (model) model->run.end = example.end;
        return model;
    }
};

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
        if ((c.name.ends_with(".x") || c.name.ends_with(".angle")) &&
            c.name.find('#') == std::string::npos && ++bodies <= 3)
            out.push_back(c.name);
    return out;
}

SensitivityOptions options_for(const Model& model) {
    constexpr std::size_t most = 3;
    SensitivityOptions out;
    out.threads = 1;
    out.responses = questions(model.dynamics());
    for (const ParameterInfo& p : model.parameters())
        if (out.parameters.size() < most) out.parameters.push_back(p.name);
    return out;
}

// Of a derivative whose response is zero, or moves little: part of the response counts.
double scale_of(const Derivative& d, const Sensitivity& s, std::size_t r, std::size_t p) {
    const double value = s.parameters[p].value != 0 ? s.parameters[p].value : 1;
    return std::max(std::abs(d.value), 1e-3 * std::abs(s.responses[r].value.value / value));
}

TEST_P(Examples, derivatives_along_the_run_are_those_of_whole_runs) {
    if (GetParam().gap) GTEST_SKIP() << GetParam().gap;
    const auto model = model_at(1e-12);
    ASSERT_TRUE(model);
    SensitivityOptions options = options_for(*model);
    ASSERT_FALSE(options.parameters.empty());
    Diagnostics problems;
    const auto along = model->sensitivity(options, problems);
    options.differences = true;
    const auto whole = model->sensitivity(options, problems);
    ASSERT_TRUE(along && whole) << problems.text();
    EXPECT_EQ(along->method, SensitivityMethod::along_the_run);
    std::string missing;
    for (const MissingDerivativeAt& m : along->missing) missing += m.parameter + ": " + m.event;
    EXPECT_EQ(missing, GetParam().missing ? GetParam().missing : "");
    int compared = 0;
    for (std::size_t r = 0; r < along->responses.size(); ++r)
        for (std::size_t p = 0; p < along->parameters.size(); ++p) {
            const Derivative &a = along->derivatives[r][p], &b = whole->derivatives[r][p];
            if (!b.problem.empty()) continue;  // a response that does not move, or no such model
            if (along->parameters[p].name + ":" == missing.substr(0, missing.find(' '))) continue;
            // Differences of runs at rtol = 1e-12 are known to 1e-9 of the response.
            const double scale = scale_of(b, *along, r, p);
            EXPECT_NEAR(a.value, b.value, 1e-6 * scale + 3 * b.error + 1e-11)
                << along->responses[r].response.name << " by " << along->parameters[p].name << ' '
                << a.problem;
            // And no worse than they are said to be.
            EXPECT_LE(std::abs(a.value - b.value), 3 * (a.error + b.error) + 1e-8 * scale + 1e-11)
                << along->responses[r].response.name << " by " << along->parameters[p].name;
            ++compared;
        }
    EXPECT_GT(compared, 0);
}

// With larger tolerances the run differs, and so does its derivative: by rtol times what it grows.
TEST_P(Examples, derivatives_lose_no_more_than_the_run_does) {
    if (GetParam().gap) GTEST_SKIP() << GetParam().gap;
    const auto model = model_at(1e-12);
    ASSERT_TRUE(model);
    SensitivityOptions options = options_for(*model);
    Diagnostics problems;
    const auto exact = model->sensitivity(options, problems);
    ASSERT_TRUE(exact) << problems.text();
    constexpr double growth = 1e4;
    for (const double rtol : {1e-9, 1e-6}) {
        const auto coarse = model_at(rtol)->sensitivity(options, problems);
        ASSERT_TRUE(coarse) << rtol << problems.text();
        for (std::size_t r = 0; r < exact->responses.size(); ++r)
            for (std::size_t p = 0; p < exact->parameters.size(); ++p) {
                const Derivative &a = coarse->derivatives[r][p], &b = exact->derivatives[r][p];
                EXPECT_EQ(a.problem.empty(), b.problem.empty()) << a.problem << b.problem;
                if (!a.problem.empty() || !b.problem.empty()) continue;
                EXPECT_NEAR(
                    a.value, b.value,
                    growth * rtol * scale_of(b, *exact, r, p) + 3 * (a.error + b.error) + 1e-11)
                    << exact->responses[r].response.name << " by " << exact->parameters[p].name
                    << " at rtol " << rtol;
            }
    }
}

// The end that is given is early enough: states that begin apart by 1 are apart by less than 1e4.
TEST_P(Examples, grow_by_less_than_the_tolerance_allows) {
    const auto placed = test::placed_of(test::embedded_text(GetParam().model));
    Diagnostics problems;
    DynamicOptions options = dynamic_options(model_at(1e-12)->run);
    Flow flow(placed, options);
    const DynamicResult start = flow.to(0);
    ASSERT_EQ(start.status, DynamicStatus::completed) << start.message;
    const FlowTangent tangent =
        flow.tangent(start.last, GetParam().end, flow.directions(start.last));
    ASSERT_EQ(tangent.run.status, DynamicStatus::completed) << tangent.run.message;
    if (tangent.missing) GTEST_SKIP() << tangent.missing->event << ": " << tangent.missing->reason;
    EXPECT_LT(tangent.at_end.norm(), 1e4);
}

INSTANTIATE_TEST_SUITE_P(OfModels, Examples, testing::ValuesIn(examples),
                         [](const auto& info) { return std::string(info.param.model); });

TEST(ExampleModels, of_dynamics_are_all_compared) {
    std::set<std::string> compared;
    for (const Example& example : examples) compared.insert(example.model);
    for (const EmbeddedModel& embedded : embedded_models()) {
        Diagnostics problems;
        const auto model = Model::read(embedded.text, problems);
        if (!model || model->run.analysis != Analysis::dynamics) continue;
        EXPECT_TRUE(compared.contains(std::string(embedded.name))) << embedded.name;
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
