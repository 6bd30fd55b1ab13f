// Evaluation and conversion of expressions. Knows the stack machine, not the grammar.
#include "math/expression/expression.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <new>
#include <utility>

#include "math/expression/expression_program.h"

namespace pawl {

namespace expression_detail {
namespace {

// Remainder with the sign of the divisor, so that mod(angle, 2*pi) lies in [0, 2π).
template <class T>
T modulo(const T& x, const T& y) {
    using std::fmod;
    const T r = fmod(x, y);
    const bool wrong_side = value_of(r) != 0 && (value_of(r) < 0) != (value_of(y) < 0);
    return wrong_side ? r + y : r;
}

template <class T>
T apply_unary(Operation operation, const T& a) {
    using std::sin, std::cos, std::tan, std::asin, std::acos, std::atan, std::sinh, std::cosh,
        std::tanh, std::exp, std::log, std::log10, std::sqrt, std::abs, std::floor;
    switch (operation) {
        case Operation::negate:
            return -a;
        case Operation::logical_not:
            return T(value_of(a) == 0 ? 1.0 : 0.0);
        case Operation::sin:
            return sin(a);
        case Operation::cos:
            return cos(a);
        case Operation::tan:
            return tan(a);
        case Operation::asin:
            return asin(a);
        case Operation::acos:
            return acos(a);
        case Operation::atan:
            return atan(a);
        case Operation::sinh:
            return sinh(a);
        case Operation::cosh:
            return cosh(a);
        case Operation::tanh:
            return tanh(a);
        case Operation::exp:
            return exp(a);
        case Operation::log:
            return log(a);
        case Operation::log10:
            return log10(a);
        case Operation::sqrt:
            return sqrt(a);
        case Operation::abs:
            return abs(a);
        case Operation::sign:
            return T(value_of(a) > 0 ? 1.0 : value_of(a) < 0 ? -1.0 : value_of(a));
        default:
            assert(operation == Operation::floor);
            return floor(a);
    }
}

template <class T>
T apply_binary(Operation operation, const T& a, const T& b) {
    using std::pow, std::atan2, std::hypot;
    const double x = value_of(a), y = value_of(b);
    const auto truth = [](bool holds) { return T(holds ? 1.0 : 0.0); };
    switch (operation) {
        case Operation::add:
            return a + b;
        case Operation::subtract:
            return a - b;
        case Operation::multiply:
            return a * b;
        case Operation::divide:
            return a / b;
        case Operation::power:
            return pow(a, b);
        case Operation::atan2:
            return atan2(a, b);
        case Operation::hypot:
            return hypot(a, b);
        case Operation::minimum:
            return y < x || std::isnan(y) ? b : a;
        case Operation::maximum:
            return y > x || std::isnan(y) ? b : a;
        case Operation::modulo:
            return modulo(a, b);
        case Operation::less:
            return truth(x < y);
        case Operation::less_equal:
            return truth(x <= y);
        case Operation::greater:
            return truth(x > y);
        case Operation::greater_equal:
            return truth(x >= y);
        case Operation::equal:
            return truth(x == y);
        case Operation::not_equal:
            return truth(x != y);
        case Operation::logical_and:
            return truth(x != 0 && y != 0);
        default:
            assert(operation == Operation::logical_or);
            return truth(x != 0 || y != 0);
    }
}

bool has_branches(Operation operation) {
    return operation == Operation::abs || operation == Operation::sign ||
           operation == Operation::floor || operation == Operation::minimum ||
           operation == Operation::maximum || operation == Operation::modulo ||
           (operation >= Operation::less && operation <= Operation::not_equal);
}

// Positive between an even number and the next one, negative behind an odd one.
double parity(double x) {
    const double even = 2 * std::round((x - 0.5) / 2);
    return 0.5 - std::abs(x - even - 0.5);
}

// The even or odd whole number whose unit interval is the nearest; `side` 0: the nearest of all.
double floor_on(double x, int side) {
    if (side == 0) return std::round(x);
    const double odd = side < 0 ? 1 : 0;
    return odd + 2 * std::round((x - odd - 0.5) / 2);
}

// At its zeros the operation changes branch.
template <class T>
double switch_argument(Operation operation, const T* operands) {
    const double a = value_of(operands[0]);
    if (operation == Operation::abs || operation == Operation::sign) return a;
    if (operation == Operation::floor) return parity(a);
    const double b = value_of(operands[1]);
    return operation == Operation::modulo ? parity(a / b) : a - b;
}

// On the branch where the argument has the sign `side`, also beyond its end; 0: the argument is
// zero but for rounding.
template <class T>
T apply_on_branch(Operation operation, const T* operands, int side) {
    const T& a = operands[0];
    const auto truth = [](bool holds) { return T(holds ? 1.0 : 0.0); };
    switch (operation) {
        case Operation::abs:
            return side < 0 ? -a : a;
        case Operation::sign:
            return T(side);
        case Operation::floor:
            return T(floor_on(value_of(a), side));
        case Operation::minimum:
            return side > 0 ? operands[1] : a;
        case Operation::maximum:
            return side < 0 ? operands[1] : a;
        case Operation::less:
            return truth(side < 0);
        case Operation::less_equal:
            return truth(side <= 0);
        case Operation::greater:
            return truth(side > 0);
        case Operation::greater_equal:
            return truth(side >= 0);
        case Operation::modulo: {
            const double ratio = value_of(a) / value_of(operands[1]);
            return modulo(a, operands[1]) +
                   operands[1] * T(std::floor(ratio) - floor_on(ratio, side));
        }
        default:  // equal, not_equal: true or false at one point alone
            return apply_binary<T>(operation, a, operands[1]);
    }
}

// The stack is left uninitialised: clearing it would cost more than most formulas.
// With `switches`, the arguments at whose zeros the formula changes branch are noted there; with
// `sides`, it is evaluated on the branches that these say.
template <class T, class Slots>
T run(std::span<const Instruction> code, const Slots& slots,
      std::vector<double>* switches = nullptr, const signed char* sides = nullptr) {
    alignas(T) std::byte storage[sizeof(T) * expression_stack_size];
    T* const stack = reinterpret_cast<T*>(storage);
    std::size_t held = 0;
    for (const Instruction& instruction : code) {
        const Operation operation = instruction.operation;
        if (operation == Operation::number) {
            new (&stack[held++]) T(instruction.number);
        } else if (operation == Operation::slot) {
            new (&stack[held++]) T(slots[static_cast<std::size_t>(instruction.slot)]);
        } else {
            held -= static_cast<std::size_t>(operand_count(operation) - 1);
            T* const operands = &stack[held - 1];
            if ((switches || sides) && has_branches(operation)) {
                if (switches) switches->push_back(switch_argument(operation, operands));
                if (sides) {
                    operands[0] = apply_on_branch(operation, operands, *sides++);
                    continue;
                }
            }
            switch (operand_count(operation)) {
                case 1:
                    operands[0] = operation == Operation::scale
                                      ? operands[0] * instruction.number
                                      : apply_unary<T>(operation, operands[0]);
                    break;
                case 2:
                    operands[0] = apply_binary<T>(operation, operands[0], operands[1]);
                    break;
                default:
                    operands[0] = value_of(operands[0]) != 0 ? operands[1] : operands[2];
            }
        }
    }
    return stack[held - 1];
}

}  // namespace

int stack_need(const std::vector<Instruction>& code) {
    int held = 0, depth = 0;
    for (const Instruction& instruction : code) {
        held += 1 - operand_count(instruction.operation);
        depth = std::max(depth, held);
    }
    return depth;
}

double constant_value(std::span<const Instruction> code) {
    return run<double>(code, std::span<const double>{});
}

}  // namespace expression_detail

using namespace expression_detail;

int SymbolTable::add(std::string name, Quality quality) {
    const int slot = static_cast<int>(names_.size());
    symbols_.insert_or_assign(name, Symbol{slot, quality});
    names_.push_back(std::move(name));
    return slot;
}

std::optional<Symbol> SymbolTable::find(std::string_view name) const {
    const auto found = symbols_.find(name);
    if (found == symbols_.end()) return std::nullopt;
    return found->second;
}

Expression::Expression(std::shared_ptr<const ExpressionProgram> program)
    : program_(std::move(program)) {}

Expression::Expression() : Expression(constant(0)) {}

Expression Expression::constant(double value, Quality quality) {
    return Expression(std::make_shared<const ExpressionProgram>(
        ExpressionProgram{{{Operation::number, 0, value}}, {}, quality, {}}));
}

Expression Expression::variable(const Symbol& symbol) {
    return Expression(std::make_shared<const ExpressionProgram>(
        ExpressionProgram{{{Operation::slot, symbol.slot, 0}}, {symbol.slot}, symbol.quality, {}}));
}

std::optional<Expression> Expression::converted_to(const Dimension& expected,
                                                   const DefaultUnits& units,
                                                   ExpressionError& error) const {
    const Quality& given = program_->quality;
    if (given.is_unknown()) return *this;
    if (given.is_known() && !compatible(given.dimension, expected)) {
        error = {0, "expected " + describe(expected) + ", but " +
                        (text().empty() ? "the value" : "'" + text() + "'") + " is " +
                        describe(given.dimension)};
        return std::nullopt;
    }
    ExpressionProgram program = *program_;
    program.quality = Quality::known(expected);
    const double factor = given.is_bare() ? units.factor(expected) : 1;
    if (factor != 1) program.code.push_back({Operation::scale, 0, factor});
    return Expression(std::make_shared<const ExpressionProgram>(std::move(program)));
}

template <class T>
T Expression::evaluate(std::span<const T> slots) const {
    return run<T>(program_->code, slots);
}

template <class T>
T Expression::evaluate(SlotLookup<T> slots) const {
    return run<T>(program_->code, slots);
}

template <class T>
T Expression::evaluate_on(SlotLookup<T> slots, const signed char* sides) const {
    return run<T>(program_->code, slots, nullptr, sides);
}

template double Expression::evaluate(std::span<const double>) const;
template double Expression::evaluate(SlotLookup<double>) const;
template Dual Expression::evaluate(std::span<const Dual>) const;
template Dual Expression::evaluate(SlotLookup<Dual>) const;
template TimeJet<double> Expression::evaluate(std::span<const TimeJet<double>>) const;
template TimeJet<double> Expression::evaluate(SlotLookup<TimeJet<double>>) const;
template TimeJet<Dual> Expression::evaluate(std::span<const TimeJet<Dual>>) const;
template TimeJet<Dual> Expression::evaluate(SlotLookup<TimeJet<Dual>>) const;
template double Expression::evaluate_on(SlotLookup<double>, const signed char*) const;
template TimeJet<double> Expression::evaluate_on(SlotLookup<TimeJet<double>>,
                                                 const signed char*) const;

int Expression::switch_count() const {
    return static_cast<int>(
        std::count_if(program_->code.begin(), program_->code.end(),
                      [](const Instruction& i) { return has_branches(i.operation); }));
}

void Expression::note_switches(SlotLookup<double> slots, std::vector<double>& switches) const {
    run<double>(program_->code, slots, &switches);
}

bool Expression::is_constant() const { return program_->slots.empty(); }
const std::vector<int>& Expression::slots_used() const { return program_->slots; }
Quality Expression::quality() const { return program_->quality; }
const std::string& Expression::text() const { return program_->text; }

}  // namespace pawl
