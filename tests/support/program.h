// Runs the real program as a child process in a folder of its own, and looks at what it left there.
#pragma once

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "support/paths.h"

namespace pawl::test {

struct ProgramOutcome {
    int code = -1;  // 128 + signal when it was killed
    std::string out, err;
};

// A signal that the program gets after some seconds, if it is still at work.
struct Signal {
    int number = 0;
    double after = 0;
};

class Program : public testing::Test {
protected:
    void SetUp() override {
        std::string name =
            (std::filesystem::temp_directory_path() / "pawl_program_XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        folder_ = std::filesystem::path(name) / "work";
        std::filesystem::create_directory(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_.parent_path()); }

    // The child's output goes to files beside the folder it works in; `out` may be another file,
    // e.g. /dev/full.
    [[nodiscard]] ProgramOutcome run(const std::vector<std::string>& arguments,
                                     std::string out = {}, Signal signal = {}) const {
        const std::filesystem::path err = folder_.parent_path() / "stderr";
        if (out.empty()) out = (folder_.parent_path() / "stdout").string();
        std::vector<std::string> words{program};
        words.insert(words.end(), arguments.begin(), arguments.end());
        std::vector<char*> argv;
        for (std::string& word : words) argv.push_back(word.data());
        argv.push_back(nullptr);
        const pid_t child = ::fork();
        if (child == 0) {
            constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC;
            if (::chdir(folder_.c_str()) == 0 &&
                ::dup2(::open(out.c_str(), flags, 0600), STDOUT_FILENO) >= 0 &&
                ::dup2(::open(err.c_str(), flags, 0600), STDERR_FILENO) >= 0)
                ::execv(argv[0], argv.data());
            ::_exit(127);
        }
        int status = 0;
        if (signal.number != 0) {
            std::this_thread::sleep_for(std::chrono::duration<double>(signal.after));
            ::kill(child, signal.number);
        }
        ::waitpid(child, &status, 0);
        return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                std::filesystem::is_regular_file(out) ? content(out) : "", content(err)};
    }

    static std::string content(const std::filesystem::path& path) {
        std::ifstream in(path, std::ios::binary);
        std::stringstream text;
        text << in.rdbuf();
        return text.str();
    }
    [[nodiscard]] std::string text(const std::string& name) const {
        return content(folder_ / name);
    }
    void write(const std::string& name, std::string_view text) const {
        std::ofstream(folder_ / name, std::ios::binary) << text;
    }
    // Names in a folder below the working folder, sorted; nothing is hidden.
    [[nodiscard]] std::vector<std::string> entries(const std::string& below = ".") const {
        std::vector<std::string> names;
        for (const auto& e : std::filesystem::directory_iterator(folder_ / below))
            names.push_back(e.path().filename().string());
        std::sort(names.begin(), names.end());
        return names;
    }
    using Names = std::vector<std::string>;
    std::filesystem::path folder_;
};

}  // namespace pawl::test
