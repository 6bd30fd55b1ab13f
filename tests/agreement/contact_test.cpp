// Three sets of coordinates times every formulation: the same contacts close, pass on and let go,
// the same places stick and slip, at the same times.
#include <cmath>

#include <gtest/gtest.h>

#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

constexpr const char* formulations[] = {"multipliers", "augmented", "augmented_canonical",
                                        "independent", "canonical"};
constexpr const char* coordinate_names[] = {"relative", "absolute"};

struct Example {
    const char* name;
    const char* model;
    Overrides overrides;
    double end;
};

const Example examples[] = {
    {"four_bar_thrown_off", "slider_fourbar", {{"speed", "8 rad/s"}}, 0.79},
    {"cam_with_lift_off", "cam_liftoff", {}, 0.3},
    {"cam_of_arcs", "cam_arcs", {{"k", "0.35 N/cm"}}, 13},
    {"bouncing_ball", "bouncing_ball", {}, 5},
    {"trigger", "trigger", {}, 0.3},
    {"ratchet", "ratchet", {}, 1},
    {"geneva_drive", "geneva", {}, 2},
    {"escapement", "escapement", {}, 3},
    {"toggle_latch", "toggle_latch", {}, 4},
    {"marble_run", "marble_run", {}, 2},
    {"rocking_block", "rocking_block", {}, 1},
    {"compliant_pendulums", "two_pendulums_compliant", {}, 1},
    {"shaken_incline", "shaken_incline", {}, 1.1},
    {"shaken_incline_reversals",
     "shaken_incline",
     {{"amplitude", "50 mm"}, {"slope", "10 deg"}},
     1.3},
    {"rough_ladder", "ladder_wall", {{"mu_floor", "0.2"}, {"mu_wall", "0.2"}}, 0.79},
    {"bowling_with_rolling_moment", "bowling_disk", {{"rolling", "2 mm"}}, 1},
    {"rough_rocking_block", "rocking_block_rough", {}, 0.9},
    {"painleve_rod", "painleve_rod", {}, 0.8},
    {"driven_crank_with_friction", "rrtr_friction", {}, 0.7},
    {"wedge", "wedge", {}, 0.1},
    {"struck_rod", "struck_rod", {{"contact.C.impact", "stronge"}}, 0.01},
};

DynamicResult run(const PlacedMechanism& placed, const std::string& coordinates,
                  const std::string& dynamics, double end) {
    DynamicOptions options;
    options.end = end;
    options.step = end / 50;
    options.coordinates =
        coordinates == "absolute" ? CoordinateKind::absolute : CoordinateKind::relative;
    options.dynamics = named<Formulation>(dynamics).value();
    options.rtol = options.atol = 1e-11;
    return run_dynamics(placed, options);
}

std::string text_of(const Event& e) {
    return std::string(event_name(e.kind)) + " " + e.element + " " + e.from + " > " + e.to;
}

class ContactAgreement : public testing::TestWithParam<Example> {};

TEST_P(ContactAgreement, events_do_not_depend_on_coordinates_or_formulation) {
    const Example& example = GetParam();
    PlacedMechanism placed = test::placed_of(test::embedded_text(example.model), example.overrides);
    // Absolute coordinates ask for an inertia of every body, also of those that cannot turn.
    for (auto& body : placed.mechanism.bodies)
        if (body.mass && !body.inertia) body.inertia = 0.01;
    const DynamicResult reference = run(placed, "relative", "multipliers", example.end);
    ASSERT_EQ(reference.status, DynamicStatus::completed) << reference.message;
    ASSERT_GT(reference.events.size(), 0U);
    for (const char* coordinates : coordinate_names)
        for (const char* dynamics : formulations) {
            const std::string choice = std::string(coordinates) + " " + dynamics;
            const DynamicResult result = run(placed, coordinates, dynamics, example.end);
            EXPECT_EQ(result.status, DynamicStatus::completed) << choice << ": " << result.message;
            // The balance of forces is judged against forces that cancel when a body rests.
            for (const AuditCheck& check : result.audit.checks)
                EXPECT_TRUE(check.passed() || check.name == "balance of forces")
                    << choice << ": " << check.name << " " << check.value() << " > " << check.limit;
            EXPECT_EQ(result.events.size(), reference.events.size()) << choice;
            for (std::size_t i = 0; i < std::min(result.events.size(), reference.events.size());
                 ++i) {
                EXPECT_EQ(text_of(result.events[i]), text_of(reference.events[i]))
                    << choice << ", event " << i << " at t = " << reference.events[i].t;
                // Local errors of 1e-11 over some thousand steps, divided by the speed at which a
                // switching function passes zero.
                EXPECT_NEAR(result.events[i].t, reference.events[i].t, 1e-8)
                    << choice << ", event " << i << ": " << text_of(reference.events[i]);
                if (testing::Test::HasFailure()) break;
            }
        }
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, ContactAgreement, testing::ValuesIn(examples),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
