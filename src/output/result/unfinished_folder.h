// The folder that a result is written into before it takes its name. Whoever fills it holds a lock
// on it, so another run can distinguish a folder in use from one that a killed run has left. Knows
// files, not what a result is.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "model_file/text/write_file.h"

namespace pawl {

// A file of this name in an unfinished folder means that the run can be continued.
inline constexpr const char* checkpoint_file = "checkpoint.json";

class UnfinishedFolder {
public:
    // Makes and locks a folder beside `target`, with a name that cannot be guessed.
    UnfinishedFolder(std::filesystem::path target, std::string& problem);
    // Takes over and locks a folder that a run has left.
    struct Existing {
        std::filesystem::path path;
    };
    UnfinishedFolder(Existing left, std::filesystem::path target, std::string& problem);
    // Removes the folder unless it has been finished.
    ~UnfinishedFolder();
    UnfinishedFolder(const UnfinishedFolder&) = delete;
    UnfinishedFolder& operator=(const UnfinishedFolder&) = delete;

    // The path of a file in it.
    [[nodiscard]] std::filesystem::path file(const std::string& name) const { return path_ / name; }
    // Returns an empty string, or why the system refused.
    std::string write(const std::string& name, const TextParts& parts) const;
    // The same for a file that may be there already: it is whole at every moment.
    std::string rewrite(const std::string& name, const std::string& text) const;

    // Why the folder that has the name now may not be replaced; empty: it may.
    using Refusal = std::function<std::string(const std::filesystem::path&)>;
    // Takes the name of the target in one step and removes the folder that had it. At every moment
    // there is a whole folder under the name, if there was one before. Returns an empty string, or
    // what went wrong; then the old folder is untouched.
    std::string finish(const Refusal& refusal);

private:
    [[nodiscard]] int take_free_name() const;
    std::string replace(const Refusal& refusal, bool& again);
    [[nodiscard]] int exchange() const;
    [[nodiscard]] int exchange_by_three_renames() const;

    std::filesystem::path target_, path_;
    int lock_ = -1;
};

// Removes what killed runs have left beside `target`. A folder that is locked belongs to a run that
// still goes on; one with a checkpoint is kept. Returns the folders that were kept.
std::vector<std::filesystem::path> remove_leftovers(const std::filesystem::path& target);

}  // namespace pawl
