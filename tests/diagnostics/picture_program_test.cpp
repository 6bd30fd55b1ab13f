// `draw`, `plot` and `topology --draw` as the user meets them: files, messages, exit codes.
#include <cstdlib>

#include "support/program.h"

namespace pawl {
namespace PAWL_TEST_FILE {

const char* const ball = R"(
format = 1
body.ball = { position = [0, 1.1], mass = 1, inertia = 0.004 }
profile.floor = { body = "ground", elements = [{ type = "line", from = [1, 0], to = [-1, 0] }] }
profile.ball = { body = "ball", elements = [{ type = "circle", radius = 0.1 }] }
contact.C = { a = "floor", b = "ball", restitution = 0.8 }
force.weight = { type = "gravity" }
run = { analysis = "dynamics", end = "1 s" }
)";

using Arguments = std::vector<std::string>;

class Pictures : public test::Program {
protected:
    void SetUp() override {
        Program::SetUp();
        write("ball.toml", ball);
        ASSERT_EQ(run({"run", "ball.toml", "-q", "--out", "r"}).code, 0);
    }
    // The file begins as SVG or PNG files do.
    [[nodiscard]] bool is_svg(const std::string& name) const {
        return text(name).starts_with("<svg ") && text(name).ends_with("</svg>\n");
    }
    static bool says(const test::ProgramOutcome& outcome, const char* words) {
        return outcome.err.find(words) != std::string::npos;
    }
};

TEST_F(Pictures, are_made_from_models_and_from_results) {
    EXPECT_EQ(run({"draw", "ball.toml", "-o", "a.svg"}).code, 0);
    EXPECT_EQ(run({"draw", "r", "--at", "0.2 s", "-o", "b.svg"}).code, 0);
    EXPECT_EQ(run({"draw", "r", "--strip", "4", "--side-by-side", "-o", "c.svg"}).code, 0);
    EXPECT_EQ(run({"draw", "ball.toml", "--animate", "--from", "0.1 s", "-o", "d.svg"}).code, 0);
    EXPECT_EQ(run({"plot", "r", "-o", "e.svg"}).code, 0);
    EXPECT_EQ(run({"plot", "r", "ball.y", "ball.vy", "--phase", "-o", "f.svg"}).code, 0);
    EXPECT_EQ(run({"topology", "r", "--draw", "g.svg"}).code, 0);
    EXPECT_EQ(run({"topology", "ball.toml", "--draw", "h.svg", "-q"}).code, 0);
    for (const char* name :
         {"a.svg", "b.svg", "c.svg", "d.svg", "e.svg", "f.svg", "g.svg", "h.svg"})
        EXPECT_TRUE(is_svg(name)) << name;
    EXPECT_NE(text("b.svg").find("t = 0.2 s"), std::string::npos);
    EXPECT_NE(text("e.svg").find("impact C#1"), std::string::npos);
}

// The run of this model fails, and says so.
TEST_F(Pictures, of_the_start_of_a_motion_come_without_running_it) {
    write("lost.toml", R"(format = 1
body.b = { mass = 1, inertia = 1 }
joint.g = { type = "prismatic", a = "ground", b = "b" }
force.f = { type = "joint_force", joint = "g", value = "1 / (0.5 - t)^2" }
run = { analysis = "dynamics", end = "1 s" }
)");
    EXPECT_NE(run({"draw", "lost.toml", "--at", "0.1 s", "-o", "later.svg"}).err, "");
    for (const auto& more : {Arguments{}, {"--at", "0 s"}}) {
        Arguments arguments{"draw", "lost.toml", "-o", "start.svg"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto outcome = run(arguments);
        EXPECT_EQ(outcome.code, 0);
        EXPECT_EQ(outcome.err, "");
        EXPECT_NE(text("start.svg").find("t = 0 s"), std::string::npos);
    }
}

TEST_F(Pictures, of_an_unknown_column_name_those_near) {
    const auto outcome = run({"plot", "r", "bal.y"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(says(outcome, "no column 'bal.y'; near: ball.y")) << outcome.err;
    EXPECT_EQ(run({"plot", "r", "--events", "impakt"}).code, 2);
    EXPECT_EQ(run({"plot", "r", "--phase", "--path"}).code, 2);
    EXPECT_EQ(run({"draw", "r", "--set", "a=1"}).code, 2);
    EXPECT_EQ(run({"draw", "ball.toml", "--side-by-side"}).code, 2);
    EXPECT_EQ(run({"draw", "r", "--at", "2 s"}).code, 2);
    EXPECT_EQ(run({"draw", "r", "--animate", "-o", "moves.png"}).code, 2);
    EXPECT_EQ(run({"draw", "r", "--animate", "-o", "moves.pdf"}).code, 2);
    EXPECT_EQ(entries(), (Names{"ball.toml", "r"}));
}

TEST_F(Pictures, of_a_result_that_is_not_whole_are_refused) {
    EXPECT_TRUE(says(run({"plot", "nothing"}), "there is no folder nothing"));
    EXPECT_EQ(run({"plot", "nothing"}).code, 3);
    std::string table = text("r/trajectory.csv");
    write("r/trajectory.csv", table.substr(0, table.size() / 2));
    for (const char* verb : {"plot", "draw"}) {
        const auto cut = run({verb, "r", "-o", "x.svg"});
        EXPECT_EQ(cut.code, 3) << verb;
        EXPECT_TRUE(says(cut, "trajectory.csv")) << cut.err;
    }
    std::filesystem::remove(folder_ / "r/trajectory.csv");
    const auto missing = run({"plot", "r", "-o", "x.svg"});
    EXPECT_EQ(missing.code, 3);
    EXPECT_TRUE(says(missing, "trajectory.csv is missing")) << missing.err;
    EXPECT_EQ(entries(), (Names{"ball.toml", "r"}));
}

TEST_F(Pictures, that_cannot_be_written_leave_nothing_behind) {
    write("wall", "a file");
    for (const char* target : {"missing/x.svg", "wall/x.svg", "missing/x.png", "r"}) {
        const auto outcome = run({"plot", "r", "-o", target});
        EXPECT_EQ(outcome.code, 2) << target;
        EXPECT_TRUE(says(outcome, target)) << outcome.err;
    }
    for (const auto& command :
         std::vector<std::vector<std::string>>{{"draw", "r", "-o", "wall/x.svg"},
                                               {"topology", "r", "--draw", "wall/x.svg"},
                                               {"report", "r", "-o", "wall/x.html"}}) {
        const auto outcome = run(command);
        EXPECT_EQ(outcome.code, 2) << command[0];
        EXPECT_TRUE(says(outcome, "wall/x.")) << outcome.err;
        EXPECT_EQ(outcome.out, "");
    }
    EXPECT_EQ(run({"plot", "r", "-o", "/dev/full"}).code, 2);
    EXPECT_EQ(run({"plot", "r", "-o", "-"}, "/dev/full").code, 2);
    EXPECT_EQ(entries(), (Names{"ball.toml", "r", "wall"}));
    EXPECT_EQ(text("wall"), "a file");
}

TEST_F(Pictures, onto_a_folder_that_must_not_be_written_leave_nothing_behind) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
    const auto locked = folder_ / "locked";
    std::filesystem::create_directory(locked);
    std::filesystem::permissions(
        locked, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    for (const auto& command :
         std::vector<std::vector<std::string>>{{"plot", "r", "-o", "locked/x.svg"},
                                               {"draw", "r", "-o", "locked/x.svg"},
                                               {"topology", "r", "--draw", "locked/x.svg"},
                                               {"report", "r", "-o", "locked/x.html"}}) {
        const auto outcome = run(command);
        EXPECT_EQ(outcome.code, 2) << command[0];
        EXPECT_TRUE(says(outcome, "locked/x.")) << outcome.err;
    }
    EXPECT_EQ(entries("locked"), Names{});
    std::filesystem::permissions(locked, std::filesystem::perms::owner_all);
}

TEST_F(Pictures, of_a_format_that_is_not_known_are_refused) {
    for (const auto& command : std::vector<std::vector<std::string>>{
             {"plot", "r", "-o", "x.jpg"},
             {"draw", "ball.toml", "-o", "x.jpg"},
             {"topology", "ball.toml", "--draw", "x.jpg"},
             {"poincare", "ball.toml", "--event", "impact", "--plot", "x.jpg"},
             {"lyapunov", "ball.toml", "--plot", "x.jpg"}}) {
        const auto outcome = run(command);
        EXPECT_EQ(outcome.code, 2) << command[0];
        EXPECT_TRUE(says(outcome, ".svg, .png or .pdf, not as .jpg")) << outcome.err;
    }
    EXPECT_EQ(entries(), (Names{"ball.toml", "r"}));
}

TEST_F(Pictures, as_png_need_rsvg_convert_and_say_so) {
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", "/nowhere", 1);
    const auto outcome = run({"plot", "r", "-o", "x.png"});
    ::setenv("PATH", path.c_str(), 1);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(says(outcome, "rsvg-convert, which is not installed")) << outcome.err;
    EXPECT_EQ(entries(), (Names{"ball.toml", "r"}));
    if (std::system("rsvg-convert --version >/dev/null 2>&1") != 0)
        GTEST_SKIP() << "rsvg-convert is not installed";
    EXPECT_EQ(run({"plot", "r", "-o", "x.png"}).code, 0);
    EXPECT_TRUE(text("x.png").starts_with("\x89PNG"));
    EXPECT_EQ(run({"plot", "r", "-o", "x.pdf"}).code, 0);
    EXPECT_EQ(run({"draw", "r", "-o", "y.pdf"}).code, 0);
    EXPECT_EQ(run({"topology", "r", "--draw", "z.pdf"}).code, 0);
    for (const char* name : {"x.pdf", "y.pdf", "z.pdf"})
        EXPECT_TRUE(text(name).starts_with("%PDF-")) << name;
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
