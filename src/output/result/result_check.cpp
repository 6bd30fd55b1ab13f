#include "output/result/result_check.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pawl {

namespace {

enum class Kind { text, number, boolean, count, array, object };

struct Entry {
    const char* key;
    Kind kind;
    bool needed = false;
};

std::string_view name_of(Kind kind) {
    switch (kind) {
        case Kind::text:
            return "a text";
        case Kind::number:
            return "a number or null";
        case Kind::boolean:
            return "true or false";
        case Kind::count:
            return "a count";
        case Kind::array:
            return "a list";
        case Kind::object:
            return "an object";
    }
    return "";
}

bool is(const nlohmann::json& value, Kind kind) {
    switch (kind) {
        case Kind::text:
            return value.is_string();
        case Kind::number:
            return value.is_number() || value.is_null();
        case Kind::boolean:
            return value.is_boolean();
        case Kind::count:
            return value.is_number_unsigned();
        case Kind::array:
            return value.is_array();
        case Kind::object:
            return value.is_object();
    }
    return false;
}

// Thrown inside this file only.
struct Misfit {
    std::string text;
};

void check(const nlohmann::json& object, const std::string& path,
           std::initializer_list<Entry> entries) {
    if (!object.is_object()) throw Misfit{path + " must be an object"};
    for (const Entry& entry : entries) {
        const auto found = object.find(entry.key);
        const std::string name = path + "/" + entry.key;
        if (found == object.end() && entry.needed) throw Misfit{name + " is missing"};
        if (found != object.end() && !is(*found, entry.kind))
            throw Misfit{name + " must be " + std::string(name_of(entry.kind))};
    }
}

void check_texts(const nlohmann::json& summary, const char* pointer) {
    const nlohmann::json::json_pointer field(pointer);
    if (!summary.contains(field)) return;
    for (std::size_t i = 0; i < summary[field].size(); ++i)
        if (!summary[field][i].is_string())
            throw Misfit{fmt::format("{}/{} must be a text", pointer, i)};
}

void check_audit(const nlohmann::json& audit) {
    check(audit, "/audit",
          {{"verdict", Kind::text, true},
           {"checks", Kind::array},
           {"ledger", Kind::array},
           {"kinetic_change_J", Kind::number, audit.contains("ledger")}});
    const nlohmann::json none = nlohmann::json::array();
    const nlohmann::json& checks = audit.contains("checks") ? audit["checks"] : none;
    for (std::size_t i = 0; i < checks.size(); ++i)
        check(checks[i], "/audit/checks/" + std::to_string(i),
              {{"name", Kind::text, true},
               {"value", Kind::number, true},
               {"limit", Kind::number, true},
               {"unit", Kind::text, true},
               {"inequality", Kind::text, true},
               {"passed", Kind::boolean, true}});
    const nlohmann::json& ledger = audit.contains("ledger") ? audit["ledger"] : none;
    for (std::size_t i = 0; i < ledger.size(); ++i)
        check(ledger[i], "/audit/ledger/" + std::to_string(i),
              {{"element", Kind::text, true},
               {"stored_J", Kind::number, true},
               {"work_J", Kind::number, true}});
}

// Runs write two levels of lists inside an object at most. Deeper texts would only exhaust the
// stack.
constexpr int deepest = 20;
void check_depth(const nlohmann::json& value, int depth) {
    if (depth > deepest) throw Misfit{"its entries are nested too deeply"};
    for (const nlohmann::json& part : value)
        if (part.is_structured()) check_depth(part, depth + 1);
}

// The line of a row in the table; the head is line 1.
std::string location_of(const StoredResult& result, std::size_t row, const std::string& column) {
    return fmt::format("{}:{}: error: {} is ", (result.folder / "trajectory.csv").string(), row + 2,
                       column);
}

constexpr std::string_view advice = "; the file was changed since the run; run the model again";

// How far beyond its elements the coordinate of a contact may lie by rounding. A whole element is
// far more than any rounding, and far less than a number that was damaged.
constexpr double beyond_ends = 1;

std::string contact_problem(const StoredResult& result, const PlanarMechanism& mechanism,
                            const ContactPair<PlanarSpace>& pair, const std::string& name) {
    const Trajectory& t = result.trajectory;
    const int gap = t.find(name + ".gap");
    for (const auto& [tail, profile] :
         {std::pair{".a", pair.profile_a}, std::pair{".b", pair.profile_b}}) {
        const int c = t.find(name + tail);
        if (c < 0 || gap < 0) continue;
        const auto n = static_cast<double>(
            mechanism.profiles[static_cast<std::size_t>(profile)].chain.elements.size());
        for (std::size_t r = 0; r < t.rows(); ++r) {
            if (!std::isfinite(t.row(r)[static_cast<std::size_t>(gap)])) continue;
            const double value = t.row(r)[static_cast<std::size_t>(c)];
            if (!(value >= -beyond_ends && value <= n + beyond_ends))
                return fmt::format("{}{:g}, but its profile has {} elements{}",
                                   location_of(result, r, name + tail), value, n, advice);
        }
    }
    return {};
}

}  // namespace

std::string summary_problem(const std::string& text) {
    try {
        const nlohmann::json summary = nlohmann::json::parse(text, nullptr, false);
        check_depth(summary, 0);
        check(summary, "",
              {{"analysis", Kind::text},
               {"model", Kind::object, true},
               {"options", Kind::object},
               {"status", Kind::text},
               {"message", Kind::text},
               {"warnings", Kind::array},
               {"audit", Kind::object},
               {"events", Kind::array},
               {"statistics", Kind::object},
               {"timing", Kind::object}});
        check(summary["model"], "/model",
              {{"file", Kind::text}, {"name", Kind::text}, {"hash", Kind::text, true}});
        if (summary.contains("options"))
            check(summary["options"], "/options", {{"parameters", Kind::array}});
        if (summary.contains("statistics"))
            check(summary["statistics"], "/statistics", {{"samples", Kind::count}});
        check_texts(summary, "/warnings");
        check_texts(summary, "/options/parameters");
        if (summary.contains("audit")) check_audit(summary["audit"]);
    } catch (const Misfit& misfit) {
        return misfit.text;
    }
    return {};
}

std::string motion_problem(const StoredResult& result, const PlanarMechanism& mechanism) {
    const Trajectory& t = result.trajectory;
    if (t.rows() == 0) return {};
    std::vector<std::pair<std::string, std::size_t>> poses;  // columns
    for (std::size_t b = 1; b < mechanism.bodies.size(); ++b)
        for (const char* tail : {".x", ".y", ".angle"}) {
            const std::string name = mechanism.bodies[b].name + tail;
            const int c = t.find(name);
            if (c < 0)
                return fmt::format("{} has no column '{}'; run the model again",
                                   (result.folder / "trajectory.csv").string(), name);
            poses.emplace_back(name, static_cast<std::size_t>(c));
        }
    for (std::size_t r = 0; r < t.rows(); ++r) {
        const auto row = t.row(r);
        for (const auto& [name, c] : poses)
            if (!std::isfinite(row[c]))
                return fmt::format("{}{}, which is no place{}", location_of(result, r, name),
                                   row[c], advice);
    }
    for (const auto& pair : mechanism.contacts)
        for (int number = 1;; ++number) {
            const std::string name = pair.name + "#" + std::to_string(number);
            if (t.find(name + ".gap") < 0) break;
            if (auto problem = contact_problem(result, mechanism, pair, name); !problem.empty())
                return problem;
        }
    return {};
}

}  // namespace pawl
