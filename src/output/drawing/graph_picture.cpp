#include "output/drawing/graph_picture.h"

#include <algorithm>
#include <cmath>

#include "output/svg/name_layout.h"
#include "output/svg/svg_text.h"

namespace pawl {

namespace {

using Vector = PlanarSpace::Vector;
using namespace drawing;

constexpr double font = smallest_font, letter = mean_letter;
constexpr const char *ink = "#222222", *contact_ink = "#b0003a";

// A line from link to link, bent by `bend` to the left where several join the same
// two.
struct Line {
    Vector a, b, control;
    [[nodiscard]] Vector at(double u) const {
        return (1 - u) * (1 - u) * a + 2 * u * (1 - u) * control + u * u * b;
    }
};

class GraphPage {
public:
    GraphPage(const Topology& graph, const std::string& title,
              const std::vector<GraphState>& states)
        : graph_(graph), title_(title), states_(states) {
        const double n = static_cast<double>(graph.links.size());
        std::size_t longest = 1;
        for (std::size_t i = 1; i < graph.links.size(); ++i)
            longest = std::max(longest, graph.links[i].size());
        radius_ = std::max(16.0, letter * font * static_cast<double>(longest) / 2 + 6);
        ring_ = std::max(110.0, radius_ * 3.4 / (2 * std::sin(M_PI / std::max(n, 3.0))));
        side_ = 2 * (ring_ + radius_) + 50;
        columns_ = std::min<std::size_t>(std::max<std::size_t>(states.size(), 1), 3);
        const std::vector<int> order = circle_order(graph);
        position_.resize(order.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            // Ground at the bottom, the others clockwise from there.
            const double angle = M_PI / 2 + 2 * M_PI * static_cast<double>(i) / n;
            position_[static_cast<std::size_t>(order[i])] =
                ring_ * Vector{std::cos(angle), std::sin(angle)};
        }
        for (const Vector p : position_) top_ = std::min(top_, p.y - radius_ - 8);
    }

    [[nodiscard]] std::string html() const {
        std::string out, legend;
        for (const GraphState& state : states_)
            out += fmt::format("{}<g transform='translate({})'>\n{}</g></svg>\n",
                               opening({side_, cell()}, state.caption),
                               number({side_ / 2, 24 - top_}), graph(state));
        for (const LegendEntry& entry : legend_entries())
            legend += fmt::format(
                "<li><svg viewBox='0 0 26 10' aria-hidden='true'><path d='M0 5h26' "
                "{}/></svg>{}</li>",
                entry.look, entry.text);
        return fmt::format(
            "<div class='graphs' tabindex='0' role='group' aria-label='Graphs of the "
            "mechanism'>\n{}</div>\n<ul class='legend'>{}</ul>\n",
            out, legend);
    }

    [[nodiscard]] std::string text() const {
        const std::size_t full = (states_.size() + columns_ - 1) / columns_;
        const auto rows = static_cast<double>(full);
        const double width = std::max(side_ * static_cast<double>(columns_) + 20,
                                      legend_begin(legend_entries().size()));
        const double height = 50 + cell() * rows + 40;
        std::string out =
            opening({width, height}, title_) +
            fmt::format("<text x='20' y='32' font-size='18' font-weight='bold'>{}</text>\n",
                        escaped(title_));
        for (std::size_t i = 0; i < states_.size(); ++i) {
            const double left = (width - side_ * static_cast<double>(columns_)) / 2;
            const std::size_t column = i % columns_, row = i / columns_;
            const Vector centre{left + side_ * (static_cast<double>(column) + 0.5),
                                50 + cell() * static_cast<double>(row) + 24 - top_};
            out += fmt::format("<g class='graph' transform='translate({})'>\n{}</g>\n",
                               number(centre), graph(states_[i]));
        }
        return out + legend(height - 22) + "</svg>\n";
    }

private:
    // From the state above the highest link to the hatching below ground.
    [[nodiscard]] double cell() const { return ring_ + 36 - top_ + 34; }

    [[nodiscard]] static std::string opening(Vector size, const std::string& title) {
        return fmt::format(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' "
            "height='{1}' role='img' aria-label='{2}' font-family='Helvetica, Arial, Liberation "
            "Sans, sans-serif' fill='{3}'>\n<title>{2}</title>\n<rect width='{0}' height='{1}' "
            "fill='#ffffff'/>\n",
            number(size.x), number(size.y), escaped(title), ink);
    }

    [[nodiscard]] std::string graph(const GraphState& state) const {
        std::string lines, names;
        std::vector<LabelBox> taken;
        for (std::size_t i = 0; i < graph_.links.size(); ++i)
            taken.push_back({position_[i], {radius_, radius_}});
        for (std::size_t e = 0; e < graph_.edges.size(); ++e) {
            const Edge& edge = graph_.edges[e];
            if (edge.joint < 0 && !edge.is_contact) continue;  // a free body has no joint
            const auto closed = state.closed.find(edge.name);
            const bool active = edge.is_contact && closed != state.closed.end();
            const Line line = line_of(e);
            lines += fmt::format(
                "<path class='{}' data-name='{}' d='M{}Q{} {}' fill='none' {}/>\n",
                edge.is_contact ? (active ? "contact active" : "contact virtual") : "joint",
                escaped(edge.name), number(line.a), number(line.control), number(line.b),
                look(e, active));
            std::string name = edge.name;
            if (active && closed->second > 1) name += " ×" + std::to_string(closed->second);
            names += label(name, line, taken, edge.is_contact ? contact_ink : ink);
        }
        std::string out = lines + names;
        for (std::size_t i = 0; i < graph_.links.size(); ++i) out += node(i);
        return out + caption(state.caption);
    }

    // Above the highest link; one that is wider than its graph has two lines.
    [[nodiscard]] std::string caption(const std::string& text) const {
        const std::size_t cut = letter * font * static_cast<double>(text.size()) > side_
                                    ? text.find("; ")
                                    : std::string::npos;
        const auto line = [&](const std::string& part, double y) {
            return fmt::format(
                "<text class='state' y='{}' font-size='{}' text-anchor='middle' "
                "fill='#555555'>{}</text>\n",
                number(y), font, escaped(part));
        };
        if (cut == std::string::npos) return line(text, top_);
        return line(text.substr(0, cut), top_ - 14) + line(text.substr(cut + 2), top_);
    }

    [[nodiscard]] std::string look(std::size_t e, bool active) const {
        if (graph_.edges[e].is_contact)
            return fmt::format("stroke='{}' stroke-width='{}'{}", contact_ink, active ? "2" : "1.6",
                               active ? "" : " stroke-dasharray='0.1 5' stroke-linecap='round'");
        const bool branch = std::find(graph_.branches.begin(), graph_.branches.end(),
                                      static_cast<int>(e)) != graph_.branches.end();
        return fmt::format("stroke='{}' stroke-width='{}'", ink, branch ? "3" : "1.3");
    }

    // Lines between the same two links fan out.
    [[nodiscard]] Line line_of(std::size_t e) const {
        const auto ends = [&](std::size_t k) {
            return std::minmax(graph_.edges[k].a, graph_.edges[k].b);
        };
        int count = 0, rank = 0;
        for (std::size_t k = 0; k < graph_.edges.size(); ++k)
            if (ends(k) == ends(e) && (graph_.edges[k].joint >= 0 || graph_.edges[k].is_contact)) {
                if (k < e) ++rank;
                ++count;
            }
        const auto [low, high] = ends(e);
        const Vector a = position_[static_cast<std::size_t>(low)],
                     b = position_[static_cast<std::size_t>(high)], way = b - a;
        const double length = std::max(std::hypot(way.x, way.y), 1.0);
        const Vector across = 1 / length * Vector{-way.y, way.x};
        const double bend = (rank - (count - 1) / 2.0) * 56;
        return {a, b, 0.5 * (a + b) + bend * across};
    }

    // On its line, where it covers no link and no other name.
    static std::string label(const std::string& name, const Line& line,
                             std::vector<LabelBox>& taken, const char* colour) {
        const Vector half{letter * font * static_cast<double>(name.size()) / 2 + 2, 0.62 * font};
        LabelBox best{line.at(0.5), half};
        int least = 1000;
        for (const double u : {0.5, 0.42, 0.58, 0.35, 0.65, 0.28, 0.72, 0.24, 0.76}) {
            const LabelBox box{line.at(u), half};
            int covered = 0;
            for (const LabelBox& other : taken) covered += box.meets(other);
            if (covered < least) {
                least = covered;
                best = box;
            }
        }
        taken.push_back(best);
        return fmt::format("<rect x='{}' y='{}' width='{}' height='{}' fill='#ffffff'/>\n",
                           number(best.centre.x - half.x), number(best.centre.y - half.y),
                           number(2 * half.x), number(2 * half.y)) +
               fmt::format(
                   "<text class='edge-name' x='{}' y='{}' font-size='{}' "
                   "text-anchor='middle' fill='{}'>{}</text>\n",
                   number(best.centre.x), number(best.centre.y + 0.35 * font), number(font), colour,
                   escaped(name));
    }

    [[nodiscard]] std::string node(std::size_t i) const {
        const Vector p = position_[i];
        std::string out;
        if (i == 0) {  // a box on hatching
            const double w = std::max(
                                 radius_,
                                 letter * font * static_cast<double>(graph_.links[0].size()) / 2) +
                             4,
                         h = 15;
            std::string strokes;
            for (double x = -w; x <= w; x += 7)
                strokes += fmt::format("M{}l-6 7", number(p + Vector{x + 3, h}));
            out = fmt::format(
                "<path d='{}' stroke='#555555'/>\n<rect class='link' data-name='{}' x='{}' y='{}' "
                "width='{}' height='{}' fill='#dddddd' stroke='{}'/>\n",
                strokes, escaped(graph_.links[i]), number(p.x - w), number(p.y - h), number(2 * w),
                number(2 * h), ink);
        } else {
            out = fmt::format(
                "<circle class='link' data-name='{}' cx='{}' cy='{}' r='{}' fill='#ffffff' "
                "stroke='{}' stroke-width='1.4'/>\n",
                escaped(graph_.links[i]), number(p.x), number(p.y), number(radius_), ink);
        }
        return out +
               fmt::format("<text x='{}' y='{}' font-size='{}' text-anchor='middle'>{}</text>\n",
                           number(p.x), number(p.y + 0.35 * font), number(font),
                           escaped(graph_.links[i]));
    }

    struct LegendEntry {
        std::string text, look;
    };
    [[nodiscard]] std::vector<LegendEntry> legend_entries() const {
        bool contacts = false, chords = false;
        for (const Edge& e : graph_.edges) contacts |= e.is_contact;
        for (const int c : graph_.chords)
            chords |= !graph_.edges[static_cast<std::size_t>(c)].is_contact;
        std::vector<LegendEntry> out{
            {"joint of the tree", fmt::format("stroke='{}' stroke-width='3'", ink)}};
        if (chords)
            out.push_back(
                {"joint that closes a loop", fmt::format("stroke='{}' stroke-width='1.3'", ink)});
        if (!contacts) return out;
        out.push_back({"active contact", fmt::format("stroke='{}' stroke-width='2'", contact_ink)});
        out.push_back({"virtual contact",
                       fmt::format("stroke='{}' stroke-width='1.6' stroke-dasharray='0.1 5' "
                                   "stroke-linecap='round'",
                                   contact_ink)});
        return out;
    }
    // Where an entry of the legend begins; where the last one ends.
    [[nodiscard]] double legend_begin(std::size_t entry) const {
        const std::vector<LegendEntry> entries = legend_entries();
        double x = 20;
        for (std::size_t i = 0; i < entry; ++i)
            x += 31 + letter * font * static_cast<double>(entries[i].text.size()) + 14;
        return x;
    }
    [[nodiscard]] std::string legend(double y) const {
        std::string out;
        const std::vector<LegendEntry> entries = legend_entries();
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const double x = legend_begin(i);
            out += fmt::format(
                "<path d='M{} {}h26' {}/>\n<text class='legend' x='{}' y='{}' "
                "font-size='{}'>{}</text>\n",
                number(x), number(y), entries[i].look, number(x + 31), number(y + 4), font,
                entries[i].text);
        }
        return out;
    }

    const Topology& graph_;
    const std::string title_;
    const std::vector<GraphState>& states_;
    std::vector<Vector> position_;  // of each link about the centre of its graph
    double radius_ = 0, ring_ = 0, side_ = 0, top_ = 0;
    std::size_t columns_ = 1;
};

}  // namespace

ClosedPairs closed_pairs(const Trajectory& trajectory, std::size_t row) {
    ClosedPairs out;
    const auto values = trajectory.row(row);
    for (std::size_t c = 0; c < trajectory.columns.size(); ++c) {
        const std::string& name = trajectory.columns[c].name;
        const std::size_t hash = name.rfind('#');
        if (hash != std::string::npos && name.ends_with(".closed") && values[c] > 0)
            ++out[name.substr(0, hash)];
    }
    return out;
}

std::vector<ContactSpan> contact_spans(const Trajectory& trajectory, double briefest) {
    std::vector<ContactSpan> out;
    for (std::size_t row = 0; row < trajectory.rows(); ++row) {
        const double t = trajectory.row(row)[0];
        ClosedPairs closed = closed_pairs(trajectory, row);
        if (!out.empty()) out.back().to = t;
        if (!out.empty() && out.back().closed == closed) continue;
        if (!out.empty() && out.back().to - out.back().from <= briefest) out.pop_back();
        if (out.empty() || out.back().closed != closed) out.push_back({t, t, std::move(closed)});
    }
    return out;
}

GraphState graph_state(std::string when, ClosedPairs closed, int freedoms) {
    int points = 0;
    for (const auto& [name, count] : closed) points += count;
    if (points > 0) when += fmt::format("; DOF {} − {} = {}", freedoms, points, freedoms - points);
    return {std::move(when), std::move(closed)};
}

std::vector<GraphState> graph_states(const Trajectory& trajectory, int freedoms) {
    constexpr std::size_t max_listed = 15;
    // A contact that chatters before it closes is not drawn blow by blow.
    const double whole = trajectory.rows() > 0 ? trajectory.row(trajectory.rows() - 1)[0] : 0;
    const auto spans = contact_spans(trajectory, briefest_state * whole);
    std::vector<GraphState> out;
    for (std::size_t i = 0; i < spans.size() && i < max_listed; ++i)
        out.push_back(
            graph_state(fmt::format("{}. {:.4g} s to {:.4g} s", i + 1, spans[i].from, spans[i].to),
                        spans[i].closed, freedoms));
    if (spans.size() > max_listed)
        out.back().caption += fmt::format(" ({} more follow)", spans.size() - max_listed);
    return out;
}

std::string svg(const Topology& graph, const std::string& title,
                const std::vector<GraphState>& states) {
    return GraphPage(graph, title, states).text();
}

std::string html_graphs(const Topology& graph, const std::vector<GraphState>& states) {
    return GraphPage(graph, "", states).html();
}

}  // namespace pawl
