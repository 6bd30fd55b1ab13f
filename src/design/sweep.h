// Sweeps: many runs of one model with other values. The values of a run follow from its number
// alone, so that runs can be given and taken in batches, in any order and by any number of threads
// or machines. Knows models and results by their face, and no files.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "design/sampling.h"
#include "face/model.h"

namespace pawl {

// A value of the model that varies: "k=100:200:11 N/m", "k=100 N/m:200 N/m", "law=newton,poisson".
struct SweepVariable {
    std::string name;                 // of a parameter, or a path as "body.crank.mass"
    std::vector<std::string> values;  // those of a list or of a grid; empty: any in the range
    double from = 0, to = 0;          // in the unit
    std::string unit;                 // empty: bare numbers, or words
    bool is_number = true;
};

class SweepPlan {
public:
    // Nothing, with errors, where the texts are none, names appear twice, or the count is missing.
    // Without responses: all of the model. Runs the model as it is, with `progress`; what that
    // throws is thrown on.
    static std::optional<SweepPlan> read(const Model& model, const SweepSettings& settings,
                                         Diagnostics& problems, const Progress& progress = {});
    // Given points: for each run the values of the variables, in their units.
    static SweepPlan of_points(std::vector<SweepVariable> variables,
                               std::vector<Response> responses,
                               std::vector<std::vector<double>> points,
                               bool needs_reactions = true);

    [[nodiscard]] long runs() const { return runs_; }
    [[nodiscard]] const std::vector<SweepVariable>& variables() const { return variables_; }
    [[nodiscard]] const std::vector<Response>& responses() const { return responses_; }
    // False: all responses can be read without the columns of reactions.
    [[nodiscard]] bool needs_reactions() const { return needs_reactions_; }
    [[nodiscard]] const SweepSettings& settings() const { return settings_; }
    // The values of a run, counted from 0, as texts with units.
    [[nodiscard]] Values values_of(long run) const;

private:
    [[nodiscard]] std::string value_of(const SweepVariable& variable, long run, int index) const;
    bool add_variable(const Model& model, const std::string& text, Diagnostics& problems);
    bool add_responses(const Model& model, Diagnostics& problems);
    bool count_runs(Diagnostics& problems);
    bool try_responses(const Model& model, Diagnostics& problems, const Progress& progress);

    SweepSettings settings_;
    std::vector<SweepVariable> variables_;
    std::vector<Response> responses_;
    long runs_ = 0;
    bool needs_reactions_ = true;
    std::shared_ptr<const UnitSampler> sampler_;  // null: a grid, or points
    std::vector<std::vector<double>> points_;     // given
};

struct SweepRow {
    long run = 0;
    std::vector<std::string> values;  // of the variables
    std::string status;               // "completed", "jam", "not_assembled", "bad_model", ...
    std::string message;              // why it ended early, or why a response has no value
    std::vector<double> responses;    // NaN: none
    std::string events;               // what happened, in its order; see event_sequence
};

// Whether the columns that the responses ask for are there without those of reactions.
bool can_do_without_reactions(Model model, std::span<const Response> responses,
                              const Progress& progress = {});

// The number of a value, in the unit of its variable; nothing for words.
std::optional<double> number_of(const SweepVariable& variable, const std::string& value);

// One run. What `progress` throws is thrown on.
SweepRow run_of(const Model& model, const SweepPlan& plan, long run, const Progress& progress = {});

// Many. `take` gets the rows as they come, in the thread that called, and none now and then while
// no run has ended; where it returns false the runs under way are ended without a row. With 0
// threads, one for each core.
using TakeRows = std::function<bool(std::span<SweepRow> rows)>;
void run_sweep(const Model& model, const SweepPlan& plan, std::span<const long> runs, int threads,
               const TakeRows& take);

// What happened in a run: kind and element of its events in their order. What repeats is listed
// once
// ("impact C#1, ..."); transitions and changes of expressions are left out.
std::string event_sequence(const std::vector<Event>& events);

}  // namespace pawl
