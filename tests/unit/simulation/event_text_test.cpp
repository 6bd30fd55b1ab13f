#include "results/event_text.h"

#include <cmath>

#include <gtest/gtest.h>

#include "simulation/stepping/remember.h"

namespace pawl {
namespace PAWL_TEST_FILE {

Event event_with(std::vector<EventFact> facts) {
    Event e;
    e.facts = std::move(facts);
    return e;
}

TEST(EventText, joins_the_facts_in_their_order) {
    EXPECT_EQ(event_text(event_with({})), "");
    EXPECT_EQ(
        event_text(
            event_with({Cause::gap_closes, fact::Accumulation{12, 0.5},
                        fact::FrictionImpulse{0.25, 0, fact::FrictionImpulse::Slip::stops}})),
        "gap = 0; impacts accumulate: 12 more until t = 0.5 s; friction impulse 0.25 N s, the "
        "slip stops");
    EXPECT_EQ(event_text(event_with({Cause::force_vanishes, fact::Rebound{NAN, 0.001}})),
              "normal force = 0; after 0.001 s");
    EXPECT_EQ(
        event_text(event_with({fact::ImpactOrder{fact::ImpactOrder::Order::simultaneous, 0.5}})),
        "simultaneous, restitution reduced to 0.5 of its value, since more would add energy");
}

TEST(EventText, counts_degrees_of_freedom_and_names_few_loops) {
    const auto text = [](int n, std::vector<std::string> loops) {
        return event_text(event_with({fact::ContactState{n, std::move(loops)}}));
    };
    EXPECT_EQ(text(0, {}), "leaves no degree of freedom, no loop");
    EXPECT_EQ(text(1, {"a-b-a"}), "leaves 1 degree of freedom, loop a-b-a");
    EXPECT_EQ(text(2, {"a-b-a", "a-c-a"}), "leaves 2 degrees of freedom, loops a-b-a, a-c-a");
    EXPECT_EQ(text(2, std::vector<std::string>(7, "a-b-a")),
              "leaves 2 degrees of freedom, 7 loops");
}

// Every kind of fact, with values that are not those it begins with.
TEST(Event, remembers_every_kind_of_fact) {
    Event e = event_with(
        {Cause::slip_stops,
         fact::Compression{0.1, true},
         fact::Rebound{0.8, 0.01},
         fact::NormalForce{3},
         fact::ForceAtTransition{1, 2},
         fact::WouldPull{-1},
         fact::LiftedOff{9},
         fact::TakenOver{"c"},
         fact::EndReached{"p", 3},
         fact::OfRolling{},
         fact::Accumulation{7, 0.5},
         fact::FrictionImpulse{1, 2, fact::FrictionImpulse::Slip::stops, true},
         fact::ImpactOrder{fact::ImpactOrder::Order::sequential, 0.5, 3},
         fact::JointImpulses{{"O"}, {1}, {2}, {3}, {"m"}, {4}, {"N m s"}},
         fact::ContactState{2, {"a-b"}},
         fact::Choice{3, {"x sticks"}},
         fact::Misfit{1e-9},
         fact::LostControl{"q", 1e-3},
         fact::Held{fact::Held::Manner::nothing_balances, fact::Held::By::drivers, {"m"}},
         fact::Leap{"b", 1, 2},
         fact::TimeSteps{1, 2, 3, 4},
         fact::Remark{"said"}});
    ASSERT_EQ(e.facts.size(), std::variant_size_v<EventFact>);
    Memory writing;
    writing(e);
    Event read;
    Memory reading(writing.text());
    reading(read);
    ASSERT_TRUE(reading.is_done());
    EXPECT_EQ(event_text(read), event_text(e));
    EXPECT_TRUE(read.is_due_to(Cause::slip_stops));
    ASSERT_NE(read.find<fact::ForceAtTransition>(), nullptr);
    EXPECT_EQ(read.find<fact::ForceAtTransition>()->after, 2);
    // A kind that there is not was not written here.
    Memory damaged("0 0 0 0 0 0 0 0 0 1 99 ");
    damaged(read);
    EXPECT_FALSE(damaged.fits());
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
