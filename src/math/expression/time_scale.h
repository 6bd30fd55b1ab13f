// How fast an expression changes with the time, or along a motion, bounded over whole intervals: so
// an integrator can be kept from stepping over a pulse that is narrow. Knows no mechanism.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "math/expression/expression.h"

namespace pawl {

// Between begin and end the expression does nothing that is narrower than a part of the scale: a
// step of a quarter of the scale sees it.
struct TimeScale {
    double begin = 0, end = 0, scale = 0;
};

// The parts of [begin, end] that have a scale, in order; where nothing changes there is none. Slot
// 0 of the expression is the time, slot i + 1 is parameters[i]; slots beyond depend on the motion
// and are taken as some constants. Features of 1/10,000 of the interval are resolved.
std::vector<TimeScale> time_scales(const Expression& expression, std::span<const double> parameters,
                                   double begin, double end);

struct Enclosure;
namespace expression_detail {
class Scan;
}

// An expression along a motion, piece by piece. A piece is resolved where five samples show all
// that its functions, powers and quotients do: their steepest slope, by the bounds, changes them by
// no more than a few times what the samples show.
class MotionScan {
public:
    // `moves`: which of the slots that the expression uses move with the motion.
    MotionScan(const Expression& expression, std::span<const char> moves);
    MotionScan(MotionScan&&) noexcept;
    MotionScan& operator=(MotionScan&&) noexcept;
    ~MotionScan();
    // Nothing in it can hide: sums and products of what moves.
    [[nodiscard]] bool is_empty() const;
    // With bounds of the slots that it uses, over a piece of this length: a part of the piece that
    // was looked at before, or a new one (`whole`). What is negligible in that is resolved.
    [[nodiscard]] bool is_resolved(std::span<const Enclosure> slots, double length, bool whole);

private:
    Expression expression_;
    std::unique_ptr<expression_detail::Scan> scan_;
};

// Bounds of the expression and of its rate over [begin, end], with the same slots.
Enclosure enclose(const Expression& expression, std::span<const double> parameters, double begin,
                  double end);

}  // namespace pawl
