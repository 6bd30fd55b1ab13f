// Work and precision of dynamic runs with contacts and friction: for each tolerance the largest
// error of the event times (B6: of the path) against closed forms and the seconds of one simulated
// second (medians of turns taken; seconds of the thread on its core), and whether the goals are
// met. The models are those of the folder models/, read and assembled before the clock starts; few
// outputs, no reactions. usage: contacts [table.csv]
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "mechanism/joint_kind.h"
#include "timing.h"
#include "workloads.h"

namespace {

using namespace pawl;
using bench::median_seconds;
using bench::options_for;
using bench::run;

struct Timing {
    double tolerance = 0, error = 0, seconds = 0, wall = 0;
    long steps = 0, evaluations = 0;
    std::size_t events = 0;
};

PlacedMechanism model(const std::string& name, const Overrides& overrides = {}) {
    Diagnostics diagnostics;
    auto read =
        read_model_file(PAWL_SOURCE_DIR "/models/" + name + ".toml", overrides, diagnostics);
    if (!read) throw std::runtime_error(diagnostics.text());
    return assemble(std::move(read->mechanism));
}

// Seconds of one simulated second, on the core and on the wall.
void time(const PlacedMechanism& placed, const DynamicOptions& options, Timing& m) {
    const auto once = [&] { run(placed, options); };
    m.seconds = median_seconds(once, [] {}).first / options.end;
    m.wall = median_seconds(
                 once, [] {}, bench::wall_seconds)
                 .first /
             options.end;
}

Timing measure(const PlacedMechanism& placed, const DynamicOptions& options, const auto& error_of) {
    Timing m;
    const DynamicResult result = run(placed, options);
    m.tolerance = options.rtol;
    m.error = error_of(result);
    m.steps = result.statistics.steps;
    m.evaluations = result.statistics.evaluations;
    m.events = result.events.size();
    time(placed, options, m);
    return m;
}

std::vector<double> times_of(const DynamicResult& result, EventKind kind) {
    std::vector<double> out;
    for (const Event& e : result.events)
        if (e.kind == kind) out.push_back(e.t);
    return out;
}

double worst(const std::vector<double>& found, const std::vector<double>& exact) {
    if (found.size() < exact.size()) return INFINITY;
    double error = 0;
    for (std::size_t i = 0; i < exact.size(); ++i)
        error = std::max(error, std::abs(found[i] - exact[i]));
    return error;
}

// B4: impact n at t1 (1 + 2 (e + ... + e^n)), at rest from t1 (1 + e) / (1 - e).
double bounce_error(const DynamicResult& result) {
    const double e = 0.8, first = std::sqrt(2 / 9.81);
    std::vector<double> impacts = times_of(result, EventKind::impact);
    std::vector<double> exact{first};
    for (double hop = 2 * e * first; exact.size() < impacts.size(); hop *= e)
        exact.push_back(exact.back() + hop);
    return std::max(worst(impacts, exact), worst(times_of(result, EventKind::contact_formed),
                                                 {first * (1 + e) / (1 - e)}));
}

// B5 by the closed form of the flight, each found from the one before. On the cam, about mid-lift:
// y = r sin wt, force N = k y + m (y'' + g); off it, y = -d + A cos + B sin of W (t - t0), with
// W^2 = k/m, d = m g/k.
double liftoff_error(const DynamicResult& result) {
    constexpr double r = 0.02, w = 40, m = 0.5, k = 500, g = 9.81;
    const double W = std::sqrt(k / m), d = m * g / k;
    const auto zero = [](const auto& f, double low, double high) {
        for (int i = 0; i < 200 && high - low > 1e-16; ++i) {
            const double middle = 0.5 * (low + high);
            ((f(middle) > 0) == (f(low) > 0) ? low : high) = middle;
        }
        return 0.5 * (low + high);
    };
    const auto first_change = [&](const auto& f, double from) {
        constexpr double h = 1e-5;
        double t = from;
        while ((f(t) > 0) == (f(t + h) > 0)) t += h;
        return zero(f, t, t + h);
    };
    const auto force = [&](double t) {
        return k * r * std::sin(w * t) - m * r * w * w * std::sin(w * t) + m * g;
    };
    std::vector<double> lost, formed;
    for (double t = 0; t < 1;) {
        const double off =
            first_change(force, force(t) > 0 ? t : first_change(force, t + 1e-5) + 1e-9);
        if (off > 1) break;
        lost.push_back(off);
        const double a = r * std::sin(w * off) + d, b = r * w * std::cos(w * off) / W;
        const auto gap = [&](double s) {
            return -d + a * std::cos(W * (s - off)) + b * std::sin(W * (s - off)) -
                   r * std::sin(w * s);
        };
        t = first_change(gap, off + 1e-3);
        if (t < 1) formed.push_back(t);
    }
    const auto found = times_of(result, EventKind::contact_formed);
    // The first one formed is that of the start.
    return std::max(worst(times_of(result, EventKind::contact_lost), lost),
                    worst({found.begin() + 1, found.end()}, formed));
}

// B6: the path after five seconds in closed form; five slips, five reversals, five sticks.
double path_error(const DynamicResult& result) {
    for (const EventKind kind : {EventKind::slip, EventKind::slip_reversal, EventKind::stick})
        if (times_of(result, kind).size() != 5) return INFINITY;
    const int path = result.trajectory.find("path");
    return std::abs(result.trajectory.row(result.trajectory.rows() - 1)[path] - 2.01471329581682);
}

// A thousand periods of stick-slip: the n-th slip begins at 0.3924 s and n - 1 periods.
double belt_error(const DynamicResult& result) {
    constexpr double d = 0.00981, w = 10, v = 0.1;
    const double period = 2 / w * (std::numbers::pi - std::atan(d * w / v)) + 2 * d / v;
    std::vector<double> exact;
    for (int n = 0; n <= 1000; ++n) exact.push_back(0.3924 + n * period);
    const auto found = times_of(result, EventKind::slip);
    if (found.size() != exact.size() || times_of(result, EventKind::stick).size() != 1000)
        return INFINITY;
    return worst(found, exact);
}

class Table {
public:
    explicit Table(const char* path) : file_(path ? std::fopen(path, "w") : nullptr) {
        if (path && !file_) throw std::runtime_error(fmt::format("cannot write {}", path));
        if (file_)
            fmt::print(file_, "workload,tolerance,error,s/s,wall s/s,steps,evaluations,events\n");
        fmt::print("{:14} {:>7} {:>10} {:>9} {:>9} {:>7} {:>11} {:>6}\n", "workload", "tol",
                   "error", "s/s", "wall s/s", "steps", "evaluations", "events");
    }
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;
    ~Table() {
        if (file_) std::fclose(file_);
    }
    void add(const std::string& name, const Timing& m) {
        fmt::print("{:14} {:7.0e} {:10.1e} {:9.2e} {:9.2e} {:7} {:11} {:6}\n", name, m.tolerance,
                   m.error, m.seconds, m.wall, m.steps, m.evaluations, m.events);
        if (file_)
            fmt::print(file_, "{},{},{},{},{},{},{},{}\n", name, m.tolerance, m.error, m.seconds,
                       m.wall, m.steps, m.evaluations, m.events);
        std::fflush(stdout);
    }

private:
    std::FILE* file_;
};

// The fastest run whose error counts, against the goal.
void measure_series(Table& table, const std::string& name, const PlacedMechanism& placed,
                    double duration, double output_step, const std::vector<double>& tolerances,
                    const auto& error_of, double largest_error, double goal,
                    const char* unit = "s") {
    double best = INFINITY;
    for (const double tolerance : tolerances) {
        const Timing m = measure(placed, options_for(duration, output_step, tolerance), error_of);
        table.add(name, m);
        if (m.error <= largest_error) best = std::min(best, m.seconds);
    }
    fmt::print("{} at {:.0e} {}: {:.2e} s/s, goal {:.1e} {}\n", name, largest_error, unit, best,
               goal, best <= goal ? "met" : "missed");
}

// What one bounce costs beyond the flight: a ball that bounces without loss against one that
// falls as long without a floor, over the impacts.
void measure_event() {
    const auto ball = [](const char* floor) {
        return assemble(workload::mechanism(
            std::string("format = 1\n[body.ball]\nposition = [0, 0.2]\nmass = 1\ninertia = 1\n"
                        "[force.weight]\ntype = \"gravity\"\n"
                        "[profile.ball]\nbody = \"ball\"\n"
                        "elements = [{ type = \"circle\", radius = 0.1 }]\n"
                        "[profile.floor]\nbody = \"ground\"\nelements = "
                        "[{ type = \"line\", from = [1, ") +
            floor + "], to = [-1, " + floor + "] }]\n[contact.C]\na = \"floor\"\nb = \"ball\"\n" +
            "restitution = 1\n"));
    };
    const PlacedMechanism near = ball("0"), far = ball("-1000");
    const DynamicOptions options = options_for(10, 10, 1e-9);
    const DynamicResult bounced = run(near, options), fell = run(far, options);
    const auto [with, without] =
        median_seconds([&] { run(near, options); }, [&] { run(far, options); });
    fmt::print(
        "one impact (location, impulse, restart): {:.1f} us over {} impacts; {} steps and {} "
        "evaluations, without impacts {} and {}\n",
        1e6 * (with - without) / static_cast<double>(bounced.events.size()), bounced.events.size(),
        bounced.statistics.steps, bounced.statistics.evaluations, fell.statistics.steps,
        fell.statistics.evaluations);
}

// Slider-crank with play in the wrist pin at 5000 rpm, ten turns, with friction: compliant as in
// the file, and rigid.
void measure_play(Table& table) {
    PlacedMechanism placed = model("slider_crank_clearance");
    const DynamicOptions options = options_for(0.12, 0.12, 1e-9);
    const auto no_error = [](const DynamicResult&) { return NAN; };
    for (const bool rigid : {false, true}) {
        if (rigid)
            for (auto& joint : placed.mechanism.joints)
                if (auto* pin = std::get_if<Revolute<PlanarSpace>>(&*joint.kind);
                    pin && pin->contact)
                    pin->contact->law = RigidContact<double>{};
        const Timing m = measure(placed, options, no_error);
        table.add(rigid ? "play rigid" : "play compliant", m);
        fmt::print("slider-crank with play, {}: {:.2f} s for ten turns at 5000 rpm, goal 1 {}\n",
                   rigid ? "rigid" : "compliant", m.seconds * options.end,
                   m.seconds * options.end < 1 ? "met" : "missed");
    }
}

}  // namespace

int main(int argc, char** argv) {
    Table table(argc > 1 ? argv[1] : nullptr);
    measure_series(table, "B4 ball", model("bouncing_ball"), 10, 10,
                   {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-11}, bounce_error, 1e-9, 7e-5);
    measure_series(table, "B5 cam", model("cam_liftoff"), 1, 1,
                   {1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12}, liftoff_error, 1e-8, 5e-4);
    measure_series(table, "B6 stick-slip", model("stick_slip_incline"), 5, 0.1,
                   {1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11}, path_error, 1e-8, 4.5e-4, "m");
    table.add("belt, 1000",
              measure(model("stick_slip_belt"), options_for(670, 670, 1e-11), belt_error));
    const auto no_error = [](const DynamicResult&) { return NAN; };
    const Timing push =
        measure(model("slider_fourbar", {{"speed", "8 rad/s"}}), options_for(1, 1, 1e-9), no_error);
    table.add("W3 push", push);
    fmt::print("W3 at 8 rad/s: {:.2f} ms for 1 s, goal 10 {}\n", 1e3 * push.seconds,
               push.seconds < 1e-2 ? "met" : "missed");
    const Timing ticks = measure(model("escapement"), options_for(60, 60, 1e-9), no_error);
    table.add("escapement", ticks);
    fmt::print("escapement: {:.0f} times real time, goal 200 {}\n", 1 / ticks.seconds,
               ticks.seconds < 1 / 200.0 ? "met" : "missed");
    measure_play(table);
    measure_event();
}
