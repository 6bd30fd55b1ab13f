#include "simulation/record/energy_ledger.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "simulation/stepping/remember.h"

namespace pawl {

namespace {

std::string energy_column(const std::string& element, const char* what) {
    return "energy." + element + "." + what;
}

}  // namespace

EnergyLedger::EnergyLedger(const PlanarMechanism& mechanism)
    : mechanism_(mechanism), layout_(mechanism) {}

void EnergyLedger::add_columns(std::vector<Column>& columns) {
    for (const auto& [name, unit] : {std::pair{"energy.kinetic", "J"},
                                     {"energy.potential", "J"},
                                     {"energy.work", "J"},
                                     {"energy.residual", "J"}})
        columns.push_back({name, unit});
    for (const auto& f : mechanism_.forces)
        columns.push_back({energy_column(f.name, "stored"), "J"});
    for (const LedgerLine& line : lines({}))
        columns.push_back({energy_column(line.element, "work"), "J"});
}

void EnergyLedger::take(const MechanismEquations<PlanarSpace>& equations, std::span<const double> z,
                        double t, std::vector<double>& row) {
    const double kinetic = equations.inertia().kinetic_energy(),
                 potential = equations.forces().potential();
    double work = 0;
    for (std::size_t i = mechanism_.states.size(); i < z.size(); ++i) {
        work += z[i];
        total_work_ = std::max(total_work_, std::abs(z[i]));
    }
    const double energy = kinetic + potential - work;
    if (!has_first_) {
        has_first_ = true;
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
    residual_.see(std::abs(residual), t);
    row.insert(row.end(), {kinetic, potential, work, residual});
    last_kinetic_ = kinetic;
    last_energies_ = equations.forces().energies();
    lines(z);
    for (std::size_t i = 0; i < mechanism_.forces.size(); ++i) row.push_back(lines_[i].stored);
    for (const LedgerLine& line : lines_) row.push_back(line.work);
}

const std::vector<LedgerLine>& EnergyLedger::lines(std::span<const double> z) {
    const auto work = [&](std::size_t index) { return z.empty() ? 0.0 : z[index]; };
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
    const auto put_friction = [&](const std::string& name, int index) {
        if (index >= 0) put(name, " friction", 0, work(static_cast<std::size_t>(index)));
    };
    for (std::size_t i = 0; i < mechanism_.joints.size(); ++i)
        put_friction(mechanism_.joints[i].name, layout_.friction_of_joint[i]);
    for (std::size_t i = 0; i < mechanism_.contacts.size(); ++i)
        put_friction(mechanism_.contacts[i].name, layout_.friction_of_contact[i]);
    for (std::size_t i = 0; i < mechanism_.couplings.size(); ++i)
        put(mechanism_.couplings[i].joint.name, "", 0, work(layout_.couplings + i));
    return lines_;
}

double EnergyLedger::first_potential() const {
    double sum = 0;
    for (const auto& e : first_energies_) sum += e.potential;
    return sum;
}

void EnergyLedger::remember(Memory& memory) {
    memory(has_first_, initial_energy_, first_kinetic_, last_kinetic_, largest_kinetic_,
           largest_potential_, largest_exchange_, total_work_, residual_, first_energies_,
           last_energies_);
}

}  // namespace pawl
