#include "design/synthesis/search.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numbers>
#include <optional>
#include <tuple>

#include "design/synthesis/random_start.h"
#include "math/parallel.h"
#include "math/tolerances/outside.h"

namespace pawl {

namespace {

using Eigen::VectorXd;

// More candidates than this are not polished and appraised.
constexpr std::size_t max_appraised = 600;
// Designs that differ less, in units of the task's size, are one.
constexpr double same_design = tolerance::same_linkage;

// How far two designs are from each other, in units of the task's size and radians.
double distance(const Linkage& l, const VectorXd& a, const VectorXd& b) {
    double largest = 0;
    for (int i = 0; i < l.design_size(); ++i) {
        double difference = a[i] - b[i];
        if (l.numbers[static_cast<std::size_t>(i)].kind == DesignNumber::Kind::angle)
            difference = std::remainder(difference, 2 * std::numbers::pi);
        largest = std::max(largest, std::abs(difference));
    }
    return largest;
}

// Lengths positive, so that equal linkages have equal numbers.
void normalise(const SynthesisProblem& problem, SynthesisUnknowns& x) {
    Linkage l = problem.linkage();
    l.set_design(x.design);
    x.design = l.design();
}

struct Candidate {
    SynthesisUnknowns x;
    double objective = INFINITY;
    int start = -1;
    std::string origin = "search";
};

// All of it in units of the task's size.
class Search {
public:
    Search(const SynthesisProblem& problem, const SearchOptions& options, bool from_linkage)
        : problem_(problem.scaled(1 / problem.task().size())),
          options_(options),
          from_linkage_(from_linkage),
          unit_(problem.task().size()) {}

    SearchResult run() {
        SearchResult result;
        std::vector<Candidate> found(static_cast<std::size_t>(std::max(options_.starts, 1)));
        for_all(found.size(), options_.threads, [&](std::size_t k) {
            if (stopped_) return;
            found[k] = try_start(static_cast<int>(k));
            note(found[k].objective, 0.8 / static_cast<double>(found.size()));
        });
        for (const Candidate& c : found) {
            result.starts += c.start >= 0;
            result.solved += c.start >= 0 && std::isfinite(c.objective);
        }
        std::vector<Candidate> distinct = choose(std::move(found));
        result.distinct = static_cast<int>(distinct.size());
        if (distinct.size() > max_appraised) distinct.resize(max_appraised);
        add_cognates(distinct);
        std::vector<std::optional<Solution>> solutions(distinct.size());
        for_all(distinct.size(), options_.threads, [&](std::size_t k) {
            solutions[k] = finish(distinct[k]);
            note(INFINITY, 0.2 / static_cast<double>(distinct.size()));
        });
        result.solutions = rank(std::move(solutions), result.kept);
        result.stopped = stopped_;
        return result;
    }

private:
    [[nodiscard]] Candidate try_start(int k) const {
        RandomNumbers random(options_.seed, static_cast<std::uint64_t>(k));
        Candidate c;
        c.start = k;
        if (from_linkage_)
            c.x = varied_start(problem_, k == 0 ? 0 : 0.5 * random.next(), random);
        else
            c.x = random_start(problem_, options_.bounds, random);
        SolveOptions rough{.iterations = 60,
                           .damping = 1e-2,
                           .small = tolerance::rough_synthesis,
                           .least_gain = tolerance::rough_gain};
        c.objective = solve_natural(problem_, c.x, rough).objective();
        if (c.objective > promising()) return {{}, INFINITY, k};
        SolveOptions fine{.iterations = 60,
                          .damping = 0,
                          .small = tolerance::fine_synthesis,
                          .least_gain = tolerance::fine_gain};
        c.objective = solve_natural(problem_, c.x, fine).objective();
        if (!c.x.design.allFinite() || c.x.design.norm() > largest()) return {{}, INFINITY, k};
        normalise(problem_, c.x);
        return c;
    }

    // Above this a start is given up: errors of a twentieth of the extent in each position.
    [[nodiscard]] double promising() const { return 0.5 * problem_.positions() * 0.05 * 0.05; }
    // Linkages grow without bound towards limits such as a circle that becomes a line.
    [[nodiscard]] double largest() const { return 50; }

    // The distinct ones, what is as good as zero in the order of the starts, the others by their
    // objective.
    std::vector<Candidate> choose(std::vector<Candidate> found) const {
        const double zero =
            tolerance::exact_synthesis * problem_.task().tolerance * problem_.task().tolerance;
        std::erase_if(found, [](const Candidate& c) { return !std::isfinite(c.objective); });
        std::stable_sort(found.begin(), found.end(), [&](const Candidate& a, const Candidate& b) {
            return std::max(a.objective, zero) < std::max(b.objective, zero);
        });
        std::vector<Candidate> distinct;
        for (Candidate& c : found) {
            const bool known = std::any_of(distinct.begin(), distinct.end(), [&](const auto& d) {
                return distance(problem_.linkage(), c.x.design, d.x.design) < same_design;
            });
            if (!known) distinct.push_back(std::move(c));
        }
        return distinct;
    }

    void add_cognates(std::vector<Candidate>& candidates) const {
        const std::size_t n = candidates.size();
        for (std::size_t k = 0; k < n; ++k)
            for (SynthesisUnknowns& x : cognates(problem_, candidates[k].x)) {
                normalise(problem_, x);
                if (x.design.norm() > largest()) continue;
                const bool known =
                    std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& c) {
                        return distance(problem_.linkage(), x.design, c.x.design) < same_design;
                    });
                if (known) continue;
                const int start = candidates[k].start;
                candidates.push_back({std::move(x), candidates[k].objective, start,
                                      "cognate of start " + std::to_string(start)});
            }
    }

    [[nodiscard]] std::optional<Solution> finish(const Candidate& c) const {
        Solution s;
        s.natural = s.exact = c.x;
        s.natural_objective = c.objective;
        s.start = c.start;
        s.origin = c.origin;
        SolveOptions fine{.iterations = 60,
                          .damping = 0,
                          .small = tolerance::fine_synthesis,
                          .least_gain = tolerance::fine_gain};
        const SolveRecord record = solve_exact(problem_, s.exact, fine);
        if (!std::isfinite(record.objective()) || s.exact.design.norm() > largest())
            return std::nullopt;
        normalise(problem_, s.exact);
        s.appraisal.objective = record.objective();
        appraise(problem_, s);
        return s;
    }

    // The best first, those that resemble a better one after the others; back in metres.
    std::vector<Solution> rank(std::vector<std::optional<Solution>> found, int& kept) const {
        std::vector<Solution> sorted;
        for (auto& s : found)
            if (s) sorted.push_back(std::move(*s));
        const auto better = [&](const Solution& a, const Solution& b) {
            return is_better(problem_.task(), a.appraisal, b.appraisal);
        };
        std::stable_sort(sorted.begin(), sorted.end(), better);
        std::vector<Solution> first, later;
        const auto keep = static_cast<std::size_t>(std::max(options_.keep, 1));
        const auto nearest = [&](const std::vector<Solution>& among, const Solution& s) {
            double least = INFINITY;
            for (const Solution& other : among)
                least = std::min(least,
                                 distance(problem_.linkage(), s.exact.design, other.exact.design));
            return least;
        };
        for (Solution& s : sorted) {
            const double to_first = nearest(first, s);
            if (std::min(to_first, nearest(later, s)) < same_design) continue;
            (to_first < 0.1 || first.size() >= keep ? later : first).push_back(std::move(s));
        }
        // Where few differ clearly, the others fill the list; then the best are first again.
        const std::size_t missing = std::min(keep - first.size(), later.size());
        const auto end = later.begin() + static_cast<long>(missing);
        std::move(later.begin(), end, std::back_inserter(first));
        later.erase(later.begin(), end);
        std::stable_sort(first.begin(), first.end(), better);
        kept = static_cast<int>(first.size());
        std::move(later.begin(), later.end(), std::back_inserter(first));
        for (Solution& s : first) back_to_metres(s);
        return first;
    }

    void back_to_metres(Solution& s) const {
        s.natural = problem_.scaled(std::move(s.natural), unit_);
        s.exact = problem_.scaled(std::move(s.exact), unit_);
        for (VectorXd& q : s.motion) q *= unit_;
        s.appraisal.size *= unit_;
    }

    void note(double objective, double share) {
        if (!options_.progress) return;
        const std::lock_guard lock(mutex_);
        done_ += share;
        best_ = std::min(best_, objective);
        const double error = std::sqrt(2 * best_ / problem_.positions());
        if (!options_.progress(done_, error / problem_.task().tolerance)) stopped_ = true;
    }

    SynthesisProblem problem_;
    const SearchOptions& options_;
    bool from_linkage_;
    double unit_;
    std::mutex mutex_;
    double done_ = 0, best_ = INFINITY;
    std::atomic<bool> stopped_{false};
};

}  // namespace

bool is_better(const SynthesisTask& task, const Appraisal& a, const Appraisal& b) {
    const auto key = [&](const Appraisal& x) {
        const bool weak = x.transmission < task.least_transmission;
        const double worth = x.meets_tolerances()
                                 ? x.size / std::max(std::sin(x.transmission), 0.01)
                                 : x.worst_error;
        return std::tuple(x.has_defect(), !x.meets_tolerances(), weak && x.meets_tolerances(),
                          worth);
    };
    return key(a) < key(b);
}

SearchResult search_linkages(const SynthesisProblem& problem, const SearchOptions& options,
                             bool from_linkage) {
    return Search(problem, options, from_linkage).run();
}

}  // namespace pawl
