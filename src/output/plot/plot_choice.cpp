#include "output/plot/plot_choice.h"

#include <algorithm>

#include <fmt/format.h>

#include "math/tolerances/outside.h"
#include "math/units.h"
#include "output/result/column_names.h"

namespace pawl {

namespace {

using Kind = PlotChoice::Kind;
using Names = std::vector<std::string>;

// What a quantity of a unit is called on an axis that several columns share.
std::string quantity(const std::string& unit) {
    static constexpr std::pair<Dimension, std::string_view> words[] = {
        {dimension::length, "length"},
        {dimension::angle, "angle"},
        {dimension::velocity, "speed"},
        {dimension::angular_velocity, "angular speed"},
        {dimension::force, "force"},
        {dimension::torque, "torque"},
        {dimension::acceleration, "acceleration"},
        {dimension::angular_acceleration, "angular acceleration"}};
    const auto found = parse_unit(unit);
    if (unit.ends_with("J")) return "energy [" + unit + "]";  // the dimension of a torque
    for (const auto& [d, word] : words)
        if (found && found->dimension == d) return std::string(word) + " [" + unit + "]";
    return "[" + unit + "]";
}

std::string spaced(std::string_view name) {
    std::string out(name);
    std::replace(out.begin(), out.end(), '_', ' ');
    return out;
}

class Chooser {
public:
    Chooser(const Trajectory& trajectory, const std::vector<Event>& events,
            const PlotChoice& choice)
        : trajectory_(trajectory), events_(events), choice_(choice) {
        for (std::size_t r = 0; r < trajectory.rows(); ++r)
            if (const double t = trajectory.row(r)[0]; t >= choice.from && t <= choice.to)
                rows_.push_back(r);
    }

    std::optional<Plot> make(std::string& problem) {
        if (rows_.empty())
            problem_ = trajectory_.rows() == 0
                           ? "the trajectory has no rows"
                           : fmt::format(
                                 "no sample lies in that time; the run goes from {:g} s to {:g} s",
                                 trajectory_.row(0)[0], trajectory_.row(trajectory_.rows() - 1)[0]);
        if (problem_.empty()) fill();
        problem = problem_;
        if (!problem.empty()) return std::nullopt;
        return std::move(plot_);
    }

private:
    void fill() {
        switch (choice_.kind) {
            case Kind::history:
                return history();
            case Kind::phase:
                return phase();
            case Kind::delay:
                return delay();
            case Kind::path:
                return path();
            case Kind::contacts:
                return contacts();
            case Kind::switching:
                return switching();
        }
    }

    // ---- columns ----------------------------------------------------------------------------
    [[nodiscard]] bool has(const std::string& name) const { return trajectory_.find(name) >= 0; }
    [[nodiscard]] const Column& column(const std::string& name) const {
        return trajectory_.columns[static_cast<std::size_t>(trajectory_.find(name))];
    }
    [[nodiscard]] std::vector<double> values(const std::string& name) const {
        const auto c = static_cast<std::size_t>(trajectory_.find(name));
        std::vector<double> out;
        out.reserve(rows_.size());
        for (const std::size_t r : rows_) out.push_back(trajectory_.row(r)[c]);
        return out;
    }
    [[nodiscard]] bool moves(const std::string& name) const {
        const std::vector<double> all = values(name);
        const auto [low, high] = std::minmax_element(all.begin(), all.end());
        return *high - *low > tolerance::constant_column * (1 + std::abs(*low));
    }
    // Names that have columns with all these tails.
    [[nodiscard]] Names with_tails(std::initializer_list<const char*> tails) const {
        Names out;
        for (const Column& c : trajectory_.columns) {
            if (!c.name.ends_with(*tails.begin())) continue;
            const std::string stem =
                c.name.substr(0, c.name.size() - std::string_view(*tails.begin()).size());
            if (std::all_of(tails.begin(), tails.end(),
                            [&](const char* tail) { return has(stem + tail); }))
                out.push_back(stem);
        }
        return out;
    }
    [[nodiscard]] Names measures() const { return with_tails({".rate", ""}); }
    [[nodiscard]] Names bodies() const { return with_tails({".angle", ".x", ".y"}); }

    Names matching(const Names& valid, const char* what) {
        return names_fitting(choice_.names, valid, what, problem_);
    }

    // ---- kinds of plot ----------------------------------------------------------------------
    PlotPanel time_panel(const std::string& y_label, const Names& names) {
        PlotPanel panel{"t [s]", y_label, {}, {}, {}};
        for (const std::string& name : names)
            panel.curves.push_back({name, values("t"), values(name)});
        return panel;
    }

    void history() {
        Names all;
        for (const Column& c : trajectory_.columns)
            if (c.name != "t") all.push_back(c.name);
        const Names names = choice_.names.empty() ? default_history() : matching(all, "column");
        std::vector<std::pair<std::string, Names>> by_unit;
        for (const std::string& name : names) {
            const std::string& unit = column(name).unit;
            auto position = std::find_if(by_unit.begin(), by_unit.end(),
                                         [&](const auto& p) { return p.first == unit; });
            if (position == by_unit.end()) position = by_unit.insert(position, {unit, {}});
            position->second.push_back(name);
        }
        for (const auto& [unit, members] : by_unit)
            plot_.panels.push_back(time_panel(
                members.size() == 1 ? members[0] + " [" + unit + "]" : quantity(unit), members));
        if (plot_.panels.empty() && problem_.empty())
            problem_ = "nothing moves in this run; name the columns to plot";
        mark([](const Event&) { return true; });
    }
    [[nodiscard]] Names default_history() const {
        Names out = measures();
        const bool measured = !out.empty();
        for (const std::string& body : bodies())
            for (const char* tail : {".x", ".y", ".angle"})
                if (!measured && moves(body + tail)) out.push_back(body + tail);
        for (const std::string& point : with_tails({".normal", ".gap", ".closed"}))
            if (is_ever_closed(point)) out.push_back(point + ".normal");
        return out;
    }

    void phase() {
        plot_.shared_x = false;
        Names all, names;
        for (const Column& c : trajectory_.columns) all.push_back(c.name);
        names = choice_.names.empty() ? default_phase() : matching(all, "column");
        if (names.empty() && problem_.empty()) problem_ = "nothing moves in this run";
        if (names.size() % 2 != 0 && problem_.empty())
            problem_ =
                fmt::format("a phase portrait takes columns in pairs, across and up; there are {}",
                            names.size());
        if (!problem_.empty()) return;
        const auto label = [&](const std::string& name) {
            return name + " [" + column(name).unit + "]";
        };
        for (std::size_t i = 0; i < names.size(); i += 2) {
            PlotPanel panel{label(names[i]), label(names[i + 1]), {}, {}, {}};
            panel.ends = true;
            panel.curves.push_back(
                {names[i + 1] + " over " + names[i], values(names[i]), values(names[i + 1])});
            plot_.panels.push_back(std::move(panel));
        }
    }
    // Delay portraits: q(t) across, q(t + delay) up, between rows along chords.
    void delay() {
        plot_.shared_x = false;
        Names all, names;
        for (const Column& c : trajectory_.columns) all.push_back(c.name);
        if (choice_.names.empty()) {
            const Names pairs = default_phase();
            for (std::size_t i = 0; i < pairs.size(); i += 2) names.push_back(pairs[i]);
        } else {
            names = matching(all, "column");
        }
        if (!problem_.empty()) return;
        const std::vector<double> t = values("t");
        if (names.empty()) {
            problem_ = "nothing moves in this run";
        } else if (!(choice_.delay > 0)) {
            problem_ = "the delay must be positive";
        } else if (t.empty() || !(t.back() - t.front() > choice_.delay)) {
            problem_ =
                fmt::format("the delay of {:.6g} s is not shorter than what is shown, {:.6g} s",
                            choice_.delay, t.empty() ? 0.0 : t.back() - t.front());
        }
        if (!problem_.empty()) return;
        for (const std::string& name : names) {
            const std::vector<double> now = values(name);
            PlotCurve curve{name + " later over " + name, {}, {}};
            std::size_t later = 0;
            for (std::size_t i = 0; i < t.size(); ++i) {
                const double at = t[i] + choice_.delay;
                while (later < t.size() && t[later] < at) ++later;
                if (later == t.size()) break;
                const double step = t[later] - t[later - 1];
                const double part = step > 0 ? (at - t[later - 1]) / step : 1;
                curve.x.push_back(now[i]);
                curve.y.push_back(now[later - 1] + part * (now[later] - now[later - 1]));
            }
            const std::string& unit = column(name).unit;
            PlotPanel panel{name + " [" + unit + "]",
                            fmt::format("{} {:.6g} s later [{}]", name, choice_.delay, unit),
                            {},
                            {},
                            {}};
            panel.ends = true;
            panel.curves.push_back(std::move(curve));
            plot_.panels.push_back(std::move(panel));
        }
    }
    [[nodiscard]] Names default_phase() const {
        Names out;
        for (const std::string& m : measures())
            if (moves(m)) out.insert(out.end(), {m, m + ".rate"});
        if (!out.empty()) return out;
        for (const std::string& body : bodies())
            for (const auto& [way, speed] :
                 {std::pair{".angle", ".omega"}, {".x", ".vx"}, {".y", ".vy"}})
                if (has(body + speed) && moves(body + way)) {
                    out.insert(out.end(), {body + way, body + speed});
                    break;
                }
        return out;
    }

    void path() {
        plot_.shared_x = false;
        const Names all = with_tails({".x", ".y"});
        Names names = matching(all, "point");
        if (choice_.names.empty()) {
            for (const std::string& name : all)
                if (has(name + ".x.rate")) names.push_back(name);
            for (const std::string& name : bodies())
                if (names.empty() || !has(names[0] + ".x.rate"))
                    if (moves(name + ".x") || moves(name + ".y")) names.push_back(name);
        }
        for (const std::string& name : names) {
            const std::string& unit = column(name + ".x").unit;
            auto position =
                std::find_if(plot_.panels.begin(), plot_.panels.end(),
                             [&](const PlotPanel& p) { return p.x_label == "x [" + unit + "]"; });
            if (position == plot_.panels.end()) {
                position = plot_.panels.insert(
                    position, {"x [" + unit + "]", "y [" + unit + "]", {}, {}, {}});
                position->equal_scales = position->ends = true;
            }
            position->curves.push_back({name, values(name + ".x"), values(name + ".y")});
        }
        if (plot_.panels.empty() && problem_.empty()) problem_ = "no point moves in this run";
    }

    // ---- contacts ---------------------------------------------------------------------------
    [[nodiscard]] bool is_ever_closed(const std::string& point) const {
        const std::vector<double> closed = values(point + ".closed");
        return std::any_of(closed.begin(), closed.end(), [](double c) { return c > 0; });
    }
    static std::string pair_of(const std::string& point) {
        return point.substr(0, point.find('#'));
    }

    Names contact_points() {
        const Names all = with_tails({".gap", ".normal", ".closed"});
        if (all.empty()) {
            problem_ = "this run has no contacts of profiles";
            return {};
        }
        Names out;
        if (choice_.names.empty()) {
            std::copy_if(all.begin(), all.end(), std::back_inserter(out),
                         [&](const std::string& p) { return is_ever_closed(p); });
            if (out.empty())
                problem_ =
                    fmt::format("no contact is closed at any time; name one to see it: {}", all[0]);
            return out;
        }
        Names valid = all;
        for (const std::string& point : all) valid.push_back(pair_of(point));
        const Names named = matching(valid, "contact");
        std::copy_if(all.begin(), all.end(), std::back_inserter(out), [&](const std::string& p) {
            return std::find(named.begin(), named.end(), p) != named.end() ||
                   std::find(named.begin(), named.end(), pair_of(p)) != named.end();
        });
        return out;
    }

    // The times while a contact is closed. Events have two rows, so the borders are exact.
    [[nodiscard]] std::vector<std::pair<double, double>> closed_times(
        const std::string& point) const {
        const std::vector<double> t = values("t"), closed = values(point + ".closed");
        std::vector<std::pair<double, double>> out;
        for (std::size_t i = 0; i < t.size(); ++i) {
            if (!(closed[i] > 0)) continue;
            if (i > 0 && closed[i - 1] > 0)
                out.back().second = t[i];
            else
                out.emplace_back(t[i], t[i]);
        }
        return out;
    }

    // One panel of a contact point; the curves are called by what they are.
    void contact_panel(const std::string& point, const std::string& y_label,
                       std::initializer_list<std::pair<const char*, const char*>> curves) {
        PlotPanel panel{"t [s]", y_label, {}, closed_times(point), "closed"};
        for (const auto& [tail, name] : curves)
            if (has(point + tail))
                panel.curves.push_back({name, values("t"), values(point + tail)});
        if (!panel.curves.empty()) plot_.panels.push_back(std::move(panel));
    }
    void mark_contacts(const Names& points) {
        mark([&](const Event& e) {
            return std::find(points.begin(), points.end(), e.element) != points.end();
        });
    }

    void contacts() {
        const Names points = contact_points();
        for (const std::string& point : points)
            contact_panel(point, point + " force [N]",
                          {{".normal", "normal force"},
                           {".static", "static part"},
                           {".dynamic", "dynamic part"},
                           {".friction", "friction"}});
        mark_contacts(points);
    }
    void switching() {
        const Names points = contact_points();
        for (const std::string& point : points) {
            contact_panel(point, point + " gap [m]", {{".gap", "gap"}});
            contact_panel(point, point + " force [N]", {{".normal", "normal force"}});
            contact_panel(point, point + " place [1]",
                          {{".a", "place on a"}, {".b", "place on b"}});
            contact_panel(point, point + " slip [m/s]", {{".slip", "slip speed"}});
        }
        mark_contacts(points);
    }

    // ---- events -----------------------------------------------------------------------------
    // Events at one time share a line: "impact, contact formed C#1".
    template <class Wanted>
    void mark(Wanted&& wanted) {
        const double first = trajectory_.row(rows_.front())[0],
                     last = trajectory_.row(rows_.back())[0];
        const Event* before = nullptr;
        for (const Event& e : events_) {
            const std::string kind(event_name(e.kind));
            if (choice_.events && std::find(choice_.events->begin(), choice_.events->end(), kind) ==
                                      choice_.events->end())
                continue;
            if (e.t < first || e.t > last || !wanted(e)) continue;
            if (before && e.t - before->t <= tolerance::same_time * (1 + e.t)) {
                std::string& label = plot_.marks.back().label;
                const std::string tail = " " + before->element;
                const bool same = before->element == e.element && label.ends_with(tail);
                if (same) label.resize(label.size() - tail.size());
                label += ", " + spaced(kind) + " " + e.element;
            } else {
                plot_.marks.push_back({e.t, spaced(kind) + " " + e.element});
            }
            before = &e;
        }
        std::sort(plot_.marks.begin(), plot_.marks.end(),
                  [](const PlotMark& a, const PlotMark& b) { return a.x < b.x; });
    }

    const Trajectory& trajectory_;
    const std::vector<Event>& events_;
    const PlotChoice& choice_;
    std::vector<std::size_t> rows_;
    Plot plot_;
    std::string problem_;
};

}  // namespace

std::optional<Plot> make_plot(const Trajectory& trajectory, const std::vector<Event>& events,
                              const PlotChoice& choice, std::string& problem) {
    return Chooser(trajectory, events, choice).make(problem);
}

}  // namespace pawl
