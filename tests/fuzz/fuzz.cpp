// The fuzzer by mutation, for machines without libFuzzer: `fuzz --help`. Each batch of inputs runs
// in a process of its own; an input that crashes, throws or takes too long is written to a file.
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <unistd.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "fuzz/mutation.h"
#include "fuzz/targets.h"
#include "model_file/text/write_file.h"

namespace pawl::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr int longest_run = 20;  // s of processor time for one input
constexpr std::uint64_t batch = 500;

// What the handler of signals needs: the input at work and the file to save it in. The number of
// inputs begun is shared with the parent, which goes on behind the one that failed.
std::string_view input_at_work;
std::uint64_t* begun = nullptr;
char file_of_failure[4096];

// Only calls that are safe in a handler of signals.
void save_and_end(int signal) {
    const int file = ::open(file_of_failure, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file >= 0) {
        (void)!::write(file, input_at_work.data(), input_at_work.size());
        ::close(file);
    }
    ::_exit(128 + signal);
}

void watch_signals() {
    static char stack[1 << 16];  // its own: the fault may be that the stack is full
    const stack_t other{stack, 0, sizeof stack};
    ::sigaltstack(&other, nullptr);
    struct sigaction action {};
    action.sa_handler = save_and_end;
    action.sa_flags = SA_ONSTACK;
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF})
        ::sigaction(signal, &action, nullptr);
}

void limit_time(int seconds) {
    const itimerval limit{{0, 0}, {seconds, 0}};
    ::setitimer(ITIMER_PROF, &limit, nullptr);
}

// The exit code of a process that runs the inputs: 0, or 128 + the signal at which one ended.
template <class Inputs>
int in_process(const std::string& save_as, Inputs inputs) {
    const pid_t child = ::fork();
    if (child == 0) {
        std::strncpy(file_of_failure, save_as.c_str(), sizeof file_of_failure - 1);
        watch_signals();
        inputs([](const Target& target, std::string_view text) {
            input_at_work = text;
            limit_time(longest_run);
            ++*begun;
            try {
                run_target(target, text);
            } catch (const std::exception& e) {
                std::cerr << target.name << ": " << e.what() << std::endl;
                std::abort();
            }
        });
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string outcome_of(int code) {
    if (code == 128 + SIGPROF) return "takes more than " + std::to_string(longest_run) + " s";
    return code > 128 ? std::string("ends with ") + ::strsignal(code - 128)
                      : "ends with exit code " + std::to_string(code);
}

int run_text(const Target& target, const std::string& text) {
    return in_process("/dev/null", [&](auto&& run) { run(target, text); });
}

// Leaves out lines, then pieces of lines, as long as the failure stays the same.
std::string reduced(const Target& target, std::string text, int code) {
    for (std::size_t piece = text.size() / 2; piece > 0; piece /= 2)
        for (std::size_t at = 0; at < text.size();) {
            std::string shorter = text;
            shorter.erase(at, piece);
            if (run_text(target, shorter) == code)
                text = std::move(shorter);
            else
                at += piece;
        }
    return text;
}

struct Options {
    std::vector<const Target*> chosen;
    std::uint64_t inputs = 0, seed = 1, first = 0;
    double seconds = 0;
    std::string save = "fuzz_failures", file, seeds;
    bool reduce = false;
};

int fuzz(const Target& target, const Options& o) {
    using Clock = std::chrono::steady_clock;
    const Mutator mutator(target.seeds());
    const auto start = Clock::now();
    const auto elapsed = [&] {
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    int failures = 0;
    std::uint64_t done = 0;
    while ((o.inputs == 0 || done < o.inputs) && (o.seconds <= 0 || elapsed() < o.seconds)) {
        const std::uint64_t count = o.inputs == 0 ? batch : std::min(batch, o.inputs - done);
        const std::string file =
            (fs::path(o.save) / (std::string(target.name) + "_" + std::to_string(o.seed) + "_"))
                .string() +
            std::to_string(o.first + done);
        *begun = 0;
        const int code = in_process(file, [&](auto&& run) {
            for (std::uint64_t i = 0; i < count; ++i)
                run(target, mutator.text(o.seed, o.first + done + i));
        });
        done += code == 0 ? count : *begun;
        if (code == 0) continue;
        ++failures;
        std::cout << file << ": " << outcome_of(code) << std::endl;
        if (*begun == 0) break;  // it cannot even begin
    }
    std::cout << target.name << ": " << done << " inputs, " << failures << " failures, "
              << static_cast<long>(elapsed()) << " s" << std::endl;
    return failures;
}

std::string content(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

int replay(const Target& target, const Options& o) {
    const std::string text = content(o.file);
    const int code = run_text(target, text);
    std::cout << o.file << ": " << (code == 0 ? "passes" : outcome_of(code)) << std::endl;
    if (code != 0 && o.reduce) std::cout << reduced(target, text, code) << std::endl;
    return code != 0;
}

void write_seeds(const Target& target, const std::string& folder) {
    fs::create_directories(folder);
    int number = 0;
    for (const std::string& text : target.seeds())
        (void)write_file(fs::path(folder) / ("seed_" + std::to_string(number++)), text);
}

const char* const help =
    "usage: fuzz [TARGET...] [OPTION...]\n"
    "targets: model expression acdmc adams result run (default: all)\n"
    "  --inputs N      stop after N inputs of each target\n"
    "  --seconds S     stop after S seconds for each target (default: 60, without --inputs)\n"
    "  --seed K        another sequence of inputs (default: 1)\n"
    "  --first I       begin with input I of the sequence\n"
    "  --save FOLDER   where inputs that fail are written (default: fuzz_failures)\n"
    "  --file FILE     run the target on this file instead\n"
    "  --reduce        with --file: print the smallest input that fails in the same way\n"
    "  --seeds FOLDER  only write the texts that inputs are made from\n";

bool read_options(int argc, char** argv, Options& o) {
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--reduce") {
            o.reduce = true;
            continue;
        }
        if (!word.starts_with("--")) {
            for (const Target& target : targets())
                if (target.name == word) o.chosen.push_back(&target);
            if (o.chosen.empty() || o.chosen.back()->name != word) return false;
            continue;
        }
        if (++i >= argc) return false;
        const std::string value = argv[i];
        if (word == "--inputs")
            o.inputs = std::strtoull(value.c_str(), nullptr, 10);
        else if (word == "--seed")
            o.seed = std::strtoull(value.c_str(), nullptr, 10);
        else if (word == "--first")
            o.first = std::strtoull(value.c_str(), nullptr, 10);
        else if (word == "--seconds")
            o.seconds = std::strtod(value.c_str(), nullptr);
        else if (word == "--save")
            o.save = value;
        else if (word == "--file")
            o.file = value;
        else if (word == "--seeds")
            o.seeds = value;
        else
            return false;
    }
    if (o.inputs == 0 && o.seconds <= 0) o.seconds = 60;
    return true;
}

}  // namespace
}  // namespace pawl::fuzz

int main(int argc, char** argv) {
    using namespace pawl::fuzz;
    Options options;
    begun = static_cast<std::uint64_t*>(
        ::mmap(nullptr, sizeof *begun, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    if (begun == MAP_FAILED) return 2;
    if (!read_options(argc, argv, options)) {
        std::cerr << help;
        return 2;
    }
    if (options.chosen.empty())
        for (const Target& target : targets()) options.chosen.push_back(&target);
    int failures = 0;
    for (const Target* target : options.chosen) {
        if (!options.seeds.empty()) {
            write_seeds(*target, options.seeds);
            continue;
        }
        if (!options.file.empty()) {
            failures += replay(*target, options);
            continue;
        }
        fs::create_directories(options.save);
        failures += fuzz(*target, options);
    }
    return failures == 0 ? 0 : 1;
}
