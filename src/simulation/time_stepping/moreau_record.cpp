#include "simulation/time_stepping/moreau_record.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/tolerances/records.h"
#include "simulation/columns/condition_watch.h"
#include "simulation/placement/contact_mode.h"
#include "simulation/stepping/remember.h"

namespace pawl {

namespace {

// Columns of single contacts are written for models with up to so many pairs.
constexpr std::size_t few_pairs = 100;

}  // namespace

MoreauRecord::MoreauRecord(const PlacedMechanism& placed, const DynamicOptions& options,
                           DynamicSystem& system, DynamicResult& result)
    : placed_(placed),
      mechanism_(placed.mechanism),
      layout_(placed.mechanism),
      system_(system),
      result_(result),
      sampler_(placed.mechanism, result.trajectory),
      columns_(placed.mechanism, options.spool),
      shows_contacts_(placed.mechanism.contacts.size() <= few_pairs) {
    result.trajectory.spool(options.spool);
    if (const auto left_out = unwatched(mechanism_, false)) result.warnings.push_back(*left_out);
    auto& columns = result.trajectory.columns;
    for (const auto& s : mechanism_.states) columns.push_back({s.name, "1"});
    for (const auto& [name, unit] : {std::pair{"contacts.closed", "1"},
                                     {"contacts.penetration", "m"},
                                     {"energy.kinetic", "J"},
                                     {"energy.potential", "J"},
                                     {"energy.work", "J"},
                                     {"energy.residual", "J"}})
        columns.push_back({name, unit});
    for (const LedgerLine& line : ledger({}))
        columns.push_back({"energy." + line.element + ".work", "J"});
}

MoreauRecord::Energies MoreauRecord::energies(const State& state) {
    auto& equations = *system_.equations;
    equations.set_position(state.q, state.t);
    equations.set_inertia();
    equations.set_velocity(state.v);
    equations.set_forces(state.z);
    double work = 0;
    for (std::size_t i = layout_.forces; i < state.z.size(); ++i) work += state.z[i];
    return {equations.inertia().kinetic_energy(), equations.forces().potential(), work};
}

// Of each force and driver; of all contacts and all their friction together.
std::vector<LedgerLine> MoreauRecord::ledger(const State& state) const {
    const auto work = [&](std::size_t i) { return state.z.empty() ? 0.0 : state.z[i]; };
    std::vector<LedgerLine> lines;
    for (std::size_t i = 0; i < mechanism_.forces.size(); ++i)
        lines.push_back({mechanism_.forces[i].name, 0, work(layout_.forces + i)});
    for (std::size_t i = 0; i < mechanism_.drivers.size(); ++i)
        lines.push_back({mechanism_.drivers[i].name, 0, work(layout_.drivers + i)});
    double normal = 0, friction = 0;
    for (std::size_t i = 0; i < mechanism_.contacts.size(); ++i) {
        normal += work(layout_.contacts + i);
        if (layout_.friction_of_contact[i] >= 0)
            friction += work(static_cast<std::size_t>(layout_.friction_of_contact[i]));
    }
    lines.push_back({"contacts", 0, normal});
    lines.push_back({"contacts friction", 0, friction});
    return lines;
}

void MoreauRecord::note(EventKind kind, double t, const MoreauStep::Contact& c) {
    Event e;
    e.t = t;
    e.kind = kind;
    e.element = mechanism_.contacts[c.pair].name;
    e.facts = {Cause::at_end_of_step};
    if (kind == EventKind::impact) {
        e.normal_velocity_before = c.closing[0];
        e.normal_velocity_after = c.closing[1];
        e.impulse = c.normal;
        e.energy_change = 0.5 * c.normal * (c.closing[0] + c.closing[1]) +
                          0.5 * c.tangent * (c.slip[0] + c.slip[1]);
    }
    result_.events.push_back(std::move(e));
}

// A pair touches from its first impulse on until none of its points is within reach. A step that
// stops an approach faster than forces change velocities in a few steps is an impact.
void MoreauRecord::note_contacts(const std::vector<MoreauStep::Contact>& contacts, double t,
                                 double slow) {
    std::vector<int> closed;
    for (const auto& c : contacts) {
        const bool was = std::binary_search(closed_.begin(), closed_.end(), c.pair),
                   pressed = c.normal > 0;
        if (!was && !pressed) continue;
        if (pressed && c.closing[0] < -slow) note(EventKind::impact, t, c);
        if (!was && std::find(closed.begin(), closed.end(), c.pair) == closed.end())
            note(EventKind::contact_formed, t, c);
        closed.push_back(c.pair);
    }
    std::sort(closed.begin(), closed.end());
    closed.erase(std::unique(closed.begin(), closed.end()), closed.end());
    for (const int pair : closed_)
        if (!std::binary_search(closed.begin(), closed.end(), pair)) {
            MoreauStep::Contact gone;
            gone.pair = pair;
            note(EventKind::contact_lost, t, gone);
        }
    closed_ = std::move(closed);
}

void MoreauRecord::see(const MoreauStep& step, const State& begin, const State& end, double h) {
    constexpr double few = 4;  // steps
    note_contacts(step.contacts(), end.t, few * step.gain());
    double work = 0;
    for (const auto& c : step.contacts())
        work += 0.5 * c.normal * (c.closing[0] + c.closing[1]) +
                0.5 * c.tangent * (c.slip[0] + c.slip[1]);
    gain_.see(work, end.t);
    if (step.deepest() > penetration_.value)
        penetration_.see(step.deepest(), begin.t + 0.5 * h,
                         mechanism_.contacts[step.deepest_pair()].name);
    const auto& c = system_.equations->coordinates();
    for (std::size_t b = 1; b < mechanism_.bodies.size(); ++b) {
        const auto& v = c.velocity(static_cast<int>(b)).v;
        largest_speed_ = std::max(largest_speed_, std::hypot(v.x, v.y));
    }
}

void MoreauRecord::sample(const MoreauStep& step, const State& state, double h) {
    const Energies e = energies(state);
    auto& equations = *system_.equations;
    position_.see(equations.residual(), state.t);
    if (!std::exchange(has_first_, true)) first_ = e;
    last_ = e;
    const double residual = e.rest() - first_.rest();
    largest_kinetic_ = std::max(largest_kinetic_, e.kinetic);
    largest_exchange_ = std::max(largest_exchange_, std::abs(e.potential - first_.potential));
    const std::vector<LedgerLine> lines = ledger(state);
    for (const LedgerLine& line : lines)
        largest_work_ = std::max(largest_work_, std::abs(line.work));
    energy_.see(std::abs(residual), state.t);
    double closed = 0;
    const std::size_t row = result_.trajectory.rows();
    for (const auto& c : step.contacts()) {
        if (!(c.normal > 0)) continue;
        ++closed;
        if (!shows_contacts_) continue;
        ContactPoint<PlanarSpace> point;
        point.pair = c.pair;
        point.a = c.a;
        point.b = c.b;
        point.touch = c.touch;
        point.rates.slip = c.slip[1];
        for (const auto& other : step.contacts()) {
            if (&other == &c) break;
            if (other.pair == c.pair && other.normal > 0) ++point.number;
        }
        columns_.add_closed(
            row, point,
            {c.normal / h, NAN, c.tangent / h, 0,
             std::abs(c.slip[1]) > step.gain() ? std::copysign(1.0, c.slip[1]) : 0.0});
    }
    std::vector<double> extra(state.z.begin(),
                              state.z.begin() + static_cast<std::ptrdiff_t>(layout_.forces));
    extra.insert(extra.end(), {closed, step.deepest(), e.kinetic, e.potential, e.work, residual});
    for (const LedgerLine& line : lines) extra.push_back(line.work);
    std::vector<double> acceleration = step.acceleration();
    acceleration.resize(state.v.size(), 0.0);
    sampler_.take(equations.coordinates(), state.t, state.v, acceleration, extra);
    ++result_.statistics.samples;
}

void MoreauRecord::remember(Memory& memory) {
    memory(columns_, closed_, has_first_, first_, last_, largest_kinetic_, largest_exchange_,
           largest_work_, largest_speed_, energy_, position_, penetration_, gain_);
}

void MoreauRecord::close(const State& last, const TimeSteppingStatistics& statistics, double h) {
    constexpr double max_unsolved_share = 0.01, worst_allowed = tolerance::worst_residual_audit,
                     part = tolerance::energy_audit_moreau;
    if (shows_contacts_) columns_.widen(result_.trajectory);
    const double scale =
        largest_kinetic_ + largest_exchange_ + largest_work_ + tolerance::smallest_amount;
    const double size = placed_.assembly.model_size;
    auto& checks = result_.audit.checks;
    checks.push_back({"energy residual", "J", energy_, part * scale,
                      "|T + V - work - initial| <= 1e-3 (max T + max |dV| + max |work|)"});
    checks.push_back({"constraint residual", "m", position_, tolerance::residual_audit * size,
                      "|phi| <= 1e-10 size"});
    if (!mechanism_.contacts.empty()) {
        checks.push_back({"penetration", "m", penetration_,
                          h * largest_speed_ + tolerance::residual_audit * size,
                          "-gap <= the way of the fastest body in a step"});
        Worst share, residual;
        if (statistics.steps > 0)
            share.see(
                static_cast<double>(statistics.unsolved) / static_cast<double>(statistics.steps),
                statistics.at);
        residual.see(statistics.worst_residual, statistics.at);
        checks.push_back({"steps above the residual", "1", share, max_unsolved_share,
                          "part of the steps whose contacts are not solved to 1e-6 <= 0.01"});
        checks.push_back({"cone residual", "1", residual, worst_allowed,
                          "violation of the contact conditions in any step, of that without "
                          "impulses <= 0.01"});
        checks.push_back({"energy of contacts", "J", gain_, part * scale,
                          "what the contacts of a step add <= 1e-3 (max T + max |dV| + max "
                          "|work|)"});
    }
    result_.audit.kinetic_change = last_.kinetic - first_.kinetic;
    result_.audit.ledger = ledger(last);
    // The stored part as one: of the forces together.
    if (!result_.audit.ledger.empty() && !mechanism_.forces.empty())
        result_.audit.ledger[0].stored = last_.potential - first_.potential;
}

}  // namespace pawl
