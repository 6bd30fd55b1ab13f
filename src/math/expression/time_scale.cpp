#include "math/expression/time_scale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "math/expression/enclosure.h"
#include "math/expression/expression_program.h"
#include "math/tolerances/solving.h"

namespace pawl {

using namespace expression_detail;

template <>
Enclosure Expression::evaluate(SlotLookup<Enclosure> slots) const;

namespace expression_detail {

namespace {

// Halvings of the run: parts of 1/65,536 of it, a sixth of the narrowest pulse that is promised.
constexpr int deepest = 16;
// The same where only a change of branch is left to be resolved.
constexpr int deepest_of_switches = 12;
// A part with one change of branch may be one step, which is a quarter of a scale.
constexpr double steps_in_scale = 4;
// Expressions whose bounds stay too wide everywhere are given up: these many parts are no pulses.
constexpr int max_unresolved = 2000;
constexpr int max_looks = 1 << 17;
// A part is resolved where the steepest slope over all of it would change the value by no more than
// so many times what five samples show. A parabola about its vertex has 4; bounds that see the
// time twice add a factor of up to 2.
constexpr double steepest = 8;
// The scale of a harmonic: a quarter of it, the longest step, is half a period.
constexpr double periods = 2;
// Changes below this part of the largest value of the whole run are not looked for.
constexpr double negligible = tolerance::negligible_change;

}  // namespace

// The expression over a part of the run, instruction by instruction. What is looked at are the
// functions, powers and quotients whose sums and products make the expression: a sum of two pulses
// is no narrower than each, and inside of a function only its value counts. Besides, where a branch
// depends on the time alone, parts are looked for in which it changes at most once.
class Scan {
public:
    Scan(std::span<const double> parameters, double begin, double end)
        : parameters_(parameters), begin_(begin), end_(end) {}
    // Along the motion: only what depends on a slot that moves is looked at.
    Scan(std::span<const int> slots, std::span<const char> moves)
        : slots_(slots), moves_(moves.begin(), moves.end()) {}

    std::vector<TimeScale> divide(const Expression& expression);
    // The scale of what is looked at over a piece of this length, with these values of the slots.
    // `whole`: not a part of the piece before.
    double scale(const Expression& expression, std::span<const Enclosure> given, double length,
                 bool whole);
    [[nodiscard]] bool looks_at_any() const {
        return std::find(looked_at_.begin(), looked_at_.end(), 1) != looked_at_.end();
    }
    Enclosure whole(const Expression& expression) {
        low_ = begin_;
        high_ = end_;
        return expression.evaluate(SlotLookup<Enclosure>{this, nullptr});
    }
    Enclosure run(std::span<const Instruction> code);

private:
    void look(const Expression& expression, double begin, double end, int depth);
    [[nodiscard]] Enclosure slot(int slot) const;
    [[nodiscard]] std::size_t index_of(int slot) const {
        return static_cast<std::size_t>(std::lower_bound(slots_.begin(), slots_.end(), slot) -
                                        slots_.begin());
    }
    void mark_moving(std::span<const Instruction> code);
    void mark(std::span<const Instruction> code);
    [[nodiscard]] double scale_of_switch(Operation operation,
                                         std::span<const Enclosure> operands) const;
    [[nodiscard]] double scale_of(std::size_t i, Operation operation, const Enclosure& argument,
                                  const Enclosure& value) const;

    std::span<const double> parameters_;
    std::span<const int> slots_;  // along the motion: those of the expression, ascending
    std::vector<char> moves_;     // which of them move
    std::span<const Enclosure> given_;
    bool is_whole_ = false;
    double begin_ = 0, end_ = 0;
    double low_ = 0, high_ = 0;    // the part at hand
    double scale_ = 0;             // found for it; 0: not resolved
    double switch_scale_ = 0;      // the same of its changes of branch
    std::vector<char> looked_at_;  // per instruction
    std::vector<double> largest_;  // per instruction, over all of the run or of the piece
    std::vector<Enclosure> stack_;
    std::vector<TimeScale> parts_;
    std::vector<std::size_t> unresolved_;
    int looks_ = 0;
};

// Marks the functions at the ends of sums and products, from the last instruction back.
void Scan::mark(std::span<const Instruction> code) {
    std::vector<std::size_t> begin(code.size());  // of the operand that ends at an instruction
    for (std::size_t i = 0; i < code.size(); ++i) {
        begin[i] = i;
        for (int k = operand_count(code[i].operation); k > 0; --k) begin[i] = begin[begin[i] - 1];
    }
    looked_at_.assign(code.size(), 0);
    largest_.assign(code.size(), 0);
    std::vector<std::size_t> open{code.size() - 1};
    while (!open.empty()) {
        const std::size_t i = open.back();
        open.pop_back();
        const Operation operation = code[i].operation;
        const int count = operand_count(operation);
        if (count == 0) continue;
        const std::size_t last = i - 1, first = count == 1 ? last : begin[last] - 1;
        const bool by_constant = code[last].operation == Operation::number;
        switch (operation) {
            case Operation::add:
            case Operation::subtract:
            case Operation::multiply:
            case Operation::minimum:
            case Operation::maximum:
            case Operation::less:
            case Operation::less_equal:
            case Operation::greater:
            case Operation::greater_equal:
            case Operation::equal:
            case Operation::not_equal:
            case Operation::logical_and:
            case Operation::logical_or:
                open.push_back(first);
                open.push_back(last);
                break;
            case Operation::scale:
            case Operation::negate:
            case Operation::abs:
            case Operation::logical_not:
                open.push_back(last);
                break;
            case Operation::select:
                open.push_back(begin[first] - 1);
                open.push_back(first);
                open.push_back(last);
                break;
            case Operation::divide:
                open.push_back(first);
                looked_at_[i] = !by_constant;
                break;
            default:
                looked_at_[i] = 1;
        }
    }
}

// Leaves out what does not depend on the motion.
void Scan::mark_moving(std::span<const Instruction> code) {
    std::vector<char> stack;
    for (std::size_t i = 0; i < code.size(); ++i) {
        const auto count = static_cast<std::size_t>(operand_count(code[i].operation));
        char moves = code[i].operation == Operation::slot ? moves_[index_of(code[i].slot)] : 0;
        for (std::size_t k = 0; k < count; ++k, stack.pop_back())
            moves = static_cast<char>(moves | stack.back());
        stack.push_back(moves);
        looked_at_[i] = static_cast<char>(looked_at_[i] & moves);
    }
}

// What depends on the motion is some number that makes nothing vanish, where it is not given.
Enclosure Scan::slot(int slot) const {
    if (!slots_.empty()) return given_[index_of(slot)];
    if (slot == 0) return Enclosure::time(low_, high_);
    const auto i = static_cast<std::size_t>(slot - 1);
    if (i < parameters_.size()) return Enclosure::constant(parameters_[i]);
    Enclosure e = Enclosure::constant(0.6180339887);
    e.known = false;
    return e;
}

// Two changes of a branch have an extremum of the difference between them: parts in which it has
// one sign, or its rate has, hold one change at most, and never two neighbours.
double Scan::scale_of_switch(Operation operation, std::span<const Enclosure> operands) const {
    switch (operation) {
        case Operation::minimum:
        case Operation::maximum:
        case Operation::less:
        case Operation::less_equal:
        case Operation::greater:
        case Operation::greater_equal:
        case Operation::equal:
        case Operation::not_equal: {
            const Enclosure difference = operands[0] - operands[1];
            if (!difference.known || difference.low > 0 || difference.high < 0 ||
                difference.low == difference.high)
                return INFINITY;
            const bool one_way = difference.rate_low > 0 || difference.rate_high < 0;
            const bool whole_run = low_ == begin_ && high_ == end_;
            if (one_way) return whole_run ? INFINITY : steps_in_scale * (high_ - low_);
            return 0;
        }
        default:
            return INFINITY;
    }
}

double Scan::scale_of(std::size_t i, Operation operation, const Enclosure& argument,
                      const Enclosure& value) const {
    // Next to the smallest numbers, where inverses overflow: no factor makes that count.
    constexpr double nothing =
        std::numeric_limits<double>::min() / std::numeric_limits<double>::epsilon();
    const double width = value.high - value.low, part = high_ - low_;
    if (width <= nothing) return INFINITY;
    if (width <= negligible * largest_[i] && largest_[i] < INFINITY) return INFINITY;
    if (operation == Operation::sin || operation == Operation::cos) {
        const double fast = std::max(std::abs(argument.rate_low), std::abs(argument.rate_high)),
                     slow = std::min(std::abs(argument.rate_low), std::abs(argument.rate_high));
        const bool one_way = argument.rate_low * argument.rate_high > 0;
        if (one_way && slow >= 0.5 * fast) return periods * 2 * std::numbers::pi / fast;
    }
    const auto [lowest, highest] = std::minmax_element(value.at.begin(), value.at.end());
    const double slope = std::max(std::abs(value.rate_low), std::abs(value.rate_high));
    if (slope == 0) return INFINITY;
    return slope * part <= steepest * (*highest - *lowest) ? part : 0;
}

Enclosure Scan::run(std::span<const Instruction> code) {
    const bool whole = is_whole_ || looked_at_.empty();
    if (looked_at_.empty()) {
        mark(code);
        if (!slots_.empty()) mark_moving(code);
    }
    scale_ = switch_scale_ = INFINITY;
    stack_.clear();
    for (std::size_t i = 0; i < code.size(); ++i) {
        const Operation operation = code[i].operation;
        if (operation == Operation::number) {
            stack_.push_back(Enclosure::constant(code[i].number));
            continue;
        }
        if (operation == Operation::slot) {
            stack_.push_back(slot(code[i].slot));
            continue;
        }
        const auto count = static_cast<std::size_t>(operand_count(operation));
        const std::span operands = std::span(stack_).last(count);
        const Enclosure value = operation == Operation::scale
                                    ? operands[0] * Enclosure::constant(code[i].number)
                                    : enclose(operation, operands);
        if (looked_at_[i]) {
            if (whole) largest_[i] = std::max(std::abs(value.low), std::abs(value.high));
            scale_ = std::min(scale_, scale_of(i, operation, operands[0], value));
        }
        switch_scale_ = std::min(switch_scale_, scale_of_switch(operation, operands));
        stack_.resize(stack_.size() - count + 1);
        stack_.back() = value;
    }
    return stack_.back();
}

double Scan::scale(const Expression& expression, std::span<const Enclosure> given, double length,
                   bool whole) {
    given_ = given;
    is_whole_ = whole;
    low_ = 0;
    high_ = length;
    expression.evaluate(SlotLookup<Enclosure>{this, nullptr});
    return scale_;
}

}  // namespace expression_detail

// The owner of the slots is the scan, which keeps what it knows of each instruction.
template <>
Enclosure Expression::evaluate(SlotLookup<Enclosure> slots) const {
    return static_cast<Scan*>(const_cast<void*>(slots.owner))->run(program_->code);
}

namespace expression_detail {

void Scan::look(const Expression& expression, double begin, double end, int depth) {
    low_ = begin;
    high_ = end;
    ++looks_;
    expression.evaluate(SlotLookup<Enclosure>{this, nullptr});
    if (scale_ == INFINITY && switch_scale_ == INFINITY) return;
    if (looks_ < max_looks &&
        ((scale_ == 0 && depth < deepest) || (switch_scale_ == 0 && depth < deepest_of_switches))) {
        const double middle = 0.5 * (begin + end);
        look(expression, begin, middle, depth + 1);
        look(expression, middle, end, depth + 1);
        return;
    }
    // Branches that change several times in a part: the scale of the functions has to do.
    double scale =
        switch_scale_ == 0 && scale_ < INFINITY ? scale_ : std::min(scale_, switch_scale_);
    if (scale == 0) {
        unresolved_.push_back(parts_.size());
        scale = end - begin;
    }
    parts_.push_back({begin, end, scale});
}

std::vector<TimeScale> Scan::divide(const Expression& expression) {
    look(expression, begin_, end_, 0);
    if (unresolved_.size() > max_unresolved)
        for (const std::size_t i : unresolved_) parts_[i].scale = INFINITY;
    std::erase_if(parts_, [](const TimeScale& part) { return part.scale == INFINITY; });
    return std::move(parts_);
}

}  // namespace expression_detail

MotionScan::MotionScan(const Expression& expression, std::span<const char> moves)
    : expression_(expression), scan_(std::make_unique<Scan>(expression_.slots_used(), moves)) {
    const std::vector<Enclosure> some(expression_.slots_used().size(), Enclosure::constant(1));
    scan_->scale(expression_, some, 1, true);
}
MotionScan::MotionScan(MotionScan&&) noexcept = default;
MotionScan& MotionScan::operator=(MotionScan&&) noexcept = default;
MotionScan::~MotionScan() = default;

bool MotionScan::is_empty() const { return !scan_->looks_at_any(); }

bool MotionScan::is_resolved(std::span<const Enclosure> slots, double length, bool whole) {
    return scan_->scale(expression_, slots, length, whole) >= length;
}

Enclosure enclose(const Expression& expression, std::span<const double> parameters, double begin,
                  double end) {
    return Scan(parameters, begin, end).whole(expression);
}

std::vector<TimeScale> time_scales(const Expression& expression, std::span<const double> parameters,
                                   double begin, double end) {
    const auto& slots = expression.slots_used();
    if (slots.empty() || slots.front() != 0 || !(end > begin)) return {};
    return Scan(parameters, begin, end).divide(expression);
}

}  // namespace pawl
