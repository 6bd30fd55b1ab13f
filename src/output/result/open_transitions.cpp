#include "output/result/open_transitions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "contact/search.h"
#include "events/contact_guards.h"
#include "math/roots.h"
#include "math/tolerances/outside.h"
#include "output/result/result_folder.h"
#include "results/interpolant.h"

namespace pawl {

namespace {

using Space = PlanarSpace;

class OpenPair {
public:
    OpenPair(const PlanarMechanism& mechanism, int pair, const Trajectory& rows)
        : mechanism_(mechanism),
          pair_(mechanism.contacts[static_cast<std::size_t>(pair)]),
          rows_(rows),
          search_(profile(0).chain, profile(1).chain, !is_rigid(pair_.law)) {
        point_.pair = pair;
        const std::string head = pair_.name + "#1.";
        gap_ = rows.find(head + "gap");
        closed_ = rows.find(head + "closed");
        columns_[0] = rows.find(head + "a");
        columns_[1] = rows.find(head + "b");
        for (const int side : {0, 1}) {
            const int body = profile(side).frame.body;
            if (body == 0) continue;
            const std::string& name = mechanism.bodies[static_cast<std::size_t>(body)].name;
            pose_[side] = {rows.find(name + ".x"), rows.find(name + ".y"),
                           rows.find(name + ".angle")};
        }
    }
    [[nodiscard]] bool has_columns() const {
        return gap_ >= 0 && closed_ >= 0 && columns_[0] >= 0 && columns_[1] >= 0;
    }

    // Between a row and the next.
    void find(std::size_t row, std::span<const double> now, std::span<const double> next,
              std::vector<OpenTransition>& out) {
        if (!is_open(now) || !is_open(next)) return known_.reset();
        const bool begins = !known_;
        if (begins) known_ = elements_in(now);
        if (known_ == elements_in(next) || !(now[0] < next[0])) return;
        const double end = next[0], reach = std::max(value(now, gap_), value(next, gap_));
        set_poses(row);
        // Rows of a model that was changed on the way say nothing that could be followed.
        const auto last = elements_at(end, reach);
        const bool ends_there = last && is_near(value(next, gap_));
        double low = now[0];
        auto from = elements_at(low, reach);
        const Elements before = *std::exchange(known_, elements_in(next));
        if (!ends_there || !from || !is_near(value(now, gap_))) return;
        known_ = last;
        // At the very row both are as near.
        if (!begins && *from != before) add(low, before, *from, out);
        constexpr int max_changes = 100;
        for (int i = 0; i < max_changes && from && from != last; ++i) {
            const auto is_before = [&](double t) { return elements_at(t, reach) == from; };
            low = bisect(low, end, 60, is_before).high;
            const Elements left = *from;
            from = elements_at(low, reach);
            if (from) add(low, left, *from, out);
        }
    }

private:
    using Elements = std::array<int, 2>;

    [[nodiscard]] const BodyProfile<Space>& profile(int side) const {
        return mechanism_
            .profiles[static_cast<std::size_t>(side == 0 ? pair_.profile_a : pair_.profile_b)];
    }
    static double value(std::span<const double> row, int column) {
        return row[static_cast<std::size_t>(column)];
    }
    [[nodiscard]] bool is_open(std::span<const double> row) const {
        return value(row, closed_) == 0 && std::isfinite(value(row, gap_));
    }
    [[nodiscard]] std::optional<Elements> elements_in(std::span<const double> row) const {
        return Elements{static_cast<int>(std::floor(value(row, columns_[0]))),
                        static_cast<int>(std::floor(value(row, columns_[1])))};
    }
    void add(double t, const Elements& from, const Elements& to, std::vector<OpenTransition>& out) {
        const std::string left = elements_text(mechanism_, named(from));
        out.push_back({t, pair_.name, left, elements_text(mechanism_, named(to)), gap()});
    }
    void set_poses(std::size_t row) {
        for (const int side : {0, 1})
            for (std::size_t k = 0; k < 3; ++k)
                if (pose_[side]) curves_[side][k].emplace(rows_, (*pose_[side])[k], row);
    }
    [[nodiscard]] Space::Position pose(int side, double t) const {
        Space::Position body;
        const auto& c = curves_[side];
        if (pose_[side]) body = Space::position_of({{(*c[0])(t).y, (*c[1])(t).y}, (*c[2])(t).y});
        return profile(side).frame.on(body);
    }
    // The nearest elements, looked for within what the rows have first.
    std::optional<Elements> elements_at(double t, double reach) {
        const auto a = pose(0, t), b = pose(1, t);
        const double behind =
            tolerance::behind_part * std::min(search_.radius_a(), search_.radius_b());
        for (const double within : {2 * reach, double{INFINITY}}) {
            search_.find(a, b, within, found_);
            nearest_ = nullptr;
            for (const Candidate& c : found_)
                if (c.touch.gap >= -behind && (!nearest_ || c.touch.gap < nearest_->touch.gap))
                    nearest_ = &c;
            if (nearest_) return Elements{nearest_->a, nearest_->b};
        }
        return std::nullopt;
    }
    [[nodiscard]] double gap() const { return nearest_->touch.gap; }
    [[nodiscard]] bool is_near(double gap_of_row) const {
        return std::abs(gap() - gap_of_row) <=
               tolerance::behind_part * (search_.radius_a() + search_.radius_b());
    }
    ContactPoint<Space>& named(const Elements& elements) {
        point_.a = elements[0];
        point_.b = elements[1];
        return point_;
    }

    const PlanarMechanism& mechanism_;
    const ContactPair<Space>& pair_;
    const Trajectory& rows_;
    ContactSearch search_;
    ContactPoint<Space> point_;
    int gap_, closed_;
    std::array<int, 2> columns_;
    std::array<std::optional<std::array<int, 3>>, 2> pose_;
    std::array<std::array<std::optional<Interpolant>, 3>, 2> curves_;
    std::vector<Candidate> found_;
    const Candidate* nearest_ = nullptr;
    std::optional<Elements> known_;  // at the last row that was looked at, while it stays open
};

}  // namespace

std::vector<OpenTransition> open_transitions(const PlanarMechanism& mechanism,
                                             const Trajectory& trajectory) {
    std::vector<OpenPair> pairs;
    for (std::size_t i = 0; i < mechanism.contacts.size(); ++i) {
        const auto& pair = mechanism.contacts[i];
        if (pair.profile_a < 0 || pair.profile_b < 0 || pair.permanent ||
            trajectory.find(pair.name + "#1.gap") < 0)
            continue;
        if (OpenPair one(mechanism, static_cast<int>(i), trajectory); one.has_columns())
            pairs.push_back(std::move(one));
    }
    std::vector<OpenTransition> out;
    if (pairs.empty()) return out;
    // Copies: rows of a long run are on the disk, and reading one may take another away.
    const auto copied = [&](std::size_t row) {
        const std::span<const double> values = trajectory.row(row);
        return std::vector<double>(values.begin(), values.end());
    };
    std::vector<double> now, next = trajectory.rows() > 0 ? copied(0) : std::vector<double>();
    for (std::size_t row = 0; row + 1 < trajectory.rows(); ++row) {
        now = std::exchange(next, copied(row + 1));
        for (OpenPair& pair : pairs) pair.find(row, now, next, out);
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const OpenTransition& a, const OpenTransition& b) { return a.t < b.t; });
    return out;
}

std::string csv(const std::vector<OpenTransition>& transitions) {
    std::string out = "t [s],contact,from,to,gap [m]\n";
    for (const OpenTransition& o : transitions) {
        append_number(out, o.t);
        out += ',' + csv_field(o.contact) + ',' + csv_field(o.from) + ',' + csv_field(o.to) + ',';
        append_number(out, o.gap);
        out += '\n';
    }
    return out;
}

}  // namespace pawl
