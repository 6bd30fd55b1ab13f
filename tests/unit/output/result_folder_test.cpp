#include "output/result/result_folder.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>
#include <unistd.h>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "output/result/unfinished_folder.h"

namespace pawl {
namespace PAWL_TEST_FILE {

namespace fs = std::filesystem;

// A folder of its own for each test, gone afterwards.
class ResultFolder : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "pawl_output_XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        root_ = name;
    }
    void TearDown() override { fs::remove_all(root_); }

    static std::string content(const fs::path& path) {
        std::ifstream in(path, std::ios::binary);
        std::stringstream text;
        text << in.rdbuf();
        return text.str();
    }
    static void write(const fs::path& path, const std::string& text) {
        std::ofstream(path, std::ios::binary) << text;
    }
    [[nodiscard]] std::vector<std::string> entries(const fs::path& folder) const {
        std::vector<std::string> names;
        for (const auto& e : fs::directory_iterator(folder))
            names.push_back(e.path().filename().string());
        std::sort(names.begin(), names.end());
        return names;
    }
    using Names = std::vector<std::string>;
    fs::path root_;
};

const std::string second_json =
    R"({"pawl": "1", "format": 1, "files": ["result.json", "events.csv"]})";
const std::vector<NamedText> first{
    {"result.json",
     R"({"pawl": "1", "format": 1, "files": ["result.json", "trajectory.csv", "events.csv"]})"},
    {"trajectory.csv", "t [s]\n0\n"}};
const std::vector<NamedText> second{{"result.json", second_json}, {"events.csv", "none\n"}};

TEST_F(ResultFolder, is_made_whole_and_leaves_nothing_beside_it) {
    EXPECT_EQ(write_result(root_ / "a" / "b", first).problem, "");
    EXPECT_EQ(content(root_ / "a" / "b" / "trajectory.csv"), "t [s]\n0\n");
    EXPECT_EQ(entries(root_ / "a"), Names{"b"});
    EXPECT_EQ(write_result((root_ / "slash").string() + "/", first).problem, "");
    EXPECT_EQ(entries(root_), (Names{"a", "slash"}));
}

TEST_F(ResultFolder, replaces_an_old_result_with_all_its_files) {
    ASSERT_EQ(write_result(root_ / "r", first).problem, "");
    EXPECT_EQ(write_result(root_ / "r", second).problem, "");
    EXPECT_EQ(entries(root_ / "r"), (Names{"events.csv", "result.json"}));
    EXPECT_EQ(content(root_ / "r" / "result.json"), second_json);
    EXPECT_EQ(entries(root_), Names{"r"});
}

TEST_F(ResultFolder, takes_an_empty_folder) {
    fs::create_directory(root_ / "empty");
    EXPECT_EQ(write_result(root_ / "empty", first).problem, "");
    EXPECT_EQ(entries(root_ / "empty"), (Names{"result.json", "trajectory.csv"}));
}

TEST_F(ResultFolder, refuses_a_folder_of_others_and_leaves_it_alone) {
    fs::create_directory(root_ / "thesis");
    write(root_ / "thesis" / "chapter.tex", "years of work");
    EXPECT_NE(write_result(root_ / "thesis", first).problem.find("not a result of pawl"),
              std::string::npos);
    EXPECT_EQ(content(root_ / "thesis" / "chapter.tex"), "years of work");
    EXPECT_EQ(entries(root_), Names{"thesis"});
}

TEST_F(ResultFolder, refuses_to_replace_a_file) {
    write(root_ / "notes", "mine");
    EXPECT_NE(write_result(root_ / "notes", first).problem.find("is a file"), std::string::npos);
    EXPECT_NE(write_result(root_ / "notes" / "below", first).problem, "");
    EXPECT_EQ(content(root_ / "notes"), "mine");
    EXPECT_EQ(entries(root_), Names{"notes"});
}

TEST_F(ResultFolder, that_cannot_be_written_whole_is_not_written_at_all) {
    ASSERT_EQ(write_result(root_ / "r", first).problem, "");
    // A name that needs a folder that is not there.
    EXPECT_NE(write_result(root_ / "r", {{"result.json", "{}"}, {"missing/table.csv", ""}}).problem,
              "");
    EXPECT_EQ(entries(root_ / "r"), (Names{"result.json", "trajectory.csv"}));
    EXPECT_EQ(entries(root_), Names{"r"});
}

TEST_F(ResultFolder, is_refused_where_a_file_is_not_on_the_list_of_the_old_result) {
    ASSERT_EQ(write_result(root_ / "r", first).problem, "");
    write(root_ / "r" / "notes.txt", "mine");
    EXPECT_NE(
        write_result(root_ / "r", second).problem.find("notes.txt in it was not written by pawl"),
        std::string::npos);
    EXPECT_EQ(entries(root_ / "r"), (Names{"notes.txt", "result.json", "trajectory.csv"}));
    fs::remove(root_ / "r" / "notes.txt");
    fs::create_directories(root_ / "r" / "events.csv");  // not a file, so not ours
    EXPECT_NE(write_result(root_ / "r", second).problem, "");
    EXPECT_TRUE(fs::is_directory(root_ / "r" / "events.csv"));
}

TEST_F(ResultFolder, is_refused_where_result_json_is_of_another_program) {
    for (const char* text : {"{}", "not json", "[1]", "", R"({"format": 1, "files": []})",
                             R"({"pawl": "1", "format": 1, "files": 3})"}) {
        fs::create_directory(root_ / "theirs");
        write(root_ / "theirs" / "result.json", text);
        EXPECT_NE(write_result(root_ / "theirs", first).problem.find("not a result of pawl"),
                  std::string::npos)
            << text;
        EXPECT_EQ(content(root_ / "theirs" / "result.json"), text);
        fs::remove_all(root_ / "theirs");
    }
}

TEST_F(ResultFolder, is_not_written_through_a_link_nor_over_one_inside) {
    fs::create_directory(root_ / "target");
    fs::create_directory_symlink("target", root_ / "link");
    EXPECT_NE(write_result(root_ / "link", first).problem.find("symbolic link"), std::string::npos);
    EXPECT_NE(write_result((root_ / "link").string() + "/", first).problem.find("symbolic link"),
              std::string::npos);
    EXPECT_TRUE(fs::is_symlink(root_ / "link"));
    EXPECT_EQ(entries(root_ / "target"), Names{});
    fs::create_symlink("nowhere", root_ / "dangling");
    EXPECT_NE(write_result(root_ / "dangling", first).problem.find("symbolic link"),
              std::string::npos);
    ASSERT_EQ(write_result(root_ / "r", first).problem, "");
    fs::rename(root_ / "r" / "trajectory.csv", root_ / "mine.csv");
    fs::create_symlink(root_ / "mine.csv", root_ / "r" / "trajectory.csv");
    EXPECT_NE(write_result(root_ / "r", second).problem, "");
    EXPECT_EQ(content(root_ / "mine.csv"), "t [s]\n0\n");
    EXPECT_EQ(entries(root_), (Names{"dangling", "link", "mine.csv", "r", "target"}));
}

TEST_F(ResultFolder, is_whole_under_its_name_at_every_moment_while_it_is_replaced) {
    ASSERT_EQ(write_result(root_ / "r", first).problem, "");
    std::atomic<bool> stop = false;
    std::thread writer([&] {
        for (int i = 0; i < 300; ++i)
            EXPECT_EQ(write_result(root_ / "r", i % 2 ? first : second).problem, "");
        stop = true;
    });
    long looks = 0, missing = 0;
    const std::string json = (root_ / "r" / "result.json").string();
    for (; !stop; ++looks) missing += ::access(json.c_str(), R_OK) != 0;
    writer.join();
    EXPECT_EQ(missing, 0) << "of " << looks;
    EXPECT_EQ(entries(root_), Names{"r"});
}

TEST_F(ResultFolder, is_whole_after_a_kill_and_the_next_run_tidies_up) {
    ASSERT_EQ(write_result(root_ / "r", first).problem, "");
    for (int kill = 0; kill < 60; ++kill) {
        const pid_t child = ::fork();
        if (child == 0)
            for (int i = 0;; ++i) (void)write_result(root_ / "r", i % 2 ? first : second);
        ::usleep(static_cast<useconds_t>(200 + 97 * kill));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        const std::string json = content(root_ / "r" / "result.json");
        EXPECT_TRUE(json == first[0].text || json == second_json) << json;
        EXPECT_EQ(entries(root_ / "r").size(), 2U);
    }
    EXPECT_EQ(write_result(root_ / "r", first).problem, "");
    EXPECT_EQ(entries(root_), Names{"r"});
}

TEST_F(ResultFolder, of_several_runs_at_once_is_that_of_one_of_them) {
    std::vector<pid_t> children;
    for (int run = 0; run < 4; ++run) {
        children.push_back(::fork());
        if (children.back() != 0) continue;
        int failed = 0;
        for (int i = 0; i < 50; ++i)
            failed += !write_result(root_ / "r", run % 2 ? first : second).problem.empty();
        ::_exit(failed);
    }
    for (const pid_t child : children) {
        int status = 0;
        ::waitpid(child, &status, 0);
        EXPECT_TRUE(WIFEXITED(status));
        EXPECT_EQ(WEXITSTATUS(status), 0) << "refused";
    }
    const std::string json = content(root_ / "r" / "result.json");
    EXPECT_TRUE(json == first[0].text || json == second_json) << json;
    EXPECT_EQ(entries(root_), Names{"r"});
}

TEST_F(ResultFolder, left_unfinished_is_removed_kept_or_left_alone) {
    const std::string head = "r.pawl-unfinished-";
    const auto leftover = [&](const char* tail, const char* file) {
        fs::create_directory(root_ / (head + tail));
        write(root_ / (head + tail) / file, "{");
        return head + tail;
    };
    leftover("0123456789abcdef", "result.json");
    const std::string stopped = leftover("1123456789abcdef", checkpoint_file),
                      used = leftover("2123456789abcdef", "result.json"),
                      named = leftover("by_the_user", "result.json"),
                      filled = leftover("3123456789abcdef", "result.json");
    fs::create_directory(root_ / filled / "pictures");  // no run of pawl makes that
    const int lock = ::open((root_ / used).c_str(), O_RDONLY | O_DIRECTORY);
    ASSERT_EQ(::flock(lock, LOCK_EX), 0);
    const ResultWriting writing = write_result(root_ / "r", first);
    ::close(lock);
    EXPECT_EQ(writing.problem, "");
    ASSERT_EQ(writing.warnings.size(), 1U);
    EXPECT_NE(writing.warnings[0].find("pawl resume " + (root_ / stopped).string()),
              std::string::npos)
        << writing.warnings[0];
    EXPECT_EQ(entries(root_), (Names{"r", stopped, used, filled, named}));
}

TEST_F(ResultFolder, that_does_not_fit_names_the_reason_and_the_file) {
    ASSERT_EQ(write_result(root_ / "r", first).problem, "");
    const pid_t child = ::fork();
    if (child == 0) {
        const rlimit limit{1000, 1000};
        std::signal(SIGXFSZ, SIG_IGN);
        const bool limited = ::setrlimit(RLIMIT_FSIZE, &limit) == 0;
        const std::string problem =
            write_result(root_ / "r", {first[0], {"trajectory.csv", std::string(5000, '1')}})
                .problem;
        ::_exit(limited && problem.find("trajectory.csv: File too large") != std::string::npos ? 0
                                                                                               : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(content(root_ / "r" / "trajectory.csv"), "t [s]\n0\n");
    EXPECT_EQ(entries(root_), Names{"r"});
}

TEST_F(ResultFolder, on_a_full_disk_says_so) {
    fs::create_directory(root_ / "disk");
    if (::mount("none", (root_ / "disk").c_str(), "tmpfs", 0, "size=64k") != 0)
        GTEST_SKIP() << "a small disk cannot be mounted here: " << std::strerror(errno);
    EXPECT_EQ(write_result(root_ / "disk" / "r", first).problem, "");
    const std::string problem =
        write_result(root_ / "disk" / "r", {first[0], {"events.csv", std::string(100'000, '1')}})
            .problem;
    EXPECT_NE(problem.find("events.csv: No space left on device"), std::string::npos) << problem;
    EXPECT_EQ(entries(root_ / "disk"), Names{"r"});
    EXPECT_EQ(content(root_ / "disk" / "r" / "trajectory.csv"), "t [s]\n0\n");
    EXPECT_EQ(::umount((root_ / "disk").c_str()), 0);
}

TEST(Csv, has_units_in_its_header_and_numbers_that_read_back) {
    Trajectory trajectory;
    trajectory.columns = {{"t", "s"}, {"odd, name", "m"}};
    const double tenth = 0.1, third = 1.0 / 3, tiny = 4.9e-324;
    trajectory.add(std::vector<double>{0.0, -0.0});
    trajectory.add(std::vector<double>{tenth, third});
    trajectory.add(std::vector<double>{1e300, tiny});
    std::istringstream lines(csv(trajectory));
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, "t [s],\"odd, name [m]\"");
    std::getline(lines, line);
    EXPECT_EQ(line, "0,0");  // no minus zero
    std::getline(lines, line);
    EXPECT_EQ(line.substr(0, 4), "0.1,");
    EXPECT_EQ(std::stod(line.substr(4)), third);
    std::getline(lines, line);
    EXPECT_EQ(std::stod(line.substr(0, line.find(','))), 1e300);
    EXPECT_EQ(std::strtod(line.substr(line.find(',') + 1).c_str(), nullptr), tiny);
    EXPECT_FALSE(std::getline(lines, line));
}

TEST(Csv, of_events_names_kind_and_element_and_quotes_text) {
    Event event;
    event.t = 0.5;
    event.kind = EventKind::dead_point;
    event.element = "motor";
    event.to = "passed";
    event.facts = {fact::Remark{"the drivers \"lose\" hold, here"}};
    const std::string text = csv(std::vector<Event>{event});
    EXPECT_EQ(text.substr(0, text.find('\n')),
              "t [s],kind,element,from,to,normal_velocity_before [m/s],normal_velocity_after "
              "[m/s],impulse [N s],"
              "energy_change [J],detail");
    EXPECT_EQ(text.substr(text.find('\n') + 1),
              "0.5,dead_point,motor,,passed,0,0,0,0,\"the drivers \"\"lose\"\" hold, here\"\n");
}

TEST(Fingerprint, is_the_published_one_of_fnv_1a) {
    EXPECT_EQ(fingerprint(""), "fnv1a64:cbf29ce484222325");   // offset basis
    EXPECT_EQ(fingerprint("a"), "fnv1a64:af63dc4c8601ec8c");  // test vector of Noll
    EXPECT_NE(fingerprint("L = 1"), fingerprint("L = 2"));
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
