#include "output/report/report_data.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "output/report/packing.h"
#include "output/report/report_plots.h"
#include "output/report/row_thinning.h"
#include "results/event_text.h"

namespace pawl {

namespace {

using Json = nlohmann::ordered_json;

// Of all packed numbers. With these a report of 2000 rows stays below 1.5 MB and one of any length
// below 5 MB; base64 takes four characters for three bytes.
constexpr std::size_t bytes_at_least = 660'000, bytes_per_row = 120, bytes_at_most = 3'000'000;
constexpr double share_of_picture = 0.6;   // the rest is for plots
constexpr std::size_t fewest_spans = 300;  // about one for each pixel of a plot on a telephone
constexpr double longest_arrow = 90;  // of a contact force, drawing units, as the player has it
// How far a part may be off between rows that are kept, drawing units, the best that fits. Several
// coordinates together: three times as far.
constexpr double tolerances[] = {0.1, 0.3, 1};

// A column of the trajectory, or one that is made for the picture.
struct PackedColumn {
    Column name;
    std::vector<double> values = {};  // at the rows that are kept, or a single constant
    bool exact = false;               // needed at rows, as a float
    bool pictured = false;            // needed at rows, four digits are enough
    bool constant = false;
    double largest = 0;  // size of a value
};

class DataMaker {
public:
    DataMaker(const StoredResult& result, const PlacedMechanism& placed, const Scene& scene)
        : result_(result),
          trajectory_(result.trajectory),
          mechanism_(placed.mechanism),
          placed_(placed),
          scene_(scene) {}

    ReportData make() {
        take_columns();
        Json bodies = poses(), contacts = contact_points();
        choose_rows();
        gather();
        add_contacts(contacts);
        Json out{{"format", 1},
                 {"scale", scene_.scale},
                 {"rows", rows_.size()},
                 {"samples", trajectory_.rows()},
                 {"spans", data_.spans},
                 {"time", block(packing::doubles(kept_times()))},
                 {"bodies", bodies},
                 {"rods", ends(scene_.rods)},
                 {"springs", ends(scene_.springs)},
                 {"contacts", contacts},
                 {"edges", edges()},
                 {"columns", packed()},
                 {"plots", plots()},
                 {"ledger", ledger()},
                 {"events", events()}};
        if (data_.spans > 0) out["span_time"] = block(packing::doubles(span_times()));
        data_.description = out.dump(-1, ' ', false, Json::error_handler_t::replace);
        return std::move(data_);
    }

private:
    int add(PackedColumn packed) {
        columns_.push_back(std::move(packed));
        return static_cast<int>(columns_.size()) - 1;
    }
    static bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }
    // The columns of the trajectory but for the time; their numbers are one less there. One that
    // never changes is kept as one number.
    void take_columns() {
        for (std::size_t c = 1; c < trajectory_.columns.size(); ++c) {
            add({trajectory_.columns[c]});
            columns_.back().constant = true;
            columns_.back().values = {trajectory_.rows() == 0 ? NAN : trajectory_.row(0)[c]};
        }
        for (std::size_t i = 0; i < trajectory_.rows(); ++i) {
            const auto row = trajectory_.row(i);
            times_.push_back(row[0]);
            for (std::size_t c = 1; c < row.size(); ++c) {
                PackedColumn& column = columns_[c - 1];
                column.constant = column.constant && same(row[c], column.values[0]);
                column.largest = std::fmax(column.largest, std::abs(row[c]));
            }
        }
        if (times_.empty()) times_ = {0};
        for (PackedColumn& column : columns_)
            if (!column.constant) column.values.clear();
    }
    [[nodiscard]] int find(const std::string& name) const { return trajectory_.find(name) - 1; }

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
                if (c < 0 || trajectory_.rows() == 0)
                    c = add(
                        {.name = {name + "." + tail, unit}, .values = {value}, .constant = true});
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
                    add({.name = {names[i], k < 2 ? "m" : "rad"}, .pictured = true});
            out.push_back(entry);
        }
        return out;
    }
    // At the rows that are kept.
    void add_contacts(const Json& contacts) {
        if (contacts.empty()) return;
        std::vector<std::vector<ContactMark>> marks(rows_.size());
        if (trajectory_.rows() > 0) marks = contacts_of(trajectory_, mechanism_, rows_);
        for (const Json& contact : contacts) {
            PackedColumn* pose[3];
            for (std::size_t k = 0; k < 3; ++k) {
                pose[k] = &columns_[contact[k == 0 ? "x" : k == 1 ? "y" : "angle"]];
                pose[k]->values.assign(rows_.size(), NAN);
            }
            for (std::size_t i = 0; i < rows_.size(); ++i)
                for (const ContactMark& mark : marks[i]) {
                    if (!mark.closed || mark.name != contact["name"]) continue;
                    pose[0]->values[i] = mark.p[0].x;
                    pose[1]->values[i] = mark.p[0].y;
                    pose[2]->values[i] = std::atan2(mark.n.y, mark.n.x);
                }
            for (PackedColumn* column : pose) {
                auto& v = column->values;
                column->constant =
                    std::all_of(v.begin(), v.end(), [&](double x) { return same(x, v[0]); });
                if (column->constant) v.resize(1, NAN);
            }
        }
    }

    // How many rows the moving picture keeps, and into how many spans plots are cut.
    void choose_rows() {
        const std::size_t n = trajectory_.rows(),
                          all = std::min(bytes_at_least + bytes_per_row * n, bytes_at_most);
        std::size_t picture = packing::bytes_of_double, plot = 0;  // per row
        std::size_t wide = picture, span = 1;  // the same in floats, per row; and per span
        for (const PackedColumn& c : columns_) {
            if (c.constant) continue;
            (c.exact || c.pictured ? picture : plot) +=
                c.exact ? packing::bytes_of_float : packing::bytes_of_short_float;
            wide += packing::bytes_of_float;
            if (plotted(c)) span += 2 * packing::bytes_of_short_float;
        }
        all_floats_ = n * wide <= all;
        const auto room = static_cast<std::size_t>(share_of_picture * static_cast<double>(all));
        rows_ = all_floats_ ? packing::kept_rows(n, n, {})
                            : thinned_rows(std::max<std::size_t>(room / picture, 100));
        const std::size_t used = std::min(all, rows_.size() * picture);
        if (n == 0) rows_ = {0};
        const bool whole = rows_.size() >= n && n * plot <= all - used;
        if (!whole) data_.spans = std::min(n, std::max(fewest_spans, (all - used) / span));
        data_.rows = rows_.size();
    }

    // Those at events among them.
    std::vector<std::size_t> thinned_rows(std::size_t max_rows) {
        std::vector<std::size_t> always;
        const auto& t = times_;
        for (const Event& e : result_.events)
            for (auto i = std::lower_bound(t.begin(), t.end(), e.t); i != t.end() && *i == e.t; ++i)
                always.push_back(static_cast<std::size_t>(i - t.begin()));
        std::sort(always.begin(), always.end());
        always.erase(std::unique(always.begin(), always.end()), always.end());
        if (trajectory_.rows() <= max_rows)
            return packing::kept_rows(trajectory_.rows(), max_rows, {});
        const std::vector<ThinnedColumn> moving = moving_columns();
        for (const double tolerance : tolerances)
            if (auto rows = rows_within(trajectory_, moving, tolerance, always, max_rows)) {
                data_.off = 3 * tolerance;
                return std::move(*rows);
            }
        return packing::kept_rows(trajectory_.rows(), max_rows, always);
    }
    // What moves in the picture, and by how many drawing units with each unit of its value.
    [[nodiscard]] std::vector<ThinnedColumn> moving_columns() const {
        std::vector<ThinnedColumn> out;
        const auto add = [&](int c, double weight) {
            if (c >= 0 && !columns_[static_cast<std::size_t>(c)].constant && weight > 0)
                out.push_back({static_cast<std::size_t>(c) + 1, weight});
        };
        for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b) {
            const std::string& name = mechanism_.bodies[b].name;
            double reach = 1 / scene_.scale;  // of its outline, m
            for (const auto& p : scene_.bodies[b].outline)
                reach = std::max(reach, std::hypot(p.x, p.y));
            add(find(name + ".x"), scene_.scale);
            add(find(name + ".y"), scene_.scale);
            add(find(name + ".angle"), scene_.scale * reach);
        }
        for (std::size_t c = 0; c + 1 < trajectory_.columns.size(); ++c)
            if (columns_[c].pictured && columns_[c].largest > 0)
                add(static_cast<int>(c), longest_arrow / columns_[c].largest);
        return out;
    }

    // Values at the rows that are kept, and the extremes of spans, in one pass.
    void gather() {
        const std::size_t n = trajectory_.rows(), spans = data_.spans;
        std::vector<std::size_t> moving;
        for (std::size_t c = 0; c + 1 < trajectory_.columns.size(); ++c)
            if (!columns_[c].constant) moving.push_back(c);
        if (spans > 0) extremes_.assign(moving.size(), std::vector<double>(2 * spans, NAN));
        std::size_t span = 0, next = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const auto row = trajectory_.row(i);
            while (spans > 0 && i >= packing::span_begin(span + 1, spans, n)) ++span;
            const bool kept = next < rows_.size() && rows_[next] == i;
            if (kept) ++next;
            for (std::size_t k = 0; k < moving.size(); ++k) {
                PackedColumn& column = columns_[moving[k]];
                const double value = row[moving[k] + 1];
                if (kept && at_rows(column)) column.values.push_back(value);
                if (spans == 0) continue;
                double &low = extremes_[k][2 * span], &high = extremes_[k][2 * span + 1];
                low = std::fmin(low, value);
                high = std::fmax(high, value);
            }
        }
    }
    [[nodiscard]] bool at_rows(const PackedColumn& c) const {
        return c.exact || c.pictured || all_floats_ || data_.spans == 0;
    }

    [[nodiscard]] std::vector<double> kept_times() const {
        std::vector<double> out;
        for (const std::size_t row : rows_) out.push_back(times_[row]);
        return out;
    }
    [[nodiscard]] std::vector<double> span_times() const {
        std::vector<double> out;
        for (std::size_t k = 0; k <= data_.spans; ++k)
            out.push_back(times_[std::min(packing::span_begin(k, data_.spans, times_.size()),
                                          times_.size() - 1)]);
        return out;
    }
    std::size_t block(std::string text) {
        data_.blocks.push_back(std::move(text));
        return data_.blocks.size() - 1;
    }
    // Columns as "constant", "float" or "short" at rows, or "spans".
    Json packed() {
        Json out = Json::array();
        std::size_t next = 0;  // of the extremes
        for (const PackedColumn& c : columns_) {
            Json entry{{"name", c.name.name}, {"unit", c.name.unit}};
            if (c.constant)
                entry["constant"] = c.values[0];
            else if (c.exact || all_floats_)
                entry["float"] = block(packing::floats(c.values));
            else if (at_rows(c))
                entry["short"] = block(packing::short_floats(c.values));
            if (!c.constant && data_.spans > 0 && plotted(c))
                entry["spans"] = block(packing::short_floats(extremes_[next++]));
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

    // What joins which bodies: [name, kind, body, body].
    [[nodiscard]] Json edges() const {
        Json out = Json::array();
        for (const auto& j : mechanism_.joints)
            out.push_back({j.name, j.kind_name(), j.frames[0].body, j.frames[1].body});
        for (const auto& c : mechanism_.contacts) out.push_back({c.name, "contact", c.a, c.b});
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

    // Terms whose changes since the start sum to zero: energies with +1, work with -1.
    [[nodiscard]] Json ledger() const {
        Json out = Json::array();
        const auto term = [&](const std::string& name, int c, int sign) {
            if (c >= 0 && !columns_[static_cast<std::size_t>(c)].constant)
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
                           {"detail", event_text(e)}});
        return out;
    }

    const StoredResult& result_;
    const Trajectory& trajectory_;
    const PlanarMechanism& mechanism_;
    const PlacedMechanism& placed_;
    const Scene& scene_;
    std::vector<PackedColumn> columns_;
    std::vector<double> times_;  // of all rows
    std::vector<std::vector<double>>
        extremes_;  // of the columns that change, as the trajectory has them
    std::vector<std::size_t> rows_;
    bool all_floats_ = false;
    ReportData data_;
};

}  // namespace

ReportData report_data(const StoredResult& result, const PlacedMechanism& placed,
                       const Scene& scene) {
    return DataMaker(result, placed, scene).make();
}

}  // namespace pawl
