// The manners of the program: help in its own words, suggestions, messages with one prefix, JSON
// for errors, standard input, several models, completion and manual pages.
#include <regex>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <pty.h>

#include "support/program.h"
#include "support/runs.h"

namespace pawl {
namespace PAWL_TEST_FILE {

using Json = nlohmann::json;

class Manners : public test::Program {
protected:
    void SetUp() override {
        Program::SetUp();
        write("model.toml", test::fourbar());
    }
    // What a shell prints for a script.
    [[nodiscard]] std::string shell(const std::string& script) const {
        write("script.sh", "cd '" + folder_.string() + "'\n" + script);
        const std::string out = (folder_.parent_path() / "shell").string();
        EXPECT_EQ(
            std::system(
                ("bash '" + (folder_ / "script.sh").string() + "' >" + out + " 2>&1").c_str()),
            0)
            << content(out);
        return content(out);
    }
    static std::vector<std::string> verbs() {
        return {"check",    "topology", "kinematics", "dynamics", "inverse",   "statics",
                "run",      "resume",   "draw",       "plot",     "report",    "lyapunov",
                "poincare", "spectrum", "periodic",   "verify",   "set",       "import",
                "export",   "schema",   "help",       "man",      "completion"};
    }
};

TEST_F(Manners, help_is_where_it_is_looked_for) {
    const auto bare = run({});
    EXPECT_EQ(bare.code, 0);
    EXPECT_EQ(bare.out, run({"--help"}).out);
    EXPECT_EQ(bare.out, run({"help"}).out);
    EXPECT_EQ(run({"help", "run"}).out, run({"run", "--help"}).out);
    EXPECT_EQ(run({"-V"}).out, run({"--version"}).out);
    const auto wrong = run({"help", "rum"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_NE(wrong.err.find("did you mean 'run'"), std::string::npos) << wrong.err;
}

TEST_F(Manners, each_page_speaks_the_words_of_the_program_and_has_an_example) {
    for (const std::string& verb : verbs()) {
        const auto page = run({verb, "--help"});
        EXPECT_EQ(page.code, 0) << verb;
        EXPECT_TRUE(std::regex_search(page.out, std::regex("Example: pawl " + verb))) << page.out;
        EXPECT_NE(page.out.find("Usage: pawl " + verb), std::string::npos) << page.out;
        for (const char* foreign : {"TEXT", "REQUIRED", "INT", "FLOAT", "SUBCOMMAND", "OPTIONS"})
            EXPECT_FALSE(
                std::regex_search(page.out, std::regex(std::string("\\b") + foreign + "\\b")))
                << verb << ": " << foreign;
        std::istringstream lines(page.out);
        for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
    }
}

TEST_F(Manners, wrong_words_are_told_with_what_was_meant) {
    const std::pair<std::vector<std::string>, const char*> mistakes[] = {
        {{"run", "model.toml", "--ste", "1 s"},
         "pawl: unknown option '--ste'; did you mean '--set' or '--step'?"},
        {{"run"}, "pawl: MODEL... is missing: model files"},
        {{"--foo"}, "pawl: unknown option '--foo'"},
        {{"--quiet", "run", "model.toml"}, "pawl: the option '--quiet' must come after the verb"},
        {{"draw", "model.toml", "more.toml"}, "pawl: one argument too many: 'more.toml'"},
        {{"run", "model.toml", "--end"}, "pawl: --end needs a value"},
        {{"draw", "model.toml", "--strip", "some"}, "pawl: --strip: 'some' is not a number"},
        {{"draw", "model.toml", "--strip", "1"}, "pawl: --strip: 1 is not between 2 and 100"},
        {{"dynamics", "model.toml", "--integrator", "rk5"},
         "there is no 'rk5'; did you mean 'rk4'"},
        {{"completion", "tcsh"}, "there is no 'tcsh'"},
        {{"kinematics", "model.toml", "--step", "1e-9 s"}, "pawl: more than 10 million samples"},
        {{"report", "model.toml"}, "pawl: "},
    };
    for (const auto& [words, message] : mistakes) {
        const auto outcome = run(words);
        EXPECT_NE(outcome.code, 0);
        EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
        EXPECT_TRUE(outcome.err.starts_with("pawl: ")) << outcome.err;
    }
}

TEST_F(Manners, errors_are_json_where_json_is_asked_for) {
    write("bad.toml", "format = 1\n[body.rod]\nmas = 1\nangl = 2\n");
    const auto bad = run({"check", "bad.toml", "--json"});
    EXPECT_EQ(bad.code, 3);
    const Json told = Json::parse(bad.out);
    EXPECT_EQ(told["status"], "error");
    EXPECT_EQ(told["exit_code"], 3);
    ASSERT_EQ(told["errors"].size(), 2U);
    EXPECT_EQ(told["errors"][0]["file"], "bad.toml");
    EXPECT_EQ(told["errors"][0]["line"], 3);
    EXPECT_EQ(told["errors"][1]["column"], 1);
    EXPECT_NE(told["errors"][0]["message"].get<std::string>().find("'mass'"), std::string::npos);
    EXPECT_FALSE(bad.err.empty());
    EXPECT_EQ(Json::parse(run({"check", "none.toml", "--json"}).out)["errors"].size(), 1U);
    EXPECT_EQ(Json::parse(run({"run", "model.toml", "--ste", "3", "--json"}).out)["exit_code"], 2);
}

TEST_F(Manners, a_run_that_fails_after_its_summary_prints_one_object) {
    // The rocker is too short: a dead point ends the motion, and the summary tells it.
    const auto early = run({"kinematics", "model.toml", "--json", "--set", "k=0.25"});
    EXPECT_TRUE(Json::accept(early.out)) << early.out;
}

TEST_F(Manners, a_model_comes_from_standard_input) {
    EXPECT_EQ(shell("cat model.toml | " + test::program + " check - | head -n 1").substr(0, 6),
              "stdin:");
    EXPECT_EQ(shell(test::program + " run - -q -o from_stdin < model.toml"), "");
    EXPECT_FALSE(text("from_stdin/trajectory.csv").empty());
    EXPECT_NE(shell("echo 'format = 2' | " + test::program + " check - || true")
                  .find("stdin:1:10: error:"),
              std::string::npos);
}

TEST_F(Manners, several_models_are_run_one_after_the_other) {
    write("other.toml", test::fourbar());
    write("bad.toml", "format = 1\nbody.rod.mas = 1\n");
    const auto all = run({"run", "model.toml", "bad.toml", "other.toml"});
    EXPECT_EQ(all.code, 3);
    EXPECT_NE(all.err.find("bad.toml:2:10: error:"), std::string::npos) << all.err;
    EXPECT_FALSE(text("model.result/result.json").empty());
    EXPECT_FALSE(text("other.result/result.json").empty());
    EXPECT_EQ(run({"run", "model.toml", "other.toml", "-o", "x"}).code, 2);
    EXPECT_EQ(run({"check", "model.toml", "other.toml"}).code, 0);
}

TEST_F(Manners, json_of_several_models_is_one_list_with_the_errors) {
    const auto all = run({"check", "model.toml", "none.toml", "--json"});
    EXPECT_EQ(all.code, run({"check", "none.toml"}).code);
    const Json list = Json::parse(all.out);
    ASSERT_TRUE(list.is_array());
    ASSERT_EQ(list.size(), 2U);
    EXPECT_EQ(list[0]["model"], "model.toml");
    EXPECT_EQ(list[1]["status"], "error");
    EXPECT_EQ(list[1]["errors"][0]["file"], "none.toml");
}

TEST_F(Manners, texts_of_any_length_are_reported) {
    const std::string letters(60'000, 'a');
    write("value.toml", "format = 1\n[body.rod]\nmass = \"" + letters + "\"\n");
    write("key.toml", "format = 1\n[body.rod]\n" + letters + " = 1\n");
    const std::vector<std::string> all[] = {{"check", "value.toml"},
                                            {"check", "key.toml"},
                                            {"check", "model.toml", "--set", "k=" + letters},
                                            {"check", "model.toml", "--set", letters + "=1"}};
    for (std::vector<std::string> words : all) {
        const auto plain = run(words);
        EXPECT_EQ(plain.code, 3);
        EXPECT_NE(plain.err.find("error: "), std::string::npos);
        words.emplace_back("--json");
        const auto as_json = run(words);
        EXPECT_EQ(as_json.code, 3);
        EXPECT_EQ(Json::parse(as_json.out)["errors"][0]["severity"], "error");
    }
    for (const char* option : {"--strip", "--width"})
        EXPECT_EQ(run({"draw", "model.toml", option, letters}).code, 2);
    EXPECT_EQ(run({"run", "model.toml", "--dynamics", letters}).code, 2);
}

TEST_F(Manners, control_characters_of_a_model_do_not_reach_the_terminal) {
    write("name.toml", "name = \"\\u001b[2Jred\"\n" + test::fourbar());
    write("key.toml", "format = 1\n[body.rod]\n\"\\u001b[31mkey\\u009b\" = 1\n");
    const auto name = run({"check", "name.toml"}), key = run({"check", "key.toml"});
    EXPECT_EQ(name.code, 0) << name.err;
    EXPECT_NE(name.out.find("\\u001b[2Jred"), std::string::npos) << name.out;
    EXPECT_NE(key.err.find("\\u001b[31mkey\\u009b"), std::string::npos) << key.err;
    EXPECT_EQ((name.out + name.err + key.err).find('\033'), std::string::npos);
}

TEST_F(Manners, a_limit_that_is_no_limit_is_not_printed) {
    const auto outcome = run({"sweep", "model.toml", "--runs", "0"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("--runs: 0 is not positive"), std::string::npos) << outcome.err;
}

TEST_F(Manners, errors_are_coloured_on_a_terminal_unless_that_is_refused) {
    const auto on_terminal = [&](const char* refusal) {
        int terminal = -1;
        const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
        if (child == 0) {
            ::setenv("TERM", "xterm", 1);
            refusal != nullptr ? ::setenv("NO_COLOR", refusal, 1) : ::unsetenv("NO_COLOR");
            ::execl(test::program.c_str(), "pawl", "check", "/nowhere/model.toml", nullptr);
            ::_exit(127);
        }
        std::string out;
        char part[256];
        for (ssize_t n = 0; (n = ::read(terminal, part, sizeof part)) > 0;)
            out.append(part, static_cast<std::size_t>(n));
        int status = 0;
        ::waitpid(child, &status, 0);
        ::close(terminal);
        return out;
    };
    EXPECT_NE(on_terminal(nullptr).find("\033[1;31merror\033[0m"), std::string::npos);
    EXPECT_EQ(on_terminal("1").find('\033'), std::string::npos);
    EXPECT_EQ(run({"check", "/nowhere/model.toml"}).err.find('\033'), std::string::npos);
}

TEST_F(Manners, bash_completes_verbs_options_and_values) {
    const auto complete = [&](const std::string& line) {
        return shell("source <(" + test::program + " completion bash)\nCOMP_WORDS=(" + line +
                     ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_pawl\necho ${COMPREPLY[@]}");
    };
    EXPECT_EQ(complete("pawl kin"), "kinematics\n");
    EXPECT_EQ(complete("pawl run --integrator rk"), "rk4\n");
    EXPECT_EQ(complete("pawl run --coord"), "--coordinates\n");
    EXPECT_EQ(complete("pawl check mod"), "model.toml\n");
    EXPECT_EQ(complete("pawl help top"), "topology\n");
}

TEST_F(Manners, completion_and_manual_pages_know_every_verb_and_option) {
    const std::string help = run({"--help"}).out;
    for (const char* kind : {"bash", "zsh", "fish"}) {
        const auto script = run({"completion", kind});
        EXPECT_EQ(script.code, 0);
        for (const std::string& verb : verbs())
            EXPECT_NE(script.out.find(verb), std::string::npos) << kind << " " << verb;
        EXPECT_NE(script.out.find("integrator-step"), std::string::npos) << kind;
    }
    const std::string page = run({"man", "run"}).out, whole = run({"man"}).out;
    EXPECT_TRUE(page.starts_with(".TH \"pawl\\-run\" 1"));
    EXPECT_NE(page.find("\\-\\-integrator\\-step TIME"), std::string::npos) << page;
    for (const std::string& verb : verbs())
        EXPECT_NE(whole.find(".B " + verb + "\n"), std::string::npos) << verb;
}

TEST_F(Manners, traps_of_toml_and_of_units_are_named) {
    const std::pair<const char*, const char*> traps[] = {
        {"[body.a]\nmass = 15 kg\n", "put a quantity with a unit in quotes: \"15 kg\""},
        {"[body.a]\nmass = 15kg\n", "in quotes: \"15kg\""},
        {"[body.a]\nposition = [1, 2 mm]\n", "in quotes: \"2 mm\""},
        {"body.a = { mass = 1, position = [1 m, 2] }\n", "in quotes: \"1 m\""},
        {"body.a = { mass = 1,\n  inertia = 2 }\n", "a table in braces must stand on one line"},
        {"parameters.T = \"3 Nmm\"\n", "separate the units of a product by a space: 'N mm'"},
        {"parameters.J = \"3 kgm^2\"\n", "separate the units of a product by a space: 'kg m'"},
    };
    for (const auto& [text, hint] : traps) {
        write("trap.toml", std::string("format = 1\n") + text);
        const auto outcome = run({"check", "trap.toml"});
        EXPECT_EQ(outcome.code, 3) << text;
        EXPECT_NE(outcome.err.find(hint), std::string::npos) << text << outcome.err;
    }
    write("trap.toml", "format = 1\n[body.a]\nmass = 15 pears\n");
    EXPECT_EQ(run({"check", "trap.toml"}).err.find("quotes"), std::string::npos);
}

TEST_F(Manners, rounding_is_not_shown_as_data) {
    // cos(90 deg) is 6.1e-17, and the weights of the two arms balance.
    write("arm.toml", R"(format = 1
body.arm = { angle = "90 deg", points = { tip = [1, 0] }, mass = 1, inertia = 1 }
body.tip = { position = [0, 1], mass = 1, inertia = 1 }
joint.O = { type = "revolute", a = "ground", b = "arm" }
joint.A = { type = "weld", a = "arm.tip", b = "tip" }
driver.D = { joint = "O", type = "speed", start = "90 deg", speed = 1 }
force.weight = { type = "gravity" }
measure.P = { type = "point", point = "arm.tip" }
run = { analysis = "kinematics", end = 1, step = 0.5 }
)");
    for (const char* verb : {"check", "kinematics", "statics"}) {
        const auto outcome = run({verb, "arm.toml"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        std::istringstream lines(outcome.out);
        for (std::string line; std::getline(lines, line);)
            if (!line.starts_with("audit") && !line.starts_with("assembled") &&
                !line.starts_with("balance") && !line.starts_with("note")) {
                EXPECT_FALSE(std::regex_search(line, std::regex("e-(1[4-9]|[2-9])"))) << line;
            }
    }
    EXPECT_NE(text("arm.result/trajectory.csv").find("e-17"), std::string::npos);
}

TEST_F(Manners, parameters_that_nothing_uses_are_warned_of) {
    write("unused.toml",
          "format = 1\n[parameters]\nmass = \"1 kg\"\ntwice = \"2*mass\"\nlenght = \"1 m\"\n"
          "[body.rod]\nmass = \"twice\"\n[joint.O]\ntype = \"revolute\"\na = \"ground\"\n"
          "b = \"rod\"\n");
    const std::string said = run({"check", "unused.toml"}).err;
    EXPECT_EQ(said, "unused.toml:5:1: warning: parameter 'lenght': nothing uses it\n");
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
