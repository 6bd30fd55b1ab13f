// Whether bodies pass through each other inside the steps of a run. Each pair is looked at again
// before its bodies can have moved against each other by their distance and a part of the thickness
// of the thinner one. The looks compare polygons; nothing is shared with the watch of the gaps.
#pragma once

#include <functional>
#include <vector>

#include "contact/near_profiles.h"
#include "coordinates/coordinates.h"
#include "curves/outline.h"
#include "math/memory.h"
#include "mechanism/mechanism.h"
#include "results/audit.h"

namespace pawl {

class PassageAudit {
public:
    using Space = PlanarSpace;
    // Sets position and velocity of the bodies to those at a time.
    using Motion = std::function<const Coordinates<Space>&(double t)>;

    explicit PassageAudit(const PlanarMechanism& mechanism);

    // The velocities have jumped.
    void restart() { begun_ = false; }
    void step(double begin, double end, const Motion& motion);
    void remember(Memory& memory);
    void add_checks(Audit& audit) const;
    // Steps in which bodies too thin for their ways were not looked at to the end.
    [[nodiscard]] long unjudged_steps() const { return unjudged_steps_; }

private:
    struct Pair {
        int contact = 0;
        Outline a, b;
        double quantum = 0;  // m: a part of the thickness of the thinner one
        double budget = 0;   // m: what the bodies may still move before the next look
        long step = -1;      // the last one in which the pair was near
    };
    // Where the profiles are at a time, and how they move.
    struct Moment {
        double t = 0;
        std::vector<Space::Frame> frames;
    };
    // How b lies and moves in the axes of a.
    struct Node {
        double t = 0;
        Space::Position at;
        Space::Twist velocity;
        double speed = 0;  // of any point of b
    };
    [[nodiscard]] Node node_of(const Pair& pair, double t, const Space::Frame& a,
                               const Space::Frame& b) const;
    [[nodiscard]] Node node_of(const Pair& pair, double t, const Coordinates<Space>& c) const;
    [[nodiscard]] Node node_of(const Pair& pair, const Moment& moment) const;
    void see(Moment& moment, double t, const Motion& motion) const;
    // The pairs whose bodies may meet in the step.
    const std::vector<NearProfiles::Pair>& find_near();
    [[nodiscard]] static double way(const Pair& pair, const Node& low, const Node& high);
    void advance(Pair& pair, const Node& low, const Node& high, const Motion& motion, int depth);
    // The distance of the bodies, from below; a look where boxes do not decide.
    double clearance(Pair& pair, const Node& node);
    [[nodiscard]] static bool overlap(const Pair& pair, const Node& node);
    [[nodiscard]] static double depth_of(const Pair& pair, const Node& node);

    const PlanarMechanism& mechanism_;
    std::vector<Pair> pairs_;
    std::vector<int> index_;  // of the contacts in pairs_
    NearProfiles near_;
    std::vector<BoundingCircle> circles_;
    Moment begin_, end_;  // of the step at hand
    bool begun_ = false;
    long steps_ = 0;
    Worst worst_;
    long looks_ = 0, looks_before_ = 0;  // all, and those before the step at hand
    long unjudged_steps_ = 0;
    bool unjudged_ = false;
};

}  // namespace pawl
