#include "simulation/time_stepping/moreau_step.h"

#include <algorithm>
#include <cmath>

namespace pawl {

namespace {

using Space = PlanarSpace;

bool all_finite(const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

std::string unknown_to_time_stepping(const PlanarMechanism& mechanism, Span& where) {
    const auto is = [&](const std::string& what, const std::string& name, const Span& span) {
        where = span;
        return what + " ('" + name + "')";
    };
    for (const auto& joint : mechanism.joints)
        if (joint.friction()) return is("friction of joints", joint.name, joint.span);
    for (const auto& coupling : mechanism.couplings)
        return is("couplings", coupling.joint.name, coupling.joint.span);
    for (const auto& pair : mechanism.contacts) {
        if (pair.permanent) return is("permanent contacts", pair.name, pair.span);
        if (!is_rigid(pair.law)) return is("compliant contacts", pair.name, pair.span);
        if (pair.impact != RestitutionLaw::newton)
            return is("laws of impact but Newton's", pair.name, pair.span);
        if (pair.tangential_restitution > 0)
            return is("tangential restitution", pair.name, pair.span);
        if (pair.friction && (pair.friction->rolling > 0 || pair.friction->viscous > 0))
            return is("rolling or viscous friction", pair.name, pair.span);
    }
    return "";
}

MoreauStep::MoreauStep(const PlanarMechanism& mechanism, DynamicSystem& system)
    : mechanism_(mechanism), layout_(mechanism), system_(system), near_(mechanism) {
    set_blocks();
    const auto& labels = system.equations->labels();
    for (std::size_t r = 0; r < labels.size(); ++r)
        if (labels[r].role == RowRole::driver) driver_rows_.push_back(static_cast<int>(r));
}

void MoreauStep::set_blocks() {
    const Equations& equations = *system_.equations;
    blocks_.sizes.assign(static_cast<std::size_t>(equations.block_count()), 0);
    for (int c = 0; c < equations.size(); ++c) {
        blocks_.of.push_back(equations.block_of(c));
        blocks_.slot.push_back(blocks_.sizes[static_cast<std::size_t>(blocks_.of.back())]++);
    }
    std::vector<int> start(1, 0);
    for (const int size : blocks_.sizes) start.push_back(start.back() + size);
    for (int c = 0; c < equations.size(); ++c)
        blocks_.candidate.push_back(start[blocks_.of[c]] + blocks_.slot[c]);
}

// Column by column of M; each block has its own at the same time.
void MoreauStep::put_inertia() {
    const Equations& equations = *system_.equations;
    const int largest =
        blocks_.sizes.empty() ? 0 : *std::max_element(blocks_.sizes.begin(), blocks_.sizes.end());
    std::vector<double> x(blocks_.of.size()), y(blocks_.of.size());
    for (int k = 0; k < largest; ++k) {
        for (std::size_t c = 0; c < x.size(); ++c) x[c] = blocks_.slot[c] == k ? 1 : 0;
        equations.apply_inertia(x, y);
        for (std::size_t c = 0; c < x.size(); ++c)
            if (k < blocks_.sizes[blocks_.of[c]])
                cone_.inertia(blocks_.of[c])[blocks_.slot[c] * blocks_.sizes[blocks_.of[c]] + k] =
                    y[c];
    }
}

// A row of the mechanism, part by part of the blocks that it is on.
void MoreauStep::put_rows() {
    const Equations& equations = *system_.equations;
    const RowPattern& p = equations.pattern();
    last_rows_.resize(static_cast<std::size_t>(p.rows()), 0.0);
    std::vector<ConeProblem::Part> parts;
    std::vector<int> blocks;
    std::vector<std::vector<double>> values;
    for (int r = 0; r < p.rows(); ++r) {
        blocks.clear();
        for (int i = p.start[r]; i < p.start[r + 1]; ++i) blocks.push_back(blocks_.of[p.column[i]]);
        std::sort(blocks.begin(), blocks.end());
        blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
        values.assign(blocks.size(), {});
        parts.clear();
        for (std::size_t k = 0; k < blocks.size(); ++k) {
            values[k].assign(static_cast<std::size_t>(blocks_.sizes[blocks[k]]), 0.0);
            for (int i = p.start[r]; i < p.start[r + 1]; ++i)
                if (blocks_.of[p.column[i]] == blocks[k])
                    values[k][blocks_.slot[p.column[i]]] = equations.jacobian()[i];
            parts.push_back({blocks[k], values[k].data(), nullptr});
        }
        cone_.add_row(parts, equations.nu()[r], last_rows_[r]);
    }
}

void MoreauStep::remember(Memory& memory) {
    std::vector<double> last;
    for (const auto& [key, impulse] : last_)
        last.insert(last.end(), {static_cast<double>(key.pair), static_cast<double>(key.a),
                                 static_cast<double>(key.b), static_cast<double>(key.number),
                                 impulse.first, impulse.second});
    memory(last, last_rows_, acceleration_, near_);
    last_.clear();
    for (std::size_t i = 0; i + 5 < last.size(); i += 6)
        last_[{static_cast<int>(last[i]), static_cast<int>(last[i + 1]),
               static_cast<int>(last[i + 2]), static_cast<int>(last[i + 3])}] = {last[i + 4],
                                                                                 last[i + 5]};
    auto& s = statistics_;
    memory(s.steps, s.unsolved, s.contacts, s.iterations, s.interior, s.max_iterations,
           s.worst_residual, s.at);
}

double MoreauStep::bound_of(const NearContact& contact, double h, double recovery) const {
    const double gap = contact.candidate.touch.gap,
                 e = mechanism_.contacts[contact.pair].restitution_at(
                     std::max(0.0, -contact.closing));
    double bound = gap > 0 ? -gap / h : std::clamp(-gap / h - recovery, 0.0, recovery);
    if (e > 0 && contact.closing < std::min(bound, -recovery))
        bound = std::max(bound, -e * contact.closing);
    return bound;
}

double MoreauStep::friction_of(const NearContact& contact) const {
    const auto& friction = mechanism_.contacts[contact.pair].friction;
    if (!friction) return 0;
    const double slip = std::abs(contact.slip);
    return slip > still_ ? friction->sliding(slip) : friction->holding();
}

void MoreauStep::put_contacts(double h) {
    keys_.clear();
    for (const NearContact& contact : near_.contacts()) {
        std::array<ConeProblem::Part, 2> parts;
        const auto& columns = contact.reach->columns;
        coefficients_.assign(4 * blocks_.of.size() + 4, 0.0);
        std::size_t used = 0;
        int count = 0;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const int block = blocks_.of[columns[i]];
            int k = 0;
            while (k < count && parts[k].block != block) ++k;
            if (k == count) {
                ++count;
                parts[k] = {block, coefficients_.data() + used,
                            coefficients_.data() + used + blocks_.sizes[block]};
                used += 2 * static_cast<std::size_t>(blocks_.sizes[block]);
            }
            const std::size_t first =
                static_cast<std::size_t>(parts[k].normal - coefficients_.data());
            coefficients_[first + blocks_.slot[columns[i]]] = near_.normals()[contact.first + i];
            coefficients_[first + blocks_.sizes[block] + blocks_.slot[columns[i]]] =
                near_.tangents()[contact.first + i];
        }
        Key key{contact.pair, contact.candidate.a, contact.candidate.b, 0};
        if (!keys_.empty() && keys_.back().pair == key.pair && keys_.back().a == key.a &&
            keys_.back().b == key.b)
            key.number = keys_.back().number + 1;
        keys_.push_back(key);
        ConeProblem::Contact c;
        c.friction = friction_of(contact);
        c.bound = bound_of(contact, h, still_);
        if (const auto last = last_.find(key); last != last_.end()) {
            c.normal = h * last->second.first;
            c.tangent = h * last->second.second;
        }
        cone_.add_contact(parts, c);
    }
}

void MoreauStep::take_contacts() {
    contacts_.clear();
    deepest_ = 0;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
        const NearContact& near = near_.contacts()[i];
        const ConeProblem::Contact& c = cone_.contacts()[i];
        const auto [normal, slip] = cone_.rates(i);
        contacts_.push_back({near.pair,
                             near.candidate.a,
                             near.candidate.b,
                             near.candidate.touch,
                             c.normal,
                             c.tangent,
                             {near.closing, normal},
                             {near.slip, slip}});
        if (-near.candidate.touch.gap > deepest_) {
            deepest_ = -near.candidate.touch.gap;
            deepest_pair_ = near.pair;
        }
    }
}

// Of forces and states, with the mean velocity; of drivers, contacts and friction.
void MoreauStep::take_work(const State& before, State& after, double h) {
    auto& equations = *system_.equations;
    std::vector<double> mean(before.v.size());
    for (std::size_t c = 0; c < mean.size(); ++c) mean[c] = 0.5 * (before.v[c] + after.v[c]);
    equations.set_velocity(mean);
    equations.set_forces(before.z);
    for (std::size_t i = 0; i < layout_.contacts; ++i) after.z[i] += h * equations.state_rates()[i];
    for (std::size_t k = 0; k < driver_rows_.size(); ++k)
        after.z[layout_.drivers + k] +=
            cone_.row_impulses()[driver_rows_[k]] * equations.nu()[driver_rows_[k]];
    for (const Contact& c : contacts_) {
        after.z[layout_.contacts + c.pair] += 0.5 * c.normal * (c.closing[0] + c.closing[1]);
        if (layout_.friction_of_contact[c.pair] >= 0)
            after.z[layout_.friction_of_contact[c.pair]] +=
                0.5 * c.tangent * (c.slip[0] + c.slip[1]);
    }
}

// What has sunk on both sides of a body may not be able to come back: then it stays where it is.
ConeProblem::Outcome MoreauStep::solve() {
    ConeProblem::Outcome outcome = cone_.solve(tolerance);
    if (outcome.solved) return outcome;
    std::vector<double> bounds;
    bool changed = false;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
        const double bound = cone_.contacts()[i].bound;
        const bool comes_back = bound > 0 && bound <= still_;
        bounds.push_back(comes_back ? 0 : bound);
        changed |= comes_back;
    }
    if (!changed) return outcome;
    cone_.set_bounds(bounds);
    const int before = outcome.iterations, inside = outcome.interior;
    outcome = cone_.solve(tolerance);
    outcome.iterations += before;
    outcome.interior += inside;
    return outcome;
}

// The equations in the middle of the step, the momentum of the free motion, and the contacts near.
MoreauStep::Outcome MoreauStep::set_middle(const State& state, double h,
                                           std::span<const double> impulse) {
    auto& equations = *system_.equations;
    const std::size_t n = state.q.size();
    std::vector<double> q(n), added;
    for (std::size_t c = 0; c < n; ++c) q[c] = state.q[c] + 0.5 * h * state.v[c];
    equations.set_position(q, state.t + 0.5 * h);
    if (!equations.set_inertia() || !equations.row_inertia().empty()) return Outcome::massless;
    equations.set_velocity(state.v);
    equations.set_forces(state.z);
    if (!all_finite(equations.force())) return Outcome::not_finite;
    momentum_.assign(n, 0.0);
    equations.apply_inertia(state.v, momentum_);
    added = equations.force();
    for (std::size_t c = 0; c < n; ++c) {
        added[c] = h * added[c] + (impulse.empty() ? 0 : impulse[c]);
        momentum_[c] += added[c];
    }
    equations.solve_inertia(added);
    still_ = 0;
    for (std::size_t c = 0; c < n; ++c)
        if (equations.coordinates().column_component(static_cast<int>(c)) != Component::angle)
            still_ = std::max(still_, std::abs(added[c]));
    near_.find(equations.coordinates(), state.v, h, 2 * still_);
    return Outcome::stepped;
}

void MoreauStep::note(const ConeProblem::Outcome& outcome, double t) {
    auto& s = statistics_;
    ++s.steps;
    s.unsolved += outcome.solved ? 0 : 1;
    s.contacts += static_cast<long>(keys_.size());
    s.iterations += outcome.iterations;
    s.interior += outcome.interior;
    s.max_iterations = std::max(s.max_iterations, outcome.iterations);
    if (outcome.residual > s.worst_residual) {
        s.worst_residual = outcome.residual;
        s.at = t;
    }
}

MoreauStep::Outcome MoreauStep::advance(State& state, double h, std::span<const double> impulse) {
    const Outcome middle = set_middle(state, h, impulse);
    if (middle != Outcome::stepped) return middle;
    const State before = state;
    const std::size_t n = state.q.size();
    cone_.start(blocks_.sizes);
    put_inertia();
    for (std::size_t c = 0; c < n; ++c) cone_.momentum()[blocks_.candidate[c]] = momentum_[c];
    put_rows();
    put_contacts(h);
    const ConeProblem::Outcome outcome = solve();
    for (std::size_t c = 0; c < n; ++c) {
        state.v[c] = cone_.velocity()[blocks_.candidate[c]];
        state.q[c] += 0.5 * h * (before.v[c] + state.v[c]);
    }
    if (!all_finite(state.v)) {
        state = before;
        return Outcome::not_finite;
    }
    take_contacts();
    take_work(before, state, h);
    state.t = before.t + h;
    acceleration_.resize(n);
    for (std::size_t c = 0; c < n; ++c) acceleration_[c] = (state.v[c] - before.v[c]) / h;
    last_.clear();
    for (std::size_t i = 0; i < keys_.size(); ++i)
        last_[keys_[i]] = {contacts_[i].normal / h, contacts_[i].tangent / h};
    last_rows_ = cone_.row_impulses();
    note(outcome, state.t);
    if (system_.equations->pattern().rows() > 0 && system_.dynamics->project(state) < 0) {
        state = before;
        return Outcome::lost;
    }
    return Outcome::stepped;
}

}  // namespace pawl
