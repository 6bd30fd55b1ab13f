// The derivative of a motion by the state that it begins with, through its events, against
// differences of runs to either side.
#include "analysis/flow.h"

#include <cmath>

#include <gtest/gtest.h>

#include "simulation/run_options.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

struct Stretch {
    const char* model;
    double from, to;  // s
};

class Tangent : public testing::TestWithParam<Stretch> {};

TEST_P(Tangent, is_that_of_differences_of_runs) {
    const auto model = test::model_of(test::embedded_text(GetParam().model));
    const PlacedMechanism placed = assemble(model.mechanism);
    DynamicOptions options = dynamic_options(model.run);
    options.rtol = options.atol = 1e-12;
    Flow flow(placed, options);
    const DynamicResult first = flow.to(GetParam().from);
    ASSERT_EQ(first.status, DynamicStatus::completed) << first.message;
    const DynamicStart& start = first.last;
    const Eigen::MatrixXd z = flow.directions(start);
    const FlowTangent tangent = flow.tangent(start, GetParam().to, z);
    ASSERT_FALSE(tangent.missing) << tangent.missing->event << ' ' << tangent.missing->reason;
    constexpr double part = 1e-6;  // of the size: rounding of runs is 1e-6 of what it makes
    Eigen::MatrixXd at_start = z, at_end = z;
    for (Eigen::Index i = 0; i < z.cols(); ++i) {
        Eigen::VectorXd begins[2], ends[2];
        for (const int side : {0, 1}) {
            const Eigen::VectorXd by = (side == 0 ? -part : part) * flow.size() * z.col(i);
            const DynamicResult settled = flow.from(flow.moved(start, by), start.state.t),
                                run = flow.from(settled.last, GetParam().to);
            ASSERT_EQ(run.status, DynamicStatus::completed) << run.message;
            begins[side] = flow.vector_of(settled.last.state);
            ends[side] = flow.vector_of(run.last.state);
        }
        at_start.col(i) = (begins[1] - begins[0]) / (2 * part * flow.size());
        at_end.col(i) = (ends[1] - ends[0]) / (2 * part * flow.size());
    }
    EXPECT_LT((tangent.at_start - at_start).norm(), 1e-5 * at_start.norm());
    EXPECT_LT((tangent.at_end - at_end).norm(), 3e-5 * (1 + at_end.norm()));
    // The state that it goes on to, in the first 10 us of the run, whose square is left.
    const double h = 1e-5;
    const Eigen::VectorXd later = flow.vector_of(flow.from(start, start.state.t + h).last.state),
                          rates = (later - flow.vector_of(start.state)) / h;
    EXPECT_LT((tangent.rates - rates).norm(), 1e-2 * (1 + rates.norm()));
}

INSTANTIATE_TEST_SUITE_P(
    OfModels, Tangent,
    testing::Values(Stretch{"driven_pendulum", 1, 3}, Stretch{"double_pendulum", 0, 1},
                    Stretch{"rrtr", 0.1, 0.4}, Stretch{"bouncing_on_plate", 0, 0.45},
                    Stretch{"cam_liftoff", 0.05, 0.2}, Stretch{"friction_pendulum", 0.1, 1},
                    Stretch{"stick_slip_incline", 0.5, 1.5},
                    Stretch{"double_pendulum_impact", 0, 0.5},
                    Stretch{"two_pendulums_compliant", 0, 0.5}, Stretch{"controller", 0, 1},
                    Stretch{"clutch", 0.5, 2.5}),
    [](const auto& info) { return std::string(info.param.model); });

// A contact that is lost just as another one is met leaves the motion without a derivative: it says
// where. The bar lands flat on two posts.
TEST(Tangent, that_does_not_exist_names_the_event) {
    const PlacedMechanism placed = test::placed_of(R"(
format = 1
[body.bar]
position = [0, "0.3 m"]
mass = "1 kg"
inertia = "0.02 kg m^2"
[profile.post1]
body = "ground"
elements = [{ type = "circle", centre = ["-0.5 m", "-0.1 m"], radius = "0.1 m" }]
[profile.post2]
body = "ground"
elements = [{ type = "circle", centre = ["0.5 m", "-0.1 m"], radius = "0.1 m" }]
[profile.bar]
body = "bar"
elements = [{ type = "line", from = ["-1 m", 0], to = ["1 m", 0] }]
[contact.L]
a = "post1"
b = "bar"
restitution = 0.5
[contact.R]
a = "post2"
b = "bar"
restitution = 0.5
[force.weight]
type = "gravity"
)");
    DynamicOptions options;
    options.rtol = options.atol = 1e-12;
    Flow flow(placed, options);
    const DynamicResult start = flow.to(0);
    const FlowTangent tangent = flow.tangent(start.last, 0.4, flow.directions(start.last));
    ASSERT_TRUE(tangent.missing);
    EXPECT_NEAR(tangent.missing->t, std::sqrt(0.6 / 9.81), 1e-9);
    EXPECT_TRUE(tangent.missing->event.starts_with("impact ")) << tangent.missing->event;
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
