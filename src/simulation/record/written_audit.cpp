#include "simulation/record/written_audit.h"

#include <algorithm>
#include <cmath>

#include "math/tolerances/records.h"

namespace pawl {

namespace {

using Space = PlanarSpace;
using Vector = Space::Vector;

// As many rows are judged, evenly chosen, so that long tables stay cheap.
constexpr std::size_t max_rows = 200;

}  // namespace

WrittenAudit::WrittenAudit(const PlacedMechanism& placed, const Trajectory& trajectory,
                           std::span<const long> step_of_row, const std::vector<Event>& events,
                           double tolerance, ValuesAt values)
    : values_(std::move(values)),
      changing_(values_ ? std::make_unique<PlacedMechanism>(placed) : nullptr),
      placed_(changing_ ? *changing_ : placed),
      mechanism_(placed_.mechanism),
      trajectory_(trajectory),
      step_of_row_(step_of_row),
      events_(events),
      tolerance_(tolerance),
      size_(placed.assembly.model_size),
      columns_(mechanism_, trajectory),
      balance_(placed_, columns_) {}

void WrittenAudit::take_values(std::size_t row) {
    if (values_ && values_(row, changing_->mechanism)) balance_.renew();
}

// The polynomials through both ends with their derivatives:
//   dv = h/2 (a0 + a1) - h^3/12 v''',   dx = h/2 (v0 + v1) - h^2/12 (a1 - a0) + h^5/720 x'''''.
// The derivatives in the last terms come from differences over four rows.
void WrittenAudit::judge_column(std::size_t row, int x, int v, int a, double unit,
                                const std::string& name) {
    const auto r0 = trajectory_.row(row - 1), r1 = trajectory_.row(row),
               r2 = trajectory_.row(row + 1), r3 = trajectory_.row(row + 2);
    const double h = r2[0] - r1[0];
    const double first =
        std::max({std::abs(r1[a] - r0[a]), std::abs(r2[a] - r1[a]), std::abs(r3[a] - r2[a])});
    const double second = std::max(std::abs(r0[a] - 2 * r1[a] + r2[a]),
                                   std::abs(r1[a] - 2 * r2[a] + r3[a])),
                 third = std::abs(r3[a] - 3 * r2[a] + 3 * r1[a] - r0[a]);
    const double dv = r2[v] - r1[v] - h / 2 * (r1[a] + r2[a]),
                 dx = r2[x] - r1[x] - h / 2 * (r1[v] + r2[v]) + h * h / 12 * (r2[a] - r1[a]);
    const double speed = std::max({std::abs(r1[v]), std::abs(r2[v]), h * std::abs(r1[a])}),
                 time = std::sqrt(size_ / 9.81);
    // Of single numbers: rounding of positions far from the origin.
    const double far =
        tolerance::written_digits * std::max(std::abs(r1[x]), std::abs(r2[x])) * unit;
    const double allowed = 1e3 * tolerance_ * (speed * unit + size_ / time) +
                           unit * h * (first + second + third) + 2 * far / h;
    const double off =
        std::max(std::abs(dv), (std::abs(dx) - h * h / 12 * (second + third)) / h) * unit;
    if (off / allowed > motion_.value) motion_.see(off / allowed, r2[0], name);
}

// Whether the rows around an interval let the motion be seen: evenly apart, with nothing that jumps
// between them, and neither many steps of the integrator nor much of a turn. A motion that swings
// several times from row to row leaves no trace in their differences.
bool WrittenAudit::shows_motion(std::size_t row) const {
    constexpr long max_steps = 2;
    constexpr double max_turn = 1;  // rad
    if (row < 1 || row + 2 >= trajectory_.rows()) return false;
    if (step_of_row_[row + 2] - step_of_row_[row - 1] > max_steps) return false;
    const double h = trajectory_.row(row + 1)[0] - trajectory_.row(row)[0];
    for (std::size_t i = row - 1; i < row + 2; ++i) {
        const double low = trajectory_.row(i)[0], high = trajectory_.row(i + 1)[0];
        if (!(std::abs(high - low - h) <= tolerance::written_steps * h) || !(h > 0)) return false;
        const auto event = std::lower_bound(events_.begin(), events_.end(), low,
                                            [](const Event& e, double t) { return e.t < t; });
        // Singular positions are passed without a jump.
        for (auto e = event; e != events_.end() && e->t <= high; ++e)
            if (e->kind != EventKind::bifurcation) return false;
        for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b) {
            const auto angle = static_cast<std::size_t>(columns_.bodies[b] + 2);
            if (std::abs(trajectory_.row(i + 1)[angle] - trajectory_.row(i)[angle]) > max_turn)
                return false;
        }
    }
    return true;
}

// A row there shows the forces before an expression changes its branch, or after it.
bool WrittenAudit::is_at_switch(double t) const {
    return std::any_of(events_.begin(), events_.end(), [t](const Event& e) {
        return e.is_due_to(Cause::branch_changes) &&
               std::abs(e.t - t) <= tolerance::same_time * (1 + t);
    });
}

void WrittenAudit::judge_motion(std::size_t row) {
    if (!shows_motion(row)) return;
    shows_motion_ = true;
    for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b)
        for (int k = 0; k < 3; ++k)
            judge_column(row, columns_.bodies[b] + k, columns_.bodies[b] + 3 + k,
                         columns_.bodies[b] + 6 + k, k == 2 ? size_ : 1, mechanism_.bodies[b].name);
}

void WrittenAudit::judge_contacts(std::size_t row) {
    const auto cells = trajectory_.row(row);
    for (const PointColumns& c : columns_.points) {
        if (!std::isfinite(cells[static_cast<std::size_t>(c.gap)])) continue;
        const auto& pair = mechanism_.contacts[static_cast<std::size_t>(c.pair)];
        const bool closed = cells[static_cast<std::size_t>(c.closed)] == 1;
        const Touching touching = columns_.touching_at(cells, c);
        if (touching.known) {
            const double gap = cells[static_cast<std::size_t>(c.gap)];
            double off = std::max(std::abs(touching.apart - gap), touching.beside);
            if (closed && is_rigid(pair.law)) off = std::max(off, std::abs(touching.apart));
            // Far from the origin positions are rounded.
            off -= tolerance::written_digits *
                   (Space::length(touching.p[0]) + Space::length(touching.p[1]));
            if (off > touching_.value)
                touching_.see(off, cells[0], pair.name + "#" + std::to_string(c.number));
        }
        if (closed && pair.friction) judge_friction(cells, c);
    }
}

// Within what the model allows at the normal force that is written, and at it where it slides.
void WrittenAudit::judge_friction(std::span<const double> row, const PointColumns& c) {
    const auto& pair = mechanism_.contacts[static_cast<std::size_t>(c.pair)];
    const auto& law = *pair.friction;
    const auto cell = [&](int column) { return row[static_cast<std::size_t>(column)]; };
    const double normal = cell(c.normal), f = std::abs(cell(c.friction)),
                 slip = std::abs(cell(c.slip));
    if (!std::isfinite(normal) || !std::isfinite(f)) return;
    const bool slides = cell(c.mode) != 0 && is_rigid(pair.law);
    const double limit = (slides ? law.sliding(slip) : law.holding()) * normal + law.viscous * slip;
    double excess = slides ? std::abs(f - limit) : f - limit;
    // Slower than this it is coming to rest, and rounding decides the direction.
    const bool moves = cell(c.mode) != 0 && slip > tolerance::written_slip * size_;
    if (moves && cell(c.friction) * cell(c.slip) > 0) excess = std::max(excess, f);
    largest_friction_ = std::max({largest_friction_, f, limit});
    friction_.see(excess, row[0], pair.name + "#" + std::to_string(c.number));
}

void WrittenAudit::add_checks(Audit& audit) {
    const std::size_t rows = trajectory_.rows(), stride = std::max<std::size_t>(1, rows / max_rows);
    for (std::size_t row = 0; row < rows; row += stride) {
        take_values(row);
        judge_motion(row);
        if (columns_.has_reactions && !is_at_switch(trajectory_.row(row)[0]))
            balance_.judge(trajectory_.row(row));
        judge_contacts(row);
    }
    judge_impacts();
    if (shows_motion_)
        audit.checks.push_back({"columns of motion", "1", motion_, 1,
                                "differences of positions and velocities between rows fit the "
                                "written velocities and accelerations"});
    if (columns_.has_reactions) audit.checks.push_back(balance_.check());
    if (columns_.points.empty()) return;
    audit.checks.push_back({"points of contact", "m", touching_, tolerance::written_contact * size_,
                            "the written points of closed contacts coincide, those of open ones "
                            "are the gap apart, at impacts the gap is zero: <= 1e-9 size"});
    audit.checks.push_back(
        {"restitution", "1", restitution_, tolerance::impact_audit,
         "single impacts: |v+ + e v-| <= 1e-6 |v-| + 1e-9 of the speeds, from the written "
         "velocities"});
    audit.checks.push_back({"friction impulse", "1", impulse_, tolerance::impact_audit,
                            "single impacts on free bodies: tangential impulse - mu x normal "
                            "impulse <= 1e-6 of the momentum"});
    if (largest_friction_ > 0)
        audit.checks.push_back(
            {"friction of the model", "N", friction_,
             tolerance::force_audit * largest_friction_ + tolerance::smallest_amount,
             "written friction against mu of the model x written normal force "
             "<= 1e-6 of the largest friction"});
}

}  // namespace pawl
