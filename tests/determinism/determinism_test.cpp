// Equal bytes: run after run, and whatever runs beside it in the same process.
#include <thread>

#include <gtest/gtest.h>

#include "output/result/result_folder.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// Everything a kinematic run of an example model writes, as bytes.
std::string bytes_of(const EmbeddedModel& embedded) {
    const ModelData model = test::model_of(embedded.text);
    const PlacedMechanism placed = test::placed_of(embedded.text);
    std::string bytes;
    for (const CoordinateKind kind : test::both_coordinates) {
        const KinematicResult result =
            test::run_of(placed, model.run.end, model.run.step, kind, true);
        bytes +=
            csv(result.trajectory) + csv(result.events) + csv(result.influence) + result.message;
    }
    return bytes;
}

std::vector<EmbeddedModel> models() {
    std::vector<EmbeddedModel> chosen;
    for (const EmbeddedModel& m : embedded_models())
        if (m.text.find("analysis = \"kinematics\"") != std::string_view::npos) chosen.push_back(m);
    return chosen;
}

TEST(Determinism, same_model_gives_the_same_bytes_again) {
    for (const EmbeddedModel& m : models()) {
        const std::string once = bytes_of(m);
        EXPECT_GT(once.size(), 1000U) << m.name;
        EXPECT_TRUE(once == bytes_of(m)) << m.name;
    }
}

TEST(Determinism, models_run_side_by_side_give_the_bytes_they_give_alone) {
    const auto all = models();
    std::vector<std::string> alone;
    for (const EmbeddedModel& m : all) alone.push_back(bytes_of(m));
    constexpr std::size_t threads = 4;
    std::vector<std::vector<std::string>> together(threads, std::vector<std::string>(all.size()));
    std::vector<std::thread> workers;
    for (std::size_t w = 0; w < threads; ++w)
        workers.emplace_back([&, w] {
            // Each begins elsewhere in the list, so that different models meet.
            for (std::size_t i = 0; i < all.size(); ++i) {
                const std::size_t m = (i + w * all.size() / threads) % all.size();
                together[w][m] = bytes_of(all[m]);
            }
        });
    for (std::thread& worker : workers) worker.join();
    for (std::size_t w = 0; w < threads; ++w)
        for (std::size_t m = 0; m < all.size(); ++m)
            EXPECT_TRUE(together[w][m] == alone[m]) << all[m].name << " in thread " << w;
}

TEST(Determinism, assembly_modes_are_found_in_the_same_order_again) {
    const PlacedMechanism placed = test::placed_of(test::embedded_text("fourbar_closed_form"));
    const auto a = find_assembly_modes(placed, 50), b = find_assembly_modes(placed, 50);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].hits, b[i].hits);
        for (std::size_t body = 0; body < a[i].positions.size(); ++body) {
            EXPECT_EQ(a[i].positions[body].p.x, b[i].positions[body].p.x);
            EXPECT_EQ(a[i].positions[body].angle, b[i].positions[body].angle);
        }
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
