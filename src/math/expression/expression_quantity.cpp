// Numbers and their units inside expressions.
#include "math/expression/expression_quantity.h"

#include <cmath>
#include <system_error>

#include "math/characters.h"
#include "math/span.h"
#include "math/unit_exponent.h"

namespace pawl::expression_detail {

namespace {

[[noreturn]] void fail_unit(const std::string& name, std::size_t offset, const Symbols& symbols) {
    if (symbols.find(name) || is_reserved_name(name))
        fail(offset, "expected an operator between the number and '" + name + "'");
    fail(offset, "unknown unit '" + name + "'" + unit_hint(name));
}

double read_number(Cursor& cursor) {
    double value = 0;
    const auto [stop, problem] = pawl::read_number(cursor.rest(), cursor.text_end(), value);
    if (problem == std::errc::result_out_of_range)
        fail(cursor.offset(), "the number is out of range");
    if (problem != std::errc{})
        fail(cursor.offset(), "expected a number, a name or '(' before " + cursor.found());
    cursor.advance(static_cast<std::size_t>(stop - cursor.rest()));
    return value;
}

double read_exponent(Cursor& cursor) {
    double exponent = 1;
    const char* stop = read_unit_exponent(cursor.rest(), cursor.text_end(), exponent);
    const bool goes_on = stop != cursor.text_end() && (*stop == '.' || is_name_start(*stop));
    if (stop == cursor.rest() || goes_on)
        fail(cursor.offset(), "the exponent of a unit must be a number, as in m^2 or m^1.5");
    cursor.advance(static_cast<std::size_t>(stop - cursor.rest()));
    return exponent;
}

// Multiplies the quantity by the unit at the cursor, to its exponent times the sign.
void read_unit_power(Cursor& cursor, int sign, Unit& quantity) {
    const std::string_view name = cursor.peek_name();
    const Unit unit = *find_unit(name);
    cursor.advance(name.size());
    const double power = sign * (cursor.take('^') ? read_exponent(cursor) : 1.0);
    quantity.factor *= std::pow(unit.factor, power);
    quantity.dimension = quantity.dimension * pow(unit.dimension, power);
}

// 1 if a unit follows, −1 if a division by one follows, 0 where the quantity ends. What follows a
// quantity decides alone: a name is a unit whether or not the model has a symbol of that name. Only
// "min(" is a function.
int next_unit_sign(Cursor ahead) {
    const bool divides = ahead.take('/');
    const std::string_view name = ahead.peek_name();
    if (!find_unit(name)) return 0;
    ahead.advance(name.size());
    if (ahead.next() == '(' && is_reserved_name(name)) return 0;
    return divides ? -1 : 1;
}

// "3/m" is the one quantity that may as well be a number divided by a symbol.
void demand_no_symbol(Cursor ahead, std::size_t begin, const Symbols& symbols) {
    const std::string number = ahead.slice(begin, ahead.token_end());
    ahead.take('/');
    const std::string name(ahead.peek_name());
    if (symbols.find(name))
        fail(begin, "'" + number + "/" + name + "' can mean two things, for '" + name +
                        "' is a unit and a name of the model; write '" + number + " " + name +
                        "^-1' for the unit, or '" + number + "/(" + name +
                        ")' to divide by the name");
}

}  // namespace

std::string unit_hint(std::string_view name) {
    const std::string_view singular = name.substr(0, name.size() - 1);
    if (name.ends_with('s') && find_unit(singular))
        return "; did you mean '" + std::string(singular) + "', or the product '" +
               std::string(singular) + " s'?";
    for (std::size_t i = 1; i < name.size(); ++i) {
        const auto first = find_unit(name.substr(0, i)), second = find_unit(name.substr(i));
        if (first && second && !(first->dimension == second->dimension))
            return "; separate the units of a product by a space: '" +
                   std::string(name.substr(0, i)) + " " + std::string(name.substr(i)) + "'";
    }
    return did_you_mean(name, unit_names());
}

Unit read_quantity(Cursor& cursor, const Symbols& symbols) {
    const std::size_t begin = cursor.offset();
    Unit quantity{read_number(cursor), dimension::none};
    const std::string first(cursor.peek_name());
    int sign = next_unit_sign(cursor);
    if (sign == 0 && !first.empty() && first != "and" && first != "or")
        fail_unit(first, cursor.offset(), symbols);
    if (sign < 0) demand_no_symbol(cursor, begin, symbols);
    for (; sign != 0; sign = next_unit_sign(cursor)) {
        cursor.take('/');
        read_unit_power(cursor, sign, quantity);
    }
    return quantity;
}

}  // namespace pawl::expression_detail
