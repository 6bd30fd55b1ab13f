#include "simulation/dynamic_record.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "math/tolerances.h"
#include "simulation/contact_mode.h"
#include "simulation/text.h"

namespace pawl {

namespace {

using Space = PlanarSpace;

std::string energy_column(const std::string& element, const char* what) {
    return "energy." + element + "." + what;
}

}  // namespace

DynamicRecord::DynamicRecord(const PlacedMechanism& placed, const DynamicOptions& options,
                             ContactCycle& contacts, DynamicResult& result)
    : placed_(placed),
      mechanism_(placed.mechanism),
      layout_(placed.mechanism),
      options_(options),
      contacts_(contacts),
      result_(result),
      sampler_(placed.mechanism, result.trajectory),
      columns_(placed.mechanism),
      deepest_(placed.mechanism.contacts.size(), 0.0) {
    add_columns();
}

void DynamicRecord::add_columns() {
    auto& columns = result_.trajectory.columns;
    if (options_.reactions) {
        reactions_.emplace(placed_, Reactions::without_contacts());
        add_reaction_columns(mechanism_, columns);
    }
    for (std::size_t j = 0; j < mechanism_.joints.size(); ++j)
        if (layout_.friction_of_joint[j] >= 0) {
            const auto& joint = mechanism_.joints[j];
            const bool turns = joint.coordinates()[0] == Component::angle;
            columns.push_back({joint.name + ".friction", turns ? "N m" : "N"});
            columns.push_back({joint.name + ".mode", "1"});
        }
    for (const auto& s : mechanism_.states) columns.push_back({s.name, "1"});
    for (const auto& [name, unit] : {std::pair{"energy.kinetic", "J"},
                                     {"energy.potential", "J"},
                                     {"energy.work", "J"},
                                     {"energy.residual", "J"}})
        columns.push_back({name, unit});
    for (const auto& f : mechanism_.forces)
        columns.push_back({energy_column(f.name, "stored"), "J"});
    for (const LedgerLine& line : ledger(State{}))
        columns.push_back({energy_column(line.element, "work"), "J"});
}

// Multipliers of all rows in the same position with everything at rest, the drivers too.
void DynamicRecord::find_static_forces(const State& state) {
    static_forces_.clear();
    DynamicSystem& system = contacts_.system();
    if (system.equations->contacts().empty()) return;
    still_.assign(state.v.size(), 0.0);
    system.equations->hold_drivers(true);
    const bool solved =
        system.dynamics->respond(state.t, state.q, still_, state.z) == RateOutcome::solved;
    system.equations->hold_drivers(false);
    static_forces_ = system.dynamics->multipliers();
    if (!solved) std::fill(static_forces_.begin(), static_forces_.end(), NAN);
}

// The contacts in force as forces on the bodies, and an entry for each point: closed ones, and the
// nearest place of a pair that is open.
void DynamicRecord::take_contacts(const State& state) {
    DynamicSystem& system = contacts_.system();
    auto& equations = *system.equations;
    const std::size_t row = result_.trajectory.rows();
    const std::vector<double>& lambda = forces_.lambda;
    check_friction(state, forces_);
    equations.add_friction_wrenches(forces_.friction, on_bodies_);
    const auto& c = equations.coordinates();
    std::set<int> pressed;  // pairs with a compliant contact that is closed
    for (std::size_t i = 0; i < equations.contacts().size(); ++i) {
        const auto& point = equations.contacts()[i];
        const auto& pair = mechanism_.contacts[static_cast<std::size_t>(point.pair)];
        const int r = equations.contact_row(i);
        const double force = point.compliant ? std::max(0.0, point.compliant_force()) : lambda[r];
        ContactColumns::PointForces forces;
        forces.normal = force;
        if (point.compliant) {
            forces.friction = equations.friction_of_compliant(i);
            forces.mode = forces.friction < 0 ? 1 : -1;
        } else {
            forces.at_rest = static_forces_[r];
        }
        for (std::size_t k = 0; k < equations.friction().size(); ++k) {
            const FrictionMode& mode = equations.friction_modes()[k];
            if (mode.contact != static_cast<int>(i)) continue;
            (mode.rolling ? forces.rolling : forces.friction) = forces_.friction[k];
            if (!mode.rolling) forces.mode = mode.direction;
        }
        columns_.add_closed(row, point, forces);
        if (point.compliant) {  // among the applied forces already
            double& deepest = deepest_[static_cast<std::size_t>(point.pair)];
            deepest = std::max(deepest, -point.touch.gap);
            pressed.insert(point.pair);
            continue;
        }
        const auto see = [&](Worst& worst, double value) {
            if (value > worst.value) worst.see(value, state.t, name_of(mechanism_, point));
        };
        see(complementarity_, std::abs(force * point.touch.gap));
        add_contact_force(mechanism_, c, point, force, on_bodies_);
        if (pair.permanent) continue;
        largest_force_ = std::max(largest_force_, std::abs(force));
        see(pull_, -force);
        see(penetration_, -point.touch.gap);
    }
    // Not from the contacts that are followed, but from the profiles themselves.
    for (const int i : contacts_.watch().pairs()) {
        if (pressed.count(i) > 0) continue;
        penetration_.see(contacts_.watch().penetration(c, i), state.t,
                         mechanism_.contacts[static_cast<std::size_t>(i)].name);
    }
    penetration_.see(columns_.add_open(row, c, contacts_.watch()), state.t);
}

void DynamicRecord::sample(const State& state) {
    DynamicSystem& system = contacts_.system();
    auto& equations = *system.equations;
    auto& dynamics = *system.dynamics;
    // First, since it leaves the system at rest.
    find_static_forces(state);
    forces_ = contacts_.forces_at(state);
    if (!forces_.solved) return;
    equations.set_forces(state.z);  // with the weights
    auto& s = result_.statistics;
    ++s.samples;
    auto& c = equations.coordinates();
    check_rows(state);
    on_bodies_.assign(mechanism_.bodies.size(), {});
    take_contacts(state);
    const auto& acceleration = dynamics.acceleration();
    c.set_acceleration(acceleration);
    extra_.clear();
    if (reactions_) {
        const auto& applied = equations.forces().on_bodies();
        double scale = 0;
        for (std::size_t b = 0; b < applied.size(); ++b) {
            for (const auto& w : {on_bodies_[b], applied[b]})
                scale = std::max({scale, std::abs(w.f.x), std::abs(w.f.y),
                                  std::abs(w.m) / placed_.assembly.model_size});
            on_bodies_[b].f += applied[b].f;
            on_bodies_[b].m += applied[b].m;
        }
        reactions_->solve(c, equations.inertia(), on_bodies_, state.t, scale);
        // At a singular position the joints share forces that no finite reaction decides; the
        // balance is not judged there.
        if (dynamics.response().smallest_pivot() > tolerance::near_singular)
            imbalance_.see(reactions_->imbalance(), state.t);
        append_reactions(mechanism_, c, *reactions_, extra_);
    }
    append_friction(extra_);
    const std::size_t own = mechanism_.states.size();
    extra_.insert(extra_.end(), state.z.begin(), state.z.begin() + own);
    const double kinetic = equations.inertia().kinetic_energy(),
                 potential = equations.forces().potential();
    double work = 0;
    for (std::size_t i = own; i < state.z.size(); ++i) {
        work += state.z[i];
        total_work_ = std::max(total_work_, std::abs(state.z[i]));
    }
    const double energy = kinetic + potential - work;
    if (s.samples == 1) {
        first_kinetic_ = kinetic;
        first_energies_ = equations.forces().energies();
        initial_energy_ = energy;
    }
    largest_kinetic_ = std::max(largest_kinetic_, kinetic);
    double stored = 0;
    for (const auto& e : equations.forces().energies()) stored += std::abs(e.potential);
    largest_potential_ = std::max(largest_potential_, stored);
    largest_exchange_ = std::max(largest_exchange_, std::abs(potential - first_potential()));
    const double residual = energy - initial_energy_;
    energy_.see(std::abs(residual), state.t);
    extra_.insert(extra_.end(), {kinetic, potential, work, residual});
    last_kinetic_ = kinetic;
    last_energies_ = equations.forces().energies();
    const std::vector<LedgerLine>& lines = ledger(state);
    for (std::size_t i = 0; i < mechanism_.forces.size(); ++i) extra_.push_back(lines[i].stored);
    for (const LedgerLine& line : lines) extra_.push_back(line.work);
    sampler_.take(c, state.t, state.v, acceleration, extra_);
}

// Forces first. Before the first row everything is zero.
const std::vector<LedgerLine>& DynamicRecord::ledger(const State& state) {
    const auto work = [&](std::size_t place) { return state.z.empty() ? 0.0 : state.z[place]; };
    std::size_t next = 0;
    const auto put = [&](const std::string& name, const char* tail, double stored, double done) {
        if (next == lines_.size()) lines_.push_back({name + tail});
        LedgerLine& line = lines_[next++];
        line.stored = stored;
        line.work = done;
    };
    for (std::size_t i = 0; i < mechanism_.forces.size(); ++i)
        put(mechanism_.forces[i].name, "",
            last_energies_.empty() ? 0.0
                                   : last_energies_[i].potential - first_energies_[i].potential,
            work(layout_.forces + i));
    for (std::size_t i = 0; i < mechanism_.drivers.size(); ++i)
        put(mechanism_.drivers[i].name, "", 0, work(layout_.drivers + i));
    for (std::size_t i = 0; i < mechanism_.contacts.size(); ++i)
        if (mechanism_.contacts[i].profile_a >= 0 && !mechanism_.contacts[i].permanent)
            put(mechanism_.contacts[i].name, "", 0, work(layout_.contacts + i));
    const auto put_friction = [&](const std::string& name, int place) {
        if (place >= 0) put(name, " friction", 0, work(static_cast<std::size_t>(place)));
    };
    for (std::size_t i = 0; i < mechanism_.joints.size(); ++i)
        put_friction(mechanism_.joints[i].name, layout_.friction_of_joint[i]);
    for (std::size_t i = 0; i < mechanism_.contacts.size(); ++i)
        put_friction(mechanism_.contacts[i].name, layout_.friction_of_contact[i]);
    return lines_;
}

// Friction within its limit, at it where it slides, and never in the direction of the slip.
void DynamicRecord::check_friction(const State& state, const ContactCycle::Forces& forces) {
    const auto& equations = *contacts_.system().equations;
    for (std::size_t k = 0; k < equations.friction().size(); ++k) {
        const FrictionPlace& place = equations.friction()[k];
        const double slip = equations.slip(static_cast<int>(k), state.v), f = forces.friction[k];
        // In newtons, so that pins can be compared with guides.
        const double lever = place.kind == FrictionPlace::Load::vector ? place.lever : 1.0;
        const double limit =
            (place.direction == 0 ? place.limit_at_rest() : place.limit_sliding(std::abs(slip))) *
            place.load(forces.loads);
        const double dry = f + (place.direction == 0 ? 0.0 : place.viscous * slip);
        const double excess =
            place.direction == 0 ? std::abs(dry) - limit : std::abs(std::abs(dry) - limit);
        cone_.see(excess / lever, state.t, place.name);
        gain_.see(f * slip, state.t, place.name);
        largest_friction_ = std::max({largest_friction_, std::abs(f) / lever, limit / lever});
    }
}

void DynamicRecord::append_friction(std::vector<double>& row) const {
    auto& equations = *contacts_.system().equations;
    for (std::size_t j = 0; j < mechanism_.joints.size(); ++j) {
        if (layout_.friction_of_joint[j] < 0) continue;
        double force = 0, direction = NAN;
        for (std::size_t k = 0; k < equations.friction().size(); ++k)
            if (equations.friction_modes()[k].joint == static_cast<int>(j)) {
                force = forces_.friction[k];
                direction = equations.friction()[k].direction;
            }
        row.insert(row.end(), {force, direction});
    }
}

double DynamicRecord::first_potential() const {
    double sum = 0;
    for (const auto& e : first_energies_) sum += e.potential;
    return sum;
}

void DynamicRecord::check_rows(const State& state) {
    const auto& equations = *contacts_.system().equations;
    const RowPattern& p = equations.pattern();
    position_.see(equations.residual(), state.t);
    double speed = 0;
    for (int c = 0; c < equations.size(); ++c)
        speed = std::max(speed, std::abs(state.v[c]) * equations.column_scale()[c]);
    largest_speed_ = std::max(largest_speed_, speed);
    for (int r = 0; r < p.rows(); ++r) {
        double rate = -equations.nu()[r];
        for (int i = p.start[r]; i < p.start[r + 1]; ++i)
            rate += equations.jacobian()[i] * state.v[p.column[i]];
        velocity_.see(std::abs(rate), state.t, equations.labels()[r].element);
    }
}

// The impacts of one time may add no energy: a pair of bodies that meets without friction never
// does with e <= 1, but several contacts coupled through the bodies can, and so can Newton's law
// where friction changes the slip.
void DynamicRecord::check_impacts(double limit) {
    Worst worst;
    const auto& events = result_.events;
    for (std::size_t i = 0, next = 0; i < events.size(); i = next) {
        double sum = 0;
        std::string names;
        for (; next < events.size() && events[next].t == events[i].t; ++next) {
            if (events[next].kind != EventKind::impact) continue;
            sum += events[next].energy_change;
            names += (names.empty() ? "" : " ") + events[next].element;
        }
        worst.see(sum, events[i].t, names);
    }
    result_.audit.checks.push_back(
        {"energy of impacts", "J", worst, limit,
         "what the impacts of one time add <= 1e-9 (max T + max |dV| + max |work|)"});
    if (!(worst.value > limit)) return;
    const bool several = worst.element.find(' ') != std::string::npos;
    result_.warnings.push_back(
        "the impact of " + worst.element + " at t = " + number_text(worst.t, 9) + " s adds " +
        number_text(worst.value, 4) +
        (several
             ? " J: Newton's law can gain energy when several contacts are coupled; impacts = "
               "\"sequential\" does not"
             : " J: Newton's law can gain energy with friction; impact = \"stronge\" does not"));
}

// A contact that forms where impacts accumulate is told when they begin to, with the time they tend
// to. What happens before that time cuts them short.
void DynamicRecord::put_events_in_order() {
    double next = INFINITY;
    for (auto e = result_.events.rbegin(); e != result_.events.rend(); ++e) {
        if (e->kind == EventKind::contact_formed) e->t = std::min(e->t, next);
        next = std::min(next, e->t);
    }
    std::stable_sort(result_.events.begin(), result_.events.end(),
                     [](const Event& a, const Event& b) { return a.t < b.t; });
}

// Bodies that are pressed into each other by a good part of their size may pass through.
void DynamicRecord::warn_of_depth() {
    constexpr double part = 0.5;
    for (const int i : contacts_.watch().pairs()) {
        const double depth = deepest_[static_cast<std::size_t>(i)],
                     radius = contacts_.watch().smaller_radius(i);
        if (radius > 0 && depth > part * radius)
            result_.warnings.push_back(
                "contact '" + mechanism_.contacts[static_cast<std::size_t>(i)].name +
                "' is pressed in by " + length_text(depth) +
                ", so far that its bodies may pass through each other; a larger stiffness keeps "
                "them apart");
    }
}

void DynamicRecord::close(const State& last) {
    put_events_in_order();
    columns_.widen(result_.trajectory);
    const double size = placed_.assembly.model_size;
    Audit& a = result_.audit;
    const double energy_scale = largest_kinetic_ + largest_exchange_ + total_work_;
    // At rest, what the residual of the rows that is allowed lets a force do.
    a.checks.push_back({"energy residual", "J", energy_,
                        1e3 * std::max(options_.rtol, options_.atol) * energy_scale +
                            1e-12 * largest_potential_ + 1e-10 * size * largest_force_ + 1e-14,
                        "|T + V - work - initial| <= 1e3 max(rtol, atol) (max T + max |dV| + max "
                        "|work|) + 1e-12 sum |V| + 1e-10 size x the largest contact force"});
    a.checks.push_back(
        {"constraint residual", "m", position_, 1e-10 * size, "|phi| <= 1e-10 size"});
    a.checks.push_back({"velocity residual", "m/s", velocity_, 1e-9 * (largest_speed_ + size),
                        "|G v - nu| <= 1e-9 (largest speed + size/s)"});
    if (reactions_)
        a.checks.push_back({"balance of forces", "1", imbalance_, 1e-6,
                            "away from singular positions, what the joints cannot supply <= "
                            "1e-6 of the largest force"});
    if (!contacts_.watch().empty()) {
        a.checks.push_back({"penetration", "m", penetration_, 1e-10 * size, "-gap <= 1e-10 size"});
        check_impacts(1e-9 * energy_scale + 1e-14);
        a.checks.push_back({"pulling contact", "N", pull_, 1e-6 * largest_force_ + 1e-14,
                            "-normal force <= 1e-6 of the largest"});
    }
    if (!contacts_.watch().empty())
        a.checks.push_back({"complementarity", "J", complementarity_,
                            1e-10 * size * largest_force_ + 1e-20,
                            "|normal force x gap| <= 1e-10 size x the largest force"});
    if (layout_.has_friction()) {
        a.checks.push_back({"friction cone", "N", cone_, 1e-6 * largest_friction_ + 1e-14,
                            "friction beyond its limit, or off it where it slides <= 1e-6 of the "
                            "largest friction"});
        a.checks.push_back({"friction along the slip", "W", gain_,
                            1e-9 * largest_friction_ * (largest_speed_ + size) + 1e-14,
                            "power of friction <= 1e-9 largest friction x (largest speed + "
                            "size/s)"});
    }
    warn_of_depth();
    a.kinetic_change = last_kinetic_ - first_kinetic_;
    a.ledger = ledger(last);
    if (reactions_ && !reactions_->indeterminate().empty())
        result_.warnings.push_back(indeterminate_warning(*reactions_));
    for (const AuditCheck& check : a.checks)
        if (!check.passed()) explain(check);
}

// What in the model is likely to be behind a check that failed, and a way out.
void DynamicRecord::explain(const AuditCheck& check) {
    const auto pair =
        std::find_if(mechanism_.contacts.begin(), mechanism_.contacts.end(), [&](const auto& p) {
            return check.worst.element == p.name || check.worst.element.starts_with(p.name + "#");
        });
    if (pair == mechanism_.contacts.end()) return;
    const std::string contact = "contact '" + pair->name + "'";
    if (check.name == "penetration")
        for (const int i : {pair->profile_a, pair->profile_b})
            if (const auto& profile = mechanism_.profiles[static_cast<std::size_t>(i)];
                !profile.chain.closed)
                result_.warnings.push_back(
                    contact + ": profile '" + profile.name +
                    "' is open, and what comes round its ends gets behind it; close its outline");
    if (check.name == "velocity residual" &&
        result_.statistics.smallest_pivot < tolerance::near_singular)
        result_.warnings.push_back(
            contact + " stands almost across all that is free to move at t = " +
            number_text(check.worst.t, 9) +
            " s, where forces have no bound; move the bodies out of this alignment");
}

}  // namespace pawl
