#include "model_file/text/write_file.h"

#include <fstream>
#include <sstream>
#include <stdlib.h>

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

namespace fs = std::filesystem;

class WriteFile : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "pawl_write_XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        folder_ = name;
    }
    void TearDown() override { fs::remove_all(folder_); }
    static std::string content(const fs::path& path) {
        std::ifstream in(path, std::ios::binary);
        std::stringstream text;
        text << in.rdbuf();
        return text.str();
    }
    [[nodiscard]] auto entries() const {
        return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
    }
    fs::path folder_;
};

TEST_F(WriteFile, makes_or_replaces_a_file_and_leaves_nothing_else) {
    EXPECT_EQ(write_file(folder_ / "graph.dot", "graph { a -- b }"), "");
    EXPECT_EQ(write_file(folder_ / "graph.dot", "graph {}"), "");
    EXPECT_EQ(content(folder_ / "graph.dot"), "graph {}");
    EXPECT_EQ(entries(), 1);
}

TEST_F(WriteFile, keeps_the_permissions_of_the_file) {
    std::ofstream(folder_ / "private") << "old";
    constexpr auto mode = fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read;
    fs::permissions(folder_ / "private", mode);
    EXPECT_EQ(write_file(folder_ / "private", "new"), "");
    EXPECT_EQ(content(folder_ / "private"), "new");
    EXPECT_EQ(fs::status(folder_ / "private").permissions(), mode);
}

TEST_F(WriteFile, does_not_follow_a_link) {
    std::ofstream(folder_ / "thesis.tex") << "years of work";
    fs::create_symlink("thesis.tex", folder_ / "report.html");
    fs::create_symlink("not_there", folder_ / "dangling");
    for (const char* name : {"report.html", "dangling"}) {
        const std::string problem = write_file(folder_ / name, "text");
        EXPECT_NE(problem.find("symbolic link"), std::string::npos) << problem;
        EXPECT_TRUE(fs::is_symlink(folder_ / name));
    }
    EXPECT_EQ(content(folder_ / "thesis.tex"), "years of work");
    EXPECT_EQ(entries(), 3);
    fs::create_directory(folder_ / "below");
    fs::create_directory_symlink("below", folder_ / "way");  // on the way to the file: usual
    EXPECT_EQ(write_file(folder_ / "way" / "file", "text"), "");
    EXPECT_EQ(content(folder_ / "below" / "file"), "text");
}

TEST_F(WriteFile, has_temporary_names_that_differ_and_never_reuses_a_file) {
    EXPECT_NE(unguessable_name(), unguessable_name());
    EXPECT_EQ(unguessable_name().size(), 16U);
    fs::create_symlink("elsewhere", folder_ / "planted");
    EXPECT_EQ(write_new_file(folder_ / "planted", "text"), "File exists");
    EXPECT_FALSE(fs::exists(folder_ / "elsewhere"));
    EXPECT_EQ(write_new_file(folder_ / "new", "text"), "");
    EXPECT_EQ(write_new_file(folder_ / "new", "more"), "File exists");
    EXPECT_EQ(content(folder_ / "new"), "text");
}

TEST_F(WriteFile, takes_a_name_as_long_as_the_system_allows) {
    const std::string name(255, 'n');
    EXPECT_EQ(write_file(folder_ / name, "text"), "");
    EXPECT_EQ(content(folder_ / name), "text");
}

TEST_F(WriteFile, writes_to_a_device_and_does_not_replace_it) {
    fs::create_symlink("/dev/null", folder_ / "nothing");
    EXPECT_EQ(write_file(folder_ / "nothing", "text"), "");
    EXPECT_TRUE(fs::is_character_file(folder_ / "nothing"));
    EXPECT_TRUE(fs::is_symlink(folder_ / "nothing"));
    fs::create_symlink("/dev/full", folder_ / "full");
    EXPECT_NE(write_file(folder_ / "full", "text").find("No space left"), std::string::npos);
}

TEST_F(WriteFile, refuses_a_folder_a_missing_folder_and_a_circle_of_links) {
    fs::create_directory(folder_ / "empty");
    EXPECT_NE(write_file(folder_ / "empty", "text").find("it is a folder"), std::string::npos);
    EXPECT_TRUE(fs::is_directory(folder_ / "empty"));
    EXPECT_NE(write_file(folder_ / "nowhere" / "file", "text"), "");
    fs::create_symlink("circle", folder_ / "circle");
    EXPECT_NE(write_file(folder_ / "circle", "text"), "");
    EXPECT_TRUE(fs::is_symlink(folder_ / "circle"));
    EXPECT_EQ(entries(), 2);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
