#include "output/result/shown_units.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/tolerances/outside.h"
#include "math/units.h"
#include "model_file/text/document.h"

namespace pawl {

namespace {

// The first unit of which the largest number is at least one; the last where there is none.
std::string by_size(double largest, std::initializer_list<const char*> units) {
    for (const char* unit : units)
        if (largest >= parse_unit(unit)->factor) return unit;
    return *(units.end() - 1);
}

// "mm" and a tail as "/s": a unit per time.
struct Split {
    std::string_view head, tail;
};
Split split(std::string_view unit) {
    const std::size_t slash = unit.find("/s");
    if (slash == std::string_view::npos) return {unit, ""};
    return {unit.substr(0, slash), unit.substr(slash)};
}

}  // namespace

ShownUnits ShownUnits::si() {
    ShownUnits units;
    units.is_si_ = true;
    return units;
}

ShownUnits ShownUnits::of_model(std::string_view text) {
    ShownUnits units;
    Diagnostics ignored;  // the reader of the model has reported them
    const auto root = parse_document(text, ignored);
    const Node* table = root ? root->find("units") : nullptr;
    if (table == nullptr || table->kind != Node::Kind::table) return units;
    for (const Node& child : table->children)
        if (child.kind == Node::Kind::text && parse_unit(child.text))
            units.given_[child.key] = child.text;
    return units;
}

std::string ShownUnits::length(double largest) const {
    const auto found = given_.find("length");
    return found != given_.end() ? found->second : by_size(largest, {"m", "mm", "um"});
}

std::string ShownUnits::force(double largest) const {
    const auto found = given_.find("force");
    if (found != given_.end()) return found->second;
    return largest >= 1e4 ? "kN" : by_size(largest, {"N", "mN"});
}

ShownUnit ShownUnits::of(const std::string& unit, double largest) const {
    if (is_si_) return {unit, 1};
    const auto [head, tail] = split(unit);
    std::string shown;
    if (head == "m" && largest == 0) {
        shown = length(1) + std::string(tail);
    } else if (head == "m") {
        shown = length(largest) + std::string(tail);
    } else if (head == "rad") {
        const auto found = given_.find("angle");
        const std::string angle = found != given_.end() ? found->second : "deg";
        const bool is_fast = found == given_.end() && largest > 2 * std::numbers::pi;
        if (tail == "/s" && (angle == "rev" || is_fast))
            shown = "rpm";
        else
            shown = (tail == "/s^2" && found == given_.end() ? "rad" : angle) + std::string(tail);
    } else if (unit == "N") {
        shown = force(largest == 0 ? 1 : largest);
    } else if (unit == "N m") {
        // A torque is as large as its force at one unit of length.
        const std::string arm = given_.count("length") != 0 ? length(0) : largest >= 1 ? "m" : "mm";
        shown = (given_.count("force") != 0 ? force(0) : "N") + " " + arm;
    } else if (unit == "J") {
        shown = largest == 0 ? "J" : largest >= 1e4 ? "kJ" : by_size(largest, {"J", "mJ"});
    } else {
        return {unit, 1};
    }
    return {shown, parse_unit(unit)->factor / parse_unit(shown)->factor};
}

Trajectory ShownUnits::converted(const Trajectory& trajectory) const {
    constexpr double rounding =
        tolerance::shown_digits;  // of the largest number of a unit: less than runs are exact to
    std::map<std::string, double> largest;
    for (std::size_t r = 0; r < trajectory.rows(); ++r)
        for (std::size_t c = 0; c < trajectory.columns.size(); ++c)
            if (const double size = std::abs(trajectory.row(r)[c]); std::isfinite(size)) {
                double& of_unit = largest[trajectory.columns[c].unit];
                of_unit = std::max(of_unit, size);
            }
    Trajectory out;
    std::vector<double> factors, noise;
    for (const Column& column : trajectory.columns) {
        const ShownUnit shown = of(column.unit, largest[column.unit]);
        out.columns.push_back({column.name, shown.unit});
        factors.push_back(shown.factor);
        noise.push_back(column.name == "t" ? 0 : rounding * largest[column.unit]);
    }
    std::vector<double> row(out.columns.size());
    for (std::size_t r = 0; r < trajectory.rows(); ++r) {
        const auto from = trajectory.row(r);
        for (std::size_t c = 0; c < row.size(); ++c)
            row[c] = std::abs(from[c]) < noise[c] ? 0 : from[c] * factors[c];
        out.add(row);
    }
    return out;
}

}  // namespace pawl
