// The share of fuzzing that runs with every test: inputs that once failed, and mutations of a fixed
// seed. A crash ends the suite; an exception or a long time fails here. More: ./dev fuzz MINUTES.
#include <ctime>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "fuzz/mutation.h"
#include "fuzz/targets.h"
#include "support/paths.h"

namespace pawl::fuzz {
namespace PAWL_TEST_FILE {

constexpr double longest = 20;  // s of processor time for one input

void run_and_time(const Target& target, const std::string& text, const std::string& what) {
    const std::clock_t start = std::clock();
    EXPECT_NO_THROW(run_target(target, text)) << what;
    EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, longest) << what;
}

TEST(Fuzz, inputs_that_once_failed_pass) {
    int replayed = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(test::source_dir + "/tests/fuzz/corpus")) {
        const std::string name = entry.path().filename().string();
        std::ifstream in(entry.path(), std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        for (const Target& target : targets())
            if (name.starts_with(target.name)) {
                run_and_time(target, text, name);
                ++replayed;
            }
    }
    EXPECT_GE(replayed, 1);
}

class FuzzTarget : public testing::TestWithParam<std::pair<const char*, int>> {};

TEST_P(FuzzTarget, takes_any_input) {
    const auto [name, inputs] = GetParam();
    for (const Target& target : targets()) {
        if (target.name != name) continue;
        const Mutator mutator(target.seeds());
        for (int i = 0; i < inputs; ++i) {
            run_and_time(target, mutator.text(1, static_cast<std::uint64_t>(i)),
                         "input " + std::to_string(i) + " of seed 1");
            if (HasFailure()) return;
        }
    }
}

// As many as take about a second each.
INSTANTIATE_TEST_SUITE_P(All, FuzzTarget,
                         testing::Values(std::pair{"model", 1000}, std::pair{"expression", 3000},
                                         std::pair{"acdmc", 300}, std::pair{"adams", 300},
                                         std::pair{"result", 200}, std::pair{"run", 200}),
                         [](const auto& info) { return info.param.first; });

}  // namespace PAWL_TEST_FILE
}  // namespace pawl::fuzz
