#include "math/spool.h"

#include <filesystem>
#include <fstream>
#include <system_error>
#include <unistd.h>

#include <gtest/gtest.h>

namespace pawl {
namespace PAWL_TEST_FILE {

namespace fs = std::filesystem;

class SpoolTest : public testing::Test {
protected:
    void SetUp() override {
        root_ = fs::temp_directory_path() / ("pawl_spool_" + std::to_string(::getpid()));
        fs::create_directory(root_);
    }
    void TearDown() override { fs::remove_all(root_); }
    [[nodiscard]] SpoolLocation location(bool named = true) const {
        SpoolLocation out;
        out.file = [this](const std::string& name) { return (root_ / name).string(); };
        out.named = named;
        out.largest_in_memory = 1000;
        return out;
    }
    fs::path root_;
};

Spool<double> counted(const SpoolLocation& location, std::size_t count) {
    Spool<double> list;
    list.use(location, "list");
    for (std::size_t i = 0; i < count; ++i) list.add(static_cast<double>(i));
    return list;
}

TEST_F(SpoolTest, short_lists_stay_in_memory) {
    const Spool<double> list = counted(location(), 100);
    EXPECT_TRUE(list.is_in_memory());
    EXPECT_FALSE(fs::exists(root_ / "list"));
}

// 80 MB: more than one window of what reading keeps in memory.
TEST_F(SpoolTest, long_lists_are_read_anywhere_while_they_grow) {
    constexpr std::size_t count = 10'000'000;
    Spool<double> list = counted(location(), count);
    EXPECT_FALSE(list.is_in_memory());
    EXPECT_EQ(list.size(), count);
    for (const std::size_t i : {std::size_t{0}, std::size_t{126}, count / 2, count - 3}) {
        const auto part = list.part(i, 3);
        for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(part[k], static_cast<double>(i + k));
    }
    const auto first = list.part(0, 2);
    EXPECT_EQ(list.part(count - 1, 1)[0], static_cast<double>(count - 1));
    EXPECT_EQ(first[1], 1) << "what was read before is still there";
    list.add(-1.0);
    EXPECT_EQ(list.part(count, 1)[0], -1);
}

TEST_F(SpoolTest, a_list_without_a_name_leaves_no_file) {
    const Spool<double> list = counted(location(false), 1000);
    EXPECT_FALSE(list.is_in_memory());
    EXPECT_TRUE(fs::is_empty(root_));
    EXPECT_EQ(list.all()[999], 999);
}

// What was added since goes.
TEST_F(SpoolTest, remembers_its_length_and_goes_on_from_there) {
    Memory saved;
    {
        Spool<double> list = counted(location(), 5000);
        list.remember(saved);
        for (int i = 0; i < 300; ++i) list.add(-7.0);
        EXPECT_EQ(list.all()[5299], -7);  // on the disk
    }
    EXPECT_LT(saved.text().size(), 20U);
    Spool<double> list;
    list.use(location(), "list");
    Memory memory(saved.text());
    list.remember(memory);
    ASSERT_TRUE(memory.is_done());
    EXPECT_EQ(list.size(), 5000U);
    list.add(5000.0);
    for (std::size_t i = 0; i <= 5000; ++i) ASSERT_EQ(list.all()[i], static_cast<double>(i));
}

TEST_F(SpoolTest, a_file_that_is_too_short_does_not_fit) {
    Memory saved;
    counted(location(), 5000).remember(saved);
    fs::resize_file(root_ / "list", 5000 * sizeof(double) - 1);
    Spool<double> list;
    list.use(location(), "list");
    Memory memory(saved.text());
    list.remember(memory);
    EXPECT_FALSE(memory.fits());
}

TEST_F(SpoolTest, what_the_system_refuses_is_thrown) {
    SpoolLocation nowhere = location();
    nowhere.file = [this](const std::string&) { return (root_ / "missing" / "list").string(); };
    EXPECT_THROW(counted(nowhere, 1000), std::system_error);
}

TEST_F(SpoolTest, without_a_path_it_stays_in_memory) {
    SpoolLocation none = location();
    none.file = [](const std::string&) { return std::string(); };
    EXPECT_TRUE(counted(none, 1000).is_in_memory());
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
