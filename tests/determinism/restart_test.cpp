// Exact restart: a simulation that is saved anywhere and restored in another one goes on with the
// same bits as one that was never cut, whatever the integrator and the formulation; and looking at
// it changes nothing.
#include <filesystem>
#include <unistd.h>

#include <gtest/gtest.h>

#include "laws/outlines.h"
#include "output/result/result_folder.h"
#include "simulation/dynamic/dynamic_simulation.h"
#include "simulation/run_options.h"
#include "support/runs.h"
#include "support/soak.h"

namespace pawl {
namespace PAWL_TEST_FILE {

// All that a result says, as bytes; looks inside a step count as evaluations.
std::string bytes_of(const DynamicResult& result, bool evaluations = true) {
    std::string bytes = csv(result.trajectory) + csv(result.events) + result.message;
    for (const std::string& warning : result.warnings) bytes += warning + "\n";
    const auto& s = result.statistics;
    bytes += fmt::format("{} {} {} {} {}\n", s.samples, s.steps, s.rejected,
                         evaluations ? s.evaluations : 0, s.smallest_pivot);
    for (const AuditCheck& c : result.audit.checks)
        bytes += fmt::format("{} {} {} {} {}\n", c.name, c.worst.value, c.worst.t, c.worst.element,
                             c.limit);
    for (const LedgerLine& l : result.audit.ledger)
        bytes += fmt::format("{} {} {}\n", l.element, l.stored, l.work);
    for (const ClearanceReport& c : result.clearances)
        bytes += fmt::format("{} {} {} {}\n", c.joint, c.duty(), c.impacts(), c.mean_power);
    return bytes;
}

struct Subject {
    std::string name;
    PlacedMechanism placed;
    DynamicOptions options;
};

// The dynamic examples, none for longer than a few thousand steps.
std::vector<Subject> subjects() {
    std::vector<Subject> chosen;
    for (const EmbeddedModel& m : embedded_models()) {
        const ModelData model = test::model_of(m.text);
        if (model.run.analysis != Analysis::dynamics) continue;
        chosen.push_back(
            {std::string(m.name), test::placed_of(m.text), dynamic_options(model.run)});
    }
    return chosen;
}

struct Uncut {
    std::string bytes, motion;
    int steps = 0;
    std::vector<int> at_events;  // steps that end where something happens
};

Uncut uncut(const Subject& subject) {
    DynamicSimulation simulation(subject.placed, subject.options);
    Uncut whole;
    std::size_t events = 0;
    while (simulation.step()) {
        if (simulation.so_far().events.size() > events) whole.at_events.push_back(whole.steps);
        events = simulation.so_far().events.size();
        ++whole.steps;
    }
    const DynamicResult result = simulation.finish();
    EXPECT_TRUE(result.windows.empty()) << subject.name;  // the examples are decided by events
    whole.bytes = bytes_of(result);
    whole.motion = bytes_of(result, false);
    return whole;
}

// Cut after some steps: what was saved is restored in a simulation of its own.
std::string cut_after(const Subject& subject, const std::vector<int>& cuts) {
    auto simulation = std::make_unique<DynamicSimulation>(subject.placed, subject.options);
    int steps = 0;
    for (const int cut : cuts) {
        while (steps < cut && simulation->step()) ++steps;
        const std::string saved = simulation->save();
        auto next = std::make_unique<DynamicSimulation>(subject.placed, subject.options);
        if (!next->restore(saved)) return "not restored";
        if (next->save() != saved) return "what is restored is saved otherwise";
        simulation = std::move(next);
    }
    while (simulation->step()) {
    }
    return bytes_of(simulation->finish());
}

void judge(const Subject& subject, test::Random& random) {
    const Uncut whole = uncut(subject);
    for (int i = 0; i < test::soaked(2); ++i) {
        const int cut = random.below(whole.steps + 1);
        EXPECT_TRUE(cut_after(subject, {cut}) == whole.bytes)
            << subject.name << " " << subject.options.dynamics << " " << subject.options.integrator
            << " cut after " << cut << " of " << whole.steps << " steps";
    }
    // At events, several cuts in one run.
    std::vector<int> cuts;
    for (const int step : whole.at_events)
        if (cuts.size() < 40) cuts.insert(cuts.end(), {step, step + 1});
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    EXPECT_TRUE(cut_after(subject, cuts) == whole.bytes)
        << subject.name << " " << subject.options.integrator << " cut at its events";
}

TEST(Restart, examples_go_on_with_the_same_bits_wherever_they_are_cut) {
    test::Random random(16);
    for (const Subject& subject : subjects()) judge(subject, random);
}

TEST(Restart, every_integrator_and_formulation_goes_on_with_the_same_bits) {
    test::Random random(17);
    for (const char* name : {"rod_linkage", "bouncing_ball", "slider_crank_friction", "toggle_snap",
                             "two_pendulums_compliant", "cam_arcs"})
        for (const char* integrator : {"auto", "dop853", "rk4", "stiff"})
            for (const char* dynamics :
                 {"multipliers", "augmented", "independent", "canonical", "augmented_canonical"}) {
                const ModelData model = test::model_of(test::embedded_text(name));
                Subject subject{name, test::placed_of(test::embedded_text(name)),
                                dynamic_options(model.run)};
                subject.options.integrator = named<Integrator>(integrator).value();
                subject.options.dynamics = named<Formulation>(dynamics).value();
                subject.options.end = std::min(subject.options.end, 0.5);
                judge(subject, random);
            }
}

// Systems of modes that come back are then made anew each time.
TEST(Restart, a_run_that_keeps_no_systems_of_other_modes_has_the_same_bits) {
    for (Subject& subject : subjects()) {
        const std::string kept = uncut(subject).bytes;
        subject.options.system_room = 0;
        EXPECT_TRUE(uncut(subject).bytes == kept) << subject.name;
    }
}

// Rows, contacts and steps beyond a hundred bytes are in files; a save holds their lengths.
TEST(Restart, a_run_whose_rows_are_on_the_disk_has_the_same_bits) {
    const std::filesystem::path root =
        std::filesystem::temp_directory_path() / ("pawl_restart_" + std::to_string(::getpid()));
    for (Subject& subject : subjects()) {
        const Uncut kept = uncut(subject);
        std::filesystem::create_directory(root);
        subject.options.spool.file = [&](const std::string& name) {
            return (root / name).string();
        };
        subject.options.spool.largest_in_memory = 100;
        EXPECT_TRUE(uncut(subject).bytes == kept.bytes) << subject.name;
        EXPECT_TRUE(std::filesystem::exists(root / "rows")) << subject.name;
        EXPECT_TRUE(cut_after(subject, {kept.steps / 3, kept.steps / 2}) == kept.bytes)
            << subject.name;
        std::filesystem::remove_all(root);
    }
}

TEST(Restart, looking_changes_nothing) {
    for (const char* name : {"rod_linkage", "bouncing_ball", "toggle_snap", "geneva"}) {
        const ModelData model = test::model_of(test::embedded_text(name));
        const Subject subject{name, test::placed_of(test::embedded_text(name)),
                              dynamic_options(model.run)};
        const Uncut whole = uncut(subject);
        DynamicSimulation simulation(subject.placed, subject.options);
        for (int k = 1; simulation.advance_to(subject.options.end * k / 1000); ++k) {
            const double t = subject.options.end * k / 1000;
            EXPECT_EQ(simulation.state_at(t).t, t);
            if (k == 1000) break;
        }
        while (simulation.step()) {
        }
        EXPECT_TRUE(bytes_of(simulation.finish(), false) == whole.motion) << name;
    }
}

TEST(Restart, what_was_not_saved_here_is_refused) {
    const Subject subject = subjects().front();
    DynamicSimulation simulation(subject.placed, subject.options);
    for (int i = 0; i < 5; ++i) simulation.step();
    const std::string saved = simulation.save();
    for (const std::string& damaged :
         {std::string(), std::string("1 "), saved.substr(0, saved.size() / 2), saved + "1 ",
          "x" + saved}) {
        DynamicSimulation other(subject.placed, subject.options);
        EXPECT_FALSE(other.restore(damaged));
        EXPECT_EQ(other.time(), 0);
        while (other.step()) {
        }
        EXPECT_EQ(other.finish().status, DynamicStatus::completed);
    }
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
