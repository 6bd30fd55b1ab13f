#include "design/optimisation.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <mutex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <nlopt.h>

#include "design/optimality.h"
#include "design/synthesis/random_start.h"
#include "math/parallel.h"
#include "math/tolerances/outside.h"

namespace pawl {

namespace {

// The value of a design that cannot be run: worse than any other, with zero gradient.
constexpr double invalid_value = 1e3;

double largest_violation(const DesignProblem& problem, const std::vector<double>& constraints) {
    double worst = 0;
    for (std::size_t c = 0; c < constraints.size(); ++c)
        worst = std::max(worst, problem.constraints()[c].is_equality ? std::abs(constraints[c])
                                                                     : constraints[c]);
    return worst;
}

double norm(const std::vector<double>& v) {
    double sum = 0;
    for (const double x : v) sum += x * x;
    return std::sqrt(sum);
}

struct Shared {
    const DesignProblem& problem;
    const OptimisationOptions& options;
    double feasibility;  // of scaled constraints
    std::mutex mutex{};
    std::atomic<bool> stop{false};
    long runs = 0;
    std::optional<double> best{};
};

// One start: NLopt asks for objective and constraints apart; each point is run once.
class LocalRun {
public:
    LocalRun(Shared& shared, int start, int threads)
        : shared_(shared), start_(start), threads_(threads) {}

    std::vector<OptimisationStep> history;
    std::optional<std::size_t> best;  // in the history
    std::vector<double> best_x;
    std::string status;

    void run(std::vector<double> x, OptimisationMethod method) {
        if (method == OptimisationMethod::crs) {
            minimise(NLOPT_GN_CRS2_LM, x, shared_.options.evaluations);
            if (!best_x.empty()) x = best_x;
        }
        descend(method == OptimisationMethod::mma ? NLOPT_LD_MMA : NLOPT_LD_SLSQP, x);
    }

    double steepest = 0;  // the largest gradient of the objective on the way

private:
    // A method that has lost its way by rounding begins anew where it stands, without what it has
    // learned of the curvature, as long as that gains something.
    void descend(nlopt_algorithm algorithm, std::vector<double> x) {
        const std::size_t before = history.size();
        const auto left = [&] {
            return shared_.options.evaluations - static_cast<int>(history.size() - before);
        };
        double reached = INFINITY;
        while (left() > 0) {
            const nlopt_result code = minimise(algorithm, x, left());
            if (code != NLOPT_ROUNDOFF_LIMITED || shared_.stop || !best) return;
            const double now = history[*best].objective;
            if (reached - now <= shared_.options.tolerance * std::abs(now)) return;
            reached = now;
            x = best_x;
        }
    }

    nlopt_result minimise(nlopt_algorithm algorithm, std::vector<double> x, int evaluations) {
        const auto n = static_cast<unsigned>(x.size());
        const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> opt(nlopt_create(algorithm, n),
                                                                    nlopt_destroy);
        opt_ = opt.get();
        merit_ = algorithm == NLOPT_GN_CRS2_LM;
        nlopt_set_lower_bounds1(opt_, 0);
        nlopt_set_upper_bounds1(opt_, 1);
        nlopt_set_min_objective(opt_, objective, this);
        std::vector<Row> rows;
        rows.reserve(shared_.problem.constraints().size());
        for (std::size_t c = 0; !merit_ && c < shared_.problem.constraints().size(); ++c) {
            rows.push_back({this, c});
            const bool equal = shared_.problem.constraints()[c].is_equality;
            (equal ? nlopt_add_equality_constraint : nlopt_add_inequality_constraint)(
                opt_, constraint, &rows.back(), shared_.options.tolerance);
        }
        if (merit_) {
            // Two best points of a random search may be alike by chance: see has_gathered.
            nlopt_srand(shared_.options.seed + static_cast<unsigned long>(start_));
            searched_from_ = history.size();
        } else {
            // A steep objective would hide the constraints from a method that begins without
            // curvature.
            look_at(x, true);
            weight_ = 1 / std::max(1.0, norm(gradient_.objective));
            nlopt_set_ftol_rel(opt_, shared_.options.tolerance);
            nlopt_set_xtol_rel(opt_, shared_.options.tolerance);
        }
        nlopt_set_maxeval(opt_, evaluations);
        double value = 0;
        const nlopt_result code = nlopt_optimize(opt_, x.data(), &value);
        status = shared_.stop                     ? "stopped"
                 : code == NLOPT_MAXEVAL_REACHED  ? "run limit"
                 : code == NLOPT_ROUNDOFF_LIMITED ? "no further progress"
                 : code > 0                       ? "converged"
                                                  : "failed";
        opt_ = nullptr;
        return code;
    }

    // Whether a random search has tried points in one place alone, as many as it keeps.
    [[nodiscard]] bool has_gathered() const {
        const std::size_t kept = 10 * (x_.size() + 1);
        if (history.size() < searched_from_ + 2 * kept) return false;
        for (std::size_t i = 0; i < x_.size(); ++i) {
            const auto& v = shared_.problem.variables()[i];
            double low = INFINITY, high = -INFINITY;
            for (std::size_t k = history.size() - kept; k < history.size(); ++k) {
                low = std::min(low, v.scaled(history[k].values[i]));
                high = std::max(high, v.scaled(history[k].values[i]));
            }
            if (high - low > tolerance::gathered_search) return false;
        }
        return true;
    }

    struct Row {
        LocalRun* run;
        std::size_t constraint;
    };
    static double objective(unsigned n, const double* x, double* gradient, void* self) {
        auto& run = *static_cast<LocalRun*>(self);
        run.look_at({x, x + n}, gradient != nullptr);
        if (gradient != nullptr)
            for (unsigned i = 0; i < n; ++i) gradient[i] = run.weight_ * run.gradient_.objective[i];
        if (!run.now_.valid) return invalid_value;
        return run.merit_ ? run.now_.objective + 100 * run.violation()
                          : run.weight_ * run.now_.objective;
    }
    static double constraint(unsigned n, const double* x, double* gradient, void* row) {
        const auto& [run, c] = *static_cast<Row*>(row);
        run->look_at({x, x + n}, gradient != nullptr);
        if (gradient != nullptr)
            std::copy(run->gradient_.constraints[c].begin(), run->gradient_.constraints[c].end(),
                      gradient);
        return run->now_.valid ? run->now_.constraints[c] : invalid_value;
    }

    [[nodiscard]] double violation() const {
        return largest_violation(shared_.problem, now_.constraints);
    }

    void look_at(const std::vector<double>& x, bool with_gradient) {
        if (x != x_) {
            x_ = x;
            has_gradient_ = false;
            now_ = shared_.problem.run(x);
            note();
        }
        if (!with_gradient || has_gradient_) return;
        const std::size_t n = x.size(), m = shared_.problem.constraints().size();
        if (now_.valid && !shared_.stop) gradient_ = shared_.problem.gradient(x, threads_);
        if (!now_.valid || !gradient_.valid || shared_.stop) {
            gradient_.objective.assign(n, 0);
            gradient_.constraints.assign(m, std::vector<double>(n, 0));
        }
        steepest = std::max(steepest, norm(gradient_.objective));
        has_gradient_ = true;
    }

    void note() {
        OptimisationStep step;
        step.start = start_;
        step.run = static_cast<int>(history.size()) + 1;
        for (std::size_t i = 0; i < x_.size(); ++i)
            step.values.push_back(shared_.problem.variables()[i].value(x_[i]));
        step.valid = now_.valid;
        if (now_.valid) {
            step.objective = now_.objective;
            step.constraints = now_.responses;
            step.feasible = violation() <= shared_.feasibility;
        }
        history.push_back(step);
        if (step.feasible && (!best || step.objective < history[*best].objective)) {
            best = history.size() - 1;
            best_x = x_;
        }
        const std::lock_guard lock(shared_.mutex);
        ++shared_.runs;
        if (step.feasible && (!shared_.best || step.objective < *shared_.best))
            shared_.best = step.objective;
        if (shared_.options.progress) {
            const auto shown =
                shared_.best ? std::optional(shared_.problem.shown(*shared_.best)) : std::nullopt;
            if (!shared_.options.progress(shared_.runs, shown)) shared_.stop = true;
        }
        if (shared_.stop || (merit_ && has_gathered())) nlopt_force_stop(opt_);
    }

    Shared& shared_;
    int start_, threads_;
    nlopt_opt opt_ = nullptr;
    bool merit_ = false;  // a random search: constraints are part of the objective
    double weight_ = 1;   // of the objective, for methods with gradients
    std::size_t searched_from_ = 0;
    std::vector<double> x_;
    DesignRun now_;
    DesignGradient gradient_;
    bool has_gradient_ = false;
};

// Whether nothing that is asked depends on a variable, or on any of them.
bool check_influence(const DesignProblem& problem, const DesignGradient& gradient,
                     std::vector<std::string>& warnings, Diagnostics& problems) {
    const auto& variables = problem.variables();
    const auto is_flat = [&](const std::vector<double>& row) {
        return std::all_of(row.begin(), row.end(), [](double d) { return d == 0; });
    };
    if (problem.objective() && is_flat(gradient.objective)) {
        // Flat here may still be steep elsewhere: the ends of the ranges decide.
        const double here = problem.run(problem.start()).objective;
        bool constant = true;
        for (std::size_t i = 0; i < variables.size() && constant; ++i)
            for (const double end : {0.0, 1.0}) {
                std::vector<double> x = problem.start();
                x[i] = end;
                const DesignRun there = problem.run(x);
                constant = constant && (!there.valid || there.objective == here);
            }
        if (constant) {
            problems.error(problem.settings().span,
                           "the objective '" + problem.objective()->text +
                               "' does not depend on any variable: there is nothing to improve");
            return false;
        }
    }
    for (std::size_t i = 0; i < variables.size(); ++i) {
        bool moves = gradient.objective[i] != 0 && problem.objective();
        for (const auto& row : gradient.constraints) moves = moves || row[i] != 0;
        if (!moves)
            warnings.push_back("variable '" + variables[i].name +
                               "' changes neither the objective nor a constraint at the start");
    }
    return true;
}

void finish(const DesignProblem& problem, const OptimisationOptions& options, double steepest,
            OptimisationResult& result) {
    const DesignRun run = problem.run(result.x);
    for (std::size_t i = 0; i < result.x.size(); ++i)
        result.values.push_back(problem.variables()[i].value(result.x[i]));
    result.objective = problem.shown(run.objective);
    result.constraints = run.responses;
    result.violation = largest_violation(problem, run.constraints);
    const DesignGradient gradient = problem.gradient(result.x, options.threads);
    if (!gradient.valid) return;
    const double near = std::max(tolerance::same_design_point, 10 * options.tolerance);
    const Optimality found =
        optimality(problem, result.x, run.constraints, gradient, steepest, near);
    result.active = found.active;
    result.residual = found.residual;
    result.gradient = gradient.source;
    result.gradient_error = gradient.error;
}

}  // namespace

std::optional<OptimisationResult> optimise(const DesignProblem& problem,
                                           const OptimisationOptions& options,
                                           Diagnostics& problems) {
    const OptimisationMethod method = options.method.value_or(problem.settings().method);
    const auto& constraints = problem.constraints();
    if (method == OptimisationMethod::mma &&
        std::any_of(constraints.begin(), constraints.end(),
                    [](const auto& c) { return c.is_equality; })) {
        problems.error(problem.settings().span,
                       "method mma does not accept equality constraints; choose slsqp, or write "
                       "two inequalities");
        return std::nullopt;
    }
    OptimisationResult result;
    const std::vector<double> first = problem.start();
    const DesignRun at_first = problem.run(first);
    result.first_objective = problem.shown(at_first.objective);
    const DesignGradient gradient = problem.gradient(first, options.threads);
    if (gradient.valid && !check_influence(problem, gradient, result.warnings, problems))
        return std::nullopt;

    Shared shared{problem, options, std::max(tolerance::same_design_point, 10 * options.tolerance)};
    const auto starts = static_cast<std::size_t>(std::max(options.starts, 1));
    // Several starts run beside each other, each alone on its thread; one takes all threads for its
    // differences.
    std::vector<LocalRun> runs;
    for (std::size_t k = 0; k < starts; ++k)
        runs.emplace_back(shared, static_cast<int>(k), starts > 1 ? 1 : options.threads);
    for_all(starts, options.threads, [&](std::size_t k) {
        if (shared.stop) return;
        std::vector<double> x = first;
        if (k > 0) {
            RandomNumbers random(options.seed, k);
            for (double& v : x) v = random.next();
        }
        runs[k].run(std::move(x), method);
    });
    result.x = first;
    result.status = "failed";
    const LocalRun* best = nullptr;
    double steepest = norm(gradient.objective);
    for (const LocalRun& run : runs) {
        steepest = std::max(steepest, run.steepest);
        result.failed_starts += run.best ? 0 : 1;
        result.history.insert(result.history.end(), run.history.begin(), run.history.end());
        if (run.best &&
            (!best || run.history[*run.best].objective < best->history[*best->best].objective))
            best = &run;
    }
    if (best) {
        result.x = best->best_x;
        result.feasible = true;
        result.status = best->status;
    }
    if (shared.stop) result.status = "stopped";
    finish(problem, options, steepest, result);
    return result;
}

std::string optimisation_json(const DesignProblem& problem, const OptimisationResult& result) {
    nlohmann::ordered_json json{{"status", result.status}, {"feasible", result.feasible}};
    for (std::size_t i = 0; i < problem.variables().size(); ++i) {
        const DesignProblem::Variable& v = problem.variables()[i];
        json["variables"][v.name] = {
            {"start", v.start}, {"value", result.values[i]}, {"unit", v.unit}};
    }
    if (problem.objective())
        json["objective"] = {{"response", problem.objective()->text},
                             {"start", result.first_objective},
                             {"value", result.objective},
                             {"unit", problem.objective_unit()}};
    json["constraints"] = nlohmann::ordered_json::array();
    for (std::size_t c = 0; c < result.constraints.size(); ++c)
        json["constraints"].push_back({{"text", problem.constraints()[c].text},
                                       {"value", result.constraints[c]},
                                       {"unit", problem.constraints()[c].unit}});
    json["active"] = nlohmann::ordered_json::array();
    for (const ActiveConstraint& a : result.active)
        json["active"].push_back({{"name", a.name}, {"multiplier", a.multiplier}});
    json["residual"] =
        result.residual ? nlohmann::ordered_json(*result.residual) : nlohmann::ordered_json();
    json["gradients"] = value_name(result.gradient);
    json["runs"] = result.history.size();
    json["warnings"] = result.warnings;
    return json.dump(1) + "\n";
}

std::string history_table(const DesignProblem& problem, const OptimisationResult& result) {
    std::string out = "start,run,valid,feasible";
    for (const auto& v : problem.variables())
        out += fmt::format(",{} [{}]", v.name, v.unit.empty() ? "1" : v.unit);
    out += fmt::format(",objective [{}]",
                       problem.objective_unit().empty() ? "1" : problem.objective_unit());
    for (const auto& c : problem.constraints())
        out += fmt::format(",\"{} [{}]\"", c.response.text, c.unit);
    out += "\n";
    for (const OptimisationStep& s : result.history) {
        out += fmt::format("{},{},{:d},{:d}", s.start + 1, s.run, s.valid, s.feasible);
        for (const double v : s.values) out += fmt::format(",{:.12g}", v);
        out += s.valid ? fmt::format(",{:.12g}", problem.shown(s.objective)) : std::string(",");
        for (std::size_t c = 0; c < problem.constraints().size(); ++c)
            out += s.valid ? fmt::format(",{:.12g}", s.constraints[c]) : std::string(",");
        out += "\n";
    }
    return out;
}

}  // namespace pawl
