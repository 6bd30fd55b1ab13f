// The inside of an Expression: a flat program for a stack machine, in postfix order and without
// jumps. Shared by the reader and the evaluator of expressions, and by nobody else.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "math/expression/expression.h"

namespace pawl {

namespace expression_detail {

enum class Operation {
    number,  // push Instruction::number
    slot,    // push slots[Instruction::slot]
    scale,   // multiply the top by Instruction::number
    // one operand
    negate,
    logical_not,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    sinh,
    cosh,
    tanh,
    exp,
    log,
    log10,
    sqrt,
    abs,
    sign,
    floor,
    // two operands
    add,
    subtract,
    multiply,
    divide,
    power,
    atan2,
    hypot,
    minimum,
    maximum,
    modulo,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    logical_and,
    logical_or,
    // three operands: condition, value if it holds, value if not
    select,
};

constexpr int operand_count(Operation operation) {
    if (operation <= Operation::slot) return 0;
    if (operation <= Operation::floor) return 1;
    return operation == Operation::select ? 3 : 2;
}

struct Instruction {
    Operation operation = Operation::number;
    int slot = 0;
    double number = 0;
};

// The stack of the evaluator has this size. A formula at the limit of nesting, with one value
// waiting at every level, needs 201 slots.
inline constexpr int expression_stack_size = 256;

// Largest number of values that the code holds at one time.
int stack_need(const std::vector<Instruction>& code);

// The result of code without slots.
double constant_value(std::span<const Instruction> code);

// Code as it grows, operand by operand. What is made of numbers alone is computed at once, so an
// operand whose code ends with a number is that number alone.
class CodeWriter {
public:
    std::size_t size() const { return code_.size(); }
    const std::vector<Instruction>& code() const { return code_; }

    void push_number(double value) { code_.push_back({Operation::number, 0, value}); }
    void push_slot(int slot) { code_.push_back({Operation::slot, slot, 0}); }

    // Applies an operation to the last values.
    void apply(Operation operation) {
        const auto first = code_.end() - operand_count(operation);
        const bool is_constant = std::all_of(first, code_.end(), is_number);
        const std::size_t begin = static_cast<std::size_t>(first - code_.begin());
        code_.push_back({operation, 0, 0});
        if (!is_constant) return;
        const double value = constant_value(std::span(code_).subspan(begin));
        code_.resize(begin);
        push_number(value);
    }

    // Multiplies the operand whose code ends before the given offset.
    void scale(std::size_t end, double factor) {
        if (factor == 1) return;
        if (is_number(code_[end - 1]))
            code_[end - 1].number *= factor;
        else
            code_.insert(code_.begin() + static_cast<std::ptrdiff_t>(end),
                         {Operation::scale, 0, factor});
    }

    // The operand that begins at the given offset and is the last, if it is a number.
    const double* last_number(std::size_t begin) const {
        return begin + 1 == code_.size() && is_number(code_.back()) ? &code_.back().number
                                                                    : nullptr;
    }

private:
    static bool is_number(const Instruction& i) { return i.operation == Operation::number; }

    std::vector<Instruction> code_;
};

}  // namespace expression_detail

struct ExpressionProgram {
    std::vector<expression_detail::Instruction> code;
    std::vector<int> slots;  // ascending, each once
    Quality quality;
    std::string text;
};

}  // namespace pawl
