// The program of docs/simulation.md: takes a latch step by step, saves it half way, and compares.
#include <iostream>

#include <pawl.h>

int main() {
    pawl::Diagnostics diagnostics;
    const auto model = pawl::read_model_file("toggle_latch.toml", {}, diagnostics);
    if (!model) return std::cerr << diagnostics.text(), 3;
    const auto placed = pawl::assemble(model->mechanism);
    const auto options = pawl::dynamic_options(model->run);

    pawl::Simulation latch(placed, options);
    latch.advance_to(1);  // the steps do not depend on it
    std::cout << "at 1 s: handle " << latch.state_at(1).q[0] << " rad, step from "
              << latch.begin_of_step() << " s to " << latch.time() << " s\n";
    const std::string saved = latch.save();
    while (latch.step()) {
    }

    pawl::Simulation again(placed, options);
    if (!again.restore(saved)) return 1;
    while (again.step()) {
    }
    const auto first = latch.finish(), second = again.finish();
    std::cout << first.events.size() << " events, audit "
              << (first.audit.passed() ? "passed" : "failed") << ", the same again: "
              << (first.last.state.q == second.last.state.q ? "yes" : "no") << '\n';
    return first.last.state.q == second.last.state.q ? 0 : 1;
}
