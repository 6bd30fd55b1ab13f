#include "families/family.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/soak.h"

namespace pawl::test {

namespace {

constexpr const char* verdict_names[] = {"agree",
                                         "refused",
                                         "too slow",
                                         "stopped on the way",
                                         "right, audit failed",
                                         "wrong, audit failed",
                                         "WRONG, audit passed"};

// Processor time that a run may take, s. The slowest right ones take a tenth of it.
constexpr double longest = 3;
struct TooSlow {};

bool holds_words(const std::string& label, const std::string& words) {
    std::istringstream all(words);
    for (std::string word; all >> word;)
        if ((" " + label + " ").find(" " + word + " ") == std::string::npos) return false;
    return true;
}

// The label without its tolerance.
std::string way_of(const std::string& label) { return label.substr(0, label.rfind(' ')); }

}  // namespace

double Random::log_between(double low, double high) {
    return std::exp(between(std::log(low), std::log(high)));
}

std::string Combination::label() const {
    return fmt::format("{} {} {} {}", coordinates, dynamics, integrator,
                       integrator == "rk4" ? fmt::format("h={:.3g}", integrator_step)
                                           : fmt::format("{:.0e}", rtol));
}

DynamicOptions Combination::options(double end, double step) const {
    DynamicOptions o;
    o.end = end;
    o.step = step;
    o.coordinates = coordinates == "absolute" ? CoordinateKind::absolute : CoordinateKind::relative;
    o.dynamics = named<Formulation>(dynamics).value();
    o.integrator = named<Integrator>(integrator).value();
    o.rtol = o.atol = rtol;
    o.integrator_step = integrator_step;
    o.progress = [begin = std::clock()](double) {
        if (static_cast<double>(std::clock() - begin) > longest * CLOCKS_PER_SEC) throw TooSlow{};
    };
    return o;
}

Combination combination(std::uint64_t index, Random& random) {
    static constexpr const char* coordinates[] = {"relative", "absolute", "relative"};
    static constexpr const char* dynamics[] = {"multipliers", "augmented", "independent",
                                               "canonical", "augmented_canonical"};
    static constexpr const char* integrators[] = {"dop853", "rk4", "stiff"};
    index %= combination_count;
    Combination c;
    c.coordinates = coordinates[index % 3];
    c.dynamics = dynamics[index / 3 % 5];
    c.integrator = integrators[index / 15];
    c.rtol = std::pow(10.0, -4 - random.below(9));
    return c;
}

Judgement judged(const DynamicResult& result, const std::string& error) {
    if (result.status != DynamicStatus::completed)
        return {result.trajectory.rows() > 1 ? Verdict::stopped : Verdict::refused, result.message};
    std::string failed;
    for (const AuditCheck& check : result.audit.checks)
        if (!check.passed())
            failed += fmt::format("{} {:.3g} > {:.3g}; ", check.name, check.value(), check.limit);
    if (error.empty()) return {failed.empty() ? Verdict::agrees : Verdict::audit_failed, failed};
    return {failed.empty() ? Verdict::wrong : Verdict::caught, error + "; " + failed};
}

// FNV-1a: the streams of two families have nothing in common.
std::uint64_t Family::stream(const std::string& name) {
    std::uint64_t h = 14695981039346656037ULL;
    for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return h;
}

Family& Family::exclude(std::string words, std::string reason) {
    exclusions_.push_back({std::move(words), std::move(reason)});
    return *this;
}

bool Family::is_excluded(const std::string& label) {
    for (Exclusion& e : exclusions_)
        if (holds_words(label, e.words)) {
            ++e.count;
            return !std::getenv("PAWL_EXCLUDED");
        }
    return false;
}

void Family::run(const std::function<Trial(std::uint64_t seed, Random&)>& draw) {
    const auto only = only_seed();
    const std::uint64_t first = only.value_or(1), last = only.value_or(soaked(share_));
    std::vector<std::uint64_t> seeds;
    for (std::uint64_t seed = first; seed <= last; ++seed) seeds.push_back(seed);
    for (const std::uint64_t seed : also_)
        if (!only && seed > last) seeds.push_back(seed);
    int models = 0;
    for (const std::uint64_t seed : seeds) {
        Random random(stream(name_) + seed);
        const Trial trial = draw(seed, random);
        if (only) std::cout << trial.text << "# " << trial.label << '\n';
        if (is_excluded(trial.label)) continue;
        ++models;
        Judgement judgement;
        try {
            judgement = trial.judge();
        } catch (const TooSlow&) {
            judgement = {Verdict::slow, fmt::format("more than {} s", longest)};
        }
        note(seed, trial, judgement);
    }
    summarize(models);
}

void Family::note(std::uint64_t seed, const Trial& trial, const Judgement& judgement) {
    const auto verdict = static_cast<std::size_t>(judgement.verdict);
    ++count_[verdict];
    ++by_way_[way_of(trial.label)][verdict];
    if (judgement.verdict == Verdict::agrees) return;
    std::cout << fmt::format("  seed {:<5} {}: {}: {}", seed, verdict_names[verdict], trial.label,
                             judgement.what)
              << std::endl;
    // The first few tell what is wrong; the seeds of all are in the summary.
    if (judgement.verdict == Verdict::wrong && count_[verdict] <= 5)
        ADD_FAILURE() << name_ << " seed " << seed << ", " << trial.label << ": " << judgement.what;
}

void Family::summarize(int models) const {
    std::cout << "family " << name_ << ": " << models << " models";
    for (std::size_t v = 0; v < std::size(verdict_names); ++v)
        if (count_[v] > 0 || v == 0 || v + 1 == std::size(verdict_names))
            std::cout << ", " << count_[v] << ' ' << verdict_names[v];
    std::cout << '\n';
    for (const Exclusion& e : exclusions_)
        std::cout << "  excluded: " << e.words << " (" << e.count << " models): " << e.reason
                  << '\n';
    for (const auto& [way, count] : by_way_) {
        int all = 0;
        for (const int n : count) all += n;
        if (count[0] == all) continue;
        std::cout << fmt::format("  {:<42} {:>3} of {:>3} agree", way, count[0], all);
        for (std::size_t v = 1; v < count.size(); ++v)
            if (count[v] > 0) std::cout << fmt::format(", {} {}", count[v], verdict_names[v]);
        std::cout << '\n';
    }
    EXPECT_EQ(count_[static_cast<int>(Verdict::wrong)], 0) << "run one alone: PAWL_SEED=...";
}

}  // namespace pawl::test
