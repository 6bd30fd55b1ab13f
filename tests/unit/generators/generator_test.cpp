// Generators: their lists, what they refuse, and numbers by hand.
#include "generators/generator.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "face/model.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Given = std::vector<std::pair<std::string, std::string>>;

Result result_of(const std::string& kind, const Given& values = {}) {
    const NewModel made = new_model(kind, values);
    for (const std::string& problem : made.problems) ADD_FAILURE() << kind << ": " << problem;
    Diagnostics problems;
    const auto model = Model::read(made.text, problems);
    EXPECT_TRUE(model) << problems.text();
    return model->analyse();
}

std::string refusal(const std::string& kind, const Given& values) {
    const NewModel made = new_model(kind, values);
    EXPECT_TRUE(made.text.empty()) << kind << " was made";
    std::string all;
    for (const std::string& problem : made.problems) all += problem + "\n";
    return all;
}

TEST(Generator, every_mechanism_runs_with_its_defaults_and_passes_its_audit) {
    for (const GeneratorInfo& info : generators()) {
        const Result result = result_of(info.name);
        EXPECT_TRUE(result.is_complete()) << info.name << ": " << result.message();
        EXPECT_TRUE(result.audit().passed()) << info.name;
        EXPECT_GT(result.rows(), 50u) << info.name;
    }
}

TEST(Generator, the_file_has_a_comment_its_numbers_and_what_follows_by_hand) {
    for (const GeneratorInfo& info : generators()) {
        const NewModel made = new_model(info.name);
        EXPECT_EQ(made.text.substr(0, 2), "# ") << info.name;
        EXPECT_NE(made.text.find("# By hand: "), std::string::npos) << info.name;
        EXPECT_EQ(made.text.find('@'), std::string::npos) << info.name;
        EXPECT_FALSE(made.facts.empty()) << info.name;
    }
}

struct Refusal {
    const char* kind;
    Given values;
    const char* reason;
};

TEST(Generator, wrong_numbers_are_refused_with_the_reason) {
    const Refusal table[] = {
        {"geneva", {{"slots", "2"}}, "at least 3 slots"},
        {"geneva", {{"slots", "4.5"}}, "whole number"},
        {"geneva", {{"pin", "20 mm"}}, "run into each other"},
        {"geneva", {{"lock", "70 mm"}}, "leaves no land"},
        {"escapement", {{"lock", "0 deg"}}, "cannot lock"},
        {"escapement", {{"lock", "-1 deg"}}, "cannot lock"},
        {"escapement", {{"lock", "3 deg"}}, "must be more than the lock"},
        {"escapement", {{"amplitude", "1 deg"}}, "the clock would stop"},
        {"escapement", {{"drop", "6 deg"}}, "clears the pallet"},
        {"escapement", {{"span", "12"}}, "they need 20 to 60 deg"},
        {"fourbar", {{"frame", "200 mm"}}, "cannot close"},
        {"fourbar", {{"rocker", "20 mm"}}, "shortest bar must be"},
        {"fourbar", {{"crank", "70 mm"}}, "Grashof"},
        {"slider_crank", {{"rod", "40 mm"}}, "longer than crank and offset"},
        {"gear_train", {{"teeth", "20 40 15"}}, "in pairs"},
        {"gear_train", {{"teeth", "20 4"}}, "whole number from 5"},
        {"ratchet", {{"teeth", "3"}}, "too steep"},
        {"ratchet", {{"pivot_y", "20 mm"}}, "pushed out of the teeth"},
        {"ratchet", {{"hand", "0.01 N m"}}, "cannot turn the wheel"},
        {"latch", {{"friction", "2"}}, "cannot push the bolt back"},
        {"latch", {{"speed", "0.01 m/s"}}, "too slow"},
        {"cam", {{"base", "10 mm"}, {"rise", "60 deg"}}, "pressure angle"},
        {"cam", {{"follower", "flat"}, {"base", "5 mm"}, {"lift", "20 mm"}}, "undercut"},
        {"cam",
         {{"roller", "60 mm"}, {"rise", "50 deg"}, {"pressure_limit", "80 deg"}},
         "undercut"},
        {"cam", {{"rise", "200 deg"}, {"return", "200 deg"}}, "a turn has 360 deg"},
        {"cam", {{"table", "0 1 2 1"}}, "at least 8"},
        {"cam", {{"rise_law", "cycloid"}}, "did you mean 'cycloidal'"},
        {"fourbar", {{"crnak", "3 mm"}}, "did you mean 'crank'"},
        {"fourbar", {{"crank", "3 kg"}}, "crank = 3 kg"},
        {"fourbar", {{"crank", "-3 mm"}}, "must be positive"},
        {"fourbar", {{"crank", "3 mm"}, {"crank", "4 mm"}}, "given twice"},
        {"watch", {}, "unknown mechanism 'watch'; did you mean 'latch'"},
    };
    for (const Refusal& row : table) {
        const std::string found = refusal(row.kind, row.values);
        EXPECT_NE(found.find(row.reason), std::string::npos)
            << row.kind << ": expected '" << row.reason << "' in:\n"
            << found;
    }
}

TEST(Generator, a_plain_number_has_the_unit_of_the_default) {
    EXPECT_EQ(new_model("geneva", {{"centres", "80"}}).text,
              new_model("geneva", {{"centres", "80 mm"}}).text);
}

// Stroke of an offset slider-crank: sqrt((l + r)^2 - e^2) - sqrt((l - r)^2 - e^2).
TEST(Generator, stroke_of_an_offset_slider_crank) {
    const Result result = result_of("slider_crank", {{"offset", "20 mm"}});
    const auto x = result.column("slider.x");
    const double stroke = std::sqrt(0.2 * 0.2 - 0.02 * 0.02) - std::sqrt(0.1 * 0.1 - 0.02 * 0.02);
    const auto [low, high] = std::minmax_element(x.begin(), x.end());
    // Rows every 2 degrees miss the dead points by at most 1 degree: 1.5e-4 of the crank.
    EXPECT_NEAR(*high - *low, stroke, 2e-5);
}

// Largest acceleration of a Geneva wheel of six slots, by the formula of its motion: 1.3496
// speed^2.
TEST(Generator, acceleration_of_a_geneva_wheel_of_six_slots) {
    const Result result =
        result_of("geneva", {{"slots", "6"}, {"clearance", "1e-4 mm"}, {"speed", "60 rpm"}});
    const auto alpha = result.column("wheel.alpha");
    const auto state = result.column("t");
    double largest = 0;
    for (std::size_t i = 0; i < alpha.size(); ++i)
        if (std::abs(state[i] - 0.5) < 0.1) largest = std::max(largest, std::abs(alpha[i]));
    const double speed = 2 * M_PI;
    EXPECT_NEAR(largest / (speed * speed), 1.3496, 0.01);  // rows every 2 degrees, and play
}

// The ratchet of models/ratchet.toml has its forces by hand.
TEST(Generator, forces_of_the_ratchet_that_holds) {
    const Result result = result_of("ratchet", {{"height", "6 mm"},
                                                {"nose", "1 mm"},
                                                {"load", "0.2 N m"},
                                                {"hand", "0.6 N m"},
                                                {"mass", "0.5 kg"}});
    EXPECT_NEAR(result.column("C#1.normal").back(), 1.783702, 1e-5);
    EXPECT_NEAR(result.column("C#2.normal").back(), 4.436981, 1e-5);
}

// A follower on a table of a harmonic lift moves as the table says: between the points too, where
// the spline is exact to (2 pi/36)^4/384 of the lift.
TEST(Generator, follower_of_a_table_moves_through_its_lifts) {
    std::string table;
    for (int i = 0; i < 36; ++i)
        table += std::to_string(5 * (1 - std::cos(2 * M_PI * i / 36))) + " ";
    for (const char* follower : {"roller", "flat", "knife"}) {
        const Result result = result_of(
            "cam", {{"table", table}, {"follower", follower}, {"pressure_limit", "60 deg"}});
        ASSERT_TRUE(result.is_complete()) << result.message();
        const auto angle = result.column("cam.angle");
        const auto lift = result.column("follower_lift");
        for (std::size_t i = 0; i < lift.size(); ++i)
            EXPECT_NEAR(lift[i], 5 * (1 - std::cos(angle[i])), 5e-5)
                << follower << " at " << angle[i];
    }
}

// Straight and swinging followers of all kinds do what the law says, at the top of the rise.
TEST(Generator, followers_reach_the_lift_of_their_law) {
    for (const char* follower : {"roller", "flat", "knife"})
        for (const char* motion : {"translating", "swinging"}) {
            const Result result = result_of("cam", {{"follower", follower},
                                                    {"motion", motion},
                                                    {"rise_law", "poly345"},
                                                    {"return_law", "modified_sine"}});
            const auto lift = result.column("follower_lift");
            EXPECT_NEAR(*std::max_element(lift.begin(), lift.end()), motion[0] == 't' ? 15.0 : 12.0,
                        1e-9)
                << follower << ' ' << motion;
        }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
