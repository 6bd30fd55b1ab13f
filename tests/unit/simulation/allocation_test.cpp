// Small systems allocate nothing in the step. Every allocation of the process passes through the
// malloc below, which counts only while it is told to; operator new and Eigen both end there.
#include <cstdlib>

#include <gtest/gtest.h>

#include "simulation/dynamic/dynamic_simulation.h"
#include "simulation/kinematic/driven_motion.h"
#include "support/runs.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define PAWL_COUNTS_ALLOCATIONS 1
#else
#define PAWL_COUNTS_ALLOCATIONS 0  // sanitizers bring their own malloc
#endif

namespace {
bool counting = false;
long allocations = 0;
}  // namespace

#if PAWL_COUNTS_ALLOCATIONS
extern "C" {
void* __libc_malloc(std::size_t size);  // the one of the C library, NOLINT
void* malloc(std::size_t size) {
    if (counting) ++allocations;
    return __libc_malloc(size);
}
}
#endif

namespace pawl {
namespace {

class Counted {
public:
    Counted() {
        allocations = 0;
        counting = true;
    }
    ~Counted() { counting = false; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
};

class Allocation : public testing::Test {
protected:
    void SetUp() override {
        if (!PAWL_COUNTS_ALLOCATIONS) GTEST_SKIP() << "a sanitizer replaces malloc";
    }
};

TEST_F(Allocation, is_seen_by_the_counter) {
    long seen = 0;
    {
        const Counted counted;
        std::vector<double> v(100);
        v[7] = 1;
        const Eigen::VectorXd e = Eigen::VectorXd::Constant(100, v[7]);
        seen = allocations + (e[3] > 2);
    }
    EXPECT_EQ(seen, 2);
}

TEST_F(Allocation, is_none_in_a_thousand_solved_positions_of_the_four_bar) {
    for (const char* law : {"type = \"speed\"\nspeed = \"60 rpm\"",
                            "type = \"expression\"\nvalue = \"1 + 3*t + sin(t)\"",
                            "type = \"harmonic\"\nmean = 1\namplitude = 1\nfrequency = 1",
                            "type = \"table\"\ntimes = [0, 0.5, 2]\nvalues = [1, 1.5, 2]"})
        for (const CoordinateKind kind : test::both_coordinates) {
            const PlacedMechanism placed = test::placed_of(test::fourbar(law));
            MechanismEquations<PlanarSpace> eq(placed.mechanism, placed.topology,
                                               {.coordinates = kind});
            eq.set_model_size(placed.assembly.model_size);
            const auto n = static_cast<std::size_t>(eq.size());
            MotionNode node{0, eq.coordinates().from_positions(placed.assembly.positions),
                            std::vector<double>(n), std::vector<double>(n)};
            eq.set_position(node.q, 0);
            DrivenMotion motion(
                eq, rank_of_rows(eq.pattern(), eq.jacobian(), eq.column_scale()).independent);
            int solved = 0;
            {
                const Counted counted;
                for (int i = 1; i <= 1000; ++i) {
                    node.t = i * 1e-3;
                    solved +=
                        motion.solve(node) == SolveOutcome::solved && motion.condition() < 1e3;
                }
            }
            EXPECT_EQ(solved, 1000) << law;
            EXPECT_EQ(allocations, 0) << law << ", " << test::name_of(kind);
        }
}

// The allocations of each step of a dynamic run with one output, but for the first ten: buffers
// grow to their size.
long of_later_steps(DynamicSimulation& simulation) {
    long later = 0;
    int steps = 0;
    bool stepped = true;
    while (stepped) {
        const Counted counted;
        stepped = simulation.step();
        // The last ones finish the step in which the only output is, and find the end.
        if (stepped && ++steps > 10) later += allocations;
    }
    const DynamicResult result = simulation.finish();
    EXPECT_EQ(result.status, DynamicStatus::completed) << result.message;
    EXPECT_GE(steps, 100);
    return later;
}

DynamicOptions one_output(double end) {
    DynamicOptions options;
    options.end = options.step = end;
    options.largest_step = 0.01 * end;
    options.reactions = false;
    return options;
}

long of_later_steps(const PlacedMechanism& placed, double end) {
    DynamicSimulation simulation(placed, one_output(end));
    return of_later_steps(simulation);
}

TEST_F(Allocation, is_none_in_steps_of_a_closed_loop) {
    const auto loop = test::embedded_text("rod_linkage");
    EXPECT_EQ(of_later_steps(test::placed_of(loop), 1), 0);
}

TEST_F(Allocation, is_none_in_steps_after_a_reset_with_other_values) {
    DynamicSimulation simulation(test::model_of(test::embedded_text("rod_linkage")), one_output(1));
    Diagnostics diagnostics;
    for (const char* mass : {"2 kg", "3 kg"}) {
        ASSERT_TRUE(simulation.reset({{"body.plate.mass", mass}}, diagnostics))
            << diagnostics.text();
        EXPECT_EQ(of_later_steps(simulation), 0) << mass;
    }
}

// A box of two corners on an incline, a disk on a flat that a driver turns, a ball above the
// ground.
TEST_F(Allocation, is_none_in_steps_with_contacts_that_stay) {
    const std::string box = R"(format = 1
[body.box]
position = [0, 0.1]
mass = 1
inertia = 0.01
[profile.box]
body = "box"
closed = true
elements = [
  { type = "line", from = [-0.1, -0.1], to = [0.1, -0.1] },
  { type = "line", from = [0.1, -0.1], to = [0.1, 0.1] },
  { type = "line", from = [0.1, 0.1], to = [-0.1, 0.1] },
  { type = "line", from = [-0.1, 0.1], to = [-0.1, -0.1] }]
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [20, 0], to = [-1, 0] }]
[force.weight]
type = "gravity"
acceleration = [4, -9]
[contact.C]
a = "floor"
b = "box"
)";
    EXPECT_EQ(of_later_steps(test::placed_of(box), 1), 0);
    EXPECT_EQ(of_later_steps(test::placed_of(box + "friction = { kinetic = 0.2 }\n"), 1), 0);
    for (const char* name : {"cam_liftoff", "bouncing_ball"})
        EXPECT_EQ(of_later_steps(test::placed_of(test::embedded_text(name)), 0.02), 0) << name;
}

}  // namespace
}  // namespace pawl
