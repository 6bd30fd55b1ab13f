// Keeps steps short enough to see what the user's expressions do along the motion: a smooth bump of
// a force over a coordinate, however narrow, is not stepped over. The motion over a step is smooth,
// since the integrator controls its error; what an expression makes of it may not be.
#pragma once

#include <array>
#include <vector>

#include "math/expression/time_scale.h"
#include "mechanism/mechanism.h"
#include "simulation/stepping/stepping.h"

namespace pawl {

class FeatureWatch {
public:
    using Mechanics = MechanismEquations<PlanarSpace>;
    FeatureWatch(const PlanarMechanism& mechanism, double atol);

    // Where the last step must end at the latest for its stages to see them; INFINITY where it may
    // stay, and where the bounds stay too wide to tell.
    [[nodiscard]] double latest_end(Mechanics& equations, Stepping& stepping);

private:
    enum class Of { time, constant, channel, rate, state, own, own_rate };
    struct Slot {
        Of of = Of::constant;
        std::size_t index = 0;
        double constant = 0;
        bool is_length = false;
    };
    struct Source {
        MotionScan scan;
        std::vector<Slot> slots;
        std::size_t force = 0;    // whose coordinate is `own`
        bool is_resolved = true;  // over the piece that was looked at last
    };
    void add(const ForceExpression& e, std::size_t force);
    void add_measure(const ExpressionMeasure<PlanarSpace>& measure);
    void add(const Expression& expression, std::vector<Slot> slots, std::size_t force);
    Slot channel(Of of, std::size_t index);
    // The slots of all sources at a time inside the step.
    void look(Mechanics& equations, Stepping& stepping, double t, std::vector<double>& values);
    enum class Resolution { seen, hidden, hopeless };
    [[nodiscard]] Resolution resolution(const Mechanics& equations, double length, bool whole);
    [[nodiscard]] double floor_of(const Slot& slot, const Mechanics& equations) const;

    const PlanarMechanism& mechanism_;
    double atol_;
    bool turns_matter_ = false;  // a slot goes round with the bodies
    std::vector<Source> sources_;
    std::vector<char> is_used_;                   // measures
    std::array<std::vector<double>, 5> samples_;  // at the ends and the quarters of the piece
    std::vector<TimeJet<double>> channels_;
};

}  // namespace pawl
