#include "model_file/write_file.h"

#include <fstream>
#include <sstream>
#include <stdlib.h>

#include <gtest/gtest.h>

namespace pawl {
namespace {

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

TEST_F(WriteFile, writes_the_target_of_a_chain_of_links_even_one_not_there_yet) {
    fs::create_directory(folder_ / "below");
    fs::create_symlink("below/second", folder_ / "first");
    fs::create_symlink("target", folder_ / "below" / "second");  // relative to its own folder
    for (const char* text : {"made", "replaced"}) {
        EXPECT_EQ(write_file(folder_ / "first", text), "");
        EXPECT_TRUE(fs::is_symlink(folder_ / "first"));
        EXPECT_TRUE(fs::is_symlink(folder_ / "below" / "second"));
        EXPECT_EQ(content(folder_ / "below" / "target"), text);
    }
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

}  // namespace
}  // namespace pawl
