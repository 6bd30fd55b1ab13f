// Tolerance studies against closed forms: a response that is a plain function of the parameters,
// and one with a threshold.
#include "design/tolerance.h"

#include <cmath>

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

// A ball whose lowest point falls h lands at sqrt(2 h/g).
constexpr const char* thrown = R"(format = 1
[parameters]
h = { value = "1.25 m", tolerance = "30 mm" }
g = { value = "10 m/s^2", tolerance = "0.2 m/s^2", distribution = "uniform" }
speed = "1 m/s"
unused = { value = "1 m", tolerance = "0.1 m", distribution = "triangular" }
[body.ball]
mass = 1
inertia = 0.1
position = [0, "h"]
velocity = ["speed", 0]
[measure.unused_way]
type = "expression"
value = "unused"
[profile.skin]
body = "ball"
elements = [{ type = "circle", radius = 0.001 }]
[profile.floor]
body = "ground"
elements = [{ type = "line", from = [5, -0.001], to = [-5, -0.001] }]
[contact.C]
a = "floor"
b = "skin"
[force.weight]
type = "gravity"
acceleration = [0, "-g"]
[event.landed]
when = "0 > 1"
[response.landing]
value = "t@impact"
max = "0.505 s"
[run]
analysis = "dynamics"
end = 0.6
step = 0.02
)";

ToleranceStudy study_of(const std::string& text, long runs, int threads = 0) {
    Diagnostics problems;
    const auto model = Model::read(text, problems);
    EXPECT_TRUE(model) << problems.text();
    ToleranceOptions options;
    options.runs = runs;
    options.threads = threads;
    auto study = study_tolerances(*model, options, problems);
    EXPECT_TRUE(study) << problems.text();
    return *study;
}

TEST(Tolerance, linear_answer_is_that_of_the_derivatives) {
    const ToleranceStudy study = study_of(thrown, 20);
    ASSERT_EQ(study.parameters.size(), 3U);
    const ToleranceOfResponse& landing = study.responses[0];
    const double t = std::sqrt(2 * 1.25 / 10), by_h = t / (2 * 1.25), by_g = -t / 20;
    EXPECT_NEAR(landing.nominal, t, 1e-9);
    // Derivatives of the run: as good as its rtol of 1e-9.
    EXPECT_EQ(study.slopes, SensitivityMethod::along_the_run);
    EXPECT_NEAR(landing.effects[0].slope, by_h, 1e-9);
    EXPECT_NEAR(landing.effects[1].slope, by_g, 1e-9);
    EXPECT_NEAR(landing.effects[2].slope, 0, 1e-9);
    for (const ToleranceEffect& effect : landing.effects) EXPECT_FALSE(effect.by_differences);
    const double h = by_h * 0.03 / 3, g = by_g * 0.2 / std::sqrt(3);
    EXPECT_NEAR(landing.linear_deviation, std::hypot(h, g), 1e-8);
    EXPECT_NEAR(landing.effects[0].share, h * h / (h * h + g * g), 1e-5);
    EXPECT_NEAR(landing.linear_width, by_h * 0.03 - by_g * 0.2, 1e-7);
    EXPECT_NEAR(landing.worst_high, std::sqrt(2 * 1.28 / 9.8), 1e-9);
    EXPECT_NEAR(landing.worst_low, std::sqrt(2 * 1.22 / 10.2), 1e-9);
}

TEST(Tolerance, sample_agrees_with_linear_where_that_holds) {
    const ToleranceStudy study = study_of(thrown, 2000);
    const ToleranceOfResponse& landing = study.responses[0];
    EXPECT_EQ(landing.sample.count, 2000);
    // Sampling error of a deviation: its part of 1/sqrt(2 n) is 1.6 %; three times that.
    EXPECT_NEAR(landing.sample.deviation(), landing.linear_deviation,
                0.048 * landing.linear_deviation);
    EXPECT_EQ(landing.disagreement, "");
    EXPECT_NEAR(landing.effects[0].sampled_share, landing.effects[0].share, 0.06);
    EXPECT_LT(landing.effects[2].sampled_share, 0.01);
    ASSERT_EQ(study.sequences.size(), 1U);
    EXPECT_EQ(study.sequences[0].count, 2000);
    // 0.505 s: one linear deviation h and g above nominal; the sum of a normal and a uniform
    // number, integrated over the uniform one.
    double good = 0;
    constexpr int n = 1000;
    for (int i = 0; i < n; ++i) {
        const double g = 9.8 + 0.4 * (i + 0.5) / n, h = 0.505 * 0.505 * g / 2;
        good += 0.5 * std::erfc(-(h - 1.25) / 0.01 / std::sqrt(2.0)) / n;
    }
    const Share yield(study.good, study.runs);
    EXPECT_TRUE(study.has_limits);
    EXPECT_LT(yield.low, good);
    EXPECT_GT(yield.high, good);
    EXPECT_EQ(study.good, landing.good);
}

TEST(Tolerance, does_not_depend_on_the_number_of_threads) {
    const ToleranceStudy one = study_of(thrown, 50, 1), three = study_of(thrown, 50, 3);
    EXPECT_EQ(one.responses[0].sample.mean(), three.responses[0].sample.mean());
    EXPECT_EQ(one.responses[0].low, three.responses[0].low);
    EXPECT_EQ(one.sequences[0].example, three.sequences[0].example);
}

// An event that only high balls have.
TEST(Tolerance, sequences_are_counted_and_linear_is_contradicted) {
    std::string text = thrown;
    text.replace(text.find("when = \"0 > 1\""), 14, "when = \"h > 1.255 and t > 0.1\"");
    text += "[response.over]\nvalue = \"count@landed\"\n";
    const ToleranceStudy study = study_of(text, 1000);
    ASSERT_EQ(study.sequences.size(), 2U);
    EXPECT_EQ(study.sequences[0].count + study.sequences[1].count, 1000);
    // h is normal about 1.25 m with 10 mm: above 1.255 m half a deviation.
    const double above = 0.5 * std::erfc(0.5 / std::sqrt(2.0));
    const Share share(study.sequences[1].count, 1000);
    EXPECT_LT(share.low, above);
    EXPECT_GT(share.high, above);
    EXPECT_EQ(study.responses[1].linear_deviation, 0);
    EXPECT_NE(study.responses[1].disagreement.find("2 sequences of events"), std::string::npos)
        << study.responses[1].disagreement;
    // The example has the values with which the other thing happens.
    Diagnostics problems;
    const auto example = Model::read(text, problems)->with(study.sequences[1].values, problems);
    ASSERT_TRUE(example);
    EXPECT_GT(example->parameters()[0].value, 1.255);
}

// A bar that lands flat on two posts strikes one of them first if it is tilted: there is no
// derivative by the tilt, and the slope is that of runs to either side.
TEST(Tolerance, slopes_that_have_no_derivative_are_those_of_differences_and_say_why) {
    const ToleranceStudy study = study_of(R"(format = 1
[parameters]
tilt = { value = "0 deg", tolerance = "1 deg" }
drop = { value = "0.3 m", tolerance = "0.01 m" }
[body.bar]
position = [0, "drop"]
angle = "tilt"
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
[response.height]
value = "bar.y"
[run]
analysis = "dynamics"
end = "0.4 s"
step = "10 ms"
)",
                                          20);
    const auto& effects = study.responses[0].effects;
    EXPECT_TRUE(effects[0].by_differences);
    EXPECT_FALSE(effects[1].by_differences);
    ASSERT_FALSE(study.notes.empty());
    EXPECT_NE(study.notes.back().find("derivative of height by tilt: does not exist: impact"),
              std::string::npos)
        << study.notes.back();
    const double v = std::sqrt(2 * 9.81 * 0.3), since = 0.4 - v / 9.81;
    EXPECT_NEAR(effects[1].slope, 0.5 * 9.81 / v * since - (0.5 * v - 9.81 * since) / v, 1e-7);
}

TEST(Tolerance, mistakes_are_reported) {
    const auto problem_of = [](std::string text, const std::vector<std::string>& responses) {
        Diagnostics problems;
        const auto model = Model::read(text, problems);
        EXPECT_TRUE(model) << problems.text();
        ToleranceOptions options;
        options.responses = responses;
        options.runs = 10;
        EXPECT_FALSE(study_tolerances(*model, options, problems));
        return problems.text();
    };
    EXPECT_NE(problem_of(thrown, {"max:bal.y"}).find("did you mean 'ball'"), std::string::npos);
    EXPECT_NE(problem_of(thrown, {"t@stick"}).find("no value in the nominal run"),
              std::string::npos);
    std::string bare = thrown;
    for (std::size_t at; (at = bare.find("tolerance")) != std::string::npos;)
        bare.replace(at, 9, "max");
    bare.replace(bare.find("\"30 mm\""), 7, "\"30 m\"");
    bare.replace(bare.find("\"0.2 m/s^2\""), 11, "\"20 m/s^2\"");
    bare.replace(bare.find("\"0.1 m\""), 7, "\"10 m\"");
    EXPECT_NE(problem_of(bare, {}).find("no parameter has a tolerance"), std::string::npos);
}

// Wilson's interval, by hand for 8 of 10: (0.8 + z^2/20 -+ z sqrt(0.016 + z^2/400))/(1 + z^2/10).
TEST(Tolerance, shares_have_wilson_intervals) {
    const Share share(8, 10);
    EXPECT_NEAR(share.low, 0.4901624715, 1e-9);
    EXPECT_NEAR(share.high, 0.9433178485, 1e-9);
    EXPECT_EQ(Share(0, 10).low, 0);
    EXPECT_GT(Share(0, 10).high, 0.2);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
