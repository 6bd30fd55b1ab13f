#include "checkpoint.h"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <sstream>

#include "support.h"

namespace pawl::cli {

namespace {

constexpr int checkpoint_format = 2;

std::chrono::nanoseconds duration(double s) {
    return std::chrono::nanoseconds(static_cast<long long>(std::min(s, 1e9) * 1e9));
}

volatile std::sig_atomic_t asked_to_stop = 0;

void note_signal(int) { asked_to_stop = 1; }

}  // namespace

Failure not_to_resume(const std::string& folder, const std::string& why) {
    return {wrong_usage, "pawl: " + folder + " cannot be resumed: " + why + "\n"};
}

Checkpoint::Checkpoint(std::string out, nlohmann::json command, double every)
    : out_(std::move(out)),
      command_(std::move(command)),
      every_(every),
      next_(std::chrono::steady_clock::now() + duration(every)) {}

void Checkpoint::take_over(const std::string& folder) {
    std::string problem;
    folder_.emplace(UnfinishedFolder::Existing{folder}, out_, problem);
    if (!problem.empty()) throw not_to_resume(folder, problem);
}

bool Checkpoint::make_folder(std::string& problem) {
    if (!folder_) folder_.emplace(out_, problem);
    if (!problem.empty()) folder_.reset();
    return folder_.has_value();
}

std::string Checkpoint::file(const std::string& name) {
    std::string problem;
    return make_folder(problem) ? folder_->file(name).string() : "";
}

void Checkpoint::operator()(DynamicSimulation& simulation) {
    const auto now = std::chrono::steady_clock::now();
    if (!(every_ > 0) || refused_ || now < next_) return;
    std::string problem;
    if (make_folder(problem)) {
        nlohmann::json file = command_;
        file["format"] = checkpoint_format;
        file["t_s"] = simulation.time();
        file["memory"] = simulation.save();
        problem = folder_->rewrite(checkpoint_file, file.dump());
    }
    // The run itself is none the worse for it.
    refused_ = !problem.empty();
    if (refused_) complain("pawl: warning: no checkpoints are written: " + problem + "\n");
    // Writing may take long: it gets a tenth of the time at most.
    const auto done = std::chrono::steady_clock::now();
    next_ = done + std::max(duration(every_), 9 * (done - now));
}

nlohmann::json Checkpoint::read(const std::string& folder) {
    std::ifstream file(std::filesystem::path(folder) / checkpoint_file, std::ios::binary);
    if (!file)
        throw not_to_resume(folder,
                            "it contains no checkpoint; give the folder that a killed run left, "
                            "RESULT.pawl-unfinished-...");
    std::ostringstream text;
    text << file.rdbuf();
    const auto json = nlohmann::json::parse(text.str(), nullptr, false);
    if (json.is_discarded() || !json.is_object()) throw not_to_resume(folder, "it is damaged");
    if (json.value("format", 0) != checkpoint_format)
        throw not_to_resume(folder, "it was written by another version of pawl");
    return json;
}

Interruption::Interruption() {
    asked_to_stop = 0;
    struct sigaction action {};
    action.sa_handler = note_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(SIGINT, &action, nullptr);
}

Interruption::~Interruption() { std::signal(SIGINT, SIG_DFL); }

bool Interruption::asked() { return asked_to_stop != 0; }

}  // namespace pawl::cli
