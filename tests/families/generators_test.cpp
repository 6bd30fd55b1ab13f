// Models from `pawl new` over random numbers, sound and unsound ones: each is refused with a
// reason, or runs to its end, passes its audit and does what the mechanism is for.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "face/model.h"
#include "families/family.h"
#include "generators/generator.h"
#include "support/soak.h"

namespace pawl::test {
namespace PAWL_TEST_FILE {

using Values = std::vector<std::pair<std::string, std::string>>;
constexpr double pi = std::numbers::pi;

std::string mm(double x) { return fmt::format("{:.6g} mm", x); }
std::string deg(double x) { return fmt::format("{:.6g} deg", x); }
std::string num(double x) { return fmt::format("{:.6g}", x); }

// Numbers of a mechanism, each given or left to the generator.
class Draw {
public:
    Draw(Random& random, double given) : random_(random), given_(given) {}
    void add(const char* name, const std::string& value) {
        if (random_.chance(given_)) values.emplace_back(name, value);
    }
    Values values;

private:
    Random& random_;
    double given_;
};

Values draw_linkage(const std::string& kind, Random& r, double size) {
    Draw d(r, 0.9);
    if (kind == "fourbar") {
        for (const char* bar : {"frame", "crank", "coupler", "rocker"})
            d.add(bar, mm(size * r.log_between(0.3, 3)));
        d.add("assembly", r.chance(0.5) ? "open" : "crossed");
    } else if (kind == "slider_crank") {
        d.add("crank", mm(size * r.log_between(0.3, 2)));
        d.add("rod", mm(size * r.log_between(1, 8)));
        d.add("offset", mm(size * r.between(-0.7, 0.7)));
    } else {
        std::string teeth;
        const int wheels = 2 * (1 + r.below(5));
        for (int i = 0; i < wheels; ++i) teeth += fmt::format("{} ", 12 + r.below(100));
        d.add("teeth", teeth);
        d.add("load", fmt::format("{:.4g} N m", r.between(0, 5)));
    }
    d.add("speed", fmt::format("{:.4g} rpm", r.log_between(5, 3000)));
    return d.values;
}

Values draw_cam(Random& r, double size) {
    const char* laws[] = {"cycloidal", "harmonic",      "poly345",
                          "poly4567",  "modified_sine", "modified_trapezoid"};
    const char* followers[] = {"roller", "flat", "knife"};
    Draw d(r, 0.8);
    const bool swings = r.chance(0.5);
    d.values = {{"follower", followers[r.below(3)]},
                {"motion", swings ? "swinging" : "translating"}};
    d.add("rise_law", laws[r.below(6)]);
    d.add("return_law", laws[r.below(6)]);
    d.values.emplace_back("base", mm(size));
    d.add("roller", mm(size * r.between(0.05, 0.4)));
    if (!swings)
        d.add("offset", mm(d.values[0].second == "flat" ? 0 : size * r.between(-0.4, 0.4)));
    d.values.emplace_back("lift", mm(size * r.log_between(0.05, 0.8)));
    d.add("swing", deg(r.between(2, 20)));
    d.add("rise", deg(r.between(50, 150)));
    d.add("high", deg(r.chance(0.3) ? 0 : r.between(5, 60)));
    d.add("return", deg(r.between(50, 150)));
    d.add("speed", fmt::format("{:.4g} rpm", r.log_between(20, 1000)));
    if (r.chance(0.25)) {  // a smooth table
        std::string table;
        const double height = swings ? r.between(2, 10) : size * r.between(0.05, 0.3);
        const int n = 8 + r.below(40);
        const double phase = r.between(0, 2 * pi);
        for (int i = 0; i < n; ++i)
            table += num(height * (1 - std::cos(2 * pi * i / n + phase))) + ", ";
        d.values.emplace_back("table", table);
    }
    return d.values;
}

Values draw_numbers(const std::string& kind, Random& r) {
    const double size = r.log_between(5, 300);
    Draw d(r, 0.7);
    if (kind == "cam") return draw_cam(r, size);
    if (kind == "geneva") {
        d.add("slots", std::to_string(2 + r.below(12)));
        d.values.emplace_back("centres", mm(2 * size));
        if (r.chance(0.3)) d.add("pin", mm(size * r.between(0.02, 0.2)));
        d.values.emplace_back("clearance", mm(size * r.between(1e-4, 1e-3)));
        d.values.emplace_back("play", mm(size * r.between(1e-4, 2e-3)));
        d.add("speed", fmt::format("{:.4g} rpm", r.log_between(10, 200)));
    } else if (kind == "ratchet") {
        d.add("teeth", std::to_string(4 + r.below(60)));
        d.values.emplace_back("radius", mm(size));
        if (r.chance(0.3)) d.add("height", mm(size * r.between(0.02, 0.3)));
        if (r.chance(0.2)) d.add("pivot_y", mm(size * r.between(0.5, 1.3)));
        d.add("restitution", num(r.between(0, 0.9)));
    } else if (kind == "escapement") {
        const int teeth = 10 + r.below(50);
        d.values.emplace_back("teeth", std::to_string(teeth));
        d.values.emplace_back(
            "span", std::to_string(std::max(1, static_cast<int>(teeth * r.between(0.12, 0.32)))));
        d.values.emplace_back("radius", mm(size));
        d.add("lock", deg(r.between(-0.2, 1.5)));
        d.add("lift", deg(r.between(1, 3.5)));
        d.values.emplace_back("drop", deg(360.0 / teeth * r.between(0.04, 0.15)));
        d.add("amplitude", deg(r.between(1.5, 5)));
        d.add("period", fmt::format("{:.4g} s", r.log_between(0.3, 2)));
        d.add("restitution", num(r.between(0, 0.5)));
    } else if (kind == "latch") {
        d.add("pin", mm(r.between(2, 12)));
        d.add("depth", mm(r.between(1, 8)));
        d.add("ramp", deg(r.between(10, 75)));
        d.add("speed", fmt::format("{:.4g} m/s", r.between(0.2, 2)));
        d.add("friction", num(r.between(0, 0.6)));
        d.add("restitution", num(r.between(0, 0.7)));
        d.add("bolt_mass", fmt::format("{:.4g} kg", r.log_between(0.01, 0.3)));
        d.add("preload", fmt::format("{:.4g} N", r.between(1, 20)));
    } else {
        return draw_linkage(kind, r, size);
    }
    return d.values;
}

double number_of(const Values& values, const std::string& name, double otherwise) {
    for (const auto& [key, text] : values)
        if (key == name) return std::stod(text);
    return otherwise;
}

// What is wrong with the end of a run; empty: nothing.
std::string purpose_missed(const std::string& kind, const Values& values, const Result& result) {
    const auto last = [&](const char* name) { return result.column(name).back(); };
    if (kind == "geneva") {  // two turns, two steps of the wheel, within the play of the lock
        const double slots = number_of(values, "slots", 4), c = number_of(values, "centres", 100);
        const double moved = pi - last("wheel.angle") - 4 * pi / slots;
        const double play = number_of(values, "play", 0.05) / (c * std::sin(pi / slots));
        return std::abs(moved) < 20 * play ? "" : fmt::format("the wheel is {} rad off", moved);
    }
    if (kind == "latch") {
        const double pin = number_of(values, "pin", 5) / 1000;
        return std::abs(last("door.x") - pin) < 1e-6 ? "" : "the door is not held";
    }
    if (kind == "escapement") {  // a tooth in every period, from somewhere in the first to
                                 // somewhere in the last
        const auto angle = result.column("wheel.angle");
        const double turned =
            (angle.front() - angle.back()) / (2 * pi) * number_of(values, "teeth", 30);
        return std::abs(turned - 10) < 1.1 ? "" : fmt::format("{} teeth in 10 periods", turned);
    }
    if (kind == "ratchet") {  // whole teeth, within what the nose leaves
        const double pitch = 2 * pi / number_of(values, "teeth", 12);
        const double off = std::remainder(last("wheel.angle") - pi / 2, pitch);
        return std::abs(off) < 1e-6 * pitch ? "" : fmt::format("the wheel rests {} rad off", off);
    }
    if (kind == "cam") {
        const auto lift = result.column("follower_lift");
        return *std::min_element(lift.begin(), lift.end()) > -1e-6 ? "" : "the follower sinks in";
    }
    return "";
}

std::string given_as(const Values& values) {
    std::string out;
    for (const auto& [name, value] : values) out += fmt::format(" {}=\"{}\"", name, value);
    return out;
}

class Generators : public testing::TestWithParam<std::string> {};

TEST_P(Generators, run_and_pass_their_audit_or_are_refused_with_a_reason) {
    const std::string kind = GetParam();
    int sound = 0, refused = 0, missed = 0;
    std::map<std::string, int> reasons;
    const int models = soaked(40);
    for (int seed = 0; seed < models; ++seed) {
        if (only_seed() && *only_seed() != static_cast<std::uint64_t>(seed)) continue;
        Random random(Family::stream("new " + kind) + static_cast<std::uint64_t>(seed));
        const Values values = draw_numbers(kind, random);
        const std::string label =
            fmt::format("seed {}: pawl new {}{}", seed, kind, given_as(values));
        const NewModel made = new_model(kind, values);
        if (made.text.empty()) {
            ASSERT_FALSE(made.problems.empty()) << label;
            for (const std::string& reason : made.problems) {
                EXPECT_GT(reason.size(), 20u) << label;
                ++reasons[reason.substr(0, 30)];
            }
            ++refused;
            continue;
        }
        Diagnostics problems;
        const auto model = Model::read(made.text, problems, kind + ".toml");
        ASSERT_TRUE(model) << label << '\n' << problems.text();
        const Result result = model->analyse();
        EXPECT_TRUE(result.is_complete()) << label << '\n' << result.message();
        for (const AuditCheck& check : result.audit().checks)
            EXPECT_TRUE(check.passed())
                << label << '\n'
                << check.name << ' ' << check.value() << " > " << check.limit;
        if (!result.is_complete()) continue;
        const std::string fault = purpose_missed(kind, values, result);
        EXPECT_TRUE(fault.empty()) << label << '\n' << fault;
        fault.empty() ? ++sound : ++missed;
    }
    fmt::print("{}: {} sound, {} refused, {} missed\n", kind, sound, refused, missed);
    for (const auto& [reason, count] : reasons) fmt::print("  {} x {}...\n", count, reason);
    if (!only_seed()) {
        EXPECT_GE(sound, models / 8) << "too few are left of " << models;
    }
}

INSTANTIATE_TEST_SUITE_P(All, Generators,
                         testing::Values("fourbar", "slider_crank", "cam", "geneva", "ratchet",
                                         "escapement", "latch", "gear_train"),
                         [](const auto& info) { return info.param; });

}  // namespace PAWL_TEST_FILE
}  // namespace pawl::test
