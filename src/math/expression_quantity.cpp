// Numbers and their units inside expressions.
#include "math/expression_quantity.h"

#include <charconv>
#include <cmath>
#include <system_error>

#include "math/span.h"

namespace pawl::expression_detail {

namespace {

[[noreturn]] void fail_unit(const std::string& name, std::size_t place, const Symbols& symbols) {
    if (symbols.find(name) || is_reserved_name(name))
        fail(place, "expected an operator between the number and '" + name + "'");
    fail(place, "unknown unit '" + name + "'" + did_you_mean(name, unit_names()));
}

double read_number(Cursor& cursor) {
    double value = 0;
    const auto [stop, problem] = std::from_chars(cursor.rest(), cursor.text_end(), value);
    if (problem == std::errc::result_out_of_range)
        fail(cursor.place(), "the number is out of range");
    if (problem != std::errc{})
        fail(cursor.place(), "expected a number, a name or '(' before " + cursor.found());
    cursor.advance(static_cast<std::size_t>(stop - cursor.rest()));
    return value;
}

int read_exponent(Cursor& cursor) {
    int exponent = 1;
    const auto [stop, problem] = std::from_chars(cursor.rest(), cursor.text_end(), exponent);
    const bool goes_on = stop != cursor.text_end() && (*stop == '.' || is_name_start(*stop));
    if (problem != std::errc{} || goes_on)
        fail(cursor.place(), "the exponent of a unit must be an integer");
    cursor.advance(static_cast<std::size_t>(stop - cursor.rest()));
    return exponent;
}

// Multiplies the quantity by the unit at the cursor, to its exponent times the sign.
void read_unit_power(Cursor& cursor, int sign, Unit& quantity) {
    const std::string_view name = cursor.peek_name();
    const Unit unit = *find_unit(name);
    cursor.advance(name.size());
    const double power =
        sign * (cursor.take('^') ? static_cast<double>(read_exponent(cursor)) : 1.0);
    quantity.factor *= std::pow(unit.factor, power);
    quantity.dimension = quantity.dimension * pow(unit.dimension, power);
}

// 1 or −1 if a further unit multiplies or divides, 0 if the unit is complete.
int next_unit_sign(Cursor ahead, const Symbols& symbols) {
    const char sign = ahead.next();
    const bool is_signed = sign == '*' || sign == '/';
    if (is_signed) ahead.advance(1);
    const std::string_view name = ahead.peek_name();
    if (!find_unit(name) || (is_signed && symbols.find(name))) return 0;
    ahead.advance(name.size());
    if (ahead.next() == '(') return 0;
    return sign == '/' ? -1 : 1;
}

}  // namespace

Unit read_quantity(Cursor& cursor, const Symbols& symbols) {
    Unit quantity{read_number(cursor), dimension::none};
    const std::string first(cursor.peek_name());
    if (first.empty() || first == "and" || first == "or") return quantity;
    if (!find_unit(first)) fail_unit(first, cursor.place(), symbols);
    read_unit_power(cursor, 1, quantity);
    while (const int sign = next_unit_sign(cursor, symbols)) {
        if (!is_name_start(cursor.next())) cursor.advance(1);
        read_unit_power(cursor, sign, quantity);
    }
    return quantity;
}

}  // namespace pawl::expression_detail
