// Reads the text of an expression into its program by precedence climbing, and checks dimensions on
// the way. Knows the grammar and the rules of dimensions, not how a program is evaluated.
#include <algorithm>
#include <numbers>
#include <utility>

#include "math/expression/expression.h"
#include "math/expression/expression_cursor.h"
#include "math/expression/expression_functions.h"
#include "math/expression/expression_program.h"
#include "math/expression/expression_quantity.h"
#include "math/span.h"

namespace pawl {

using namespace expression_detail;

namespace {

constexpr int max_nesting = 200;  // keeps the recursion of the reader far from the end of the stack

struct Operand {
    Quality quality;
    bool is_condition = false;
    std::size_t begin = 0, end = 0;  // in the text
    std::size_t code = 0;            // its first instruction
};

class Parser {
public:
    Parser(std::string_view text, const Symbols& symbols, const DefaultUnits& units)
        : cursor_(text), symbols_(symbols), units_(units) {}

    ExpressionProgram parse() {
        if (cursor_.at_end()) fail(0, "the expression is empty");
        const Operand whole = parse_binary(0);
        if (!cursor_.at_end())
            fail(cursor_.offset(), "expected an operator before " + cursor_.found());
        if (whole.is_condition) fail(0, "expected a number, but the expression is a condition");
        if (stack_need(code_.code()) > expression_stack_size)
            fail(0, "the expression needs more than " + std::to_string(expression_stack_size) +
                        " intermediate values");
        ExpressionProgram program{code_.code(), {}, whole.quality, slice(whole)};
        for (const Instruction& instruction : program.code)
            if (instruction.operation == Operation::slot) program.slots.push_back(instruction.slot);
        std::sort(program.slots.begin(), program.slots.end());
        program.slots.erase(std::unique(program.slots.begin(), program.slots.end()),
                            program.slots.end());
        return program;
    }

private:
    std::string slice(const Operand& operand) const {
        return cursor_.slice(operand.begin, operand.end);
    }

    static Quality merged(const Operand& a, const Operand& b, Quality otherwise) {
        return a.quality.is_unknown() || b.quality.is_unknown() ? Quality::unknown() : otherwise;
    }

    static void demand_number(const Operand& operand) {
        if (operand.is_condition) fail(operand.begin, "a condition cannot be used as a number");
    }
    static void demand_condition(const Operand& operand, const char* user) {
        if (!operand.is_condition)
            fail(operand.begin, std::string(user) + " needs a condition such as a < b");
    }
    // Two operands that must be of one dimension; a bare one takes the default unit of the other.
    Quality unify(const Operand& a, const Operand& b, std::size_t offset, const std::string& verb) {
        demand_number(a);
        demand_number(b);
        const Quality &qa = a.quality, &qb = b.quality;
        if (qa.is_unknown() || qb.is_unknown()) return Quality::unknown();
        if (qa.is_known() && qb.is_known() && !compatible(qb.dimension, qa.dimension))
            fail(offset, "cannot " + verb + " " + describe(qa.dimension) + " and " +
                             describe(qb.dimension));
        if (qa.is_bare() && qb.is_known()) code_.scale(b.code, units_.factor(qb.dimension));
        if (qb.is_bare() && qa.is_known()) code_.scale(code_.size(), units_.factor(qa.dimension));
        return qa.is_known() ? qa : qb;
    }
    Quality raise(const Operand& base, const Operand& exponent) {
        demand_number(base);
        demand_number(exponent);
        if (exponent.quality.is_known())
            fail(exponent.begin, "an exponent must be a plain number, but '" + slice(exponent) +
                                     "' is " + describe(exponent.quality.dimension));
        if (!base.quality.is_known()) return merged(base, exponent, Quality::bare());
        if (const double* number = code_.last_number(exponent.code))
            return Quality::known(pow(base.quality.dimension, *number));
        if (exponent.quality.is_bare())
            fail(exponent.begin, "the exponent of " + describe(base.quality.dimension) +
                                     " must be a constant number");
        return Quality::unknown();
    }

    class Nesting {
    public:
        Nesting(Parser& parser, std::size_t offset) : depth_(parser.depth_) {
            if (++depth_ > max_nesting)
                fail(offset,
                     "expression nested more than " + std::to_string(max_nesting) + " deep");
        }
        ~Nesting() { --depth_; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;

    private:
        int& depth_;
    };

    const BinaryOperator* peek_operator() const {
        const std::string_view name = cursor_.peek_name();
        for (const BinaryOperator& candidate : binary_operators) {
            const std::string_view sign = candidate.text;
            if (is_name_start(sign[0]) ? name == sign : cursor_.starts_with(sign))
                return &candidate;
        }
        return nullptr;
    }

    Operand parse_binary(int least_precedence) {
        Operand left = parse_prefix();
        while (const BinaryOperator* op = peek_operator()) {
            if (op->precedence < least_precedence) break;
            const std::size_t offset = cursor_.offset();
            cursor_.advance(std::string_view(op->text).size());
            const bool to_the_right = op->precedence == power_precedence;
            std::optional<Nesting> nesting;
            if (to_the_right) nesting.emplace(*this, offset);
            const Operand right = parse_binary(to_the_right ? op->precedence : op->precedence + 1);
            left = combine(*op, offset, left, right);
        }
        return left;
    }

    Operand combine(const BinaryOperator& op, std::size_t offset, const Operand& a,
                    const Operand& b) {
        Operand result{Quality::bare(), false, a.begin, b.end, a.code};
        switch (op.operation) {
            case Operation::logical_and:
            case Operation::logical_or:
                demand_condition(a, op.text);
                demand_condition(b, op.text);
                result.quality = merged(a, b, Quality::bare());
                result.is_condition = true;
                break;
            case Operation::multiply:
            case Operation::divide:
                demand_number(a);
                demand_number(b);
                result.quality =
                    merged(a, b,
                           Quality::known(op.operation == Operation::multiply
                                              ? a.quality.dimension * b.quality.dimension
                                              : a.quality.dimension / b.quality.dimension));
                break;
            case Operation::power:
                result.quality = raise(a, b);
                break;
            case Operation::add:
            case Operation::subtract:
                result.quality = unify(a, b, offset, op.verb);
                break;
            default:
                result.quality = unify(a, b, offset, op.verb).is_unknown() ? Quality::unknown()
                                                                           : Quality::bare();
                result.is_condition = true;
        }
        code_.apply(op.operation);
        return result;
    }

    Operand parse_prefix() {
        const std::size_t begin = cursor_.offset();
        const bool is_not = cursor_.peek_name() == "not";
        if (!is_not && cursor_.next() != '-' && cursor_.next() != '+') return parse_primary();
        const Nesting nesting(*this, begin);
        const char sign = cursor_.next();
        cursor_.advance(is_not ? 3 : 1);
        Operand operand = parse_binary(is_not ? not_precedence : minus_precedence);
        is_not ? demand_condition(operand, "not") : demand_number(operand);
        if (is_not)
            code_.apply(Operation::logical_not);
        else if (sign == '-')
            code_.apply(Operation::negate);
        operand.begin = begin;
        return operand;
    }

    Operand parse_primary() {
        const std::size_t begin = cursor_.offset();
        if (is_digit(cursor_.next()) || cursor_.next() == '.') return parse_quantity();
        if (is_name_start(cursor_.next())) return parse_name();
        if (cursor_.next() != '(')
            fail(begin, "expected a number, a name or '(' before " + cursor_.found());
        const Nesting nesting(*this, begin);
        cursor_.advance(1);
        Operand inner = parse_binary(0);
        close("')'");
        inner.begin = begin;
        inner.end = cursor_.token_end();
        return inner;
    }

    void close(const char* expected) {
        if (cursor_.at_end()) fail(cursor_.offset(), "missing ')'");
        if (!cursor_.take(')'))
            fail(cursor_.offset(),
                 std::string("expected ") + expected + " before " + cursor_.found());
    }

    Operand parse_name() {
        const std::size_t begin = cursor_.offset();
        const std::string name(cursor_.peek_name());
        const Function* function = find_function(name);
        cursor_.advance(name.size());
        if (function && cursor_.next() == '(') return parse_call(*function, begin);
        if (function) fail(begin, "the function '" + name + "' needs arguments in parentheses");
        Operand operand{Quality::bare(), false, begin, cursor_.token_end(), code_.size()};
        if (name == "pi") {
            code_.push_number(std::numbers::pi);
            return operand;
        }
        if (is_reserved_name(name))
            fail(begin, "expected a number, a name or '(' before '" + name + "'");
        const std::optional<Symbol> symbol = symbols_.find(name);
        if (!symbol) fail_unknown(name, begin);
        if (cursor_.next() == '(') fail(begin, "'" + name + "' is not a function");
        operand.quality = symbol->quality;
        code_.push_slot(symbol->slot);
        return operand;
    }

    [[noreturn]] void fail_unknown(const std::string& name, std::size_t begin) const {
        if (cursor_.next() == '(') {
            std::vector<std::string> names;
            for (const Function& function : functions) names.emplace_back(function.name);
            fail(begin, "unknown function '" + name + "'" + did_you_mean(name, names));
        }
        if (find_unit(name)) {
            std::string before = cursor_.slice(0, begin);
            while (!before.empty() && is_blank(before.back())) before.pop_back();
            const bool multiplied = !before.empty() && before.back() == '*';
            fail(begin, "unknown name '" + name + "'; a unit can only follow a number" +
                            (multiplied ? ", joined by a blank, '/' or '^': write a blank instead "
                                          "of '*', as in '2 N m'"
                                        : ""));
        }
        fail(begin, "unknown name '" + name + "'" + did_you_mean(name, symbols_.names()));
    }

    Operand parse_call(const Function& function, std::size_t begin) {
        const Nesting nesting(*this, begin);
        cursor_.advance(1);
        std::vector<Operand> arguments;
        if (cursor_.next() == ')') fail_count(function, 0, begin);
        do {
            arguments.push_back(parse_binary(0));
            if (function.rule == Rule::several && arguments.size() > 1) {
                const Operand &a = arguments[arguments.size() - 2], &b = arguments.back();
                const Quality quality = unify(a, b, begin, "compare");
                code_.apply(function.operation);
                arguments.back() = {quality, false, a.begin, b.end, a.code};
            }
        } while (cursor_.take(','));
        close("',' or ')'");
        const std::size_t needed = argument_count(function), count = arguments.size();
        if (count < needed || (count > needed && function.rule != Rule::several))
            fail_count(function, count, begin);
        const Quality quality = apply(function, arguments, begin);
        return {quality, false, begin, cursor_.token_end(), arguments.front().code};
    }

    static std::size_t argument_count(const Function& function) {
        return static_cast<std::size_t>(operand_count(function.operation));
    }

    [[noreturn]] static void fail_count(const Function& function, std::size_t count,
                                        std::size_t begin) {
        const std::size_t needed = argument_count(function);
        fail(begin, std::string(function.name) + " takes " + std::to_string(needed) +
                        (function.rule == Rule::several ? " or more" : "") +
                        (needed == 1 ? " argument, not " : " arguments, not ") +
                        std::to_string(count));
    }

    // The arguments are on the stack in order; those of min and max are already reduced to one.
    Quality apply(const Function& function, const std::vector<Operand>& arguments,
                  std::size_t offset) {
        const Operand &first = arguments.front(), &last = arguments.back();
        Quality quality = last.quality;
        switch (function.rule) {
            case Rule::several:
                return quality;
            case Rule::pair:
            case Rule::pair_to_angle:
                quality = unify(first, last, offset, "combine");
                break;
            case Rule::choice:
                demand_condition(first, "if");
                quality = merged(first, first, unify(arguments[1], last, offset, "choose between"));
                break;
            default:
                demand_number(first);
        }
        const bool wants_angle = function.rule == Rule::of_angle;
        if (wants_angle && quality.is_bare())
            code_.scale(code_.size(), units_.factor(dimension::angle));
        const bool demands_plain = function.rule == Rule::plain || function.rule == Rule::to_angle;
        if (quality.is_known() &&
            (demands_plain || (wants_angle && quality.dimension != dimension::angle)))
            fail(first.begin, std::string(function.name) + " needs " +
                                  (wants_angle ? "an angle" : "a plain number") + ", but '" +
                                  slice(first) + "' is " + describe(quality.dimension));
        code_.apply(function.operation);
        return quality.is_unknown() ? quality : result_quality(function.rule, quality);
    }

    static Quality result_quality(Rule rule, const Quality& argument) {
        switch (rule) {
            case Rule::of_angle:
            case Rule::sign:
                return Quality::bare();
            case Rule::to_angle:
            case Rule::pair_to_angle:
                return Quality::known(dimension::angle);
            case Rule::root:
                return Quality::known(pow(argument.dimension, 0.5));
            default:
                return argument;
        }
    }

    Operand parse_quantity() {
        const std::size_t begin = cursor_.offset();
        const Unit quantity = read_quantity(cursor_, symbols_);
        const Operand operand{Quality::known(quantity.dimension), false, begin, cursor_.token_end(),
                              code_.size()};
        code_.push_number(quantity.factor);
        return operand;
    }

    Cursor cursor_;
    const Symbols& symbols_;
    const DefaultUnits& units_;
    int depth_ = 0;
    CodeWriter code_;
};

}  // namespace

bool is_reserved_name(std::string_view name) {
    return name == "pi" || name == "and" || name == "or" || name == "not" || find_function(name);
}

bool is_plain_name(std::string_view name) {
    return !name.empty() && is_name_start(name[0]) &&
           std::all_of(name.begin(), name.end(),
                       [](char c) { return is_name_start(c) || is_digit(c); });
}

std::optional<Expression> Expression::parse(std::string_view text, const Symbols& symbols,
                                            const DefaultUnits& units, ExpressionError& error) {
    try {
        return Expression(
            std::make_shared<const ExpressionProgram>(Parser(text, symbols, units).parse()));
    } catch (const Failure& failure) {
        error = {static_cast<int>(failure.offset), failure.message};
        return std::nullopt;
    }
}

}  // namespace pawl
