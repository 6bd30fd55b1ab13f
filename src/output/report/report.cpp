#include "output/report/report.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "math/tolerances/outside.h"
#include "output/drawing/graph_picture.h"
#include "output/report/html_text.h"
#include "output/report/moving_picture.h"
#include "output/report/player_files.h"
#include "output/svg/svg_text.h"
#include "results/text.h"
#include "simulation/placement/mobility.h"
#include "version.h"

namespace pawl {

namespace {

using drawing::escaped;
using namespace html;
using Json = nlohmann::ordered_json;

constexpr std::string_view mark_of_report = "<meta name=\"generator\" content=\"pawl ";

std::string_view player_file(std::string_view name) {
    for (const PlayerFile& file : player_files())
        if (file.name == name) return file.text;
    return {};
}

// The template with every {{name}} replaced. Replacements are not searched again.
std::string filled(std::string_view text, const std::map<std::string, std::string>& values) {
    std::string out;
    while (true) {
        const std::size_t open = text.find("{{"), close = text.find("}}", open);
        out += text.substr(0, open);
        if (close == std::string_view::npos) return out;
        out += values.at(std::string(text.substr(open + 2, close - open - 2)));
        text.remove_prefix(close + 2);
    }
}

// As text inside a script element: no tag can begin in it.
std::string inside_script(const std::string& json) {
    std::string out;
    for (const char c : json) out += c == '<' ? "\\u003c" : std::string(1, c);
    return out;
}

std::string value_text(const Json& value) {
    if (value.is_number_float()) return number_text(value.get<double>());
    if (value.is_string()) return value.get<std::string>();
    if (value.is_array()) {
        std::vector<std::string> parts;
        for (const Json& v : value) parts.push_back(value_text(v));
        return parts.empty() ? "none" : joined(parts);
    }
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// An entry, or null where there is none.
const Json& part(const Json& object, const char* key) {
    static const Json none;
    const auto found = object.find(key);
    return found == object.end() ? none : *found;
}

// A number that was not finite is null in JSON.
double number_of(const Json& value) { return value.is_number() ? value.get<double>() : NAN; }

// "end_s" with 0.3 reads "end: 0.3 s".
std::string pairs_of(const Json& object) {
    static constexpr std::pair<std::string_view, std::string_view> units[] = {
        {"_s", " s"}, {"_m", " m"}, {"_J", " J"}, {"_N", " N"}};
    std::vector<std::pair<std::string, std::string>> list;
    for (const auto& [key, value] : object.items()) {
        std::string name = key, text = value_text(value);
        for (const auto& [tail, unit] : units)
            if (name.ends_with(tail)) {
                name.resize(name.size() - tail.size());
                text += unit;
                break;
            }
        list.emplace_back(words(name), text);
    }
    return pairs(list);
}

class ReportMaker {
public:
    ReportMaker(const StoredResult& result, const PlacedMechanism& placed)
        : result_(result),
          placed_(placed),
          mechanism_(placed.mechanism),
          summary_(Json::parse(result.summary)) {}

    std::string make() {
        const MovingPicture picture = moving_picture(result_, placed_);
        const ReportData& data = picture.data;
        std::string blocks;
        for (std::size_t i = 0; i < data.blocks.size(); ++i)
            blocks += fmt::format("<script type=\"text/plain\" id=\"pawl-{}\">{}</script>\n", i,
                                  data.blocks[i]);
        const std::string file =
            std::filesystem::path(at("/model/file", "model.toml")).filename().string();
        const auto lines = std::count(result_.model.begin(), result_.model.end(), '\n');
        return filled(player_file("page"),
                      {{"version", std::string(version())},
                       {"title", escaped(title())},
                       {"style", std::string(player_file("style"))},
                       {"player", std::string(player_file("player"))},
                       {"policy", std::string(player_file("policy"))},
                       {"facts", facts(file)},
                       {"verdicts", verdicts()},
                       {"notes", notes()},
                       {"stage", picture.stage},
                       {"no_events", result_.events.empty() ? "<p>No events.</p>" : ""},
                       {"audit", audit()},
                       {"ledger", ledger()},
                       {"topology", topology()},
                       {"model_file", escaped(file)},
                       {"model_lines", std::to_string(lines)},
                       {"model", escaped(result_.model)},
                       {"options", options()},
                       {"thinned", thinned(data)},
                       {"data", inside_script(data.description)},
                       {"blocks", blocks}});
    }

private:
    [[nodiscard]] std::string at(const char* pointer, const char* otherwise) const {
        const Json::json_pointer found(pointer);
        return summary_.contains(found) && summary_[found].is_string()
                   ? summary_[found].get<std::string>()
                   : otherwise;
    }
    [[nodiscard]] std::string title() const {
        return mechanism_.name.empty() ? "A mechanism" : mechanism_.name;
    }

    [[nodiscard]] std::string facts(const std::string& file) const {
        const double end = result_.trajectory.rows() == 0
                               ? 0
                               : result_.trajectory.row(result_.trajectory.rows() - 1)[0];
        const auto count = [](std::size_t n, const char* what) {
            return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
        };
        return fmt::format("{} of {}, {} s, {}, {}", escaped(at("/analysis", "run")), escaped(file),
                           number_text(end), count(result_.trajectory.rows(), "sample"),
                           count(result_.events.size(), "event"));
    }
    [[nodiscard]] std::string verdicts() const {
        const std::string status = at("/status", ""), verdict = at("/audit/verdict", "");
        std::string out;
        if (!status.empty())
            out += badge(words(status), status == "completed" || status == "balanced");
        if (!verdict.empty()) out += badge("audit " + verdict, verdict == "passed");
        return out;
    }
    [[nodiscard]] std::string notes() const {
        std::string out;
        if (const std::string m = at("/message", ""); !m.empty())
            out += "<p class='message' role='alert'>" + escaped(m) + "</p>\n";
        if (summary_.contains("warnings"))
            for (const Json& w : summary_["warnings"])
                out += "<p class='note'>Warning: " + escaped(value_text(w)) + "</p>\n";
        return out;
    }

    [[nodiscard]] std::string audit() const {
        if (!summary_.contains("audit")) return "<p>This analysis has no audit.</p>";
        const Json& audit = summary_["audit"];
        if (!audit.contains("checks")) return pairs_of(audit);
        std::string rows;
        for (const Json& c : part(audit, "checks"))
            rows += row({{value_text(part(c, "name"))},
                         {number_text(number_of(part(c, "value")), 3), true},
                         {number_text(number_of(part(c, "limit")), 3), true},
                         {part(c, "unit") == "1" ? "" : value_text(part(c, "unit"))},
                         {part(c, "passed") == true ? "passed" : "FAILED"},
                         {value_text(part(c, "inequality"))}});
        return table(
            "checks", "Checks of this run",
            {{"check"}, {"largest", true}, {"limit", true}, {"unit"}, {"verdict"}, {"inequality"}},
            rows);
    }
    [[nodiscard]] std::string ledger() const {
        if (!summary_.contains("/audit/ledger"_json_pointer)) return {};
        const Json& audit = summary_["audit"];
        // Beside the largest number, less than this is rounding.
        constexpr double rounding = tolerance::shown_rounding;
        double largest = std::abs(number_of(part(audit, "kinetic_change_J")));
        for (const Json& l : part(audit, "ledger"))
            for (const char* what : {"stored_J", "work_J"})
                largest = std::max(largest, std::abs(number_of(part(l, what))));
        const auto joules = [&](const Json& v) {
            const double value = number_of(v);
            return Cell{number_text(std::abs(value) <= rounding * largest ? 0.0 : value), true};
        };
        std::string rows;
        for (const Json& l : part(audit, "ledger"))
            rows += row({{value_text(part(l, "element"))},
                         joules(part(l, "stored_J")),
                         joules(part(l, "work_J"))});
        rows += row({{"kinetic energy"}, joules(part(audit, "kinetic_change_J")), {"", true}});
        return table("ledger",
                     "Ledger at the end: energy stored by each element, and its work on the "
                     "mechanism (negative: taken from it)",
                     {{"element"}, {"stored [J]", true}, {"work [J]", true}}, rows);
    }

    [[nodiscard]] std::string topology() const {
        const Mobility m = analyse_mobility(placed_);
        const Topology& g = placed_.topology;
        std::string out = fmt::format(
            "<p>Grübler's count 3 × {} − {} = {}; actual degrees of freedom {} here, {} nearby{}; "
            "{} {}.</p>\n",
            m.bodies, m.joint_rows, m.gruebler, m.freedoms_here, m.freedoms_nearby,
            m.singular_here() ? " (singular position)" : "", m.drivers,
            m.drivers == 1 ? "driver" : "drivers");
        if (!m.independent.empty())
            out += "<p>Independent coordinates: " + escaped(joined(m.independent)) + ".</p>\n";
        for (const RedundantRow& r : m.redundant)
            out +=
                "<p>Redundant: " +
                escaped(r.row + (r.implied_by.empty() ? " has no effect"
                                                      : " is implied by " + joined(r.implied_by))) +
                ".</p>\n";
        std::vector<GraphState> states = graph_states(result_.trajectory, m.freedoms_nearby);
        if (states.empty()) states.push_back({});  // the links alone
        out += "<figure class='topology'>" + html_graphs(g, states) + "</figure>\n";
        const auto name = [&](int link) { return g.links[static_cast<std::size_t>(link)]; };
        std::string edges;
        for (std::size_t i = 0; i < g.edges.size(); ++i) {
            const Edge& e = g.edges[i];
            const bool branch =
                std::find(g.branches.begin(), g.branches.end(), i) != g.branches.end();
            edges += row({{e.name},
                          {e.kind},
                          {name(e.a) + " – " + name(e.b)},
                          {e.is_contact ? "contact"
                           : branch     ? "tree"
                                        : "closes a loop"}});
        }
        out += "<div class='columns'>" + table("links", "Links and joints",
                                               {{"name"}, {"kind"}, {"between"}, {"in the graph"}},
                                               edges);
        std::string loops;
        for (const Loop& l : g.loops) {
            std::vector<std::string> links;
            for (const int i : l.links) links.push_back(name(i));
            loops +=
                row({{joined(links, " – ")}, {g.edges[static_cast<std::size_t>(l.chord)].name}});
        }
        if (!loops.empty()) out += table("loops", "Loops", {{"links"}, {"closed by"}}, loops);
        return out + "</div>";
    }

    [[nodiscard]] std::string options() const {
        Json all{{"pawl", at("/pawl", "")},
                 {"result format", part(summary_, "format")},
                 {"model's fingerprint", at("/model/hash", "")}};
        for (const char* part : {"options", "statistics", "timing"})
            if (summary_.contains(part) && summary_[part].is_object()) all.update(summary_[part]);
        return pairs_of(all);
    }
    [[nodiscard]] std::string thinned(const ReportData& data) const {
        const std::size_t n = result_.trajectory.rows();
        std::string out;
        if (data.rows < n)
            out += fmt::format(
                "The animation uses {} of the {} samples, including all events{}. ", data.rows, n,
                data.off > 0
                    ? fmt::format(", and shows the others to within {:.2g} pixels", data.off)
                    : "");
        if (data.spans > 0)
            out += fmt::format("Plots show the lowest and highest value in each of {} spans. ",
                               data.spans);
        if (!out.empty()) out += "All samples are in trajectory.csv.";
        return out;
    }

    const StoredResult& result_;
    const PlacedMechanism& placed_;
    const PlanarMechanism& mechanism_;
    Json summary_;
};

}  // namespace

std::string report(const StoredResult& result, const PlacedMechanism& placed) {
    return ReportMaker(result, placed).make();
}

bool is_report(std::string_view text) {
    return text.substr(0, 1000).find(mark_of_report) != std::string_view::npos;
}

}  // namespace pawl
