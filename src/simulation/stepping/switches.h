// Where forces, states and drivers are not smooth: the arguments inside abs, sign, floor, mod, min,
// max and comparisons of the user's expressions, and the knots of spring tables; and where the
// conditions of the user's events and couplings change. A step of integration ends at their zeros.
// Numbered as the mechanism numbers them.
#pragma once

#include <string>
#include <vector>

#include "coordinates/measures.h"

namespace pawl {

// The coordinate that a force acts along, and its rate, as its expressions see them; nothing for
// other forces.
void look_along(const Force<PlanarSpace>& force, const Coordinates<PlanarSpace>& coordinates,
                ForceInputs& inputs);

class Switches {
public:
    explicit Switches(const PlanarMechanism& mechanism);
    [[nodiscard]] bool empty() const { return names_.empty(); }
    // Values at the position and velocity that the coordinates hold; always as many and in the same
    // order. Conditions are looked at on the branches of `sides`; null: on those of the values.
    const std::vector<double>& evaluate(const Coordinates<PlanarSpace>& coordinates, double t,
                                        std::span<const double> states,
                                        const signed char* sides = nullptr);
    // The element of a switch, and its driver (-1 when it belongs to a force or a state).
    [[nodiscard]] const std::string& name(std::size_t i) const { return names_[i]; }
    [[nodiscard]] int driver(std::size_t i) const { return drivers_[i]; }
    // Whether it belongs to an event or a coupling alone: no force changes there.
    [[nodiscard]] bool is_of_event(std::size_t i) const { return i >= first_of_events_; }
    // Which of the user's conditions held at the last evaluation: of events, and of couplings.
    [[nodiscard]] const std::vector<char>& conditions() const { return conditions_; }
    [[nodiscard]] const std::vector<char>& engaged() const { return engaged_; }

private:
    void note(const Coordinates<PlanarSpace>& coordinates, double t, std::span<const double> states,
              const signed char* sides, bool names);
    template <class Book>
    void note_conditions(const ForceInputs& inputs, const signed char* sides, const Book& book);

    const PlanarMechanism& mechanism_;
    std::vector<TimeJet<double>> channels_;
    std::vector<double> values_;
    std::vector<std::string> names_;
    std::vector<int> drivers_;
    std::size_t first_of_events_ = 0;
    std::vector<char> conditions_, engaged_;
};

}  // namespace pawl
