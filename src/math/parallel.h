// Work on many independent items with several threads. What the work leaves behind may depend on
// the item alone: then the number of threads changes nothing but the time.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace pawl {

// How many threads to use: as asked, or as many as there are cores.
inline unsigned thread_count(int asked) {
    return asked > 0 ? static_cast<unsigned>(asked)
                     : std::max(1u, std::thread::hardware_concurrency());
}

// Calls work(item) for every item below `count`; items begin in their order. The first exception
// ends it and is thrown on. One thread is the caller's own.
template <class Work>
void for_all(std::size_t count, int threads, const Work& work) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex mutex;
    const auto loop = [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            try {
                work(i);
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!failure) failure = std::current_exception();
                next = count;
            }
        }
    };
    std::vector<std::thread> others;
    const std::size_t max_threads = std::min<std::size_t>(thread_count(threads), count);
    for (std::size_t k = 1; k < max_threads; ++k) others.emplace_back(loop);
    loop();
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace pawl
