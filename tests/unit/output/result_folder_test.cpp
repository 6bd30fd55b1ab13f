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

const std::vector<NamedText> first{{"result.json", "{}"}, {"trajectory.csv", "t [s]\n0\n"}};
const std::vector<NamedText> second{{"result.json", "{\"second\": 1}"}, {"events.csv", "none\n"}};

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
    EXPECT_EQ(content(root_ / "r" / "result.json"), "{\"second\": 1}");
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

TEST_F(ResultFolder, file_is_replaced_whole_or_kept) {
    EXPECT_EQ(write_file(root_ / "graph.dot", "graph {}"), "");
    EXPECT_EQ(write_file(root_ / "graph.dot", "graph { a }"), "");
    EXPECT_EQ(content(root_ / "graph.dot"), "graph { a }");
    fs::create_directory(root_ / "folder");
    write(root_ / "folder" / "in_it", "");
    EXPECT_NE(write_file(root_ / "folder", "text"), "");
    EXPECT_NE(write_file(root_ / "nowhere" / "file", "text"), "");
    EXPECT_EQ(entries(root_), (Names{"folder", "graph.dot"}));
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
