// The first time in a step at which a switch leaves the side on which it was. Between looks the
// values are taken as parabolas; where they depart from them, or come near to zero, it looks closer.
// Knows values over time, not what they belong to.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace pawl {

class SwitchSearch {
public:
    using ValuesAt = std::function<const std::vector<double>&(double t)>;
    // To what the value of a switch is known where the step ends; or inside it, where no projection
    // keeps it on the constraints.
    using Rounding = std::function<double(std::size_t which, bool inside)>;
    // Sides are the signs of the values; 0: it rests at zero. `just_passed`: those that have come to
    // their sides at the begin, to what their time is known.
    SwitchSearch(std::span<const signed char> sides, std::span<const char> just_passed,
                 ValuesAt values, Rounding rounding)
        : sides_(sides),
          just_passed_(just_passed),
          values_(std::move(values)),
          find_rounding_(std::move(rounding)) {}

    struct Found {
        std::size_t which;
        double t;          // just behind it
        signed char side;  // that it comes to
    };
    std::optional<Found> first(double begin, double end);

private:
    struct Look {
        double t = 0;
        std::vector<double> values;
    };
    using Looks = std::array<const Look*, 5>;  // evenly spaced

    Look look(double t);
    [[nodiscard]] double rounding(std::size_t which);
    [[nodiscard]] bool has_passed(std::size_t which, double value);
    [[nodiscard]] bool is_clear(std::size_t which, const Looks& looks);
    [[nodiscard]] bool all_clear(const Looks& looks);
    void note_rest(const Looks& looks);
    std::optional<Found> inside(const Look& a, const Look& m, const Look& b, int depth);
    std::optional<Found> between(const Look& low, const Look& high);

    std::span<const signed char> sides_;
    std::span<const char> just_passed_;
    ValuesAt values_;
    Rounding find_rounding_;
    std::vector<double> roundings_;  // NaN: not asked yet
    Look begin_;
    int looks_ = 0;
};

}  // namespace pawl
