#include "math/expression/expression.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "finite_differences.h"

namespace pawl {
namespace PAWL_TEST_FILE {

constexpr double pi = std::numbers::pi;

// Slots and their values in SI: L1 = 0.1 m, L2 = 0.25 m, alpha = 0.5 rad, m = 2 kg, n = 3, and of
// unknown dimension t = 0.7 and tip.x = -0.2.
SymbolTable symbols() {
    SymbolTable table;
    table.add("L1", Quality::known(dimension::length));
    table.add("L2", Quality::known(dimension::length));
    table.add("alpha", Quality::known(dimension::angle));
    table.add("m", Quality::known(dimension::mass));
    table.add("n", Quality::bare());
    table.add("t", Quality::unknown());
    table.add("tip.x", Quality::unknown());
    return table;
}

const std::vector<double> slots{0.1, 0.25, 0.5, 2, 3, 0.7, -0.2};
constexpr int time_slot = 5;

const DefaultUnits si{};
const DefaultUnits millimetres{.length = 1e-3, .angle = pi / 180};

Expression read(const std::string& text, const DefaultUnits& units = si) {
    ExpressionError error;
    const std::optional<Expression> expression = Expression::parse(text, symbols(), units, error);
    EXPECT_TRUE(expression) << text << ": " << error.message;
    return expression.value_or(Expression::constant(std::nan("")));
}

double value(const std::string& text, const DefaultUnits& units = si) {
    return read(text, units).evaluate<double>(slots);
}

ExpressionError failure(const std::string& text, const DefaultUnits& units = si) {
    ExpressionError error;
    EXPECT_FALSE(Expression::parse(text, symbols(), units, error)) << text;
    return error;
}

double converted(const std::string& text, const Dimension& d, const DefaultUnits& units) {
    ExpressionError error;
    const std::optional<Expression> expression = read(text, units).converted_to(d, units, error);
    EXPECT_TRUE(expression) << text << ": " << error.message;
    return expression ? expression->evaluate<double>(slots) : std::nan("");
}

struct Case {
    const char* text;
    double expected;
};

TEST(Expression, operators_have_the_usual_precedence) {
    const Case cases[] = {
        {"1+2*3", 7},    {"(1+2)*3", 9},    {"8-3-2", 3},  {"16/4/2", 2}, {"2^3^2", 512},
        {"-2^2", -4},    {"2^-1", 0.5},     {"--3", 3},    {"2*-3", -6},  {"+4", 4},
        {"-n^2", -9},    {"2^-n^1", 0.125}, {"1e3", 1000}, {".5", 0.5},   {"2.5E-1", 0.25},
        {" 1 +\t2 ", 3}, {"pi", pi},        {"n*n", 9},
    };
    for (const Case& c : cases) EXPECT_DOUBLE_EQ(value(c.text), c.expected) << c.text;
}

TEST(Expression, functions_have_the_values_of_the_library) {
    const Case cases[] = {
        {"sin(alpha)", std::sin(0.5)},
        {"cos(alpha)", std::cos(0.5)},
        {"tan(alpha)", std::tan(0.5)},
        {"asin(0.3)", std::asin(0.3)},
        {"acos(0.3)", std::acos(0.3)},
        {"atan(n)", std::atan(3.0)},
        {"atan2(L1, -L2)", std::atan2(0.1, -0.25)},
        {"sinh(n)", std::sinh(3.0)},
        {"cosh(n)", std::cosh(3.0)},
        {"tanh(n)", std::tanh(3.0)},
        {"exp(n)", std::exp(3.0)},
        {"log(n)", std::log(3.0)},
        {"log10(n)", std::log10(3.0)},
        {"sqrt(n)", std::sqrt(3.0)},
        {"abs(-n)", 3},
        {"min(4, n, 5)", 3},
        {"max(1, 2, n)", 3},
        {"sign(-n)", -1},
        {"sign(0)", 0},
        {"floor(-n/2)", -2},
        {"mod(7, n)", 1},
        {"mod(-7, n)", 2},
        {"mod(7, -n)", -2},
        {"mod(-6, n)", 0},
        {"hypot(n, 4)", 5},
        {"if(n > 2, 1, 0)", 1},
    };
    for (const Case& c : cases) EXPECT_DOUBLE_EQ(value(c.text), c.expected) << c.text;
}

TEST(Expression, conditions_choose_a_branch) {
    const Case cases[] = {
        {"if(n < 3, 1, 2)", 2},
        {"if(n <= 3, 1, 2)", 1},
        {"if(n >= 3, 1, 2)", 1},
        {"if(n == 3, 1, 2)", 1},
        {"if(n != 3, 1, 2)", 2},
        {"if(not n < 3, 1, 2)", 1},
        {"if(n > 1 and n < 2, 1, 2)", 2},
        {"if(n > 1 or n < 2 and n < 0, 1, 2)", 1},
        {"if((n > 1 or n < 2) and n < 0, 1, 2)", 2},
        {"if(not (n > 1) or not n > 5, 1, 2)", 1},
        {"if(L1 < 200 mm, 1, 2)", 1},
        {"if(n > 5, 1/0, 2)", 2},
        {"if(n < 5 and n > 1, 1, 2)", 1},
    };
    for (const Case& c : cases) EXPECT_DOUBLE_EQ(value(c.text), c.expected) << c.text;
}

TEST(Expression, number_with_unit_is_a_quantity) {
    const Case cases[] = {
        {"12 mm", 0.012},       {"12mm", 0.012},        {"2.5 N/mm", 2500},  {"30 deg", pi / 6},
        {"5 kg m^2", 5},        {"6 N mm/rad", 6e-3},   {"7 mm/s^2", 0.007}, {"2 s^-1", 2},
        {"60 rpm", 2 * pi},     {"10 N / 2 mm", 5000},  {"2 mm * 3", 0.006}, {"5 min / 3", 100},
        {"2 s * min(3, 4)", 6}, {"-3 mm + 4 mm", 1e-3}, {"2 mm^2", 2e-6},    {"(2 mm)^2", 4e-6},
    };
    for (const Case& c : cases) EXPECT_DOUBLE_EQ(value(c.text), c.expected) << c.text;
    EXPECT_EQ(read("6 N mm/rad").quality().dimension, dimension::torsional_stiffness);
    EXPECT_EQ(read("7 mm/s^2").quality().dimension, dimension::acceleration);
}

TEST(Expression, inside_a_quantity_names_are_units_and_elsewhere_symbols) {
    EXPECT_DOUBLE_EQ(value("2 m"), 2);  // two metres, although a parameter is called m
    EXPECT_EQ(read("2 m").quality().dimension, dimension::length);
    EXPECT_DOUBLE_EQ(value("2*m"), 4);  // twice the parameter m, 2 kg
    EXPECT_EQ(read("2*m").quality().dimension, dimension::mass);
    EXPECT_DOUBLE_EQ(value("3 N/m"), 3);
    EXPECT_EQ(read("3 N/m").quality().dimension, dimension::stiffness);
    EXPECT_DOUBLE_EQ(value("3 N/(m)"), 1.5);
    EXPECT_EQ(read("3 N/(m)").quality().dimension, dimension::acceleration);
    EXPECT_EQ(read("5 kg m^2").quality().dimension, dimension::inertia);
    EXPECT_DOUBLE_EQ(value("12 kg m^2/12"), 1);
    EXPECT_DOUBLE_EQ(value("12 N/n"), 4);  // no unit is called n
    EXPECT_DOUBLE_EQ(value("3/s"), 3);
    EXPECT_EQ(read("3/s").quality().dimension, dimension::frequency);
    EXPECT_DOUBLE_EQ(value("6/min(3, 4)"), 2);
    EXPECT_DOUBLE_EQ(value("60 N/min"), 1);
}

// Names of units, all with the value 7; but min is a function, and no name.
class UnitNamedSymbols : public Symbols {
public:
    std::optional<Symbol> find(std::string_view name) const override {
        if (!find_unit(name) || is_reserved_name(name)) return std::nullopt;
        return Symbol{0, Quality::unknown()};
    }
    std::vector<std::string> names() const override { return unit_names(); }
};

struct Reading {
    double value = 0;
    Quality quality;
    std::string problem;
};

Reading read_with(const Symbols& symbols, const std::string& text) {
    ExpressionError error;
    const auto expression = Expression::parse(text, symbols, si, error);
    if (!expression) return {0, {}, error.message};
    const std::vector<double> sevens{7};
    return {expression->evaluate<double>(sevens), expression->quality(), ""};
}

std::string filled(std::string pattern, const std::string& a, const std::string& b) {
    for (const auto& [mark, name] : {std::pair{'A', a}, std::pair{'B', b}})
        for (std::size_t at = 0; (at = pattern.find(mark, at)) != std::string::npos;
             at += name.size())
            pattern.replace(at, 1, name);
    return pattern;
}

TEST(Expression, a_symbol_with_the_name_of_a_unit_never_changes_a_quantity) {
    const SymbolTable none;
    const UnitNamedSymbols all;
    const char* const patterns[] = {"3 A",           "3A",         "3 A B",
                                    "3 A/B",         "3 A / B",    "3 A^2/B",
                                    "3 A/B^2",       "3 A B^-1/A", "3 A/B*2",
                                    "3 A/B + 2 A/B", "-(3 A/B)",   "2*3 A B",
                                    "3 A/B/2",       "3 A/B/(2)",  "abs(3 A/B)",
                                    "3 A^2/2 A",     "1/2 A/B",    "if(1 A < 2 A, 3 A/B, 4 A/B)"};
    int compared = 0;
    for (const std::string& a : unit_names())
        for (const std::string& b : unit_names())
            for (const char* pattern : patterns) {
                const std::string text = filled(pattern, a, b);
                const Reading plain = read_with(none, text), shadowed = read_with(all, text);
                ASSERT_EQ(plain.problem, "") << text;
                ASSERT_EQ(shadowed.problem, "") << text;
                ASSERT_EQ(plain.value, shadowed.value) << text;
                ASSERT_EQ(plain.quality.kind, shadowed.quality.kind) << text;
                ASSERT_EQ(plain.quality.dimension, shadowed.quality.dimension) << text;
                ++compared;
            }
    EXPECT_EQ(compared, 36 * 36 * 18);
}

TEST(Expression, a_name_outside_of_a_quantity_is_never_a_unit) {
    const SymbolTable none;
    const UnitNamedSymbols all;
    const std::pair<const char*, double> patterns[] = {
        {"A", 7},       {"2*A", 14},          {"A/2", 3.5},  {"3/(A)", 3.0 / 7},
        {"2 m*A", 14},  {"(2 m)/A", 2.0 / 7}, {"A + A", 14}, {"pi/A", std::numbers::pi / 7},
        {"2 m*A/A", 2}, {"-A", -7},           {"A^2", 49},   {"max(A, 2*A)", 14}};
    for (const std::string& name : unit_names())
        for (const auto& [pattern, expected] : patterns) {
            if (is_reserved_name(name)) continue;
            const std::string text = filled(pattern, name, "");
            const Reading reading = read_with(all, text);
            EXPECT_EQ(reading.problem, "") << text;
            EXPECT_DOUBLE_EQ(reading.value, expected) << text;
            EXPECT_EQ(read_with(none, text)
                          .problem.find("unknown name '" + name +
                                        "'; a unit can "
                                        "only follow a number"),
                      0U)
                << text;
        }
}

TEST(Expression, a_number_over_a_name_that_is_unit_and_symbol_is_refused) {
    const SymbolTable none;
    const UnitNamedSymbols all;
    for (const std::string& name : unit_names()) {
        for (const char* blank : {"", " "}) {
            if (is_reserved_name(name)) continue;
            const std::string text = std::string("2.5") + blank + "/" + blank + name;
            EXPECT_EQ(read_with(all, text).problem,
                      "'2.5/" + name + "' can mean two things, for '" + name +
                          "' is a unit and a name of the model; write '2.5 " + name +
                          "^-1' for the unit, or '2.5/(" + name + ")' to divide by the name");
        }
        const Reading per = read_with(none, "2.5/" + name);
        EXPECT_DOUBLE_EQ(per.value, 2.5 / find_unit(name)->factor) << name;
        EXPECT_EQ(per.value, read_with(all, "2.5 " + name + "^-1").value) << name;
    }
}

TEST(Expression, bare_number_takes_the_default_unit_of_its_partner) {
    const Case cases[] = {
        {"L1 + 5", 0.105},
        {"5 + L1", 0.105},
        {"n + L1", 0.103},
        {"(1 + n) - L1", 0.004 - 0.1},
        {"max(L1, 300)", 0.3},
        {"if(L1 > 50, L1, 7)", 0.1},
        {"if(50 > L1, 3, 7 mm)", 0.007},
        {"sin(30)", 0.5},
        {"cos(n*20)", 0.5},
        {"sin(30 deg)", 0.5},
        {"hypot(300, 0.4 m)", 0.5},
        {"min(120, 130, L1)", 0.1},
        {"min(20, 30, L1)", 0.02},
        {"alpha - 90 + 90", 0.5},
        {"L1*2", 0.2},
        {"mod(725, 1 rev)", 5 * pi / 180},
        {"L2/L1 + 1", 3.5},
    };
    for (const Case& c : cases)
        EXPECT_NEAR(value(c.text, millimetres), c.expected, 1e-14) << c.text;
}

TEST(Expression, dimensions_follow_the_arithmetic) {
    const std::pair<const char*, Dimension> cases[] = {
        {"L1*L2", dimension::area},
        {"L1/2 s", dimension::velocity},
        {"sqrt(L1*L2)", dimension::length},
        {"L1^2", dimension::area},
        {"(L1*L2)^0.5", dimension::length},
        {"L1^(1+1)", dimension::area},
        {"asin(L1/L2)", dimension::angle},
        {"atan2(L1, L2)", dimension::angle},
        {"abs(-L1)", dimension::length},
        {"-L1", dimension::length},
        {"m*9.81 m/(1 s)^2", dimension::force},
        {"L1*alpha + L2", {1, 0, 0, 1}},
        {"2*3 kg", dimension::mass},
        {"hypot(L1, L2)", dimension::length},
        {"if(n > 1, L1, 0)", dimension::length},
    };
    for (const auto& [text, expected] : cases) {
        EXPECT_TRUE(read(text).quality().is_known()) << text;
        EXPECT_EQ(read(text).quality().dimension, expected) << text;
    }
    for (const char* text :
         {"1+2", "n", "L1/L2", "sin(alpha)", "sign(L1)", "exp(L1/L2)", "L1^0", "pi"})
        EXPECT_TRUE(read(text).quality().is_bare()) << text;
    for (const char* text :
         {"t", "L1 + t", "sin(t)", "tip.x*L1", "L1^t", "asin(t)", "t + 5 mm - 3 deg",
          "if(t > 1, 2, 3)", "min(1, t)", "-t", "atan2(tip.x, 1)"})
        EXPECT_TRUE(read(text).quality().is_unknown()) << text;
}

TEST(Expression, conversion_scales_bare_checks_known_and_leaves_unknown) {
    EXPECT_DOUBLE_EQ(converted("5", dimension::length, millimetres), 0.005);
    EXPECT_DOUBLE_EQ(converted("2*n", dimension::length, millimetres), 0.006);
    EXPECT_DOUBLE_EQ(converted("5 m", dimension::length, millimetres), 5);
    EXPECT_DOUBLE_EQ(converted("5*t", dimension::length, millimetres), 3.5);
    EXPECT_DOUBLE_EQ(converted("30", dimension::none, millimetres), 30);
    EXPECT_DOUBLE_EQ(converted("3 N mm", dimension::torsional_stiffness, millimetres), 3e-3);
    ExpressionError error;
    const Expression twice =
        *read("5", millimetres).converted_to(dimension::length, millimetres, error);
    EXPECT_DOUBLE_EQ(
        twice.converted_to(dimension::length, millimetres, error)->evaluate<double>(slots), 0.005);
    EXPECT_FALSE(read(" 30 deg ").converted_to(dimension::length, si, error));
    EXPECT_EQ(error.message, "expected a length, but '30 deg' is an angle");
    EXPECT_FALSE(read("2 Hz").converted_to(dimension::angular_velocity, si, error));
    EXPECT_EQ(error.message, "expected an angular velocity, but '2 Hz' is a frequency");
    EXPECT_FALSE(read("30 deg").converted_to(dimension::none, si, error));
}

struct BadCase {
    const char* text;
    int offset;
    const char* message;
};

TEST(Expression, mistakes_are_named_with_their_place) {
    const BadCase cases[] = {
        {"", 0, "the expression is empty"},
        {"   ", 0, "the expression is empty"},
        {"2*Lx", 2, "unknown name 'Lx'; did you mean 'L1' or 'L2'?"},
        {"2*length_of_it", 2, "unknown name 'length_of_it'; valid: L1, L2, alpha, m, n, t, tip.x"},
        {"tip.y + 1", 0, "unknown name 'tip.y'; did you mean 'tip.x'?"},
        {"mm", 0, "unknown name 'mm'; a unit can only follow a number"},
        {"2 N*mm/s * t", 4,
         "unknown name 'mm'; a unit can only follow a number, joined by a blank, '/' or '^': write "
         "a blank instead of '*', as in '2 N m'"},
        {"3/m", 0,
         "'3/m' can mean two things, for 'm' is a unit and a name of the model; write '3 m^-1' for "
         "the unit, or '3/(m)' to divide by the name"},
        {"5 min(1, 2)", 2, "expected an operator between the number and 'min'"},
        {"5 N/m(2)", 5, "expected an operator before '('"},
        {"1 + sine(t)", 4, "unknown function 'sine'; did you mean 'sin' or 'sinh'?"},
        {"sin + 1", 0, "the function 'sin' needs arguments in parentheses"},
        {"L1(2)", 0, "'L1' is not a function"},
        {"(1 + 2", 6, "missing ')'"},
        {"sin(t", 5, "missing ')'"},
        {"(1 + 2]", 6, "expected ')' before ']'"},
        {"min(1; 2)", 5, "expected ',' or ')' before ';'"},
        {"1 + 2)", 5, "expected an operator before ')'"},
        {"2 3", 2, "expected an operator before '3'"},
        {"pi rad", 3, "expected an operator before 'rad'"},
        {"2 n", 2, "expected an operator between the number and 'n'"},
        {"2 sin(t)", 2, "expected an operator between the number and 'sin'"},
        {"5 meter", 2,
         "unknown unit 'meter'; valid: m, mm, cm, km, um, in, ft, rad, deg, rev, kg, g, …"},
        {"5 rpn", 2, "unknown unit 'rpn'; did you mean 'rpm'?"},
        {"5 mm^n", 5, "the exponent of a unit must be a number, as in m^2 or m^1.5"},
        {"5 mm^1e3", 5, "the exponent of a unit must be a number, as in m^2 or m^1.5"},
        {"5 mm^1000", 5, "the exponent of a unit must be a number, as in m^2 or m^1.5"},
        {"1 +", 3, "expected a number, a name or '(' before the end"},
        {"1 + * 2", 4, "expected a number, a name or '(' before '*'"},
        {"and", 0, "expected a number, a name or '(' before 'and'"},
        {".", 0, "expected a number, a name or '(' before '.'"},
        {"2 × 3", 2, "expected an operator before '×'"},
        {"1e999", 0, "the number is out of range"},
        {"atan2(1)", 0, "atan2 takes 2 arguments, not 1"},
        {"sin()", 0, "sin takes 1 argument, not 0"},
        {"min(1)", 0, "min takes 2 or more arguments, not 1"},
        {"if(n > 1, 2)", 0, "if takes 3 arguments, not 2"},
        {"L1 + alpha", 3, "cannot add a length and an angle"},
        {"1 + (L1 - 2 s)", 8, "cannot subtract a length and a time"},
        {"max(L1, alpha)", 0, "cannot compare a length and an angle"},
        {"hypot(L1, alpha)", 0, "cannot combine a length and an angle"},
        {"if(L1 > 2 kg, 1, 2)", 6, "cannot compare a length and a mass"},
        {"if(n > 1, L1, alpha)", 0, "cannot choose between a length and an angle"},
        {"if(n, 1, 2)", 3, "if needs a condition such as a < b"},
        {"if(n > 1 and n, 1, 2)", 13, "and needs a condition such as a < b"},
        {"if(1 < n < 3, 1, 2)", 3, "a condition cannot be used as a number"},
        {"2*(n > 1)", 2, "a condition cannot be used as a number"},
        {"n > 1", 0, "expected a number, but the expression is a condition"},
        {"sin(L1)", 4, "sin needs an angle, but 'L1' is a length"},
        {"exp(2*L1)", 4, "exp needs a plain number, but '2*L1' is a length"},
        {"asin((L1))", 5, "asin needs a plain number, but '(L1)' is a length"},
        {"2^L1", 2, "an exponent must be a plain number, but 'L1' is a length"},
        {"L1^n", 3, "the exponent of a length must be a constant number"},
    };
    for (const BadCase& c : cases) {
        const ExpressionError error = failure(c.text);
        EXPECT_EQ(error.message, c.message) << c.text;
        EXPECT_EQ(error.offset, c.offset) << c.text;
    }
}

std::string repeated(const std::string& part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += part;
    return text;
}

TEST(Expression, nesting_is_limited_and_never_overflows) {
    const std::string message = "expression nested more than 200 deep";
    for (const int depth : {201, 10'000, 1'000'000})
        for (const char* part :
             {"(", "-", "2^", "1+(", "sin(", "if(not ", "if(1<2,3,", "min(n,", "n*n^("})
            EXPECT_EQ(failure(repeated(part, depth)).message, message) << part << depth;
    for (const int depth : {1, 199, 200}) {
        EXPECT_DOUBLE_EQ(value(repeated("(", depth) + "1" + repeated(")", depth)), 1);
        EXPECT_DOUBLE_EQ(value(repeated("n+(", depth) + "0" + repeated(")", depth)), 3 * depth);
        EXPECT_DOUBLE_EQ(value(repeated("-", depth) + "1"), depth % 2 ? -1 : 1);
    }
}

TEST(Expression, too_many_waiting_values_are_refused) {
    const std::string deep = repeated("n+n*(", 150) + "n" + repeated(")", 150);
    EXPECT_EQ(failure(deep).message, "the expression needs more than 256 intermediate values");
}

TEST(Expression, long_flat_formulas_are_fine) {
    EXPECT_DOUBLE_EQ(value("n" + repeated("+n", 100'000)), 300'003);
    EXPECT_DOUBLE_EQ(value("max(n" + repeated(",n", 10'000) + ", 7)"), 7);
}

TEST(Expression, derivatives_are_exact_for_every_kind_of_number) {
    const char* texts[] = {
        "L1*cos(2*t)",
        "t^3 - 2*t",
        "t/(1 + t^2)",
        "exp(-t)*sin(5*t)",
        "atan2(sin(t), 2 + t)",
        "sqrt(1 + t*t)",
        "hypot(t, L2)",
        "abs(-t)*t",
        "max(t, t^2)",
        "min(t, t^2)",
        "if(t > 0.5, t^2, 0)",
        "mod(10*t, 3)",
        "floor(t)*t + sign(t)*t^2",
        "log(t) + log10(t)",
        "tan(t) + asin(t) + acos(t) + atan(t)",
        "sinh(t) + cosh(t) - tanh(t)",
        "t^t",
        "2^t",
        "11*pi/6 - 1.2*t",
    };
    for (const char* text : texts) {
        const Expression e = read(text);
        const auto in_time = [&](double t) {
            std::vector<double> plain = slots;
            plain[time_slot] = t;
            return e.evaluate<double>(plain);
        };
        std::vector<TimeJet<double>> jets(slots.begin(), slots.end());
        std::vector<Dual> duals(slots.begin(), slots.end());
        std::vector<TimeJet<Dual>> jet_duals(slots.begin(), slots.end());
        const double t = slots[time_slot];
        jets[time_slot].rate = 1;
        duals[time_slot].derivative = 1;
        jet_duals[time_slot] = {Dual(t, 1), Dual(1), Dual(0)};
        const TimeJet<double> jet = e.evaluate<TimeJet<double>>(jets);
        const TimeJet<Dual> jet_dual = e.evaluate<TimeJet<Dual>>(jet_duals);
        EXPECT_DOUBLE_EQ(jet.value, in_time(t)) << text;
        EXPECT_NEAR(jet.rate, first_difference(in_time, t, difference_step), first_difference_error)
            << text;
        EXPECT_NEAR(jet.acceleration, second_difference(in_time, t, difference_step),
                    second_difference_error)
            << text;
        // The dual part follows t as well, so it shifts the derivatives by one.
        const double rounding = 1e-12;  // a few operations on numbers below 100
        EXPECT_NEAR(e.evaluate<Dual>(duals).derivative, jet.rate, rounding) << text;
        EXPECT_NEAR(jet_dual.value.derivative, jet.rate, rounding) << text;
        EXPECT_NEAR(jet_dual.rate.derivative, jet.acceleration, rounding) << text;
    }
}

TEST(Expression, slots_are_read_by_lookup_as_from_an_array) {
    const Expression e = read("L1 + n*tip.x");
    const auto lookup = [](int slot) { return slots[static_cast<std::size_t>(slot)]; };
    EXPECT_EQ(e.evaluate_with<double>(lookup), e.evaluate<double>(slots));
}

TEST(Expression, used_slots_are_listed_once_in_order) {
    EXPECT_EQ(read("tip.x + L2*L1 + L2/tip.x").slots_used(), (std::vector<int>{0, 1, 6}));
    EXPECT_TRUE(read("2 mm + 3 mm").is_constant());
    EXPECT_FALSE(read("0*n").is_constant());
}

TEST(Expression, singular_places_give_values_that_are_not_finite) {
    EXPECT_TRUE(std::isinf(value("1/0")));
    EXPECT_TRUE(std::isnan(value("sqrt(-n)")));
    EXPECT_TRUE(std::isnan(value("max(n, 0/0)")));
    EXPECT_TRUE(std::isnan(value("max(0/0, n)")));
    EXPECT_TRUE(std::isnan(value("min(n, 0/0)")));
    EXPECT_TRUE(std::isnan(value("min(0/0, n)")));
    EXPECT_TRUE(std::isnan(value("sign(0/0)")));
}

TEST(Expression, constants_and_variables_are_made_without_text) {
    EXPECT_EQ(Expression().evaluate<double>(slots), 0);
    EXPECT_EQ(Expression::constant(4).evaluate(std::span<const Dual>{}).value, 4);
    EXPECT_EQ(Expression::variable({3, Quality::known(dimension::mass)}).evaluate<double>(slots),
              2);
    ExpressionError error;
    EXPECT_FALSE(Expression::constant(4, Quality::known(dimension::mass))
                     .converted_to(dimension::time, si, error));
    EXPECT_EQ(error.message, "expected a time, but the value is a mass");
}

TEST(Expression, reserved_names_are_those_of_the_grammar) {
    for (const char* name : {"pi", "and", "or", "not", "if", "sin", "mod"})
        EXPECT_TRUE(is_reserved_name(name));
    for (const char* name : {"t", "mm", "L1", "e"}) EXPECT_FALSE(is_reserved_name(name));
    for (const char* name : {"a", "_b1", "L1"}) EXPECT_TRUE(is_plain_name(name));
    for (const char* name : {"", "1a", "a.b", "a-b", "é"}) EXPECT_FALSE(is_plain_name(name));
}

}  // namespace PAWL_TEST_FILE
}  // namespace pawl
