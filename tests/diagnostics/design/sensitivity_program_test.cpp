// `pawl sensitivity` as a program.
#include <nlohmann/json.hpp>

#include "support/program.h"

namespace pawl {
namespace PAWL_TEST_FILE {

class SensitivityProgram : public test::Program {
protected:
    void SetUp() override {
        Program::SetUp();
        write("fall.toml", R"(format = 1
units = { length = "mm" }
[parameters]
h = "400 mm"
spare = 3
[body.ball]
position = [0, "h + 100 mm"]
mass = "1 kg"
inertia = "4000 kg mm^2"
[profile.floor]
body = "ground"
elements = [{ type = "line", from = ["1 m", 0], to = ["-1 m", 0] }]
[profile.ball]
body = "ball"
elements = [{ type = "circle", radius = "100 mm" }]
[contact.C]
a = "floor"
b = "ball"
restitution = 0.5
[force.weight]
type = "gravity"
[response.landing]
value = "t@impact:C#1"
unit = "ms"
[run]
analysis = "dynamics"
end = "0.5 s"
step = "10 ms"
)");
    }
};

// t = sqrt(2 h / g) = 285.569 ms; dt/dh = t / (2 h) = 0.3569608 ms per mm.
TEST_F(SensitivityProgram, says_how_responses_move_in_the_units_of_the_model) {
    const auto done = run({"sensitivity", "fall.toml"});
    EXPECT_EQ(done.code, 0) << done.err;
    for (const char* part : {"landing = 285.56", "0.3569607", "ms per mm", "0.5 ",
                             "'spare' changes nothing", "along the steps and events"})
        EXPECT_NE(done.out.find(part), std::string::npos) << part << '\n' << done.out;
    const auto json = nlohmann::json::parse(run({"sensitivity", "fall.toml", "--json"}).out);
    const auto& by = json.at("responses").at(0).at("by").at(0);
    EXPECT_EQ(by.at("unit"), "ms per m");
    EXPECT_NEAR(by.at("derivative").get<double>(), 356.960781, 1e-5);
    EXPECT_LT(by.at("error").get<double>(), 1e-5);
}

TEST_F(SensitivityProgram, writes_the_derivatives_of_every_column) {
    const auto done = run({"sensitivity", "fall.toml", "--columns", "--by", "h", "--out", "d"});
    EXPECT_EQ(done.code, 0) << done.err;
    const std::string table = text("d/sensitivity.csv");
    EXPECT_EQ(table.substr(0, 6), "t [s],");
    EXPECT_NE(table.find("d(ball.y)/d(h) [m / (m)]"), std::string::npos) << table.substr(0, 300);
    EXPECT_NE(text("d/sensitivity.json").find("landing"), std::string::npos);
}

TEST_F(SensitivityProgram, refuses_names_that_the_model_does_not_have) {
    const auto parameter = run({"sensitivity", "fall.toml", "--by", "spar"});
    EXPECT_EQ(parameter.code, 3);
    EXPECT_NE(parameter.err.find("no parameter 'spar'; did you mean 'spare'?"), std::string::npos)
        << parameter.err;
    const auto response = run({"sensitivity", "fall.toml", "--of", "max:ball.z"});
    EXPECT_EQ(response.code, 3);
    EXPECT_NE(response.err.find("ball.z"), std::string::npos);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
