#include "design/sweep.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>

namespace pawl {

namespace {

bool is_told(const Event& event) {
    return event.kind != EventKind::transition && event.kind != EventKind::time &&
           event.kind != EventKind::window;
}

// Cuts off the end of a list where it repeats what stands before it.
template <class T>
bool drop_repetition(std::vector<T>& list) {
    constexpr std::size_t longest = 8;  // of a cycle that is recognised
    for (std::size_t n = 1; n <= longest && 2 * n <= list.size(); ++n)
        if (std::equal(list.end() - static_cast<std::ptrdiff_t>(n), list.end(),
                       list.end() - 2 * static_cast<std::ptrdiff_t>(n))) {
            list.resize(list.size() - n);
            return true;
        }
    return false;
}

}  // namespace

std::string event_sequence(const std::vector<Event>& events) {
    constexpr std::size_t longest = 40;  // entries that are listed
    std::vector<std::string> names;
    for (const Event& event : events) {
        if (!is_told(event)) continue;
        names.push_back(std::string(event_name(event.kind)) +
                        (event.element.empty() ? "" : " " + event.element));
        while (drop_repetition(names)) {
        }
    }
    std::string out;
    for (std::size_t i = 0; i < names.size() && i < longest; ++i)
        out += (out.empty() ? "" : ", ") + names[i];
    return names.size() > longest ? out + ", ..." : out;
}

SweepRow run_of(const Model& model, const SweepPlan& plan, long run, const Progress& progress) {
    SweepRow row;
    row.run = run;
    const Values values = plan.values_of(run);
    for (const auto& value : values) row.values.push_back(value.second);
    row.responses.assign(plan.responses().size(), std::numeric_limits<double>::quiet_NaN());
    Diagnostics problems;
    auto changed = model.with(values, problems);
    if (!changed) {
        row.status = "bad_model";
        row.message = problems.all().front().message;
        return row;
    }
    changed->reactions = plan.needs_reactions();
    const Result result = changed->analyse(progress);
    row.status = result.status();
    row.message = result.message();
    row.events = event_sequence(result.events());
    if (result.rows() == 0) return row;
    for (std::size_t i = 0; i < plan.responses().size(); ++i) {
        const ResponseValue value = result.response(plan.responses()[i]);
        row.responses[i] = value.value;
        if (!value.problem.empty())
            row.message +=
                (row.message.empty() ? "" : "; ") + plan.responses()[i].name + ": " + value.problem;
    }
    return row;
}

namespace {

// Runs that are taken by threads in small batches, and rows that come back.
class Crew {
public:
    Crew(const Model& model, const SweepPlan& plan, std::span<const long> runs)
        : model_(model), plan_(plan), runs_(runs) {}

    void work(int threads, const TakeRows& take) {
        std::vector<std::thread> crew;
        working_ = threads;
        for (int i = 0; i < threads; ++i) crew.emplace_back([this] { work_until_done(); });
        collect(take);
        for (std::thread& one : crew) one.join();
    }

private:
    void work_until_done() {
        constexpr std::size_t batch = 8;  // so short that the threads end together
        for (std::size_t first; !stopped_ && (first = next_.fetch_add(batch)) < runs_.size();) {
            std::vector<SweepRow> rows;
            for (std::size_t i = first; i < runs_.size() && i < first + batch && !stopped_; ++i)
                if (auto row = safely(runs_[i])) rows.push_back(std::move(*row));
            const std::scoped_lock lock(mutex_);
            for (SweepRow& row : rows) ready_.push_back(std::move(row));
            arrived_.notify_one();
        }
        const std::scoped_lock lock(mutex_);
        --working_;
        arrived_.notify_one();
    }

    // What is thrown inside one run is its reason, and does not end the others. Nothing where the
    // sweep has ended before the run.
    [[nodiscard]] std::optional<SweepRow> safely(long run) const {
        struct Stopped {};
        std::string what;
        try {
            return run_of(model_, plan_, run, [this](double) {
                if (stopped_) throw Stopped{};
            });
        } catch (const Stopped&) {
            return std::nullopt;
        } catch (const std::bad_alloc&) {
            what = "out of memory";
        } catch (const std::exception& e) {
            what = std::string("internal error: ") + e.what();
        }
        SweepRow row;
        row.run = run;
        for (const auto& value : plan_.values_of(run)) row.values.push_back(value.second);
        row.responses.assign(plan_.responses().size(), std::numeric_limits<double>::quiet_NaN());
        row.status = "error";
        row.message = what;
        return row;
    }

    void collect(const TakeRows& take) {
        constexpr auto longest = std::chrono::milliseconds(100);  // without a look at `take`
        std::exception_ptr thrown;
        for (bool going = true; going;) {
            std::vector<SweepRow> rows;
            {
                std::unique_lock lock(mutex_);
                arrived_.wait_for(lock, longest,
                                  [this] { return !ready_.empty() || working_ == 0; });
                rows.swap(ready_);
                going = working_ > 0 || !rows.empty();
            }
            if (!going || stopped_) continue;
            try {
                if (!take(rows)) stopped_ = true;
            } catch (...) {
                thrown = std::current_exception();
                stopped_ = true;
            }
        }
        if (thrown) failure_ = thrown;
    }

public:
    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    const Model& model_;
    const SweepPlan& plan_;
    std::span<const long> runs_;
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> stopped_{false};
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::vector<SweepRow> ready_;
    int working_ = 0;
    std::exception_ptr failure_;
};

}  // namespace

void run_sweep(const Model& model, const SweepPlan& plan, std::span<const long> runs, int threads,
               const TakeRows& take) {
    if (runs.empty()) return;
    if (threads <= 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    Crew crew(model, plan, runs);
    crew.work(std::min(threads, static_cast<int>(runs.size())), take);
    crew.rethrow();
}

}  // namespace pawl
