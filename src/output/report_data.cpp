#include "output/report_data.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <nlohmann/json.hpp>

#include "output/packing.h"
#include "output/report_plots.h"

namespace pawl {

namespace {

using Json = nlohmann::ordered_json;

// Of all packed numbers. With these a report of 2000 rows stays below 1.5 MB and one of 100 000
// below 20 MB; base64 takes four characters for three bytes.
constexpr std::size_t bytes_at_least = 700'000, bytes_per_row = 120;
constexpr double share_of_picture = 0.6;   // the rest is for plots
constexpr std::size_t fewest_spans = 300;  // about one for each pixel of a plot on a telephone

struct PackedColumn {
    Column name;
    std::vector<double> values;  // one per row of the trajectory, or a single constant
    bool exact = false;          // needed at rows, as a float
    bool pictured = false;       // needed at rows, four digits are enough
    [[nodiscard]] bool constant() const { return values.size() == 1; }
};

class DataMaker {
public:
    DataMaker(const Result& result, const PlacedMechanism& placed, const Scene& scene)
        : result_(result),
          trajectory_(result.trajectory),
          mechanism_(placed.mechanism),
          placed_(placed),
          scene_(scene) {}

    ReportData make() {
        take_columns();
        Json bodies = poses(), contacts = contact_points();
        choose_rows();
        Json out{{"format", 1},
                 {"scale", scene_.scale},
                 {"rows", rows_.size()},
                 {"samples", trajectory_.rows()},
                 {"spans", data_.spans},
                 {"time", block(packing::doubles(kept(times())))},
                 {"bodies", bodies},
                 {"rods", ends(scene_.rods)},
                 {"springs", ends(scene_.springs)},
                 {"contacts", contacts},
                 {"columns", packed()},
                 {"plots", plots()},
                 {"ledger", ledger()},
                 {"events", events()}};
        if (data_.spans > 0) out["span_time"] = block(packing::doubles(span_times()));
        data_.description = out.dump(-1, ' ', false, Json::error_handler_t::replace);
        return std::move(data_);
    }

private:
    std::vector<double> column(std::size_t c) const {
        std::vector<double> out(trajectory_.rows());
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = trajectory_.row(i)[c];
        return out;
    }
    // A column that never changes is kept as one number.
    int add(PackedColumn packed) {
        auto& v = packed.values;
        const auto same = [&](double x) {
            return x == v[0] || (std::isnan(x) && std::isnan(v[0]));
        };
        if (v.empty()) v = {NAN};
        if (std::all_of(v.begin(), v.end(), same)) v.resize(1);
        columns_.push_back(std::move(packed));
        return static_cast<int>(columns_.size()) - 1;
    }
    // The columns of the trajectory but for the time; their numbers are one less there.
    void take_columns() {
        for (std::size_t c = 1; c < trajectory_.columns.size(); ++c)
            add({trajectory_.columns[c], column(c)});
    }
    [[nodiscard]] int find(const std::string& name) const { return trajectory_.find(name) - 1; }
    [[nodiscard]] std::vector<double> times() const {
        return trajectory_.rows() == 0 ? std::vector<double>{0} : column(0);
    }

    // Per body the columns of its pose. Where the trajectory is empty it is the assembled pose.
    Json poses() {
        Json out = Json::array();
        for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b) {
            const auto& at = placed_.assembly.positions[b];
            const std::string& name = mechanism_.bodies[b].name;
            Json entry{{"name", name}, {"colour", scene_.bodies[b].fill}};
            for (const auto& [tail, unit, value] :
                 {std::tuple{"x", "m", at.p.x}, {"y", "m", at.p.y}, {"angle", "rad", at.angle}}) {
                int c = find(name + "." + tail);
                if (c < 0 || trajectory_.rows() == 0) c = add({{name + "." + tail, unit}, {value}});
                columns_[static_cast<std::size_t>(c)].exact = true;
                entry[tail] = c;
            }
            out.push_back(entry);
        }
        return out;
    }

    // Where each point of contact is while it is closed, the normal towards the body of profile b,
    // and the force on that body, along the normal and along the normal turned by +90 degrees.
    Json contact_points() {
        Json out = Json::array();
        std::vector<std::string> names;
        for (const auto& c : trajectory_.columns)
            if (c.name.ends_with(".closed") && c.name.find('#') != std::string::npos)
                names.push_back(c.name.substr(0, c.name.size() - 7));
        if (names.empty()) return out;
        std::vector<std::array<std::vector<double>, 3>> places(names.size());
        for (auto& place : places) place.fill(std::vector<double>(trajectory_.rows(), NAN));
        std::vector<std::size_t> rows(trajectory_.rows());
        std::iota(rows.begin(), rows.end(), 0);
        const auto marks = contacts_of(trajectory_, mechanism_, rows);
        for (const std::size_t row : rows)
            for (const ContactMark& mark : marks[row]) {
                const auto i = std::find(names.begin(), names.end(), mark.name) - names.begin();
                if (!mark.closed || i == std::ssize(names)) continue;
                auto& place = places[static_cast<std::size_t>(i)];
                place[0][row] = mark.p[0].x;
                place[1][row] = mark.p[0].y;
                place[2][row] = std::atan2(mark.n.y, mark.n.x);
            }
        for (std::size_t i = 0; i < names.size(); ++i) {
            Json entry{{"name", names[i]}};
            for (const auto& [key, tail] :
                 {std::pair{"force", ".normal"}, {"friction", ".friction"}}) {
                const int c = find(names[i] + tail);
                entry[key] = c;
                if (c >= 0) columns_[static_cast<std::size_t>(c)].pictured = true;
            }
            for (std::size_t k = 0; k < 3; ++k)
                entry[k == 0   ? "x"
                      : k == 1 ? "y"
                               : "angle"] =
                    add({{names[i], k < 2 ? "m" : "rad"}, std::move(places[i][k]), false, true});
            out.push_back(entry);
        }
        return out;
    }

    // How many rows the moving picture keeps, and into how many spans plots are cut.
    void choose_rows() {
        const std::size_t n = trajectory_.rows(), all = bytes_at_least + bytes_per_row * n;
        std::size_t picture = packing::bytes_of_double, plot = 0;  // per row
        std::size_t wide = picture, span = 1;  // the same in floats, per row; and per span
        for (const PackedColumn& c : columns_) {
            if (c.constant()) continue;
            (c.exact || c.pictured ? picture : plot) +=
                c.exact ? packing::bytes_of_float : packing::bytes_of_short_float;
            wide += packing::bytes_of_float;
            if (plotted(c)) span += 2 * packing::bytes_of_short_float;
        }
        all_floats_ = n * wide <= all;
        std::vector<std::size_t> always;
        const auto t = times();
        for (const Event& e : result_.events) {
            for (auto i = std::lower_bound(t.begin(), t.end(), e.t); i != t.end() && *i == e.t; ++i)
                always.push_back(static_cast<std::size_t>(i - t.begin()));
        }
        const auto room = static_cast<std::size_t>(share_of_picture * static_cast<double>(all));
        rows_ = packing::kept_rows(n, std::max<std::size_t>(room / picture, 100), always);
        if (all_floats_) rows_ = packing::kept_rows(n, n, {});
        const std::size_t used = std::min(all, rows_.size() * picture);
        if (n == 0) rows_ = {0};
        const bool whole = rows_.size() >= n && n * plot <= all - used;
        if (!whole) data_.spans = std::min(n, std::max(fewest_spans, (all - used) / span));
        data_.rows = rows_.size();
    }

    [[nodiscard]] std::vector<double> kept(const std::vector<double>& values) const {
        std::vector<double> out;
        for (const std::size_t row : rows_) out.push_back(values[row]);
        return out;
    }
    [[nodiscard]] std::vector<double> span_times() const {
        const std::vector<double> t = times();
        std::vector<double> out;
        for (std::size_t k = 0; k <= data_.spans; ++k)
            out.push_back(t[std::min(packing::span_begin(k, data_.spans, t.size()), t.size() - 1)]);
        return out;
    }
    std::size_t block(std::string text) {
        data_.blocks.push_back(std::move(text));
        return data_.blocks.size() - 1;
    }
    // Columns as "constant", "float" or "short" at rows, or "spans".
    Json packed() {
        Json out = Json::array();
        for (const PackedColumn& c : columns_) {
            Json entry{{"name", c.name.name}, {"unit", c.name.unit}};
            if (c.constant())
                entry["constant"] = c.values[0];
            else if (c.exact || all_floats_)
                entry["float"] = block(packing::floats(kept(c.values)));
            else if (c.pictured || data_.spans == 0)
                entry["short"] = block(packing::short_floats(kept(c.values)));
            if (!c.constant() && data_.spans > 0 && plotted(c))
                entry["spans"] =
                    block(packing::short_floats(packing::extremes(c.values, data_.spans)));
            out.push_back(entry);
        }
        return out;
    }
    [[nodiscard]] bool plotted(const PackedColumn& c) const {
        return &c - columns_.data() + 1 < std::ssize(trajectory_.columns);
    }

    // Both ends of rods or springs, in the axes of their bodies.
    template <class Links>
    [[nodiscard]] Json ends(const Links& links) const {
        Json out = Json::array();
        for (const auto& link : links) {
            Json entry = Json::array();
            for (const auto& end : {link.a, link.b})
                entry.push_back({{"body", end.body}, {"x", end.local.at.x}, {"y", end.local.at.y}});
            out.push_back(entry);
        }
        return out;
    }

    // The numbers of columns are one less here than in the trajectory.
    [[nodiscard]] Json plots() const {
        Json out = Json::array();
        for (const ReportPlot& plot : report_plots(trajectory_, mechanism_)) {
            Json columns = Json::array();
            for (const std::size_t c : plot.columns) columns.push_back(c - 1);
            out.push_back({{"title", plot.title},
                           {"unit", plot.unit},
                           {"columns", columns},
                           {"shown", plot.shown}});
        }
        return out;
    }

    // Terms whose changes since the start sum to nothing: energies with +1, work with -1.
    [[nodiscard]] Json ledger() const {
        Json out = Json::array();
        const auto term = [&](const std::string& name, int c, int sign) {
            if (c >= 0 && !columns_[static_cast<std::size_t>(c)].constant())
                out.push_back({{"name", name}, {"column", c}, {"sign", sign}});
        };
        term("kinetic", find("energy.kinetic"), 1);
        for (std::size_t i = 0; i + 1 < trajectory_.columns.size(); ++i) {
            const std::string& name = columns_[i].name.name;
            if (!is_ledger_column(name)) continue;
            const std::size_t dot = name.rfind('.');
            const std::string element = name.substr(7, dot - 7), tail = name.substr(dot + 1);
            if (tail == "stored") term(element + " stored", static_cast<int>(i), 1);
            if (tail == "work") term(element + " work", static_cast<int>(i), -1);
        }
        return out;
    }

    [[nodiscard]] Json events() const {
        Json out = Json::array();
        for (const Event& e : result_.events)
            out.push_back({{"t", e.t},
                           {"kind", event_name(e.kind)},
                           {"element", e.element},
                           {"from", e.from},
                           {"to", e.to},
                           {"impulse", e.impulse},
                           {"energy", e.energy_change},
                           {"detail", e.detail}});
        return out;
    }

    const Result& result_;
    const Trajectory& trajectory_;
    const PlanarMechanism& mechanism_;
    const PlacedMechanism& placed_;
    const Scene& scene_;
    std::vector<PackedColumn> columns_;
    std::vector<std::size_t> rows_;
    bool all_floats_ = false;
    ReportData data_;
};

}  // namespace

ReportData report_data(const Result& result, const PlacedMechanism& placed, const Scene& scene) {
    return DataMaker(result, placed, scene).make();
}

}  // namespace pawl
