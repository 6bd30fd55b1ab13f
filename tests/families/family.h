// A family of random models with a judge. Every seed gives one model, one way to run it, and one
// verdict. A wrong motion whose audit passed is a failure of the test; whatever was refused or
// stopped loudly is counted and printed with its seed, so that it can be run alone.
#pragma once

#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "simulation/stepping/dynamic_run.h"
#include "support/runs.h"

namespace pawl::test {

// A stream of its own for every seed and family; the same numbers with every compiler.
class Random {
public:
    explicit Random(std::uint64_t seed) : bits_(seed) {}
    double between(double low, double high) {
        return low + (high - low) * static_cast<double>(bits_() >> 11U) * 0x1p-53;
    }
    double log_between(double low, double high);  // evenly in the logarithm
    int below(int n) { return static_cast<int>(between(0, n)); }
    bool chance(double p) { return between(0, 1) < p; }
    double sign() { return chance(0.5) ? 1 : -1; }

private:
    std::mt19937_64 bits_;
};

enum class Verdict {
    agrees,        // completed, audit passed, right
    refused,       // did not move, and said why
    slow,          // did not end in time
    stopped,       // stopped on its way, and said why
    audit_failed,  // right, but its audit failed
    caught,        // wrong, and its audit failed
    wrong,         // wrong, and its audit passed
};

struct Judgement {
    Verdict verdict = Verdict::agrees;
    std::string what;
};

struct Trial {
    std::string label;  // words: "absolute independent dop853 1e-09"
    std::string text;   // of the model
    std::function<Judgement()> judge;
};

// One way of computing a motion.
struct Combination {
    std::string coordinates, dynamics, integrator;
    double rtol = 1e-9;
    double integrator_step = 0;  // of rk4, s
    [[nodiscard]] std::string label() const;
    [[nodiscard]] DynamicOptions options(double end, double step) const;
};
inline constexpr int combination_count = 45;
// All coordinates, formulations and integrators in turn; rtol from 1e-4 to 1e-12.
Combination combination(std::uint64_t index, Random& random);

class Family {
public:
    // `share`: models in the test suite.
    Family(std::string name, int share) : name_(std::move(name)), share_(share) {}
    // Leaves out the trials whose label holds all these words; the reason is printed. They run when
    // PAWL_EXCLUDED is set.
    Family& exclude(std::string words, std::string reason);
    // Besides the share: seeds that failed once.
    Family& also(std::vector<std::uint64_t> seeds) {
        also_ = std::move(seeds);
        return *this;
    }
    // Where the numbers of a family begin: those of a seed are as many further on.
    static std::uint64_t stream(const std::string& name);
    // Runs the trials and prints the summary; wrong ones fail the test.
    void run(const std::function<Trial(std::uint64_t seed, Random&)>& draw);

private:
    struct Exclusion {
        std::string words, reason;
        int count = 0;
    };
    bool is_excluded(const std::string& label);
    void note(std::uint64_t seed, const Trial& trial, const Judgement& judgement);
    void summarize(int models) const;

    std::string name_;
    int share_;
    std::vector<Exclusion> exclusions_;
    std::vector<std::uint64_t> also_;
    int count_[7] = {};
    std::map<std::string, std::array<int, 7>> by_way_;
};

// The verdict on a result, given what is wrong with its motion (empty: nothing).
Judgement judged(const DynamicResult& result, const std::string& error);

}  // namespace pawl::test
