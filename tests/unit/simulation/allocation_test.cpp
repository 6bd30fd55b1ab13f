// Small systems allocate nothing in the step. Every allocation of the process passes through the
// malloc below, which counts only while it is told to; operator new and Eigen both end there.
#include <cstdlib>

#include <gtest/gtest.h>

#include "simulation/driven_motion.h"
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

}  // namespace
}  // namespace pawl
