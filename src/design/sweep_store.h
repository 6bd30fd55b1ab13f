// The rows of a sweep in one SQLite file. Rows are added in transactions: whatever happens to the
// program, the file holds whole rows, each once, and a sweep can continue from there.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "design/sweep.h"

namespace pawl {

// The computer that made rows, where it was not this one.
struct SweepWorker {
    std::string host, version, processor;  // version: of Pawl
};

class SweepStore {
public:
    // A new file, or one that is there and holds rows of the same sweep: the same model, values and
    // plan. Nothing, and what is wrong, else. Another program that writes to it is refused.
    static std::optional<SweepStore> create(const std::filesystem::path& path, const Model& model,
                                            const SweepPlan& plan, std::string& problem);
    static std::optional<SweepStore> resume(const std::filesystem::path& path, const Model& model,
                                            const SweepPlan& plan, std::string& problem);
    ~SweepStore();
    SweepStore(SweepStore&&) noexcept;
    SweepStore& operator=(SweepStore&&) noexcept;

    // The runs that have no row yet.
    [[nodiscard]] std::vector<long> missing() const;
    // All of the rows, or none and what is wrong: a full disk. Tables of their own, `workers` and
    // `made_by`, say which computer has made them, where one is given.
    [[nodiscard]] std::string add(std::span<const SweepRow> rows,
                                  const SweepWorker* worker = nullptr);
    // Calls for each row by the number of its run.
    void each(const std::function<void(const SweepRow& row)>& found) const;

private:
    struct Database;
    SweepStore(std::unique_ptr<Database> database, SweepPlan plan);
    std::unique_ptr<Database> database_;
    SweepPlan plan_;
};

// Runs what has no row yet and keeps the rows as they come, several times a second. `progress` gets
// the number of rows so far; where it returns false the work ends in good order. Returns an empty
// string, or what is wrong with the file.
std::string run_missing(const Model& model, const SweepPlan& plan, SweepStore& store, int threads,
                        const std::function<bool(long)>& progress);

// The rows as CSV: the run, its status, what varied, the responses, the events and the message. The
// same bytes for the same sweep.
std::string csv_header(const SweepPlan& plan);
std::string csv_line(const SweepPlan& plan, const SweepRow& row);

}  // namespace pawl
