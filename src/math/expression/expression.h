// Formulas over named slots: read once, checked for dimensions, then evaluated often on plain
// numbers, dual numbers or time jets without allocation. Knows no parameters, measures or files;
// whoever owns the slots fills them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "math/dual.h"
#include "math/time_jet.h"
#include "math/units.h"

namespace pawl {

// What is known about the dimension of a value.
//   bare     a plain number or ratio; takes on the default unit of the context where it stands
//   known    in SI, of the given dimension (never none: that is bare)
//   unknown  in SI, not checked: anything made with the time or a measure
struct Quality {
    enum class Kind { bare, known, unknown };
    Kind kind = Kind::bare;
    Dimension dimension;

    static Quality bare() { return {}; }
    static Quality known(const Dimension& d) {
        return {d == dimension::none ? Kind::bare : Kind::known, d};
    }
    static Quality unknown() { return {Kind::unknown, {}}; }
    bool is_bare() const { return kind == Kind::bare; }
    bool is_known() const { return kind == Kind::known; }
    bool is_unknown() const { return kind == Kind::unknown; }
};

struct Symbol {
    int slot = 0;
    Quality quality;
};

// The names an expression may use.
class Symbols {
public:
    virtual ~Symbols() = default;
    virtual std::optional<Symbol> find(std::string_view name) const = 0;
    virtual std::vector<std::string> names() const = 0;
};

// Names with slots 0, 1, 2, ... in the order of adding.
class SymbolTable : public Symbols {
public:
    int add(std::string name, Quality quality);
    std::optional<Symbol> find(std::string_view name) const override;
    std::vector<std::string> names() const override { return names_; }

private:
    std::vector<std::string> names_;
    std::map<std::string, Symbol, std::less<>> symbols_;
};

struct ExpressionError {
    int offset = 0;  // character in the text, from 0
    std::string message;
};

// True for what an expression reads as its own: functions, pi, and, or, not.
bool is_reserved_name(std::string_view name);

// True for [A-Za-z_][A-Za-z0-9_]*, the form of a name (or of each part of a dotted one).
bool is_plain_name(std::string_view name);

// Values of the slots on demand, for callers that do not keep them in one array.
template <class T>
struct SlotLookup {
    const void* owner;
    T (*at)(const void* owner, int slot);
    T operator[](int slot) const { return at(owner, slot); }
};

struct ExpressionProgram;

class Expression {
public:
    Expression();  // the plain number 0
    static Expression constant(double value, Quality quality = Quality::bare());
    static Expression variable(const Symbol& symbol);

    static std::optional<Expression> parse(std::string_view text, const Symbols& symbols,
                                           const DefaultUnits& units, ExpressionError& error);

    // The same value in SI as a quantity of the expected dimension: a bare one is multiplied by its
    // default unit, a known one must be compatible, an unknown one stays as it is.
    std::optional<Expression> converted_to(const Dimension& expected, const DefaultUnits& units,
                                           ExpressionError& error) const;

    // T is double, Dual, TimeJet<double> or TimeJet<Dual>. Division by zero and the like give
    // infinities or NaN. Where abs, min, max, sign, floor, mod or if has a kink or a jump, the
    // derivatives are those of the branch that gives the value.
    template <class T>
    T evaluate(std::span<const T> slots) const;
    template <class T>
    T evaluate(SlotLookup<T> slots) const;
    // The same with a callable int -> T.
    template <class T, class Lookup>
    T evaluate_with(const Lookup& lookup) const {
        return evaluate(SlotLookup<T>{&lookup, [](const void* owner, int slot) {
                                          return (*static_cast<const Lookup*>(owner))(slot);
                                      }});
    }

    // Where the expression is not smooth: the arguments at whose zeros abs, sign, floor, mod, min,
    // max or a comparison changes branch are appended, always in the same order.
    int switch_count() const;
    void note_switches(SlotLookup<double> slots, std::vector<double>& switches) const;
    // On given branches: the signs of these arguments, whatever they are; 0: zero.
    template <class T>
    T evaluate_on(SlotLookup<T> slots, const signed char* sides) const;

    bool is_constant() const;
    const std::vector<int>& slots_used() const;  // ascending, each once
    Quality quality() const;
    const std::string& text() const;  // as written; empty if not parsed

private:
    explicit Expression(std::shared_ptr<const ExpressionProgram> program);
    std::shared_ptr<const ExpressionProgram> program_;
};

extern template double Expression::evaluate(std::span<const double>) const;
extern template double Expression::evaluate(SlotLookup<double>) const;
extern template Dual Expression::evaluate(std::span<const Dual>) const;
extern template Dual Expression::evaluate(SlotLookup<Dual>) const;
extern template TimeJet<double> Expression::evaluate(std::span<const TimeJet<double>>) const;
extern template TimeJet<double> Expression::evaluate(SlotLookup<TimeJet<double>>) const;
extern template TimeJet<Dual> Expression::evaluate(std::span<const TimeJet<Dual>>) const;
extern template TimeJet<Dual> Expression::evaluate(SlotLookup<TimeJet<Dual>>) const;
extern template double Expression::evaluate_on(SlotLookup<double>, const signed char*) const;
extern template TimeJet<double> Expression::evaluate_on(SlotLookup<TimeJet<double>>,
                                                        const signed char*) const;

}  // namespace pawl
