// A simulation as Python holds it: steps are taken without the interpreter's lock, by one thread at
// a time, and Ctrl-C ends what takes long.
#pragma once

#include <chrono>
#include <mutex>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "pawl.h"

namespace pawl::python {

// Looks for Ctrl-C now and then; KeyboardInterrupt ends the run. For code that does not hold the
// interpreter's lock.
class SignalWatch {
public:
    void operator()(double) {
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < std::chrono::milliseconds(50)) return;
        last_ = now;
        const pybind11::gil_scoped_acquire python;
        if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
    }

private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

class HeldSimulation {
public:
    explicit HeldSimulation(const Model& model) : simulation_(model) {}

    // With the simulation, while no other thread has it.
    template <class Work>
    auto alone(Work work) {
        const pybind11::gil_scoped_release free;
        const std::scoped_lock lock(mutex_);
        return work();
    }

    bool step() {
        return alone([&] { return simulation_.step(); });
    }
    bool advance_to(double t) {
        return alone([&] { return simulation_.advance_to(t, SignalWatch()); });
    }
    // Throws ValueError where t is not inside the last step.
    template <class Work>
    auto inside_step(double t, Work work) {
        return alone([&] {
            if (!(t >= simulation_.begin_of_step() && t <= simulation_.time()))
                throw pybind11::value_error("the time is not inside the last step");
            return work();
        });
    }
    Simulation& simulation() { return simulation_; }

private:
    Simulation simulation_;
    std::mutex mutex_;
};

}  // namespace pawl::python
