#include "output/result_folder.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace pawl {
namespace {

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
    EXPECT_EQ(write_result(root_ / "a" / "b", first), "");
    EXPECT_EQ(content(root_ / "a" / "b" / "trajectory.csv"), "t [s]\n0\n");
    EXPECT_EQ(entries(root_ / "a"), Names{"b"});
    EXPECT_EQ(write_result((root_ / "slash").string() + "/", first), "");
    EXPECT_EQ(entries(root_), (Names{"a", "slash"}));
}

TEST_F(ResultFolder, replaces_an_old_result_with_all_its_files) {
    ASSERT_EQ(write_result(root_ / "r", first), "");
    EXPECT_EQ(write_result(root_ / "r", second), "");
    EXPECT_EQ(entries(root_ / "r"), (Names{"events.csv", "result.json"}));
    EXPECT_EQ(content(root_ / "r" / "result.json"), second_json);
    EXPECT_EQ(entries(root_), Names{"r"});
}

TEST_F(ResultFolder, takes_an_empty_folder) {
    fs::create_directory(root_ / "empty");
    EXPECT_EQ(write_result(root_ / "empty", first), "");
    EXPECT_EQ(entries(root_ / "empty"), (Names{"result.json", "trajectory.csv"}));
}

TEST_F(ResultFolder, refuses_a_folder_of_others_and_leaves_it_alone) {
    fs::create_directory(root_ / "thesis");
    write(root_ / "thesis" / "chapter.tex", "years of work");
    EXPECT_NE(write_result(root_ / "thesis", first).find("not a result of pawl"),
              std::string::npos);
    EXPECT_EQ(content(root_ / "thesis" / "chapter.tex"), "years of work");
    EXPECT_EQ(entries(root_), Names{"thesis"});
}

TEST_F(ResultFolder, refuses_to_replace_a_file) {
    write(root_ / "notes", "mine");
    EXPECT_NE(write_result(root_ / "notes", first).find("is a file"), std::string::npos);
    EXPECT_NE(write_result(root_ / "notes" / "below", first), "");
    EXPECT_EQ(content(root_ / "notes"), "mine");
    EXPECT_EQ(entries(root_), Names{"notes"});
}

TEST_F(ResultFolder, that_cannot_be_written_whole_is_not_written_at_all) {
    ASSERT_EQ(write_result(root_ / "r", first), "");
    // A name that needs a folder that is not there.
    EXPECT_NE(write_result(root_ / "r", {{"result.json", "{}"}, {"missing/table.csv", ""}}), "");
    EXPECT_EQ(entries(root_ / "r"), (Names{"result.json", "trajectory.csv"}));
    EXPECT_EQ(entries(root_), Names{"r"});
}

TEST_F(ResultFolder, is_refused_where_a_file_is_not_on_the_list_of_the_old_result) {
    ASSERT_EQ(write_result(root_ / "r", first), "");
    write(root_ / "r" / "notes.txt", "mine");
    EXPECT_NE(write_result(root_ / "r", second).find("notes.txt was not written by pawl"),
              std::string::npos);
    EXPECT_EQ(entries(root_ / "r"), (Names{"notes.txt", "result.json", "trajectory.csv"}));
    fs::remove(root_ / "r" / "notes.txt");
    fs::create_directories(root_ / "r" / "events.csv");  // not a file, so not ours
    EXPECT_NE(write_result(root_ / "r", second), "");
    EXPECT_TRUE(fs::is_directory(root_ / "r" / "events.csv"));
}

TEST_F(ResultFolder, is_refused_where_result_json_is_of_another_program) {
    for (const char* text : {"{}", "not json", "[1]", "", R"({"format": 1, "files": []})",
                             R"({"pawl": "1", "format": 1, "files": 3})"}) {
        fs::create_directory(root_ / "theirs");
        write(root_ / "theirs" / "result.json", text);
        EXPECT_NE(write_result(root_ / "theirs", first).find("not a result of pawl"),
                  std::string::npos)
            << text;
        EXPECT_EQ(content(root_ / "theirs" / "result.json"), text);
        fs::remove_all(root_ / "theirs");
    }
}

TEST_F(ResultFolder, is_written_to_the_target_of_a_link) {
    fs::create_directory(root_ / "target");
    fs::create_directory_symlink("target", root_ / "link");
    for (int i = 0; i < 2; ++i) EXPECT_EQ(write_result(root_ / "link", first), "");
    EXPECT_TRUE(fs::is_symlink(root_ / "link"));
    EXPECT_EQ(entries(root_ / "target"), (Names{"result.json", "trajectory.csv"}));
    EXPECT_EQ(entries(root_), (Names{"link", "target"}));
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
    event.detail = "the drivers \"lose\" hold, here";
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

}  // namespace
}  // namespace pawl
