// Errors of the file as a whole: syntax, size, access, and inputs made to exhaust the reader.
#include <chrono>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "diagnostics/errors_of.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// A file of its own, removed at the end of the test.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::string& text)
        : path_(std::filesystem::path(testing::TempDir()) /
                ("pawl_" +
                 std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) +
                 ".toml")) {
        std::ofstream(path_, std::ios::binary) << text;
    }
    ~TemporaryFile() { std::filesystem::remove(path_); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

std::string errors_of_file(const std::filesystem::path& path) {
    Diagnostics diagnostics;
    const auto model = read_model_file(path, {}, diagnostics);
    const std::string text = diagnostics.text();
    const std::string name = path.string();
    return model ? "no error" : text.starts_with(name) ? text.substr(name.size()) : text;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// A user waits that long without doubt; the reader needs far less even with sanitizers.
constexpr double patience = 2;  // s

TEST(FileErrors, format_is_required_and_must_be_1) {
    EXPECT_EQ(errors_of(""),
              "1:1: error: the model needs the key 'format'; begin the file with: format = 1\n");
    EXPECT_EQ(errors_of("format = 2\n"), "1:10: error: format: this program reads format 1 only\n");
    EXPECT_EQ(errors_of("format = \"1\"\n"),
              "1:10: error: format: this program reads format 1 only\n");
}

TEST(FileErrors, syntax_error_has_its_place) {
    EXPECT_EQ(errors_of("format = 1\n[body.crank\n"),
              "2:12: error: TOML syntax, table header: expected ']', saw '\\n'\n");
}

TEST(FileErrors, malformed_table_header_is_told) {
    EXPECT_EQ(errors_of("[=\n"),
              "1:2: error: TOML syntax, key: expected bare key starting character "
              "or string delimiter, saw '='\n");
}

TEST(FileErrors, element_given_twice_is_refused) {
    EXPECT_EQ(
        errors_of("format = 1\n[body.crank]\n[body.crank]\n"),
        "3:1: error: TOML syntax, table header: cannot redefine existing table 'body.crank'; it is "
        "defined further up: merge the two, or rename one\n");
    EXPECT_EQ(errors_of("format = 1\n[parameters]\na = 1\na = 2\n"),
              "4:5: error: TOML syntax, key-value pair: cannot redefine existing integer 'a'; it "
              "is defined "
              "further up: merge the two, or rename one\n");
}

TEST(FileErrors, text_that_is_not_utf8_is_refused) {
    EXPECT_EQ(errors_of("format = 1\nname = \"\xff\xfe\"\n"),
              "2:8: error: Encountered invalid utf-8 sequence\n");
}

// The TOML package reads its tables of letters out of bounds there; strings and comments may hold
// any letter.
TEST(FileErrors, letter_beyond_ascii_outside_of_strings_is_refused) {
    const std::string rest =
        " is outside a string; put a key or value with such a letter in quotes, or use letters "
        "from a to z\n";
    EXPECT_EQ(errors_of("# ü\né = 1\n"), "2:1: error: 'é'" + rest);
    EXPECT_EQ(errors_of("format = 1\n[body.größe]\n"), "2:9: error: 'ö'" + rest);
    EXPECT_EQ(errors_of("format = 1\nname = 'ü' 語 = 2\n"), "2:12: error: '語'" + rest);
    EXPECT_EQ(errors_of("format = 1\n\xE9 = 1\n"), "2:1: error: byte 0xE9" + rest);
    EXPECT_EQ(errors_of("\xEF\xBB\xBF"
                        "format = 1\nname = \"é ü\" # 語\n"),
              "no error\n");
}

TEST(FileErrors, missing_file_is_told) {
    EXPECT_EQ(errors_of_file("no_such_model.toml"),
              ": error: cannot read the file: there is no such file\n");
}

TEST(FileErrors, folder_is_told) {
    EXPECT_EQ(errors_of_file(testing::TempDir()),
              ": error: cannot read the file: it is a folder\n");
}

TEST(FileErrors, too_large_a_file_is_refused_at_once) {
    const TemporaryFile file(std::string(std::size_t{10} << 20, '#'));
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(errors_of_file(file.path()), ": error: the file is 10.0 MB; the limit is 8 MB\n");
    EXPECT_LT(seconds_since(start), patience);
}

TEST(FileErrors, too_long_a_text_is_refused) {
    EXPECT_EQ(errors_of(std::string(std::size_t{9} << 20, '\n')),
              "error: the file is 9.0 MB; the limit is 8 MB\n");
}

TEST(FileErrors, deep_dotted_key_is_refused) {
    std::string key = "a";
    for (int i = 0; i < 1000000; ++i) key += ".a";
    EXPECT_EQ(errors_of("format = 1\n" + key + " = 1\n"),
              "2:1: error: a key has more than 100 parts separated by dots\n");
    EXPECT_EQ(errors_of("format = 1\n[" + key + "]\n"),
              "2:2: error: a key has more than 100 parts separated by dots\n");
    EXPECT_EQ(errors_of("format = 1\nx = { s = \"#\", " + key + " = 1 }\n"),
              "2:15: error: a key has more than 100 parts separated by dots\n");
}

TEST(FileErrors, many_dots_outside_of_keys_are_harmless) {
    std::string numbers = "0.5";
    for (int i = 0; i < 1000; ++i) numbers += ", 0.5";
    const std::string dots(1000, '.');
    EXPECT_EQ(
        errors_of("format = 1 # " + dots + "\nname = \"" + dots + "\"\nx = [" + numbers + "]\n"),
        "3:1: error: unknown key 'x'; valid: format, name, units, parameters, inputs, body, joint, "
        "driver, profile, contact, measure, force, …\n");
}

TEST(FileErrors, deep_array_is_refused) {
    const std::string errors = errors_of("format = 1\nx = " + std::string(100000, '[') + "\n");
    EXPECT_NE(errors.find("exceeded maximum nested value depth"), std::string::npos) << errors;
}

TEST(FileErrors, long_chain_of_parameters_is_read) {
    constexpr int length = 100000;
    std::string text = "format = 1\n[parameters]\n";
    for (int i = 0; i < length; ++i) {
        const std::string name = "p" + std::to_string(i), next = "p" + std::to_string(i + 1);
        text += name + " = \"" + next + "\"\n";
    }
    Diagnostics diagnostics;
    const auto model =
        read_model(text + "p" + std::to_string(length) + " = 7\n", "", {}, diagnostics);
    ASSERT_TRUE(model) << diagnostics.text();
    EXPECT_EQ(model->parameters.front().value, 7);
}

// Each error is told, but the search for near names, which would take quadratic time, is given up.
TEST(FileErrors, file_full_of_errors_is_read_to_its_end) {
    constexpr int count = 2000, max_suggestions = 100;
    std::string text = "format = 1\n";
    for (int i = 0; i < count; ++i) text += "[body.b" + std::to_string(i) + "]\n";
    for (int i = 0; i < count; ++i) {
        const std::string n = std::to_string(i);
        text += "[contact.c" + n + "]\na = \"x" + n + "\"\nb = \"b" + n + "\"\n";
    }
    const std::string errors = errors_of(text);
    EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), count);
    EXPECT_EQ(std::count(errors.begin(), errors.end(), ';'), max_suggestions);
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
